/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "qpkernel.h"

cl_int
gpu_qp_kernels_init (GpuQpKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program)
{
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->is_cpu = device->is_cpu;
  err = gpu_scan_kernels_init (&self->scan, context, program);
  if (err == CL_SUCCESS)
    self->of_records = clCreateKernel (program, "gpu_qp_of_records", &err);
  if (err == CL_SUCCESS)
    self->to_records = clCreateKernel (program, "gpu_qp_to_records", &err);
  if (err != CL_SUCCESS)
    gpu_qp_kernels_clear (self);
  return err;
}

void
gpu_qp_kernels_clear (GpuQpKernels *self)
{
  gpu_scan_kernels_clear (&self->scan);
  if (self->of_records)
    clReleaseKernel (self->of_records);
  if (self->to_records)
    clReleaseKernel (self->to_records);
  memset (self, 0, sizeof (*self));
}

cl_int
gpu_qp_records_enqueue (GpuQpKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, cl_uint n_wait, const cl_event *wait,
    cl_event *event, unsigned *n_launches)
{
  GpuLaunches launches = { .queue = queue, .is_cpu = self->is_cpu };
  cl_uint n = picture->params.width_in_mbs * picture->params.height_in_mbs, pitch = gpu_scan_pitch (n);
  cl_int offset_luma = 6 * ((cl_int) picture->params.bit_depth_luma - 8);
  cl_int offset_chroma = 6 * ((cl_int) picture->params.bit_depth_chroma - 8);
  cl_ulong mbs_offset = picture->layout.mbs, slices_offset = picture->layout.slices;
  size_t pairs[3] = { pitch, 1, 1 }, mbs[3] = { n, 1, 1 };

  launches.err = gpu_scan_reserve_pairs (&self->scan, pitch);
  if (launches.err == CL_SUCCESS && n_wait > 0)
    launches.err = clEnqueueBarrierWithWaitList (queue, n_wait, wait, NULL);
  gpu_launches_add (&launches, self->of_records, pairs, 4, GPU_ARG (self->scan.pairs), GPU_ARG (picture->header), GPU_ARG (mbs_offset),
      GPU_ARG (n));
  gpu_scan_enqueue (&self->scan, &launches, self->scan.pairs, n, 1, GPU_SCAN_SCAN);
  gpu_launches_add (&launches, self->to_records, mbs, 6, GPU_ARG (self->scan.pairs), GPU_ARG (picture->header), GPU_ARG (mbs_offset),
      GPU_ARG (slices_offset), GPU_ARG (offset_luma), GPU_ARG (offset_chroma));
  if (launches.err == CL_SUCCESS && event)
    launches.err = clEnqueueMarkerWithWaitList (queue, 0, NULL, event);
  if (n_launches)
    *n_launches = launches.n_launches;
  return launches.err;
}
