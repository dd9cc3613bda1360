/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Blocks of luma, each of a macroblock of its own, through the C reference: what kernels that know no records are compared with.
 */
#ifndef LUMA_BLOCKS_H
#define LUMA_BLOCKS_H

#include <stdint.h>

/* Luma, 8 bits, Intra_4x4 or Intra_8x8 */
typedef struct
{
  unsigned n;        /* 4 or 8 samples a row */
  unsigned n_blocks; /* at most 32767 */
  uint8_t weight;    /* of all coefficients: 16 where there are no scaling lists */
  const uint8_t *qp; /* of each block */
} LumaBlocks;

/* Inverse quantisation (8.5.12.1, 8.5.13.1).  @levels, @coeffs: n x n a block, row by row */
void luma_blocks_scale (const LumaBlocks *self, const int16_t *levels, int32_t *coeffs);

/* Inverse quantisation and transform by gpu_reference_idct().  @levels, @residual: as above */
void luma_blocks_transform (const LumaBlocks *self, const int16_t *levels, int16_t *residual);

#endif
