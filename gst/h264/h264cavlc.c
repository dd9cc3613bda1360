/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Syntax elements of slice data in CAVLC (ITU-T H.264, 9.1, 9.2).
 */
#include "h264cavlctables.h"
#include "h264residual.h"

/* Table 9-4: codeNum to coded_block_pattern of Intra_4x4 and Intra_8x8 macroblocks, ChromaArrayType 1 or 2, and 0 or 3 */
static const guint8 intra_cbp_with_chroma[48] = {
  47, 31, 15, 0, 23, 27, 29, 30, 7, 11, 13, 14, 39, 43, 45, 46, 16, 3, 5, 10, 12, 19, 21, 26,
  28, 35, 37, 42, 44, 1, 2, 4, 8, 17, 18, 20, 24, 6, 9, 22, 25, 32, 33, 34, 36, 40, 38, 41,
};
static const guint8 intra_cbp_luma_only[16] = { 15, 0, 7, 11, 13, 14, 3, 5, 10, 12, 1, 2, 4, 8, 6, 9 };
/* The same of inter macroblocks */
static const guint8 inter_cbp_with_chroma[48] = {
  0, 16, 1, 2, 4, 8, 32, 3, 5, 10, 12, 15, 47, 7, 11, 13, 14, 6, 9, 31, 35, 37, 42, 44,
  33, 34, 36, 40, 39, 43, 45, 46, 17, 18, 20, 24, 19, 21, 26, 28, 23, 27, 29, 30, 22, 25, 38, 41,
};
static const guint8 inter_cbp_luma_only[16] = { 0, 1, 2, 4, 8, 3, 5, 10, 12, 15, 7, 11, 13, 14, 6, 9 };

static const gchar *const no_code = "slice data has bits that are no code";

/* 9.2.1: number of coefficients and trailing ones; @table: H264_TOKEN_CHROMA_DC_*, or 0 with nC */
H264_ALWAYS_INLINE H264CoeffTokenEntry
read_coeff_token (H264SliceDecoder * dec, H264CavlcWindow * window, guint table, guint nC)
{
  H264CoeffTokenEntry token;
  guint zeros;

  if (table == 0) {
    if (nC >= 8) {
      /* six bits: total_coeff - 1, trailing_ones; 000011 for no coefficients */
      const guint code = h264_window_take (window, 6);

      if (code == 3)
        return (H264CoeffTokenEntry) {6, 0, 0};
      if (G_UNLIKELY ((code & 3) > (code >> 2) + 1))
        h264_slice_decoder_fail (dec, no_code);
      return (H264CoeffTokenEntry) {6, (guint8) ((code >> 2) + 1), (guint8) (code & 3)};
    }
    table = nC < 2 ? 0 : nC < 4 ? 1 : 2;
  }
  zeros = (guint) __builtin_clzll (window->bits | (guint64) 1 << 48);
  token = h264_coeff_token[table][zeros * 8 + (window->bits << 1 << zeros >> 61)];
  if (G_UNLIKELY (token.length == 0))
    h264_slice_decoder_fail (dec, no_code);
  h264_window_skip (window, token.length);
  return token;
}

/* 9.2.2.1: one level with its level_prefix and level_suffix; adapts @suffixLength.  @first: levels of +-1 cannot come, they are trailing ones */
H264_ALWAYS_INLINE gint32
read_level (H264SliceDecoder * dec, H264CavlcWindow * window, guint * suffixLength, gboolean first)
{
  guint level_prefix, levelSuffixSize = *suffixLength;
  gint32 levelCode, level;

  h264_window_refill_unchecked (window);
  level_prefix = (guint) __builtin_clzll (window->bits | 1);
  if (G_LIKELY (level_prefix < 14 || (level_prefix == 14 && levelSuffixSize > 0))) {
    h264_window_skip (window, level_prefix);
    /* the 1 and the suffix in one go */
    levelCode = (gint32) (level_prefix << levelSuffixSize) + (gint32) h264_window_take (window, levelSuffixSize + 1) - (1 << levelSuffixSize);
  } else {
    if (level_prefix > 25) {
      h264_slice_decoder_fail (dec, no_code);
      return 1;
    }
    h264_window_skip (window, level_prefix + 1);
    h264_window_refill_unchecked (window);
    levelCode = (gint32) (MIN (15, level_prefix) << levelSuffixSize);
    levelSuffixSize = level_prefix == 14 ? 4 : level_prefix - 3;
    levelCode += (gint32) h264_window_take (window, levelSuffixSize);
    if (level_prefix >= 15 && *suffixLength == 0)
      levelCode += 15;
    if (level_prefix >= 16)
      levelCode += (1 << (level_prefix - 3)) - 4096;
  }
  if (first)
    levelCode += 2;
  /* even codes are positive, odd ones negative */
  level = (levelCode + 2) >> 1;
  level = (level ^ -(levelCode & 1)) + (levelCode & 1);
  if (*suffixLength == 0)
    *suffixLength = 1;
  if (*suffixLength < 6 && ((levelCode + 2) >> 1) > (3 << (*suffixLength - 1)))
    (*suffixLength)++;
  return level;
}

