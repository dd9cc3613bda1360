/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Boundary filtering strengths (ITU-T H.264, 8.7.2.1) in pictures with inter macroblocks.
 */
#include "h264motion.h"
#include <stdlib.h>
#include <string.h>

/* luma4x4BlkIdx (6.4.3) by y * 4 + x */
static const guint8 blk_idx[16] = { 0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15 };

/* A block of the picture: macroblock, and y * 4 + x in it */
typedef struct
{
  guint mbAddr, block;
} Block;

static inline gboolean
vectors_differ (const gint16 p[2], const gint16 q[2], gint mv_limit)
{
  return abs (p[0] - q[0]) >= 4 || abs (p[1] - q[1]) >= mv_limit;
}

/* Different reference pictures, another number of vectors, or vectors a sample or more apart */
static gboolean
motion_differs (const H264MotionPlane * field, Block p, Block q, gint mv_limit)
{
  const guint p_quadrant = p.mbAddr * 4 + (p.block >> 3) * 2 + ((p.block & 3) >> 1), q_quadrant = q.mbAddr * 4 + (q.block >> 3) * 2 + ((q.block & 3) >> 1);
  const H264RefPicId p0 = field->ref_pic[0][p_quadrant], p1 = field->ref_pic[1][p_quadrant];
  const H264RefPicId q0 = field->ref_pic[0][q_quadrant], q1 = field->ref_pic[1][q_quadrant];
  const gsize pi = (gsize) p.mbAddr * 16 + p.block, qi = (gsize) q.mbAddr * 16 + q.block;
  const gint16 *pm0 = field->mv[0][pi], *pm1 = field->mv[1][pi], *qm0 = field->mv[0][qi], *qm1 = field->mv[1][qi];

  if (!((p0 == q0 && p1 == q1) || (p0 == q1 && p1 == q0)))
    return TRUE;
  if (p0 != p1) {
    if (p0 == q0)
      return vectors_differ (pm0, qm0, mv_limit) || vectors_differ (pm1, qm1, mv_limit);
    return vectors_differ (pm0, qm1, mv_limit) || vectors_differ (pm1, qm0, mv_limit);
  }
  /* two vectors to one picture: either way round */
  return (vectors_differ (pm0, qm0, mv_limit) || vectors_differ (pm1, qm1, mv_limit))
      && (vectors_differ (pm0, qm1, mv_limit) || vectors_differ (pm1, qm0, mv_limit));
}

static inline gboolean
has_coefficients (const GpuMb * mb, guint block)
{
  return mb->nonzero >> blk_idx[block] & 1;
}

static inline guint
strength (const H264MotionPass * pass, Block p, Block q)
{
  if (has_coefficients (&pass->mbs[p.mbAddr], p.block) || has_coefficients (&pass->mbs[q.mbAddr], q.block))
    return 2;
  return motion_differs (pass->field, p, q, pass->field_pic ? 2 : 4);
}

/* All four blocks of an edge of intra macroblocks */
static inline gpu_u32
same_strength (guint bS)
{
  return bS * 0x11111111u;
}

/* The edge between a macroblock and its left or upper neighbour @other; @vertical: a vertical edge */
static gpu_u32
outer_edge (const H264MotionPass * pass, guint mbAddr, guint other, gboolean vertical)
{
  gpu_u32 packed = 0;
  guint k;

  if (pass->mbs[mbAddr].mb_class != GPU_MB_INTER || pass->mbs[other].mb_class != GPU_MB_INTER)
    return same_strength (vertical || !pass->field_pic ? 4 : 3);
  for (k = 0; k < 4; k++) {
    const Block p = { other, vertical ? k * 4 + 3 : 12 + k }, q = { mbAddr, vertical ? k * 4 : k };

    packed |= strength (pass, p, q) * 0x11u << (8 * k);
  }
  return packed;
}

static gpu_u32
inner_edge (const H264MotionPass * pass, guint mbAddr, guint edge, gboolean vertical)
{
  gpu_u32 packed = 0;
  guint k;

  for (k = 0; k < 4; k++) {
    const guint block = vertical ? k * 4 + edge : edge * 4 + k;
    const Block p = { mbAddr, block - (vertical ? 1 : 4) }, q = { mbAddr, block };

    packed |= strength (pass, p, q) * 0x11u << (8 * k);
  }
  return packed;
}

void
h264_boundary_strengths (const H264MotionPass * pass, guint mbAddr)
{
  const GpuMb *mb = &pass->mbs[mbAddr];
  GpuBoundary *boundary = &pass->boundaries[mbAddr];
  const gboolean plain = mb->mb_class == GPU_MB_INTER && mb->nonzero == 0 && mb->n_partitions == 1;
  guint edge;

  memset (boundary, 0, sizeof (*boundary));
  if (mb->filter & GPU_FILTER_LEFT)
    boundary->bs[0][0] = outer_edge (pass, mbAddr, mbAddr - 1, TRUE);
  if (mb->filter & GPU_FILTER_TOP)
    boundary->bs[1][0] = outer_edge (pass, mbAddr, mbAddr - pass->width_in_mbs, FALSE);
  if (!(mb->filter & GPU_FILTER_INTERNAL) || plain)
    return;
  for (edge = 1; edge < 4; edge++) {
    boundary->bs[0][edge] = mb->mb_class == GPU_MB_INTER ? inner_edge (pass, mbAddr, edge, TRUE) : same_strength (3);
    boundary->bs[1][edge] = mb->mb_class == GPU_MB_INTER ? inner_edge (pass, mbAddr, edge, FALSE) : same_strength (3);
  }
}
