/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inverse quantisation, inverse transform and colour conversion as three kernels, for the system that gives these stages of an H.264
 * decoder, and no others, to a device: 4x4 blocks without scaling lists, BT.601 in limited range.
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
