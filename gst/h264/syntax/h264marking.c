/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264marking.h"

void
h264_marking_update_frame_num_wrap (H264Dpb *dpb, guint32 frame_num)
{
  for (guint i = 0; i < dpb->n_frames; i++) {
    H264DpbFrame *frame = &dpb->frames[i];

    frame->FrameNumWrap = (gint32) frame->FrameNum - (frame->FrameNum > frame_num ? (gint32) dpb->sps->MaxFrameNum : 0);
  }
}

H264DpbFrame *
h264_marking_find_short_term (H264Dpb *dpb, gint32 pic_num, guint current, guint *structure)
{
  for (guint i = 0; i < dpb->n_frames; i++) {
    H264DpbFrame *frame = &dpb->frames[i];

    /* one pass for a frame, one for each field otherwise */
    for (*structure = current == H264_FRAME ? H264_FRAME : H264_TOP_FIELD; *structure <= H264_FRAME; (*structure)++) {
      if (*structure == H264_FRAME && current != H264_FRAME)
        break;
      if ((frame->short_term & *structure) == *structure && h264_marking_pic_num (frame, *structure, current) == pic_num)
        return frame;
    }
  }
  return NULL;
}

H264DpbFrame *
h264_marking_find_long_term (H264Dpb *dpb, gint32 long_term_pic_num, guint current, guint *structure)
{
  for (guint i = 0; i < dpb->n_frames; i++) {
    H264DpbFrame *frame = &dpb->frames[i];

    for (*structure = current == H264_FRAME ? H264_FRAME : H264_TOP_FIELD; *structure <= H264_FRAME; (*structure)++) {
      if (*structure == H264_FRAME && current != H264_FRAME)
        break;
      if ((frame->long_term & *structure) == *structure && h264_marking_long_term_pic_num (frame, *structure, current) == long_term_pic_num)
        return frame;
    }
  }
  return NULL;
}

void
h264_marking_unmark_all (H264Dpb *dpb)
{
  for (guint i = 0; i < dpb->n_frames; i++)
    dpb->frames[i].short_term = dpb->frames[i].long_term = 0;
}

/* The short-term frame that the sliding window drops next, or NULL */
static H264DpbFrame *
find_oldest_short_term (H264Dpb *dpb)
{
  H264DpbFrame *oldest = NULL;

  for (guint i = 0; i < dpb->n_frames; i++) {
    H264DpbFrame *frame = &dpb->frames[i];

    if (frame != dpb->current && frame->short_term != 0 && (!oldest || frame->FrameNumWrap < oldest->FrameNumWrap))
      oldest = frame;
  }
  return oldest;
}

/* Reference frames but for the current one */
static guint
count_references (const H264Dpb *dpb)
{
  guint n = 0;

  for (guint i = 0; i < dpb->n_frames; i++)
    n += &dpb->frames[i] != dpb->current && (dpb->frames[i].short_term | dpb->frames[i].long_term) != 0;
  return n;
}

static void
drop_one_reference (H264Dpb *dpb)
{
  H264DpbFrame *frame = find_oldest_short_term (dpb);

  /* numShortTerm shall be above 0 (8.2.5.3); where all are long-term ones, the first goes */
  for (guint i = 0; !frame; i++) {
    if (&dpb->frames[i] != dpb->current && dpb->frames[i].long_term != 0)
      frame = &dpb->frames[i];
  }
  if (frame->short_term == 0)
    dpb->flags |= H264_DPB_TOO_MANY_REFERENCES;
  frame->short_term = frame->long_term = 0;
}

void
h264_marking_slide_window (H264Dpb *dpb)
{
  while (count_references (dpb) >= MAX (dpb->sps->max_num_ref_frames, 1))
    drop_one_reference (dpb);
}

/* Frees @LongTermFrameIdx, which @structure of @owner is about to get: whatever else has it is unmarked, its own other field excepted
 * (8.2.5.4.3, 8.2.5.4.6). */
static void
free_long_term_frame_idx (H264Dpb *dpb, guint32 LongTermFrameIdx, const H264DpbFrame *owner)
{
  for (guint i = 0; i < dpb->n_frames; i++) {
    H264DpbFrame *frame = &dpb->frames[i];

    if (frame != owner && frame->long_term != 0 && frame->LongTermFrameIdx == LongTermFrameIdx)
      frame->long_term = 0;
  }
}

