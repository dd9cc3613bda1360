#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""backends.py PROGRAM FOLDER [--quick]: the whole decoder with stages in plain C or on the device.

PROGRAM is bench-decoderate; streams are made in FOLDER with x264 where it does not have them yet; FOLDER/c-decoder.csv is the table.  For each size, QCIF to 2160p,
the row of elements runs to RGBA pictures: with every stage in C and colours converted in C (paperscsc: integers, vectorised by the compiler) or by videoconvert
(ORC); with only the transforms, only the colour conversion, or both on the device; and with everything there.  Rows run in turn, ratios are of the same round.
The pictures that go into the colour conversion must be equal in all of them; gpucsc is within one of the exact value (its own test)."""
import argparse
import csv
import os
import subprocess
import sys

# Pictures enough that those under way at the same time are few among them
SIZES = (('QCIF', 176, 144, 200), ('CIF', 352, 288, 100), ('480p', 720, 480, 60), ('720p', 1280, 720, 40), ('1080p', 1920, 1080, 24), ('2160p', 3840, 2160, 16))
GPUCSC = 'gpucsc backend=opencl'
# What converts colours behind the stages that are on the device (None: every stage)
ROWS = (('C; CSC in integers', (), 'paperscsc'), ('C; videoconvert', (), 'videoconvert'), ('IQ and IDCT on the device', ('gpuidct',), 'paperscsc'),
        ('CSC on the device', (), GPUCSC), ('IQ; IDCT and CSC on the device', ('gpuidct',), GPUCSC), ('all on the device', None, GPUCSC))
ROUNDS = 3


def make_stream(folder, name, width, height, pictures):
    path = os.path.join(folder, f'backends-{name}-{pictures}.264')
    if not os.path.exists(path):
        source = f'testsrc2=size={width}x{height}:rate=25,noise=alls=8:allf=t:all_seed=1'
        subprocess.run(f'ffmpeg -v error -f lavfi -i {source} -frames:v {pictures} -pix_fmt yuv420p -f yuv4mpegpipe - | '
                       f'x264 --quiet --demuxer y4m --muxer raw --preset veryfast --qp 28 -o {path}.part - 2>/dev/null', shell=True, check=True)
        os.rename(path + '.part', path)
    return path


def read_row(program):
    """The elements of the row, the entropy stage first, as the library has them"""
    return subprocess.run([program, '--list'], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def run(program, path, elements, device_stages, csc, *options):
    entropy, *stages = elements
    row = ' ! '.join([entropy] + [f'{stage} backend={"opencl" if device_stages is None or stage in device_stages else "c"}' for stage in stages] + ([csc] if csc else []))
    result = subprocess.run([program, f'--row={row}', *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f'{row}: {result.stderr.strip()}')
    return dict(pair.split('=', 1) for pair in result.stdout.split())


def measure(program, path, elements):
    """Milliseconds a picture of each row, by round"""
    times = [[] for _ in ROWS]
    for _ in range(ROUNDS):
        for row, (_, stages, csc) in zip(times, ROWS):
            values = run(program, path, elements, stages, csc, '--caps=video/x-raw,format=RGBA')
            row.append(1000 * float(values['seconds']) / max(int(values['pictures']) - 1, 1))
    return times


def summary(values):
    values = sorted(values)
    return [f'{value:.4g}' for value in (values[0], values[len(values) // 2], values[-1])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('program')
    parser.add_argument('folder')
    parser.add_argument('--quick', action='store_true')
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    row_elements = read_row(arguments.program)
    with open(os.path.join(arguments.folder, 'c-decoder.csv'), 'w', newline='', encoding='utf-8') as file:
        file.write('# title: The whole decoder to RGBA, wall time a picture; ratios: over the rows with every stage in C, CSC in integers or videoconvert\n')
        table = csv.writer(file, lineterminator='\n')
        table.writerow(('size', 'stages', 'min_ms', 'median_ms', 'max_ms', 'ratio_min', 'ratio', 'ratio_max', 'over_videoconvert_min', 'over_videoconvert',
                        'over_videoconvert_max', 'published_ratio'))
        for name, width, height, pictures in SIZES[:2] if arguments.quick else SIZES:
            path = make_stream(arguments.folder, name, width, height, pictures)
            outputs = {run(arguments.program, path, row_elements, stages, None, '--md5')['md5'] for stages in {stages for _, stages, _ in ROWS}}
            if len(outputs) != 1:
                sys.exit(f'{name}: the rows differ')
            times = measure(arguments.program, path, row_elements)
            for (label, stages, csc), own in zip(ROWS, times):
                published = 1.4 if name == 'QCIF' and stages == ('gpuidct',) and csc == GPUCSC else ''
                row = (name, label, *summary(own), *summary([a / b for a, b in zip(times[0], own)]), *summary([a / b for a, b in zip(times[1], own)]), published)
                table.writerow(row)
                print(*row, sep='  ', flush=True)


main()
