/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Transform and quantisation of the small encoder: what a decoder makes of the levels comes with them.
 */
#ifndef INTRA_TRANSFORM_H
#define INTRA_TRANSFORM_H

#include <stdint.h>

/* Levels of the 4x4 block @difference (row by row, as all here) at @qp, and the residual that they give */
void intra_transform_block (const int32_t difference[16], unsigned qp, int16_t levels[16], int16_t residual[16]);

/* The same of the 8x8 chroma samples of a macroblock, 4:2:0.  @dc: by block; @ac: [0] of each is 0; @qp: QPC */
void intra_transform_chroma (const int32_t difference[64], unsigned qp, int16_t dc[4], int16_t ac[4][16], int16_t residual[64]);

/* QPC of QPY @qp, with chroma_qp_index_offset 0 (Table 8-15) */
unsigned intra_transform_chroma_qp (unsigned qp);

#endif
