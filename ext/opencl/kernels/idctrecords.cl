/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the transform kernels have in common: how a position leads to scales, and the kernel of the DC groups.
 */
#include "gpurecords.h"

#define INLINE static inline __attribute__ ((always_inline))
#define SLOT_SIZE 32

/* PoCL splits vstore of short vectors into elements; assignments through these stay whole, at any address */
typedef uchar16 __attribute__ ((aligned (1))) uchar16_u;
/* slots are aligned to 32 bytes only */
typedef int16 __attribute__ ((aligned (SLOT_SIZE))) int16_slot;

/* Where the records of a colour plane set lie, and what of a picture the kernels need */
typedef struct
{
  __global const GstGpuMb *mbs;
  __global const GstGpuSlice *slices;
  __global int *dc;
  uint chroma_array_type;
} Picture;

/* What the position of a block leads to */
typedef struct
{
  __global const GstGpuMb *mb;
  uint mb_addr, plane, blk;
  uint qp;    /* qP */
  uint inter; /* 1: the Inter scaling lists */
} Block;

/* value = (level * level_scale + round) >> shift, where level_scale holds 2^(qP / 6) if that is a shift to the left */
typedef struct
{
  uint left, round, right;
} Shift;

/* normAdjust4x4 (8.5.9), (i, j) even and odd; symmetric, so transposed or not is the same */
__constant uchar16 norm_adjust_4x4[6] = {
  (uchar16) (10, 13, 10, 13, 13, 16, 13, 16, 10, 13, 10, 13, 13, 16, 13, 16),
  (uchar16) (11, 14, 11, 14, 14, 18, 14, 18, 11, 14, 11, 14, 14, 18, 14, 18),
  (uchar16) (13, 16, 13, 16, 16, 20, 16, 20, 13, 16, 13, 16, 16, 20, 16, 20),
  (uchar16) (14, 18, 14, 18, 18, 23, 18, 23, 14, 18, 14, 18, 18, 23, 18, 23),
  (uchar16) (16, 20, 16, 20, 20, 25, 20, 25, 16, 20, 16, 20, 20, 25, 20, 25),
  (uchar16) (18, 23, 18, 23, 23, 29, 23, 29, 18, 23, 18, 23, 23, 29, 23, 29),
};

/* normAdjust8x8 (8.5.9): two rows a vector; rows 4 to 7 are rows 0 to 3 again.  Symmetric too */
__constant uchar16 norm_adjust_8x8[6][2] = {
  { (uchar16) (20, 19, 25, 19, 20, 19, 25, 19, 19, 18, 24, 18, 19, 18, 24, 18),
      (uchar16) (25, 24, 32, 24, 25, 24, 32, 24, 19, 18, 24, 18, 19, 18, 24, 18) },
  { (uchar16) (22, 21, 28, 21, 22, 21, 28, 21, 21, 19, 26, 19, 21, 19, 26, 19),
      (uchar16) (28, 26, 35, 26, 28, 26, 35, 26, 21, 19, 26, 19, 21, 19, 26, 19) },
  { (uchar16) (26, 24, 33, 24, 26, 24, 33, 24, 24, 23, 31, 23, 24, 23, 31, 23),
      (uchar16) (33, 31, 42, 31, 33, 31, 42, 31, 24, 23, 31, 23, 24, 23, 31, 23) },
  { (uchar16) (28, 26, 35, 26, 28, 26, 35, 26, 26, 25, 33, 25, 26, 25, 33, 25),
      (uchar16) (35, 33, 45, 33, 35, 33, 45, 33, 26, 25, 33, 25, 26, 25, 33, 25) },
  { (uchar16) (32, 30, 40, 30, 32, 30, 40, 30, 30, 28, 38, 28, 30, 28, 38, 28),
      (uchar16) (40, 38, 51, 38, 40, 38, 51, 38, 30, 28, 38, 28, 30, 28, 38, 28) },
  { (uchar16) (36, 34, 46, 34, 36, 34, 46, 34, 34, 32, 43, 32, 34, 32, 43, 32),
      (uchar16) (46, 43, 58, 43, 46, 43, 58, 43, 34, 32, 43, 32, 34, 32, 43, 32) },
};

