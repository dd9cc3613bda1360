/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The walk that turns motion syntax into motion.
 */
#include "h264motion.h"
#include "h264direct.h"
#include "h264mbaffmotion.h"
#include "h264mbmvneighbours.h"
#include "h264motionstore.h"
#include "h264mvprediction.h"
#include "h264picturetarget.h"

#define CACHE H264_CACHE

/* The macroblock whose motion is derived */
typedef struct
{
  guint mbAddr;
  const H264MbMotion *motion;
  H264MotionSlice *slice;
} Macroblock;

/* Quadrant of a block y * 4 + x */
static inline guint
quadrant_of (guint block)
{
  return (block >> 3) * 2 + ((block & 3) >> 1);
}

static inline H264Mv
add_mvd (H264Mv mv, const H264Mvd *mvd)
{
  /* vectors wrap round: the range is the stream's business (A.3.1) */
  return (H264Mv){ .comp = { (gint16) (mv.comp[0] + mvd->mvd[0]), (gint16) (mv.comp[1] + mvd->mvd[1]) } };
}

/* P_Skip, and one partition of 16x16: only the neighbours of the first block count, and nothing needs comparing. */
static void
derive_16x16 (H264MotionPass *pass, Macroblock *mb)
{
  const H264Mvd *mvd = &mb->slice->mvds[mb->motion->first_mvd];
  H264Motion motion = { { -1, -1 }, { { .packed = 0 }, { .packed = 0 } } };

  for (guint list = 0; list < 2; list++) {
    H264MvNeighbours neighbours;

    if (!(mb->motion->pred[0] & H264_PRED_L0 << list))
      continue;
    neighbours = h264_mb_mv_neighbours_of_list (pass, mb->mbAddr, list);
    motion.ref_idx[list] = mb->motion->ref_idx[list][0];
    if (mb->motion->kind == H264_MOTION_P_SKIP)
      motion.mv[list] = h264_mv_predict_skip (&neighbours);
    else
      motion.mv[list] = add_mvd (h264_mv_predict (&neighbours, motion.ref_idx[list]), mvd++);
  }
  h264_motion_store_whole (pass, mb->slice, mb->mbAddr, &motion);
}

/* @n blocks from @block on */
static inline void
load_cache (const H264MapMb *mb, guint list, guint block, H264MotionCache *cache, guint at, guint n)
{
  for (guint k = 0; k < n; k++)
    cache->ref_idx[list][at + k] = mb->ref_idx[list][quadrant_of (block + k)];
  memcpy (&cache->mv[list][at], &mb->mv[list][block], n * sizeof (H264Mv));
}

/* Motion of the neighbouring blocks */
static void
load_neighbours (const H264MotionPass *pass, const Macroblock *mb, guint list, H264MotionCache *cache)
{
  const H264MapMb *map = pass->map;
  const H264MbNeighbours at = h264_mb_neighbours (mb->mbAddr, pass->width_in_mbs);

  if (G_UNLIKELY (pass->mbaff)) {
    h264_mbaff_load_neighbours (pass, mb->mbAddr, list, cache);
    return;
  }
  cache->d_column = -1;
  memset (&cache->ref_idx[list][CACHE (-1, -1)], H264_REF_UNAVAILABLE, 6);
  memset (&cache->mv[list][CACHE (-1, -1)], 0, 6 * sizeof (H264Mv));
  for (guint y = 0; y < 4; y++) {
    cache->ref_idx[list][CACHE (-1, (gint) y)] = H264_REF_UNAVAILABLE;
    cache->mv[list][CACHE (-1, (gint) y)].packed = 0;
  }
  if (mb->motion->available & GST_GPU_AVAILABLE_A)
    for (guint y = 0; y < 4; y++)
      load_cache (&map[at.A[y >> 1]], list, y * 4 + 3, cache, CACHE (-1, (gint) y), 1);
  if (mb->motion->available & GST_GPU_AVAILABLE_B)
    load_cache (&map[at.B], list, 12, cache, CACHE (0, -1), 4);
  if (mb->motion->available & GST_GPU_AVAILABLE_C)
    load_cache (&map[at.C], list, 12, cache, CACHE (4, -1), 1);
  if (mb->motion->available & GST_GPU_AVAILABLE_D)
    load_cache (&map[at.D], list, 15, cache, CACHE (-1, -1), 1);
}

