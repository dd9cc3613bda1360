/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random pictures of transform blocks, for the tests of inverse transforms.
 */
#ifndef IDCT_PICTURE_H
#define IDCT_PICTURE_H

#include "idctkernel.h"
#include "kerneltest.h"

typedef struct
{
  const char *name;
  unsigned chroma_array_type, n_planes, bit_depth_luma, bit_depth_chroma;
} IdctFormat;

/* What the macroblocks of a picture are like */
typedef enum
{
  CONTENT_MIXED,     /* everything that the format allows */
  CONTENT_8x8,       /* luma 8x8 only: for measuring */
  CONTENT_4x4,       /* luma 4x4 only */
  CONTENT_DC4x4,     /* Intra16x16 without AC */
  CONTENT_CHROMA_DC, /* chroma without AC */
  CONTENT_INTRA_8x8, /* all luma 8x8 blocks, all chroma blocks and their DC groups */
} IdctContent;

/* A picture as the entropy stage hands it over */
typedef struct
{
  GstGpuPicture params;
  unsigned n_planes, n_mbs, n_slices, n_segments;
  cl_uint first[GST_GPU_N_H264_KINDS + 1];
  uint8_t *header; /* slices, segments, macroblock records */
  size_t header_size;
  GstGpuLayout layout[3];
  uint8_t *coeffs;
  size_t coeffs_size, coeffs_used;
  size_t dc_size;         /* bytes, of one colour plane set */
  unsigned long n_blocks; /* those that the stage works on */
  unsigned max_chunk;
} IdctPicture;

/* Formats that the tests take; the last is that of three colour planes */
#define IDCT_N_FORMATS 8
extern const IdctFormat idct_formats[IDCT_N_FORMATS];

GstGpuMb *idct_picture_mb (const IdctPicture *p, unsigned plane_set, unsigned mb_addr);

/* @width, @height: in macroblocks.  @wide: macroblocks of sixteen with 32-bit levels.  @steady: one slice, one QP, segments as long as they
 * get: for measuring */
void idct_picture_make (KernelTest *test, IdctPicture *p, const IdctFormat *format, IdctContent content, unsigned width, unsigned height,
    int wide, int steady);
void idct_picture_free (IdctPicture *p);

/* Whether the device and the reference agree */
int idct_picture_test (KernelTest *test, const IdctPicture *p, GpuIdctKernels *kernels);

/* Best of a few runs of a few pictures, in nanoseconds a picture */
double idct_picture_bench (KernelTest *test, const IdctPicture *p, GpuIdctKernels *kernels);

/* Pictures of all sizes and contents of one format */
void idct_test_format (KernelTest *test, const IdctFormat *format, GpuIdctKernels *kernels, const char *form);

#endif
