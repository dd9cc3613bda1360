/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction of a macroblock by one work-item, in explicit vectors: the form for CPUs (included by intrapred.cl).
 *
 * Samples are computed as ushort: three-tap filters of 14 bits fit just so.  Loads and stores are assignments through pointers to
 * unaligned vectors, shuffles have constant indices but one, and nothing passes through private arrays.
 */
/* An argument behind the others, which this form alone has: what a macroblock leaves to be done beside the next (intrapred8x8.cl) */
#define FORM_PARAMETER , Unfinished *unfinished
#define FORM_ARGUMENT , unfinished

#include "prefetchrows.cl"

/* From a residual block to those that memory is asked for when it is added, in shorts: blocks of a kind stand in the order of their use */
#define RESIDUALS_AHEAD 1024

#define SHUFFLE __builtin_shufflevector

#if GPU_SAMPLE_BYTES == 1
typedef uchar4 __attribute__ ((aligned (1))) Sample4;
typedef uchar8 __attribute__ ((aligned (1))) Sample8;
typedef uchar16 __attribute__ ((aligned (1))) Sample16;
#define CONVERT_SAMPLE4 convert_uchar4
#define CONVERT_SAMPLE8 convert_uchar8
#define CONVERT_SAMPLE16 convert_uchar16
#else
typedef ushort4 __attribute__ ((aligned (1))) Sample4;
typedef ushort8 __attribute__ ((aligned (1))) Sample8;
typedef ushort16 __attribute__ ((aligned (1))) Sample16;
#define CONVERT_SAMPLE4 convert_ushort4
#define CONVERT_SAMPLE8 convert_ushort8
#define CONVERT_SAMPLE16 convert_ushort16
#endif

INLINE ushort4
load4 (__global const Sample *p)
{
  return convert_ushort4 (*(__global const Sample4 *) p);
}

INLINE ushort8
load8 (__global const Sample *p)
{
  return convert_ushort8 (*(__global const Sample8 *) p);
}

INLINE ushort16
load16 (__global const Sample *p)
{
  return convert_ushort16 (*(__global const Sample16 *) p);
}

INLINE void
store8 (__global Sample *p, ushort8 v)
{
  *(__global Sample8 *) p = CONVERT_SAMPLE8 (v);
}

INLINE void
store16 (__global Sample *p, ushort16 v)
{
  *(__global Sample16 *) p = CONVERT_SAMPLE16 (v);
}

INLINE void
store_4x4 (__global Sample *p, int stride, ushort16 v)
{
  Sample16 s = CONVERT_SAMPLE16 (v);

  *(__global Sample4 *) p = s.s0123;
  *(__global Sample4 *) (p + stride) = s.s4567;
  *(__global Sample4 *) (p + 2 * stride) = s.s89ab;
  *(__global Sample4 *) (p + 3 * stride) = s.scdef;
}

/* Clip1 (pred + residual): residuals above 16384 count as that, which overshoots every depth, so that the sum fits 16 bits. */
INLINE ushort8
add_residual8 (ushort8 pred, short8 residual, int max)
{
  return as_ushort8 (clamp (as_short8 (pred) + min (residual, (short8) 16384), (short8) 0, (short8) (short) max));
}

INLINE ushort16
add_residual16 (ushort16 pred, short16 residual, int max)
{
  return as_ushort16 (clamp (as_short16 (pred) + min (residual, (short16) 16384), (short16) 0, (short16) (short) max));
}

INLINE ushort8
filter8 (ushort8 a, ushort8 b, ushort8 c)
{
  return (a + b + b + c + (ushort8) 2) >> (ushort8) 2;
}

INLINE ushort16
filter16 (ushort16 a, ushort16 b, ushort16 c)
{
  return (a + b + b + c + (ushort16) 2) >> (ushort16) 2;
}

INLINE ushort16
mean16 (ushort16 a, ushort16 b)
{
  return (a + b + (ushort16) 1) >> (ushort16) 1;
}

INLINE uint
sum4 (ushort4 v)
{
  uint4 w = convert_uint4 (v);
  uint2 s = w.lo + w.hi;

  return s.x + s.y;
}

INLINE uint
sum8 (ushort8 v)
{
  uint8 w = convert_uint8 (v);
  uint4 s = w.lo + w.hi;
  uint2 t = s.lo + s.hi;

  return t.x + t.y;
}

