/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slice_data () in CAVLC (ITU-T H.264, 7.3.4, 7.3.5, 9.1, 9.2.1)
 */
#include "cavlcencoder.h"
#include "slicewriter.h"

/* me(v), Table 9-4: coded_block_pattern by codeNum: of Intra_4x4 and Intra_8x8, and of inter prediction */
static const guint8 intra_cbp_with_chroma[48] = { 47, 31, 15, 0, 23, 27, 29, 30, 7, 11, 13, 14, 39, 43, 45, 46, 16, 3, 5, 10, 12, 19, 21,
  26, 28, 35, 37, 42, 44, 1, 2, 4, 8, 17, 18, 20, 24, 6, 9, 22, 25, 32, 33, 34, 36, 40, 38, 41 };
static const guint8 intra_cbp_luma_only[16] = { 15, 0, 7, 11, 13, 14, 3, 5, 10, 12, 1, 2, 4, 8, 6, 9 };

static const guint8 inter_cbp_with_chroma[48] = { 0, 16, 1, 2, 4, 8, 32, 3, 5, 10, 12, 15, 47, 7, 11, 13, 14, 6, 9, 31, 35, 37, 42, 44, 33,
  34, 36, 40, 39, 43, 45, 46, 17, 18, 20, 24, 19, 21, 26, 28, 23, 27, 29, 30, 22, 25, 38, 41 };
static const guint8 inter_cbp_luma_only[16] = { 0, 1, 2, 4, 8, 3, 5, 10, 12, 15, 7, 11, 13, 14, 6, 9 };

static guint
find_code_num (const guint8 *table, guint cbp)
{
  guint codeNum = 0;

  while (table[codeNum] != cbp)
    codeNum++;
  return codeNum;
}

/* 9.2.1; the counts of a macroblock that has no such blocks are 0. */
static gint
derive_nC (const PictureModel *picture, guint mb, guint plane, gboolean chroma, guint blk)
{
  guint n[2] = { 0, 0 };
  gboolean available[2];

  for (guint above = 0; above < 2; above++) {
    guint blkN;
    const ModelMb *mbN = model_neighbour_block (picture, mb, chroma, blk, (gboolean) above, &blkN);

    available[above] = mbN != NULL;
    if (mbN)
      n[above] = mbN->mb_type == MB_TYPE_I_PCM ? 16 : mbN->total_coeff[plane][blkN];
  }
  return (gint) (available[0] && available[1] ? (n[0] + n[1] + 1) >> 1 : n[0] + n[1]);
}

static void
put_luma_4x4 (PictureModel *picture, BitWriter *w, guint i, guint plane, guint blk)
{
  ModelMb *mb = &picture->mbs[i];
  const gint nC = derive_nC (picture, i, plane, FALSE, blk);
  gint32 part[16];

  if (mb->transform_size_8x8_flag) {
    /* 7.3.5.3.2: every fourth level of the 8x8 block */
    for (guint k = 0; k < 16; k++)
      part[k] = mb->blocks_8x8[plane][blk / 4][4 * k + blk % 4];
    mb->total_coeff[plane][blk] = put_residual_block_cavlc (w, nC, part, 16);
  } else if (!model_is_intra_16x16 (mb)) {
    mb->total_coeff[plane][blk] = put_residual_block_cavlc (w, nC, mb->blocks[plane][blk], 16);
  } else {
    mb->total_coeff[plane][blk] = put_residual_block_cavlc (w, nC, mb->blocks[plane][blk] + 1, 15);
  }
}

static void
put_luma (PictureModel *picture, BitWriter *w, guint i, guint plane)
{
  ModelMb *mb = &picture->mbs[i];

  if (model_is_intra_16x16 (mb))
    (void) put_residual_block_cavlc (w, derive_nC (picture, i, plane, FALSE, 0), mb->dc[plane], 16);
  for (guint blk = 0; blk < 16; blk++)
    if (mb->cbp >> (blk / 4) & 1)
      put_luma_4x4 (picture, w, i, plane, blk);
}

static void
put_chroma (PictureModel *picture, BitWriter *w, guint i)
{
  ModelMb *mb = &picture->mbs[i];
  const guint n_blocks = model_chroma_blocks (picture);

  if (mb->cbp >> 4 != 0)
    for (guint plane = 1; plane < 3; plane++)
      (void) put_residual_block_cavlc (w, n_blocks == 4 ? NC_CHROMA_DC_2x2 : NC_CHROMA_DC_2x4, mb->dc[plane], n_blocks);
  if (mb->cbp >> 4 == 2)
    for (guint plane = 1; plane < 3; plane++)
      for (guint blk = 0; blk < n_blocks; blk++)
        mb->total_coeff[plane][blk] =
            put_residual_block_cavlc (w, derive_nC (picture, i, plane, TRUE, blk), mb->blocks[plane][blk] + 1, 15);
}

