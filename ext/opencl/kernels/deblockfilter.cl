/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What happens across one edge (ITU-T H.264, 8.7.2): thresholds and filters.  The unit is a vector of lines along the edge (GPU_CPU) or
 * one line a work-item.
 */

#define WIDE_ARITHMETIC (GPU_DEPTH_LUMA > 12 || GPU_DEPTH_CHROMA > 12)

/* Lanes: samples as they are kept; Arith: as they are computed with: 16 bits hold every sum of 8.7.2.3 and 8.7.2.4 up to 12 bits of depth.
 * */
#ifdef GPU_CPU
typedef short16 Lanes;
#if WIDE_ARITHMETIC
typedef int16 Arith;
typedef int8 ArithHalf;
#define TO_ARITH convert_int16
#define TO_LANES convert_short16
#else
typedef short16 Arith;
typedef short8 ArithHalf;
#define TO_ARITH(lanes) (lanes)
#define TO_LANES(arith) (arith)
#endif
typedef uint16 Shifts;
#define STRENGTHS_OF(word, shifts) TO_ARITH (convert_short16 ((uint16) (word) >> (shifts) & 15))
#define LESS(a, b) ((a) < (b))
#define WORK_GROUP __attribute__ ((reqd_work_group_size (1, 1, 1)))
#else
typedef int Lanes;
typedef int Arith;
#define TO_ARITH(lanes) (lanes)
#define TO_LANES(arith) (arith)
typedef uint Shifts;
#define STRENGTHS_OF(word, shifts) ((int) ((word) >> (shifts) & 15))
#define LESS(a, b) (-((a) < (b)))
#define WORK_GROUP __attribute__ ((reqd_work_group_size (16, 1, 1)))
#endif

#define ABS(d) max ((d), -(d))
#define CHOOSE(mask, a, b) ((mask) ? (a) : (b))

#define ALL_STRENGTHS(bs) (0x11111111u * (bs))

/* @a in the lower and @b in the upper half of the lanes; they are the same where a work-item is a line */
INLINE Arith
spread (int a, int b)
{
#ifdef GPU_CPU
  return (Arith) ((ArithHalf) a, (ArithHalf) b);
#else
  return a;
#endif
}

/* Table 8-16, and Table 8-17 as 8 bits a bS from 1 on, low one first */
__constant uchar alpha_table[52] = {
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 17, 20, 22, 25, 28, 32, 36, 40, 45, 50, 56, 63, 71,
  80, 90, 101, 113, 127, 144, 162, 182, 203, 226, 255, 255
};

__constant uchar beta_table[52] = {
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12,
  13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18
};

__constant uint tc0_table[52] = {
  0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000, 0x000000,
  0x000000, 0x000000, 0x000000, 0x000000, 0x010000, 0x010000, 0x010000, 0x010000, 0x010100, 0x010100, 0x010101, 0x010101, 0x010101,
  0x010101, 0x020101, 0x020101, 0x020101, 0x020101, 0x030201, 0x030201, 0x030202, 0x040202, 0x040302, 0x040302, 0x050303, 0x060403,
  0x060403, 0x070504, 0x080504, 0x090604, 0x0a0705, 0x0b0806, 0x0d0806, 0x0e0a07, 0x100b08, 0x120c09, 0x140d0a, 0x170f0b, 0x19110d
};

/* What the thresholds of an edge follow from (8.7.2.2), not yet scaled to the bit depth */
typedef struct
{
  int alpha, beta;
  uint tc0;                     /* as in tc0_table */
} Levels;

/* An edge ready to filter, all in lanes */
typedef struct
{
  Arith alpha;                  /* 0 where bS is 0 */
  Arith beta, tc0;
  int strong;                   /* bS is 4, along the whole edge */
} Edge;

INLINE void
derive_levels (Levels *levels, int qp_p, int qp_q, int offset_a, int offset_b)
{
  int qp_average = (qp_p + qp_q + 1) >> 1;
  int index_a = clamp (qp_average + offset_a, 0, 51);

  levels->alpha = alpha_table[index_a];
  levels->beta = beta_table[clamp (qp_average + offset_b, 0, 51)];
  levels->tc0 = tc0_table[index_a];
}

/* No difference is less than 0: such an edge needs no look at its samples. */
INLINE int
levels_filter (const Levels *levels)
{
  return levels->alpha > 0 && levels->beta > 0;
}

INLINE int
tc0_of (uint packed, int bs, int scale)
{
  return (int) (packed >> (8 * bs - 8) & 255) << scale;
}

/* @a and @b: levels of the lower and upper half of the lanes.  @strengths: bS of the edge, as a word of GstGpuBoundary; @shifts: where in
 * it those of the lanes
 * stand.  bS 4 is the strength of a whole edge or of none of it. */
INLINE void
make_edge (Edge *edge, const Levels *a, const Levels *b, int bit_depth, uint strengths, Shifts shifts, int may_be_strong)
{
  int scale = bit_depth - 8;

  edge->alpha = spread (a->alpha << scale, b->alpha << scale);
  edge->beta = spread (a->beta << scale, b->beta << scale);
  edge->tc0 = spread (tc0_of (a->tc0, 3, scale), tc0_of (b->tc0, 3, scale));
  edge->strong = may_be_strong && strengths == ALL_STRENGTHS (4);
  if (!edge->strong && strengths != ALL_STRENGTHS (3)) {
    Arith bs = STRENGTHS_OF (strengths, shifts);

    edge->tc0 = CHOOSE (LESS (bs, (Arith) 3), spread (tc0_of (a->tc0, 2, scale), tc0_of (b->tc0, 2, scale)), edge->tc0);
    edge->tc0 = CHOOSE (LESS (bs, (Arith) 2), spread (tc0_of (a->tc0, 1, scale), tc0_of (b->tc0, 1, scale)), edge->tc0);
    edge->alpha &= LESS ((Arith) 0, bs);
  }
}

