/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Boundary filtering strengths (ITU-T H.264, 8.7.2.1) in pictures with inter macroblocks, from what inter prediction has on the device
 * anyway: partitions, what they refer to, and which blocks have coefficients.  Nothing depends on another macroblock's strengths.
 *
 * Here is what the forms for CPUs (boundaryvector.cl) and for GPUs (boundaryitems.cl) share.
 */

/* The records that they follow from */
typedef struct
{
  __global const GstGpuMb *mbs;
  __global const GstGpuPartition *partitions;
  __global const GstGpuInterSlice *slices;
  uint width_in_mbs, mbaff;
} Records;

INLINE bool
is_inter (__global const GstGpuMb *mb)
{
  return mb->mb_class == GST_GPU_MB_INTER;
}

INLINE bool
is_field (__global const GstGpuMb *mb)
{
  return mb->flags & GST_GPU_MB_FIELD;
}

/* From where on vectors are a sample apart, vertically: in fields in their lines */
INLINE int
vertical_limit (__global const GstGpuMb *mb)
{
  return is_field (mb) ? 2 : 4;
}

/* What refIdxLX of a list refers to, by numbers that are equal where pictures are; 255 where the list is not used.  @parity: of a field
 * macroblock of an MBAFF frame, whose refIdxLX means the fields of a frame in turns, that of the same parity first (8.4.2.1); -1: of
 * others.  Without a branch: nothing foretells which lists are used. */
INLINE uint
reference_picture (__global const GstGpuInterSlice *slice, int list, int ref_idx, int parity)
{
  uint number = slice->reference[list][(parity < 0 ? ref_idx : ref_idx >> 1) & 31];

  if (parity >= 0)
    number = (number & GST_GPU_REFERENCE_SURFACE) | GST_GPU_REFERENCE_TOP << (parity ^ (ref_idx & 1));
  return ref_idx < 0 ? 255 : number;
}

/* Both of a partition, that of list 0 in the lower byte */
INLINE uint
reference_pictures (__global const GstGpuInterSlice *slice, __global const GstGpuPartition *partition, int parity)
{
  return reference_picture (slice, 0, partition->ref_idx[0], parity) | reference_picture (slice, 1, partition->ref_idx[1], parity) << 8;
}

/* For reference_picture() */
INLINE int
parity_of (const Records *records, __global const GstGpuMb *mb)
{
  return records->mbaff && is_field (mb) ? (int) ((mb - records->mbs) & 1) : -1;
}

/* Bits of luma4x4BlkIdx (6.4.3) as bits y * 4 + x: in each half the second two are the row below */
INLINE uint
raster_bits (uint bits)
{
  uint swapped = (bits ^ bits >> 2) & 0x0c0c;

  return bits ^ swapped ^ swapped << 2;
}

/* Blocks with coefficients */
INLINE uint
coded_blocks (__global const GstGpuMb *mb)
{
  return raster_bits (mb->nonzero);
}

/* bS of block @p of one macroblock and block @q of another one where one is a frame and the other a field macroblock: motion is not looked
 * at (mixedModeEdgeFlag).  @of_intra: bS beside an intra macroblock */
INLINE uint
mixed_strength (__global const GstGpuMb *p_mb, uint p, __global const GstGpuMb *q_mb, uint q, uint of_intra)
{
  if (!is_inter (p_mb) || !is_inter (q_mb))
    return of_intra;
  return ((coded_blocks (p_mb) >> p | coded_blocks (q_mb) >> q) & 1) + 1;
}

/* The left edge between a frame and a field macroblock pair: eight values, whose rows GstGpuBoundary tells.  @left: the upper macroblock of
 * the left pair */
INLINE uint
mixed_left_strengths (__global const GstGpuMb *left, __global const GstGpuMb *mb, uint lower)
{
  uint word = 0;

  for (uint k = 0; k < 8; k++) {
    uint p_lower = is_field (mb) ? k / 4 : k % 2, p_row = is_field (mb) ? k % 4 : 2 * lower + k / 4;

    word |= mixed_strength (left + p_lower, 4 * p_row + 3, mb, k / 2 * 4, 4) << 4 * k;
  }
  return word;
}

