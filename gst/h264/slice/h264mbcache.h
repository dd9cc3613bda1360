/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Where values of the blocks of a macroblock stand, beside those of its neighbours, so that no block asks whether it is at an edge.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Caches of values of the 4x4 blocks of a macroblock and of its neighbours: five rows of 8 entries, the block at (x, y) at
 * H264_CACHE (x, y).  The macroblock's own blocks have x and y 0 to 3; the left neighbours (A) stand at x = -1, those above (B) at y = -1,
 * the one above at the right (C) at (4, -1), the one above at the left (D) at (-1, -1).
 *
 * A row begins at x = -4, and (4, y) is (-4, y + 1): C takes the first entry of the next row, which nothing else uses.  Columns -3 and -2
 * are free, so that x = 0 is at a multiple of 4, but for motion in MBAFF frames: there column -2 has neighbours D of the blocks of x = 0.
 * Lines of fields and of frames do not lie side by side, so that those are not the neighbours A of the row above (6.4.12.2, Table 6-4). */
#define H264_CACHE(x, y) (((y) + 1) * 8 + (x) + 4)
#define H264_CACHE_SIZE 40

/* luma4x4BlkIdx (6.4.3) to its place in a cache */
extern const guint8 h264_cache_4x4[16];

G_END_DECLS
