/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inter prediction (8.4.2), residual and picture construction (8.5.14).  Here: what a partition is predicted from, and the kernel.  How
 * samples are interpolated and weighted is in interpredvector.cl (CPU: a work-item a macroblock, explicit vectors) and interpreditems.cl
 * (GPU: a work-group a macroblock and plane, so that all its work-items compute the same kind of fraction).  Macroblocks do not depend on
 * each other.
 *
 * Build options:
 *   GPU_CPU              the form with explicit vectors, work-groups of 1; else work-groups of GPU_GROUP_SIZE
 *   GPU_BUILTIN_PREFETCH the CPU form may use __builtin_prefetch ()
 *   GPU_SAMPLE_BYTES     1 or 2
 *   GPU_DEPTH_LUMA, GPU_DEPTH_CHROMA
 *   GPU_CHROMA_ARRAY_TYPE
 */
#include "area.cl"

#define HAS_HALVED_CHROMA (GPU_CHROMA_ARRAY_TYPE == 1 || GPU_CHROMA_ARRAY_TYPE == 2)

typedef struct
{
  Picture picture;
  uint field_pic, mbaff;        /* of GstGpuPicture */
  __global const GstGpuPartition *partitions;
  __global const GstGpuInterSlice *slices;
  __global const Sample *references[GST_GPU_MAX_REFERENCES];
} InterPicture;

/* A reference picture, a frame or a field (8.4.2.1) */
typedef struct
{
  __global const Sample *surface;
  int parity;                   /* as in Place */
} ReferencePicture;

/* A plane of it */
typedef struct
{
  __global const Sample *samples;
  int stride;                   /* samples */
  int width, height;
} Reference;

/* Weights of a partition in a plane (8.4.2.3): of both lists ((p0 * w[0] + p1 * w[1] + 2^log2_denom) >> (log2_denom + 1)) + offset, of one
 * list ((p * w[0] + 2^(log2_denom - 1)) >> log2_denom) + offset */
typedef struct
{
  bool is_default;              /* the mean of both, or the one */
  int w[2], offset;
  uint log2_denom;
} Weights;

/* A plane of the picture, or of the field of a field macroblock of an MBAFF frame */
typedef struct
{
  __global Sample *samples;
  int stride;
} Plane;

INLINE void
init_plane (Plane *self, const InterPicture *inter, const Place *place, uint plane)
{
  uint stride = inter->picture.plane_stride[plane];

  self->samples = inter->picture.surface + inter->picture.plane_offset[plane] + (place->mbaff_field && place->parity ? stride : 0);
  self->stride = (int) (place->mbaff_field ? stride * 2 : stride);
}

/* refIdxLXWP (8.4.2.3): index of a table of frames in frames, of fields in fields */
INLINE uint
table_index (const Place *place, __global const GstGpuPartition *partition, uint list)
{
  uint ref_idx = (uint) partition->ref_idx[list];

  return (place->mbaff_field ? ref_idx >> 1 : ref_idx) & 31;
}

/* Reference picture selection (8.4.2.1) */
INLINE void
init_reference_picture (ReferencePicture *reference, const InterPicture *inter, const Place *place,
    __global const GstGpuPartition *partition, __global const GstGpuInterSlice *slice, uint list)
{
  uint number = slice->reference[list][table_index (place, partition, list)], surface = number & GST_GPU_REFERENCE_SURFACE;

  reference->surface = inter->references[surface < GST_GPU_MAX_REFERENCES ? surface : 0];
  reference->parity = number & GST_GPU_REFERENCE_BOTTOM ? 1 : number & GST_GPU_REFERENCE_TOP ? 0 : -1;
  if (place->mbaff_field)
    reference->parity = place->parity ^ (partition->ref_idx[list] & 1);
}

INLINE void
init_reference (Reference *plane_reference, const ReferencePicture *reference, const InterPicture *inter, const Place *place, uint plane)
{
  bool like_luma = !HAS_HALVED_CHROMA || plane == 0;
  uint stride = inter->picture.plane_stride[plane], offset = inter->picture.plane_offset[plane];

  if (inter->field_pic) {
    stride /= 2;
    offset -= inter->field_pic == 2 ? stride : 0;
  }
  if (reference->parity >= 0) {
    offset += reference->parity ? stride : 0;
    stride *= 2;
  }
  plane_reference->samples = reference->surface + offset;
  plane_reference->stride = (int) stride;
  plane_reference->width = (int) inter->picture.width_in_mbs * (like_luma ? 16 : CHROMA_WIDTH);
  plane_reference->height = (int) inter->picture.height_in_mbs * (like_luma ? 16 : CHROMA_HEIGHT) / (place->mbaff_field ? 2 : 1);
}

/* Vertical chroma vector in eighth samples (8.4.1.4, Table 8-9: 4:2:0 between fields of different parity) */
INLINE int
chroma_vector_y (const Place *place, const ReferencePicture *reference, int mv_y)
{
  if (GPU_CHROMA_ARRAY_TYPE == 2)
    return 2 * mv_y;
  if (place->parity < 0 || reference->parity < 0 || place->parity == reference->parity)
    return mv_y;
  return mv_y + (reference->parity ? -2 : 2);
}

