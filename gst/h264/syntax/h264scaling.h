/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Scaling lists (7.3.2.1.1.1, 7.4.2.1.1.1, 8.5.9).
 */
#pragma once

#include <glib.h>
#include "h264bits.h"

G_BEGIN_DECLS

/**
 * H264ScalingLists:
 * @list_4x4: ScalingList4x4: Intra Y, Cb, Cr, Inter Y, Cb, Cr
 * @list_8x8: ScalingList8x8: Intra Y, Inter Y, Intra Cb, Inter Cb, Intra Cr, Inter Cr
 *
 * The lists in the order of the bitstream, that is along the zig-zag scan.
 */
typedef struct
{
  guint8 list_4x4[6][16];
  guint8 list_8x8[6][64];
} H264ScalingLists;

/* weightScale: the lists as matrices, transposed: the entry of column x and row y is number x * n + y. */
typedef struct
{
  guint8 weight_scale_4x4[6][16];
  guint8 weight_scale_8x8[6][64];
} H264WeightScales;

/* Reads the flags and lists of a parameter set.  @n_8x8: how many 8x8 lists it may carry (0, 2 or 6).  A list that is not transmitted falls
 * back to
 * @fall_back, which is the sequence's lists (fall-back rule set B) or NULL for the default ones (rule set A, Table 7-2), or to the list
 * before it of the same kind. */
void h264_scaling_lists_parse (H264ScalingLists *lists, H264Bits *bits, guint n_8x8, const H264ScalingLists *fall_back);

void h264_weight_scales_set (H264WeightScales *scales, const H264ScalingLists *lists);

G_END_DECLS
