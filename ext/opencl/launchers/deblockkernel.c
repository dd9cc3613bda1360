/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "deblockkernel.h"

/* GPU form: work-items of a work-group, the lines of an edge */
#define GROUP_SIZE 16
/* GPU form: work-groups that a compute unit can keep waiting for the rows above theirs */
#define GROUPS_PER_UNIT 4

/* Positions of the arguments of gpu_deblock that change between the launches of a picture */
#define ARG_TICKETS 7
#define ARG_FIRST_UNIT 8
#define ARG_UNIT_STEP 9
#define ARG_DIAGONAL 10

int
gpu_deblock_options (const GpuKernelDevice *device, const GstGpuPicture *picture, char *buf, size_t size)
{
  return snprintf (buf, size, "%s-DGPU_CPU=%d -DGPU_DEVICE_ATOMICS=%d -DGPU_SAMPLE_BYTES=%d -DGPU_DEPTH_LUMA=%u -DGPU_DEPTH_CHROMA=%u "
      "-DGPU_CHROMA_ARRAY_TYPE=%u", device->device_atomics ? "-cl-std=CL3.0 " : "", device->is_cpu, device->device_atomics,
      picture->bit_depth_luma > 8 || picture->bit_depth_chroma > 8 ? 2 : 1, picture->bit_depth_luma, picture->bit_depth_chroma,
      picture->chroma_array_type);
}

cl_int
gpu_deblock_kernels_init (GpuDeblockKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program,
    const GstGpuPicture *picture)
{
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->device = *device;
  self->n_sets = picture->chroma_array_type == 0 ? 1 : picture->chroma_array_type == 3 ? 3 : 2;
  self->max_height_in_mbs = picture->height_in_mbs;
  self->deblock = clCreateKernel (program, "gpu_deblock", &err);
  if (err == CL_SUCCESS)
    self->reset = clCreateKernel (program, "gpu_deblock_reset", &err);
  if (err == CL_SUCCESS && device->device_atomics)
    self->tickets = clCreateBuffer (context, CL_MEM_READ_WRITE, ((size_t) picture->height_in_mbs * self->n_sets + 1) * sizeof (cl_uint),
        NULL, &err);
  if (err != CL_SUCCESS)
    gpu_deblock_kernels_clear (self);
  return err;
}

void
gpu_deblock_kernels_clear (GpuDeblockKernels *self)
{
  if (self->deblock)
    clReleaseKernel (self->deblock);
  if (self->reset)
    clReleaseKernel (self->reset);
  if (self->tickets)
    clReleaseMemObject (self->tickets);
  memset (self, 0, sizeof (*self));
}

static cl_int
set_picture_args (GpuDeblockKernels *self, const GpuKernelPicture *picture, cl_mem boundaries, cl_mem tickets)
{
  cl_ulong mbs_offset = picture->layout.mbs, slices_offset = picture->layout.slices, boundaries_offset = picture->layout.boundaries;
  const struct
  {
    size_t size;
    const void *value;
  } args[] = {
    { sizeof (cl_mem), &picture->header },
    { sizeof (cl_ulong), &mbs_offset },
    { sizeof (cl_ulong), &slices_offset },
    { sizeof (cl_mem), boundaries ? &boundaries : NULL },
    { sizeof (cl_ulong), &boundaries_offset },
    { sizeof (cl_mem), &picture->surface },
    { sizeof (GstGpuPicture), &picture->params },
    { sizeof (cl_mem), tickets ? &tickets : NULL },
  };

  for (cl_uint i = 0; i < sizeof (args) / sizeof (args[0]); i++) {
    cl_int err = clSetKernelArg (self->deblock, i, args[i].size, args[i].value);

    if (err != CL_SUCCESS)
      return err;
  }
  return CL_SUCCESS;
}

