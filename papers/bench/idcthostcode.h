/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The inverse transforms on one core: what a way to do them is.
 */
#ifndef IDCT_HOST_CODE_H
#define IDCT_HOST_CODE_H

#include <stddef.h>

#include "gpurecords.h"

typedef struct
{
  const uint8_t *header; /* the header arena */
  GstGpuLayout layout;   /* macroblock and slice records in it */
  const int32_t *dc;
  uint8_t *coeffs;
} IdctHost;

/* A way to do it.  Blocks hold levels, or scaled coefficients, transposed, as in the arena; residuals row by row.  @n: 4 or 8 */
typedef struct
{
  const char *name;
  void (*transform) (int16_t *blocks, size_t n_blocks, unsigned n); /* of scaled coefficients */
  void (*scale) (const IdctHost *host, const uint32_t *positions, int16_t *blocks, size_t n_blocks, unsigned n); /* levels, with DC */
} IdctHostCode;

#endif
