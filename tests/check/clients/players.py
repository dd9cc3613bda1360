# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-discoverer-1.0, gst-play-1.0, the libraries GstPlay and GstPlayer, and clips in a row in playbin and playbin3, with gpuh264dec.

players.py: prints TAP, one result a case.
"""
import importlib
import os
import sys
import tempfile

from client import (Decoders, Gst, WAIT, check, finish, gi, make_clip, md5_of, pop, prefer_own_decoder, retry_stalled, run, shutil, skip,
                    wait_for_end)


def uri(path):
    return Gst.filename_to_uri(path)


def check_discoverer(path):
    if not shutil.which('gst-discoverer-1.0'):
        skip('gst-discoverer-1.0', 'it is not installed (package gstreamer1.0-plugins-base-apps)')
        return
    status, text, decoders = run('gst-discoverer-1.0', '-v', path)
    wanted = ['Width: 160', 'Height: 112', 'Frame rate: 25/1', 'Interlaced: false', 'Duration: 0:00:02.', 'Seekable: yes', 'video codec: H.264']
    check(status == 0 and all(line in text for line in wanted), 'gst-discoverer-1.0: what it says', text)
    check(decoders == {'gpuh264dec'}, 'gst-discoverer-1.0 decodes with gpuh264dec', decoders)


def check_play(path):
    if not shutil.which('gst-play-1.0'):
        skip('gst-play-1.0', 'it is not installed (package gstreamer1.0-plugins-base-apps)')
        return
    for option in ([], ['--use-playbin3']):
        name = ' '.join(['gst-play-1.0', *option])
        status, text, decoders = run('gst-play-1.0', *option, '--videosink=fakesink', '--audiosink=fakesink', '--no-interactive', path, path)
        check(status == 0 and text.count('Now playing') == 2 and 'Reached end of play list' in text and 'ERROR' not in text,
              f'{name}: a list of two clips', text)
        check(decoders == {'gpuh264dec'}, f'{name} decodes with gpuh264dec', decoders)


class Pictures:
    """A video sink whose pictures are counted as they come: (width, md5) each"""

    def __init__(self):
        self.sink = Gst.ElementFactory.make('appsink')
        self.sink.props.sync = False
        self.sink.props.emit_signals = True
        self.sink.connect('new-sample', self._take)
        self.seen = []

    def _take(self, sink):
        sample = sink.emit('pull-sample')
        self.seen.append((sample.get_caps().get_structure(0).get_value('width'), md5_of(sample)))
        return Gst.FlowReturn.OK


def alone(path):
    pictures = Pictures()
    pipeline = Gst.parse_launch(f'filesrc location="{path}" ! qtdemux ! h264parse ! gpuh264dec name=decoder')
    pipeline.add(pictures.sink)
    pipeline.get_by_name('decoder').link(pictures.sink)
    pipeline.set_state(Gst.State.PLAYING)
    pop(pipeline.get_bus(), Gst.MessageType.EOS)
    pipeline.set_state(Gst.State.NULL)
    return pictures.seen


def play_gapless(kind, paths):
    """about-to-finish names the next clip: (what went wrong (nullable), pictures, decoders)"""
    pictures = Pictures()
    player = Gst.ElementFactory.make(kind)
    rest = [uri(path) for path in paths]
    player.props.uri = rest.pop(0)
    player.props.video_sink = pictures.sink
    player.props.audio_sink = Gst.ElementFactory.make('fakesink')
    decoders = Decoders(player)

    def go_on(player):
        if rest:
            player.props.uri = rest.pop(0)
    player.connect('about-to-finish', go_on)
    player.set_state(Gst.State.PLAYING)
    wrong = wait_for_end(player, decoders)
    player.set_state(Gst.State.NULL)
    return wrong, pictures.seen, decoders.names()


def check_gapless(kind, paths):
    """All pictures of all come, in order"""
    wrong, seen, used = retry_stalled(lambda: play_gapless(kind, paths))
    expected = [picture for path in paths for picture in alone(path)]
    check(not wrong and seen == expected, f'{kind}: {len(paths)} clips in a row', f'{wrong}, {len(seen)} pictures of {len(expected)}: {seen}')
    check(used == {'gpuh264dec'}, f'{kind} decodes with gpuh264dec', used)


def load(namespace):
    """(nullable): a library by introspection"""
    try:
        gi.require_version(namespace, '1.0')
        return importlib.import_module('gi.repository.' + namespace)
    except (ValueError, AttributeError, ImportError):
        return None


def watch(pipeline):
    pictures = Pictures()
    pipeline.props.video_sink = pictures.sink
    pipeline.props.audio_sink = Gst.ElementFactory.make('fakesink')
    return pictures


def check_play_library(path):
    GstPlay = load('GstPlay')
    if not GstPlay:
        skip('GstPlay', 'it is not installed (package gir1.2-gst-plugins-bad-1.0)')
        return
    play = GstPlay.Play.new(None)
    pictures = watch(play.get_pipeline())
    decoders = Decoders(play.get_pipeline())
    bus = play.get_message_bus()
    play.set_uri(uri(path))
    play.play()
    kinds, size, wrong, used = [], None, None, set()
    while GstPlay.PlayMessage.END_OF_STREAM not in kinds and not wrong:
        message = bus.timed_pop(WAIT)
        if not message:
            wrong = 'no message'
            continue
        kind = GstPlay.PlayMessage.parse_type(message)
        kinds.append(kind)
        if kind == GstPlay.PlayMessage.ERROR:
            wrong = GstPlay.PlayMessage.parse_error(message)
        elif kind == GstPlay.PlayMessage.VIDEO_DIMENSIONS_CHANGED:
            size = GstPlay.PlayMessage.parse_video_dimensions_changed(message)
        used |= decoders.names()
    # it refers to the player: with the last such reference Python would wait for the player's thread, which waits for Python
    message = None
    duration = play.get_duration()
    codec = play.get_media_info().get_video_streams()[0].get_codec() if not wrong else None
    play.stop()
    bus.set_flushing(True)
    check(not wrong and pictures.seen == alone(path), 'GstPlay: every picture', f'{wrong}, {kinds}, {len(pictures.seen)} pictures')
    check(tuple(size or ()) == (160, 112) and duration == 2 * Gst.SECOND and codec and codec.startswith('H.264') and used == {'gpuh264dec'},
          'GstPlay: what it says', (size, duration, codec, used))


def check_player_library(path):
    GstPlayer = load('GstPlayer')
    if not GstPlayer:
        skip('GstPlayer', 'it is not installed (package gir1.2-gst-plugins-bad-1.0)')
        return
    from gi.repository import GLib
    loop = GLib.MainLoop()
    player = GstPlayer.Player.new(None, GstPlayer.PlayerGMainContextSignalDispatcher.new(None))
    pictures = watch(player.get_pipeline())
    decoders = Decoders(player.get_pipeline())
    seen = {'errors': [], 'used': set()}

    def end(player):
        seen['used'] = decoders.names()
        loop.quit()

    def fail(player, error):
        seen['errors'].append(error.message)
        loop.quit()

    player.connect('end-of-stream', end)
    player.connect('error', fail)
    player.connect('video-dimensions-changed', lambda player, width, height: seen.update(size=(width, height)))
    player.set_uri(uri(path))
    player.play()
    GLib.timeout_add_seconds(WAIT // Gst.SECOND, loop.quit)
    loop.run()
    player.stop()
    check(not seen['errors'] and pictures.seen == alone(path) and seen.get('size') == (160, 112) and 'gpuh264dec' in seen['used'],
          'GstPlayer: every picture', (seen, len(pictures.seen)))


def main():
    Gst.init(sys.argv)
    prefer_own_decoder()
    with tempfile.TemporaryDirectory() as folder:
        first, second = (os.path.join(folder, name) for name in ('first.mp4', 'second.mp4'))
        if not (make_clip(first, seconds=2) and make_clip(second, seconds=1, size="128x96", pixels="yuv422p10le")):
            skip('all players', 'there is no ffmpeg with libx264')
            finish()
        check_discoverer(first)
        check_play(first)
        for kind in ('playbin', 'playbin3'):
            check_gapless(kind, [first, second, first])
        check_play_library(first)
        check_player_library(first)
    finish()


main()
