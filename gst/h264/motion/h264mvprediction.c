/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Luma motion vector prediction (ITU-T H.264, 8.4.1.1, 8.4.1.3).
 */
#include "h264mvprediction.h"

#define CACHE H264_CACHE

/* Decoding order of the 4x4 blocks (6.4.3), by y * 4 + x */
static const guint8 z_order[16] = { 0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15 };

/* Whether the block above and to the right of a partition is decoded before it (6.4.11.7); outside the macroblock the cache tells. */
static inline gboolean
c_may_be_available (guint x, guint y, guint width)
{
  if (y == 0)
    return TRUE;
  return x + width < 4 && z_order[(y - 1) * 4 + x + width] < z_order[y * 4 + x];
}

/* Place of neighbour C in the cache, or of D, which stands in for it */
static guint
find_c (const H264MotionCache *cache, guint list, guint x, guint y, guint width)
{
  const guint c = CACHE (x + width, (gint) y - 1);

  if (c_may_be_available (x, y, width) && cache->ref_idx[list][c] != H264_REF_UNAVAILABLE)
    return c;
  return CACHE (x > 0 ? (gint) x - 1 : cache->d_column, (gint) y - 1);
}

void
h264_mv_find_neighbours (const H264MotionCache *cache, guint list, guint x, guint y, guint width, H264MvNeighbours *neighbours)
{
  const guint at[3] = { CACHE ((gint) x - 1, (gint) y), CACHE (x, (gint) y - 1), find_c (cache, list, x, y, width) };

  for (guint i = 0; i < 3; i++) {
    neighbours->ref_idx[i] = cache->ref_idx[list][at[i]];
    neighbours->mv[i] = cache->mv[list][at[i]];
  }
}

H264Mv
h264_mv_predict_partition (const H264MotionCache *cache, guint list, guint shape, guint part, gint ref_idx)
{
  H264MvNeighbours neighbours;
  guint preferred;

  if (shape == H264_SHAPE_16x8) {
    h264_mv_find_neighbours (cache, list, 0, part * 2, 4, &neighbours);
    preferred = part == 0 ? 1 : 0; /* B, A */
  } else {
    h264_mv_find_neighbours (cache, list, part * 2, 0, 2, &neighbours);
    preferred = part == 0 ? 0 : 2; /* A, C */
  }
  return neighbours.ref_idx[preferred] == ref_idx ? neighbours.mv[preferred] : h264_mv_predict (&neighbours, ref_idx);
}
