#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""decodertable.py FOLDER DECODER...: what other decoders make of the test streams in FOLDER (docs/streams.md): for each stream and decoder
whether its pictures have the md5 of the table, how many there are, how many of them are flagged as corrupted, and its error.

docs/decoders.md has what comes out.  Frames are compared in the order in which they come, samples alone, cropped."""
import hashlib
import pathlib
import subprocess
import sys

SECONDS_A_STREAM = 120


def plane_rows(frame_format, width, height, plane):
    """Bytes of a row of @plane, and rows"""
    component = next(c for c in range(frame_format.n_components) if frame_format.plane[c] == plane)
    return (-(-width >> frame_format.w_sub[component]) * frame_format.pixel_stride[component],
            -(-height >> frame_format.h_sub[component]))


def decode(path, decoder):
    """md5, pictures, flagged pictures, error"""
    import gi
    gi.require_version("Gst", "1.0")
    gi.require_version("GstApp", "1.0")
    gi.require_version("GstVideo", "1.0")
    from gi.repository import Gst, GstApp, GstVideo  # noqa: F401
    Gst.init(None)
    pipeline = Gst.parse_launch(f"filesrc name=source ! h264parse ! {decoder} ! appsink name=sink sync=false max-buffers=4")
    pipeline.get_by_name("source").set_property("location", str(path))
    sink, md5, n, n_corrupted = pipeline.get_by_name("sink"), hashlib.md5(), 0, 0
    pipeline.set_state(Gst.State.PLAYING)
    while sample := sink.try_pull_sample(20 * Gst.SECOND):
        buffer, info = sample.get_buffer(), GstVideo.VideoInfo.new_from_caps(sample.get_caps())
        meta = GstVideo.buffer_get_video_meta(buffer) or info
        _, mapped = buffer.map(Gst.MapFlags.READ)
        for plane in range(info.finfo.n_planes):
            size, rows = plane_rows(info.finfo, info.width, info.height, plane)
            for row in range(rows):
                start = meta.offset[plane] + row * meta.stride[plane]
                md5.update(bytes(mapped.data[start:start + size]))
        buffer.unmap(mapped)
        n, n_corrupted = n + 1, n_corrupted + buffer.has_flags(Gst.BufferFlags.CORRUPTED)
    error = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    return md5.hexdigest(), n, n_corrupted, error.parse_error()[0].message if error else ""


def read_streams(folder):
    for name in "manifest.tsv", "made/manifest.tsv":
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                yield line.split("\t")[:2]


def try_stream(path, decoder):
    """In a process of its own: some decoders crash"""
    try:
        done = subprocess.run([sys.executable, __file__, "--one", path, decoder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              timeout=SECONDS_A_STREAM, check=False)
    except subprocess.TimeoutExpired:
        return ["", "0", "0", "does not end"]
    return done.stdout.rstrip("\n").split("\t") if done.returncode == 0 else ["", "0", "0", "fails"]


def main():
    if sys.argv[1] == "--one":
        print(*decode(*sys.argv[2:4]), sep="\t")
        return
    folder, decoders = pathlib.Path(sys.argv[1]), sys.argv[2:]
    equal = dict.fromkeys(decoders, 0)
    for name, expected in read_streams(folder):
        for decoder in decoders:
            md5, n, n_corrupted, error = try_stream(str(folder / name), decoder)
            equal[decoder] += md5 == expected
            print(name, decoder, "equal" if md5 == expected else "differs", f"{n} pictures", f"{n_corrupted} flagged", error, sep="\t", flush=True)
    for decoder, n in equal.items():
        print(f"# {decoder}: {n} equal")


if __name__ == "__main__":
    main()
