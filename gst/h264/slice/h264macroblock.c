/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The macroblock layer (ITU-T H.264, 7.3.5) of intra macroblocks, and what inter ones share with it: everything between the syntax elements
 * and the macroblock's record.
 */
#include "h264macroblock.h"
#include "h264availability.h"
#include "h264coding.h"
#include "h264mbedges.h"
#include "h264pair.h"

#define AVAILABLE_A (GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER)
#define AVAILABLE_ABD (AVAILABLE_A | GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_D)

static const gchar *const unavailable_neighbour = "an intra prediction mode uses a neighbour that is not available";

/* The neighbours (GST_GPU_AVAILABLE_A, _B, _D) that each Intra4x4PredMode and Intra8x8PredMode cannot do without (8.3.1.2, 8.3.2.2) */
static const guint8 nxn_mode_needs[9] = { GST_GPU_AVAILABLE_B, GST_GPU_AVAILABLE_A, 0, GST_GPU_AVAILABLE_B, AVAILABLE_ABD, AVAILABLE_ABD,
  AVAILABLE_ABD, GST_GPU_AVAILABLE_B, GST_GPU_AVAILABLE_A };

/* Whether all that @mode needs is there for a block in column @x, row @y of the macroblock: what lies inside it always is. */
static inline gboolean
nxn_mode_is_possible (const GstGpuMb *mb, guint mode, guint x, guint y, guint rows)
{
  guint needs = nxn_mode_needs[mode];
  const guint left = y * 2 < rows ? GST_GPU_AVAILABLE_A : GST_GPU_AVAILABLE_A_LOWER;

  if ((needs & GST_GPU_AVAILABLE_A) && x == 0 && !(mb->available & left))
    return FALSE;
  if ((needs & GST_GPU_AVAILABLE_B) && y == 0 && !(mb->available & GST_GPU_AVAILABLE_B))
    return FALSE;
  if (!(needs & GST_GPU_AVAILABLE_D))
    return TRUE;
  /* the sample above and to the left: in macroblock D, in A, in B, or inside */
  if (x == 0 && y == 0)
    return (mb->available & GST_GPU_AVAILABLE_D) != 0;
  return TRUE;
}

/* predIntraNxNPredMode and the mode (8.3.1.1, 8.3.2.1); @window: (nullable): that of CAVLC; @at: place of the block in the cache */
H264_ALWAYS_INLINE gint
read_nxn_mode (H264SliceDecoder *dec, H264CavlcWindow *window, guint at)
{
  const gint a = dec->intra_mode[at - 1], b = dec->intra_mode[at - 8], least = MIN (a, b);
  const gint predicted = least < 0 ? 2 : least;
  gint rem;

  if (window)
    return (gint) h264_window_nxn_mode (window, (guint) predicted);
  rem = dec->coding->intra_pred_mode (dec);
  if (rem < 0)
    return predicted;
  return rem < predicted ? rem : rem + 1;
}

/* Whether all neighbours are there, so that no mode needs a look */
static inline gboolean
all_modes_are_possible (const GstGpuMb *mb)
{
  return (mb->available & AVAILABLE_ABD) == AVAILABLE_ABD;
}

H264_ALWAYS_INLINE void
read_intra_4x4_modes (H264SliceDecoder *dec, H264CavlcWindow *window)
{
  GstGpuMb *mb = dec->mb;
  const gboolean check = !all_modes_are_possible (mb);

  for (guint blk = 0; blk < 16; blk++) {
    const guint at = h264_cache_4x4[blk];
    gint mode;

    /* enough for eight modes */
    if (window && blk % 8 == 0)
      h264_window_refill (window);
    mode = read_nxn_mode (dec, window, at);
    if (check && !nxn_mode_is_possible (mb, (guint) mode, (at & 7) - 4, (at >> 3) - 1, 4))
      h264_slice_decoder_fail (dec, unavailable_neighbour);
    dec->intra_mode[at] = (gint8) mode;
    mb->intra_modes[blk >> 1] |= (guint8) (mode << (blk & 1) * 4);
  }
}