/* Mean of those sides that are there, n (a power of 2) samples each */
INLINE ushort
dc_value (uint above, uint left, bool has_above, bool has_left, uint n, int max)
{
  uint sum = (has_above ? above : 0) + (has_left ? left : 0);
  uint both = (sum + n) / (2 * n), one = (sum + n / 2) / n;
  uint none = (uint) (max + 1) / 2;

  return (ushort) (has_above && has_left ? both : has_above || has_left ? one : none);
}

/* The residual accumulates over a whole area of Intra_NxN, Intra_16x16 or chroma with vertical or horizontal prediction (8.5.15).  Rare:
 * plain code.
 * edge: the neighbours that it is predicted from; n: side of a transform block; first_blk: blkIdx of the first one. */
INLINE void
rebuild_bypass (const Area *area, __global Sample *samples, uint width, uint height, bool horizontal, const ushort *edge, uint n,
    uint first_blk)
{
  uint lines = horizontal ? height : width, length = horizontal ? width : height;

  for (uint line = 0; line < lines; line++) {
    int sum = edge[line];

    for (uint i = 0; i < length; i++) {
      uint x = horizontal ? i : line, y = horizontal ? line : i;
      uint blk = width == n ? first_blk : width == 16 ? block_index (x / n, y / n) : y / n * 2 + x / n;
      __global const short *block = find_block (area, blk);

      sum += block ? block[y % n * n + x % n] : 0;
      samples[(int) y * area->stride + (int) x] = (Sample) clamp (sum, 0, area->max);
    }
  }
}

INLINE void
rebuild_pcm (const Area *area, uint width, uint height)
{
  __global const Sample *pcm = pcm_samples (area);

  for (uint y = 0; y < height; y++)
    for (uint x = 0; x < width; x += 8)
      *(__global Sample8 *) (area->samples + (int) y * area->stride + x) = *(__global const Sample8 *) (pcm + y * width + x);
}

/* Intra_4x4.  Every mode but none is a choice among 32 values, of 16 places each: the line from the lowest left neighbour around the
 * corner to the last one above right, filtered by three taps and by two, some of it as it is, and the mean.  So all modes take the same
 * path, by tables. */

/* Index of a value in the first 16 */
#define T3(i) (i)               /* three taps, the middle one being number i of the line: left 0 (lowest) to 3, corner 4, above 5 to 12 */
#define DC 13
#define LEFT3 14
#define LEFT2 15
/* in the last 16 */
#define T2(i) (16 + (i))        /* two taps, numbers i and i + 1 of the line */
#define LEFT1 26
#define LEFT0 27
#define ABOVE(x) (28 + (x))

__constant ushort16 choice_4x4[16] = {
  (ushort16) (ABOVE (0), ABOVE (1), ABOVE (2), ABOVE (3), ABOVE (0), ABOVE (1), ABOVE (2), ABOVE (3),
      ABOVE (0), ABOVE (1), ABOVE (2), ABOVE (3), ABOVE (0), ABOVE (1), ABOVE (2), ABOVE (3)),
  (ushort16) (LEFT0, LEFT0, LEFT0, LEFT0, LEFT1, LEFT1, LEFT1, LEFT1, LEFT2, LEFT2, LEFT2, LEFT2, LEFT3, LEFT3, LEFT3, LEFT3),
  (ushort16) (DC),
  /* Diagonal_Down_Left */
  (ushort16) (T3 (6), T3 (7), T3 (8), T3 (9), T3 (7), T3 (8), T3 (9), T3 (10), T3 (8), T3 (9), T3 (10), T3 (11), T3 (9), T3 (10),
      T3 (11), T3 (12)),
  /* Diagonal_Down_Right */
  (ushort16) (T3 (4), T3 (5), T3 (6), T3 (7), T3 (3), T3 (4), T3 (5), T3 (6), T3 (2), T3 (3), T3 (4), T3 (5), T3 (1), T3 (2), T3 (3),
      T3 (4)),
  /* Vertical_Right */
  (ushort16) (T2 (4), T2 (5), T2 (6), T2 (7), T3 (4), T3 (5), T3 (6), T3 (7), T3 (3), T2 (4), T2 (5), T2 (6), T3 (2), T3 (4), T3 (5),
      T3 (6)),
  /* Horizontal_Down */
  (ushort16) (T2 (3), T3 (4), T3 (5), T3 (6), T2 (2), T3 (3), T2 (3), T3 (4), T2 (1), T3 (2), T2 (2), T3 (3), T2 (0), T3 (1), T2 (1),
      T3 (2)),
  /* Vertical_Left */
  (ushort16) (T2 (5), T2 (6), T2 (7), T2 (8), T3 (6), T3 (7), T3 (8), T3 (9), T2 (6), T2 (7), T2 (8), T2 (9), T3 (7), T3 (8), T3 (9),
      T3 (10)),
  /* Horizontal_Up */
  (ushort16) (T2 (2), T3 (2), T2 (1), T3 (1), T2 (1), T3 (1), T2 (0), T3 (0), T2 (0), T3 (0), LEFT3, LEFT3, LEFT3, LEFT3, LEFT3, LEFT3),
  (ushort16) (DC), (ushort16) (DC), (ushort16) (DC), (ushort16) (DC), (ushort16) (DC), (ushort16) (DC), (ushort16) (DC)
};

