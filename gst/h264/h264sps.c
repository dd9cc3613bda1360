/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264sps.h"

/* Table E-1: sample aspect ratios by aspect_ratio_idc */
static const guint8 sample_aspect_ratios[17][2] = {
  {0, 0}, {1, 1}, {12, 11}, {10, 11}, {16, 11}, {40, 33}, {24, 11}, {20, 11}, {32, 11}, {80, 33}, {18, 11}, {15, 11},
  {64, 33}, {160, 99}, {4, 3}, {3, 2}, {2, 1}
};

#define Extended_SAR 255

static void
parse_aspect_ratio (H264Vui *vui, H264Bits *bits)
{
  vui->aspect_ratio_info_present_flag = h264_bits_u (bits, 1);
  if (!vui->aspect_ratio_info_present_flag)
    return;
  vui->aspect_ratio_idc = h264_bits_u (bits, 8);
  if (vui->aspect_ratio_idc == Extended_SAR) {
    vui->sar_width = h264_bits_u (bits, 16);
    vui->sar_height = h264_bits_u (bits, 16);
  } else if (vui->aspect_ratio_idc < G_N_ELEMENTS (sample_aspect_ratios)) {
    vui->sar_width = sample_aspect_ratios[vui->aspect_ratio_idc][0];
    vui->sar_height = sample_aspect_ratios[vui->aspect_ratio_idc][1];
  }
}

static void
parse_video_signal_type (H264Vui *vui, H264Bits *bits)
{
  vui->video_signal_type_present_flag = h264_bits_u (bits, 1);
  if (!vui->video_signal_type_present_flag)
    return;
  vui->video_format = h264_bits_u (bits, 3);
  vui->video_full_range_flag = h264_bits_u (bits, 1);
  vui->colour_description_present_flag = h264_bits_u (bits, 1);
  if (vui->colour_description_present_flag) {
    vui->colour_primaries = h264_bits_u (bits, 8);
    vui->transfer_characteristics = h264_bits_u (bits, 8);
    vui->matrix_coefficients = h264_bits_u (bits, 8);
  }
}

/* hrd_parameters() (E.1.2): nothing in it concerns decoding but the lengths of elements in SEI messages, which are the same in both
 * (E.2.2). */
static void
parse_hrd (H264Vui *vui, H264Bits *bits)
{
  guint cpb_cnt_minus1 = h264_bits_ue_max (bits, 31, "cpb_cnt_minus1 is out of range");

  (void) h264_bits_u (bits, 8); /* bit_rate_scale, cpb_size_scale */
  for (guint SchedSelIdx = 0; SchedSelIdx <= cpb_cnt_minus1; SchedSelIdx++) {
    (void) h264_bits_ue (bits); /* bit_rate_value_minus1 */
    (void) h264_bits_ue (bits); /* cpb_size_value_minus1 */
    (void) h264_bits_u (bits, 1);       /* cbr_flag */
  }
  (void) h264_bits_u (bits, 5); /* initial_cpb_removal_delay_length_minus1 */
  vui->cpb_removal_delay_length = 1 + h264_bits_u (bits, 5);
  vui->dpb_output_delay_length = 1 + h264_bits_u (bits, 5);
  (void) h264_bits_u (bits, 5); /* time_offset_length */
}

static void
parse_bitstream_restriction (H264Vui *vui, H264Bits *bits)
{
  vui->bitstream_restriction_flag = h264_bits_u (bits, 1);
  if (!vui->bitstream_restriction_flag)
    return;
  vui->motion_vectors_over_pic_boundaries_flag = h264_bits_u (bits, 1);
  H264_UE (bits, vui, max_bytes_per_pic_denom, 16);
  H264_UE (bits, vui, max_bits_per_mb_denom, 16);
  H264_UE (bits, vui, log2_max_mv_length_horizontal, 16);
  H264_UE (bits, vui, log2_max_mv_length_vertical, 16);
  H264_UE (bits, vui, max_num_reorder_frames, 16);
  H264_UE (bits, vui, max_dec_frame_buffering, 16);
  if (vui->max_num_reorder_frames > vui->max_dec_frame_buffering)
    h264_bits_fail (bits, "max_num_reorder_frames is above max_dec_frame_buffering");
}

