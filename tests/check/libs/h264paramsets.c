/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameter sets, written by hand
 */
#include <gst/check/gstcheck.h>
#include "h264sets.h"

static H264Sps *
parse_sps (const SpsValues *v)
{
  H264ParamSets *sets = h264_param_sets_new ();
  H264Sps *sps;

  add_set (sets, make_sps (v));
  sps = h264_sps_ref (h264_param_sets_get_sps (sets, v->id));
  h264_param_sets_free (sets);
  return sps;
}

static void
refuse_sps (const SpsValues *v, const gchar *text)
{
  H264ParamSets *sets = h264_param_sets_new ();

  refuse_set (sets, make_sps (v), text);
  h264_param_sets_free (sets);
}

static H264Pps *
get_pps (H264ParamSets *sets, guint id)
{
  const gchar *error = NULL;
  H264Pps *pps = h264_param_sets_get_pps (sets, id, &error);

  fail_unless (pps != NULL, "%s", error);
  return pps;
}

static void
check_crop (guint chroma_format_idc, guint interlaced, guint x, guint y, guint width, guint height)
{
  SpsValues v = default_sps;
  H264Sps *sps;

  v.profile_idc = 244;
  v.chroma_format_idc = chroma_format_idc;
  v.interlaced = interlaced;
  memcpy (v.crop, (const guint[]){ 1, 2, 3, 4 }, sizeof (v.crop));
  sps = parse_sps (&v);
  fail_unless_equals_int (sps->crop_x, x);
  fail_unless_equals_int (sps->crop_y, y);
  fail_unless_equals_int (sps->width, width);
  fail_unless_equals_int (sps->height, height);
  h264_sps_unref (sps);
}

/* 64 x 48 (96 with fields); units of Table 6-1 and (7-19) to (7-22) */
GST_START_TEST (test_crop)
{
  check_crop (0, 0, 1, 3, 61, 41);
  check_crop (1, 0, 2, 6, 58, 34);
  check_crop (2, 0, 2, 3, 58, 41);
  check_crop (3, 0, 1, 3, 61, 41);
  check_crop (0, 1, 1, 6, 61, 82);
  check_crop (1, 1, 2, 12, 58, 68);
  check_crop (2, 1, 2, 6, 58, 82);
  check_crop (3, 1, 1, 6, 61, 82);
}

GST_END_TEST;

/* It is not meant: all is shown. */
GST_START_TEST (test_crop_leaves_nothing)
{
  static const guint right[] = { 16, 1000, 0xfffffff0 };
  SpsValues v = default_sps;

  for (guint i = 0; i < G_N_ELEMENTS (right); i++) {
    H264Sps *sps;

    v.crop[0] = 16;
    v.crop[1] = right[i];
    v.crop[2] = 1;
    sps = parse_sps (&v);
    fail_if (sps->frame_cropping_flag);
    fail_unless_equals_int (sps->crop_x, 0);
    fail_unless_equals_int (sps->crop_y, 0);
    fail_unless_equals_int (sps->width, 64);
    fail_unless_equals_int (sps->height, 48);
    h264_sps_unref (sps);
  }
}

GST_END_TEST;

static void
put_poc_cycle (BitWriter *w)
{
  put_u (w, 1, 1);
  put_se (w, -3);
  put_se (w, 5);
  put_ue (w, 2);
  put_se (w, 7);
  put_se (w, -G_MAXINT32);
}

