#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""scanquality.py PROGRAMS FOLDER [--quick] [--streams=FOLDER] [--clip=FILE] [--table=NAME] [--size=NAME]: what the 2-D scan of intra edges makes of coded pictures, and what its conditions cost.

PROGRAMS is the folder of bench-comparerows, bench-capture, encode-intra, intra-drift and papers.  Pictures are eight of each of four of the official conformance streams in --streams, or of
CLIP (any video that ffmpeg reads, scaled), or made up (leaves.py).  They are coded again by encode-intra, and by x264 (all intra, no 8x8 transform, nothing else
limited).  Tables in FOLDER: d-real: PSNR and difference of papersintrapred algorithm=scan from the conformant picture; d-drift: where they come from; d-repair: scans
until the picture is the standard's; d-precision: how large the scan's sums become; d-exact: scan and repair as kernels; d-encoder: rate and PSNR of the encoder's ways; d-slices: the rate of slices of 32 macroblocks.  --quick: CIF only."""
import argparse
import csv
import math
import os
import shutil
import subprocess
import sys

from leaves import write_leaves

PICTURES = 8
ROW = 'h264entropy ! gpuidct ! gpuinterpred ! {} ! gpudeblock'
QPS = (22, 27, 32, 37)
# Size, stream, ffmpeg's filters for it, and what the paper has of a sequence of that size: name, its two rates in Mbit/s
SEQUENCES = (('CIF', 352, 288, 'JVT-AVC_V1/BA1_FT_C.264', r'select=not(mod(n\,30))', 'Foreman', (1.2, 4.0)),
             ('480p', 720, 480, 'JVT-AVC_V1/cavlc_mot_frm0_full_B.264', 'yadif', 'Whale Show', (9.0, 28.0)),
             ('720p', 1280, 720, 'JVT-Professional_profiles/PPH10I1_Panasonic_A.264', 'null', 'Park Run', (36.0, 90.8)),
             ('1080p', 1920, 1080, 'JVT-Professional_profiles/PPH10I5_Panasonic_A.264', 'yadif', 'Tractor', (21.6, 69.2)))
