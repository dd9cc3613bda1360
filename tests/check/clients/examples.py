# SPDX-License-Identifier: LGPL-2.1-or-later
"""The examples in Python do what they say.

examples.py FOLDER TYPELIBS: FOLDER has the examples, TYPELIBS the library GstGpuCodec and its bindings.  Prints TAP, one result an example.
"""
import os
import re
import subprocess
import sys
import tempfile

from client import Gst, check, finish, has_element, make_clip, run, shutil, skip
from screen import Screen, grab, largest_difference, missing

SIZE, WIDTH, HEIGHT = '160x112', 160, 112
N_MBS = 70


def call(script, *arguments, **variables):
    """(exit status, text, decoders)"""
    return run(sys.executable, os.path.join(sys.argv[1], script), *arguments, **variables)


def clip(path, **options):
    if not make_clip(path, **options):
        raise RuntimeError(f'ffmpeg cannot make {path}')


def decoded(path, caps):
    return grab(Gst.parse_launch(f'filesrc location="{path}" ! parsebin ! gpuh264dec ! videoconvert ! video/x-raw,{caps} ! appsink name=sink'))


def check_play(folder):
    paths = [os.path.join(folder, name) for name in ('first.mp4', 'second.mkv')]
    # playbin3 1.22 may stand still where a clip with sound ends while the sink of sound is still being looked for, with avdec_h264 too
    clip(paths[0], seconds=1.5, audio=True)
    clip(paths[1], seconds=0.4, pixels='yuv420p10le')
    status, text, decoders = call('play.py', '--sink=fakesink', *paths, GST_PLUGIN_FEATURE_RANK='')
    lines = [line for line in text.splitlines() if line.startswith(('playing: ', 'decoder: '))]
    wanted = [line for path in paths for line in (f'playing: {Gst.filename_to_uri(path)}', 'decoder: gpuh264dec')]
    check(status == 0 and lines == wanted and decoders == {'gpuh264dec'}, 'play.py: two files', (status, text, decoders))
    status, text, _ = call('play.py', '--sink=fakesink', os.path.join(folder, 'nothing.mp4'))
    check(status == 1 and 'nothing.mp4' in text, 'play.py: no file', (status, text))


def check_display(folder):
    name = 'play.py on a screen'
    package = missing() or (None if has_element('ximagesink') else 'gstreamer1.0-x')
    if package:
        skip(name, f'there is no screen to show pictures on (package {package})')
        return
    path = os.path.join(folder, 'still.mp4')
    # the same picture all the time
    clip(path, source='smptehdbars', size=SIZE, seconds=1)
    picture = decoded(path, 'format=BGRx')[-1]
    with Screen() as screen:
        player = subprocess.Popen([sys.executable, os.path.join(sys.argv[1], 'play.py'), '--sink=ximagesink', *9 * [path]],
                                  env={**os.environ, 'DISPLAY': screen.name}, stdout=subprocess.DEVNULL)
        difference = 256
        while difference > 8 and player.poll() is None:
            difference = largest_difference(screen.shot(WIDTH, HEIGHT), picture)
        player.terminate()
        player.wait()
    check(difference <= 8, name, difference)


def mean_square(picture, other):
    return sum((a - b) ** 2 for a, b in zip(picture, other)) / len(picture)


def check_transcode(folder):
    name = 'transcode.py: 10-bit 4:2:2 with sound'
    if not has_element('x264enc'):
        skip(name, 'there is no x264enc (package gstreamer1.0-plugins-ugly)')
        return
    source, result = os.path.join(folder, 'source.mkv'), os.path.join(folder, 'result.mp4')
    clip(source, seconds=1, pixels='yuv422p10le', audio=True)
    status, text, decoders = call('transcode.py', '--kbit=4000', source, result, GST_PLUGIN_FEATURE_RANK='')
    if not check(status == 0 and decoders == {'gpuh264dec'}, name, (status, text, decoders)):
        return
    before, after = (decoded(path, 'format=I420') for path in (source, result))
    errors = [mean_square(*pair) for pair in zip(before, after)]
    # PSNR of 38 dB
    check(len(before) == len(after) == 25 and max(errors) < 10, 'transcode.py: every picture, nearly the same', (len(before), len(after), errors))
    kinds = subprocess.run(['ffprobe', '-v', 'error', '-show_entries', 'stream=codec_name,pix_fmt', '-of', 'csv=p=0', result],
                           stdout=subprocess.PIPE, text=True).stdout.split()
    check(sorted(kinds) == ['h264,yuv420p', 'opus'], 'transcode.py: 8-bit 4:2:0 and Opus', kinds)


