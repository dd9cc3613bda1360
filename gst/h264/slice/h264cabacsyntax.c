/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Syntax elements of slice data in CABAC (ITU-T H.264, 9.3).
 */
#include "h264cabacblock.h"
#include "h264cabactables.h"
#include "h264coding.h"
#include "h264skiprun.h"

/* ctxIdxOffset (Table 9-34) */
#define CTX_MB_TYPE_I 3
#define CTX_MB_SKIP_FLAG_P 11
#define CTX_MB_TYPE_P 14
#define CTX_MB_TYPE_P_INTRA 17 /* suffix */
#define CTX_SUB_MB_TYPE_P 21
#define CTX_MB_SKIP_FLAG_B 24
#define CTX_MB_TYPE_B 27
#define CTX_MB_TYPE_B_INTRA 32 /* suffix */
#define CTX_SUB_MB_TYPE_B 36
#define CTX_MVD_HORIZONTAL 40
#define CTX_MVD_VERTICAL 47
#define CTX_REF_IDX 54
#define CTX_MB_FIELD_DECODING_FLAG 70
#define CTX_MB_QP_DELTA 60
#define CTX_INTRA_CHROMA_PRED_MODE 64
#define CTX_PREV_INTRA_PRED_MODE_FLAG 68
#define CTX_REM_INTRA_PRED_MODE 69
#define CTX_CODED_BLOCK_PATTERN_LUMA 73
#define CTX_CODED_BLOCK_PATTERN_CHROMA 77
#define CTX_TRANSFORM_SIZE_8x8_FLAG 399

/* coeff_abs_level_minus1 and coeff_sign_flag of the levels at index[n - 1] to index[0].  The engine is filled up once a level of 1: its
 * bin and its sign take seven bits. */
H264_ALWAYS_INLINE void
read_levels (H264SliceDecoder *dec, H264Cabac *cabac, H264CabacState *contexts, gboolean chroma_dc, gint16 *block, const guint8 *index,
    guint n)
{
  guint node = 0;

  while (n-- > 0) {
    gint16 *where = &block[index[n]];
    gint32 magnitude = 1;

    if (h264_cabac_bin_unfilled (cabac, &contexts[h264_cabac_first_bin_inc[node]])) {
      H264CabacState *others = &contexts[h264_cabac_other_bins_inc[chroma_dc][node]];

      node = h264_cabac_node_after_more[node];
      h264_cabac_refill (cabac);
      for (magnitude = 2; magnitude < 15 && h264_cabac_bin (cabac, others); magnitude++)
        ;
      if (G_UNLIKELY (magnitude == 15)) {
        /* a copy: the engine whose address nobody else sees can stay in registers */
        H264Cabac engine = *cabac;

        h264_cabac_read_long_level (dec, &engine, where);
        *cabac = engine;
        continue;
      }
    } else {
      node = h264_cabac_node_after_one[node];
    }
    *where = (gint16) h264_cabac_bypass_sign (cabac, magnitude);
  }
}

/* significant_coeff_flag and last_significant_coeff_flag (7.3.5.3.3): gives the number of levels, and where they go */
H264_ALWAYS_INLINE guint
read_significance_map (H264Cabac *cabac, H264CabacState *significant, H264CabacState *last, const guint8 *significant_inc,
    const guint8 *last_inc, const guint8 *scan, guint max_num_coeff, guint8 *index)
{
  guint n = 0, i;

  for (i = 0; i < max_num_coeff - 1; i++) {
    if (h264_cabac_bin_unfilled (cabac, &significant[significant_inc ? significant_inc[i] : i])) {
      index[n++] = scan[i];
      if (h264_cabac_bin (cabac, &last[last_inc ? last_inc[i] : i]))
        return n;
    } else {
      h264_cabac_refill (cabac);
    }
  }
  index[n++] = scan[i];
  return n;
}

