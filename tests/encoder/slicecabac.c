/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slice_data () in CABAC (ITU-T H.264, 7.3.4, 7.3.5, 9.3.2, 9.3.3.1)
 */
#include "cabacencoder.h"
#include "h264cabactables.h"
#include "slicewriter.h"

/* ctxIdxOffset (Table 9-34) + ctxBlockCatOffset (Table 9-40) by ctxBlockCat (Table 9-42); frame, field */
static const guint16 coded_block_flag_ctx[14] = { 85, 89, 93, 97, 101, 1012, 460, 464, 468, 1016, 472, 476, 480, 1020 };
static const guint16 significant_ctx[2][14] = {
  { 105, 120, 134, 149, 152, 402, 484, 499, 513, 660, 528, 543, 557, 718 },
  { 277, 292, 306, 321, 324, 436, 776, 791, 805, 675, 820, 835, 849, 733 },
};
static const guint16 last_ctx[2][14] = {
  { 166, 181, 195, 210, 213, 417, 572, 587, 601, 690, 616, 631, 645, 748 },
  { 338, 353, 367, 382, 385, 451, 864, 879, 893, 699, 908, 923, 937, 757 },
};
static const guint16 abs_level_ctx[14] = { 227, 237, 247, 257, 266, 426, 952, 962, 972, 708, 982, 992, 1002, 766 };

static gboolean
is_8x8_cat (guint ctxBlockCat)
{
  return ctxBlockCat == 5 || ctxBlockCat == 9 || ctxBlockCat == 13;
}

/* coeff_abs_level_minus1: a prefix of at most 14 ones, then Exp-Golomb of order 0 (9.3.2.3) */
static void
put_abs_level_minus1 (CabacEncoder *e, guint value, guint first_ctx, guint others_ctx)
{
  guint k = 0;

  for (guint bin = 0; bin < MIN (value, 14); bin++)
    cabac_put (e, bin == 0 ? first_ctx : others_ctx, 1);
  if (value < 14) {
    cabac_put (e, value == 0 ? first_ctx : others_ctx, 0);
    return;
  }
  for (value -= 14; value >= 1u << k; k++) {
    cabac_put_bypass (e, 1);
    value -= 1u << k;
  }
  cabac_put_bypass (e, 0);
  while (k-- > 0)
    cabac_put_bypass (e, value >> k & 1);
}

/* residual_block_cabac () behind coded_block_flag */
static void
put_levels (const PictureModel *picture, CabacEncoder *e, const ModelMb *mb, guint ctxBlockCat, const gint32 *levels, guint max_num_coeff)
{
  const guint field = model_is_field_mb (picture, mb) ? 1 : 0, NumC8x8 = picture->ChromaArrayType;
  guint last = max_num_coeff - 1, n_gt1 = 0, n_eq1 = 0, i;

  while (levels[last] == 0)
    last--;
  for (i = 0; i <= last && i < max_num_coeff - 1; i++) {
    const guint inc = ctxBlockCat == 3 ? MIN (i / NumC8x8, 2) : is_8x8_cat (ctxBlockCat) ? h264_cabac_significant_8x8[field][i] : i;
    const guint last_inc = is_8x8_cat (ctxBlockCat) ? h264_cabac_last_8x8[i] : inc;

    cabac_put (e, significant_ctx[field][ctxBlockCat] + inc, levels[i] != 0);
    if (levels[i] != 0)
      cabac_put (e, last_ctx[field][ctxBlockCat] + last_inc, i == last);
  }
  for (i = last + 1; i-- > 0;) {
    const guint first_inc = n_gt1 != 0 ? 0 : MIN (4, 1 + n_eq1), others_inc = 5 + MIN (4 - (ctxBlockCat == 3), n_gt1);

    if (levels[i] == 0)
      continue;
    put_abs_level_minus1 (e, (guint) ABS (levels[i]) - 1, abs_level_ctx[ctxBlockCat] + first_inc, abs_level_ctx[ctxBlockCat] + others_inc);
    cabac_put_bypass (e, levels[i] < 0);
    if (ABS (levels[i]) == 1)
      n_eq1++;
    else
      n_gt1++;
  }
}

static guint
any_level (const gint32 *levels, guint n)
{
  for (guint i = 0; i < n; i++)
    if (levels[i] != 0)
      return 1;
  return 0;
}

