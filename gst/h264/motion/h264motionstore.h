/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Where derived motion goes: the motion map, for later macroblocks and pictures, and partitions, for the prediction.
 */
#pragma once

#include "h264motionpass.h"

G_BEGIN_DECLS

/* Keep what was derived for macroblock @mbAddr, of slice @slice: of one motion; as it stands in the cache; without motion, where it is
 * intra. */
void h264_motion_store_whole (H264MotionPass *pass, H264MotionSlice *slice, guint mbAddr, const H264Motion *motion);
void h264_motion_store_blocks (H264MotionPass *pass, H264MotionSlice *slice, guint mbAddr, const H264MotionCache *cache);
void h264_motion_store_intra (const H264MotionPass *pass, guint mbAddr);

G_END_DECLS
