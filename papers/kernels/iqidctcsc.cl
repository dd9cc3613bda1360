/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inverse quantisation, inverse transform and colour conversion as three kernels, for the system that gives these stages of an H.264
 * decoder, and no others, to a device: 4x4 blocks without scaling lists, BT.601 in limited range.  Each twice: of lists of coded blocks, in
 * integers, a work-item a block; and as published, in floating point, through local memory (gpu_*_published).
 */
#define INLINE static inline __attribute__ ((always_inline))

/* normAdjust4x4 (8.5.9): of positions with both coordinates even, both odd, others */
__constant int norm_adjust[6][3] = { { 10, 16, 13 }, { 11, 18, 14 }, { 13, 20, 16 }, { 14, 23, 18 }, { 16, 25, 20 }, { 18, 29, 23 } };

/* Inverse quantisation (8.5.12.1) of the coded blocks, a work-item a block.
 * levels, coeffs: [16] a block, row by row; coded: numbers of the coded blocks; qp: of a macroblock, 24 blocks each.  Global size (coded
 * blocks, 1, 1) */
__kernel void
gpu_iq (__global const short *levels, __global int *coeffs, __global const uint *coded, __global const uchar *qp)
{
  size_t block = coded[get_global_id (0)];
  uint q = qp[block / 24];
  int4 scale = (int4) (norm_adjust[q % 6][0], norm_adjust[q % 6][2], norm_adjust[q % 6][0], norm_adjust[q % 6][2]);
  int4 scale_odd = (int4) (norm_adjust[q % 6][2], norm_adjust[q % 6][1], norm_adjust[q % 6][2], norm_adjust[q % 6][1]);
  __global const short4 *in = (__global const short4 *) (levels + block * 16);
  __global int4 *out = (__global int4 *) (coeffs + block * 16);

  for (uint y = 0; y < 4; y++)
    out[y] = convert_int4 (in[y]) * (y & 1 ? scale_odd : scale) << (int4) (q / 6);
}

/* 8.5.12.2, of four lines at once */
INLINE void
transform (int4 *a, int4 *b, int4 *c, int4 *d)
{
  int4 e = *a + *c, f = *a - *c, g = (*b >> 1) - *d, h = *b + (*d >> 1);

  *a = e + h;
  *b = f + g;
  *c = f - g;
  *d = e - h;
}

/* Inverse transform of the coded blocks, a work-item a block.  residual: short[16] a block, row by row.  Global size (coded blocks, 1, 1)
 * */
__kernel void
gpu_idct_apart (__global const int *coeffs, __global short *residual, __global const uint *coded)
{
  size_t block = coded[get_global_id (0)];
  __global const int4 *in = (__global const int4 *) (coeffs + block * 16);
  __global short4 *out = (__global short4 *) (residual + block * 16);
  /* columns of the block as vectors: the rows' transform */
  int4 a = (int4) (in[0].x, in[1].x, in[2].x, in[3].x), b = (int4) (in[0].y, in[1].y, in[2].y, in[3].y);
  int4 c = (int4) (in[0].z, in[1].z, in[2].z, in[3].z), d = (int4) (in[0].w, in[1].w, in[2].w, in[3].w);
  int4 r0, r1, r2, r3;

  transform (&a, &b, &c, &d);
  r0 = (int4) (a.x, b.x, c.x, d.x);
  r1 = (int4) (a.y, b.y, c.y, d.y);
  r2 = (int4) (a.z, b.z, c.z, d.z);
  r3 = (int4) (a.w, b.w, c.w, d.w);
  transform (&r0, &r1, &r2, &r3);
  out[0] = convert_short4 ((r0 + 32) >> 6);
  out[1] = convert_short4 ((r1 + 32) >> 6);
  out[2] = convert_short4 ((r2 + 32) >> 6);
  out[3] = convert_short4 ((r3 + 32) >> 6);
}

/* 4:2:0 of 8 bits to R, G, B and an opaque byte, BT.601 in 8-bit fixed point; a work-item 32 pixels: 16 columns of two rows, whose 8 chroma
 * samples are read once.  picture: Y, Cb, Cr one behind the other; rgb: 4 bytes a pixel.  Global size (width / 16, height / 2, 1) */
__kernel void
gpu_csc_apart (__global const uchar *picture, __global uchar4 *rgb, uint width, uint height)
{
  size_t x = get_global_id (0) * 16, y = get_global_id (1) * 2, chroma = y / 2 * (width / 2) + x / 2;
  __global const uchar *cb = picture + (size_t) width * height + chroma, *cr = cb + (size_t) width * height / 4;

  for (uint row = 0; row < 2; row++)
    for (uint i = 0; i < 16; i++) {
      int c = 298 * (picture[(y + row) * width + x + i] - 16) + 128, d = cb[i / 2] - 128, e = cr[i / 2] - 128;
      int3 value = (int3) (c + 409 * e, c - 100 * d - 208 * e, c + 516 * d) >> 8;

      rgb[(y + row) * width + x + i] = (uchar4)(convert_uchar_sat (value.x), convert_uchar_sat (value.y), convert_uchar_sat (value.z), 255);
    }
}

