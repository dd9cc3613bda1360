#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""summary.py [--require-streams] TESTLOG.JSON...: counts the results of meson's test logs.

A program that speaks TAP gives as many results as it says, one of Check's as many as it has checks, any other one.  Failures are listed; the last line is
"N passed, N failed, N skipped".  Exit status 1 where one failed, or none passed, or, with --require-streams, where test streams were absent."""
import json
import re
import sys

TAP = re.compile(r'^(not )?ok\b(?: \d+)?(?: - )?(.*?)(?: # (SKIP)\b(.*))?$((?:\n#.*)*)', re.M)
CHECK = re.compile(r'^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)$', re.M)
CHECK_FAILURE = re.compile(r'^\S+:\d+:[FE]:.*$', re.M)
STREAMS_VARIABLE = 'GST_GPU_VECTORS'
ENDED_BADLY = ('FAIL', 'ERROR', 'TIMEOUT', 'INTERRUPT')


def quote(lines):
    """What a failed test said, for those who see nothing but the summary"""
    return ''.join(f'\n    {line[:300]}' for line in lines[-12:])


class Count:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.streams_absent = False

    def fail(self, n, text):
        self.failed += n
        print(f'FAILED {text}')

    def skip(self, text):
        self.skipped += 1
        self.streams_absent |= STREAMS_VARIABLE in text
        print(f'SKIPPED {text}')


def count_tap(count, name, output):
    failed = 0
    for not_ok, what, directive, reason, diagnostics in TAP.findall(output):
        if directive:
            count.skip(f'{name}: {what}: {reason.strip()}')
        elif not_ok:
            failed += 1
            count.fail(1, f'{name}: {what}' + quote([line.lstrip('# ') for line in diagnostics.split('\n')[1:]]))
        else:
            count.passed += 1
    return failed


def count_check(count, name, output):
    failed = 0
    for checks, failures, errors in CHECK.findall(output):
        bad = int(failures) + int(errors)
        failed += bad
        count.passed += int(checks) - bad
        if bad:
            count.fail(bad, f'{name}: {bad} of {checks} checks' + quote(CHECK_FAILURE.findall(output)))
    return failed


def count_test(count, test):
    name, result, output = test['name'], test['result'], test.get('stdout', '')
    if re.search(r'^1\.\.\d+|^(not )?ok \d+', output, re.M):
        failed = count_tap(count, name, output)
    elif CHECK.search(output):
        failed = count_check(count, name, output)
    elif result == 'SKIP':
        count.skip(f'{name}: {(output.strip().splitlines() or ["no reason given"])[-1]}')
        return
    elif result in ENDED_BADLY:
        failed = 0
    else:
        count.passed += 1
        return
    if result in ENDED_BADLY and not failed:
        tail = (test.get('stderr', '') or output).strip().splitlines()
        count.fail(1, f'{name}: {result.lower()} with exit status {test.get("returncode")}' + quote(tail))


def main(arguments):
    require_streams = '--require-streams' in arguments
    count = Count()
    for path in arguments:
        if path.startswith('--'):
            continue
        with open(path, encoding='utf-8', errors='replace') as log:
            for line in log:
                count_test(count, json.loads(line))
    if count.streams_absent:
        print(f'test streams are absent: {STREAMS_VARIABLE} names their folder')
    print(f'{count.passed} passed, {count.failed} failed, {count.skipped} skipped')
    return 1 if count.failed or not count.passed or (require_streams and count.streams_absent) else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
