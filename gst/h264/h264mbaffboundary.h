/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Boundary filtering strengths (ITU-T H.264, 8.7.2.1) in MBAFF frames with inter macroblocks: block by block, with edges between frame and
 * field macroblocks.
 */
#pragma once

#include "h264motionpass.h"

G_BEGIN_DECLS

/* Of macroblock @mbAddr; the motion of the whole frame is in the map. */
void h264_mbaff_boundary_strengths (const H264MotionPass *pass, guint mbAddr);

G_END_DECLS
