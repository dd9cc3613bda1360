# SPDX-License-Identifier: LGPL-2.1-or-later
"""Joins of macroblocks whose modes need samples above right: squares cannot be joined, parallelograms can.

aboveright.py SOURCE_ROOT: prints TAP.  A block's samples are linear functions of samples around it (ITU-T H.264, 8.3.1.2, nothing rounded or
clipped), which join by substitution, as in kernels/edgescan.cl, here as {(x, y): weight, None: constant}.
"""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.abspath(sys.argv[1]), 'tests', 'check', 'tools'))
sys.dont_write_bytecode = True

from tap import check, finish

DIAGONAL_DOWN_LEFT = 3
RASTER_OF_BLOCK = [(blk & 1 | blk >> 1 & 2, blk >> 1 & 1 | blk >> 2 & 2) for blk in range(16)]


def filter_taps(centre, n):
    """1 2 1 around input @centre, or 1 1 of it and the next"""
    return {centre - 1: 0.25, centre: 0.5, centre + 1: 0.25} if n == 3 else {centre: 0.5, centre + 1: 0.5}


def find_taps(mode, has, x, y):
    """Inputs of a 4x4 block by contour: 0 to 3 left from bottom to top, 4 the corner, 5 to 12 above.  @has: left, above, above right"""
    left, above, right = has
    if mode in (3, 7):
        i, n = (x + y, 3) if mode == 3 else (x + (y >> 1), 3 if y % 2 else 2)
        taps = {}
        for k, weight in zip((i, i + 1, i + 2), (0.25, 0.5, 0.25) if n == 3 else (0.5, 0.5)):
            k = 5 + min(k, 7 if right else 3)
            taps[k] = taps.get(k, 0) + weight
        return taps
    if mode == 2:
        around = [*range(4)] * left + [*range(5, 9)] * above
        return {i: 1 / len(around) for i in around}
    if mode < 2:
        return {5 + x if mode == 0 else 3 - y: 1}
    if mode == 4:
        return filter_taps(4 + x - y, 3)
    if mode == 8:
        z = x + 2 * y
        return {0: 1} if z > 5 else {0: 0.75, 1: 0.25} if z == 5 else filter_taps(2 - y - (x >> 1), 3 if z % 2 else 2)
    down = mode == 6
    a, b = (y, x) if down else (x, y)
    z, near = 2 * a - b, a - (b >> 1)
    if z >= 0:
        centre = (4 - near if z % 2 else 3 - near) if down else 4 + near
        return filter_taps(centre, 3 if z % 2 else 2)
    if z == -1:
        return filter_taps(4, 3)
    return filter_taps(3 + x if down else 5 - y, 3)


class Picture:
    """@width x @height macroblocks of Intra_4x4; @modes: those that blocks with all neighbours take"""

    def __init__(self, width, height, modes):
        self.width, self.height = width, height
        self.modes, self.residual = {}, {}
        for y in range(height * 4):
            for x in range(width * 4):
                self.modes[x, y] = random.choice(modes if x and y else [m for m in modes if m == (3 if y else None)] or [2])
        for at in ((x, y) for y in range(height * 16) for x in range(width * 16)):
            self.residual[at] = random.randint(-9, 9)

    def has_above_right(self, mb, blk):
        bx, by = RASTER_OF_BLOCK[blk]
        if by == 0 and bx == 3:
            return mb[1] > 0 and mb[0] + 1 < self.width
        if by == 0:
            return mb[1] > 0
        return bx < 3 and RASTER_OF_BLOCK.index((bx + 1, by - 1)) < blk

    def function_of(self, mb):
        """Functions of a macroblock's samples, of samples outside it"""
        functions = {}
        for blk in range(16):
            bx, by = (mb[i] * 4 + RASTER_OF_BLOCK[blk][i] for i in (0, 1))
            has = bx > 0, by > 0, self.has_above_right(mb, blk)
            for y in range(4):
                for x in range(4):
                    at = bx * 4 + x, by * 4 + y
                    function = {None: self.residual[at] + (0 if has[0] or has[1] else 128)}
                    for i, weight in find_taps(self.modes[bx, by], has, x, y).items() if has[0] or has[1] else ():
                        source = (bx * 4 - 1, by * 4 + 3 - i) if i <= 4 else (bx * 4 + i - 5, by * 4 - 1)
                        add(function, functions.get(source, {source: 1}), weight)
                    functions[at] = function
        return functions


