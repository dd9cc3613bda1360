# SPDX-License-Identifier: LGPL-2.1-or-later
"""Made-up pictures with the statistics of natural ones: discs of all sizes, as many of each that every size covers the same area, in front of each other
("dead leaves"), shaded, with grain.  For runs without streams of real pictures."""
import random


def _draw_disc(rows, width, height, generator, unit, values):
    radius = min(unit * 2 / (1 - generator.random()) ** 0.5, height / 3)  # probability of a size: its inverse cube
    x0, y0, grey, slope = generator.uniform(0, width), generator.uniform(0, height), generator.uniform(*values), generator.uniform(-20, 20)
    for y in range(max(0, int(y0 - radius)), min(height, int(y0 + radius) + 1)):
        half = (radius * radius - (y - y0) ** 2) ** 0.5 if abs(y - y0) < radius else 0
        left, right = max(0, int(x0 - half)), min(width, int(x0 + half))
        if right > left:
            value = int(min(255, max(0, grey + slope * (y - y0) / radius)))
            rows[y][left:right] = bytes((value,)) * (right - left)


def _draw_plane(width, height, generator, unit, values):
    rows = [bytearray(bytes((128,)) * width) for _ in range(height)]
    for _ in range(int(width * height / (unit * unit) / 6)):
        _draw_disc(rows, width, height, generator, unit, values)
    grain = bytes(generator.choice((0, 0, 1, 1, 2, 3)) for _ in range(4099))
    samples, at = b''.join(rows), 0
    grained = bytearray(len(samples))
    while at < len(samples):
        part = samples[at:at + 4099]
        grained[at:at + len(part)] = bytes(min(255, s + g) for s, g in zip(part, grain))
        at += 4099
    return bytes(grained)


def write_leaves(path, width, height, n_pictures):
    """A YUV4MPEG2 file"""
    unit = max(1, height / 288)
    with open(path, 'wb') as file:
        file.write(f'YUV4MPEG2 W{width} H{height} F25:1 Ip C420jpeg\n'.encode())
        for picture in range(n_pictures):
            generator = random.Random(picture)
            file.write(b'FRAME\n')
            for plane in range(3):
                part = 2 if plane else 1
                file.write(_draw_plane(width // part, height // part, generator, unit, (100, 156) if plane else (8, 240)))
