/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The edges of macroblocks: their neighbours' values for parsing.
 */
#include "h264mbedges.h"
#include "h264memory.h"

/* total_coeff of a block that is not available: no value that a block has, for nC (9.2.1); and not 0, so that coded_block_flag of an intra
 * macroblock is taken for 1 (9.3.3.1.1.9) */
#define UNAVAILABLE_COEFFS 64

/* A neighbour that is not available to an intra macroblock (9.3.3.1.1, 8.3.1.1); or to any one in CAVLC */
const H264MbEdge h264_unavailable_edge = {
  .total_coeff = {
    {UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS},
    {UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS},
    {UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS, UNAVAILABLE_COEFFS},
  },
  .intra_mode = {-1, -1, -1, -1},
  .cbp = 0x0f,
  .dc_coded = 7,
  .any_8x8 = 3,
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

gboolean
h264_mb_edges_begin_slice (H264SliceDecoder *dec)
{
  const guint n_edges = dec->target->width_in_mbs << dec->mbaff;

  if (!h264_try_reserve ((gpointer *) &dec->above_edges, &dec->n_above_edges, n_edges, sizeof (H264MbEdge)))
    return FALSE;
  make_skipped_edge (dec);
  return TRUE;
}

void
h264_mb_edges_clear (H264SliceDecoder *dec)
{
  g_free (dec->above_edges);
}

/* Row k of the left edge of a macroblock of a pair is row rows[k] of edge which[k] of the left pair, which is of the other kind. */
typedef struct
{
  guint8 which[4], rows[4];
} Mixture;

/* @maxH: rows of samples of the macroblock; its blocks have 4 */
static void
find_mixture (const H264SliceDecoder *dec, gint maxH, Mixture *mixture)
{
  for (gint k = 0; k < maxH / 4; k++) {
    const gint line = h264_line_of_pair (4 * k, dec->pair.is_field, dec->place.mbAddr & 1, maxH);
    const H264PairLine at = h264_pair_line (line, dec->pair.left_is_field, maxH);

    mixture->which[k] = (guint8) at.lower;
    mixture->rows[k] = (guint8) (at.yM >> 2);
  }
}

static void
mix_total_coeff (const H264SliceDecoder *dec, const Mixture *luma, H264MbEdge *mixed)
{
  Mixture chroma = *luma;
  guint n = 4;

  for (guint k = 0; k < 4; k++)
    mixed->total_coeff[0][k] = dec->pair.left[luma->which[k]].total_coeff[0][luma->rows[k]];
  if (dec->ChromaArrayType == 1) {
    find_mixture (dec, 8, &chroma);
    n = 2;
  }
  for (guint plane = 1; plane < 3; plane++)
    for (guint k = 0; k < n; k++)
      mixed->total_coeff[plane][k] = dec->pair.left[chroma.which[k]].total_coeff[plane][chroma.rows[k]];
}

/* The left edge where the left pair is of the other kind (6.4.12.2): what belongs to a macroblock comes from the one beside the first
 * row. */
static const H264MbEdge *
mix_left_edge (H264SliceDecoder *dec)
{
  const H264MbEdge *left = dec->pair.left;
  H264MbEdge *mixed = &dec->pair.mixed;
  Mixture luma;

  find_mixture (dec, 16, &luma);
  *mixed = left[luma.which[0]];
  mixed->cbp &= 0xf0;
  mixed->any_8x8 = 0;
  for (guint half = 0; half < 2; half++) {
    const H264MbEdge *from = &left[luma.which[2 * half]];

    /* the right one of the two quadrants there */
    mixed->cbp |= (guint8) ((from->cbp >> (luma.rows[2 * half] < 2 ? 1 : 3) & 1) << (1 + 2 * half));
    mixed->any_8x8 |= (guint8) ((from->any_8x8 & 1) << half);
  }
  mix_total_coeff (dec, &luma, mixed);
  for (guint k = 0; k < 4; k++) {
    const H264MbEdge *from = &left[luma.which[k]];
    const guint row = luma.rows[k];

    mixed->intra_mode[k] = from->intra_mode[row];
    for (guint list = 0; list < 2; list++) {
      mixed->ref_idx_gt[list][k] = from->ref_idx_gt[list][row];
      memcpy (mixed->abs_mvd[list][k], from->abs_mvd[list][row], 2);
    }
  }
  return mixed;
}

static void
set_edges_of_pair (H264SliceDecoder *dec, const H264MbEdge *unavailable)
{
  const guint lower = dec->place.mbAddr & 1;
  const H264MbEdge *above = &dec->above_edges[2 * dec->place.mb_x];

  dec->left = dec->above = unavailable;
  if (dec->available & GST_GPU_AVAILABLE_A)
    dec->left = dec->pair.left_is_field == dec->pair.is_field ? &dec->pair.left[lower] : mix_left_edge (dec);
  if (lower && !dec->pair.is_field)
    dec->above = above;
  else if (dec->available & GST_GPU_AVAILABLE_B)
    dec->above = &above[h264_pair_above (h264_pair_above_is_field (dec), dec->pair.is_field, lower)];
}

void
h264_mb_edges_begin_of_pair (H264SliceDecoder *dec)
{
  set_edges_of_pair (dec, &h264_unavailable_edge);
}

void
h264_mb_edges_set_intra (H264SliceDecoder *dec, gboolean intra)
{
  const H264MbEdge *unavailable = intra || !dec->pps->entropy_coding_mode_flag ? &h264_unavailable_edge : &unavailable_edge_inter_cabac;

  if (G_UNLIKELY (dec->mbaff))
    set_edges_of_pair (dec, unavailable);
  else
    h264_mb_edges_set (dec, unavailable);
}

void
h264_mb_edges_begin_lower (H264SliceDecoder *dec)
{
  const guint available = dec->available;

  /* as if it were its turn: which edges are the neighbours' depends on the address */
  dec->place.mbAddr++;
  dec->available = h264_mbaff_neighbours (available & ~(guint) (GST_GPU_AVAILABLE_C | GST_GPU_AVAILABLE_D), dec->pair.is_field, 1);
  set_edges_of_pair (dec, &h264_unavailable_edge);
  if (!dec->pair.is_field)
    dec->above = &dec->skipped_edge;
  dec->place.mbAddr--;
  dec->available = available;
}

/* A row of a cache, all eight bytes at once: the left neighbour's value at x = -1, then 0 */
static inline void
begin_row (guint8 *row, guint8 left)
{
  const guint64 bytes = (guint64) left << 24;

  memcpy (row, &bytes, sizeof (bytes));
}

/* What a neighbour of the other kind has is in other units (9.3.3.1.1.6, 9.3.3.1.1.7): a field has half the lines, and refIdx counts
 * fields. */
static void
convert_block (H264SliceDecoder *dec, guint list, guint at)
{
  guint8 *vertical = &dec->abs_mvd[list][at][1];

  if (dec->pair.is_field) {
    /* those that were clipped stay above what they are compared with: H264_MAX_ABS_MVD / 2 is more than 32 */
    *vertical >>= 1;
  } else {
    *vertical = (guint8) (*vertical << 1);
    dec->ref_idx_gt[list][at] >>= 1;
  }
}

static void
convert_motion (H264SliceDecoder *dec)
{
  const gboolean left = (dec->available & GST_GPU_AVAILABLE_A) && dec->pair.left_is_field != dec->pair.is_field;
  const gboolean in_pair = (dec->place.mbAddr & 1) && !dec->pair.is_field;
  const gboolean above = (dec->available & GST_GPU_AVAILABLE_B) && !in_pair && h264_pair_above_is_field (dec) != dec->pair.is_field;

  for (guint list = 0; list < 2; list++)
    for (guint k = 0; k < 4; k++) {
      if (left)
        convert_block (dec, list, H264_CACHE (-1, (gint) k));
      if (above)
        convert_block (dec, list, H264_CACHE (k, -1));
    }
}

void
h264_mb_edges_load_motion (H264SliceDecoder *dec)
{
  dec->has_motion = TRUE;
  for (guint list = 0; list < 2; list++) {
    guint8 *ref_idx_gt = dec->ref_idx_gt[list];
    guint8 (*abs_mvd)[2] = dec->abs_mvd[list];

    memcpy (&ref_idx_gt[H264_CACHE (0, -1)], dec->above->ref_idx_gt[list], 4);
    memcpy (abs_mvd[H264_CACHE (0, -1)], dec->above->abs_mvd[list], 8);
#pragma GCC unroll 4
    for (guint y = 0; y < 4; y++) {
      begin_row (&ref_idx_gt[H264_CACHE (-4, (gint) y)], dec->left->ref_idx_gt[list][y]);
      memcpy (abs_mvd[H264_CACHE (-1, (gint) y)], dec->left->abs_mvd[list][y], 2);
      memset (abs_mvd[H264_CACHE (0, y)], 0, 8);
    }
  }
  if (G_UNLIKELY (dec->mbaff))
    convert_motion (dec);
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
      left->ref_idx_gt[list][y] = dec->ref_idx_gt[list][H264_CACHE (3, y)];
      memcpy (left->abs_mvd[list][y], dec->abs_mvd[list][H264_CACHE (3, y)], 2);
    }
    memcpy (above->ref_idx_gt[list], &dec->ref_idx_gt[list][H264_CACHE (0, 3)], 4);
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
  edge->any_8x8 = dec->transform_size_8x8_flag || dec->mb->mb_class == GST_GPU_MB_IPCM ? 3 : 0;
  edge->not_skip = TRUE;
  edge->not_direct = !dec->direct;
}

static inline void
save_edges (const H264SliceDecoder *dec, H264MbEdge *left, H264MbEdge *above)
{
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

void
h264_mb_edges_save (H264SliceDecoder *dec)
{
  const guint lower = dec->place.mbAddr & 1;

  if (!G_UNLIKELY (dec->mbaff)) {
    save_edges (dec, &dec->left_edge, &dec->above_edges[dec->place.mb_x]);
    return;
  }
  save_edges (dec, &dec->pair.own[lower], &dec->above_edges[2 * dec->place.mb_x + lower]);
  if (lower) {
    memcpy (dec->pair.left, dec->pair.own, sizeof (dec->pair.left));
    dec->pair.left_is_field = dec->pair.is_field;
  }
}