/* residual_block_cabac() of up to 16 levels */
H264_ALWAYS_INLINE guint
read_block (H264SliceDecoder *dec, gpointer engine, H264BlockClass block_class, guint plane, guint at, gint16 *block, const guint8 *scan,
    guint max_num_coeff)
{
  const H264CabacBlockContexts *c = &h264_cabac_block_contexts[block_class][plane];
  const guint field = dec->mb->flags & GST_GPU_MB_FIELD ? 1 : 0;
  const gboolean chroma_dc = block_class == H264_BLOCK_CHROMA_DC;
  const guint8 *inc = !chroma_dc ? NULL : max_num_coeff == 4 ? h264_cabac_dc_inc_2x2 : h264_cabac_dc_inc_2x4;
  H264Cabac *cabac = engine;
  guint8 index[16];
  guint n = 0;

  if (h264_cabac_bin (cabac, &dec->contexts[c->coded_block_flag + h264_cabac_coded_block_flag_inc (dec, block_class, plane, at)])) {
    n = read_significance_map (cabac, &dec->contexts[c->significant[field]], &dec->contexts[c->last[field]], inc, inc, scan, max_num_coeff,
        index);
    memset (block, 0, h264_block_n_levels (block_class, max_num_coeff) * sizeof (gint16));
    read_levels (dec, cabac, &dec->contexts[c->abs_level], chroma_dc, block, index, n);
    if (block_class != H264_BLOCK_DC && !chroma_dc)
      dec->total_coeff[plane][at] = (guint8) n;
  }
  return n;
}

H264_ALWAYS_INLINE guint
read_8x8 (H264SliceDecoder *dec, gpointer engine, guint plane, guint at, gint16 *block)
{
  const H264CabacBlockContexts *c = &h264_cabac_block_contexts[H264_BLOCK_8x8][plane];
  const guint field = dec->mb->flags & GST_GPU_MB_FIELD ? 1 : 0;
  const guint8 *scan = dec->bypass ? h264_scan_8x8_raster[field] : h264_scan_8x8_transposed[field];
  H264Cabac *cabac = engine;
  guint8 *total_coeff = &dec->total_coeff[plane][at];
  guint8 index[64];
  guint n = 0;

  if (h264_cabac_read_8x8_coded_block_flag (dec, cabac, plane, at)) {
    n = read_significance_map (cabac, &dec->contexts[c->significant[field]], &dec->contexts[c->last[field]],
        h264_cabac_significant_8x8[field], h264_cabac_last_8x8, scan, 64, index);
    memset (block, 0, 64 * sizeof (gint16));
    read_levels (dec, cabac, &dec->contexts[c->abs_level], FALSE, block, index, n);
    total_coeff[0] = total_coeff[1] = total_coeff[8] = total_coeff[9] = (guint8) n;
  }
  return n;
}

H264_CABAC_DISPATCHED static void
cabac_residual (H264SliceDecoder *dec)
{
  static const H264BlockReaders readers = { read_block, read_8x8 };
  H264Cabac cabac = dec->cabac;

  h264_residual (dec, &readers, &cabac);
  dec->cabac = cabac;
}

static void
cabac_start (H264SliceDecoder *dec, const H264Bits *bits)
{
  const guint column = h264_slice_type_is_intra (dec->sh->slice_type) ? 0 : 1 + dec->sh->cabac_init_idc;

  h264_cabac_contexts_init (dec->contexts, column, dec->sh->SliceQPY);
  /* cabac_alignment_one_bit */
  h264_cabac_start (&dec->cabac, bits->data + (bits->pos + 7) / 8, dec->data_end + 16);
}

static guint
cabac_bin (H264SliceDecoder *dec, guint ctxIdx)
{
  return h264_cabac_bin (&dec->cabac, &dec->contexts[ctxIdx]);
}

/* Table 9-36 */
static guint
cabac_mb_type_i (H264SliceDecoder *dec)
{
  guint mb_type;

  if (!cabac_bin (dec, CTX_MB_TYPE_I + dec->left->not_i_nxn + dec->above->not_i_nxn))
    return 0;
  if (h264_cabac_terminate (&dec->cabac))
    return 25;
  mb_type = 1 + 12 * cabac_bin (dec, CTX_MB_TYPE_I + 3);
  if (cabac_bin (dec, CTX_MB_TYPE_I + 4))
    mb_type += 4 + 4 * cabac_bin (dec, CTX_MB_TYPE_I + 5);
  mb_type += 2 * cabac_bin (dec, CTX_MB_TYPE_I + 6);
  return mb_type + cabac_bin (dec, CTX_MB_TYPE_I + 7);
}

