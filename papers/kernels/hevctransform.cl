/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The transforms of HEVC (ITU-T H.265, 8.6.4.2), forward and inverse, over dense lists of n x n blocks: 16-bit values in, 16-bit values
 * out, row by row.  Forward: rows first, then columns; inverse: columns first, then rows.  After each of the two, sums are rounded, shifted
 * to the right by shift.x, then by shift.y, and clipped to 16 bits.
 *
 * Build options: N: 4, 8, 16 or 32; HEVC_DST: the 4x4 DST; HEVC_INVERSE; HEVC_BLOCKS: blocks of a group of hevc_onestep; GPU_CPU:
 * hevc_gpuidct in vectors.
 *
 * - hevc_plain: one element a work-item, one dimension a launch
 * - hevc_shared: the same, block and matrix in local memory
 * - hevc_butterfly: by even and odd parts, one dimension a launch (hevcbutterfly.cl)
 * - hevc_onestep: both dimensions in one launch, N * N work-items a block, block, matrix and what lies between in local memory
 * - hevc_gpuidct: what gpuidct does (hevcidct.cl).  GPU_CPU: a work-item takes blocks one behind the other, four 4x4, two 8x8, or one, in
 *   vectors; else a line a work-item, full groups
 */
#include "hevcmatrix.cl"

#define HEVC_NAME(name) name
#include "hevcblocks.cl"

/* Factors of one dimension in local memory */
#define LOCAL_FACTOR(o, j) factors[(o) * N + (j)]

/* Element @e of the result of one dimension, along rows or along columns, of a block of shorts at @block */
#define ELEMENT(block, factor, e, rows, sum)                                       \
  do {                                                                             \
    uint y = (e) / N, x = (e) % N;                                                 \
    sum = 0;                                                                       \
    for (uint j = 0; j < N; j++)                                                   \
      sum += (rows) ? factor (x, j) * block[y * N + j] : factor (y, j) * block[j * N + x]; \
  } while (0)

/* @first: the block; @second: 0 or 1: which dimension */
__kernel __attribute__ ((reqd_work_group_size (N * N, 1, 1))) void
hevc_plain (__global const short *in, __global short *out, uint first, uint second, int2 shift)
{
  __global const short *block = in + first * N * N;
  uint e = get_local_id (0);
  int sum;

  ELEMENT (block, FACTOR, e, second != ROWS_FIRST, sum);
  out[first * N * N + e] = round_sum (sum, second ? shift.y : shift.x);
}

__kernel __attribute__ ((reqd_work_group_size (N * N, 1, 1))) void
hevc_shared (__global const short *in, __global short *out, uint first, uint second, int2 shift)
{
  __local short block[N * N], factors[N * N];
  uint e = get_local_id (0);
  int sum;

  block[e] = in[first * N * N + e];
  factors[e] = FACTOR (e / N, e % N);
  barrier (CLK_LOCAL_MEM_FENCE);
  ELEMENT (block, LOCAL_FACTOR, e, second != ROWS_FIRST, sum);
  out[first * N * N + e] = round_sum (sum, second ? shift.y : shift.x);
}

#include "hevcbutterfly.cl"

/* @count: blocks from @first on; group g takes HEVC_BLOCKS of them */
__kernel __attribute__ ((reqd_work_group_size (N * N * HEVC_BLOCKS, 1, 1))) void
hevc_onestep (__global const short *in, __global short *out, uint first, uint count, int2 shift)
{
  __local short blocks[N * N * HEVC_BLOCKS], between[N * N * HEVC_BLOCKS], factors[N * N];
  uint in_group = get_local_id (0) / (N * N), e = get_local_id (0) % (N * N), n = get_group_id (0) * HEVC_BLOCKS + in_group;
  __local short *block = blocks + in_group * N * N, *half_way = between + in_group * N * N;
  int sum;

  if (in_group == 0)
    factors[e] = FACTOR (e / N, e % N);
  block[e] = n < count ? in[(first + n) * N * N + e] : 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  ELEMENT (block, LOCAL_FACTOR, e, ROWS_FIRST, sum);
  half_way[e] = round_sum (sum, shift.x);
  barrier (CLK_LOCAL_MEM_FENCE);
  ELEMENT (half_way, LOCAL_FACTOR, e, !ROWS_FIRST, sum);
  if (n < count)
    out[(first + n) * N * N + e] = round_sum (sum, shift.y);
}

#ifndef GPU_CPU

#define GPUIDCT_BLOCKS (64 / N)

__kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
hevc_gpuidct (__global const short *in, __global short *out, uint first, uint count, int2 shift)
{
  __local short between[GPUIDCT_BLOCKS * N * N];
  uint in_group = get_local_id (0) / N, n = get_group_id (0) * GPUIDCT_BLOCKS + in_group;

  butterfly (in, out, first + n, n < count, get_local_id (0) % N, between + in_group * N * N, shift);
}

#else

__kernel void
hevc_gpuidct (__global const short *in, __global short *out, uint first, uint count, int2 shift)
{
  for (uint step = get_global_id (0) * STEP; step < count; step += get_global_size (0) * STEP) {
    uint n[STEP];

    for (uint b = 0; b < STEP; b++)
      n[b] = first + min (step + b, count - 1);
    transform_step (in, out, n, shift.x, shift.y);
  }
}

#endif
