#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""reference.py OUTPUT GI_DOCGEN GIR_CODEC GIR_OPENCL

Builds the reference of libraries and elements as web pages, in the new folder OUTPUT, from what is built: the introspection data of the
libraries, the elements as the registry has them (GST_PLUGIN_PATH), comments of sources and headers, and the texts of docs/.  gi-docgen
makes the pages.

What is not documented is an error, and so is a link that leads nowhere: all of them are printed, and the exit status is 1."""
import pathlib
import re
import shutil
import subprocess
import sys

import elements
import headers
import introspection
import pages
import weblinks

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ELEMENT_FOLDERS = [SOURCE / "gst" / "h264", SOURCE / "ext" / "opencl"]
PUBLIC_HEADERS = SOURCE / "ext" / "opencl" / "include" / "gst" / "gpuopencl"
LISTINGS = {"records": ("Records", SOURCE / "common" / "gpurecords.h"), "stage": ("Writing a stage", SOURCE / "common" / "gstgpustage.h")}
TEXTS = ["using.md", "guide.md", "decoders.md", "troubleshooting.md", "design.md"]

CONFIGURATION = """[library]
version = "{version}"
authors = "The gst-gpu-codec authors"
license = "LGPL-2.1-or-later"
description = "{description}"
dependencies = [{dependencies}]
{names}
[theme]
name = "basic"
show_index_summary = true

[extra]
content_files = [{files}]

# the records of the device are no objects: the page Records shows their header whole
[[object]]
pattern = "GPU_*"
hidden = true

[[object]]
pattern = "gpu_*"
hidden = true
"""


def read_version():
    return re.search(r"version: '([^']+)'", (SOURCE / "meson.build").read_text(encoding="utf-8")).group(1)


def write_configuration(path, description, dependencies, files):
    names = "".join(f'[dependencies."{name}"]\nname = "{name}"\ndescription = "GStreamer"\ndocs_url = "https://gstreamer.freedesktop.org/documentation/"\n'
                    for name in dependencies)
    path.write_text(CONFIGURATION.format(version=read_version(), description=description, names=names,
                                         dependencies=", ".join(f'"{name}"' for name in dependencies),
                                         files=", ".join(f'"{name}"' for name in files)), encoding="utf-8")


def run_gi_docgen(program, configuration, gir, content, output):
    """Errors, as lines"""
    command = [program, "generate", "--quiet", "--fatal-warnings", "--config", str(configuration), "--add-include-path", str(gir.parent),
               "--content-dir", str(content), "--output-dir", str(output), str(gir)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return [f"{gir.name}: {line}" for line in done.stdout.splitlines()] or [f"{gir.name}: gi-docgen fails"] if done.returncode else []


def write_pages(content):
    """The pages beside those of introspected symbols.  File names of both libraries, and errors."""
    content.mkdir(parents=True)
    element_files, errors = elements.write(ELEMENT_FOLDERS, content)
    errors += headers.write_opencl_functions(PUBLIC_HEADERS, content / "opencl-functions.md")
    for name, (title, header) in LISTINGS.items():
        headers.write_listing(header, title, content / (name + ".md"))
    texts = [name for name in TEXTS if (SOURCE / "docs" / name).exists()]
    for name in texts:
        pages.rewrite(SOURCE / "docs" / name, content / name, texts)
    return texts + ["elements.md"] + element_files + ["opencl-functions.md"], [name + ".md" for name in LISTINGS], errors


def main():
    output, program, gir_codec, gir_opencl = sys.argv[1], sys.argv[2], *map(pathlib.Path, sys.argv[3:])
    output = pathlib.Path(output)
    shutil.rmtree(output, ignore_errors=True)
    opencl_files, codec_files, errors = write_pages(output / "content")
    for gir, description, dependencies, files in (
            (gir_opencl, "Pictures on OpenCL devices, for applications; the elements that decode", ["Gst-1.0"], opencl_files),
            (gir_codec, "What the stages of a decoder share, for those who write one", ["Gst-1.0", "GstBase-1.0", "GstVideo-1.0"], codec_files)):
        errors += introspection.find_undocumented(gir)
        configuration = output / "content" / (gir.stem + ".toml")
        write_configuration(configuration, description, dependencies, files)
        errors += run_gi_docgen(program, configuration, gir, output / "content", output)
    shutil.rmtree(output / "content")
    pages.write_index(output / "index.html", [gir_opencl.stem, gir_codec.stem])
    errors += weblinks.find_broken(output)
    print(*errors, sep="\n", end="\n" if errors else "")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
