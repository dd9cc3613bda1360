# SPDX-License-Identifier: LGPL-2.1-or-later
"""A player's life with gpuh264dec: play, pause, step, seek with each flag, other rates, backwards, trick modes, loops.

Positions and pictures are what they have to be, and those of avdec_h264 where it is installed.
scenario.py: prints TAP, one result a scenario.
"""
import os
import sys
import tempfile

from client import Gst, WAIT, check, finish, has_element, make_clip, md5_of, pop, skip

RATE = 25
N_PICTURES = 100
KEY_UNITS = 25  # pictures from one key unit to the next
DURATION = Gst.SECOND // RATE

FLUSH = Gst.SeekFlags.FLUSH
ACCURATE = Gst.SeekFlags.ACCURATE
KEY_UNIT = Gst.SeekFlags.KEY_UNIT


class Player:
    """Times are stream times, in pictures: those of the clip"""

    def __init__(self, path, decoder, sync=False):
        self.pipeline = Gst.parse_launch(
            f'filesrc location="{path}" ! qtdemux ! h264parse ! {decoder} ! appsink name=sink sync={sync} max-buffers=2')
        self.sink = self.pipeline.get_by_name('sink')
        self.bus = self.pipeline.get_bus()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pipeline.set_state(Gst.State.NULL)

    def set_state(self, state):
        self.pipeline.set_state(state)
        result, reached, _ = self.pipeline.get_state(WAIT)
        assert result == Gst.StateChangeReturn.SUCCESS and reached == state, (result, reached)

    def pause(self):
        self.set_state(Gst.State.PAUSED)

    def play(self):
        self.set_state(Gst.State.PLAYING)

    def picture(self, sample):
        """(time, md5)"""
        time = sample.get_segment().to_stream_time(Gst.Format.TIME, sample.get_buffer().pts)
        return round(time / DURATION, 2), md5_of(sample)

    def running_time(self, sample):
        return sample.get_segment().to_running_time(Gst.Format.TIME, sample.get_buffer().pts)

    def shown(self):
        """What stands still on the screen: (time, md5)"""
        return self.picture(self.sink.try_pull_preroll(WAIT))

    def position(self):
        ok, position = self.pipeline.query_position(Gst.Format.TIME)
        assert ok
        return round(position / DURATION, 2)

    def samples(self, n=None):
        """All that come until the end, or the next @n"""
        taken = []
        while n is None or len(taken) < n:
            sample = self.sink.try_pull_sample(WAIT)
            if not sample:
                break
            taken.append(sample)
        return taken

    def pictures(self, n=None):
        return [self.picture(sample) for sample in self.samples(n)]

    def seek(self, start, flags=FLUSH | ACCURATE, rate=1.0, stop=None):
        """To a time in pictures; waits for the end of the seek where it flushes"""
        assert self.pipeline.seek(rate, Gst.Format.TIME, flags, Gst.SeekType.SET, int(start * DURATION),
                                  Gst.SeekType.NONE if stop is None else Gst.SeekType.SET, -1 if stop is None else int(stop * DURATION))
        if flags & FLUSH:
            pop(self.bus, Gst.MessageType.ASYNC_DONE)

    def step(self, n):
        self.pipeline.send_event(Gst.Event.new_step(Gst.Format.BUFFERS, n, 1.0, True, False))
        pop(self.bus, Gst.MessageType.STEP_DONE)
        self.pipeline.get_state(WAIT)


def agree(name, run, expected=None):
    """@run(decoder) gives what there is to see; right where it is @expected, or, without that, what avdec_h264 gives"""
    try:
        own = run('gpuh264dec')
    except Exception as error:  # whatever goes wrong is the result of this scenario
        check(False, name, repr(error))
        return
    if expected is None:
        if not has_element('avdec_h264'):
            skip(name, 'there is no avdec_h264')
            return
        expected = run('avdec_h264')
    check(own == expected, name, f'is     {own}\nshould {expected}')


def all_pictures(path):
    with Player(path, 'gpuh264dec') as player:
        player.play()
        return player.pictures()


def check_playing(path, pictures):
    def run(decoder):
        with Player(path, decoder) as player:
            player.play()
            return player.pictures()
    check([time for time, _ in pictures] == list(range(N_PICTURES)) and len({md5 for _, md5 in pictures}) == N_PICTURES,
          'play: every picture, at its time', pictures)
    agree('play: pictures of avdec_h264', run)


def key_before(at):
    return int(at) // KEY_UNITS * KEY_UNITS


def key_after(at):
    return key_before(at + KEY_UNITS - 1)


def key_nearest(at):
    return key_before(at) if at - key_before(at) <= key_after(at) - at else key_after(at)


def check_seeks(path, pictures):
    """Forwards and backwards: what stands then, where that is, and what comes when it plays"""
    places = [60, 10.5, 99, 0, 74, 26, 25, 24]
    kinds = [
        ('ACCURATE', FLUSH | ACCURATE, int),
        ('KEY_UNIT', FLUSH | KEY_UNIT, key_before),
        ('KEY_UNIT, SNAP_BEFORE', FLUSH | KEY_UNIT | Gst.SeekFlags.SNAP_BEFORE, key_before),
        ('KEY_UNIT, SNAP_AFTER', FLUSH | KEY_UNIT | Gst.SeekFlags.SNAP_AFTER, None),
        ('KEY_UNIT, SNAP_NEAREST', FLUSH | KEY_UNIT | Gst.SeekFlags.SNAP_NEAREST, None),
    ]
    for name, flags, lands in kinds:
        def run(decoder):
            seen = []
            with Player(path, decoder) as player:
                player.pause()
                player.shown()
                for place in places:
                    player.seek(place, flags)
                    _, md5 = player.shown()
                    player.play()
                    seen.append((md5, [md5 for _, md5 in player.pictures(3)]))
                    player.pause()
            return seen
        expected = lands and [(pictures[lands(at)][1], [md5 for _, md5 in pictures[lands(at):lands(at) + 3]]) for at in places]
        agree(f'seek {name}', run, expected)