/* The suffix of mb_type for intra macroblocks in P and B slices (Table 9-36 with the contexts of Table 9-39's suffixes) */
static guint
read_intra_suffix (H264SliceDecoder *dec, guint ctxIdxOffset)
{
  guint mb_type;

  if (!cabac_bin (dec, ctxIdxOffset))
    return 0;
  if (h264_cabac_terminate (&dec->cabac))
    return 25;
  mb_type = 1 + 12 * cabac_bin (dec, ctxIdxOffset + 1);
  if (cabac_bin (dec, ctxIdxOffset + 2))
    mb_type += 4 + 4 * cabac_bin (dec, ctxIdxOffset + 2);
  mb_type += 2 * cabac_bin (dec, ctxIdxOffset + 3);
  return mb_type + cabac_bin (dec, ctxIdxOffset + 3);
}

H264_ALWAYS_INLINE gboolean
read_mb_skip_flag (H264SliceDecoder *dec, gpointer engine)
{
  const guint ctxIdxOffset = dec->sh->slice_type == H264_SLICE_B ? CTX_MB_SKIP_FLAG_B : CTX_MB_SKIP_FLAG_P;

  return h264_cabac_bin (engine, &dec->contexts[ctxIdxOffset + dec->left->not_skip + dec->above->not_skip]);
}

static gboolean
cabac_mb_skip (H264SliceDecoder *dec)
{
  return read_mb_skip_flag (dec, &dec->cabac);
}

static gboolean
cabac_mb_field_decoding_flag (H264SliceDecoder *dec, guint ctxIdxInc)
{
  return cabac_bin (dec, CTX_MB_FIELD_DECODING_FLAG + ctxIdxInc);
}

/* Table 9-37 (a) */
static guint
cabac_mb_type_p (H264SliceDecoder *dec)
{
  if (cabac_bin (dec, CTX_MB_TYPE_P))
    return 5 + read_intra_suffix (dec, CTX_MB_TYPE_P_INTRA);
  if (cabac_bin (dec, CTX_MB_TYPE_P + 1))
    return cabac_bin (dec, CTX_MB_TYPE_P + 3) ? 1 : 2;
  return cabac_bin (dec, CTX_MB_TYPE_P + 2) ? 3 : 0;
}

/* Table 9-37 (b): after 1 1 come four bins; some of their values stand for a type, some need a fifth bin */
static guint
cabac_mb_type_b (H264SliceDecoder *dec)
{
  guint bins;

  if (!cabac_bin (dec, CTX_MB_TYPE_B + dec->left->not_direct + dec->above->not_direct))
    return 0;
  if (!cabac_bin (dec, CTX_MB_TYPE_B + 3))
    return 1 + cabac_bin (dec, CTX_MB_TYPE_B + 5);
  bins = cabac_bin (dec, CTX_MB_TYPE_B + 4) << 3;
  bins |= cabac_bin (dec, CTX_MB_TYPE_B + 5) << 2;
  bins |= cabac_bin (dec, CTX_MB_TYPE_B + 5) << 1;
  bins |= cabac_bin (dec, CTX_MB_TYPE_B + 5);
  if (bins < 8)
    return 3 + bins;
  switch (bins) {
    case 13:
      return 23 + read_intra_suffix (dec, CTX_MB_TYPE_B_INTRA);
    case 14:
      return 11;
    case 15:
      return 22;
    default:
      return 12 + (bins - 8) * 2 + cabac_bin (dec, CTX_MB_TYPE_B + 5);
  }
}

/* Table 9-38 */
static guint
cabac_sub_mb_type_p (H264SliceDecoder *dec)
{
  if (cabac_bin (dec, CTX_SUB_MB_TYPE_P))
    return 0;
  if (!cabac_bin (dec, CTX_SUB_MB_TYPE_P + 1))
    return 1;
  return cabac_bin (dec, CTX_SUB_MB_TYPE_P + 2) ? 2 : 3;
}

