/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inverse quantisation and inverse transforms (8.5.9 to 8.5.13).
 *
 * A launch covers a run of segments, one row of work-groups each: get_group_id (1) is the segment, the work-items of the row share its
 * blocks.
 *
 * - gpu_idct_dc: DC4x4, DC2x2, DC2x4; levels to scaled coefficients in dc[]
 * - gpu_idct_blocks: 4x4 and 8x8; levels to residuals, in place
 *
 * Build option GPU_CPU: rows of one work-item, which takes four 4x4 or two 8x8 blocks at once in one vector (GPU_BUILTIN_PREFETCH:
 * prefetch.cl).  Without it: work-groups of GPU_GROUP_SIZE work-items, one for each 4x4 block or each line of an 8x8 block; gpu_idct_4x4
 * and gpu_idct_8x8 in place of gpu_idct_blocks.
 *
 * All sums, products and left shifts are modulo 2^32 (values are unsigned for that), right shifts arithmetic; residuals are clipped to 16
 * bits.
 */
#include "idctrecords.cl"

/* The lines that one vector holds side by side */
#ifdef GPU_CPU
typedef uint16 Lines4; /* of four 4x4 blocks */
typedef uint16 Lines8; /* of two 8x8 blocks */
#define ASR4(v, n) as_uint16 (as_int16 (v) >> (n))
#define ASR8(v, n) as_uint16 (as_int16 (v) >> (n))
#else
typedef uint4 Lines4; /* of a 4x4 block */
typedef uint Lines8;  /* one line */
#define ASR4(v, n) as_uint4 (as_int4 (v) >> (n))
#define ASR8(v, n) as_uint (as_int (v) >> (n))
#endif

#include "idcttransforms.cl"

#ifdef GPU_CPU

#include "prefetch.cl"

/* How far ahead of a block levels are asked for, in bytes: another core has written them, mostly */
#define LEVELS_AHEAD 2048

/* The macroblock and plane that the last block belonged to, and the level scales used last: most blocks find both as they need them. */
typedef struct
{
  uint group; /* position without blk; ~0: none yet */
  uint plane;
  Shift shift;
  bool own_dc; /* coefficient 0 is the block's own; else it is that of dc[blk], or 0 where dc is NULL */
  __global const int *dc;
  uint key[3]; /* for each plane, what the scales below are made from; ~0: nothing yet */
  uint16 scale_4x4[3];
  uint16 scale_8x8[3][4]; /* two columns each */
} Scaling;

INLINE void
scaling_init (Scaling *scaling)
{
  scaling->group = ~0u;
  scaling->key[0] = scaling->key[1] = scaling->key[2] = ~0u;
}

/* LevelScale4x4(m, ., .) * 2^left */
INLINE void
scaling_set_4x4 (Scaling *scaling, const Picture *picture, const Block *block)
{
  uchar16 weight_scale = *(__global const uchar16_u *) weight_scale_4x4 (picture, block);

  scaling->scale_4x4[block->plane] = convert_uint16 (weight_scale) * convert_uint16 (norm_adjust_4x4[block->qp % 6]) << scaling->shift.left;
}

/* LevelScale8x8(m, ., .) * 2^left */
INLINE void
scaling_set_8x8 (Scaling *scaling, const Picture *picture, const Block *block)
{
  __global const uchar16_u *weight_scale = (__global const uchar16_u *) weight_scale_8x8 (picture, block);
  __constant const uchar16 *norm_adjust = norm_adjust_8x8[block->qp % 6];

  for (uint i = 0; i < 4; i++)
    scaling->scale_8x8[block->plane][i] = convert_uint16 (weight_scale[i]) * convert_uint16 (norm_adjust[i % 2]) << scaling->shift.left;
}

/* @n: 4 or 8 */
INLINE void
scaling_move (Scaling *scaling, const Picture *picture, uint position, uint n)
{
  Block block;
  uint key;

  if (position >> 4 == scaling->group)
    return;
  block_init (&block, picture, position);
  scaling->group = position >> 4;
  scaling->plane = block.plane;
  shift_init (&scaling->shift, block.qp, n == 4 ? 4 : 6);
  if (n == 4) {
    scaling->own_dc = !has_dc_group (picture, &block);
    scaling->dc = block.mb->dc_coded >> block.plane & 1 ? picture->dc + block.mb_addr * 48 + block.plane * 16 : 0;
  }
  key = block.mb->slice | block.inter << 16 | block.qp << 17;
  if (scaling->key[block.plane] == key)
    return;
  scaling->key[block.plane] = key;
  if (n == 4)
    scaling_set_4x4 (scaling, picture, &block);
  else
    scaling_set_8x8 (scaling, picture, &block);
}

