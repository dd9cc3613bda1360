/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Syntax elements of slice data in CAVLC (ITU-T H.264, 9.1, 9.2).
 */
#include "h264cavlcblock.h"
#include "h264cavlcvbmi2.h"
#include "h264coding.h"
#include "h264skiprun.h"

/* Table 9-4: codeNum to coded_block_pattern of Intra_4x4 and Intra_8x8 macroblocks, ChromaArrayType 1 or 2, and 0 or 3 */
static const guint8 intra_cbp_with_chroma[48] = { 47, 31, 15, 0, 23, 27, 29, 30, 7, 11, 13, 14, 39, 43, 45, 46, 16, 3, 5, 10, 12, 19, 21,
  26, 28, 35, 37, 42, 44, 1, 2, 4, 8, 17, 18, 20, 24, 6, 9, 22, 25, 32, 33, 34, 36, 40, 38, 41 };
static const guint8 intra_cbp_luma_only[16] = { 15, 0, 7, 11, 13, 14, 3, 5, 10, 12, 1, 2, 4, 8, 6, 9 };
/* The same of inter macroblocks */
static const guint8 inter_cbp_with_chroma[48] = { 0, 16, 1, 2, 4, 8, 32, 3, 5, 10, 12, 15, 47, 7, 11, 13, 14, 6, 9, 31, 35, 37, 42, 44, 33,
  34, 36, 40, 39, 43, 45, 46, 17, 18, 20, 24, 19, 21, 26, 28, 23, 27, 29, 30, 22, 25, 38, 41 };
static const guint8 inter_cbp_luma_only[16] = { 0, 1, 2, 4, 8, 3, 5, 10, 12, 15, 7, 11, 13, 14, 6, 9 };

/* Puts the levels where they belong. */
H264_ALWAYS_INLINE void
place_levels (H264SliceDecoder *dec, const H264CavlcBlock *from, gint16 *block, const guint8 *scan)
{
  const gint16 *level = from->levels + H264_CAVLC_ROOM;

  for (guint mask = from->mask; mask != 0; mask &= mask - 1)
    block[scan[__builtin_ctz (mask)]] = *level++;
  if (G_UNLIKELY (from->wide))
    h264_cavlc_note_wide_levels (dec, from, block, scan);
}

H264_ALWAYS_INLINE guint
read_block (H264SliceDecoder *dec, gpointer engine, H264BlockClass block_class, guint plane, guint at, gint16 *block, const guint8 *scan,
    guint max_num_coeff)
{
  H264CavlcBlock from;
  const guint n = h264_cavlc_read_block (dec, engine, block_class, plane, at, max_num_coeff, &from);

  if (n > 0) {
    memset (block, 0, h264_block_n_levels (block_class, max_num_coeff) * sizeof (gint16));
    place_levels (dec, &from, block, scan);
  }
  return n;
}

/* The four lists of an 8x8 block (7.3.5.3.2): list i has levels 4 * k + i, and counts for the 4x4 block i where nC is derived */
H264_ALWAYS_INLINE guint
read_8x8 (H264SliceDecoder *dec, gpointer engine, guint plane, guint at, gint16 *block)
{
  const guint field = dec->mb->flags & GST_GPU_MB_FIELD ? 1 : 0;
  const guint8 *scan = dec->bypass ? h264_scan_8x8_cavlc_raster[field] : h264_scan_8x8_cavlc_transposed[field];
  guint n = 0, i;

  memset (block, 0, 64 * sizeof (gint16));
  for (i = 0; i < 4; i++) {
    H264CavlcBlock from;
    const guint n_list = h264_cavlc_read_block (dec, engine, H264_BLOCK_4x4, plane, at + (i & 1) + (i >> 1) * 8, 16, &from);

    if (n_list > 0)
      place_levels (dec, &from, block, scan + 16 * i);
    n += n_list;
  }
  return n;
}

static void
residual_portable (H264SliceDecoder *dec)
{
  static const H264BlockReaders readers = { read_block, read_8x8 };

  H264CavlcWindow window = dec->window;

  h264_residual (dec, &readers, &window);
  dec->window = window;
}

static void (*residual) (H264SliceDecoder *dec) = residual_portable;

gboolean
h264_cavlc_choose_residual (gboolean vectors)
{
#ifdef HAVE_VBMI2
  if (vectors && __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512vl")
      && __builtin_cpu_supports ("avx512vbmi2") && __builtin_cpu_supports ("bmi2")) {
    h264_cavlc_vbmi2_init ();
    residual = h264_cavlc_residual_vbmi2;
    return TRUE;
  }
#endif
  residual = residual_portable;
  return !vectors;
}

static void
cavlc_residual (H264SliceDecoder *dec)
{
  residual (dec);
}

static void
cavlc_start (H264SliceDecoder *dec, const H264Bits *bits)
{
  h264_window_init (&dec->window, bits);
}

/* ue(v), 0 to @max; 0 where it is more */
static inline guint
read_ue (H264SliceDecoder *dec, guint max, const gchar *error)
{
  const guint value = h264_window_ue (&dec->window);

  if (G_LIKELY (value <= max))
    return value;
  h264_slice_decoder_fail (dec, error);
  return 0;
}

static guint
cavlc_mb_type_i (H264SliceDecoder *dec)
{
  return read_ue (dec, 25, "mb_type is out of range");
}

