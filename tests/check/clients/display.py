# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pictures of gpuh264dec on a screen: what can be seen there is what was decoded.

display.py: prints TAP, one result a case.
"""
import os
import sys
import tempfile
import time

from client import Decoders, Gst, check, finish, has_element, make_clip, pop, prefer_own_decoder, retry_stalled, skip, wait_for
from screen import Screen, grab, largest_difference, missing

WIDTH, HEIGHT = 160, 112
RATE = 25
PLACES = (0, 30, 7)  # pictures that are sought
# name, format of the clip, largest difference of a sample, package.  glimagesink has the GL calculate colours, and chroma between its samples:
# where there are as many as of luma, it can be foretold
SINKS = [
    ('ximagesink', 'yuv420p', 0, 'gstreamer1.0-x'),
    ('ximagesink', 'yuv422p10le', 0, 'gstreamer1.0-x'),
    ('glimagesink', 'yuv444p', 8, 'gstreamer1.0-gl'),
]


def expected_pictures(path):
    """As they lie on a screen"""
    return grab(Gst.parse_launch(f'filesrc location="{path}" ! qtdemux ! h264parse ! gpuh264dec ! videoconvert ! video/x-raw,format=BGRx ! '
                                 'appsink name=sink'))


def seen_within(screen, picture, tolerance, seconds=10):
    """The screen's difference from what it should show, once it does: a server draws when it likes"""
    end = time.monotonic() + seconds
    while True:
        difference = largest_difference(screen.shot(WIDTH, HEIGHT), picture)
        if difference <= tolerance or time.monotonic() > end:
            return difference
        time.sleep(0.1)


def show(screen, path, sink, tolerance, pictures):
    """([differences from the pictures that should be there, or what went wrong], decoders)"""
    player = Gst.ElementFactory.make('playbin3')
    player.props.uri = Gst.filename_to_uri(path)
    player.props.video_sink = Gst.ElementFactory.make(sink)
    decoders = Decoders(player)
    bus, seen = player.get_bus(), []
    player.set_state(Gst.State.PAUSED)
    try:
        wait_for(player, decoders, Gst.MessageType.ASYNC_DONE)
        for place in PLACES:
            player.seek_simple(Gst.Format.TIME, Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE, place * Gst.SECOND // RATE)
            pop(bus, Gst.MessageType.ASYNC_DONE)
            seen.append(seen_within(screen, pictures[place], tolerance))
        player.set_state(Gst.State.PLAYING)
        pop(bus, Gst.MessageType.EOS)
        seen.append(seen_within(screen, pictures[-1], tolerance))
    except (RuntimeError, TimeoutError) as error:
        seen.append(error)
    player.set_state(Gst.State.NULL)
    return seen, decoders.names()


def check_sink(screen, folder, sink, pixels, tolerance, package):
    name = f'playbin3 ! {sink}, {pixels}: the screen shows pictures {PLACES}, and the last one'
    if not has_element(sink):
        skip(name, f'{sink} is not installed (package {package})')
        return
    path = os.path.join(folder, f'{pixels}.mp4')
    if not make_clip(path, size=f'{WIDTH}x{HEIGHT}', rate=RATE, seconds=2, pixels=pixels):
        skip(name, 'there is no ffmpeg with libx264')
        return
    pictures = expected_pictures(path)
    seen, used = retry_stalled(lambda: show(screen, path, sink, tolerance, pictures))
    check(len(seen) == len(PLACES) + 1 and all(isinstance(difference, int) and difference <= tolerance for difference in seen)
          and used == {'gpuh264dec'}, name, (seen, used))


def main():
    Gst.init(sys.argv)
    package = missing()
    if package:
        skip('all sinks', f'there is no screen to show pictures on (package {package})')
        finish()
    prefer_own_decoder()
    with Screen() as screen, tempfile.TemporaryDirectory() as folder:
        os.environ.update(DISPLAY=screen.name, GST_GL_WINDOW='x11')
        for sink in SINKS:
            check_sink(screen, folder, *sink)
    finish()


main()
