#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# captures.sh CAPTURE PAPERS FILE...: what CAPTURE (bench-capture) writes of each FILE goes through all kernels of paper A in PAPERS; every picture
# of every file has to come, and of all types.
set -euo pipefail
capture=$1
papers=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for file in "$@"; do
  name=$(basename "$file")
  "$capture" --count=100 "$file" "$folder/${name%.*}.cap"
done
"$papers" --verify --paper=A "--captures=$folder" | tee "$folder/output"
grep -q '^A: cif_crf22: 8 pictures verified, 1 I, [1-9] P, [1-9] B' "$folder/output"
grep -q '^A: cif_crf37: 8 pictures verified, 1 I, ' "$folder/output"
grep -q '^A: cif_intra: 1 pictures verified, 1 I, 0 P, 0 B' "$folder/output"
