/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The deblocking filter (ITU-T H.264, 8.7), in place.
 *
 * Build options
 *   GPU_CPU           1: work-groups of 1, a work-item filters the 16 lines of an edge as the lanes of a vector; 0: work-groups of 16, a work-item a line
 *   GPU_DEVICE_ATOMICS       1: gpu_deblock takes tickets (OpenCL C 3.0 with device-scope acquire and release)
 *   GPU_SAMPLE_BYTES           1 or 2
 *   GPU_DEPTH_LUMA, GPU_DEPTH_CHROMA      8 to 14
 *   GPU_CHROMA_ARRAY_TYPE     0 to 3
 *
 * Macroblocks are filtered in the order of the standard as far as it matters: (x, y) after (x - 1, y) and (x + 1, y - 1), whose left edge changes columns that the top
 * edge of (x, y) reads.  Planes do not depend on each other; those that are filtered together are a *plane set*: luma, and Cb with Cr; in 4:4:4 each plane.
 */
#include "gpurecords.h"

#define INLINE static inline __attribute__ ((always_inline))

#if GPU_SAMPLE_BYTES == 1
typedef uchar Sample;
typedef uchar8 Sample8;
typedef uchar16 Sample16;
#define CONVERT_SAMPLE8 convert_uchar8
#define CONVERT_SAMPLE16 convert_uchar16
#else
typedef ushort Sample;
typedef ushort8 Sample8;
typedef ushort16 Sample16;
#define CONVERT_SAMPLE8 convert_ushort8
#define CONVERT_SAMPLE16 convert_ushort16
#endif

#define WIDE_ARITHMETIC (GPU_DEPTH_LUMA > 12 || GPU_DEPTH_CHROMA > 12)

/* Lanes: samples as they are kept; Arith: as they are computed with: 16 bits hold every sum of 8.7.2.3 and 8.7.2.4 up to 12 bits of depth. */
#if GPU_CPU
typedef short16 Lanes;
#if WIDE_ARITHMETIC
typedef int16 Arith;
typedef int8 ArithHalf;
#define TO_ARITH convert_int16
#define TO_LANES convert_short16
#else
typedef short16 Arith;
typedef short8 ArithHalf;
#define TO_ARITH(lanes) (lanes)
#define TO_LANES(arith) (arith)
#endif
typedef uint16 Shifts;
#define STRENGTHS_OF(word, shifts) TO_ARITH (convert_short16 ((uint16) (word) >> (shifts) & 15))
#define LESS(a, b) ((a) < (b))
#define SPREAD(a, b) ((Arith) ((ArithHalf) (a), (ArithHalf) (b)))
#define WORK_GROUP __attribute__ ((reqd_work_group_size (1, 1, 1)))
#else
typedef int Lanes;
typedef int Arith;
#define TO_ARITH(lanes) (lanes)
#define TO_LANES(arith) (arith)
typedef uint Shifts;
#define STRENGTHS_OF(word, shifts) ((int) ((word) >> (shifts) & 15))
#define LESS(a, b) (-((a) < (b)))
#define SPREAD(a, b) (a)
#define WORK_GROUP __attribute__ ((reqd_work_group_size (16, 1, 1)))
#endif

#define ABS(d) max ((d), -(d))
#define CHOOSE(mask, a, b) ((b) ^ (((a) ^ (b)) & (mask)))

#define ALL_STRENGTHS(bs) (0x11111111u * (bs))

#define N_PLANE_SETS (GPU_CHROMA_ARRAY_TYPE == 0 ? 1 : GPU_CHROMA_ARRAY_TYPE == 3 ? 3 : 2)

#define CHROMA_HEIGHT (GPU_CHROMA_ARRAY_TYPE == 1 ? 8 : 16)

/* Table 8-16, and Table 8-17 as 8 bits a bS from 1 on, low one first */
__constant uchar alpha_table[52] = {
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 17, 20, 22, 25, 28, 32, 36, 40, 45, 50, 56, 63, 71,
  80, 90, 101, 113, 127, 144, 162, 182, 203, 226, 255, 255
};

__constant uchar beta_table[52] = {
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12,
  13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18
};

__constant uint tc0_table[52] = {
  0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000,
  0x000000, 0x000000, 0x000000, 0x000000, 0x010000, 0x010000, 0x010000, 0x010000, 0x010100, 0x010100, 0x010101, 0x010101, 0x010101,
  0x010101, 0x020101, 0x020101, 0x020101, 0x020101, 0x030201, 0x030201, 0x030202, 0x040202, 0x040302, 0x040302, 0x050303, 0x060403,
  0x060403, 0x070504, 0x080504, 0x090604, 0x0a0705, 0x0b0806, 0x0d0806, 0x0e0a07, 0x100b08, 0x120c09, 0x140d0a, 0x170f0b, 0x19110d
};

