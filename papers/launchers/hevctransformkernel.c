/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "hevctransformkernel.h"

/* Work-items of a group of GPU_HEVC_ONESTEPBATCH, unless a block needs more, and of GPU_HEVC_GPUIDCT on a GPU */
#define BATCH_GROUP 256
#define GPUIDCT_GROUP 64

static unsigned
blocks_per_group (const GpuHevcTransform *transform)
{
  unsigned size = transform->n * transform->n;

  return size < BATCH_GROUP ? BATCH_GROUP / size : 1;
}

int
gpu_hevc_options (const GpuKernelDevice *device, const GpuHevcTransform *transform, int batch, char *buf, size_t size)
{
  return snprintf (buf, size, "-DN=%u -DHEVC_BLOCKS=%u%s%s%s", transform->n, batch ? blocks_per_group (transform) : 1,
      transform->dst ? " -DHEVC_DST" : "", transform->inverse ? " -DHEVC_INVERSE" : "", device->is_cpu ? " -DGPU_CPU" : "");
}

cl_int
gpu_hevc_kernels_init (GpuHevcKernels *self, const GpuKernelDevice *device, cl_program program, cl_program batch_program,
    const GpuHevcTransform *transform)
{
  static const char *const names[] = { "hevc_plain", "hevc_shared", "hevc_onestep", "hevc_butterfly", "hevc_onestep", "hevc_gpuidct" };
  cl_int err = CL_SUCCESS;

  memset (self, 0, sizeof (*self));
  self->transform = *transform;
  self->n_workers = device->is_cpu ? device->compute_units : 0;
  for (unsigned v = 0; v < GPU_HEVC_N_VARIANTS && err == CL_SUCCESS; v++)
    self->kernels[v] = clCreateKernel (v == GPU_HEVC_ONESTEPBATCH ? batch_program : program, names[v], &err);
  if (err != CL_SUCCESS)
    gpu_hevc_kernels_clear (self);
  return err;
}

void
gpu_hevc_kernels_clear (GpuHevcKernels *self)
{
  for (unsigned v = 0; v < GPU_HEVC_N_VARIANTS; v++)
    if (self->kernels[v])
      clReleaseKernel (self->kernels[v]);
  memset (self, 0, sizeof (*self));
}

/* Of the first and the second dimension: 8.6.4.2 and 8.6.2 for the inverse; the forward one undoes its scale */
static cl_int2
get_shift (const GpuHevcTransform *transform, unsigned bit_depth)
{
  unsigned log2_n = transform->n == 4 ? 2 : transform->n == 8 ? 3 : transform->n == 16 ? 4 : 5;
  cl_int2 shift = { .s = { 7, 20 - (int) bit_depth } };

  if (!transform->inverse) {
    shift.s[0] = (int) (log2_n + bit_depth) - 9;
    shift.s[1] = (int) log2_n + 6;
  }
  return shift;
}

/* A launch of @kernel over @groups groups of @group work-items.  @number: the fourth argument */
static cl_int
launch (cl_kernel kernel, cl_command_queue queue, cl_mem in, cl_mem out, cl_uint first, cl_uint number, cl_int2 shift, size_t group,
    size_t groups, void (*take) (void *user, cl_event event), void *user)
{
  size_t local[2] = { group, 1 }, global[2] = { group * groups, 1 };
  const struct
  {
    size_t size;
    const void *value;
  } args[] = { { sizeof (in), &in }, { sizeof (out), &out }, { sizeof (first), &first }, { sizeof (number), &number },
    { sizeof (shift), &shift } };
  cl_int err = CL_SUCCESS;
  cl_event event;

  for (cl_uint i = 0; i < sizeof (args) / sizeof (args[0]) && err == CL_SUCCESS; i++)
    err = clSetKernelArg (kernel, i, args[i].size, args[i].value);
  if (err == CL_SUCCESS)
    err = clEnqueueNDRangeKernel (queue, kernel, 2, NULL, global, local, 0, NULL, &event);
  if (err == CL_SUCCESS)
    take (user, event);
  return err;
}

cl_int
gpu_hevc_enqueue (GpuHevcKernels *self, GpuHevcVariant variant, cl_command_queue queue, cl_mem in, cl_mem between, cl_mem out,
    cl_uint count, unsigned bit_depth, void (*take) (void *user, cl_event event), void *user)
{
  cl_int2 shift = get_shift (&self->transform, bit_depth);
  cl_kernel kernel = self->kernels[variant];
  unsigned n = self->transform.n, per_group = blocks_per_group (&self->transform);
  cl_int err = CL_SUCCESS;

  if (bit_depth < 8 || bit_depth > 12 || count == 0)
    return CL_INVALID_VALUE;
  if (variant == GPU_HEVC_ONESTEPBATCH)
    return launch (kernel, queue, in, out, 0, count, shift, n * n * per_group, (count + per_group - 1) / per_group, take, user);
  if (variant == GPU_HEVC_GPUIDCT && self->n_workers > 0)
    return launch (kernel, queue, in, out, 0, count, shift, 1, self->n_workers, take, user);
  if (variant == GPU_HEVC_GPUIDCT)
    return launch (kernel, queue, in, out, 0, count, shift, GPUIDCT_GROUP, (count + GPUIDCT_GROUP / n - 1) / (GPUIDCT_GROUP / n), take,
        user);
  for (cl_uint first = 0; first < count && err == CL_SUCCESS; first++)
    if (variant == GPU_HEVC_ONESTEP || variant == GPU_HEVC_BUTTERFLY) {
      err = launch (kernel, queue, in, out, first, 1, shift, variant == GPU_HEVC_ONESTEP ? n * n : n, 1, take, user);
    } else {
      err = launch (kernel, queue, in, between, first, 0, shift, n * n, 1, take, user);
      if (err == CL_SUCCESS)
        err = launch (kernel, queue, between, out, first, 1, shift, n * n, 1, take, user);
    }
  return err;
}
