/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264motionfield.h"

H264MotionField *
h264_motion_field_new (gsize n_mbs, guint n_planes)
{
  H264MotionField *field = g_new0 (H264MotionField, 1);
  guint plane, list;

  field->n_mbs = n_mbs;
  field->n_planes = n_planes;
  field->ref_count = 1;
  g_mutex_init (&field->lock);
  g_cond_init (&field->cond);
  for (plane = 0; plane < n_planes; plane++)
    for (list = 0; list < 2; list++) {
      field->planes[plane].mv[list] = g_malloc_n (n_mbs, 16 * sizeof (gint16[2]));
      field->planes[plane].ref_idx[list] = g_malloc_n (n_mbs, 4);
      field->planes[plane].ref_pic[list] = g_malloc_n (n_mbs, 4 * sizeof (H264RefPicId));
    }
  return field;
}

H264MotionField *
h264_motion_field_ref (H264MotionField * field)
{
  g_atomic_int_inc (&field->ref_count);
  return field;
}

void
h264_motion_field_unref (H264MotionField * field)
{
  guint plane, list;

  if (!g_atomic_int_dec_and_test (&field->ref_count))
    return;
  for (plane = 0; plane < field->n_planes; plane++)
    for (list = 0; list < 2; list++) {
      g_free (field->planes[plane].mv[list]);
      g_free (field->planes[plane].ref_idx[list]);
      g_free (field->planes[plane].ref_pic[list]);
    }
  g_mutex_clear (&field->lock);
  g_cond_clear (&field->cond);
  g_free (field);
}

void
h264_motion_field_complete (H264MotionField * field)
{
  g_mutex_lock (&field->lock);
  field->complete = TRUE;
  g_cond_broadcast (&field->cond);
  g_mutex_unlock (&field->lock);
}

void
h264_motion_field_wait (H264MotionField * field)
{
  g_mutex_lock (&field->lock);
  while (!field->complete)
    g_cond_wait (&field->cond, &field->lock);
  g_mutex_unlock (&field->lock);
}
