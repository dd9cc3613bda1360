# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the clients' tests share: TAP, clips made at run time, pipelines whose pictures are read one by one."""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
from tap import check, finish, skip  # noqa: E402, F401  for the programs that import this

try:
    import gi
    gi.require_version('Gst', '1.0')
    gi.require_version('GstApp', '1.0')
    gi.require_version('GstVideo', '1.0')
    from gi.repository import Gst, GstApp, GstVideo  # noqa: F401  GstApp: appsink's methods
except (ImportError, ValueError):
    print('1..0 # SKIP there are no bindings of GStreamer for Python (packages python3-gi, gir1.2-gst-plugins-base-1.0)')
    sys.exit()

WAIT = 100 * Gst.SECOND  # a device may compile its kernels first
STALLED = 15  # seconds, in which a decoder is looked for


def make_clip(path, options='keyint=25:bframes=3', size='160x112', rate=25, seconds=4, pixels='yuv420p', source='testsrc2', audio=False):
    """Coded by x264; the suffix of @path tells the container.  False where there is no ffmpeg with libx264."""
    if not shutil.which('ffmpeg'):
        return False
    sound = ['-f', 'lavfi', '-i', f'sine=duration={seconds}', '-c:a', 'flac', '-strict', '-2'] if audio else []
    picture = f'{source}{":" if "=" in source else "="}size={size}:rate={rate}:duration={seconds}'
    command = ['ffmpeg', '-v', 'error', '-f', 'lavfi', '-i', picture, *sound, '-c:v', 'libx264', '-threads', '1',
               '-crf', '30', '-x264-params', options, '-pix_fmt', pixels, '-y', path]
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def set_rank(name, rank):
    feature = Gst.Registry.get().lookup_feature(name)
    if feature:
        feature.set_rank(rank)


def prefer_own_decoder():
    set_rank('gpuh264dec', Gst.Rank.PRIMARY + 100)


def has_element(name):
    return Gst.ElementFactory.find(name) is not None


def md5_of(sample):
    """Of the samples of a picture, plane by plane, without padding"""
    info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    ok, frame = GstVideo.video_frame_map(info, sample.get_buffer(), Gst.MapFlags.READ)
    assert ok
    packed = GstVideo.VideoInfo.new_from_caps(Gst.Caps.from_string(
        f'video/x-raw,format={info.finfo.name},width={info.width},height={info.height},framerate=25/1'))
    buffer = Gst.Buffer.new_allocate(None, packed.size, None)
    buffer.memset(0, 0, packed.size)
    ok, copied = GstVideo.video_frame_map(packed, buffer, Gst.MapFlags.WRITE)
    assert ok and copied.copy(frame)
    copied.unmap()
    frame.unmap()
    return hashlib.md5(buffer.extract_dup(0, packed.size)).hexdigest()


def pop(bus, types, wait=WAIT):
    """The next of these messages, or an error: which is raised"""
    message = bus.timed_pop_filtered(wait, types | Gst.MessageType.ERROR)
    if message is None:
        raise TimeoutError(f'no message of {types.value_nicks}')
    if message.type == Gst.MessageType.ERROR:
        error, details = message.parse_error()
        raise RuntimeError(f'{message.src.get_name()}: {error.message} ({details})')
    return message


def md5s_of(elements):
    """[md5] of the pictures that come out of @elements, as gst-launch-1.0 writes them"""
    pipeline = Gst.parse_launch(f'{elements} ! appsink name=sink sync=false')
    sink, md5s = pipeline.get_by_name('sink'), []
    pipeline.set_state(Gst.State.PLAYING)
    while sample := sink.emit('pull-sample'):
        md5s.append(md5_of(sample))
    pop(pipeline.get_bus(), Gst.MessageType.EOS)
    pipeline.set_state(Gst.State.NULL)
    return md5s


# they are decoders, too, but parts of the one
STAGES = {'h264entropy', 'gpuidct', 'gpuinterpred', 'gpuintrapred', 'gpudeblock'}


class Decoders:
    """Which video decoders a pipeline has been given so far"""

    def __init__(self, pipeline):
        self._names = set()
        pipeline.connect('deep-element-added', self._note)

    def _note(self, pipeline, part, element):
        factory = element.get_factory()
        if factory and 'Decoder' in factory.get_metadata('klass') and 'Video' in factory.get_metadata('klass'):
            self._names.add(factory.get_name())

    def names(self):
        return self._names - STAGES


def made_decoders(log):
    """Video decoders whose making is in the debug log at this path"""
    with open(log, errors='replace') as lines:
        made = set(re.findall(r'creating element "(\w+)"', lines.read()))
    names = {factory.get_name() for factory in Gst.ElementFactory.list_get_elements(
        Gst.ELEMENT_FACTORY_TYPE_DECODER | Gst.ELEMENT_FACTORY_TYPE_MEDIA_VIDEO, Gst.Rank.NONE)}
    return (made & names) - STAGES


def run_once(command, variables):
    with tempfile.NamedTemporaryFile() as log:
        environment = {**os.environ, 'GST_PLUGIN_FEATURE_RANK': 'gpuh264dec:MAX', 'GST_DEBUG': 'GST_ELEMENT_FACTORY:4', 'GST_DEBUG_NO_COLOR': '1',
                       'GST_DEBUG_FILE': log.name, **variables}
        with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors='replace') as process:
            text = ''
            for wait in (STALLED, WAIT // Gst.SECOND):
                try:
                    text = process.communicate(timeout=wait)[0]
                    break
                except subprocess.TimeoutExpired:
                    if not made_decoders(log.name):
                        break
            if process.poll() is None:
                process.kill()
                text += 'has not ended'
        return process.returncode, text, made_decoders(log.name)


def run(*command, **variables):
    """(exit status, text, video decoders that were made) of a program of GStreamer, which prefers gpuh264dec"""
    return retry_stalled(lambda: run_once(command, variables))


def retry_stalled(attempt):
    """GStreamer 1.22's decodebin3 and playbin3 now and then stand still before they look for a decoder, with any decoder: that is tried again.
    @attempt gives a tuple, whose last member says which decoders there were"""
    for _ in range(5):
        result = attempt()
        if result[-1]:
            break
    return result


def wait_for(pipeline, decoders, types):
    """The next message of these types, which takes time only where a decoder has been found"""
    bus = pipeline.get_bus()
    try:
        return pop(bus, types, STALLED * Gst.SECOND)
    except TimeoutError:
        if not decoders.names():
            raise
        return pop(bus, types)


def wait_for_end(pipeline, decoders):
    """(nullable): what went wrong until the end of the stream"""
    try:
        wait_for(pipeline, decoders, Gst.MessageType.EOS)
        return None
    except (RuntimeError, TimeoutError) as error:
        return error
