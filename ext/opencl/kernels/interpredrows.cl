/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inter prediction of macroblocks side by side that have the same motion, of whole samples: rows that are copied, or the mean or a weighted
 * sum of two (included by interpredvector.cl).  Where nothing moves that is most of a picture.  A cache line of columns at a time.
 */

/* Where a plane of them goes to and comes from: from one list, or from both */
typedef struct
{
  __global Sample *dst;
  long dst_stride;
  __global const Sample *src[2];
  long src_stride;              /* the same for both lists, since it is all frames or all fields */
  uint n_sources;
  Weights weights;
  int max;
  int x;                        /* its column */
  int width, height;            /* a multiple of 8 columns */
} Rows;

INLINE bool
is_same_motion (__global const GstGpuPartition *a, __global const GstGpuPartition *b)
{
  return *(__global const uint *) a->mv[0] == *(__global const uint *) b->mv[0]
      && *(__global const uint *) a->mv[1] == *(__global const uint *) b->mv[1] && a->ref_idx[0] == b->ref_idx[0]
      && a->ref_idx[1] == b->ref_idx[1] && a->slice == b->slice;
}

/* No fraction in luma, nor in chroma of half its width and height */
INLINE bool
is_whole (__global const GstGpuPartition *motion)
{
  int all = 0;

  for (uint list = 0; list < 2; list++)
    if (motion->ref_idx[list] >= 0)
      all |= motion->mv[list][0] | motion->mv[list][1];
  return (all & (HAS_HALVED_CHROMA ? 7 : 3)) == 0;
}

/* FALSE: not all of it is whole samples in the picture */
INLINE bool
init_rows (Rows *rows, const InterPicture *inter, const Place *place, __global const GstGpuPartition *partition, uint n_mbs, uint plane)
{
  __global const GstGpuInterSlice *slice = inter->slices + partition->slice;
  bool like_luma = !HAS_HALVED_CHROMA || plane == 0;
  int shift = like_luma ? 2 : 3;
  Block block;

  init_block (&block, inter, place, partition->where, plane);
  rows->dst = block.samples;
  rows->dst_stride = block.stride;
  rows->x = block.x;
  rows->width = block.width * (int) n_mbs;
  rows->height = block.height;
  rows->n_sources = 0;
  for (uint list = 0; list < 2; list++) {
    int mv_y = partition->mv[list][1], x, y;
    ReferencePicture picture;
    Reference reference;

    if (partition->ref_idx[list] < 0)
      continue;
    init_reference_picture (&picture, inter, place, partition, slice, list);
    init_reference (&reference, &picture, inter, place, plane);
    if (!like_luma)
      mv_y = chroma_vector_y (place, &picture, mv_y);
    x = block.x + (partition->mv[list][0] >> shift), y = block.y + (mv_y >> shift);
    if ((mv_y & ((1 << shift) - 1)) || !is_inside (&reference, x, y, rows->width, rows->height, 0, 0, 0, 0))
      return false;
    rows->src[rows->n_sources++] = reference.samples + (long) y * reference.stride + x;
    rows->src_stride = reference.stride;
  }
  return true;
}

/* What stands at `at` of rows r: of one list, the mean of both */
#define COPIED(n, r, at) LOAD_SAMPLES (n, (r)->src[0] + (at))
#define BOTH(n, r, at) MEAN (n, LOAD_SAMPLES (n, (r)->src[0] + (at)), LOAD_SAMPLES (n, (r)->src[1] + (at)))

