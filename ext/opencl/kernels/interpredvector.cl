/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inter prediction of a macroblock by one work-item, in explicit vectors: the form for CPUs (included by interpred.cl).
 *
 * A partition is interpolated from list 0 straight into the picture, from list 1 likewise with the mean of both; or, where weights ask for
 * it, into scratch memory, and weighted then.  At last residuals are added.  Luma is computed in lanes of 16 bits where samples are bytes,
 * else of 32; Cb and Cr of 4:2:0 and 4:2:2 together, in the two halves of the lanes.  Every load is of just the columns that are needed,
 * so a block whose margins lie in the picture is read in place; another one is first copied with its coordinates clipped (8.4.2.2.1).
 */

/* Scratch memory of a work-group, in samples: a clipped block with its margins, and the prediction from list 1.  Cb and Cr stand side by
 * side. */
#define CLIPPED_PITCH 32
#define CLIPPED_ROWS 24
#define SECOND_PITCH 16
#define SCRATCH_SIZE (CLIPPED_PITCH * CLIPPED_ROWS + SECOND_PITCH * 16)

#if GPU_SAMPLE_BYTES == 1
#define SAMPLE_VECTOR(n) uchar##n
#define CONVERT_SAMPLE(n) convert_uchar##n
#define LANE(n) short##n
typedef short Lane;
#define CONVERT_LANE(n) convert_short##n
#else
#define SAMPLE_VECTOR(n) ushort##n
#define CONVERT_SAMPLE(n) convert_ushort##n
#define LANE(n) int##n
typedef int Lane;
#define CONVERT_LANE(n) convert_int##n
#endif

/* Chroma: 64 times a sample fits in 16 bits up to a depth of 10 */
#if GPU_DEPTH_CHROMA <= 10
#define CHROMA_LANE(n) ushort##n
typedef ushort ChromaLane;
#define CONVERT_CHROMA_LANE(n) convert_ushort##n
#else
#define CHROMA_LANE(n) uint##n
typedef uint ChromaLane;
#define CONVERT_CHROMA_LANE(n) convert_uint##n
#endif

typedef SAMPLE_VECTOR (2) __attribute__ ((aligned (1))) Sample2;
typedef SAMPLE_VECTOR (4) __attribute__ ((aligned (1))) Sample4;
typedef SAMPLE_VECTOR (8) __attribute__ ((aligned (1))) Sample8;
typedef SAMPLE_VECTOR (16) __attribute__ ((aligned (1))) Sample16;
typedef LANE (4) Lane4;
typedef LANE (8) Lane8;
typedef LANE (16) Lane16;
typedef CHROMA_LANE (4) ChromaLane4;
typedef CHROMA_LANE (8) ChromaLane8;
typedef CHROMA_LANE (16) ChromaLane16;

#define LOAD_SAMPLES(n, p) (*(__global const Sample##n *) (p))
#define STORE_SAMPLES(n, p, v) (*(__global Sample##n *) (p) = (v))
#define LOAD_LANES(n, p) CONVERT_LANE (n) (LOAD_SAMPLES (n, p))

/* Means of samples, spelled so that the compiler finds the one instruction for it */
#define MEAN(n, a, b) CONVERT_SAMPLE (n) ((convert_ushort##n (a) + convert_ushort##n (b) + (ushort##n) 1) >> (ushort##n) 1)

/* 8.4.2.2.1: a - 5 * b + 20 * c + 20 * d - 5 * e + f; of bytes within 16 bits */
#define SIX_TAPS(a, b, c, d, e, f) ((((c) + (d)) * (Lane) 4 - ((b) + (e))) * (Lane) 5 + (a) + (f))

/* Where to and from a block is interpolated */
typedef struct
{
  __global Sample *dst;
  int dst_stride;
  __global const Sample *src;   /* at the whole part of the vector */
  int src_stride;
  int height;
  int max;
  bool mean;                    /* with what stands at dst */
} Copy;

