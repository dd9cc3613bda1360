/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Launcher of the output kernel: raw video from the surface of a frame.
 */
#ifndef GPU_OUTPUT_KERNEL_H
#define GPU_OUTPUT_KERNEL_H

#include "kernelpicture.h"
#include "gpuoutput.h"

extern const char gpu_output_source[];

/* One for each number of components in a pixel: 1, 2, 4 */
#define GPU_OUTPUT_N_KERNELS 3

typedef struct
{
  GpuKernelDevice device;
  cl_kernel kernels[GPU_OUTPUT_N_KERNELS];
} GpuOutputKernels;

/* Build options for @output; returns as snprintf */
int gpu_output_options (const GpuKernelDevice *device, const GpuOutput *output, char *buf, size_t size);

cl_int gpu_output_kernels_init (GpuOutputKernels *self, const GpuKernelDevice *device, cl_program program);

/* One launch for planes one behind the other whose pixels have as many components; @event is that of the last one, on an in-order queue.
 * @n_launches: how many. */
cl_int gpu_output_enqueue (GpuOutputKernels *self, cl_command_queue queue, const GpuOutput *output, cl_mem surface, cl_mem raw,
    cl_uint n_wait, const cl_event *wait, cl_event *event, unsigned *n_launches);

void gpu_output_kernels_clear (GpuOutputKernels *self);

#endif
