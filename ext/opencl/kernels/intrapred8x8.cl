/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra_8x8 (8.3.2) of macroblocks that have neighbours at the left and above, on processors that permute the lanes of two vectors of 32
 * in one instruction (AVX-512 BW): all modes but DC take the same path, by tables, and blocks hand each other their edges in registers.
 * The lower blocks of a macroblock are rebuilt beside the upper ones of the next, so that two blocks at a time do not wait for each other.
 * Longer than intrapredvector.cl's form, which serves the other macroblocks and processors, and faster by a third.  Included there.
 */
#if defined(__AVX512BW__) && defined(__has_builtin)
#if __has_builtin(__builtin_ia32_vpermi2varhi512) && __has_builtin(__builtin_ia32_permvarhi512)
#define PERMUTES_64_LANES
#endif
#endif

#ifndef PERMUTES_64_LANES
typedef int Unfinished;

INLINE void
begin_unfinished (Unfinished *unfinished)
{
}

INLINE void
finish_macroblock (Unfinished *unfinished)
{
}

INLINE bool
rebuild_8x8_inside (const Area *area, Unfinished *unfinished)
{
  return false;
}
#else

typedef short __attribute__ ((ext_vector_type (32))) short32;
typedef ushort __attribute__ ((ext_vector_type (32))) ushort32;
typedef short32 __attribute__ ((aligned (2))) Residual32;
typedef short __attribute__ ((vector_size (64))) Lanes32; /* as the builtins have them */
#if GPU_SAMPLE_BYTES == 1
typedef uchar __attribute__ ((ext_vector_type (32))) Sample32;
#else
typedef ushort32 Sample32;
#endif

/* The neighbours of a block are lanes of a vector: the left ones from top to bottom, those above and above right, the corner, and once
 * more the lowest left one. */
#define LEFT(y) (y)
#define ABOVE_8(x) (8 + (x))
#define CORNER 24
#define LEFT_7 25
#define FREE 0, 0, 0, 0, 0, 0

/* They stand in a line from the lowest left one around the corner to the last one above right: which lane is before each one, and which is
 * behind it.  The ends stand before and behind themselves. */
#define LANES_BEFORE                                                                                                 \
  {                                                                                                                  \
    1, 2, 3, 4, 5, 6, 7, 7, CORNER, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, LEFT (0), LEFT_7, FREE \
  }
#define LANES_BEHIND_AND(l)                                                                                          \
  {                                                                                                                  \
    CORNER, 0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 23, ABOVE_8 (0), l, FREE \
  }
/* Lane LEFT_7 is filtered as LEFT (7) is, and then alone. */
#define LANES_OF_FILTER LANES_BEHIND_AND (LEFT (6))
#define LANES_BEHIND LANES_BEHIND_AND (LEFT_7)
#define SAME_LANES                                                                                     \
  {                                                                                                    \
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, FREE \
  }

/* What samples are chosen from: 0 to 31: three taps around a lane; 32 to 63: two taps, a lane and the one behind it */
#define THREE(lane) (lane)
#define TWO(lane) (32 + (lane))
/* With SAME_LANES behind them both taps are the lane itself. */
#define ITSELF(lane) TWO (lane)

/* Where sample x, y of a block comes from, by mode, as 8.3.2.2.2 to 8.3.2.2.10 have it; x and y are numbers */
#define VERTICAL(x, y) ITSELF (ABOVE_8 (x))
#define HORIZONTAL(x, y) ITSELF (LEFT (y))
#define NOT_BY_TABLE(x, y) 0
#define DOWN_LEFT(x, y) THREE (ABOVE_8 (x + y + 1))
#define DOWN_RIGHT(x, y) (x > y ? THREE (ABOVE_8 (x - y - 1)) : x < y ? THREE (LEFT (y - x - 1)) : THREE (CORNER))
#define VERTICAL_RIGHT(x, y)                             \
  (2 * x - y == -1     ? THREE (CORNER)                  \
          : 2 * x < y  ? THREE (LEFT (y - 2 * x - 2))    \
          : y % 2      ? THREE (ABOVE_8 (x - y / 2 - 1)) \
          : x == y / 2 ? TWO (CORNER)                    \
                       : TWO (ABOVE_8 (x - y / 2 - 1)))
