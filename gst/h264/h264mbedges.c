/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The edges of macroblocks: their neighbours' values for parsing.
 */
#include "h264mbedges.h"

/* total_coeff of a block that is not available: no value that a block has, for nC (9.2.1); and not 0, so that coded_block_flag of an intra
 * macroblock is taken for 1 (9.3.3.1.1.9) */
#define UNAVAILABLE_COEFFS 64

/* A neighbour that is not available to an intra macroblock (9.3.3.1.1, 8.3.1.1); or to any one in CAVLC */
static const H264MbEdge unavailable_edge = {
  .total_coeff = {
    {UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS},
    {UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS},
    {UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS},
  },
  .intra_mode = {-1, -1, -1, -1},
  .cbp = 0x0f,
  .dc_coded = 7,
  .any_8x8 = 1,
};

/* A neighbour that is not available to an inter macroblock in CABAC: its coded_block_flags are taken for 0 */
static const H264MbEdge unavailable_edge_inter_cabac = {
  .intra_mode = { -1, -1, -1, -1 },
  .cbp = 0x0f,
};

/* What neighbours see of a skipped macroblock; the Intra4x4PredMode of inter macroblocks depends on whether intra ones may use them
 * (8.3.1.1). */
static void
make_skipped_edge (H264SliceDecoder *dec)
{
  dec->skipped_edge = (H264MbEdge){ .not_i_nxn = TRUE, .not_direct = dec->sh->slice_type != H264_SLICE_B };
  memset (dec->skipped_edge.intra_mode, dec->pps->constrained_intra_pred_flag ? -1 : 2, 4);
}

void
h264_mb_edges_begin_slice (H264SliceDecoder *dec)
{
  const guint width = dec->target->width_in_mbs;

  if (dec->n_above_edges < width) {
    dec->above_edges = g_renew (H264MbEdge, dec->above_edges, width);
    dec->n_above_edges = width;
  }
  make_skipped_edge (dec);
}

void
h264_mb_edges_clear (H264SliceDecoder *dec)
{
  g_free (dec->above_edges);
}

void
h264_mb_edges_begin (H264SliceDecoder *dec)
{
  dec->left = dec->available & GST_GPU_AVAILABLE_A ? &dec->left_edge : &unavailable_edge;
  dec->above = dec->available & GST_GPU_AVAILABLE_B ? &dec->above_edges[dec->place.mb_x] : &unavailable_edge;
}

void
h264_mb_edges_set_intra (H264SliceDecoder *dec, gboolean intra)
{
  const H264MbEdge *unavailable = intra || !dec->pps->entropy_coding_mode_flag ? &unavailable_edge : &unavailable_edge_inter_cabac;

  dec->left = dec->available & GST_GPU_AVAILABLE_A ? &dec->left_edge : unavailable;
  dec->above = dec->available & GST_GPU_AVAILABLE_B ? &dec->above_edges[dec->place.mb_x] : unavailable;
}

/* A row of a cache, all eight bytes at once: the left neighbour's value at x = -1, then 0 */
static inline void
begin_row (guint8 *row, guint8 left)
{
  const guint64 bytes = (guint64) left << 24;

  memcpy (row, &bytes, sizeof (bytes));
}

void
h264_mb_edges_load_motion (H264SliceDecoder *dec)
{
  dec->has_motion = TRUE;
  for (guint list = 0; list < 2; list++) {
    guint8 *above_0 = dec->ref_idx_above_0[list];
    guint8 (*abs_mvd)[2] = dec->abs_mvd[list];

    memcpy (&above_0[H264_CACHE (0, -1)], dec->above->ref_idx_above_0[list], 4);
    memcpy (abs_mvd[H264_CACHE (0, -1)], dec->above->abs_mvd[list], 8);
#pragma GCC unroll 4
    for (guint y = 0; y < 4; y++) {
      begin_row (&above_0[H264_CACHE (-4, (gint) y)], dec->left->ref_idx_above_0[list][y]);
      memcpy (abs_mvd[H264_CACHE (-1, (gint) y)], dec->left->abs_mvd[list][y], 2);
      memset (abs_mvd[H264_CACHE (0, y)], 0, 8);
    }
  }
}

