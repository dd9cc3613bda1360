/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Luma sample interpolation (8.4.2.2.1) of blocks of 4, 8 and 16 columns in explicit vectors, of chroma of 4:4:4 too (included by
 * interpredvector.cl).  A row is one vector; those that the next row needs again stay in registers.  Only the columns that count are read.
 */

/* Lane: what half samples are computed in.  b1 and h1 (8-241, 8-242) of bytes fit 16 bits with their sign, those of up to 10 bits without
 * it where HALF_BIAS is added; sums that wrap on the way come out right.  Wide: the same rows where j1 (8-245) is made of them. */
#if GPU_SAMPLE_BYTES == 1
#define LANE(n) short##n
typedef short Lane;
#define CONVERT_LANE(n) convert_short##n
#define WIDE(n) short##n
#define CONVERT_WIDE(n) convert_short##n
#define HALF_BIAS 0
#elif GPU_DEPTH_LUMA <= 10 && GPU_DEPTH_CHROMA <= 10
#define LANE(n) ushort##n
typedef ushort Lane;
#define CONVERT_LANE(n) convert_ushort##n
#define WIDE(n) int##n
#define CONVERT_WIDE(n) convert_int##n
#define HALF_BIAS 10240
#else
#define LANE(n) int##n
typedef int Lane;
#define CONVERT_LANE(n) convert_int##n
#define WIDE(n) int##n
#define CONVERT_WIDE(n) convert_int##n
#define HALF_BIAS 0
#endif

typedef LANE (4) Lane4;
typedef LANE (8) Lane8;
typedef LANE (16) Lane16;
typedef WIDE (4) Wide4;
typedef WIDE (8) Wide8;
typedef WIDE (16) Wide16;

#define LOAD_LANES(n, p) CONVERT_LANE (n) (LOAD_SAMPLES (n, p))

/* a - 5 * b + 20 * c + 20 * d - 5 * e + f */
#define SIX_TAPS(type, a, b, c, d, e, f) ((((c) + (d)) * (type) 4 - ((b) + (e))) * (type) 5 + (a) + (f))

/* A half sample before it is clipped, with the 16 of its rounding and the bias */
#define HALF(n, a, b, c, d, e, f) (SIX_TAPS (Lane##n, a, b, c, d, e, f) + (Lane##n) (Lane) (HALF_BIAS + 16))
/* b or h of it, of any type of lanes */
#define CLIP_HALF(type, v, max) \
    (clamp ((v) >> (type) 5, (type) (HALF_BIAS / 32), (type) ((max) + HALF_BIAS / 32)) - (type) (HALF_BIAS / 32))

/* Where to and from a block is interpolated */
typedef struct
{
  __global Sample *dst;
  long dst_stride;
  __global const Sample *src;   /* at the whole part of the vector */
  long src_stride;
  int height;
  int max;
  bool mean;                    /* with what stands at dst */
} Copy;

/* j from six rows of b1, each with the 16 of its rounding, which add up to the 512 that j needs.  In 16 bits: (a - 5 * b + 20 * c) / 16 =
 * ((a - b) / 4 - b + c) / 4 + c with a, b, c the sums of rows alike, each shift rounding down as the whole would; c - b is kept so small
 * that nothing overflows, where the result clips anyway. */
