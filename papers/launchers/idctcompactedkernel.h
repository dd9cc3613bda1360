/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Builds the compacted inverse transforms of Wang et al. (kernels/idctcompacted.cl).  They are enqueued as the others are, by
 * gpu_idct_enqueue().
 */
#ifndef GPU_IDCT_COMPACTED_KERNEL_H
#define GPU_IDCT_COMPACTED_KERNEL_H

#include "idctkernel.h"

extern const char gpu_idctcompacted_source[];

typedef enum
{
  GPU_IDCT_SAMPLE, /* a work-item a sample; without steps */
  GPU_IDCT_LINE,   /* a work-item a line of a block */
  GPU_IDCT_BLOCK,  /* a work-item a block; without steps */
} GpuIdctMapping;

/* Steps that GPU_IDCT_LINE takes further, any of them together */
#define GPU_IDCT_SYNC 1        /* the lines of a block wait for each other as a sub-group; needs sub-groups */
#define GPU_IDCT_WORKGROUP 2   /* 192 work-items a group instead of 96 */
#define GPU_IDCT_GRANULARITY 4 /* a work-item takes four 4x4 blocks or two 8x8 blocks */
#define GPU_IDCT_COALESCING 8  /* residuals are put in order in local memory with a padded stride, then written */

typedef struct
{
  GpuIdctMapping mapping;
  unsigned steps; /* GPU_IDCT_SYNC... */
} GpuIdctVariant;

/* Whether the device has what the variant needs */
int gpu_idct_compacted_supported (const GpuKernelDevice *device, const GpuIdctVariant *variant);

/* As gpu_idct_options() */
int gpu_idct_compacted_options (const GpuKernelDevice *device, const GpuIdctVariant *variant, char *buf, size_t size);

/* As gpu_idct_kernels_init(), for a program built with gpu_idct_compacted_options() of the same @variant.  CL_INVALID_OPERATION where the
 * device's sub-groups would split a block. */
cl_int gpu_idct_compacted_kernels_init (GpuIdctKernels *self, const GpuKernelDevice *device, cl_program program,
    const GpuIdctVariant *variant);

#endif
