/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Launcher of the colour conversion.  The C library and OpenCL only.
 */
#ifndef GPU_CSC_KERNEL_H
#define GPU_CSC_KERNEL_H

#include "gpucscformat.h"
#include "kernelpicture.h"

extern const char gpu_csc_source[];

typedef struct
{
  cl_kernel kernel;
  int is_cpu;
  cl_uint compute_units;
} GpuCscKernels;

/* 1 where both formats can be read and written as they stand: sizes equal and in range, words of a known size, offsets and strides
 * multiples of them. */
int gpu_csc_supported (const GpuCscFormat *in, const GpuCscFormat *out);

/* 1 where only offsets, strides and the order of memory differ: what one is, the other is too, and nothing has to be converted. */
int gpu_csc_same (const GpuCscFormat *in, const GpuCscFormat *out);

/* Build options, as snprintf() returns and stores them.  With @in and @out NULL: a program for any pair of formats; else one for this pair
 * alone (their words, depths, chroma grids, sites across and the kind of the matrix), which is several times as fast on a CPU. */
int gpu_csc_options (const GpuKernelDevice *device, const GpuCscFormat *in, const GpuCscFormat *out, char *buf, size_t size);

/* 1 where a pair is common enough for a program of its own */
int gpu_csc_is_common (const GpuCscFormat *in, const GpuCscFormat *out);

/* @program: built with the options of this device.  An error is a CL status. */
cl_int gpu_csc_kernels_init (GpuCscKernels *self, const GpuKernelDevice *device, cl_program program);

/* Enqueues the conversion of a picture.  @in, @out: as in gpu_csc_options(), but sizes, offsets, strides, vertical sites and the matrix's
 * numbers may change from call to call.  @in_planes, @out_planes: the buffers of the planes; several may be one.  @event: (nullable): of
 * the last command.  @n_launches: (nullable): counts kernels.  CL_INVALID_VALUE where gpu_csc_supported() says no. */
cl_int gpu_csc_enqueue (GpuCscKernels *self, cl_command_queue queue, const GpuCscFormat *in, const cl_mem in_planes[GPU_CSC_PLANES],
    const GpuCscFormat *out, const cl_mem out_planes[GPU_CSC_PLANES], cl_uint n_wait, const cl_event *wait, cl_event *event,
    unsigned *n_launches);

void gpu_csc_kernels_clear (GpuCscKernels *self);

#endif