INLINE uint16
load_16_levels (__global const uchar *data, uint k, bool wide)
{
  if (wide)
    return as_uint16 (((__global const int16_slot *) data)[k]);
  return as_uint16 (convert_int16 (((__global const short16 *) data)[k]));
}

INLINE short16
round_residual (uint16 d)
{
  return convert_short16_sat (as_int16 (d + 32) >> 6);
}

/* The first and the second halves of two vectors */
#define LOWER_HALVES(a, b) __builtin_shufflevector (a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
#define UPPER_HALVES(a, b) __builtin_shufflevector (a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)

/* Transposes the 4x4 quarters of four vectors. */
#define TRANSPOSE_QUARTERS(T, v)                                                                             \
  do {                                                                                                       \
    T t0 = __builtin_shufflevector (v[0], v[1], 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27);   \
    T t1 = __builtin_shufflevector (v[0], v[1], 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31); \
    T t2 = __builtin_shufflevector (v[2], v[3], 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27);   \
    T t3 = __builtin_shufflevector (v[2], v[3], 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31); \
    v[0] = LOWER_HALVES (t0, t2);                                                                            \
    v[1] = LOWER_HALVES (t1, t3);                                                                            \
    v[2] = UPPER_HALVES (t0, t2);                                                                            \
    v[3] = UPPER_HALVES (t1, t3);                                                                            \
  } while (0)

