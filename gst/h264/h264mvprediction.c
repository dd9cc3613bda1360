/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Luma motion vector prediction (ITU-T H.264, 8.4.1.1, 8.4.1.3).
 */
#include "h264motion.h"

#define CACHE(x, y) (((y) + 1) * 8 + (x) + 4)

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
static inline guint
find_c (const H264MotionCache * cache, guint list, guint x, guint y, guint width)
{
  const guint c = CACHE (x + width, (gint) y - 1);

  if (c_may_be_available (x, y, width) && cache->ref_idx[list][c] != H264_REF_UNAVAILABLE)
    return c;
  return CACHE ((gint) x - 1, (gint) y - 1);
}

static inline gint16
median (gint a, gint b, gint c)
{
  return (gint16) MAX (MIN (a, b), MIN (MAX (a, b), c));
}

static inline void
copy_mv (const H264MotionCache * cache, guint list, guint at, gint16 mv[2])
{
  mv[0] = cache->mv[list][at][0];
  mv[1] = cache->mv[list][at][1];
}

void
h264_mv_predict (const H264MotionCache * cache, guint list, guint x, guint y, guint width, gint ref_idx, gint16 mv[2])
{
  const gint8 *refs = cache->ref_idx[list];
  const guint a = CACHE ((gint) x - 1, (gint) y), b = CACHE (x, (gint) y - 1), c = find_c (cache, list, x, y, width);
  const guint matches = (refs[a] == ref_idx) + (refs[b] == ref_idx) + (refs[c] == ref_idx);

  if (matches == 1) {
    copy_mv (cache, list, refs[a] == ref_idx ? a : refs[b] == ref_idx ? b : c, mv);
  } else if (refs[b] == H264_REF_UNAVAILABLE && refs[c] == H264_REF_UNAVAILABLE && refs[a] != H264_REF_UNAVAILABLE) {
    copy_mv (cache, list, a, mv);
  } else {
    mv[0] = median (cache->mv[list][a][0], cache->mv[list][b][0], cache->mv[list][c][0]);
    mv[1] = median (cache->mv[list][a][1], cache->mv[list][b][1], cache->mv[list][c][1]);
  }
}

void
h264_mv_predict_partition (const H264MotionCache * cache, guint list, guint shape, guint part, gint ref_idx, gint16 mv[2])
{
  const gint8 *refs = cache->ref_idx[list];
  guint preferred, x = 0, y = 0, width = 4;

  if (shape == H264_SHAPE_16x8) {
    y = part * 2;
    preferred = part == 0 ? CACHE (0, -1) : CACHE (-1, 2);
  } else {
    x = part * 2;
    width = 2;
    preferred = part == 0 ? CACHE (-1, 0) : find_c (cache, list, 2, 0, 2);
  }
  if (refs[preferred] == ref_idx)
    copy_mv (cache, list, preferred, mv);
  else
    h264_mv_predict (cache, list, x, y, width, ref_idx, mv);
}

static inline gboolean
is_zero_motion (const H264MotionCache * cache, guint at)
{
  return cache->ref_idx[0][at] == 0 && cache->mv[0][at][0] == 0 && cache->mv[0][at][1] == 0;
}

void
h264_mv_predict_skip (const H264MotionCache * cache, gint16 mv[2])
{
  const guint a = CACHE (-1, 0), b = CACHE (0, -1);

  if (cache->ref_idx[0][a] == H264_REF_UNAVAILABLE || cache->ref_idx[0][b] == H264_REF_UNAVAILABLE || is_zero_motion (cache, a) || is_zero_motion (cache, b))
    mv[0] = mv[1] = 0;
  else
    h264_mv_predict (cache, 0, 0, 0, 4, 0, mv);
}
