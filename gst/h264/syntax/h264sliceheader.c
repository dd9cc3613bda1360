/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264sliceheader.h"

static gboolean
is_p_or_sp (const H264SliceHeader *sh)
{
  return sh->slice_type == H264_SLICE_P || sh->slice_type == H264_SLICE_SP;
}

static void
parse_slice_type (H264SliceHeader *sh, H264Bits *bits)
{
  guint slice_type = h264_bits_ue_max (bits, 9, "slice_type is out of range");

  sh->slice_type = slice_type % 5;
  sh->slice_types_agree = slice_type >= 5;
  if (sh->IdrPicFlag && !h264_slice_type_is_intra (sh->slice_type))
    h264_bits_fail (bits, "an IDR picture has a slice that is not intra");
}

/* field_pic_flag, and what follows from it (7.4.3) */
static void
parse_structure (H264SliceHeader *sh, const H264Sps *sps, H264Bits *bits)
{
  if (!sps->frame_mbs_only_flag) {
    sh->field_pic_flag = h264_bits_u (bits, 1);
    if (sh->field_pic_flag)
      sh->bottom_field_flag = h264_bits_u (bits, 1);
  }
  sh->MbaffFrameFlag = sps->mb_adaptive_frame_field_flag && !sh->field_pic_flag;
  sh->PicHeightInMbs = sps->FrameHeightInMbs / (1 + sh->field_pic_flag);
  sh->PicSizeInMbs = sps->pic_width_in_mbs * sh->PicHeightInMbs;
  sh->MaxPicNum = sps->MaxFrameNum << sh->field_pic_flag;
  sh->CurrPicNum = sh->field_pic_flag ? 2 * sh->frame_num + 1 : sh->frame_num;
  if (sh->first_mb_in_slice >= sh->PicSizeInMbs >> sh->MbaffFrameFlag)
    h264_bits_fail (bits, "first_mb_in_slice is out of range");
}

static void
parse_pic_order_cnt (H264SliceHeader *sh, const H264Sps *sps, H264Bits *bits)
{
  gboolean bottom_present = sh->pps->bottom_field_pic_order_in_frame_present_flag && !sh->field_pic_flag;

  if (sps->pic_order_cnt_type == 0) {
    sh->pic_order_cnt_lsb = h264_bits_u (bits, sps->log2_max_pic_order_cnt_lsb);
    if (bottom_present)
      sh->delta_pic_order_cnt_bottom = h264_bits_se (bits);
  } else if (sps->pic_order_cnt_type == 1 && !sps->delta_pic_order_always_zero_flag) {
    sh->delta_pic_order_cnt[0] = h264_bits_se (bits);
    if (bottom_present)
      sh->delta_pic_order_cnt[1] = h264_bits_se (bits);
  }
}

static void
parse_num_ref_idx (H264SliceHeader *sh, H264Bits *bits)
{
  guint n_lists = sh->slice_type == H264_SLICE_B ? 2 : is_p_or_sp (sh) ? 1 : 0;
  gboolean override = n_lists > 0 && h264_bits_u (bits, 1); /* num_ref_idx_active_override_flag */
  guint max = sh->field_pic_flag ? 32 : 16;

  for (guint i = 0; i < n_lists; i++) {
    sh->num_ref_idx_active[i] = sh->pps->num_ref_idx_default_active[i];
    if (override)
      sh->num_ref_idx_active[i] = 1 + h264_bits_ue_max (bits, max - 1, "num_ref_idx_active_minus1 is out of range");
    if (sh->num_ref_idx_active[i] > max)
      h264_bits_fail (bits, "num_ref_idx_default_active_minus1 is out of range for a frame");
  }
}

/* ref_pic_list_modification() (7.3.3.1), of one list */
static void
parse_list_modification (H264SliceHeader *sh, guint list, H264Bits *bits)
{
  if (!h264_bits_u (bits, 1)) /* ref_pic_list_modification_flag_lX */
    return;
  while (!bits->error) {
    guint idc = h264_bits_ue_max (bits, 3, "modification_of_pic_nums_idc is out of range");
    H264ListModification *modification = &sh->modifications[list][sh->n_modifications[list]];

    if (idc == 3)
      return;
    if (sh->n_modifications[list] == H264_MAX_LIST_MODIFICATIONS) {
      h264_bits_fail (bits, "too many list modifications");
      return;
    }
    modification->modification_of_pic_nums_idc = idc;
    if (idc == 2)
      modification->value = h264_bits_ue_max (bits, 31, "long_term_pic_num is out of range");
    else
      modification->value = 1 + h264_bits_ue_max (bits, sh->MaxPicNum - 1, "abs_diff_pic_num_minus1 is out of range");
    sh->n_modifications[list]++;
  }
}

