/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Decoding process for reference picture lists construction (8.2.4).
 */
#pragma once

#include "h264dpb.h"

G_BEGIN_DECLS

/**
 * H264RefPic:
 * @number: of its frame; H264_NO_FRAME where there is none at all
 * @structure: H264_FRAME, or the field
 * @long_term: "used for long-term reference"
 * @missing: the stream means a picture that is not there; @number is the nearest one that is, to conceal with
 * @poc: TopFieldOrderCnt, BottomFieldOrderCnt
 *
 * Two entries with equal number and structure are the same picture.
 */
typedef struct
{
  guint32 number;
  guint8 structure;
  gboolean long_term;
  gboolean missing;
  gint32 poc[2];
} H264RefPic;

/* RefPicList0 and RefPicList1; n is num_ref_idx_active of each */
typedef struct
{
  H264RefPic list[2][32];
  guint8 n[2];
} H264RefLists;

/* The lists of slice @sh of the picture begun.  FALSE where a modification names a picture that is not there.  A list may have missing
 * entries in a sound stream: it is damaged where a macroblock refers to one. */
gboolean h264_dpb_get_ref_lists (H264Dpb *dpb, const H264SliceHeader *sh, H264RefLists *lists);

G_END_DECLS
