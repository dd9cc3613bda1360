/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Byte streams of a few bytes and large pictures, written by hand.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Five pictures of 64x64 macroblocks, with all that needs memory by the size of the picture or of its data: I_PCM, coefficients, vectors, B
 * pictures, slice groups.  An access unit each. (element-type GBytes) (transfer full) */
GPtrArray *crafted_large_pictures (void);

/**
 * CraftedKind:
 * @CRAFTED_SKIPPED: P pictures of skipped macroblocks
 * @CRAFTED_CONCEALED: I pictures of three macroblocks; the rest is concealed
 * @CRAFTED_444: the same, 4:4:4 of 10 bits, two bytes a sample
 * @CRAFTED_EMPTY: the same as CRAFTED_444 without any macroblock
 * @CRAFTED_GAP: two pictures, between which 65534 values of frame_num are not there
 */
typedef enum
{
  CRAFTED_SKIPPED,
  CRAFTED_CONCEALED,
  CRAFTED_444,
  CRAFTED_EMPTY,
  CRAFTED_GAP
} CraftedKind;

/* (transfer full): @n_pictures of 512x272 macroblocks, the most that a level allows; the first one is an IDR picture. */
GBytes *crafted_hostile (CraftedKind kind, guint n_pictures);

G_END_DECLS
