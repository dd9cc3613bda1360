/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The inverse transform that Wang, Alvarez-Mesa, Chi and Juurlink start from: the coefficients of the whole frame, blocks without
 * coefficients included.  A work-group of 96 work-items takes one macroblock of 4:2:0; each finds the kind of its block, skips it where it
 * is empty, and does a line: first a row, through local memory, then a column.
 */
#include "idctrecords.cl"

typedef uint Lines4;
typedef uint Lines8;
#define ASR4(v, n) as_uint (as_int (v) >> (n))
#define ASR8(v, n) as_uint (as_int (v) >> (n))
#include "idcttransforms.cl"

/* Levels of a macroblock: 16 luma blocks, 4 of Cb, 4 of Cr */
#define MB_LEVELS 384

/* The line of a work-item */
typedef struct
{
  uint first; /* of the block's levels in the macroblock */
  uint line, n;
  bool coded;
  bool own_dc;
  Block block;
} Line;

INLINE void
line_init (Line *line, const Picture *picture, uint item)
{
  uint mb_addr = get_group_id (0), luma = item < 64, is_8x8 = picture->mbs[mb_addr].flags & GST_GPU_MB_TRANSFORM_8x8 && luma;
  uint blk = is_8x8 ? item / 8 * 4 : luma ? item / 4 : (item - 64) / 4 % 4, plane = luma ? 0 : 1 + (item - 64) / 16;

  block_init (&line->block, picture, GST_GPU_POSITION (mb_addr, plane, blk));
  line->n = is_8x8 ? 8 : 4;
  line->line = item % line->n;
  line->first = luma ? blk * 16 : 256 + (plane - 1) * 64 + blk * 16;
  line->coded = (!is_8x8 || item < 32) && line->block.mb->coded[plane] >> blk & 1;
  line->own_dc = is_8x8 || !has_dc_group (picture, &line->block);
}

INLINE uint
scale (uint level, uint level_scale, const Shift *shift)
{
  return as_uint (as_int (level * (level_scale << shift->left) + shift->round) >> shift->right);
}

INLINE void
row_4 (const Picture *picture, const Line *line, __global const short *levels, __local uint *tile)
{
  const Block *block = &line->block;
  __global const uchar *weight_scale = weight_scale_4x4 (picture, block);
  __constant const uchar *norm_adjust = (__constant const uchar *) &norm_adjust_4x4[block->qp % 6];
  uint d[4], y = line->line;
  Shift shift;

  shift_init (&shift, block->qp, 4);
#pragma unroll
  for (uint x = 0; x < 4; x++)
    d[x] = scale (as_uint ((int) levels[line->first + x * 4 + y]), weight_scale[x * 4 + y] * norm_adjust[x * 4 + y], &shift);
  if (y == 0 && !line->own_dc)
    d[0] = block->mb->dc_coded >> block->plane & 1 ? as_uint (picture->dc[block->mb_addr * 48 + block->plane * 16 + block->blk]) : 0;
  transform_4 (d);
#pragma unroll
  for (uint x = 0; x < 4; x++)
    tile[line->first + y * 4 + x] = d[x];
}

INLINE void
row_8 (const Picture *picture, const Line *line, __global const short *levels, __local uint *tile)
{
  const Block *block = &line->block;
  __global const uchar *weight_scale = weight_scale_8x8 (picture, block);
  __constant const uchar *norm_adjust = (__constant const uchar *) norm_adjust_8x8[block->qp % 6] + line->line % 4 * 8;
  uint d[8], y = line->line;
  Shift shift;

  shift_init (&shift, block->qp, 6);
#pragma unroll
  for (uint x = 0; x < 8; x++)
    d[x] = scale (as_uint ((int) levels[line->first + x * 8 + y]), weight_scale[x * 8 + y] * norm_adjust[x], &shift);
  transform_8 (d);
#pragma unroll
  for (uint x = 0; x < 8; x++)
    tile[line->first + y * 8 + x] = d[x];
}

INLINE void
column_4 (const Line *line, __local const uint *tile, __global short *residual)
{
  uint d[4];

#pragma unroll
  for (uint y = 0; y < 4; y++)
    d[y] = tile[line->first + y * 4 + line->line];
  transform_4 (d);
#pragma unroll
  for (uint y = 0; y < 4; y++)
    residual[line->first + y * 4 + line->line] = convert_short_sat (as_int (d[y] + 32) >> 6);
}

INLINE void
column_8 (const Line *line, __local const uint *tile, __global short *residual)
{
  uint d[8];

#pragma unroll
  for (uint y = 0; y < 8; y++)
    d[y] = tile[line->first + y * 8 + line->line];
  transform_8 (d);
#pragma unroll
  for (uint y = 0; y < 8; y++)
    residual[line->first + y * 8 + line->line] = convert_short_sat (as_int (d[y] + 32) >> 6);
}

/* header, mbs_offset, slices_offset, dc: as gpu_idct_dc has them.  levels: 384 a macroblock, block by block, those of a block transposed as
 * in the coefficient arena; residuals take their place */
__kernel __attribute__ ((reqd_work_group_size (96, 1, 1))) void
gpu_idct_baseline (__global const uchar *header, uint mbs_offset, uint slices_offset, __global short *levels, __global int *dc)
{
  __local uint tile[MB_LEVELS];
  __global short *data = levels + (size_t) get_group_id (0) * MB_LEVELS;
  Picture picture;
  Line line;

  picture_init (&picture, header, (uint4) (mbs_offset), slices_offset, 1, 0, dc, dc, dc);
  line_init (&line, &picture, get_local_id (0));
  if (line.coded && line.n == 8)
    row_8 (&picture, &line, data, tile);
  else if (line.coded)
    row_4 (&picture, &line, data, tile);
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (line.coded && line.n == 8)
    column_8 (&line, tile, data);
  else if (line.coded)
    column_4 (&line, tile, data);
}
