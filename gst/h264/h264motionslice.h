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
 * @colocated: (nullable): motion of RefPicList1[0], complete when the pass runs
 * @colocated_is_short_term: RefPicList1[0] is a short-term reference
 * @direct_spatial: direct_spatial_mv_pred_flag
 * @is_b: a B slice
 * @dist_scale_factor: DistScaleFactor by refIdxL0, for temporal direct prediction; H264_NO_SCALING where the vector is taken as it is
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
  H264MotionMap *colocated;
  gboolean colocated_is_short_term;
  gboolean direct_spatial;
  gboolean is_b;
  gint dist_scale_factor[32];
  gboolean missing_used;
} H264MotionSlice;

#define H264_NO_SCALING G_MAXINT

/* Fills in ref_ids, missing and dist_scale_factor from the lists; @poc: PicOrderCnt of the current picture. */
void h264_motion_slice_set_lists (H264MotionSlice *slice, gint32 poc);

/* DistScaleFactor (8.4.1.2.3); H264_NO_SCALING for long-term pictures and equal POCs */
gint h264_dist_scale_factor (gint32 poc, const H264RefPic *pic0, const H264RefPic *pic1);

/* POC of a reference */
static inline gint32
h264_ref_pic_poc (const H264RefPic *pic)
{
  return pic->structure == H264_FRAME ? MIN (pic->poc[0], pic->poc[1]) : pic->poc[pic->structure == H264_BOTTOM_FIELD];
}

G_END_DECLS
