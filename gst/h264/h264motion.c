/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The walk that turns motion syntax into motion.
 */
#include "h264motion.h"
#include "h264slicedecoder.h"

#define CACHE H264_CACHE

/* Sub-macroblock partitions (6.4.2.2): size in 4x4 blocks */
static const guint8 sub_width[4] = { 2, 2, 1, 1 }, sub_height[4] = { 2, 1, 2, 1 };

static void
load_block (const H264MotionPass * pass, H264MotionCache * cache, guint at, gboolean available, guint mbAddr, guint block, guint n_lists)
{
  const H264MotionPlane *field = pass->field;
  guint list;

  for (list = 0; list < n_lists; list++) {
    gint16 *mv = cache->mv[list][at];

    mv[0] = mv[1] = 0;
    cache->ref_idx[list][at] = H264_REF_UNAVAILABLE;
    if (available) {
      /* block is y * 4 + x; its quadrant y / 2 * 2 + x / 2 */
      cache->ref_idx[list][at] = field->ref_idx[list][mbAddr * 4 + (block >> 3) * 2 + ((block & 3) >> 1)];
      memcpy (mv, field->mv[list][mbAddr * 16 + block], sizeof (gint16[2]));
    }
  }
}

/* Motion of the neighbouring blocks, as far as this slice has decoded them (6.4.9) */
static void
load_neighbours (const H264MotionPass * pass, H264MotionCache * cache, guint mbAddr, guint n_lists)
{
  const guint width = pass->width_in_mbs, mb_x = mbAddr % width;
  const guint16 slice = pass->mb_slice[mbAddr], *mb_slice = pass->mb_slice;
  const gboolean a = mb_x > 0 && mb_slice[mbAddr - 1] == slice;
  const gboolean b = mbAddr >= width && mb_slice[mbAddr - width] == slice;
  const gboolean c = mbAddr >= width && mb_x + 1 < width && mb_slice[mbAddr - width + 1] == slice;
  const gboolean d = mbAddr >= width && mb_x > 0 && mb_slice[mbAddr - width - 1] == slice;
  guint k;

  for (k = 0; k < 4; k++) {
    load_block (pass, cache, CACHE (-1, (gint) k), a, mbAddr - 1, k * 4 + 3, n_lists);
    load_block (pass, cache, CACHE (k, -1), b, mbAddr - width, 12 + k, n_lists);
  }
  load_block (pass, cache, CACHE (4, -1), c, mbAddr - width + 1, 12, n_lists);
  load_block (pass, cache, CACHE (-1, -1), d, mbAddr - width - 1, 15, n_lists);
}

/* Those of the block in the upper left corner, 16 wide, of list 0 */
static void
load_first_neighbours (const H264MotionPass * pass, H264MotionCache * cache, guint mbAddr)
{
  const guint width = pass->width_in_mbs, mb_x = mbAddr % width;
  const guint16 slice = pass->mb_slice[mbAddr], *mb_slice = pass->mb_slice;
  const gboolean above = mbAddr >= width;

  load_block (pass, cache, CACHE (-1, 0), mb_x > 0 && mb_slice[mbAddr - 1] == slice, mbAddr - 1, 3, 1);
  load_block (pass, cache, CACHE (0, -1), above && mb_slice[mbAddr - width] == slice, mbAddr - width, 12, 1);
  load_block (pass, cache, CACHE (4, -1), above && mb_x + 1 < width && mb_slice[mbAddr - width + 1] == slice, mbAddr - width + 1, 12, 1);
  load_block (pass, cache, CACHE (-1, -1), above && mb_x > 0 && mb_slice[mbAddr - width - 1] == slice, mbAddr - width - 1, 15, 1);
}

static void
fill (H264MotionCache * cache, guint list, guint x, guint y, guint width, guint height, gint ref_idx, const gint16 mv[2])
{
  guint i, j;

  for (j = y; j < y + height; j++)
    for (i = x; i < x + width; i++) {
      cache->ref_idx[list][CACHE (i, (gint) j)] = (gint8) ref_idx;
      memcpy (cache->mv[list][CACHE (i, (gint) j)], mv, sizeof (gint16[2]));
    }
}

static inline void
add_mvd (gint16 mv[2], const H264Mvd * mvd)
{
  /* vectors wrap round: the range is the stream's business (A.3.1) */
  mv[0] = (gint16) (mv[0] + mvd->mvd[0]);
  mv[1] = (gint16) (mv[1] + mvd->mvd[1]);
}

