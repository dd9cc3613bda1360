/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The inverse transforms on one core, to compare with, in 16-bit arithmetic, which the standard grants for 8-bit video: with it as many
 * samples fit in a vector as decoders put there.
 */
#ifndef IDCT_HOST_H
#define IDCT_HOST_H

#include "idcthostcode.h"

/* Intrinsics: SSE4.1 and AVX2 on x86-64.  NULL where the processor does not have them */
const IdctHostCode *idct_host_sse (void);
const IdctHostCode *idct_host_avx2 (void);

#define IDCT_HOST_CODES 4

/* All four, NULL where there is none */
void idct_host_codes (const IdctHostCode *codes[IDCT_HOST_CODES]);

/* Segments of 4x4 and 8x8 blocks in place: scaled and transformed, some blocks at a time */
void idct_host_run (const IdctHostCode *code, const IdctHost *host, const GstGpuSegment *segments, unsigned n_segments);

#endif