H264_ALWAYS_INLINE void
read_intra_8x8_modes (H264SliceDecoder *dec, H264CavlcWindow *window)
{
  GstGpuMb *mb = dec->mb;
  const gboolean check = !all_modes_are_possible (mb);

  if (window)
    h264_window_refill (window);
  for (guint blk = 0; blk < 4; blk++) {
    const guint x = blk & 1, y = blk >> 1, at = H264_CACHE (2 * x, 2 * y);
    const gint mode = read_nxn_mode (dec, window, at);

    if (check && !nxn_mode_is_possible (mb, (guint) mode, x, y, 2))
      h264_slice_decoder_fail (dec, unavailable_neighbour);
    dec->intra_mode[at] = dec->intra_mode[at + 1] = dec->intra_mode[at + 8] = dec->intra_mode[at + 9] = (gint8) mode;
    mb->intra_modes[blk >> 1] |= (guint8) (mode << (blk & 1) * 4);
  }
}

/* The modes of all blocks, in CAVLC without a call for each */
static void
read_intra_nxn_modes (H264SliceDecoder *dec)
{
  const gboolean is_8x8 = dec->mb->mb_class == GST_GPU_MB_I8x8;

  h264_mb_edges_load_intra_modes (dec);
  if (dec->coding->intra_pred_mode) {
    if (is_8x8)
      read_intra_8x8_modes (dec, NULL);
    else
      read_intra_4x4_modes (dec, NULL);
  } else {
    H264CavlcWindow window = dec->window;

    if (is_8x8)
      read_intra_8x8_modes (dec, &window);
    else
      read_intra_4x4_modes (dec, &window);
    dec->window = window;
  }
}

/* Whether a 16x16 or chroma mode has its neighbours; @vertical, @horizontal, @plane: the mode's number for these */
static gboolean
mode_is_possible (const GstGpuMb *mb, guint mode, guint vertical, guint horizontal, guint plane)
{
  guint needs = 0;

  if (mode == vertical)
    needs = GST_GPU_AVAILABLE_B;
  else if (mode == horizontal)
    needs = AVAILABLE_A;
  else if (mode == plane)
    needs = AVAILABLE_ABD;
  return (mb->available & needs) == needs;
}

static void
fill_intra_modes (H264SliceDecoder *dec, gint mode)
{
  for (guint y = 0; y < 4; y++)
    memset (&dec->intra_mode[H264_CACHE (0, y)], mode, 4);
}

/* mb_pred() (7.3.5.1) of intra macroblocks */
static void
read_intra_prediction (H264SliceDecoder *dec)
{
  GstGpuMb *mb = dec->mb;

  if (mb->mb_class != GST_GPU_MB_I16x16) {
    read_intra_nxn_modes (dec);
  } else {
    fill_intra_modes (dec, 2);
    if (!mode_is_possible (mb, mb->intra_modes[0], 0, 1, 3))
      h264_slice_decoder_fail (dec, unavailable_neighbour);
  }
  if (dec->ChromaArrayType == 1 || dec->ChromaArrayType == 2) {
    dec->intra_chroma_pred_mode = dec->coding->intra_chroma_pred_mode (dec);
    mb->intra_chroma_pred_mode = (guint8) dec->intra_chroma_pred_mode;
    if (!mode_is_possible (mb, dec->intra_chroma_pred_mode, 2, 1, 3))
      h264_slice_decoder_fail (dec, unavailable_neighbour);
  }
}

