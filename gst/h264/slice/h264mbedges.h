/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What parsing needs of the neighbours of the current macroblock, and what it leaves for those to come.
 */
#pragma once

#include "h264slicestate.h"

G_BEGIN_DECLS

/* FALSE: there is no memory for the edges of a row. */
gboolean h264_mb_edges_begin_slice (H264SliceDecoder *dec);
/* A neighbour that is not available to an intra macroblock (9.3.3.1.1, 8.3.1.1); or to any one in CAVLC */
extern const H264MbEdge h264_unavailable_edge;

/* The neighbours' edges without MBAFF; @dec's available is set. */
static inline void
h264_mb_edges_set (H264SliceDecoder *dec, const H264MbEdge *unavailable)
{
  dec->left = dec->available & GST_GPU_AVAILABLE_A ? &dec->left_edge : unavailable;
  dec->above = dec->available & GST_GPU_AVAILABLE_B ? &dec->above_edges[dec->place.mb_x] : unavailable;
}

/* Finds the neighbours' edges, well enough for the elements that are read before it is known whether the macroblock is intra: without
 * MBAFF, and of a macroblock of a pair */
static inline void
h264_mb_edges_begin (H264SliceDecoder *dec)
{
  h264_mb_edges_set (dec, &h264_unavailable_edge);
}

void h264_mb_edges_begin_of_pair (H264SliceDecoder *dec);
/* The same once it is known whether the macroblock is intra: what is inferred for neighbours that are not available depends on it. */
void h264_mb_edges_set_intra (H264SliceDecoder *dec, gboolean intra);
/* For mb_skip_flag of the lower macroblock of a pair, before its turn: the current one is the upper, and skipped. */
void h264_mb_edges_begin_lower (H264SliceDecoder *dec);
/* Fill the caches with what they need of the neighbours, and their inner part with 0: each only for macroblocks that use it */
void h264_mb_edges_load_motion (H264SliceDecoder *dec);
void h264_mb_edges_load_total_coeff (H264SliceDecoder *dec);
void h264_mb_edges_load_intra_modes (H264SliceDecoder *dec);
/* Keeps what later macroblocks need of the current one, which is complete. */
void h264_mb_edges_save (H264SliceDecoder *dec);
/* The same of a skipped one, without MBAFF */
static inline void
h264_mb_edges_save_skipped (H264SliceDecoder *dec)
{
  dec->left_edge = dec->skipped_edge;
  dec->above_edges[dec->place.mb_x] = dec->skipped_edge;
}

void h264_mb_edges_clear (H264SliceDecoder *dec);

G_END_DECLS
