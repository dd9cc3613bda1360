/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Slice headers, written by hand
 */
#include <gst/check/gstcheck.h>
#include "h264sliceheader.h"
#include "h264sets.h"

/* Up to frame_num, which has 4 bits in default_sps */
static void
put_beginning (BitWriter *w, guint slice_type, guint frame_num)
{
  bit_writer_init (w);
  put_ue (w, 0); /* first_mb_in_slice */
  put_ue (w, slice_type);
  put_ue (w, 0); /* pic_parameter_set_id */
  put_u (w, 4, frame_num);
}

/* The same of a frame, up to pic_order_cnt_lsb, which has 8 bits */
static void
put_front (BitWriter *w, guint slice_type, guint frame_num, guint lsb)
{
  put_beginning (w, slice_type, frame_num);
  put_u (w, 8, lsb);
}

static gboolean
parse (H264SliceHeader *sh, BitWriter *w, guint nal_ref_idc, guint nal_unit_type, H264ParamSets *sets, const gchar **error)
{
  GByteArray *unit = bit_writer_to_nal (w, nal_ref_idc, nal_unit_type);
  H264Rbsp rbsp = { 0 };
  H264Bits bits;
  H264Nal nal;
  gboolean ok;

  fail_unless (h264_nal_init (&nal, unit->data, unit->len, error));
  h264_rbsp_set (&rbsp, &nal);
  h264_rbsp_read (&rbsp, &bits);
  ok = h264_slice_header_parse (sh, &nal, &bits, sets, error);
  if (ok)
    fail_unless_equals_int (bits.pos, sh->header_bits);
  h264_rbsp_clear (&rbsp);
  g_byte_array_unref (unit);
  return ok;
}

static void
accept (H264SliceHeader *sh, BitWriter *w, guint nal_ref_idc, guint nal_unit_type, H264ParamSets *sets)
{
  guint n_bits = w->n_bits;
  const gchar *error = NULL;

  fail_unless (parse (sh, w, nal_ref_idc, nal_unit_type, sets, &error), "%s", error);
  fail_unless_equals_int (sh->header_bits, n_bits);
}

static void
refuse (BitWriter *w, guint nal_ref_idc, guint nal_unit_type, H264ParamSets *sets, const gchar *text)
{
  H264SliceHeader sh;
  const gchar *error = NULL;

  fail_if (parse (&sh, w, nal_ref_idc, nal_unit_type, sets, &error));
  fail_unless (error && strstr (error, text), "error is: %s", error);
}

GST_START_TEST (test_idr)
{
  PpsValues pps = { .cabac = 1, .pic_init_qp_minus26 = 2, .deblocking_control = 1 };
  H264ParamSets *sets = make_param_sets (&default_sps, &pps);
  H264SliceHeader sh;
  BitWriter w;

  bit_writer_init (&w);
  put_ue (&w, 11);
  put_ue (&w, 7);
  put_ue (&w, 0);
  put_u (&w, 4, 0);
  put_ue (&w, 65535); /* idr_pic_id */
  put_u (&w, 8, 0xab);
  put_u (&w, 2, 1); /* long_term_reference_flag */
  put_se (&w, -28);
  put_ue (&w, 2);
  put_se (&w, -6);
  put_se (&w, 6);
  accept (&sh, &w, 1, H264_NAL_IDR_SLICE, sets);
  fail_unless (sh.IdrPicFlag && sh.slice_types_agree);
  fail_unless_equals_int (sh.first_mb_in_slice, 11);
  fail_unless_equals_int (sh.slice_type, H264_SLICE_I);
  fail_unless_equals_int (sh.idr_pic_id, 65535);
  fail_unless_equals_int (sh.pic_order_cnt_lsb, 0xab);
  fail_unless (sh.long_term_reference_flag && !sh.no_output_of_prior_pics_flag);
  fail_unless_equals_int (sh.SliceQPY, 0);
  fail_unless_equals_int (sh.disable_deblocking_filter_idc, 2);
  fail_unless_equals_int (sh.FilterOffsetA, -12);
  fail_unless_equals_int (sh.FilterOffsetB, 12);
  fail_unless_equals_int (sh.PicSizeInMbs, 12);
  fail_unless_equals_int (sh.MaxPicNum, 16);
  h264_param_sets_free (sets);
}