/* coded_block_flag of the block that transBlockN is (9.3.3.1.1.9), 0 where there is none; by plane and 4x4 blkIdx */
static guint
luma_flag (const PictureModel *picture, const ModelMb *mb, guint plane, guint blk, gboolean of_8x8)
{
  if (!(mb->cbp >> (blk / 4) & 1))
    return 0;
  if (mb->transform_size_8x8_flag)
    return picture->ChromaArrayType != 3 ? 1 : any_level (mb->blocks_8x8[plane][blk / 4], 64);
  return of_8x8 ? 0 : any_level (mb->blocks[plane][blk] + model_is_intra_16x16 (mb), 16 - (guint) model_is_intra_16x16 (mb));
}

static guint
dc_flag (const PictureModel *picture, const ModelMb *mb, guint plane, gboolean chroma)
{
  if (chroma)
    return mb->cbp >> 4 == 0 ? 0 : any_level (mb->dc[plane], model_chroma_blocks (picture));
  return model_is_intra_16x16 (mb) ? any_level (mb->dc[plane], 16) : 0;
}

typedef enum
{
  BLOCK_DC,
  BLOCK_CHROMA_DC,
  BLOCK_LUMA,
  BLOCK_8x8,
  BLOCK_CHROMA_AC,
} BlockKind;

static guint
coded_block_flag_inc (const PictureModel *picture, guint i, BlockKind kind, guint plane, guint blk)
{
  guint inc = 0;

  for (guint above = 0; above < 2; above++) {
    guint blkN, condTermFlag;
    const ModelMb *mbN = model_neighbour_block (picture, i, kind == BLOCK_CHROMA_AC, blk, (gboolean) above, &blkN);

    if (kind == BLOCK_DC || kind == BLOCK_CHROMA_DC)
      mbN = model_neighbour_mb (picture, i, (gboolean) above);
    if (!mbN)
      condTermFlag = model_is_intra (&picture->mbs[i]);
    else if (mbN->mb_type == MB_TYPE_I_PCM)
      condTermFlag = 1;
    else if (kind == BLOCK_DC || kind == BLOCK_CHROMA_DC)
      condTermFlag = dc_flag (picture, mbN, plane, kind == BLOCK_CHROMA_DC);
    else if (kind == BLOCK_CHROMA_AC)
      condTermFlag = mbN->cbp >> 4 == 2 ? any_level (mbN->blocks[plane][blkN] + 1, 15) : 0;
    else
      condTermFlag = luma_flag (picture, mbN, plane, blkN, kind == BLOCK_8x8);
    inc += condTermFlag << above;
  }
  return inc;
}

static void
put_block (const PictureModel *picture, CabacEncoder *e, guint i, BlockKind kind, guint ctxBlockCat, guint plane, guint blk,
    const gint32 *levels, guint max_num_coeff)
{
  const guint coded_block_flag = any_level (levels, max_num_coeff);

  if (kind != BLOCK_8x8 || picture->ChromaArrayType == 3)
    cabac_put (e, coded_block_flag_ctx[ctxBlockCat] + coded_block_flag_inc (picture, i, kind, plane, blk), coded_block_flag);
  if (coded_block_flag)
    put_levels (picture, e, &picture->mbs[i], ctxBlockCat, levels, max_num_coeff);
}

static void
put_luma (const PictureModel *picture, CabacEncoder *e, guint i, guint plane)
{
  static const guint8 first_cat[3] = { 0, 6, 10 }, cat_8x8[3] = { 5, 9, 13 };
  const ModelMb *mb = &picture->mbs[i];
  const guint cat = first_cat[plane];

  if (model_is_intra_16x16 (mb))
    put_block (picture, e, i, BLOCK_DC, cat, plane, 0, mb->dc[plane], 16);
  for (guint blk = 0; blk < 16; blk++) {
    if (!(mb->cbp >> (blk / 4) & 1))
      continue;
    if (model_is_intra_16x16 (mb))
      put_block (picture, e, i, BLOCK_LUMA, cat + 1, plane, blk, mb->blocks[plane][blk] + 1, 15);
    else if (!mb->transform_size_8x8_flag)
      put_block (picture, e, i, BLOCK_LUMA, cat + 2, plane, blk, mb->blocks[plane][blk], 16);
    else if (blk % 4 == 0)
      put_block (picture, e, i, BLOCK_8x8, cat_8x8[plane], plane, blk, mb->blocks_8x8[plane][blk / 4], 64);
  }
}

