/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "interpredkernel.h"

/* GPU form: work-items of a group, which is a macroblock's in a plane */
#define GROUP_SIZE 64

/* CPU form: work-groups that a compute unit gets of a picture, so that one which is slow does not hold up the others */
#define GROUPS_PER_UNIT 4

/* Samples of scratch memory that a work-group of the CPU form has: SCRATCH_SIZE of kernels/interpredvector.cl */
#define SCRATCH_SIZE (32 * 24 + 3 * 16 * 16)

/* Position of the first reference surface among the arguments */
#define ARG_REFERENCES 9

int
gpu_interpred_options (const GpuKernelDevice *device, const GstGpuPicture *picture, char *buf, size_t size)
{
  unsigned bytes = picture->bit_depth_luma == 8 && picture->bit_depth_chroma == 8 ? 1 : 2;
  char form[64];

  if (device->is_cpu)
    snprintf (form, sizeof (form), "-DGPU_CPU%s", device->builtin_prefetch ? " -DGPU_BUILTIN_PREFETCH" : "");
  else
    snprintf (form, sizeof (form), "-DGPU_GROUP_SIZE=%d", GROUP_SIZE);
  return snprintf (buf, size, "%s -DGPU_SAMPLE_BYTES=%u -DGPU_DEPTH_LUMA=%u -DGPU_DEPTH_CHROMA=%u -DGPU_CHROMA_ARRAY_TYPE=%u", form, bytes,
      picture->bit_depth_luma, picture->bit_depth_chroma, picture->chroma_array_type);
}

cl_int
gpu_interpred_kernels_init (GpuInterpredKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program,
    const GstGpuPicture *picture)
{
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->device = *device;
  self->n_groups = device->compute_units > 0 ? device->compute_units * GROUPS_PER_UNIT : GROUPS_PER_UNIT;
  self->kernel = clCreateKernel (program, "gpu_interpred", &err);
  if (err == CL_SUCCESS)
    self->scratch =
        clCreateBuffer (context, CL_MEM_READ_WRITE, (device->is_cpu ? self->n_groups : 1) * SCRATCH_SIZE * sizeof (cl_ushort), NULL, &err);
  if (err != CL_SUCCESS)
    gpu_interpred_kernels_clear (self);
  return err;
}

void
gpu_interpred_kernels_clear (GpuInterpredKernels *self)
{
  if (self->kernel)
    clReleaseKernel (self->kernel);
  if (self->scratch)
    clReleaseMemObject (self->scratch);
  memset (self, 0, sizeof (*self));
}

/* An unused reference is the picture's own surface: an argument has to be a buffer. */
static cl_int
set_references (GpuInterpredKernels *self, const GpuKernelPicture *picture)
{
  cl_int err = CL_SUCCESS;

  for (cl_uint i = 0; i < GST_GPU_MAX_REFERENCES && err == CL_SUCCESS; i++)
    err = clSetKernelArg (self->kernel, ARG_REFERENCES + i, sizeof (cl_mem),
        picture->references[i] ? &picture->references[i] : &picture->surface);
  return err;
}

static cl_int
set_args (GpuInterpredKernels *self, const GpuKernelPicture *picture)
{
  cl_ulong mbs_offset = picture->layout.mbs, partitions_offset = picture->layout.partitions, slices_offset = picture->layout.inter_slices;
  const GpuKernelArg args[ARG_REFERENCES] = {
    { sizeof (GstGpuPicture), &picture->params },
    { sizeof (cl_mem), &picture->header },
    { sizeof (cl_ulong), &mbs_offset },
    { sizeof (cl_ulong), &partitions_offset },
    { sizeof (cl_ulong), &slices_offset },
    { sizeof (cl_mem), &picture->coeffs },
    { sizeof (cl_mem), &picture->dc },
    { sizeof (cl_mem), &picture->surface },
    { sizeof (cl_mem), &self->scratch },
  };
  cl_int err = gpu_kernel_set_args (self->kernel, args, ARG_REFERENCES);

  return err == CL_SUCCESS ? set_references (self, picture) : err;
}

cl_int
gpu_interpred_enqueue (GpuInterpredKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, cl_uint n_wait,
    const cl_event *wait, cl_event *event)
{
  const GstGpuPicture *params = &picture->params;
  size_t n_mbs = (size_t) params->width_in_mbs * params->height_in_mbs, local[2] = { self->device.is_cpu ? 1 : GROUP_SIZE, 1 }, global[2];
  cl_int err;

  if (n_mbs == 0)
    return CL_INVALID_VALUE;
  if (self->device.is_cpu) {
    global[0] = n_mbs < self->n_groups ? n_mbs : self->n_groups;
    global[1] = 1;
  } else {
    global[0] = n_mbs * GROUP_SIZE;
    global[1] = params->chroma_array_type == 0 ? 1 : 3;
  }
  err = set_args (self, picture);
  if (err != CL_SUCCESS)
    return err;
  return clEnqueueNDRangeKernel (queue, self->kernel, 2, NULL, global, local, n_wait, n_wait ? wait : NULL, event);
}
