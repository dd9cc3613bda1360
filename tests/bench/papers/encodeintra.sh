#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# encodeintra.sh ENCODE_INTRA: the streams of the small encoder are H.264: the row of elements, in plain C, shows what the encoder says.
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
head -c 40960 "$1" | tail -c 12288 > "$folder/source"
for way in 0 1 3; do
  for qp in 12 28 45; do
    "$1" $qp $way 128 96 "$folder/source" "$folder/coded.264" "$folder/expected"
    gst-launch-1.0 -q filesrc location="$folder/coded.264" ! h264parse ! h264entropy ! gpuidct backend=c ! gpuinterpred backend=c ! \
      gpuintrapred backend=c ! gpudeblock backend=c ! video/x-raw ! filesink location="$folder/decoded"
    cmp "$folder/expected" "$folder/decoded"
  done
done
