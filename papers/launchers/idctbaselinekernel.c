/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "idctbaselinekernel.h"

#define GROUP_SIZE 96

cl_int
gpu_idct_baseline_enqueue (cl_kernel kernel, cl_command_queue queue, const GpuKernelPicture *picture, cl_mem levels, cl_event *event)
{
  size_t local = GROUP_SIZE, global = (size_t) picture->params.width_in_mbs * picture->params.height_in_mbs * GROUP_SIZE;
  cl_uint mbs_offset = (cl_uint) picture->layout.mbs, slices_offset = (cl_uint) picture->layout.slices;
  const struct
  {
    size_t size;
    const void *value;
  } args[] = {
    { sizeof (cl_mem), &picture->header },
    { sizeof (cl_uint), &mbs_offset },
    { sizeof (cl_uint), &slices_offset },
    { sizeof (cl_mem), &levels },
    { sizeof (cl_mem), &picture->dc },
  };

  if (picture->layout.mbs > CL_UINT_MAX || picture->layout.slices > CL_UINT_MAX || picture->params.chroma_array_type != 1)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < sizeof (args) / sizeof (args[0]); i++) {
    cl_int err = clSetKernelArg (kernel, i, args[i].size, args[i].value);

    if (err != CL_SUCCESS)
      return err;
  }
  return clEnqueueNDRangeKernel (queue, kernel, 1, NULL, &global, &local, 0, NULL, event);
}
