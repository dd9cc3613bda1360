/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "hevcidctkernel.h"

/* GPU form: work-items of a group, each a line, and groups that share a segment of up to 64 KiB: 8192 lines of 4x4 blocks, 1024 of 32x32 */
#define GROUP_SIZE 64
#define GROUPS_PER_SEGMENT 16

int
gpu_hevc_idct_options (const GpuKernelDevice *device, char *buf, size_t size)
{
  if (device->is_cpu)
    return snprintf (buf, size, "-DGPU_HEVC -DGPU_CPU");
  return snprintf (buf, size, "-DGPU_HEVC -DGPU_GROUP_SIZE=%d", GROUP_SIZE);
}

cl_int
gpu_hevc_idct_kernels_init (GpuIdctKernels *self, const GpuKernelDevice *device, cl_program program)
{
  static const char *const names[GPU_IDCT_N_HEVC] = { "gpu_hevc_idct_dst4x4", "gpu_hevc_idct_4x4", "gpu_hevc_idct_8x8",
    "gpu_hevc_idct_16x16", "gpu_hevc_idct_32x32", "gpu_hevc_idct_skip4x4" };
  cl_int err = CL_SUCCESS;

  memset (self, 0, sizeof (*self));
  self->group_size = device->is_cpu ? 1 : GROUP_SIZE;
  self->groups_hevc = device->is_cpu ? 1 : GROUPS_PER_SEGMENT;
  for (unsigned i = 0; i < GPU_IDCT_N_HEVC && err == CL_SUCCESS; i++)
    self->hevc[i] = clCreateKernel (program, names[i], &err);
  if (err != CL_SUCCESS)
    gpu_idct_kernels_clear (self);
  return err;
}
