/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The inverse transforms on one core, to compare with: over the same lists as the kernels, levels to residuals in place.
 */
#ifndef IDCT_HOST_H
#define IDCT_HOST_H

#include "gpurecords.h"

typedef struct
{
  uint8_t *header;     /* the header arena */
  GstGpuLayout layout; /* macroblock and slice records in it */
  const int32_t *dc;
  uint8_t *coeffs;
} IdctHost;

typedef void (*IdctHostFunction) (const IdctHost *host, const GstGpuSegment *segments, unsigned n_segments);

/* Plain C that the compiler turns into vectors (-O3, for the instruction set of the machine) */
void idct_host_vectorised (const IdctHost *host, const GstGpuSegment *segments, unsigned n_segments);

/* Intrinsics: SSE4.1 and AVX2 on x86-64.  NULL where the processor does not have them */
IdctHostFunction idct_host_sse (void);
IdctHostFunction idct_host_avx2 (void);

#endif
