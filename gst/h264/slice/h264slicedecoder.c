/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The walk over the macroblocks of a slice.
 */
#include "h264slicedecoder.h"
#include "h264fmo.h"
#include "h264availability.h"
#include "h264coding.h"
#include "h264macroblock.h"
#include "h264macroblockinter.h"
#include "h264mbedges.h"
#include "h264memory.h"
#include "h264pair.h"
#include "h264slicewalk.h"

/* Table 8-15: QPC as a function of qPI, from qPI 30 on; below, they are equal */
static const guint8 qp_c_from_30[22] = { 29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39 };

H264SliceDecoder *
h264_slice_decoder_new (void)
{
  return g_new0 (H264SliceDecoder, 1);
}

void
h264_slice_decoder_free (H264SliceDecoder *dec)
{
  h264_mb_edges_clear (dec);
  g_free (dec);
}

static gint
qp_c (gint qPI)
{
  return qPI < 30 ? qPI : qp_c_from_30[qPI - 30];
}

/* 8.5.8: chroma QP of every QPY */
static void
make_chroma_qp (H264SliceDecoder *dec)
{
  gint QPY;

  for (guint i = 0; i < 2; i++) {
    const gint offset = dec->pps->chroma_qp_index_offset[i];

    for (QPY = -dec->QpBdOffsetY; QPY <= 51; QPY++) {
      const gint QPC = qp_c (CLAMP (QPY + offset, -dec->QpBdOffsetC, 51));

      dec->qp_filter_c[i][QPY + dec->QpBdOffsetY] = (gint8) QPC;
      dec->qp_scaled_c[i][QPY + dec->QpBdOffsetY] = (guint8) (QPC + dec->QpBdOffsetC);
    }
  }
}

/* FALSE, with an error: there is no memory. */
static gboolean
begin_slice (H264SliceDecoder *dec, const H264SliceHeader *sh, const H264PictureTarget *target, guint16 slice_index, const H264Bits *bits,
    H264BlockWriter *writer, H264MvdList *mvds)
{
  dec->sh = sh;
  dec->pps = sh->pps;
  dec->sps = sh->pps->sps;
  dec->target = target;
  dec->coding = dec->pps->entropy_coding_mode_flag ? &h264_cabac : &h264_cavlc;
  dec->slice_index = slice_index;
  dec->colour_plane = dec->sps->separate_colour_plane_flag ? sh->colour_plane_id : 0;
  dec->ChromaArrayType = dec->sps->ChromaArrayType;
  dec->QpBdOffsetY = 6 * (dec->sps->bit_depth_luma - 8);
  dec->QpBdOffsetC = 6 * (dec->sps->bit_depth_chroma - 8);
  dec->error = dec->leftover = NULL;
  dec->data = bits->data;
  dec->data_bits = bits->end;
  dec->data_end = bits->data + (bits->end >> 3) + 1;
  dec->mbs = target->mbs[dec->colour_plane];
  dec->mb_slice = target->mb_slice[dec->colour_plane];
  dec->motion = target->motion[dec->colour_plane];
  dec->mvds = mvds;
  dec->n_mvds = 0;
  dec->mb_skip_run = -1;
  dec->mbaff = sh->MbaffFrameFlag;
  dec->QPY = sh->SliceQPY;
  dec->last_mb_qp_delta = 0;
  dec->writer = writer;
  dec->n_wide = 0;
  if (writer->colour_plane != dec->colour_plane) {
    h264_block_writer_flush (writer);
    writer->colour_plane = (guint8) dec->colour_plane;
  }
  make_chroma_qp (dec);
  dec->coding->start (dec, bits);
  if (h264_mb_edges_begin_slice (dec))
    return TRUE;
  h264_slice_decoder_fail (dec, h264_no_memory);
  return FALSE;
}

static void
begin_macroblock (H264SliceDecoder *dec)
{
  GstGpuMb *mb = &dec->mbs[dec->place.mbAddr];

  memset (mb, 0, sizeof (*mb));
  mb->slice = dec->slice_index;
  dec->mb = mb;
  dec->mb_motion = &dec->motion[dec->place.mbAddr];
  memset (dec->mb_motion, 0, sizeof (*dec->mb_motion));
  h264_availability_begin_macroblock (dec);
  dec->skipped = dec->direct = FALSE;
  dec->has_residual = dec->has_motion = FALSE;
  dec->transform_size_8x8_flag = FALSE;
  dec->bypass = FALSE;
  dec->cbp = 0;
  dec->dc_coded = 0;
  dec->intra_chroma_pred_mode = 0;
  dec->n_wide = 0;
  memset (dec->blocks, 0, sizeof (dec->blocks));
}

