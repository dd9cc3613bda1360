/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A picture of the small encoder, and how it is to be coded.
 */
#ifndef INTRA_PICTURE_H
#define INTRA_PICTURE_H

#include "intrabits.h"

typedef enum
{
  INTRA_ENCODER_STANDARD,   /* predictions rounded, samples clipped */
  INTRA_ENCODER_IN_RANGE,   /* the same, with residuals chosen so that nothing is clipped: a conformant stream too */
  INTRA_ENCODER_UNCLIPPED,  /* predictions rounded, from samples that are clipped in the whole picture only: not H.264, though its syntax */
  INTRA_ENCODER_FRACTIONAL, /* neither rounded nor clipped before the picture is whole: not H.264 either */
} IntraEncoderWay;

#define INTRA_ENCODER_N_WAYS 4

/* In the place of a mode: the block is of I_PCM */
#define INTRA_ENCODER_PCM 255

/* Sets of Intra4x4PredModes, a bit each */
#define INTRA_ENCODER_V_H 3u /* chroma has V and H too; DC where no neighbour is there */
#define INTRA_ENCODER_V_H_DC 7u
#define INTRA_ENCODER_ALL 0x177u /* without diagonal down left and vertical left */

typedef struct
{
  IntraEncoderWay way;
  unsigned qp;           /* QPY, 12 to 51 */
  unsigned modes;        /* those that may be chosen, as above; with DC chroma has it too */
  unsigned pcm_interval; /* every so manieth macroblock is I_PCM; 0: none */
  int half_to_even;      /* predictions that end in a half are rounded to even values, not up: not H.264 */
  int filter;            /* whether the stream asks for the loop filter, which the encoder's pictures are without */
} IntraEncoderSettings;

typedef struct
{
  unsigned width, height; /* whole macroblocks */
  int16_t *residual;      /* [height][width] */
  uint8_t *picture;       /* [height][width]: what a decoder that works the same way shows */
  double *samples;        /* the same before the last rounding and clipping */
  uint8_t *total_coeff;   /* of the 4x4 blocks in raster order */
} IntraPlane;

typedef struct
{
  IntraEncoderSettings settings;
  IntraPlane planes[3];
  unsigned width_in_mbs, height_in_mbs;
  uint8_t *modes; /* of the 4x4 blocks of luma in raster order; INTRA_ENCODER_PCM in I_PCM */
  IntraBits bits; /* the byte stream: parameter sets and an IDR picture */
} IntraEncoder;

#endif