GST_END_TEST;

GST_START_TEST (test_fields)
{
  SpsValues sps = default_sps;
  PpsValues pps = { .bottom_field_pic_order = 1, .num_ref_idx_minus1 = { 31, 31 } };
  H264ParamSets *sets;
  H264SliceHeader sh;
  BitWriter w;

  sps.interlaced = sps.mbaff = 1;
  sets = make_param_sets (&sps, &pps);
  put_beginning (&w, 5, 9);
  put_u (&w, 2, 3);
  put_u (&w, 8, 7);
  put_u (&w, 1, 0); /* num_ref_idx_active_override_flag */
  put_u (&w, 1, 0); /* ref_pic_list_modification_flag_l0 */
  put_se (&w, 0);
  accept (&sh, &w, 0, H264_NAL_SLICE, sets);
  fail_unless (sh.field_pic_flag && sh.bottom_field_flag && !sh.MbaffFrameFlag);
  fail_unless_equals_int (sh.CurrPicNum, 19);
  fail_unless_equals_int (sh.MaxPicNum, 32);
  fail_unless_equals_int (sh.PicSizeInMbs, 12);
  fail_unless_equals_int (sh.num_ref_idx_active[0], 32);
  fail_unless_equals_int (sh.num_ref_idx_active[1], 0);
  /* an MBAFF frame: pairs, the POC of the bottom field, and 32 entries are too many */
  put_beginning (&w, 7, 9);
  put_u (&w, 1, 0);
  put_u (&w, 8, 7);
  put_se (&w, -1);
  put_se (&w, 0);
  accept (&sh, &w, 0, H264_NAL_SLICE, sets);
  fail_unless (sh.MbaffFrameFlag);
  fail_unless_equals_int (sh.PicSizeInMbs, 24);
  fail_unless_equals_int (sh.delta_pic_order_cnt_bottom, -1);
  bit_writer_init (&w);
  put_ue (&w, 12); /* pairs are 0 to 11 */
  put_ue (&w, 7);
  put_ue (&w, 0);
  put_u (&w, 5, 0);
  put_u (&w, 8, 0);
  put_se (&w, 0);
  put_se (&w, 0);
  refuse (&w, 0, H264_NAL_SLICE, sets, "first_mb_in_slice");
  put_beginning (&w, 5, 9);
  put_u (&w, 1, 0);
  put_u (&w, 8, 7);
  put_se (&w, -1);
  put_u (&w, 2, 0);
  put_se (&w, 0);
  refuse (&w, 0, H264_NAL_SLICE, sets, "num_ref_idx_default_active");
  h264_param_sets_free (sets);
}

GST_END_TEST;

