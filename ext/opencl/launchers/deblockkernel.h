/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Builds and enqueues the kernel of the deblocking filter (kernels/deblock.cl).
 */
#ifndef GPU_DEBLOCK_KERNEL_H
#define GPU_DEBLOCK_KERNEL_H

#include "wavefront.h"

/* OpenCL C source, generated at build time */
extern const char gpu_deblock_source[];

typedef struct
{
  GpuWavefrontLauncher pictures, mbaff_frames;
  cl_mem boundaries; /* boundary strengths, by mbAddr, of the last picture with inter macroblocks; NULL before the first one */

  /*< private > */
  cl_context context;
  int is_cpu;
  cl_kernel boundary, mbaff_boundary;
  size_t n_boundaries; /* for which there is room in boundaries */
  cl_uint n_sets;      /* planes that are filtered by themselves: luma, and Cb with Cr; each plane of 4:4:4 */
} GpuDeblockKernels;

/* Writes the build options for pictures of the format of @picture (chroma_array_type and depths) in the form that suits @device.  Returns
 * the length,
 * without the terminating 0, as snprintf() does. */
int gpu_deblock_options (const GpuKernelDevice *device, const GstGpuPicture *picture, char *buf, size_t size);

/* @program: built with gpu_deblock_options() of the same @device and format.  On failure nothing needs to be cleared. */
cl_int gpu_deblock_kernels_init (GpuDeblockKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program,
    const GstGpuPicture *picture);

void gpu_deblock_kernels_clear (GpuDeblockKernels *self);

/* Filters the surface of @picture in place (8.7).  Where disable_deblocking_filter_idc is 1 in all slices there is nothing to call this
 * for.
 * @queue: an in-order queue, the same at each call
 * @picture: its header with the macroblock and slice records, and its surface; coeffs and dc are not used
 * @has_inter: it has inter macroblocks: then its header has their partitions and slices, and a launch more derives boundary strengths
 * @wavefront: IN_ORDER: one launch, of one work-group for each plane set; TICKETS: one launch, whose work-groups share the rows;
 *   DIAGONALS: w + 2 * h - 2 launches at most for h rows of w macroblocks, in MBAFF frames of w pairs
 * @event: (nullable): complete when the picture is filtered
 * @n_launches: (nullable): kernels enqueued
 * Never waits.  CL_INVALID_VALUE where @wavefront needs what the device has not, and for a picture without macroblocks. */
cl_int gpu_deblock_enqueue (GpuDeblockKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, int has_inter,
    GpuWavefront wavefront, cl_uint n_wait, const cl_event *wait, cl_event *event, unsigned *n_launches);

#endif