def add(function, other, weight):
    for key, value in other.items():
        function[key] = function.get(key, 0) + weight * value


class Cyclic(Exception):
    """A quadrant needs samples of its joined block that come after it, or blocks need each other both ways"""


def join(quadrants):
    """Functions of a joined block, of samples outside it; @quadrants: (macroblocks, functions) in the order in which they follow each other"""
    inside = {mb for mbs, _ in quadrants for mb in mbs}
    functions = {}
    for mbs, own in quadrants:
        joined = {}
        for at, function in own.items():
            joined[at] = {}
            for source, weight in function.items():
                if source in functions:
                    add(joined[at], functions[source], weight)
                elif source and (source[0] // 16, source[1] // 16) in inside:
                    raise Cyclic
                else:
                    add(joined[at], {source: 1}, weight)
        functions.update(joined)
    mbs = {(x + dx, y + dy) for x, y in inside for dx, dy in ((1, 0), (-1, 1), (0, 1), (1, 1))}
    outer = {(x, y) for x, y in inside if any((x + dx, y + dy) in mbs - inside for dx, dy in ((1, 0), (-1, 1), (0, 1), (1, 1)))}
    edges = {at: f for at, f in functions.items() if (at[0] // 16, at[1] // 16) in outer and (at[0] % 16 == 15 or at[1] % 16 == 15)}
    return inside, edges


def needs(block, other):
    """Whether a function of @block has an input in @other"""
    return any(s and (s[0] // 16, s[1] // 16) in other[0] for f in block[1].values() for s in f)


def join_all(blocks):
    """Joins until one block is left; @blocks: by position.  Yields the blocks of each level."""
    while len(blocks) > 1:
        joined = {}
        for x, y in {(x // 2, y // 2) for x, y in blocks}:
            order = [(2 * x, 2 * y), (2 * x + 1, 2 * y), (2 * x, 2 * y + 1), (2 * x + 1, 2 * y + 1)]
            joined[x, y] = join([blocks[at] for at in order if at in blocks])
        for at, block in joined.items():
            if any(needs(block, joined[later]) and needs(joined[later], block) for later in joined if later != at):
                raise Cyclic
        blocks = joined
        yield blocks


def rebuild(picture, macroblocks):
    """Samples block after block in raster order"""
    samples = {None: 1}
    for mb in sorted(macroblocks, key=lambda mb: (mb[1], mb[0])):
        for at, function in macroblocks[mb].items():
            samples[at] = sum(weight * samples[source] for source, weight in function.items())
    return samples


def check_joins(picture, name, shear, expect_cycle):
    """Joins squares, or parallelograms, whose rows of macroblocks are each a macroblock further left than the one above."""
    macroblocks = {(x, y): picture.function_of((x, y)) for y in range(picture.height) for x in range(picture.width)}
    samples = rebuild(picture, macroblocks)
    worst, cyclic, n_levels = 0, False, 0
    try:
        for blocks in join_all({(x + shear * y, y): ({(x, y)}, f) for (x, y), f in macroblocks.items()}):
            n_levels += 1
            for _, functions in blocks.values():
                for at, function in functions.items():
                    worst = max(worst, abs(samples[at] - sum(w * samples[s] for s, w in function.items())))
    except Cyclic:
        cyclic = True
    check(cyclic == expect_cycle and worst < 1e-6, name, f'{n_levels} levels, cyclic: {cyclic}, error {worst}')


random.seed(1)
check(all(abs(sum(find_taps(mode, (1, 1, right), x, y).values()) - 1) < 1e-9 and max(find_taps(mode, (1, 1, right), x, y)) < (13 if right else 9)
          for mode in range(9) for right in (0, 1) for y in range(4) for x in range(4)), 'each sample is a mean of inputs')
# Four macroblocks by two: the lower right one of the first joined block needs the upper left one of the second, which needs the first's edge
check_joins(Picture(4, 2, [DIAGONAL_DOWN_LEFT, 1]), 'squares of blocks that need samples above right', 0, True)
check_joins(Picture(4, 2, [0, 1, 2, 4, 5, 6, 8]), 'squares of other blocks', 0, False)
check_joins(Picture(5, 4, [*range(9)]), 'parallelograms of blocks of all modes', 1, False)
finish()
