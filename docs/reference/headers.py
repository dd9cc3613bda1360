# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pages made of headers: what bindings, and so introspection data, do not have."""
import re

import pages

BLOCK = re.compile(r"/\*\*\n \* ([\w]+):\n(.*?)\*/\n(.*?)(?=\n\n|\n#endif|\Z)", re.DOTALL)


def read_hidden(path):
    """What a header has for C only"""
    return "\n".join(re.findall(r"^#ifndef __GI_SCANNER__\n(.*?)^#endif", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE))


def describe(name, comment, declaration):
    lines = [f"## {name}", "", *(f"    {line}" for line in declaration.replace("GST_CL_API\n", "").splitlines()), ""]
    return lines + pages.from_gtk_doc([line[3:] for line in comment.splitlines()]) + [""]


def write_opencl_functions(folder, path):
    """Errors: functions without a comment, as lines"""
    lines = ["Title: Functions with types of OpenCL", "", "# Functions with types of OpenCL", "",
             "Bindings of other languages do not have them: there is no introspection data of OpenCL.", ""]
    errors = []
    for header in sorted(folder.glob("*.h")):
        text = read_hidden(header)
        blocks = BLOCK.findall(text)
        for name, comment, declaration in blocks:
            lines += describe(name, comment, declaration)
        declared = re.findall(r"^GST_CL_API\n[^;(]*?(\w+) \(", text, re.MULTILINE)
        errors += [f"{header.name}: not documented: {name}" for name in declared if name not in {block[0] for block in blocks}]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return errors


def write_listing(header, title, path):
    text = header.read_text(encoding="utf-8")
    listing = "\n".join(f"    {line}" for line in text.splitlines())
    path.write_text(f"Title: {title}\n\n# {title}\n\nThe header `{header.name}`, whole.\n\n{listing}\n", encoding="utf-8")
