/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Direct prediction of B macroblocks (ITU-T H.264, 8.4.1.2).
 */
#include "h264direct.h"
#include "h264mvprediction.h"

#define CACHE H264_CACHE

/* Whether the co-located picture has motion at @mbAddr */
static inline gboolean
has_colocated (const H264MotionPass *pass, const H264MotionSlice *slice, guint mbAddr)
{
  const H264MotionMap *map = slice->colocated;

  return map && !map->all_intra && mbAddr < map->n_mbs && pass->plane < map->n_planes;
}

/**
 * Colocated:
 * @ref_idx: refIdxCol; -1: no motion there
 * @ref_pic: what it refers to
 * @mv: mvCol
 */
typedef struct
{
  gint ref_idx;
  H264RefPicId ref_pic;
  H264Mv mv;
} Colocated;

/* The co-located block (8.4.1.2.1) in @mb: @block (y * 4 + x), which lies in @quadrant */
static inline Colocated
find_colocated (const H264MapMb *mb, guint quadrant, guint block)
{
  const guint list = mb->ref_idx[0][quadrant] >= 0 ? 0 : 1;

  return (Colocated){ mb->ref_idx[list][quadrant], mb->ref_pic[list][quadrant], mb->mv[list][block] };
}

/* With direct_8x8_inference_flag the corner of a quadrant stands for all four of its blocks. */
static const guint8 corner_block[4] = { 0, 3, 12, 15 };

/* Block @k of a quadrant, as y * 4 + x */
static inline guint
block_of_quadrant (guint quadrant, guint k)
{
  return (quadrant >> 1) * 8 + (quadrant & 1) * 2 + (k >> 1) * 4 + (k & 1);
}

/* colZeroFlag (8.4.1.2.2) but for its condition on the picture: bit y * 4 + x */
static inline guint
find_col_zero (const H264MotionPass *pass, const H264MotionSlice *slice, guint mbAddr)
{
  const guint still = slice->colocated->still[pass->plane][mbAddr];
  guint corners;

  if (!pass->direct_8x8_inference)
    return still;
  /* bits 0, 3, 12, 15 to 0, 2, 8, 10; then each to its quadrant */
  corners = (still & 1) | (still & 8) >> 1 | (still & 0x1000) >> 4 | (still & 0x8000) >> 5;
  return corners * 0x33;
}

/* MinPositive (8.4.1.2.2) of values from -2 on: as unsigned numbers, negative ones are the greatest */
static inline gint
min_positive (gint a, gint b)
{
  return (gint) MIN ((guint) a, (guint) b);
}

void
h264_direct_predict_spatial (const H264MotionPass *pass, const H264MotionSlice *slice, guint mbAddr, const H264MvNeighbours neighbours[2],
    H264SpatialDirect *direct)
{
  H264Motion *motion = &direct->motion[0], *zeroed = &direct->motion[1];

  for (guint list = 0; list < 2; list++) {
    const gint *refs = neighbours[list].ref_idx;
    const gint ref_idx = MAX (-1, min_positive (refs[0], min_positive (refs[1], refs[2])));

    motion->ref_idx[list] = (gint8) ref_idx;
    motion->mv[list].packed = 0;
    if (ref_idx >= 0)
      motion->mv[list] = h264_mv_predict (&neighbours[list], ref_idx);
  }
  if (motion->ref_idx[0] < 0 && motion->ref_idx[1] < 0)
    motion->ref_idx[0] = motion->ref_idx[1] = 0;
  *zeroed = *motion;
  for (guint list = 0; list < 2; list++)
    if (motion->ref_idx[list] == 0)
      zeroed->mv[list].packed = 0;
  direct->col_zero = 0;
  /* most of the time nothing would change, so the co-located picture need not be asked */
  if (zeroed->mv[0].packed == motion->mv[0].packed && zeroed->mv[1].packed == motion->mv[1].packed)
    return;
  if (slice->colocated_is_short_term && has_colocated (pass, slice, mbAddr))
    direct->col_zero = find_col_zero (pass, slice, mbAddr);
}

/* The lowest refIdxL0 that refers to what the co-located block referred to (8.4.1.2.3) */
static guint
map_col_to_list0 (H264MotionSlice *slice, H264RefPicId ref_pic)
{
  for (guint i = 0; i < slice->lists.n[0]; i++)
    if (slice->ref_ids[0][i] == ref_pic)
      return i;
  slice->missing_used = TRUE;
  return 0;
}

/* 8.4.1.2.3, for one co-located block */
static H264Motion
predict_temporal (H264MotionSlice *slice, const Colocated *col)
{
  const guint ref_idx = col->ref_idx < 0 ? 0 : map_col_to_list0 (slice, col->ref_pic);
  const gint scale = slice->dist_scale_factor[ref_idx];
  H264Motion motion = { .ref_idx = { (gint8) ref_idx, 0 }, .mv = { col->mv, { .packed = 0 } } };

  if (scale == H264_NO_SCALING)
    return motion;
  for (guint comp = 0; comp < 2; comp++) {
    const gint mv = (scale * col->mv.comp[comp] + 128) >> 8;

    motion.mv[0].comp[comp] = (gint16) mv;
    motion.mv[1].comp[comp] = (gint16) (mv - col->mv.comp[comp]);
  }
  return motion;
}

void
h264_direct_predict_temporal (const H264MotionPass *pass, H264MotionSlice *slice, guint mbAddr, guint quadrants, H264MotionCache *cache)
{
  const H264MapMb *col_mb = has_colocated (pass, slice, mbAddr) ? &slice->colocated->planes[pass->plane][mbAddr] : NULL;

  for (guint quadrant = 0; quadrant < 4; quadrant++) {
    H264Motion motion;

    if (!(quadrants >> quadrant & 1))
      continue;
    for (guint k = 0; k < 4; k++) {
      const guint block = block_of_quadrant (quadrant, k), at = CACHE (block & 3, (gint) (block >> 2));

      if (k == 0 || !pass->direct_8x8_inference) {
        Colocated col = { -1, H264_NO_REF_PIC, { .packed = 0 } };

        if (col_mb)
          col = find_colocated (col_mb, quadrant, pass->direct_8x8_inference ? corner_block[quadrant] : block);
        motion = predict_temporal (slice, &col);
      }
      for (guint list = 0; list < 2; list++) {
        cache->ref_idx[list][at] = motion.ref_idx[list];
        cache->mv[list][at] = motion.mv[list];
      }
    }
  }
}