/* 9.2.2: the levels, highest frequency first */
H264_ALWAYS_INLINE void
read_levels (H264SliceDecoder * dec, H264CavlcWindow * window, H264CoeffTokenEntry token, gint32 levels[16])
{
  guint suffixLength = token.total_coeff > 10 && token.trailing_ones < 3 ? 1 : 0;
  guint i;

  for (i = 0; i < token.trailing_ones; i++)
    levels[i] = 1 - 2 * (gint32) (window->bits << i >> 63);
  h264_window_skip (window, token.trailing_ones);
  if (i < token.total_coeff) {
    levels[i] = read_level (dec, window, &suffixLength, token.trailing_ones < 3);
    for (i++; i < token.total_coeff; i++)
      levels[i] = read_level (dec, window, &suffixLength, FALSE);
  }
}

/* 9.2.3: total_zeros */
H264_ALWAYS_INLINE guint
read_total_zeros (H264SliceDecoder * dec, H264CavlcWindow * window, guint total_coeff, guint max_num_coeff)
{
  guint code;

  h264_window_refill_unchecked (window);
  if (max_num_coeff == 4)
    code = h264_total_zeros_2x2[total_coeff][window->bits >> 61];
  else if (max_num_coeff == 8)
    code = h264_total_zeros_2x4[total_coeff][window->bits >> 59];
  else
    code = h264_total_zeros_4x4[total_coeff][window->bits >> 55];
  if (G_UNLIKELY (code == 0))
    h264_slice_decoder_fail (dec, no_code);
  h264_window_skip (window, code >> 4);
  return code & 15;
}

/* 9.2.3: run_before */
H264_ALWAYS_INLINE guint
read_run_before (H264CavlcWindow * window, guint zerosLeft)
{
  const guint code = h264_run_before[zerosLeft][window->bits >> 61];

  if (G_UNLIKELY (code == 0)) {
    /* zerosLeft is above 6, and so is run_before */
    const guint zeros = (guint) __builtin_clzll (window->bits | 1);

    h264_window_skip (window, MIN (zeros + 1, 11));
    return zeros + 4;
  }
  h264_window_skip (window, code >> 4);
  return code & 15;
}

/* run_before of the level before @total_coeff - @i others, as far as there is any; FALSE where it is longer than what is left */
H264_ALWAYS_INLINE gboolean
next_run (H264CavlcWindow * window, guint * zerosLeft, guint * k)
{
  guint run_before;

  h264_window_need_unchecked (window, 16);
  run_before = read_run_before (window, *zerosLeft);
  if (G_UNLIKELY (run_before > *zerosLeft))
    return FALSE;
  *zerosLeft -= run_before;
  *k -= run_before;
  return TRUE;
}

/* Goes over the levels again, to find those that do not fit into 16 bits. */
static void __attribute__ ((noinline))
note_wide_levels (H264SliceDecoder * dec, H264CavlcWindow window, const gint32 * levels, guint total_coeff, guint zerosLeft, const gint16 * block,
    const guint8 * scan)
{
  guint k = zerosLeft + total_coeff - 1, i;

  for (i = 0; i < total_coeff; i++, k--) {
    if (levels[i] != (gint16) levels[i])
      h264_slice_decoder_wide_level (dec, &block[scan[k]], levels[i]);
    if (i + 1 < total_coeff && zerosLeft > 0 && !next_run (&window, &zerosLeft, &k))
      return;
  }
}

