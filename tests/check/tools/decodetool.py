# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-gpu-decode as a user runs it: containers, outputs, wrong files; exit status and text.

decodetool.py TOOL DATA_FOLDER: prints TAP, one result a case.
"""
import hashlib
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import wave
import zlib

from tap import check, finish, skip

tool, data = map(os.path.abspath, sys.argv[1:3])
SLOW = 300  # a device may compile its kernels first

def decode(*arguments, folder, **variables):
    """The finished process, without a display; @variables: of its environment"""
    environment = {name: value for name, value in os.environ.items() if name not in ('DISPLAY', 'WAYLAND_DISPLAY')}
    return subprocess.run([tool, *arguments], cwd=folder, env={**environment, **variables}, timeout=SLOW, text=True, encoding='utf-8',
                          errors='replace', stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def has_own_trouble(process):
    """What a user shall never see: GLib's and GStreamer's complaints about the program, and places in its source"""
    return re.search(r'\.c\(\d+\)|CRITICAL|WARNING \*\*|OpenH264|AddressSanitizer|runtime error', process.stderr) is not None


def report(process):
    return f'exit status {process.returncode}\n{process.stdout}{process.stderr}'


def pictures_of_y4m(path):
    """(md5 of all samples, number of pictures, header)"""
    md5 = hashlib.md5()
    n = 0
    with open(path, 'rb') as file:
        header = file.readline().decode()
        width, height = (int(re.search(rf' {letter}(\d+)', header).group(1)) for letter in 'WH')
        colour = re.search(r' C(\S+)', header).group(1)
        sample_size = 2 if re.search(r'p1\d', colour) else 1
        chroma = 0 if colour.startswith('mono') else {'420': (width + 1) // 2 * ((height + 1) // 2), '422': (width + 1) // 2 * height,
                                                      '444': width * height}[colour[:3]]
        while file.readline() == b'FRAME\n':
            md5.update(file.read((width * height + 2 * chroma) * sample_size))
            n += 1
    return md5.hexdigest(), n, header


def size_of_png(path):
    """(width, height) of a PNG whose data are as long as they have to be"""
    with open(path, 'rb') as file:
        content = file.read()
    if content[:8] != b'\x89PNG\r\n\x1a\n':
        return None
    width, height, depth, colour = struct.unpack('>IIBB', content[16:26])
    samples = {0: 1, 2: 3, 6: 4}[colour]
    at, packed = 8, b''
    while at < len(content):
        length, kind = struct.unpack('>I4s', content[at:at + 8])
        if kind == b'IDAT':
            packed += content[at + 8:at + 8 + length]
        at += 12 + length
    n_bytes = height * (1 + width * samples * depth // 8)
    return (width, height) if len(zlib.decompress(packed)) == n_bytes else None


def read_manifest():
    with open(os.path.join(data, 'manifest.tsv')) as file:
        rows = [line.rstrip('\n').split('\t') for line in file if not line.startswith('#')]
    return {row[0]: row[1] for row in rows}


def check_y4m(source, md5, n_pictures, folder):
    name = os.path.basename(source) + ' to y4m'
    process = decode(source, '-o', 'out.y4m', folder=folder)
    if not check(process.returncode == 0 and not has_own_trouble(process), name, report(process)):
        return
    found = pictures_of_y4m(os.path.join(folder, 'out.y4m'))
    check(found[:2] == (md5, n_pictures), name + ': every sample', f'{found}, not {md5}')
    check(f'{n_pictures} pictures' in process.stdout and 'written to out.y4m' in process.stdout, name + ': what it says', report(process))


def check_subset_sps(manifest, folder):
    """A damaged subset SPS, which GStreamer 1.22's h264parse does not survive, before every slice"""
    subset_sps = bytes.fromhex('0000016f76041e4b0d31e0a03d95635c7e95a2')
    with open(os.path.join(data, 'cabac_420.264'), 'rb') as file:
        stream = re.sub(rb'\x00\x00\x01([\x05\x25\x45\x65])', lambda m: subset_sps + m.group(0), file.read())
    check_y4m(os.path.join(folder, write(folder, 'subset.264', stream)), manifest['cabac_420.264'], 3, folder)


