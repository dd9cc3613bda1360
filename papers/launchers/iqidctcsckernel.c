/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "iqidctcsckernel.h"

void
gpu_iq_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem levels, cl_mem coeffs, cl_mem coded, cl_uint n_coded, cl_mem qp)
{
  size_t global[3] = { n_coded, 1, 1 };

  gpu_launches_add (launches, kernel, global, 4, GPU_ARG (levels), GPU_ARG (coeffs), GPU_ARG (coded), GPU_ARG (qp));
}

void
gpu_idct_apart_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem coeffs, cl_mem residual, cl_mem coded, cl_uint n_coded)
{
  size_t global[3] = { n_coded, 1, 1 };

  gpu_launches_add (launches, kernel, global, 3, GPU_ARG (coeffs), GPU_ARG (residual), GPU_ARG (coded));
}

void
gpu_csc_apart_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem picture, cl_mem rgb, cl_uint width, cl_uint height)
{
  size_t global[3] = { width / 16, height / 2, 1 };

  gpu_launches_add (launches, kernel, global, 4, GPU_ARG (picture), GPU_ARG (rgb), GPU_ARG (width), GPU_ARG (height));
}
