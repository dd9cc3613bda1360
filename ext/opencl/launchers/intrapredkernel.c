/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intrapredkernel.h"

/* GPU form: work-items of a group, which is a macroblock's */
#define GROUP_SIZE 64

/* State of ticketed launches, in ints: as in kernels/intrapredorder.cl, which also has the numbers of GpuWavefront */
#define STATE_SIZE(n_rows) (((size_t) (n_rows) + 1) * 16)

/* Arguments of the kernel that differ from launch to launch */
#define ARG_DIAGONAL 7
#define ARG_FIRST_ROW 8

int
gpu_intrapred_options (const GpuKernelDevice *device, const GstGpuPicture *picture, char *buf, size_t size)
{
  unsigned bytes = picture->bit_depth_luma == 8 && picture->bit_depth_chroma == 8 ? 1 : 2;
  char form[32];

  if (device->is_cpu)
    snprintf (form, sizeof (form), "-DGPU_CPU");
  else
    snprintf (form, sizeof (form), "-DGPU_GROUP_SIZE=%d", GROUP_SIZE);
  return snprintf (buf, size, "%s%s -DGPU_SAMPLE_BYTES=%u -DGPU_DEPTH_LUMA=%u -DGPU_DEPTH_CHROMA=%u -DGPU_CHROMA_ARRAY_TYPE=%u",
      device->device_atomics ? "-cl-std=CL3.0 -DGPU_DEVICE_ATOMICS " : "", form, bytes, picture->bit_depth_luma, picture->bit_depth_chroma,
      picture->chroma_array_type);
}

cl_int
gpu_intrapred_kernels_init (GpuIntrapredKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program,
    const GstGpuPicture *picture)
{
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->kernel = clCreateKernel (program, "gpu_intrapred", &err);
  if (err != CL_SUCCESS)
    return err;
  self->device = *device;
  self->context = context;
  return CL_SUCCESS;
}

void
gpu_intrapred_kernels_clear (GpuIntrapredKernels *self)
{
  if (self->kernel)
    clReleaseKernel (self->kernel);
  if (self->state)
    clReleaseMemObject (self->state);
  memset (self, 0, sizeof (*self));
}

/* Work-groups side by side, each with its own planes: luma and the two of chroma on a CPU, otherwise a plane each */
static cl_uint
n_parts (const GpuIntrapredKernels *self, const GstGpuPicture *params)
{
  if (params->chroma_array_type == 0)
    return 1;
  return self->device.is_cpu && params->chroma_array_type != 3 ? 2 : 3;
}

/* Room for the progress of @n_rows rows, all zero.  Commands in flight keep the buffer that they were given. */
static cl_int
reserve_state (GpuIntrapredKernels *self, cl_uint n_rows)
{
  size_t size = STATE_SIZE (n_rows) * 3 * sizeof (cl_int);
  cl_mem state;
  void *zeros;
  cl_int err;

  if (self->state && n_rows <= self->rows_allocated)
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
  self->rows_allocated = n_rows;
  return CL_SUCCESS;
}

static cl_int
set_args (GpuIntrapredKernels *self, const GpuKernelPicture *picture, GpuWavefront wavefront)
{
  cl_ulong mbs_offset = picture->layout.mbs;
  cl_uint launch = (cl_uint) wavefront;
  cl_uint zero = 0, state_stride = (cl_uint) STATE_SIZE (self->rows_allocated);
  const struct
  {
    size_t size;
    const void *value;
  } args[] = {
    { sizeof (GstGpuPicture), &picture->params },
    { sizeof (cl_mem), &picture->header },
    { sizeof (cl_ulong), &mbs_offset },
    { sizeof (cl_mem), &picture->coeffs },
    { sizeof (cl_mem), &picture->dc },
    { sizeof (cl_mem), &picture->surface },
    { sizeof (cl_uint), &launch },
    { sizeof (cl_uint), &zero },
    { sizeof (cl_uint), &zero },
    { sizeof (cl_mem), &self->state },
    { sizeof (cl_uint), &state_stride },
  };

  for (cl_uint i = 0; i < sizeof (args) / sizeof (args[0]); i++) {
    cl_int err = clSetKernelArg (self->kernel, i, args[i].size, args[i].value);

    if (err != CL_SUCCESS)
      return err;
  }
  return CL_SUCCESS;
}