#define HORIZONTAL_DOWN(x, y)                           \
  (2 * y - x == -1    ? THREE (CORNER)                  \
          : 2 * y < x ? THREE (ABOVE_8 (x - 2 * y - 2)) \
          : x % 2     ? THREE (LEFT (y - x / 2 - 1))    \
                      : TWO (LEFT (y - x / 2)))
#define VERTICAL_LEFT(x, y) (y % 2 ? THREE (ABOVE_8 (x + y / 2 + 1)) : TWO (ABOVE_8 (x + y / 2)))
#define HORIZONTAL_UP(x, y) (x + 2 * y > 13 ? ITSELF (LEFT_7) : x % 2 ? THREE (LEFT (y + x / 2 + 1)) : TWO (LEFT (y + x / 2 + 1)))

#define ROW_OF(mode, y) mode (0, y), mode (1, y), mode (2, y), mode (3, y), mode (4, y), mode (5, y), mode (6, y), mode (7, y)
#define CHOICE(mode, behind)                                                            \
  {                                                                                     \
    behind, { ROW_OF (mode, 0), ROW_OF (mode, 1), ROW_OF (mode, 2), ROW_OF (mode, 3) }, \
    {                                                                                   \
      ROW_OF (mode, 4), ROW_OF (mode, 5), ROW_OF (mode, 6), ROW_OF (mode, 7)            \
    }                                                                                   \
  }

/* By Intra8x8PredMode: the lanes behind, and what rows 0 to 3 and 4 to 7 are chosen from */
__constant ushort choice_8x8[9][3][32] __attribute__ ((aligned (64))) = {
  CHOICE (VERTICAL, SAME_LANES),
  CHOICE (HORIZONTAL, SAME_LANES),
  CHOICE (NOT_BY_TABLE, SAME_LANES),
  CHOICE (DOWN_LEFT, LANES_BEHIND),
  CHOICE (DOWN_RIGHT, LANES_BEHIND),
  CHOICE (VERTICAL_RIGHT, LANES_BEHIND),
  CHOICE (HORIZONTAL_DOWN, LANES_BEHIND),
  CHOICE (VERTICAL_LEFT, LANES_BEHIND),
  CHOICE (HORIZONTAL_UP, LANES_BEHIND),
};
/* Bit by mode */
#define MODES_BY_TABLE 0x1fb

__constant ushort lanes_before[32] __attribute__ ((aligned (64))) = LANES_BEFORE;
__constant ushort lanes_of_filter[32] __attribute__ ((aligned (64))) = LANES_OF_FILTER;
__constant short no_residual[64] __attribute__ ((aligned (64))) = { 0 };

/* Rows 0 to 3 and 4 to 7 of a block */
typedef struct
{
  ushort32 upper, lower;
} Block8;

/* A macroblock whose lower blocks are still to be rebuilt: its Area (samples is 0 where there is none), its next residual block, the right
 * column of its block 1 as left neighbours of the macroblock beside it, and the neighbours of its blocks 2 and 3: left of 2, then of 3,
 * then of the macroblock beside it; above of each. */
typedef struct
{
  Area area;
  __global const short *next;
  ushort32 right, left, above[2];
} Unfinished;

INLINE void
begin_unfinished (Unfinished *unfinished)
{
  unfinished->area.samples = 0;
}

INLINE ushort32
permute32 (ushort32 v, __constant const ushort *lanes)
{
  return __builtin_astype (__builtin_ia32_permvarhi512 (__builtin_astype (v, Lanes32), *(__constant const Lanes32 *) lanes), ushort32);
}

/* @lanes: below 32 of a, else of b */
INLINE ushort32
permute64 (ushort32 a, ushort32 b, __constant const ushort *lanes)
{
  return __builtin_astype (__builtin_ia32_vpermi2varhi512 (__builtin_astype (a, Lanes32), *(__constant const Lanes32 *) lanes,
                               __builtin_astype (b, Lanes32)),
      ushort32);
}

INLINE ushort32
filter32 (ushort32 a, ushort32 b, ushort32 c)
{
  return (a + c + (b + b + (ushort32) 2)) >> (ushort32) 2;
}

