/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Builds and enqueues the kernel of intra prediction and picture construction (kernels/intrapred.cl).
 */
#ifndef GPU_INTRAPRED_KERNEL_H
#define GPU_INTRAPRED_KERNEL_H

#include "wavefront.h"

/* OpenCL C source, generated at build time */
extern const char gpu_intrapred_source[];

typedef struct
{
  GpuWavefrontLauncher pictures, mbaff_frames;

  /*< private > */
  int is_cpu;
} GpuIntrapredKernels;

/* Writes the build options for pictures with the depths and chroma_array_type of @picture in the form that suits @device; its size does
 * not matter. Returns the length, without the terminating 0, as snprintf() does. */
int gpu_intrapred_options (const GpuKernelDevice *device, const GstGpuPicture *picture, char *buf, size_t size);

/* @program: built with gpu_intrapred_options() of the same @device.  On failure nothing needs to be cleared. */
cl_int gpu_intrapred_kernels_init (GpuIntrapredKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program,
    const GstGpuPicture *picture);

void gpu_intrapred_kernels_clear (GpuIntrapredKernels *self);

/* Rebuilds the intra macroblocks of one colour plane set; inter macroblocks must be predicted already, and are left as they are.
 * @queue: an in-order queue, always the same one
 * @picture: coeffs after the inverse transforms; dc where GstGpuMb.dc_coded says so; segments and slices are not used.  Depths and
 *   chroma_array_type as the program was built for
 * @wavefront: IN_ORDER: one launch, of one work-group for each part of the planes (luma, chroma), or of as many as there are slices that
 *   can be rebuilt alone (GstGpuPicture.slices_contiguous; the slice records are not read);
 *   TICKETS: one launch, whose work-groups share the rows; DIAGONALS: width_in_mbs + 2 * height_in_mbs - 2 launches, with
 *   half that height in MBAFF frames
 * @event: (nullable): complete when the samples are
 * @n_launches: (nullable): kernels enqueued
 * Never waits.  CL_INVALID_VALUE where @wavefront needs what the device has not, and for a picture without macroblocks. */
cl_int gpu_intrapred_enqueue (GpuIntrapredKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, GpuWavefront wavefront,
    cl_uint n_wait, const cl_event *wait, cl_event *event, unsigned *n_launches);

#endif
