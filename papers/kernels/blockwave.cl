/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction of 4x4 blocks by wavefronts, one launch a wave, as the standard has it (ITU-T H.264, 8.3.1.2): what the 2-D scan is
 * measured against.  Blocks with x + slope * y = wave are rebuilt together: slope 1 is the north-west wavefront, for blocks that need
 * nothing above right; slope 2 the north-north-west one, which waits for the neighbour above right too.  Modes and residual as in
 * edgescan.cl.
 *
 * And repair: what makes the picture of a scan the standard's, where rounding or clipping made a difference.
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

/* The samples of block (@bx, @by), row by row, from those around it */
INLINE void
rebuild (__global const uchar *modes, __global const short *residual, __global const uchar *picture, size_t width, size_t bx, size_t by,
         uchar samples[16])
{
  int mode = modes[by * (width / 4) + bx];
  Around around;

  read_around (&around, picture, width, bx * 4, by * 4);
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++)
      samples[y * 4 + x] = convert_uchar_sat (predict (&around, mode, x, y) + residual[(by * 4 + y) * width + bx * 4 + x]);
}

/* Writes them; returns whether they were others. */
INLINE bool
store (__global uchar *picture, size_t width, size_t bx, size_t by, const uchar samples[16])
{
  bool changed = false;

  for (int i = 0; i < 16; i++) {
    __global uchar *sample = picture + (by * 4 + i / 4) * width + bx * 4 + i % 4;

    changed |= *sample != samples[i];
    *sample = samples[i];
  }
  return changed;
}

/* Global size (blocks on the wave, from row first_row on) */
__kernel void
gpu_block_wave (__global const uchar *modes, __global const short *residual, __global uchar *picture, uint width, uint wave, uint slope,
                uint first_row)
{
  size_t by = first_row + get_global_id (0), bx = wave - slope * by;
  uchar samples[16];

  rebuild (modes, residual, picture, width, bx, by, samples);
  store (picture, width, bx, by, samples);
}

/* ---- repair ---- */

/* Marks the blocks that are not what the standard makes of the samples around them.  marks: of each block; counts: marked blocks of each
 * north-west wave, 0 at first; totals[0]: grows by the number of marked blocks.  Global size (blocks across, blocks down, 1) */
__kernel void
gpu_block_check (__global const uchar *modes, __global const short *residual, __global const uchar *picture, uint width,
                 __global uint *marks, __global uint *counts, __global uint *totals)
{
  size_t bx = get_global_id (0), by = get_global_id (1);
  uchar samples[16];
  bool differs = false;

  rebuild (modes, residual, picture, width, bx, by, samples);
  for (int i = 0; i < 16; i++)
    differs |= picture[(by * 4 + i / 4) * width + bx * 4 + i % 4] != samples[i];
  marks[by * (width / 4) + bx] = differs;
  if (differs) {
    atomic_inc (&counts[bx + by]);
    atomic_inc (&totals[0]);
  }
}

INLINE void
mark (__global uint *marks, __global uint *counts, uint across, uint bx, uint by)
{
  if (atomic_xchg (&marks[by * across + bx], 1u) == 0)
    atomic_inc (&counts[bx + by]);
}

/* Marks what is predicted from block (@bx, @by): right of it, below, and below right where the mode takes the corner. */
INLINE void
mark_dependents (__global const uchar *modes, __global uint *marks, __global uint *counts, uint across, uint down, uint bx, uint by)
{
  bool right = bx + 1 < across, below = by + 1 < down;
  __global const uchar *mode = modes + by * across + bx;

  if (right && mode[1] != 0)
    mark (marks, counts, across, bx + 1, by);
  if (below && mode[across] != 1 && mode[across] != 8)
    mark (marks, counts, across, bx, by + 1);
  if (right && below && mode[across + 1] >= 4 && mode[across + 1] <= 6)
    mark (marks, counts, across, bx + 1, by + 1);
}

/* Rebuilds the marked blocks, wave after wave, and those that are predicted from blocks that change by it; then the picture is the
 * standard's: every block was right, from neighbours that stay, or is rebuilt behind its neighbours.  Waves without marked blocks are
 * passed over.  counts: 0 afterwards; totals[1]: grows by the number of blocks that were rebuilt.  One work-group */
__kernel void
gpu_block_repair (__global const uchar *modes, __global const short *residual, __global uchar *picture, uint width, uint height,
                  __global uint *marks, __global uint *counts, __global uint *totals)
{
  uint across = width / 4, down = height / 4;

  for (uint wave = 0; wave < across + down - 1; wave++) {
    uint first = wave < across ? 0 : wave - across + 1, end = min (wave + 1, down);

    if (counts[wave] == 0)
      continue;
    for (uint by = first + get_local_id (0); by < end; by += get_local_size (0)) {
      uint bx = wave - by;
      uchar samples[16];

      if (!marks[by * across + bx])
        continue;
      rebuild (modes, residual, picture, width, bx, by, samples);
      if (store (picture, width, bx, by, samples))
        mark_dependents (modes, marks, counts, across, down, bx, by);
      atomic_inc (&totals[1]);
    }
    barrier (CLK_GLOBAL_MEM_FENCE);
  }
  barrier (CLK_GLOBAL_MEM_FENCE);
  for (uint wave = get_local_id (0); wave < across + down - 1; wave += get_local_size (0))
    counts[wave] = 0;
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
