/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The syntax of the small encoder's pictures (ITU-T H.264, 7.3).
 */
#ifndef INTRA_SYNTAX_H
#define INTRA_SYNTAX_H

#include "intrapicture.h"

/* Levels of a macroblock, row by row within a block */
typedef struct
{
  unsigned chroma_mode; /* intra_chroma_pred_mode */
  int16_t luma[16][16]; /* by luma4x4BlkIdx */
  int16_t dc[2][4], ac[2][4][16];
} IntraMacroblock;

/* 6.4.3: where the block luma4x4BlkIdx stands in raster order */
extern const uint8_t intra_raster_of_block[16];

/* Intra4x4PredMode that neighbours let expect (8.3.1.1), of the block at (@x, @y) in blocks */
unsigned intra_syntax_expected_mode (const IntraEncoder *encoder, unsigned x, unsigned y);

/* Parameter sets and slice header of a picture shown @width x @height large */
void intra_syntax_begin (IntraEncoder *encoder, unsigned width, unsigned height);
void intra_syntax_macroblock (IntraEncoder *encoder, unsigned mb_x, unsigned mb_y, const IntraMacroblock *macroblock);
/* I_PCM: the samples of encoder->planes */
void intra_syntax_pcm (IntraEncoder *encoder, unsigned mb_x, unsigned mb_y);
void intra_syntax_end (IntraEncoder *encoder);

#endif
