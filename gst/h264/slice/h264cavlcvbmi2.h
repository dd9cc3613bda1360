/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CAVLC residuals on processors with AVX-512 VBMI2.
 */
#pragma once

#include "h264slicestate.h"

G_BEGIN_DECLS

/* Makes the tables of h264_cavlc_residual_vbmi2(). */
void h264_cavlc_vbmi2_init (void);

/* All residual blocks of a macroblock; for processors with AVX-512 F, BW, VL, VBMI2, and BMI2 only */
void h264_cavlc_residual_vbmi2 (H264SliceDecoder *dec);

G_END_DECLS
