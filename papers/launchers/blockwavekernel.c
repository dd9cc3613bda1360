/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "blockwavekernel.h"

unsigned
gpu_block_wave_n_launches (GpuBlockWave direction, unsigned width, unsigned height)
{
  return width / 4 + (unsigned) direction * (height / 4 - 1);
}

void
gpu_block_wave_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem picture, cl_uint width,
    cl_uint height, GpuBlockWave direction)
{
  cl_uint across = width / 4, down = height / 4, slope = direction, n = gpu_block_wave_n_launches (direction, width, height);

  for (cl_uint wave = 0; wave < n; wave++) {
    cl_uint first = wave < across ? 0 : (wave - across) / slope + 1, end = wave / slope < down ? wave / slope + 1 : down;
    size_t global[3] = { end > first ? end - first : 0, 1, 1 };

    gpu_launches_add (launches, kernel, global, 7, GPU_ARG (modes), GPU_ARG (residual), GPU_ARG (picture), GPU_ARG (width), GPU_ARG (wave),
        GPU_ARG (slope), GPU_ARG (first));
  }
}
