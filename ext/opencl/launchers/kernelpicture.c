/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "kernelpicture.h"

/* The ticketed wavefront looks at what another work-group releases: acquire and release at device scope, and a compiler of OpenCL C 3.0. */
static int
has_device_atomics (cl_device_id device)
{
  cl_device_atomic_capabilities needed = CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_DEVICE;
  cl_device_atomic_capabilities capabilities = 0;
  cl_name_version versions[16];
  size_t size = 0;

  if (clGetDeviceInfo (device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof (capabilities), &capabilities, NULL) != CL_SUCCESS
      || (capabilities & needed) != needed)
    return 0;
  if (clGetDeviceInfo (device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof (versions), versions, &size) != CL_SUCCESS)
    return 0;
  for (size_t i = 0; i < size / sizeof (versions[0]); i++)
    if (CL_VERSION_MAJOR (versions[i].version) >= 3)
      return 1;
  return 0;
}

/* The device may know sub-groups and yet have none (CL_DEVICE_MAX_NUM_SUB_GROUPS is 0 then). */
static int
has_sub_groups (cl_device_id device)
{
  char extensions[16384];
  cl_name_version features[64];
  cl_uint max = 0;
  size_t size = 0;

  if (clGetDeviceInfo (device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof (max), &max, NULL) != CL_SUCCESS || max == 0)
    return 0;
  if (clGetDeviceInfo (device, CL_DEVICE_OPENCL_C_FEATURES, sizeof (features), features, &size) == CL_SUCCESS)
    for (size_t i = 0; i < size / sizeof (features[0]); i++)
      if (strcmp (features[i].name, "__opencl_c_subgroups") == 0)
        return 2;
  if (clGetDeviceInfo (device, CL_DEVICE_EXTENSIONS, sizeof (extensions), extensions, NULL) != CL_SUCCESS)
    return 0;
  return strstr (extensions, "cl_khr_subgroups") != NULL;
}

/* oclgrind, a CPU device with the same compiler, does not know it. */
static int
has_builtin_prefetch (cl_device_id device)
{
  cl_platform_id platform;
  char name[64];

  return clGetDeviceInfo (device, CL_DEVICE_PLATFORM, sizeof (platform), &platform, NULL) == CL_SUCCESS
      && clGetPlatformInfo (platform, CL_PLATFORM_NAME, sizeof (name), name, NULL) == CL_SUCCESS
      && strcmp (name, "Portable Computing Language") == 0;
}

cl_int
gpu_kernel_device_init (GpuKernelDevice *self, cl_device_id device)
{
  cl_int err;

  memset (self, 0, sizeof (*self));
  self->device = device;
  err = clGetDeviceInfo (device, CL_DEVICE_TYPE, sizeof (self->type), &self->type, NULL);
  if (err != CL_SUCCESS)
    return err;
  err = clGetDeviceInfo (device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof (self->compute_units), &self->compute_units, NULL);
  if (err != CL_SUCCESS)
    return err;
  self->is_cpu = (self->type & CL_DEVICE_TYPE_CPU) && !(self->type & CL_DEVICE_TYPE_GPU);
  self->builtin_prefetch = self->is_cpu && has_builtin_prefetch (device);
  self->device_atomics = has_device_atomics (device);
  self->sub_groups = has_sub_groups (device);
  return CL_SUCCESS;
}

cl_int
gpu_kernel_set_args (cl_kernel kernel, const GpuKernelArg *args, cl_uint n_args)
{
  cl_int err = CL_SUCCESS;

  for (cl_uint i = 0; i < n_args && err == CL_SUCCESS; i++)
    err = clSetKernelArg (kernel, i, args[i].size, args[i].value);
  return err;
}