def check_positions(path):
    """Behind an accurate seek: the place itself, whatever the pictures"""
    places = [60, 10.5, 99, 0, 74, 26, 25, 24]

    def run(decoder):
        seen = []
        with Player(path, decoder) as player:
            player.pause()
            for place in places:
                player.seek(place)
                player.shown()
                seen.append(player.position())
        return seen
    agree('positions behind seeks', run, places)


def check_stepping(path, pictures):
    def run(decoder):
        seen = []
        with Player(path, decoder) as player:
            player.pause()
            player.seek(20)
            seen.append(player.shown())
            for n in (1, 1, 3, 1):
                player.step(n)
                seen.append(player.shown())
        return seen
    agree('step: 1, 1, 3, 1 pictures', run, [pictures[i] for i in (20, 21, 22, 25, 26)])


def check_rate(path, pictures, rate):
    """Every picture, sooner or later"""
    def run(decoder):
        with Player(path, decoder) as player:
            player.pause()
            player.seek(0, FLUSH | ACCURATE, rate)
            player.play()
            samples = player.samples()
            return [(player.running_time(sample), player.picture(sample)) for sample in samples]
    agree(f'rate {rate}', run, [(int(i * DURATION / rate), picture) for i, picture in enumerate(pictures)])


def check_reverse(path, pictures, rate):
    def run(decoder):
        with Player(path, decoder) as player:
            player.pause()
            player.seek(0, FLUSH | ACCURATE, rate, N_PICTURES)
            player.play()
            return player.pictures()
    agree(f'rate {rate}', run, pictures[::-1])


def check_reverse_from_the_middle(path, pictures):
    def run(decoder):
        with Player(path, decoder) as player:
            player.pause()
            player.seek(70)
            player.seek(0, FLUSH | ACCURATE, -1.0, 40)
            player.play()
            backwards = player.pictures(10)
            player.seek(backwards[-1][0])
            return backwards, player.pictures(5)
    agree('backwards from the middle, and forwards again', run, (pictures[39:29:-1], pictures[30:35]))


def check_trick_modes(path, pictures):
    def run(decoder):
        with Player(path, decoder) as player:
            player.pause()
            player.seek(0, FLUSH | Gst.SeekFlags.TRICKMODE | Gst.SeekFlags.TRICKMODE_KEY_UNITS, 4.0)
            player.play()
            return player.pictures()
    agree('TRICKMODE_KEY_UNITS', run, pictures[::KEY_UNITS])

    def run_trick(decoder):
        with Player(path, decoder) as player:
            player.pause()
            player.seek(0, FLUSH | Gst.SeekFlags.TRICKMODE, 2.0)
            player.play()
            return player.pictures()
    own = run_trick('gpuh264dec')
    times = [time for time, _ in own]
    check(set(own) < set(pictures) and times == sorted(times) and set(pictures[::KEY_UNITS]) <= set(own) and len(own) >= N_PICTURES // 4,
          'TRICKMODE: fewer pictures, those of key units among them', own)


def check_loop(path, pictures):
    """SEGMENT seeks without a flush: three times round, without a gap in running time"""
    start, stop, rounds = 10, 20, 3

    def run(decoder):
        seen = []
        with Player(path, decoder) as player:
            player.pause()
            player.seek(start, FLUSH | ACCURATE | Gst.SeekFlags.SEGMENT, 1.0, stop)
            player.play()
            for i in range(rounds):
                seen += [(player.running_time(sample), player.picture(sample)) for sample in player.samples(stop - start)]
                pop(player.bus, Gst.MessageType.SEGMENT_DONE)
                if i < rounds - 1:
                    player.seek(start, ACCURATE | Gst.SeekFlags.SEGMENT, 1.0, stop)
        return seen
    agree('loop of SEGMENT seeks', run, [(i * DURATION, pictures[start + i % (stop - start)]) for i in range(rounds * (stop - start))])


def check_clock(path):
    """With a clock: a second is a second, whatever the decoder has in hand; a pause takes no time of the clip"""
    with Player(path, 'gpuh264dec', sync=True) as player:
        player.pause()
        player.play()
        first, last = player.samples(1)[0], player.samples(50)[-1]
        player.pause()
        position = player.position()
        elapsed = player.running_time(last) - player.running_time(first)
        stands = player.position()
        check(elapsed == 50 * DURATION and 50 <= position <= 54 and stands == position, 'pause: the clip stands', (elapsed, position, stands))


def main():
    Gst.init(sys.argv)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'clip.mp4')
        if not make_clip(path, f'keyint={KEY_UNITS}:min-keyint={KEY_UNITS}:bframes=3:b-pyramid=normal:scenecut=0', seconds=N_PICTURES // RATE):
            skip('all scenarios', 'there is no ffmpeg with libx264')
            finish()
        pictures = all_pictures(path)
        check_playing(path, pictures)
        check_seeks(path, pictures)
        check_positions(path)
        check_stepping(path, pictures)
        for rate in (2.0, 0.5):
            check_rate(path, pictures, rate)
        for rate in (-1.0, -2.0):
            check_reverse(path, pictures, rate)
        check_reverse_from_the_middle(path, pictures)
        check_trick_modes(path, pictures)
        check_loop(path, pictures)
        check_clock(path)
    finish()


main()
