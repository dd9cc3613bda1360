#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A transcoder: gpuh264dec decodes, x264enc encodes again in 8-bit 4:2:0, as players of all kinds take it.  Sound becomes Opus.

    transcode.py [--kbit=N] IN OUT.mp4

IN: a file of any container and any sound that GStreamer reads.
"""
import argparse
import sys

import gi
gi.require_version('Gst', '1.0')
gi.require_version('GstPbutils', '1.0')
gi.require_version('GstTranscoder', '1.0')
from gi.repository import GLib, Gst, GstPbutils, GstTranscoder  # noqa: E402


def prefer_decoder():
    """The transcoder finds decoders by their rank."""
    feature = Gst.Registry.get().lookup_feature('gpuh264dec')
    if not feature:
        sys.exit('transcode.py: there is no gpuh264dec: GST_PLUGIN_PATH has to name the folders of the plugins')
    feature.set_rank(Gst.Rank.PRIMARY + 100)


def make_profile(kbit):
    profile = GstPbutils.EncodingContainerProfile.new('mp4', None, Gst.Caps.from_string('video/quicktime,variant=iso'), None)
    video = GstPbutils.EncodingVideoProfile.new(Gst.Caps.from_string('video/x-h264'), None, Gst.Caps.from_string('video/x-raw,format=I420'), 0)
    video.set_preset_name('x264enc')
    video.set_element_properties(Gst.Structure.from_string(f'element-properties,bitrate={kbit}')[0])
    profile.add_profile(video)
    profile.add_profile(GstPbutils.EncodingAudioProfile.new(Gst.Caps.from_string('audio/x-opus'), None, None, 0))
    return profile


def main():
    parser = argparse.ArgumentParser(description='Decodes with gpuh264dec and encodes with x264enc')
    parser.add_argument('--kbit', type=int, default=2048, help='bit rate of the video')
    parser.add_argument('input', metavar='IN')
    parser.add_argument('output', metavar='OUT.mp4')
    options = parser.parse_args()

    Gst.init(None)
    prefer_decoder()
    transcoder = GstTranscoder.Transcoder.new_full(Gst.filename_to_uri(options.input), Gst.filename_to_uri(options.output),
                                                   make_profile(options.kbit))
    try:
        transcoder.run()
    except GLib.Error as error:
        sys.exit(f'transcode.py: {error.message}')


main()