/* mb_skip_run (7.3.4): it is followed by a macroblock that is not skipped, unless the data ends there */
H264_ALWAYS_INLINE gboolean
read_mb_skip (H264SliceDecoder *dec, gpointer engine)
{
  if (dec->mb_skip_run < 0)
    dec->mb_skip_run = (gint) read_ue (dec, dec->target->width_in_mbs * dec->target->height_in_mbs, "mb_skip_run is out of range");
  return dec->mb_skip_run-- > 0;
}

static gboolean
cavlc_mb_skip (H264SliceDecoder *dec)
{
  return read_mb_skip (dec, &dec->window);
}

static gboolean
cavlc_mb_field_decoding_flag (H264SliceDecoder *dec, guint ctxIdxInc)
{
  h264_window_need (&dec->window, 1);
  return h264_window_take (&dec->window, 1);
}

static guint
cavlc_mb_type_p (H264SliceDecoder *dec)
{
  return read_ue (dec, 5 + 25, "mb_type is out of range");
}

static guint
cavlc_mb_type_b (H264SliceDecoder *dec)
{
  return read_ue (dec, 23 + 25, "mb_type is out of range");
}

static guint
cavlc_sub_mb_type_p (H264SliceDecoder *dec)
{
  return read_ue (dec, 3, "sub_mb_type is out of range");
}

static guint
cavlc_sub_mb_type_b (H264SliceDecoder *dec)
{
  return read_ue (dec, 12, "sub_mb_type is out of range");
}

/* te(v) (9.1.2) */
static guint
cavlc_ref_idx (H264SliceDecoder *dec, guint list, guint at, guint max)
{
  if (max > 1)
    return read_ue (dec, max, "ref_idx is out of range");
  h264_window_need (&dec->window, 1);
  return !h264_window_take (&dec->window, 1);
}

static gint
cavlc_mvd (H264SliceDecoder *dec, guint list, guint at, guint comp)
{
  return h264_window_se (&dec->window);
}

static guint
cavlc_transform_size_8x8_flag (H264SliceDecoder *dec)
{
  h264_window_need (&dec->window, 1);
  return h264_window_take (&dec->window, 1);
}

static guint
cavlc_intra_chroma_pred_mode (H264SliceDecoder *dec)
{
  return read_ue (dec, 3, "intra_chroma_pred_mode is out of range");
}

static guint
cavlc_coded_block_pattern (H264SliceDecoder *dec, gboolean intra)
{
  const gboolean with_chroma = dec->ChromaArrayType == 1 || dec->ChromaArrayType == 2;
  const guint codeNum = h264_window_ue (&dec->window);

  if (G_UNLIKELY (codeNum >= (with_chroma ? 48 : 16))) {
    h264_slice_decoder_fail (dec, "coded_block_pattern is out of range");
    return 0;
  }
  if (with_chroma)
    return intra ? intra_cbp_with_chroma[codeNum] : inter_cbp_with_chroma[codeNum];
  return intra ? intra_cbp_luma_only[codeNum] : inter_cbp_luma_only[codeNum];
}

static gint
cavlc_mb_qp_delta (H264SliceDecoder *dec)
{
  return h264_window_se (&dec->window);
}

static const guint8 *
cavlc_pcm_begin (H264SliceDecoder *dec)
{
  /* pcm_alignment_zero_bits */
  return dec->data + (h264_window_position (&dec->window, dec->data) + 7) / 8;
}

static void
cavlc_pcm_end (H264SliceDecoder *dec, const guint8 *end)
{
  const H264Bits bits = { dec->data, (gsize) (end - dec->data) * 8, dec->data_bits, NULL };

  h264_window_init (&dec->window, &bits);
}

/* more_rbsp_data() */
H264_ALWAYS_INLINE gboolean
read_more_macroblocks (H264SliceDecoder *dec, gpointer engine)
{
  gsize position;

  if (dec->mb_skip_run > 0)
    return TRUE;
  position = h264_window_position (engine, dec->data);
  if (G_UNLIKELY (position > dec->data_bits))
    h264_slice_decoder_fail (dec, "slice data ends too early");
  return position < dec->data_bits;
}

static gboolean
cavlc_more_macroblocks (H264SliceDecoder *dec)
{
  return read_more_macroblocks (dec, &dec->window);
}

static gboolean
cavlc_skip_run (H264SliceDecoder *dec)
{
  static const H264SkipReaders readers = { read_mb_skip, read_more_macroblocks };

  return h264_skip_run (dec, &readers, &dec->window);
}

const H264EntropyCoding h264_cavlc = {
  cavlc_start,
  cavlc_mb_type_i,
  cavlc_mb_skip,
  cavlc_skip_run,
  cavlc_mb_field_decoding_flag,
  cavlc_mb_type_p,
  cavlc_mb_type_b,
  cavlc_sub_mb_type_p,
  cavlc_sub_mb_type_b,
  cavlc_ref_idx,
  cavlc_mvd,
  cavlc_transform_size_8x8_flag,
  NULL,
  cavlc_intra_chroma_pred_mode,
  cavlc_coded_block_pattern,
  cavlc_mb_qp_delta,
  cavlc_residual,
  cavlc_pcm_begin,
  cavlc_pcm_end,
  cavlc_more_macroblocks,
};