static void
parse_weights (H264PredWeightTable *table, guint list, guint refIdx, guint ChromaArrayType, H264Bits *bits)
{
  gint16 *weight = table->weight[list][refIdx], *offset = table->offset[list][refIdx];

  weight[0] = 1 << table->luma_log2_weight_denom;
  weight[1] = weight[2] = 1 << table->chroma_log2_weight_denom;
  if (h264_bits_u (bits, 1)) { /* luma_weight_lX_flag */
    weight[0] = h264_bits_se_range (bits, -128, 127, "luma_weight is out of range");
    offset[0] = h264_bits_se_range (bits, -128, 127, "luma_offset is out of range");
  }
  if (ChromaArrayType != 0 && h264_bits_u (bits, 1)) { /* chroma_weight_lX_flag */
    for (guint j = 1; j < 3; j++) {
      weight[j] = h264_bits_se_range (bits, -128, 127, "chroma_weight is out of range");
      offset[j] = h264_bits_se_range (bits, -128, 127, "chroma_offset is out of range");
    }
  }
}

static void
parse_pred_weight_table (H264SliceHeader *sh, H264Bits *bits)
{
  H264PredWeightTable *table = &sh->pred_weight_table;
  guint ChromaArrayType = sh->pps->sps->ChromaArrayType;

  sh->has_pred_weight_table =
      (sh->pps->weighted_pred_flag && is_p_or_sp (sh)) || (sh->pps->weighted_bipred_idc == 1 && sh->slice_type == H264_SLICE_B);
  if (!sh->has_pred_weight_table)
    return;
  H264_UE (bits, table, luma_log2_weight_denom, 7);
  if (ChromaArrayType != 0)
    H264_UE (bits, table, chroma_log2_weight_denom, 7);
  for (guint list = 0; list < 2; list++) {
    for (guint refIdx = 0; refIdx < sh->num_ref_idx_active[list]; refIdx++)
      parse_weights (table, list, refIdx, ChromaArrayType, bits);
  }
}

static void
parse_mmco (H264Mmco *mmco, const H264SliceHeader *sh, H264Bits *bits)
{
  guint operation = mmco->memory_management_control_operation;

  if (operation == 1 || operation == 3)
    mmco->difference_of_pic_nums = 1 + h264_bits_ue_max (bits, sh->MaxPicNum - 1, "difference_of_pic_nums_minus1 is out of range");
  if (operation == 2)
    H264_UE (bits, mmco, long_term_pic_num, 31);
  if (operation == 3 || operation == 6)
    H264_UE (bits, mmco, long_term_frame_idx, 15);
  if (operation == 4)
    H264_UE (bits, mmco, max_long_term_frame_idx_plus1, 16);
}

/* dec_ref_pic_marking() (7.3.3.3) */
static void
parse_dec_ref_pic_marking (H264SliceHeader *sh, H264Bits *bits)
{
  if (sh->IdrPicFlag) {
    sh->no_output_of_prior_pics_flag = h264_bits_u (bits, 1);
    sh->long_term_reference_flag = h264_bits_u (bits, 1);
    return;
  }
  sh->adaptive_ref_pic_marking_mode_flag = h264_bits_u (bits, 1);
  while (sh->adaptive_ref_pic_marking_mode_flag && !bits->error) {
    guint operation = h264_bits_ue_max (bits, 6, "memory_management_control_operation is out of range");

    if (operation == 0)
      return;
    if (sh->n_mmco == H264_MAX_MMCO) {
      h264_bits_fail (bits, "too many memory management control operations");
      return;
    }
    sh->mmco[sh->n_mmco].memory_management_control_operation = operation;
    parse_mmco (&sh->mmco[sh->n_mmco++], sh, bits);
  }
}

static void
parse_qp (H264SliceHeader *sh, H264Bits *bits)
{
  gint QpBdOffsetY = 6 * (sh->pps->sps->bit_depth_luma - 8);
  gint qp = sh->pps->pic_init_qp, qs = sh->pps->pic_init_qs;

  sh->SliceQPY = qp + h264_bits_se_range (bits, -QpBdOffsetY - qp, 51 - qp, "slice_qp_delta is out of range");
  if (sh->slice_type == H264_SLICE_SP)
    sh->sp_for_switch_flag = h264_bits_u (bits, 1);
  if (sh->slice_type == H264_SLICE_SP || sh->slice_type == H264_SLICE_SI)
    sh->QSY = qs + h264_bits_se_range (bits, -qs, 51 - qs, "slice_qs_delta is out of range");
}

static void
parse_deblocking (H264SliceHeader *sh, H264Bits *bits)
{
  if (!sh->pps->deblocking_filter_control_present_flag)
    return;
  H264_UE (bits, sh, disable_deblocking_filter_idc, 2);
  if (sh->disable_deblocking_filter_idc == 1)
    return;
  sh->FilterOffsetA = 2 * h264_bits_se_range (bits, -6, 6, "slice_alpha_c0_offset_div2 is out of range");
  sh->FilterOffsetB = 2 * h264_bits_se_range (bits, -6, 6, "slice_beta_offset_div2 is out of range");
}