/* What the thresholds of an edge follow from (8.7.2.2), not yet scaled to the bit depth */
typedef struct
{
  int alpha, beta;
  uint tc0;                     /* as in tc0_table */
} Levels;

/* An edge ready to filter, all in lanes */
typedef struct
{
  Arith alpha;                  /* 0 where bS is 0 */
  Arith beta, tc0;
  int strong;                   /* bS is 4, along the whole edge */
} Edge;

/* A picture as the kernels get it */
typedef struct
{
  __global const GpuMb *mbs;
  __global const GpuSlice *slices;
  __global const GpuBoundary *boundaries;       /* NULL: no inter macroblocks */
  __global Sample *samples;
  const GpuPicture *params;
} Picture;

INLINE Levels
derive_levels (int qp_p, int qp_q, int offset_a, int offset_b)
{
  int qp_average = (qp_p + qp_q + 1) >> 1;
  int index_a = clamp (qp_average + offset_a, 0, 51);
  Levels levels;

  levels.alpha = alpha_table[index_a];
  levels.beta = beta_table[clamp (qp_average + offset_b, 0, 51)];
  levels.tc0 = tc0_table[index_a];
  return levels;
}

/* No difference is less than 0: such an edge needs no look at its samples. */
INLINE int
levels_filter (Levels levels)
{
  return levels.alpha > 0 && levels.beta > 0;
}

INLINE int
tc0_of (uint packed, int bs, int scale)
{
  return (int) (packed >> (8 * bs - 8) & 255) << scale;
}

/* @a and @b: levels of the lower and upper half of the lanes.  @strengths: bS of the edge, as a word of GpuBoundary; @shifts: where in it those of the lanes
 * stand.  bS 4 is the strength of a whole edge or of none of it. */
INLINE Edge
make_edge (Levels a, Levels b, int bit_depth, uint strengths, Shifts shifts, int may_be_strong)
{
  int scale = bit_depth - 8;
  Edge edge;

  edge.alpha = SPREAD (a.alpha << scale, b.alpha << scale);
  edge.beta = SPREAD (a.beta << scale, b.beta << scale);
  edge.tc0 = SPREAD (tc0_of (a.tc0, 3, scale), tc0_of (b.tc0, 3, scale));
  edge.strong = may_be_strong && strengths == ALL_STRENGTHS (4);
  if (!edge.strong && strengths != ALL_STRENGTHS (3)) {
    Arith bs = STRENGTHS_OF (strengths, shifts);

    edge.tc0 = CHOOSE (LESS (bs, (Arith) 3), SPREAD (tc0_of (a.tc0, 2, scale), tc0_of (b.tc0, 2, scale)), edge.tc0);
    edge.tc0 = CHOOSE (LESS (bs, (Arith) 2), SPREAD (tc0_of (a.tc0, 1, scale), tc0_of (b.tc0, 1, scale)), edge.tc0);
    edge.alpha &= LESS ((Arith) 0, bs);
  }
  return edge;
}

/* 8.7.2.3 with luma's tap: how far @p1 moves, by at most @limit */
INLINE Arith
move_second (Arith p2, Arith p1, Arith middle, Arith limit)
{
  return clamp ((p2 + middle - (p1 + p1)) >> 1, -limit, limit);
}

