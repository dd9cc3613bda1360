#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""backends.py PROGRAM FOLDER [--quick]: the whole decoder with stages in plain C or on the device.

PROGRAM is bench-decoderate; streams are made in FOLDER with x264 where it does not have them yet; FOLDER/c-decoder.csv is the table.  For each size, QCIF to 2160p,
the row of elements, with gpucsc behind it, runs with every stage in C (backend=c), with only the transforms, only the colour
conversion, or both on the device, and with everything there.  The
pictures that go into gpucsc must be equal in all combinations; its own two backends may differ by one."""
import argparse
import csv
import os
import subprocess
import sys

SIZES = (('QCIF', 176, 144, 60), ('CIF', 352, 288, 40), ('480p', 720, 480, 20), ('720p', 1280, 720, 12), ('1080p', 1920, 1080, 8), ('2160p', 3840, 2160, 4))
CSC = 'gpucsc'
# None: every stage
COMBINATIONS = (('C', ()), ('IQ and IDCT on the device', ('gpuidct',)), ('CSC on the device', (CSC,)),
                ('IQ; IDCT and CSC on the device', ('gpuidct', CSC)), ('gpuidct, gpucsc: all on the device', None))


def make_stream(folder, name, width, height, pictures):
    path = os.path.join(folder, f'backends-{name}.264')
    if not os.path.exists(path):
        source = f'testsrc2=size={width}x{height}:rate=25,noise=alls=8:allf=t:all_seed=1'
        subprocess.run(f'ffmpeg -v error -f lavfi -i {source} -frames:v {pictures} -pix_fmt yuv420p -f yuv4mpegpipe - | '
                       f'x264 --quiet --demuxer y4m --muxer raw --preset veryfast --qp 28 -o {path}.part - 2>/dev/null', shell=True, check=True)
        os.rename(path + '.part', path)
    return path


def read_row(program):
    """The elements of the row, the entropy stage first, as the library has them"""
    return subprocess.run([program, '--list'], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def run(program, path, elements, device_stages, *options):
    entropy, *stages = elements
    row = ' ! '.join([entropy] + [f'{stage} backend={"opencl" if device_stages is None or stage in device_stages else "c"}' for stage in stages])
    result = subprocess.run([program, f'--row={row}', *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f'{row}: {result.stderr.strip()}')
    return dict(pair.split('=', 1) for pair in result.stdout.split())


def measure(program, path, elements, device_stages, runs):
    times = []
    for _ in range(runs):
        values = run(program, path, elements, device_stages, '--caps=video/x-raw,format=RGBA')
        times.append(1000 * float(values['seconds']) / max(int(values['pictures']) - 1, 1))
    times.sort()
    return times[0], times[len(times) // 2], times[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('program')
    parser.add_argument('folder')
    parser.add_argument('--quick', action='store_true')
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    row_elements = read_row(arguments.program)
    with open(os.path.join(arguments.folder, 'c-decoder.csv'), 'w', newline='', encoding='utf-8') as file:
        file.write('# title: The whole decoder with stages in C or on the device (ratio: time with all in C over that of the row)\n')
        table = csv.writer(file)
        table.writerow(('size', 'stages', 'min_ms', 'median_ms', 'max_ms', 'ratio', 'published_ratio'))
        for name, width, height, pictures in SIZES[:2] if arguments.quick else SIZES:
            path = make_stream(arguments.folder, name, width, height, pictures)
            outputs = {run(arguments.program, path, row_elements, stages, '--md5')['md5'] for _, stages in COMBINATIONS}
            if len(outputs) != 1:
                sys.exit(f'{name}: the combinations differ')
            all_c = None
            for label, stages in COMBINATIONS:
                low, median, high = measure(arguments.program, path, [*row_elements, CSC], stages, 3 if arguments.quick else 5)
                all_c = all_c or median
                row = (name, label, f'{low:.4g}', f'{median:.4g}', f'{high:.4g}', f'{all_c / median:.2f}', 1.4 if name == 'QCIF' and stages == ('gpuidct', CSC) else '')
                table.writerow(row)
                print(*row, sep='  ', flush=True)


main()
