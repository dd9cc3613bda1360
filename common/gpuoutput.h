/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How raw video is made from the surface of a frame: one header for C and OpenCL C, like gpurecords.h.
 */
#ifndef GPU_OUTPUT_H
#define GPU_OUTPUT_H

#include "gpurecords.h"

/* One component of the pixels of a raw plane. */
typedef struct
{
  gst_gpu_u32 from_surface; /* 1: samples of the surface, 0: the value below */
  gst_gpu_u32 value;        /* the raw sample, of what the surface has not (chroma of 4:0:0, alpha) */
  gst_gpu_u32 offset;       /* in samples, from the base of the surface, of the first sample inside the cropping rectangle */
  gst_gpu_u32 stride;       /* in samples */
  gst_gpu_u32 repeat_shift; /* every sample of a row is repeated 1 << repeat_shift times (0 or 1) */
  gst_gpu_u32 shift;        /* raw = sample << shift */
} GpuOutputComponent;

/* One plane of the raw picture: rows of pixels, which are n_components samples one behind the other. */
typedef struct
{
  gst_gpu_u32 offset; /* bytes; a multiple of the size of a raw sample, as stride is */
  gst_gpu_u32 stride; /* bytes */
  gst_gpu_u32 width;  /* pixels */
  gst_gpu_u32 height;
  gst_gpu_u32 n_components; /* 1, 2 or 4 */
  GpuOutputComponent component[4];
} GpuOutputPlane;

#define GPU_OUTPUT_MAX_PLANES 4

typedef struct
{
  gst_gpu_u32 surface_sample_size; /* 1 or 2 bytes */
  gst_gpu_u32 raw_sample_size;     /* 1 or 2 bytes */
  gst_gpu_u32 n_planes;
  GpuOutputPlane plane[GPU_OUTPUT_MAX_PLANES];
} GpuOutput;

#endif /* GPU_OUTPUT_H */
