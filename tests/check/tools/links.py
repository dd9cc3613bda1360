#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""links.py FOLDER: links of the Markdown files in a source tree that lead nowhere: to files that are not there, or to headings that a file
does not have.  Links to other places of the web are not followed."""
import pathlib
import re
import sys
import urllib.parse

LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
FOOTNOTE = re.compile(r"\[\^([\w-]+)\](:?)")


def read_texts(folder):
    """Markdown files, without what is built or linked to"""
    for path in sorted(folder.rglob("*.md")):
        parts = path.relative_to(folder).parts
        if not any(part.startswith((".", "build")) or (folder / part).is_symlink() for part in parts[:-1]) and parts[0] != "shared":
            yield path


def strip_code(text):
    """Without code, in which brackets are no links"""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^    .*$", "", text, flags=re.MULTILINE))


def read_headings(path):
    """As web pages name them: lower case, hyphens for spaces, no punctuation"""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def check_link(path, link):
    """What is wrong with it, or None"""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme:
        return None
    target = path.parent / urllib.parse.unquote(parts.path) if parts.path else path
    if not target.exists():
        return "there is no such file"
    if parts.fragment and target.suffix == ".md" and parts.fragment not in read_headings(target):
        return "there is no such heading"
    return None


def check_footnotes(text):
    """Footnotes without text, or never referred to"""
    uses = {name for name, colon in FOOTNOTE.findall(text) if not colon}
    texts = set(re.findall(r"^\[\^([\w-]+)\]:", text, re.MULTILINE))
    return [f"[^{name}]: no such footnote" for name in sorted(uses - texts)] + [f"[^{name}]: nothing refers to it" for name in sorted(texts - uses)]


def check(path):
    text = strip_code(path.read_text(encoding="utf-8"))
    found = ((link, check_link(path, link)) for link in LINK.findall(text))
    return [f"{link}: {what}" for link, what in found if what] + check_footnotes(text)


def main():
    folder = pathlib.Path(sys.argv[1])
    texts = list(read_texts(folder))
    errors = [f"{path.relative_to(folder)}: {error}" for path in texts for error in check(path)]
    print(*errors, sep="\n", end="\n" if errors else "")
    sys.exit(not texts or bool(errors))


if __name__ == "__main__":
    main()
