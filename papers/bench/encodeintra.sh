#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# encodeintra.sh ENCODE_INTRA INTRA_DRIFT: the streams of the small encoder are H.264: the row of elements, in plain C, shows what the encoder says.  So does
# the 2-D scan on the device, of the ways that are made for it: prediction from unrounded samples, and, restricted, values in range, from
# unclipped samples too.
# Scans repaired are exact, as INTRA_DRIFT checks by itself; vertical and horizontal prediction in range has no drift, DC has some.
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{
  echo 'YUV4MPEG2 W120 H88 F25:1 C420jpeg'
  for picture in 1 2; do
    echo FRAME
    head -c $((40960 * picture)) "$1" | tail -c 15840
  done
} > "$folder/source.y4m"
# check WAY MODES PCM BACKEND INTRAPRED
check() {
  for qp in 12 40; do
    "$encoder" $qp "$1" "$2" "$3" 0 "$folder/source.y4m" "$folder/coded.264" "$folder/expected" > /dev/null
    gst-launch-1.0 -q filesrc location="$folder/coded.264" ! h264parse ! h264entropy ! gpuidct backend="$4" ! gpuinterpred backend="$4" ! \
      $5 backend="$4" ! gpudeblock backend="$4" ! video/x-raw ! filesink location="$folder/decoded"
    cmp "$folder/expected" "$folder/decoded"
  done
}
encoder=$1
check 0 7 0 c gpuintrapred
check 0 0x177 5 c gpuintrapred
check 1 3 0 c gpuintrapred
check 3 0x177 0 opencl 'papersintrapred algorithm=scan'
check 1 3 7 opencl 'papersintrapred algorithm=scan-restricted'
check 2 3 0 opencl 'papersintrapred algorithm=scan-restricted'
"$2" repair 28 "$folder/source.y4m" 2 > /dev/null
"$2" drift 28 "$folder/source.y4m" 2 > "$folder/drift"
test "$(sed -n 's/^V and H,[^,]*,\([^,]*\).*/\1/p' "$folder/drift")" = inf
grep '^DC alone,[^,]*,[0-9.]*,-' "$folder/drift" > /dev/null
