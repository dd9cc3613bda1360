/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Boundary filtering strengths (ITU-T H.264, 8.7.2.1) in pictures with inter macroblocks.
 */
#pragma once

#include "h264motionpass.h"

G_BEGIN_DECLS

/* Boundary strengths of the row that begins at @place, whose motion and that of the row above are in the map. */
void h264_boundary_strengths (const H264MotionPass *pass, H264MbPlace place);

G_END_DECLS
