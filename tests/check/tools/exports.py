#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""exports.py plugin NM NAME FILE
exports.py library NM FILE MACRO [--gir=FILE] HEADER_OR_FOLDER...

What a shared object exports.  A plugin exports its descriptor alone (gst_plugin_NAME_get_desc, and gst_plugin_NAME_register).  A library
exports what its headers mark with MACRO, all of it and nothing else.  With --gir, its introspection data has each of these functions,
with an owner for what it returns: a binding leaves out a function that does not say so."""
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

C = "{http://www.gtk.org/introspection/c/1.0}"
CORE = "{http://www.gtk.org/introspection/core/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"


def read_exported(nm, path):
    lines = subprocess.run([nm, "-D", "--defined-only", path], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    names = {line.split()[-1].split("@")[0] for line in lines}
    # names that begin so are the compiler's (sanitizers, coverage)
    return {name for name in names if not name.startswith("_")}


def read_marked(macro, paths):
    """Names of the functions that @macro marks.  G_DECLARE_FINAL_TYPE (GstArenaPool, gst_arena_pool, ...) declares gst_arena_pool_get_type."""
    names = set()
    headers = [header for path in map(pathlib.Path, paths) for header in (path.glob("*.h") if path.is_dir() else [path])]
    for header in headers:
        for declaration in re.findall(rf"^{macro}\b([^;]*?\))", header.read_text(encoding="utf-8"), re.MULTILINE):
            function, arguments = re.search(r"(\w+) \(([^)]*)", declaration).groups()
            names.add(arguments.split(",")[1].strip() + "_get_type" if function.startswith("G_DECLARE_") else function)
    return names


def read_introspected(path):
    """Names of the functions that bindings see"""
    names = set()
    for node in xml.etree.ElementTree.parse(path).getroot().iter():
        names.add(node.get(GLIB + "get-type"))
        if node.tag in {CORE + kind for kind in ("function", "method", "constructor")} and node.get("introspectable") != "0":
            names.add(node.get(C + "identifier"))
    return names


def compare(name, found, expected):
    for text, names in (f"{name} should not have", found - expected), (f"{name} lacks", expected - found):
        if names:
            print(f"{text}: {', '.join(sorted(names))}")
    return found == expected


def main():
    kind, nm = sys.argv[1:3]
    if kind == "plugin":
        name, path = sys.argv[3:]
        sys.exit(not compare(path, read_exported(nm, path), {f"gst_plugin_{name}_{end}" for end in ("get_desc", "register")}))
    path, macro, *rest = sys.argv[3:]
    girs = [argument.split("=", 1)[1] for argument in rest if argument.startswith("--gir=")]
    marked = read_marked(macro, [argument for argument in rest if not argument.startswith("--")])
    if len(marked) < 10:
        sys.exit(f"only {len(marked)} functions are marked with {macro}")
    same = compare(path, read_exported(nm, path), marked)
    for gir in girs:
        same &= compare(gir, read_introspected(gir) & marked, marked)
    sys.exit(not same)


main()