/* Structures are filled through pointers, not returned: oclgrind cannot run what Clang makes of inlined functions that return them. */
INLINE void
picture_init (Picture *picture, __global const uchar *header, uint4 mbs_offset, uint slices_offset, uint chroma_array_type,
    uint colour_plane, __global int *dc_0, __global int *dc_1, __global int *dc_2)
{
  picture->mbs = (__global const GstGpuMb *) (header
      + (colour_plane == 0 ? mbs_offset.x : colour_plane == 1 ? mbs_offset.y : mbs_offset.z));
  picture->slices = (__global const GstGpuSlice *) (header + slices_offset);
  picture->dc = colour_plane == 0 ? dc_0 : colour_plane == 1 ? dc_1 : dc_2;
  picture->chroma_array_type = chroma_array_type;
}

INLINE void
block_init (Block *block, const Picture *picture, uint position)
{
  block->mb_addr = GST_GPU_POSITION_MB (position);
  block->plane = GST_GPU_POSITION_PLANE (position);
  block->blk = GST_GPU_POSITION_BLK (position);
  block->mb = &picture->mbs[block->mb_addr];
  block->qp = block->mb->qp_scaled[block->plane];
  block->inter = block->mb->mb_class == GST_GPU_MB_INTER;
}

/* @bits: what 2^(qP / 6) is divided by: 4 in 8.5.12.1; 6 in 8.5.10, 8.5.11.2 (4:2:2) and 8.5.13.1 */
INLINE void
shift_init (Shift *shift, uint qp, uint bits)
{
  shift->left = max (qp / 6, bits) - bits;
  shift->right = bits - min (qp / 6, bits);
  shift->round = (1u << shift->right) >> 1;
}

/* Whether the DC coefficients of the macroblock's plane come in a group of their own (Intra16x16, chroma of 4:2:0 and 4:2:2) */
INLINE bool
has_dc_group (const Picture *picture, const Block *block)
{
  bool chroma = block->plane > 0 && picture->chroma_array_type != 3;

  return chroma || block->mb->mb_class == GST_GPU_MB_I16x16;
}

INLINE __global const uchar *
weight_scale_4x4 (const Picture *picture, const Block *block)
{
  return picture->slices[block->mb->slice].weight_scale_4x4[block->inter * 3 + block->plane];
}

INLINE __global const uchar *
weight_scale_8x8 (const Picture *picture, const Block *block)
{
  return picture->slices[block->mb->slice].weight_scale_8x8[block->plane * 2 + block->inter];
}

/* LevelScale4x4(m, 0, 0) */
INLINE uint
level_scale_dc (const Picture *picture, const Block *block, uint qp)
{
  return weight_scale_4x4 (picture, block)[0] * norm_adjust_4x4[qp % 6].s0;
}

/* Four levels, number 4 * k on */
INLINE uint4
load_4_levels (__global const uchar *data, uint k, bool wide)
{
  if (wide)
    return as_uint4 (((__global const int4 *) data)[k]);
  return as_uint4 (convert_int4 (((__global const short4 *) data)[k]));
}

INLINE uint4
scale_dc (uint4 f, uint level_scale, const Shift *shift)
{
  return as_uint4 (as_int4 ((f * level_scale << shift->left) + shift->round) >> shift->right);
}

/* 1, 1, 1, 1; 1, 1, -1, -1; 1, -1, -1, 1; 1, -1, 1, -1 over four vectors (8.5.10) */
INLINE void
transform_dc_4 (uint4 *c)
{
  uint4 a = c[0] + c[1], b = c[2] + c[3], d = c[0] - c[1], e = c[2] - c[3];

  c[0] = a + b;
  c[1] = a - b;
  c[2] = d - e;
  c[3] = d + e;
}

INLINE void
transpose_4x4 (uint4 *c)
{
  uint4 c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];

  c[0] = (uint4) (c0.x, c1.x, c2.x, c3.x);
  c[1] = (uint4) (c0.y, c1.y, c2.y, c3.y);
  c[2] = (uint4) (c0.z, c1.z, c2.z, c3.z);
  c[3] = (uint4) (c0.w, c1.w, c2.w, c3.w);
}

/* Two rows of two, (x, y) and (z, w): their sum and their difference */
INLINE uint4
add_sub_rows (uint4 c)
{
  return c.xyxy + c.zwzw * (uint4) (1, 1, -1, -1);
}

/* The same of the two columns */
INLINE uint4
add_sub_columns (uint4 c)
{
  return c.xxzz + c.yyww * (uint4) (1, -1, 1, -1);
}

