/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the slice data say of the motion of a macroblock, as parsed: before any vector is predicted.
 *
 * Parsing needs nothing of other pictures; deriving vectors does (direct prediction asks the co-located picture).  So they are two passes,
 * and this is what stands between them.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* H264MbMotion.shape: how the macroblock is cut (Tables 7-13, 7-14) */
enum
{
  H264_SHAPE_16x16,
  H264_SHAPE_16x8,
  H264_SHAPE_8x16,
  H264_SHAPE_8x8,
};

/* H264MbMotion.sub_shape: how a sub-macroblock is cut (Tables 7-17, 7-18) */
enum
{
  H264_SUB_8x8,
  H264_SUB_8x4,
  H264_SUB_4x8,
  H264_SUB_4x4,
};

/* Size of the partitions of a sub-macroblock in 4x4 blocks (Table 7-17: SubMbPartWidth, SubMbPartHeight) */
static inline guint
h264_sub_mb_part_width (guint sub_shape)
{
  return sub_shape == H264_SUB_4x8 || sub_shape == H264_SUB_4x4 ? 1 : 2;
}

static inline guint
h264_sub_mb_part_height (guint sub_shape)
{
  return sub_shape == H264_SUB_8x4 || sub_shape == H264_SUB_4x4 ? 1 : 2;
}

/* H264MbMotion.pred: which lists a quadrant uses, or that its motion is derived */
enum
{
  H264_PRED_L0 = 1,
  H264_PRED_L1 = 2,
  H264_PRED_DIRECT = 4, /* B_Skip, B_Direct_16x16, B_8x8 with direct sub-macroblocks */
};

/* H264MbMotion.kind */
enum
{
  H264_MOTION_INTRA, /* refIdx -1 of both lists */
  H264_MOTION_INTER,
  H264_MOTION_P_SKIP, /* vector as 8.4.1.1 says, refIdxL0 0 */
};

/**
 * H264MbMotion:
 * @kind: H264_MOTION_*
 * @shape: H264_SHAPE_*; 8x8 also where pred is H264_PRED_DIRECT throughout (B_Skip, B_Direct_16x16)
 * @pred: H264_PRED_*, by mbPartIdx of 8x8 shape (quadrant); both quadrants of a 16x8 or 8x16 partition, all of a 16x16 one, say the same
 * @sub_shape: H264_SUB_*, by quadrant; 8x8 where shape is not 8x8 and for direct ones
 * @ref_idx: refIdxLX by quadrant, as transmitted or inferred to be 0; -1 where the list is not used or the quadrant is direct
 * @available: GST_GPU_AVAILABLE_*: neighbours that the slice has decoded before (6.4.9)
 * @first_mvd: index in the slice's array of mvd_lX: all of list 0 in the order of the syntax (7.3.5.1, 7.3.5.2), then all of list 1
 *
 * One a macroblock, indexed by mbAddr.
 */
typedef struct
{
  guint8 kind;
  guint8 shape;
  guint8 pred[4];
  guint8 sub_shape[4];
  gint8 ref_idx[2][4];
  guint8 available;
  guint32 first_mvd;
} H264MbMotion;

/* mvd_lX[0], mvd_lX[1]: horizontal, vertical, in quarter samples */
typedef struct
{
  gint16 mvd[2];
} H264Mvd;

/* The mvd_lX of a slice; grows by h264_try_reserve() */
typedef struct
{
  H264Mvd *mvds;
  gsize room;
} H264MvdList;

G_END_DECLS
