/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the derivation of motion needs of a P or B slice.
 */
#pragma once

#include "h264mbmotion.h"
#include "h264motionmap.h"
#include "h264reflists.h"

G_BEGIN_DECLS

/**
 * H264MotionSlice:
 * @lists: RefPicList0, RefPicList1
 * @ref_ids: the same as H264RefPicId, without those of refIdx beyond the lists' ends
 * @missing: bit refIdx: the picture is not there
 * @mvds: vector differences
 * @colocated: (nullable): motion of RefPicList1[0], complete when the pass runs: of a frame or a top field, and of a bottom field; both
 *   where it is a complementary field pair.  Of P slices that of RefPicList0[0], complete where macroblocks are concealed
 * @colocated_parity: of a pair, the field that frame macroblocks take (8.4.1.2.1): the nearer one
 * @colocated_is_short_term: RefPicList1[0] is a short-term reference
 * @direct_spatial: direct_spatial_mv_pred_flag
 * @is_b: a B slice
 * @dist_scale_factor: DistScaleFactor by refIdxL0, for temporal direct prediction; H264_NO_SCALING where the vector is taken as it is
 * @field_dist_scale_factor: of MBAFF frames: the same for field macroblocks, by parity and refIdxL0
 * @missing_used: set where a macroblock refers to a picture that is not there
 *
 * What the derivation needs of a P or B slice.
 */
typedef struct
{
  H264RefLists lists;
  H264RefPicId ref_ids[2][32];
  guint32 missing[2];
  const H264Mvd *mvds;
  H264MotionMap *colocated[2];
  guint colocated_parity;
  gboolean colocated_is_short_term;
  gboolean direct_spatial;
  gboolean is_b;
  gint dist_scale_factor[32];
  gint field_dist_scale_factor[2][64];
  gboolean missing_used;
} H264MotionSlice;

#define H264_NO_SCALING G_MAXINT

/* Fills in ref_ids, missing, the scale factors and colocated_parity from the lists; @current: what the slice's picture would be in a
 * list. */
void h264_motion_slice_set_lists (H264MotionSlice *slice, const H264RefPic *current, gboolean mbaff);

/* Whether the motion that the slice needs of another picture is there; drops it. */
gboolean h264_motion_slice_has_colocated (const H264MotionSlice *slice);
void h264_motion_slice_clear_colocated (H264MotionSlice *slice);

/* DistScaleFactor (8.4.1.2.3) of the pictures with these POCs; H264_NO_SCALING where pic0 is @long_term, and for equal POCs */
gint h264_dist_scale_factor (gint32 poc, gint32 poc0, gint32 poc1, gboolean long_term);

/* POC of a reference */
static inline gint32
h264_ref_pic_poc (const H264RefPic *pic)
{
  return pic->structure == H264_FRAME ? MIN (pic->poc[0], pic->poc[1]) : pic->poc[pic->structure == H264_BOTTOM_FIELD];
}

/* POC of what @refIdx means to a field macroblock of an MBAFF frame, of @parity: the fields of the list's frames in turns, that of the same
 * parity first (8.4.2.1) */
static inline gint32
h264_ref_field_poc (const H264RefPic *list, guint refIdx, guint parity)
{
  return list[refIdx >> 1].poc[parity ^ (refIdx & 1)];
}

G_END_DECLS
