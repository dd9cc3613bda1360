/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * SEI messages: those that are read, among others, cut off and out of range.
 */
#include <gst/check/gstcheck.h>
#include "h264sei.h"
#include "h264writer.h"

static H264Sei
parse (const guint8 *data, gsize size)
{
  const guint8 *copy = g_memdup2 (data, size);
  H264SeiReader reader = { .parser = NULL };
  const gchar *error = NULL;
  H264Sei sei;
  H264Nal nal;

  fail_unless (h264_nal_init (&nal, copy, size, &error), "%s", error);
  h264_sei_read (&reader, &nal, &sei);
  h264_sei_reader_clear (&reader);
  g_free ((gpointer) copy);
  return sei;
}

/* A message of 300 bytes that nobody reads, then recovery_point () with recovery_frame_cnt 5 (00110) and broken_link_flag, then
 * rbsp_trailing_bits () */
GST_START_TEST (test_recovery_point)
{
  guint8 data[1 + 4 + 300 + 4 + 1] = { 6, 0xff, 5, 0xff, 45 };
  H264Sei sei;
  gsize at = 5 + 300;

  memset (data + 5, 0x55, 300);
  data[at++] = 6;
  data[at++] = 2;
  data[at++] = 0x32; /* 00110, exact_match_flag 0, broken_link_flag 1, changing_slice_group_idc 0 */
  data[at++] = 0x40;
  data[at++] = 0x80;
  sei = parse (data, at);
  fail_unless (sei.has_recovery_point && sei.broken_link_flag);
  fail_unless_equals_int (sei.recovery_frame_cnt, 5);
  fail_if (sei.has_mastering_display || sei.has_content_light);
  /* cut off anywhere, it is not there */
  for (gsize size = 2; size < at - 2; size++)
    fail_if (parse (data, size).has_recovery_point);
}

GST_END_TEST;

GST_START_TEST (test_damaged)
{
  /* says that it is longer than the unit; ends within its size; recovery_frame_cnt 2^17 - 1 */
  static const guint8 too_long[] = { 6, 6, 200, 0x84, 0x80 }, no_end[] = { 6, 6, 0xff, 0xff, 0xff };
  static const guint8 out_of_range[] = { 6, 6, 6, 0x00, 0x00, 0x40, 0x00, 0x20, 0x00, 0x80 };
  static const guint8 light[] = { 6, 144, 4, 0x04, 0xb0, 0x01, 0x2c, 0x80 }, short_light[] = { 6, 144, 3, 0x04, 0xb0, 0x01, 0x80 };
  H264Sei sei;

  fail_if (parse (too_long, sizeof (too_long)).has_recovery_point);
  fail_if (parse (no_end, sizeof (no_end)).has_recovery_point);
  fail_if (parse (out_of_range, sizeof (out_of_range)).has_recovery_point);
  fail_if (parse (short_light, sizeof (short_light)).has_content_light);
  sei = parse (light, sizeof (light));
  fail_unless (sei.has_content_light && sei.max_content_light_level == 1200 && sei.max_pic_average_light_level == 300);
}

GST_END_TEST;

/* Each bad message costs only itself, whatever is wrong: too short, out of range, empty, of a type and size in many bytes. */
GST_START_TEST (test_bad_among_good)
{
  static const guint8 data[] = { 6, 1, 1, 0x50, /* pic_timing, without any SPS yet */
    144, 3, 0x04, 0xb0, 0x01,                   /* content_light_level_info, a byte short */
    6, 6, 0x00, 0x00, 0x40, 0x00, 0x20, 0x00,   /* recovery_frame_cnt 2^17 - 1 */
    0xff, 0xff, 3, 2, 0x55, 0x55,               /* type 513 */
    137, 0,                                     /* mastering_display_colour_volume of no bytes */
    6, 2, 0x32, 0x40,                           /* recovery_frame_cnt 5, broken_link_flag */
    0, 1, 0xff,                                 /* buffering_period of an SPS that nobody sent */
    144, 4, 0x04, 0xb0, 0x01, 0x2c, 0x80 };
  H264Sei sei = parse (data, sizeof (data));

  fail_unless (sei.has_recovery_point && sei.recovery_frame_cnt == 5 && sei.broken_link_flag);
  fail_unless (sei.has_content_light && sei.max_content_light_level == 1200 && sei.max_pic_average_light_level == 300);
  fail_if (sei.has_mastering_display);
  fail_unless (sei.pic_timing_size == 1 && sei.pic_timing[0] == 0x50);
}

