/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra_16x16 and chroma in explicit vectors (included by intrapredvector.cl): the area is predicted as a whole, four rows of eight samples
 * at a time, which are two 4x4 blocks side by side.
 */

/* What 4x4 blocks add where they have no AC: nothing, or the uniform residual of their DC coefficient */
typedef union
{
  short16 v;
  short s[16];
} Uniform;

INLINE void
read_uniform (Uniform *uniform, const Area *area)
{
  uniform->v = (short16) 0;
  if (area->dc) {
    int16 dc = *(__global const int16 *) area->dc;

    uniform->v = convert_short16_sat (as_int16 (as_uint16 (dc) + (uint16) 32) >> 6);
  }
}

/* The residual of block blk.  *next: the first block from there on that is coded.  Which blocks are is hard to foretell, so there is no
 * branch: without a block any that can be read is, and masked. */
INLINE short16
take_residual (const Area *area, uint blk, const Uniform *uniform, __global const short **next)
{
  uint coded = area->coded >> blk & 1;
  short16 mask = (short16) (short) -(int) coded, block = *(__global const short16 *) (coded ? *next : area->arena);

  *next += coded ? area->block_step : 0;
  return (block & mask) | ((short16) uniform->s[blk] & ~mask);
}

INLINE void
store_two_rows (__global Sample *p, long stride, ushort16 v)
{
  Sample16 s = CONVERT_SAMPLE16 (v);

  *(__global Sample8 *) p = s.lo;
  *(__global Sample8 *) (p + stride) = s.hi;
}

/* Four rows of the blocks blk and blk + 1, predicted as @upper, two rows, and @lower */
INLINE void
rebuild_pair (const Area *area, __global Sample *p, uint blk, const Uniform *uniform, __global const short **next, ushort16 upper,
    ushort16 lower)
{
  short16 a = take_residual (area, blk, uniform, next), b = take_residual (area, blk + 1, uniform, next);
  long stride = area->stride;

  PREFETCH (*next + RESIDUALS_AHEAD);
  store_two_rows (p, stride, add_residual16 (upper, SHUFFLE (a, b, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23), area->max));
  store_two_rows (p + 2 * stride, stride,
      add_residual16 (lower, SHUFFLE (a, b, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31), area->max));
}

/* How an area is predicted */
typedef struct
{
  uint mode;
  ushort16 above;
  ushort grey;
  bool has_left, has_left_lower;
  ushort dc[8]; /* of each 4x4 block of chroma; [0] of luma */
  int8 plane;   /* columns 0 to 7 of row 0, before the shift */
  int plane_b, plane_c;
} Whole;

INLINE int
sample_or (__global const Sample *p, bool there, int otherwise)
{
  return there ? *p : otherwise;
}

/* Plane prediction (8.3.3.4, 8.3.4.4) */
INLINE void
prepare_plane (Whole *whole, const Area *area, uint width, uint height)
{
  __global const Sample *above = area->samples - area->stride, *left = area->samples - 1;
  int stride = area->stride, w = (int) width / 2, h = (int) height / 2, sum_h = 0, sum_v = 0, a;
  bool has_above = area->mb->available & GST_GPU_AVAILABLE_B, has_corner = area->mb->available & GST_GPU_AVAILABLE_D;

  for (int i = 0; i < w; i++)
    sum_h += (i + 1)
        * (sample_or (above + w + i, has_above, whole->grey)
            - sample_or (above + w - 2 - i, i == w - 1 ? has_corner : has_above, whole->grey));
  for (int i = 0; i < h; i++)
    sum_v += (i + 1)
        * (sample_or (left + (h + i) * stride, whole->has_left_lower, whole->grey)
            - sample_or (left + (h - 2 - i) * stride, i == h - 1 ? has_corner : whole->has_left, whole->grey));
  a = 16
      * (sample_or (left + (2 * h - 1) * stride, whole->has_left_lower, whole->grey)
          + sample_or (above + 2 * w - 1, has_above, whole->grey));
  whole->plane_b = ((width == 8 ? 34 : 5) * sum_h + 32) >> 6;
  whole->plane_c = ((height == 8 ? 34 : 5) * sum_v + 32) >> 6;
  whole->plane = (int8) (a + 16 - whole->plane_b * (w - 1) - whole->plane_c * (h - 1)) + whole->plane_b * (int8) (0, 1, 2, 3, 4, 5, 6, 7);
}

