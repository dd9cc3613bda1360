/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The compacted inverse transform of Wang, Alvarez-Mesa, Chi and Juurlink: blocks without coefficients are not there, each kind has a dense
 * list and a kernel of its own.  Same arguments and results as idct.cl.  The work-items of a group share work in one of three mappings, and
 * the paper's steps are options:
 *
 * - GPU_MAPPING: 0: a sample a work-item (redundant: each computes its row, then its column); 1: a line (first a row, through local memory,
 *   then a column); 2: a block
 * - GPU_GROUP_SIZE: work-items of a group: a multiple of 64 for samples, of 8 for lines
 * - GPU_BLOCKS_4x4, GPU_BLOCKS_8x8: granularity: blocks that a work-item takes one behind the other
 * - GPU_COALESCING: lines only: residuals are put in order in local memory, rows padded by a word, and written side by side
 * - GPU_SYNC: lines only: the lines of a block wait for each other as a sub-group, not as a work-group.  The launcher checks that no block
 *   straddles two sub-groups
 */
#include "idctrecords.cl"

#if defined(GPU_SYNC) && __OPENCL_C_VERSION__ < 300
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

typedef uint Lines4;
typedef uint Lines8;
#define ASR4(v, n) as_uint (as_int (v) >> (n))
#define ASR8(v, n) as_uint (as_int (v) >> (n))
#include "idcttransforms.cl"

#if defined(GPU_COALESCING)
#define PADDING 1
#else
#define PADDING 0
#endif

#define WAIT_GROUP() barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#ifdef GPU_SYNC
#define WAIT_BLOCK() sub_group_barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define WAIT_BLOCK() WAIT_GROUP ()
#endif

/* How the levels of a block are scaled */
typedef struct
{
  __global const uchar *data;
  bool wide;
  __global const uchar *weight_scale;
  __constant const uchar *norm_adjust;
  Shift shift;
  bool own_dc; /* coefficient 0 is the block's own; else it is dc */
  uint dc;
} Scaling;

/* @n: 4 or 8, here and below: known when compiled */
INLINE void
scaling_init (Scaling *scaling, const Picture *picture, uint position, __global const uchar *data, bool wide, uint n)
{
  Block block;

  block_init (&block, picture, position);
  scaling->data = data;
  scaling->wide = wide;
  scaling->weight_scale = n == 4 ? weight_scale_4x4 (picture, &block) : weight_scale_8x8 (picture, &block);
  if (n == 4)
    scaling->norm_adjust = (__constant const uchar *) &norm_adjust_4x4[block.qp % 6];
  else
    scaling->norm_adjust = (__constant const uchar *) norm_adjust_8x8[block.qp % 6];
  shift_init (&scaling->shift, block.qp, n == 4 ? 4 : 6);
  scaling->own_dc = n == 8 || !has_dc_group (picture, &block);
  scaling->dc = 0;
  if (!scaling->own_dc && (block.mb->dc_coded >> block.plane & 1))
    scaling->dc = as_uint (picture->dc[block.mb_addr * 48 + block.plane * 16 + block.blk]);
}

/* The scaled coefficient of row @y, column @x */
INLINE uint
coefficient (const Scaling *scaling, uint n, uint y, uint x)
{
  uint k = x * n + y, norm_adjust = scaling->norm_adjust[n == 4 ? k : y % 4 * 8 + x];
  uint level, level_scale = (uint) scaling->weight_scale[k] * norm_adjust << scaling->shift.left;

  if (k == 0 && !scaling->own_dc)
    return scaling->dc;
  level = as_uint (scaling->wide ? ((__global const int *) scaling->data)[k] : ((__global const short *) scaling->data)[k]);
  return as_uint (as_int (level * level_scale + scaling->shift.round) >> scaling->shift.right);
}

INLINE void
transform (uint *d, uint n)
{
  if (n == 4)
    transform_4 (d);
  else
    transform_8 (d);
}

INLINE short
round_residual (uint d)
{
  return convert_short_sat (as_int (d + 32) >> 6);
}

/* Blocks of a segment, and the group's place in it */
typedef struct
{
  __global const uint *positions;
  __global uchar *data;
  uint count, block_size; /* bytes */
  bool wide;
} Blocks;

#if GPU_MAPPING == 2

#define TILE_SIZE(n, blocks) 1

