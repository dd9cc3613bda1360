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

/* @event: NULL, or of this launch */
static cl_int
enqueue_plane (GpuOutputKernels *self, cl_command_queue queue, const GpuOutputPlane *plane, cl_mem surface, cl_mem raw, cl_uint n_wait,
    const cl_event *wait, cl_event *event)
{
  cl_kernel kernel = self->kernels[plane->n_components / 2];
  size_t global[2] = { (plane->height + ROWS - 1) / ROWS, 1 };
  size_t local[2] = { 1, 1 };
  cl_int status;

  if (!self->device.is_cpu) {
    global[0] = (plane->width + LOCAL_WIDTH - 1) / LOCAL_WIDTH * LOCAL_WIDTH;
    global[1] = plane->height;
    local[0] = LOCAL_WIDTH;
  }
  status = clSetKernelArg (kernel, 0, sizeof (surface), &surface);
  if (status == CL_SUCCESS)
    status = clSetKernelArg (kernel, 1, sizeof (raw), &raw);
  if (status == CL_SUCCESS)
    status = clSetKernelArg (kernel, 2, sizeof (*plane), plane);
  if (status == CL_SUCCESS)
    status = clEnqueueNDRangeKernel (queue, kernel, 2, NULL, global, local, n_wait, wait, event);

  return status;
}

cl_int
gpu_output_enqueue (GpuOutputKernels *self, cl_command_queue queue, const GpuOutput *output, cl_mem surface, cl_mem raw, cl_uint n_wait,
    const cl_event *wait, cl_event *event, unsigned *n_launches)
{
  cl_int status = CL_SUCCESS;

  *n_launches = 0;
  for (gst_gpu_u32 p = 0; p < output->n_planes && status == CL_SUCCESS; p++) {
    int first = p == 0, last = p + 1 == output->n_planes;

    status = enqueue_plane (self, queue, &output->plane[p], surface, raw, first ? n_wait : 0, first ? wait : NULL, last ? event : NULL);
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