INLINE uint
sum_left (const Area *area, uint row, uint n)
{
  uint sum = 0;

  for (uint i = 0; i < n; i++)
    sum += area->samples[(int) (row + i) * area->stride - 1];
  return sum;
}

/* DC of chroma (8.3.4.1 to 8.3.4.3): which side a block prefers depends on where it lies.  The side that is not there has the sum of the
 * other one, so that each block is the mean of two sides, or twice of one. */
INLINE void
prepare_chroma_dc (Whole *whole, const Area *area)
{
  bool has_above = area->mb->available & GST_GPU_AVAILABLE_B;
  uint sum0 = sum4 (whole->above.s0123), sum1 = sum4 (whole->above.s4567);

#pragma unroll
  for (uint row = 0; row < CHROMA_HEIGHT / 4; row++) {
    bool has_left = row * 8 < CHROMA_HEIGHT ? whole->has_left : whole->has_left_lower;
    uint left = has_left ? sum_left (area, row * 4, 4) : 0;
    uint left0 = has_left ? left : sum0, left1 = has_left ? left : sum1;
    uint above0 = has_above ? sum0 : left0, above1 = has_above ? sum1 : left1;

    whole->dc[2 * row] = (ushort) (((row == 0 ? above0 : left0) + left0 + 4) >> 3);
    whole->dc[2 * row + 1] = (ushort) ((above1 + (row == 0 ? above1 : left1) + 4) >> 3);
  }
}

INLINE void
prepare_luma_dc (Whole *whole, const Area *area)
{
  bool has_above = area->mb->available & GST_GPU_AVAILABLE_B, has_left = whole->has_left && whole->has_left_lower;

  whole->dc[0] =
      dc_value (sum8 (whole->above.lo) + sum8 (whole->above.hi), has_left ? sum_left (area, 0, 16) : 0, has_above, has_left, 16, area->max);
}

INLINE void
prepare_whole (Whole *whole, const Area *area, bool like_luma)
{
  uint available = area->mb->available;

  whole->mode = whole_mode (area, like_luma);
  whole->grey = (ushort) ((area->max + 1) / 2);
  whole->has_left = available & GST_GPU_AVAILABLE_A;
  whole->has_left_lower = available & GST_GPU_AVAILABLE_A_LOWER;
  whole->above = (ushort16) whole->grey;
  if ((available & GST_GPU_AVAILABLE_B) && like_luma)
    whole->above = load16 (area->samples - area->stride);
  else if (available & GST_GPU_AVAILABLE_B)
    whole->above.lo = load8 (area->samples - area->stride);
  if (whole->mode == WHOLE_PLANE)
    prepare_plane (whole, area, like_luma ? 16 : CHROMA_WIDTH, like_luma ? 16 : CHROMA_HEIGHT);
  else if (whole->mode == WHOLE_DC && like_luma)
    prepare_luma_dc (whole, area);
  else if (whole->mode == WHOLE_DC)
    prepare_chroma_dc (whole, area);
}

INLINE ushort8
plane_row (const Whole *whole, int x, int y, int max)
{
  return convert_ushort8 (clamp ((whole->plane + (int8) (whole->plane_b * x + whole->plane_c * y)) >> 5, (int8) 0, (int8) max));
}

INLINE ushort16
two_rows (ushort8 row)
{
  return (ushort16) (row, row);
}