V_H, V_H_DC, ALL = '3', '7', '0x177'
STANDARD, IN_RANGE, UNCLIPPED, FRACTIONAL = '0', '1', '2', '3'
# Encoders of d-real: name, tables of the paper
ENCODERS = (('V and H', 2), ('in range', 4), ('x264', None))
# Tables 2 to 5, luma and chroma: {(table, sequence, rate, filter): ((least, mean, largest PSNR; mean, largest difference) of Y, of Cb, of Cr)}
INF = math.inf
PUBLISHED = {
    (2, 'Foreman', 1.2, 'on'): ((30.2, 39.3, 46.4, 3.6, 53), (54.3, 68.0, 78.6, 0.0, 2), (58.8, 71.3, 81.0, 0.0, 9)),
    (2, 'Foreman', 1.2, 'off'): ((30.4, 39.9, 46.4, 3.3, 50), (54.3, 67.9, 78.2, 0.0, 2), (58.8, 71.4, 81.4, 0.0, 2)),
    (2, 'Foreman', 4.0, 'on'): ((38.9, 49.9, 64.6, 1.0, 18), (51.6, 59.7, 69.5, 0.0, 5), (53.7, 61.6, 70.8, 0.0, 5)),
    (2, 'Foreman', 4.0, 'off'): ((38.9, 50.0, 64.8, 1.0, 9), (51.6, 60.1, 71.1, 0.0, 3), (53.8, 61.9, 71.5, 0.0, 3)),
    (2, 'Whale Show', 9.0, 'on'): ((30.8, 56.5, 66.2, 1.5, 30), (50.4, 56.3, 63.0, 0.0, 14), (48.5, 54.8, 61.0, 0.0, 16)),
    (2, 'Whale Show', 9.0, 'off'): ((30.8, 56.5, 65.6, 1.5, 22), (50.4, 56.8, 63.5, 0.0, 3), (48.5, 54.8, 61.6, 0.0, 3)),
    (2, 'Whale Show', 28.0, 'on'): ((56.8, INF, INF, 0.0, 5), (46.1, 51.5, 58.0, 0.3, 7), (46.2, 52.0, 60.9, 0.2, 7)),
    (2, 'Whale Show', 28.0, 'off'): ((56.8, INF, INF, 0.0, 5), (46.1, 51.6, 58.3, 0.3, 6), (46.3, 51.7, 58.7, 0.2, 4)),
    (2, 'Park Run', 36.0, 'on'): ((38.9, 51.0, 63.2, 0.9, 37), (54.7, 62.6, 72.2, 0.0, 6), (56.3, 64.4, 75.3, 0.0, 2)),
    (2, 'Park Run', 36.0, 'off'): ((38.9, 51.6, 63.5, 0.9, 22), (54.7, 62.6, 72.3, 0.0, 3), (56.3, 64.5, 75.4, 0.0, 2)),
    (2, 'Park Run', 90.8, 'on'): ((51.8, 73.0, 87.1, 0.0, 8), (50.9, 55.0, 60.4, 0.0, 7), (51.8, 55.0, 59.3, 0.0, 6)),
    (2, 'Park Run', 90.8, 'off'): ((51.8, 72.7, 88.7, 0.0, 6), (50.9, 55.0, 57.9, 0.0, 4), (52.2, 55.1, 59.3, 0.0, 4)),
    (2, 'Tractor', 21.6, 'on'): ((67.3, INF, INF, 0.0, 7), (INF, INF, INF, 0.0, 0), (63.7, INF, INF, 0.0, 3)),
    (2, 'Tractor', 21.6, 'off'): ((66.2, INF, INF, 0.0, 8), (INF, INF, INF, 0.0, 0), (63.6, INF, INF, 0.0, 2)),
    (2, 'Tractor', 69.2, 'on'): ((INF, INF, INF, 0.0, 0), (INF, INF, INF, 0.0, 0), (74.8, INF, INF, 0.0, 2)),
    (2, 'Tractor', 69.2, 'off'): ((INF, INF, INF, 0.0, 0), (INF, INF, INF, 0.0, 0), (74.8, INF, INF, 0.0, 2)),
    (4, 'Foreman', 1.2, 'on'): ((51.1, 56.8, 66.3, 0.0, 18), (54.3, 68.0, 78.6, 0.0, 2), (58.8, 71.3, 81.0, 0.0, 9)),
    (4, 'Foreman', 1.2, 'off'): ((48.1, 57.3, 64.2, 0.2, 15), (54.3, 67.9, 78.2, 0.0, 2), (58.8, 71.4, 81.4, 0.0, 2)),
    (4, 'Foreman', 4.0, 'on'): ((49.2, 56.8, 72.9, 0.0, 11), (51.6, 59.7, 69.5, 0.0, 5), (53.7, 61.6, 70.8, 0.0, 5)),
    (4, 'Foreman', 4.0, 'off'): ((49.9, 56.4, 73.9, 0.0, 3), (51.6, 60.1, 71.1, 0.0, 3), (53.8, 61.9, 71.5, 0.0, 3)),
    (4, 'Whale Show', 9.0, 'on'): ((51.2, 60.3, 68.4, 0.0, 19), (50.4, 56.3, 63.0, 0.0, 14), (48.5, 54.8, 61.0, 0.0, 16)),
    (4, 'Whale Show', 9.0, 'off'): ((51.3, 60.3, 69.3, 0.0, 16), (50.4, 56.8, 63.5, 0.0, 3), (48.5, 54.8, 61.6, 0.0, 3)),
    (4, 'Whale Show', 28.0, 'on'): ((67.9, 78.6, 86.6, 0.0, 5), (46.1, 51.5, 58.0, 0.3, 7), (46.2, 52.0, 60.9, 0.2, 7)),
    (4, 'Whale Show', 28.0, 'off'): ((68.1, 80.8, 103.5, 0.0, 1), (46.1, 51.6, 58.3, 0.3, 6), (46.3, 51.7, 58.7, 0.2, 4)),
    (4, 'Park Run', 36.0, 'on'): ((46.3, 52.3, 58.3, 0.6, 19), (58.5, 61.1, 64.2, 0.0, 5), (57.9, 65.6, 71.7, 0.0, 2)),
    (4, 'Park Run', 36.0, 'off'): ((46.3, 52.9, 57.4, 0.6, 22), (58.4, 61.1, 64.2, 0.0, 2), (57.9, 65.8, 72.0, 0.0, 2)),
    (4, 'Park Run', 90.8, 'on'): ((65.9, 72.9, 77.1, 0.0, 6), (53.9, 54.9, 55.9, 0.0, 6), (53.4, 54.9, 57.1, 0.0, 4)),
    (4, 'Park Run', 90.8, 'off'): ((65.9, 72.9, 77.3, 0.0, 6), (54.0, 55.0, 56.0, 0.0, 4), (53.4, 54.9, 57.1, 0.0, 3)),
    (4, 'Tractor', 21.3, 'on'): ((48.5, 51.5, 54.5, 0.0, 15), (50.4, 52.3, 54.1, 0.0, 10), (45.8, 49.5, 51.0, 0.4, 16)),
    (4, 'Tractor', 21.3, 'off'): ((47.2, 50.8, 54.7, 0.4, 8), (50.4, 52.3, 54.1, 0.0, 3), (45.8, 49.6, 51.0, 0.4, 7)),
    (4, 'Tractor', 69.0, 'on'): ((56.0, 58.1, 59.4, 0.0, 7), (47.2, 50.0, 53.7, 0.6, 7), (47.6, 48.9, 50.6, 0.6, 6)),
    (4, 'Tractor', 69.0, 'off'): ((57.9, 58.8, 59.5, 0.0, 4), (47.3, 50.0, 53.8, 0.6, 5), (47.6, 49.0, 50.7, 0.6, 8)),
}
RATE_OF_TABLE_4 = {21.6: 21.3, 69.2: 69.0}
PUBLISHED_SLICES = {'1080p': 14.7}