/* 8.7.2.3 and 8.7.2.4 for luma, and chroma of 4:4:4: @s points at q0 in an array of lanes across the edge, p3 is s[-4]. */
INLINE void
filter_luma (Lanes *s, Edge edge, int bit_depth)
{
  Arith p2 = TO_ARITH (s[-3]), p1 = TO_ARITH (s[-2]), p0 = TO_ARITH (s[-1]);
  Arith q0 = TO_ARITH (s[0]), q1 = TO_ARITH (s[1]), q2 = TO_ARITH (s[2]);
  Arith step = q0 - p0;
  Arith on = LESS (ABS (step), edge.alpha) & LESS (ABS (p1 - p0), edge.beta) & LESS (ABS (q1 - q0), edge.beta);
  Arith smooth_p = on & LESS (ABS (p2 - p0), edge.beta);
  Arith smooth_q = on & LESS (ABS (q2 - q0), edge.beta);

  if (edge.strong) {
    Arith p3 = TO_ARITH (s[-4]), q3 = TO_ARITH (s[3]);
    Arith close = LESS (ABS (step), (edge.alpha >> 2) + (Arith) 2);
    Arith both = p0 + q0;
    Arith p = p1 + both, q = q1 + both;

    smooth_p &= close;
    smooth_q &= close;
    s[-1] = TO_LANES (CHOOSE (smooth_p, (p2 + p + p + q1 + (Arith) 4) >> 3, CHOOSE (on, (p1 + p1 + p0 + q1 + (Arith) 2) >> 2, p0)));
    s[-2] = TO_LANES (CHOOSE (smooth_p, (p2 + p + (Arith) 2) >> 2, p1));
    s[-3] = TO_LANES (CHOOSE (smooth_p, (p3 + p3 + p2 + p2 + p2 + p + (Arith) 4) >> 3, p2));
    s[0] = TO_LANES (CHOOSE (smooth_q, (q2 + q + q + p1 + (Arith) 4) >> 3, CHOOSE (on, (q1 + q1 + q0 + p1 + (Arith) 2) >> 2, q0)));
    s[1] = TO_LANES (CHOOSE (smooth_q, (q2 + q + (Arith) 2) >> 2, q1));
    s[2] = TO_LANES (CHOOSE (smooth_q, (q3 + q3 + q2 + q2 + q2 + q + (Arith) 4) >> 3, q2));
  } else {
    Arith limit_p = edge.tc0 & smooth_p, limit_q = edge.tc0 & smooth_q;
    Arith tc = (edge.tc0 - smooth_p - smooth_q) & on;
    Arith delta = clamp ((step * (Arith) 4 + (p1 - q1) + (Arith) 4) >> 3, -tc, tc);
    Arith middle = (p0 + q0 + (Arith) 1) >> 1;
    Arith max_sample = (Arith) ((1 << bit_depth) - 1);

    s[-2] = TO_LANES (p1 + move_second (p2, p1, middle, limit_p));
    s[1] = TO_LANES (q1 + move_second (q2, q1, middle, limit_q));
    s[-1] = TO_LANES (clamp (p0 + delta, (Arith) 0, max_sample));
    s[0] = TO_LANES (clamp (q0 - delta, (Arith) 0, max_sample));
  }
}

/* The same with chromaStyleFilteringFlag 1: @s points at q0, p1 is s[-2]. */
INLINE void
filter_chroma (Lanes *s, Edge edge)
{
  Arith p1 = TO_ARITH (s[-2]), p0 = TO_ARITH (s[-1]), q0 = TO_ARITH (s[0]), q1 = TO_ARITH (s[1]);
  Arith step = q0 - p0;
  Arith on = LESS (ABS (step), edge.alpha) & LESS (ABS (p1 - p0), edge.beta) & LESS (ABS (q1 - q0), edge.beta);

  if (edge.strong) {
    s[-1] = TO_LANES (CHOOSE (on, (p1 + p1 + p0 + q1 + (Arith) 2) >> 2, p0));
    s[0] = TO_LANES (CHOOSE (on, (q1 + q1 + q0 + p1 + (Arith) 2) >> 2, q0));
  } else {
    Arith tc = (edge.tc0 + (Arith) 1) & on;
    Arith delta = clamp ((step * (Arith) 4 + (p1 - q1) + (Arith) 4) >> 3, -tc, tc);
    Arith max_sample = (Arith) ((1 << GPU_DEPTH_CHROMA) - 1);

    s[-1] = TO_LANES (clamp (p0 + delta, (Arith) 0, max_sample));
    s[0] = TO_LANES (clamp (q0 - delta, (Arith) 0, max_sample));
  }
}

/* A macroblock, its neighbours and the strengths of its edges, as words of GpuBoundary, 0 where an edge is not filtered */
typedef struct
{
  __global const GpuMb *mb, *left, *above;
  int offset_a, offset_b;
  uint strengths[2][4];
  int x;
} Macroblock;

/* bS (8.7.2.1) of an edge, as a word of GpuBoundary.  The one place where it comes from. */
INLINE uint
boundary_strengths (const Picture *picture, uint mb_addr, uint flags, int horizontal, int edge)
{
  if (picture->boundaries)
    return picture->boundaries[mb_addr].bs[horizontal][edge];
  if (edge > 0)
    return ALL_STRENGTHS (3);
  return horizontal && (flags & GPU_MB_FIELD) ? ALL_STRENGTHS (3) : ALL_STRENGTHS (4);
}

