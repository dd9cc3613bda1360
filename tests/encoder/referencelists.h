/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reference lists of slices (ITU-T H.264, 8.2.4).
 */
#pragma once

#include "picturemodel.h"

#define MAX_DECODED_FRAMES 3

/**
 * DecodedFrames:
 * @frames: those that are used for short-term reference, the latest one first
 * @first_field: where the picture is the second field of frames[0]: the parity that is there; else -1
 */
typedef struct
{
  const ModelFrame *frames[MAX_DECODED_FRAMES];
  guint n;
  gint first_field;
} DecodedFrames;

/* The slice's type, lists, weights and kind of direct prediction, by chance.  A picture whose @idr is set, or that has nothing to refer to,
 * gets I slices, the second field of an IDR picture no B slices. */
void choose_reference_lists (ModelSlice *slice, const PictureModel *picture, const DecodedFrames *decoded, GRand *rand);