void
h264_mb_edges_load_total_coeff (H264SliceDecoder *dec)
{
  dec->has_residual = TRUE;
  for (guint plane = 0; plane < 3; plane++) {
    guint8 *cache = dec->total_coeff[plane];

    memcpy (&cache[H264_CACHE (0, -1)], dec->above->total_coeff[plane], 4);
    for (guint y = 0; y < 4; y++)
      begin_row (&cache[H264_CACHE (-4, (gint) y)], dec->left->total_coeff[plane][y]);
  }
}

void
h264_mb_edges_load_intra_modes (H264SliceDecoder *dec)
{
  memcpy (&dec->intra_mode[H264_CACHE (0, -1)], dec->above->intra_mode, 4);
  for (guint y = 0; y < 4; y++)
    dec->intra_mode[H264_CACHE (-1, (gint) y)] = dec->left->intra_mode[y];
}

static void
save_motion_edges (const H264SliceDecoder *dec, H264MbEdge *left, H264MbEdge *above)
{
  for (guint list = 0; list < 2; list++) {
    for (guint y = 0; y < 4; y++) {
      left->ref_idx_above_0[list][y] = dec->ref_idx_above_0[list][H264_CACHE (3, y)];
      memcpy (left->abs_mvd[list][y], dec->abs_mvd[list][H264_CACHE (3, y)], 2);
    }
    memcpy (above->ref_idx_above_0[list], &dec->ref_idx_above_0[list][H264_CACHE (0, 3)], 4);
    memcpy (above->abs_mvd[list], dec->abs_mvd[list][H264_CACHE (0, 3)], 8);
  }
}

static void
save_total_coeff (const H264SliceDecoder *dec, H264MbEdge *left, H264MbEdge *above)
{
  /* last column and row of the chroma blocks: 2x2, 2x4 or 4x4 blocks */
  const guint last_x = dec->ChromaArrayType == 3 ? 3 : 1, last_y = dec->ChromaArrayType == 1 ? 1 : 3;

  for (guint plane = 0; plane < 3; plane++) {
    const guint8 *cache = dec->total_coeff[plane];

    memcpy (above->total_coeff[plane], &cache[H264_CACHE (0, plane > 0 ? last_y : 3)], 4);
    for (guint y = 0; y < 4; y++)
      left->total_coeff[plane][y] = cache[H264_CACHE (plane > 0 ? last_x : 3, y)];
  }
}

static void
save_intra_modes (const H264SliceDecoder *dec, H264MbEdge *left, H264MbEdge *above)
{
  memcpy (above->intra_mode, &dec->intra_mode[H264_CACHE (0, 3)], 4);
  for (guint y = 0; y < 4; y++)
    left->intra_mode[y] = dec->intra_mode[H264_CACHE (3, y)];
}

/* What both edges of a macroblock that is not skipped have in common */
static inline void
save_syntax (const H264SliceDecoder *dec, H264MbEdge *edge)
{
  edge->not_i_nxn = dec->mb->mb_class != GST_GPU_MB_I4x4 && dec->mb->mb_class != GST_GPU_MB_I8x8;
  edge->cbp = (guint8) dec->cbp;
  edge->dc_coded = (guint8) dec->dc_coded;
  edge->intra_chroma_pred_mode = (guint8) dec->intra_chroma_pred_mode;
  edge->transform_size_8x8_flag = dec->transform_size_8x8_flag != 0;
  edge->any_8x8 = dec->transform_size_8x8_flag || dec->mb->mb_class == GST_GPU_MB_IPCM;
  edge->not_skip = TRUE;
  edge->not_direct = !dec->direct;
}

void
h264_mb_edges_save (H264SliceDecoder *dec)
{
  H264MbEdge *left = &dec->left_edge, *above = &dec->above_edges[dec->place.mb_x];

  /* of a macroblock without residual and vectors the rest is 0, and the modes are those of an inter one */
  *left = *above = dec->skipped_edge;
  if (!dec->skipped) {
    /* each for itself: copying an edge that was just written by the byte would wait for all of these stores */
    save_syntax (dec, left);
    save_syntax (dec, above);
  }
  if (dec->has_residual)
    save_total_coeff (dec, left, above);
  if (dec->mb->mb_class != GST_GPU_MB_INTER)
    save_intra_modes (dec, left, above);
  if (dec->has_motion)
    save_motion_edges (dec, left, above);
}
