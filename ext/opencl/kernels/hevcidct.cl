/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inverse transforms of H.265 pictures (ITU-T H.265, 8.6.2, 8.6.4): block lists of scaled coefficients to residuals, in place.
 *
 * A launch covers the segments of one kind, one row of work-groups each: get_group_id (1) is the segment, the work-items of the row share
 * its blocks.  A kernel a kind: gpu_hevc_idct_dst4x4, _4x4, _8x8, _16x16, _32x32, and _skip4x4 (transform_skip_flag).
 *
 * Build option GPU_CPU: rows of one work-item, which takes four 4x4, two 8x8, or one block in vectors.  Without it: work-groups of
 * GPU_GROUP_SIZE work-items, each a line of a block.
 *
 * No sum leaves 32 bits: 32 products of 16 and 7 bits.  Residuals are clipped to 16 bits, which no sample shows (8.6.6 clips to bitDepth).
 */
#include "gpurecords.h"
#include "hevcmatrix.cl"

#define HEVC_INVERSE
#define SLOT_SIZE 32

/* Shift of the first dimension (8.6.4.2) */
#define FIRST_SHIFT 7

/* A segment and its arrays */
typedef struct
{
  uint count;
  __global const uint *positions;
  __global short *data;
  uint2 bit_depth; /* luma, chroma */
} List;

INLINE void
list_init (List *list, __global const uchar *header, uint segments_offset, uint first_segment, uint2 bit_depth, __global uchar *coeffs)
{
  __global const GstGpuSegment *segment = (__global const GstGpuSegment *) (header + segments_offset) + first_segment + get_group_id (1);

  list->count = segment->count;
  list->positions = (__global const uint *) coeffs + segment->positions;
  list->data = (__global short *) (coeffs + (size_t) segment->coeffs * SLOT_SIZE);
  list->bit_depth = bit_depth;
}

/* bdShift of block @n (8.6.2): shift of the second dimension */
INLINE int
second_shift (const List *list, uint n)
{
  return 20 - (int) (GST_GPU_HEVC_POSITION_PLANE (list->positions[n]) == 0 ? list->bit_depth.x : list->bit_depth.y);
}

/* header, offsets in it in bytes; first_segment: that of row 0 of the work-groups; bit_depth: BitDepthY and BitDepthC; coeffs: the
 * coefficient arena */
#define KERNEL_ARGUMENTS                                                                                                            \
  __global const uchar *header, uint segments_offset, uint first_segment, uint2 bit_depth, __global uchar *coeffs

/* 8.6.4.2 is left out: r = d << 7, then bdShift as always (8.6.2) */
__kernel void
gpu_hevc_idct_skip4x4 (KERNEL_ARGUMENTS)
{
  List list;

  list_init (&list, header, segments_offset, first_segment, bit_depth, coeffs);
  for (uint n = get_global_id (0); n < list.count; n += get_global_size (0)) {
    __global short16 *block = (__global short16 *) list.data + n;
    int shift = second_shift (&list, n);

    *block = convert_short16_sat (((convert_int16 (*block) << 7) + (1 << shift >> 1)) >> shift);
  }
}

#define N 4
#define HEVC_DST
#define HEVC_NAME(name) name##_dst4x4
#include "hevcblocks.cl"
#include "hevclist.cl"
#undef HEVC_DST
#define HEVC_NAME(name) name##_4x4
#include "hevcblocks.cl"
#include "hevclist.cl"
#undef N

#define N 8
#define HEVC_NAME(name) name##_8x8
#include "hevcblocks.cl"
#include "hevclist.cl"
#undef N

#define N 16
#define HEVC_NAME(name) name##_16x16
#include "hevcblocks.cl"
#include "hevclist.cl"
#undef N

#define N 32
#define HEVC_NAME(name) name##_32x32
#include "hevcblocks.cl"
#include "hevclist.cl"
#undef N