/* More operations than 10, of every kind */
GST_START_TEST (test_many_mmco)
{
  PpsValues pps = { .id = 0 };
  H264ParamSets *sets = make_param_sets (&default_sps, &pps);
  H264SliceHeader sh;
  BitWriter w;

  put_front (&w, 7, 9, 0);
  put_u (&w, 1, 1);
  for (guint i = 0; i < 11; i++) {
    put_ue (&w, 1);
    put_ue (&w, i);
  }
  put_ue (&w, 2);
  put_ue (&w, 5);
  put_ue (&w, 3);
  put_ue (&w, 15);
  put_ue (&w, 14);
  put_ue (&w, 4);
  put_ue (&w, 16);
  put_ue (&w, 5);
  put_ue (&w, 6);
  put_ue (&w, 13);
  put_ue (&w, 0);
  put_se (&w, 3);
  accept (&sh, &w, 1, H264_NAL_SLICE, sets);
  fail_unless_equals_int (sh.n_mmco, 16);
  for (guint i = 0; i < 11; i++) {
    fail_unless_equals_int (sh.mmco[i].memory_management_control_operation, 1);
    fail_unless_equals_int (sh.mmco[i].difference_of_pic_nums, i + 1);
  }
  fail_unless_equals_int (sh.mmco[11].long_term_pic_num, 5);
  fail_unless_equals_int (sh.mmco[12].difference_of_pic_nums, 16);
  fail_unless_equals_int (sh.mmco[12].long_term_frame_idx, 14);
  fail_unless_equals_int (sh.mmco[13].max_long_term_frame_idx_plus1, 16);
  fail_unless_equals_int (sh.mmco[14].memory_management_control_operation, 5);
  fail_unless_equals_int (sh.mmco[15].long_term_frame_idx, 13);
  fail_unless_equals_int (sh.SliceQPY, 29);
  /* without an end */
  put_front (&w, 7, 9, 0);
  put_u (&w, 1, 1);
  for (guint i = 0; i < 67; i++)
    put_ue (&w, 5);
  put_ue (&w, 0);
  put_se (&w, 3);
  refuse (&w, 1, H264_NAL_SLICE, sets, "too many memory management");
  put_front (&w, 7, 9, 0);
  put_u (&w, 1, 1);
  put_ue (&w, 7);
  put_ue (&w, 0);
  put_se (&w, 3);
  refuse (&w, 1, H264_NAL_SLICE, sets, "memory_management_control_operation");
  h264_param_sets_free (sets);
}

GST_END_TEST;

/* More list changes than 32 (33 with the end, and beyond) */
GST_START_TEST (test_many_list_modifications)
{
  SpsValues sps = default_sps;
  PpsValues pps = { .num_ref_idx_minus1 = { 31, 0 } };
  H264ParamSets *sets;
  H264SliceHeader sh;
  BitWriter w;

  sps.interlaced = 1;
  sets = make_param_sets (&sps, &pps);
  for (guint n = 32; n <= 67; n += n == 32 ? 1 : 17) {
    put_beginning (&w, 5, 9);
    put_u (&w, 2, 2);
    put_u (&w, 8, 7);
    put_u (&w, 2, 1); /* no override, ref_pic_list_modification_flag_l0 */
    for (guint i = 0; i < n; i++) {
      put_ue (&w, i % 3);
      put_ue (&w, i % 32);
    }
    put_ue (&w, 3);
    put_se (&w, -26);
    if (n > 66) {
      refuse (&w, 0, H264_NAL_SLICE, sets, "too many list modifications");
      continue;
    }
    accept (&sh, &w, 0, H264_NAL_SLICE, sets);
    fail_unless_equals_int (sh.n_modifications[0], n);
    fail_unless_equals_int (sh.n_modifications[1], 0);
    fail_unless_equals_int (sh.modifications[0][30].modification_of_pic_nums_idc, 0);
    fail_unless_equals_int (sh.modifications[0][30].value, 31);
    fail_unless_equals_int (sh.modifications[0][29].modification_of_pic_nums_idc, 2);
    fail_unless_equals_int (sh.modifications[0][29].value, 29);
    fail_unless_equals_int (sh.SliceQPY, 0);
  }
  h264_param_sets_free (sets);
}

GST_END_TEST;

