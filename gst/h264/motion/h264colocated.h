/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Co-located blocks (ITU-T H.264, 8.4.1.2.1): what direct prediction sees of RefPicList1[0], which may be a frame, a field, or a pair of
 * fields, whatever the current picture is.
 */
#pragma once

#include "h264motionpass.h"

G_BEGIN_DECLS

/* vertMvScale */
typedef enum
{
  H264_ONE_TO_ONE,
  H264_FRM_TO_FLD,
  H264_FLD_TO_FRM,
} H264VertMvScale;

/**
 * H264Colocated:
 * @mb: the macroblocks with the co-located blocks of the upper and of the lower two quadrants
 * @still: H264MotionMap.still of both
 * @corner: of each quadrant the block (y * 4 + x) that stands for all of it where direct_8x8_inference_flag is 1
 *
 * The co-located blocks of a macroblock.  Where @scale is not H264_ONE_TO_ONE, direct_8x8_inference_flag is 1 (7.4.2.1.1).
 */
typedef struct
{
  const H264MapMb *mb[2];
  guint16 still[2];
  guint8 corner[4];
  H264VertMvScale scale;
} H264Colocated;

/* FALSE where all co-located blocks are intra, or there is no picture with them: refIdxCol is -1. */
gboolean h264_colocated_find (const H264MotionPass *pass, const H264MotionSlice *slice, guint mbAddr, H264Colocated *colocated);

G_END_DECLS
