/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "idctcompactedkernel.h"

/* Blocks of a segment at most */
#define MAX_4x4 2048
#define MAX_8x8 512

int
gpu_idct_compacted_supported (const GpuKernelDevice *device, const GpuIdctVariant *variant)
{
  return !(variant->steps & GPU_IDCT_SYNC) || device->sub_groups;
}

/* 96 as in the paper (32 lines of 3 threads there); for samples a number that the 64 samples of a block divide */
static unsigned
group_size (const GpuIdctVariant *variant)
{
  if (variant->mapping != GPU_IDCT_LINE)
    return variant->mapping == GPU_IDCT_SAMPLE ? 64 : 96;
  return variant->steps & GPU_IDCT_WORKGROUP ? 192 : 96;
}

/* Blocks that a work-item takes */
static unsigned
granularity (const GpuIdctVariant *variant, unsigned n)
{
  if (!(variant->steps & GPU_IDCT_GRANULARITY))
    return 1;
  return n == 4 ? 4 : 2;
}

int
gpu_idct_compacted_options (const GpuKernelDevice *device, const GpuIdctVariant *variant, char *buf, size_t size)
{
  return snprintf (buf, size, "-DGPU_MAPPING=%d -DGPU_GROUP_SIZE=%u -DGPU_BLOCKS_4x4=%u -DGPU_BLOCKS_8x8=%u%s%s", variant->mapping,
      group_size (variant), granularity (variant, 4), granularity (variant, 8),
      variant->steps & GPU_IDCT_COALESCING ? " -DGPU_COALESCING" : "",
      !(variant->steps & GPU_IDCT_SYNC) ? ""
          : device->sub_groups > 1      ? " -DGPU_SYNC -cl-std=CL3.0"
                                        : " -DGPU_SYNC");
}

/* Groups that a whole segment of n x n blocks takes */
static size_t
n_groups (const GpuIdctVariant *variant, unsigned n)
{
  unsigned items = variant->mapping == GPU_IDCT_LINE ? n : variant->mapping == GPU_IDCT_SAMPLE ? n * n : 1;
  unsigned per_group = group_size (variant) / items * granularity (variant, n);

  return ((n == 4 ? MAX_4x4 : MAX_8x8) + per_group - 1) / per_group;
}

/* A block's lines are side by side from a multiple of their number on: they are in one sub-group if its size is a multiple of that
 * number. */
static cl_int
check_sub_groups (const GpuKernelDevice *device, cl_kernel kernel, size_t local_size)
{
  size_t local[2] = { local_size, 1 }, size = 0;
  cl_int err = clGetKernelSubGroupInfo (kernel, device->device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof (local), local,
      sizeof (size), &size, NULL);

  if (err != CL_SUCCESS)
    return err;
  return size > 0 && size % 8 == 0 ? CL_SUCCESS : CL_INVALID_OPERATION;
}

cl_int
gpu_idct_compacted_kernels_init (GpuIdctKernels *self, const GpuKernelDevice *device, cl_program program, const GpuIdctVariant *variant)
{
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->group_size = group_size (variant);
  self->groups_dc = 8;
  self->groups_4x4 = n_groups (variant, 4);
  self->groups_8x8 = n_groups (variant, 8);
  self->dc = clCreateKernel (program, "gpu_idct_dc", &err);
  if (err == CL_SUCCESS)
    self->blocks_4x4 = clCreateKernel (program, "gpu_idct_4x4", &err);
  if (err == CL_SUCCESS)
    self->blocks_8x8 = clCreateKernel (program, "gpu_idct_8x8", &err);
  if (err == CL_SUCCESS && variant->steps & GPU_IDCT_SYNC)
    err = check_sub_groups (device, self->blocks_8x8, self->group_size);
  if (err != CL_SUCCESS)
    gpu_idct_kernels_clear (self);
  return err;
}