GST_START_TEST (test_pred_weight_table)
{
  PpsValues pps = { .cabac = 1, .weighted_bipred_idc = 1, .num_ref_idx_minus1 = { 0, 0 } };
  H264ParamSets *sets = make_param_sets (&default_sps, &pps);
  H264SliceHeader sh;
  BitWriter w;

  put_front (&w, 6, 1, 2);
  put_u (&w, 1, 1); /* direct_spatial_mv_pred_flag */
  put_u (&w, 1, 1); /* override: 2 and 1 entries */
  put_ue (&w, 1);
  put_ue (&w, 0);
  put_u (&w, 1, 0);
  put_u (&w, 1, 1); /* list 1 is changed */
  put_ue (&w, 2);
  put_ue (&w, 31);
  put_ue (&w, 3);
  put_ue (&w, 5);
  put_ue (&w, 7);
  put_u (&w, 1, 1); /* list 0, entry 0: luma */
  put_se (&w, -128);
  put_se (&w, 127);
  put_u (&w, 1, 0);
  put_u (&w, 1, 0); /* entry 1: chroma */
  put_u (&w, 1, 1);
  put_se (&w, 1);
  put_se (&w, 2);
  put_se (&w, 3);
  put_se (&w, -4);
  put_u (&w, 2, 0); /* list 1: nothing */
  put_ue (&w, 2);   /* cabac_init_idc */
  put_se (&w, 0);
  accept (&sh, &w, 0, H264_NAL_SLICE, sets);
  fail_unless_equals_int (sh.slice_type, H264_SLICE_B);
  fail_unless (sh.direct_spatial_mv_pred_flag && sh.has_pred_weight_table);
  fail_unless_equals_int (sh.num_ref_idx_active[0], 2);
  fail_unless_equals_int (sh.num_ref_idx_active[1], 1);
  fail_unless_equals_int (sh.n_modifications[1], 1);
  fail_unless_equals_int (sh.pred_weight_table.weight[0][0][0], -128);
  fail_unless_equals_int (sh.pred_weight_table.offset[0][0][0], 127);
  fail_unless_equals_int (sh.pred_weight_table.weight[0][0][1], 128);
  fail_unless_equals_int (sh.pred_weight_table.weight[0][1][0], 32);
  fail_unless_equals_int (sh.pred_weight_table.weight[0][1][1], 1);
  fail_unless_equals_int (sh.pred_weight_table.offset[0][1][1], 2);
  fail_unless_equals_int (sh.pred_weight_table.weight[0][1][2], 3);
  fail_unless_equals_int (sh.pred_weight_table.offset[0][1][2], -4);
  fail_unless_equals_int (sh.pred_weight_table.weight[1][0][0], 32);
  fail_unless_equals_int (sh.cabac_init_idc, 2);
  h264_param_sets_free (sets);
}

GST_END_TEST;

static guint slice_group_change_rate_minus1;

static void
put_wipe (BitWriter *w)
{
  put_ue (w, 5);
  put_u (w, 1, 1);
  put_ue (w, slice_group_change_rate_minus1);
}

/* slice_group_change_cycle is u(v) of Ceil (Log2 (PicSizeInMapUnits / SliceGroupChangeRate + 1)) bits, the quotient exact: with 12 map
 * units 12 / 1 + 1 = 13: 4 bits; 12 / 4 + 1 = 4: 2; 12 / 5 + 1 = 3.4: 2 (a truncated quotient gives 3: also 2); 12 / 7 + 1 = 2.7: 2
 * (truncated: 2, 1 bit); 12 / 12 + 1 = 2: 1 */
static void
check_change_cycle (guint rate, guint n_bits, guint max)
{
  PpsValues pps = { .num_slice_groups_minus1 = 1, .put_slice_groups = put_wipe };
  H264ParamSets *sets;
  H264SliceHeader sh;
  BitWriter w;

  slice_group_change_rate_minus1 = rate - 1;
  sets = make_param_sets (&default_sps, &pps);
  for (guint cycle = 0; cycle < 1u << n_bits; cycle++) {
    put_front (&w, 7, 1, 2);
    put_se (&w, 0);
    put_u (&w, n_bits, cycle);
    if (cycle > max) {
      refuse (&w, 0, H264_NAL_SLICE, sets, "slice_group_change_cycle");
    } else {
      accept (&sh, &w, 0, H264_NAL_SLICE, sets);
      fail_unless_equals_int (sh.slice_group_change_cycle, cycle);
      fail_unless_equals_int (sh.MapUnitsInSliceGroup0, MIN (cycle * rate, 12));
    }
  }
  h264_param_sets_free (sets);
}

GST_START_TEST (test_slice_group_change_cycle)
{
  check_change_cycle (1, 4, 12);
  check_change_cycle (4, 2, 3);
  check_change_cycle (5, 2, 3);
  check_change_cycle (7, 2, 2);
  check_change_cycle (12, 1, 1);
}