INLINE Macroblock
load_macroblock (const Picture *picture, uint x, uint y)
{
  uint mb_addr = y * picture->params->width_in_mbs + x;
  __global const GpuMb *mb = &picture->mbs[mb_addr];
  __global const GpuSlice *slice = &picture->slices[mb->slice];
  uint filter = mb->filter, flags = mb->flags;
  Macroblock self;

  self.mb = mb;
  self.left = filter & GPU_FILTER_LEFT ? mb - 1 : mb;
  self.above = filter & GPU_FILTER_TOP ? mb - picture->params->width_in_mbs : mb;
  self.offset_a = slice->filter_offset_a;
  self.offset_b = slice->filter_offset_b;
  self.x = x;
  self.strengths[0][0] = filter & GPU_FILTER_LEFT ? boundary_strengths (picture, mb_addr, flags, 0, 0) : 0;
  self.strengths[1][0] = filter & GPU_FILTER_TOP ? boundary_strengths (picture, mb_addr, flags | self.above->flags, 1, 0) : 0;
#pragma unroll
  for (int edge = 1; edge < 4; edge++) {
    self.strengths[0][edge] = filter & GPU_FILTER_INTERNAL ? boundary_strengths (picture, mb_addr, flags, 0, edge) : 0;
    self.strengths[1][edge] = filter & GPU_FILTER_INTERNAL ? boundary_strengths (picture, mb_addr, flags, 1, edge) : 0;
  }
  return self;
}

/* Levels of the edge to @p, which is the macroblock itself for inner edges */
INLINE Levels
levels_to (const Macroblock *self, __global const GpuMb *p, int plane)
{
  return derive_levels (p->qp_filter[plane], self->mb->qp_filter[plane], self->offset_a, self->offset_b);
}

INLINE __global Sample *
samples_at (const Picture *picture, int plane, uint x, uint y)
{
  return picture->samples + picture->params->plane_offset[plane] + y * picture->params->plane_stride[plane] + x;
}

/* Four luma edges, 4 lanes of samples apart, the first at @s */
INLINE void
filter_four (Lanes *s, const uint *strengths, Levels outer, Levels inner, int bit_depth, Shifts shifts)
{
  if (strengths[0])
    filter_luma (s, make_edge (outer, outer, bit_depth, strengths[0], shifts, 1), bit_depth);
#pragma unroll
  for (int edge = 1; edge < 4; edge++)
    if (strengths[edge])
      filter_luma (s + 4 * edge, make_edge (inner, inner, bit_depth, strengths[edge], shifts, 0), bit_depth);
}

#if GPU_CPU

/* PoCL splits vload and vstore of short vectors into elements; these stay whole, at any address of a sample. */
typedef Sample8 __attribute__ ((aligned (1))) Sample8Anywhere;
typedef Sample16 __attribute__ ((aligned (1))) Sample16Anywhere;
#if GPU_SAMPLE_BYTES == 1
typedef uchar4 __attribute__ ((aligned (1))) Sample4Anywhere;
#else
typedef ushort4 __attribute__ ((aligned (1))) Sample4Anywhere;
#endif

/* Each half of the lanes by itself: elements of the lower (upper) halves of @a and @b in turn */
#define ZIP_LOW(a, b) __builtin_shufflevector ((a), (b), 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27)
#define ZIP_HIGH(a, b) __builtin_shufflevector ((a), (b), 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31)
#define JOIN_LOW(a, b) __builtin_shufflevector ((a), (b), 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
#define JOIN_HIGH(a, b) __builtin_shufflevector ((a), (b), 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)

