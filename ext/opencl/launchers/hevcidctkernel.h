/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Builds the kernels of the inverse transforms of H.265 pictures (kernels/hevcidct.cl); gpu_idct_enqueue() enqueues them.
 */
#ifndef GPU_HEVC_IDCT_KERNEL_H
#define GPU_HEVC_IDCT_KERNEL_H

#include "idctkernel.h"

extern const char gpu_hevcidct_source[];

/* Writes the build options of the form that suits @device, the same for every picture.  As snprintf(). */
int gpu_hevc_idct_options (const GpuKernelDevice *device, char *buf, size_t size);

/* @program: built with gpu_hevc_idct_options() of the same @device.  On failure nothing needs to be cleared; gpu_idct_kernels_clear()
 * else. */
cl_int gpu_hevc_idct_kernels_init (GpuIdctKernels *self, const GpuKernelDevice *device, cl_program program);

#endif