/* ---- as published ---- */

/* A group has as many work-items as the published processor has threads, and takes a macroblock */
#define THREADS 12
#define MB_BLOCKS 24

/* A row of a block times the columns of the inverse transform (8.5.12.2).  Halves are kept: the standard rounds them down, which is the
 * same where coefficients are multiples of 4, which they are from a QP of 12 on. */
__constant float4 inverse_matrix[4] = { (float4) (1, 1, 1, 0.5f), (float4) (1, 0.5f, -1, -1), (float4) (1, -0.5f, -1, 1),
  (float4) (1, -1, 1, -0.5f) };

/* Inverse quantisation of all blocks.  levels: [16] a block, row by row; scales: float[16] a macroblock, made by the host from its QP;
 * coeffs: float[16] a block.  Global size (THREADS * macroblocks, 1, 1), local (THREADS, 1, 1) */
__kernel __attribute__ ((reqd_work_group_size (THREADS, 1, 1))) void
gpu_iq_published (__global const short *levels, __global const float4 *scales, __global float4 *coeffs)
{
  __local short4 block[MB_BLOCKS * 4];
  __local float4 scale[4];
  size_t first = get_group_id (0) * MB_BLOCKS * 4;
  uint item = get_local_id (0);

  for (uint i = item; i < MB_BLOCKS * 4; i += THREADS)
    block[i] = vload4 (first + i, levels);
  if (item < 4)
    scale[item] = scales[get_group_id (0) * 4 + item];
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < MB_BLOCKS * 4; i += THREADS)
    coeffs[first + i] = convert_float4 (block[i]) * scale[i % 4];
}

/* Inverse transform of the blocks that coded_block_pattern (7.4.5) has, as two products with a matrix.  cbp: of a macroblock; residual:
 * short[16] a block, row by row; other blocks are left.  Sizes as above */
__kernel __attribute__ ((reqd_work_group_size (THREADS, 1, 1))) void
gpu_idct_published (__global const float4 *coeffs, __global short *residual, __global const uint *cbp)
{
  __local float4 block[MB_BLOCKS * 4], matrix[4];
  size_t first = get_group_id (0) * MB_BLOCKS * 4;
  uint item = get_local_id (0), pattern = cbp[get_group_id (0)];

  if (item < 4)
    matrix[item] = inverse_matrix[item];
  for (uint i = item; i < MB_BLOCKS * 4; i += THREADS)
    block[i] = coeffs[first + i];
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint blk = item; blk < MB_BLOCKS; blk += THREADS) {
    float4 row[4];

    if (!(blk < 16 ? pattern >> blk / 4 & 1 : pattern >> 4))
      continue;
    for (uint y = 0; y < 4; y++) {
      float4 v = block[blk * 4 + y];

      row[y] = (float4) (dot (v, matrix[0]), dot (v, matrix[1]), dot (v, matrix[2]), dot (v, matrix[3]));
    }
    for (uint y = 0; y < 4; y++) {
      float4 m = matrix[y], sum = row[0] * m.x + row[1] * m.y + row[2] * m.z + row[3] * m.w;

      vstore4 (convert_short4 (floor ((sum + 32) / 64)), first + blk * 4 + y, residual);
    }
  }
}

/* 4:2:0 of 8 bits to R, G, B and an opaque byte, BT.601 in limited range; a work-item 32 pixels of a row.  picture, rgb: as of
 * gpu_csc_apart.  Global size (width / 32 rounded up, height, 1) */
__kernel void
gpu_csc_published (__global const uchar *picture, __global uchar4 *rgb, uint width, uint height)
{
  uint x = get_global_id (0) * 32, y = get_global_id (1), end = min (x + 32, width);
  __global const uchar *luma = picture + (size_t) y * width;
  __global const uchar *cb = picture + (size_t) width * height + (size_t) (y / 2) * (width / 2), *cr = cb + (size_t) width * height / 4;

  for (; x < end; x += 2) {
    float d = (float) cb[x / 2] - 128, e = (float) cr[x / 2] - 128;
    float4 chroma = (float4) (1.596027f * e, -0.391762f * d - 0.812968f * e, 2.017232f * d, 0);

    for (uint i = 0; i < 2; i++) {
      float4 value = 1.164384f * ((float) luma[x + i] - 16) + chroma;

      value.w = 255;
      rgb[(size_t) y * width + x + i] = convert_uchar4_sat_rte (value);
    }
  }
}
