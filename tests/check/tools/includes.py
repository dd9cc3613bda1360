#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""includes.py SOURCE_ROOT: the parts of the code use each other in one direction.

A part is a source file and the header of its name (h264dpb.c and h264dpb.h).  It uses every part whose header one of its two files
includes.  Where parts use each other in a circle, none of them can be read or changed alone: the circle is printed, and the test fails.
Headers for one's own plugin or library (NAME-private.h) belong to the part NAME.
"""
import pathlib
import re
import sys

FOLDERS = ["common", "gst/h264", "ext/opencl", "reference", "papers", "tools"]
# what belongs to no part's layer: programs and tests, which use everything and which nothing uses
LEFT_OUT = {"tests", "bench"}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)


def part_of(path):
    return re.sub(r"-private$", "", pathlib.PurePath(path).stem)


def read_parts(root):
    """part: parts that it uses"""
    uses = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]")):
            if LEFT_OUT.isdisjoint(path.relative_to(root / folder).parts):
                names = INCLUDE.findall(path.read_text(encoding="utf-8"))
                uses.setdefault(part_of(path), set()).update(part_of(name) for name in names)
    return {part: sorted((used & uses.keys()) - {part}) for part, used in uses.items()}


def find_circles(uses):
    """Sets of parts that reach each other (strongly connected components, by Tarjan's algorithm), the larger than one"""
    number, lowest, stack, circles = {}, {}, [], []

    def visit(part):
        number[part] = lowest[part] = len(number)
        stack.append(part)
        for used in uses[part]:
            if used not in number:
                visit(used)
            if used in stack:
                lowest[part] = min(lowest[part], lowest[used])
        if lowest[part] == number[part]:
            circle = stack[stack.index(part) :]
            del stack[stack.index(part) :]
            if len(circle) > 1:
                circles.append(sorted(circle))

    for part in sorted(uses):
        if part not in number:
            visit(part)
    return circles


def check_finder():
    """The finder itself, on a graph whose circles are known"""
    graph = {"a": ["b"], "b": ["c", "d"], "c": ["a"], "d": ["e"], "e": [], "f": ["g"], "g": ["f", "e"]}
    assert find_circles(graph) == [["a", "b", "c"], ["f", "g"]], find_circles(graph)


def main():
    check_finder()
    uses = read_parts(pathlib.Path(sys.argv[1]))
    if len(uses) < 100:
        sys.exit(f"only {len(uses)} parts found below {sys.argv[1]}")
    circles = find_circles(uses)
    for circle in circles:
        print("these use each other in a circle:")
        for part in circle:
            print(f"  {part}: {', '.join(used for used in uses[part] if used in circle)}")
    if circles:
        sys.exit(1)
    print(f"{len(uses)} parts, {sum(map(len, uses.values()))} uses, no circle")


main()
