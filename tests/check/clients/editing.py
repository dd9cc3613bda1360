# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-transcoder-1.0 and ges-launch-1.0 with what cameras record: intra pictures of 10 bits, in MXF and QuickTime files, progressive and interlaced.

Their pictures are those of the clip, bit for bit.
editing.py: prints TAP, one result a case.
"""
import hashlib
import os
import sys
import tempfile

from client import Gst, check, finish, has_element, make_clip, md5s_of, run, shutil, skip

RATE = 30
N_PICTURES = 30
WIDTH, HEIGHT = 320, 192
# pixel format, bytes a picture, scan, container
CLIPS = [
    ('yuv422p10le', 4 * WIDTH * HEIGHT, 'progressive', 'mxf'),
    ('yuv422p10le', 4 * WIDTH * HEIGHT, 'interlaced', 'mov'),
    ('yuv420p10le', 3 * WIDTH * HEIGHT, 'interlaced', 'mxf'),
]


def pictures(path, decoder):
    """[md5] of those that @decoder gives"""
    return md5s_of(f'filesrc location="{path}" ! parsebin ! {decoder}')


def check_pictures(name, command, read, expected):
    """@read gives md5s of what the program has written"""
    status, text, decoders = run(*command)
    found = read() if status == 0 else []
    places = [expected.index(md5) if md5 in expected else None for md5 in found]
    check(status == 0 and found == expected and decoders == {'gpuh264dec'}, name, (status, text, decoders, len(found), places))


def check_transcoder(path, result, name, expected):
    """Every picture, without loss (FFV1)"""
    name = f'gst-transcoder-1.0: {name}'
    if not shutil.which('gst-transcoder-1.0'):
        skip(name, 'it is not installed (package gstreamer1.0-plugins-bad-apps)')
        return
    command = ['gst-transcoder-1.0', Gst.filename_to_uri(path), Gst.filename_to_uri(result), 'video/x-matroska:video/x-ffv,ffvversion=1']
    check_pictures(name, command, lambda: pictures(result, 'avdec_ffv1'), expected)


def raw_pictures(path, size):
    with open(path, 'rb') as file:
        data = file.read()
    return [hashlib.md5(data[i:i + size]).hexdigest() for i in range(0, len(data), size)]


def check_editor(path, result, name, size, expected):
    """A cut in the middle of the clip.  It is shown, not rendered: encodebin of GStreamer 1.22, with an encoder that tells its caps late, now
    and then fails with any decoder"""
    first, n = 12, 15
    name = f'ges-launch-1.0: {n} pictures from the middle of {name}'
    if not shutil.which('ges-launch-1.0'):
        skip(name, 'it is not installed (package ges1.0-tools)')
        return
    command = ['ges-launch-1.0', '+clip', path, f'inpoint={first / RATE}', f'duration={n / RATE}', '--track-types=video', '--disable-mixing',
               '--video-caps', f'video/x-raw,width={WIDTH},height={HEIGHT},framerate={RATE}/1',
               '--videosink', f'videocodectestsink location={result}']
    check_pictures(name, command, lambda: raw_pictures(result, size), expected[first:first + n])


def main():
    Gst.init(sys.argv)
    for element, package in (('avdec_ffv1', 'gstreamer1.0-libav'), ('mxfdemux', 'gstreamer1.0-plugins-bad')):
        if not has_element(element):
            skip('all programs', f'there is no {element} (package {package})')
            finish()
    with tempfile.TemporaryDirectory() as folder:
        for pixels, size, scan, suffix in CLIPS:
            name = f'{pixels}, {scan}, {suffix}'
            path = os.path.join(folder, f'{pixels}.{suffix}')
            options = 'keyint=1:tff=1' if scan == 'interlaced' else 'keyint=1'
            if not make_clip(path, options, size=f'{WIDTH}x{HEIGHT}', rate=RATE, seconds=N_PICTURES / RATE, pixels=pixels):
                skip(name, 'there is no ffmpeg with libx264')
                continue
            expected = pictures(path, 'avdec_h264')
            check(len(expected) == len(set(expected)) == N_PICTURES, f'{name}: the clip', expected)
            check_transcoder(path, path + '.mkv', name, expected)
            check_editor(path, path + '.raw', name, size, expected)
    finish()


main()
