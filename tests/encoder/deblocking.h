/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The deblocking filter (ITU-T H.264, 8.7).
 */
#pragma once

#include "picturemodel.h"

/* Filters a picture whose macroblocks are all reconstructed. */
void deblock_picture (PictureModel *picture);
