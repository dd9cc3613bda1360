#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""seeds.py FOLDER OUT: the beginnings of the streams below FOLDER as inputs of the fuzzer (fuzzinput.c), each in one of its framings."""
import pathlib
import re
import sys

MAX_BYTES = 3000
# as in fuzzinput.c
NAL, UNITS, AVC, AVC3 = range(4)


def cut(data):
    """NAL units, up to MAX_BYTES, but at least one slice"""
    units, size, slices = [], 0, 0
    for unit in re.split(rb"\x00*\x00\x00\x01", data)[1:]:
        if not unit:
            continue
        if slices > 0 and size + len(unit) > MAX_BYTES:
            break
        units.append(unit)
        size += len(unit) + 4
        slices += unit[0] & 31 in (1, 5)
    return units


def record(units):
    """The avcC record of the sets among @units (ISO/IEC 14496-15, 5.3.3.1)"""
    sets = [[unit for unit in units if unit[0] & 31 == kind] for kind in (7, 8)]
    if not sets[0]:
        return b""
    head = bytes([1]) + sets[0][0][1:4] + b"\xff"
    counted = [bytes([0xE0 * (i == 0) | len(kind)]) + b"".join(len(unit).to_bytes(2, "big") + unit for unit in kind) for i, kind in enumerate(sets)]
    return head + b"".join(counted)


def make(units, framing, number):
    if framing in (NAL, UNITS):
        return bytes([framing << 3 | number & 1, 0]) + b"".join(b"\0\0\0\1" + unit for unit in units)
    sets = record(units) if framing == AVC else b""
    if len(sets) > 255:
        return make(units, NAL, number)
    rest = [unit for unit in units if framing == AVC3 or unit[0] & 31 not in (7, 8)]
    return bytes([framing << 3 | number & 1, len(sets)]) + sets + b"".join(len(unit).to_bytes(4, "big") + unit for unit in rest)


def main():
    folder, out = map(pathlib.Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    number = 0
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.suffix.lower() in (".tsv", ".md", ".md5", ".yuv", ".txt", ".mp4", ".mkv"):
            continue
        units = cut(path.read_bytes()[:400000])
        if not units or sum(map(len, units)) > 60000:
            continue
        (out / f"{path.stem}.{number % 4}").write_bytes(make(units, number % 4, number // 4))
        number += 1
    print(f"{number} seeds", file=sys.stderr)


main()
