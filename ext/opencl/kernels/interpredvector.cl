/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inter prediction of a macroblock by one work-item, in explicit vectors: the form for CPUs (included by interpred.cl).
 *
 * A partition is interpolated from list 0 straight into the picture, from list 1 likewise with the mean of both; or, where weights ask for
 * it, into scratch memory, and weighted then.  Macroblocks side by side that move alike by whole samples are predicted as one
 * (interpredrows.cl).  At last residuals are added.  Every load is of just the columns that are needed, so a block whose margins lie in
 * the picture is read in place; another one is first copied with its coordinates clipped (8.4.2.2.1).
 */

/* Scratch memory of a work-group, in samples: a clipped block with its margins, and the prediction from list 1, plane by plane.  Cb and Cr
 * of 4:2:0 and 4:2:2 stand side by side. */
#define CLIPPED_PITCH 32
#define CLIPPED_ROWS 24
#define SECOND_PITCH 16
#define SECOND_SIZE (SECOND_PITCH * 16)
#define SCRATCH_SIZE (CLIPPED_PITCH * CLIPPED_ROWS + 3 * SECOND_SIZE)

#if GPU_SAMPLE_BYTES == 1
#define SAMPLE_VECTOR(n) uchar##n
#define CONVERT_SAMPLE(n) convert_uchar##n
#else
#define SAMPLE_VECTOR(n) ushort##n
#define CONVERT_SAMPLE(n) convert_ushort##n
#endif

typedef SAMPLE_VECTOR (2) __attribute__ ((aligned (1))) Sample2;
typedef SAMPLE_VECTOR (4) __attribute__ ((aligned (1))) Sample4;
typedef SAMPLE_VECTOR (8) __attribute__ ((aligned (1))) Sample8;
typedef SAMPLE_VECTOR (16) __attribute__ ((aligned (1))) Sample16;

#define LOAD_SAMPLES(n, p) (*(__global const Sample##n *) (p))
#define STORE_SAMPLES(n, p, v) (*(__global Sample##n *) (p) = (v))

/* Means of samples, spelled so that the compiler finds the one instruction for it */
#define MEAN(n, a, b) CONVERT_SAMPLE (n) ((convert_ushort##n (a) + convert_ushort##n (b) + (ushort##n) 1) >> (ushort##n) 1)

#include "prefetchrows.cl"

/* A rectangle of a plane that is predicted as one */
typedef struct
{
  int x, y, width, height;      /* in samples of the plane; x and y in the picture or, for field macroblocks, in the field */
  __global Sample *samples;     /* its first one in the picture */
  int stride;
} Block;

#include "interpredluma.cl"
#if HAS_HALVED_CHROMA
#include "interpredchroma.cl"
#endif
#include "interpredweights.cl"
#include "interpredresidual.cl"

#define N_PLANES (GPU_CHROMA_ARRAY_TYPE == 0 ? 1 : 3)
/* Planes that are interpolated as luma is */
#define N_LIKE_LUMA (HAS_HALVED_CHROMA ? 1 : N_PLANES)

/* Memory of references is asked for by the vector of a macroblock's first partition, so many rows further down: those above have been read
 * for the row of macroblocks above, whose filters reach below it, and vectors differ. */
#define LUMA_ROWS_BELOW 6
#define CHROMA_ROWS_BELOW 3

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

/* Whether the block at (x, y) with `before` columns (rows) before and `after` behind it lies in the picture */
INLINE bool
is_inside (const Reference *reference, int x, int y, int width, int height, int before_x, int after_x, int before_y, int after_y)
{
  return x >= before_x && y >= before_y && x + width + after_x <= reference->width && y + height + after_y <= reference->height;
}

/* The rectangle of a partition in a plane */
INLINE void
init_block (Block *block, const InterPicture *inter, const Place *place, uint where, uint plane)
{
  bool like_luma = !HAS_HALVED_CHROMA || plane == 0;
  int width = like_luma ? 16 : CHROMA_WIDTH, height = like_luma ? 16 : CHROMA_HEIGHT;
  int x = (int) GST_GPU_PARTITION_X (where) * (width / 4), y = (int) GST_GPU_PARTITION_Y (where) * (height / 4);
  Plane in;

  init_plane (&in, inter, place, plane);
  block->x = place->column * width + x;
  block->y = place->row * height + y;
  block->width = (int) GST_GPU_PARTITION_WIDTH (where) * (width / 4);
  block->height = (int) GST_GPU_PARTITION_HEIGHT (where) * (height / 4);
  block->samples = in.samples + (long) block->y * in.stride + block->x;
  block->stride = in.stride;
}

