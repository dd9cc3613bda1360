#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""messages.py FOLDER: whether the table of messages in docs/troubleshooting.md has every text that elements post for users (GST_ELEMENT_ERROR,
_WARNING and _INFO), and no text that none posts."""
import pathlib
import re
import sys

SOURCES = ("gst/h264", "ext/opencl", "ext/opencl/lib", "common")
POSTED = re.compile(r'GST_ELEMENT_(?:ERROR|WARNING|INFO) \((?:[^;]*?)\(\s*((?:"(?:[^"\\]|\\.)*"\s*(?:PRI\w+|G_\w+_FORMAT)?\s*)+)')
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
CONVERSION = re.compile(r"%[-+ #0-9.*]*(?:hh|h|ll|l|z)?[a-zA-Z]")


def read_posted(folder):
    """Text: the file that posts it.  A conversion is a %"""
    texts = {}
    for path in sorted(path for name in SOURCES for path in (folder / name).glob("*.c")):
        for literals in POSTED.findall(path.read_text(encoding="utf-8")):
            text = "".join(LITERAL.findall(literals)).replace('\\"', '"')
            texts[CONVERSION.sub("%", text)] = path
    return texts


def read_documented(folder):
    """Patterns of the table, by their texts"""
    table = (folder / "docs" / "troubleshooting.md").read_text(encoding="utf-8").split("## Messages")[1]
    cells = [row.split(" | ")[0] for row in table.splitlines() if row.startswith("| `")]
    texts = [text for cell in cells for text in re.findall(r"`([^`]+)`", cell)]
    return {text: re.compile(".*".join(re.escape(part) for part in text.split("..."))) for text in texts}


def main():
    folder = pathlib.Path(sys.argv[1])
    posted, documented = read_posted(folder), read_documented(folder)
    errors = [f"{path.relative_to(folder)}: not in docs/troubleshooting.md: {text}" for text, path in posted.items()
              if CONVERSION.sub("", text).strip("%: ") and not any(pattern.fullmatch(text) for pattern in documented.values())]
    sources = "".join(path.read_text(encoding="utf-8") for name in SOURCES for path in (folder / name).glob("*.[ch]"))
    sources = CONVERSION.sub("%", re.sub(r'"\s*\n\s*"', "", sources))
    for text in documented:
        # of a text that has something between two "..." no part may be missing
        if not all(part.strip(" ,") in sources for part in text.split("...")):
            errors.append(f"docs/troubleshooting.md: nothing posts: {text}")
    print(*errors, sep="\n", end="\n" if errors else "")
    sys.exit(not posted or not documented or bool(errors))


if __name__ == "__main__":
    main()