GST_START_TEST (test_sps)
{
  SpsValues v = { .profile_idc = 244,
    .constraint_set_flags = 0x10,
    .level_idc = 51,
    .id = 31,
    .chroma_format_idc = 3,
    .separate_colour_plane_flag = 1,
    .bit_depth_luma_minus8 = 6,
    .bit_depth_chroma_minus8 = 2,
    .lossless = 1,
    .log2_max_frame_num_minus4 = 12,
    .pic_order_cnt_type = 1,
    .put_poc_type_1 = put_poc_cycle,
    .max_num_ref_frames = 16,
    .gaps_allowed = 1,
    .width_in_mbs = 120,
    .height_in_map_units = 34,
    .interlaced = 1,
    .mbaff = 1 };
  H264Sps *sps = parse_sps (&v);

  fail_unless_equals_int (sps->seq_parameter_set_id, 31);
  fail_unless_equals_int (sps->ChromaArrayType, 0);
  fail_unless_equals_int (sps->chroma_format_idc, 3);
  fail_unless_equals_int (sps->bit_depth_luma, 14);
  /* three planes of luma */
  fail_unless_equals_int (sps->bit_depth_chroma, 14);
  fail_unless (sps->qpprime_y_zero_transform_bypass_flag);
  fail_unless_equals_int (sps->MaxFrameNum, 65536);
  fail_unless_equals_int (sps->offset_for_non_ref_pic, -3);
  fail_unless_equals_int (sps->offset_for_top_to_bottom_field, 5);
  fail_unless_equals_int (sps->num_ref_frames_in_pic_order_cnt_cycle, 2);
  fail_unless_equals_int (sps->offset_for_ref_frame[0], 7);
  fail_unless_equals_int (sps->offset_for_ref_frame[1], -G_MAXINT32);
  fail_unless_equals_int (sps->max_num_ref_frames, 16);
  fail_unless (sps->gaps_in_frame_num_value_allowed_flag);
  fail_unless_equals_int (sps->FrameHeightInMbs, 68);
  fail_unless_equals_int (sps->PicSizeInMapUnits, 120 * 34);
  fail_unless (sps->mb_adaptive_frame_field_flag);
  fail_unless (h264_sps_is_intra_only (sps));
  fail_if (sps->vui_parameters_present_flag);
  h264_sps_unref (sps);
}

GST_END_TEST;

static void
refuse_change (gsize offset, guint value, const gchar *text)
{
  SpsValues v = default_sps;

  v.profile_idc = 244;
  G_STRUCT_MEMBER (guint, &v, offset) = value;
  refuse_sps (&v, text);
}

#define REFUSE(member, value, text) refuse_change (G_STRUCT_OFFSET (SpsValues, member), value, text)

GST_START_TEST (test_sps_limits)
{
  SpsValues v = default_sps;

  REFUSE (id, 32, "out of range");
  REFUSE (chroma_format_idc, 4, "out of range");
  REFUSE (bit_depth_luma_minus8, 7, "out of range");
  REFUSE (bit_depth_chroma_minus8, 7, "out of range");
  REFUSE (log2_max_frame_num_minus4, 13, "out of range");
  REFUSE (pic_order_cnt_type, 3, "out of range");
  REFUSE (log2_max_pic_order_cnt_lsb_minus4, 13, "out of range");
  REFUSE (max_num_ref_frames, 17, "max_num_ref_frames");
  REFUSE (width_in_mbs, 1056, "wider");
  REFUSE (height_in_map_units, 1056, "higher");
  v.width_in_mbs = 374;
  v.height_in_map_units = 373;
  refuse_sps (&v, "more macroblocks"); /* 139502 */
  v.width_in_mbs = 512;
  v.height_in_map_units = 272; /* 139264: level 6.2 */
  h264_sps_unref (parse_sps (&v));
  v.interlaced = 1;
  refuse_sps (&v, "more macroblocks");
}

GST_END_TEST;

GST_START_TEST (test_vui)
{
  SpsValues v = default_sps;
  H264Sps *sps;

  v.put_vui = put_full_vui;
  sps = parse_sps (&v);
  fail_unless (sps->vui_parameters_present_flag && !sps->vui_damaged);
  fail_unless_equals_int (sps->vui.par_n, 40);
  fail_unless_equals_int (sps->vui.par_d, 33);
  fail_unless_equals_int (sps->vui.video_format, 2);
  fail_unless (sps->vui.video_full_range_flag);
  fail_unless_equals_int (sps->vui.colour_primaries, 9);
  fail_unless_equals_int (sps->vui.transfer_characteristics, 16);
  fail_unless_equals_int (sps->vui.matrix_coefficients, 10);
  fail_unless_equals_int (sps->vui.chroma_sample_loc_type_top_field, 2);
  fail_unless_equals_int (sps->vui.chroma_sample_loc_type_bottom_field, 3);
  fail_unless_equals_int (sps->vui.num_units_in_tick, 1001);
  fail_unless_equals_int (sps->vui.time_scale, 60000);
  fail_unless (sps->vui.fixed_frame_rate_flag && sps->vui.low_delay_hrd_flag && sps->vui.pic_struct_present_flag);
  fail_unless_equals_int (sps->vui.nal_hrd_parameters.cpb_removal_delay_length_minus1, 9);
  fail_unless_equals_int (sps->vui.nal_hrd_parameters.dpb_output_delay_length_minus1, 17);
  fail_unless_equals_int (sps->max_num_reorder_frames, 1);
  fail_unless_equals_int (sps->max_dec_frame_buffering, 6);
  h264_sps_unref (sps);
}

