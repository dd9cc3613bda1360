/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The inverse transforms of Wang, Alvarez-Mesa, Chi and Juurlink as their listing has them: of coefficients scaled already, without
 * records: a work-item finds its block from its number alone.  Values are 16 bits wide throughout, which the standard grants for 8-bit
 * video (8.5.12.2, 8.5.13.2).  Buffers are padded to whole groups; residuals take the coefficients' place, both row by row
 * (so barriers fence global memory too; the listing's fence local memory alone).
 *
 * - GPU_MAPPING: 0: a sample a work-item (each computes its row, then its column); 1: a line; 2: a block
 * - GPU_ROWS: lines only: rows of 32 work-items of a group
 * - GPU_BLOCKS_4x4, GPU_BLOCKS_8x8: granularity: lines only: lines that a work-item takes
 * - GPU_COALESCING: lines only: residuals are put in order in local memory, with a padded stride, and written side by side
 * - GPU_SYNC: lines only: 32 work-items wait for each other as a sub-group, not as a work-group.  The launcher checks the sub-groups' size
 */
#if defined(GPU_SYNC) && __OPENCL_C_VERSION__ < 300
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

#define INLINE static inline __attribute__ ((always_inline))

typedef short Lines4;
typedef short Lines8;
#define ASR4(v, n) ((v) >> (n))
#define ASR8(v, n) ((v) >> (n))
#include "idcttransforms.cl"

#ifdef GPU_SYNC
#define WAIT() sub_group_barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define WAIT() barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

/* @n: 4 or 8, here and below: known when compiled */
INLINE void
transform (short *d, uint n)
{
  if (n == 4)
    transform_4 (d);
  else
    transform_8 (d);
}

INLINE short
round_residual (short d)
{
  return (short) ((d + 32) >> 6);
}

#if GPU_MAPPING == 1

/* Work-items of a row; samples of @n lines of 32 work-items, and the same with a word between every 32 samples */
#define WIDTH 32
#define ROW_SIZE(n) (WIDTH * (n))
#define PADDED(k) ((k) + (k) / 32 * 2)
#define ORDERED_SIZE(n) (GPU_ROWS * PADDED (ROW_SIZE (n)))
#define TILE_SIZE(n, lines) (GPU_ROWS * ROW_SIZE (n) * (lines))
#define GROUP_SIZE (WIDTH * GPU_ROWS)

/* The row of the work-item: from @in to column order in @tile, both of the 32 lines that 32 work-items take */
INLINE void
run_row (__global const short *in, __local short *tile, uint n)
{
  uint x = get_local_id (0);
  short d[8];

#pragma unroll
  for (uint i = 0; i < n; i++)
    d[i] = in[x * n + i];
  transform (d, n);
#pragma unroll
  for (uint i = 0; i < n; i++)
    tile[i * WIDTH + x] = d[i];
}

/* Its column, of block x % (32 / n).  (The listing has x % (n * n), which for n = 4 reaches beyond the 32 lines.) */
INLINE void
run_column (__local const short *tile, __global short *out, __local short *ordered, uint n)
{
  uint x = get_local_id (0), first = x % (WIDTH / n) * n * n + x / (WIDTH / n);
  short d[8];

#pragma unroll
  for (uint i = 0; i < n; i++)
    d[i] = tile[x * n + i];
  transform (d, n);
#pragma unroll
  for (uint i = 0; i < n; i++) {
#ifdef GPU_COALESCING
    ordered[PADDED (first + i * n)] = round_residual (d[i]);
#else
    out[first + i * n] = round_residual (d[i]);
#endif
  }
}

INLINE void
run_group (__global short *blocks, __local short *tile, __local short *ordered, uint n, uint lines)
{
  uint y = get_local_id (1), part = GPU_ROWS * ROW_SIZE (n);
  __global short *data = blocks + get_group_id (0) * (size_t) (part * lines) + y * ROW_SIZE (n);

  tile += y * ROW_SIZE (n);
  ordered += y * PADDED (ROW_SIZE (n));
  for (uint i = 0; i < lines; i++)
    run_row (data + i * part, tile + i * part, n);
  WAIT ();
  for (uint i = 0; i < lines; i++) {
    run_column (tile + i * part, data + i * part, ordered, n);
#ifdef GPU_COALESCING
    WAIT ();
    for (uint k = 0; k < n; k++)
      data[i * part + k * WIDTH + get_local_id (0)] = ordered[PADDED (k * WIDTH + get_local_id (0))];
    WAIT ();
#endif
  }
}

#elif GPU_MAPPING == 2

#define ORDERED_SIZE(n) 1
#define TILE_SIZE(n, lines) 1
#define GROUP_SIZE 96
#define GPU_ROWS 1
#define WIDTH 96

INLINE void
run_group (__global short *blocks, __local short *tile, __local short *ordered, uint n, uint lines)
{
  __global short *data = blocks + get_global_id (0) * n * n;
  short c[64], column[8];

#pragma unroll
  for (uint y = 0; y < n; y++) {
#pragma unroll
    for (uint x = 0; x < n; x++)
      c[y * n + x] = data[y * n + x];
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
      data[y * n + x] = round_residual (column[y]);
  }
}

#else

#define ORDERED_SIZE(n) 1
#define TILE_SIZE(n, lines) 128
#define GROUP_SIZE 64
#define GPU_ROWS 1
#define WIDTH 64

/* The transform of @n values, @step apart: number @k of the result */
INLINE short
transform_one (__local const short *values, uint step, uint n, uint k)
{
  short d[8], result = 0;

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
run_group (__global short *blocks, __local short *tile, __local short *ordered, uint n, uint lines)
{
  __local short *rows = tile + GROUP_SIZE;
  uint k = get_local_id (0) % (n * n), y = k / n, x = k % n, base = get_local_id (0) - k;

  tile[base + k] = blocks[get_global_id (0)];
  WAIT ();
  rows[base + k] = transform_one (tile + base + y * n, 1, n, x);
  WAIT ();
  blocks[get_global_id (0)] = round_residual (transform_one (rows + base + x, n, n, y));
}

#endif

/* Global and local size: (32, GPU_ROWS) a group for lines, (GROUP_SIZE, 1) else */
__kernel __attribute__ ((reqd_work_group_size (WIDTH, GPU_ROWS, 1))) void
gpu_idct_scaled_4x4 (__global short *blocks)
{
  __local short tile[TILE_SIZE (4, GPU_BLOCKS_4x4)], ordered[ORDERED_SIZE (4)];

  run_group (blocks, tile, ordered, 4, GPU_BLOCKS_4x4);
}

__kernel __attribute__ ((reqd_work_group_size (WIDTH, GPU_ROWS, 1))) void
gpu_idct_scaled_8x8 (__global short *blocks)
{
  __local short tile[TILE_SIZE (8, GPU_BLOCKS_8x8)], ordered[ORDERED_SIZE (8)];

  run_group (blocks, tile, ordered, 8, GPU_BLOCKS_8x8);
}

/* ---- what they start from: every block of the frame, a group of 96 a macroblock of 4:2:0 ---- */

#define MB_SAMPLES 384

INLINE void
frame_row (__global const short *data, __local short *tile, uint first, uint line, uint n)
{
  short d[8];

#pragma unroll
  for (uint i = 0; i < n; i++)
    d[i] = data[first + line * n + i];
  transform (d, n);
#pragma unroll
  for (uint i = 0; i < n; i++)
    tile[first + i * n + line] = d[i];
}

INLINE void
frame_column (__global short *data, __local const short *tile, uint first, uint line, uint n)
{
  short d[8];

#pragma unroll
  for (uint i = 0; i < n; i++)
    d[i] = tile[first + line * n + i];
  transform (d, n);
#pragma unroll
  for (uint i = 0; i < n; i++)
    data[first + i * n + line] = round_residual (d[i]);
}

/* frame: 384 a macroblock, block by block; kinds: of a macroblock: bit 31: its luma blocks are 8x8; bits 0 to 23: 4x4 block (of 8x8:
 * the first of four) has coefficients: 16 of luma, 4 of Cb, 4 of Cr.  Global size (96 * macroblocks, 1, 1) */
__kernel __attribute__ ((reqd_work_group_size (96, 1, 1))) void
gpu_idct_scaled_frame (__global short *frame, __global const uint *kinds)
{
  __local short tile[MB_SAMPLES];
  __global short *data = frame + get_group_id (0) * (size_t) MB_SAMPLES;
  uint item = get_local_id (0), kind = kinds[get_group_id (0)];
  bool is_8x8 = kind >> 31 && item < 64;
  uint block = is_8x8 ? item / 8 * 4 : item / 4, line = is_8x8 ? item % 8 : item % 4;
  bool coded = kind >> (block % 24) & 1 && !(is_8x8 && item >= 32);

  if (coded && is_8x8)
    frame_row (data, tile, block * 16, line, 8);
  else if (coded)
    frame_row (data, tile, block * 16, line, 4);
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (coded && is_8x8)
    frame_column (data, tile, block * 16, line, 8);
  else if (coded)
    frame_column (data, tile, block * 16, line, 4);
}
