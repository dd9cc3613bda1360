/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Builds and enqueues the inverse transform that Wang et al. start from (kernels/idctbaseline.cl): for measuring only.
 */
#ifndef GPU_IDCT_BASELINE_KERNEL_H
#define GPU_IDCT_BASELINE_KERNEL_H

#include "kernelpicture.h"

extern const char gpu_idctbaseline_source[];

/* Levels of a macroblock of 4:2:0 */
#define GPU_IDCT_BASELINE_LEVELS 384

/* @kernel: gpu_idct_baseline, built without options.  @picture: 4:2:0, progressive or a field, no 32-bit levels, no bypass, no I_PCM; dc
 * holds the results of the DC transforms.  @levels: 384 int16 a macroblock, levels before, residuals after.  Never waits. */
cl_int gpu_idct_baseline_enqueue (cl_kernel kernel, cl_command_queue queue, const GpuKernelPicture *picture, cl_mem levels,
    cl_event *event);

#endif