GST_END_TEST;

static void
put_vui_with_table_sar (BitWriter *w)
{
  put_u (w, 1, 1);
  put_u (w, 8, 16); /* 2:1 */
  put_u (w, 6, 0);
  put_u (w, 2, 0);
}

static void
put_lying_vui (BitWriter *w)
{
  put_u (w, 8, 0);
  put_u (w, 1, 1);
  put_u (w, 1, 0);
  for (guint i = 0; i < 4; i++)
    put_ue (w, 0);
  put_ue (w, 7);
  put_ue (w, 6);
}

GST_START_TEST (test_vui_inferred_and_damaged)
{
  SpsValues v = default_sps;
  H264Sps *sps;

  v.put_vui = put_vui_with_table_sar;
  sps = parse_sps (&v);
  fail_unless_equals_int (sps->vui.par_n, 2);
  fail_unless_equals_int (sps->vui.par_d, 1);
  fail_unless_equals_int (sps->vui.matrix_coefficients, 2);
  fail_unless_equals_int (sps->vui.video_format, 5);
  h264_sps_unref (sps);
  /* decoding goes on without such a VUI */
  v.put_vui = put_lying_vui;
  sps = parse_sps (&v);
  fail_unless (sps->vui_damaged);
  fail_if (sps->vui.bitstream_restriction_flag);
  fail_unless_equals_int (sps->max_dec_frame_buffering, 16);
  h264_sps_unref (sps);
}

GST_END_TEST;

/* An SPS that ends within its VUI, or has rubbish there, is as good as one without it; one that ends before is none. */
GST_START_TEST (test_vui_cut_off)
{
  SpsValues v = default_sps;
  GByteArray *without = make_sps (&v), *with;
  guint n_accepted = 0;

  v.put_vui = put_full_vui;
  with = make_sps (&v);
  for (guint size = 1; size < with->len; size++) {
    H264ParamSets *sets = h264_param_sets_new ();
    GByteArray *unit = g_byte_array_new_take (g_memdup2 (with->data, size), size);

    if (size < without->len) {
      refuse_set (sets, unit, "ends too early");
    } else {
      add_set (sets, unit);
      n_accepted++;
      fail_unless_equals_int (h264_param_sets_get_sps (sets, 0)->width, 64);
      fail_unless_equals_int (h264_param_sets_get_sps (sets, 0)->max_dec_frame_buffering, 16);
    }
    h264_param_sets_free (sets);
  }
  fail_unless (n_accepted > 30);
  g_byte_array_unref (without);
  g_byte_array_unref (with);
}

GST_END_TEST;

static void
check_dpb_size (guint profile_idc, guint flags, guint level_idc, guint width, guint height, guint poc_type, guint frames, guint reorder)
{
  SpsValues v = default_sps;
  H264Sps *sps;

  v.profile_idc = profile_idc;
  v.constraint_set_flags = flags;
  v.level_idc = level_idc;
  v.width_in_mbs = width;
  v.height_in_map_units = height;
  v.pic_order_cnt_type = poc_type;
  v.max_num_ref_frames = 0;
  sps = parse_sps (&v);
  fail_unless_equals_int (sps->max_dec_frame_buffering, frames);
  fail_unless_equals_int (sps->max_num_reorder_frames, reorder);
  h264_sps_unref (sps);
}