/* The vectors of list @list in a quadrant of 8x8 shape */
static const H264Mvd *
derive_quadrant (const H264MbMotion * motion, guint list, guint quadrant, const H264Mvd * mvd, H264MotionCache * cache)
{
  const guint width = sub_width[motion->sub_shape[quadrant]], height = sub_height[motion->sub_shape[quadrant]];
  const guint x0 = (quadrant & 1) * 2, y0 = (quadrant >> 1) * 2;
  const gint ref_idx = motion->ref_idx[list][quadrant];
  guint x, y;

  for (y = y0; y < y0 + 2; y += height)
    for (x = x0; x < x0 + 2; x += width) {
      gint16 mv[2];

      h264_mv_predict (cache, list, x, y, width, ref_idx, mv);
      add_mvd (mv, mvd++);
      fill (cache, list, x, y, width, height, ref_idx, mv);
    }
  return mvd;
}

static const gint16 no_mv[2] = { 0, 0 };

/* 8x8 shape: quadrants in order, so that later ones see earlier ones */
static const H264Mvd *
derive_8x8 (const H264MbMotion * motion, guint list, const H264Mvd * mvd, H264MotionCache * cache)
{
  guint quadrant;

  /* blocks that are not reached yet are never asked for (c_may_be_available), so all may be filled at once */
  for (quadrant = 0; quadrant < 4; quadrant++) {
    if (motion->pred[quadrant] & H264_PRED_L0 << list)
      mvd = derive_quadrant (motion, list, quadrant, mvd, cache);
    else if (motion->pred[quadrant] != H264_PRED_DIRECT)
      fill (cache, list, (quadrant & 1) * 2, (quadrant >> 1) * 2, 2, 2, -1, no_mv);
  }
  return mvd;
}

/* 16x16, 16x8 and 8x16 shapes */
static const H264Mvd *
derive_partitions (const H264MbMotion * motion, guint list, const H264Mvd * mvd, H264MotionCache * cache)
{
  const guint n = motion->shape == H264_SHAPE_16x16 ? 1 : 2;
  const guint width = motion->shape == H264_SHAPE_8x16 ? 2 : 4, height = motion->shape == H264_SHAPE_16x8 ? 2 : 4;
  guint part;

  for (part = 0; part < n; part++) {
    const guint x = width == 2 ? part * 2 : 0, y = height == 2 ? part * 2 : 0, quadrant = y + x / 2;
    const gint ref_idx = motion->ref_idx[list][quadrant];
    gint16 mv[2] = { 0, 0 };

    if (motion->pred[quadrant] & H264_PRED_L0 << list) {
      if (n == 1)
        h264_mv_predict (cache, list, 0, 0, 4, ref_idx, mv);
      else
        h264_mv_predict_partition (cache, list, motion->shape, part, ref_idx, mv);
      add_mvd (mv, mvd++);
      fill (cache, list, x, y, width, height, ref_idx, mv);
    } else {
      fill (cache, list, x, y, width, height, -1, mv);
    }
  }
  return mvd;
}

/* Whether all of the macroblock has one vector of list 0: P_Skip, and 16x16 partitions of P slices */
static inline gboolean
has_one_vector (const H264MotionSlice * slice, const H264MbMotion * motion)
{
  return !slice->is_b && motion->shape == H264_SHAPE_16x16;
}

/* The most frequent macroblocks, by the short way: only the neighbours of the first block count, and nothing needs comparing. */
static void
derive_one_vector (const H264MotionPass * pass, const H264MotionSlice * slice, guint mbAddr, gint16 mv[2])
{
  const H264MbMotion *motion = &pass->motion[mbAddr];
  H264MotionCache cache;

  load_first_neighbours (pass, &cache, mbAddr);
  if (motion->kind == H264_MOTION_P_SKIP) {
    h264_mv_predict_skip (&cache, mv);
  } else {
    h264_mv_predict (&cache, 0, 0, 0, 4, motion->ref_idx[0][0], mv);
    add_mvd (mv, &slice->mvds[motion->first_mvd]);
  }
}