INLINE void
init_explicit_weights (Weights *weights, const Place *place, __global const GstGpuPartition *partition,
    __global const GstGpuInterSlice *slice, uint plane, bool both, uint list)
{
  uint first = table_index (place, partition, list), second = table_index (place, partition, 1);

  weights->log2_denom = (plane ? slice->chroma_log2_weight_denom : slice->luma_log2_weight_denom) & 7;
  weights->w[0] = slice->weight[list][first][plane];
  weights->w[1] = both ? slice->weight[1][second][plane] : 0;
  weights->offset = slice->offset[list][first][plane];
  if (both)
    weights->offset = (weights->offset + slice->offset[1][second][plane] + 1) >> 1;
  /* what says nothing else is the default */
  weights->is_default = weights->w[0] == 1 << weights->log2_denom && (!both || weights->w[1] == weights->w[0]) && weights->offset == 0;
}

/* both: list is 0, and list 1 is used too; else list alone is */
INLINE void
init_weights (Weights *weights, const Place *place, __global const GstGpuPartition *partition, __global const GstGpuInterSlice *slice,
    uint plane, bool both, uint list)
{
  weights->is_default = true;
  if (slice->weighting == GST_GPU_WEIGHT_EXPLICIT) {
    init_explicit_weights (weights, place, partition, slice, plane, both, list);
  } else if (slice->weighting == GST_GPU_WEIGHT_IMPLICIT && both) {
    uint kind = place->mbaff_field ? 1 + (uint) place->parity : 0;

    weights->w[1] = slice->implicit_weight[kind][partition->ref_idx[0] & 31][partition->ref_idx[1] & 31] + GST_GPU_IMPLICIT_WEIGHT_BIAS;
    weights->w[0] = 64 - weights->w[1];
    weights->offset = 0;
    weights->log2_denom = 5;
    weights->is_default = weights->w[1] == 32;
  }
}

#ifdef GPU_CPU
#define GROUP_ATTRIBUTE __attribute__ ((reqd_work_group_size (1, 1, 1)))
#include "interpredvector.cl"
#else
#define GROUP_ATTRIBUTE __attribute__ ((reqd_work_group_size (GPU_GROUP_SIZE, 1, 1)))
#include "interpreditems.cl"
#endif

/* Predicts the inter macroblocks of a picture and adds their residuals; intra macroblocks are left alone.
 * header, mbs_offset, partitions_offset, slices_offset: the records, GstGpuMb[], GstGpuPartition[] and GstGpuInterSlice[] at those bytes
 * coeffs: the coefficient arena after the inverse transforms
 * dc: int[48] a macroblock
 * surface: samples
 * scratch: of the CPU form: SCRATCH_SIZE samples a work-group
 * r0 to r16: the reference surfaces by number; any of the same size where there is none
 * Work-group g of n: part g of as many equal parts of the macroblocks; in the GPU form get_group_id (1) is the plane. */
__kernel GROUP_ATTRIBUTE void
gpu_interpred (GstGpuPicture params, __global const uchar *header, ulong mbs_offset, ulong partitions_offset, ulong slices_offset,
    __global const short *coeffs, __global const int *dc, __global Sample *surface, __global Sample *scratch,
    __global const Sample *r0, __global const Sample *r1, __global const Sample *r2, __global const Sample *r3, __global const Sample *r4,
    __global const Sample *r5, __global const Sample *r6, __global const Sample *r7, __global const Sample *r8, __global const Sample *r9,
    __global const Sample *r10, __global const Sample *r11, __global const Sample *r12, __global const Sample *r13,
    __global const Sample *r14,
    __global const Sample *r15, __global const Sample *r16)
{
#ifndef GPU_CPU
  __local Scratch local_scratch;
#endif
  InterPicture inter = { .references = { r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16 } };
  ulong n_mbs = params.width_in_mbs * params.height_in_mbs;
  uint end = (uint) (n_mbs * (get_group_id (0) + 1) / get_num_groups (0));

  init_picture (&inter.picture, &params, (__global const GstGpuMb *) (header + mbs_offset), coeffs, dc, surface);
  inter.field_pic = params.field_pic;
  inter.mbaff = params.mbaff;
  inter.partitions = (__global const GstGpuPartition *) (header + partitions_offset);
  inter.slices = (__global const GstGpuInterSlice *) (header + slices_offset);
#ifdef GPU_CPU
  predict_part (&inter, (uint) (n_mbs * get_group_id (0) / get_num_groups (0)), end, scratch + get_group_id (0) * SCRATCH_SIZE);
#else
  for (uint mb_addr = (uint) (n_mbs * get_group_id (0) / get_num_groups (0)); mb_addr < end; mb_addr++)
    if (inter.picture.mbs[mb_addr].mb_class == GST_GPU_MB_INTER)
      predict_macroblock (&inter, mb_addr, &local_scratch);
#endif
}
