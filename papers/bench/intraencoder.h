/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A small encoder of single pictures: 4:2:0 of 8 bits, Intra_4x4 with the modes that need nothing above right, chroma with vertical,
 * horizontal and DC prediction, I_PCM, CAVLC, one slice.  It can also do what the scan's encoder does: keep every sample in range without
 * clipping, predict from unclipped samples, or from unrounded ones.
 */
#ifndef INTRA_ENCODER_H
#define INTRA_ENCODER_H

#include "intrapicture.h"

extern const char *const intra_encoder_ways[INTRA_ENCODER_N_WAYS];

/* Encodes @source: Y, Cb and Cr of a picture of @width x @height samples (even, at most 4096), shown so large; the right and the lower
 * edge are repeated to whole macroblocks.  Ends the process where there is no memory. */
void intra_encoder_encode (IntraEncoder *self, const uint8_t *const source[3], unsigned width, unsigned height,
    const IntraEncoderSettings *settings);
void intra_encoder_clear (IntraEncoder *self);

#endif