GST_END_TEST;

GST_START_TEST (test_colour_plane_and_redundant)
{
  SpsValues sps = default_sps;
  PpsValues pps = { .redundant = 1 };
  H264ParamSets *sets;
  H264SliceHeader sh;
  BitWriter w;

  sps.profile_idc = 244;
  sps.chroma_format_idc = 3;
  sps.separate_colour_plane_flag = 1;
  sets = make_param_sets (&sps, &pps);
  for (guint plane = 0; plane < 4; plane++) {
    bit_writer_init (&w);
    put_ue (&w, 0);
    put_ue (&w, 7);
    put_ue (&w, 0);
    put_u (&w, 2, plane);
    put_u (&w, 4, 3);
    put_u (&w, 8, 0);
    put_ue (&w, 127);
    put_se (&w, 0);
    if (plane == 3) {
      refuse (&w, 0, H264_NAL_SLICE, sets, "colour_plane_id");
    } else {
      accept (&sh, &w, 0, H264_NAL_SLICE, sets);
      fail_unless_equals_int (sh.colour_plane_id, plane);
      fail_unless_equals_int (sh.redundant_pic_cnt, 127);
    }
  }
  h264_param_sets_free (sets);
}

GST_END_TEST;

GST_START_TEST (test_switching)
{
  PpsValues pps = { .pic_init_qs_minus26 = -6 };
  SpsValues sps = default_sps;
  H264ParamSets *sets;
  H264SliceHeader sh;
  BitWriter w;

  sps.profile_idc = 88;
  sets = make_param_sets (&sps, &pps);
  put_front (&w, 3, 1, 2); /* SP, partition A */
  put_u (&w, 2, 0);
  put_se (&w, 4);
  put_u (&w, 1, 1);
  put_se (&w, 31);
  put_ue (&w, 9);
  accept (&sh, &w, 0, H264_NAL_PARTITION_A, sets);
  fail_unless (sh.sp_for_switch_flag);
  fail_unless_equals_int (sh.SliceQPY, 30);
  fail_unless_equals_int (sh.QSY, 51);
  fail_unless_equals_int (sh.slice_id, 9);
  put_front (&w, 4, 1, 2); /* SI */
  put_se (&w, 4);
  put_se (&w, -21);
  refuse (&w, 0, H264_NAL_SLICE, sets, "slice_qs_delta");
  h264_param_sets_free (sets);
}

GST_END_TEST;

GST_START_TEST (test_limits)
{
  PpsValues pps = { .cabac = 1, .deblocking_control = 1 };
  H264ParamSets *sets = make_param_sets (&default_sps, &pps);
  BitWriter w;

  put_front (&w, 10, 0, 0);
  refuse (&w, 0, H264_NAL_SLICE, sets, "slice_type");
  put_front (&w, 0, 0, 0);
  refuse (&w, 1, H264_NAL_IDR_SLICE, sets, "not intra");
  put_front (&w, 2, 0, 0);
  refuse (&w, 0, H264_NAL_IDR_SLICE, sets, "nal_ref_idc");
  bit_writer_init (&w);
  put_ue (&w, 12);
  put_ue (&w, 2);
  put_ue (&w, 0);
  put_u (&w, 12, 0);
  put_se (&w, 0);
  refuse (&w, 0, H264_NAL_SLICE, sets, "first_mb_in_slice");
  bit_writer_init (&w);
  put_ue (&w, 0);
  put_ue (&w, 2);
  put_ue (&w, 1);
  refuse (&w, 0, H264_NAL_SLICE, sets, "PPS is missing");
  put_front (&w, 2, 0, 0);
  put_se (&w, 26);
  put_ue (&w, 1);
  refuse (&w, 0, H264_NAL_SLICE, sets, "slice_qp_delta");
  put_front (&w, 2, 0, 0);
  put_se (&w, 25);
  put_ue (&w, 3);
  refuse (&w, 0, H264_NAL_SLICE, sets, "disable_deblocking_filter_idc");
  put_front (&w, 2, 0, 0);
  put_se (&w, 25);
  put_ue (&w, 0);
  put_se (&w, 7);
  put_se (&w, 0);
  refuse (&w, 0, H264_NAL_SLICE, sets, "slice_alpha_c0_offset_div2");
  put_front (&w, 0, 0, 0);
  put_u (&w, 1, 1);
  put_ue (&w, 16);
  put_u (&w, 1, 0);
  put_ue (&w, 0);
  put_se (&w, 0);
  put_ue (&w, 1);
  refuse (&w, 0, H264_NAL_SLICE, sets, "num_ref_idx_active");
  put_front (&w, 0, 0, 0);
  put_u (&w, 2, 0);
  put_ue (&w, 3);
  put_se (&w, 0);
  put_ue (&w, 1);
  refuse (&w, 0, H264_NAL_SLICE, sets, "cabac_init_idc");
  put_front (&w, 0, 0, 0);
  put_u (&w, 2, 1);
  put_ue (&w, 0);
  put_ue (&w, 16);
  put_ue (&w, 3);
  put_ue (&w, 0);
  put_se (&w, 0);
  put_ue (&w, 1);
  refuse (&w, 0, H264_NAL_SLICE, sets, "abs_diff_pic_num");
  put_front (&w, 0, 0, 0);
  refuse (&w, 0, H264_NAL_SLICE, sets, "too early");
  h264_param_sets_free (sets);
}