/* Transposes two 8x8 blocks, one in the lower and one in the upper halves of the 8 vectors. */
INLINE void
transpose (Lanes *v)
{
#pragma unroll
  for (int round = 0; round < 3; round++) {
    Lanes t[8];

#pragma unroll
    for (int i = 0; i < 4; i++) {
      t[2 * i] = ZIP_LOW (v[i], v[i + 4]);
      t[2 * i + 1] = ZIP_HIGH (v[i], v[i + 4]);
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
      v[i] = t[i];
  }
}

INLINE Lanes
load_halves (__global const Sample *low, __global const Sample *high)
{
  return (Lanes) (convert_short8 (*(__global const Sample8Anywhere *) low), convert_short8 (*(__global const Sample8Anywhere *) high));
}

INLINE void
store_halves (__global Sample *low, __global Sample *high, Lanes lanes)
{
  *(__global Sample8Anywhere *) low = CONVERT_SAMPLE8 (lanes.lo);
  *(__global Sample8Anywhere *) high = CONVERT_SAMPLE8 (lanes.hi);
}

INLINE Lanes
load_row (__global const Sample *row)
{
  return convert_short16 (*(__global const Sample16Anywhere *) row);
}

INLINE void
store_row (__global Sample *row, Lanes lanes)
{
  *(__global Sample16Anywhere *) row = CONVERT_SAMPLE16 (lanes);
}

/* Columns 0 to 7 of 16 rows at @at, a column a vector */
INLINE void
load_columns (__global const Sample *at, uint stride, Lanes *columns)
{
#pragma unroll
  for (int i = 0; i < 8; i++)
    columns[i] = load_halves (at + i * stride, at + (i + 8) * stride);
  transpose (columns);
}

/* Stores four columns as columns 0 to 3 of 16 rows at @at. */
INLINE void
store_4_columns (__global Sample *at, uint stride, const Lanes *columns)
{
  Lanes even[2] = { ZIP_LOW (columns[0], columns[2]), ZIP_HIGH (columns[0], columns[2]) };
  Lanes odd[2] = { ZIP_LOW (columns[1], columns[3]), ZIP_HIGH (columns[1], columns[3]) };

#pragma unroll
  for (int i = 0; i < 2; i++) {
    Sample16 rows_0 = CONVERT_SAMPLE16 (ZIP_LOW (even[i], odd[i])), rows_2 = CONVERT_SAMPLE16 (ZIP_HIGH (even[i], odd[i]));

    *(__global Sample4Anywhere *) (at + (4 * i) * stride) = rows_0.s0123;
    *(__global Sample4Anywhere *) (at + (4 * i + 1) * stride) = rows_0.s4567;
    *(__global Sample4Anywhere *) (at + (4 * i + 2) * stride) = rows_2.s0123;
    *(__global Sample4Anywhere *) (at + (4 * i + 3) * stride) = rows_2.s4567;
    *(__global Sample4Anywhere *) (at + (4 * i + 8) * stride) = rows_0.s89ab;
    *(__global Sample4Anywhere *) (at + (4 * i + 9) * stride) = rows_0.scdef;
    *(__global Sample4Anywhere *) (at + (4 * i + 10) * stride) = rows_2.s89ab;
    *(__global Sample4Anywhere *) (at + (4 * i + 11) * stride) = rows_2.scdef;
  }
}

/* Where the strengths of lines 0 to 15 stand in a word of GpuBoundary; of every second line, for two planes; of 8 lines, for two planes */
#define SHIFTS_16 (Shifts) (0, 0, 4, 4, 8, 8, 12, 12, 16, 16, 20, 20, 24, 24, 28, 28)
#define SHIFTS_HALVED (Shifts) (0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28)
#define SHIFTS_8 (Shifts) (0, 0, 4, 4, 8, 8, 12, 12, 0, 0, 4, 4, 8, 8, 12, 12)

/* The vertical edges of 16 rows; the rows come back in @rows. */
INLINE void
filter_columns (__global Sample *at, uint stride, const uint *strengths, Levels outer, Levels inner, int bit_depth, Lanes *rows)
{
  Lanes columns[20];

  load_columns (at, stride, columns + 4);
  load_columns (at + 8, stride, columns + 12);
  if (strengths[0]) {
    Lanes left[8];

    load_columns (at - 8, stride, left);
#pragma unroll
    for (int i = 0; i < 4; i++)
      columns[i] = left[i + 4];
  }
  filter_four (columns + 4, strengths, outer, inner, bit_depth, SHIFTS_16);
  if (strengths[0])
    store_4_columns (at - 4, stride, columns);
  transpose (columns + 4);
  transpose (columns + 12);
#pragma unroll
  for (int i = 0; i < 8; i++) {
    rows[i] = JOIN_LOW (columns[4 + i], columns[12 + i]);
    rows[i + 8] = JOIN_HIGH (columns[4 + i], columns[12 + i]);
  }
}

/* A macroblock in a plane that is filtered as luma is */
INLINE void
filter_luma_plane (__global Sample *at, uint stride, const uint strengths[2][4], Levels left, Levels above, Levels inner, int bit_depth)
{
  Lanes rows[20];

  if (strengths[0][0] | strengths[0][1] | strengths[0][2] | strengths[0][3]) {
    filter_columns (at, stride, strengths[0], left, inner, bit_depth, rows + 4);
  } else {
#pragma unroll
    for (int i = 0; i < 16; i++)
      rows[i + 4] = load_row (at + i * stride);
  }
  if (strengths[1][0])
#pragma unroll
    for (int i = 0; i < 4; i++)
      rows[i] = load_row (at + i * stride - 4 * stride);
  filter_four (rows + 4, strengths[1], above, inner, bit_depth, SHIFTS_16);
  if (strengths[1][0])
#pragma unroll
    for (int i = 1; i < 4; i++)
      store_row (at + i * stride - 4 * stride, rows[i]);
#pragma unroll
  for (int i = 0; i < 16; i++)
    store_row (at + i * stride, rows[i + 4]);
}

/* Stores a column of 8 rows of Cb and of Cr. */
INLINE void
store_chroma_column (__global Sample *cb, __global Sample *cr, uint2 stride, Lanes column)
{
  Sample16 samples = CONVERT_SAMPLE16 (column);

#pragma unroll
  for (int i = 0; i < 8; i++) {
    cb[i * stride.x] = samples[i];
    cr[i * stride.y] = samples[i + 8];
  }
}

/* The vertical edges of 8 rows of Cb and of Cr, which are in @rows; @cb and @cr are where they come from. */
INLINE void
filter_chroma_columns (Lanes *rows, __global Sample *cb, __global Sample *cr, uint2 stride, const uint *strengths, const Levels outer[2],
    const Levels inner[2], Shifts shifts)
{
  Lanes columns[10];

#pragma unroll
  for (int i = 0; i < 8; i++)
    columns[i + 2] = rows[i];
  transpose (columns + 2);
  if (strengths[0]) {
    Lanes left[8];

#pragma unroll
    for (int i = 0; i < 8; i++)
      left[i] = load_halves (cb + i * stride.x - 8, cr + i * stride.y - 8);
    transpose (left);
    columns[0] = left[6];
    columns[1] = left[7];
    filter_chroma (columns + 2, make_edge (outer[0], outer[1], GPU_DEPTH_CHROMA, strengths[0], shifts, 1));
    store_chroma_column (cb - 1, cr - 1, stride, columns[1]);
  }
  if (strengths[2])
    filter_chroma (columns + 6, make_edge (inner[0], inner[1], GPU_DEPTH_CHROMA, strengths[2], shifts, 0));
  transpose (columns + 2);
#pragma unroll
  for (int i = 0; i < 8; i++)
    rows[i] = columns[i + 2];
}

/* A macroblock of Cb and Cr, each in half of the lanes */
INLINE void
filter_chroma_planes (__global Sample *cb, __global Sample *cr, uint2 stride, const uint strengths[2][4], const Levels left[2], const Levels above[2],
    const Levels inner[2])
{
  Lanes rows[2 + CHROMA_HEIGHT];

#pragma unroll
  for (int i = 0; i < CHROMA_HEIGHT; i++)
    rows[i + 2] = load_halves (cb + i * stride.x, cr + i * stride.y);
  if (strengths[0][0] | strengths[0][2]) {
#if GPU_CHROMA_ARRAY_TYPE == 1
    filter_chroma_columns (rows + 2, cb, cr, stride, strengths[0], left, inner, SHIFTS_HALVED);
#else
    filter_chroma_columns (rows + 2, cb, cr, stride, strengths[0], left, inner, SHIFTS_8);
    filter_chroma_columns (rows + 10, cb + 8 * stride.x, cr + 8 * stride.y, stride, strengths[0], left, inner, SHIFTS_8 + (Shifts) 16);
#endif
  }
  if (strengths[1][0]) {
    rows[0] = load_halves (cb - 2 * stride.x, cr - 2 * stride.y);
    rows[1] = load_halves (cb - stride.x, cr - stride.y);
    filter_chroma (rows + 2, make_edge (above[0], above[1], GPU_DEPTH_CHROMA, strengths[1][0], SHIFTS_HALVED, 1));
    store_halves (cb - stride.x, cr - stride.y, rows[1]);
  }
#pragma unroll
  for (int i = 4; i < CHROMA_HEIGHT; i += 4) {
    uint strength = strengths[1][GPU_CHROMA_ARRAY_TYPE == 1 ? i / 2 : i / 4];

    if (strength)
      filter_chroma (rows + 2 + i, make_edge (inner[0], inner[1], GPU_DEPTH_CHROMA, strength, SHIFTS_HALVED, 0));
  }
#pragma unroll
  for (int i = 0; i < CHROMA_HEIGHT; i++)
    store_halves (cb + i * stride.x, cr + i * stride.y, rows[i + 2]);
}

#else /* a work-item a line */

INLINE void
filter_line (__global Sample *at, uint step, const uint *strengths, Levels outer, Levels inner, int bit_depth, Shifts shifts)
{
  int first = strengths[0] ? 0 : 4;
  Lanes s[20];

  if (!(strengths[0] | strengths[1] | strengths[2] | strengths[3]))
    return;
  at -= first < 4 ? 4 * step : 0;
  for (int i = first; i < 20; i++)
    s[i] = at[(i - first) * step];
  filter_four (s + 4, strengths, outer, inner, bit_depth, shifts);
  for (int i = first; i < 20; i++)
    at[(i - first) * step] = s[i];
}

/* A macroblock in a plane that is filtered as luma is: a work-item a row, then a work-item a column */
INLINE void
filter_luma_plane (__global Sample *at, uint stride, const uint strengths[2][4], Levels left, Levels above, Levels inner, int bit_depth)
{
  uint line = get_local_id (0);

  filter_line (at + line * stride, 1, strengths[0], left, inner, bit_depth, line >> 1 << 2);
  barrier (CLK_GLOBAL_MEM_FENCE);
  filter_line (at + line, stride, strengths[1], above, inner, bit_depth, line >> 1 << 2);
}

INLINE void
filter_chroma_line (__global Sample *at, uint step, Levels levels, uint strengths, Shifts shifts)
{
  Lanes s[4];

  if (!strengths)
    return;
  at -= 2 * step;
  for (int i = 0; i < 4; i++)
    s[i] = at[i * step];
  filter_chroma (s + 2, make_edge (levels, levels, GPU_DEPTH_CHROMA, strengths, shifts, 1));
  at[step] = s[1];
  at[2 * step] = s[2];
}

/* 8 work-items a plane */
INLINE void
filter_chroma_planes (__global Sample *cb, __global Sample *cr, uint2 strides, const uint strengths[2][4], const Levels left[2], const Levels above[2],
    const Levels inner[2])
{
  uint plane = get_local_id (0) >> 3, line = get_local_id (0) & 7;
  __global Sample *at = plane ? cr : cb;
  uint stride = plane ? strides.y : strides.x;

  for (uint row = line; row < CHROMA_HEIGHT; row += 8) {
    uint shift = GPU_CHROMA_ARRAY_TYPE == 1 ? row << 2 : row >> 1 << 2;

    filter_chroma_line (at + row * stride, 1, left[plane], strengths[0][0], shift);
    filter_chroma_line (at + row * stride + 4, 1, inner[plane], strengths[0][2], shift);
  }
  barrier (CLK_GLOBAL_MEM_FENCE);
  for (uint row = 0; row < CHROMA_HEIGHT; row += 4)
    filter_chroma_line (at + row * stride + line, stride, row ? inner[plane] : above[plane], strengths[1][GPU_CHROMA_ARRAY_TYPE == 1 ? row / 2 : row / 4],
        line << 2);
}

#endif

/* Leaves those strengths that @levels let filter. */
INLINE void
drop_idle_edges (uint strengths[2][4], int left, int above, int inner)
{
  strengths[0][0] = left ? strengths[0][0] : 0;
  strengths[1][0] = above ? strengths[1][0] : 0;
#pragma unroll
  for (int edge = 1; edge < 4; edge++) {
    strengths[0][edge] = inner ? strengths[0][edge] : 0;
    strengths[1][edge] = inner ? strengths[1][edge] : 0;
  }
}

INLINE int
any_strength (const uint strengths[2][4])
{
  return (strengths[0][0] | strengths[0][1] | strengths[0][2] | strengths[0][3] | strengths[1][0] | strengths[1][1] | strengths[1][2] | strengths[1][3]) != 0;
}

INLINE void
deblock_luma (const Picture *picture, Macroblock self, uint y, int plane)
{
  int bit_depth = plane ? GPU_DEPTH_CHROMA : GPU_DEPTH_LUMA;
  Levels left = levels_to (&self, self.left, plane), above = levels_to (&self, self.above, plane), inner = levels_to (&self, self.mb, plane);

  if (self.mb->flags & GPU_MB_TRANSFORM_8x8)
    self.strengths[0][1] = self.strengths[0][3] = self.strengths[1][1] = self.strengths[1][3] = 0;
  drop_idle_edges (self.strengths, levels_filter (left), levels_filter (above), levels_filter (inner));
  if (any_strength (self.strengths))
    filter_luma_plane (samples_at (picture, plane, self.x * 16, y * 16), picture->params->plane_stride[plane], self.strengths, left, above, inner, bit_depth);
}

INLINE void
deblock_chroma (const Picture *picture, Macroblock self, uint y)
{
  Levels left[2], above[2], inner[2];

#pragma unroll
  for (int i = 0; i < 2; i++) {
    left[i] = levels_to (&self, self.left, i + 1);
    above[i] = levels_to (&self, self.above, i + 1);
    inner[i] = levels_to (&self, self.mb, i + 1);
  }
  drop_idle_edges (self.strengths, levels_filter (left[0]) | levels_filter (left[1]), levels_filter (above[0]) | levels_filter (above[1]),
      levels_filter (inner[0]) | levels_filter (inner[1]));
  if (any_strength (self.strengths))
    filter_chroma_planes (samples_at (picture, 1, self.x * 8, y * CHROMA_HEIGHT), samples_at (picture, 2, self.x * 8, y * CHROMA_HEIGHT),
        (uint2) (picture->params->plane_stride[1], picture->params->plane_stride[2]), self.strengths, left, above, inner);
}

INLINE void
deblock_macroblock (const Picture *picture, uint set, uint x, uint y)
{
  Macroblock self = load_macroblock (picture, x, y);

#if GPU_CHROMA_ARRAY_TYPE == 1 || GPU_CHROMA_ARRAY_TYPE == 2
  if (set)
    deblock_chroma (picture, self, y);
  else
#endif
    deblock_luma (picture, self, y, set);
}

#if GPU_DEVICE_ATOMICS

/* How many macroblocks are done when others are told so */
#define PROGRESS_STEP (GPU_CPU ? 4 : 1)

INLINE uint
take_ticket (volatile __global atomic_uint *tickets, __local uint *shared)
{
#if GPU_CPU
  return atomic_fetch_add_explicit (tickets, 1, memory_order_relaxed, memory_scope_device);
#else
  uint ticket;

  if (get_local_id (0) == 0)
    *shared = atomic_fetch_add_explicit (tickets, 1, memory_order_relaxed, memory_scope_device);
  barrier (CLK_LOCAL_MEM_FENCE);
  ticket = *shared;
  barrier (CLK_LOCAL_MEM_FENCE);
  return ticket;
#endif
}

/* Waits until @needed macroblocks of a unit are done; returns how many are. */
INLINE uint
wait_for (volatile __global atomic_uint *done, uint needed, __local uint *shared)
{
#if GPU_CPU
  uint n;

  do
    n = atomic_load_explicit (done, memory_order_acquire, memory_scope_device);
  while (n < needed);
  return n;
#else
  if (get_local_id (0) == 0)
    while (atomic_load_explicit (done, memory_order_acquire, memory_scope_device) < needed)
      ;
  barrier (CLK_GLOBAL_MEM_FENCE);
  return needed;
#endif
}

INLINE void
tell_done (volatile __global atomic_uint *done, uint n)
{
  if (get_local_id (0) == 0)
    atomic_store_explicit (done, n, memory_order_release, memory_scope_device);
}

#else

#define take_ticket(tickets, shared) 0
#define wait_for(done, needed, shared) (needed)
#define tell_done(done, n)
#define PROGRESS_STEP 1
typedef uint atomic_uint;

#endif

/* Clears the @n words of the state of gpu_deblock; one work-group. */
__kernel WORK_GROUP void
gpu_deblock_reset (__global uint *state, uint n)
{
  for (uint i = get_local_id (0); i < n; i += get_local_size (0))
    state[i] = 0;
}

/* Filters a picture.  A *unit* is a macroblock row of a plane set, unit = row * N_PLANE_SETS + set.  One of three launches:
 *   rows       as many work-groups as plane sets, @unit_step the same: each filters all rows of its set, in order
 *   tickets    any number of work-groups, @tickets not NULL: word 0 counts the units taken, word 1 + unit the macroblocks of that unit that are done
 *   diagonal   a work-group a unit from @first_unit on, each filters its one macroblock (@diagonal - 2 * row, row); @unit_step past the last unit
 * @diagonal: -1 but for the last.  @boundaries: NULL where the picture has no inter macroblocks. */
__kernel WORK_GROUP void
gpu_deblock (__global const uchar *header, ulong mbs_offset, ulong slices_offset, __global const GpuBoundary *boundaries, __global Sample *samples,
    const GpuPicture params, volatile __global atomic_uint *tickets, uint first_unit, uint unit_step, int diagonal)
{
  Picture picture = { (__global const GpuMb *) (header + mbs_offset), (__global const GpuSlice *) (header + slices_offset), boundaries, samples, &params };
  uint width = params.width_in_mbs, n_units = params.height_in_mbs * N_PLANE_SETS;
  __local uint shared;
  uint unit = GPU_DEVICE_ATOMICS && tickets ? take_ticket (tickets, &shared) : first_unit + get_group_id (0);

  while (unit < n_units) {
    uint set = unit % N_PLANE_SETS, row = unit / N_PLANE_SETS;
    uint x = diagonal < 0 ? 0 : diagonal - 2 * row, end = diagonal < 0 ? width : x + 1;
    uint ready = tickets && row > 0 ? 0 : width;

    for (; x < end; x++) {
      uint needed = min (x + 2, width);

      if (GPU_DEVICE_ATOMICS && ready < needed)
        ready = wait_for (tickets + 1 + unit - N_PLANE_SETS, needed, &shared);
      deblock_macroblock (&picture, set, x, row);
      if (!GPU_CPU)
        barrier (CLK_GLOBAL_MEM_FENCE);
      if (GPU_DEVICE_ATOMICS && tickets && ((x + 1) % PROGRESS_STEP == 0 || x + 1 == width))
        tell_done (tickets + 1 + unit, x + 1);
    }
    unit = GPU_DEVICE_ATOMICS && tickets ? take_ticket (tickets, &shared) : unit + unit_step;
  }
}
