/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What comes out of an OddStream: fed to h264entropy in the ways that streams come, the frames' times in the order of output, and those
 * that are flagged.
 */
#pragma once

#include "oddstream.h"

typedef enum
{
  ODD_AU = 1,     /* straight, a buffer an access unit */
  ODD_LIVE = 2,   /* the same in a live pipeline */
  ODD_NAL = 4,    /* straight, a buffer a NAL unit */
  ODD_PARSED = 8, /* through h264parse */
  ODD_ALL = 15,
} OddWays;

/**
 * OddCase:
 * @name: what is odd
 * @make: writes the stream
 * @expected: times of the frames in ms in order of output, "!" behind those that are flagged; from what @make writes: "0 40 80! 120"
 * @says: (nullable): a part of every WARNING message; NULL: there is none
 * @without: ways in which it is not tried: h264parse or the alignment takes away what is odd, or more
 */
typedef struct
{
  const gchar *name;
  void (*make) (OddStream *s);
  const gchar *expected;
  const gchar *says;
  OddWays without;
} OddCase;

/* Fails the test where anything else comes out. */
void odd_case_check (const OddCase *c);