void
h264_macroblock_set_qp (H264SliceDecoder *dec)
{
  GstGpuMb *mb = dec->mb;
  const guint index = (guint) (dec->QPY + dec->QpBdOffsetY);

  mb->qp_scaled[0] = (guint8) index;
  mb->qp_scaled[1] = dec->qp_scaled_c[0][index];
  mb->qp_scaled[2] = dec->qp_scaled_c[1][index];
  mb->qp_filter[0] = (gint8) dec->QPY;
  mb->qp_filter[1] = dec->qp_filter_c[0][index];
  mb->qp_filter[2] = dec->qp_filter_c[1][index];
  dec->bypass = index == 0 && dec->sps->qpprime_y_zero_transform_bypass_flag;
  if (dec->bypass)
    mb->flags |= GST_GPU_MB_BYPASS;
}

/* 7.4.5: QPY of this macroblock; wraps round at the ends of its range */
static void
read_mb_qp_delta (H264SliceDecoder *dec)
{
  const gint offset = dec->QpBdOffsetY, range = 52 + offset;
  const gint delta = dec->coding->mb_qp_delta (dec);

  if (delta < -(26 + offset / 2) || delta > 25 + offset / 2) {
    h264_slice_decoder_fail (dec, "mb_qp_delta is out of range");
    return;
  }
  dec->last_mb_qp_delta = delta;
  dec->QPY += delta;
  if (dec->QPY < -offset)
    dec->QPY += range;
  else if (dec->QPY > 51)
    dec->QPY -= range;
}

/* Opens the chunks that the residual of the macroblock may need, so that no block has to look for room. */
static void
begin_residual (H264SliceDecoder *dec)
{
  GstGpuMb *mb = dec->mb;

  h264_block_list_open (&dec->blocks[H264_BLOCKS_4x4], dec->writer, dec->bypass ? GST_GPU_KIND_BYPASS4x4 : GST_GPU_KIND_4x4,
      H264_MAX_MB_BLOCKS);
  mb->first_4x4 = h264_open_chunk_slot (dec->writer, dec->blocks[H264_BLOCKS_4x4].chunk);
  if (dec->transform_size_8x8_flag) {
    h264_block_list_open (&dec->blocks[H264_BLOCKS_8x8], dec->writer, dec->bypass ? GST_GPU_KIND_BYPASS8x8 : GST_GPU_KIND_8x8,
        H264_MAX_MB_BLOCKS / 4);
    mb->first_8x8 = h264_open_chunk_slot (dec->writer, dec->blocks[H264_BLOCKS_8x8].chunk);
  }
  if (dec->bypass)
    return;
  if (mb->mb_class == GST_GPU_MB_I16x16)
    h264_block_list_open (&dec->blocks[H264_BLOCKS_DC], dec->writer, GST_GPU_KIND_DC4x4, 3);
  if (dec->ChromaArrayType == 1 || dec->ChromaArrayType == 2)
    h264_block_list_open (&dec->blocks[H264_BLOCKS_CHROMA_DC], dec->writer,
        dec->ChromaArrayType == 1 ? GST_GPU_KIND_DC2x2 : GST_GPU_KIND_DC2x4, 2);
}

/* Writes the blocks of the macroblock in @list again with 32-bit levels. */
static void
widen_blocks (H264SliceDecoder *dec, H264BlockList *list)
{
  H264OpenChunk *chunk = list->chunk;
  H264OpenChunk *wide = h264_block_writer_reserve (dec->writer, chunk->segment.kind, TRUE, H264_MAX_MB_BLOCKS);
  const gsize n_levels = h264_block_size (dec->writer->arena, chunk->segment.kind, FALSE) / sizeof (gint16);
  const guint n_blocks = (guint) ((gsize) (chunk->next - list->start) / sizeof (gint16) / n_levels);
  const gint16 *from = (const gint16 *) list->start;

  chunk->next = list->start;
  chunk->position -= n_blocks;
  chunk->room += n_blocks;
  list->chunk = wide;
  list->start = wide->next;
  for (guint i = 0; i < n_blocks; i++, from += n_levels) {
    gint32 *to = (gint32 *) wide->next;

    for (guint k = 0; k < n_levels; k++)
      to[k] = from[k];
    for (guint k = 0; k < dec->n_wide; k++)
      if (dec->wide[k].where >= from && dec->wide[k].where < from + n_levels)
        to[dec->wide[k].where - from] = dec->wide[k].level;
    h264_open_chunk_append (wide, n_levels * sizeof (gint32), chunk->position[i]);
  }
}