/* Puts the levels, highest frequency first, where run_before says. */
H264_ALWAYS_INLINE void
place_levels (H264SliceDecoder * dec, H264CavlcWindow * window, const gint32 levels[16], guint total_coeff, guint zerosLeft, gint16 * block,
    const guint8 * scan)
{
  const H264CavlcWindow before = *window;
  const guint total_zeros = zerosLeft;
  guint k = zerosLeft + total_coeff - 1, i = 0;
  guint32 beyond = 0;

  for (;; k--) {
    block[scan[k]] = (gint16) levels[i];
    beyond |= (guint32) (levels[i] + 0x8000);
    if (++i == total_coeff)
      break;
    if (zerosLeft > 0 && G_UNLIKELY (!next_run (window, &zerosLeft, &k))) {
      h264_slice_decoder_fail (dec, "run_before is out of range");
      return;
    }
  }
  if (G_UNLIKELY (beyond > 0xffff))
    note_wide_levels (dec, before, levels, total_coeff, total_zeros, block, scan);
}

/* residual_block_cavlc() (7.3.5.3.3), from @window */
H264_ALWAYS_INLINE guint
read_block_from (H264SliceDecoder * dec, H264CavlcWindow * window, H264BlockClass block_class, guint plane, guint at, gint16 * block, const guint8 * scan,
    guint max_num_coeff)
{
  H264CoeffTokenEntry token;
  gint32 levels[16];
  guint total_zeros = 0;

  h264_window_refill (window);
  if (block_class == H264_BLOCK_CHROMA_DC) {
    token = read_coeff_token (dec, window, max_num_coeff == 4 ? H264_TOKEN_CHROMA_DC_2x2 : H264_TOKEN_CHROMA_DC_2x4, 0);
  } else {
    /* nC: the mean of both neighbours, or the one that is available (its 64 marks the one that is not) */
    const guint sum = dec->total_coeff[plane][at - 1] + dec->total_coeff[plane][at - 8];

    token = read_coeff_token (dec, window, 0, sum < 64 ? (sum + 1) >> 1 : sum & 63);
    if (block_class != H264_BLOCK_DC)
      dec->total_coeff[plane][at] = token.total_coeff;
  }
  if (token.total_coeff == 0)
    return 0;
  if (G_UNLIKELY (token.total_coeff > max_num_coeff)) {
    h264_slice_decoder_fail (dec, "total_coeff is out of range");
    return 0;
  }
  read_levels (dec, window, token, levels);
  if (token.total_coeff < max_num_coeff)
    total_zeros = read_total_zeros (dec, window, token.total_coeff, max_num_coeff);
  if (G_UNLIKELY (total_zeros + token.total_coeff > max_num_coeff)) {
    h264_slice_decoder_fail (dec, "total_zeros is out of range");
    return 0;
  }
  place_levels (dec, window, levels, token.total_coeff, total_zeros, block, scan);
  return token.total_coeff;
}

H264_ALWAYS_INLINE guint
read_block (H264SliceDecoder * dec, gpointer engine, H264BlockClass block_class, guint plane, guint at, gint16 * block, const guint8 * scan,
    guint max_num_coeff)
{
  memset (block, 0, h264_block_n_levels (block_class, max_num_coeff) * sizeof (gint16));
  return read_block_from (dec, engine, block_class, plane, at, block, scan, max_num_coeff);
}

/* The four lists of an 8x8 block (7.3.5.3.2): list i has levels 4 * k + i, and counts for the 4x4 block i where nC is derived */
H264_ALWAYS_INLINE guint
read_8x8 (H264SliceDecoder * dec, gpointer engine, guint plane, guint at, gint16 * block)
{
  const guint field = dec->mb->flags & GPU_MB_FIELD ? 1 : 0;
  const guint8 *scan = dec->bypass ? h264_scan_8x8_cavlc_raster[field] : h264_scan_8x8_cavlc_transposed[field];
  guint n = 0, i;

  memset (block, 0, 64 * sizeof (gint16));
  for (i = 0; i < 4; i++)
    n += read_block_from (dec, engine, H264_BLOCK_4x4, plane, at + (i & 1) + (i >> 1) * 8, block, scan + 16 * i, 16);
  return n;
}

static void
cavlc_residual (H264SliceDecoder * dec)
{
  static const H264BlockReaders readers = { read_block, read_8x8 };

  H264CavlcWindow window = dec->window;

  h264_residual (dec, &readers, &window);
  dec->window = window;
}

static void
cavlc_start (H264SliceDecoder * dec, const H264Bits * bits)
{
  h264_window_init (&dec->window, bits);
}

