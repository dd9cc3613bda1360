# SPDX-License-Identifier: LGPL-2.1-or-later
"""Texts as gi-docgen's content pages take them."""
import re


def from_gtk_doc(lines):
    """A gtk-doc comment as Markdown: examples |[ ... ]|, parameters, what is returned"""
    out, in_example = [], False
    for line in lines:
        if line.strip() in ("|[", "]|"):
            in_example = line.strip() == "|["
            out.append("")
        elif in_example:
            out.append("    " + line)
        else:
            parameter = re.match(r"@(\w+): *(.*)", line)
            returned = re.match(r"Returns: *(.*)", line)
            text = f"- *{parameter.group(1)}*: {parameter.group(2)}" if parameter else f"**Returns** {returned.group(1)}" if returned else line
            # a list ends at an empty line
            if out and out[-1].startswith("- ") and not parameter and line.strip() and not line.startswith("  "):
                out.append("")
            out.append(re.sub(r"(^|[\s(])[@#%]([\w-]+)", r"\1*\2*", text))
    return out


def rewrite_link(match, texts):
    """Links between the texts go to their pages; a file of the source tree is named only"""
    text, target = match.groups()
    name, _, anchor = target.partition("#")
    if name in texts:
        return f"[{text}]({name[:-3]}.html{'#' + anchor if anchor else ''})"
    return match.group(0) if "://" in target or not name else text


def rewrite_footnotes(text):
    """Footnotes, which gi-docgen does not know, as numbered links and a list"""
    names = re.findall(r"^\[\^([\w-]+)\]:", text, re.MULTILINE)
    text = re.sub(r"^\[\^([\w-]+)\]:", lambda match: f'- <a id="note-{match.group(1)}"></a>({names.index(match.group(1)) + 1})', text,
                  flags=re.MULTILINE)
    return re.sub(r"\[\^([\w-]+)\]", lambda match: f" [({names.index(match.group(1)) + 1})](#note-{match.group(1)})", text)


def rewrite(source, path, texts):
    """A text of docs/, whose first line is its heading"""
    text = source.read_text(encoding="utf-8")
    title = re.match(r"# (.*)", text).group(1)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", lambda match: rewrite_link(match, texts), text)
    path.write_text(f"Title: {title}\n\n{rewrite_footnotes(text)}", encoding="utf-8")


def write_index(path, names):
    links = "".join(f'<li><a href="{name}/index.html">{name}</a></li>' for name in names)
    path.write_text(f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>gst-gpu-codec</title></head><body><ul>{links}</ul></body></html>\n',
                    encoding="utf-8")
