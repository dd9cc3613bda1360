/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How a stage whose macroblocks depend on each other is launched; for C and OpenCL C.
 */
#ifndef GPU_WAVEFRONT_MODE_H
#define GPU_WAVEFRONT_MODE_H

typedef enum
{
  GPU_WAVEFRONT_IN_ORDER,  /* few work-groups, none of which waits for another: the best on a CPU, where pictures are what runs in
                                 * parallel */
  GPU_WAVEFRONT_TICKETS,   /* one launch, rows by ticket; needs device-scope atomics */
  GPU_WAVEFRONT_DIAGONALS, /* a launch a diagonal */
} GpuWavefront;

#endif
