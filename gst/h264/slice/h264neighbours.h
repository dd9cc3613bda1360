/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Where macroblocks are: their places in the picture, the neighbours A (left), B (above), C (above right) and D (above left), and the order
 * in which they follow each other (ITU-T H.264, 6.4.1, 6.4.9, 6.4.10).  Neighbours' addresses are computed here alone;
 * others know no more than that the last bit of an address tells the macroblocks of a pair apart, and h264colocated.c computes where
 * co-located macroblocks are.
 *
 * In MBAFF frames mbAddr counts pairs: an even address is the upper macroblock of a pair (the top field, in a pair of field macroblocks),
 * the odd one behind it the lower.  A macroblock's left edge may then have two neighbours (6.4.12.2).
 */
#pragma once

#include <glib.h>

#include "gpurecords.h"
#include "h264fmo.h"

G_BEGIN_DECLS

/**
 * H264MbPlace:
 * @mbAddr: address
 * @mb_x, @mb_y: column and row, in macroblocks; of field macroblocks of MBAFF frames as if they were frame macroblocks
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
  /* all ones or 0: branches would be multiplied by those of the callers */
  const guint has_left = 0u - (place->mb_x > 0), has_above = 0u - (place->mb_y > 0), has_right = 0u - (place->mb_x + 1 < PicWidthInMbs);
  const guint left = has_left & (GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER);

  return left | (has_above & (GST_GPU_AVAILABLE_B | (has_right & GST_GPU_AVAILABLE_C) | (has_left & GST_GPU_AVAILABLE_D)));
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

/* Inverse macroblock scanning in MBAFF frames */
static inline H264MbPlace
h264_mbaff_place (guint mbAddr, guint PicWidthInMbs)
{
  const guint pair = mbAddr / 2;

  return (H264MbPlace){ mbAddr, pair % PicWidthInMbs, pair / PicWidthInMbs * 2 + mbAddr % 2 };
}

/**
 * H264PairNeighbours:
 * @A, @B, @C, @D: of the pairs at the left, above, above right and above left the address of the upper macroblock (6.4.10)
 */
typedef struct
{
  guint A, B, C, D;
} H264PairNeighbours;

static inline H264PairNeighbours
h264_pair_neighbours (guint mbAddr, guint PicWidthInMbs)
{
  const guint upper = mbAddr & ~1u, above = upper - 2 * PicWidthInMbs;

  return (H264PairNeighbours){ upper - 2, above, above + 2, above - 2 };
}

/* Which pairs beside the one at @place lie in the picture: GST_GPU_AVAILABLE_* */
static inline guint
h264_pair_neighbours_inside (const H264MbPlace *place, guint PicWidthInMbs)
{
  const H264MbPlace pair = { place->mbAddr, place->mb_x, place->mb_y / 2 };

  return h264_mb_neighbours_inside (&pair, PicWidthInMbs);
}

/* The neighbours of a macroblock of a pair, where those of the pair are @pairs (6.4.12.2): the lower one of two frame macroblocks has the
 * upper one above it, and nothing above to its right. */
static inline guint
h264_mbaff_neighbours (guint pairs, gboolean is_field, guint lower)
{
  if (is_field || !lower)
    return pairs;
  pairs &= GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER;
  return pairs | GST_GPU_AVAILABLE_B | (pairs & GST_GPU_AVAILABLE_A ? GST_GPU_AVAILABLE_D : 0);
}

/**
 * H264PairLine:
 * @lower: the macroblock of a pair, 0 or 1
 * @yM: row in it
 */
typedef struct
{
  guint lower;
  gint yM;
} H264PairLine;

/* Line @line of a pair, 0 to 2 * @maxH - 1.  Table 6-4 comes to this: what neighbours a sample in the lines of its own macroblock lies in
 * the line of the frame next to it, whatever kind of pair has that line; in the lines of a field that is every second one. */
static inline H264PairLine
h264_pair_line (gint line, gboolean is_field, gint maxH)
{
  if (is_field)
    return (H264PairLine){ (guint) line & 1, line >> 1 };
  return (H264PairLine){ line >= maxH, line >= maxH ? line - maxH : line };
}

/* The line of the pair that row @yN of a macroblock is, or would be: yN is -1 for the row above it. */
static inline gint
h264_line_of_pair (gint yN, gboolean is_field, guint lower, gint maxH)
{
  return is_field ? 2 * yN + (gint) lower : yN + (gint) lower * maxH;
}

/* Which macroblock of the pair above, 0 or 1, is neighbour B (C, D of those pairs alike) of macroblock @lower of a pair.  Not of the lower
 * frame macroblock, above which the upper one of its own pair stands. */
static inline guint
h264_pair_above (gboolean above_is_field, gboolean is_field, guint lower)
{
  return above_is_field && is_field ? lower : 1;
}

G_END_DECLS