GST_END_TEST;

static H264PicTiming
read_pic_timing (const H264Sps *sps, guint64 payload, guint n_bytes)
{
  guint8 data[3 + 8 + 1] = { 6, 1, n_bytes };
  H264SeiReader reader = { .parser = NULL };
  H264PicTiming timing;
  H264Sei sei;

  for (guint i = 0; i < n_bytes; i++)
    data[3 + i] = payload >> 8 * (n_bytes - 1 - i);
  data[3 + n_bytes] = 0x80;
  sei = parse (data, 4 + n_bytes);
  fail_unless_equals_int (sei.pic_timing_size, n_bytes);
  if (!h264_sei_read_pic_timing (&sei, sps, &timing))
    fail_unless (timing.pic_struct == H264_PIC_STRUCT_FRAME && timing.ct_type == H264_CT_UNKNOWN);
  h264_sei_reader_clear (&reader);
  return timing;
}

GST_START_TEST (test_pic_timing)
{
  H264Sps plain = { .vui = { .pic_struct_present_flag = TRUE } }, delays = plain, none = { 0 };
  H264PicTiming timing;

  delays.vui.nal_hrd_parameters_present_flag = TRUE;
  delays.vui.nal_hrd_parameters.cpb_removal_delay_length_minus1 = 6;
  delays.vui.nal_hrd_parameters.dpb_output_delay_length_minus1 = 16;
  /* pic_struct 5, clock_timestamp_flags 0 0 0 */
  timing = read_pic_timing (&plain, 0x50, 1);
  fail_unless (timing.pic_struct == H264_PIC_STRUCT_TOP_BOTTOM_TOP && timing.ct_type == H264_CT_UNKNOWN);
  /* pic_struct 4, no timestamp of the first field, one of the second: unknown, interlaced; one of the first: progressive */
  timing = read_pic_timing (&plain, 0x46, 1);
  fail_unless (timing.pic_struct == H264_PIC_STRUCT_BOTTOM_TOP && timing.ct_type == H264_CT_UNKNOWN);
  timing = read_pic_timing (&plain, 0x45, 1);
  fail_unless (timing.pic_struct == H264_PIC_STRUCT_BOTTOM_TOP && timing.ct_type == H264_CT_INTERLACED);
  timing = read_pic_timing (&plain, 0x48, 1);
  fail_unless (timing.pic_struct == H264_PIC_STRUCT_BOTTOM_TOP && timing.ct_type == H264_CT_PROGRESSIVE);
  /* behind delays of 24 bits: pic_struct 8, first timestamp: progressive */
  timing = read_pic_timing (&delays, 0x12345688, 4);
  fail_unless (timing.pic_struct == H264_PIC_STRUCT_TRIPLING && timing.ct_type == H264_CT_PROGRESSIVE);
  /* the SPS has none; out of range; cut off before pic_struct and within ct_type */
  timing = read_pic_timing (&none, 0x50, 1);
  fail_unless_equals_int (timing.pic_struct, H264_PIC_STRUCT_FRAME);
  timing = read_pic_timing (&plain, 0x90, 1);
  fail_unless_equals_int (timing.pic_struct, H264_PIC_STRUCT_FRAME);
  timing = read_pic_timing (&delays, 0x515151, 3);
  fail_unless_equals_int (timing.pic_struct, H264_PIC_STRUCT_FRAME);
  timing = read_pic_timing (&plain, 0x52, 1);
  fail_unless (timing.pic_struct == H264_PIC_STRUCT_TOP_BOTTOM_TOP && timing.ct_type == H264_CT_UNKNOWN);
}

GST_END_TEST;