/* Turns the macroblock into one with GST_GPU_MB_WIDE: rare, so it costs nothing where it does not happen. */
static void
widen_macroblock (H264SliceDecoder *dec)
{
  GstGpuMb *mb = dec->mb;

  mb->flags |= GST_GPU_MB_WIDE;
  for (guint i = 0; i < H264_N_BLOCK_LISTS; i++)
    if (dec->blocks[i].chunk)
      widen_blocks (dec, &dec->blocks[i]);
  mb->first_4x4 = (guint32) ((gsize) (dec->blocks[H264_BLOCKS_4x4].start - dec->writer->arena->base) / H264_SLOT_SIZE);
  if (dec->transform_size_8x8_flag)
    mb->first_8x8 = (guint32) ((gsize) (dec->blocks[H264_BLOCKS_8x8].start - dec->writer->arena->base) / H264_SLOT_SIZE);
}

static guint16
nonzero_blocks (const GstGpuMb *mb)
{
  /* an 8x8 block is bit 4 * luma8x8BlkIdx: all four bits from it */
  return mb->flags & GST_GPU_MB_TRANSFORM_8x8 ? (guint16) (mb->coded[0] * 15u) : mb->coded[0];
}

void
h264_macroblock_end_residual (H264SliceDecoder *dec)
{
  if (G_UNLIKELY (dec->n_wide > 0 && !dec->error))
    widen_macroblock (dec);
  dec->mb->nonzero = nonzero_blocks (dec->mb);
}

static void
read_residual (H264SliceDecoder *dec)
{
  h264_mb_edges_load_total_coeff (dec);
  begin_residual (dec);
  /* what lossless macroblocks have of their own is read here only */
  if (dec->leaves_residuals && !dec->bypass) {
    dec->residual_waits = TRUE;
    return;
  }
  dec->coding->residual (dec);
  h264_macroblock_end_residual (dec);
}

/* pcm_sample_luma and pcm_sample_chroma: @n samples of @depth bits from bit @pos of @data on, as bytes or 16 bits */
static void
unpack_pcm (const guint8 *data, gsize pos, guint n, guint depth, gboolean bytes, guint8 *out)
{
  for (guint i = 0; i < n; i++, pos += depth) {
    const guint8 *p = data + (pos >> 3);
    const guint32 word = (guint32) p[0] << 16 | (guint32) p[1] << 8 | p[2];
    const guint sample = word >> (24 - depth - (pos & 7)) & ((1u << depth) - 1);

    if (bytes)
      out[i] = (guint8) sample;
    else
      ((guint16 *) out)[i] = (guint16) sample;
  }
}

/* Samples of both chroma planes of a macroblock */
static guint
n_chroma_samples (guint ChromaArrayType)
{
  return ChromaArrayType == 0 ? 0 : 64u << ChromaArrayType;
}

