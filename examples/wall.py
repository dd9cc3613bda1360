#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A wall: several videos in one picture, decoded on one device.

    wall.py [--size=WIDTHxHEIGHT] [--sink=SINK] FILE...

The files stand in a square as large as it takes, each scaled into its part of the picture (WIDTHxHEIGHT, 1280x720), at 30 pictures a second.
All elements of a pipeline that need a device take the one that the first of them has opened: nothing has to be said about it.  SINK is
what gst-launch-1.0 would have there.
"""
import argparse
import math
import sys

import gi
gi.require_version('Gst', '1.0')
from gi.repository import GLib, Gst  # noqa: E402


def describe(files, width, height, sink):
    """The pipeline, as gst-launch-1.0 has it.  compositor scales and converts; queues let the decoders run at the same time"""
    side = math.ceil(math.sqrt(len(files)))
    part_width, part_height = width // side, height // side
    places = ' '.join(f'sink_{i}::xpos={i % side * part_width} sink_{i}::ypos={i // side * part_height} '
                      f'sink_{i}::width={part_width} sink_{i}::height={part_height} sink_{i}::sizing-policy=keep-aspect-ratio'
                      for i in range(len(files)))
    wall = f'compositor name=wall background=black {places} ! video/x-raw,width={width},height={height},framerate=30/1 ! videoconvert ! {sink}'
    # where the files are is said later, since a name may hold any character
    videos = ' '.join(f'filesrc name=file_{i} ! parsebin ! gpuh264dec ! queue max-size-buffers=3 ! wall.sink_{i}' for i in range(len(files)))
    return f'{wall} {videos}'


def on_message(bus, message, loop, failures):
    if message.type == Gst.MessageType.ERROR:
        error, details = message.parse_error()
        failures.append(f'{message.src.get_name()}: {error.message}')
        print(failures[-1], details, sep='\n', file=sys.stderr)
        loop.quit()
    elif message.type == Gst.MessageType.EOS:
        loop.quit()
    elif message.type == Gst.MessageType.HAVE_CONTEXT:
        context = message.parse_have_context()
        if context.get_context_type() == 'gst.opencl.context':
            print('device:', context.get_structure().get_value('device-name'), flush=True)


def main():
    parser = argparse.ArgumentParser(description='Several videos in one picture, decoded on one device')
    parser.add_argument('--size', default='1280x720', help='of the picture: WIDTHxHEIGHT')
    parser.add_argument('--sink', default='autovideosink')
    parser.add_argument('files', nargs='+', metavar='FILE')
    options = parser.parse_args()
    width, height = (int(number) for number in options.size.split('x'))

    Gst.init(None)
    try:
        pipeline = Gst.parse_launch(describe(options.files, width, height, options.sink))
    except GLib.Error as error:
        sys.exit(f'wall.py: {error.message}')
    for i, path in enumerate(options.files):
        pipeline.get_by_name(f'file_{i}').props.location = path
    loop, failures = GLib.MainLoop(), []
    bus = pipeline.get_bus()
    bus.add_signal_watch()
    bus.connect('message', on_message, loop, failures)
    pipeline.set_state(Gst.State.PLAYING)
    try:
        loop.run()
    except KeyboardInterrupt:
        pass
    pipeline.set_state(Gst.State.NULL)
    sys.exit(bool(failures))


main()
