/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Residuals of two slices in CABAC, side by side in one thread.
 *
 * A bin decides which one comes next, so a processor that decodes one slice either waits for each bin or guesses it, often wrongly.  Here
 * nothing is guessed: the bins of two slices, which have nothing to do with each other, fill each other's waits.  A lane is the part of one
 * slice in that: the residual of its current macroblock.  For one slice alone this is slower than guessing (h264cabacsyntax.c).
 */
#pragma once

#include "h264slicestate.h"

G_BEGIN_DECLS

/**
 * H264LaneBlock:
 * @kind: H264BlockClass, or what h264cabaclanes.c adds to it
 * @blk: its position
 * @at: place in the caches
 *
 * A block of the macroblock, in the order of residual()
 */
typedef struct
{
  guint8 kind;
  guint8 plane;
  guint8 blk;
  guint8 at;
} H264LaneBlock;

/**
 * H264CabacLane:
 * @dec: the slice
 * @done: all of its blocks have been read
 * @way: where the current block goes on (h264cabaclanes.c)
 * @n: levels found, then levels still to be read
 * @out: where they go
 * @places: which of @out each is, in the order of the map, behind one that stands for none
 * @blocks: of the macroblock, the current one before @next_block
 */
typedef struct
{
  H264SliceDecoder *dec;
  gboolean done;
  guint64 way;
  gsize n;
  gint16 *out;
  guint8 places[1 + 64 + 1];
  guint n_blocks, next_block;
  /* three planes with a DC block and 16 others each */
  H264LaneBlock blocks[3 * 17];
} H264CabacLane;

/* Makes the tables; call once before any thread decodes. */
void h264_cabac_lanes_init_tables (void);

/* Begins the residual of the current macroblock of @dec, which is not a lossless one. */
void h264_cabac_lane_begin (H264CabacLane *lane, H264SliceDecoder *dec);

static inline gboolean
h264_cabac_lane_is_done (const H264CabacLane *lane)
{
  return lane->done;
}

/* Reads until one of two residuals has been read, or both. */
void h264_cabac_lanes_run (H264CabacLane *a, H264CabacLane *b);

/* Reads the rest of a residual alone. */
void h264_cabac_lane_finish (H264CabacLane *lane);

G_END_DECLS
