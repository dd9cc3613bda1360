/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264poc.h"

/* 32-bit sum that wraps */
static gint32
add (gint32 a, gint32 b)
{
  return (gint32) ((guint32) a + (guint32) b);
}

/* 8.2.1.1 */
static void
compute_type_0 (H264PocState *state, const H264SliceHeader *sh, gint32 poc[2])
{
  const gint32 MaxPicOrderCntLsb = 1 << sh->pps->sps->log2_max_pic_order_cnt_lsb;
  const gint32 lsb = sh->pic_order_cnt_lsb;
  gint32 msb, prevMsb = state->prevPicOrderCntMsb;
  /* any TopFieldOrderCnt, behind memory_management_control_operation 5 */
  gint64 prevLsb = state->prevPicOrderCntLsb;

  if (sh->IdrPicFlag)
    prevLsb = prevMsb = 0;
  if (lsb < prevLsb && prevLsb - lsb >= MaxPicOrderCntLsb / 2)
    msb = add (prevMsb, MaxPicOrderCntLsb);
  else if (lsb > prevLsb && lsb - prevLsb > MaxPicOrderCntLsb / 2)
    msb = add (prevMsb, -MaxPicOrderCntLsb);
  else
    msb = prevMsb;
  state->PicOrderCntMsb = msb;
  if (!sh->field_pic_flag) {
    poc[0] = add (msb, lsb);
    poc[1] = add (poc[0], sh->delta_pic_order_cnt_bottom);
  } else {
    poc[sh->bottom_field_flag] = add (msb, lsb);
  }
}

static void
compute_frame_num_offset (H264PocState *state, gboolean IdrPicFlag, guint32 frame_num, guint32 MaxFrameNum)
{
  if (IdrPicFlag)
    state->FrameNumOffset = 0;
  else
    state->FrameNumOffset = state->prevFrameNumOffset + (state->prevFrameNum > frame_num ? MaxFrameNum : 0);
}

/* expectedPicOrderCnt (8.2.1.2) */
static gint32
compute_expected (const H264PocState *state, const H264Sps *sps, guint32 frame_num, gboolean is_reference)
{
  guint n = sps->num_ref_frames_in_pic_order_cnt_cycle;
  guint32 absFrameNum = n != 0 ? state->FrameNumOffset + frame_num : 0, expected = 0, ExpectedDeltaPerPicOrderCntCycle = 0;

  if (!is_reference && absFrameNum > 0)
    absFrameNum--;
  if (absFrameNum > 0) {
    guint32 picOrderCntCycleCnt = (absFrameNum - 1) / n, frameNumInPicOrderCntCycle = (absFrameNum - 1) % n;

    for (guint i = 0; i < n; i++) {
      ExpectedDeltaPerPicOrderCntCycle += (guint32) sps->offset_for_ref_frame[i];
      if (i <= frameNumInPicOrderCntCycle)
        expected += (guint32) sps->offset_for_ref_frame[i];
    }
    expected += picOrderCntCycleCnt * ExpectedDeltaPerPicOrderCntCycle;
  }
  if (!is_reference)
    expected += (guint32) sps->offset_for_non_ref_pic;
  return (gint32) expected;
}

/* 8.2.1.2 */
static void
compute_type_1 (H264PocState *state, const H264SliceHeader *sh, gint32 poc[2])
{
  const H264Sps *sps = sh->pps->sps;
  gint32 expected = compute_expected (state, sps, sh->frame_num, sh->nal_ref_idc != 0);

  if (!sh->field_pic_flag) {
    poc[0] = add (expected, sh->delta_pic_order_cnt[0]);
    poc[1] = add (add (poc[0], sps->offset_for_top_to_bottom_field), sh->delta_pic_order_cnt[1]);
  } else if (!sh->bottom_field_flag) {
    poc[0] = add (expected, sh->delta_pic_order_cnt[0]);
  } else {
    poc[1] = add (add (expected, sps->offset_for_top_to_bottom_field), sh->delta_pic_order_cnt[0]);
  }
}

/* 8.2.1.3 */
static gint32
compute_type_2 (const H264PocState *state, guint32 frame_num, gboolean is_reference)
{
  return (gint32) (2 * (state->FrameNumOffset + frame_num) - !is_reference);
}

void
h264_poc_compute (H264PocState *state, const H264SliceHeader *sh, gint32 poc[2])
{
  const H264Sps *sps = sh->pps->sps;

  compute_frame_num_offset (state, sh->IdrPicFlag, sh->frame_num, sps->MaxFrameNum);
  if (sps->pic_order_cnt_type == 0) {
    compute_type_0 (state, sh, poc);
  } else if (sps->pic_order_cnt_type == 1) {
    compute_type_1 (state, sh, poc);
  } else {
    gint32 tempPicOrderCnt = sh->IdrPicFlag ? 0 : compute_type_2 (state, sh->frame_num, sh->nal_ref_idc != 0);

    for (guint i = 0; i < 2; i++) {
      if (h264_slice_structure (sh) & 1 << i)
        poc[i] = tempPicOrderCnt;
    }
  }
}

void
h264_poc_compute_inferred (H264PocState *state, const H264Sps *sps, guint32 frame_num, gint32 poc[2])
{
  compute_frame_num_offset (state, FALSE, frame_num, sps->MaxFrameNum);
  if (sps->pic_order_cnt_type == 1) {
    poc[0] = compute_expected (state, sps, frame_num, TRUE);
    poc[1] = add (poc[0], sps->offset_for_top_to_bottom_field);
  } else {
    poc[0] = poc[1] = sps->pic_order_cnt_type == 2 ? compute_type_2 (state, frame_num, TRUE) : 0;
  }
  state->prevFrameNum = frame_num;
  state->prevFrameNumOffset = state->FrameNumOffset;
}

void
h264_poc_picture_done (H264PocState *state, const H264SliceHeader *sh, gboolean had_mmco5, const gint32 poc[2])
{
  state->prevFrameNum = had_mmco5 ? 0 : sh->frame_num;
  state->prevFrameNumOffset = had_mmco5 ? 0 : state->FrameNumOffset;
  if (sh->nal_ref_idc == 0)
    return;
  if (had_mmco5) {
    state->prevPicOrderCntMsb = 0;
    state->prevPicOrderCntLsb = sh->bottom_field_flag ? 0 : poc[0];
  } else {
    state->prevPicOrderCntMsb = state->PicOrderCntMsb;
    state->prevPicOrderCntLsb = sh->pic_order_cnt_lsb;
  }
}
