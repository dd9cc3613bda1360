# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-gpu-decode --report: the data of the page, against streams whose every macroblock is known.

report.py TOOL DATA_FOLDER: prints TAP, one result a case.
"""
import base64
import html
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

import handmadestream as handmade
from tap import check, finish, same

tool, data = map(os.path.abspath, sys.argv[1:3])
SLOW = 120  # a device may compile its kernels first

def decode(*arguments, folder):
    environment = {name: value for name, value in os.environ.items() if name not in ('DISPLAY', 'WAYLAND_DISPLAY')}
    return subprocess.run([tool, *arguments, '-o', 'out.png'], cwd=folder, env=environment, timeout=SLOW, text=True, encoding='utf-8',
                          errors='replace', stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def write(folder, name, content):
    with open(os.path.join(folder, name), 'wb') as file:
        file.write(content)
    return name


def read_page(folder, name='report.html'):
    """(the text of the page, its data)"""
    with open(os.path.join(folder, name), encoding='utf-8') as file:
        page = file.read()
    return page, json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL).group(1))


def make_report(source, *arguments, folder, status=0):
    """The data of the page, None where there is none"""
    process = decode(source, '--report', 'report.html', *arguments, folder=folder)
    name = ' '.join([os.path.basename(source), *arguments])
    if not check(process.returncode == status and 'runtime error' not in process.stderr and 'CRITICAL' not in process.stderr,
                 f'{name}: decoded', process.stdout + process.stderr):
        return None
    return read_page(folder)[1]


def partitions_of(plane):
    numbers = plane['partitions']
    return [tuple(numbers[i:i + 13]) for i in range(0, len(numbers), 13)]


def size_of_image(uri):
    png = base64.b64decode(uri.removeprefix('data:image/png;base64,'))
    return struct.unpack('>II', png[16:24]) if png.startswith(b'\x89PNG') else None


def check_p_frame(report, slice_bytes):
    """Frame 1, which is the one that is shown by itself: it has vectors"""
    frame = report['frame']
    picture, plane = frame['pictures'][0], frame['pictures'][0]['planes'][0]
    same((frame['frame'], len(frame['pictures']), picture['structure'], picture['mbaff'], picture['type']), (1, 1, 'frame', False, 'P'),
         'the P frame is shown')
    same((frame['width'], frame['height'], frame['chroma'], frame['bit_depth_luma']), (64, 48, '4:2:0', 8), 'its size and format')
    same(size_of_image(frame['image']), (64, 48), 'its image')
    same((frame['bits'], picture['bits'], picture['coefficients']), (8 * slice_bytes[1], 8 * slice_bytes[1], 0), 'its bits and coefficients')
    same((plane['kinds'], plane['flags']), ('444444442444', '888888888888'), 'its kinds of macroblocks, none with a residual')
    expected = [(*p[:5], 0, *p[5:], 1, -1, 0, 0, None) for p in handmade.P_FRAME_PARTITIONS]
    same(partitions_of(plane), expected, 'its partitions, vectors and references')
    same((picture['slices'], plane['slice']), ([{'type': 'P', 'first': 0, 'n': 12}], [0] * 12), 'its slice')


def check_i_frame(report, slice_bytes):
    frame = report['frame']
    plane = frame['pictures'][0]['planes'][0]
    same((frame['frame'], frame['pictures'][0]['type'], frame['bits']), (0, 'I', 8 * slice_bytes[0]), 'frame 0, as asked for')
    same(plane['kinds'], '022222222223', 'Intra 4x4, Intra 16x16, I_PCM')
    same(plane['flags'], '888880888880', 'a residual where there is one')
    same(plane['levels'], [0] * 5 + [1] + [0] * 6, 'one coefficient')
    same(plane['qp'], [26] * 5 + [28] * 6 + [0], 'QPY, 0 of I_PCM (8.7.2.2)')
    same(plane['partitions'], [], 'no partitions')


def check_series(report, slice_bytes, backend):
    series, stages = report['series'], report['stages']
    n = 4
    same((series['step'], series['points'], series['frames']), (1, n, [1] * n), 'a point a frame')
    same(series['bits'][:2], [8 * size for size in slice_bytes], 'bits')
    same(series['coefficients'], [1, 0, 0, 0], 'coefficients')
    same((series['i'], series['p'], series['b']), ([1, 0, 0, 0], [0, 1, 1, 1], [0] * n), 'types')
    same((series['intra'], series['pcm'], series['inter']), ([11, 1, 0, 0], [1, 0, 0, 0], [0, 11, 12, 12]), 'kinds')
    same((series['output'], series['corrupted']), ([1] * n, [0] * n), 'output')
    same([stage['element'] for stage in stages], ['h264entropy', 'gpuidct', 'gpuinterpred', 'gpuintrapred', 'gpudeblock', 'gpucsc'], 'stages')
    by_name = {stage['element']: stage for stage in stages}
    same(by_name['h264entropy']['totals']['slices'], n, 'slices')
    same([sum(stage['series']['launches']) for stage in stages[1:]], [stage['totals']['launches'] for stage in stages[1:]], 'launches add up')
    check(by_name['h264entropy']['totals']['time'] > 0 and by_name['gpuinterpred']['totals']['time'] > 0, 'time is measured', stages)
    launches = by_name['gpuinterpred']['series']['launches']
    same(launches, [0, 1, 1, 1] if backend == 'opencl' else [0] * n, 'launches of inter prediction')
    same(report['summary'] | {'seconds': 0}, {'frames': n, 'pictures': n, 'output': n, 'corrupted': 0, 'seconds': 0}, 'summary')
    facts = dict(report['facts'])
    check(facts['File'].endswith('frames.264') and facts['Video'] == '64x48 4:2:0 8 bit' and 'h264entropy' in facts['Row'] and facts['Decoded on']
          and 'video/x-h264' in facts['Stream'] and 'codec=(string)h264' in facts['Coded pictures'] and 'video/x-raw' in facts['Output']
          and 'GStreamer' in facts['GStreamer'] and 'gpuidct' in facts['Plugins'] and '0.1.0' in facts['Plugins'], 'facts', facts)


def check_frames(folder):
    stream, slice_bytes = handmade.frames_stream(2)
    write(folder, 'frames.264', stream)
    for backend in 'opencl', 'c':
        report = make_report('frames.264', f'--backend={backend}', folder=folder)
        if report:
            check_p_frame(report, slice_bytes)
            check_series(report, slice_bytes, backend)
    report = make_report('frames.264', '--report-picture=0', folder=folder)
    if report:
        check_i_frame(report, slice_bytes)


def check_interlaced(folder):
    write(folder, 'fields.264', handmade.fields_stream())
    report = make_report('fields.264', folder=folder)
    if report:
        pictures = report['frame']['pictures']
        same([(p['structure'], p['type'], p['width_in_mbs'], p['height_in_mbs']) for p in pictures], [('top field', 'I', 2, 1), ('bottom field', 'P', 2, 1)],
             'both fields of a frame')
        same([p['planes'][0]['kinds'] for p in pictures], ['22', '44'], 'the kinds of their macroblocks')
        same([p['planes'][0]['flags'] for p in pictures], ['99', '99'], 'which are field macroblocks')
        same(partitions_of(pictures[1]['planes'][0]), [(i, 0, 0, 16, 16, 0, 0, 0, 0, -1, 0, 0, None) for i in range(2)], 'the other field of the frame is referred to')
        same((report['summary']['frames'], report['summary']['pictures'], report['series']['frames']), (1, 2, [1]), 'two pictures, one frame')
        check('interlaced' in [flag['flag'] for flag in report['flags']], 'flagged as interlaced', report['flags'])
    write(folder, 'mbaff.264', handmade.mbaff_stream())
    report = make_report('mbaff.264', folder=folder)
    if report:
        picture = report['frame']['pictures'][0]
        same((picture['mbaff'], picture['planes'][0]['flags']), (True, '9988'), 'field and frame pairs')


def check_formats(folder):
    """Each chroma format and depth has an image of its size; separate colour planes and GBR are in the streams of others."""
    for name, size, chroma, depth in (('cavlc_422_10.264', (96, 80), '4:2:2', 10), ('cabac_444.264', (96, 80), '4:4:4', 8), ('mono.264', (96, 80), '4:0:0', 8),
                                      ('cabac_rgb.264', (96, 80), '4:4:4', 8), ('cabac_420_10_crop.264', None, '4:2:0', 10)):
        report = make_report(os.path.join(data, name), '--backend=c', folder=folder)
        if report:
            frame = report['frame']
            found = size_of_image(frame['image'])
            same((found, frame['chroma'], frame['bit_depth_luma'], frame['rgb']), (size or (frame['width'], frame['height']), chroma, depth, 'rgb' in name), f'{name}: image and format')


def check_colours(folder):
    """The image has the samples of the picture: of I_PCM, whose samples are known, after the conversion to RGB that GStreamer does."""
    w = handmade.slice_header(handmade.I, 0, 0, idr=True)
    handmade.i_pcm(w, 128)
    write(folder, 'grey.264', handmade.byte_stream(handmade.sps(1, 1), handmade.pps(), w.nal(3, 5)))
    report = make_report('grey.264', '--backend=c', folder=folder)
    if report:
        write(folder, 'grey.png', base64.b64decode(report['frame']['image'].split(',')[1]))
        process = subprocess.run(['gst-launch-1.0', '-q', 'filesrc', 'location=grey.png', '!', 'pngdec', '!', 'videoconvert', '!',
                                  'video/x-raw,format=GRAY8', '!', 'filesink', 'location=grey.raw'], cwd=folder, timeout=SLOW)
        with open(os.path.join(folder, 'grey.raw'), 'rb') as file:
            samples = file.read()
        # full range: (128 - 16) * 255 / 219 = 130; limited again: 128
        check(process.returncode == 0 and len(samples) == 256 and all(abs(value - 129) <= 2 for value in samples), 'the image is as grey as the picture', samples[:16])


def check_long(folder):
    """A point for several frames, and no more points than there is room for"""
    stream, slice_bytes = handmade.frames_stream(2098)
    write(folder, 'long.264', stream)
    report = make_report('long.264', '--backend=c', folder=folder)
    if report:
        series = report['series']
        same((series['step'], series['points'], series['frames']), (2, 1050, [2] * 1050), '2100 frames in 1050 points')
        same(sum(series['inter']), 12 * 2098 + 11, 'no macroblock is lost')
        same(series['bits'][0] >= 8 * sum(slice_bytes), True, 'bits are summed')
        same(report['frame']['frame'], 1, 'the frame that is shown')


def check_damage(folder):
    """A lost reference: messages, and the flag with the frames that have it"""
    stream, _ = handmade.frames_stream(3)
    nals = stream.split(b'\0\0\0\1')[1:]
    del nals[3]
    write(folder, 'damaged.264', handmade.byte_stream(*nals))
    report = make_report('damaged.264', '--backend=c', folder=folder)
    if report:
        check(any(m['kind'] == 'warning' and m['source'].startswith('h264entropy') and m['count'] >= 1 and m['first'] <= m['last'] for m in report['messages']), 'the warning is there',
              report['messages'])
        corrupted = [flag for flag in report['flags'] if flag['flag'] == 'corrupted']
        check(report['summary']['corrupted'] > 0 and corrupted and corrupted[0]['count'] == report['summary']['corrupted'] == sum(report['series']['corrupted']),
              'frames flagged as corrupted', (report['summary'], report['flags']))
    write(folder, 'nothing.264', b'\0\0\0\1\x09\x10' * 3)
    report = make_report('nothing.264', '--backend=c', folder=folder, status=1)
    if report:
        check(report['frame'] is None and report['messages'][-1]['kind'] == 'error', 'a page after an error, too', report['messages'])


def check_names(folder):
    """What a file's name, or anything else, may have of HTML is text in the page."""
    name = '</title><script>window.hacked = 1</script>&"@DATA@.264'.replace('/', '\u2215')
    write(folder, name, handmade.fields_stream())
    report = make_report(name, '--backend=c', folder=folder)
    if report:
        page, _ = read_page(folder)
        check('<script>window' not in page and page.count('<script') == 2 and html.escape(name.split('&')[0], quote=False) in page, 'a name with markup is escaped')
        check(dict(report['facts'])['File'].endswith(name), 'and shown as it is', report['facts'])


