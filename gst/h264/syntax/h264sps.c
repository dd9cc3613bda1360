/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The syntax is read by GStreamer's library codecparsers; here its values are checked, and put as the rest of the decoder wants them.
 */
#include "h264memory.h"
#include "h264sps.h"

/* @data: the unit; @last_byte: in place of its own */
static gboolean
read_with_last_byte (guint8 *data, gsize size, guint8 last_byte, GstH264SPS *from)
{
  GstH264NalUnit unit = { .type = GST_H264_NAL_SPS, .data = data, .size = (guint) size, .header_bytes = 1, .valid = TRUE };

  data[size - 1] = last_byte;
  return gst_h264_parse_sps (&unit, from) == GST_H264_PARSER_OK;
}

/* FALSE where the SPS is broken before its VUI.  Encoders are known to get the VUI wrong, and decoding does not need it.  Where the library
 * refuses it, or the data end in it, @from holds all that was read before.
 *
 * The library reads rbsp_trailing_bits () as data where these end too early.  So the stop bit is taken out, and what is read of this byte
 * behind the end is 0, as if the element were absent.  Where more than the VUI is missing, vui_parameters_present_flag, the last element
 * before it, is read from there too: it changes with these bits, or is not reached. */
static gboolean
read_sps_twice (guint8 *data, gsize size, GstH264SPS *from, gboolean *vui_damaged)
{
  const guint8 last_byte = data[size - 1], rbsp_stop_one_bit = last_byte & -last_byte;
  GstH264SPS other;

  *vui_damaged = !read_with_last_byte (data, size, last_byte ^ rbsp_stop_one_bit, from);
  if (*vui_damaged && !from->vui_parameters_present_flag)
    return FALSE;
  if (!read_with_last_byte (data, size, last_byte | (rbsp_stop_one_bit - 1), &other) && !other.vui_parameters_present_flag)
    return FALSE;
  return other.vui_parameters_present_flag == from->vui_parameters_present_flag;
}

/* (nullable): what is wrong */
static const gchar *
read_sps (const H264Nal *nal, GstH264SPS *from, gboolean *vui_damaged)
{
  guint8 *data = nal->size < 2 ? NULL : g_try_malloc (nal->size);
  gboolean whole;

  if (nal->size >= 2 && !data)
    return h264_no_memory;
  if (data)
    memcpy (data, nal->data, nal->size);
  whole = data && read_sps_twice (data, nal->size, from, vui_damaged);
  g_free (data);
  return whole ? NULL : "the SPS ends too early, or a value of it is out of range";
}

static void
set_formats (H264Sps *sps, const GstH264SPS *from)
{
  sps->profile_idc = from->profile_idc;
  sps->constraint_set_flags = from->constraint_set0_flag << 7 | from->constraint_set1_flag << 6 | from->constraint_set2_flag << 5
      | from->constraint_set3_flag << 4 | from->constraint_set4_flag << 3 | from->constraint_set5_flag << 2;
  sps->level_idc = from->level_idc;
  sps->seq_parameter_set_id = from->id;
  sps->chroma_format_idc = from->chroma_format_idc;
  sps->separate_colour_plane_flag = from->separate_colour_plane_flag;
  sps->ChromaArrayType = sps->separate_colour_plane_flag ? 0 : sps->chroma_format_idc;
  sps->bit_depth_luma = 8 + from->bit_depth_luma_minus8;
  /* there is no chroma, or it is decoded as luma is (8.1, 8.5) */
  sps->bit_depth_chroma = sps->ChromaArrayType == 0 ? sps->bit_depth_luma : 8 + from->bit_depth_chroma_minus8;
  sps->qpprime_y_zero_transform_bypass_flag = from->qpprime_y_zero_transform_bypass_flag;
  sps->seq_scaling_matrix_present_flag = from->scaling_matrix_present_flag;
  memcpy (sps->scaling.list_4x4, from->scaling_lists_4x4, sizeof (sps->scaling.list_4x4));
  memcpy (sps->scaling.list_8x8, from->scaling_lists_8x8, sizeof (sps->scaling.list_8x8));
}

static const gchar *
set_frame_num_and_poc (H264Sps *sps, const GstH264SPS *from)
{
  sps->log2_max_frame_num = 4 + from->log2_max_frame_num_minus4;
  sps->MaxFrameNum = 1u << sps->log2_max_frame_num;
  sps->pic_order_cnt_type = from->pic_order_cnt_type;
  if (sps->pic_order_cnt_type == 0)
    sps->log2_max_pic_order_cnt_lsb = 4 + from->log2_max_pic_order_cnt_lsb_minus4;
  sps->delta_pic_order_always_zero_flag = from->delta_pic_order_always_zero_flag;
  sps->offset_for_non_ref_pic = from->offset_for_non_ref_pic;
  sps->offset_for_top_to_bottom_field = from->offset_for_top_to_bottom_field;
  sps->num_ref_frames_in_pic_order_cnt_cycle = from->num_ref_frames_in_pic_order_cnt_cycle;
  memcpy (sps->offset_for_ref_frame, from->offset_for_ref_frame, sizeof (sps->offset_for_ref_frame));
  if (from->num_ref_frames > 16)
    return "max_num_ref_frames is out of range";
  sps->max_num_ref_frames = from->num_ref_frames;
  sps->gaps_in_frame_num_value_allowed_flag = from->gaps_in_frame_num_value_allowed_flag;
  return NULL;
}

