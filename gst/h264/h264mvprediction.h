/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Luma motion vector prediction (ITU-T H.264, 8.4.1.1, 8.4.1.3).
 */
#pragma once

#include "h264motionpass.h"

G_BEGIN_DECLS

/* Neighbours of the partition at (@x, @y), @width wide, in units of 4x4 blocks */
void h264_mv_find_neighbours (const H264MotionCache *cache, guint list, guint x, guint y, guint width, H264MvNeighbours *neighbours);
/* Median prediction (8.4.1.3) */
H264Mv h264_mv_predict (const H264MvNeighbours *neighbours, gint ref_idx);
/* With the directional rules of 16x8 and 8x16 partitions; @shape: H264_SHAPE_* */
H264Mv h264_mv_predict_partition (const H264MotionCache *cache, guint list, guint shape, guint part, gint ref_idx);
/* P_Skip (8.4.1.1) */
H264Mv h264_mv_predict_skip (const H264MvNeighbours *neighbours);

G_END_DECLS