INLINE void
run_blocks (const Picture *picture, const Blocks *blocks, uint n, uint per_item, __local uint *tile)
{
  for (uint first = get_global_id (0) * per_item; first < blocks->count; first += get_global_size (0) * per_item)
    for (uint i = first; i < min (first + per_item, blocks->count); i++) {
      __global uchar *data = blocks->data + i * blocks->block_size;
      Scaling scaling;
      uint c[64], column[8];

      scaling_init (&scaling, picture, blocks->positions[i], data, blocks->wide, n);
#pragma unroll
      for (uint y = 0; y < n; y++) {
#pragma unroll
        for (uint x = 0; x < n; x++)
          c[y * n + x] = coefficient (&scaling, n, y, x);
        transform (c + y * n, n);
      }
#pragma unroll
      for (uint x = 0; x < n; x++) {
#pragma unroll
        for (uint y = 0; y < n; y++)
          column[y] = c[y * n + x];
        transform (column, n);
#pragma unroll
        for (uint y = 0; y < n; y++)
          ((__global short *) data)[y * n + x] = round_residual (column[y]);
      }
    }
}

#elif GPU_MAPPING == 1

#define TILE_SIZE(n, blocks) (GPU_GROUP_SIZE * ((n) + PADDING) * (blocks))

/* The row of the work-item, in each of its blocks, from levels to the tile */
INLINE void
run_rows (const Picture *picture, const Blocks *blocks, uint n, uint first, uint per_item, __local uint *tile)
{
  uint line = get_local_id (0) % n, in_group = get_local_id (0) / n;

  for (uint b = 0; b < per_item; b++) {
    uint in_tile = b * (GPU_GROUP_SIZE / n) + in_group, i = first + in_tile;
    Scaling scaling;
    uint d[8];

    if (i >= blocks->count)
      continue;
    scaling_init (&scaling, picture, blocks->positions[i], blocks->data + i * blocks->block_size, blocks->wide, n);
#pragma unroll
    for (uint x = 0; x < n; x++)
      d[x] = coefficient (&scaling, n, line, x);
    transform (d, n);
#pragma unroll
    for (uint x = 0; x < n; x++)
      tile[(in_tile * n + line) * (n + PADDING) + x] = d[x];
  }
}

/* The column, from the tile to where the residuals stand: back in the tile with GPU_COALESCING */
INLINE void
run_columns (const Blocks *blocks, uint n, uint first, uint per_item, __local uint *tile)
{
  uint line = get_local_id (0) % n, in_group = get_local_id (0) / n;

  for (uint b = 0; b < per_item; b++) {
    uint in_tile = b * (GPU_GROUP_SIZE / n) + in_group, i = first + in_tile;
    uint d[8];

    if (i >= blocks->count)
      continue;
#pragma unroll
    for (uint y = 0; y < n; y++)
      d[y] = tile[(in_tile * n + y) * (n + PADDING) + line];
    transform (d, n);
#pragma unroll
    for (uint y = 0; y < n; y++) {
#ifdef GPU_COALESCING
      tile[(in_tile * n + y) * (n + PADDING) + line] = as_uint ((int) round_residual (d[y]));
#else
      ((__global short *) (blocks->data + i * blocks->block_size))[y * n + line] = round_residual (d[y]);
#endif
    }
  }
}

/* The residuals of all blocks of the group from the tile, neighbours written by neighbours */
INLINE void
write_in_order (const Blocks *blocks, uint n, uint first, uint per_item, __local const uint *tile)
{
  uint end = min (GPU_GROUP_SIZE / n * per_item, blocks->count - first) * n * n;

  for (uint k = get_local_id (0); k < end; k += GPU_GROUP_SIZE)
    ((__global short *) (blocks->data + (first + k / (n * n)) * blocks->block_size))[k % (n * n)] =
        (short) as_int (tile[k / n * (n + PADDING) + k % n]);
}

INLINE void
run_blocks (const Picture *picture, const Blocks *blocks, uint n, uint per_item, __local uint *tile)
{
  uint per_group = GPU_GROUP_SIZE / n * per_item;

  for (uint first = get_group_id (0) * per_group; first < blocks->count; first += get_num_groups (0) * per_group) {
    run_rows (picture, blocks, n, first, per_item, tile);
    WAIT_BLOCK ();
    run_columns (blocks, n, first, per_item, tile);
#ifdef GPU_COALESCING
    WAIT_GROUP ();
    write_in_order (blocks, n, first, per_item, tile);
    WAIT_GROUP ();
#else
    WAIT_BLOCK ();
#endif
  }
}