/* Of filtered neighbours, all of which are there */
INLINE ushort32
dc_8x8 (ushort32 line)
{
  ushort8 sums = SHUFFLE (line, line, 0, 1, 2, 3, 4, 5, 6, 7) + SHUFFLE (line, line, 8, 9, 10, 11, 12, 13, 14, 15);

  return (ushort32) (ushort) ((sum4 (sums.lo + sums.hi) + 8) >> 4);
}

/* @line: the neighbours, not filtered */
INLINE void
predict_inside (Block8 *block, ushort32 line, uint mode)
{
  ushort32 behind, three, two;

  line = filter32 (permute32 (line, lanes_before), line, permute32 (line, lanes_of_filter));
  if (MODES_BY_TABLE >> mode & 1) {
    behind = permute32 (line, choice_8x8[mode][0]);
    three = filter32 (permute32 (line, lanes_before), line, behind);
    two = (line + behind + (ushort32) 1) >> (ushort32) 1;
    block->upper = permute64 (three, two, choice_8x8[mode][1]);
    block->lower = permute64 (three, two, choice_8x8[mode][2]);
  } else {
    block->upper = block->lower = dc_8x8 (line);
  }
}

INLINE ushort32
add_residual32 (ushort32 pred, short32 residual, int max)
{
  short32 limit = (short32) 16384, zero = (short32) 0, top = (short32) (short) max, sum;

  sum = __builtin_astype (pred, short32) + (residual < limit ? residual : limit);
  sum = sum > zero ? sum : zero;
  return __builtin_astype (sum < top ? sum : top, ushort32);
}

INLINE void
store_four_rows (__global Sample *p, long stride, ushort32 rows)
{
  Sample32 s = __builtin_convertvector(rows, Sample32);

  *(__global Sample8 *) p = SHUFFLE (s, s, 0, 1, 2, 3, 4, 5, 6, 7);
  *(__global Sample8 *) (p + stride) = SHUFFLE (s, s, 8, 9, 10, 11, 12, 13, 14, 15);
  *(__global Sample8 *) (p + 2 * stride) = SHUFFLE (s, s, 16, 17, 18, 19, 20, 21, 22, 23);
  *(__global Sample8 *) (p + 3 * stride) = SHUFFLE (s, s, 24, 25, 26, 27, 28, 29, 30, 31);
}

/* @line: its neighbours; *next: the first residual block from there on that is coded.  Without one zeros are added: on such processors
 * __constant and __global are the same memory. */
INLINE void
rebuild_block8 (Block8 *block, const Area *area, uint blk, ushort32 line, __global const short **next)
{
  long stride = area->stride;
  __global Sample *p = area->samples + (long) (blk >> 1) * 8 * stride + (blk & 1) * 8;
  uint coded = area->coded >> 4 * blk & 1;
  size_t address = coded ? (size_t) *next : (size_t) no_residual;
  __global const Residual32 *residual = (__global const Residual32 *) address;

  *next += coded ? area->block_step : 0;
  PREFETCH (*next + RESIDUALS_AHEAD);
  PREFETCH (*next + RESIDUALS_AHEAD + 32);
  predict_inside (block, line, nxn_mode (area->mb, blk));
  block->upper = add_residual32 (block->upper, residual[0], area->max);
  block->lower = add_residual32 (block->lower, residual[1], area->max);
  store_four_rows (p, stride, block->upper);
  store_four_rows (p + 4 * stride, stride, block->lower);
}

/* Lanes 0 to 7 and 25 of a, others of b */
#define JOIN(a, b) \
  SHUFFLE (a, b, 0, 1, 2, 3, 4, 5, 6, 7, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 25, 26, 27, 28, 29, 30, 31)

/* The right column of a block as the left neighbours of the next */
#define COLUMN_7 7, 15, 23, 31, 39, 47, 55, 63
#define RIGHT_COLUMN(block) SHUFFLE ((block).upper, (block).lower, COLUMN_7, COLUMN_7, COLUMN_7, 63, 63, 63, 63, 63, 63, 63, 63)