GST_END_TEST;

/* 7.4.1.2.4, each condition by itself */
GST_START_TEST (test_begins_picture)
{
  const H264SliceHeader last = { .nal_ref_idc = 2, .frame_num = 3, .pic_order_cnt_lsb = 6, .idr_pic_id = 1 };
  H264SliceHeader sh = last;

  sh.first_mb_in_slice = 7;
  sh.slice_type = H264_SLICE_B;
  sh.nal_ref_idc = 1;
  sh.idr_pic_id = 2; /* means nothing without IdrPicFlag */
  fail_if (h264_slice_begins_picture (&last, &sh));
#define CHECK_BEGINS(member, value)                     \
  sh = last;                                            \
  sh.member = value;                                    \
  fail_unless (h264_slice_begins_picture (&last, &sh)); \
  fail_unless (h264_slice_begins_picture (&sh, &last))
  CHECK_BEGINS (frame_num, 4);
  CHECK_BEGINS (pic_parameter_set_id, 1);
  CHECK_BEGINS (field_pic_flag, 1);
  CHECK_BEGINS (bottom_field_flag, 1);
  CHECK_BEGINS (nal_ref_idc, 0);
  CHECK_BEGINS (pic_order_cnt_lsb, 7);
  CHECK_BEGINS (delta_pic_order_cnt_bottom, 1);
  CHECK_BEGINS (delta_pic_order_cnt[0], 1);
  CHECK_BEGINS (delta_pic_order_cnt[1], 1);
  CHECK_BEGINS (IdrPicFlag, 1);
  H264SliceHeader idr = last;

  idr.IdrPicFlag = TRUE;
  sh = idr;
  fail_if (h264_slice_begins_picture (&idr, &sh));
  sh.idr_pic_id = 2;
  fail_unless (h264_slice_begins_picture (&idr, &sh));
}

GST_END_TEST;

static Suite *
h264sliceheader_suite (void)
{
  Suite *s = suite_create ("h264sliceheader");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_idr);
  tcase_add_test (tc, test_fields);
  tcase_add_test (tc, test_many_mmco);
  tcase_add_test (tc, test_many_list_modifications);
  tcase_add_test (tc, test_pred_weight_table);
  tcase_add_test (tc, test_slice_group_change_cycle);
  tcase_add_test (tc, test_colour_plane_and_redundant);
  tcase_add_test (tc, test_switching);
  tcase_add_test (tc, test_limits);
  tcase_add_test (tc, test_begins_picture);
  return s;
}

GST_CHECK_MAIN (h264sliceheader);
