/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsthugepages.h"
#include "h264motionmap.h"

/* Those of fields have room for a frame, so that any may become any. */
struct _H264MotionMapPool
{
  gint ref_count;
  GMutex lock;
  GPtrArray *idle; /* of H264MotionMap, all of one size; under the lock */
};

static void
map_free (gpointer data)
{
  H264MotionMap *map = data;

  for (guint plane = 0; plane < map->n_planes; plane++) {
    /* the others are in the same block */
    free (map->planes[plane]);
  }
  g_mutex_clear (&map->lock);
  g_cond_clear (&map->cond);
  g_free (map);
}

H264MotionMapPool *
h264_motion_map_pool_new (void)
{
  H264MotionMapPool *pool = g_new0 (H264MotionMapPool, 1);

  pool->ref_count = 1;
  g_mutex_init (&pool->lock);
  pool->idle = g_ptr_array_new_with_free_func (map_free);
  return pool;
}

void
h264_motion_map_pool_unref (H264MotionMapPool *pool)
{
  if (!g_atomic_int_dec_and_test (&pool->ref_count))
    return;
  g_ptr_array_unref (pool->idle);
  g_mutex_clear (&pool->lock);
  g_free (pool);
}

/* A block of memory for each plane; by alignment: H264MapMb, then guint16, then guint8 */
static gboolean
alloc_plane (H264MotionMap *map, guint plane)
{
  const gsize n_mbs = map->n_allocated;

  map->planes[plane] = gst_huge_pages_alloc (n_mbs * (sizeof (H264MapMb) + sizeof (guint16) + sizeof (guint8)));
  if (!map->planes[plane])
    return FALSE;
  map->still[plane] = (guint16 *) (map->planes[plane] + n_mbs);
  map->is_field[plane] = (guint8 *) (map->still[plane] + n_mbs);
  return TRUE;
}

/* (nullable) */
static H264MotionMap *
map_new (gsize n_mbs, guint n_planes)
{
  H264MotionMap *map = g_new0 (H264MotionMap, 1);

  map->n_allocated = n_mbs;
  map->n_planes = n_planes;
  g_mutex_init (&map->lock);
  g_cond_init (&map->cond);
  for (guint plane = 0; plane < n_planes; plane++)
    if (!alloc_plane (map, plane)) {
      map_free (map);
      return NULL;
    }
  return map;
}

H264MotionMap *
h264_motion_map_pool_take (H264MotionMapPool *pool, gsize n_mbs, gsize n_frame_mbs, guint n_planes)
{
  H264MotionMap *map = NULL;

  g_mutex_lock (&pool->lock);
  if (pool->idle->len > 0) {
    const H264MotionMap *first = g_ptr_array_index (pool->idle, 0);

    if (first->n_allocated != n_frame_mbs || first->n_planes != n_planes)
      g_ptr_array_set_size (pool->idle, 0);
    else
      map = g_ptr_array_steal_index_fast (pool->idle, pool->idle->len - 1);
  }
  g_mutex_unlock (&pool->lock);
  if (!map)
    map = map_new (n_frame_mbs, n_planes);
  if (!map)
    return NULL;
  g_atomic_int_inc (&pool->ref_count);
  map->pool = pool;
  map->n_mbs = n_mbs;
  map->ref_count = 1;
  map->complete = FALSE;
  return map;
}

H264MotionMap *
h264_motion_map_ref (H264MotionMap *map)
{
  g_atomic_int_inc (&map->ref_count);
  return map;
}

/* Maps of another size than those that are idle come from before a change of format, and go. */
void
h264_motion_map_unref (H264MotionMap *map)
{
  H264MotionMapPool *pool = map->pool;
  const H264MotionMap *other;

  if (!g_atomic_int_dec_and_test (&map->ref_count))
    return;
  g_mutex_lock (&pool->lock);
  other = pool->idle->len > 0 ? g_ptr_array_index (pool->idle, 0) : map;
  if (other->n_allocated == map->n_allocated && other->n_planes == map->n_planes)
    g_ptr_array_add (pool->idle, g_steal_pointer (&map));
  g_mutex_unlock (&pool->lock);
  if (map)
    map_free (map);
  h264_motion_map_pool_unref (pool);
}

void
h264_motion_map_complete (H264MotionMap *map)
{
  g_mutex_lock (&map->lock);
  map->complete = TRUE;
  g_cond_broadcast (&map->cond);
  g_mutex_unlock (&map->lock);
}

void
h264_motion_map_wait (H264MotionMap *map)
{
  g_mutex_lock (&map->lock);
  while (!map->complete)
    g_cond_wait (&map->cond, &map->lock);
  g_mutex_unlock (&map->lock);
}