static void
init_vui (H264Vui *vui)
{
  *vui = (H264Vui) {
    .video_format = 5,.colour_primaries = 2,.transfer_characteristics = 2,.matrix_coefficients = 2,
    .motion_vectors_over_pic_boundaries_flag = TRUE,.max_bytes_per_pic_denom = 2,.max_bits_per_mb_denom = 1,
    .log2_max_mv_length_horizontal = 16,.log2_max_mv_length_vertical = 16,
  };
}

static void
parse_vui (H264Vui *vui, H264Bits *bits)
{
  parse_aspect_ratio (vui, bits);
  vui->overscan_info_present_flag = h264_bits_u (bits, 1);
  if (vui->overscan_info_present_flag)
    vui->overscan_appropriate_flag = h264_bits_u (bits, 1);
  parse_video_signal_type (vui, bits);
  vui->chroma_loc_info_present_flag = h264_bits_u (bits, 1);
  if (vui->chroma_loc_info_present_flag) {
    H264_UE (bits, vui, chroma_sample_loc_type_top_field, 5);
    H264_UE (bits, vui, chroma_sample_loc_type_bottom_field, 5);
  }
  vui->timing_info_present_flag = h264_bits_u (bits, 1);
  if (vui->timing_info_present_flag) {
    vui->num_units_in_tick = h264_bits_u (bits, 32);
    vui->time_scale = h264_bits_u (bits, 32);
    vui->fixed_frame_rate_flag = h264_bits_u (bits, 1);
  }
  if ((vui->nal_hrd_parameters_present_flag = h264_bits_u (bits, 1)))
    parse_hrd (vui, bits);
  if ((vui->vcl_hrd_parameters_present_flag = h264_bits_u (bits, 1)))
    parse_hrd (vui, bits);
  if (vui->nal_hrd_parameters_present_flag || vui->vcl_hrd_parameters_present_flag)
    vui->low_delay_hrd_flag = h264_bits_u (bits, 1);
  vui->pic_struct_present_flag = h264_bits_u (bits, 1);
  parse_bitstream_restriction (vui, bits);
}

/* Whether seq_parameter_set_data() has the elements from chroma_format_idc to the scaling lists (7.3.2.1.1) */
static gboolean
profile_has_chroma_format (guint profile_idc)
{
  static const guint8 profiles[] = { 100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135 };

  return memchr (profiles, profile_idc, sizeof (profiles)) != NULL;
}

static void
parse_formats (H264Sps *sps, H264Bits *bits)
{
  H264_UE (bits, sps, chroma_format_idc, 3);
  if (sps->chroma_format_idc == 3)
    sps->separate_colour_plane_flag = h264_bits_u (bits, 1);
  sps->bit_depth_luma = 8 + h264_bits_ue_max (bits, 6, "bit_depth_luma_minus8 is out of range");
  sps->bit_depth_chroma = 8 + h264_bits_ue_max (bits, 6, "bit_depth_chroma_minus8 is out of range");
  sps->ChromaArrayType = sps->separate_colour_plane_flag ? 0 : sps->chroma_format_idc;
  if (sps->ChromaArrayType == 0)        /* there is no chroma, or it is decoded as luma is (8.1, 8.5) */
    sps->bit_depth_chroma = sps->bit_depth_luma;
  sps->qpprime_y_zero_transform_bypass_flag = h264_bits_u (bits, 1);
  sps->seq_scaling_matrix_present_flag = h264_bits_u (bits, 1);
  if (sps->seq_scaling_matrix_present_flag)
    h264_scaling_lists_parse (&sps->scaling, bits, sps->chroma_format_idc != 3 ? 2 : 6, NULL);
}

