/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Builds and enqueues the kernel of the deblocking filter (kernels/deblock.cl).
 */
#ifndef GPU_DEBLOCK_KERNEL_H
#define GPU_DEBLOCK_KERNEL_H

#include "kernelpicture.h"

/* OpenCL C source, generated at build time */
extern const char gpu_deblock_source[];

typedef struct
{
  cl_kernel deblock, reset;
  cl_mem tickets;               /* of GPU_WAVEFRONT_TICKETS; NULL where the device has none */
  GpuKernelDevice device;
  unsigned n_sets;              /* planes that are filtered by themselves: luma, and Cb with Cr; each plane of 4:4:4 */
  cl_uint max_height_in_mbs;    /* what tickets has room for */
} GpuDeblockKernels;

/* Writes the build options for pictures of the format of @picture (chroma_array_type and depths) in the form that suits @device.  Returns
 * the length,
 * without the terminating 0, as snprintf() does. */
int gpu_deblock_options (const GpuKernelDevice *device, const GstGpuPicture *picture, char *buf, size_t size);

/* @program: built with gpu_deblock_options() of the same @device and format
 * @picture: a picture of that format, none of which is higher.
 * On failure nothing needs to be cleared. */
cl_int gpu_deblock_kernels_init (GpuDeblockKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program,
    const GstGpuPicture *picture);

void gpu_deblock_kernels_clear (GpuDeblockKernels *self);

/* Filters the surface of @picture in place (8.7).  Where disable_deblocking_filter_idc is 1 in all slices there is nothing to call this
 * for.
 * @queue: an in-order queue, the same at each call
 * @picture: its header with the macroblock and slice records, and its surface; coeffs and dc are not used
 * @boundaries: (nullable): a GstGpuBoundary a macroblock, from layout.boundaries of @picture on; NULL where the picture has no inter
 * macroblocks
 * @wavefront: one launch for IN_ORDER, two for TICKETS, width_in_mbs + 2 * height_in_mbs - 2 for DIAGONALS
 * @event: (nullable): complete when the picture is filtered
 * Never waits.  CL_INVALID_VALUE where @wavefront needs what the device has not, or @picture is higher than that of
 * gpu_deblock_kernels_init(). */
cl_int gpu_deblock_enqueue (GpuDeblockKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, cl_mem boundaries,
    GpuWavefront wavefront,
    cl_uint n_wait, const cl_event *wait, cl_event *event);

#endif
