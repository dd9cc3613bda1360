/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsthugepages.h"
#include "h264motionmap.h"

/* Blocks of fields have room for a frame, so that any may become any. */
struct _H264MotionMapPool
{
  gint ref_count;
  GMutex lock;
  GPtrArray *idle; /* blocks, all of @block_size bytes; under the lock */
  gsize block_size;
};

H264MotionMapPool *
h264_motion_map_pool_new (void)
{
  H264MotionMapPool *pool = g_new0 (H264MotionMapPool, 1);

  pool->ref_count = 1;
  g_mutex_init (&pool->lock);
  pool->idle = g_ptr_array_new_with_free_func (gst_huge_pages_free);
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

/* (nullable) */
static gpointer
take_block (H264MotionMapPool *pool, gsize size)
{
  gpointer block = NULL;

  g_mutex_lock (&pool->lock);
  if (pool->block_size != size) {
    /* those from before a change of format */
    g_ptr_array_set_size (pool->idle, 0);
    pool->block_size = size;
  }
  if (pool->idle->len > 0)
    block = g_ptr_array_steal_index_fast (pool->idle, pool->idle->len - 1);
  g_mutex_unlock (&pool->lock);
  return block ? block : gst_huge_pages_alloc (size);
}

static void
give_block_back (H264MotionMapPool *pool, gpointer block, gsize size)
{
  g_mutex_lock (&pool->lock);
  if (pool->block_size == size)
    g_ptr_array_add (pool->idle, g_steal_pointer (&block));
  g_mutex_unlock (&pool->lock);
  gst_huge_pages_free (block);
}

H264MotionMap *
h264_motion_map_new (H264MotionMapPool *pool, gsize n_mbs, gsize n_frame_mbs, guint n_planes)
{
  H264MotionMap *map = g_new0 (H264MotionMap, 1);

  g_atomic_int_inc (&pool->ref_count);
  map->pool = pool;
  map->n_mbs = n_mbs;
  map->n_frame_mbs = n_frame_mbs;
  map->n_planes = n_planes;
  map->all_intra = TRUE;
  map->ref_count = 1;
  atomic_init (&map->complete, FALSE);
  return map;
}

/* By alignment: of each plane H264MapMb, then guint16, then guint8 */
static gsize
plane_size (const H264MotionMap *map)
{
  const gsize size = map->n_frame_mbs * (sizeof (H264MapMb) + sizeof (guint16) + sizeof (guint8));

  return (size + 63) & ~(gsize) 63;
}

gboolean
h264_motion_map_reserve (H264MotionMap *map)
{
  guint8 *block = take_block (map->pool, plane_size (map) * map->n_planes);

  if (!block)
    return FALSE;
  map->block = block;
  map->all_intra = FALSE;
  for (guint plane = 0; plane < map->n_planes; plane++) {
    map->planes[plane] = (H264MapMb *) (gpointer) (block + plane * plane_size (map));
    map->still[plane] = (guint16 *) (map->planes[plane] + map->n_frame_mbs);
    map->is_field[plane] = (guint8 *) (map->still[plane] + map->n_frame_mbs);
  }
  return TRUE;
}

H264MotionMap *
h264_motion_map_ref (H264MotionMap *map)
{
  g_atomic_int_inc (&map->ref_count);
  return map;
}

void
h264_motion_map_unref (H264MotionMap *map)
{
  if (!g_atomic_int_dec_and_test (&map->ref_count))
    return;
  if (map->block)
    give_block_back (map->pool, map->block, plane_size (map) * map->n_planes);
  h264_motion_map_pool_unref (map->pool);
  g_free (map);
}

void
h264_motion_map_complete (H264MotionMap *map)
{
  atomic_store_explicit (&map->complete, TRUE, memory_order_release);
}

gboolean
h264_motion_map_is_complete (H264MotionMap *map)
{
  return atomic_load_explicit (&map->complete, memory_order_acquire);
}
