/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Builds and enqueues the kernel of inter prediction (kernels/interpred.cl).
 */
#ifndef GPU_INTERPRED_KERNEL_H
#define GPU_INTERPRED_KERNEL_H

#include "kernelpicture.h"

/* OpenCL C source, generated at build time */
extern const char gpu_interpred_source[];

typedef struct
{
  /*< private > */
  GpuKernelDevice device;
  cl_kernel kernel;
  cl_mem scratch; /* of the CPU form, for n_groups work-groups */
  cl_uint n_groups;
} GpuInterpredKernels;

/* Writes the build options for pictures with the depths and chroma_array_type of @picture in the form that suits @device; its size does
 * not matter. Returns the length, without the terminating 0, as snprintf() does. */
int gpu_interpred_options (const GpuKernelDevice *device, const GstGpuPicture *picture, char *buf, size_t size);

/* @program: built with gpu_interpred_options() of the same @device.  On failure nothing needs to be cleared. */
cl_int gpu_interpred_kernels_init (GpuInterpredKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program,
    const GstGpuPicture *picture);

void gpu_interpred_kernels_clear (GpuInterpredKernels *self);

/* Predicts the inter macroblocks of one colour plane set and adds their residuals; intra macroblocks are left as they are.
 * @queue: an in-order queue, always the same one
 * @picture: coeffs after the inverse transforms; dc where GstGpuMb.dc_coded says so; partitions and inter slices; references: complete,
 *   NULL where nothing refers to them.  Depths and chroma_array_type as the program was built for.  A reference may be the surface itself:
 *   the other field of its frame
 * @event: (nullable): complete when the samples are
 * One launch.  Never waits.  CL_INVALID_VALUE for a picture without macroblocks. */
cl_int gpu_interpred_enqueue (GpuInterpredKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, cl_uint n_wait,
    const cl_event *wait, cl_event *event);

#endif