/* A partition, and what its prediction needs */
typedef struct
{
  const InterPicture *inter;
  const Place *place;
  __global const GstGpuPartition *partition;
  __global Sample *scratch;
  Weights weights[N_PLANES];
  bool both, weighted;          /* weighted: not all weights are the default */
} Prediction;

/* Where the prediction from a list goes: straight into the picture, the second one as a mean; or beside it, where weights need both */
typedef struct
{
  ReferencePicture picture;
  uint list;
  bool is_second;
} Source;

INLINE __global Sample *
second_of (const Prediction *p, uint plane)
{
  return p->scratch + CLIPPED_PITCH * CLIPPED_ROWS + plane * SECOND_SIZE;
}

INLINE void
interpolate_luma (const Prediction *p, const Source *source, uint plane)
{
  int mv_x = p->partition->mv[source->list][0], mv_y = p->partition->mv[source->list][1];
  int before_x = mv_x & 3 ? 2 : 0, after_x = mv_x & 3 ? 3 : 0, before_y = mv_y & 3 ? 2 : 0, after_y = mv_y & 3 ? 3 : 0, x, y;
  bool apart = source->is_second && p->weighted && !p->weights[plane].is_default;
  Reference reference;
  Block block;
  Copy copy;

  init_block (&block, p->inter, p->place, p->partition->where, plane);
  init_reference (&reference, &source->picture, p->inter, p->place, plane);
  x = block.x + (mv_x >> 2), y = block.y + (mv_y >> 2);
  copy.dst = apart ? second_of (p, plane) : block.samples;
  copy.dst_stride = apart ? SECOND_PITCH : block.stride;
  copy.height = block.height;
  copy.max = plane == 0 ? (1 << GPU_DEPTH_LUMA) - 1 : (1 << GPU_DEPTH_CHROMA) - 1;
  copy.mean = source->is_second && !apart;
  copy.src = reference.samples + (long) y * reference.stride + x;
  copy.src_stride = reference.stride;
  if (p->partition->where % 16 == 0)
    prefetch_rows (copy.src + LUMA_ROWS_BELOW * reference.stride, reference.stride, (uint) p->place->column, 16, 16, false);
  if (!is_inside (&reference, x, y, block.width, block.height, before_x, after_x, before_y, after_y)) {
    clip_block (&reference, p->scratch, x - before_x, y - before_y, block.width + before_x + after_x, block.height + before_y + after_y);
    copy.src = p->scratch + before_y * CLIPPED_PITCH + before_x;
    copy.src_stride = CLIPPED_PITCH;
  }
  if (block.width == 16)
    luma_16 (&copy, mv_x & 3, mv_y & 3);
  else if (block.width == 8)
    luma_8 (&copy, mv_x & 3, mv_y & 3);
  else
    luma_4 (&copy, mv_x & 3, mv_y & 3);
}

#if HAS_HALVED_CHROMA
/* Where Cb (i is 0) or Cr comes from; mv_y in eighth samples */
INLINE void
set_chroma_source (CopyPair *copy, const Prediction *p, const Block *block, const Reference *reference, int mv_x, int mv_y, uint i)
{
  int x = block->x + (mv_x >> 3), y = block->y + (mv_y >> 3), after_x = mv_x & 7 ? 1 : 0, after_y = mv_y & 7 ? 1 : 0;

  copy->src[i] = reference->samples + (long) y * reference->stride + x;
  copy->src_stride[i] = reference->stride;
  if (p->partition->where % 16 == 0)
    prefetch_rows (copy->src[i] + CHROMA_ROWS_BELOW * reference->stride, reference->stride, (uint) p->place->column, CHROMA_WIDTH,
        CHROMA_HEIGHT, false);
  if (!is_inside (reference, x, y, block->width, block->height, 0, after_x, 0, after_y)) {
    __global Sample *clipped = p->scratch + i * CLIPPED_PITCH / 2;

    clip_block (reference, clipped, x, y, block->width + after_x, block->height + after_y);
    copy->src[i] = clipped;
    copy->src_stride[i] = CLIPPED_PITCH;
  }
}