/* Table A-1 and E.2.1, without a VUI */
GST_START_TEST (test_dpb_size)
{
  check_dpb_size (77, 0, 40, 120, 68, 0, 4, 4);
  check_dpb_size (77, 0, 51, 120, 68, 0, 16, 16);
  check_dpb_size (77, 0, 31, 80, 45, 0, 5, 5);
  check_dpb_size (77, 0, 11, 22, 18, 0, 2, 2);
  check_dpb_size (77, 0x10, 11, 11, 9, 0, 4, 4); /* level 1b */
  check_dpb_size (100, 0, 9, 11, 9, 0, 4, 4);
  check_dpb_size (77, 0, 40, 120, 68, 2, 4, 0);
  check_dpb_size (77, 0x10, 40, 120, 68, 0, 4, 4);
  check_dpb_size (100, 0x10, 40, 120, 68, 0, 0, 0);
  check_dpb_size (110, 0x10, 40, 120, 68, 0, 0, 0);
  check_dpb_size (122, 0x10, 40, 120, 68, 0, 0, 0);
  check_dpb_size (244, 0x10, 40, 120, 68, 0, 0, 0);
  check_dpb_size (44, 0x10, 40, 120, 68, 0, 0, 0);
  check_dpb_size (122, 0, 40, 120, 68, 0, 4, 4);
  check_dpb_size (77, 0, 10, 120, 68, 0, 1, 1); /* more than the level allows */
}

GST_END_TEST;

/* A PPS may come before its SPS, and changes with it. */
GST_START_TEST (test_pps_before_sps)
{
  H264ParamSets *sets = h264_param_sets_new ();
  SpsValues sps = default_sps;
  PpsValues pps = { .id = 255, .sps_id = 2, .pic_init_qp_minus26 = -30, .extension = 1, .second_chroma_qp_index_offset = 12 };
  const gchar *error = NULL;
  H264Pps *old, *renewed;

  fail_unless (!h264_param_sets_get_pps (sets, 255, &error));
  fail_unless (strstr (error, "PPS is missing") != NULL);
  add_set (sets, make_pps (&pps));
  fail_unless (!h264_param_sets_get_pps (sets, 255, &error));
  fail_unless (strstr (error, "SPS is missing") != NULL);
  sps.id = 2;
  sps.bit_depth_luma_minus8 = 2;
  add_set (sets, make_sps (&sps));
  old = h264_pps_ref (get_pps (sets, 255));
  fail_unless_equals_int (old->sps->bit_depth_luma, 10);
  fail_unless_equals_int (old->pic_init_qp, -4);
  fail_unless_equals_int (old->chroma_qp_index_offset[0], 0);
  fail_unless_equals_int (old->chroma_qp_index_offset[1], 12);
  /* repetitions change nothing */
  add_set (sets, make_sps (&sps));
  add_set (sets, make_pps (&pps));
  fail_unless (get_pps (sets, 255) == old);
  sps.bit_depth_luma_minus8 = 3;
  add_set (sets, make_sps (&sps));
  renewed = get_pps (sets, 255);
  fail_unless (renewed != old);
  fail_unless_equals_int (renewed->sps->bit_depth_luma, 11);
  /* with 8 bits its QP is out of range */
  sps.bit_depth_luma_minus8 = 0;
  add_set (sets, make_sps (&sps));
  fail_unless (!h264_param_sets_get_pps (sets, 255, &error));
  fail_unless (strstr (error, "pic_init_qp") != NULL);
  fail_unless_equals_int (old->sps->bit_depth_luma, 10);
  h264_pps_unref (old);
  h264_param_sets_free (sets);
}

GST_END_TEST;

/* A list of one value: one delta_scale from 8, then 0s */
static void
put_constant_list (BitWriter *w, guint size, guint value)
{
  put_u (w, 1, 1);
  put_se (w, (gint) value - 8);
  for (guint i = 1; i < size; i++)
    put_se (w, 0);
}

static void
put_default_list (BitWriter *w)
{
  put_u (w, 1, 1);
  put_se (w, -8);
}

static void
put_no_lists_8 (BitWriter *w)
{
  put_u (w, 8, 0);
}

static void
put_no_lists_6 (BitWriter *w)
{
  put_u (w, 6, 0);
}

/* 4x4: 10, absent, default, 20, absent, 30; 8x8 Intra Y 40, Inter Y 50 */
static void
put_own_lists (BitWriter *w)
{
  put_constant_list (w, 16, 10);
  put_u (w, 1, 0);
  put_default_list (w);
  put_constant_list (w, 16, 20);
  put_u (w, 1, 0);
  put_constant_list (w, 16, 30);
  put_constant_list (w, 64, 40);
  put_constant_list (w, 64, 50);
}