/* One launch of gpu_deblock by @n_groups work-groups; see there. */
static cl_int
launch (GpuDeblockKernels *self, cl_command_queue queue, cl_uint first_unit, cl_uint unit_step, cl_int diagonal, size_t n_groups,
    cl_uint n_wait,
    const cl_event *wait, cl_event *event)
{
  size_t local = self->device.is_cpu ? 1 : GROUP_SIZE, global = n_groups * local;
  cl_int err = clSetKernelArg (self->deblock, ARG_FIRST_UNIT, sizeof (cl_uint), &first_unit);

  if (err == CL_SUCCESS)
    err = clSetKernelArg (self->deblock, ARG_UNIT_STEP, sizeof (cl_uint), &unit_step);
  if (err == CL_SUCCESS)
    err = clSetKernelArg (self->deblock, ARG_DIAGONAL, sizeof (cl_int), &diagonal);
  if (err == CL_SUCCESS)
    err = clEnqueueNDRangeKernel (queue, self->deblock, 1, NULL, &global, &local, n_wait, wait, event);
  return err;
}

static cl_int
enqueue_tickets (GpuDeblockKernels *self, cl_command_queue queue, cl_uint n_units, cl_uint n_wait, const cl_event *wait, cl_event *event)
{
  size_t n_groups = (size_t) self->device.compute_units * (self->device.is_cpu ? 1 : GROUPS_PER_UNIT);
  size_t local = self->device.is_cpu ? 1 : GROUP_SIZE;
  cl_uint n_words = n_units + 1;
  cl_int err = clSetKernelArg (self->reset, 0, sizeof (cl_mem), &self->tickets);

  if (err == CL_SUCCESS)
    err = clSetKernelArg (self->reset, 1, sizeof (cl_uint), &n_words);
  if (err == CL_SUCCESS)
    err = clEnqueueNDRangeKernel (queue, self->reset, 1, NULL, &local, &local, n_wait, wait, NULL);
  if (err == CL_SUCCESS)
    err = launch (self, queue, 0, 0, -1, n_groups < n_units ? n_groups : n_units, 0, NULL, event);
  return err;
}

/* Diagonal d: the macroblocks (d - 2 * y, y) */
static cl_int
enqueue_diagonals (GpuDeblockKernels *self, cl_command_queue queue, const GstGpuPicture *params, cl_uint n_wait, const cl_event *wait,
    cl_event *event)
{
  cl_uint width = params->width_in_mbs, height = params->height_in_mbs, n = width + 2 * (height - 1);

  for (cl_uint d = 0; d < n; d++) {
    cl_uint first_row = d < width ? 0 : (d - width) / 2 + 1, end_row = d / 2 + 1 < height ? d / 2 + 1 : height;
    cl_int err = launch (self, queue, first_row * self->n_sets, height * self->n_sets, (cl_int) d,
        (size_t) (end_row - first_row) * self->n_sets,
        d == 0 ? n_wait : 0, d == 0 ? wait : NULL, d + 1 == n ? event : NULL);

    if (err != CL_SUCCESS)
      return err;
  }
  return CL_SUCCESS;
}

cl_int
gpu_deblock_enqueue (GpuDeblockKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, cl_mem boundaries,
    GpuWavefront wavefront,
    cl_uint n_wait, const cl_event *wait, cl_event *event)
{
  cl_uint n_units = picture->params.height_in_mbs * self->n_sets;
  cl_mem tickets = wavefront == GPU_WAVEFRONT_TICKETS ? self->tickets : NULL;
  cl_int err;

  if ((wavefront == GPU_WAVEFRONT_TICKETS && !tickets) || picture->params.height_in_mbs > self->max_height_in_mbs)
    return CL_INVALID_VALUE;
  err = set_picture_args (self, picture, boundaries, tickets);
  if (err != CL_SUCCESS)
    return err;
  if (wavefront == GPU_WAVEFRONT_TICKETS)
    return enqueue_tickets (self, queue, n_units, n_wait, wait, event);
  if (wavefront == GPU_WAVEFRONT_DIAGONALS)
    return enqueue_diagonals (self, queue, &picture->params, n_wait, wait, event);
  return launch (self, queue, 0, self->n_sets, -1, self->n_sets, n_wait, wait, event);
}