static void
store_one_vector (H264MotionPass * pass, H264MotionSlice * slice, guint mbAddr, gint ref_idx, const gint16 mv[2])
{
  GpuMb *mb = &pass->mbs[mbAddr];
  GpuPartition *partition = &pass->partitions[pass->n_partitions];
  guint32 vector;
  guint k;

  memcpy (&vector, mv, sizeof (vector));
  for (k = 0; k < 16; k++)
    memcpy (pass->field->mv[0][mbAddr * 16 + k], &vector, sizeof (vector));
  memset (pass->field->mv[1][mbAddr * 16], 0, 16 * sizeof (gint16[2]));
  memset (&pass->field->ref_idx[0][mbAddr * 4], ref_idx, 4);
  memset (&pass->field->ref_idx[1][mbAddr * 4], -1, 4);
  for (k = 0; k < 4; k++)
    pass->field->ref_pic[0][mbAddr * 4 + k] = slice->ref_ids[0][ref_idx];
  memset (&pass->field->ref_pic[1][mbAddr * 4], 0xff, 4 * sizeof (H264RefPicId));
  slice->missing_used |= slice->lists.list[0][ref_idx].missing;
  mb->first_motion = pass->n_partitions++;
  mb->n_partitions = 1;
  *partition = (GpuPartition) {
    .where = GPU_PARTITION (mbAddr, 0, 0, 4, 4),
    .mv = {{mv[0], mv[1]}, {0, 0}},
    .ref_idx = {(gpu_i8) ref_idx, -1},
    .slice = mb->slice,
  };
}

static void
derive_macroblock (const H264MotionPass * pass, H264MotionSlice * slice, guint mbAddr, H264MotionCache * cache)
{
  const H264MbMotion *motion = &pass->motion[mbAddr];
  const guint n_lists = slice->is_b ? 2 : 1;
  guint list, quadrant, direct = 0;

  load_neighbours (pass, cache, mbAddr, n_lists);
  if (!slice->is_b)
    fill (cache, 1, 0, 0, 4, 4, -1, no_mv);
  for (quadrant = 0; quadrant < 4; quadrant++)
    if (motion->pred[quadrant] == H264_PRED_DIRECT)
      direct |= 1u << quadrant;
  if (direct != 0)
    h264_direct_predict (pass, slice, mbAddr, direct, cache);
  if (direct != 15) {
    const H264Mvd *mvd = slice->mvds + motion->first_mvd;

    for (list = 0; list < n_lists; list++)
      mvd = motion->shape == H264_SHAPE_8x8 ? derive_8x8 (motion, list, mvd, cache) : derive_partitions (motion, list, mvd, cache);
  }
}

/* Into the motion field: vectors of lists that are not used are 0, so that comparisons need not ask. */
static void
store_macroblock (const H264MotionPass * pass, H264MotionSlice * slice, guint mbAddr, const H264MotionCache * cache)
{
  guint list, y, quadrant;

  for (list = 0; list < 2; list++) {
    gint16 (*mv)[2] = &pass->field->mv[list][mbAddr * 16];

    for (y = 0; y < 4; y++)
      memcpy (mv[y * 4], cache->mv[list][CACHE (0, (gint) y)], 4 * sizeof (gint16[2]));
    for (quadrant = 0; quadrant < 4; quadrant++) {
      const gint ref_idx = cache->ref_idx[list][CACHE ((quadrant & 1) * 2, (gint) (quadrant >> 1) * 2)];

      pass->field->ref_idx[list][mbAddr * 4 + quadrant] = (gint8) ref_idx;
      pass->field->ref_pic[list][mbAddr * 4 + quadrant] = ref_idx >= 0 ? slice->ref_ids[list][ref_idx] : H264_NO_REF_PIC;
      if (ref_idx >= 0 && slice->lists.list[list][ref_idx].missing)
        slice->missing_used = TRUE;
    }
  }
}

static void
store_intra (const H264MotionPass * pass, guint mbAddr)
{
  guint list;

  for (list = 0; list < 2; list++) {
    memset (pass->field->mv[list][mbAddr * 16], 0, 16 * sizeof (gint16[2]));
    memset (&pass->field->ref_idx[list][mbAddr * 4], -1, 4);
    memset (&pass->field->ref_pic[list][mbAddr * 4], 0xff, 4 * sizeof (H264RefPicId));
  }
}

