/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Derivation of motion vectors and reference indices (ITU-T H.264, 8.4.1): the second pass over a picture (h264motionpass.h).
 *
 * One raster walk serves all slices: in frames and fields without MBAFF every neighbour that counts has a lower address.
 */
#pragma once

#include "h264motionpass.h"

G_BEGIN_DECLS

/* Walks over the whole picture. */
void h264_motion_derive (H264MotionPass *pass);
/* The same with every macroblock derived block by block, as the standard has it: for tests of the short ways. */
void h264_motion_derive_by_blocks (H264MotionPass *pass);

G_END_DECLS
