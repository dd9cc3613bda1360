/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdarg.h>

#include "launches.h"

static void
enqueue (GpuLaunches *self, cl_kernel kernel, const size_t global[3], const size_t *local, unsigned n_args, va_list args)
{
  cl_int err = self->err;

  if (global[0] == 0 || global[1] == 0 || global[2] == 0)
    return;
  for (cl_uint i = 0; i < n_args && err == CL_SUCCESS; i++) {
    size_t size = va_arg (args, size_t);

    err = clSetKernelArg (kernel, i, size, va_arg (args, const void *));
  }
  if (err == CL_SUCCESS)
    err = clEnqueueNDRangeKernel (self->queue, kernel, 3, NULL, global, local, 0, NULL,
        self->next_event ? self->next_event (self->user) : NULL);
  self->err = err;
  self->n_launches += err == CL_SUCCESS;
}

void
gpu_launches_add (GpuLaunches *self, cl_kernel kernel, const size_t global[3], unsigned n_args, ...)
{
  size_t local[3] = { global[0] % 64 == 0 ? 64 : global[0] % 8 == 0 ? 8 : 1, 1, 1 };
  va_list args;

  va_start (args, n_args);
  enqueue (self, kernel, global, self->is_cpu ? local : NULL, n_args, args);
  va_end (args);
}

void
gpu_launches_add_groups (GpuLaunches *self, cl_kernel kernel, const size_t global[3], const size_t local[3], unsigned n_args, ...)
{
  va_list args;

  va_start (args, n_args);
  enqueue (self, kernel, global, local, n_args, args);
  va_end (args);
}