/* Rows y and y + 1 of an area, from column x (0 or 8) on, blocks blk and blk + 1 */
INLINE ushort16
predict_two_rows (const Area *area, const Whole *whole, uint mode, bool like_luma, uint x, uint y, uint blk)
{
  __global const Sample *left = area->samples + (long) y * area->stride - 1;
  bool has_left = y * 2 < (like_luma ? 16 : CHROMA_HEIGHT) ? whole->has_left : whole->has_left_lower;

  switch (mode) {
    case WHOLE_VERTICAL:
      return two_rows (x ? whole->above.hi : whole->above.lo);
    case WHOLE_HORIZONTAL:
      return (ushort16) ((ushort8) (ushort) sample_or (left, has_left, whole->grey),
          (ushort8) (ushort) sample_or (left + area->stride, has_left, whole->grey));
    case WHOLE_DC:
      if (like_luma)
        return (ushort16) whole->dc[0];
      return two_rows ((ushort8) ((ushort4) whole->dc[blk], (ushort4) whole->dc[blk + 1]));
    default:
      return (ushort16) (plane_row (whole, (int) x, (int) y, area->max), plane_row (whole, (int) x, (int) y + 1, area->max));
  }
}

/* @mode: whole->mode, known where this is inlined */
INLINE void
rebuild_whole_as (const Area *area, const Whole *whole, const Uniform *uniform, uint mode, bool like_luma)
{
  __global const short *next = area->blocks;

  for (uint blk = 0; blk < (like_luma ? 16 : CHROMA_HEIGHT / 2); blk += 2) {
    uint x = like_luma ? block_column (blk) * 4 : 0, y = like_luma ? block_row (blk) * 4 : blk * 2;
    __global Sample *p = area->samples + (long) y * area->stride + x;
    ushort16 upper = predict_two_rows (area, whole, mode, like_luma, x, y, blk);
    ushort16 lower = mode == WHOLE_VERTICAL || mode == WHOLE_DC ? upper : predict_two_rows (area, whole, mode, like_luma, x, y + 2, blk);

    rebuild_pair (area, p, blk, uniform, &next, upper, lower);
  }
}

INLINE void
rebuild_whole_bypass (const Area *area, const Whole *whole, uint width, uint height)
{
  bool horizontal = whole->mode == WHOLE_HORIZONTAL;
  union
  {
    ushort16 v;
    ushort s[16];
  } line;

  line.v = whole->above;
  if (horizontal)
    for (uint y = 0; y < height; y++) {
      bool there = y * 2 < height ? whole->has_left : whole->has_left_lower;

      line.s[y] = (ushort) sample_or (area->samples + (int) y * area->stride - 1, there, whole->grey);
    }
  rebuild_bypass (area, area->samples, width, height, horizontal, line.s, 4, 0);
}

INLINE void
rebuild_whole (const Area *area, bool like_luma)
{
  Whole whole;
  Uniform uniform;

  prepare_whole (&whole, area, like_luma);
  read_uniform (&uniform, area);
  if ((area->mb->flags & GST_GPU_MB_BYPASS) && whole.mode <= WHOLE_HORIZONTAL)
    rebuild_whole_bypass (area, &whole, like_luma ? 16 : CHROMA_WIDTH, like_luma ? 16 : CHROMA_HEIGHT);
  else if (whole.mode == WHOLE_DC)
    rebuild_whole_as (area, &whole, &uniform, WHOLE_DC, like_luma);
  else if (whole.mode == WHOLE_VERTICAL)
    rebuild_whole_as (area, &whole, &uniform, WHOLE_VERTICAL, like_luma);
  else if (whole.mode == WHOLE_HORIZONTAL)
    rebuild_whole_as (area, &whole, &uniform, WHOLE_HORIZONTAL, like_luma);
  else
    rebuild_whole_as (area, &whole, &uniform, WHOLE_PLANE, like_luma);
}
