/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Direct prediction of B macroblocks (ITU-T H.264, 8.4.1.2).
 */
#include "h264motion.h"

#define CACHE(x, y) (((y) + 1) * 8 + (x) + 4)

/**
 * ColocatedBlock:
 * @intra: no motion there
 * @ref_idx: refIdxCol
 * @ref_pic: what it refers to
 * @mv: mvCol
 */
typedef struct
{
  gboolean intra;
  gint ref_idx;
  H264RefPicId ref_pic;
  const gint16 *mv;
} ColocatedBlock;

/* The co-located block of the 4x4 block (@x, @y) of a macroblock (8.4.1.2.1); with direct_8x8_inference_flag the corner of its quadrant stands for all four. */
static void
find_colocated (const H264MotionPass * pass, const H264MotionSlice * slice, guint mbAddr, guint x, guint y, ColocatedBlock * block)
{
  static const gint16 zero[2] = { 0, 0 };
  const H264MotionField *field = slice->colocated;
  const H264MotionPlane *plane;
  const guint quadrant = (y >> 1) * 2 + (x >> 1);
  guint list;

  block->intra = TRUE;
  block->ref_idx = -1;
  block->ref_pic = H264_NO_REF_PIC;
  block->mv = zero;
  if (field == NULL || field->all_intra || mbAddr >= field->n_mbs || pass->plane >= field->n_planes)
    return;
  plane = &field->planes[pass->plane];
  list = plane->ref_idx[0][mbAddr * 4 + quadrant] >= 0 ? 0 : 1;
  block->ref_idx = plane->ref_idx[list][mbAddr * 4 + quadrant];
  if (block->ref_idx < 0)
    return;
  if (pass->direct_8x8_inference) {
    x = x >> 1 ? 3 : 0;
    y = y >> 1 ? 3 : 0;
  }
  block->intra = FALSE;
  block->ref_pic = plane->ref_pic[list][mbAddr * 4 + quadrant];
  block->mv = plane->mv[list][mbAddr * 16 + y * 4 + x];
}

static inline void
set_motion (H264MotionCache * cache, guint list, guint at, gint ref_idx, gint mv_x, gint mv_y)
{
  cache->ref_idx[list][at] = (gint8) ref_idx;
  cache->mv[list][at][0] = (gint16) mv_x;
  cache->mv[list][at][1] = (gint16) mv_y;
}

/* MinPositive (8.4.1.2.2) */
static inline gint
min_positive (gint a, gint b)
{
  return a >= 0 && b >= 0 ? MIN (a, b) : MAX (a, b);
}

/* refIdxLX of spatial direct prediction, from the neighbours of the macroblock */
static gint
spatial_ref_idx (const H264MotionCache * cache, guint list)
{
  const gint8 *refs = cache->ref_idx[list];
  const gint c = refs[CACHE (4, -1)] != H264_REF_UNAVAILABLE ? refs[CACHE (4, -1)] : refs[CACHE (-1, -1)];

  return MAX (-1, min_positive (refs[CACHE (-1, 0)], min_positive (refs[CACHE (0, -1)], c)));
}

/* 8.4.1.2.2 */
static void
predict_spatial (const H264MotionPass * pass, const H264MotionSlice * slice, guint mbAddr, guint quadrants, H264MotionCache * cache)
{
  gint ref_idx[2] = { spatial_ref_idx (cache, 0), spatial_ref_idx (cache, 1) };
  gint16 mv[2][2] = { {0, 0}, {0, 0} };
  guint list, x, y;
  const gboolean zero = ref_idx[0] < 0 && ref_idx[1] < 0;

  if (zero)
    ref_idx[0] = ref_idx[1] = 0;
  else
    for (list = 0; list < 2; list++)
      if (ref_idx[list] >= 0)
        h264_mv_predict (cache, list, 0, 0, 4, ref_idx[list], mv[list]);
  for (y = 0; y < 4; y++)
    for (x = 0; x < 4; x++) {
      ColocatedBlock col;
      gboolean colZeroFlag = FALSE;

      if (!(quadrants >> ((y >> 1) * 2 + (x >> 1)) & 1))
        continue;
      if (!zero && slice->colocated_is_short_term && (ref_idx[0] == 0 || ref_idx[1] == 0)) {
        find_colocated (pass, slice, mbAddr, x, y, &col);
        colZeroFlag = col.ref_idx == 0 && ABS (col.mv[0]) <= 1 && ABS (col.mv[1]) <= 1;
      }
      for (list = 0; list < 2; list++) {
        const gboolean none = ref_idx[list] < 0 || (ref_idx[list] == 0 && colZeroFlag);

        set_motion (cache, list, CACHE (x, (gint) y), ref_idx[list], none ? 0 : mv[list][0], none ? 0 : mv[list][1]);
      }
    }
}

