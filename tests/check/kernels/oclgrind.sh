#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# oclgrind.sh PROGRAM FORM FUNCTIONS [OCLGRIND OPTION...]: runs those functions (a shell pattern) of a kernel test in its small mode under oclgrind.
# oclgrind's own exit code says nothing of what it found, so the log has to be empty.
program=$1
form=$2
functions=$3
shift 3
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
oclgrind --log "$log" "$@" "$program" --oclgrind "--form=$form" "--function=$functions" || exit 1
cat "$log"
test ! -s "$log"