#if GPU_SAMPLE_BYTES == 1
#define DEFINE_CENTRE(n) \
  INLINE Wide##n \
  centre_##n (Wide##n r0, Wide##n r1, Wide##n r2, Wide##n r3, Wide##n r4, Wide##n r5, int max) \
  { \
    Wide##n a = r0 + r5, b = r1 + r4, c = r2 + r3; \
    Wide##n d = clamp (c - b, (Wide##n) -26137, (Wide##n) 26137); \
\
    return clamp ((((((a - b) >> (Wide##n) 2) + d) >> (Wide##n) 2) + c) >> (Wide##n) 6, (Wide##n) 0, (Wide##n) 255); \
  }
#else
#define DEFINE_CENTRE(n) \
  INLINE Wide##n \
  centre_##n (Wide##n r0, Wide##n r1, Wide##n r2, Wide##n r3, Wide##n r4, Wide##n r5, int max) \
  { \
    return clamp ((SIX_TAPS (Wide##n, r0, r1, r2, r3, r4, r5) - (Wide##n) (32 * HALF_BIAS)) >> (Wide##n) 10, (Wide##n) 0, (Wide##n) max); \
  }
#endif

/* The filters for blocks of n columns.
 *   half_right_n, half_below_n: b1 and h1 at p; wide_right_n: b1 as j1 is made of it
 *   store_n: samples, to the destination; store_mean_n: the mean of two
 *   clip_half_n, clip_wide_n: b or h */
#define DEFINE_FILTERS(n) \
  INLINE Lane##n \
  half_right_##n (__global const Sample *p) \
  { \
    return HALF (n, LOAD_LANES (n, p - 2), LOAD_LANES (n, p - 1), LOAD_LANES (n, p), LOAD_LANES (n, p + 1), LOAD_LANES (n, p + 2), \
        LOAD_LANES (n, p + 3)); \
  } \
\
  INLINE Lane##n \
  half_below_##n (__global const Sample *p, long s) \
  { \
    return HALF (n, LOAD_LANES (n, p - 2 * s), LOAD_LANES (n, p - s), LOAD_LANES (n, p), LOAD_LANES (n, p + s), LOAD_LANES (n, p + 2 * s), \
        LOAD_LANES (n, p + 3 * s)); \
  } \
\
  INLINE Wide##n \
  wide_right_##n (__global const Sample *p) \
  { \
    return CONVERT_WIDE (n) (half_right_##n (p)); \
  } \
\
  INLINE Sample##n \
  clip_half_##n (Lane##n v, int max) \
  { \
    return CONVERT_SAMPLE (n) (CLIP_HALF (Lane##n, v, (Lane) max)); \
  } \
\
  INLINE Sample##n \
  clip_wide_##n (Wide##n v, int max) \
  { \
    return CONVERT_SAMPLE (n) (CLIP_HALF (Wide##n, v, max)); \
  } \
\
  INLINE void \
  store_##n (const Copy *c, Sample##n v) \
  { \
    if (c->mean) \
      v = MEAN (n, v, LOAD_SAMPLES (n, c->dst)); \
    STORE_SAMPLES (n, c->dst, v); \
  } \
\
  INLINE void \
  store_mean_##n (const Copy *c, Sample##n v, Sample##n other) \
  { \
    store_##n (c, MEAN (n, v, other)); \
  }

/* The kinds of fractions, for blocks of n columns.  `mean`: with what else the mean is taken, a sample at src + other or a half sample
 * there. */
#define DEFINE_KINDS(n) \
  INLINE void \
  whole_##n (Copy c) \
  { \
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += c.src_stride) \
      store_##n (&c, LOAD_SAMPLES (n, c.src)); \
  } \
\
  /* b; a, c */ \
  INLINE void \
  horizontal_##n (Copy c, bool mean, long other) \
  { \
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += c.src_stride) { \
      Sample##n v = clip_half_##n (half_right_##n (c.src), c.max); \
\
      if (mean) \
        store_mean_##n (&c, v, LOAD_SAMPLES (n, c.src + other)); \
      else \
        store_##n (&c, v); \
    } \
  } \
\
  /* h; d, n */ \
  INLINE void \
  vertical_##n (Copy c, bool mean, long other) \
  { \
    Lane##n r0 = LOAD_LANES (n, c.src - 2 * c.src_stride), r1 = LOAD_LANES (n, c.src - c.src_stride), r2 = LOAD_LANES (n, c.src); \
    Lane##n r3 = LOAD_LANES (n, c.src + c.src_stride), r4 = LOAD_LANES (n, c.src + 2 * c.src_stride); \
\
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += c.src_stride) { \
      Lane##n r5 = LOAD_LANES (n, c.src + 3 * c.src_stride); \
      Sample##n v = clip_half_##n (HALF (n, r0, r1, r2, r3, r4, r5), c.max); \
\
      if (mean) \
        store_mean_##n (&c, v, LOAD_SAMPLES (n, c.src + other)); \
      else \
        store_##n (&c, v); \
      r0 = r1, r1 = r2, r2 = r3, r3 = r4, r4 = r5; \
    } \
  } \
\
  /* e, g, p, r: b or s, and h or m */ \
  INLINE void \
  diagonal_##n (Copy c, long below, long right) \
  { \
    __global const Sample *p = c.src + right; \
    Lane##n r0 = LOAD_LANES (n, p - 2 * c.src_stride), r1 = LOAD_LANES (n, p - c.src_stride), r2 = LOAD_LANES (n, p); \
    Lane##n r3 = LOAD_LANES (n, p + c.src_stride), r4 = LOAD_LANES (n, p + 2 * c.src_stride); \
\
    c.src += below * c.src_stride; \
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += c.src_stride, p += c.src_stride) { \
      Lane##n r5 = LOAD_LANES (n, p + 3 * c.src_stride); \
\
      store_mean_##n (&c, clip_half_##n (HALF (n, r0, r1, r2, r3, r4, r5), c.max), clip_half_##n (half_right_##n (c.src), c.max)); \
      r0 = r1, r1 = r2, r2 = r3, r3 = r4, r4 = r5; \
    } \
  } \
\
  /* j; f, q: and b or s */ \
  INLINE void \
  centre_row_##n (Copy c, bool mean, long below) \
  { \
    Wide##n r0 = wide_right_##n (c.src - 2 * c.src_stride), r1 = wide_right_##n (c.src - c.src_stride), r2 = wide_right_##n (c.src); \
    Wide##n r3 = wide_right_##n (c.src + c.src_stride), r4 = wide_right_##n (c.src + 2 * c.src_stride); \
\
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += c.src_stride) { \
      Wide##n r5 = wide_right_##n (c.src + 3 * c.src_stride); \
      Sample##n v = CONVERT_SAMPLE (n) (centre_##n (r0, r1, r2, r3, r4, r5, c.max)); \
\
      if (mean) \
        store_mean_##n (&c, v, clip_wide_##n (below ? r3 : r2, c.max)); \
      else \
        store_##n (&c, v); \
      r0 = r1, r1 = r2, r2 = r3, r3 = r4, r4 = r5; \
    } \
  } \
\
  /* i, k: j, and h or m */ \
  INLINE void \
  centre_column_##n (Copy c, long right) \
  { \
    long s = c.src_stride; \
    Wide##n r0 = wide_right_##n (c.src - 2 * s), r1 = wide_right_##n (c.src - s), r2 = wide_right_##n (c.src); \
    Wide##n r3 = wide_right_##n (c.src + s), r4 = wide_right_##n (c.src + 2 * s); \
\
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += s) { \
      Wide##n r5 = wide_right_##n (c.src + 3 * s); \
\
      store_mean_##n (&c, CONVERT_SAMPLE (n) (centre_##n (r0, r1, r2, r3, r4, r5, c.max)), \
          clip_half_##n (half_below_##n (c.src + right, s), c.max)); \
      r0 = r1, r1 = r2, r2 = r3, r3 = r4, r4 = r5; \
    } \
  }

/* xFrac, yFrac in quarter samples (Table 8-12).  A function of its own: it is too large to stand at every place that calls it. */
#define DEFINE_LUMA(n) \
  static __attribute__ ((noinline)) void \
  luma_##n (const Copy *copy, uint x_frac, uint y_frac) \
  { \
    Copy c = *copy; \
    long right = x_frac >> 1, below = y_frac >> 1; \
\
    if (GPU_SAMPLE_BYTES == 1) \
      c.max = 255; \
    switch (y_frac * 4 + x_frac) { \
      case 0: \
        whole_##n (c); \
        break; \
      case 2: \
        horizontal_##n (c, false, 0); \
        break; \
      case 1: \
      case 3: \
        horizontal_##n (c, true, right); \
        break; \
      case 8: \
        vertical_##n (c, false, 0); \
        break; \
      case 4: \
      case 12: \
        vertical_##n (c, true, below * c.src_stride); \
        break; \
      case 10: \
        centre_row_##n (c, false, 0); \
        break; \
      case 6: \
      case 14: \
        centre_row_##n (c, true, below); \
        break; \
      case 9: \
      case 11: \
        centre_column_##n (c, right); \
        break; \
      default: \
        diagonal_##n (c, below, right); \
        break; \
    } \
  }

#define DEFINE_ALL(n) \
  DEFINE_CENTRE (n) \
  DEFINE_FILTERS (n) \
  DEFINE_KINDS (n) \
  DEFINE_LUMA (n)

DEFINE_ALL (4)
DEFINE_ALL (8)
DEFINE_ALL (16)
