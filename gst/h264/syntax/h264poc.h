/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Decoding process for picture order count (8.2.1).
 */
#pragma once

#include "h264sliceheader.h"

G_BEGIN_DECLS

/* A structure of pictures: a set of fields.  Bit 0 is the top field, bit 1 the bottom field. */
enum
{
  H264_TOP_FIELD = 1,
  H264_BOTTOM_FIELD = 2,
  H264_FRAME = 3,
};

static inline guint
h264_slice_structure (const H264SliceHeader *sh)
{
  return !sh->field_pic_flag ? H264_FRAME : sh->bottom_field_flag ? H264_BOTTOM_FIELD : H264_TOP_FIELD;
}

/**
 * H264PocState:
 * @prevPicOrderCntMsb, @prevPicOrderCntLsb: of the previous reference picture (type 0)
 * @prevFrameNum, @prevFrameNumOffset: of the previous picture (types 1 and 2)
 * @PicOrderCntMsb, @FrameNumOffset: of the picture computed last
 *
 * Sums wrap in 32 bits, whatever the stream holds.
 */
typedef struct
{
  gint32 prevPicOrderCntMsb, prevPicOrderCntLsb;
  guint32 prevFrameNum;
  guint32 prevFrameNumOffset;
  gint32 PicOrderCntMsb;
  guint32 FrameNumOffset;
} H264PocState;

/* Gives TopFieldOrderCnt and BottomFieldOrderCnt of those fields that the picture of @sh has; poc[] of the other field is left alone. */
void h264_poc_compute (H264PocState *state, const H264SliceHeader *sh, gint32 poc[2]);

/* The same for a frame inferred in a gap of frame_num (8.2.5.2), of a stream with pic_order_cnt_type 1 or 2; type 0 gives it none. */
void h264_poc_compute_inferred (H264PocState *state, const H264Sps *sps, guint32 frame_num, gint32 poc[2]);

/* To be called when the picture of @sh is over.  @had_mmco5: with memory_management_control_operation 5; @poc is then the one after it
 * (8.2.1). */
void h264_poc_picture_done (H264PocState *state, const H264SliceHeader *sh, gboolean had_mmco5, const gint32 poc[2]);

G_END_DECLS