/* Weighted sample prediction (8.4.2.3) in lanes of 32 bits, of both lists, or of one whose sample stands for both with w[1] 0 */
#define WEIGHTED(n, r, at) \
    CONVERT_SAMPLE (n) (clamp (((convert_int##n (LOAD_SAMPLES (n, (r)->src[0] + (at))) * (int##n) ((r)->weights.w[0]) \
                                    + convert_int##n (LOAD_SAMPLES (n, (r)->src[1] + (at))) * (int##n) ((r)->weights.w[1]) \
                                    + (int##n) (1 << (r)->weights.log2_denom)) >> (int##n) ((int) (r)->weights.log2_denom + 1)) \
            + (int##n) ((r)->weights.offset), (int##n) 0, (int##n) ((r)->max)))

/* The same with implicit weights: -64 to 128, their sum 64, so for bytes the sum fits 16 bits */
#define IMPLICIT(n, r, at) \
    CONVERT_SAMPLE (n) (clamp ((convert_short##n (LOAD_SAMPLES (n, (r)->src[0] + (at))) * (short##n) ((short) (r)->weights.w[0]) \
                                   + convert_short##n (LOAD_SAMPLES (n, (r)->src[1] + (at))) * (short##n) ((short) (r)->weights.w[1]) \
                                   + (short##n) 32) >> (short##n) 6, (short##n) 0, (short##n) 255))

INLINE void
prefetch_at (const Rows *r, long at, long dst_at, uint n_sources)
{
  PREFETCH_WRITE (r->dst + dst_at);
  for (uint i = 0; i < n_sources; i++)
    PREFETCH (r->src[i] + at);
}

/* Of `width` columns, less than a cache line: asks for their share of the rows */
INLINE void
prefetch_share (const Rows *r, int x, uint width, uint n_sources)
{
  uint column = (uint) (r->x + x) / width;

  prefetch_rows (r->dst + x, r->dst_stride, column, width, (uint) r->height, true);
  for (uint i = 0; i < n_sources; i++)
    prefetch_rows (r->src[i] + x, r->src_stride, column, width, (uint) r->height, false);
}

/* The rows, from n_sources lists; what: what is stored of n samples */
#define DEFINE_ROWS(name, n_sources, what) \
  static __attribute__ ((noinline)) void \
  name (const Rows *rows) \
  { \
    const Rows r = *rows; \
    int x = 0; \
\
    for (; x + LINE_SAMPLES <= r.width; x += LINE_SAMPLES) { \
      long at = x, to = x; \
\
      for (int y = 0; y < r.height; y++, at += r.src_stride, to += r.dst_stride) { \
        prefetch_at (&r, at + LINES_AHEAD * LINE_SAMPLES, to + LINES_AHEAD * LINE_SAMPLES, n_sources); \
        for (int i = 0; i < LINE_SAMPLES; i += 16) \
          STORE_SAMPLES (16, r.dst + to + i, what (16, &r, at + i)); \
      } \
    } \
    for (; x + 16 <= r.width; x += 16) { \
      prefetch_share (&r, x, 16, n_sources); \
      for (int y = 0; y < r.height; y++) \
        STORE_SAMPLES (16, r.dst + y * r.dst_stride + x, what (16, &r, y * r.src_stride + x)); \
    } \
    if (x == r.width) \
      return; \
    prefetch_share (&r, x, 8, n_sources); \
    for (int y = 0; y < r.height; y++) \
      STORE_SAMPLES (8, r.dst + y * r.dst_stride + x, what (8, &r, y * r.src_stride + x)); \
  }

DEFINE_ROWS (copy_rows, 1, COPIED)
DEFINE_ROWS (mean_rows, 2, BOTH)
DEFINE_ROWS (weighted_rows, 2, WEIGHTED)
#if GPU_SAMPLE_BYTES == 1
DEFINE_ROWS (implicit_rows, 2, IMPLICIT)
#endif

/* One list is as two, of which the second counts nothing. */
INLINE void
weight_rows (Rows *rows)
{
  if (rows->n_sources == 1) {
    rows->src[1] = rows->src[0];
    rows->weights.w[0] *= 2;
    rows->weights.w[1] = 0;
  }
  weighted_rows (rows);
}

INLINE void
predict_plane (Rows *rows, bool is_implicit)
{
  if (rows->weights.is_default && rows->n_sources == 1)
    copy_rows (rows);
  else if (rows->weights.is_default)
    mean_rows (rows);
#if GPU_SAMPLE_BYTES == 1
  else if (is_implicit)
    implicit_rows (rows);
#endif
  else
    weight_rows (rows);
}

/* FALSE: nothing is done, since not all of what it is predicted from is whole samples in the picture. */
INLINE bool
predict_rows (const InterPicture *inter, const Place *place, __global const GstGpuPartition *partition, uint n_mbs)
{
  __global const GstGpuInterSlice *slice = inter->slices + partition->slice;
  bool both = partition->ref_idx[0] >= 0 && partition->ref_idx[1] >= 0;
  uint first = partition->ref_idx[0] >= 0 ? 0 : 1;
  Rows rows[N_PLANES];

  for (uint plane = 0; plane < N_PLANES; plane++) {
    if (!init_rows (&rows[plane], inter, place, partition, n_mbs, plane))
      return false;
    init_weights (&rows[plane].weights, place, partition, slice, plane, both, first);
    rows[plane].max = plane == 0 ? (1 << GPU_DEPTH_LUMA) - 1 : (1 << GPU_DEPTH_CHROMA) - 1;
  }
  for (uint plane = 0; plane < N_PLANES; plane++)
    predict_plane (&rows[plane], slice->weighting == GST_GPU_WEIGHT_IMPLICIT);
  return true;
}
