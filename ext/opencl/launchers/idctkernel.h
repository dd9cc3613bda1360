/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Builds and enqueues the kernels of inverse quantisation and transforms (kernels/idct.cl).
 */
#ifndef GPU_IDCT_KERNEL_H
#define GPU_IDCT_KERNEL_H

#include "kernelpicture.h"

/* OpenCL C source, generated at build time */
extern const char gpu_idct_source[];

/* The kinds of H.265, numbered from GST_GPU_KIND_HEVC_DST4x4 on */
#define GPU_IDCT_N_HEVC (GST_GPU_N_KINDS - GST_GPU_N_H264_KINDS)

typedef struct
{
  cl_kernel dc;                     /* DC groups to dc[] */
  cl_kernel blocks;                 /* 4x4 and 8x8 blocks in one launch: CPU form; else NULL */
  cl_kernel blocks_4x4, blocks_8x8; /* each by itself: GPU form; else NULL */
  cl_kernel hevc[GPU_IDCT_N_HEVC];  /* of H.265 pictures, a kernel a kind; then all others are NULL (hevcidctkernel.h) */
  /* work-items of a group, and groups that share a segment */
  size_t group_size, groups_dc, groups_4x4, groups_8x8, groups_hevc;
} GpuIdctKernels;

/* Writes the build options of the form that suits @device.  They are the same for every picture: chroma format and depths are arguments or
 * stand in the records. Returns the length, without the terminating 0, as snprintf() does. */
int gpu_idct_options (const GpuKernelDevice *device, const GstGpuPicture *picture, char *buf, size_t size);

/* @program: built with gpu_idct_options() of the same @device.  On failure nothing needs to be cleared. */
cl_int gpu_idct_kernels_init (GpuIdctKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program,
    const GstGpuPicture *picture);

void gpu_idct_kernels_clear (GpuIdctKernels *self);

/* Turns all levels of a picture into residuals, in two launches (three in the GPU form; for H.265 one a kind), or fewer where it has no
 * such segments.
 * @queue: an in-order queue
 * @planes: the colour plane sets: 1, or 3 with separate_colour_plane_flag.  Header, layout.slices, layout.segments and coeffs are read
 * from the first; layout.mbs and dc from each.  The surface is not used
 * @first: first[kind] is the first segment of that kind, first[kind + 1] is one past the last (as in GstCoeffMeta: GST_GPU_N_KINDS + 1
 * numbers; GST_GPU_N_H264_KINDS + 1 are enough for kernels of H.264)
 * @event: (nullable): complete when the residuals are, also where there was nothing to do
 * @n_launches: (nullable): kernels enqueued
 * Never waits.  CL_INVALID_VALUE where an offset does not fit 32 bits, where @first is not ascending or @n_planes is neither 1 nor 3. */
cl_int gpu_idct_enqueue (GpuIdctKernels *self, cl_command_queue queue, const GpuKernelPicture *planes, unsigned n_planes,
    const cl_uint *first, cl_uint n_wait, const cl_event *wait, cl_event *event, unsigned *n_launches);

#endif
