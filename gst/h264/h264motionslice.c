/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264motionslice.h"

gint
h264_dist_scale_factor (gint32 poc, const H264RefPic *pic0, const H264RefPic *pic1)
{
  const gint64 poc0 = h264_ref_pic_poc (pic0), poc1 = h264_ref_pic_poc (pic1);
  const gint tb = (gint) CLAMP (poc - poc0, -128, 127), td = (gint) CLAMP (poc1 - poc0, -128, 127);
  gint tx;

  if (pic0->long_term || td == 0)
    return H264_NO_SCALING;
  tx = (16384 + ABS (td / 2)) / td;
  return CLAMP ((tb * tx + 32) >> 6, -1024, 1023);
}

void
h264_motion_slice_set_lists (H264MotionSlice *slice, gint32 poc)
{
  for (guint list = 0; list < 2; list++) {
    slice->missing[list] = 0;
    for (guint i = 0; i < slice->lists.n[list]; i++) {
      slice->ref_ids[list][i] = H264_REF_PIC_ID (slice->lists.list[list][i].number, slice->lists.list[list][i].structure);
      slice->missing[list] |= (guint32) (slice->lists.list[list][i].missing != 0) << i;
    }
  }
  for (guint i = 0; i < slice->lists.n[0]; i++)
    slice->dist_scale_factor[i] =
        slice->lists.n[1] > 0 ? h264_dist_scale_factor (poc, &slice->lists.list[0][i], &slice->lists.list[1][0]) : H264_NO_SCALING;
}
