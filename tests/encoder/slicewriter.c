/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "slicewriter.h"

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

gboolean
model_may_choose_transform (const ModelMb *mb)
{
  gboolean may = !model_is_intra (mb) && mb->cbp % 16 != 0;

  for (guint i = 0; i < 4; i++)
    may &= model_sub_mb_is_whole (mb, i);
  return may;
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

/* picNum of a reference picture, none of which has a frame_num behind the current one's (8.2.4.1) */
static gint
pic_num (const PictureModel *picture, const ModelReference *reference)
{
  if (!picture->field)
    return (gint) reference->frame->frame_num;
  return 2 * (gint) reference->frame->frame_num + (reference->parity == (gint) picture->bottom);
}

/* ref_pic_list_modification () of one list: every entry, one after the other */
static void
put_modification (const PictureModel *picture, BitWriter *w, const ModelSlice *slice, guint list)
{
  const gint MaxPicNum = 16 << picture->sps.log2_max_frame_num_minus4 << picture->field;
  gint pred = picture->field ? 2 * (gint) picture->frame_num + 1 : (gint) picture->frame_num;

  put_u (w, 1, (guint) slice->modified[list]);
  if (!slice->modified[list])
    return;
  for (guint i = 0; i < slice->n_references[list]; i++) {
    const gint num = pic_num (picture, &slice->references[list][i]), difference = num - pred;

    put_ue (w, difference > 0 ? 1 : 0); /* modification_of_pic_nums_idc */
    /* the same once more: once around */
    put_ue (w, (guint) (difference == 0 ? MaxPicNum : ABS (difference)) - 1);
    pred = num;
  }
  put_ue (w, 3);
}

static void
put_reference_lists (const PictureModel *picture, BitWriter *w, const ModelSlice *slice)
{
  if (slice->n_lists == 0)
    return;
  if (slice->n_lists == 2)
    put_u (w, 1, (guint) slice->direct_spatial_mv_pred);
  put_u (w, 1, 1); /* num_ref_idx_active_override_flag */
  for (guint list = 0; list < slice->n_lists; list++)
    put_ue (w, slice->n_references[list] - 1);
  for (guint list = 0; list < slice->n_lists; list++)
    put_modification (picture, w, slice, list);
}

/* pred_weight_table (): a weight that is 2^denom with no offset is left out */
static void
put_weights (const PictureModel *picture, BitWriter *w, const ModelSlice *slice)
{
  const guint idc = slice->n_lists == 2 ? picture->pps.weighted_bipred_idc : picture->pps.weighted_pred_flag;
  const guint n_kinds = picture->ChromaArrayType != 0 ? 2 : 1;

  if (slice->n_lists == 0 || idc != 1)
    return;
  for (guint chroma = 0; chroma < n_kinds; chroma++)
    put_ue (w, slice->log2_denom[chroma]);
  for (guint list = 0; list < slice->n_lists; list++)
    for (guint i = 0; i < slice->n_references[list]; i++)
      for (guint chroma = 0; chroma < n_kinds; chroma++) {
        const ModelWeight *weights = &slice->weights[list][i][chroma];
        gboolean flag = FALSE;

        for (guint k = 0; k < 1 + chroma; k++)
          flag |= weights[k].weight != 1 << slice->log2_denom[chroma] || weights[k].offset != 0;
        put_u (w, 1, (guint) flag);
        for (guint k = 0; flag && k < 1 + chroma; k++) {
          put_se (w, weights[k].weight);
          put_se (w, weights[k].offset);
        }
      }
}

static void
put_slice_header (const PictureModel *picture, BitWriter *w, guint first)
{
  const ModelSlice *slice = &picture->slices[picture->mbs[first].slice];
  const SpsValues *sps = &picture->sps;

  put_ue (w, picture->mbaff ? first / 2 : first);
  put_ue (w, slice->n_lists == 0 ? 2 : slice->n_lists == 1 ? 0 : 1); /* slice_type */
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
  if (picture->pps.bottom_field_pic_order && !picture->field)
    put_se (w, picture->delta_pic_order_cnt_bottom);
  put_reference_lists (picture, w, slice);
  put_weights (picture, w, slice);
  if (picture->nal_ref_idc != 0)
    put_u (w, picture->idr ? 2 : 1, 0); /* dec_ref_pic_marking () */
  if (picture->pps.cabac && slice->n_lists > 0)
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
  return bit_writer_to_nal (&w, picture->nal_ref_idc, picture->idr ? H264_NAL_IDR_SLICE : H264_NAL_SLICE);
}