static void
check_scales (H264ParamSets *sets, guint pps_id, const guint8 first_4x4[6], const guint8 first_8x8[6])
{
  H264Pps *pps = get_pps (sets, pps_id);

  for (guint i = 0; i < 6; i++) {
    fail_unless_equals_int (pps->scales.weight_scale_4x4[i][0], first_4x4[i]);
    fail_unless_equals_int (pps->scales.weight_scale_8x8[i][0], first_8x8[i]);
  }
}

#define BYTES(...) ((const guint8[]){ __VA_ARGS__ })

/* Fall-back rule set A (Table 7-2): the first entries of the default lists are 6, 10 (4x4) and 6, 9 (8x8). */
GST_START_TEST (test_scaling_fall_back_a)
{
  SpsValues sps = default_sps;
  PpsValues pps = { .id = 0 }, pps_lists = { .id = 1, .extension = 1, .transform_8x8 = 1, .put_scaling_lists = put_no_lists_8 };
  H264ParamSets *sets = make_param_sets (&sps, &pps);

  add_set (sets, make_pps (&pps_lists));
  /* no lists anywhere: flat; a PPS that sends none of its own: default */
  check_scales (sets, 0, BYTES (16, 16, 16, 16, 16, 16), BYTES (16, 16, 16, 16, 16, 16));
  check_scales (sets, 1, BYTES (6, 6, 6, 10, 10, 10), BYTES (6, 9, 6, 9, 6, 9));
  /* the SPS changes: so does the PPS, though it stays as it was (scaling lists belong to the activation) */
  sps.put_scaling_lists = put_own_lists;
  add_set (sets, make_sps (&sps));
  check_scales (sets, 0, BYTES (10, 10, 6, 20, 20, 30), BYTES (40, 50, 40, 50, 40, 50));
  h264_param_sets_free (sets);
}

GST_END_TEST;

static void
put_second_of_each (BitWriter *w)
{
  put_u (w, 1, 0);
  put_constant_list (w, 16, 11);
  put_u (w, 1, 0);
  put_u (w, 1, 0);
  put_constant_list (w, 16, 12);
  put_u (w, 1, 0);
  put_constant_list (w, 64, 13);
  put_u (w, 1, 0);
}

/* Rule set B: the first of a kind falls back to the sequence's list; 8x8 Inter Y to the sequence's Inter Y, not its Intra Y. */
GST_START_TEST (test_scaling_fall_back_b)
{
  SpsValues sps = default_sps;
  PpsValues pps = { .id = 0, .extension = 1, .transform_8x8 = 1, .put_scaling_lists = put_second_of_each };
  PpsValues pps_4x4_only = { .id = 1, .extension = 1, .put_scaling_lists = put_no_lists_6, .second_chroma_qp_index_offset = -12 };
  H264ParamSets *sets;

  sps.put_scaling_lists = put_own_lists;
  sets = make_param_sets (&sps, &pps);
  add_set (sets, make_pps (&pps_4x4_only));
  check_scales (sets, 0, BYTES (10, 11, 11, 20, 12, 12), BYTES (13, 50, 13, 50, 13, 50));
  check_scales (sets, 1, BYTES (10, 10, 10, 20, 20, 20), BYTES (40, 50, 40, 50, 40, 50));
  fail_unless_equals_int (get_pps (sets, 1)->chroma_qp_index_offset[1], -12);
  h264_param_sets_free (sets);
}

GST_END_TEST;

static void
put_twelve_lists (BitWriter *w)
{
  for (guint i = 0; i < 6; i++)
    put_constant_list (w, 16, 10 + i);
  for (guint i = 0; i < 6; i++)
    put_constant_list (w, 64, 20 + i);
}

