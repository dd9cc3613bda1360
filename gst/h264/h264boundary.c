/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Boundary filtering strengths (ITU-T H.264, 8.7.2.1) in pictures with inter macroblocks.
 */
#include "h264motion.h"
#include <string.h>

/* A block of the picture: macroblock, and y * 4 + x in it */
typedef struct
{
  guint mbAddr, block;
} Block;

static inline gboolean
vectors_differ (const gint16 p[2], const gint16 q[2], gint mv_limit)
{
  return (guint) (p[0] - q[0] + 3) > 6 || (guint) (p[1] - q[1] + mv_limit - 1) > 2 * (guint) mv_limit - 2;
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

/* Bits of luma4x4BlkIdx as bits y * 4 + x */
static guint
raster_bits (guint bits)
{
  /* within each quadrant the two lower bits are a row, the two upper ones the row below */
  const guint even = bits & 0x3333, odd = bits >> 2 & 0x3333;

  return (even & 3) | (even >> 4 & 3) << 2 | (odd & 3) << 4 | (odd >> 4 & 3) << 6 | (even >> 8 & 3) << 8 | (even >> 12 & 3) << 10 | (odd >> 8 & 3) << 12
      | (odd >> 12 & 3) << 14;
}

/* Column @x of raster bits, as bits y */
static inline guint
column (guint raster, guint x)
{
  raster = raster >> x & 0x1111;
  return (raster | raster >> 3 | raster >> 6 | raster >> 9) & 15;
}

static inline guint
row (guint raster, guint y)
{
  return raster >> 4 * y & 15;
}

/* Bits k as nibbles 2 * k and 2 * k + 1 of value 1 */
static inline gpu_u32
as_nibbles (guint bits)
{
  gpu_u32 nibbles = (bits & 1) | (bits & 2) << 7 | (bits & 4) << 14 | (bits & 8) << 21;

  return nibbles | nibbles << 4;
}

/* bS 2 where there are coefficients, else 1 where motion differs: of the four blocks along an edge */
static inline gpu_u32
pack (guint coefficients, guint motion)
{
  return as_nibbles (coefficients) * 2 + as_nibbles (motion & ~coefficients);
}

/* Which of the four pairs of blocks across an edge differ in motion; @step blocks have the same motion on both sides of it. */
static guint
compare_edge (const H264MotionPass * pass, Block p, Block q, guint along, guint step)
{
  const gint mv_limit = pass->field_pic ? 2 : 4;
  guint differ = 0, k;

  for (k = 0; k < 4; k += step) {
    const Block a = { p.mbAddr, p.block + k * along }, b = { q.mbAddr, q.block + k * along };

    if (motion_differs (pass->field, a, b, mv_limit))
      differ |= ((1u << step) - 1) << k;
  }
  return differ;
}

/* The smallest width or height (@shift 6 or 4 in GpuPartition.where), in blocks, of the partitions of a macroblock */
static guint
smallest (const H264MotionPass * pass, const GpuMb * mb, guint shift)
{
  guint size = 4, i;

  for (i = 0; i < mb->n_partitions; i++)
    size = MIN (size, 1u << (pass->partitions[mb->first_motion + i].where >> shift & 3));
  return size;
}

static inline guint
smallest_width (const H264MotionPass * pass, const GpuMb * mb)
{
  return smallest (pass, mb, 6);
}

static inline guint
smallest_height (const H264MotionPass * pass, const GpuMb * mb)
{
  return smallest (pass, mb, 4);
}

/* The edge between an inter macroblock and its left or upper neighbour @other */
static gpu_u32
outer_edge (const H264MotionPass * pass, guint mbAddr, guint other, gboolean vertical)
{
  const GpuMb *mb = &pass->mbs[mbAddr], *neighbour = &pass->mbs[other];
  const guint q = raster_bits (mb->nonzero), p = raster_bits (neighbour->nonzero);
  guint coefficients, step;

  if (neighbour->mb_class != GPU_MB_INTER)
    return (vertical || !pass->field_pic ? 4 : 3) * 0x11111111u;
  coefficients = vertical ? column (q, 0) | column (p, 3) : row (q, 0) | row (p, 3);
  if (coefficients == 15)
    return pack (15, 0);
  if (vertical) {
    step = MIN (smallest_height (pass, mb), smallest_height (pass, neighbour));
    return pack (coefficients, compare_edge (pass, (Block) {other, 3}, (Block) {mbAddr, 0}, 4, step));
  }
  step = MIN (smallest_width (pass, mb), smallest_width (pass, neighbour));
  return pack (coefficients, compare_edge (pass, (Block) {other, 12}, (Block) {mbAddr, 0}, 1, step));
}

/* The three inner edges of both directions of an inter macroblock; where no partition ends there is nothing to compare */
static void
inner_edges (const H264MotionPass * pass, guint mbAddr, GpuBoundary * boundary)
{
  const GpuMb *mb = &pass->mbs[mbAddr];
  const guint raster = raster_bits (mb->nonzero), width = smallest_width (pass, mb), height = smallest_height (pass, mb);
  guint edge;

  for (edge = 1; edge < 4; edge++) {
    guint motion[2] = { 0, 0 };

    if (edge % width == 0)
      motion[0] = compare_edge (pass, (Block) {mbAddr, edge - 1}, (Block) {mbAddr, edge}, 4, height);
    if (edge % height == 0)
      motion[1] = compare_edge (pass, (Block) {mbAddr, edge * 4 - 4}, (Block) {mbAddr, edge * 4}, 1, width);
    boundary->bs[0][edge] = pack (column (raster, edge) | column (raster, edge - 1), motion[0]);
    boundary->bs[1][edge] = pack (row (raster, edge) | row (raster, edge - 1), motion[1]);
  }
}

static void
intra_strengths (const H264MotionPass * pass, GpuBoundary * boundary)
{
  memset (boundary->bs, 0x33, sizeof (boundary->bs));
  boundary->bs[0][0] = 0x44444444u;
  if (!pass->field_pic)
    boundary->bs[1][0] = 0x44444444u;
}

void
h264_boundary_strengths (const H264MotionPass * pass, guint mbAddr)
{
  const GpuMb *mb = &pass->mbs[mbAddr];
  GpuBoundary *boundary = &pass->boundaries[mbAddr];

  if (mb->mb_class != GPU_MB_INTER) {
    /* the filter flags say which of the edges count */
    intra_strengths (pass, boundary);
    return;
  }
  memset (boundary, 0, sizeof (*boundary));
  if (mb->filter & GPU_FILTER_LEFT)
    boundary->bs[0][0] = outer_edge (pass, mbAddr, mbAddr - 1, TRUE);
  if (mb->filter & GPU_FILTER_TOP)
    boundary->bs[1][0] = outer_edge (pass, mbAddr, mbAddr - pass->width_in_mbs, FALSE);
  if ((mb->filter & GPU_FILTER_INTERNAL) && (mb->nonzero != 0 || mb->n_partitions > 1))
    inner_edges (pass, mbAddr, boundary);
}