INLINE ushort32
load_left (__global const Sample *p, long stride)
{
  ushort8 left = (ushort8) (p[-1], p[stride - 1], p[2 * stride - 1], p[3 * stride - 1], p[4 * stride - 1], p[5 * stride - 1],
      p[6 * stride - 1], p[7 * stride - 1]);

  return (ushort32) (left, left, left, (ushort8) left.s7);
}

INLINE ushort32
join_above (ushort8 above, ushort8 above_right, ushort corner)
{
  return (ushort32) (above, above, above_right, (ushort8) corner);
}

/* Block 2, then 3 */
INLINE void
rebuild_lower (Unfinished *unfinished, uint blk)
{
  Block8 block;

  rebuild_block8 (&block, &unfinished->area, blk, JOIN (unfinished->left, unfinished->above[blk - 2]), &unfinished->next);
  unfinished->left = RIGHT_COLUMN (block);
}

INLINE void
finish_macroblock (Unfinished *unfinished)
{
  if (!unfinished->area.samples)
    return;
  rebuild_lower (unfinished, 2);
  rebuild_lower (unfinished, 3);
  unfinished->area.samples = 0;
}

/* The neighbours of blocks 2 and 3 that are in blocks 0 and 1.  @corner: has that of block 2 in lane LEFT (7) */
INLINE void
keep_above (Unfinished *unfinished, const Block8 *block, ushort32 corner)
{
  ushort32 rows = SHUFFLE (block[0].lower, block[1].lower, 24, 25, 26, 27, 28, 29, 30, 31, 24, 25, 26, 27, 28, 29, 30, 31, 56, 57, 58, 59,
      60, 61, 62, 63, 24, 25, 26, 27, 28, 29, 30, 31);

  unfinished->above[0] = SHUFFLE (rows, corner, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
      32 + LEFT (7), 25, 26, 27, 28, 29, 30, 31);
  unfinished->above[1] = SHUFFLE (block[0].lower, block[1].lower, 56, 57, 58, 59, 60, 61, 62, 63, 56, 57, 58, 59, 60, 61, 62, 63, 63, 63,
      63, 63, 63, 63, 63, 63, 31, 31, 31, 31, 31, 31, 31, 31);
}

#define ALL_AROUND (GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER | GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_D)

/* Rebuilds the upper blocks of a macroblock of Intra_8x8, and those that are unfinished: then it is what is unfinished.  False: it is no
 * such macroblock, and nothing is done. */
INLINE bool
rebuild_8x8_inside (const Area *area, Unfinished *unfinished)
{
  __global const Sample *p = area->samples;
  long stride = area->stride;
  bool beside = unfinished->area.samples && unfinished->area.samples + 16 == p && unfinished->area.stride == area->stride;
  __global const short *next = area->blocks;
  ushort32 left = unfinished->right, left_lower;
  ushort8 above[3];
  Block8 block[2];

  if (area->mb->mb_class != GST_GPU_MB_I8x8 || (area->mb->flags & GST_GPU_MB_BYPASS) || (area->mb->available & ALL_AROUND) != ALL_AROUND)
    return false;
  if (beside) {
    rebuild_lower (unfinished, 2);
  } else {
    finish_macroblock (unfinished);
    left = load_left (p, stride);
  }
  above[0] = load8 (p - stride);
  above[1] = load8 (p - stride + 8);
  above[2] = area->mb->available & GST_GPU_AVAILABLE_C ? load8 (p - stride + 16) : (ushort8) above[1].s7;
  rebuild_block8 (&block[0], area, 0, JOIN (left, join_above (above[0], above[1], p[-stride - 1])), &next);
  if (beside) {
    rebuild_lower (unfinished, 3);
    left_lower = unfinished->left;
  } else {
    left_lower = load_left (p + 8 * stride, stride);
  }
  rebuild_block8 (&block[1], area, 1, JOIN (RIGHT_COLUMN (block[0]), join_above (above[1], above[2], above[0].s7)), &next);
  unfinished->area = *area;
  unfinished->next = next;
  unfinished->right = RIGHT_COLUMN (block[1]);
  unfinished->left = left_lower;
  keep_above (unfinished, block, left);
  return true;
}
#endif
