/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What parsing needs of the neighbours of the current macroblock, and what it leaves for those to come.
 */
#pragma once

#include "h264slicestate.h"

G_BEGIN_DECLS

void h264_mb_edges_begin_slice (H264SliceDecoder *dec);
/* Finds the neighbours' edges; @dec's available is set.  Enough for the elements that are read before it is known whether the macroblock is
 * intra. */
void h264_mb_edges_begin (H264SliceDecoder *dec);
/* For mb_skip_flag of the lower macroblock of a pair, before its turn: the current one is the upper, and skipped. */
void h264_mb_edges_begin_lower (H264SliceDecoder *dec);
/* The same once that is known: what is inferred for neighbours that are not available depends on it. */
void h264_mb_edges_set_intra (H264SliceDecoder *dec, gboolean intra);
/* Fill the caches with what they need of the neighbours, and their inner part with 0: each only for macroblocks that use it */
void h264_mb_edges_load_motion (H264SliceDecoder *dec);
void h264_mb_edges_load_total_coeff (H264SliceDecoder *dec);
void h264_mb_edges_load_intra_modes (H264SliceDecoder *dec);
/* Keeps what later macroblocks need of the current one, which is complete. */
void h264_mb_edges_save (H264SliceDecoder *dec);
void h264_mb_edges_clear (H264SliceDecoder *dec);

G_END_DECLS
