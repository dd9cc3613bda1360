/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The second pass over a picture, from the motion syntax (h264mbmotion.h) to partitions and the picture's motion map: what all its parts
 * know.
 */
#pragma once

#include "gpurecords.h"
#include "h264mbcache.h"
#include "h264mbmotion.h"
#include "h264motionmap.h"
#include "h264motionslice.h"
#include "h264neighbours.h"

G_BEGIN_DECLS

/**
 * H264MotionPass:
 * @slices: by slice index; only those of P and B slices are looked at
 * @mb_slice: slice of each macroblock, H264_NO_SLICE where none has decoded it
 * @mbs: records: first_motion and n_partitions are set
 * @motion: syntax of each macroblock
 * @map: motion map of the picture, plane @plane, by mbAddr
 * @still: the same's H264MotionMap.still
 * @partitions: room for 16 a macroblock
 * @direct_8x8_inference: direct_8x8_inference_flag
 * @structure: of the picture, H264_FRAME or a field
 * @mbaff: MbaffFrameFlag: mbAddr counts pairs, in the map too
 * @is_field: of the map, in MBAFF frames
 * @n_partitions: written so far
 */
typedef struct
{
  H264MotionSlice **slices;
  const guint16 *mb_slice;
  GstGpuMb *mbs;
  const H264MbMotion *motion;
  H264MapMb *map;
  guint16 *still;
  guint plane;
  GstGpuPartition *partitions;
  guint width_in_mbs, height_in_mbs;
  gboolean direct_8x8_inference;
  guint structure;
  gboolean mbaff;
  guint8 *is_field;
  guint n_partitions;
} H264MotionPass;

/* Whether macroblock @mbAddr is a field macroblock of an MBAFF frame: then refIdx counts fields */
static inline gboolean
h264_motion_is_mbaff_field (const H264MotionPass *pass, guint mbAddr)
{
  return pass->mbaff && (pass->mbs[mbAddr].flags & GST_GPU_MB_FIELD);
}

/* refIdxLX of a neighbour that is not available */
#define H264_REF_UNAVAILABLE -2

/* Motion of a block: refIdxLX -1 and vector 0 where list X is not used, so that comparisons need not ask */
typedef struct
{
  gint8 ref_idx[2];
  H264Mv mv[2];
} H264Motion;

/* refIdxLX and mvLX of the neighbours A, B and C of a partition (8.4.1.3.2), D in place of a C that is not available */
typedef struct
{
  gint ref_idx[3];
  H264Mv mv[3];
} H264MvNeighbours;

/* Values of blocks in the neighbour caches (h264mbcache.h); @d_column: column of the neighbours D of blocks in column 0, which are those A
 * of the row above, but for MBAFF frames */
typedef struct
{
  gint8 ref_idx[2][H264_CACHE_SIZE];
  H264Mv mv[2][H264_CACHE_SIZE];
  gint d_column;
} H264MotionCache;

G_END_DECLS