/* Transposes the 4x4 elements of each quarter of four vectors. */
INLINE void
transpose_4 (uint16 *c)
{
  uint16 t0 = __builtin_shufflevector (c[0], c[1], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
  uint16 t1 = __builtin_shufflevector (c[0], c[1], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
  uint16 t2 = __builtin_shufflevector (c[2], c[3], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
  uint16 t3 = __builtin_shufflevector (c[2], c[3], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);

  c[0] = __builtin_shufflevector (t0, t2, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
  c[1] = __builtin_shufflevector (t0, t2, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
  c[2] = __builtin_shufflevector (t1, t3, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
  c[3] = __builtin_shufflevector (t1, t3, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
}

/* Transposes the 8x8 elements of each half of eight vectors. */
INLINE void
transpose_8 (uint16 *c)
{
  transpose_4 (c);
  transpose_4 (c + 4);
#pragma unroll
  for (uint i = 0; i < 4; i++) {
    uint16 upper = c[i], lower = c[i + 4];

    c[i] = __builtin_shufflevector (upper, lower, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27);
    c[i + 4] = __builtin_shufflevector (upper, lower, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
  }
}

/* The scaled coefficients of a 4x4 block, column by column */
INLINE uint16
coefficients_4x4 (Scaling *scaling, const Picture *picture, uint position, __global const uchar *data, bool wide)
{
  uint16 d;

  scaling_move (scaling, picture, position, 4);
  d = load_16_levels (data, 0, wide) * scaling->scale_4x4[scaling->plane];
  d = as_uint16 (as_int16 (d + scaling->shift.round) >> scaling->shift.right);
  if (!scaling->own_dc)
    d.s0 = scaling->dc ? as_uint (scaling->dc[GST_GPU_POSITION_BLK (position)]) : 0;
  return d;
}

/* The same of an 8x8 block, two columns a vector */
INLINE void
coefficients_8x8 (Scaling *scaling, const Picture *picture, uint position, __global const uchar *data, bool wide, uint16 *d)
{
  scaling_move (scaling, picture, position, 8);
#pragma unroll
  for (uint i = 0; i < 4; i++) {
    d[i] = load_16_levels (data, i, wide) * scaling->scale_8x8[scaling->plane][i];
    d[i] = as_uint16 (as_int16 (d[i] + scaling->shift.round) >> scaling->shift.right);
  }
}

/* Four blocks a step.  The last step repeats the last block: all its loads come before all its stores. */
INLINE void
segment_4x4 (const Picture *picture, __global const uint *positions, uint count, __global uchar *data, bool wide)
{
  Scaling scaling;

  scaling_init (&scaling);

  for (uint n = 0; n < count; n += 4) {
    __global uchar *block[4];
    uint16 c[4];
    short16 r[4];

#pragma unroll
    for (uint i = 0; i < 4; i++) {
      uint k = min (n + i, count - 1);

      block[i] = data + k * (32 << wide);
      if (wide || i % 2 == 0)
        PREFETCH_WRITE (block[i] + LEVELS_AHEAD);
      c[i] = coefficients_4x4 (&scaling, picture, positions[k], block[i], wide);
    }
    TRANSPOSE_QUARTERS (uint16, c);
    transform_4 (c);
    transpose_4 (c);
    transform_4 (c);
#pragma unroll
    for (uint y = 0; y < 4; y++)
      r[y] = round_residual (c[y]);
    TRANSPOSE_QUARTERS (short16, r);
#pragma unroll
    for (uint i = 0; i < 4; i++)
      *(__global short16 *) block[i] = r[i];
  }
}

/* Two blocks a step, the last one alone twice */
INLINE void
segment_8x8 (const Picture *picture, __global const uint *positions, uint count, __global uchar *data, bool wide)
{
  Scaling scaling;

  scaling_init (&scaling);

  for (uint n = 0; n < count; n += 2) {
    uint second = min (n + 1, count - 1);
    __global uchar *block_a = data + n * (128 << wide), *block_b = data + second * (128 << wide);
    uint16 a[4], b[4], c[8];

#pragma unroll
    for (uint i = 0; i < (wide ? 8 : 4); i++)
      PREFETCH_WRITE (block_a + LEVELS_AHEAD + i * 64);
    coefficients_8x8 (&scaling, picture, positions[n], block_a, wide, a);
    coefficients_8x8 (&scaling, picture, positions[second], block_b, wide, b);
#pragma unroll
    for (uint i = 0; i < 4; i++) {
      c[2 * i] = LOWER_HALVES (a[i], b[i]);
      c[2 * i + 1] = UPPER_HALVES (a[i], b[i]);
    }
    transform_8 (c);
    transpose_8 (c);
    transform_8 (c);
#pragma unroll
    for (uint i = 0; i < 4; i++) {
      short16 even = round_residual (c[2 * i]), odd = round_residual (c[2 * i + 1]);

      ((__global short16 *) block_a)[i] = LOWER_HALVES (even, odd);
      ((__global short16 *) block_b)[i] = UPPER_HALVES (even, odd);
    }
  }
}

/* As gpu_idct_dc, for segments of 4x4 and 8x8 blocks */
__kernel void
gpu_idct_blocks (__global const uchar *header, uint4 mbs_offset, uint slices_offset, uint segments_offset, uint first_segment,
    uint chroma_array_type, __global uchar *coeffs, __global int *dc_0, __global int *dc_1, __global int *dc_2)
{
  GstGpuSegment segment = ((__global const GstGpuSegment *) (header + segments_offset))[first_segment + get_group_id (1)];
  Picture picture;
  __global const uint *positions = (__global const uint *) coeffs + segment.positions;
  __global uchar *data = coeffs + (size_t) segment.coeffs * SLOT_SIZE;

  picture_init (&picture, header, mbs_offset, slices_offset, chroma_array_type, segment.colour_plane, dc_0, dc_1, dc_2);
  if (segment.kind == GST_GPU_KIND_8x8 && !segment.wide)
    segment_8x8 (&picture, positions, segment.count, data, false);
  else if (segment.kind == GST_GPU_KIND_8x8)
    segment_8x8 (&picture, positions, segment.count, data, true);
  else if (!segment.wide)
    segment_4x4 (&picture, positions, segment.count, data, false);
  else
    segment_4x4 (&picture, positions, segment.count, data, true);
}

#else

/* The scaled coefficients of a 4x4 block, column by column */
INLINE void
coefficients_4x4 (const Picture *picture, const Block *block, __global const uchar *data, bool wide, uint4 *c)
{
  __global const uchar4 *weight_scale = (__global const uchar4 *) weight_scale_4x4 (picture, block);
  __constant const uchar4 *norm_adjust = (__constant const uchar4 *) &norm_adjust_4x4[block->qp % 6];
  Shift shift;

  shift_init (&shift, block->qp, 4);
#pragma unroll
  for (uint i = 0; i < 4; i++) {
    c[i] = load_4_levels (data, i, wide) * (convert_uint4 (weight_scale[i]) * convert_uint4 (norm_adjust[i]) << shift.left);
    c[i] = as_uint4 (as_int4 (c[i] + shift.round) >> shift.right);
  }
  if (has_dc_group (picture, block))
    c[0].x = block->mb->dc_coded >> block->plane & 1 ? as_uint (picture->dc[block->mb_addr * 48 + block->plane * 16 + block->blk]) : 0;
}

/* As gpu_idct_dc, for segments of 4x4 blocks: a block a work-item */
__kernel void
gpu_idct_4x4 (__global const uchar *header, uint4 mbs_offset, uint slices_offset, uint segments_offset, uint first_segment,
    uint chroma_array_type, __global uchar *coeffs, __global int *dc_0, __global int *dc_1, __global int *dc_2)
{
  GstGpuSegment segment = ((__global const GstGpuSegment *) (header + segments_offset))[first_segment + get_group_id (1)];
  Picture picture;
  __global const uint *positions = (__global const uint *) coeffs + segment.positions;
  __global uchar *data = coeffs + (size_t) segment.coeffs * SLOT_SIZE;

  picture_init (&picture, header, mbs_offset, slices_offset, chroma_array_type, segment.colour_plane, dc_0, dc_1, dc_2);
  for (uint n = get_global_id (0); n < segment.count; n += get_global_size (0)) {
    __global uchar *block_data = data + n * (32 << segment.wide);
    Block block;
    uint4 c[4];

    block_init (&block, &picture, positions[n]);
    coefficients_4x4 (&picture, &block, block_data, segment.wide, c);
    transform_4 (c);
    transpose_4x4 (c);
    transform_4 (c);
#pragma unroll
    for (uint y = 0; y < 4; y++)
      ((__global short4 *) block_data)[y] = convert_short4_sat (as_int4 (c[y] + 32) >> 6);
  }
}

/* The scaled coefficient of row @y, column @x of an 8x8 block */
INLINE uint
coefficient_8x8 (__global const uchar *data, __global const uchar *weight_scale, __constant const uchar16 *norm_adjust, const Shift *shift,
    uint y, uint x, bool wide)
{
  __constant const uchar *row = (__constant const uchar *) norm_adjust + y % 4 * 8;
  uint k = x * 8 + y;
  uint level = as_uint (wide ? ((__global const int *) data)[k] : ((__global const short *) data)[k]);
  uint level_scale = (uint) weight_scale[k] * row[x] << shift->left;

  return as_uint (as_int (level * level_scale + shift->round) >> shift->right);
}

/* As gpu_idct_dc, for segments of 8x8 blocks: a line a work-item, first a row of the block, then a column */
__kernel __attribute__ ((reqd_work_group_size (GPU_GROUP_SIZE, 1, 1))) void
gpu_idct_8x8 (__global const uchar *header, uint4 mbs_offset, uint slices_offset, uint segments_offset, uint first_segment,
    uint chroma_array_type, __global uchar *coeffs, __global int *dc_0, __global int *dc_1, __global int *dc_2)
{
  /* a row of 9 words: the columns that are read side by side lie in different banks */
  __local uint tile[GPU_GROUP_SIZE / 8][8 * 9];
  GstGpuSegment segment = ((__global const GstGpuSegment *) (header + segments_offset))[first_segment + get_group_id (1)];
  Picture picture;
  __global const uint *positions = (__global const uint *) coeffs + segment.positions;
  __global uchar *data = coeffs + (size_t) segment.coeffs * SLOT_SIZE;
  uint line = get_local_id (0) % 8, in_group = get_local_id (0) / 8;

  picture_init (&picture, header, mbs_offset, slices_offset, chroma_array_type, segment.colour_plane, dc_0, dc_1, dc_2);
  for (uint first = get_group_id (0) * (GPU_GROUP_SIZE / 8); first < segment.count; first += get_global_size (0) / 8) {
    uint n = first + in_group;
    __global uchar *block_data = data + n * (128 << segment.wide);
    uint d[8];

    if (n < segment.count) {
      __global const uchar *weight_scale;
      Block block;
      Shift shift;

      block_init (&block, &picture, positions[n]);
      shift_init (&shift, block.qp, 6);
      weight_scale = weight_scale_8x8 (&picture, &block);
#pragma unroll
      for (uint x = 0; x < 8; x++)
        d[x] = coefficient_8x8 (block_data, weight_scale, norm_adjust_8x8[block.qp % 6], &shift, line, x, segment.wide);
      transform_8 (d);
#pragma unroll
      for (uint x = 0; x < 8; x++)
        tile[in_group][line * 9 + x] = d[x];
    }
    barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (n < segment.count) {
#pragma unroll
      for (uint y = 0; y < 8; y++)
        d[y] = tile[in_group][y * 9 + line];
      transform_8 (d);
#pragma unroll
      for (uint y = 0; y < 8; y++)
        ((__global short *) block_data)[y * 8 + line] = convert_short_sat (as_int (d[y] + 32) >> 6);
    }
    barrier (CLK_LOCAL_MEM_FENCE);
  }
}

#endif
