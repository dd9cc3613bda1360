/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "outputkernel.h"

/* CPU form: rows a work-item makes.  Other form: pixels of a row a work-group makes. */
#define ROWS 32
#define LOCAL_WIDTH 64

static const char *
sample_type (gst_gpu_u32 size)
{
  return size == 1 ? "uchar" : "ushort";
}

int
gpu_output_options (const GpuKernelDevice *device, const GpuOutput *output, char *buf, size_t size)
{
  return snprintf (buf, size, "-DSURFACE_SAMPLE=%s -DRAW_SAMPLE=%s -DROWS=%d%s", sample_type (output->surface_sample_size),
      sample_type (output->raw_sample_size), ROWS, device->is_cpu ? " -DCPU_FORM" : "");
}

cl_int
gpu_output_kernels_init (GpuOutputKernels *self, const GpuKernelDevice *device, cl_program program)
{
  static const char *const names[GPU_OUTPUT_N_KERNELS] = { "gpu_output_1", "gpu_output_2", "gpu_output_4" };
  cl_int status = CL_SUCCESS;

  memset (self, 0, sizeof (*self));
  self->device = *device;
  for (int i = 0; i < GPU_OUTPUT_N_KERNELS && status == CL_SUCCESS; i++)
    self->kernels[i] = clCreateKernel (program, names[i], &status);
  if (status != CL_SUCCESS)
    gpu_output_kernels_clear (self);

  return status;
}

/* What a launch is given: planes whose pixels have as many components */
typedef struct
{
  GpuOutputPlane plane[GPU_OUTPUT_MAX_PLANES];
} OutputPlanes;

/* Planes from number @first on that are made by one launch */
static gst_gpu_u32
count_alike (const GpuOutput *output, gst_gpu_u32 first)
{
  gst_gpu_u32 n = 1;

  while (first + n < output->n_planes && output->plane[first + n].n_components == output->plane[first].n_components)
    n++;
  return n;
}

/* Work-items for @n planes: as many for each as the largest has use for */
static void
set_size (const GpuOutputKernels *self, const GpuOutputPlane *planes, gst_gpu_u32 n, size_t global[3], size_t local[3])
{
  size_t width = 0, height = 0;

  for (gst_gpu_u32 i = 0; i < n; i++) {
    width = planes[i].width > width ? planes[i].width : width;
    height = planes[i].height > height ? planes[i].height : height;
  }
  global[0] = self->device.is_cpu ? (height + ROWS - 1) / ROWS : (width + LOCAL_WIDTH - 1) / LOCAL_WIDTH * LOCAL_WIDTH;
  global[1] = self->device.is_cpu ? 1 : height;
  global[2] = n;
  local[0] = self->device.is_cpu ? 1 : LOCAL_WIDTH;
  local[1] = local[2] = 1;
}

/* @event: NULL, or of this launch */
static cl_int
enqueue_planes (GpuOutputKernels *self, cl_command_queue queue, const GpuOutputPlane *planes, gst_gpu_u32 n, cl_mem surface, cl_mem raw,
    cl_uint n_wait, const cl_event *wait, cl_event *event)
{
  cl_kernel kernel = self->kernels[planes->n_components / 2];
  OutputPlanes argument;
  const GpuKernelArg args[] = { { sizeof (surface), &surface }, { sizeof (raw), &raw }, { sizeof (argument), &argument } };
  size_t global[3], local[3];
  cl_int status;

  memset (&argument, 0, sizeof (argument));
  memcpy (argument.plane, planes, n * sizeof (*planes));
  set_size (self, planes, n, global, local);
  status = gpu_kernel_set_args (kernel, args, sizeof (args) / sizeof (args[0]));
  if (status == CL_SUCCESS)
    status = clEnqueueNDRangeKernel (queue, kernel, 3, NULL, global, local, n_wait, wait, event);

  return status;
}

cl_int
gpu_output_enqueue (GpuOutputKernels *self, cl_command_queue queue, const GpuOutput *output, cl_mem surface, cl_mem raw, cl_uint n_wait,
    const cl_event *wait, cl_event *event, unsigned *n_launches)
{
  cl_int status = CL_SUCCESS;
  gst_gpu_u32 n;

  *n_launches = 0;
  for (gst_gpu_u32 p = 0; p < output->n_planes && status == CL_SUCCESS; p += n) {
    int first = p == 0, last;

    n = count_alike (output, p);
    last = p + n == output->n_planes;
    status = enqueue_planes (self, queue, &output->plane[p], n, surface, raw, first ? n_wait : 0, first ? wait : NULL, last ? event : NULL);
    if (status == CL_SUCCESS)
      (*n_launches)++;
  }

  return status;
}

void
gpu_output_kernels_clear (GpuOutputKernels *self)
{
  for (int i = 0; i < GPU_OUTPUT_N_KERNELS; i++) {
    if (self->kernels[i])
      clReleaseKernel (self->kernels[i]);
    self->kernels[i] = NULL;
  }
}
