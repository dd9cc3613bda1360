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

typedef enum
{
  H264_LANE_MAP,    /* significant_coeff_flag, last_significant_coeff_flag */
  H264_LANE_LEVELS, /* coeff_abs_level_minus1, coeff_sign_flag */
  H264_LANE_DONE,
} H264LanePhase;

/**
 * H264CabacLane:
 * @dec: the slice
 * @phase: of the current block
 * @way: where the current block goes on (h264cabaclanes.c)
 * @n: levels found, then levels still to be read
 * @total_coeff: levels of the block, once the map has been read
 * @out: where they go
 * @scan: which of @out each is
 * @places: their numbers in scan order
 * @blocks: of the macroblock, the current one before @next_block
 */
typedef struct
{
  H264SliceDecoder *dec;
  H264LanePhase phase;
  guint64 way;
  gsize n;
  guint total_coeff;
  gint16 *out;
  const guint8 *scan;
  guint8 places[64];
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
  return lane->phase == H264_LANE_DONE;
}

/* Reads until one of two residuals has been read, or both. */
void h264_cabac_lanes_run (H264CabacLane *a, H264CabacLane *b);

/* Reads the rest of a residual alone. */
void h264_cabac_lane_finish (H264CabacLane *lane);

G_END_DECLS
