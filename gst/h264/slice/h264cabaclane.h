/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Where the residual of a macroblock stands while it is read beside that of another slice (h264cabaclanes.h).
 */
#pragma once

#include <glib.h>

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
 * @done: all of its blocks have been read
 * @way: where the current block goes on (h264cabaclanes.c)
 * @n: levels found, then levels still to be read
 * @out: where they go
 * @places: which of @out each is, in bits 23 to 16, in the order of the map, behind one that stands for none; the other bits say nothing
 * @blocks: of the macroblock, the current one before @next_block
 *
 * A part of H264SliceDecoder, so that one address leads to it and to the context variables.
 */
typedef struct
{
  gboolean done;
  guint64 way;
  gsize n;
  gint16 *out;
  guint32 places[1 + 64 + 1];
  guint n_blocks, next_block;
  /* three planes with a DC block and 16 others each */
  H264LaneBlock blocks[3 * 17];
} H264CabacLane;

G_END_DECLS
