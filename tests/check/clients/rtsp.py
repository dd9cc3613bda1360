# SPDX-License-Identifier: LGPL-2.1-or-later
"""A server of RTSP and its clients, with gpuh264dec in the clients: from the start, over UDP and TCP, with a seek, and from the middle.

rtsp.py: prints TAP, one result a client.
"""
import os
import sys
import tempfile
import threading

from client import (Decoders, Gst, WAIT, check, finish, gi, has_element, make_clip, md5_of, md5s_of, prefer_own_decoder, retry_stalled, skip, wait_for_end)

RATE = 25
KEY_UNITS = 10  # pictures from one key unit to the next
N_PICTURES = 50
DURATION = Gst.SECOND // RATE


class Server:
    """On a free port of the loopback.  /clip: each client has the clip from its start; /live: all see the same, which runs once the first
    has come"""

    def __init__(self, GstRtspServer, GLib, path):
        self._loop = GLib.MainLoop()
        self._server = GstRtspServer.RTSPServer()
        self._server.set_address('127.0.0.1')
        self._server.set_service('0')
        for name, shared in (('/clip', False), ('/live', True)):
            factory = GstRtspServer.RTSPMediaFactory()
            factory.set_launch(f'( filesrc location="{path}" ! qtdemux ! h264parse ! rtph264pay name=pay0 pt=96 config-interval=-1 )')
            factory.set_shared(shared)
            self._server.get_mount_points().add_factory(name, factory)

    def __enter__(self):
        self._source = self._server.attach(None)
        self._thread = threading.Thread(target=self._loop.run)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._loop.quit()
        self._thread.join()

    def url(self, name):
        return f'rtsp://127.0.0.1:{self._server.get_bound_port()}{name}'


class Client:
    """Takes pictures as they come: (md5, flagged as corrupted)"""

    def __init__(self, location, protocols):
        self.pipeline = Gst.parse_launch(f'rtspsrc location={location} protocols={protocols} latency=200 ! rtph264depay ! gpuh264dec ! '
                                         'appsink name=sink sync=false')
        self.sink = self.pipeline.get_by_name('sink')

    def __enter__(self):
        self.pipeline.set_state(Gst.State.PLAYING)
        return self

    def __exit__(self, *_):
        self.pipeline.set_state(Gst.State.NULL)

    def pictures(self, n=None):
        """All until the end, or the next @n"""
        taken = []
        while n is None or len(taken) < n:
            sample = self.sink.try_pull_sample(WAIT)
            if not sample:
                break
            taken.append((md5_of(sample), bool(sample.get_buffer().get_flags() & Gst.BufferFlags.CORRUPTED)))
        return taken


def clip_pictures(path):
    return md5s_of(f'filesrc location="{path}" ! qtdemux ! h264parse ! gpuh264dec')


def places(taken, expected):
    """Where in the clip these pictures are; None: nowhere"""
    return [(expected.index(md5) if md5 in expected else None, corrupted) for md5, corrupted in taken]


def check_whole(server, expected, protocols):
    with Client(server.url('/clip'), protocols) as client:
        taken = client.pictures()
    seen = places(taken, expected)
    check(seen == [(i, False) for i in range(N_PICTURES)], f'{protocols}: every picture', seen)


def check_player(server, expected):
    """playbin3 finds all elements by itself"""
    def play():
        player = Gst.ElementFactory.make('playbin3')
        player.props.uri = server.url('/clip')
        sink = Gst.ElementFactory.make('appsink')
        sink.props.sync = False
        sink.props.emit_signals = True
        seen = []

        def take(sink):
            seen.append(md5_of(sink.emit('pull-sample')))
            return Gst.FlowReturn.OK
        sink.connect('new-sample', take)
        player.props.video_sink = sink
        decoders = Decoders(player)
        player.set_state(Gst.State.PLAYING)
        wrong = wait_for_end(player, decoders)
        player.set_state(Gst.State.NULL)
        return wrong, seen, decoders.names()
    wrong, seen, used = retry_stalled(play)
    check(not wrong and seen == expected and used == {'gpuh264dec'}, 'playbin3: every picture', (wrong, len(seen), used))


def check_seek(server, expected):
    """To a key unit, which the server goes on from"""
    with Client(server.url('/clip'), 'tcp') as client:
        taken = client.pictures(5)
        client.pipeline.seek_simple(Gst.Format.TIME, Gst.SeekFlags.FLUSH | Gst.SeekFlags.KEY_UNIT, 3 * KEY_UNITS * DURATION)
        taken_after = client.pictures()
    before, after = places(taken, expected), places(taken_after, expected)
    check(before == [(i, False) for i in range(5)] and after == [(i, False) for i in range(3 * KEY_UNITS, N_PICTURES)], 'a seek', (before, after))


def check_late(server, expected):
    """Who comes in the middle sees pictures from a key unit on, as they are, all of them"""
    with Client(server.url('/live'), 'tcp') as first:
        first.pictures(KEY_UNITS + 3)
        with Client(server.url('/live'), 'tcp') as late:
            taken = late.pictures()
        rest = first.pictures()
    seen = places(taken, expected)
    sound = [place for place, corrupted in seen if not corrupted]
    check(sound and sound[0] is not None and sound[0] % KEY_UNITS == 0 and sound == list(range(sound[0], N_PICTURES))
          and not any(corrupted for _, corrupted in seen[-len(sound):]), 'a client that comes late', seen)
    check(places(rest, expected) == [(i, False) for i in range(KEY_UNITS + 3, N_PICTURES)], 'the client before it', places(rest, expected))


def main():
    Gst.init(sys.argv)
    try:
        gi.require_version('GstRtspServer', '1.0')
        from gi.repository import GLib, GstRtspServer
    except (ImportError, ValueError):
        skip('all clients', 'there is no server (package gir1.2-gst-rtsp-server-1.0)')
        finish()
    if not has_element('rtspsrc'):
        skip('all clients', 'there is no rtspsrc (package gstreamer1.0-plugins-good)')
        finish()
    prefer_own_decoder()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'clip.mp4')
        if not make_clip(path, f'keyint={KEY_UNITS}:min-keyint={KEY_UNITS}:bframes=2:scenecut=0', rate=RATE, seconds=N_PICTURES // RATE):
            skip('all clients', 'there is no ffmpeg with libx264')
            finish()
        expected = clip_pictures(path)
        with Server(GstRtspServer, GLib, path) as server:
            for protocols in ('tcp', 'udp'):
                check_whole(server, expected, protocols)
            check_player(server, expected)
            check_seek(server, expected)
            check_late(server, expected)
    finish()


main()
