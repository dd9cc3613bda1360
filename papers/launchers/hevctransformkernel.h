/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Builds and enqueues the transforms of HEVC (kernels/hevctransform.cl).
 */
#ifndef GPU_HEVC_TRANSFORM_KERNEL_H
#define GPU_HEVC_TRANSFORM_KERNEL_H

#include "kernelpicture.h"

extern const char gpu_hevctransform_source[];

typedef struct
{
  unsigned n; /* 4, 8, 16 or 32 */
  int dst;    /* the DST; @n is 4 */
  int inverse;
} GpuHevcTransform;

typedef enum
{
  GPU_HEVC_PLAIN,        /* an element a work-item, a launch a dimension */
  GPU_HEVC_SHARED,       /* the same with operands in local memory */
  GPU_HEVC_ONESTEP,      /* both dimensions in one launch */
  GPU_HEVC_BUTTERFLY,    /* by even and odd parts, a launch a dimension; a value a work-item, of 4x4 blocks a line */
  GPU_HEVC_ONESTEPBATCH, /* as GPU_HEVC_ONESTEP, all blocks in one launch, groups filled up with blocks */
  GPU_HEVC_GPUIDCT,      /* all blocks in one launch; vectors on a CPU, full groups of lines on a GPU */
  GPU_HEVC_N_VARIANTS
} GpuHevcVariant;

typedef struct
{
  GpuHevcTransform transform;
  cl_uint n_workers;       /* work-groups that share the blocks of GPU_HEVC_GPUIDCT on a CPU; 0: as many as blocks need */
  cl_uint batch_per_group; /* blocks of a group of GPU_HEVC_ONESTEPBATCH */
  cl_kernel kernels[GPU_HEVC_N_VARIANTS];
} GpuHevcKernels;

/* Build options of a program with all variants of @transform, for GPU_HEVC_ONESTEPBATCH if @batch (it shares a kernel with
 * GPU_HEVC_ONESTEP), else for all others.  As snprintf(). */
int gpu_hevc_options (const GpuKernelDevice *device, const GpuHevcTransform *transform, int batch, char *buf, size_t size);

/* @program, @batch_program: built with gpu_hevc_options().  CL_INVALID_WORK_GROUP_SIZE where the device has no groups of n * n work-items.
 * On failure nothing needs to be cleared. */
cl_int gpu_hevc_kernels_init (GpuHevcKernels *self, const GpuKernelDevice *device, cl_program program, cl_program batch_program,
    const GpuHevcTransform *transform);

void gpu_hevc_kernels_clear (GpuHevcKernels *self);

/* Transforms @count blocks of @bit_depth (8 to 12) from @in to @out, 16-bit values, block by block, row by row.  The first four variants
 * take a launch a block, or a launch a dimension and block: as published, these wait on the host until the first launch is done, and
 * between dimensions @between holds values.
 * @take: gets each command's event (its reference is the callee's) */
cl_int gpu_hevc_enqueue (GpuHevcKernels *self, GpuHevcVariant variant, cl_command_queue queue, cl_mem in, cl_mem between, cl_mem out,
    cl_uint count, unsigned bit_depth, void (*take) (void *user, cl_event event), void *user);

#endif