/* Takes back the blocks of a macroblock in which an error was found: somebody else will write its record. */
static void
take_back_blocks (H264SliceDecoder *dec)
{
  for (guint i = 0; i < H264_N_BLOCK_LISTS; i++) {
    H264OpenChunk *chunk = dec->blocks[i].chunk;

    if (chunk && chunk->next > dec->blocks[i].start) {
      const gsize size = h264_block_size (dec->writer->arena, chunk->segment.kind, chunk->segment.wide);
      const guint n = (guint) ((gsize) (chunk->next - dec->blocks[i].start) / size);

      chunk->next = dec->blocks[i].start;
      chunk->position -= n;
      chunk->room += n;
    }
  }
}

/* The next macroblock, of a slice of MBAFF frames, or of an I slice */
static gboolean
read_macroblock (H264SliceDecoder *dec)
{
  if (!h264_slice_may_decode (dec))
    return FALSE;
  if (dec->mbaff && dec->place.mbAddr % 2 == 0)
    h264_pair_begin (dec);
  begin_macroblock (dec);
  switch (dec->sh->slice_type) {
    case H264_SLICE_P:
      h264_macroblock_p (dec);
      break;
    case H264_SLICE_B:
      h264_macroblock_b (dec);
      break;
    default:
      h264_macroblock_i (dec);
      break;
  }
  return TRUE;
}

/* The macroblocks that are skipped, and the next one that is not.  FALSE where there is none. */
static gboolean
read_skipped_and_next (H264SliceDecoder *dec)
{
  h264_macroblock_prepare_skipped (dec);
  if (!dec->coding->skip_run (dec))
    return FALSE;
  begin_macroblock (dec);
  if (dec->sh->slice_type == H264_SLICE_P)
    h264_macroblock_p (dec);
  else
    h264_macroblock_b (dec);
  return TRUE;
}

/* FALSE: none was read. */
static gboolean
read_next (H264SliceDecoder *dec)
{
  return dec->mbaff || h264_slice_type_is_intra (dec->sh->slice_type) ? read_macroblock (dec) : read_skipped_and_next (dec);
}

/* Whether another macroblock follows: the lower one of a pair always does. */
static gboolean
has_more (H264SliceDecoder *dec)
{
  return (dec->mbaff && dec->place.mbAddr % 2 == 0) || dec->coding->more_macroblocks (dec);
}

/* Whether another macroblock follows the one that has been read, which counts if it is sound */
static gboolean
end_macroblock (H264SliceDecoder *dec)
{
  gboolean more;

  if (G_UNLIKELY (dec->writer->exhausted))
    h264_slice_decoder_fail (dec, "the slices of the picture have more coefficients than a picture can have");
  more = !dec->error && has_more (dec);
  if (G_UNLIKELY (dec->error)) {
    take_back_blocks (dec);
    return FALSE;
  }
  h264_slice_count (dec);
  if (!more)
    return FALSE;
  h264_mb_edges_save (dec);
  return h264_slice_advance (dec, dec->mbaff);
}

void
h264_slice_decoder_begin (H264SliceDecoder *dec, const H264SliceHeader *sh, const H264PictureTarget *target, guint16 slice_index,
    const H264Bits *bits, H264BlockWriter *writer, H264MvdList *mvds)
{
  dec->n_decoded = 0;
  dec->leaves_residuals = dec->residual_waits = FALSE;
  if (begin_slice (dec, sh, target, slice_index, bits, writer, mvds))
    dec->place = dec->mbaff ? h264_mbaff_place (h264_slice_first_mb (sh), target->width_in_mbs)
                            : h264_mb_place (sh->first_mb_in_slice, target->width_in_mbs);
}

gboolean
h264_slice_decoder_go_on (H264SliceDecoder *dec)
{
  /* there was no memory to begin with */
  if (G_UNLIKELY (dec->error && !dec->residual_waits))
    return FALSE;
  for (;;) {
    if (dec->residual_waits) {
      h264_macroblock_end_residual (dec);
      dec->residual_waits = FALSE;
    } else {
      if (!read_next (dec))
        return FALSE;
      if (dec->residual_waits)
        return TRUE;
    }
    if (!end_macroblock (dec))
      return FALSE;
  }
}

H264SliceResult
h264_slice_decoder_end (const H264SliceDecoder *dec)
{
  return (H264SliceResult){ dec->n_decoded, dec->error ? dec->error : dec->leftover };
}