static guint
cabac_sub_mb_type_b (H264SliceDecoder *dec)
{
  guint type;

  if (!cabac_bin (dec, CTX_SUB_MB_TYPE_B))
    return 0;
  if (!cabac_bin (dec, CTX_SUB_MB_TYPE_B + 1))
    return 1 + cabac_bin (dec, CTX_SUB_MB_TYPE_B + 3);
  type = 3;
  if (cabac_bin (dec, CTX_SUB_MB_TYPE_B + 2)) {
    if (cabac_bin (dec, CTX_SUB_MB_TYPE_B + 3))
      return 11 + cabac_bin (dec, CTX_SUB_MB_TYPE_B + 3);
    type = 7;
  }
  type += 2 * cabac_bin (dec, CTX_SUB_MB_TYPE_B + 3);
  return type + cabac_bin (dec, CTX_SUB_MB_TYPE_B + 3);
}

/* 9.3.3.1.1.6 */
static guint
cabac_ref_idx (H264SliceDecoder *dec, guint list, guint at, guint max)
{
  const guint8 *above = dec->ref_idx_gt[list];
  guint ctxIdxInc = (above[at - 1] & 1u) + 2 * (above[at - 8] & 1u);
  guint ref_idx = 0;

  while (cabac_bin (dec, CTX_REF_IDX + ctxIdxInc)) {
    if (G_UNLIKELY (++ref_idx > max)) {
      h264_slice_decoder_fail (dec, "ref_idx is out of range");
      return 0;
    }
    ctxIdxInc = ref_idx == 1 ? 4 : 5;
  }
  return ref_idx;
}

/* UEG3 with uCoff 9 and a sign (9.3.2.3, 9.3.3.1.1.7) */
static gint
cabac_mvd (H264SliceDecoder *dec, guint list, guint at, guint comp)
{
  guint8 (*abs_mvd)[2] = dec->abs_mvd[list];
  const guint sum = abs_mvd[at - 1][comp] + abs_mvd[at - 8][comp];
  const guint ctxIdxOffset = comp == 0 ? CTX_MVD_HORIZONTAL : CTX_MVD_VERTICAL;
  gint value = 0;
  guint k = 3;

  if (!cabac_bin (dec, ctxIdxOffset + (sum > 2) + (sum > 32)))
    return 0;
  for (value = 1; value < 9 && cabac_bin (dec, ctxIdxOffset + (guint) MIN (value + 2, 6)); value++)
    ;
  if (value == 9) {
    while (h264_cabac_bypass (&dec->cabac)) {
      value += 1 << k;
      if (++k > 15)
        return G_MAXINT16; /* out of every range */
    }
    while (k-- > 0)
      value += (gint) h264_cabac_bypass (&dec->cabac) << k;
  }
  return h264_cabac_bypass_sign (&dec->cabac, value);
}

static guint
cabac_transform_size_8x8_flag (H264SliceDecoder *dec)
{
  return cabac_bin (dec, CTX_TRANSFORM_SIZE_8x8_FLAG + dec->left->transform_size_8x8_flag + dec->above->transform_size_8x8_flag);
}

static gint
cabac_intra_pred_mode (H264SliceDecoder *dec)
{
  guint rem;

  if (cabac_bin (dec, CTX_PREV_INTRA_PRED_MODE_FLAG))
    return -1;
  rem = cabac_bin (dec, CTX_REM_INTRA_PRED_MODE);
  rem |= cabac_bin (dec, CTX_REM_INTRA_PRED_MODE) << 1;
  return (gint) (rem | cabac_bin (dec, CTX_REM_INTRA_PRED_MODE) << 2);
}

static guint
cabac_intra_chroma_pred_mode (H264SliceDecoder *dec)
{
  if (!cabac_bin (dec, CTX_INTRA_CHROMA_PRED_MODE + (dec->left->intra_chroma_pred_mode != 0) + (dec->above->intra_chroma_pred_mode != 0)))
    return 0;
  if (!cabac_bin (dec, CTX_INTRA_CHROMA_PRED_MODE + 3))
    return 1;
  return 2 + cabac_bin (dec, CTX_INTRA_CHROMA_PRED_MODE + 3);
}