def check_refused(folder):
    stream, _ = handmade.frames_stream()
    write(folder, 'frames.264', stream)
    for name, arguments, text in (('the input', ['--report', 'frames.264'], 'same file'), ('the output', ['--report', 'out.png'], 'output and the report'),
                                  ('no folder', ['--report', 'nowhere/report.html'], 'nowhere/report.html'), ('a picture below 0', ['--report', 'r.html', '--report-picture=-2'], 'counts from 0'),
                                  ('a picture, but no report', ['--report-picture=0'], '--report-picture says')):
        process = decode('frames.264', '--backend=c', *arguments, folder=folder)
        with open(os.path.join(folder, 'frames.264'), 'rb') as file:
            kept = file.read() == stream
        check(process.returncode == 1 and text in process.stderr and kept, f'refused: {name}', process.stderr)
    process = decode('frames.264', '--backend=c', '--report', 'late.html', '--report-picture=7', folder=folder)
    check(process.returncode == 0 and 'there is no frame 7: 2 came' in process.stderr and read_page(folder, 'late.html')[1]['frame'] is None,
          'a frame that did not come', process.stderr)


def check_other_row(folder):
    """A row that tells nothing has output, messages and flags."""
    process = decode(os.path.join(data, 'cabac_420.264'), '--report', 'report.html', '--row', 'avdec_h264', folder=folder)
    if 'no element' in process.stderr:
        print('# avdec_h264 is missing')
        return
    report = read_page(folder)[1]
    check(process.returncode == 0 and report['summary']['output'] == 3 and report['frame'] is None and [stage['element'] for stage in report['stages']] == ['gpucsc'], 'another decoder', process.stderr)
    report = make_report(os.path.join(data, 'inter.264'), '--row=gpuh264dec backend=c', folder=folder)
    if report:
        check([stage['element'] for stage in report['stages']][:2] == ['h264entropy', 'gpuidct'] and report['frame'], 'gpuh264dec: the stages in it', report['stages'])


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_frames(folder)
        check_interlaced(folder)
        check_formats(folder)
        check_colours(folder)
        check_long(folder)
        check_damage(folder)
        check_names(folder)
        check_refused(folder)
        check_other_row(folder)
    finish()


sys.exit(main())
