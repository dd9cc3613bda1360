#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Turns a text, such as an OpenCL C source, into a C array: embed.py OUT.c NAME SOURCE INCLUDE_DIR...

Lines of the form #include "file" are replaced by that file, each time, so that the program needs no include path at run time.
"""
import os
import re
import sys


def expand(path, dirs):
    with open(path, encoding="utf-8") as source:
        for line in source:
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not match:
                yield line
                continue
            name = match.group(1)
            found = [os.path.join(d, name) for d in dirs if os.path.exists(os.path.join(d, name))]
            if not found:
                sys.exit(f"{path}: {name} not found")
            yield from expand(found[0], dirs)


def main():
    out, name, source, *dirs = sys.argv[1:]
    text = "".join(expand(source, [os.path.dirname(source)] + dirs))
    data = text.encode() + b"\0"
    with open(out, "w", encoding="utf-8") as f:
        f.write(f"extern const char {name}[];\nconst char {name}[] = {{\n")
        for i in range(0, len(data), 24):
            f.write(",".join(str(b) for b in data[i : i + 24]) + ",\n")
        f.write("};\n")


main()
