/* SPDX-License-Identifier: LGPL-2.1-or-later */
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