class Table:
    """A CSV file of the folder; rows are printed too"""

    def __init__(self, folder, name, title, *columns):
        self.file = open(os.path.join(folder, name + '.csv'), 'w', newline='', encoding='utf-8')
        self.file.write(f'# title: Pieters et al.: {title}\n')
        self.writer = csv.writer(self.file, lineterminator='\n')
        self.writer.writerow(columns)
        self.n_columns = len(columns)

    def write(self, *row):
        self.writer.writerow(row + ('',) * (self.n_columns - len(row)))
        self.file.flush()
        print(*row, sep='  ', flush=True)


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if result.returncode:
        sys.exit(f'{command[0]}: {result.stderr.strip()}')
    return result.stdout


def values_of(text):
    return dict(pair.split('=', 1) for pair in text.split())


class Material:
    """Where pictures come from, and what is made of them: files in the folder, made once"""

    def __init__(self, programs, folder, streams, clip):
        self.programs, self.folder, self.streams, self.clip = programs, folder, streams, clip

    def path(self, name):
        return os.path.join(self.folder, name)

    def pictures(self, sequence):
        size, width, height, stream, filters = sequence[:5]
        path = self.path(f'pictures-{size}.y4m')
        if os.path.exists(path):
            return path
        part = path + '.part'
        source, official = self.clip, os.path.join(self.streams or '', stream)
        if not source and os.path.exists(official):
            source = official
        if source:
            filters = (filters + ',' if source == official else '') + f'scale={width}:{height}'
            run('ffmpeg', '-v', 'error', '-y', '-i', source, '-vf', filters, '-vsync', '0', '-frames:v', PICTURES, '-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe', part)
        else:
            write_leaves(part, width, height, PICTURES)
        os.rename(part, path)
        return path

    def encode(self, sequence, qp, way, modes, filtered='0', pcm='0'):
        """Stream; kbit a picture; PSNR of the source"""
        path = self.path(f'intra-{sequence[0]}-{qp}-{way}-{modes}-{pcm}-{filtered}.264')
        values = values_of(run(os.path.join(self.programs, 'encode-intra'), qp, way, modes, pcm, filtered, self.pictures(sequence), path, os.devnull))
        return path, float(values['kbit']), float(values['psnr'])

    def x264(self, sequence, qp, *options):
        """Stream; kbit a picture"""
        path = self.path('-'.join(['x264', sequence[0], str(qp), *(option.strip('-') for option in options)]) + '.264')
        if not os.path.exists(path):
            run('x264', '--quiet', '--demuxer', 'y4m', '--muxer', 'raw', '--profile', 'main', '--keyint', '1', '--partitions', 'i4x4', '--no-8x8dct', '--qp', qp,
                *options, '-o', path + '.part', self.pictures(sequence))
            os.rename(path + '.part', path)
        return path, os.path.getsize(path) * 8 / 1000 / PICTURES

    def code(self, encoder, sequence, qp, filtered):
        if encoder == 'x264':
            return self.x264(sequence, qp, *([] if filtered == '1' else ['--no-deblock']))
        way, modes = (STANDARD, V_H) if encoder == 'V and H' else (IN_RANGE, ALL)
        return self.encode(sequence, qp, way, modes, filtered)[:2]

    def nearest_qp(self, encoder, sequence, mbps):
        """QP whose rate, at 25 pictures a second, is nearest"""
        low, high = 12, 51
        while low < high:
            qp = (low + high) // 2
            if self.code(encoder, sequence, qp, '0')[1] * 25 / 1000 > mbps:
                low = qp + 1
            else:
                high = qp
        return min({low, max(low - 1, 12)}, key=lambda qp: abs(math.log(self.code(encoder, sequence, qp, '0')[1] * 25 / 1000 / mbps)))

    def compare(self, path):
        values = values_of(run(os.path.join(self.programs, 'bench-comparerows'), ROW.format('gpuintrapred'), ROW.format('papersintrapred algorithm=scan'), path))
        if values['flagged'] != values['pictures']:
            sys.exit(f'{path}: {values["flagged"]} of {values["pictures"]} pictures are flagged as corrupted, and all have to be')
        return values

    def drift(self, what, sequence, qp, n_pictures):
        text = run(os.path.join(self.programs, 'intra-drift'), what, qp, self.pictures(sequence), n_pictures)
        return [line.split(',') for line in text.splitlines()]


