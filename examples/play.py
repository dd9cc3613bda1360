#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A player: plays files or URIs one behind the other, and says which decoder was taken.

    play.py [--sink=SINK] FILE|URI...

A player does not name gpuh264dec: playbin3 finds decoders by their rank.  Here its rank is raised above all others, as the variable
GST_PLUGIN_FEATURE_RANK=gpuh264dec:MAX does it for any program.  SINK is what gst-launch-1.0 would have there, without audio.
"""
import argparse
import sys

import gi
gi.require_version('Gst', '1.0')
from gi.repository import GLib, Gst  # noqa: E402


def prefer_decoder():
    feature = Gst.Registry.get().lookup_feature('gpuh264dec')
    if not feature:
        sys.exit('play.py: there is no gpuh264dec: GST_PLUGIN_PATH has to name the folders of the plugins')
    feature.set_rank(Gst.Rank.PRIMARY + 100)


def name_decoder(player, part, element):
    """Of a signal that comes from any thread"""
    factory = element.get_factory()
    if factory and factory.list_is_type(Gst.ELEMENT_FACTORY_TYPE_DECODER | Gst.ELEMENT_FACTORY_TYPE_MEDIA_VIDEO) and factory.get_rank():
        print('decoder:', factory.get_name(), flush=True)


def play_next(player, uris):
    """False: there is none"""
    if not uris:
        return False
    player.set_state(Gst.State.READY)
    player.props.uri = uris.pop(0)
    print('playing:', player.props.uri, flush=True)
    player.set_state(Gst.State.PLAYING)
    return True


def on_message(bus, message, player, uris, loop, failures):
    if message.type == Gst.MessageType.ERROR:
        error, details = message.parse_error()
        failures.append(error)
        print(f'{message.src.get_name()}: {error.message}', details, sep='\n', file=sys.stderr)
    if message.type in (Gst.MessageType.ERROR, Gst.MessageType.EOS) and not play_next(player, uris):
        loop.quit()


def main():
    parser = argparse.ArgumentParser(description='Plays files or URIs, with gpuh264dec')
    parser.add_argument('--sink', default='autovideosink')
    parser.add_argument('files', nargs='+', metavar='FILE|URI')
    options = parser.parse_args()

    Gst.init(None)
    prefer_decoder()
    uris = [name if Gst.Uri.is_valid(name) else Gst.filename_to_uri(name) for name in options.files]
    player = Gst.ElementFactory.make('playbin3')
    try:
        player.props.video_sink = Gst.parse_bin_from_description(options.sink, True)
    except GLib.Error as error:
        sys.exit(f'play.py: {error.message}')
    player.connect('deep-element-added', name_decoder)
    loop, failures = GLib.MainLoop(), []
    bus = player.get_bus()
    bus.add_signal_watch()
    bus.connect('message', on_message, player, uris, loop, failures)
    play_next(player, uris)
    try:
        loop.run()
    except KeyboardInterrupt:
        pass
    player.set_state(Gst.State.NULL)
    sys.exit(bool(failures))


main()
