/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Motion of the neighbours of a macroblock of an MBAFF frame (ITU-T H.264, 6.4.12.2, 8.4.1.3.2).  What h264motion.c does for other pictures
 * itself.
 */
#pragma once

#include "h264motionpass.h"

G_BEGIN_DECLS

/* Neighbours of the whole macroblock */
void h264_mbaff_load_mb_neighbours (const H264MotionPass *pass, guint mbAddr, guint list, H264MvNeighbours *neighbours);

/* Neighbours of all its blocks, around the cache */
void h264_mbaff_load_neighbours (const H264MotionPass *pass, guint mbAddr, guint list, H264MotionCache *cache);

G_END_DECLS