/* The filters for blocks of n columns.
 *   half_right_n, half_below_n: b1 and h1 at p
 *   clip_half_n: b or h of it
 *   centre_n: j from six rows of b1.  In 16 bits: (a - 5 * b + 20 * c) / 16 = ((a - b) / 4 - b + c) / 4 + c with a, b, c the sums of rows
 *     alike, each shift rounding down as the whole would; c - b is kept so small that nothing overflows, where the result clips anyway
 *   store_n: clipped lanes, and the mean of them and other samples; store_samples_n: to the destination */
#if GPU_SAMPLE_BYTES == 1
#define DEFINE_CENTRE(n) \
  INLINE Lane##n \
  centre_##n (Lane##n r0, Lane##n r1, Lane##n r2, Lane##n r3, Lane##n r4, Lane##n r5, int max) \
  { \
    Lane##n a = r0 + r5, b = r1 + r4, c = r2 + r3; \
    Lane##n d = clamp (c - b, (Lane##n) -26137, (Lane##n) 26137); \
\
    return clamp ((((((a - b) >> (Lane##n) 2) + d) >> (Lane##n) 2) + c + (Lane##n) 32) >> (Lane##n) 6, (Lane##n) 0, (Lane##n) 255); \
  }
#else
#define DEFINE_CENTRE(n) \
  INLINE Lane##n \
  centre_##n (Lane##n r0, Lane##n r1, Lane##n r2, Lane##n r3, Lane##n r4, Lane##n r5, int max) \
  { \
    return clamp ((SIX_TAPS (r0, r1, r2, r3, r4, r5) + (Lane##n) 512) >> (Lane##n) 10, (Lane##n) 0, (Lane##n) (Lane) max); \
  }
#endif

#define DEFINE_FILTERS(n) \
  INLINE Lane##n \
  half_right_##n (__global const Sample *p) \
  { \
    return SIX_TAPS (LOAD_LANES (n, p - 2), LOAD_LANES (n, p - 1), LOAD_LANES (n, p), LOAD_LANES (n, p + 1), LOAD_LANES (n, p + 2), \
        LOAD_LANES (n, p + 3)); \
  } \
\
  INLINE Lane##n \
  clip_half_##n (Lane##n v, int max) \
  { \
    return clamp ((v + (Lane##n) 16) >> (Lane##n) 5, (Lane##n) 0, (Lane##n) (Lane) max); \
  } \
\
  INLINE void \
  store_samples_##n (const Copy *c, Sample##n v) \
  { \
    if (c->mean) \
      v = MEAN (n, v, LOAD_SAMPLES (n, c->dst)); \
    STORE_SAMPLES (n, c->dst, v); \
  } \
\
  INLINE void \
  store_##n (const Copy *c, Lane##n v) \
  { \
    store_samples_##n (c, CONVERT_SAMPLE (n) (v)); \
  } \
\
  INLINE void \
  store_mean_##n (const Copy *c, Lane##n v, Sample##n other) \
  { \
    store_samples_##n (c, MEAN (n, CONVERT_SAMPLE (n) (v), other)); \
  }

/* The kinds of fractions, for blocks of n columns.  `mean`: with what else the mean is taken, a sample at src + other or a half sample
 * there. */
#define DEFINE_KINDS(n) \
  INLINE void \
  whole_##n (Copy c) \
  { \
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += c.src_stride) \
      store_samples_##n (&c, LOAD_SAMPLES (n, c.src)); \
  } \
\
  /* b; a, c */ \
  INLINE void \
  horizontal_##n (Copy c, bool mean, int other) \
  { \
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += c.src_stride) { \
      Lane##n v = clip_half_##n (half_right_##n (c.src), c.max); \
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
  vertical_##n (Copy c, bool mean, int other) \
  { \
    Lane##n r0 = LOAD_LANES (n, c.src - 2 * c.src_stride), r1 = LOAD_LANES (n, c.src - c.src_stride), r2 = LOAD_LANES (n, c.src); \
    Lane##n r3 = LOAD_LANES (n, c.src + c.src_stride), r4 = LOAD_LANES (n, c.src + 2 * c.src_stride); \
\
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += c.src_stride) { \
      Lane##n r5 = LOAD_LANES (n, c.src + 3 * c.src_stride), v = clip_half_##n (SIX_TAPS (r0, r1, r2, r3, r4, r5), c.max); \
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
  diagonal_##n (Copy c, int below, int right) \
  { \
    __global const Sample *p = c.src + right; \
    Lane##n r0 = LOAD_LANES (n, p - 2 * c.src_stride), r1 = LOAD_LANES (n, p - c.src_stride), r2 = LOAD_LANES (n, p); \
    Lane##n r3 = LOAD_LANES (n, p + c.src_stride), r4 = LOAD_LANES (n, p + 2 * c.src_stride); \
\
    c.src += below * c.src_stride; \
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += c.src_stride, p += c.src_stride) { \
      Lane##n r5 = LOAD_LANES (n, p + 3 * c.src_stride); \
\
      store_mean_##n (&c, clip_half_##n (SIX_TAPS (r0, r1, r2, r3, r4, r5), c.max), \
          CONVERT_SAMPLE (n) (clip_half_##n (half_right_##n (c.src), c.max))); \
      r0 = r1, r1 = r2, r2 = r3, r3 = r4, r4 = r5; \
    } \
  } \
\
  /* j; f, q: and b or s */ \
  INLINE void \
  centre_row_##n (Copy c, bool mean, int below) \
  { \
    Lane##n r0 = half_right_##n (c.src - 2 * c.src_stride), r1 = half_right_##n (c.src - c.src_stride), r2 = half_right_##n (c.src); \
    Lane##n r3 = half_right_##n (c.src + c.src_stride), r4 = half_right_##n (c.src + 2 * c.src_stride); \
\
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += c.src_stride) { \
      Lane##n r5 = half_right_##n (c.src + 3 * c.src_stride), v = centre_##n (r0, r1, r2, r3, r4, r5, c.max); \
\
      if (mean) \
        store_mean_##n (&c, v, CONVERT_SAMPLE (n) (clip_half_##n (below ? r3 : r2, c.max))); \
      else \
        store_##n (&c, v); \
      r0 = r1, r1 = r2, r2 = r3, r3 = r4, r4 = r5; \
    } \
  } \
\
  /* i, k: j, and h or m */ \
  INLINE void \
  centre_column_##n (Copy c, int right) \
  { \
    __global const Sample *p = c.src + right; \
    int s = c.src_stride; \
    Lane##n r0 = half_right_##n (c.src - 2 * s), r1 = half_right_##n (c.src - s), r2 = half_right_##n (c.src); \
    Lane##n r3 = half_right_##n (c.src + s), r4 = half_right_##n (c.src + 2 * s); \
\
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += s, p += s) { \
      Lane##n r5 = half_right_##n (c.src + 3 * s), v = centre_##n (r0, r1, r2, r3, r4, r5, c.max); \
      Lane##n h = SIX_TAPS (LOAD_LANES (n, p - 2 * s), LOAD_LANES (n, p - s), LOAD_LANES (n, p), LOAD_LANES (n, p + s), \
          LOAD_LANES (n, p + 2 * s), LOAD_LANES (n, p + 3 * s)); \
\
      store_mean_##n (&c, v, CONVERT_SAMPLE (n) (clip_half_##n (h, c.max))); \
      r0 = r1, r1 = r2, r2 = r3, r3 = r4, r4 = r5; \
    } \
  }

/* Luma sample interpolation (8.4.2.2.1): xFrac, yFrac in quarter samples (Table 8-12).  A function of its own: it is too large to stand at
 * every place that calls it. */
#define DEFINE_LUMA(n) \
  static __attribute__ ((noinline)) void \
  luma_##n (const Copy *copy, int x_frac, int y_frac) \
  { \
    int right = x_frac >> 1, below = y_frac >> 1; \
    Copy c = { copy->dst, copy->dst_stride, copy->src, copy->src_stride, copy->height, copy->max, copy->mean }; \
\
    if (y_frac == 0 && x_frac == 0) \
      whole_##n (c); \
    else if (y_frac == 0 && x_frac == 2) \
      horizontal_##n (c, false, 0); \
    else if (y_frac == 0) \
      horizontal_##n (c, true, right); \
    else if (x_frac == 0 && y_frac == 2) \
      vertical_##n (c, false, 0); \
    else if (x_frac == 0) \
      vertical_##n (c, true, below * c.src_stride); \
    else if (x_frac & y_frac & 1) \
      diagonal_##n (c, below, right); \
    else if (x_frac == 2 && y_frac == 2) \
      centre_row_##n (c, false, 0); \
    else if (x_frac == 2) \
      centre_row_##n (c, true, below); \
    else \
      centre_column_##n (c, right); \
  }

#define DEFINE_ALL(n) \
  DEFINE_CENTRE (n) \
  DEFINE_FILTERS (n) \
  DEFINE_KINDS (n) \
  DEFINE_LUMA (n)

DEFINE_ALL (4)
DEFINE_ALL (8)
DEFINE_ALL (16)

#if HAS_HALVED_CHROMA
/* Where to and from the blocks of Cb and Cr are interpolated */
typedef struct
{
  __global Sample *dst[2];
  int dst_stride[2];
  __global const Sample *src[2];
  int src_stride[2];
  int height;
  bool mean;
} CopyPair;

/* Chroma sample interpolation (8.4.2.2.2) of blocks of n columns, m = 2 * n: xFrac, yFrac in eighth samples.  The sums may wrap on the
 * way; the last one fits. A neighbour that counts nothing is not read. */
#define DEFINE_CHROMA(n, m) \
  INLINE Sample##m \
  load_pair_##n (const CopyPair *c, int right) \
  { \
    return (Sample##m) (LOAD_SAMPLES (n, c->src[0] + right), LOAD_SAMPLES (n, c->src[1] + right)); \
  } \
\
  INLINE ChromaLane##m \
  chroma_row_##n (const CopyPair *c, int right, int x_frac) \
  { \
    ChromaLane##m a = CONVERT_CHROMA_LANE (m) (load_pair_##n (c, 0)), b = CONVERT_CHROMA_LANE (m) (load_pair_##n (c, right)); \
\
    return a * (ChromaLane##m) 8 + (b - a) * (ChromaLane##m) (ChromaLane) x_frac; \
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
  chroma_##n (CopyPair *c, int x_frac, int y_frac) \
  { \
    int right = x_frac ? 1 : 0; \
    ChromaLane##m r0; \
\
    if (x_frac == 0 && y_frac == 0) { \
      for (int y = 0; y < c->height; y++, c->src[0] += c->src_stride[0], c->src[1] += c->src_stride[1]) \
        store_pair_##n (c, load_pair_##n (c, 0)); \
      return; \
    } \
    r0 = chroma_row_##n (c, right, x_frac); \
    for (int y = 1; y <= c->height; y++) { \
      /* the row below the last one is read only where it counts */ \
      bool down = y < c->height || y_frac; \
      ChromaLane##m r1, v; \
\
      c->src[0] += down ? c->src_stride[0] : 0; \
      c->src[1] += down ? c->src_stride[1] : 0; \
      r1 = chroma_row_##n (c, right, x_frac); \
      v = (r0 * (ChromaLane##m) 8 + (r1 - r0) * (ChromaLane##m) (ChromaLane) y_frac + (ChromaLane##m) 32) >> (ChromaLane##m) 6; \
      store_pair_##n (c, CONVERT_SAMPLE (m) (v)); \
      r0 = r1; \
    } \
  }

DEFINE_CHROMA (2, 4)
DEFINE_CHROMA (4, 8)
DEFINE_CHROMA (8, 16)
#endif

/* Copies width * height samples from (x, y) of a reference, both coordinates clipped. */
static __attribute__ ((noinline)) void
clip_block (const Reference *reference, __global Sample *scratch, int x, int y, int width, int height)
{
  for (int j = 0; j < height; j++) {
    __global const Sample *row = reference->samples + (long) clamp (y + j, 0, reference->height - 1) * reference->stride;
    __global Sample *to = scratch + j * CLIPPED_PITCH;

    for (int i = 0; i < width; i++)
      to[i] = row[clamp (x + i, 0, reference->width - 1)];
  }
}

/* A rectangle of a plane that is predicted as one */
typedef struct
{
  int x, y, width, height;      /* in samples of the plane; x and y in the picture or, for field macroblocks, in the field */
  __global Sample *samples;     /* its first one in the picture */
  int stride;
} Block;

/* Whether the block at (x, y) with `before` columns (rows) before and `after` behind it lies in the picture */
INLINE bool
is_inside (const Reference *reference, int x, int y, int width, int height, int before_x, int after_x, int before_y, int after_y)
{
  return x >= before_x && y >= before_y && x + width + after_x <= reference->width && y + height + after_y <= reference->height;
}

/* dst: where to, rows of dst_stride; mean: with what is there */
INLINE void
interpolate_luma (const Block *block, const Reference *reference, int mv_x, int mv_y, int max, __global Sample *scratch,
    __global Sample *dst, int dst_stride, bool mean)
{
  int x_frac = mv_x & 3, y_frac = mv_y & 3, x = block->x + (mv_x >> 2), y = block->y + (mv_y >> 2);
  int before_x = x_frac ? 2 : 0, after_x = x_frac ? 3 : 0, before_y = y_frac ? 2 : 0, after_y = y_frac ? 3 : 0;
  Copy copy = { .dst = dst, .dst_stride = dst_stride, .height = block->height, .max = max, .mean = mean };

  if (is_inside (reference, x, y, block->width, block->height, before_x, after_x, before_y, after_y)) {
    copy.src = reference->samples + (long) y * reference->stride + x;
    copy.src_stride = reference->stride;
  } else {
    clip_block (reference, scratch, x - before_x, y - before_y, block->width + before_x + after_x, block->height + before_y + after_y);
    copy.src = scratch + before_y * CLIPPED_PITCH + before_x;
    copy.src_stride = CLIPPED_PITCH;
  }
  if (block->width == 16)
    luma_16 (&copy, x_frac, y_frac);
  else if (block->width == 8)
    luma_8 (&copy, x_frac, y_frac);
  else
    luma_4 (&copy, x_frac, y_frac);
}

#if HAS_HALVED_CHROMA
/* blocks, references: of Cb and Cr; mv_y in eighth samples */
INLINE void
interpolate_chroma (const Block *blocks, const Reference *references, int mv_x, int mv_y, __global Sample *scratch, CopyPair *copy)
{
  int x_frac = mv_x & 7, y_frac = mv_y & 7, after_x = x_frac ? 1 : 0, after_y = y_frac ? 1 : 0;
  int x = blocks->x + (mv_x >> 3), y = blocks->y + (mv_y >> 3), width = blocks->width;
  bool inside = is_inside (references, x, y, width, blocks->height, 0, after_x, 0, after_y);

  for (int i = 0; i < 2; i++) {
    __global Sample *clipped = scratch + i * CLIPPED_PITCH / 2;

    if (!inside)
      clip_block (&references[i], clipped, x, y, width + after_x, blocks->height + after_y);
    copy->src[i] = inside ? references[i].samples + (long) y * references[i].stride + x : clipped;
    copy->src_stride[i] = inside ? references[i].stride : CLIPPED_PITCH;
  }
  copy->height = blocks->height;
  if (width == 8)
    chroma_8 (copy, x_frac, y_frac);
  else if (width == 4)
    chroma_4 (copy, x_frac, y_frac);
  else
    chroma_2 (copy, x_frac, y_frac);
}
#endif

/* Weighted sample prediction (8.4.2.3) of rows of n columns, in place */
#define DEFINE_WEIGHTS(n) \
  INLINE void \
  weight_both_##n (const Block *block, const Weights *weights, __global const Sample *second, int max) \
  { \
    int##n w0 = (int##n) weights->w[0], w1 = (int##n) weights->w[1], shift = (int##n) (int) (weights->log2_denom + 1); \
    int##n round = (int##n) (1 << weights->log2_denom), offset = (int##n) weights->offset; \
\
    for (int y = 0; y < block->height; y++) { \
      __global Sample *p = block->samples + y * block->stride; \
      int##n a = convert_int##n (LOAD_SAMPLES (n, p)), b = convert_int##n (LOAD_SAMPLES (n, second + y * SECOND_PITCH)); \
\
      STORE_SAMPLES (n, p, CONVERT_SAMPLE (n) (clamp (((a * w0 + b * w1 + round) >> shift) + offset, (int##n) 0, (int##n) max))); \
    } \
  } \
\
  INLINE void \
  weight_one_##n (const Block *block, const Weights *weights, int max) \
  { \
    int##n w = (int##n) weights->w[0], shift = (int##n) (int) weights->log2_denom, offset = (int##n) weights->offset; \
    int##n round = (int##n) (1 << weights->log2_denom >> 1); \
\
    for (int y = 0; y < block->height; y++) { \
      __global Sample *p = block->samples + y * block->stride; \
      int##n a = convert_int##n (LOAD_SAMPLES (n, p)); \
\
      STORE_SAMPLES (n, p, CONVERT_SAMPLE (n) (clamp (((a * w + round) >> shift) + offset, (int##n) 0, (int##n) max))); \
    } \
  } \
\
  static __attribute__ ((noinline)) void \
  weight_##n (const Block *block, const Weights *weights, __global const Sample *second, bool both, int max) \
  { \
    if (both) \
      weight_both_##n (block, weights, second, max); \
    else \
      weight_one_##n (block, weights, max); \
  }

DEFINE_WEIGHTS (2)
DEFINE_WEIGHTS (4)
DEFINE_WEIGHTS (8)
DEFINE_WEIGHTS (16)

INLINE void
weight (const Block *block, const Weights *weights, __global const Sample *second, bool both, int max)
{
  if (block->width == 16)
    weight_16 (block, weights, second, both, max);
  else if (block->width == 8)
    weight_8 (block, weights, second, both, max);
  else if (block->width == 4)
    weight_4 (block, weights, second, both, max);
  else
    weight_2 (block, weights, second, both, max);
}

/* The rectangle of a partition in a plane */
INLINE void
init_block (Block *block, const Area *area, const Place *place, uint where, bool like_luma)
{
  int width = like_luma ? 16 : CHROMA_WIDTH, height = like_luma ? 16 : CHROMA_HEIGHT;
  int x = (int) GPU_PARTITION_X (where) * (width / 4), y = (int) GPU_PARTITION_Y (where) * (height / 4);

  block->x = place->column * width + x;
  block->y = place->row * height + y;
  block->width = (int) GPU_PARTITION_WIDTH (where) * (width / 4);
  block->height = (int) GPU_PARTITION_HEIGHT (where) * (height / 4);
  block->samples = area->samples + (long) y * area->stride + x;
  block->stride = area->stride;
}

#define N_PLANES (GPU_CHROMA_ARRAY_TYPE == 0 ? 1 : 3)
/* Planes that are interpolated as luma is */
#define N_LIKE_LUMA (HAS_HALVED_CHROMA ? 1 : N_PLANES)

/* A partition, and what its prediction needs */
typedef struct
{
  const InterPicture *inter;
  const Place *place;
  __global const GpuPartition *partition;
  __global Sample *scratch;
  __global Sample *second;      /* the prediction from list 1 of planes with weights */
  Block blocks[N_PLANES];
  Weights weights[N_PLANES];
  bool both;
} Prediction;

/* The prediction from a list: second of both or the only one.  Goes to `second` only if it is the second and weights need both. */
INLINE void
interpolate (Prediction *p, const ReferencePicture *picture, uint list, bool is_second, int max, uint plane)
{
  const Block *block = &p->blocks[plane];
  bool apart = is_second && !p->weights[plane].is_default;
  Reference reference;

  init_reference (&reference, picture, p->inter, p->place, plane);
  interpolate_luma (block, &reference, p->partition->mv[list][0], p->partition->mv[list][1], max, p->scratch,
      apart ? p->second : block->samples, apart ? SECOND_PITCH : block->stride, is_second && !apart);
}

#if HAS_HALVED_CHROMA
INLINE void
interpolate_pair (Prediction *p, const ReferencePicture *picture, uint list, bool is_second)
{
  bool apart = is_second && !(p->weights[1].is_default && p->weights[2].is_default);
  CopyPair copy = { .mean = is_second && !apart };
  Reference references[2];

  for (uint i = 0; i < 2; i++) {
    const Block *block = &p->blocks[1 + i];

    init_reference (&references[i], picture, p->inter, p->place, 1 + i);
    copy.dst[i] = apart ? p->second + i * SECOND_PITCH / 2 : block->samples;
    copy.dst_stride[i] = apart ? SECOND_PITCH : block->stride;
  }
  interpolate_chroma (&p->blocks[1], references, p->partition->mv[list][0],
      chroma_vector_y (p->place, picture, p->partition->mv[list][1]), p->scratch, &copy);
}

INLINE void
weight_pair (Prediction *p, const Area *areas)
{
  if (!(p->weights[1].is_default && p->weights[2].is_default))
    for (uint i = 0; i < 2; i++)
      weight (&p->blocks[1 + i], &p->weights[1 + i], p->second + i * SECOND_PITCH / 2, p->both, areas[1 + i].max);
}
#endif

INLINE void
predict_partition (const InterPicture *inter, const Area *areas, const Place *place, __global const GpuPartition *partition,
    __global Sample *scratch)
{
  __global const GpuInterSlice *slice = inter->slices + partition->slice;
  uint first = partition->ref_idx[0] >= 0 ? 0 : 1, last = partition->ref_idx[1] >= 0 ? 1 : first;
  Prediction p = { .inter = inter, .place = place, .partition = partition, .scratch = scratch,
      .second = scratch + CLIPPED_PITCH * CLIPPED_ROWS, .both = first != last };
  ReferencePicture pictures[2];

  for (uint plane = 0; plane < N_PLANES; plane++) {
    init_block (&p.blocks[plane], &areas[plane], place, partition->where, !HAS_HALVED_CHROMA || plane == 0);
    init_weights (&p.weights[plane], place, partition, slice, plane, p.both, first);
  }
  for (uint list = first; list <= last; list++)
    init_reference_picture (&pictures[list], inter, place, partition, slice, list);
  for (uint plane = 0; plane < N_LIKE_LUMA; plane++) {
    for (uint list = first; list <= last; list++)
      interpolate (&p, &pictures[list], list, list != first, areas[plane].max, plane);
    if (!p.weights[plane].is_default)
      weight (&p.blocks[plane], &p.weights[plane], p.second, p.both, areas[plane].max);
  }
#if HAS_HALVED_CHROMA
  for (uint list = first; list <= last; list++)
    interpolate_pair (&p, &pictures[list], list, list != first);
  weight_pair (&p, areas);
#endif
}

/* Clip1 (pred + residual): residuals above 16384 count as that, which overshoots every depth, so that the sum fits 16 bits. */
#define DEFINE_ADD(n) \
  INLINE void \
  add_residual_##n (__global Sample *p, short##n residual, int max) \
  { \
    short##n v = convert_short##n (LOAD_SAMPLES (n, p)) + min (residual, (short##n) 16384); \
\
    STORE_SAMPLES (n, p, CONVERT_SAMPLE (n) (clamp (v, (short##n) 0, (short##n) (short) max))); \
  }

DEFINE_ADD (4)
DEFINE_ADD (8)

typedef short8 __attribute__ ((aligned (2))) Residual8;
typedef short16 __attribute__ ((aligned (2))) Residual16;

/* Number of the lowest bit that is set: walks through those that are, without a look at the others */
INLINE uint
lowest_bit (uint bits)
{
  return 31 - clz (bits & -bits);
}

INLINE void
add_8x8_blocks (const Area *area)
{
  __global const short *block = area->blocks;

  for (uint todo = area->coded & 0x1111; todo; todo &= todo - 1) {
    uint blk = lowest_bit (todo) / 4;
    __global Sample *p = area->samples + (int) (blk >> 1) * 8 * area->stride + (blk & 1) * 8;

    for (int y = 0; y < 8; y++)
      add_residual_8 (p + y * area->stride, *(__global const Residual8 *) (block + y * 8), area->max);
    block += area->block_step;
  }
}

INLINE void
add_4x4_blocks (const Area *area, bool like_luma)
{
  uint n_blks = like_luma ? 16 : CHROMA_HEIGHT / 2;
  uint todo = area->dc ? (1u << n_blks) - 1 : area->coded;
  __global const short *block = area->blocks;

  for (; todo; todo &= todo - 1) {
    uint blk = lowest_bit (todo);
    uint column = like_luma ? block_column (blk) : blk & 1, row = like_luma ? block_row (blk) : blk >> 1;
    __global Sample *p = area->samples + (int) row * 4 * area->stride + column * 4;
    short16 residual;

    if (area->coded >> blk & 1) {
      residual = *(__global const Residual16 *) block;
      block += area->block_step;
    } else {
      residual = (short16) convert_short_sat (as_int (as_uint (area->dc[blk]) + 32u) >> 6);
    }
    add_residual_4 (p, residual.s0123, area->max);
    add_residual_4 (p + area->stride, residual.s4567, area->max);
    add_residual_4 (p + 2 * area->stride, residual.s89ab, area->max);
    add_residual_4 (p + 3 * area->stride, residual.scdef, area->max);
  }
}

INLINE void
add_residual (const Area *area, bool like_luma)
{
  if (area->coded == 0 && !area->dc)
    return;
  if (like_luma && (area->mb->flags & GPU_MB_TRANSFORM_8x8))
    add_8x8_blocks (area);
  else
    add_4x4_blocks (area, like_luma);
}

INLINE void
predict_macroblock (const InterPicture *inter, uint mb_addr, __global Sample *all_scratch)
{
  __global Sample *scratch = all_scratch + get_group_id (0) * SCRATCH_SIZE;
  __global const GpuMb *mb = inter->picture.mbs + mb_addr;
  Area areas[N_PLANES];
  Place place;

  init_place (&place, inter, mb_addr);
  for (uint plane = 0; plane < N_PLANES; plane++)
    init_inter_area (&areas[plane], inter, &place, plane);
  for (uint i = 0; i < mb->n_partitions; i++)
    predict_partition (inter, areas, &place, inter->partitions + mb->first_motion + i, scratch);
  for (uint plane = 0; plane < N_LIKE_LUMA; plane++)
    add_residual (&areas[plane], true);
  for (uint plane = N_LIKE_LUMA; plane < N_PLANES; plane++)
    add_residual (&areas[plane], false);
}