static void
put_chroma (const PictureModel *picture, CabacEncoder *e, guint i)
{
  const ModelMb *mb = &picture->mbs[i];
  const guint n_blocks = model_chroma_blocks (picture);

  if (mb->cbp >> 4 != 0)
    for (guint plane = 1; plane < 3; plane++)
      put_block (picture, e, i, BLOCK_CHROMA_DC, 3, plane, 0, mb->dc[plane], n_blocks);
  if (mb->cbp >> 4 == 2)
    for (guint plane = 1; plane < 3; plane++)
      for (guint blk = 0; blk < n_blocks; blk++)
        put_block (picture, e, i, BLOCK_CHROMA_AC, 4, plane, blk, mb->blocks[plane][blk] + 1, 15);
}

/* Table 9-36; @in_p: behind the prefix of a P slice */
static void
put_i_mb_type (CabacEncoder *e, const ModelMb *mb, guint first_ctx, guint others_ctx, gboolean in_p)
{
  const guint mode = model_intra_16x16_mode (mb);

  cabac_put (e, first_ctx, mb->mb_type != MB_TYPE_I_NxN);
  if (mb->mb_type == MB_TYPE_I_NxN)
    return;
  cabac_put_terminate (e, mb->mb_type == MB_TYPE_I_PCM);
  if (mb->mb_type == MB_TYPE_I_PCM)
    return;
  cabac_put (e, others_ctx, mb->mb_type >= 13);
  cabac_put (e, others_ctx + 1, mb->cbp >> 4 != 0);
  if (mb->cbp >> 4 != 0)
    cabac_put (e, others_ctx + (in_p ? 1 : 2), mb->cbp >> 4 == 2);
  cabac_put (e, others_ctx + (in_p ? 2 : 3), mode >> 1);
  cabac_put (e, others_ctx + (in_p ? 2 : 4), mode & 1);
}

/* Table 9-37 (a) */
static void
put_p_mb_type (CabacEncoder *e, guint mb_type)
{
  const gboolean of_two = mb_type == MB_TYPE_P_L0_L0_16x8 || mb_type == MB_TYPE_P_L0_L0_8x16;

  cabac_put (e, 14, 0);
  cabac_put (e, 15, of_two);
  cabac_put (e, of_two ? 17 : 16, mb_type == MB_TYPE_P_8x8 || mb_type == MB_TYPE_P_L0_L0_16x8);
}

/* A bin string of mb_type in B slices; @inc: of its first bin */
static void
put_b_bins (CabacEncoder *e, guint inc, const gchar *bins)
{
  for (guint i = 0; bins[i] != '\0'; i++)
    cabac_put (e, 27 + (i == 0 ? inc : i == 1 ? 3 : i == 2 && bins[1] == '1' ? 4 : 5), bins[i] == '1');
}

/* Table 9-37 (b) */
static const gchar *const b_mb_type_bins[23] = { "0", "100", "101", "110000", "110001", "110010", "110011", "110100", "110101", "110110",
  "110111", "111110", "1110000", "1110001", "1110010", "1110011", "1110100", "1110101", "1110110", "1110111", "1111000", "1111001",
  "111111" };

static void
put_b_mb_type (const PictureModel *picture, CabacEncoder *e, guint i)
{
  const ModelMb *mb = &picture->mbs[i];
  guint inc = 0;

  for (guint above = 0; above < 2; above++) {
    const ModelMb *mbN = model_neighbour_mb (picture, i, (gboolean) above);

    inc += mbN && mbN->mb_type != MB_TYPE_B_Skip && mbN->mb_type != MB_TYPE_B_Direct_16x16;
  }
  if (!model_is_intra (mb)) {
    put_b_bins (e, inc, b_mb_type_bins[mb->mb_type - MB_TYPE_B_Direct_16x16]);
  } else {
    put_b_bins (e, inc, "111101");
    put_i_mb_type (e, mb, 32, 33, TRUE);
  }
}

static void
put_mb_type (const PictureModel *picture, CabacEncoder *e, guint i)
{
  const ModelMb *mb = &picture->mbs[i], *a = model_neighbour_mb (picture, i, FALSE), *b = model_neighbour_mb (picture, i, TRUE);
  const guint n_lists = model_slice (picture, mb)->n_lists;

  if (n_lists == 2) {
    put_b_mb_type (picture, e, i);
  } else if (!model_is_intra (mb)) {
    put_p_mb_type (e, mb->mb_type);
  } else if (n_lists == 1) {
    cabac_put (e, 14, 1);
    put_i_mb_type (e, mb, 17, 18, TRUE);
  } else {
    put_i_mb_type (e, mb, 3 + (a && a->mb_type != MB_TYPE_I_NxN) + (b && b->mb_type != MB_TYPE_I_NxN), 6, FALSE);
  }
}