static void
parse_pic_order_cnt (H264Sps *sps, H264Bits *bits)
{
  H264_UE (bits, sps, pic_order_cnt_type, 2);
  if (sps->pic_order_cnt_type == 0) {
    sps->log2_max_pic_order_cnt_lsb = 4 + h264_bits_ue_max (bits, 12, "log2_max_pic_order_cnt_lsb_minus4 is out of range");
  } else if (sps->pic_order_cnt_type == 1) {
    sps->delta_pic_order_always_zero_flag = h264_bits_u (bits, 1);
    sps->offset_for_non_ref_pic = h264_bits_se (bits);
    sps->offset_for_top_to_bottom_field = h264_bits_se (bits);
    H264_UE (bits, sps, num_ref_frames_in_pic_order_cnt_cycle, 255);
    for (guint i = 0; i < sps->num_ref_frames_in_pic_order_cnt_cycle; i++)
      sps->offset_for_ref_frame[i] = h264_bits_se (bits);
  }
}

static void
parse_size (H264Sps *sps, H264Bits *bits)
{
  sps->pic_width_in_mbs = 1 + h264_bits_ue_max (bits, H264_MAX_SIDE_IN_MBS - 1, "the picture is wider than any level allows");
  sps->pic_height_in_map_units = 1 + h264_bits_ue_max (bits, H264_MAX_SIDE_IN_MBS - 1, "the picture is higher than any level allows");
  sps->frame_mbs_only_flag = h264_bits_u (bits, 1);
  if (!sps->frame_mbs_only_flag)
    sps->mb_adaptive_frame_field_flag = h264_bits_u (bits, 1);
  sps->direct_8x8_inference_flag = h264_bits_u (bits, 1);
  if (!sps->frame_mbs_only_flag && !sps->direct_8x8_inference_flag)
    h264_bits_fail (bits, "fields without direct_8x8_inference_flag");
  sps->FrameHeightInMbs = (2 - sps->frame_mbs_only_flag) * sps->pic_height_in_map_units;
  sps->PicSizeInMapUnits = sps->pic_width_in_mbs * sps->pic_height_in_map_units;
  if (sps->FrameHeightInMbs > H264_MAX_SIDE_IN_MBS)
    h264_bits_fail (bits, "the picture is higher than any level allows");
  if (sps->pic_width_in_mbs * sps->FrameHeightInMbs > H264_MAX_FS)
    h264_bits_fail (bits, "the picture has more macroblocks than any level allows");
}

static void
parse_cropping (H264Sps *sps, H264Bits *bits)
{
  guint CropUnitX = sps->ChromaArrayType == 1 || sps->ChromaArrayType == 2 ? 2 : 1;
  guint CropUnitY = (sps->ChromaArrayType == 1 ? 2 : 1) * (2 - sps->frame_mbs_only_flag);
  guint coded_width = sps->pic_width_in_mbs * 16, coded_height = sps->FrameHeightInMbs * 16;
  guint left = 0, right = 0, top = 0, bottom = 0;

  sps->frame_cropping_flag = h264_bits_u (bits, 1);
  if (sps->frame_cropping_flag) {
    left = CropUnitX * h264_bits_ue_max (bits, coded_width / CropUnitX, "frame_crop_left_offset is out of range");
    right = CropUnitX * h264_bits_ue_max (bits, coded_width / CropUnitX, "frame_crop_right_offset is out of range");
    top = CropUnitY * h264_bits_ue_max (bits, coded_height / CropUnitY, "frame_crop_top_offset is out of range");
    bottom = CropUnitY * h264_bits_ue_max (bits, coded_height / CropUnitY, "frame_crop_bottom_offset is out of range");
  }
  if (left + right >= coded_width || top + bottom >= coded_height) {
    h264_bits_fail (bits, "the cropping rectangle leaves no picture");
    return;
  }
  sps->crop_x = left;
  sps->crop_y = top;
  sps->width = coded_width - left - right;
  sps->height = coded_height - top - bottom;
}

/* The size of the DPB, and how far output may lag behind decoding: signalled or inferred (E.2.1).  Where a stream signals less room than
 * its reference frames need, the need counts. */
static void
derive_dpb_size (H264Sps *sps)
{
  if (sps->vui.bitstream_restriction_flag) {
    sps->max_dec_frame_buffering = sps->vui.max_dec_frame_buffering;
    sps->max_num_reorder_frames = sps->vui.max_num_reorder_frames;
  } else {
    sps->max_dec_frame_buffering = h264_sps_is_intra_only (sps) ? 0 : h264_sps_get_max_dpb_frames (sps);
    sps->max_num_reorder_frames = sps->max_dec_frame_buffering;
  }
  sps->max_dec_frame_buffering = MAX (sps->max_dec_frame_buffering, sps->max_num_ref_frames);
  if (sps->pic_order_cnt_type == 2)     /* output order is decoding order (8.2.1.3) */
    sps->max_num_reorder_frames = 0;
}

