/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A small encoder of single pictures: luma alone, Intra_4x4 with vertical, horizontal and DC prediction, CAVLC, one slice, no loop
 * filter.  It can also do what the scan's encoder does: keep every sample in range without clipping, or predict from unrounded samples.
 */
#ifndef INTRA_ENCODER_H
#define INTRA_ENCODER_H

#include "intrabits.h"

typedef enum
{
  INTRA_ENCODER_STANDARD,   /* predictions rounded, samples clipped */
  INTRA_ENCODER_IN_RANGE,   /* the same, with residuals chosen so that nothing is clipped: a conformant stream too */
  INTRA_ENCODER_FRACTIONAL, /* neither rounded nor clipped before the picture is whole: not H.264, though its syntax */
  INTRA_ENCODER_RESTRICTED, /* in range, and without DC prediction but for the first block */
} IntraEncoderWay;

#define INTRA_ENCODER_N_WAYS 4
extern const char *const intra_encoder_ways[INTRA_ENCODER_N_WAYS];

typedef struct
{
  unsigned width, height; /* whole macroblocks */
  uint8_t *modes;         /* of the 4x4 blocks in raster order */
  int16_t *residual;      /* [height][width] */
  uint8_t *picture;       /* [height][width]: what a decoder that works the same way shows */
  double *samples;        /* the same before the last rounding and clipping */
  uint8_t *total_coeff;
  IntraBits bits; /* the byte stream: parameter sets and an IDR picture */
} IntraEncoder;

/* Encodes @source, [height][width] samples of 8 bits, at @qp (12 to 51).  Ends the process where there is no memory. */
void intra_encoder_encode (IntraEncoder *self, const uint8_t *source, unsigned width, unsigned height, unsigned qp, IntraEncoderWay way);
void intra_encoder_clear (IntraEncoder *self);

#endif