/* Table 9-38 */
static void
put_sub_mb_type (CabacEncoder *e, guint sub_mb_type, gboolean of_b)
{
  static const gchar *const bins[2][13] = {
    { "1", "00", "011", "010" },
    { "0", "100", "101", "11000", "11001", "11010", "11011", "111000", "111001", "111010", "111011", "11110", "11111" },
  };
  static const guint8 incs_p[3] = { 0, 1, 2 }, incs_b[6] = { 0, 1, 2, 3, 3, 3 };
  const gchar *string = bins[of_b][sub_mb_type];

  for (guint i = 0; string[i] != '\0'; i++) {
    const guint inc = !of_b ? incs_p[i] : i == 2 && string[1] == '0' ? 3 : incs_b[i];

    cabac_put (e, (of_b ? 36 : 21) + inc, string[i] == '1');
  }
}

/* 9.3.3.1.1.4 */
static void
put_coded_block_pattern (const PictureModel *picture, CabacEncoder *e, guint i)
{
  const ModelMb *mb = &picture->mbs[i];
  guint inc[2] = { 0, 0 };

  for (guint b8 = 0; b8 < 4; b8++) {
    guint blkA, blkB;
    const ModelMb *a = model_neighbour_block (picture, i, FALSE, 4 * b8, FALSE, &blkA);
    const ModelMb *b = model_neighbour_block (picture, i, FALSE, 4 * b8, TRUE, &blkB);

    cabac_put (e, 73 + (a && !(a->cbp >> (blkA / 4) & 1)) + 2 * (b && !(b->cbp >> (blkB / 4) & 1)), mb->cbp >> b8 & 1);
  }
  if (model_chroma_blocks (picture) == 0)
    return;
  for (guint above = 0; above < 2; above++) {
    const ModelMb *mbN = model_neighbour_mb (picture, i, (gboolean) above);

    inc[0] += (guint) (mbN && mbN->cbp >> 4 != 0) << above;
    inc[1] += (guint) (mbN && mbN->cbp >> 4 == 2) << above;
  }
  cabac_put (e, 77 + inc[0], mb->cbp >> 4 != 0);
  if (mb->cbp >> 4 != 0)
    cabac_put (e, 77 + 4 + inc[1], mb->cbp >> 4 == 2);
}

/* 9.3.3.1.1.5; mb_qp_delta of the model is 0 where it is not in the data.  @previous: the macroblock before it in the slice, or NULL */
static void
put_mb_qp_delta (CabacEncoder *e, gint delta, const ModelMb *previous)
{
  const guint value = delta > 0 ? 2 * (guint) delta - 1 : 2 * (guint) -delta;

  for (guint bin = 0; bin <= value; bin++)
    cabac_put (e, bin == 0 ? 60 + (previous && previous->mb_qp_delta != 0) : bin == 1 ? 62 : 63, bin < value);
}

static void
put_transform_size_8x8_flag (const PictureModel *picture, CabacEncoder *e, guint i)
{
  const ModelMb *a = model_neighbour_mb (picture, i, FALSE), *b = model_neighbour_mb (picture, i, TRUE);

  if (picture->pps.transform_8x8)
    cabac_put (e, 399 + (a && a->transform_size_8x8_flag) + (b && b->transform_size_8x8_flag), picture->mbs[i].transform_size_8x8_flag);
}

static void
put_pred_modes (const PictureModel *picture, CabacEncoder *e, guint i)
{
  const ModelMb *mb = &picture->mbs[i];

  for (guint blk = 0; blk < 16; blk += mb->transform_size_8x8_flag ? 4 : 1) {
    const gint rem = model_rem_pred_mode (picture, i, blk);

    cabac_put (e, 68, rem < 0);
    for (guint bit = 0; rem >= 0 && bit < 3; bit++)
      cabac_put (e, 69, (guint) rem >> bit & 1);
  }
}

