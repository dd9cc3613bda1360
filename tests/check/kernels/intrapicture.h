/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random pictures as records for the tests of intra prediction: every format, slice layout, class and mode; frames, fields and MBAFF
 * frames.
 */
#ifndef INTRA_PICTURE_H
#define INTRA_PICTURE_H

#include "kerneltest.h"

/* What random pictures are made of */
typedef struct
{
  const char *name;
  unsigned chroma_array_type, bit_depth_luma, bit_depth_chroma;
  int hostile;  /* modes whatever neighbours there are, residuals and DC coefficients of any value */
  int lossless; /* TransformBypassModeFlag in half of the macroblocks */
  int field;    /* every second line of a frame */
  /* one of the few that the GPU form is tried with where it is not at home and slow to build: on a CPU, and under oclgrind */
  int in_short;
  int mild; /* what the 2-D scan takes: values so near to grey that nothing is clipped, no Intra_8x8 */
} IntraFormat;

/* A picture in host memory: records, arena, surface before and after */
typedef struct
{
  GstGpuPicture params;
  const IntraFormat *format;
  size_t n_mbs;
  uint8_t *header; /* of which the macroblock records are a section */
  GstGpuLayout layout;
  GstGpuMb *mbs;
  int16_t *arena;
  size_t n_slots;
  int32_t *dc;
  uint8_t *before, *expected, *actual;
  size_t surface_size;
  unsigned sample_size;
  int constrained;   /* constrained_intra_pred_flag: inter neighbours are not available */
  int coded_percent; /* of the blocks */
  int only_class;    /* -1: any */
  int mbaff;         /* an MBAFF frame, pairs of frame and field macroblocks mixed */
} IntraPicture;

/* Fills @picture, whose format, coded_percent, only_class and mbaff are set.  @height_in_mbs: even in MBAFF frames; @contiguous: slices are
 * runs of macroblocks, otherwise they are dealt at random. */
void intra_picture_make (KernelTest *test, IntraPicture *picture, unsigned width_in_mbs, unsigned height_in_mbs, unsigned n_slices,
    int contiguous);
void intra_picture_free (IntraPicture *picture);

/* What gpu_reference_intrapred() makes of it, to picture->expected */
void intra_picture_run_reference (IntraPicture *picture);

/* The picture's buffers on the device */
GpuKernelPicture intra_picture_upload (KernelTest *test, const IntraPicture *picture);
void intra_picture_release (GpuKernelPicture *buffers);

#endif
