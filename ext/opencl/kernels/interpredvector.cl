/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inter prediction of a macroblock by one work-item, in explicit vectors: the form for CPUs (included by interpred.cl).
 *
 * A partition is interpolated from list 0 straight into the picture, from list 1 into scratch memory; then both are weighted, at last residuals are added.
 * Luma is computed in lanes of 16 bits where samples are bytes, else of 32.  Every load is of just the columns that are needed, so a block whose margins lie
 * in the picture is read in place; another one is first copied with its coordinates clipped (8.4.2.2.1).
 */

/* Scratch memory of a work-group, in samples: a clipped block with its margins, and the prediction from list 1 */
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
typedef CHROMA_LANE (2) ChromaLane2;
typedef CHROMA_LANE (4) ChromaLane4;
typedef CHROMA_LANE (8) ChromaLane8;

#define LOAD_SAMPLES(n, p) (*(__global const Sample##n *) (p))
#define STORE_SAMPLES(n, p, v) (*(__global Sample##n *) (p) = (v))
#define LOAD_LANES(n, p) CONVERT_LANE (n) (LOAD_SAMPLES (n, p))

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
} Copy;

/* The filters for blocks of n columns.
 *   half_right_n, half_below_n: b1 and h1 at p
 *   clip_half_n: b or h of it
 *   centre_n: j from six rows of b1.  In 16 bits: (a - 5 * b + 20 * c) / 16 = ((a - b) / 4 - b + c) / 4 + c with a, b, c the sums of rows alike, each shift
 *     rounding down as the whole would; c - b is kept so small that nothing overflows, where the result clips anyway
 *   store_n: v, or the mean of v and `other` */
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
  store_##n (__global Sample *p, Lane##n v) \
  { \
    STORE_SAMPLES (n, p, CONVERT_SAMPLE (n) (v)); \
  } \