/* 9.3.3.1.1.8 */
static void
put_intra_chroma_pred_mode (const PictureModel *picture, CabacEncoder *e, guint i)
{
  const guint mode = picture->mbs[i].intra_chroma_pred_mode;
  guint inc = 0;

  for (guint above = 0; above < 2; above++) {
    const ModelMb *mbN = model_neighbour_mb (picture, i, (gboolean) above);

    inc += mbN && model_is_intra (mbN) && mbN->mb_type != MB_TYPE_I_PCM && mbN->intra_chroma_pred_mode != 0;
  }
  for (guint bin = 0; bin < MIN (mode + 1, 3); bin++)
    cabac_put (e, bin == 0 ? 64 + inc : 67, bin < mode);
}

/* 9.3.3.1.1.6 */
static void
put_ref_idx (const PictureModel *picture, CabacEncoder *e, guint i, guint list, guint blk)
{
  const ModelMb *mb = &picture->mbs[i];
  const guint ref_idx = (guint) mb->ref_idx[list][blk / 4];
  guint inc = 0;

  for (guint above = 0; above < 2; above++) {
    guint blkN;
    const ModelMb *mbN = model_neighbour_block (picture, i, FALSE, blk, (gboolean) above, &blkN);
    const gint above_zero = mbN && picture->mbaff && !mb->field && mbN->field ? 1 : 0;

    inc += (guint) (mbN && mbN->mb_type != MB_TYPE_P_Skip && !model_is_direct (mbN, blkN / 4) && mbN->ref_idx[list][blkN / 4] > above_zero)
        << above;
  }
  for (guint bin = 0; bin <= ref_idx; bin++)
    cabac_put (e, 54 + (bin == 0 ? inc : bin == 1 ? 4 : 5), bin < ref_idx);
}

/* 9.3.3.1.1.7; the model's mvd is 0 where there is none */
static guint
mvd_inc (const PictureModel *picture, guint i, guint list, guint blk, guint compIdx)
{
  const ModelMb *mb = &picture->mbs[i];
  gint sum = 0;

  for (guint above = 0; above < 2; above++) {
    guint blkN;
    const ModelMb *mbN = model_neighbour_block (picture, i, FALSE, blk, (gboolean) above, &blkN);
    gint absMvdCompN = mbN ? ABS (mbN->mvd[list][blkN][compIdx]) : 0;

    if (mbN && compIdx == 1 && mb->field != mbN->field)
      absMvdCompN = mb->field ? absMvdCompN / 2 : absMvdCompN * 2;
    sum += absMvdCompN;
  }
  return sum < 3 ? 0 : sum > 32 ? 2 : 1;
}

/* UEG3 with signedValFlag 1 and uCoff 9 (9.3.2.3) */
static void
put_mvd (CabacEncoder *e, gint mvd, guint first_ctx, guint inc)
{
  static const guint8 incs[9] = { 0, 3, 4, 5, 6, 6, 6, 6, 6 };
  guint value = (guint) ABS (mvd), k = 3;

  for (guint bin = 0; bin < MIN (value + 1, 9); bin++)
    cabac_put (e, first_ctx + (bin == 0 ? inc : incs[bin]), bin < value);
  if (value >= 9) {
    for (value -= 9; value >= 1u << k; k++) {
      cabac_put_bypass (e, 1);
      value -= 1u << k;
    }
    cabac_put_bypass (e, 0);
    while (k-- > 0)
      cabac_put_bypass (e, value >> k & 1);
  }
  if (mvd != 0)
    cabac_put_bypass (e, mvd < 0);
}

static void
put_motion (const PictureModel *picture, CabacEncoder *e, guint i)
{
  const ModelMb *mb = &picture->mbs[i];
  ModelPart parts[4], vectors[16];
  const guint n = model_mb_parts (mb, parts), n_vectors = model_vector_parts (mb, vectors);

  for (guint part = 0; n == 4 && part < 4; part++)
    put_sub_mb_type (e, mb->sub_mb_type[part], mb->mb_type == MB_TYPE_B_8x8);
  for (guint list = 0; list < 2; list++)
    for (guint part = 0; part < n; part++)
      if ((parts[part].lists >> list & 1) && model_n_references (picture, mb, list) > 1)
        put_ref_idx (picture, e, i, list, parts[part].blk);
  for (guint list = 0; list < 2; list++)
    for (guint part = 0; part < n_vectors; part++)
      for (guint compIdx = 0; compIdx < 2 && (vectors[part].lists >> list & 1); compIdx++) {
        const guint blk = vectors[part].blk;

        put_mvd (e, mb->mvd[list][blk][compIdx], compIdx == 0 ? 40 : 47, mvd_inc (picture, i, list, blk, compIdx));
      }
}

