/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Direct prediction of B macroblocks (ITU-T H.264, 8.4.1.2).
 */
#pragma once

#include "h264motionpass.h"

G_BEGIN_DECLS

/**
 * H264SpatialDirect:
 * @motion: [colZeroFlag]: what the blocks of the macroblock get
 * @col_zero: bit y * 4 + x: colZeroFlag of the block; 0 where it makes no difference
 */
typedef struct
{
  H264Motion motion[2];
  guint col_zero;
} H264SpatialDirect;

/* Spatial direct prediction (8.4.1.2.2) */
void h264_direct_predict_spatial (const H264MotionPass *pass, const H264MotionSlice *slice, guint mbAddr, H264SpatialDirect *direct);
/* Temporal direct prediction (8.4.1.2.3) of those quadrants of the macroblock that @quadrants names (bits): into the cache. */
void h264_direct_predict_temporal (const H264MotionPass *pass, H264MotionSlice *slice, guint mbAddr, guint quadrants,
    H264MotionCache *cache);

G_END_DECLS
