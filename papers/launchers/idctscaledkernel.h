/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Builds and enqueues the inverse transforms of Wang et al. as their paper lists them (kernels/idctscaled.cl): of scaled coefficients,
 * without records.  For measuring and their test; papersidct has them with inverse quantisation, over the lists of the entropy stage.
 */
#ifndef GPU_IDCT_SCALED_KERNEL_H
#define GPU_IDCT_SCALED_KERNEL_H

#include "idctcompactedkernel.h"

extern const char gpu_idctscaled_source[];

typedef struct
{
  cl_kernel blocks[2]; /* of 4x4, of 8x8 blocks */
  cl_kernel frame;
  size_t local[2];
  unsigned per_group[2]; /* blocks that a group takes */
} GpuIdctScaledKernels;

/* Build options; result as of snprintf() */
int gpu_idct_scaled_options (const GpuKernelDevice *device, const GpuIdctVariant *variant, char *buf, size_t size);

/* @program: built with gpu_idct_scaled_options() of @variant, which gpu_idct_compacted_supported() has to allow.  CL_INVALID_OPERATION
 * where a sub-group of the device is no multiple of 32 work-items. */
cl_int gpu_idct_scaled_kernels_init (GpuIdctScaledKernels *self, const GpuKernelDevice *device, cl_program program,
    const GpuIdctVariant *variant);
void gpu_idct_scaled_kernels_clear (GpuIdctScaledKernels *self);

/* @n_blocks rounded up to whole groups.  @is_8x8: 0 or 1 */
size_t gpu_idct_scaled_padded (const GpuIdctScaledKernels *self, unsigned is_8x8, size_t n_blocks);

/* @blocks: int16, 16 or 64 a block, of gpu_idct_scaled_padded() blocks: coefficients before, residuals after.  Nothing is enqueued, and
 * *@event is NULL, where there are none.  Never waits. */
cl_int gpu_idct_scaled_enqueue (const GpuIdctScaledKernels *self, cl_command_queue queue, unsigned is_8x8, cl_mem blocks, size_t n_blocks,
    cl_event *event);

/* @frame: int16, 384 a macroblock; @kinds: uint32 a macroblock, as the kernel describes them */
cl_int gpu_idct_scaled_frame_enqueue (const GpuIdctScaledKernels *self, cl_command_queue queue, cl_mem frame, cl_mem kinds, size_t n_mbs,
    cl_event *event);

#endif
