/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the launchers of the stage kernels share.  A launcher (idctkernel.h, interpredkernel.h, intrapredkernel.h, deblockkernel.h) is the
 * one place where a stage's kernels are built and enqueued; it links nothing but the C library and the OpenCL loader, so the elements, the
 * kernel tests and the benches use the same one, and the latter two run on a bare machine.
 */
#ifndef GPU_KERNEL_PICTURE_H
#define GPU_KERNEL_PICTURE_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include "gpurecords.h"

/* What the device can do, read once (gpu_kernel_device_init) */
typedef struct
{
  cl_device_id device;
  cl_device_type type;
  int is_cpu;           /* kernels in work-groups of 1 with explicit vectors */
  int device_atomics;   /* OpenCL C 3.0 with device-scope acquire/release atomics: the ticketed wavefront runs */
  int sub_groups;       /* work-items of a sub-group can wait for each other: 2: in OpenCL C 3.0, 1: by cl_khr_subgroups, 0: not */
  int builtin_prefetch; /* the compiler's __builtin_prefetch () works, and prefetch () does nothing: PoCL on a CPU */
  cl_uint compute_units;
} GpuKernelDevice;

/* One colour plane set of a picture as buffers. */
typedef struct
{
  GstGpuPicture params;
  cl_mem header;       /* the header arena */
  GstGpuLayout layout; /* of it */
  cl_mem coeffs;       /* the coefficient arena */
  cl_mem dc;           /* 48 int a macroblock */
  cl_mem surface;
  cl_mem references[GST_GPU_MAX_REFERENCES]; /* surfaces by number (GstGpuInterSlice.reference); NULL where there is none */
} GpuKernelPicture;

cl_int gpu_kernel_device_init (GpuKernelDevice *self, cl_device_id device);

/* An argument of a kernel, as clSetKernelArg() takes it */
typedef struct
{
  size_t size;
  const void *value;
} GpuKernelArg;

/* Sets the first @n_args arguments of @kernel. */
cl_int gpu_kernel_set_args (cl_kernel kernel, const GpuKernelArg *args, cl_uint n_args);

#endif