static void
read_pcm (H264SliceDecoder *dec)
{
  const guint n_chroma = n_chroma_samples (dec->ChromaArrayType);
  const guint depth = dec->sps->bit_depth_luma, depth_c = dec->sps->bit_depth_chroma;
  const gboolean bytes = depth == 8 && depth_c == 8;
  const gsize luma_bits = 256 * depth, n_bits = luma_bits + n_chroma * depth_c;
  const guint8 *data = dec->coding->pcm_begin (dec);
  H264OpenChunk *chunk;

  /* CABAC may have read past the end of damaged data */
  if (dec->error || data > dec->data_end || n_bits > (gsize) (dec->data_end - data) * 8) {
    h264_slice_decoder_fail (dec, "slice data ends inside an I_PCM macroblock");
    return;
  }
  chunk = h264_block_writer_reserve (dec->writer, GST_GPU_KIND_PCM, FALSE, 1);
  dec->mb->first_4x4 = h264_open_chunk_slot (dec->writer, chunk);
  unpack_pcm (data, 0, 256, depth, bytes, chunk->next);
  unpack_pcm (data, luma_bits, n_chroma, depth_c, bytes, chunk->next + (bytes ? 256 : 512));
  h264_open_chunk_append (chunk, dec->writer->arena->pcm_size, GST_GPU_POSITION (dec->place.mbAddr, 0, 0));
  dec->coding->pcm_end (dec, data + (n_bits + 7) / 8);

  /* what neighbours see: all blocks coded (9.2.1, 9.3.3.1.1), no modes; deblocking with qPp 0 (8.7.2.2), while QPY runs on */
  dec->has_residual = TRUE;
  for (guint p = 0; p < 3; p++)
    memset (dec->total_coeff[p], 16, H264_CACHE_SIZE);
  fill_intra_modes (dec, 2);
  dec->cbp = 0x2f;
  dec->dc_coded = 7;
  dec->last_mb_qp_delta = 0;
  dec->mb->qp_filter[0] = 0;
  dec->mb->qp_filter[1] = dec->qp_filter_c[0][dec->QpBdOffsetY];
  dec->mb->qp_filter[2] = dec->qp_filter_c[1][dec->QpBdOffsetY];
  dec->mb->nonzero = 0xffff;
}

static void
set_mb_type_i (H264SliceDecoder *dec, guint mb_type)
{
  GstGpuMb *mb = dec->mb;

  if (mb_type == 0) {
    mb->mb_class = GST_GPU_MB_I4x4;
    if (dec->pps->transform_8x8_mode_flag && dec->coding->transform_size_8x8_flag (dec)) {
      dec->transform_size_8x8_flag = TRUE;
      mb->flags |= GST_GPU_MB_TRANSFORM_8x8;
      mb->mb_class = GST_GPU_MB_I8x8;
    }
  } else {
    /* Table 7-11: Intra16x16PredMode, CodedBlockPatternChroma and -Luma are in mb_type */
    mb->mb_class = GST_GPU_MB_I16x16;
    mb->intra_modes[0] = (mb_type - 1) & 3;
    dec->cbp = (mb_type >= 13 ? 15 : 0) | ((mb_type - 1) / 4 % 3) << 4;
  }
}

void
h264_macroblock_finish (H264SliceDecoder *dec)
{
  if (dec->cbp != 0 || dec->mb->mb_class == GST_GPU_MB_I16x16) {
    read_mb_qp_delta (dec);
    h264_macroblock_set_qp (dec);
    if (!dec->error)
      read_residual (dec);
  } else {
    dec->last_mb_qp_delta = 0;
    h264_macroblock_set_qp (dec);
  }
}

void
h264_macroblock_intra (H264SliceDecoder *dec, guint mb_type)
{
  GstGpuMb *mb = dec->mb;

  h264_mb_edges_set_intra (dec, TRUE);
  if (dec->pps->constrained_intra_pred_flag && !h264_slice_type_is_intra (dec->sh->slice_type))
    h264_availability_constrain_intra (dec);
  if (mb_type == 25) {
    mb->mb_class = GST_GPU_MB_IPCM;
    h264_macroblock_set_qp (dec);
    dec->bypass = FALSE;
    mb->flags &= (guint8) ~GST_GPU_MB_BYPASS;
    read_pcm (dec);
    return;
  }
  set_mb_type_i (dec, mb_type);
  read_intra_prediction (dec);
  if (mb->mb_class != GST_GPU_MB_I16x16)
    dec->cbp = dec->coding->coded_block_pattern (dec, TRUE);
  h264_macroblock_finish (dec);
}

void
h264_macroblock_i (H264SliceDecoder *dec)
{
  if (G_UNLIKELY (dec->mbaff))
    h264_pair_read_field_flag (dec);
  h264_macroblock_intra (dec, dec->coding->mb_type_i (dec));
}