def write_quality(material, sequences):
    table = Table(material.folder, 'd-real', 'papersintrapred algorithm=scan against the conformant picture (tables 2 to 5)', 'size', 'encoder', 'qp', 'mbps', 'filter',
                  'plane', 'psnr_min', 'psnr_avg', 'psnr_max', 'diff_min', 'diff_mean', 'diff_rms', 'diff_max', 'published_table', 'published_sequence', 'published_mbps',
                  'published_psnr_min', 'published_psnr_avg', 'published_psnr_max', 'published_diff_mean', 'published_diff_max')
    for sequence in sequences:
        for encoder, published_table in ENCODERS:
            for mbps in sequence[6]:
                qp = material.nearest_qp(encoder, sequence, mbps)
                for filtered in 'on', 'off':
                    path, kbit = material.code(encoder, sequence, qp, '1' if filtered == 'on' else '0')
                    values = material.compare(path)
                    rate = RATE_OF_TABLE_4.get(mbps, mbps) if published_table == 4 else mbps
                    for i, plane in enumerate(('Y', 'Cb', 'Cr')):
                        ours = (values[f'{plane}.{what}'] for what in ('psnr_min', 'psnr_avg', 'psnr_max', 'min', 'mean', 'rms', 'max'))
                        theirs = (published_table, sequence[5], rate, *PUBLISHED[published_table, sequence[5], rate, filtered][i]) if published_table else [''] * 8
                        table.write(sequence[0], encoder, qp, f'{kbit * 25 / 1000:.1f}', filtered, plane, *ours, *theirs)


def write_drift(material, sequences):
    table = Table(material.folder, 'd-drift', 'the scan against the standard by what was coded (luma; no filter; values in range but in the first)', 'size', 'qp', 'case',
                  'kbit', 'psnr', 'mean', 'mean_absolute', 'largest', 'psnr_expected', 'psnr_measured')
    for sequence in sequences:
        for qp in 22, 32:
            for row in material.drift('drift', sequence, qp, 3):
                table.write(sequence[0], qp, *row)


def write_repair(material, sequences):
    table = Table(material.folder, 'd-repair', 'scans until the picture is the standard\'s (luma; no filter)', 'size', 'qp', 'modes', 'area', 'kbit', 'wrong_percent', 'scans',
                  'repaired_percent')
    for sequence in sequences:
        for qp in QPS:
            for row in material.drift('repair', sequence, qp, 1):
                table.write(sequence[0], qp, *row)


def write_captured(material, sequences, table):
    """A table that the program papers writes, of captures of streams with the standard's predictions"""
    captures = material.path(f'captures-{table}')
    shutil.rmtree(captures, ignore_errors=True)
    os.makedirs(captures)
    for sequence in sequences:
        for name, modes in ('V and H', V_H), ('all', ALL):
            for qp in QPS[0], QPS[-1]:
                path = material.encode(sequence, qp, STANDARD, modes)[0]
                run(os.path.join(material.programs, 'bench-capture'), f'--count={PICTURES}', path, os.path.join(captures, f'{sequence[0]}; {name}; QP {qp}.cap'))
    print(run(os.path.join(material.programs, 'papers'), '--paper=D', f'--table={table}', f'--captures={captures}', f'--results={material.folder}',
              env={'POCL_AFFINITY': '1', **os.environ}), end='')


