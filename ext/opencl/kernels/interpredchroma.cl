/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Chroma sample interpolation (8.4.2.2.2) of 4:2:0 and 4:2:2 in explicit vectors: Cb and Cr together, in the two halves of the lanes
 * (included by interpredvector.cl).
 */

/* 64 times a sample fits in 16 bits up to a depth of 10 */
#if GPU_DEPTH_CHROMA <= 10
#define CHROMA_LANE(n) ushort##n
typedef ushort ChromaLane;
#define CONVERT_CHROMA_LANE(n) convert_ushort##n
#else
#define CHROMA_LANE(n) uint##n
typedef uint ChromaLane;
#define CONVERT_CHROMA_LANE(n) convert_uint##n
#endif

typedef CHROMA_LANE (4) ChromaLane4;
typedef CHROMA_LANE (8) ChromaLane8;
typedef CHROMA_LANE (16) ChromaLane16;

/* Where to and from the blocks of Cb and Cr are interpolated */
typedef struct
{
  __global Sample *dst[2];
  long dst_stride[2];
  __global const Sample *src[2];
  long src_stride[2];
  int height;
  bool mean;                    /* with what stands at dst */
} CopyPair;

/* Blocks of n columns, m = 2 * n: xFrac, yFrac in eighth samples.  The sums may wrap on the way; the last one fits.  A neighbour that
 * counts nothing is not read. */
#define DEFINE_CHROMA(n, m) \
  INLINE Sample##m \
  load_pair_##n (const CopyPair *c, long right) \
  { \
    return (Sample##m) (LOAD_SAMPLES (n, c->src[0] + right), LOAD_SAMPLES (n, c->src[1] + right)); \
  } \
\
  INLINE ChromaLane##m \
  chroma_row_##n (const CopyPair *c, long right, ChromaLane##m x_frac) \
  { \
    ChromaLane##m a = CONVERT_CHROMA_LANE (m) (load_pair_##n (c, 0)), b = CONVERT_CHROMA_LANE (m) (load_pair_##n (c, right)); \
\
    return a * (ChromaLane##m) 8 + (b - a) * x_frac; \
  } \
\
  INLINE void \
  next_row_##n (CopyPair *c) \
  { \
    c->src[0] += c->src_stride[0]; \
    c->src[1] += c->src_stride[1]; \
  } \
\
  INLINE void \
  store_pair_##n (CopyPair *c, Sample##m v) \
  { \
    if (c->mean) \
      v = MEAN (m, v, ((Sample##m) (LOAD_SAMPLES (n, c->dst[0]), LOAD_SAMPLES (n, c->dst[1])))); \
    STORE_SAMPLES (n, c->dst[0], v.lo); \
    STORE_SAMPLES (n, c->dst[1], v.hi); \
    c->dst[0] += c->dst_stride[0]; \
    c->dst[1] += c->dst_stride[1]; \
  } \
\
  INLINE void \
  chroma_whole_##n (CopyPair c) \
  { \
    for (int y = 0; y < c.height; y++, next_row_##n (&c)) \
      store_pair_##n (&c, load_pair_##n (&c, 0)); \
  } \
\
  /* yFrac is 0 */ \
  INLINE void \
  chroma_horizontal_##n (CopyPair c, ChromaLane##m x_frac) \
  { \
    for (int y = 0; y < c.height; y++, next_row_##n (&c)) \
      store_pair_##n (&c, CONVERT_SAMPLE (m) ((chroma_row_##n (&c, 1, x_frac) + (ChromaLane##m) 4) >> (ChromaLane##m) 3)); \
  } \
\
  /* yFrac is not 0 */ \
  INLINE void \
  chroma_both_##n (CopyPair c, long right, ChromaLane##m x_frac, ChromaLane##m y_frac) \
  { \
    ChromaLane##m r0 = chroma_row_##n (&c, right, x_frac); \
\
    for (int y = 0; y < c.height; y++) { \
      ChromaLane##m r1, v; \
\
      next_row_##n (&c); \
      r1 = chroma_row_##n (&c, right, x_frac); \
      v = (r0 * (ChromaLane##m) 8 + (r1 - r0) * y_frac + (ChromaLane##m) 32) >> (ChromaLane##m) 6; \
      store_pair_##n (&c, CONVERT_SAMPLE (m) (v)); \
      r0 = r1; \
    } \
  } \
\
  static __attribute__ ((noinline)) void \
  chroma_##n (const CopyPair *copy, uint x_frac, uint y_frac) \
  { \
    CopyPair c = *copy; \
    ChromaLane##m x = (ChromaLane##m) (ChromaLane) x_frac, y = (ChromaLane##m) (ChromaLane) y_frac; \
\
    if (y_frac) \
      chroma_both_##n (c, x_frac ? 1 : 0, x, y); \
    else if (x_frac) \
      chroma_horizontal_##n (c, x); \
    else \
      chroma_whole_##n (c); \
  }

DEFINE_CHROMA (2, 4)
DEFINE_CHROMA (4, 8)
DEFINE_CHROMA (8, 16)