static const gchar *
set_size (H264Sps *sps, const GstH264SPS *from)
{
  if (from->pic_width_in_mbs_minus1 >= H264_MAX_SIDE_IN_MBS)
    return "the picture is wider than any level allows";
  if (from->pic_height_in_map_units_minus1 >= H264_MAX_SIDE_IN_MBS)
    return "the picture is higher than any level allows";
  sps->pic_width_in_mbs = from->pic_width_in_mbs_minus1 + 1;
  sps->pic_height_in_map_units = from->pic_height_in_map_units_minus1 + 1;
  sps->frame_mbs_only_flag = from->frame_mbs_only_flag;
  sps->mb_adaptive_frame_field_flag = from->mb_adaptive_frame_field_flag;
  sps->direct_8x8_inference_flag = from->direct_8x8_inference_flag;
  /* with fields it shall be 1 (7.4.2.1.1): what 0 would mean is not defined, so an encoder that writes it does not mean it */
  sps->direct_8x8_inference_flag |= !sps->frame_mbs_only_flag;
  sps->FrameHeightInMbs = (2 - sps->frame_mbs_only_flag) * sps->pic_height_in_map_units;
  sps->PicSizeInMapUnits = sps->pic_width_in_mbs * sps->pic_height_in_map_units;
  if (sps->FrameHeightInMbs > H264_MAX_SIDE_IN_MBS)
    return "the picture is higher than any level allows";
  if (sps->pic_width_in_mbs * sps->FrameHeightInMbs > H264_MAX_FS)
    return "the picture has more macroblocks than any level allows";
  return NULL;
}

/* A rectangle that leaves no picture is an encoder's mistake, and not needed for decoding: then all is shown. */
static void
set_cropping (H264Sps *sps, const GstH264SPS *from)
{
  guint CropUnitX = sps->ChromaArrayType == 1 || sps->ChromaArrayType == 2 ? 2 : 1;
  guint CropUnitY = (sps->ChromaArrayType == 1 ? 2 : 1) * (2 - sps->frame_mbs_only_flag);
  const guint64 coded_width = sps->pic_width_in_mbs * 16, coded_height = sps->FrameHeightInMbs * 16;
  guint64 left = (guint64) CropUnitX * from->frame_crop_left_offset, right = (guint64) CropUnitX * from->frame_crop_right_offset;
  guint64 top = (guint64) CropUnitY * from->frame_crop_top_offset, bottom = (guint64) CropUnitY * from->frame_crop_bottom_offset;

  sps->frame_cropping_flag = from->frame_cropping_flag && left + right < coded_width && top + bottom < coded_height;
  if (!sps->frame_cropping_flag)
    left = right = top = bottom = 0;
  sps->crop_x = left;
  sps->crop_y = top;
  sps->width = coded_width - left - right;
  sps->height = coded_height - top - bottom;
}

/* The library does not look at the ranges of these. */
static gboolean
restriction_is_in_range (const GstH264VUIParams *vui)
{
  return vui->max_bytes_per_pic_denom <= 16 && vui->num_reorder_frames <= vui->max_dec_frame_buffering
      && vui->max_dec_frame_buffering <= 16;
}

static void
set_vui (H264Sps *sps, const GstH264SPS *from)
{
  sps->vui_parameters_present_flag = from->vui_parameters_present_flag;
  sps->vui = from->vui_parameters;
  sps->vui_damaged |= !restriction_is_in_range (&sps->vui);
  if (sps->vui_damaged)
    sps->vui.bitstream_restriction_flag = FALSE;
}

/* The size of the DPB, and how far output may lag behind decoding: signalled or inferred (E.2.1).  Where a stream signals less room than
 * its reference frames need, the need counts; and where its level has less, there may be as much reordering. */
static void
derive_dpb_size (H264Sps *sps)
{
  if (sps->vui.bitstream_restriction_flag) {
    sps->max_dec_frame_buffering = sps->vui.max_dec_frame_buffering;
    sps->max_num_reorder_frames = sps->vui.num_reorder_frames;
  } else {
    sps->max_dec_frame_buffering = h264_sps_is_intra_only (sps) ? 0 : MAX (h264_sps_get_max_dpb_frames (sps), sps->max_num_ref_frames);
    sps->max_num_reorder_frames = sps->max_dec_frame_buffering;
  }
  sps->max_dec_frame_buffering = MAX (sps->max_dec_frame_buffering, sps->max_num_ref_frames);
  if (sps->pic_order_cnt_type == 2) /* output order is decoding order (8.2.1.3) */
    sps->max_num_reorder_frames = 0;
}

H264Sps *
h264_sps_new (const H264Nal *nal, const gchar **error)
{
  H264Sps *sps = g_atomic_rc_box_new0 (H264Sps);
  GstH264SPS from;
  const gchar *fault = read_sps (nal, &from, &sps->vui_damaged);

  if (!fault) {
    set_formats (sps, &from);
    fault = set_frame_num_and_poc (sps, &from);
  }
  if (!fault)
    fault = set_size (sps, &from);
  if (fault) {
    *error = fault;
    h264_sps_unref (sps);
    return NULL;
  }
  set_cropping (sps, &from);
  set_vui (sps, &from);
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
  } levels[] = { { 10, 396 }, { 11, 900 }, { 20, 2376 }, { 21, 4752 }, { 30, 8100 }, { 31, 18000 }, { 32, 20480 }, { 41, 32768 },
    { 42, 34816 }, { 50, 110400 }, { 52, 184320 }, { 255, 696320 } };
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

  return (sps->constraint_set_flags & 0x10) && memchr (profiles, sps->profile_idc, sizeof (profiles));
}
