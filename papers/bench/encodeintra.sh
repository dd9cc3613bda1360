#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# encodeintra.sh ENCODE_INTRA INTRA_DRIFT CAPTURE PAPERS: the streams of the small encoder are H.264: the row of elements, in plain C, shows what the encoder says.  So does
# the 2-D scan on the device, of the ways that are made for it: prediction from unrounded samples, and, restricted, values in range, from
# unclipped samples too.
# Scans repaired are exact, as INTRA_DRIFT checks by itself, and as PAPERS does with kernels on what CAPTURE takes from the streams, of real pictures too where
# $GST_GPU_VECTORS has them; vertical and horizontal prediction in range has no drift, DC has some.
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

# exact SOURCE NAME: with few modes and with all
exact() {
  for modes in 3 0x177; do
    "$encoder" 32 0 $modes 0 0 "$1" "$folder/$2.264" /dev/null > /dev/null
    "$capture" --count=2 "$folder/$2.264" "$folder/$2-$modes.cap"
  done
}
capture=$3
exact "$folder/source.y4m" made
foreman="${GST_GPU_VECTORS-none}/JVT-AVC_V1/BA1_FT_C.264"
n_captures=2
if [ -e "$foreman" ]; then
  gst-launch-1.0 -q filesrc location="$foreman" ! h264parse ! h264entropy ! gpuidct backend=c ! gpuinterpred backend=c ! gpuintrapred backend=c ! \
    gpudeblock backend=c ! video/x-raw ! identity eos-after=3 ! filesink location="$folder/foreman"
  {
    echo 'YUV4MPEG2 W352 H288 F25:1 C420jpeg'
    for picture in 1 2; do
      echo FRAME
      head -c $((152064 * picture)) "$folder/foreman" | tail -c 152064
    done
  } > "$folder/foreman.y4m"
  exact "$folder/foreman.y4m" foreman
  n_captures=4
fi
"$4" --verify --paper=D --table=d-exact "--captures=$folder" > "$folder/exact"
test "$(grep -c ': 2 pictures exact by repair' "$folder/exact")" = $n_captures

"$2" repair 28 "$folder/source.y4m" 2 > /dev/null
"$2" drift 28 "$folder/source.y4m" 2 > "$folder/drift"
test "$(sed -n 's/^V and H,[^,]*,\([^,]*\).*/\1/p' "$folder/drift")" = inf
grep '^DC alone,[^,]*,[0-9.]*,-' "$folder/drift" > /dev/null
