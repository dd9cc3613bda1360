/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Where values of the blocks of a macroblock stand, beside those of its neighbours, so that no block asks whether it is at an edge.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Caches of values of the 4x4 blocks of a macroblock and of its neighbours: rows of 8, the block at (x, y) at H264_CACHE (x, y), the left
 * neighbours at x = -1, those above at y = -1. */
#define H264_CACHE(x, y) (((y) + 1) * 8 + (x) + 4)
#define H264_CACHE_SIZE 40

/* luma4x4BlkIdx (6.4.3) to its place in a cache */
extern const guint8 h264_cache_4x4[16];

G_END_DECLS