def check_png(source, size, folder):
    name = os.path.basename(source) + ' to png'
    process = decode(source, '-o', 'out.png', folder=folder)
    if check(process.returncode == 0 and not has_own_trouble(process), name, report(process)):
        found = size_of_png(os.path.join(folder, 'out.png'))
        check(found == size, name + ': a whole picture', f'{found}, not {size}')


def mux(muxer, encoder, path):
    """The clip with a track of sound, by elements that are not ours: False where one is missing"""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(('GST_', 'LD_PRELOAD'))}
    environment['GST_REGISTRY'] = os.path.join(os.path.dirname(path), 'registry.bin')
    pipeline = (f'filesrc location={data}/clip.mp4 ! qtdemux ! h264parse ! {muxer} name=m ! filesink location={path} '
                f'audiotestsrc num-buffers=40 ! audioconvert ! {encoder} ! m.')
    try:
        subprocess.run(['gst-launch-1.0', '-q', *pipeline.split()], env=environment, timeout=SLOW, check=True, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def check_failure(name, arguments, text, folder, output='out.png'):
    """Exit status 1, @text among the errors, and no output"""
    path = os.path.join(folder, output)
    if os.path.exists(path):
        os.unlink(path)
    process = decode(*arguments, '-o', output, folder=folder)
    ok = process.returncode == 1 and re.search(text, process.stderr) and not has_own_trouble(process) and not os.path.exists(path)
    check(ok, name, report(process))


def write(folder, name, content):
    with open(os.path.join(folder, name), 'wb') as file:
        file.write(content)
    return name


def data_partitioned():
    """A stream of Extended profile whose slices say that they are data partitions"""
    with open(os.path.join(data, 'cavlc_420.264'), 'rb') as file:
        stream = file.read().replace(b'\x00\x00\x01\x67\x42', b'\x00\x00\x01\x67\x58')
    return re.sub(rb'\x00\x00\x01([\x05\x25\x45\x65])', lambda m: b'\x00\x00\x01' + bytes([m.group(1)[0] & 0xe0 | 2]), stream)


def check_wrong_files(folder):
    check_failure('no such file', ['nothing.mp4'], 'No such file', folder)
    check_failure('an empty file', [write(folder, 'empty.mp4', b'')], 'no data', folder)
    check_failure('a text', [write(folder, 'text.txt', b'no video at all\n' * 20)], 'text file|determine type', folder)
    check_failure('a folder', ['.'], 'is a directory', folder)
    check_failure('data partitioning', [write(folder, 'partitions.264', data_partitioned())], 'data partitioning', folder, 'out.mp4')
    clip = os.path.join(data, 'clip.mp4')
    check_failure('a report in no folder', [clip, '--report', 'nowhere/report.html'], 'there is no folder nowhere', folder)
    check_failure('another kind of output', [clip], r'has to end with \.png, \.y4m or \.mp4', folder, 'out.gif')
    for output in 'png', 'y4m', 'mp4':
        check_failure(f'no folder for the {output}', [clip], 'No such file', folder, f'nowhere/out.{output}')
    # what writes the mp4 never hears of it: mp4mux ends a file that has not begun with complaints about itself, in 3 runs of 100
    check_failure('an end without a picture', [clip, '--row', 'fakesink fakesrc num-buffers=0'], '^error: decoded: .*no picture', folder, 'out.mp4')
    check_failure('no such element', [clip, '--row', 'nonsense'], 'no element "nonsense"', folder)
    for backend in 'paper', '':
        check_failure(f'no back end "{backend}"', [clip, '--backend', backend], '--backend is opencl or c', folder)
    for option in '--device', '--platform':
        check_failure(f'{option} that is not there', [clip, f'{option}=77'], rf'{option}=77.*\n  --platform=0 --device=0: \S', folder)
        check_failure(f'{option} below any', [clip, f'{option}=-5'], '--platform and --device are places', folder)
    check_failure('two files', [clip, clip], 'One FILE', folder)
    check_failure('no such option', [clip, '--nonsense'], 'Unknown option', folder)
    kept = os.path.join(folder, write(folder, 'kept.png', b'old'))
    process = decode('nothing.mp4', '-o', 'kept.png', folder=folder)
    check(process.returncode == 1 and os.path.exists(kept) and os.path.getsize(kept) == 3, 'a wrong input leaves the output as it was',
          report(process))


def check_same_file(folder):
    """An output that is the input, by whatever name, is refused before anything is opened."""
    with open(os.path.join(data, 'clip.mp4'), 'rb') as file:
        content = file.read()
    path = os.path.join(folder, write(folder, 'same.mp4', content))
    os.symlink('same.mp4', os.path.join(folder, 'symbolic.mp4'))
    os.link(path, os.path.join(folder, 'hard.mp4'))
    os.link(path, os.path.join(folder, 'hard.y4m'))
    os.mkdir(os.path.join(folder, 'below'))
    for output in 'same.mp4', './below/../same.mp4', path, 'symbolic.mp4', 'hard.mp4', 'hard.y4m':
        process = decode('same.mp4', '-o', output, folder=folder)
        with open(path, 'rb') as file:
            kept = file.read() == content
        there = os.path.exists(os.path.join(folder, output))
        check(process.returncode == 1 and 'are the same file' in process.stderr and kept and there and not has_own_trouble(process),
              f'{os.path.basename(output)} is the input: refused and kept', report(process))
    write(folder, 'none.264', b'')
    for output, before in ('none.png', b''), ('none.mp4', b'old'):
        kept = os.path.join(folder, write(folder, output, before))
        process = decode('none.264', '-o', output, '--backend', 'c', folder=folder)
        check(process.returncode == 1 and os.path.exists(kept) and os.path.getsize(kept) == len(before),
              f'{output} of {len(before)} bytes stays, where nothing was written', report(process))


def check_header(path, output, row, text, folder):
    """@text is in the header of the y4m file that @row makes; FALSE where it is not, or an element is missing"""
    process = decode(path, '-o', output, '--row', row, folder=folder)
    if 'no element' in process.stderr:
        skip(f'{output}: {text}', 'avdec_h264 or capssetter is missing')
    elif check(process.returncode == 0, f'{output}: written', report(process)):
        header = pictures_of_y4m(os.path.join(folder, output))[2]
        return check(text in header, f'{output}: {text}', header)
    return False


def check_chroma_site(folder):
    """The C parameter says where the caps have the chroma, whether they have a colorimetry or not."""
    path = os.path.join(data, 'cabac_420.264')
    process = decode(path, '-o', 'site.y4m', '--backend', 'c', folder=folder)
    header = pictures_of_y4m(os.path.join(folder, 'site.y4m'))[2]
    check(' C420mpeg2 ' in header, 'y4m: chroma at the left, as the standard has it', report(process) + header)
    for site, name in ('mpeg2', '420mpeg2'), ('jpeg', '420jpeg'), ('dv', '420paldv'):
        row = f'avdec_h264 ! capssetter caps=video/x-raw,chroma-site={site}'
        check_header(path, f'{site}.y4m', row, f' C{name} ', folder)


def check_left_out(folder):
    """A stream from its middle on: how many pictures are not there is said."""
    with open(os.path.join(data, 'inter.264'), 'rb') as file:
        stream = file.read()
    middle = b''.join(unit for unit in re.split(rb'(?=\x00\x00\x01)', stream) if len(unit) < 4 or unit[3] & 31 != 5)
    write(folder, 'middle.264', middle)
    process = decode('middle.264', '-o', 'middle.y4m', '--backend', 'c', folder=folder)
    check(process.returncode == 1 and 'output-corrupt=true' in process.stderr and not has_own_trouble(process), 'no picture to begin with', report(process))
    write(folder, 'late.264', middle + stream)
    process = decode('late.264', '-o', 'late.y4m', '--backend', 'c', folder=folder)
    check(process.returncode == 0 and re.search('note: .* left out .*: 2', process.stderr) and '3 pictures' in process.stdout,
          'two pictures before the first that can be decoded: left out, which is said', report(process))
    for name, n_pictures in ('middle.264', 2), ('late.264', 5):
        process = decode(name, '-o', 'all.y4m', '--backend', 'c', '--output-corrupt', folder=folder)
        check(process.returncode == 0 and f'{n_pictures} pictures (2 damaged)' in process.stdout and 'left out' not in process.stderr,
              f'{name}: --output-corrupt', report(process))


def check_interlacing(folder):
    """The I parameter is one that readers take: of the first picture, or none, where pictures may be interlaced or not."""
    path = os.path.join(data, 'cabac_420.264')
    for mode, letter in ('progressive', 'p'), ('mixed', '?'):
        row = f'h264entropy ! gpuidct backend=c ! gpuintrapred backend=c ! gpudeblock backend=c ! capssetter caps=video/x-raw,interlace-mode={mode}'
        if check_header(path, f'{mode}.y4m', row, f' I{letter} ', folder):
            reader = ['gst-launch-1.0', '-q', 'filesrc', f'location={folder}/{mode}.y4m', '!', 'y4mdec', '!', 'fakesink']
            check(subprocess.run(reader, timeout=SLOW).returncode == 0, f'y4m: interlace-mode {mode}: another program reads it')


def encode_interlaced(name, source, options, folder):
    """The test picture of @source, as ffmpeg's lavfi names it, coded by x264: False where one of them is missing"""
    try:
        subprocess.run(['ffmpeg', '-v', 'error', '-f', 'lavfi', '-i', source, '-pix_fmt', 'yuv420p', '-y', 'in.y4m'], cwd=folder, check=True,
                       stdin=subprocess.DEVNULL)
        subprocess.run(['x264', '--quiet', '--threads', '1', '--keyint', '15', '--crf', '30', *options.split(), '-o', name, 'in.y4m'],
                       cwd=folder, check=True, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def sample_durations(path):
    """Of the one track of an mp4 file, in milliseconds"""
    with open(path, 'rb') as file:
        content = file.read()
    timescale = struct.unpack_from('>I', content, content.index(b'mdhd') + 16)[0]
    table = content.index(b'stts') + 8
    runs = [struct.unpack_from('>II', content, table + 4 + 8 * i) for i in range(struct.unpack_from('>I', content, table)[0])]
    return [duration * 1000 / timescale for n, duration in runs for _ in range(n)]


def check_interlaced_mp4(path, n_samples, shortest, folder):
    """An interlaced frame becomes one progressive frame a field, another one stays one."""
    name = os.path.basename(path)
    process = decode(path, '-o', 'fields.mp4', '--backend', 'c', folder=folder)
    if 'no element' in process.stderr:
        skip(f'{name} to mp4', 'openh264enc is missing')
    elif check(process.returncode == 0 and not has_own_trouble(process), f'{name} to mp4', report(process)):
        durations = sample_durations(os.path.join(folder, 'fields.mp4'))
        # how long the last one is shown nothing behind it tells
        check(len(durations) == n_samples and abs(min(durations[:-1]) - shortest) < 1, f'{name} to mp4: {n_samples} frames', durations)


def check_interlaced(folder):
    """The y4m header says which field is first, and the rate of film, whatever its fields; an mp4 file has progressive frames."""
    fields = 'testsrc2=size=176x144:rate=50:duration=1.2,tinterlace=interleave_'
    cases = (('tff', fields + 'top', '--tff', 't', '25:1', 30, 60, 20), ('bff', fields + 'bottom', '--bff', 'b', '25:1', 30, 60, 20),
             ('fake', 'testsrc2=size=176x144:rate=25:duration=1.2', '--fake-interlaced', '?', '25:1', 30, 30, 40),
             ('film', 'testsrc2=size=176x144:rate=24000/1001:duration=1.2', '--pulldown 32', '?', '24000:1001', 29, 29, 33.4))
    for name, source, options, letter, rate, n_pictures, n_samples, shortest in cases:
        for suffix in '264', 'mkv':
            path = f'{name}.{suffix}'
            if not encode_interlaced(path, source, options, folder):
                skip(f'{path} to y4m', 'there is no ffmpeg or no x264')
                continue
            process = decode(path, '-o', 'fields.y4m', '--backend', 'c', folder=folder)
            if check(process.returncode == 0 and not has_own_trouble(process), f'{path} to y4m', report(process)):
                header = pictures_of_y4m(os.path.join(folder, 'fields.y4m'))
                check(f' F{rate} I{letter} ' in header[2] and header[1] == n_pictures, f'{path} to y4m: F{rate}, I{letter}', header)
                reader = ['gst-launch-1.0', '-q', 'filesrc', f'location={folder}/fields.y4m', '!', 'y4mdec', '!', 'fakesink']
                check(subprocess.run(reader, timeout=SLOW).returncode == 0, f'{path} to y4m: another program reads it')
            check_interlaced_mp4(path, n_samples, shortest, folder)


def check_untimed(folder):
    """A raw stream of fields and frames without a rate is taken for one of 25 frames a second."""
    streams = os.environ.get('GST_GPU_VECTORS', os.path.join(data, '..', '..', '..', 'shared', 'streams'))
    path = os.path.join(streams, 'JVT-AVC_V1', 'CVPA1_TOSHIBA_B.264')
    if not os.path.exists(path):
        skip('fields without a rate', 'GST_GPU_VECTORS names no folder of test streams')
        return
    check_interlaced_mp4(path, 138, 20, folder)
    process = decode(path, '-o', 'fields.y4m', '--backend', 'c', folder=folder)
    header = pictures_of_y4m(os.path.join(folder, 'fields.y4m'))
    check(process.returncode == 0 and ' F25:1 It ' in header[2] and header[1] == 90, 'fields without a rate to y4m', f'{report(process)}{header}')


def check_changes(folder):
    """A file has one size and format: a stream that changes them is refused, and what is there of the output is named."""
    def read(name):
        with open(os.path.join(data, name), 'rb') as file:
            return file.read()
    write(folder, 'size.264', read('cabac_420.264') + read('cabac_420_10_crop.264'))
    write(folder, 'format.264', read('cabac_420.264') + read('cabac_444.264'))
    for name, output in ((name, output) for name in ('size', 'format') for output in ('y4m', 'mp4')):
        process = decode(f'{name}.264', '-o', f'{name}.{output}', '--backend', 'c', folder=folder)
        if 'no element' in process.stderr:
            skip(f'{name} changes in {output}', 'openh264enc is missing')
        else:
            check(process.returncode == 1 and re.search(r'changes from .* one format', process.stderr) and not has_own_trouble(process),
                  f'{name} changes in {output}: refused', report(process))
            there = os.path.exists(os.path.join(folder, f'{name}.{output}'))
            said = f'{name}.{output} has the pictures before that' if output == 'mp4' else f'{name}.{output} stays as far as it was written'
            check(there and said in process.stderr, f'{name} changes in {output}: what is there is named', report(process))
            if output == 'mp4':
                process = decode(f'{name}.mp4', '-o', f'{name}.png', '--backend', 'c', folder=folder)
                check(process.returncode == 0 and '96x80' in process.stdout and '3 pictures' in process.stdout,
                      f'{name} changes in mp4: the file ends before it', report(process))
    process = decode('size.264', '-o', 'size.png', '--backend', 'c', folder=folder)
    check(process.returncode == 0 and '96x80' in process.stdout and size_of_png(os.path.join(folder, 'size.png')) == (96, 80),
          'size changes behind the picture of a PNG: the summary has its size', report(process))


def check_names(folder):
    """Endings in capitals; and without -o a name that is free"""
    path = os.path.join(data, 'cabac_420.264')
    for output in 'capitals.PNG', 'capitals.Y4M':
        process = decode(path, '-o', output, '--backend', 'c', folder=folder)
        check(process.returncode == 0 and os.path.getsize(os.path.join(folder, output)) > 100, output, report(process))
    check(size_of_png(os.path.join(folder, 'capitals.PNG')) == (96, 80), 'capitals.PNG: a whole picture')
    kept = os.path.join(folder, write(folder, 'cabac_420.png', b'old'))
    for output in 'cabac_420-1.png', 'cabac_420-2.png':
        process = decode(path, '--backend', 'c', folder=folder)
        ok = f'the first written to {output}' in process.stdout and size_of_png(os.path.join(folder, output)) == (96, 80)
        check(process.returncode == 0 and ok and os.path.getsize(kept) == 3, f'no output named: {output}, as the others exist',
              report(process))


def check_paths(folder):
    """Names in UTF-8 come out as they are, whatever the locale; paths may be file:// URIs; -- ends the options."""
    with open(os.path.join(data, 'cabac_420.264'), 'rb') as file:
        content = file.read()
    name = 'Größe 100 % 視頻'
    write(folder, f'{name}.264', content)
    write(folder, '-dash.264', content)
    for locale in 'C', 'C.UTF-8':
        output = os.path.join(folder, f'{name}.png')
        process = decode(f'{name}.264', '--backend', 'c', folder=folder, LC_ALL=locale)
        ok = process.stdout.startswith(f'{name}.264: ') and f'written to {name}.png' in process.stdout and size_of_png(output) == (96, 80)
        check(process.returncode == 0 and ok, f'a name in UTF-8, locale {locale}', report(process))
        os.unlink(output)
        process = decode(f'no {name}.264', '--backend', 'c', folder=folder, LC_ALL=locale)
        check(process.returncode == 1 and f'no {name}.264' in process.stderr, f'an error with a name in UTF-8, locale {locale}', report(process))
    uris = [pathlib.Path(folder, path).as_uri() for path in (f'{name}.264', f'{name}.y4m')]
    process = decode(uris[0], '-o', uris[1], '--backend', 'c', folder=folder)
    check(process.returncode == 0 and f'{name}.264: ' in process.stdout and pictures_of_y4m(os.path.join(folder, f'{name}.y4m'))[1] == 3,
          'file:// URIs', report(process))
    check_failure('a file:// URI of nothing', [pathlib.Path(folder, f'no {name}.264').as_uri()], f'no {name}', folder)
    check_failure('a wrong file:// URI', ['file://%zz'], 'file://%zz', folder)
    process = decode('--backend', 'c', '-o', 'dash.png', '--', '-dash.264', folder=folder)
    check(process.returncode == 0 and size_of_png(os.path.join(folder, 'dash.png')) == (96, 80), '-- ends the options', report(process))


def check_no_cache(folder):
    """Where PoCL has no folder for its cache, the error says so, and what helps."""
    cache = os.path.join(folder, write(folder, 'no folder', b''), 'cache')
    process = decode(os.path.join(data, 'cabac_420.264'), '-o', 'cache.png', folder=folder, POCL_CACHE_DIR=cache)
    if process.returncode == 0:
        skip('no cache for PoCL', 'the device is not of PoCL')
        return
    check(process.returncode == 1 and f'cannot write its cache {cache}: set POCL_CACHE_DIR' in process.stderr and not has_own_trouble(process),
          'no cache for PoCL', report(process))


def check_summary(folder):
    """What the line says is so."""
    path = os.path.join(data, 'cabac_420.264')
    process = decode(path, '-o', 'row.png', '--row', 'avdec_h264', folder=folder)
    if 'no element' in process.stderr:
        skip('a row without stages', 'avdec_h264 is missing')
    else:
        check(process.returncode == 0 and 'decoded on' not in process.stdout, 'a row without stages has no device', report(process))
    process = decode(path, '-o', 'row.png', '--backend', 'c', folder=folder)
    check('decoded on the CPU' in process.stdout and 'converted' not in process.stdout, 'the C references: the CPU', report(process))
    process = decode(path, '-o', 'row.png', folder=folder)
    check('decoded on ' in process.stdout and 'on the CPU' not in process.stdout, 'the OpenCL stages: their device', report(process))
    rate = re.search(r'([0-9.]+) pictures/s', process.stdout)
    check(not rate or float(rate.group(1)) <= 4, 'no rate of 3 pictures unless they take half a second', report(process))
    process = decode(os.path.join(data, 'cabac_rgb.264'), '-o', 'rgb.y4m', '--backend', 'c', folder=folder)
    check(process.returncode == 0 and re.search("RGB.* converted to Y'CbCr, written to", process.stdout), 'RGB to y4m: converted',
          report(process))


def check_sound(folder, manifest):
    clip = manifest['clip.mp4']
    for muxer, encoder, name in ('matroskamux', 'vorbisenc', 'sound.mkv'), ('mp4mux', 'opusenc', 'sound.mp4'):
        path = os.path.join(folder, name)
        if mux(muxer, encoder, path):
            check_y4m(path, clip, 20, folder)
            check_png(path, (320, 180), folder)
        else:
            skip(name, f'{muxer} or {encoder} is missing')
    sound = os.path.join(folder, 'sound.wav')
    with wave.open(sound, 'wb') as file:
        file.setparams((1, 2, 8000, 0, 'NONE', None))
        file.writeframes(bytes(16000))
    check_failure('sound alone', [sound], 'no H.264 video', folder)


def check_y4m_of_inter(folder):
    """P pictures too: the same from the device as from the C references"""
    path = os.path.join(data, 'inter.264')
    processes = [decode(path, '-o', f'{backend}.y4m', '--backend', backend, folder=folder) for backend in ('opencl', 'c')]
    found = [pictures_of_y4m(os.path.join(folder, f'{backend}.y4m')) for backend in ('opencl', 'c')]
    ok = all(process.returncode == 0 and not has_own_trouble(process) for process in processes)
    ok = ok and found[0] == found[1] and found[0][1] == 3
    check(ok, 'inter.264 to y4m, with both back ends', '\n'.join(report(process) for process in processes))


def check_mp4(folder):
    """What it writes it can read, with as many pictures."""
    process = decode(os.path.join(data, 'clip.mp4'), '-o', 'again.mp4', folder=folder)
    if 'no element "openh264enc"' in process.stderr:
        skip('clip.mp4 to mp4', 'openh264enc is missing')
    elif check(process.returncode == 0 and not has_own_trouble(process), 'clip.mp4 to mp4', report(process)):
        process = decode('again.mp4', '-o', 'again.png', folder=folder)
        check(process.returncode == 0 and '20 pictures' in process.stdout, 'and back', report(process))


def check_interrupted(folder):
    """SIGINT ends the output as that of a shorter file"""
    row = 'identity sleep-time=500000 ! gpuh264dec'
    process = subprocess.Popen([tool, os.path.join(data, 'clip.mp4'), '-o', 'cut.y4m', '--row', row], cwd=folder, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    path = os.path.join(folder, 'cut.y4m')
    deadline = time.monotonic() + SLOW
    while not (os.path.exists(path) and os.path.getsize(path) > 0) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    process.stdout, process.stderr = process.communicate(timeout=SLOW)
    check(process.returncode == 130 and 'interrupted' in process.stderr and not has_own_trouble(process), 'SIGINT', report(process))
    n = pictures_of_y4m(path)[1]
    check(0 < n < 20 and f'{n} picture' in process.stdout, f'SIGINT: {n} pictures are there', report(process))


def main():
    manifest = read_manifest()
    with tempfile.TemporaryDirectory() as folder:
        check_y4m(os.path.join(data, 'clip.mp4'), manifest['clip.mp4'], 20, folder)
        for name, n_pictures in ('cabac_420.264', 3), ('cavlc_422_10.264', 3), ('cabac_444.264', 2):
            check_y4m(os.path.join(data, name), manifest[name], n_pictures, folder)
        check_y4m_of_inter(folder)
        check_subset_sps(manifest, folder)
        for name, size in ('clip.mp4', (320, 180)), ('mono.264', (96, 80)), ('cabac_rgb.264', (96, 80)):
            check_png(os.path.join(data, name), size, folder)
        check_mp4(folder)
        check_sound(folder, manifest)
        check_wrong_files(folder)
        check_same_file(folder)
        check_chroma_site(folder)
        check_left_out(folder)
        check_interlacing(folder)
        check_interlaced(folder)
        check_untimed(folder)
        check_changes(folder)
        check_names(folder)
        check_paths(folder)
        check_no_cache(folder)
        check_summary(folder)
        check_interrupted(folder)
    finish()


sys.exit(main())