/* 8.7.2.3 with luma's tap: how far @p1 moves, by at most @limit */
INLINE Arith
move_second (Arith p2, Arith p1, Arith middle, Arith limit)
{
  return clamp ((p2 + middle - (p1 + p1)) >> 1, -limit, limit);
}

/* 8.7.2.3 and 8.7.2.4 for luma, and chroma of 4:4:4: @s points at q0 in an array of lanes across the edge, p3 is s[-4]. */
INLINE void
filter_luma (Lanes *s, const Edge *edge, int bit_depth)
{
  Arith p2 = TO_ARITH (s[-3]), p1 = TO_ARITH (s[-2]), p0 = TO_ARITH (s[-1]);
  Arith q0 = TO_ARITH (s[0]), q1 = TO_ARITH (s[1]), q2 = TO_ARITH (s[2]);
  Arith step = q0 - p0;
  Arith on = LESS (ABS (step), edge->alpha) & LESS (ABS (p1 - p0), edge->beta) & LESS (ABS (q1 - q0), edge->beta);
  Arith smooth_p = on & LESS (ABS (p2 - p0), edge->beta);
  Arith smooth_q = on & LESS (ABS (q2 - q0), edge->beta);

  if (edge->strong) {
    Arith p3 = TO_ARITH (s[-4]), q3 = TO_ARITH (s[3]);
    Arith close = LESS (ABS (step), (edge->alpha >> 2) + (Arith) 2);
    Arith both = p0 + q0;
    Arith p = p1 + both, q = q1 + both;

    smooth_p &= close;
    smooth_q &= close;
    s[-1] = TO_LANES (CHOOSE (smooth_p, (p2 + p + p + q1 + (Arith) 4) >> 3, CHOOSE (on, (p1 + p1 + p0 + q1 + (Arith) 2) >> 2, p0)));
    s[-2] = TO_LANES (CHOOSE (smooth_p, (p2 + p + (Arith) 2) >> 2, p1));
    s[-3] = TO_LANES (CHOOSE (smooth_p, (p3 + p3 + p2 + p2 + p2 + p + (Arith) 4) >> 3, p2));
    s[0] = TO_LANES (CHOOSE (smooth_q, (q2 + q + q + p1 + (Arith) 4) >> 3, CHOOSE (on, (q1 + q1 + q0 + p1 + (Arith) 2) >> 2, q0)));
    s[1] = TO_LANES (CHOOSE (smooth_q, (q2 + q + (Arith) 2) >> 2, q1));
    s[2] = TO_LANES (CHOOSE (smooth_q, (q3 + q3 + q2 + q2 + q2 + q + (Arith) 4) >> 3, q2));
  } else {
    Arith limit_p = CHOOSE (smooth_p, edge->tc0, (Arith) 0), limit_q = CHOOSE (smooth_q, edge->tc0, (Arith) 0);
    Arith tc_p = CHOOSE (smooth_p, edge->tc0 + (Arith) 1, edge->tc0);
    Arith tc = CHOOSE (on, CHOOSE (smooth_q, tc_p + (Arith) 1, tc_p), (Arith) 0);
    Arith delta = clamp ((step * (Arith) 4 + (p1 - q1) + (Arith) 4) >> 3, -tc, tc);
    Arith middle = (p0 + q0 + (Arith) 1) >> 1;
    Arith max_sample = (Arith) ((1 << bit_depth) - 1);

    s[-2] = TO_LANES (p1 + move_second (p2, p1, middle, limit_p));
    s[1] = TO_LANES (q1 + move_second (q2, q1, middle, limit_q));
    s[-1] = TO_LANES (clamp (p0 + delta, (Arith) 0, max_sample));
    s[0] = TO_LANES (clamp (q0 - delta, (Arith) 0, max_sample));
  }
}

/* The same with chromaStyleFilteringFlag 1: @s points at q0, p1 is s[-2]. */
INLINE void
filter_chroma (Lanes *s, const Edge *edge)
{
  Arith p1 = TO_ARITH (s[-2]), p0 = TO_ARITH (s[-1]), q0 = TO_ARITH (s[0]), q1 = TO_ARITH (s[1]);
  Arith step = q0 - p0;
  Arith on = LESS (ABS (step), edge->alpha) & LESS (ABS (p1 - p0), edge->beta) & LESS (ABS (q1 - q0), edge->beta);

  if (edge->strong) {
    s[-1] = TO_LANES (CHOOSE (on, (p1 + p1 + p0 + q1 + (Arith) 2) >> 2, p0));
    s[0] = TO_LANES (CHOOSE (on, (q1 + q1 + q0 + p1 + (Arith) 2) >> 2, q0));
  } else {
    Arith tc = CHOOSE (on, edge->tc0 + (Arith) 1, (Arith) 0);
    Arith delta = clamp ((step * (Arith) 4 + (p1 - q1) + (Arith) 4) >> 3, -tc, tc);
    Arith max_sample = (Arith) ((1 << GPU_DEPTH_CHROMA) - 1);

    s[-1] = TO_LANES (clamp (p0 + delta, (Arith) 0, max_sample));
    s[0] = TO_LANES (clamp (q0 - delta, (Arith) 0, max_sample));
  }
}
