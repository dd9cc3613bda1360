/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "blockwavekernel.h"

static unsigned
n_waves (GpuBlockWave direction, unsigned across, unsigned down)
{
  return across + (unsigned) direction * (down - 1);
}

unsigned
gpu_block_wave_n_launches (GpuBlockWave direction, unsigned width, unsigned height)
{
  return n_waves (direction, width / 4, height / 4);
}

unsigned
gpu_sample_wave_n_launches (GpuBlockWave direction, unsigned width, unsigned height)
{
  return n_waves (direction, width, height);
}

/* Blocks of @side samples */
static void
add_waves (cl_kernel kernel, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem picture, cl_uint width, cl_uint height,
    cl_uint side, GpuBlockWave direction)
{
  cl_uint across = width / side, down = height / side, slope = direction, n = n_waves (direction, across, down);

  for (cl_uint wave = 0; wave < n; wave++) {
    cl_uint first = wave < across ? 0 : (wave - across) / slope + 1, end = wave / slope < down ? wave / slope + 1 : down;
    size_t global[3] = { end > first ? end - first : 0, 1, 1 };

    gpu_launches_add (launches, kernel, global, 7, GPU_ARG (modes), GPU_ARG (residual), GPU_ARG (picture), GPU_ARG (width), GPU_ARG (wave),
        GPU_ARG (slope), GPU_ARG (first));
  }
}

void
gpu_block_wave_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem picture, cl_uint width,
    cl_uint height, GpuBlockWave direction)
{
  add_waves (kernel, launches, modes, residual, picture, width, height, 4, direction);
}

void
gpu_sample_wave_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem picture, cl_uint width,
    cl_uint height, GpuBlockWave direction)
{
  add_waves (kernel, launches, modes, residual, picture, width, height, 1, direction);
}

/* ---- repair ---- */

/* Work-items of the group that repairs; a CPU would only wait for each of them */
#define REPAIR_ITEMS 64

static cl_mem
create_zeros (cl_context context, size_t n, cl_int *err)
{
  cl_uint *zeros = calloc (n, sizeof (*zeros));
  cl_mem buffer = NULL;

  *err = CL_OUT_OF_HOST_MEMORY;
  if (zeros)
    buffer = clCreateBuffer (context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, n * sizeof (*zeros), zeros, err);
  free (zeros);
  return buffer;
}

cl_int
gpu_block_repair_init (GpuBlockRepair *self, cl_context context, cl_program program, cl_uint width, cl_uint height)
{
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->width = width;
  self->height = height;
  self->check = clCreateKernel (program, "gpu_block_check", &err);
  if (err == CL_SUCCESS)
    self->repair = clCreateKernel (program, "gpu_block_repair", &err);
  if (err == CL_SUCCESS)
    self->marks = create_zeros (context, (size_t) (width / 4) * (height / 4), &err);
  if (err == CL_SUCCESS)
    self->counts = create_zeros (context, width / 4 + height / 4, &err);
  if (err == CL_SUCCESS)
    self->totals = create_zeros (context, 2, &err);
  if (err != CL_SUCCESS)
    gpu_block_repair_clear (self);
  return err;
}

void
gpu_block_repair_clear (GpuBlockRepair *self)
{
  const cl_mem buffers[3] = { self->marks, self->counts, self->totals };

  for (unsigned i = 0; i < 3; i++)
    if (buffers[i])
      clReleaseMemObject (buffers[i]);
  if (self->check)
    clReleaseKernel (self->check);
  if (self->repair)
    clReleaseKernel (self->repair);
  memset (self, 0, sizeof (*self));
}

void
gpu_block_repair_enqueue (GpuBlockRepair *self, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem picture)
{
  size_t blocks[3] = { self->width / 4, self->height / 4, 1 }, group[3] = { launches->is_cpu ? 1 : REPAIR_ITEMS, 1, 1 };

  gpu_launches_add (launches, self->check, blocks, 7, GPU_ARG (modes), GPU_ARG (residual), GPU_ARG (picture), GPU_ARG (self->width),
      GPU_ARG (self->marks), GPU_ARG (self->counts), GPU_ARG (self->totals));
  gpu_launches_add_groups (launches, self->repair, group, group, 8, GPU_ARG (modes), GPU_ARG (residual), GPU_ARG (picture),
      GPU_ARG (self->width), GPU_ARG (self->height), GPU_ARG (self->marks), GPU_ARG (self->counts), GPU_ARG (self->totals));
}

cl_int
gpu_block_repair_read_totals (GpuBlockRepair *self, cl_command_queue queue, cl_uint totals[2])
{
  const cl_uint zeros[2] = { 0, 0 };
  cl_int err = clEnqueueReadBuffer (queue, self->totals, CL_TRUE, 0, sizeof (zeros), totals, 0, NULL, NULL);

  if (err != CL_SUCCESS)
    return err;
  return clEnqueueWriteBuffer (queue, self->totals, CL_TRUE, 0, sizeof (zeros), zeros, 0, NULL, NULL);
}