INLINE void
interpolate_chroma (const Prediction *p, const Source *source)
{
  int mv_x = p->partition->mv[source->list][0];
  int mv_y = chroma_vector_y (p->place, &source->picture, p->partition->mv[source->list][1]);
  bool apart = source->is_second && p->weighted && !(p->weights[1].is_default && p->weights[2].is_default);
  Reference reference;
  Block block;
  CopyPair copy;

  for (uint i = 0; i < 2; i++) {
    init_block (&block, p->inter, p->place, p->partition->where, 1 + i);
    init_reference (&reference, &source->picture, p->inter, p->place, 1 + i);
    copy.dst[i] = apart ? second_of (p, 1) + i * SECOND_PITCH / 2 : block.samples;
    copy.dst_stride[i] = apart ? SECOND_PITCH : block.stride;
    set_chroma_source (&copy, p, &block, &reference, mv_x, mv_y, i);
  }
  copy.height = block.height;
  copy.mean = source->is_second && !apart;
  if (block.width == 8)
    chroma_8 (&copy, mv_x & 7, mv_y & 7);
  else if (block.width == 4)
    chroma_4 (&copy, mv_x & 7, mv_y & 7);
  else
    chroma_2 (&copy, mv_x & 7, mv_y & 7);
}
#endif

INLINE void
weight_plane (const Prediction *p, uint plane, __global const Sample *second)
{
  Block block;

  init_block (&block, p->inter, p->place, p->partition->where, plane);
  weight (&block, &p->weights[plane], second, p->both, plane == 0 ? (1 << GPU_DEPTH_LUMA) - 1 : (1 << GPU_DEPTH_CHROMA) - 1);
}

INLINE void
weight_partition (const Prediction *p)
{
  for (uint plane = 0; plane < N_LIKE_LUMA; plane++)
    if (!p->weights[plane].is_default)
      weight_plane (p, plane, second_of (p, plane));
#if HAS_HALVED_CHROMA
  if (!(p->weights[1].is_default && p->weights[2].is_default)) {
    weight_plane (p, 1, second_of (p, 1));
    weight_plane (p, 2, second_of (p, 1) + SECOND_PITCH / 2);
  }
#endif
}

/* Whether any plane has weights other than the default */
INLINE bool
init_all_weights (Prediction *p, __global const GstGpuInterSlice *slice, uint first)
{
  bool weighted = false;

  if (slice->weighting == GST_GPU_WEIGHT_DEFAULT || (slice->weighting == GST_GPU_WEIGHT_IMPLICIT && !p->both))
    return false;
  for (uint plane = 0; plane < N_PLANES; plane++) {
    init_weights (&p->weights[plane], p->place, p->partition, slice, plane, p->both, first);
    weighted |= !p->weights[plane].is_default;
  }
  return weighted;
}

INLINE void
predict_partition (const InterPicture *inter, const Place *place, __global const GstGpuPartition *partition, __global Sample *scratch)
{
  __global const GstGpuInterSlice *slice = inter->slices + partition->slice;
  uint first = partition->ref_idx[0] >= 0 ? 0 : 1, last = partition->ref_idx[1] >= 0 ? 1 : first;
  Prediction p = { .inter = inter, .place = place, .partition = partition, .scratch = scratch, .both = first != last };

  p.weighted = init_all_weights (&p, slice, first);
  for (uint list = first; list <= last; list++) {
    Source source = { .list = list, .is_second = list != first };

    init_reference_picture (&source.picture, inter, place, partition, slice, list);
    for (uint plane = 0; plane < N_LIKE_LUMA; plane++)
      interpolate_luma (&p, &source, plane);
#if HAS_HALVED_CHROMA
    interpolate_chroma (&p, &source);
#endif
  }
  if (p.weighted)
    weight_partition (&p);
}

#include "interpredrows.cl"

/* What the residuals of a macroblock are made of was written long ago, and not at the places that a processor expects next. */
INLINE void
prefetch_residuals (const InterPicture *inter, uint mb_addr, __global const GstGpuMb *mb)
{
  __global const short *blocks_4x4 = inter->picture.coeffs + (ulong) mb->first_4x4 * 16;
  __global const short *blocks_8x8 = inter->picture.coeffs + (ulong) mb->first_8x8 * 16;

  for (uint plane = 1; plane < N_PLANES; plane++)
    if (mb->dc_coded >> plane & 1)
      PREFETCH (inter->picture.dc + (ulong) mb_addr * 48 + plane * 16);
  for (uint line = 0; line < 4; line++) {
    PREFETCH (blocks_4x4 + line * 32);
    if (mb->flags & GST_GPU_MB_TRANSFORM_8x8)
      PREFETCH (blocks_8x8 + line * 32);
  }
}