/* Six 8x8 lists with 4:4:4; each colour plane of its own takes those of its colour. */
GST_START_TEST (test_scaling_444)
{
  SpsValues sps = default_sps;
  PpsValues pps = { .extension = 1, .transform_8x8 = 1, .put_scaling_lists = put_twelve_lists, .second_chroma_qp_index_offset = 3 };
  H264ParamSets *sets;
  H264WeightScales scales;

  sps.profile_idc = 244;
  sps.chroma_format_idc = 3;
  sps.separate_colour_plane_flag = 1;
  sets = make_param_sets (&sps, &pps);
  check_scales (sets, 0, BYTES (10, 11, 12, 13, 14, 15), BYTES (20, 21, 22, 23, 24, 25));
  fail_unless_equals_int (get_pps (sets, 0)->chroma_qp_index_offset[1], 3);
  h264_pps_get_weight_scales (get_pps (sets, 0), 2, &scales);
  fail_unless_equals_int (scales.weight_scale_4x4[0][15], 12);
  fail_unless_equals_int (scales.weight_scale_4x4[3][15], 15);
  fail_unless_equals_int (scales.weight_scale_8x8[0][63], 24);
  fail_unless_equals_int (scales.weight_scale_8x8[1][63], 25);
  h264_param_sets_free (sets);
}

GST_END_TEST;

/* delta_scale runs on modulo 256, and a scale of 0 repeats the last one to the end. */
static void
put_rising_list (BitWriter *w)
{
  put_u (w, 1, 1);
  put_se (w, 1);   /* 9 */
  put_se (w, 127); /* 136 */
  put_se (w, 127); /* 263 - 256 = 7 */
  put_se (w, -3);  /* 4 */
  put_se (w, -4);  /* 0: 4 from here on */
  put_u (w, 7, 0);
}

GST_START_TEST (test_scaling_order)
{
  SpsValues sps = default_sps;
  PpsValues pps = { .extension = 0 };
  H264ParamSets *sets;
  /* transposed: column x, row y at x * 4 + y; zig-zag goes right first: (0,0), (1,0), (0,1), (0,2) */
  const guint8 expected[16] = { 9, 7, 4, 4, 136, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4 };
  H264Pps *pps_parsed;

  sps.put_scaling_lists = put_rising_list;
  sets = make_param_sets (&sps, &pps);
  pps_parsed = get_pps (sets, 0);
  fail_unless (memcmp (pps_parsed->scales.weight_scale_4x4[0], expected, 16) == 0);
  fail_unless (memcmp (pps_parsed->scales.weight_scale_4x4[1], expected, 16) == 0);
  /* Default_8x8_Inter: second along the zig-zag is 13 at column 1; row 1 of column 1 is 13; last is 35 */
  fail_unless_equals_int (pps_parsed->scales.weight_scale_8x8[1][8], 13);
  fail_unless_equals_int (pps_parsed->scales.weight_scale_8x8[1][1], 13);
  fail_unless_equals_int (pps_parsed->scales.weight_scale_8x8[1][2], 15);
  fail_unless_equals_int (pps_parsed->scales.weight_scale_8x8[1][63], 35);
  h264_param_sets_free (sets);
}

GST_END_TEST;

static void
check_pps_error (const PpsValues *v, const gchar *text)
{
  H264ParamSets *sets = make_param_sets (&default_sps, v);
  const gchar *error = NULL;

  fail_unless (!h264_param_sets_get_pps (sets, v->id, &error));
  fail_unless (strstr (error, text) != NULL, "error is: %s", error);
  h264_param_sets_free (sets);
}

static void
put_bad_run (BitWriter *w)
{
  put_ue (w, 0);
  put_ue (w, 12); /* of 12 map units: 11 is the most */
  put_ue (w, 0);
}

static void
put_bad_ids (BitWriter *w)
{
  put_ue (w, 6);
  put_ue (w, 11);
  for (guint i = 0; i < 12; i++)
    put_u (w, 2, i % 4); /* three groups */
}

static void
put_short_ids (BitWriter *w)
{
  put_ue (w, 6);
  put_ue (w, 10);
}

static void
put_evolving (BitWriter *w)
{
  put_ue (w, 3);
  put_u (w, 1, 0);
  put_ue (w, 0);
}

