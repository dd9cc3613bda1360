/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction of 4x4 blocks by wavefronts, one launch a wave, as the standard has it (ITU-T H.264, 8.3.1.2): what the 2-D scan is
 * measured against.  Blocks with x + slope * y = wave are rebuilt together: slope 1 is the north-west wavefront, for blocks that need
 * nothing above right; slope 2 the north-north-west one, which waits for the neighbour above right too.  Modes and residual as in
 * edgescan.cl.
 */
#define INLINE static inline __attribute__ ((always_inline))

/* Samples around a block: 0 to 3 the left column from bottom to top, 4 the corner, 5 to 8 the row above */
typedef struct
{
  int p[9];
  bool left, top;
} Around;

INLINE void
read_around (Around *around, __global const uchar *picture, size_t width, size_t x0, size_t y0)
{
  __global const uchar *block = picture + y0 * width + x0;

  around->left = x0 > 0;
  around->top = y0 > 0;
  for (int i = 0; i < 4; i++) {
    around->p[i] = around->left ? block[(3 - i) * width - 1] : 0;
    around->p[5 + i] = around->top ? block[i - (ptrdiff_t) width] : 0;
  }
  around->p[4] = around->left && around->top ? block[-(ptrdiff_t) width - 1] : 0;
}

INLINE int
predict_dc (const Around *a)
{
  int left = a->p[0] + a->p[1] + a->p[2] + a->p[3], top = a->p[5] + a->p[6] + a->p[7] + a->p[8];

  if (a->left && a->top)
    return (left + top + 4) >> 3;
  return a->left ? (left + 2) >> 2 : a->top ? (top + 2) >> 2 : 128;
}

INLINE int
filter2 (const int *p, int first)
{
  return (p[first] + p[first + 1] + 1) >> 1;
}

INLINE int
filter3 (const int *p, int centre)
{
  return (p[centre - 1] + 2 * p[centre] + p[centre + 1] + 2) >> 2;
}

INLINE int
predict_horizontal_up (const int *p, int z)
{
  if (z > 5)
    return p[0];
  if (z == 5)
    return (p[1] + 3 * p[0] + 2) >> 2;
  return z % 2 == 0 ? filter2 (p, 2 - z / 2) : filter3 (p, 2 - z / 2);
}

INLINE int
predict (const Around *a, int mode, int x, int y)
{
  const int *p = a->p;
  int z;

  switch (mode) {
    case 0:
      return p[5 + x];
    case 1:
      return p[3 - y];
    case 2:
      return predict_dc (a);
    case 4:
      return filter3 (p, 4 + x - y);
    case 5:
      z = 2 * x - y;
      return z >= 0 && z % 2 == 0 ? filter2 (p, 4 + z / 2) : filter3 (p, z >= -1 ? 4 + (z + 1) / 2 : 5 - y);
    case 6:
      z = 2 * y - x;
      return z >= 0 && z % 2 == 0 ? filter2 (p, 3 - z / 2) : filter3 (p, z >= -1 ? 4 - (z + 1) / 2 : 3 + x);
    default:
      return predict_horizontal_up (p, x + 2 * y);
  }
}

/* Global size (blocks on the wave, from row first_row on) */
__kernel void
gpu_block_wave (__global const uchar *modes, __global const short *residual, __global uchar *picture, uint width, uint wave, uint slope,
                uint first_row)
{
  size_t by = first_row + get_global_id (0), bx = wave - slope * by, x0 = bx * 4, y0 = by * 4;
  int mode = modes[by * (width / 4) + bx];
  Around around;

  read_around (&around, picture, width, x0, y0);
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++) {
      size_t at = (y0 + y) * width + x0 + x;

      picture[at] = convert_uchar_sat (predict (&around, mode, x, y) + residual[at]);
    }
}

/* The same by waves of 1x1 blocks, for the vertical and horizontal modes (and DC where all neighbours are missing), of which each sample
 * depends on one above or left of it.  Global size (samples on the wave, from row first_row on) */
__kernel void
gpu_sample_wave (__global const uchar *modes, __global const short *residual, __global uchar *picture, uint width, uint wave, uint slope,
                 uint first_row)
{
  size_t y = first_row + get_global_id (0), x = wave - slope * y, at = y * width + x;
  int mode = modes[y / 4 * (width / 4) + x / 4];
  int prediction = mode == 0 ? picture[(y / 4 * 4 - 1) * width + x] : mode == 1 ? picture[y * width + x / 4 * 4 - 1] : 128;

  picture[at] = convert_uchar_sat (prediction + residual[at]);
}