static void
mark_long_term (H264Dpb *dpb, H264DpbFrame *frame, guint structure, guint32 LongTermFrameIdx)
{
  free_long_term_frame_idx (dpb, LongTermFrameIdx, frame);
  if (frame->LongTermFrameIdx != LongTermFrameIdx)
    frame->long_term = 0;
  /* encoders are known to assign an index without operation 4 before it, which has to allow for it (8.2.5.4.3, 8.2.5.4.6) */
  if (LongTermFrameIdx >= dpb->MaxLongTermFrameIdx_plus1 && dpb->strict)
    dpb->flags |= H264_DPB_BAD_MARKING;
  frame->short_term &= ~structure;
  frame->long_term |= structure;
  frame->LongTermFrameIdx = LongTermFrameIdx;
}

static void
run_operation (H264Dpb *dpb, const H264Mmco *mmco, const H264SliceHeader *sh)
{
  guint current = dpb->structure, structure;
  gint32 picNumX = (gint32) (sh->CurrPicNum - mmco->difference_of_pic_nums);
  H264DpbFrame *frame;

  switch (mmco->memory_management_control_operation) {
    case 1: /* a short-term picture becomes unused */
      if ((frame = h264_marking_find_short_term (dpb, picNumX, current, &structure)))
        frame->short_term &= ~structure;
      else
        dpb->flags |= H264_DPB_BAD_MARKING;
      break;
    case 2: /* a long-term picture becomes unused */
      if ((frame = h264_marking_find_long_term (dpb, mmco->long_term_pic_num, current, &structure)))
        frame->long_term &= ~structure;
      else
        dpb->flags |= H264_DPB_BAD_MARKING;
      break;
    case 3: /* a short-term picture becomes a long-term one */
      if ((frame = h264_marking_find_short_term (dpb, picNumX, current, &structure)))
        mark_long_term (dpb, frame, structure, mmco->long_term_frame_idx);
      else
        dpb->flags |= H264_DPB_BAD_MARKING;
      break;
    case 4: /* fewer long-term frame indices */
      dpb->MaxLongTermFrameIdx_plus1 = mmco->max_long_term_frame_idx_plus1;
      for (guint i = 0; i < dpb->n_frames; i++) {
        if (dpb->frames[i].LongTermFrameIdx >= dpb->MaxLongTermFrameIdx_plus1)
          dpb->frames[i].long_term = 0;
      }
      break;
    case 5: /* all become unused */
      h264_marking_unmark_all (dpb);
      dpb->MaxLongTermFrameIdx_plus1 = 0;
      break;
    default: /* 6: the current picture is a long-term one */
      mark_long_term (dpb, dpb->current, current, mmco->long_term_frame_idx);
      break;
  }
}

/* Operations may leave more references than the SPS allows; they would fill the buffer for ever. */
static void
enforce_max_num_ref_frames (H264Dpb *dpb)
{
  while (count_references (dpb) + 1 > MAX (dpb->sps->max_num_ref_frames, 1)) {
    dpb->flags |= H264_DPB_TOO_MANY_REFERENCES;
    drop_one_reference (dpb);
  }
}

/* IDR picture (8.2.5.1): the others are unmarked already */
static void
mark_idr (H264Dpb *dpb, const H264SliceHeader *sh)
{
  dpb->MaxLongTermFrameIdx_plus1 = sh->long_term_reference_flag;
  dpb->current->LongTermFrameIdx = 0;
  if (sh->long_term_reference_flag)
    dpb->current->long_term |= dpb->structure;
  else
    dpb->current->short_term |= dpb->structure;
}

gboolean
h264_marking_run (H264Dpb *dpb, const H264SliceHeader *sh)
{
  gboolean had_mmco5 = FALSE;

  if (sh->IdrPicFlag) {
    mark_idr (dpb, sh);
    return FALSE;
  }
  if (sh->adaptive_ref_pic_marking_mode_flag) {
    for (guint i = 0; i < sh->n_mmco; i++) {
      run_operation (dpb, &sh->mmco[i], sh);
      had_mmco5 |= sh->mmco[i].memory_management_control_operation == 5;
    }
    enforce_max_num_ref_frames (dpb);
  } else if ((dpb->current->short_term | dpb->current->long_term) == 0) {
    /* the second field of a reference frame takes no room of its own */
    h264_marking_slide_window (dpb);
  }
  if (!(dpb->current->long_term & dpb->structure))
    dpb->current->short_term |= dpb->structure;
  return had_mmco5;
}
