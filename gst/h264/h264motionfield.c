/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsthugepages.h"
#include "h264motionfield.h"

struct _H264MotionFieldPool
{
  gint ref_count;
  GMutex lock;
  GPtrArray *idle;              /* of H264MotionField, all of one size; under the lock */
};

static void
field_free (gpointer data)
{
  H264MotionField *field = data;
  guint plane;

  for (plane = 0; plane < field->n_planes; plane++) {
    free (field->planes[plane]);
    g_free (field->still[plane]);
  }
  g_mutex_clear (&field->lock);
  g_cond_clear (&field->cond);
  g_free (field);
}

H264MotionFieldPool *
h264_motion_field_pool_new (void)
{
  H264MotionFieldPool *pool = g_new0 (H264MotionFieldPool, 1);

  pool->ref_count = 1;
  g_mutex_init (&pool->lock);
  pool->idle = g_ptr_array_new_with_free_func (field_free);
  return pool;
}

void
h264_motion_field_pool_unref (H264MotionFieldPool *pool)
{
  if (!g_atomic_int_dec_and_test (&pool->ref_count))
    return;
  g_ptr_array_unref (pool->idle);
  g_mutex_clear (&pool->lock);
  g_free (pool);
}

static H264MotionField *
field_new (gsize n_mbs, guint n_planes)
{
  H264MotionField *field = g_new0 (H264MotionField, 1);
  guint plane;

  field->n_mbs = n_mbs;
  field->n_planes = n_planes;
  g_mutex_init (&field->lock);
  g_cond_init (&field->cond);
  for (plane = 0; plane < n_planes; plane++) {
    field->planes[plane] = gst_huge_pages_alloc (n_mbs * sizeof (H264MbField));
    if (field->planes[plane] == NULL)
      g_error ("no memory for the motion of %" G_GSIZE_FORMAT " macroblocks", n_mbs);
    field->still[plane] = g_new (guint16, n_mbs);
  }
  return field;
}

H264MotionField *
h264_motion_field_pool_take (H264MotionFieldPool *pool, gsize n_mbs, guint n_planes)
{
  H264MotionField *field = NULL;

  g_mutex_lock (&pool->lock);
  if (pool->idle->len > 0) {
    const H264MotionField *first = g_ptr_array_index (pool->idle, 0);

    if (first->n_mbs != n_mbs || first->n_planes != n_planes)
      g_ptr_array_set_size (pool->idle, 0);
    else
      field = g_ptr_array_steal_index_fast (pool->idle, pool->idle->len - 1);
  }
  g_mutex_unlock (&pool->lock);
  if (field == NULL)
    field = field_new (n_mbs, n_planes);
  g_atomic_int_inc (&pool->ref_count);
  field->pool = pool;
  field->ref_count = 1;
  field->complete = FALSE;
  return field;
}

H264MotionField *
h264_motion_field_ref (H264MotionField *field)
{
  g_atomic_int_inc (&field->ref_count);
  return field;
}

/* Fields of another size than those that are idle come from before a change of format, and go. */
void
h264_motion_field_unref (H264MotionField *field)
{
  H264MotionFieldPool *pool = field->pool;
  const H264MotionField *other;

  if (!g_atomic_int_dec_and_test (&field->ref_count))
    return;
  g_mutex_lock (&pool->lock);
  other = pool->idle->len > 0 ? g_ptr_array_index (pool->idle, 0) : field;
  if (other->n_mbs == field->n_mbs && other->n_planes == field->n_planes)
    g_ptr_array_add (pool->idle, g_steal_pointer (&field));
  g_mutex_unlock (&pool->lock);
  if (field != NULL)
    field_free (field);
  h264_motion_field_pool_unref (pool);
}

void
h264_motion_field_complete (H264MotionField *field)
{
  g_mutex_lock (&field->lock);
  field->complete = TRUE;
  g_cond_broadcast (&field->cond);
  g_mutex_unlock (&field->lock);
}

void
h264_motion_field_wait (H264MotionField *field)
{
  g_mutex_lock (&field->lock);
  while (!field->complete)
    g_cond_wait (&field->cond, &field->lock);
  g_mutex_unlock (&field->lock);
}
