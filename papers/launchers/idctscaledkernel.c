/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "idctscaledkernel.h"

#define WIDTH 32

static unsigned
n_rows (const GpuIdctVariant *variant)
{
  return variant->steps & GPU_IDCT_WORKGROUP ? 6 : 3;
}

/* Lines that a work-item takes */
static unsigned
granularity (const GpuIdctVariant *variant, unsigned is_8x8)
{
  if (!(variant->steps & GPU_IDCT_GRANULARITY))
    return 1;
  return is_8x8 ? 2 : 4;
}

int
gpu_idct_scaled_options (const GpuKernelDevice *device, const GpuIdctVariant *variant, char *buf, size_t size)
{
  char rows[32] = "";

  if (variant->mapping == GPU_IDCT_LINE)
    snprintf (rows, sizeof (rows), " -DGPU_ROWS=%u", n_rows (variant));
  return snprintf (buf, size, "-DGPU_MAPPING=%d%s -DGPU_BLOCKS_4x4=%u -DGPU_BLOCKS_8x8=%u%s%s", variant->mapping, rows,
      granularity (variant, 0), granularity (variant, 1), variant->steps & GPU_IDCT_COALESCING ? " -DGPU_COALESCING" : "",
      !(variant->steps & GPU_IDCT_SYNC) ? ""
          : device->sub_groups > 1      ? " -DGPU_SYNC -cl-std=CL3.0"
                                        : " -DGPU_SYNC");
}

/* The 32 work-items of a row are one sub-group, or part of one. */
static cl_int
check_sub_groups (const GpuIdctScaledKernels *self, const GpuKernelDevice *device)
{
  size_t size = 0;
  cl_int err = clGetKernelSubGroupInfo (self->blocks[1], device->device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof (self->local),
      self->local, sizeof (size), &size, NULL);

  if (err != CL_SUCCESS)
    return err;
  return size > 0 && size % WIDTH == 0 ? CL_SUCCESS : CL_INVALID_OPERATION;
}

cl_int
gpu_idct_scaled_kernels_init (GpuIdctScaledKernels *self, const GpuKernelDevice *device, cl_program program, const GpuIdctVariant *variant)
{
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->local[0] = variant->mapping == GPU_IDCT_LINE ? WIDTH : variant->mapping == GPU_IDCT_SAMPLE ? 64 : 96;
  self->local[1] = variant->mapping == GPU_IDCT_LINE ? n_rows (variant) : 1;
  for (unsigned i = 0; i < 2; i++) {
    unsigned n = i ? 8 : 4, items = variant->mapping == GPU_IDCT_LINE ? n : variant->mapping == GPU_IDCT_SAMPLE ? n * n : 1;

    self->per_group[i] = (unsigned) (self->local[0] * self->local[1]) / items * granularity (variant, i);
  }
  self->blocks[0] = clCreateKernel (program, "gpu_idct_scaled_4x4", &err);
  if (err == CL_SUCCESS)
    self->blocks[1] = clCreateKernel (program, "gpu_idct_scaled_8x8", &err);
  if (err == CL_SUCCESS)
    self->frame = clCreateKernel (program, "gpu_idct_scaled_frame", &err);
  if (err == CL_SUCCESS && variant->steps & GPU_IDCT_SYNC)
    err = check_sub_groups (self, device);
  if (err != CL_SUCCESS)
    gpu_idct_scaled_kernels_clear (self);
  return err;
}

void
gpu_idct_scaled_kernels_clear (GpuIdctScaledKernels *self)
{
  cl_kernel kernels[] = { self->blocks[0], self->blocks[1], self->frame };

  for (unsigned i = 0; i < 3; i++)
    if (kernels[i])
      clReleaseKernel (kernels[i]);
  memset (self, 0, sizeof (*self));
}

size_t
gpu_idct_scaled_padded (const GpuIdctScaledKernels *self, unsigned is_8x8, size_t n_blocks)
{
  return (n_blocks + self->per_group[is_8x8] - 1) / self->per_group[is_8x8] * self->per_group[is_8x8];
}

cl_int
gpu_idct_scaled_enqueue (const GpuIdctScaledKernels *self, cl_command_queue queue, unsigned is_8x8, cl_mem blocks, size_t n_blocks,
    cl_event *event)
{
  size_t n_groups = gpu_idct_scaled_padded (self, is_8x8, n_blocks) / self->per_group[is_8x8];
  size_t global[2] = { n_groups * self->local[0], self->local[1] };
  cl_int err;

  *event = NULL;
  if (n_blocks == 0)
    return CL_SUCCESS;
  err = clSetKernelArg (self->blocks[is_8x8], 0, sizeof (blocks), &blocks);
  if (err != CL_SUCCESS)
    return err;
  return clEnqueueNDRangeKernel (queue, self->blocks[is_8x8], 2, NULL, global, self->local, 0, NULL, event);
}

cl_int
gpu_idct_scaled_frame_enqueue (const GpuIdctScaledKernels *self, cl_command_queue queue, cl_mem frame, cl_mem kinds, size_t n_mbs,
    cl_event *event)
{
  size_t local = 96, global = n_mbs * local;
  cl_int err = clSetKernelArg (self->frame, 0, sizeof (frame), &frame);

  if (err == CL_SUCCESS)
    err = clSetKernelArg (self->frame, 1, sizeof (kinds), &kinds);
  if (err != CL_SUCCESS)
    return err;
  return clEnqueueNDRangeKernel (queue, self->frame, 1, NULL, &global, &local, 0, NULL, event);
}
