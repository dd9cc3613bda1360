/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264memory.h"
#include "h264pps.h"

static void
parse_rectangles (H264Pps *pps, H264Bits *bits)
{
  guint size = pps->sps->PicSizeInMapUnits;

  /* A rectangle whose corners are crossed holds no map unit: encoders write such ones, and (8.2.2.3) gives them a meaning. */
  for (guint iGroup = 0; iGroup + 1 < pps->num_slice_groups; iGroup++) {
    pps->top_left[iGroup] = h264_bits_ue_max (bits, size - 1, "top_left is out of range");
    pps->bottom_right[iGroup] = h264_bits_ue_max (bits, size - 1, "bottom_right is out of range");
  }
}

static void
parse_slice_group_ids (H264Pps *pps, H264Bits *bits)
{
  guint size = pps->sps->PicSizeInMapUnits;
  guint length = g_bit_storage (pps->num_slice_groups - 1); /* Ceil (Log2 (num_slice_groups_minus1 + 1)) */

  if (h264_bits_ue (bits) + 1 != size)
    h264_bits_fail (bits, "pic_size_in_map_units_minus1 is not the size of the picture");
  if (bits->error)
    return;
  pps->slice_group_id = g_try_malloc (size);
  if (!pps->slice_group_id) {
    h264_bits_fail (bits, h264_no_memory);
    return;
  }
  for (guint i = 0; i < size; i++) {
    pps->slice_group_id[i] = h264_bits_u (bits, length);
    if (pps->slice_group_id[i] >= pps->num_slice_groups) {
      h264_bits_fail (bits, "slice_group_id is out of range");
      pps->slice_group_id[i] = 0;
    }
  }
}

static void
parse_slice_groups (H264Pps *pps, H264Bits *bits)
{
  guint size = pps->sps->PicSizeInMapUnits;

  H264_UE (bits, pps, slice_group_map_type, 6);
  switch (pps->slice_group_map_type) {
    case 0:
      for (guint iGroup = 0; iGroup < pps->num_slice_groups; iGroup++)
        pps->run_length[iGroup] = 1 + h264_bits_ue_max (bits, size - 1, "run_length_minus1 is out of range");
      break;
    case 2:
      parse_rectangles (pps, bits);
      break;
    case 3:
    case 4:
    case 5:
      if (pps->num_slice_groups != 2)
        h264_bits_fail (bits, "evolving slice groups are not two");
      pps->slice_group_change_direction_flag = h264_bits_u (bits, 1);
      pps->SliceGroupChangeRate = 1 + h264_bits_ue_max (bits, size - 1, "slice_group_change_rate_minus1 is out of range");
      break;
    case 6:
      parse_slice_group_ids (pps, bits);
      break;
    default:
      break;
  }
}

static void
parse_prediction_and_qp (H264Pps *pps, H264Bits *bits)
{
  gint QpBdOffsetY = 6 * (pps->sps->bit_depth_luma - 8);

  for (guint i = 0; i < 2; i++)
    pps->num_ref_idx_default_active[i] = 1 + h264_bits_ue_max (bits, 31, "num_ref_idx_default_active_minus1 is out of range");
  pps->weighted_pred_flag = h264_bits_u (bits, 1);
  pps->weighted_bipred_idc = h264_bits_u (bits, 2);
  if (pps->weighted_bipred_idc > 2)
    h264_bits_fail (bits, "weighted_bipred_idc is out of range");
  pps->pic_init_qp = 26 + h264_bits_se_range (bits, -(26 + QpBdOffsetY), 25, "pic_init_qp_minus26 is out of range");
  pps->pic_init_qs = 26 + h264_bits_se_range (bits, -26, 25, "pic_init_qs_minus26 is out of range");
  pps->chroma_qp_index_offset[0] = h264_bits_se_range (bits, -12, 12, "chroma_qp_index_offset is out of range");
  pps->chroma_qp_index_offset[1] = pps->chroma_qp_index_offset[0];
}

/* Whether the elements of the High profiles may follow.  Encoders of the older ones are known to leave junk there; others write those
 * elements under an older profile, but do not claim to conform to it by a constraint_set flag. */
