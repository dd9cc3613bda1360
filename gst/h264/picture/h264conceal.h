/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Concealment: records for macroblocks that no slice has decoded.
 */
#pragma once

#include "h264picturetarget.h"

G_BEGIN_DECLS

/* Writes the records of all macroblocks of @target that no slice has decoded (H264_NO_SLICE in mb_slice, where they stay), in each of
 * @n_colour_planes.  @slice: number of the slice whose tables they use; with @inter, one of P or B slices, they are predicted from its
 * first references, with motion that the second pass guesses, else from their neighbours.  Returns how many there are. */
guint h264_conceal (H264PictureTarget *target, guint n_colour_planes, guint slice, gboolean inter);

G_END_DECLS