/* A permutation with variable indices, spelled so that the compiler finds the one instruction for it */
INLINE ushort16
choose16 (ushort16 v, ushort16 i)
{
  return (ushort16) (v[i.s0], v[i.s1], v[i.s2], v[i.s3], v[i.s4], v[i.s5], v[i.s6], v[i.s7],
      v[i.s8], v[i.s9], v[i.sa], v[i.sb], v[i.sc], v[i.sd], v[i.se], v[i.sf]);
}

INLINE ushort16
predict_4x4 (ushort16 line, ushort dc, uint mode)
{
  ushort16 next = SHUFFLE (line, line, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 12, 12, 12);
  ushort16 previous = SHUFFLE (line, line, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 12);
  ushort16 first = SHUFFLE (filter16 (previous, line, next), line, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 16, 17);
  ushort16 last = SHUFFLE (mean16 (line, next), line, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 18, 19, 21, 22, 23, 24);
  ushort16 choice = choice_4x4[mode];

  first.sd = dc;
  return select (choose16 (first, choice & (ushort16) 15), choose16 (last, choice & (ushort16) 15), as_short16 (choice) > (short16) 15);
}

/* The line around the corner of a 4x4 block, its last value repeated, and the mean */
INLINE ushort16
read_line_4x4 (const Area *area, __global const Sample *p, bool has_left, bool has_above, bool has_above_right, bool has_corner, ushort *dc)
{
  int stride = area->stride;
  ushort grey = (ushort) ((area->max + 1) / 2);
  ushort4 above = (ushort4) grey, above_right = above, left = above;
  ushort corner = has_corner ? p[-stride - 1] : grey;

  if (has_above) {
    above = load4 (p - stride);
    above_right = has_above_right ? load4 (p - stride + 4) : (ushort4) above.w;
  }
  if (has_left)
    left = (ushort4) (p[3 * stride - 1], p[2 * stride - 1], p[stride - 1], p[-1]);
  *dc = dc_value (sum4 (above), sum4 (left), has_above, has_left, 4, area->max);
  return (ushort16) (left, corner, above, above_right, above_right.www);
}

INLINE void
rebuild_4x4_bypass (const Area *area, __global Sample *p, ushort16 line, bool horizontal, uint blk)
{
  ushort edge[4];

  edge[0] = horizontal ? line.s3 : line.s5;
  edge[1] = horizontal ? line.s2 : line.s6;
  edge[2] = horizontal ? line.s1 : line.s7;
  edge[3] = horizontal ? line.s0 : line.s8;
  rebuild_bypass (area, p, 4, 4, horizontal, edge, 4, blk);
}