GST_START_TEST (test_pps_limits)
{
  check_pps_error (&(PpsValues){ .num_slice_groups_minus1 = 1, .put_slice_groups = put_bad_run }, "run_length");
  check_pps_error (&(PpsValues){ .num_slice_groups_minus1 = 2, .put_slice_groups = put_bad_ids }, "slice_group_id");
  check_pps_error (&(PpsValues){ .num_slice_groups_minus1 = 2, .put_slice_groups = put_short_ids }, "pic_size_in_map_units");
  check_pps_error (&(PpsValues){ .num_slice_groups_minus1 = 2, .put_slice_groups = put_evolving }, "not two");
  check_pps_error (&(PpsValues){ .num_ref_idx_minus1 = { 0, 32 } }, "num_ref_idx");
  check_pps_error (&(PpsValues){ .weighted_bipred_idc = 3 }, "weighted_bipred_idc");
  check_pps_error (&(PpsValues){ .pic_init_qp_minus26 = 26 }, "pic_init_qp");
  check_pps_error (&(PpsValues){ .pic_init_qs_minus26 = -27 }, "pic_init_qs");
  check_pps_error (&(PpsValues){ .chroma_qp_index_offset = 13 }, "chroma_qp_index_offset");
  check_pps_error (&(PpsValues){ .extension = 1, .second_chroma_qp_index_offset = -13 }, "second_chroma_qp_index_offset");
}

GST_END_TEST;

static void
append_set (GByteArray *record, GByteArray *unit)
{
  const guint8 length[] = { unit->len >> 8, unit->len & 255 };

  g_byte_array_append (record, length, 2);
  g_byte_array_append (record, unit->data, unit->len);
  g_byte_array_unref (unit);
}

GST_START_TEST (test_avcc)
{
  H264ParamSets *sets = h264_param_sets_new ();
  GByteArray *record = g_byte_array_new (), *subset;
  SpsValues sps = default_sps;
  PpsValues pps = { .id = 0 };
  const gchar *error = NULL;
  guint length_size = 0;

  g_byte_array_append (record, BYTES (1, 100, 0, 40, 0xfd, 0xe3), 6);
  append_set (record, make_sps (&sps));
  /* a subset SPS with the same id belongs to other views */
  sps.width_in_mbs = 9;
  subset = make_sps (&sps);
  subset->data[0] = 3 << 5 | H264_NAL_SUBSET_SPS;
  append_set (record, subset);
  sps.id = 7;
  append_set (record, make_sps (&sps));
  g_byte_array_append (record, BYTES (2), 1);
  append_set (record, make_pps (&pps));
  pps.id = 3;
  pps.sps_id = 7;
  append_set (record, make_pps (&pps));
  g_byte_array_append (record, BYTES (0xfd, 0xf8, 0xf8, 0), 4);
  fail_unless (h264_param_sets_add_avcc (sets, record->data, record->len, &length_size, &error));
  fail_unless (!error);
  fail_unless_equals_int (length_size, 2);
  fail_unless_equals_int (get_pps (sets, 0)->sps->seq_parameter_set_id, 0);
  fail_unless_equals_int (get_pps (sets, 0)->sps->pic_width_in_mbs, default_sps.width_in_mbs);
  fail_unless_equals_int (get_pps (sets, 3)->sps->seq_parameter_set_id, 7);
  /* cut anywhere before the end of the last PPS, it says so, and is used as far as it goes */
  for (guint size = 0; size < record->len - 4; size++) {
    fail_unless_equals_int (h264_param_sets_add_avcc (sets, record->data, size, &length_size, &error), size >= 7);
    fail_unless (error != NULL);
  }
  record->data[0] = 2;
  fail_if (h264_param_sets_add_avcc (sets, record->data, record->len, &length_size, &error));
  g_byte_array_unref (record);
  h264_param_sets_free (sets);
}

GST_END_TEST;

static Suite *
h264paramsets_suite (void)
{
  Suite *s = suite_create ("h264paramsets");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_crop);
  tcase_add_test (tc, test_crop_leaves_nothing);
  tcase_add_test (tc, test_sps);
  tcase_add_test (tc, test_sps_limits);
  tcase_add_test (tc, test_vui);
  tcase_add_test (tc, test_vui_inferred_and_damaged);
  tcase_add_test (tc, test_vui_cut_off);
  tcase_add_test (tc, test_dpb_size);
  tcase_add_test (tc, test_pps_before_sps);
  tcase_add_test (tc, test_scaling_fall_back_a);
  tcase_add_test (tc, test_scaling_fall_back_b);
  tcase_add_test (tc, test_scaling_444);
  tcase_add_test (tc, test_scaling_order);
  tcase_add_test (tc, test_pps_limits);
  tcase_add_test (tc, test_avcc);
  return s;
}

GST_CHECK_MAIN (h264paramsets);
