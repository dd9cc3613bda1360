/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Decoded reference picture marking process (8.2.5), on the frames of a DPB.
 */
#pragma once

#include "h264dpbframes.h"

G_BEGIN_DECLS

/* FrameNumWrap of all short-term frames, as seen from frame_num (8-27) */
void h264_marking_update_frame_num_wrap (H264Dpb *dpb, guint32 frame_num);

/* PicNum and LongTermPicNum of a field or frame @structure as seen from a picture of structure @current (8.2.4.1) */
static inline gint32
h264_marking_pic_num (const H264DpbFrame *frame, guint structure, guint current)
{
  return current == H264_FRAME ? frame->FrameNumWrap : 2 * frame->FrameNumWrap + (structure == current);
}

static inline gint32
h264_marking_long_term_pic_num (const H264DpbFrame *frame, guint structure, guint current)
{
  return (gint32) (current == H264_FRAME ? frame->LongTermFrameIdx : 2 * frame->LongTermFrameIdx + (structure == current));
}

/* (nullable): the frame with the picture that @pic_num names (short-term), or LongTermPicNum, and in @structure the picture's fields: both
 * for a frame, one for a field.  @current is the structure of the picture that asks. */
H264DpbFrame *h264_marking_find_short_term (H264Dpb *dpb, gint32 pic_num, guint current, guint *structure);
H264DpbFrame *h264_marking_find_long_term (H264Dpb *dpb, gint32 long_term_pic_num, guint current, guint *structure);

void h264_marking_unmark_all (H264Dpb *dpb);

/* Sliding window (8.2.5.3), for a current frame, or first field, that is not marked yet */
void h264_marking_slide_window (H264Dpb *dpb);

/* Marks the current picture and others as @sh says (8.2.5.1); sets dpb->flags where it cannot.  Returns whether
 * operation 5 was among them. */
gboolean h264_marking_run (H264Dpb *dpb, const H264SliceHeader *sh);

G_END_DECLS