INLINE void
rebuild_4x4_blocks (const Area *area)
{
  uint available = area->mb->available;
  uint left = blocks_with_left (available), above = blocks_with_above (available);
  uint above_right = blocks_with_above_right (available), corner = blocks_with_corner (available);
  bool bypass = area->mb->flags & GST_GPU_MB_BYPASS;
  __global const short *next = area->blocks;

  for (uint blk = 0; blk < 16; blk++) {
    __global Sample *p = area->samples + (int) (block_row (blk) * 4) * area->stride + block_column (blk) * 4;
    uint mode = nxn_mode (area->mb, blk), coded = area->coded >> blk & 1;
    ushort dc;
    ushort16 line = read_line_4x4 (area, p, left >> blk & 1, above >> blk & 1, above_right >> blk & 1, corner >> blk & 1, &dc);
    /* without a block: any that can be read, times nothing */
    short16 residual = *(__global const short16 *) (coded ? next : area->arena) & (short16) (short) -(int) coded;

    next += coded ? area->block_step : 0;
    PREFETCH (next + RESIDUALS_AHEAD);
    if (bypass && mode <= 1)
      rebuild_4x4_bypass (area, p, line, mode == 1, blk);
    else
      store_4x4 (p, area->stride, add_residual16 (predict_4x4 (line, dc, mode), residual, area->max));
  }
}

/* The neighbours of an 8x8 block, filtered (8.3.2.2.1) */
typedef struct
{
  ushort16 above;               /* and above right */
  ushort8 left;                 /* from top to bottom */
  ushort corner;
  bool has_above, has_left;
} Edge8;

