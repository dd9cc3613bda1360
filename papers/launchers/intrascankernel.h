/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Builds and enqueues intra prediction by the 2-D scan of edges, on pictures as records (kernels/edgescan.cl, kernels/edgerecords.cl).
 * Not conformant where predictions are rounded or samples clipped: see there.
 */
#ifndef GPU_INTRA_SCAN_KERNEL_H
#define GPU_INTRA_SCAN_KERNEL_H

#include "edgescankernel.h"

/* What a picture has: bits of *found.  With the first three nothing is scanned. */
#define GPU_INTRA_SCAN_8x8 1           /* Intra_8x8, whose filtered neighbours reach above right of the macroblock */
#define GPU_INTRA_SCAN_BYPASS 2        /* TransformBypassModeFlag */
#define GPU_INTRA_SCAN_OTHER_MODE 4    /* restricted: another prediction than vertical and horizontal */
#define GPU_INTRA_SCAN_ABOVE_RIGHT 8   /* macroblocks predicted from those above right: they are joined no further */
#define GPU_INTRA_SCAN_PREDICTED 16    /* intra prediction at all */
#define GPU_INTRA_SCAN_OUT_OF_RANGE 32 /* samples that were clipped, after others were predicted from them */
#define GPU_INTRA_SCAN_INTRA 64        /* intra macroblocks, I_PCM or predicted */
#define GPU_INTRA_SCAN_REFUSED (GPU_INTRA_SCAN_8x8 | GPU_INTRA_SCAN_BYPASS | GPU_INTRA_SCAN_OTHER_MODE)

typedef struct
{
  /*< private > */
  unsigned n_levels; /* of luma, where no macroblock predicts from above right */
  GpuKernelDevice device;
  int restricted;
  GpuEdgeScan luma, chroma; /* chroma: not with ChromaArrayType 0 and 3 */
  cl_kernel find, areas;
  cl_mem plane, found;
} GpuIntraScanKernels;

/* Build options of gpu_edgescan_source for pictures with the depths and chroma_array_type of @picture, written as snprintf() does */
int gpu_intra_scan_options (const GstGpuPicture *picture, int restricted, char *buf, size_t size);

/* Whether the scan takes pictures like @picture: not MBAFF frames, nor 4:2:2, whose chroma is not square.  (nullable): what it is that it
 * does not take */
const char *gpu_intra_scan_refuses (const GstGpuPicture *picture);

/* For pictures of @picture's size.  @n_levels: times that the 4x4 blocks of luma are joined, at least 2: macroblocks; 0: 2 on a CPU, 5
 * elsewhere.  Rows take about 90 bytes a luma sample.  On failure nothing needs to be cleared. */
cl_int gpu_intra_scan_kernels_init (GpuIntraScanKernels *self, const GpuKernelDevice *device, cl_context context, cl_program program,
    const GstGpuPicture *picture, int restricted, unsigned n_levels);
void gpu_intra_scan_kernels_clear (GpuIntraScanKernels *self);

/* Rebuilds the intra macroblocks of one colour plane set, at most as high as the kernels were made for.  As gpu_intrapred_enqueue(), but
 * for this: it waits, for what the picture has, before it enqueues, and where restricted also at its end.
 * @found: GPU_INTRA_SCAN_*.  With one of REFUSED, CL_INVALID_OPERATION.  The picture is the standard's where nothing is PREDICTED or, if
 * restricted, OUT_OF_RANGE. */
cl_int gpu_intra_scan_enqueue (GpuIntraScanKernels *self, cl_command_queue queue, const GpuKernelPicture *picture, cl_uint n_wait,
    const cl_event *wait, cl_event *event, unsigned *n_launches, unsigned *found);

#endif
