/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pictures of I slices made of random macroblocks, with levels of any size: what the tests of residual decoding decode.
 * All intra prediction is of the mean (DC), so that any macroblock may stand anywhere.
 */
#pragma once

#include "picturemodel.h"

typedef struct
{
  guint chroma_format_idc, bit_depth_luma, bit_depth_chroma;
  gboolean cabac, field, lossless;
  gint32 max_level;
} IPictureKind;

/* A picture of one slice or two */
void i_picture_init (PictureModel *picture, GRand *rand, const IPictureKind *kind);
void i_picture_clear (PictureModel *picture);