static void
put_prediction (const PictureModel *picture, CabacEncoder *e, guint i)
{
  const ModelMb *mb = &picture->mbs[i];

  if (mb->mb_type == MB_TYPE_I_NxN) {
    put_transform_size_8x8_flag (picture, e, i);
    put_pred_modes (picture, e, i);
  }
  if (!model_is_intra (mb) && mb->mb_type != MB_TYPE_B_Direct_16x16)
    put_motion (picture, e, i);
  else if (model_is_intra (mb) && model_chroma_blocks (picture) > 0)
    put_intra_chroma_pred_mode (picture, e, i);
  if (model_is_intra_16x16 (mb))
    return;
  put_coded_block_pattern (picture, e, i);
  if (model_may_choose_transform (mb))
    put_transform_size_8x8_flag (picture, e, i);
}

/* macroblock_layer () */
static void
put_macroblock (PictureModel *picture, CabacEncoder *e, guint i, const ModelMb *previous)
{
  const ModelMb *mb = &picture->mbs[i];

  put_mb_type (picture, e, i);
  if (mb->mb_type == MB_TYPE_I_PCM) {
    put_pcm_samples (picture, e->w, mb);
    cabac_encoder_start (e, e->w);
    return;
  }
  put_prediction (picture, e, i);
  if (!model_is_intra_16x16 (mb) && mb->cbp == 0)
    return;
  put_mb_qp_delta (e, mb->mb_qp_delta, previous);
  put_luma (picture, e, i, 0);
  if (picture->ChromaArrayType == 3) {
    put_luma (picture, e, i, 1);
    put_luma (picture, e, i, 2);
  }
  put_chroma (picture, e, i);
}

/* 9.3.3.1.1.1.  Before its pair's mb_field_decoding_flag is known, a macroblock counts as what 7.3.4 infers. */
static void
put_mb_skip_flag (PictureModel *picture, CabacEncoder *e, guint i)
{
  ModelMb *mb = &picture->mbs[i];
  const gboolean field = mb->field, known = i % 2 == 1 && !model_is_skip (&picture->mbs[i - 1]);
  guint inc = 0;

  if (picture->mbaff && !known)
    mb->field = model_inferred_field (picture, i);
  for (guint above = 0; above < 2; above++) {
    const ModelMb *mbN = model_neighbour_mb (picture, i, (gboolean) above);

    inc += mbN && !model_is_skip (mbN);
  }
  mb->field = field;
  cabac_put (e, (model_slice (picture, mb)->n_lists == 2 ? 24 : 11) + inc, model_is_skip (mb));
}

/* 9.3.3.1.1.1: pairs A and B are field pairs. */
static void
put_mb_field_decoding_flag (const PictureModel *picture, CabacEncoder *e, guint i)
{
  const gint a = model_neighbour_pair (picture, i, FALSE), b = model_neighbour_pair (picture, i, TRUE);

  cabac_put (e, 70 + (a >= 0 && picture->mbs[a].field) + (b >= 0 && picture->mbs[b].field), picture->mbs[i].field);
}

static void
put_macroblocks (PictureModel *picture, CabacEncoder *e, guint slice)
{
  const ModelMb *previous = NULL;
  guint next;

  for (guint i = model_first_of_slice (picture, slice); i < picture->n_mbs; i = next) {
    const ModelMb *mb = &picture->mbs[i];

    next = model_next_in_slice (picture, i);
    if (picture->slices[slice].n_lists > 0)
      put_mb_skip_flag (picture, e, i);
    if (!model_is_skip (mb)) {
      if (picture->mbaff && (i % 2 == 0 || model_is_skip (&picture->mbs[i - 1])))
        put_mb_field_decoding_flag (picture, e, i);
      put_macroblock (picture, e, i, previous);
    }
    if (!picture->mbaff || i % 2 == 1)
      cabac_put_terminate (e, next >= picture->n_mbs);
    previous = mb;
  }
}

void
put_slice_data_cabac (PictureModel *picture, BitWriter *w, guint slice)
{
  CabacEncoder *e = g_new (CabacEncoder, 1);

  while (w->n_bits % 8 != 0)
    put_u (w, 1, 1); /* cabac_alignment_one_bit */
  cabac_contexts_init (e->contexts, picture->slices[slice].n_lists > 0 ? 1 + picture->cabac_init_idc : 0, picture->SliceQPY);
  cabac_encoder_start (e, w);
  put_macroblocks (picture, e, slice);
  g_free (e);
}