INLINE bool
has_residual (__global const GstGpuMb *mb)
{
  return (mb->coded[0] | mb->coded[1] | mb->coded[2] | mb->dc_coded) != 0;
}

INLINE void
add_residuals (const InterPicture *inter, const Place *place)
{
  for (uint plane = 0; plane < N_PLANES; plane++) {
    Area area;

    init_area (&area, &inter->picture, place, plane);
    add_residual (&area, plane < N_LIKE_LUMA);
  }
}

INLINE void
predict_macroblock (const InterPicture *inter, const MbWalk *walk, __global Sample *scratch)
{
  __global const GstGpuMb *mb = inter->picture.mbs + walk->mb_addr;
  Place place;

  if (has_residual (mb))
    prefetch_residuals (inter, walk->mb_addr, mb);
  place_on_walk (&place, walk, inter->picture.mbs, inter->field_pic, inter->mbaff);
  for (uint plane = 0; plane < N_PLANES; plane++) {
    Block whole;

    init_block (&whole, inter, &place, GST_GPU_PARTITION (walk->mb_addr, 0, 0, 4, 4), plane);
    prefetch_rows (whole.samples, whole.stride, (uint) place.column, (uint) whole.width, (uint) whole.height, true);
  }
  for (uint i = 0; i < mb->n_partitions; i++)
    predict_partition (inter, &place, inter->partitions + mb->first_motion + i, scratch);
  if (has_residual (mb))
    add_residuals (inter, &place);
}

/* Macroblocks side by side with the same motion of whole samples, from that of the walk on: 1 where there is no such run.  n_most: those
 * that are left of the row */
INLINE uint
run_length (const InterPicture *inter, const MbWalk *walk, uint n_most)
{
  __global const GstGpuMb *mb = inter->picture.mbs + walk->mb_addr;
  __global const GstGpuPartition *motion = inter->partitions + mb->first_motion;
  uint n = 1;

  if (mb->n_partitions != 1 || inter->mbaff || !is_whole (motion))
    return 1;
  for (; n < n_most && mb[n].mb_class == GST_GPU_MB_INTER && mb[n].n_partitions == 1; n++)
    if (!is_same_motion (motion, inter->partitions + mb[n].first_motion))
      break;
  return n;
}

/* All in one; FALSE: nothing is done, since not all of what it is predicted from is in the picture. */
static __attribute__ ((noinline)) bool
predict_run (const InterPicture *inter, const MbWalk *walk, uint n_mbs)
{
  __global const GstGpuMb *mb = inter->picture.mbs + walk->mb_addr;
  __global const GstGpuPartition *partition = inter->partitions + mb->first_motion;
  Place place;

  for (uint i = 0; i < n_mbs; i++)
    if (has_residual (mb + i))
      prefetch_residuals (inter, walk->mb_addr + i, mb + i);
  place_on_walk (&place, walk, inter->picture.mbs, inter->field_pic, inter->mbaff);
  if (!predict_rows (inter, &place, partition, n_mbs))
    return false;
  for (uint i = 0; i < n_mbs; i++, place.mb_addr++, place.column++)
    if (has_residual (mb + i))
      add_residuals (inter, &place);
  return true;
}

/* Predicts the inter macroblocks from mb_addr up to end. */
INLINE void
predict_part (const InterPicture *inter, uint mb_addr, uint end, __global Sample *scratch)
{
  uint width = inter->picture.width_in_mbs;
  MbWalk walk;

  begin_walk (&walk, mb_addr, width, inter->mbaff);
  while (walk.mb_addr < end) {
    bool is_inter = inter->picture.mbs[walk.mb_addr].mb_class == GST_GPU_MB_INTER;
    uint n = is_inter ? run_length (inter, &walk, min (end - walk.mb_addr, width - walk.x)) : 1;
    bool done = n > 1 && predict_run (inter, &walk, n);

    for (; n > 0; n--) {
      if (is_inter && !done)
        predict_macroblock (inter, &walk, scratch);
      step_walk (&walk, width, inter->mbaff);
    }
  }
}
