# SPDX-License-Identifier: LGPL-2.1-or-later
"""What introspection data leave undocumented.

A symbol is documented where it has a description, or where it says what it returns; besides, each parameter, each value of an enumeration
and each public member of a struct has to be.  Members of the records (GstGpu*) have their comments in their header, which has a page, and
so have virtual functions, whose comments in the class the scanner leaves out."""
import xml.etree.ElementTree

CORE = "{http://www.gtk.org/introspection/core/1.0}"
C = "{http://www.gtk.org/introspection/c/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"
CALLABLES = {CORE + kind for kind in ("function", "method", "constructor", "callback")}
TYPES = {CORE + kind for kind in ("class", "record", "enumeration", "bitfield", "interface", "constant")}


def has_text(node):
    doc = node.find(CORE + "doc")
    return doc is not None and bool((doc.text or "").strip())


def name_of(node):
    return node.get(C + "identifier") or node.get(C + "type") or node.get(GLIB + "type-name") or node.get("name")


def check_callable(node):
    name = name_of(node)
    returned = node.find(CORE + "return-value")
    returns_nothing = returned is None or any(kind.get("name") == "none" for kind in returned.findall(CORE + "type"))
    if not has_text(node) and (returns_nothing or not has_text(returned)):
        yield name
    elif not returns_nothing and not has_text(returned):
        yield f"{name}: what it returns"
    for parameter in node.findall(f"{CORE}parameters/{CORE}parameter"):
        if not has_text(parameter):
            yield f"{name}: parameter {parameter.get('name')}"


def check_type(node):
    name = name_of(node)
    # the struct of a class has its documentation where its type has it
    if node.get("disguised") == "1" or (node.get(GLIB + "is-gtype-struct-for") and not has_text(node)):
        return
    if not has_text(node):
        yield name
    for member in node.findall(CORE + "member"):
        if not has_text(member):
            yield f"{name}: value {name_of(member)}"
    for member in node.findall(CORE + "field"):
        is_listed = name.startswith("GstGpu") or member.find(CORE + "callback") is not None
        is_inner = member.get("private") == "1" or member.get("name") in ("parent_class", "parent_instance", "mini_object", "meta")
        if not is_listed and not is_inner and not has_text(member):
            yield f"{name}: member {member.get('name')}"


def walk(node):
    for child in node:
        if child.get("introspectable") == "0":
            continue
        if child.tag in CALLABLES:
            yield from check_callable(child)
        elif child.tag in TYPES:
            # constants and macros of the records stand in their header alone
            if child.tag != CORE + "constant" or not (child.get("name") or "").startswith("GPU_"):
                yield from check_type(child)
            yield from walk(child)


def find_undocumented(path):
    """Errors, as lines"""
    namespace = xml.etree.ElementTree.parse(path).getroot().find(CORE + "namespace")
    return [f"{path.name}: not documented: {name}" for name in walk(namespace)]
