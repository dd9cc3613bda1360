/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "hevctransformkernel.h"

/* Work-items of a group: of GPU_HEVC_ONESTEPBATCH, as published, where the device has as many; of GPU_HEVC_GPUIDCT on a GPU */
#define BATCH_GROUP 1024
#define GPUIDCT_GROUP 64

/* 0: not a block */
static unsigned
blocks_per_group (const GpuKernelDevice *device, const GpuHevcTransform *transform)
{
  size_t max = 0;

  if (clGetDeviceInfo (device->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof (max), &max, NULL) != CL_SUCCESS)
    return 0;
  return (unsigned) (max < BATCH_GROUP ? max : BATCH_GROUP) / (transform->n * transform->n);
}

int
gpu_hevc_options (const GpuKernelDevice *device, const GpuHevcTransform *transform, int batch, char *buf, size_t size)
{
  unsigned per_group = batch ? blocks_per_group (device, transform) : 1;

  return snprintf (buf, size, "-DN=%u -DHEVC_BLOCKS=%u%s%s%s", transform->n, per_group ? per_group : 1, transform->dst ? " -DHEVC_DST" : "",
      transform->inverse ? " -DHEVC_INVERSE" : "", device->is_cpu ? " -DGPU_CPU" : "");
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
  self->batch_per_group = blocks_per_group (device, transform);
  if (self->batch_per_group == 0)
    return CL_INVALID_WORK_GROUP_SIZE;
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

/* A launch and its arguments */
typedef struct
{
  cl_kernel kernel;
  cl_command_queue queue;
  cl_mem in, out;
  cl_uint first;
  cl_uint number; /* the fourth argument: which dimension, or how many blocks */
  cl_int2 shift;
  size_t group, groups; /* work-items of a group, groups */
  void (*take) (void *user, cl_event event);
  void *user;
} Launch;

static cl_int
enqueue (const Launch *launch)
{
  size_t global = launch->group * launch->groups;
  const GpuKernelArg args[] = { { sizeof (launch->in), &launch->in }, { sizeof (launch->out), &launch->out },
    { sizeof (launch->first), &launch->first }, { sizeof (launch->number), &launch->number }, { sizeof (launch->shift), &launch->shift } };
  cl_int err = gpu_kernel_set_args (launch->kernel, args, sizeof (args) / sizeof (args[0]));
  cl_event event;

  if (err == CL_SUCCESS)
    err = clEnqueueNDRangeKernel (launch->queue, launch->kernel, 1, NULL, &global, &launch->group, 0, NULL, &event);
  if (err == CL_SUCCESS)
    launch->take (launch->user, event);
  return err;
}

/* Block launch->first by a launch a dimension; the host waits between them. */
static cl_int
enqueue_dimensions (Launch launch, cl_mem between)
{
  cl_mem out = launch.out;
  cl_int err;

  launch.out = between;
  launch.number = 0;
  err = enqueue (&launch);
  if (err == CL_SUCCESS)
    err = clFinish (launch.queue);
  launch.in = between;
  launch.out = out;
  launch.number = 1;
  return err == CL_SUCCESS ? enqueue (&launch) : err;
}

/* All blocks in one launch: groups of @group work-items, of @per_group blocks each */
static cl_int
enqueue_batch (Launch launch, cl_uint count, size_t group, cl_uint per_group)
{
  launch.number = count;
  launch.group = group;
  launch.groups = (count + per_group - 1) / per_group;
  return enqueue (&launch);
}

cl_int
gpu_hevc_enqueue (GpuHevcKernels *self, GpuHevcVariant variant, cl_command_queue queue, cl_mem in, cl_mem between, cl_mem out,
    cl_uint count, unsigned bit_depth, void (*take) (void *user, cl_event event), void *user)
{
  unsigned n = self->transform.n;
  Launch launch = { self->kernels[variant], queue, in, out, 0, 1, get_shift (&self->transform, bit_depth), n * n, 1, take, user };
  cl_int err = CL_SUCCESS;

  if (bit_depth < 8 || bit_depth > 12 || count == 0)
    return CL_INVALID_VALUE;
  if (variant == GPU_HEVC_ONESTEPBATCH)
    return enqueue_batch (launch, count, n * n * self->batch_per_group, self->batch_per_group);
  if (variant == GPU_HEVC_GPUIDCT && self->n_workers > 0)
    return enqueue_batch (launch, count, 1, (count + self->n_workers - 1) / self->n_workers);
  if (variant == GPU_HEVC_GPUIDCT)
    return enqueue_batch (launch, count, GPUIDCT_GROUP, GPUIDCT_GROUP / n);
  if (variant == GPU_HEVC_BUTTERFLY) {
    launch.group = n;
    launch.groups = n == 4 ? 1 : n;
  }
  for (; launch.first < count && err == CL_SUCCESS; launch.first++)
    err = variant == GPU_HEVC_ONESTEP ? enqueue (&launch) : enqueue_dimensions (launch, between);
  return err;
}
