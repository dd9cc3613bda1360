/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "intrapredkernel.h"

/* GPU form: work-items of a group, which is a macroblock's */
#define GROUP_SIZE 64

/* Number of the kernel's argument launch, with which those of a wavefront begin */
#define ARG_LAUNCH 6

int
gpu_intrapred_options (const GpuKernelDevice *device, const GstGpuPicture *picture, char *buf, size_t size)
{
  unsigned bytes = picture->bit_depth_luma == 8 && picture->bit_depth_chroma == 8 ? 1 : 2;
  char form[64];

  if (device->is_cpu)
    snprintf (form, sizeof (form), "-DGPU_CPU%s", device->builtin_prefetch ? " -DGPU_BUILTIN_PREFETCH" : "");
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
  size_t group_size = device->is_cpu ? 1 : GROUP_SIZE;
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->is_cpu = device->is_cpu;
  err = gpu_wavefront_init (&self->pictures, device, context, program, "gpu_intrapred", ARG_LAUNCH, group_size);
  if (err == CL_SUCCESS)
    err = gpu_wavefront_init (&self->mbaff_frames, device, context, program, "gpu_intrapred_mbaff", ARG_LAUNCH, group_size);
  if (err != CL_SUCCESS)
    gpu_intrapred_kernels_clear (self);
  return err;
}

void
gpu_intrapred_kernels_clear (GpuIntrapredKernels *self)
{
  gpu_wavefront_clear (&self->pictures);
  gpu_wavefront_clear (&self->mbaff_frames);
  memset (self, 0, sizeof (*self));
}

/* Work-groups side by side, each with its own planes: luma and the two of chroma on a CPU, otherwise a plane each */
static cl_uint
n_parts (const GpuIntrapredKernels *self, const GstGpuPicture *params)
{
  if (params->chroma_array_type == 0)
    return 1;
  return self->is_cpu && params->chroma_array_type != 3 ? 2 : 3;
}

static cl_int
set_args (cl_kernel kernel, const GpuKernelPicture *picture)
{
  cl_ulong mbs_offset = picture->layout.mbs;
  const GpuKernelArg args[ARG_LAUNCH] = {
    { sizeof (GstGpuPicture), &picture->params },
    { sizeof (cl_mem), &picture->header },
    { sizeof (cl_ulong), &mbs_offset },
    { sizeof (cl_mem), &picture->coeffs },
    { sizeof (cl_mem), &picture->dc },
    { sizeof (cl_mem), &picture->surface },
  };

  return gpu_kernel_set_args (kernel, args, ARG_LAUNCH);
}

cl_int
gpu_intrapred_enqueue (GpuIntrapredKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, GpuWavefront wavefront,
    cl_uint n_wait, const cl_event *wait, cl_event *event, unsigned *n_launches)
{
  const GstGpuPicture *params = &picture->params;
  GpuWavefrontLauncher *launcher = params->mbaff ? &self->mbaff_frames : &self->pictures;
  cl_uint n_slices = params->slices_contiguous && params->n_slices > 1 ? params->n_slices : 1;
  cl_int err = set_args (launcher->kernel, picture);

  if (err != CL_SUCCESS)
    return err;
  return gpu_wavefront_enqueue (launcher, queue, wavefront, params, n_parts (self, params), n_slices, n_wait, wait, event, n_launches);
}