/* The lowest refIdxL0 that refers to what the co-located block referred to (8.4.1.2.3) */
static gint
map_col_to_list0 (H264MotionSlice * slice, const ColocatedBlock * col)
{
  guint i;

  if (col->intra)
    return 0;
  for (i = 0; i < slice->lists.n[0]; i++)
    if (slice->ref_ids[0][i] == col->ref_pic)
      return (gint) i;
  slice->missing_used = TRUE;
  return 0;
}

/* 8.4.1.2.3 */
static void
predict_temporal (const H264MotionPass * pass, H264MotionSlice * slice, guint mbAddr, guint quadrants, H264MotionCache * cache)
{
  guint x, y;

  for (y = 0; y < 4; y++)
    for (x = 0; x < 4; x++) {
      const guint at = CACHE (x, (gint) y);
      ColocatedBlock col;
      gint ref_idx, scale;

      if (!(quadrants >> ((y >> 1) * 2 + (x >> 1)) & 1))
        continue;
      find_colocated (pass, slice, mbAddr, x, y, &col);
      ref_idx = map_col_to_list0 (slice, &col);
      scale = slice->dist_scale_factor[ref_idx];
      if (scale == H264_NO_SCALING) {
        set_motion (cache, 0, at, ref_idx, col.mv[0], col.mv[1]);
        set_motion (cache, 1, at, 0, 0, 0);
      } else {
        const gint mv_x = (scale * col.mv[0] + 128) >> 8, mv_y = (scale * col.mv[1] + 128) >> 8;

        set_motion (cache, 0, at, ref_idx, mv_x, mv_y);
        set_motion (cache, 1, at, 0, mv_x - col.mv[0], mv_y - col.mv[1]);
      }
    }
}

void
h264_direct_predict (const H264MotionPass * pass, H264MotionSlice * slice, guint mbAddr, guint quadrants, H264MotionCache * cache)
{
  if (slice->direct_spatial)
    predict_spatial (pass, slice, mbAddr, quadrants, cache);
  else
    predict_temporal (pass, slice, mbAddr, quadrants, cache);
}

gint
h264_dist_scale_factor (gint32 poc, const H264RefPic * pic0, const H264RefPic * pic1)
{
  const gint64 poc0 = h264_ref_pic_poc (pic0), poc1 = h264_ref_pic_poc (pic1);
  const gint tb = (gint) CLAMP (poc - poc0, -128, 127), td = (gint) CLAMP (poc1 - poc0, -128, 127);
  gint tx;

  if (pic0->long_term || td == 0)
    return H264_NO_SCALING;
  tx = (16384 + ABS (td / 2)) / td;
  return CLAMP ((tb * tx + 32) >> 6, -1024, 1023);
}

void
h264_motion_slice_set_lists (H264MotionSlice * slice, gint32 poc)
{
  guint list, i;

  for (list = 0; list < 2; list++)
    for (i = 0; i < slice->lists.n[list]; i++)
      slice->ref_ids[list][i] = H264_REF_PIC_ID (slice->lists.list[list][i].number, slice->lists.list[list][i].structure);
  for (i = 0; i < slice->lists.n[0]; i++)
    slice->dist_scale_factor[i] = slice->lists.n[1] > 0 ? h264_dist_scale_factor (poc, &slice->lists.list[0][i], &slice->lists.list[1][0]) : H264_NO_SCALING;
}
