/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "slicewriter.h"

guint
model_n_mb_parts (const ModelMb *mb)
{
  return mb->mb_type == MB_TYPE_P_8x8 ? 4 : mb->mb_type == MB_TYPE_P_L0_L0_16x8 || mb->mb_type == MB_TYPE_P_L0_L0_8x16 ? 2 : 1;
}

guint
model_mb_part_blk (const ModelMb *mb, guint part)
{
  return mb->mb_type == MB_TYPE_P_L0_L0_16x8 ? 8 * part : 4 * part;
}

guint
model_mb_part_width (const ModelMb *mb)
{
  return mb->mb_type == MB_TYPE_P_8x8 || mb->mb_type == MB_TYPE_P_L0_L0_8x16 ? 2 : 4;
}

guint
model_mb_part_height (const ModelMb *mb)
{
  return mb->mb_type == MB_TYPE_P_8x8 || mb->mb_type == MB_TYPE_P_L0_L0_16x8 ? 2 : 4;
}

guint
model_n_references (const PictureModel *picture, const ModelMb *mb)
{
  return picture->n_references * (mb->field ? 2 : 1);
}

/* 8.3.1.1, 8.3.2.1: the mode of the block to the left of, or above, @blk: 2 (DC) where it has none, -1 where dcPredModePredictedFlag
 * becomes 1 */
static gint
neighbour_mode (const PictureModel *picture, guint mbAddr, guint blk, gboolean above)
{
  const ModelMb *mb = &picture->mbs[mbAddr];
  guint blkN;
  const ModelMb *mbN = model_neighbour_block (picture, mbAddr, FALSE, blk, above, &blkN);

  if (!mbN || (!model_is_intra (mbN) && picture->pps.constrained_intra))
    return -1;
  if (mbN->mb_type != MB_TYPE_I_NxN)
    return 2;
  /* of the 4x4 blocks beside an 8x8 block one that is fixed (8.3.2.1) */
  if (mb->transform_size_8x8_flag && !mbN->transform_size_8x8_flag) {
    const gboolean other_line = picture->mbaff && !above && !mb->field && mbN->field && blk == 8;

    blkN = blkN / 4 * 4 + (above ? 2 : other_line ? 3 : 1);
  }
  return mbN->pred_modes[blkN];
}

gint
model_rem_pred_mode (const PictureModel *picture, guint mbAddr, guint blk)
{
  const gint a = neighbour_mode (picture, mbAddr, blk, FALSE), b = neighbour_mode (picture, mbAddr, blk, TRUE);
  const gint predicted = a < 0 || b < 0 ? 2 : MIN (a, b), mode = picture->mbs[mbAddr].pred_modes[blk];

  return mode == predicted ? -1 : mode < predicted ? mode : mode - 1;
}

void
put_pcm_samples (const PictureModel *picture, BitWriter *w, const ModelMb *mb)
{
  static const guint n_samples[4] = { 256, 384, 512, 768 };

  while (w->n_bits % 8 != 0)
    put_u (w, 1, 0);
  for (guint i = 0; i < n_samples[picture->ChromaArrayType]; i++)
    put_u (w, (guint) model_bit_depth (picture, i >= 256), mb->pcm[i]);
}

static void
put_reference_lists (const PictureModel *picture, BitWriter *w)
{
  if (!picture->p_slices)
    return;
  put_u (w, 1, 1); /* num_ref_idx_active_override_flag */
  put_ue (w, picture->n_references - 1);
  put_u (w, 1, 0); /* ref_pic_list_modification_flag_l0 */
}

static void
put_slice_header (const PictureModel *picture, BitWriter *w, guint first)
{
  const ModelSlice *slice = &picture->slices[picture->mbs[first].slice];
  const SpsValues *sps = &picture->sps;

  put_ue (w, picture->mbaff ? first / 2 : first);
  put_ue (w, picture->p_slices ? 5 : 7);
  put_ue (w, picture->pps.id);
  if (sps->separate_colour_plane_flag)
    put_u (w, 2, picture->colour_plane_id);
  put_u (w, 4 + sps->log2_max_frame_num_minus4, picture->frame_num);
  if (sps->interlaced)
    put_u (w, 1, (guint) picture->field);
  if (picture->field)
    put_u (w, 1, (guint) picture->bottom);
  if (picture->idr)
    put_ue (w, picture->idr_pic_id);
  if (sps->pic_order_cnt_type == 0)
    put_u (w, 4 + sps->log2_max_pic_order_cnt_lsb_minus4, picture->pic_order_cnt_lsb);
  put_reference_lists (picture, w);
  put_u (w, picture->idr ? 2 : 1, 0); /* dec_ref_pic_marking () */
  if (picture->pps.cabac && picture->p_slices)
    put_ue (w, picture->cabac_init_idc);
  put_se (w, picture->SliceQPY - 26 - picture->pps.pic_init_qp_minus26);
  if (picture->pps.deblocking_control)
    put_ue (w, slice->disable_deblocking_filter_idc);
  for (guint i = 0; picture->pps.deblocking_control && slice->disable_deblocking_filter_idc != 1 && i < 2; i++)
    put_se (w, slice->filter_offsets[i] / 2);
  if (picture->slice_group_change_bits > 0)
    put_u (w, picture->slice_group_change_bits, picture->slice_group_change_cycle);
}

GByteArray *
write_slice (PictureModel *picture, guint slice)
{
  BitWriter w;

  bit_writer_init (&w);
  put_slice_header (picture, &w, model_first_of_slice (picture, slice));
  if (picture->pps.cabac) {
    put_slice_data_cabac (picture, &w, slice);
    /* the engine has written the rbsp_stop_one_bit already */
    w.n_bits--;
    w.bytes->data[w.n_bits / 8] &= (guint8) ~(0x80 >> w.n_bits % 8);
    if (w.n_bits % 8 == 0)
      g_byte_array_set_size (w.bytes, w.n_bits / 8);
  } else {
    put_slice_data_cavlc (picture, &w, slice);
  }
  return bit_writer_to_nal (&w, 3, picture->idr ? H264_NAL_IDR_SLICE : H264_NAL_SLICE);
}