static gboolean
may_have_extension (const H264Sps *sps)
{
  const gboolean is_older = sps->profile_idc == 66 || sps->profile_idc == 77 || sps->profile_idc == 88;

  return !is_older || (sps->constraint_set_flags & 0xe0) == 0;
}

/* The elements that streams older than the High profile do not have.  The number of lists depends on the SPS. */
static void
parse_extension (H264Pps *pps, H264Bits *bits)
{
  H264ScalingLists lists = pps->sps->scaling;

  if (may_have_extension (pps->sps) && h264_bits_more_rbsp_data (bits)) {
    guint n_8x8 = pps->sps->chroma_format_idc != 3 ? 2 : 6;

    pps->transform_8x8_mode_flag = h264_bits_u (bits, 1);
    pps->pic_scaling_matrix_present_flag = h264_bits_u (bits, 1);
    if (pps->pic_scaling_matrix_present_flag)
      h264_scaling_lists_parse (&lists, bits, pps->transform_8x8_mode_flag ? n_8x8 : 0,
          pps->sps->seq_scaling_matrix_present_flag ? &pps->sps->scaling : NULL);
    pps->chroma_qp_index_offset[1] = h264_bits_se_range (bits, -12, 12, "second_chroma_qp_index_offset is out of range");
  }
  h264_weight_scales_set (&pps->scales, &lists);
}

H264Pps *
h264_pps_new (const H264Rbsp *rbsp, H264Sps *sps, const gchar **error)
{
  H264Pps *pps = g_atomic_rc_box_new0 (H264Pps);
  H264Bits bits;

  pps->sps = h264_sps_ref (sps);
  h264_rbsp_read (rbsp, &bits);
  H264_UE (&bits, pps, pic_parameter_set_id, 255);
  H264_UE (&bits, pps, seq_parameter_set_id, 31);
  pps->entropy_coding_mode_flag = h264_bits_u (&bits, 1);
  pps->bottom_field_pic_order_in_frame_present_flag = h264_bits_u (&bits, 1);
  pps->num_slice_groups = 1 + h264_bits_ue_max (&bits, 7, "num_slice_groups_minus1 is out of range");
  if (pps->num_slice_groups > 1)
    parse_slice_groups (pps, &bits);
  parse_prediction_and_qp (pps, &bits);
  pps->deblocking_filter_control_present_flag = h264_bits_u (&bits, 1);
  pps->constrained_intra_pred_flag = h264_bits_u (&bits, 1);
  pps->redundant_pic_cnt_present_flag = h264_bits_u (&bits, 1);
  parse_extension (pps, &bits);
  if (!bits.error && pps->seq_parameter_set_id != sps->seq_parameter_set_id)
    h264_bits_fail (&bits, "seq_parameter_set_id names another SPS");
  if (bits.error) {
    *error = bits.error;
    h264_pps_unref (pps);
    return NULL;
  }
  return pps;
}

H264Pps *
h264_pps_ref (H264Pps *pps)
{
  return g_atomic_rc_box_acquire (pps);
}

static void
pps_clear (gpointer data)
{
  H264Pps *pps = data;

  g_free (pps->slice_group_id);
  h264_sps_unref (pps->sps);
}

void
h264_pps_unref (H264Pps *pps)
{
  g_atomic_rc_box_release_full (pps, pps_clear);
}

void
h264_pps_get_weight_scales (const H264Pps *pps, guint colour_plane_id, H264WeightScales *scales)
{
  *scales = pps->scales;
  if (!pps->sps->separate_colour_plane_flag || colour_plane_id == 0)
    return;
  memcpy (scales->weight_scale_4x4[0], pps->scales.weight_scale_4x4[colour_plane_id], 16);
  memcpy (scales->weight_scale_4x4[3], pps->scales.weight_scale_4x4[3 + colour_plane_id], 16);
  memcpy (scales->weight_scale_8x8[0], pps->scales.weight_scale_8x8[2 * colour_plane_id], 64);
  memcpy (scales->weight_scale_8x8[1], pps->scales.weight_scale_8x8[2 * colour_plane_id + 1], 64);
}
