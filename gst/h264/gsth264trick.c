/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264trick.h"

void
gst_h264_trick_reset (GstH264Trick *trick)
{
  g_clear_pointer (&trick->last.pps, h264_pps_unref);
  trick->choice = GST_H264_TRICK_DECODE;
  trick->has_both_fields = FALSE;
}

static GstH264TrickChoice
choose (GstSegmentFlags flags, const H264SliceHeader *sh, gboolean is_delta)
{
  const gboolean is_intra = h264_slice_type_is_intra (sh->slice_type);

  if (sh->IdrPicFlag)
    return GST_H264_TRICK_DECODE;
  if (flags & GST_SEGMENT_FLAG_TRICKMODE_KEY_UNITS)
    return is_intra && !is_delta ? GST_H264_TRICK_DECODE : GST_H264_TRICK_LEAVE_OUT;
  if ((flags & GST_SEGMENT_FLAG_TRICKMODE) && !is_intra && sh->nal_ref_idc == 0)
    return GST_H264_TRICK_LEAVE_OUT;
  if ((flags & GST_SEGMENT_FLAG_TRICKMODE_FORWARD_PREDICTED) && sh->slice_type == H264_SLICE_B)
    return sh->nal_ref_idc == 0 ? GST_H264_TRICK_LEAVE_OUT : GST_H264_TRICK_HIDE;
  return GST_H264_TRICK_DECODE;
}

/* Whether @sh is of the second field of the frame that came last: it goes with the first */
static gboolean
is_second_field (const GstH264Trick *trick, const H264SliceHeader *sh)
{
  return !trick->has_both_fields && sh->field_pic_flag && trick->last.field_pic_flag
      && sh->bottom_field_flag != trick->last.bottom_field_flag && sh->frame_num == trick->last.frame_num
      && sh->pps->sps == trick->last.pps->sps;
}

static void
begin_picture (GstH264Trick *trick, const H264SliceHeader *sh)
{
  h264_pps_ref (sh->pps);
  g_clear_pointer (&trick->last.pps, h264_pps_unref);
  trick->last = *sh;
}

GstH264TrickChoice
gst_h264_trick_choose (GstH264Trick *trick, const H264SliceHeader *sh, gboolean is_delta, gboolean *begins_key)
{
  const GstSegmentFlags flags = g_atomic_int_get (&trick->flags);

  *begins_key = FALSE;
  if (flags == 0) {
    gst_h264_trick_reset (trick);
    return GST_H264_TRICK_DECODE;
  }
  if (trick->last.pps && trick->last.pps->sps == sh->pps->sps && !h264_slice_begins_picture (&trick->last, sh))
    return trick->choice;
  if (trick->last.pps && is_second_field (trick, sh)) {
    begin_picture (trick, sh);
    trick->has_both_fields = TRUE;
    return trick->choice;
  }
  begin_picture (trick, sh);
  trick->has_both_fields = FALSE;
  trick->choice = choose (flags, sh, is_delta);
  trick->left_out |= trick->choice == GST_H264_TRICK_LEAVE_OUT;
  *begins_key = (flags & GST_SEGMENT_FLAG_TRICKMODE_KEY_UNITS) && trick->choice == GST_H264_TRICK_DECODE;
  return trick->choice;
}

gboolean
gst_h264_trick_allows_gaps (const GstH264Trick *trick)
{
  return (g_atomic_int_get (&trick->flags) & GST_SEGMENT_FLAG_TRICKMODE_FORWARD_PREDICTED) != 0;
}
