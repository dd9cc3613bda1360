/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A series of kernels enqueued one behind the other on an in-order queue: counts them, and keeps the first error, so that a launcher of
 * many passes checks once.
 */
#ifndef GPU_LAUNCHES_H
#define GPU_LAUNCHES_H

#include "kernelpicture.h"

typedef struct
{
  cl_command_queue queue;
  int is_cpu; /* work-groups of 64, 8 or 1 work-items, whichever divides: PoCL builds a kernel for each size that it meets */
  cl_event *(*next_event) (void *user); /* (nullable): where the event of the next command goes */
  void *user;
  unsigned n_launches; /* so far: synchronisation points */
  cl_int err;          /* the first error; nothing more is enqueued after it */
} GpuLaunches;

/* An argument of gpu_launches_add(): of a variable, not an expression */
#define GPU_ARG(variable) sizeof (variable), (const void *) &(variable)

/* Sets arguments 0 to @n_args - 1 and enqueues @kernel over @global[3], where no size is 0: with a size of 0 there is nothing to do.  On
 * devices other than CPUs the runtime chooses the work-groups.
 * Then @n_args times GPU_ARG (variable). */
void gpu_launches_add (GpuLaunches *self, cl_kernel kernel, const size_t global[3], unsigned n_args, ...);

/* The same with work-groups of @local[3], for kernels that need them */
void gpu_launches_add_groups (GpuLaunches *self, cl_kernel kernel, const size_t global[3], const size_t local[3], unsigned n_args, ...);

#endif