INLINE void
filter_edge (Edge8 *edge, bool has_corner)
{
  Edge8 p = *edge;
  ushort16 above_before = SHUFFLE (p.above, p.above, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
  ushort16 above_after = SHUFFLE (p.above, p.above, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  ushort8 left_before = SHUFFLE (p.left, p.left, 0, 0, 1, 2, 3, 4, 5, 6);
  ushort8 left_after = SHUFFLE (p.left, p.left, 1, 2, 3, 4, 5, 6, 7, 7);

  if (has_corner) {
    above_before.s0 = p.corner;
    left_before.s0 = p.corner;
  }
  edge->above = filter16 (above_before, p.above, above_after);
  edge->left = filter8 (left_before, p.left, left_after);
  edge->corner = (ushort) (((p.has_above ? p.above.s0 : p.corner) + 2 * p.corner + (p.has_left ? p.left.s0 : p.corner) + 2) >> 2);
}

INLINE void
read_edge_8x8 (Edge8 *edge, const Area *area, __global const Sample *p, uint available)
{
  int stride = area->stride;
  ushort grey = (ushort) ((area->max + 1) / 2);
  bool has_corner = available & GST_GPU_AVAILABLE_D;
  ushort8 above = (ushort8) grey, above_right = above;

  edge->has_above = available & GST_GPU_AVAILABLE_B;
  edge->has_left = available & GST_GPU_AVAILABLE_A;
  edge->corner = has_corner ? p[-stride - 1] : grey;
  if (edge->has_above) {
    above = load8 (p - stride);
    above_right = available & GST_GPU_AVAILABLE_C ? load8 (p - stride + 8) : (ushort8) above.s7;
  }
  edge->above = (ushort16) (above, above_right);
  edge->left = (ushort8) grey;
  if (edge->has_left)
    edge->left = (ushort8) (p[-1], p[stride - 1], p[2 * stride - 1], p[3 * stride - 1], p[4 * stride - 1], p[5 * stride - 1],
        p[6 * stride - 1],
        p[7 * stride - 1]);
  filter_edge (edge, has_corner);
}

/* The eight rows of a block */
#define SET_ROWS(rows, a, b, c, d, e, f, g, h) \
  do { \
    (rows)[0] = (a); \
    (rows)[1] = (b); \
    (rows)[2] = (c); \
    (rows)[3] = (d); \
    (rows)[4] = (e); \
    (rows)[5] = (f); \
    (rows)[6] = (g); \
    (rows)[7] = (h); \
  } while (0)

/* Eight values of a line, from number i on */
#define FROM(v, i) SHUFFLE (v, v, (i), (i) + 1, (i) + 2, (i) + 3, (i) + 4, (i) + 5, (i) + 6, (i) + 7)
#define FROM2(v, w, i) SHUFFLE (v, w, (i), (i) + 1, (i) + 2, (i) + 3, (i) + 4, (i) + 5, (i) + 6, (i) + 7)

/* Diagonal_Down_Left, Vertical_Left: what is above and above right, filtered, one value further in each (second) row */
INLINE void
predict_from_above (ushort8 *rows, ushort16 above, bool vertical_left)
{
  ushort16 next = SHUFFLE (above, above, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  ushort16 after_next = SHUFFLE (above, above, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15);
  ushort16 three = filter16 (above, next, after_next), two;

  two = mean16 (above, next);
  if (vertical_left)
    SET_ROWS (rows, FROM (two, 0), FROM (three, 0), FROM (two, 1), FROM (three, 1), FROM (two, 2), FROM (three, 2), FROM (two, 3),
        FROM (three, 3));
  else
    SET_ROWS (rows, FROM (three, 0), FROM (three, 1), FROM (three, 2), FROM (three, 3), FROM (three, 4), FROM (three, 5),
        FROM (three, 6), FROM (three, 7));
}

/* Horizontal_Up: two and three taps in turn down the left side, one pair further in each row */
INLINE void
predict_horizontal_up (ushort8 *rows, ushort8 left)
{
  ushort8 next = SHUFFLE (left, left, 1, 2, 3, 4, 5, 6, 7, 7), after_next = SHUFFLE (left, left, 2, 3, 4, 5, 6, 7, 7, 7);
  ushort8 two = (left + next + (ushort8) 1) >> (ushort8) 1, three = filter8 (left, next, after_next), rest = (ushort8) left.s7;
  ushort16 line = SHUFFLE (two, three, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15), after = (ushort16) (rest, rest);

  SET_ROWS (rows, FROM (line, 0), FROM (line, 2), FROM (line, 4), FROM (line, 6), FROM (line, 8), FROM2 (line, after, 10),
      FROM2 (line, after, 12), rest);
}

/* Diagonal_Down_Right, Vertical_Right, Horizontal_Down: the line from the lowest left neighbour (number 0) around the corner (8) to the
 * eighth one above */
INLINE void
predict_around_corner (ushort8 *rows, const Edge8 *edge, uint mode)
{
  ushort8 above = edge->above.lo;
  ushort16 line = SHUFFLE (edge->left, above, 7, 6, 5, 4, 3, 2, 1, 0, 0, 8, 9, 10, 11, 12, 13, 14);
  ushort16 next = SHUFFLE (edge->left, above, 6, 5, 4, 3, 2, 1, 0, 0, 8, 9, 10, 11, 12, 13, 14, 15);
  ushort16 after_next = SHUFFLE (edge->left, above, 5, 4, 3, 2, 1, 0, 0, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  ushort16 three, two, even, odd;

  line.s8 = edge->corner;
  next.s7 = edge->corner;
  after_next.s6 = edge->corner;
  three = filter16 (line, next, after_next);    /* number i: around number i + 1 of the line */
  two = mean16 (line, next);
  if (mode == 4) {
    SET_ROWS (rows, FROM (three, 7), FROM (three, 6), FROM (three, 5), FROM (three, 4), FROM (three, 3), FROM (three, 2),
        FROM (three, 1), FROM (three, 0));
  } else if (mode == 5) {
    even = SHUFFLE (three, two, 2, 4, 6, 24, 25, 26, 27, 28, 29, 30, 31, 31, 31, 31, 31, 31);
    odd = SHUFFLE (three, three, 1, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 14, 14, 14, 14, 14);
    SET_ROWS (rows, FROM (even, 3), FROM (odd, 3), FROM (even, 2), FROM (odd, 2), FROM (even, 1), FROM (odd, 1), FROM (even, 0),
        FROM (odd, 0));
  } else {
    even = SHUFFLE (two, three, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    odd = SHUFFLE (three, three, 8, 9, 10, 11, 12, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13);
    SET_ROWS (rows, FROM2 (even, odd, 14), FROM2 (even, odd, 12), FROM2 (even, odd, 10), FROM (even, 8), FROM (even, 6), FROM (even, 4),
        FROM (even, 2),
        FROM (even, 0));
  }
}

INLINE void
predict_8x8 (ushort8 *rows, const Edge8 *edge, uint mode, int max)
{
  ushort8 left = edge->left, above = edge->above.lo, dc;

  switch (mode) {
    case 0:
      SET_ROWS (rows, above, above, above, above, above, above, above, above);
      break;
    case 1:
      SET_ROWS (rows, (ushort8) left.s0, (ushort8) left.s1, (ushort8) left.s2, (ushort8) left.s3, (ushort8) left.s4, (ushort8) left.s5,
          (ushort8) left.s6,
          (ushort8) left.s7);
      break;
    case 3:
      predict_from_above (rows, edge->above, false);
      break;
    case 4:
      predict_around_corner (rows, edge, 4);
      break;
    case 5:
      predict_around_corner (rows, edge, 5);
      break;
    case 6:
      predict_around_corner (rows, edge, 6);
      break;
    case 7:
      predict_from_above (rows, edge->above, true);
      break;
    case 8:
      predict_horizontal_up (rows, left);
      break;
    default:
      dc = (ushort8) dc_value (sum8 (above), sum8 (left), edge->has_above, edge->has_left, 8, max);
      SET_ROWS (rows, dc, dc, dc, dc, dc, dc, dc, dc);
  }
}

INLINE void
add_residual_8x8 (ushort8 *rows, __global const short8 *residual, int max)
{
  SET_ROWS (rows, add_residual8 (rows[0], residual[0], max), add_residual8 (rows[1], residual[1], max),
      add_residual8 (rows[2], residual[2], max),
      add_residual8 (rows[3], residual[3], max), add_residual8 (rows[4], residual[4], max), add_residual8 (rows[5], residual[5], max),
      add_residual8 (rows[6], residual[6], max), add_residual8 (rows[7], residual[7], max));
}

INLINE void
store_8x8 (__global Sample *p, int stride, const ushort8 *rows)
{
  store8 (p, rows[0]);
  store8 (p + stride, rows[1]);
  store8 (p + 2 * stride, rows[2]);
  store8 (p + 3 * stride, rows[3]);
  store8 (p + 4 * stride, rows[4]);
  store8 (p + 5 * stride, rows[5]);
  store8 (p + 6 * stride, rows[6]);
  store8 (p + 7 * stride, rows[7]);
}

INLINE void
rebuild_8x8_blocks (const Area *area)
{
  bool bypass = area->mb->flags & GST_GPU_MB_BYPASS;
  __global const short *next = area->blocks;

  for (uint blk = 0; blk < 4; blk++) {
    __global Sample *p = area->samples + (int) (blk >> 1) * 8 * area->stride + (blk & 1) * 8;
    uint mode = nxn_mode (area->mb, blk), coded = area->coded >> 4 * blk & 1;
    ushort8 rows[8];
    Edge8 edge;

    read_edge_8x8 (&edge, area, p, available_8x8 (area->mb->available, blk));
    if (bypass && mode <= 1) {
      union { ushort8 v; ushort s[8]; } line;

      line.v = mode == 1 ? edge.left : edge.above.lo;
      rebuild_bypass (area, p, 8, 8, mode == 1, line.s, 8, 4 * blk);
    } else {
      predict_8x8 (rows, &edge, mode, area->max);
      PREFETCH (next + RESIDUALS_AHEAD);
      PREFETCH (next + RESIDUALS_AHEAD + 32);
      if (coded)
        add_residual_8x8 (rows, (__global const short8 *) next, area->max);
      store_8x8 (p, area->stride, rows);
    }
    next += coded ? area->block_step : 0;
  }
}

#include "intrapred8x8.cl"
#include "intrapredwhole.cl"

/* Luma, and chroma of 4:4:4 */
INLINE void
rebuild_like_luma (const Area *area FORM_PARAMETER)
{
  uint mb_class = area->mb->mb_class;

  if (rebuild_8x8_inside (area, unfinished))
    return;
  finish_macroblock (unfinished);
  if (mb_class == GST_GPU_MB_I8x8)
    rebuild_8x8_blocks (area);
  else if (mb_class == GST_GPU_MB_I4x4)
    rebuild_4x4_blocks (area);
  else if (mb_class == GST_GPU_MB_I16x16)
    rebuild_whole (area, true);
  else
    rebuild_pcm (area, 16, 16);
}

/* Chroma of 4:2:0 and 4:2:2 */
INLINE void
rebuild_chroma (const Area *area FORM_PARAMETER)
{
  if (area->mb->mb_class == GST_GPU_MB_IPCM)
    rebuild_pcm (area, CHROMA_WIDTH, CHROMA_HEIGHT);
  else
    rebuild_whole (area, false);
}
