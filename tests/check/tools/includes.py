#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""includes.py SOURCE_ROOT: the parts of the code use each other in one direction.

A part is a source file and the header of its name (h264dpb.c and h264dpb.h).  It uses every part whose header one of its two files
includes.  Where parts use each other in a circle, none of them can be read or changed alone: the circle is printed, and the test fails.
Headers for one's own plugin or library (NAME-private.h) belong to the part NAME.

Folders of gst/h264 use each other in one direction, too.

A header may declare what several source files define.  Which of those uses which, no include tells: so a part also uses every part whose
functions or variables it names.
"""
import pathlib
import re
import sys

FOLDERS = ["common", "gst/h264", "ext/opencl", "reference", "papers", "tools"]
# tests use everything, and nothing uses them
LEFT_OUT = {"tests"}
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


def read_folders(root, uses):
    """folder of gst/h264: folders that its parts use"""
    top = root / "gst" / "h264"
    folder_of = {part_of(path): path.parent.name for path in top.rglob("*.[ch]")}
    folders = {folder: set() for folder in folder_of.values()}
    for part in folder_of.keys() & uses.keys():
        folders[folder_of[part]].update(folder_of[used] for used in uses[part] if used in folder_of)
    return {folder: sorted(used - {folder}) for folder, used in folders.items()}


COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# At the beginning of a line, as all code here has it: a function that is not static, behind the line of its type
FUNCTION = re.compile(r"^(?!static\b|\w+_INLINE\b)\w[^;{}()=]*(?:\([^;{}=]*\)[^;{}()=]*)?\n(\w+) \([^;{}]*\)\n\{", re.MULTILINE)
VARIABLE = re.compile(r"^(?!static\b|extern\b|typedef\b)\w[^;{}()=]*?(\w+)(?:\[[^\]]*\])*\s*=", re.MULTILINE)
# Declarations, of which a header is full, use nothing
DECLARATION = re.compile(r"^\w[^;{}]*;", re.MULTILINE)


def read_calls(root):
    """part: parts whose functions or variables it names"""
    definer, names = {}, {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]")):
            if not LEFT_OUT.isdisjoint(path.relative_to(root / folder).parts):
                continue
            part = part_of(path)
            text = COMMENT.sub("", path.read_text(encoding="utf-8"))
            if path.suffix == ".h":
                text = DECLARATION.sub("", text)
            else:
                definer.update({name: part for finder in (FUNCTION, VARIABLE) for name in finder.findall(text)})
            names.setdefault(part, set()).update(re.findall(r"\w+", text))
    return {part: {definer[name] for name in named & definer.keys()} for part, named in names.items()}


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


def report_circles(uses):
    """How many there are; each is printed"""
    circles = find_circles(uses)
    for circle in circles:
        print("these use each other in a circle:")
        for part in circle:
            print(f"  {part}: {', '.join(used for used in uses[part] if used in circle)}")
    return len(circles)


def main():
    check_finder()
    root = pathlib.Path(sys.argv[1])
    calls = read_calls(root)
    uses = {part: sorted((set(used) | calls[part]) - {part}) for part, used in read_parts(root).items()}
    if len(uses) < 100:
        sys.exit(f"only {len(uses)} parts found below {root}")
    folders = read_folders(root, uses)
    if len(folders) < 5:
        sys.exit(f"only {len(folders)} folders found in gst/h264")
    if report_circles(uses) + report_circles(folders):
        sys.exit(1)
    print(f"{len(uses)} parts, {sum(map(len, uses.values()))} uses, no circle; folders: {folders}")


main()