/* Behind mb_type: the modes of Intra_4x4 and Intra_8x8 */
static void
put_pred_modes (const PictureModel *picture, BitWriter *w, guint i)
{
  const ModelMb *mb = &picture->mbs[i];

  for (guint blk = 0; blk < 16; blk += mb->transform_size_8x8_flag ? 4 : 1) {
    const gint rem = model_rem_pred_mode (picture, i, blk);

    put_u (w, 1, rem < 0);
    if (rem >= 0)
      put_u (w, 3, (guint) rem);
  }
}

/* te(v) */
static void
put_ref_idx (BitWriter *w, gint ref_idx, guint n_references)
{
  if (n_references == 2)
    put_u (w, 1, ref_idx == 0);
  else if (n_references > 2)
    put_ue (w, (guint) ref_idx);
}

static void
put_motion (const PictureModel *picture, BitWriter *w, guint i)
{
  const ModelMb *mb = &picture->mbs[i];
  ModelPart parts[4], vectors[16];
  const guint n = model_mb_parts (mb, parts), n_vectors = model_vector_parts (mb, vectors);

  for (guint part = 0; n == 4 && part < 4; part++)
    put_ue (w, mb->sub_mb_type[part]);
  for (guint list = 0; list < 2; list++)
    for (guint part = 0; part < n; part++)
      if (parts[part].lists >> list & 1)
        put_ref_idx (w, mb->ref_idx[list][parts[part].blk / 4], model_n_references (picture, mb, list));
  for (guint list = 0; list < 2; list++)
    for (guint part = 0; part < n_vectors; part++)
      for (guint compIdx = 0; compIdx < 2 && (vectors[part].lists >> list & 1); compIdx++)
        put_se (w, mb->mvd[list][vectors[part].blk][compIdx]);
}

static void
put_coded_block_pattern (const PictureModel *picture, BitWriter *w, const ModelMb *mb)
{
  const guint8 *table = model_chroma_blocks (picture) > 0 ? model_is_intra (mb) ? intra_cbp_with_chroma : inter_cbp_with_chroma
      : model_is_intra (mb)                               ? intra_cbp_luma_only
                                                          : inter_cbp_luma_only;

  put_ue (w, find_code_num (table, mb->cbp));
}

static void
put_prediction (const PictureModel *picture, BitWriter *w, guint i)
{
  const ModelMb *mb = &picture->mbs[i];

  if (mb->mb_type == MB_TYPE_I_NxN) {
    if (picture->pps.transform_8x8)
      put_u (w, 1, (guint) mb->transform_size_8x8_flag);
    put_pred_modes (picture, w, i);
  }
  if (!model_is_intra (mb) && mb->mb_type != MB_TYPE_B_Direct_16x16)
    put_motion (picture, w, i);
  else if (model_is_intra (mb) && model_chroma_blocks (picture) > 0)
    put_ue (w, mb->intra_chroma_pred_mode);
  if (model_is_intra_16x16 (mb))
    return;
  put_coded_block_pattern (picture, w, mb);
  if (model_may_choose_transform (mb) && picture->pps.transform_8x8)
    put_u (w, 1, (guint) mb->transform_size_8x8_flag);
}

/* macroblock_layer () */
static void
put_macroblock (PictureModel *picture, BitWriter *w, guint i)
{
  /* mb_type of I_NxN in I, P and B slices */
  static const guint8 first_intra[3] = { 0, 5, 23 };
  ModelMb *mb = &picture->mbs[i];

  if (model_is_intra (mb))
    put_ue (w, mb->mb_type + first_intra[model_slice (picture, mb)->n_lists]);
  else
    put_ue (w, mb->mb_type - (mb->mb_type < MB_TYPE_B_Direct_16x16 ? MB_TYPE_P_L0_16x16 : MB_TYPE_B_Direct_16x16));
  if (mb->mb_type == MB_TYPE_I_PCM) {
    put_pcm_samples (picture, w, mb);
    return;
  }
  put_prediction (picture, w, i);
  if (!model_is_intra_16x16 (mb) && mb->cbp == 0)
    return;
  put_se (w, mb->mb_qp_delta);
  put_luma (picture, w, i, 0);
  if (picture->ChromaArrayType == 3) {
    put_luma (picture, w, i, 1);
    put_luma (picture, w, i, 2);
  }
  put_chroma (picture, w, i);
}

void
put_slice_data_cavlc (PictureModel *picture, BitWriter *w, guint slice)
{
  guint mb_skip_run = 0;

  for (guint i = model_first_of_slice (picture, slice); i < picture->n_mbs; i = model_next_in_slice (picture, i)) {
    const ModelMb *mb = &picture->mbs[i];

    if (model_is_skip (mb)) {
      mb_skip_run++;
      continue;
    }
    if (picture->slices[slice].n_lists > 0)
      put_ue (w, mb_skip_run);
    mb_skip_run = 0;
    if (picture->mbaff && (i % 2 == 0 || model_is_skip (&picture->mbs[i - 1])))
      put_u (w, 1, (guint) mb->field);
    put_macroblock (picture, w, i);
  }
  if (mb_skip_run > 0)
    put_ue (w, mb_skip_run);
}
