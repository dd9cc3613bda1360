/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "deblockkernel.h"

/* GPU form: work-items of a work-group, the lines of an edge */
#define GROUP_SIZE 16

/* Number of the kernel's argument launch, with which those of a wavefront begin */
#define ARG_LAUNCH 7

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
  self->n_sets = picture->chroma_array_type == 0 ? 1 : picture->chroma_array_type == 3 ? 3 : 2;
  err = gpu_wavefront_init (&self->pictures, device, context, program, "gpu_deblock", ARG_LAUNCH, group_size);
  if (err == CL_SUCCESS)
    err = gpu_wavefront_init (&self->mbaff_frames, device, context, program, "gpu_deblock_mbaff", ARG_LAUNCH, group_size);
  if (err != CL_SUCCESS)
    gpu_deblock_kernels_clear (self);
  return err;
}

void
gpu_deblock_kernels_clear (GpuDeblockKernels *self)
{
  gpu_wavefront_clear (&self->pictures);
  gpu_wavefront_clear (&self->mbaff_frames);
  memset (self, 0, sizeof (*self));
}

static cl_int
set_args (cl_kernel kernel, const GpuKernelPicture *picture, cl_mem boundaries)
{
  cl_ulong mbs_offset = picture->layout.mbs, slices_offset = picture->layout.slices, boundaries_offset = picture->layout.boundaries;
  const struct
  {
    size_t size;
    const void *value;
  } args[ARG_LAUNCH] = {
    { sizeof (cl_mem), &picture->header },
    { sizeof (cl_ulong), &mbs_offset },
    { sizeof (cl_ulong), &slices_offset },
    { sizeof (cl_mem), boundaries ? &boundaries : NULL },
    { sizeof (cl_ulong), &boundaries_offset },
    { sizeof (cl_mem), &picture->surface },
    { sizeof (GstGpuPicture), &picture->params },
  };

  for (cl_uint i = 0; i < sizeof (args) / sizeof (args[0]); i++) {
    cl_int err = clSetKernelArg (kernel, i, args[i].size, args[i].value);

    if (err != CL_SUCCESS)
      return err;
  }
  return CL_SUCCESS;
}

cl_int
gpu_deblock_enqueue (GpuDeblockKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, cl_mem boundaries,
    GpuWavefront wavefront, cl_uint n_wait, const cl_event *wait, cl_event *event, unsigned *n_launches)
{
  GpuWavefrontLauncher *launcher = picture->params.mbaff ? &self->mbaff_frames : &self->pictures;
  cl_int err = set_args (launcher->kernel, picture, boundaries);

  if (err != CL_SUCCESS)
    return err;
  return gpu_wavefront_enqueue (launcher, queue, wavefront, &picture->params, self->n_sets, 1, n_wait, wait, event, n_launches);
}