/* Vectors of several blocks are stored, and loaded again, by twos: a load of what two stores wrote would wait for them. */
static inline void
fill (H264MotionCache *cache, guint list, guint x, guint y, guint width, guint height, gint ref_idx, H264Mv mv)
{
  const guint64 two = mv.packed | (guint64) mv.packed << 32;

  for (guint j = y; j < y + height; j++) {
    const guint at = CACHE (x, (gint) j);

    for (guint i = 0; i < width; i++)
      cache->ref_idx[list][at + i] = (gint8) ref_idx;
    if (width == 1)
      cache->mv[list][at] = mv;
    else
      for (guint i = 0; i < width; i += 2)
        memcpy (&cache->mv[list][at + i], &two, sizeof (two));
  }
}

/* The vectors of list @list in a quadrant of 8x8 shape */
static const H264Mvd *
derive_quadrant (const H264MbMotion *motion, guint list, guint quadrant, const H264Mvd *mvd, H264MotionCache *cache)
{
  const guint sub_shape = motion->sub_shape[quadrant];
  const guint width = h264_sub_mb_part_width (sub_shape), height = h264_sub_mb_part_height (sub_shape);
  const guint x0 = (quadrant & 1) * 2, y0 = (quadrant >> 1) * 2;
  const gint ref_idx = motion->ref_idx[list][quadrant];

  for (guint y = y0; y < y0 + 2; y += height)
    for (guint x = x0; x < x0 + 2; x += width) {
      H264MvNeighbours neighbours;

      h264_mv_find_neighbours (cache, list, x, y, width, &neighbours);
      fill (cache, list, x, y, width, height, ref_idx, add_mvd (h264_mv_predict (&neighbours, ref_idx), mvd++));
    }
  return mvd;
}

static const H264Mv no_mv = { .packed = 0 };

/* 8x8 shape: quadrants in order, so that later ones see earlier ones */
static const H264Mvd *
derive_8x8 (const H264MbMotion *motion, guint list, const H264Mvd *mvd, H264MotionCache *cache)
{
  /* blocks that are not reached yet are never asked for (c_may_be_available), so all may be filled at once */
  for (guint quadrant = 0; quadrant < 4; quadrant++) {
    if (motion->pred[quadrant] & H264_PRED_L0 << list)
      mvd = derive_quadrant (motion, list, quadrant, mvd, cache);
    else if (motion->pred[quadrant] != H264_PRED_DIRECT)
      fill (cache, list, (quadrant & 1) * 2, (quadrant >> 1) * 2, 2, 2, -1, no_mv);
  }
  return mvd;
}

static H264Mv
predict_partition (const H264MotionCache *cache, guint list, guint shape, guint part, gint ref_idx)
{
  H264MvNeighbours neighbours;

  if (shape != H264_SHAPE_16x16)
    return h264_mv_predict_partition (cache, list, shape, part, ref_idx);
  h264_mv_find_neighbours (cache, list, 0, 0, 4, &neighbours);
  return h264_mv_predict (&neighbours, ref_idx);
}

/* 16x16, 16x8 and 8x16 shapes */
static const H264Mvd *
derive_partitions (const H264MbMotion *motion, guint list, const H264Mvd *mvd, H264MotionCache *cache)
{
  const guint n = motion->shape == H264_SHAPE_16x16 ? 1 : 2;
  const guint width = motion->shape == H264_SHAPE_8x16 ? 2 : 4, height = motion->shape == H264_SHAPE_16x8 ? 2 : 4;

  for (guint part = 0; part < n; part++) {
    const guint x = width == 2 ? part * 2 : 0, y = height == 2 ? part * 2 : 0, quadrant = y + x / 2;
    const gint ref_idx = motion->ref_idx[list][quadrant];

    if (motion->pred[quadrant] & H264_PRED_L0 << list)
      fill (cache, list, x, y, width, height, ref_idx, add_mvd (predict_partition (cache, list, motion->shape, part, ref_idx), mvd++));
    else
      fill (cache, list, x, y, width, height, -1, no_mv);
  }
  return mvd;
}

static void
fill_direct (H264MotionCache *cache, guint x, guint y, guint size, const H264Motion *motion)
{
  for (guint list = 0; list < 2; list++)
    fill (cache, list, x, y, size, size, motion->ref_idx[list], motion->mv[list]);
}