\
  INLINE void \
  store_mean_##n (__global Sample *p, Lane##n v, Lane##n other) \
  { \
    STORE_SAMPLES (n, p, CONVERT_SAMPLE (n) ((v + other + (Lane##n) 1) >> (Lane##n) 1)); \
  }

/* The kinds of fractions, for blocks of n columns.  `mean`: with what else the mean is taken, a sample at src + other or a half sample there. */
#define DEFINE_KINDS(n) \
  INLINE void \
  whole_##n (Copy c) \
  { \
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += c.src_stride) \
      STORE_SAMPLES (n, c.dst, LOAD_SAMPLES (n, c.src)); \
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
        store_mean_##n (c.dst, v, LOAD_LANES (n, c.src + other)); \
      else \
        store_##n (c.dst, v); \
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
        store_mean_##n (c.dst, v, other ? r3 : r2); \
      else \
        store_##n (c.dst, v); \
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
      store_mean_##n (c.dst, clip_half_##n (SIX_TAPS (r0, r1, r2, r3, r4, r5), c.max), clip_half_##n (half_right_##n (c.src), c.max)); \
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
        store_mean_##n (c.dst, v, clip_half_##n (below ? r3 : r2, c.max)); \
      else \
        store_##n (c.dst, v); \
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
      Lane##n h = SIX_TAPS (LOAD_LANES (n, p - 2 * s), LOAD_LANES (n, p - s), LOAD_LANES (n, p), LOAD_LANES (n, p + s), LOAD_LANES (n, p + 2 * s), \
          LOAD_LANES (n, p + 3 * s)); \
\
      store_mean_##n (c.dst, v, clip_half_##n (h, c.max)); \
      r0 = r1, r1 = r2, r2 = r3, r3 = r4, r4 = r5; \
    } \
  }

/* Luma sample interpolation (8.4.2.2.1): xFrac, yFrac in quarter samples (Table 8-12).  A function of its own: it is too large to stand at every place that
 * calls it. */
#define DEFINE_LUMA(n) \
  static __attribute__ ((noinline)) void \
  luma_##n (Copy c, int x_frac, int y_frac) \
  { \
    int right = x_frac >> 1, below = y_frac >> 1; \
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
      vertical_##n (c, true, below); \
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
/* Chroma sample interpolation (8.4.2.2.2): xFrac, yFrac in eighth samples.  The sums may wrap on the way; the last one fits.  A neighbour that counts nothing is
 * not read. */
#define DEFINE_CHROMA(n) \
  INLINE ChromaLane##n \
  chroma_row_##n (__global const Sample *p, int right, int x_frac) \
  { \
    ChromaLane##n a = CONVERT_CHROMA_LANE (n) (LOAD_SAMPLES (n, p)), b = CONVERT_CHROMA_LANE (n) (LOAD_SAMPLES (n, p + right)); \
\
    return a * (ChromaLane##n) 8 + (b - a) * (ChromaLane##n) (ChromaLane) x_frac; \
  } \
\
  static __attribute__ ((noinline)) void \
  chroma_##n (Copy c, int x_frac, int y_frac) \
  { \
    int right = x_frac ? 1 : 0, below = y_frac ? c.src_stride : 0; \
    ChromaLane##n r0; \
\
    if (x_frac == 0 && y_frac == 0) { \
      for (int y = 0; y < c.height; y++, c.dst += c.dst_stride, c.src += c.src_stride) \
        STORE_SAMPLES (n, c.dst, LOAD_SAMPLES (n, c.src)); \
      return; \
    } \
    r0 = chroma_row_##n (c.src, right, x_frac); \
    for (int y = 0; y < c.height; y++, c.dst += c.dst_stride) { \
      /* the row below the last one is read only where it counts */ \
      ChromaLane##n r1, v; \
\
      c.src += y + 1 < c.height ? c.src_stride : below; \
      r1 = chroma_row_##n (c.src, right, x_frac); \
      v = (r0 * (ChromaLane##n) 8 + (r1 - r0) * (ChromaLane##n) (ChromaLane) y_frac + (ChromaLane##n) 32) >> (ChromaLane##n) 6; \
      STORE_SAMPLES (n, c.dst, CONVERT_SAMPLE (n) (v)); \
      r0 = r1; \
    } \
  }

DEFINE_CHROMA (2)
DEFINE_CHROMA (4)
DEFINE_CHROMA (8)
#endif

/* Copies width * height samples from (x, y) of a reference with both coordinates clipped; returns where they are. */
static __attribute__ ((noinline)) __global const Sample *
clip_block (const Reference *reference, __global Sample *scratch, int x, int y, int width, int height)
{
  for (int j = 0; j < height; j++) {
    __global const Sample *row = reference->samples + (long) clamp (y + j, 0, reference->height - 1) * reference->stride;
    __global Sample *to = scratch + j * CLIPPED_PITCH;

    for (int i = 0; i < width; i++)
      to[i] = row[clamp (x + i, 0, reference->width - 1)];
  }
  return scratch;
}

/* A rectangle of a plane that is predicted as one */
typedef struct
{
  int x, y, width, height;      /* in samples of the plane; x and y in the picture or, for field macroblocks, in the field */
  __global Sample *samples;     /* its first one in the picture */
  int stride;
} Block;

/* Reads the block with `before` columns (rows) before and `after` behind it, in place or clipped. */
INLINE void
set_source (Copy *copy, const Reference *reference, __global Sample *scratch, int x, int y, int width, int height, int before_x, int after_x, int before_y,
    int after_y)
{
  if (x - before_x >= 0 && y - before_y >= 0 && x + width + after_x <= reference->width && y + height + after_y <= reference->height) {
    copy->src = reference->samples + (long) y * reference->stride + x;
    copy->src_stride = reference->stride;
  } else {
    copy->src = clip_block (reference, scratch, x - before_x, y - before_y, width + before_x + after_x, height + before_y + after_y) + before_y * CLIPPED_PITCH
        + before_x;
    copy->src_stride = CLIPPED_PITCH;
  }
}

INLINE void
interpolate_luma (const Block *block, const Reference *reference, __global const gpu_i16 *mv, int max, __global Sample *scratch, __global Sample *dst, int dst_stride)
{
  int x_frac = mv[0] & 3, y_frac = mv[1] & 3;
  Copy copy = { .dst = dst, .dst_stride = dst_stride, .height = block->height, .max = max };

  set_source (&copy, reference, scratch, block->x + (mv[0] >> 2), block->y + (mv[1] >> 2), block->width, block->height, x_frac ? 2 : 0, x_frac ? 3 : 0,
      y_frac ? 2 : 0, y_frac ? 3 : 0);
  if (block->width == 16)
    luma_16 (copy, x_frac, y_frac);
  else if (block->width == 8)
    luma_8 (copy, x_frac, y_frac);
  else
    luma_4 (copy, x_frac, y_frac);
}

#if HAS_HALVED_CHROMA
INLINE void
interpolate_chroma (const Block *block, const Reference *reference, const Place *place, __global const gpu_i16 *mv, __global Sample *scratch,
    __global Sample *dst, int dst_stride)
{
  int mv_y = chroma_vector_y (place, reference, mv[1]);
  int x_frac = mv[0] & 7, y_frac = mv_y & 7;
  Copy copy = { .dst = dst, .dst_stride = dst_stride, .height = block->height };

  set_source (&copy, reference, scratch, block->x + (mv[0] >> 3), block->y + (mv_y >> 3), block->width, block->height, 0, x_frac ? 1 : 0, 0, y_frac ? 1 : 0);
  if (block->width == 8)
    chroma_8 (copy, x_frac, y_frac);
  else if (block->width == 4)
    chroma_4 (copy, x_frac, y_frac);
  else
    chroma_2 (copy, x_frac, y_frac);
}
#endif

/* Weighted sample prediction (8.4.2.3) of rows of n columns, in place */
#define DEFINE_WEIGHTS(n) \
  INLINE void \
  mean_##n (const Block *block, __global const Sample *second) \
  { \
    for (int y = 0; y < block->height; y++) { \
      __global Sample *p = block->samples + y * block->stride; \
\
      STORE_SAMPLES (n, p, rhadd (LOAD_SAMPLES (n, p), LOAD_SAMPLES (n, second + y * SECOND_PITCH))); \
    } \
  } \
\
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
    int##n round = (int##n) (weights->log2_denom ? 1 << (weights->log2_denom - 1) : 0); \
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
    if (both && weights->is_default) \
      mean_##n (block, second); \
    else if (both) \
      weight_both_##n (block, weights, second, max); \
    else if (!weights->is_default) \
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

INLINE void
interpolate (const InterPicture *inter, const Area *area, const Place *place, const Block *block, __global const GpuPartition *partition,
    __global const GpuInterSlice *slice, uint list, bool like_luma, __global Sample *scratch, __global Sample *dst, int dst_stride)
{
  Reference reference;

  init_reference (&reference, inter, place, partition, slice, list, area->plane);
#if HAS_HALVED_CHROMA
  if (!like_luma) {
    interpolate_chroma (block, &reference, place, partition->mv[list], scratch, dst, dst_stride);
    return;
  }
#endif
  interpolate_luma (block, &reference, partition->mv[list], area->max, scratch, dst, dst_stride);
}

INLINE void
predict_partition (const InterPicture *inter, const Area *area, const Place *place, __global const GpuPartition *partition, bool like_luma,
    __global Sample *scratch)
{
  __global const GpuInterSlice *slice = inter->slices + partition->slice;
  __global Sample *second = scratch + CLIPPED_PITCH * CLIPPED_ROWS;
  bool both = partition->ref_idx[0] >= 0 && partition->ref_idx[1] >= 0;
  uint list = partition->ref_idx[0] >= 0 ? 0 : 1;
  Weights weights;
  Block block;

  init_block (&block, area, place, partition->where, like_luma);
  init_weights (&weights, place, partition, slice, area->plane, both, list);
  interpolate (inter, area, place, &block, partition, slice, list, like_luma, scratch, block.samples, block.stride);
  if (both)
    interpolate (inter, area, place, &block, partition, slice, 1, like_luma, scratch, second, SECOND_PITCH);
  if (both || !weights.is_default)
    weight (&block, &weights, second, both, area->max);
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

INLINE void
add_8x8_blocks (const Area *area)
{
  __global const short *block = area->blocks;

  for (uint blk = 0; blk < 4; blk++) {
    __global Sample *p = area->samples + (int) (blk >> 1) * 8 * area->stride + (blk & 1) * 8;

    if (!(area->coded >> 4 * blk & 1))
      continue;
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

  for (uint blk = 0; blk < n_blks; blk++) {
    uint column = like_luma ? block_column (blk) : blk & 1, row = like_luma ? block_row (blk) : blk >> 1;
    __global Sample *p = area->samples + (int) row * 4 * area->stride + column * 4;
    short16 residual;

    if (!(todo >> blk & 1))
      continue;
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
predict_plane (const InterPicture *inter, const Place *place, uint plane, bool like_luma, __global Sample *scratch)
{
  __global const GpuMb *mb = inter->picture.mbs + place->mb_addr;
  Area area;

  init_inter_area (&area, inter, place, plane);
  for (uint i = 0; i < mb->n_partitions; i++)
    predict_partition (inter, &area, place, inter->partitions + mb->first_motion + i, like_luma, scratch);
  if (area.coded == 0 && !area.dc)
    return;
  if (like_luma && (mb->flags & GPU_MB_TRANSFORM_8x8))
    add_8x8_blocks (&area);
  else
    add_4x4_blocks (&area, like_luma);
}

INLINE void
predict_macroblock (const InterPicture *inter, uint mb_addr, __global Sample *all_scratch)
{
  __global Sample *scratch = all_scratch + get_group_id (0) * SCRATCH_SIZE;
  Place place;

  init_place (&place, inter, mb_addr);
#if HAS_HALVED_CHROMA
  predict_plane (inter, &place, 0, true, scratch);
  for (uint plane = 1; plane < 3; plane++)
    predict_plane (inter, &place, plane, false, scratch);
#else
  for (uint plane = 0; plane < (GPU_CHROMA_ARRAY_TYPE == 3 ? 3 : 1); plane++)
    predict_plane (inter, &place, plane, true, scratch);
#endif
}