static void
parse_slice_group_change_cycle (H264SliceHeader *sh, H264Bits *bits)
{
  const H264Pps *pps = sh->pps;
  guint size = pps->sps->PicSizeInMapUnits, rate = pps->SliceGroupChangeRate, length = 0;

  if (pps->num_slice_groups == 1 || pps->slice_group_map_type < 3 || pps->slice_group_map_type > 5)
    return;
  /* Ceil (Log2 (PicSizeInMapUnits / SliceGroupChangeRate + 1)), of an exact quotient */
  while ((guint64) ((1u << length) - 1) * rate < size)
    length++;
  sh->slice_group_change_cycle = h264_bits_u (bits, length);
  if (sh->slice_group_change_cycle > (size + rate - 1) / rate)
    h264_bits_fail (bits, "slice_group_change_cycle is out of range");
  sh->MapUnitsInSliceGroup0 = MIN ((guint64) sh->slice_group_change_cycle * rate, size);
}

/* From the elements at the front on, which tell the PPS */
static void
parse_with_pps (H264SliceHeader *sh, H264Bits *bits)
{
  const H264Sps *sps = sh->pps->sps;

  if (sps->separate_colour_plane_flag) {
    sh->colour_plane_id = h264_bits_u (bits, 2);
    if (sh->colour_plane_id > 2)
      h264_bits_fail (bits, "colour_plane_id is out of range");
  }
  sh->frame_num = h264_bits_u (bits, sps->log2_max_frame_num);
  parse_structure (sh, sps, bits);
  if (sh->IdrPicFlag)
    H264_UE (bits, sh, idr_pic_id, 65535);
  parse_pic_order_cnt (sh, sps, bits);
  if (sh->pps->redundant_pic_cnt_present_flag)
    H264_UE (bits, sh, redundant_pic_cnt, 127);
  if (sh->slice_type == H264_SLICE_B)
    sh->direct_spatial_mv_pred_flag = h264_bits_u (bits, 1);
  parse_num_ref_idx (sh, bits);
  for (guint list = 0; list < 2; list++) {
    if (sh->num_ref_idx_active[list] > 0)
      parse_list_modification (sh, list, bits);
  }
  parse_pred_weight_table (sh, bits);
  if (sh->nal_ref_idc != 0)
    parse_dec_ref_pic_marking (sh, bits);
  if (sh->pps->entropy_coding_mode_flag && !h264_slice_type_is_intra (sh->slice_type))
    H264_UE (bits, sh, cabac_init_idc, 2);
  parse_qp (sh, bits);
  parse_deblocking (sh, bits);
  parse_slice_group_change_cycle (sh, bits);
  if (sh->nal_unit_type == H264_NAL_PARTITION_A)
    H264_UE (bits, sh, slice_id, sh->PicSizeInMbs - 1);
}

gboolean
h264_slice_header_parse (H264SliceHeader *sh, const H264Nal *nal, H264Bits *bits, H264ParamSets *sets, const gchar **error)
{
  memset (sh, 0, sizeof (*sh));
  sh->nal_unit_type = nal->nal_unit_type;
  sh->nal_ref_idc = nal->nal_ref_idc;
  sh->IdrPicFlag = nal->nal_unit_type == H264_NAL_IDR_SLICE;
  if (sh->IdrPicFlag && sh->nal_ref_idc == 0)
    h264_bits_fail (bits, "nal_ref_idc of an IDR picture is 0");
  sh->first_mb_in_slice = h264_bits_ue_max (bits, H264_MAX_FS - 1, "first_mb_in_slice is out of range");
  parse_slice_type (sh, bits);
  H264_UE (bits, sh, pic_parameter_set_id, 255);
  if (!bits->error) {
    sh->pps = h264_param_sets_get_pps (sets, sh->pic_parameter_set_id, error);
    if (!sh->pps)
      return FALSE;
    parse_with_pps (sh, bits);
  }
  sh->header_bits = bits->pos;
  *error = bits->error;
  return !bits->error;
}

gboolean
h264_slice_begins_picture (const H264SliceHeader *last, const H264SliceHeader *sh)
{
  return sh->frame_num != last->frame_num || sh->pic_parameter_set_id != last->pic_parameter_set_id
      || sh->field_pic_flag != last->field_pic_flag || sh->bottom_field_flag != last->bottom_field_flag
      || (sh->nal_ref_idc != last->nal_ref_idc && (sh->nal_ref_idc == 0 || last->nal_ref_idc == 0))
      || sh->pic_order_cnt_lsb != last->pic_order_cnt_lsb || sh->delta_pic_order_cnt_bottom != last->delta_pic_order_cnt_bottom
      || sh->delta_pic_order_cnt[0] != last->delta_pic_order_cnt[0] || sh->delta_pic_order_cnt[1] != last->delta_pic_order_cnt[1]
      || sh->IdrPicFlag != last->IdrPicFlag || (sh->IdrPicFlag && sh->idr_pic_id != last->idr_pic_id);
}
