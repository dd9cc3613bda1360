#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads macroblocks and coefficients between the CPU stage and the stages of the device, where they lie parsed: a line for each picture.

    coefficients.py FILE

A buffer behind h264entropy is one coded picture, in decoding order.  A meta says what is in its two memories; the records there are those of
gpurecords.h, which says what each value means.  Bindings: GstGpuCodec-1.0 (uninstalled: GI_TYPELIB_PATH=build/common and
LD_LIBRARY_PATH=build/common).
"""
import struct
import sys

import gi
gi.require_version('Gst', '1.0')
gi.require_version('GstGpuCodec', '1.0')
from gi.repository import GLib, Gst, GstGpuCodec  # noqa: E402

# GstGpuMb: slice, mb_class; GstGpuSlice: first_mb, n_mbs, slice_type; GstGpuSegment: coeffs, positions, count, kind, wide
MB = struct.Struct('<HB41x')
SLICE = struct.Struct('<IIB487x')
SEGMENT = struct.Struct('<IIIBB2x')

SLOT = 32  # bytes: the unit of GstGpuSegment.coeffs
CLASSES = {GstGpuCodec.GPU_MB_I16x16: 'I16x16', GstGpuCodec.GPU_MB_I8x8: 'I8x8', GstGpuCodec.GPU_MB_I4x4: 'I4x4', GstGpuCodec.GPU_MB_IPCM: 'I_PCM',
           GstGpuCodec.GPU_MB_INTER: 'inter'}
SLICES = {GstGpuCodec.GPU_SLICE_P: 'P', GstGpuCodec.GPU_SLICE_B: 'B', GstGpuCodec.GPU_SLICE_I: 'I'}
# kinds of blocks that hold levels, and how many; blocks of lossless macroblocks and I_PCM samples hold none
LEVELS = {GstGpuCodec.GPU_KIND_4x4: 16, GstGpuCodec.GPU_KIND_8x8: 64, GstGpuCodec.GPU_KIND_DC4x4: 16, GstGpuCodec.GPU_KIND_DC2x2: 4,
          GstGpuCodec.GPU_KIND_DC2x4: 8}


def records(data, layout, start, count):
    """@count records from byte @start on"""
    return list(layout.iter_unpack(data[start:start + count * layout.size]))


def read_levels(coefficients, segments):
    """Of all blocks of all macroblocks, those that are 0 too"""
    levels = []
    for first_slot, _, n_blocks, kind, wide in segments:
        n = n_blocks * LEVELS.get(kind, 0)
        start = first_slot * SLOT
        levels += coefficients[start:start + n * (4 if wide else 2)].cast('i' if wide else 'h')
    return levels


def describe(picture, meta, header, coefficients):
    plane = 0  # with separate_colour_plane_flag the others have macroblocks of their own
    params, layout = picture.get_params(plane), picture.get_layout(plane)
    mbs = records(header, MB, layout.mbs, params.width_in_mbs * params.height_in_mbs)
    slices = records(header, SLICE, layout.slices, params.n_slices)
    levels = read_levels(coefficients, records(header, SEGMENT, layout.segments, meta.n_segments))
    types = ''.join(sorted({SLICES[slice_type] for _, _, slice_type in slices}))
    counts = ', '.join(f'{name} {n}' for mb_class, name in CLASSES.items() if (n := sum(mb[1] == mb_class for mb in mbs)))
    return (f'{types}: {len(mbs)} macroblocks ({counts}), {meta.n_blocks} blocks, {sum(level != 0 for level in levels)} levels, '
            f'largest {max(map(abs, levels), default=0)}')


def on_buffer(pad, info):
    buffer = info.get_buffer()
    picture, meta = GstGpuCodec.buffer_get_coded_picture(buffer), GstGpuCodec.buffer_get_coeff_meta(buffer)
    if not picture or not meta:
        return Gst.PadProbeReturn.OK
    data = memoryview(buffer.extract_dup(0, buffer.get_size()))
    header_size = buffer.peek_memory(GstGpuCodec.CODED_MEMORY_HEADER).size
    print(describe(picture, meta, data[:header_size], data[header_size:]), flush=True)
    return Gst.PadProbeReturn.OK


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Gst.init(None)
    # the stages behind it are there to take the pictures; backend=c needs no device
    stages = ' ! '.join(f'{stage} backend=c' for stage in ('gpuidct', 'gpuinterpred', 'gpuintrapred', 'gpudeblock'))
    try:
        pipeline = Gst.parse_launch(f'filesrc name=file ! parsebin ! h264entropy name=entropy ! {stages} ! fakesink')
    except GLib.Error as error:
        sys.exit(f'coefficients.py: {error.message}')
    pipeline.get_by_name('file').props.location = sys.argv[1]
    pipeline.get_by_name('entropy').get_static_pad('src').add_probe(Gst.PadProbeType.BUFFER, on_buffer)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(f'coefficients.py: {message.parse_error()[0].message}')


main()
