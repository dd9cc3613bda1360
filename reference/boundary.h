/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GPU_REFERENCE_BOUNDARY_H
#define GPU_REFERENCE_BOUNDARY_H

#include <stddef.h>

#include "reference.h"

/* Boundary filtering strengths (8.7.2.1) of macroblock @mb_addr; 0 along edges that are not filtered.  Of pictures with inter macroblocks
 * it reads partitions and inter slices. */
void gpu_reference_boundary (const GpuReferencePicture *picture, size_t mb_addr, GstGpuBoundary *boundary);

#endif
