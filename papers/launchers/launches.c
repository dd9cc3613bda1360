/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdarg.h>

#include "launches.h"

void
gpu_launches_add (GpuLaunches *self, cl_kernel kernel, const size_t global[3], unsigned n_args, ...)
{
  size_t local[3] = { global[0] % 64 == 0 ? 64 : global[0] % 8 == 0 ? 8 : 1, 1, 1 };
  cl_int err = self->err;
  va_list args;

  if (global[0] == 0 || global[1] == 0 || global[2] == 0)
    return;
  va_start (args, n_args);
  for (cl_uint i = 0; i < n_args && err == CL_SUCCESS; i++) {
    size_t size = va_arg (args, size_t);

    err = clSetKernelArg (kernel, i, size, va_arg (args, const void *));
  }
  va_end (args);
  if (err == CL_SUCCESS)
    err = clEnqueueNDRangeKernel (self->queue, kernel, 3, NULL, global, self->is_cpu ? local : NULL, 0, NULL,
        self->next_event ? self->next_event (self->user) : NULL);
  self->err = err;
  self->n_launches += err == CL_SUCCESS;
}
