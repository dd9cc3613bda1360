# SPDX-License-Identifier: LGPL-2.1-or-later
"""A screen without a monitor (Xvfb), and what is on it."""
import shutil
import subprocess

from client import Gst, pop

WIDTH, HEIGHT = 640, 480


def missing():
    """(nullable): the package that has what is missing for a screen"""
    if not shutil.which('Xvfb'):
        return 'xvfb'
    if not Gst.ElementFactory.find('ximagesrc'):
        return 'gstreamer1.0-plugins-good'
    return None


class Screen:
    """@name is for DISPLAY."""

    def __enter__(self):
        self._server = subprocess.Popen(['Xvfb', '-displayfd', '1', '-screen', '0', f'{WIDTH}x{HEIGHT}x24', '-nolisten', 'tcp', '-noreset'],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        number = self._server.stdout.readline().strip()
        if not number:
            self.__exit__()
            raise RuntimeError('Xvfb does not start')
        self.name = ':' + number
        return self

    def __exit__(self, *_):
        self._server.terminate()
        self._server.wait()
        self._server.stdout.close()

    def shot(self, width, height):
        """Samples of the upper left corner, 4 bytes each: blue, green, red, and one without meaning"""
        pipeline = Gst.parse_launch(f'ximagesrc display-name={self.name} show-pointer=false use-damage=false endx={width - 1} endy={height - 1} '
                                    'num-buffers=1 ! videoconvert ! video/x-raw,format=BGRx ! appsink name=sink')
        return grab(pipeline)[0]


def grab(pipeline):
    """Samples of each picture that comes to the element named sink"""
    sink = pipeline.get_by_name('sink')
    sink.props.sync = False
    pipeline.set_state(Gst.State.PLAYING)
    pictures = []
    while sample := sink.emit('pull-sample'):
        buffer = sample.get_buffer()
        pictures.append(buffer.extract_dup(0, buffer.get_size()))
    pop(pipeline.get_bus(), Gst.MessageType.EOS)
    pipeline.set_state(Gst.State.NULL)
    return pictures


def largest_difference(shot, picture):
    """Of blue, green and red; 256: their sizes differ"""
    if len(shot) != len(picture):
        return 256
    return max(abs(a - b) for i, (a, b) in enumerate(zip(shot, picture)) if i % 4 != 3)
