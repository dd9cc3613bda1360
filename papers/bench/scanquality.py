#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""scanquality.py PROGRAM FOLDER [--quick] [--clip=FILE]: what the 2-D scan of intra edges makes of x264's streams, and what slices cost.

PROGRAM is bench-comparerows.  Streams are made in FOLDER with x264 where it does not have them yet, from CLIP (any video that ffmpeg reads; default: a test picture):
all intra, Intra_4x4 and Intra_16x16, no 8x8 transform.  FOLDER/d-real.csv: PSNR and absolute difference of papersintrapred algorithm=scan from the conformant
picture, each plane, loop filter on and off.  FOLDER/d-slices.csv: the rate with 32 macroblocks a slice against one slice, at constant QP."""
import argparse
import csv
import os
import subprocess
import sys

SIZES = (('CIF', 352, 288), ('480p', 720, 480), ('720p', 1280, 720), ('1080p', 1920, 1080), ('2160p', 3840, 2160))
PICTURES = 4
# What the paper has: PSNR of Foreman, CIF, 1.2 Mbit/s; slices of 32 macroblocks at 1080p
PUBLISHED_PSNR = {'Y': 39.3, 'Cb': 68, 'Cr': 71}
PUBLISHED_SLICES = {'1080p': 14.7}
ROW = 'h264entropy ! gpuidct ! gpuinterpred ! {} ! gpudeblock'


def make_stream(folder, clip, name, width, height, options):
    path = os.path.join(folder, name + '.264')
    if os.path.exists(path):
        return path
    if clip:
        source = ['-i', clip, '-vf', f'scale={width}:{height}']
    else:
        source = ['-f', 'lavfi', '-i', f'testsrc2=size={width}x{height}:rate=25,noise=alls=8:allf=t:all_seed=1']
    raw = subprocess.Popen(['ffmpeg', '-v', 'error', *source, '-frames:v', str(PICTURES), '-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe', '-'],
                           stdout=subprocess.PIPE)
    subprocess.run(['x264', '--quiet', '--demuxer', 'y4m', '--muxer', 'raw', '--profile', 'main', '--keyint', '1', '--partitions', 'i4x4', '--no-8x8dct',
                    *options, '-o', path + '.part', '-'], stdin=raw.stdout, stderr=subprocess.DEVNULL, check=True)
    if raw.wait():
        sys.exit(f'{name}: ffmpeg failed')
    os.rename(path + '.part', path)
    return path


def compare(program, path):
    result = subprocess.run([program, ROW.format('gpuintrapred'), ROW.format('papersintrapred algorithm=scan'), path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f'{path}: {result.stderr.strip()}')
    values = dict(pair.split('=', 1) for pair in result.stdout.split())
    if values['flagged'] != values['pictures']:
        sys.exit(f'{path}: {values["flagged"]} of {values["pictures"]} pictures are flagged as corrupted, and all have to be')
    return values


def open_table(folder, name, title, columns):
    file = open(os.path.join(folder, name + '.csv'), 'w', newline='', encoding='utf-8')
    file.write(f'# title: {title}\n')
    table = csv.writer(file)
    table.writerow(columns)
    return file, table


def write_quality(program, folder, clip, sizes):
    file, table = open_table(folder, 'd-real', 'Pieters et al.: papersintrapred algorithm=scan against the conformant picture (x264; all intra; QP 27)',
                             ('size', 'filter', 'plane', 'psnr', 'min', 'mean', 'max', 'published_psnr'))
    with file:
        for name, width, height in sizes:
            for loop_filter, options in (('on', []), ('off', ['--no-deblock'])):
                values = compare(program, make_stream(folder, clip, f'scan-{name}-{loop_filter}', width, height, ['--qp', '27', *options]))
                for plane in ('Y', 'Cb', 'Cr'):
                    row = (name, loop_filter, plane, *(values[f'{plane}.{what}'] for what in ('psnr', 'min', 'mean', 'max')),
                           PUBLISHED_PSNR[plane] if name == 'CIF' else '')
                    table.writerow(row)
                    print(*row, sep='  ', flush=True)


def write_slices(folder, clip, sizes):
    file, table = open_table(folder, 'd-slices', 'Pieters et al.: rate of slices of 32 macroblocks against one slice (x264; all intra; constant QP)',
                             ('size', 'qp', 'kbit_one_slice', 'kbit_slices', 'cost_percent', 'published_percent'))
    with file:
        for name, width, height in sizes:
            for qp in ('22', '27', '32', '37'):
                one, many = (os.path.getsize(make_stream(folder, clip, f'slices-{name}-{qp}-{label}', width, height, ['--qp', qp, *options])) * 8 / 1000 / PICTURES
                             for label, options in (('one', []), ('32', ['--slice-max-mbs', '32'])))
                row = (name, qp, f'{one:.1f}', f'{many:.1f}', f'{100 * (many / one - 1):.2f}', PUBLISHED_SLICES.get(name, ''))
                table.writerow(row)
                print(*row, sep='  ', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('program')
    parser.add_argument('folder')
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--clip')
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    sizes = SIZES[:1] if arguments.quick else SIZES
    write_quality(arguments.program, arguments.folder, arguments.clip, sizes)
    write_slices(arguments.folder, arguments.clip, sizes)


main()