static cl_int
launch_groups (GpuIntrapredKernels *self, cl_command_queue queue, cl_uint n_groups, cl_uint parts, cl_uint n_wait, const cl_event *wait,
    cl_event *event)
{
  size_t local[2] = { self->device.is_cpu ? 1 : GROUP_SIZE, 1 }, global[2] = { n_groups * local[0], parts };

  return clEnqueueNDRangeKernel (queue, self->kernel, 2, NULL, global, local, n_wait, n_wait ? wait : NULL, event);
}

/* Diagonal d: macroblocks with x + 2 * y = d, so that the neighbour above right is on diagonal d - 1 */
static cl_int
launch_diagonals (GpuIntrapredKernels *self, cl_command_queue queue, const GstGpuPicture *params, cl_uint n_wait, const cl_event *wait,
    cl_event *event,
    unsigned *n_launches)
{
  cl_uint width = params->width_in_mbs, height = params->height_in_mbs, last = width - 1 + 2 * (height - 1), parts = n_parts (self, params);

  for (cl_uint d = 0; d <= last; d++) {
    cl_uint first_row = d < width ? 0 : (d - width + 2) / 2, end_row = d / 2 < height ? d / 2 + 1 : height;
    cl_int err = clSetKernelArg (self->kernel, ARG_DIAGONAL, sizeof (cl_uint), &d);

    if (err == CL_SUCCESS)
      err = clSetKernelArg (self->kernel, ARG_FIRST_ROW, sizeof (cl_uint), &first_row);
    /* every second diagonal of a picture of one column is empty */
    if (err == CL_SUCCESS && first_row < end_row)
      err = launch_groups (self, queue, end_row - first_row, parts, d == 0 ? n_wait : 0, wait, d == last ? event : NULL);
    if (err != CL_SUCCESS)
      return err;
    *n_launches += first_row < end_row;
  }
  return CL_SUCCESS;
}

/* Work-groups a part of the planes, of launches other than DIAGONALS */
static cl_uint
choose_n_groups (const GpuIntrapredKernels *self, const GstGpuPicture *params, GpuWavefront wavefront)
{
  cl_uint rows = params->height_in_mbs, n;

  if (wavefront == GPU_WAVEFRONT_IN_ORDER)
    n = params->slices_contiguous && params->n_slices > 1 ? params->n_slices : 1;
  else
    n = self->n_groups ? self->n_groups : self->device.is_cpu ? self->device.compute_units : rows;
  return n < rows ? n : rows;
}

cl_int
gpu_intrapred_enqueue (GpuIntrapredKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, GpuWavefront wavefront,
    cl_uint n_wait,
    const cl_event *wait, cl_event *event, unsigned *n_launches)
{
  const GstGpuPicture *params = &picture->params;
  unsigned n = 0;
  cl_int err;

  if (params->width_in_mbs == 0 || params->height_in_mbs == 0 || params->mbaff)
    return CL_INVALID_VALUE;
  if (wavefront == GPU_WAVEFRONT_TICKETS && !self->device.device_atomics)
    return CL_INVALID_VALUE;
  err = reserve_state (self, params->height_in_mbs);
  if (err == CL_SUCCESS)
    err = set_args (self, picture, wavefront);
  if (err == CL_SUCCESS && wavefront == GPU_WAVEFRONT_DIAGONALS) {
    err = launch_diagonals (self, queue, params, n_wait, wait, event, &n);
  } else if (err == CL_SUCCESS) {
    err = launch_groups (self, queue, choose_n_groups (self, params, wavefront), n_parts (self, params), n_wait, wait, event);
    n = 1;
  }
  if (n_launches)
    *n_launches = n;
  return err;
}
