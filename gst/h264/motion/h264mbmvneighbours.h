/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Motion beside a macroblock as a whole, straight from the motion map: what a vector of the whole macroblock is predicted from
 * (ITU-T H.264, 8.4.1.3.2).
 */
#pragma once

#include "h264mbaffmotion.h"
#include "h264motionpass.h"
#include "h264motionwords.h"

G_BEGIN_DECLS

/**
 * H264MbMvNeighbours:
 * @ref_idx, @mv: as H264MvNeighbours has them, in both lists: words 0 and 1 are those of list 0 and 1, words 2 and 3 are 0
 */
typedef struct
{
  H264Words ref_idx[3];
  H264Words mv[3];
} H264MbMvNeighbours;

/* What stands for a macroblock that is not available, so that nothing asks whether it is */
static const H264MapMb h264_unavailable_map_mb = {
  .ref_idx = { { H264_REF_UNAVAILABLE, H264_REF_UNAVAILABLE, H264_REF_UNAVAILABLE, H264_REF_UNAVAILABLE },
      { H264_REF_UNAVAILABLE, H264_REF_UNAVAILABLE, H264_REF_UNAVAILABLE, H264_REF_UNAVAILABLE } },
};

/**
 * H264NeighbourMbs:
 * @A, @B, @C: macroblocks; D in place of a C that is not available
 * @c_block: the block of @C that counts, y * 4 + x; of A that is 3, of B 12
 * @c_quadrant: its quadrant; of A that is 1, of B 2
 */
typedef struct
{
  const H264MapMb *A, *B, *C;
  guint c_block, c_quadrant;
} H264NeighbourMbs;

/* Without MBAFF */
static inline H264NeighbourMbs
h264_neighbour_mbs_find (const H264MotionPass *pass, guint mbAddr)
{
  const guint available = pass->motion[mbAddr].available;
  const H264MapMb *mb = &pass->map[mbAddr];
  const gsize width = pass->width_in_mbs;
  H264NeighbourMbs at = { &h264_unavailable_map_mb, &h264_unavailable_map_mb, &h264_unavailable_map_mb, 12, 2 };

  if (available & GST_GPU_AVAILABLE_A)
    at.A = mb - 1;
  if (available & GST_GPU_AVAILABLE_B)
    at.B = mb - width;
  if (available & GST_GPU_AVAILABLE_C)
    at.C = mb - width + 1;
  else if (available & GST_GPU_AVAILABLE_D)
    at = (H264NeighbourMbs){ at.A, at.B, mb - width - 1, 15, 3 };
  return at;
}

/* In one list */
static inline H264MvNeighbours
h264_mb_mv_neighbours_of_list (const H264MotionPass *pass, guint mbAddr, guint list)
{
  H264MvNeighbours neighbours;
  H264NeighbourMbs at;

  if (G_UNLIKELY (pass->mbaff)) {
    h264_mbaff_load_mb_neighbours (pass, mbAddr, list, &neighbours);
    return neighbours;
  }
  at = h264_neighbour_mbs_find (pass, mbAddr);
  return (H264MvNeighbours){
    { at.A->ref_idx[list][1], at.B->ref_idx[list][2], at.C->ref_idx[list][at.c_quadrant] },
    { at.A->mv[list][3], at.B->mv[list][12], at.C->mv[list][at.c_block] },
  };
}

static inline H264MbMvNeighbours
h264_mb_mv_neighbours_of_pair (const H264MotionPass *pass, guint mbAddr)
{
  H264MvNeighbours lists[2];
  H264MbMvNeighbours neighbours;

  for (guint list = 0; list < 2; list++)
    h264_mbaff_load_mb_neighbours (pass, mbAddr, list, &lists[list]);
  for (guint i = 0; i < 3; i++) {
    neighbours.ref_idx[i] = (H264Words){ (guint) lists[0].ref_idx[i], (guint) lists[1].ref_idx[i] };
    neighbours.mv[i] = (H264Words){ lists[0].mv[i].packed, lists[1].mv[i].packed };
  }
  return neighbours;
}

static inline H264Words
h264_map_ref_idx_of_lists (const H264MapMb *mb, guint quadrant)
{
  return (H264Words){ (guint) mb->ref_idx[0][quadrant], (guint) mb->ref_idx[1][quadrant] };
}

static inline H264Words
h264_map_mv_of_lists (const H264MapMb *mb, guint block)
{
  return (H264Words){ mb->mv[0][block].packed, mb->mv[1][block].packed };
}

/* In both lists */
static inline H264MbMvNeighbours
h264_mb_mv_neighbours (const H264MotionPass *pass, guint mbAddr)
{
  H264NeighbourMbs at;

  if (G_UNLIKELY (pass->mbaff))
    return h264_mb_mv_neighbours_of_pair (pass, mbAddr);
  at = h264_neighbour_mbs_find (pass, mbAddr);
  return (H264MbMvNeighbours){
    { h264_map_ref_idx_of_lists (at.A, 1), h264_map_ref_idx_of_lists (at.B, 2), h264_map_ref_idx_of_lists (at.C, at.c_quadrant) },
    { h264_map_mv_of_lists (at.A, 3), h264_map_mv_of_lists (at.B, 12), h264_map_mv_of_lists (at.C, at.c_block) },
  };
}

G_END_DECLS
