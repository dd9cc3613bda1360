/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inverse quantisation, inverse transform and colour conversion on one core, in plain C: the same results as kernels/iqidctcsc.cl, exactly.
 */
#ifndef PAPER_C_HOST_H
#define PAPER_C_HOST_H

#include <stddef.h>
#include <stdint.h>

/* Of a 4x4 block, row by row, without scaling lists */
void paper_c_scales (unsigned qp, int32_t scale[16]);

void paper_c_iq (const int16_t *levels, int32_t *coeffs, const uint32_t *coded, size_t n_coded, const uint8_t *qp);
void paper_c_idct (const int32_t *coeffs, int16_t *residual, const uint32_t *coded, size_t n_coded);
#endif
