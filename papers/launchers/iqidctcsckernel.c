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

#define THREADS 12

/* A macroblock a group, whatever the device */
static void
add_mbs (GpuLaunches *launches, cl_kernel kernel, cl_uint n_mbs)
{
  size_t local = THREADS, global = (size_t) n_mbs * THREADS;

  if (launches->err == CL_SUCCESS)
    launches->err = clEnqueueNDRangeKernel (launches->queue, kernel, 1, NULL, &global, &local, 0, NULL,
        launches->next_event ? launches->next_event (launches->user) : NULL);
}

static void
set_buffers (GpuLaunches *launches, cl_kernel kernel, const cl_mem buffers[3])
{
  for (cl_uint i = 0; i < 3 && launches->err == CL_SUCCESS; i++)
    launches->err = clSetKernelArg (kernel, i, sizeof (cl_mem), &buffers[i]);
}

void
gpu_iq_published_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem levels, cl_mem scales, cl_mem coeffs, cl_uint n_mbs)
{
  const cl_mem buffers[3] = { levels, scales, coeffs };

  set_buffers (launches, kernel, buffers);
  add_mbs (launches, kernel, n_mbs);
}

void
gpu_idct_published_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem coeffs, cl_mem residual, cl_mem cbp, cl_uint n_mbs)
{
  const cl_mem buffers[3] = { coeffs, residual, cbp };

  set_buffers (launches, kernel, buffers);
  add_mbs (launches, kernel, n_mbs);
}

void
gpu_csc_published_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem picture, cl_mem rgb, cl_uint width, cl_uint height)
{
  size_t global[3] = { (width + 31) / 32, height, 1 };

  gpu_launches_add (launches, kernel, global, 4, GPU_ARG (picture), GPU_ARG (rgb), GPU_ARG (width), GPU_ARG (height));
}
