/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Enqueues a kernel whose units depend on their neighbours (kernels/wavefront.cl).
 */
#ifndef GPU_WAVEFRONT_H
#define GPU_WAVEFRONT_H

#include "kernelpicture.h"
#include "wavefrontmode.h"

/* One kernel, and how it is launched */
typedef struct
{
  cl_kernel kernel;
  /* work-groups of TICKETS a part of the planes, to be changed between pictures as wanted; 0, at first: as many as compute units on a CPU,
   * as rows elsewhere */
  cl_uint n_groups;

  /*< private > */
  GpuKernelDevice device;
  cl_context context;
  cl_uint first_arg;
  size_t group_size;
  cl_mem state; /* of ticketed launches, for state_rows rows of state_parts parts */
  cl_uint state_rows, state_parts;
} GpuWavefrontLauncher;

/* @kernel: its name in @program; its arguments from number @first_arg on are launch, diagonal, first_row, state, state_stride (see
 * wavefront.cl).
 * @group_size: work-items of a group
 * On failure nothing needs to be cleared. */
cl_int gpu_wavefront_init (GpuWavefrontLauncher *self, const GpuKernelDevice *device, cl_context context, cl_program program,
    const char *kernel, cl_uint first_arg, size_t group_size);

void gpu_wavefront_clear (GpuWavefrontLauncher *self);

/* Enqueues self->kernel, whose other arguments are set, over the units of a picture (macroblocks, in MBAFF frames pairs), for each of
 * @parts (planes, or sets of planes), which do not depend on each other.
 * @queue: an in-order queue, always the same one
 * @n_in_order: work-groups of IN_ORDER a part: 1, or more where the picture begins anew in many places (begins_part() of the kernel)
 * @event: (nullable): complete when the picture is
 * @n_launches: (nullable): kernels enqueued: 1 but for DIAGONALS, which takes w + 2 * h - 2 at most for h rows of w units
 * Never waits.  CL_INVALID_VALUE where @mode needs what the device has not, and for a picture without units. */
cl_int gpu_wavefront_enqueue (GpuWavefrontLauncher *self, cl_command_queue queue, GpuWavefront mode, const GstGpuPicture *params,
    cl_uint parts, cl_uint n_in_order, cl_uint n_wait, const cl_event *wait, cl_event *event, unsigned *n_launches);

/* The launch that suits the device best */
static inline GpuWavefront
gpu_kernel_device_get_wavefront (const GpuKernelDevice *self)
{
  return self->is_cpu ? GPU_WAVEFRONT_IN_ORDER : self->device_atomics ? GPU_WAVEFRONT_TICKETS : GPU_WAVEFRONT_DIAGONALS;
}

#endif
