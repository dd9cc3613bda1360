/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Residuals of two slices in CABAC, side by side in one thread.
 *
 * A bin decides which one comes next, so a processor that decodes one slice either waits for each bin or guesses it, often wrongly.  Here
 * nothing is guessed: the bins of two slices, which have nothing to do with each other, fill each other's waits.  A lane is the part of one
 * slice in that: the residual of its current macroblock.  One slice alone is read by guessing (h264cabacsyntax.c): this would be up to
 * 6 % faster there, or up to 7 % slower, as the stream is.
 */
#pragma once

#include "h264slicestate.h"

G_BEGIN_DECLS

/* Makes the tables; call once before any thread decodes. */
void h264_cabac_lanes_init_tables (void);

/* Begins the residual of the current macroblock of @dec, which is not a lossless one. */
void h264_cabac_lane_begin (H264SliceDecoder *dec);

static inline gboolean
h264_cabac_lane_is_done (const H264SliceDecoder *dec)
{
  return dec->lane.done;
}

/* Reads until one of two residuals has been read, or both. */
void h264_cabac_lanes_run (H264SliceDecoder *a, H264SliceDecoder *b);

/* Reads the rest of a residual alone. */
void h264_cabac_lane_finish (H264SliceDecoder *dec);

G_END_DECLS
