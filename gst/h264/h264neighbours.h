/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Where macroblocks are: their places in the picture, the neighbours A (left), B (above), C (above right) and D (above left), and the order
 * in which they follow each other (ITU-T H.264, 6.4.1, 6.4.9, 6.4.10).  The one place in this folder that computes with addresses.
 *
 * So far pictures are progressive frames, where mbAddr counts in raster order.  In MBAFF frames it will count pairs, and the upper and the
 * lower half of a macroblock's left edge may have different neighbours (6.4.12.2): whoever asks for A says which half.
 */
#pragma once

#include <glib.h>

#include "gpurecords.h"
#include "h264fmo.h"

G_BEGIN_DECLS

/**
 * H264MbPlace:
 * @mbAddr: address
 * @mb_x, @mb_y: column and row, in macroblocks
 */
typedef struct
{
  guint mbAddr, mb_x, mb_y;
} H264MbPlace;

/**
 * H264MbNeighbours:
 * @A: mbAddrA, for the upper and the lower half of the left edge
 * @B, @C, @D: mbAddrB, mbAddrC, mbAddrD
 *
 * Addresses of neighbours.  Those outside the picture are no addresses: h264_mb_neighbours_inside() says which are.
 */
typedef struct
{
  guint A[2], B, C, D;
} H264MbNeighbours;

static inline H264MbNeighbours
h264_mb_neighbours (guint mbAddr, guint PicWidthInMbs)
{
  const guint above = mbAddr - PicWidthInMbs;

  return (H264MbNeighbours){ { mbAddr - 1, mbAddr - 1 }, above, above + 1, above - 1 };
}

/* Which neighbours of the macroblock at @place lie in the picture: GST_GPU_AVAILABLE_* */
static inline guint
h264_mb_neighbours_inside (const H264MbPlace *place, guint PicWidthInMbs)
{
  guint inside = 0;

  if (place->mb_x > 0)
    inside |= GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER;
  if (place->mb_y > 0) {
    inside |= GST_GPU_AVAILABLE_B;
    if (place->mb_x + 1 < PicWidthInMbs)
      inside |= GST_GPU_AVAILABLE_C;
    if (place->mb_x > 0)
      inside |= GST_GPU_AVAILABLE_D;
  }
  return inside;
}

/* Inverse macroblock scanning (6.4.1) */
static inline H264MbPlace
h264_mb_place (guint mbAddr, guint PicWidthInMbs)
{
  return (H264MbPlace){ mbAddr, mbAddr % PicWidthInMbs, mbAddr / PicWidthInMbs };
}

/* The macroblock that follows in slice data (8.2.2.9: NextMbAddress()); @mb_to_slice_group: (nullable): NULL with one slice group.  At
 * @n_mbs or above there is none. */
static inline guint
h264_mb_next (const guint8 *mb_to_slice_group, guint n_mbs, guint mbAddr)
{
  return mb_to_slice_group ? h264_fmo_next (mb_to_slice_group, n_mbs, mbAddr) : mbAddr + 1;
}

/* Moves @place on to @mbAddr, which is a later one: without a division. */
static inline void
h264_mb_place_move (H264MbPlace *place, guint mbAddr, guint PicWidthInMbs)
{
  place->mb_x += mbAddr - place->mbAddr;
  place->mbAddr = mbAddr;
  while (place->mb_x >= PicWidthInMbs) {
    place->mb_x -= PicWidthInMbs;
    place->mb_y++;
  }
}

/* The walk over a whole picture, whatever its slices: every macroblock once, and after those that its neighbours are.
 * for (H264MbPlace place = { 0, 0, 0 }; place.mb_y < height_in_mbs; h264_mb_place_step (&place, width_in_mbs)) */
static inline void
h264_mb_place_step (H264MbPlace *place, guint PicWidthInMbs)
{
  place->mbAddr++;
  if (++place->mb_x == PicWidthInMbs) {
    place->mb_x = 0;
    place->mb_y++;
  }
}

G_END_DECLS
