/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A picture as the entropy stage hands it over, for measuring the transforms: 4:2:0 of 8 bits, 16-bit levels; synthetic, or read from a
 * capture.
 */
#ifndef BLOCK_PICTURE_H
#define BLOCK_PICTURE_H

#include <stdio.h>

#include "capture.h"
#include "papers.h"

/* Samples of a macroblock */
#define BLOCK_PICTURE_MB 384

typedef struct
{
  CaptureHeader head;
  uint8_t *header, *coeffs;
  int32_t *dc;       /* results of the DC transforms: made by the C reference */
  uint8_t *expected; /* coeffs after the C reference */
  unsigned n_mbs;
  unsigned type;   /* GST_GPU_SLICE_I where all slices are I, GST_GPU_SLICE_B where one is B */
  double non_zero; /* samples of coded blocks to all samples */

  /* What Wang et al. start from: the blocks of a kind one behind the other, coefficients scaled, DC in its place: [0] 4x4, [1] 8x8 */
  size_t n_blocks[2];
  int16_t *transposed[2]; /* as the arena has them */
  int16_t *scaled[2];     /* row by row */
  int16_t *residual[2];   /* what they are to become */
  int16_t *frame;         /* the scaled blocks at their places, BLOCK_PICTURE_MB a macroblock, those without coefficients too */
  int16_t *frame_residual;
  uint32_t *kinds; /* of a macroblock, as gpu_idct_scaled_frame takes them */
} BlockPicture;

/* @non_zero: of all blocks, between 0 and 1; half of the macroblocks are of 8x8 luma blocks.  Values fit in 16 bits
 * on the way. */
void block_picture_make (Papers *papers, BlockPicture *self, unsigned width_in_mbs, unsigned height_in_mbs, double non_zero);

/* The next picture of a capture; 0 at the end and where the file is damaged or of another format. */
int block_picture_read (BlockPicture *self, FILE *file);

void block_picture_clear (BlockPicture *self);

static inline GstGpuLayout
block_picture_layout (const BlockPicture *self)
{
  return (GstGpuLayout){ .mbs = self->head.mbs_offset, .slices = self->head.slices_offset, .segments = self->head.segments_offset };
}

static inline const GstGpuMb *
block_picture_mbs (const BlockPicture *self)
{
  return (const GstGpuMb *) (self->header + self->head.mbs_offset);
}

static inline const GstGpuSegment *
block_picture_segments (const BlockPicture *self)
{
  return (const GstGpuSegment *) (self->header + self->head.segments_offset);
}

#endif