def write_precision(material, sequences):
    write_captured(material, sequences, 'd-precision')


def write_exact(material, sequences):
    write_captured(material, sequences, 'd-exact')


def mean_between(curve, low, high):
    """Mean of y between two values of x, over points (x, y) joined by straight lines"""
    points, total = sorted(curve), 0
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        a, b = max(x0, low), min(x1, high)
        if b > a:
            at = [y0 + (y1 - y0) * (x - x0) / (x1 - x0) for x in (a, b)]
            total += (b - a) * sum(at) / 2
    return total / (high - low)


def mean_difference(curve, reference):
    """Of the y of two curves, over the x that both have"""
    low = max(min(x for x, _ in one) for one in (curve, reference))
    high = min(max(x for x, _ in one) for one in (curve, reference))
    return mean_between(curve, low, high) - mean_between(reference, low, high)


def compare_rates(points, reference):
    """Rate for equal PSNR over that of the reference, per cent more; PSNR at equal rate, dB less.  Of (rate, PSNR)"""
    more = mean_difference(*([(psnr, math.log(rate)) for rate, psnr in one] for one in (points, reference)))
    less = mean_difference(*([(math.log(rate), psnr) for rate, psnr in one] for one in (reference, points)))
    return f'{100 * (math.exp(more) - 1):.2f}', f'{less:.3f}'


def write_encoder(material, sequences):
    table = Table(material.folder, 'd-encoder', 'rate and PSNR of the source\'s luma, by the encoder\'s way', 'size', 'way', 'qp', 'kbit', 'psnr', 'rate_at_equal_psnr_percent', 'loss_at_equal_rate_db')
    ways = (('standard', STANDARD, ALL), ('values in range: residuals moved', IN_RANGE, ALL), ('predicted from unclipped samples', UNCLIPPED, ALL),
            ('fractional', FRACTIONAL, ALL), ('V; H and DC', STANDARD, V_H_DC), ('V and H', STANDARD, V_H))
    for sequence in sequences:
        reference = None
        for name, way, modes in ways:
            points = [material.encode(sequence, qp, way, modes)[1:] for qp in QPS]
            reference = reference or points
            for qp, (kbit, psnr) in zip(QPS, points):
                table.write(sequence[0], name, qp, kbit, psnr, *(compare_rates(points, reference) if qp == QPS[0] else ()))


def write_slices(material, sequences):
    table = Table(material.folder, 'd-slices', 'rate of slices of 32 macroblocks against one slice (x264; all intra; constant QP), and PSNR of the scan', 'size', 'qp', 'kbit_one_slice',
                  'kbit_slices', 'cost_percent', 'published_percent', 'scan_y_one_slice', 'scan_y_slices', 'scan_cb_one_slice', 'scan_cb_slices')
    for sequence in sequences:
        for qp in QPS:
            coded = [material.x264(sequence, qp, *options) for options in ((), ('--slice-max-mbs', '32'))]
            compared = [material.compare(path) for path, _ in coded] if qp == 27 else []
            table.write(sequence[0], qp, *(f'{kbit:.1f}' for _, kbit in coded), f'{100 * (coded[1][1] / coded[0][1] - 1):.2f}', PUBLISHED_SLICES.get(sequence[0], ''),
                        *(values[f'{plane}.psnr_avg'] for plane in ('Y', 'Cb') for values in compared))


TABLES = {'d-encoder': write_encoder, 'd-slices': write_slices, 'd-drift': write_drift, 'd-repair': write_repair, 'd-precision': write_precision, 'd-exact': write_exact, 'd-real': write_quality}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('programs')
    parser.add_argument('folder')
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--streams')
    parser.add_argument('--clip')
    parser.add_argument('--table', choices=TABLES, help='one of them')
    parser.add_argument('--size', choices=[sequence[0] for sequence in SEQUENCES])
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    material = Material(arguments.programs, arguments.folder, arguments.streams, arguments.clip)
    sequences = SEQUENCES[:1] if arguments.quick else [sequence for sequence in SEQUENCES if arguments.size in (None, sequence[0])]
    for name, write in TABLES.items():
        if arguments.table in (None, name):
            write(material, sequences)


if __name__ == '__main__':
    main()
