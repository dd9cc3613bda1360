/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "deblockkernel.h"

/* GPU form: work-items of a work-group, the lines of an edge */
#define GROUP_SIZE 16

/* GPU form: work-items of the kernels of boundary strengths a macroblock */
#define BOUNDARY_ITEMS 8

/* Number of the kernel's argument launch, with which those of a wavefront begin */
#define ARG_LAUNCH 6

int
gpu_deblock_options (const GpuKernelDevice *device, const GstGpuPicture *picture, char *buf, size_t size)
{
  return snprintf (buf, size,
      "%s%s-DGPU_SAMPLE_BYTES=%d -DGPU_DEPTH_LUMA=%u -DGPU_DEPTH_CHROMA=%u "
      "-DGPU_CHROMA_ARRAY_TYPE=%u",
      device->device_atomics ? "-cl-std=CL3.0 -DGPU_DEVICE_ATOMICS " : "", device->is_cpu ? "-DGPU_CPU " : "",
      picture->bit_depth_luma > 8 || picture->bit_depth_chroma > 8 ? 2 : 1, picture->bit_depth_luma, picture->bit_depth_chroma,
      picture->chroma_array_type);
}

cl_int
gpu_deblock_kernels_init (GpuDeblockKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program,
    const GstGpuPicture *picture)
{
  size_t group_size = device->is_cpu ? 1 : GROUP_SIZE;
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->context = context;
  self->is_cpu = device->is_cpu;
  self->n_sets = picture->chroma_array_type == 0 ? 1 : picture->chroma_array_type == 3 ? 3 : 2;
  err = gpu_wavefront_init (&self->pictures, device, context, program, "gpu_deblock", ARG_LAUNCH, group_size);
  if (err == CL_SUCCESS)
    err = gpu_wavefront_init (&self->mbaff_frames, device, context, program, "gpu_deblock_mbaff", ARG_LAUNCH, group_size);
  if (err == CL_SUCCESS)
    self->boundary = clCreateKernel (program, "gpu_boundary", &err);
  if (err == CL_SUCCESS)
    self->mbaff_boundary = clCreateKernel (program, "gpu_boundary_mbaff", &err);
  if (err != CL_SUCCESS)
    gpu_deblock_kernels_clear (self);
  return err;
}

void
gpu_deblock_kernels_clear (GpuDeblockKernels *self)
{
  gpu_wavefront_clear (&self->pictures);
  gpu_wavefront_clear (&self->mbaff_frames);
  if (self->boundary)
    clReleaseKernel (self->boundary);
  if (self->mbaff_boundary)
    clReleaseKernel (self->mbaff_boundary);
  if (self->boundaries)
    clReleaseMemObject (self->boundaries);
  memset (self, 0, sizeof (*self));
}

/* Room for the strengths of @n macroblocks.  Commands in flight keep the buffer that they were given. */
static cl_int
reserve_boundaries (GpuDeblockKernels *self, size_t n)
{
  cl_mem boundaries;
  cl_int err;

  if (n <= self->n_boundaries)
    return CL_SUCCESS;
  boundaries = clCreateBuffer (self->context, CL_MEM_READ_WRITE, n * sizeof (GstGpuBoundary), NULL, &err);
  if (err != CL_SUCCESS)
    return err;
  if (self->boundaries)
    clReleaseMemObject (self->boundaries);
  self->boundaries = boundaries;
  self->n_boundaries = n;
  return CL_SUCCESS;
}

/* Derives the strengths of @picture. */
static cl_int
enqueue_boundaries (GpuDeblockKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, cl_uint n_wait, const cl_event *wait)
{
  const GstGpuPicture *params = &picture->params;
  cl_kernel kernel = params->mbaff ? self->mbaff_boundary : self->boundary;
  size_t n_mbs = (size_t) params->width_in_mbs * params->height_in_mbs, one = 1, size;
  cl_ulong mbs_offset = picture->layout.mbs, partitions_offset = picture->layout.partitions,
           inter_slices_offset = picture->layout.inter_slices;
  cl_int err = reserve_boundaries (self, n_mbs);

  if (err == CL_SUCCESS) {
    const GpuKernelArg args[] = {
      { sizeof (cl_mem), &picture->header },
      { sizeof (cl_ulong), &mbs_offset },
      { sizeof (cl_ulong), &partitions_offset },
      { sizeof (cl_ulong), &inter_slices_offset },
      { sizeof (cl_uint), &params->width_in_mbs },
      { sizeof (cl_mem), &self->boundaries },
    };

    err = gpu_kernel_set_args (kernel, args, sizeof (args) / sizeof (args[0]));
  }
  if (err != CL_SUCCESS)
    return err;
  size = self->is_cpu ? params->height_in_mbs >> params->mbaff : n_mbs * BOUNDARY_ITEMS;
  return clEnqueueNDRangeKernel (queue, kernel, 1, NULL, &size, self->is_cpu ? &one : NULL, n_wait, n_wait ? wait : NULL, NULL);
}

static cl_int
set_filter_args (GpuDeblockKernels *self, cl_kernel kernel, const GpuKernelPicture *picture, int has_inter)
{
  cl_ulong mbs_offset = picture->layout.mbs, slices_offset = picture->layout.slices;
  const GpuKernelArg args[ARG_LAUNCH] = {
    { sizeof (cl_mem), &picture->header },
    { sizeof (cl_ulong), &mbs_offset },
    { sizeof (cl_ulong), &slices_offset },
    { sizeof (cl_mem), has_inter ? &self->boundaries : NULL },
    { sizeof (cl_mem), &picture->surface },
    { sizeof (GstGpuPicture), &picture->params },
  };

  return gpu_kernel_set_args (kernel, args, ARG_LAUNCH);
}

cl_int
gpu_deblock_enqueue (GpuDeblockKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, int has_inter,
    GpuWavefront wavefront, cl_uint n_wait, const cl_event *wait, cl_event *event, unsigned *n_launches)
{
  const GstGpuPicture *params = &picture->params;
  GpuWavefrontLauncher *launcher = params->mbaff ? &self->mbaff_frames : &self->pictures;
  unsigned n = 0;
  cl_int err = CL_SUCCESS;

  if (params->width_in_mbs == 0 || params->height_in_mbs == 0)
    return CL_INVALID_VALUE;
  if (has_inter) {
    err = enqueue_boundaries (self, queue, picture, n_wait, wait);
    n_wait = 0; /* the filter comes behind it in the queue */
  }
  if (err == CL_SUCCESS)
    err = set_filter_args (self, launcher->kernel, picture, has_inter);
  if (err == CL_SUCCESS)
    err = gpu_wavefront_enqueue (launcher, queue, wavefront, params, self->n_sets, 1, n_wait, wait, event, &n);
  if (n_launches)
    *n_launches = n + (has_inter ? 1 : 0);
  return err;
}