/* Intra16x16 luma, and Cb and Cr of 4:4:4 (8.5.10).  Stores 16 values, by luma4x4BlkIdx (6.4.3). */
INLINE void
dc_4x4 (const Picture *picture, const Block *block, __global const uchar *data, bool wide)
{
  __global int4 *dc = (__global int4 *) (picture->dc + block->mb_addr * 48 + block->plane * 16);
  uint level_scale = level_scale_dc (picture, block, block->qp);
  Shift shift;
  uint4 c[4];

  shift_init (&shift, block->qp, 6);
#pragma unroll
  for (uint i = 0; i < 4; i++)
    c[i] = load_4_levels (data, i, wide);
  transform_dc_4 (c);
  transpose_4x4 (c);
  transform_dc_4 (c);
#pragma unroll
  for (uint i = 0; i < 4; i += 2) {
    uint4 upper = scale_dc (c[i], level_scale, &shift), lower = scale_dc (c[i + 1], level_scale, &shift);

    dc[i] = as_int4 ((uint4) (upper.x, upper.y, lower.x, lower.y));
    dc[i + 1] = as_int4 ((uint4) (upper.z, upper.w, lower.z, lower.w));
  }
}

/* Chroma of 4:2:0 (8.5.11): 4 values, by chroma4x4BlkIdx */
INLINE void
dc_2x2 (const Picture *picture, const Block *block, __global const uchar *data, bool wide)
{
  uint4 f = add_sub_columns (add_sub_rows (load_4_levels (data, 0, wide)));

  f = f * level_scale_dc (picture, block, block->qp) << block->qp / 6;
  *(__global int4 *) (picture->dc + block->mb_addr * 48 + block->plane * 16) = as_int4 (f) >> 5;
}

/* Chroma of 4:2:2 (8.5.11): 8 values, by chroma4x4BlkIdx.  Here qP is QP'c,dc. */
INLINE void
dc_2x4 (const Picture *picture, const Block *block, __global const uchar *data, bool wide)
{
  __global int4 *dc = (__global int4 *) (picture->dc + block->mb_addr * 48 + block->plane * 16);
  uint qp_dc = block->qp + 3, level_scale = level_scale_dc (picture, block, qp_dc);
  uint4 upper = add_sub_rows (load_4_levels (data, 0, wide));
  uint4 lower = add_sub_rows (load_4_levels (data, 1, wide)) * (uint4) (1, 1, -1, -1);
  uint4 rows_02 = add_sub_columns (upper + lower), rows_13 = add_sub_columns (upper - lower);
  Shift shift;

  shift_init (&shift, qp_dc, 6);
  rows_02 = scale_dc (rows_02, level_scale, &shift);
  rows_13 = scale_dc (rows_13, level_scale, &shift);
  dc[0] = as_int4 ((uint4) (rows_02.x, rows_02.y, rows_13.x, rows_13.y));
  dc[1] = as_int4 ((uint4) (rows_02.z, rows_02.w, rows_13.z, rows_13.w));
}

/* Header, offsets in it in bytes; coeffs: the coefficient arena; dc_0 to dc_2: 48 int a macroblock for each colour plane (all the same
 * buffer where there is one).  first_segment: that of row 0 of the work-groups; all segments of the launch are of DC kinds. */
__kernel void
gpu_idct_dc (__global const uchar *header, uint4 mbs_offset, uint slices_offset, uint segments_offset, uint first_segment,
    uint chroma_array_type, __global const uchar *coeffs, __global int *dc_0, __global int *dc_1, __global int *dc_2)
{
  GstGpuSegment segment = ((__global const GstGpuSegment *) (header + segments_offset))[first_segment + get_group_id (1)];
  Picture picture;
  __global const uint *positions = (__global const uint *) coeffs + segment.positions;
  __global const uchar *data = coeffs + (size_t) segment.coeffs * SLOT_SIZE;
  uint size = (segment.kind == GST_GPU_KIND_DC4x4 ? 32 : segment.kind == GST_GPU_KIND_DC2x4 ? 16 : 8) << segment.wide;

  picture_init (&picture, header, mbs_offset, slices_offset, chroma_array_type, segment.colour_plane, dc_0, dc_1, dc_2);
  for (uint n = get_global_id (0); n < segment.count; n += get_global_size (0)) {
    Block block;

    block_init (&block, &picture, positions[n]);
    if (segment.kind == GST_GPU_KIND_DC4x4)
      dc_4x4 (&picture, &block, data + n * size, segment.wide);
    else if (segment.kind == GST_GPU_KIND_DC2x4)
      dc_2x4 (&picture, &block, data + n * size, segment.wide);
    else
      dc_2x2 (&picture, &block, data + n * size, segment.wide);
  }
}
