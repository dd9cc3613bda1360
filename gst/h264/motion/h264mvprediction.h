/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Luma motion vector prediction (ITU-T H.264, 8.4.1.1, 8.4.1.3).
 */
#pragma once

#include "h264mbmvneighbours.h"
#include "h264motionpass.h"
#include "h264motionwords.h"

G_BEGIN_DECLS

/* Neighbours of the partition at (@x, @y), @width wide, in units of 4x4 blocks */
void h264_mv_find_neighbours (const H264MotionCache *cache, guint list, guint x, guint y, guint width, H264MvNeighbours *neighbours);
/* With the directional rules of 16x8 and 8x16 partitions; @shape: H264_SHAPE_* */
H264Mv h264_mv_predict_partition (const H264MotionCache *cache, guint list, guint shape, guint part, gint ref_idx);

/* Of each component (8-214); without branches, which nobody could foretell */
static inline H264Words
h264_mv_median (H264Words a, H264Words b, H264Words c)
{
  const H264Components p = (H264Components) a, q = (H264Components) b, r = (H264Components) c;

  return (H264Words) h264_max_components (h264_min_components (p, q), h264_min_components (h264_max_components (p, q), r));
}

/* Median prediction (8.4.1.3) */
static inline H264Mv
h264_mv_predict (const H264MvNeighbours *neighbours, gint ref_idx)
{
  const gint *refs = neighbours->ref_idx;
  const H264Mv *mv = neighbours->mv;
  const guint a = refs[0] == ref_idx, b = refs[1] == ref_idx, c = refs[2] == ref_idx;

  if (a + b + c == 1)
    return mv[b + 2 * c];
  if (G_UNLIKELY (refs[1] == H264_REF_UNAVAILABLE) && refs[2] == H264_REF_UNAVAILABLE && refs[0] != H264_REF_UNAVAILABLE)
    return mv[0];
  return (H264Mv){ .packed = h264_mv_median ((H264Words){ mv[0].packed }, (H264Words){ mv[1].packed }, (H264Words){ mv[2].packed })[0] };
}

/* The same of a macroblock in both lists, @ref_idx in words 0 and 1: without a branch on what the neighbours are, which nobody could
 * foretell.  Whether they are available is the same for both lists. */
static inline H264Words
h264_mv_predict_lists (const H264MbMvNeighbours *neighbours, H264Words ref_idx)
{
  const H264Words *refs = neighbours->ref_idx, *mv = neighbours->mv;
  const H264Words a = (H264Words) (refs[0] == ref_idx), b = (H264Words) (refs[1] == ref_idx), c = (H264Words) (refs[2] == ref_idx);
  const H264Words one = (a ^ b ^ c) & ~(a & b & c);

  if (G_UNLIKELY ((gint) refs[1][0] == H264_REF_UNAVAILABLE) && (gint) refs[2][0] == H264_REF_UNAVAILABLE
      && (gint) refs[0][0] != H264_REF_UNAVAILABLE)
    return mv[0];
  return (one & ((a & mv[0]) | (b & mv[1]) | (c & mv[2]))) | (~one & h264_mv_median (mv[0], mv[1], mv[2]));
}

/* P_Skip (8.4.1.1) */
static inline H264Mv
h264_mv_predict_skip (const H264MvNeighbours *neighbours)
{
  for (guint i = 0; i < 2; i++)
    if (neighbours->ref_idx[i] == H264_REF_UNAVAILABLE || (neighbours->ref_idx[i] | (gint) neighbours->mv[i].packed) == 0)
      return (H264Mv){ .packed = 0 };
  return h264_mv_predict (neighbours, 0);
}

G_END_DECLS
