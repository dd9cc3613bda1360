# SPDX-License-Identifier: LGPL-2.1-or-later
"""The Test Anything Protocol, for test programs in Python: each call prints one result line, counted and numbered."""
import sys

_n_results = 0
_n_failed = 0


def check(ok, name, note=''):
    """One result; @note is printed where it failed.  Returns @ok."""
    global _n_results, _n_failed
    _n_results += 1
    _n_failed += not ok
    print(f'{"ok" if ok else "not ok"} {_n_results} {name}')
    if not ok:
        print(*('# ' + line for line in str(note).splitlines()), sep='\n')
    sys.stdout.flush()
    return ok


def same(found, expected, name):
    return check(found == expected, name, f'{found}\nnot\n{expected}')


def skip(name, reason):
    global _n_results
    _n_results += 1
    print(f'ok {_n_results} {name} # SKIP {reason}', flush=True)


def finish():
    """The plan; the program's exit status"""
    print(f'1..{_n_results}', flush=True)
    sys.exit(_n_failed != 0)
