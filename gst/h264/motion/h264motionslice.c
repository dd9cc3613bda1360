/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264motionslice.h"

gint
h264_dist_scale_factor (gint32 poc, gint32 poc0, gint32 poc1, gboolean long_term)
{
  const gint tb = (gint) CLAMP ((gint64) poc - poc0, -128, 127), td = (gint) CLAMP ((gint64) poc1 - poc0, -128, 127);
  gint tx;

  if (long_term || td == 0)
    return H264_NO_SCALING;
  tx = (16384 + ABS (td / 2)) / td;
  return CLAMP ((tb * tx + 32) >> 6, -1024, 1023);
}

/* For temporal direct prediction, where refIdxL1 is 0 */
static void
set_scale_factors (H264MotionSlice *slice, const H264RefPic *current, gboolean mbaff)
{
  const H264RefPic *list0 = slice->lists.list[0], *list1 = slice->lists.list[1];

  for (guint i = 0; i < slice->lists.n[0]; i++)
    slice->dist_scale_factor[i] =
        h264_dist_scale_factor (h264_ref_pic_poc (current), h264_ref_pic_poc (&list0[i]), h264_ref_pic_poc (&list1[0]), list0[i].long_term);
  for (guint parity = 0; mbaff && parity < 2; parity++)
    for (guint i = 0; i < 2u * slice->lists.n[0]; i++)
      slice->field_dist_scale_factor[parity][i] = h264_dist_scale_factor (current->poc[parity], h264_ref_field_poc (list0, i, parity),
          h264_ref_field_poc (list1, 0, parity), list0[i >> 1].long_term);
}

void
h264_motion_slice_set_lists (H264MotionSlice *slice, const H264RefPic *current, gboolean mbaff)
{
  const gint64 poc = h264_ref_pic_poc (current);
  const H264RefPic *first = &slice->lists.list[1][0];

  for (guint list = 0; list < 2; list++) {
    slice->missing[list] = 0;
    for (guint i = 0; i < slice->lists.n[list]; i++) {
      slice->ref_ids[list][i] = H264_REF_PIC_ID (slice->lists.list[list][i].number, slice->lists.list[list][i].structure);
      slice->missing[list] |= (guint32) (slice->lists.list[list][i].missing != 0) << i;
    }
  }
  if (slice->lists.n[1] == 0)
    return;
  set_scale_factors (slice, current, mbaff);
  slice->colocated_parity = ABS (first->poc[0] - poc) < ABS (first->poc[1] - poc) ? 0 : 1;
}

gboolean
h264_motion_slice_has_colocated (const H264MotionSlice *slice)
{
  for (guint i = 0; i < 2; i++)
    if (slice->colocated[i] && !h264_motion_map_is_complete (slice->colocated[i]))
      return FALSE;
  return TRUE;
}

void
h264_motion_slice_clear_colocated (H264MotionSlice *slice)
{
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&slice->colocated[i], h264_motion_map_unref);
}
