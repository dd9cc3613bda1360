/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "wavefront.h"

/* State of ticketed launches, in ints: as in kernels/wavefront.cl */
#define STATE_SIZE(n_rows) (((size_t) (n_rows) + 1) * 16)

/* Arguments from first_arg on */
enum
{
  ARG_LAUNCH,
  ARG_DIAGONAL,
  ARG_FIRST_ROW,
  ARG_STATE,
  ARG_STATE_STRIDE
};

cl_int
gpu_wavefront_init (GpuWavefrontLauncher *self, const GpuKernelDevice *device, cl_context context, cl_program program, const char *kernel,
    cl_uint first_arg, size_t group_size)
{
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->kernel = clCreateKernel (program, kernel, &err);
  self->device = *device;
  self->context = context;
  self->first_arg = first_arg;
  self->group_size = group_size;
  return err;
}

void
gpu_wavefront_clear (GpuWavefrontLauncher *self)
{
  if (self->kernel)
    clReleaseKernel (self->kernel);
  if (self->state)
    clReleaseMemObject (self->state);
  memset (self, 0, sizeof (*self));
}

/* Room for the progress of @n_rows rows of @parts parts, all zero.  Commands in flight keep the buffer that they were given. */
static cl_int
reserve_state (GpuWavefrontLauncher *self, cl_uint n_rows, cl_uint parts)
{
  size_t size = STATE_SIZE (n_rows) * parts * sizeof (cl_int);
  cl_mem state;
  void *zeros;
  cl_int err;

  if (self->state && n_rows <= self->state_rows && parts <= self->state_parts)
    return CL_SUCCESS;
  zeros = calloc (1, size);
  if (!zeros)
    return CL_OUT_OF_HOST_MEMORY;
  state = clCreateBuffer (self->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, zeros, &err);
  free (zeros);
  if (err != CL_SUCCESS)
    return err;
  if (self->state)
    clReleaseMemObject (self->state);
  self->state = state;
  self->state_rows = n_rows;
  self->state_parts = parts;
  return CL_SUCCESS;
}

static cl_int
set_arg (GpuWavefrontLauncher *self, cl_uint arg, cl_uint value)
{
  return clSetKernelArg (self->kernel, self->first_arg + arg, sizeof (value), &value);
}

static cl_int
set_args (GpuWavefrontLauncher *self, GpuWavefront mode)
{
  cl_int err = set_arg (self, ARG_LAUNCH, (cl_uint) mode);

  if (err == CL_SUCCESS)
    err = set_arg (self, ARG_DIAGONAL, 0);
  if (err == CL_SUCCESS)
    err = set_arg (self, ARG_FIRST_ROW, 0);
  if (err == CL_SUCCESS)
    err = clSetKernelArg (self->kernel, self->first_arg + ARG_STATE, sizeof (cl_mem), &self->state);
  if (err == CL_SUCCESS)
    err = set_arg (self, ARG_STATE_STRIDE, (cl_uint) STATE_SIZE (self->state_rows));
  return err;
}

static cl_int
launch_groups (GpuWavefrontLauncher *self, cl_command_queue queue, cl_uint n_groups, cl_uint parts, cl_uint n_wait, const cl_event *wait,
    cl_event *event)
{
  size_t local[2] = { self->group_size, 1 }, global[2] = { n_groups * local[0], parts };

  return clEnqueueNDRangeKernel (queue, self->kernel, 2, NULL, global, local, n_wait, n_wait ? wait : NULL, event);
}

/* Diagonal d: units with x + 2 * y = d, so that the neighbour above right is on diagonal d - 1 */
static cl_int
launch_diagonals (GpuWavefrontLauncher *self, cl_command_queue queue, cl_uint width, cl_uint height, cl_uint parts, cl_uint n_wait,
    const cl_event *wait, cl_event *event, unsigned *n_launches)
{
  cl_uint last = width - 1 + 2 * (height - 1);

  for (cl_uint d = 0; d <= last; d++) {
    cl_uint first_row = d < width ? 0 : (d - width + 2) / 2, end_row = d / 2 < height ? d / 2 + 1 : height;
    cl_int err = set_arg (self, ARG_DIAGONAL, d);

    if (err == CL_SUCCESS)
      err = set_arg (self, ARG_FIRST_ROW, first_row);
    /* every second diagonal of a picture of one column is empty */
    if (err == CL_SUCCESS && first_row < end_row)
      err = launch_groups (self, queue, end_row - first_row, parts, d == 0 ? n_wait : 0, wait, d == last ? event : NULL);
    if (err != CL_SUCCESS)
      return err;
    *n_launches += first_row < end_row;
  }
  return CL_SUCCESS;
}

/* Work-groups a part, of launches other than DIAGONALS */
static cl_uint
choose_n_groups (const GpuWavefrontLauncher *self, GpuWavefront mode, cl_uint rows, cl_uint n_in_order)
{
  cl_uint n;

  if (mode == GPU_WAVEFRONT_IN_ORDER)
    n = n_in_order;
  else
    n = self->n_groups ? self->n_groups : self->device.is_cpu ? self->device.compute_units : rows;
  return n < rows ? n : rows;
}

cl_int
gpu_wavefront_enqueue (GpuWavefrontLauncher *self, cl_command_queue queue, GpuWavefront mode, const GstGpuPicture *params, cl_uint parts,
    cl_uint n_in_order, cl_uint n_wait, const cl_event *wait, cl_event *event, unsigned *n_launches)
{
  cl_uint width = params->width_in_mbs, height = params->mbaff ? params->height_in_mbs / 2 : params->height_in_mbs;
  unsigned n = 0;
  cl_int err;

  if (width == 0 || height == 0 || (mode == GPU_WAVEFRONT_TICKETS && !self->device.device_atomics))
    return CL_INVALID_VALUE;
  err = reserve_state (self, height, parts);
  if (err == CL_SUCCESS)
    err = set_args (self, mode);
  if (err == CL_SUCCESS && mode == GPU_WAVEFRONT_DIAGONALS) {
    err = launch_diagonals (self, queue, width, height, parts, n_wait, wait, event, &n);
  } else if (err == CL_SUCCESS) {
    err = launch_groups (self, queue, choose_n_groups (self, mode, height, n_in_order), parts, n_wait, wait, event);
    n = 1;
  }
  if (n_launches)
    *n_launches = n;
  return err;
}