/* Clock timestamps behind pic_struct, with time_offset of the HRD's length, which may be 0 */
GST_START_TEST (test_clock_timestamps)
{
  H264Sps plain = { .vui = { .pic_struct_present_flag = TRUE, .nal_hrd_parameters_present_flag = TRUE } };
  H264PicTiming timing;
  const H264ClockTimestamp *ts = timing.clock_timestamps;

  plain.vui.nal_hrd_parameters.cpb_removal_delay_length_minus1 = 3;
  plain.vui.nal_hrd_parameters.dpb_output_delay_length_minus1 = 3;
  /* delays, pic_struct 3; no first one; 1, ct_type 01, nuit 1, counting_type 00100, full 1, 00, n_frames 00011001; seconds 111011, minutes
   * 000001, hours 10111: 0001 0001 0011 0 1 01 1 00100 1 00 00011001 111011 000001 10111, then filling */
  timing = read_pic_timing (&plain, 0x1135920cf60dc000 >> 8, 7);
  fail_unless (timing.pic_struct == H264_PIC_STRUCT_TOP_BOTTOM && timing.ct_type == H264_CT_INTERLACED);
  fail_if (ts[0].is_there || ts[2].is_there);
  fail_unless (ts[1].is_there && ts[1].ct_type == 1 && ts[1].nuit_field_based_flag && ts[1].counting_type == 4 && ts[1].n_frames == 25);
  fail_unless (ts[1].has_hours && ts[1].has_minutes && ts[1].has_seconds);
  fail_unless (ts[1].seconds_value == 59 && ts[1].minutes_value == 1 && ts[1].hours_value == 23);
  /* cut off anywhere in it, it is not there; how the picture was taken is known all the same */
  for (guint n = 2; n < 6; n++) {
    timing = read_pic_timing (&plain, 0x1135920cf60dc000 >> 8 * (8 - n), n);
    fail_if (ts[1].is_there);
    fail_unless_equals_int (timing.ct_type, H264_CT_INTERLACED);
  }
  /* a time offset that is longer than the rest */
  plain.vui.nal_hrd_parameters.time_offset_length = 24;
  timing = read_pic_timing (&plain, 0x1135920cf60dc000 >> 8, 7);
  fail_if (ts[1].is_there);
}

GST_END_TEST;

/* User data are handed on as they are, in their order, no more than there is room for. */
GST_START_TEST (test_user_data)
{
  static const guint8 data[] = { 6, 5, 17, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 42, 4, 3, 0xb5, 0, 0x31, 4, 0, 5, 9, 1,
    0x80 };
  guint8 many[1 + 3 * 1000 + 1] = { 6 };
  H264SeiReader reader = { .parser = NULL };
  const gchar *error = NULL;
  H264Sei sei;
  H264Nal nal;

  fail_unless (h264_nal_init (&nal, data, sizeof (data), &error));
  h264_sei_read (&reader, &nal, &sei);
  /* the last one is longer than the unit */
  fail_unless_equals_int (sei.n_user_data, 3);
  fail_unless (!sei.user_data[0].registered && sei.user_data[0].size == 17 && sei.user_data[0].payload[16] == 42);
  fail_unless (sei.user_data[1].registered && sei.user_data[1].size == 3 && sei.user_data[1].payload[2] == 0x31);
  fail_unless (sei.user_data[2].registered && sei.user_data[2].size == 0);

  for (guint i = 0; i < 1000; i++) {
    many[1 + 3 * i] = 4;
    many[2 + 3 * i] = 1;
    many[3 + 3 * i] = 0xb5;
  }
  many[sizeof (many) - 1] = 0x80;
  fail_unless (h264_nal_init (&nal, many, sizeof (many), &error));
  h264_sei_read (&reader, &nal, &sei);
  fail_unless_equals_int (sei.n_user_data, H264_SEI_MAX_USER_DATA);
  h264_sei_reader_clear (&reader);
}

GST_END_TEST;

/* frame_packing_arrangement () as x264 writes it, and stereo_video_info () */
GST_START_TEST (test_views)
{
  static const guint8 data[] = { 6, 45, 7, 0x81, 0x81, 0, 0, 3, 0, 1, 0x20, 21, 1, 0x60, 0x80 };
  const H264Sei sei = parse (data, sizeof (data));

  fail_unless (sei.has_frame_packing && sei.frame_packing.frame_packing_id == 0 && !sei.frame_packing.frame_packing_cancel_flag);
  fail_unless (sei.frame_packing.frame_packing_type == 3 && sei.frame_packing.content_interpretation_type == 1);
  fail_unless (sei.has_stereo_video_info && !sei.stereo_video_info.field_views_flag);
  fail_unless (sei.stereo_video_info.current_frame_is_left_view_flag && sei.stereo_video_info.next_frame_is_second_view_flag);
}

GST_END_TEST;

static Suite *
h264sei_suite (void)
{
  Suite *s = suite_create ("h264sei");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_recovery_point);
  tcase_add_test (tc, test_damaged);
  tcase_add_test (tc, test_bad_among_good);
  tcase_add_test (tc, test_pic_timing);
  tcase_add_test (tc, test_clock_timestamps);
  tcase_add_test (tc, test_user_data);
  tcase_add_test (tc, test_views);
  return s;
}

GST_CHECK_MAIN (h264sei);
