#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# oclgrind.sh PROGRAM FORM [OCLGRIND OPTION...]: runs a kernel test in its small mode under oclgrind.  oclgrind's own exit code says nothing of what it
# found, so the log has to be empty.
program=$1
form=$2
shift 2
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
oclgrind --log "$log" "$@" "$program" --oclgrind "--form=$form" || exit 1
cat "$log"
test ! -s "$log"
