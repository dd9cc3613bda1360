/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A picture as the entropy stage hands it over, for measuring the transforms: 4:2:0 of 8 bits, 16-bit levels; made up, or read from a capture.
 *
 * A capture is a file of one or more pictures, each a CaptureHeader followed by header_size and coeffs_size bytes: the header arena and the
 * coefficient arena as gpurecords.h lays them out.  All values little endian.
 */
#ifndef BLOCK_PICTURE_H
#define BLOCK_PICTURE_H

#include <stdio.h>

#include "papers.h"

#define CAPTURE_MAGIC "GPUCAP01"

typedef struct
{
  char magic[8];
  gpu_u32 width_in_mbs, height_in_mbs;
  gpu_u32 chroma_array_type, bit_depth_luma, bit_depth_chroma;
  gpu_u32 mbs_offset, slices_offset, segments_offset; /* bytes, in the header arena */
  gpu_u32 n_segments;
  gpu_u32 first[GPU_N_KINDS + 1]; /* segments of a kind: first[kind] to first[kind + 1] - 1 */
  gpu_u32 header_size, coeffs_size; /* bytes */
} CaptureHeader;

typedef struct
{
  CaptureHeader head;
  uint8_t *header, *coeffs;
  int32_t *dc;       /* results of the DC transforms: made by the C reference */
  int16_t *levels;   /* the whole frame, 384 levels a macroblock, blocks without coefficients too */
  uint8_t *expected; /* coeffs after the C reference */
  int16_t *expected_levels;
  unsigned n_mbs, n_4x4, n_8x8;
  double non_zero; /* samples of coded blocks to all samples */
} BlockPicture;

/* @non_zero: of all blocks, between 0 and 1; half of the macroblocks are of 8x8 luma blocks */
void block_picture_make (Papers *papers, BlockPicture *self, unsigned width_in_mbs, unsigned height_in_mbs, double non_zero);

/* The next picture of a capture; 0 at the end and where the file is damaged or of another format. */
int block_picture_read (BlockPicture *self, FILE *file);

void block_picture_clear (BlockPicture *self);

static inline const GpuMb *
block_picture_mbs (const BlockPicture *self)
{
  return (const GpuMb *) (self->header + self->head.mbs_offset);
}

static inline const GpuSegment *
block_picture_segments (const BlockPicture *self)
{
  return (const GpuSegment *) (self->header + self->head.segments_offset);
}

#endif
