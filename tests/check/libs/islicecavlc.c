/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slice_data () of I slices in CAVLC (ITU-T H.264, 7.3.4, 7.3.5, 9.2.1)
 */
#include "cavlcencoder.h"
#include "islicemodel.h"

/* me(v), Table 9-4: coded_block_pattern of Intra_4x4 and Intra_8x8 by codeNum */
static const guint8 cbp_with_chroma[48] = { 47, 31, 15, 0, 23, 27, 29, 30, 7, 11, 13, 14, 39, 43, 45, 46, 16, 3, 5, 10, 12, 19, 21, 26, 28,
  35, 37, 42, 44, 1, 2, 4, 8, 17, 18, 20, 24, 6, 9, 22, 25, 32, 33, 34, 36, 40, 38, 41 };
static const guint8 cbp_luma_only[16] = { 15, 0, 7, 11, 13, 14, 3, 5, 10, 12, 1, 2, 4, 8, 6, 9 };

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
derive_nC (const IPictureModel *picture, guint mb, guint plane, gboolean chroma, guint blk)
{
  guint n[2] = { 0, 0 };
  gboolean available[2];

  for (guint above = 0; above < 2; above++) {
    guint blkN;
    const ModelMb *mbN = i_picture_neighbour_block (picture, mb, chroma, blk, (gboolean) above, &blkN);

    available[above] = mbN != NULL;
    if (mbN)
      n[above] = mbN->mb_type == MB_TYPE_I_PCM ? 16 : mbN->total_coeff[plane][blkN];
  }
  return (gint) (available[0] && available[1] ? (n[0] + n[1] + 1) >> 1 : n[0] + n[1]);
}

static void
put_luma_4x4 (IPictureModel *picture, BitWriter *w, guint i, guint plane, guint blk)
{
  ModelMb *mb = &picture->mbs[i];
  const gint nC = derive_nC (picture, i, plane, FALSE, blk);
  gint32 part[16];

  if (mb->transform_size_8x8_flag) {
    /* 7.3.5.3.2: every fourth level of the 8x8 block */
    for (guint k = 0; k < 16; k++)
      part[k] = mb->blocks_8x8[plane][blk / 4][4 * k + blk % 4];
    mb->total_coeff[plane][blk] = put_residual_block_cavlc (w, nC, part, 16);
  } else if (mb->mb_type == MB_TYPE_I_NxN) {
    mb->total_coeff[plane][blk] = put_residual_block_cavlc (w, nC, mb->blocks[plane][blk], 16);
  } else {
    mb->total_coeff[plane][blk] = put_residual_block_cavlc (w, nC, mb->blocks[plane][blk] + 1, 15);
  }
}

static void
put_luma (IPictureModel *picture, BitWriter *w, guint i, guint plane)
{
  ModelMb *mb = &picture->mbs[i];

  if (mb->mb_type != MB_TYPE_I_NxN)
    (void) put_residual_block_cavlc (w, derive_nC (picture, i, plane, FALSE, 0), mb->dc[plane], 16);
  for (guint blk = 0; blk < 16; blk++)
    if (mb->cbp >> (blk / 4) & 1)
      put_luma_4x4 (picture, w, i, plane, blk);
}

static void
put_chroma (IPictureModel *picture, BitWriter *w, guint i)
{
  ModelMb *mb = &picture->mbs[i];
  const guint n_blocks = i_picture_chroma_blocks (picture);

  if (mb->cbp >> 4 != 0)
    for (guint plane = 1; plane < 3; plane++)
      (void) put_residual_block_cavlc (w, n_blocks == 4 ? NC_CHROMA_DC_2x2 : NC_CHROMA_DC_2x4, mb->dc[plane], n_blocks);
  if (mb->cbp >> 4 == 2)
    for (guint plane = 1; plane < 3; plane++)
      for (guint blk = 0; blk < n_blocks; blk++)
        mb->total_coeff[plane][blk] =
            put_residual_block_cavlc (w, derive_nC (picture, i, plane, TRUE, blk), mb->blocks[plane][blk] + 1, 15);
}

static void
put_macroblock (IPictureModel *picture, BitWriter *w, guint i)
{
  ModelMb *mb = &picture->mbs[i];
  const gboolean has_chroma = i_picture_chroma_blocks (picture) > 0;

  put_ue (w, mb->mb_type);
  if (mb->mb_type == MB_TYPE_I_PCM) {
    put_pcm_samples (picture, w, mb);
    return;
  }
  if (mb->mb_type == MB_TYPE_I_NxN) {
    put_u (w, 1, mb->transform_size_8x8_flag);
    /* prev_intra4x4_pred_mode_flag, prev_intra8x8_pred_mode_flag */
    put_u (w, mb->transform_size_8x8_flag ? 4 : 16, 0xffff);
  }
  if (has_chroma)
    put_ue (w, 0); /* intra_chroma_pred_mode */
  if (mb->mb_type == MB_TYPE_I_NxN)
    put_ue (w, find_code_num (has_chroma ? cbp_with_chroma : cbp_luma_only, mb->cbp));
  if (mb->mb_type == MB_TYPE_I_NxN && mb->cbp == 0)
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
put_slice_data_cavlc (IPictureModel *picture, BitWriter *w, guint first, guint end)
{
  for (guint i = first; i < end; i++)
    put_macroblock (picture, w, i);
}