static void
parse_trailing_vui (H264Sps *sps, H264Bits *bits)
{
  init_vui (&sps->vui);
  sps->vui_parameters_present_flag = h264_bits_u (bits, 1);
  if (!sps->vui_parameters_present_flag || bits->error != NULL)
    return;
  parse_vui (&sps->vui, bits);
  if (bits->error != NULL) {
    /* Encoders are known to get this part wrong; decoding does not need it. */
    sps->vui_damaged = TRUE;
    sps->vui.bitstream_restriction_flag = FALSE;
    bits->error = NULL;
  }
}

H264Sps *
h264_sps_new (const H264Rbsp *rbsp, const gchar **error)
{
  H264Sps *sps = g_atomic_rc_box_new0 (H264Sps);
  H264Bits bits;

  h264_rbsp_read (rbsp, &bits);
  sps->profile_idc = h264_bits_u (&bits, 8);
  sps->constraint_set_flags = h264_bits_u (&bits, 8);
  sps->level_idc = h264_bits_u (&bits, 8);
  H264_UE (&bits, sps, seq_parameter_set_id, 31);
  sps->chroma_format_idc = sps->ChromaArrayType = 1;
  sps->bit_depth_luma = sps->bit_depth_chroma = 8;
  h264_scaling_lists_set_flat (&sps->scaling);
  if (profile_has_chroma_format (sps->profile_idc))
    parse_formats (sps, &bits);
  sps->log2_max_frame_num = 4 + h264_bits_ue_max (&bits, 12, "log2_max_frame_num_minus4 is out of range");
  sps->MaxFrameNum = 1u << sps->log2_max_frame_num;
  parse_pic_order_cnt (sps, &bits);
  H264_UE (&bits, sps, max_num_ref_frames, 16);
  sps->gaps_in_frame_num_value_allowed_flag = h264_bits_u (&bits, 1);
  parse_size (sps, &bits);
  parse_cropping (sps, &bits);
  parse_trailing_vui (sps, &bits);
  if (bits.error != NULL) {
    *error = bits.error;
    h264_sps_unref (sps);
    return NULL;
  }
  derive_dpb_size (sps);
  return sps;
}

H264Sps *
h264_sps_ref (H264Sps *sps)
{
  return g_atomic_rc_box_acquire (sps);
}

void
h264_sps_unref (H264Sps *sps)
{
  g_atomic_rc_box_release (sps);
}

guint
h264_sps_get_max_dpb_frames (const H264Sps *sps)
{
  /* MaxDpbMbs (Table A-1) by level_idc; level 1b is 9, or 11 with constraint_set3_flag in the older profiles */
  static const struct
  {
    guint level_idc, MaxDpbMbs;
  } levels[] = {
    {10, 396}, {11, 900}, {20, 2376}, {21, 4752}, {30, 8100}, {31, 18000}, {32, 20480}, {41, 32768}, {42, 34816}, {50, 110400},
    {52, 184320}, {255, 696320}
  };
  gboolean old_profile = sps->profile_idc == 66 || sps->profile_idc == 77 || sps->profile_idc == 88;
  guint level_idc = sps->level_idc, i = 0;

  if (level_idc == 11 && old_profile && (sps->constraint_set_flags & 0x10))
    level_idc = 9;
  while (levels[i].level_idc < level_idc)
    i++;
  return CLAMP (levels[i].MaxDpbMbs / (sps->pic_width_in_mbs * sps->FrameHeightInMbs), 1, 16);
}

gboolean
h264_sps_is_intra_only (const H264Sps *sps)
{
  static const guint8 profiles[] = { 44, 86, 100, 110, 122, 244 };

  return (sps->constraint_set_flags & 0x10) && memchr (profiles, sps->profile_idc, sizeof (profiles)) != NULL;
}