def encode_with_statistics(path):
    """What x264 says of the macroblocks of I pictures: shares of I16x16, I8x8, I4x4, in percent"""
    log = subprocess.run(['ffmpeg', '-hide_banner', '-v', 'info', '-f', 'lavfi', '-i', f'testsrc2=size={SIZE}:rate=25:duration=1', '-c:v', 'libx264',
                          '-threads', '1', '-crf', '30', '-x264-params', 'keyint=5:min-keyint=5:scenecut=0', '-y', path],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    found = re.search(r'mb I +I16\.\.4: +([\d.]+)% +([\d.]+)% +([\d.]+)%', log)
    return [float(share) for share in found.groups()]


def check_coefficients(folder):
    """Against the encoder's own statistics; and of a clip of black, in which nothing is coded but its first DC levels"""
    path, black = os.path.join(folder, 'statistics.mp4'), os.path.join(folder, 'black.mp4')
    variables = {'GI_TYPELIB_PATH': sys.argv[2], 'LD_LIBRARY_PATH': sys.argv[2]}
    if not any(name.endswith('.typelib') for name in os.listdir(sys.argv[2])):
        skip('coefficients.py', 'the bindings are not built (packages gobject-introspection, libgirepository1.0-dev)')
        return
    shares = encode_with_statistics(path)
    status, text, _ = call('coefficients.py', path, **variables)
    lines = text.splitlines()
    intra = [line for line in lines if line.startswith('I:')]
    counts = [sum(int(n) for line in intra for n in re.findall(rf'{mb_class} (\d+)', line)) for mb_class in ('I16x16', 'I8x8', 'I4x4')]
    found = [round(100 * n / (N_MBS * len(intra)), 1) for n in counts] if intra else []
    check(status == 0 and len(lines) == 25 and len(intra) == 5 and sum(counts) == N_MBS * 5
          and all(abs(a - b) < 0.11 for a, b in zip(found, shares)), 'coefficients.py: macroblocks as the encoder counts them',
          (status, found, shares, text))
    clip(black, source='color=black', size=SIZE, seconds=0.4)
    status, text, _ = call('coefficients.py', black, **variables)
    lines = text.splitlines()
    check(status == 0 and len(lines) == 10 and all(line.endswith(f': {N_MBS} macroblocks (inter {N_MBS}), 0 blocks, 0 levels, largest 0')
                                                   for line in lines[1:]),
          'coefficients.py: nothing is coded in black pictures', (status, text))


def colour_at(picture, x, y, width):
    at = 4 * (y * width + x)
    return tuple(picture[at:at + 3])


def check_wall(folder):
    """Each clip has its place"""
    colours = {'red': (0, 0, 255), 'lime': (0, 255, 0), 'blue': (255, 0, 0), 'white': (255, 255, 255)}
    pixels = ['yuv420p', 'yuv422p10le', 'yuv444p', 'yuv420p10le']
    paths = [os.path.join(folder, f'{colour}.mp4') for colour in colours]
    for path, colour, format in zip(paths, colours, pixels):
        clip(path, source=f'color={colour}', size=SIZE, rate=30, seconds=0.5, pixels=format)
    width, height = 320, 224
    result = os.path.join(folder, 'wall.raw')
    status, text, decoders = call('wall.py', f'--size={width}x{height}', f'--sink=video/x-raw,format=BGRx ! filesink location={result}', *paths)
    with open(result, 'rb') as file:
        data = file.read()
    size = 4 * width * height
    places = [(x, y) for y in (height // 4, height * 3 // 4) for x in (width // 4, width * 3 // 4)]
    seen = [colour_at(data[size * 7:size * 8], x, y, width) for x, y in places] if len(data) >= size * 8 else []
    right = all(abs(a - b) <= 16 for found, colour in zip(seen, colours.values()) for a, b in zip(found, colour))
    check(status == 0 and len(data) // size in (15, 16) and seen and right and decoders == {'gpuh264dec'}, 'wall.py: four clips, each in its place',
          (status, text, len(data) / size, seen, decoders))
    check(text.count('device: ') == 1, 'wall.py: one device, opened once', text)


def main():
    Gst.init(sys.argv[:1])
    if not (shutil.which('ffmpeg') and shutil.which('ffprobe')):
        skip('all examples', 'there is no ffmpeg with libx264 (package ffmpeg)')
        finish()
    with tempfile.TemporaryDirectory() as folder:
        check_play(folder)
        check_display(folder)
        check_transcode(folder)
        check_coefficients(folder)
        check_wall(folder)
    finish()


main()
