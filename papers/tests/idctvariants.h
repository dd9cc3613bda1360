/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The variants of paper A's transform that its tests run: each mapping alone, each further step on lines, all of them.
 */
#ifndef IDCT_VARIANTS_H
#define IDCT_VARIANTS_H

#include "idctcompactedkernel.h"

static const struct
{
  const char *name;
  GpuIdctVariant variant;
} idct_variants[] = {
  { "sample", { GPU_IDCT_SAMPLE, 0 } },
  { "line", { GPU_IDCT_LINE, 0 } },
  { "block", { GPU_IDCT_BLOCK, 0 } },
  { "sync", { GPU_IDCT_LINE, GPU_IDCT_SYNC } },
  { "workgroup", { GPU_IDCT_LINE, GPU_IDCT_WORKGROUP } },
  { "granularity", { GPU_IDCT_LINE, GPU_IDCT_GRANULARITY } },
  { "coalescing", { GPU_IDCT_LINE, GPU_IDCT_COALESCING } },
  { "all", { GPU_IDCT_LINE, GPU_IDCT_WORKGROUP | GPU_IDCT_GRANULARITY | GPU_IDCT_COALESCING } },
  { "all+sync", { GPU_IDCT_LINE, GPU_IDCT_SYNC | GPU_IDCT_WORKGROUP | GPU_IDCT_GRANULARITY | GPU_IDCT_COALESCING } },
};

#define N_IDCT_VARIANTS (sizeof (idct_variants) / sizeof (idct_variants[0]))

#endif
