/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Chooses everything that a picture's slices may say from a random number generator, within what a decoder must take (ITU-T H.264, 8.5: no
 * intermediate value of a residual leaves its range), and reconstructs the picture.
 */
#pragma once

#include "referencelists.h"

/* Where slices begin: macroblocks by ModelMb.slice; their types and reference lists.  Returns the number of slices.
 * @MapUnitsInSliceGroup0: with slice groups of types 3 to 5 */
guint random_slices_cut (PictureModel *picture, GRand *rand, guint MapUnitsInSliceGroup0, const DecodedFrames *decoded);

/* All macroblocks of slice number @slice, with their samples */
void random_slices_fill (PictureModel *picture, GRand *rand, guint slice);
