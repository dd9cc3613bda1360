#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""blockgroups.py FOLDER [--clip=FILE]: what slices of H.264 and tiles of JPEG XR cost in rate at 1080p (Pieters et al., figure 2).

One picture of CLIP (any video that ffmpeg reads; default: a test picture with noise), x264 all intra at constant QP with at most N macroblocks a slice, and
JxrEncApp (libjxr-tools) of luma alone with tiles of as many macroblocks.  A codec whose program is missing is left out.  FOLDER/d-groups.csv has the increase over
one group; FOLDER keeps the pictures."""
import argparse
import csv
import os
import shutil
import subprocess
import sys

WIDTH, HEIGHT = 1920, 1088
# Macroblocks across and down of a tile; as many a slice.  The first is the whole picture
GROUPS = ((120, 68), (120, 34), (60, 34), (60, 17), (30, 17), (15, 17), (15, 8), (8, 8), (8, 4), (4, 4))
QUANTISERS = {'H.264': ('22', '27', '32', '37'), 'JPEG XR': ('20', '40', '60', '80')}
PUBLISHED = {('H.264', 32): 14.7, ('JPEG XR', 32): 23.5}


def make_pictures(folder, clip):
    """One picture as PGM for JxrEncApp and as YUV4MPEG for x264; their paths"""
    source = ['-i', clip] if clip else ['-f', 'lavfi', '-i', f'testsrc2=size={WIDTH}x{HEIGHT}:rate=25,noise=alls=8:allf=t:all_seed=1']
    paths = [os.path.join(folder, name) for name in ('groups.pgm', 'groups.y4m')]
    for path, pixels in zip(paths, ('gray', 'yuv420p')):
        subprocess.run(['ffmpeg', '-v', 'error', '-y', *source, '-frames:v', '1', '-vf', f'scale={WIDTH}:{HEIGHT}', '-pix_fmt', pixels, path], check=True)
    return paths


def make_h264(folder, picture, qp, across, down):
    path = os.path.join(folder, 'groups.264')
    subprocess.run(['x264', '--quiet', '--profile', 'main', '--keyint', '1', '--partitions', 'i4x4', '--no-8x8dct', '--no-psy', '--qp', qp, '--slice-max-mbs',
                    str(across * down), '-o', path, picture], stderr=subprocess.DEVNULL, check=True)
    return os.path.getsize(path)


def make_jpegxr(folder, picture, quantiser, across, down):
    path = os.path.join(folder, 'groups.jxr')
    tiles = [['-V', *[str(across)] * -(-WIDTH // 16 // across)], ['-H', *[str(down)] * -(-HEIGHT // 16 // down)]] if across * down < WIDTH * HEIGHT // 256 else []
    # Prediction within tiles, no overlap filter over their edges
    subprocess.run(['JxrEncApp', '-i', picture, '-o', path, '-c', '2', '-d', '0', '-l', '0', '-f', '-q', quantiser, *sum(tiles, [])],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return os.path.getsize(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder')
    parser.add_argument('--clip')
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    pgm, y4m = make_pictures(arguments.folder, arguments.clip)
    with open(os.path.join(arguments.folder, 'd-groups.csv'), 'w', newline='', encoding='utf-8') as file:
        file.write('# title: Pieters et al.: rate of slices and tiles over that of one (1080p; figure 2)\n')
        table = csv.writer(file, lineterminator='\n')
        table.writerow(('codec', 'quantiser', 'macroblocks', 'kbit', 'increase_percent', 'published_percent'))
        for codec, program, make, picture in (('H.264', 'x264', make_h264, y4m), ('JPEG XR', 'JxrEncApp', make_jpegxr, pgm)):
            if not shutil.which(program):
                print(f'no {program}: {codec} is left out', file=sys.stderr)
                continue
            for quantiser in QUANTISERS[codec]:
                name = ('QP ' if codec == 'H.264' else 'quantiser ') + quantiser
                sizes = {across * down: make(arguments.folder, picture, quantiser, across, down) for across, down in GROUPS}
                for n, size in sizes.items():
                    table.writerow((codec, name, n, f'{size * 8 / 1000:.1f}', f'{100 * (size / sizes[GROUPS[0][0] * GROUPS[0][1]] - 1):.2f}',
                                    PUBLISHED.get((codec, n), '')))


main()
