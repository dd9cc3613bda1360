# SPDX-License-Identifier: LGPL-2.1-or-later
"""pack.py FOLDER FILE [BYTES]: the inputs of FOLDER in one file, smallest first, up to BYTES in all: the length of each (32 bits, big endian), then its bytes.
pack.py --unpack FILE FOLDER: and back."""
import hashlib
import pathlib
import sys


def pack(folder, file, limit):
    packed, number = b"", 0
    inputs = sorted((path.read_bytes() for path in folder.iterdir()), key=lambda data: (len(data), data))
    for data in inputs:
        if len(packed) + 4 + len(data) > limit:
            break
        packed += len(data).to_bytes(4, "big") + data
        number += 1
    file.write_bytes(packed)
    print(f"{number} of {len(inputs)} inputs, {len(packed)} bytes", file=sys.stderr)


def unpack(file, folder):
    packed, at = file.read_bytes(), 0
    folder.mkdir(parents=True, exist_ok=True)
    while at < len(packed):
        size = int.from_bytes(packed[at : at + 4], "big")
        data = packed[at + 4 : at + 4 + size]
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
        at += 4 + size


if sys.argv[1] == "--unpack":
    unpack(*map(pathlib.Path, sys.argv[2:4]))
else:
    pack(*map(pathlib.Path, sys.argv[1:3]), int(sys.argv[3]) if len(sys.argv) > 3 else sys.maxsize)