#else

#define TILE_SIZE(n, blocks) (2 * GPU_GROUP_SIZE)

/* The transform of @n values, @step words apart in local memory: number @k of the result */
INLINE uint
transform_one (__local const uint *values, uint step, uint n, uint k)
{
  uint d[8], result = 0;

#pragma unroll
  for (uint i = 0; i < n; i++)
    d[i] = values[i * step];
  transform (d, n);
#pragma unroll
  for (uint i = 0; i < n; i++)
    result = i == k ? d[i] : result;
  return result;
}

INLINE void
run_blocks (const Picture *picture, const Blocks *blocks, uint n, uint per_item, __local uint *tile)
{
  __local uint *rows = tile + GPU_GROUP_SIZE;
  uint k = get_local_id (0) % (n * n), y = k / n, x = k % n, base = get_local_id (0) - k, per_group = GPU_GROUP_SIZE / (n * n);

  for (uint first = get_group_id (0) * per_group; first < blocks->count; first += get_num_groups (0) * per_group) {
    uint i = first + get_local_id (0) / (n * n);
    __global uchar *data = blocks->data + i * blocks->block_size;

    if (i < blocks->count) {
      Scaling scaling;

      scaling_init (&scaling, picture, blocks->positions[i], data, blocks->wide, n);
      tile[base + k] = coefficient (&scaling, n, y, x);
    }
    WAIT_GROUP ();
    if (i < blocks->count)
      rows[base + k] = transform_one (tile + base + y * n, 1, n, x);
    WAIT_GROUP ();
    if (i < blocks->count)
      ((__global short *) data)[k] = round_residual (transform_one (rows + base + x, n, n, y));
  }
}

#endif

INLINE void
run_segment (__global const uchar *header, uint4 mbs_offset, uint slices_offset, uint segments_offset, uint first_segment,
    uint chroma_array_type, __global uchar *coeffs, __global int *dc_0, __global int *dc_1, __global int *dc_2, uint n, uint per_item,
    __local uint *tile)
{
  GstGpuSegment segment = ((__global const GstGpuSegment *) (header + segments_offset))[first_segment + get_group_id (1)];
  Picture picture;
  Blocks blocks;

  picture_init (&picture, header, mbs_offset, slices_offset, chroma_array_type, segment.colour_plane, dc_0, dc_1, dc_2);
  blocks.positions = (__global const uint *) coeffs + segment.positions;
  blocks.data = coeffs + (size_t) segment.coeffs * SLOT_SIZE;
  blocks.count = segment.count;
  blocks.block_size = n * n * 2 << segment.wide;
  blocks.wide = segment.wide;
  run_blocks (&picture, &blocks, n, per_item, tile);
}

/* As gpu_idct_dc, for segments of 4x4 blocks */
__kernel __attribute__ ((reqd_work_group_size (GPU_GROUP_SIZE, 1, 1))) void
gpu_idct_4x4 (__global const uchar *header, uint4 mbs_offset, uint slices_offset, uint segments_offset, uint first_segment,
    uint chroma_array_type, __global uchar *coeffs, __global int *dc_0, __global int *dc_1, __global int *dc_2)
{
  __local uint tile[TILE_SIZE (4, GPU_BLOCKS_4x4)];

  run_segment (header, mbs_offset, slices_offset, segments_offset, first_segment, chroma_array_type, coeffs, dc_0, dc_1, dc_2, 4,
      GPU_BLOCKS_4x4, tile);
}

/* As gpu_idct_dc, for segments of 8x8 blocks */
__kernel __attribute__ ((reqd_work_group_size (GPU_GROUP_SIZE, 1, 1))) void
gpu_idct_8x8 (__global const uchar *header, uint4 mbs_offset, uint slices_offset, uint segments_offset, uint first_segment,
    uint chroma_array_type, __global uchar *coeffs, __global int *dc_0, __global int *dc_1, __global int *dc_2)
{
  __local uint tile[TILE_SIZE (8, GPU_BLOCKS_8x8)];

  run_segment (header, mbs_offset, slices_offset, segments_offset, first_segment, chroma_array_type, coeffs, dc_0, dc_1, dc_2, 8,
      GPU_BLOCKS_8x8, tile);
}