/* ue(v), 0 to @max; 0 where it is more */
static inline guint
read_ue (H264SliceDecoder * dec, guint max, const gchar * error)
{
  const guint value = h264_window_ue (&dec->window);

  if (G_LIKELY (value <= max))
    return value;
  h264_slice_decoder_fail (dec, error);
  return 0;
}

static guint
cavlc_mb_type_i (H264SliceDecoder * dec)
{
  return read_ue (dec, 25, "mb_type is out of range");
}

/* mb_skip_run (7.3.4): it is followed by a macroblock that is not skipped, unless the data ends there */
static gboolean
cavlc_mb_skip (H264SliceDecoder * dec)
{
  if (dec->mb_skip_run < 0)
    dec->mb_skip_run = (gint) read_ue (dec, dec->target->width_in_mbs * dec->target->height_in_mbs, "mb_skip_run is out of range");
  return dec->mb_skip_run-- > 0;
}

static guint
cavlc_mb_type_p (H264SliceDecoder * dec)
{
  return read_ue (dec, 5 + 25, "mb_type is out of range");
}

static guint
cavlc_mb_type_b (H264SliceDecoder * dec)
{
  return read_ue (dec, 23 + 25, "mb_type is out of range");
}

static guint
cavlc_sub_mb_type_p (H264SliceDecoder * dec)
{
  return read_ue (dec, 3, "sub_mb_type is out of range");
}

static guint
cavlc_sub_mb_type_b (H264SliceDecoder * dec)
{
  return read_ue (dec, 12, "sub_mb_type is out of range");
}

/* te(v) (9.1.2) */
static guint
cavlc_ref_idx (H264SliceDecoder * dec, guint list, guint at, guint max)
{
  if (max > 1)
    return read_ue (dec, max, "ref_idx is out of range");
  h264_window_need (&dec->window, 1);
  return !h264_window_take (&dec->window, 1);
}

static gint
cavlc_mvd (H264SliceDecoder * dec, guint list, guint at, guint comp)
{
  return h264_window_se (&dec->window);
}

static guint
cavlc_transform_size_8x8_flag (H264SliceDecoder * dec)
{
  h264_window_need (&dec->window, 1);
  return h264_window_take (&dec->window, 1);
}

static gint
cavlc_intra_pred_mode (H264SliceDecoder * dec)
{
  h264_window_need (&dec->window, 4);
  if (h264_window_take (&dec->window, 1))
    return -1;
  return (gint) h264_window_take (&dec->window, 3);
}

static guint
cavlc_intra_chroma_pred_mode (H264SliceDecoder * dec)
{
  return read_ue (dec, 3, "intra_chroma_pred_mode is out of range");
}

static guint
cavlc_coded_block_pattern (H264SliceDecoder * dec, gboolean intra)
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
cavlc_mb_qp_delta (H264SliceDecoder * dec)
{
  return h264_window_se (&dec->window);
}

static const guint8 *
cavlc_pcm_begin (H264SliceDecoder * dec)
{
  /* pcm_alignment_zero_bits */
  return dec->data + (h264_window_position (&dec->window, dec->data) + 7) / 8;
}

static void
cavlc_pcm_end (H264SliceDecoder * dec, const guint8 * end)
{
  const H264Bits bits = { dec->data, (gsize) (end - dec->data) * 8, dec->data_bits, NULL };

  h264_window_init (&dec->window, &bits);
}

/* more_rbsp_data() */
static gboolean
cavlc_more_macroblocks (H264SliceDecoder * dec)
{
  const gsize position = h264_window_position (&dec->window, dec->data);

  if (dec->mb_skip_run > 0)
    return TRUE;
  if (G_UNLIKELY (position > dec->data_bits))
    h264_slice_decoder_fail (dec, "slice data ends too early");
  return position < dec->data_bits;
}

const H264EntropyCoding h264_cavlc = {
  cavlc_start, cavlc_mb_type_i, cavlc_mb_skip, cavlc_mb_type_p, cavlc_mb_type_b, cavlc_sub_mb_type_p, cavlc_sub_mb_type_b, cavlc_ref_idx, cavlc_mvd, cavlc_transform_size_8x8_flag, cavlc_intra_pred_mode, cavlc_intra_chroma_pred_mode, cavlc_coded_block_pattern,
  cavlc_mb_qp_delta, cavlc_residual, cavlc_pcm_begin, cavlc_pcm_end, cavlc_more_macroblocks,
};
