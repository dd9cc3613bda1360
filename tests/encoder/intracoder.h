/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Codes samples as I slices, as AVC-Intra cameras do: Intra_8x8 with the 8x8 transform, 4:2:2, one QP for all.
 */
#pragma once

#include "picturemodel.h"

/* Chooses what the macroblocks of slice number @slice say, so that they come near @source, planes of the picture's size, at
 * picture->SliceQPY; and reconstructs them. */
void intra_coder_code (PictureModel *picture, const ModelPlane source[3], guint slice);
