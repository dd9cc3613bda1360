#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# encodeintra.sh ENCODE_INTRA: the streams of the small encoder are H.264: the row of elements, in plain C, shows what the encoder says.  So does
# the 2-D scan on the device, of the ways that are made for it: prediction from unrounded samples, and, restricted, values in range.
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
head -c 40960 "$1" | tail -c 12288 > "$folder/source"
# check WAY BACKEND INTRAPRED
check() {
  for qp in 12 28 45; do
    "$encoder" $qp "$1" 128 96 "$folder/source" "$folder/coded.264" "$folder/expected"
    gst-launch-1.0 -q filesrc location="$folder/coded.264" ! h264parse ! h264entropy ! gpuidct backend="$2" ! gpuinterpred backend="$2" ! \
      $3 backend="$2" ! gpudeblock backend="$2" ! video/x-raw ! filesink location="$folder/decoded"
    cmp "$folder/expected" "$folder/decoded"
  done
}
encoder=$1
for way in 0 1 3; do
  check $way c gpuintrapred
done
check 2 opencl 'papersintrapred algorithm=scan'
check 3 opencl 'papersintrapred algorithm=scan-restricted'
