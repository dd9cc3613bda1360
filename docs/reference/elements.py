# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pages of the elements: what their sources say of them, and their pads and properties as the registry has them."""
import re

import gi
gi.require_version("Gst", "1.0")
from gi.repository import GObject, Gst  # noqa: E402

import pages  # noqa: E402

FLAGS = ((GObject.ParamFlags.READABLE, "readable"), (GObject.ParamFlags.WRITABLE, "writable"))
# GST_PARAM_MUTABLE_PLAYING: a property that may change at any time says so
MUTABLE_PLAYING = 1 << 12


def read_sections(folders):
    """Element: its comment "SECTION:element-NAME", by name"""
    sections = {}
    for path in sorted(path for folder in folders for path in folder.glob("gst*.c")):
        for name, text in re.findall(r"/\*\*\n \* SECTION:element-([\w-]+)\n(.*?)\*/", path.read_text(encoding="utf-8"), re.DOTALL):
            lines = [line[3:] for line in text.splitlines()]
            sections[name] = [line for line in lines if not line.startswith(("@title:", "@short_description:"))]
    return sections


def describe_pad(template):
    direction = template.direction.value_nick
    caps = template.get_caps()
    lines = [f"### {template.name_template} ({direction}, {template.presence.value_nick})", ""]
    for i in range(caps.get_size()):
        features = caps.get_features(i)
        structure = caps.get_structure(i)
        memory = f"({features.to_string()})" if features and features.to_string() != "memory:SystemMemory" else ""
        lines.append(f"    {structure.get_name()}{memory}")
        for n in range(structure.n_fields()):
            field = structure.nth_field_name(n)
            value = Gst.Structure.to_string(structure)
            found = re.search(rf"\b{re.escape(field)}=\([\w/]+\)(\{{[^}}]*\}}|\[[^\]]*\]|[^,;]*)", value)
            lines.append(f"        {field}: {found.group(1).strip() if found else ''}")
    return lines + [""]


def describe_default(spec):
    if not spec.flags & GObject.ParamFlags.WRITABLE:
        return ""
    value = spec.default_value
    if isinstance(value, GObject.GEnum):
        return value.value_nick
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def describe_range(spec):
    if hasattr(spec, "minimum") and spec.value_type.name in ("gint", "guint", "gint64", "guint64"):
        return f"{spec.minimum} to {spec.maximum}"
    if spec.value_type.is_a(GObject.TYPE_ENUM):
        return ", ".join(value.value_nick for _, value in sorted(spec.enum_class.__enum_values__.items()))
    return spec.value_type.name


def describe_property(spec):
    flags = [word for flag, word in FLAGS if spec.flags & flag]
    if int(spec.flags) & MUTABLE_PLAYING:
        flags.append("any time")
    default = describe_default(spec)
    lines = [f"### {spec.name}", "", (spec.blurb or "").strip(), "",
             f"*{describe_range(spec)}{'; default: ' + default if default else ''}; {', '.join(flags)}*", ""]
    if spec.value_type.is_a(GObject.TYPE_ENUM):
        lines += [f"- `{value.value_nick}`: {value.value_name}" for _, value in sorted(spec.enum_class.__enum_values__.items())] + [""]
    return lines


def own_properties(factory):
    """Those that the element or a base class of the project has, not GStreamer's"""
    element = factory.create(None)
    return [spec for spec in element.list_properties() if spec.name not in ("name", "parent", "async-handling", "message-forward")]


def describe(name, section, factory):
    lines = [f"Title: {name}", "", f"# {name}", "", factory.get_metadata("description") + ".", ""]
    lines += pages.from_gtk_doc(section)
    lines += ["", "## Factory", "", f"- long name: {factory.get_metadata('long-name')}", f"- class: {factory.get_metadata('klass')}",
              f"- plugin: {factory.get_plugin_name()}", ""]
    lines += ["## Pads", ""]
    for template in factory.get_static_pad_templates():
        lines += describe_pad(template)
    lines += ["## Properties", ""]
    for spec in own_properties(factory):
        lines += describe_property(spec)
    return lines


def check(name, factory):
    """Errors, as lines"""
    if not factory:
        return [f"{name}: there is no such element: GST_PLUGIN_PATH"]
    return [f"{name}: property {spec.name} has no description" for spec in own_properties(factory) if not (spec.blurb or "").strip()]


def write(folders, content):
    """Names of the files, but for that of the list, elements.md; errors"""
    Gst.init(None)
    files, errors = [], []
    listed = ["Title: Elements", "", "# Elements", ""]
    for name, section in read_sections(folders).items():
        factory = Gst.ElementFactory.find(name)
        errors += check(name, factory)
        if not factory:
            continue
        files.append(f"element-{name}.md")
        (content / files[-1]).write_text("\n".join(describe(name, section, factory)) + "\n", encoding="utf-8")
        listed.append(f"- [{name}](element-{name}.html): {factory.get_metadata('description')}")
    (content / "elements.md").write_text("\n".join(listed) + "\n", encoding="utf-8")
    return files, errors
