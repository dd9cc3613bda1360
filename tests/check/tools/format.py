#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""format.py CLANG_FORMAT SOURCE_ROOT: every C file looks as .clang-format has it.

Versions of clang-format differ in what they make of the same rules: Debian 12's counts, and with another one the test is skipped.
"""
import pathlib
import re
import subprocess
import sys

VERSION = "14"
FOLDERS = ["common", "examples", "ext", "gst", "papers", "reference", "tests", "tools"]
SKIPPED = 77


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
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
