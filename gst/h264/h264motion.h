/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Derivation of motion vectors and reference indices (ITU-T H.264, 8.4.1), and of boundary strengths (8.7.2.1): the second pass over a
 * picture, from the motion syntax (h264mbmotion.h) to partitions, boundaries and the picture's motion map.
 *
 * One raster walk serves all slices: in frames and fields without MBAFF every neighbour that counts has a lower address.
 */
#pragma once

#include "gpurecords.h"
#include "h264mbmotion.h"
#include "h264motionmap.h"
#include "h264neighbours.h"
#include "h264reflists.h"

G_BEGIN_DECLS

/**
 * H264MotionSlice:
 * @lists: RefPicList0, RefPicList1
 * @ref_ids: the same as H264RefPicId, without those of refIdx beyond the lists' ends
 * @missing: bit refIdx: the picture is not there
 * @mvds: vector differences
 * @colocated: (nullable): motion of RefPicList1[0], complete when the pass runs
 * @colocated_is_short_term: RefPicList1[0] is a short-term reference
 * @direct_spatial: direct_spatial_mv_pred_flag
 * @is_b: a B slice
 * @dist_scale_factor: DistScaleFactor by refIdxL0, for temporal direct prediction; H264_NO_SCALING where the vector is taken as it is
 * @missing_used: set where a macroblock refers to a picture that is not there
 *
 * What the derivation needs of a P or B slice.
 */
typedef struct
{
  H264RefLists lists;
  H264RefPicId ref_ids[2][32];
  guint32 missing[2];
  const H264Mvd *mvds;
  H264MotionMap *colocated;
  gboolean colocated_is_short_term;
  gboolean direct_spatial;
  gboolean is_b;
  gint dist_scale_factor[32];
  gboolean missing_used;
} H264MotionSlice;

#define H264_NO_SCALING G_MAXINT

/**
 * H264MotionPass:
 * @slices: by slice index; only those of P and B slices are looked at
 * @mb_slice: slice of each macroblock, H264_NO_SLICE where none has decoded it
 * @mbs: records: first_motion and n_partitions are set
 * @motion: syntax of each macroblock
 * @map: motion map of the picture, plane @plane, by mbAddr
 * @still: the same's H264MotionMap.still
 * @partitions: room for 16 a macroblock
 * @boundaries: (nullable): one a macroblock
 * @direct_8x8_inference: direct_8x8_inference_flag
 * @field_pic: field_pic_flag: vertical differences of vectors that make a boundary are those of fields
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
  GstGpuBoundary *boundaries;
  guint width_in_mbs, height_in_mbs;
  gboolean direct_8x8_inference;
  gboolean field_pic;
  guint n_partitions;
} H264MotionPass;

/* Walks over the whole picture. */
void h264_motion_derive (H264MotionPass *pass);
/* The same with every macroblock derived block by block, as the standard has it: for tests of the short ways. */
void h264_motion_derive_by_blocks (H264MotionPass *pass);

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

/* Values of blocks in the neighbour caches (as in h264slicedecoder.h: rows of 8) */
typedef struct
{
  gint8 ref_idx[2][40];
  H264Mv mv[2][40];
} H264MotionCache;

/* Neighbours of the partition at (@x, @y), @width wide, in units of 4x4 blocks */
void h264_mv_find_neighbours (const H264MotionCache *cache, guint list, guint x, guint y, guint width, H264MvNeighbours *neighbours);
/* Median prediction (8.4.1.3) */
H264Mv h264_mv_predict (const H264MvNeighbours *neighbours, gint ref_idx);
/* With the directional rules of 16x8 and 8x16 partitions; @shape: H264_SHAPE_* */
H264Mv h264_mv_predict_partition (const H264MotionCache *cache, guint list, guint shape, guint part, gint ref_idx);
/* P_Skip (8.4.1.1) */
H264Mv h264_mv_predict_skip (const H264MvNeighbours *neighbours);

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

/* Spatial direct prediction (8.4.1.2.2); @neighbours of the whole macroblock, by list */
void h264_direct_predict_spatial (const H264MotionPass *pass, const H264MotionSlice *slice, guint mbAddr,
    const H264MvNeighbours neighbours[2], H264SpatialDirect *direct);
/* Temporal direct prediction (8.4.1.2.3) of those quadrants of the macroblock that @quadrants names (bits): into the cache. */
void h264_direct_predict_temporal (const H264MotionPass *pass, H264MotionSlice *slice, guint mbAddr, guint quadrants,
    H264MotionCache *cache);

/* Keep what was derived for macroblock @mbAddr, of slice @slice: of one motion; as it stands in the cache; without motion, where it is
 * intra. */
void h264_motion_store_whole (H264MotionPass *pass, H264MotionSlice *slice, guint mbAddr, const H264Motion *motion);
void h264_motion_store_blocks (H264MotionPass *pass, H264MotionSlice *slice, guint mbAddr, const H264MotionCache *cache);
void h264_motion_store_intra (const H264MotionPass *pass, guint mbAddr);

/* Boundary strengths of the row that begins at @place, whose motion and that of the row above are in the map. */
void h264_boundary_strengths (const H264MotionPass *pass, H264MbPlace place);

/* Fills in ref_ids, missing and dist_scale_factor from the lists; @poc: PicOrderCnt of the current picture. */
void h264_motion_slice_set_lists (H264MotionSlice *slice, gint32 poc);

/* DistScaleFactor (8.4.1.2.3); H264_NO_SCALING for long-term pictures and equal POCs */
gint h264_dist_scale_factor (gint32 poc, const H264RefPic *pic0, const H264RefPic *pic1);

/* POC of a reference */
static inline gint32
h264_ref_pic_poc (const H264RefPic *pic)
{
  return pic->structure == H264_FRAME ? MIN (pic->poc[0], pic->poc[1]) : pic->poc[pic->structure == H264_BOTTOM_FIELD];
}

G_END_DECLS
