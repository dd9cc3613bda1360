#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""scale.py PROGRAM CLIPS RESULTS [--rounds=N] [--cores=N] [--sweeps=sizes,slices,streams,threads] [--only=TEXT]: pictures a second and memory of this decoder over
avdec_h264.

PROGRAM is bench-decoderate.  Clips are made with x264 in CLIPS, where they are not there yet.  A sweep changes one thing: the size of a picture, slices a picture,
streams in one process, threads.  At each point both outputs are compared once, then the two run in pairs, one directly after the other, on the same cores; a
ratio is that of a pair: of the speeds, of the most memory that was resident, and of what of it no other process could share.  RESULTS gets scale-SWEEP.csv, and a plot of each, scale-SWEEP.svg."""
import argparse
import configparser
import csv
import os
import statistics
import subprocess
import sys

from decode import Failed, avdec, milliseconds, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'papers', 'bench'))
from papertables import Table  # noqa: E402
from plots import Plot, draw  # noqa: E402

# name: width, height, pictures: a third of a second and more
SIZES = {'480p': (848, 480, 240), '720p': (1280, 720, 120), '1080p': (1920, 1080, 60), '2160p': (3840, 2160, 24), '4320p': (7680, 4320, 32)}

# What is coded: x264's options
KINDS = {'P and B, CRF 22': ('--preset', 'fast', '--crf', '22'), 'intra, QP 28': ('--preset', 'fast', '--keyint', '1', '--qp', '28')}
INTER, INTRA = KINDS

# sweep: what x is; points: x, size, kind, slices, streams, threads (0: one a core)
SWEEPS = {
    'sizes': ('samples of luma a picture, millions',
              [(SIZES[size][0] * SIZES[size][1] / 1e6, size, kind, 1, 1, 0) for kind in KINDS for size in SIZES]),
    'slices': ('slices a picture (1080p)', [(n, '1080p', kind, n, 1, 0) for kind in KINDS for n in (1, 2, 4, 8, 16, 32)]),
    'streams': ('streams in one process', [(n, size, INTER, 1, n, 0) for size in ('480p', '1080p') for n in (1, 2, 4, 8, 16)]),
    'threads': ('threads (1080p)', [(n, '1080p', kind, 1, 1, n) for kind in KINDS for n in (1, 2, 4, 8, 16)]),
}

COLUMNS = ('x', 'clip', 'quantity', 'ratio', 'lowest', 'highest', 'this row', 'avdec_h264')
SPEED, MEMORY, PRIVATE = 'pictures a second', 'memory', 'private memory'


def make_clip(folder, size, kind, slices):
    """Path of a clip"""
    width, height, pictures = SIZES[size]
    path = os.path.join(folder, f'scale-{size}-{"intra" if kind == INTRA else "inter"}-{slices}.264')
    if not os.path.exists(path):
        print(f'making {path}', file=sys.stderr)
        source = f'testsrc2=size={width}x{height}:rate=25,noise=alls=3:allf=t:all_seed=1'
        raw = subprocess.Popen(['ffmpeg', '-v', 'error', '-f', 'lavfi', '-i', source, '-frames:v', str(pictures), '-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe',
                                '-'], stdout=subprocess.PIPE)
        subprocess.run(['x264', '--quiet', '--demuxer', 'y4m', '--muxer', 'raw', '--profile', 'high', '--slices', str(slices), *KINDS[kind], '-o', path + '.part',
                        '-'], stdin=raw.stdout, stderr=subprocess.DEVNULL, check=True)
        if raw.wait():
            raise Failed(f'{path}: ffmpeg made no pictures')
        os.rename(path + '.part', path)
    return path


def this_row(threads):
    """Without names, to be there several times"""
    return f'gpuh264dec n-threads={threads}'


def check_equal(program, clip):
    ours, theirs = run(program, clip, this_row(0), 1, '--md5'), run(program, clip, avdec(1), 1, '--md5')
    if (ours['md5'], ours['pictures']) != (theirs['md5'], theirs['pictures']):
        raise Failed(f'{clip}: outputs differ')


def rate(measured):
    return 1000 / milliseconds(measured, 'seconds')


def line_of(point, clip, quantity, pairs, of, digits):
    """A line of the table; @clip: which line of the plot it is a point of"""
    ratios = [of(ours) / of(theirs) for ours, theirs in pairs]
    return {'x': f'{point[0]:.4g}', 'clip': clip, 'quantity': quantity, 'ratio': f'{statistics.median(ratios):.3f}', 'lowest': f'{min(ratios):.3f}',
            'highest': f'{max(ratios):.3f}', 'this row': f'{statistics.median(of(ours) for ours, _ in pairs):.{digits}f}',
            'avdec_h264': f'{statistics.median(of(theirs) for _, theirs in pairs):.{digits}f}'}


def measure(program, clip, point, cores, rounds):
    _, _, _, _, streams, threads = point
    many = f'--streams={streams}'
    return [(run(program, clip, this_row(threads or cores), cores, many), run(program, clip, avdec(threads or cores), cores, many)) for _ in range(rounds)]


def run_sweep(program, clips, sweep, arguments):
    checked = set()
    for point in SWEEPS[sweep][1]:
        _, size, kind, slices, streams, threads = point
        what = f'{size}, {kind}, {slices} slice(s), {streams} stream(s), {threads or arguments.cores} thread(s)'
        if arguments.only and arguments.only not in what:
            continue
        clip = make_clip(clips, size, kind, slices)
        if arguments.make_only:
            continue
        if clip not in checked and not arguments.unchecked:
            check_equal(program, clip)
        checked.add(clip)
        pairs = measure(program, clip, point, arguments.cores, arguments.rounds)
        name = size if sweep == 'streams' else kind
        lines = [line_of(point, name, SPEED, pairs, rate, 1), line_of(point, name, MEMORY, pairs, lambda measured: int(measured['memory']) / 1000, 0),
                 line_of(point, name, PRIVATE, pairs, lambda measured: int(measured['private']) / 1000, 0)]
        print(f'{what}: {lines[0]["this row"]} pictures/s, {lines[0]["avdec_h264"]} of avdec_h264: {lines[0]["lowest"]}, **{lines[0]["ratio"]}**, '
              f'{lines[0]["highest"]}; {lines[1]["this row"]} MB, {lines[1]["avdec_h264"]} MB: {lines[1]["ratio"]}; private '
              f'{lines[2]["this row"]} MB, {lines[2]["avdec_h264"]} MB: {lines[2]["ratio"]}', flush=True)
        yield from lines


def write_results(folder, sweep, lines):
    """The table, to which what another run measured of the same sweep is kept, and its plot"""
    path = os.path.join(folder, f'scale-{sweep}.csv')
    keys = ('x', 'clip', 'quantity')
    merged = {tuple(line[key] for key in keys): line for line in (Table(path).rows if os.path.exists(path) else [])}
    merged.update({tuple(line[key] for key in keys): line for line in lines})
    with open(path, 'w', encoding='utf-8', newline='') as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator='\n')
        writer.writeheader()
        writer.writerows(merged[key] for key in sorted(merged, key=lambda key: (key[2], key[1], float(key[0]))))
    config = configparser.ConfigParser()
    config['plot'] = {'title': f'This decoder over avdec_h264: {SWEEPS[sweep][0]}', 'kind': 'lines', 'x': 'x', 'x-title': SWEEPS[sweep][0],
                      'y-title': 'over avdec_h264', 'series': 'ratio [lowest highest] = ratio', 'by': 'clip', 'panel': 'quantity', 'log': 'x',
                      'lines': '1 = avdec_h264', 'across': '2'}
    with open(os.path.join(folder, f'scale-{sweep}.svg'), 'w', encoding='utf-8') as file:
        file.write(draw(Plot(f'scale-{sweep}', config['plot'], Table(path))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('clips')
    parser.add_argument('results')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--cores', type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument('--sweeps', default='sizes,slices,streams')
    parser.add_argument('--only', default='', help='points whose description has this text')
    parser.add_argument('--make-only', action='store_true', help='make the clips, measure nothing')
    parser.add_argument('--unchecked', action='store_true', help='outputs were compared before')
    arguments = parser.parse_args()
    sweeps = arguments.sweeps.split(',')
    if not set(sweeps) <= set(SWEEPS):
        parser.error('--sweeps: some of ' + ','.join(SWEEPS))
    os.makedirs(arguments.clips, exist_ok=True)
    os.makedirs(arguments.results, exist_ok=True)
    try:
        for sweep in sweeps:
            lines = list(run_sweep(arguments.program, arguments.clips, sweep, arguments))
            if lines:
                write_results(arguments.results, sweep, lines)
    except Failed as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
