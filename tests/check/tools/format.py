#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""format.py CLANG_FORMAT SOURCE_ROOT: every C file looks as .clang-format has it, and no line of C or OpenCL C is too long.

clang-format leaves comments and texts as they are, so their lines are counted here, and those of kernels, which it does not see.

Versions of clang-format differ in what they make of the same rules: Debian 12's counts, and with another one the test is skipped.
"""
import pathlib
import re
import subprocess
import sys

VERSION = "14"
FOLDERS = ["common", "examples", "ext", "gst", "papers", "reference", "tests", "tools"]
SKIPPED = 77
COLUMNS = 140  # ColumnLimit of .clang-format


def find_long_lines(root):
    """What is longer, as FILE:LINE: COLUMNS"""
    found = []
    for folder in FOLDERS:
        for path in sorted(path for path in (root / folder).rglob("*") if path.suffix in (".c", ".h", ".cl")):
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
                if len(line) > COLUMNS:
                    found.append(f"{path.relative_to(root)}:{number}: {len(line)} columns")
    return found


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    long_lines = find_long_lines(root)
    if long_lines:
        sys.exit("\n".join([f"lines longer than {COLUMNS} columns:", *long_lines]))
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    if not re.search(rf"version {VERSION}\b", version):
        print(f"this is not clang-format {VERSION}: {version}")
        sys.exit(SKIPPED)
    files = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.[ch]"))]
    if len(files) < 200:
        sys.exit(f"only {len(files)} files found below {root}")
    result = subprocess.run([program, "--dry-run", "--Werror", *files], check=False)
    if result.returncode != 0:
        sys.exit("format with: git ls-files '*.[ch]' | xargs clang-format -i")
    print(f"{len(files)} files are as .clang-format has them")


main()