/* The top edge of a frame macroblock that is filtered once for each field of the pair above; @above: its upper macroblock */
INLINE uint
top_in_fields_strengths (__global const GstGpuMb *above, __global const GstGpuMb *mb)
{
  uint word = 0;

  for (uint k = 0; k < 8; k++)
    word |= mixed_strength (above + k / 4, 12 + k % 4, mb, k % 4, 3) << 4 * k;
  return word;
}

/* The macroblocks beyond the outer edges of a macroblock, and what kinds of edges those are.  Of an edge in fields and of a mixed left edge
 * they are the upper ones of their pairs. */
typedef struct
{
  __global const GstGpuMb *left, *above;
  bool mixed_left, top_in_fields;
} Neighbours;

INLINE void
find_neighbours (Neighbours *self, const Records *records, uint mb_addr)
{
  __global const GstGpuMb *mb = records->mbs + mb_addr;

  self->mixed_left = self->top_in_fields = false;
  if (records->mbaff) {
    MbaffNeighbours pairs;

    find_mbaff_neighbours (&pairs, mb, mb_addr, records->width_in_mbs);
    self->mixed_left = pairs.mixed_left;
    self->top_in_fields = pairs.top_in_fields;
    self->left = pairs.mixed_left ? pairs.left_pair : pairs.left_pair + (mb_addr & 1);
    self->above = pairs.top_in_fields ? pairs.pair_above : pairs.above;
  } else {
    self->left = mb_left (mb);
    self->above = mb_above (mb, records->width_in_mbs);
  }
}

/* bS of a top edge beside an intra macroblock */
INLINE uint
top_of_intra (__global const GstGpuMb *above, __global const GstGpuMb *mb)
{
  return is_field (above) || is_field (mb) ? 3 : 4;
}

#ifdef GPU_CPU
#include "boundaryvector.cl"
#else
#include "boundaryitems.cl"
#endif

INLINE void
init_records (Records *records, __global const uchar *header, ulong mbs_offset, ulong partitions_offset, ulong inter_slices_offset,
    uint width_in_mbs, uint mbaff)
{
  records->mbs = (__global const GstGpuMb *) (header + mbs_offset);
  records->partitions = (__global const GstGpuPartition *) (header + partitions_offset);
  records->slices = (__global const GstGpuInterSlice *) (header + inter_slices_offset);
  records->width_in_mbs = width_in_mbs;
  records->mbaff = mbaff;
}

/* Derives the strengths of a picture that is no MBAFF frame.
 * header, mbs_offset, partitions_offset, inter_slices_offset: the records at these bytes
 * width_in_mbs: as in GstGpuPicture
 * boundaries: one a macroblock, by mbAddr
 * Global size: CPU: rows of macroblocks; GPU: 8 a macroblock */
__kernel BOUNDARY_GROUP void
gpu_boundary (__global const uchar *header, ulong mbs_offset, ulong partitions_offset, ulong inter_slices_offset, uint width_in_mbs,
    __global GstGpuBoundary *boundaries)
{
  Records records;

  init_records (&records, header, mbs_offset, partitions_offset, inter_slices_offset, width_in_mbs, 0);
  derive_boundaries (&records, boundaries);
}

/* The same of an MBAFF frame; CPU: rows of pairs */
__kernel BOUNDARY_GROUP void
gpu_boundary_mbaff (__global const uchar *header, ulong mbs_offset, ulong partitions_offset, ulong inter_slices_offset, uint width_in_mbs,
    __global GstGpuBoundary *boundaries)
{
  Records records;

  init_records (&records, header, mbs_offset, partitions_offset, inter_slices_offset, width_in_mbs, 1);
  derive_boundaries (&records, boundaries);
}
