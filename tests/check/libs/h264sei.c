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
  return s;
}

GST_CHECK_MAIN (h264sei);
