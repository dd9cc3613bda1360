/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction of pictures of 4x4 blocks in plain C, block after block in raster order, one slice: the oracle of the wavefronts and
 * of the 2-D scan.
 * modes: Intra4x4PredMode of the blocks in raster order, those that need no samples above right (0, 1, 2, 4, 5, 6, 8); residual:
 * [height][width].
 */
#ifndef REFERENCE_EDGES_H
#define REFERENCE_EDGES_H

#include <stdint.h>

/* As the standard has it (ITU-T H.264, 8.3.1.2): predictions rounded, samples clipped to 8 bits */
void gpu_reference_edges (const uint8_t *modes, const int16_t *residual, unsigned width, unsigned height, uint8_t *picture);

/* Nothing rounded, nothing clipped */
void gpu_reference_edges_unclipped (const uint8_t *modes, const int16_t *residual, unsigned width, unsigned height, double *picture);

/* Prediction of the block at (@x0, @y0) from @picture, unrounded: what both are made of.  @prediction: row by row.  The values are
 * multiples of 1/8, so adding a half and rounding down gives the standard's */
void gpu_reference_edges_predict (const double *picture, unsigned width, unsigned x0, unsigned y0, unsigned mode, double prediction[16]);

#endif