static void
fill_spatial (H264MotionCache *cache, guint quadrants, const H264SpatialDirect *direct)
{
  for (guint quadrant = 0; quadrant < 4; quadrant++) {
    const guint x = (quadrant & 1) * 2, y = (quadrant >> 1) * 2, col_zero = direct->col_zero >> (y * 4 + x) & 0x33;

    if (!(quadrants >> quadrant & 1))
      continue;
    if (col_zero == 0 || col_zero == 0x33)
      fill_direct (cache, x, y, 2, &direct->motion[col_zero & 1]);
    else
      for (guint k = 0; k < 4; k++)
        fill_direct (cache, x + (k & 1), y + (k >> 1), 1, &direct->motion[col_zero >> ((k >> 1) * 4 + (k & 1)) & 1]);
  }
}

/* Quadrants, as bits, whose motion is derived */
static inline guint
direct_quadrants (const H264MbMotion *motion)
{
  guint32 pred;

  /* H264_PRED_DIRECT is 1 << 2, and the product moves bit 2 of each byte into bits 24 to 27 */
  memcpy (&pred, motion->pred, sizeof (pred));
  return ((GUINT32_FROM_LE (pred) >> 2 & 0x01010101) * 0x01020408u) >> 24 & 15;
}

/* Motion of all blocks */
static void
fill_cache (const H264MotionPass *pass, Macroblock *mb, H264MotionCache *cache)
{
  const H264MbMotion *motion = mb->motion;
  const H264Mvd *mvd = mb->slice->mvds + motion->first_mvd;
  const guint n_lists = mb->slice->is_b ? 2 : 1, direct = direct_quadrants (motion);

  if (direct != 0 && mb->slice->direct_spatial) {
    H264SpatialDirect spatial;

    h264_direct_predict_spatial (pass, mb->slice, mb->mbAddr, &spatial);
    fill_spatial (cache, direct, &spatial);
  } else if (direct != 0) {
    h264_direct_predict_temporal (pass, mb->slice, mb->mbAddr, direct, cache);
  }
  if (!mb->slice->is_b)
    fill (cache, 1, 0, 0, 4, 4, -1, no_mv);
  if (direct == 15)
    return;
  for (guint list = 0; list < n_lists; list++) {
    load_neighbours (pass, mb, list, cache);
    if (motion->kind == H264_MOTION_P_SKIP) {
      H264MvNeighbours neighbours;

      h264_mv_find_neighbours (cache, 0, 0, 0, 4, &neighbours);
      fill (cache, 0, 0, 0, 4, 4, 0, h264_mv_predict_skip (&neighbours));
    } else {
      mvd = motion->shape == H264_SHAPE_8x8 ? derive_8x8 (motion, list, mvd, cache) : derive_partitions (motion, list, mvd, cache);
    }
  }
}

/* Any macroblock, block by block; not where most macroblocks pass, which have no use for a cache */
static __attribute__ ((noinline)) void
derive_blocks (H264MotionPass *pass, Macroblock *mb)
{
  H264MotionCache cache;

  fill_cache (pass, mb, &cache);
  h264_motion_store_blocks (pass, mb->slice, mb->mbAddr, &cache);
}

/* B_Skip and B_Direct_16x16.  FALSE: their blocks differ. */
static gboolean
derive_direct_16x16 (H264MotionPass *pass, Macroblock *mb)
{
  H264SpatialDirect direct;

  h264_direct_predict_spatial (pass, mb->slice, mb->mbAddr, &direct);
  if (direct.col_zero != 0 && direct.col_zero != 0xffff)
    return FALSE;
  h264_motion_store_whole (pass, mb->slice, mb->mbAddr, &direct.motion[direct.col_zero & 1]);
  return TRUE;
}

/* The map of a picture is larger than the second-level cache: a few macroblocks ahead hides the way to memory. */
static inline void
prefetch_map (const H264MotionPass *pass, guint mbAddr)
{
  const gchar *ahead = (const gchar *) &pass->map[mbAddr] + 4 * sizeof (H264MapMb);

  __builtin_prefetch (ahead, 1);
  __builtin_prefetch (ahead + 64, 1);
  __builtin_prefetch (ahead + 128, 1);
}

/* A guess at the motion of a lost macroblock: what stands there in the co-located picture goes on moving.  In a B slice that is temporal
 * direct prediction (8.4.1.2.3) of one block.  FALSE where that is not known: intra, or pictures of another structure. */