/* 9.3.3.1.1.4 */
static guint
cabac_coded_block_pattern (H264SliceDecoder *dec, gboolean intra)
{
  const guint left = dec->left->cbp, above = dec->above->cbp;
  const guint left_chroma = left >> 4, above_chroma = above >> 4;
  guint cbp;

  cbp = cabac_bin (dec, CTX_CODED_BLOCK_PATTERN_LUMA + !(left & 2) + 2 * !(above & 4));
  cbp |= cabac_bin (dec, CTX_CODED_BLOCK_PATTERN_LUMA + !(cbp & 1) + 2 * !(above & 8)) << 1;
  cbp |= cabac_bin (dec, CTX_CODED_BLOCK_PATTERN_LUMA + !(left & 8) + 2 * !(cbp & 1)) << 2;
  cbp |= cabac_bin (dec, CTX_CODED_BLOCK_PATTERN_LUMA + !(cbp & 4) + 2 * !(cbp & 2)) << 3;
  if (dec->ChromaArrayType == 0 || dec->ChromaArrayType == 3)
    return cbp;
  if (cabac_bin (dec, CTX_CODED_BLOCK_PATTERN_CHROMA + (left_chroma != 0) + 2 * (above_chroma != 0)))
    cbp |= 0x10u << cabac_bin (dec, CTX_CODED_BLOCK_PATTERN_CHROMA + 4 + (left_chroma == 2) + 2 * (above_chroma == 2));
  return cbp;
}

/* 9.3.2.7, 9.3.3.1.1.5 */
static gint
cabac_mb_qp_delta (H264SliceDecoder *dec)
{
  guint codeNum;

  if (!cabac_bin (dec, CTX_MB_QP_DELTA + (dec->last_mb_qp_delta != 0)))
    return 0;
  codeNum = 1;
  if (cabac_bin (dec, CTX_MB_QP_DELTA + 2))
    /* longer than any legal value means a damaged slice */
    for (codeNum = 2; codeNum < 200 && cabac_bin (dec, CTX_MB_QP_DELTA + 3); codeNum++)
      ;
  return codeNum & 1 ? (gint) (codeNum / 2 + 1) : -(gint) (codeNum / 2);
}

static const guint8 *
cabac_pcm_begin (H264SliceDecoder *dec)
{
  return h264_cabac_end (&dec->cabac);
}

static void
cabac_pcm_end (H264SliceDecoder *dec, const guint8 *end)
{
  h264_cabac_start (&dec->cabac, end, dec->data_end + 16);
}

/* end_of_slice_flag; behind it stands nothing but rbsp_trailing_bits, whose first bit the engine has taken already */
H264_ALWAYS_INLINE gboolean
read_more_macroblocks (H264SliceDecoder *dec, gpointer engine)
{
  H264Cabac *cabac = engine;
  const guint8 *end;

  if (G_UNLIKELY (cabac->next >= cabac->limit)) {
    h264_slice_decoder_fail (dec, "slice data ends too early");
    return FALSE;
  }
  if (G_LIKELY (!h264_cabac_terminate (cabac)))
    return TRUE;
  end = h264_cabac_end (cabac);
  if (end > dec->data_end)
    h264_slice_decoder_fail (dec, "slice data ends behind the NAL unit");
  else if (end < dec->data_end)
    dec->leftover = "slice data ends before the NAL unit does";
  return FALSE;
}

static gboolean
cabac_more_macroblocks (H264SliceDecoder *dec)
{
  return read_more_macroblocks (dec, &dec->cabac);
}

H264_CABAC_DISPATCHED static gboolean
cabac_skip_run (H264SliceDecoder *dec)
{
  static const H264SkipReaders readers = { read_mb_skip_flag, read_more_macroblocks };
  H264Cabac cabac = dec->cabac;
  const gboolean found = h264_skip_run (dec, &readers, &cabac);

  dec->cabac = cabac;
  return found;
}

const H264EntropyCoding h264_cabac = {
  cabac_start,
  cabac_mb_type_i,
  cabac_mb_skip,
  cabac_skip_run,
  cabac_mb_field_decoding_flag,
  cabac_mb_type_p,
  cabac_mb_type_b,
  cabac_sub_mb_type_p,
  cabac_sub_mb_type_b,
  cabac_ref_idx,
  cabac_mvd,
  cabac_transform_size_8x8_flag,
  cabac_intra_pred_mode,
  cabac_intra_chroma_pred_mode,
  cabac_coded_block_pattern,
  cabac_mb_qp_delta,
  cabac_residual,
  cabac_pcm_begin,
  cabac_pcm_end,
  cabac_more_macroblocks,
};
