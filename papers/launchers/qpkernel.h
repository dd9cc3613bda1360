/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Enqueues the scan that makes QP of mb_qp_delta in macroblock records (kernels/qp.cl).  The program needs no build options.
 */
#ifndef GPU_QP_KERNEL_H
#define GPU_QP_KERNEL_H

#include "scankernel.h"

/* OpenCL C source, generated at build time */
extern const char gpu_qp_source[];

typedef struct
{
  /*< private > */
  int is_cpu;
  GpuScanKernels scan;
  cl_kernel of_records, to_records;
} GpuQpKernels;

/* On failure nothing needs to be cleared. */
cl_int gpu_qp_kernels_init (GpuQpKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program);
void gpu_qp_kernels_clear (GpuQpKernels *self);

/* QP of the macroblocks with GST_GPU_MB_EXTRA of one colour plane set, in the header arena, which is written.  @queue: in order.  @event:
 * (nullable): complete when the records are.  Never waits. */
cl_int gpu_qp_records_enqueue (GpuQpKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, cl_uint n_wait,
    const cl_event *wait, cl_event *event, unsigned *n_launches);

#endif