static gboolean
guess_from_colocated (const H264MotionPass *pass, const Macroblock *mb, H264Motion *motion)
{
  const H264MotionMap *map = mb->slice->colocated[0];
  const gint scale = mb->slice->is_b ? mb->slice->dist_scale_factor[0] : H264_NO_SCALING;
  const H264MapMb *col;

  if (!map || map->all_intra || map->mbaff || map->structure != pass->structure || map->width_in_mbs != pass->width_in_mbs)
    return FALSE;
  col = &map->planes[pass->plane][mb->mbAddr];
  if (col->ref_idx[0][0] < 0)
    return FALSE;
  motion->mv[0] = col->mv[0][5];
  if (scale == H264_NO_SCALING)
    return TRUE;
  motion->ref_idx[1] = 0;
  for (guint i = 0; i < 2; i++) {
    motion->mv[0].comp[i] = (gint16) ((scale * col->mv[0][5].comp[i] + 128) >> 8);
    motion->mv[1].comp[i] = (gint16) (motion->mv[0].comp[i] - col->mv[0][5].comp[i]);
  }
  return TRUE;
}

/* A lost macroblock: what is in the first reference picture, moved as at this place before, else as the macroblocks around it, of whatever
 * slices.  In MBAFF frames the vector is 0: the co-located pair and those around may be of the other kind, whose vectors and indices count
 * in other units (8.4.1.2.1, 8.4.1.3.2), and the kind of a lost pair itself is not known.  0 is the same place for either kind. */
static void
conceal (H264MotionPass *pass, const Macroblock *mb)
{
  H264Motion motion = { { 0, -1 }, { { .packed = 0 }, { .packed = 0 } } };

  if (!pass->mbaff && !guess_from_colocated (pass, mb, &motion)) {
    const H264MvNeighbours neighbours = h264_mb_mv_neighbours_of_list (pass, mb->mbAddr, 0);

    motion.mv[0] = h264_mv_predict (&neighbours, 0);
  }
  h264_motion_store_whole (pass, mb->slice, mb->mbAddr, &motion);
}

/* What the most frequent macroblocks are: of one motion, without a look at their blocks.  FALSE: another one */
static inline gboolean
derive_whole (H264MotionPass *pass, Macroblock *mb)
{
  if (mb->motion->shape == H264_SHAPE_16x16) {
    derive_16x16 (pass, mb);
    return TRUE;
  }
  return mb->slice->direct_spatial && direct_quadrants (mb->motion) == 15 && derive_direct_16x16 (pass, mb);
}

static void
derive_inter (H264MotionPass *pass, guint mbAddr, gboolean by_blocks)
{
  Macroblock mb = { .mbAddr = mbAddr, .motion = &pass->motion[mbAddr], .slice = pass->slices[pass->mbs[mbAddr].slice] };

  if (G_UNLIKELY (pass->mb_slice[mbAddr] == H264_NO_SLICE)) {
    conceal (pass, &mb);
    return;
  }
  prefetch_map (pass, mbAddr);
  if (by_blocks || !derive_whole (pass, &mb))
    derive_blocks (pass, &mb);
}

static inline void
derive_macroblock (H264MotionPass *pass, guint mbAddr, gboolean by_blocks)
{
  if (pass->mbs[mbAddr].mb_class == GST_GPU_MB_INTER)
    derive_inter (pass, mbAddr, by_blocks);
  else
    h264_motion_store_intra (pass, mbAddr);
}

/* Pair after pair, the upper macroblock first */
static void
derive_pairs (H264MotionPass *pass, gboolean by_blocks)
{
  const guint n_mbs = pass->width_in_mbs * pass->height_in_mbs;

  for (guint mbAddr = 0; mbAddr < n_mbs; mbAddr++) {
    pass->is_field[mbAddr] = (pass->mbs[mbAddr].flags & GST_GPU_MB_FIELD) != 0;
    derive_macroblock (pass, mbAddr, by_blocks);
  }
}

static inline void
derive (H264MotionPass *pass, gboolean by_blocks)
{
  const guint n_mbs = pass->width_in_mbs * pass->height_in_mbs;

  if (G_UNLIKELY (pass->mbaff)) {
    derive_pairs (pass, by_blocks);
    return;
  }
  for (guint mbAddr = 0; mbAddr < n_mbs; mbAddr++)
    derive_macroblock (pass, mbAddr, by_blocks);
}

void
h264_motion_derive (H264MotionPass *pass)
{
  derive (pass, FALSE);
}

void
h264_motion_derive_by_blocks (H264MotionPass *pass)
{
  derive (pass, TRUE);
}