/* Whether blocks @a and @b of the cache move alike */
static inline gboolean
same_motion (const H264MotionCache * cache, guint a, guint b)
{
  return cache->ref_idx[0][a] == cache->ref_idx[0][b] && cache->ref_idx[1][a] == cache->ref_idx[1][b]
      && memcmp (cache->mv[0][a], cache->mv[0][b], 4) == 0 && memcmp (cache->mv[1][a], cache->mv[1][b], 4) == 0;
}

static gboolean
is_uniform (const H264MotionCache * cache, guint x, guint y, guint width, guint height)
{
  guint i, j;

  for (j = y; j < y + height; j++)
    for (i = x; i < x + width; i++)
      if (!same_motion (cache, CACHE (x, (gint) y), CACHE (i, (gint) j)))
        return FALSE;
  return TRUE;
}

static void
add_partition (H264MotionPass * pass, guint mbAddr, const H264MotionCache * cache, guint x, guint y, guint width, guint height)
{
  GpuPartition *partition = &pass->partitions[pass->n_partitions++];
  const guint at = CACHE (x, (gint) y);
  guint list;

  partition->where = GPU_PARTITION (mbAddr, x, y, width, height);
  for (list = 0; list < 2; list++) {
    memcpy (partition->mv[list], cache->mv[list][at], sizeof (gint16[2]));
    partition->ref_idx[list] = cache->ref_idx[list][at];
  }
  partition->slice = pass->mbs[mbAddr].slice;
}

/* Cuts a square of motion into the fewest rectangles of the shapes that there are: whole, in halves, in quarters. */
static void
add_partitions (H264MotionPass * pass, guint mbAddr, const H264MotionCache * cache, guint x, guint y, guint size)
{
  const guint half = size / 2;

  if (size == 1 || is_uniform (cache, x, y, size, size)) {
    add_partition (pass, mbAddr, cache, x, y, size, size);
  } else if (is_uniform (cache, x, y, size, half) && is_uniform (cache, x, y + half, size, half)) {
    add_partition (pass, mbAddr, cache, x, y, size, half);
    add_partition (pass, mbAddr, cache, x, y + half, size, half);
  } else if (is_uniform (cache, x, y, half, size) && is_uniform (cache, x + half, y, half, size)) {
    add_partition (pass, mbAddr, cache, x, y, half, size);
    add_partition (pass, mbAddr, cache, x + half, y, half, size);
  } else {
    add_partitions (pass, mbAddr, cache, x, y, half);
    add_partitions (pass, mbAddr, cache, x + half, y, half);
    add_partitions (pass, mbAddr, cache, x, y + half, half);
    add_partitions (pass, mbAddr, cache, x + half, y + half, half);
  }
}

static void
derive_inter (H264MotionPass * pass, guint mbAddr)
{
  GpuMb *mb = &pass->mbs[mbAddr];
  H264MotionSlice *slice = pass->slices[mb->slice];
  H264MotionCache cache;
  gint16 mv[2];

  if (pass->mb_slice[mbAddr] == H264_NO_SLICE) {
    /* concealed: the picture before, as it was */
    store_one_vector (pass, slice, mbAddr, 0, no_mv);
    return;
  }
  if (has_one_vector (slice, &pass->motion[mbAddr])) {
    derive_one_vector (pass, slice, mbAddr, mv);
    store_one_vector (pass, slice, mbAddr, pass->motion[mbAddr].ref_idx[0][0], mv);
    return;
  }
  derive_macroblock (pass, slice, mbAddr, &cache);
  store_macroblock (pass, slice, mbAddr, &cache);
  mb->first_motion = pass->n_partitions;
  if (pass->motion[mbAddr].shape == H264_SHAPE_16x16)
    add_partition (pass, mbAddr, &cache, 0, 0, 4, 4);
  else
    add_partitions (pass, mbAddr, &cache, 0, 0, 4);
  mb->n_partitions = (gpu_u16) (pass->n_partitions - mb->first_motion);
}

void
h264_motion_derive (H264MotionPass * pass)
{
  const guint n_mbs = pass->width_in_mbs * pass->height_in_mbs;
  guint mbAddr;

  for (mbAddr = 0; mbAddr < n_mbs; mbAddr++) {
    if (pass->mbs[mbAddr].mb_class == GPU_MB_INTER)
      derive_inter (pass, mbAddr);
    else
      store_intra (pass, mbAddr);
    if (pass->boundaries != NULL)
      h264_boundary_strengths (pass, mbAddr);
  }
}
