/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Damaged SPS and SEI, 20,000 of each (GST_GPU_TEST_LONG: 100,000), from one seed: whatever comes out is in range, and damage within the
 * VUI costs the VUI only.  For the address sanitizer every unit lies in memory of its own size; the library's own reads are seen by
 * valgrind.
 */
#include <gst/check/gstcheck.h>
#include "h264sei.h"
#include "h264writer.h"

static guint
n_mutations (void)
{
  return g_getenv ("GST_GPU_TEST_LONG") ? 100000 : 20000;
}

static void
put_poc_cycle (BitWriter *w)
{
  put_u (w, 1, 0);
  put_se (w, -3);
  put_se (w, 5);
  put_ue (w, 255);
  for (gint i = 0; i < 255; i++)
    put_se (w, i - 100);
}

static void
put_default_lists (BitWriter *w)
{
  for (guint i = 0; i < 12; i++) {
    put_u (w, 1, 1);
    put_se (w, i % 2 == 0 ? -8 : 3);
    for (guint j = 1; i % 2 == 1 && j < (i < 6 ? 16 : 64); j++)
      put_se (w, 0);
  }
}

static void
make_all_sps (GByteArray *units[4])
{
  SpsValues plain = default_sps, vui = default_sps, fields = default_sps, high = default_sps;

  vui.put_vui = fields.put_vui = high.put_vui = put_full_vui;
  fields.profile_idc = 77;
  fields.interlaced = fields.mbaff = 1;
  fields.crop[3] = 2;
  fields.pic_order_cnt_type = 1;
  fields.put_poc_type_1 = put_poc_cycle;
  high.profile_idc = 244;
  high.chroma_format_idc = 3;
  high.put_scaling_lists = put_default_lists;
  units[0] = make_sps (&plain);
  units[1] = make_sps (&vui);
  units[2] = make_sps (&fields);
  units[3] = make_sps (&high);
}

/* One to three faults behind the first @from bytes: flipped bits, other bytes, an early end */
static guint8 *
mutate (const GByteArray *unit, guint from, GRand *rand, gsize *size)
{
  GByteArray *copy = g_byte_array_new ();
  guint8 *data;

  g_byte_array_append (copy, unit->data, unit->len);
  for (gint n = g_rand_int_range (rand, 1, 4); n > 0 && copy->len > from; n--) {
    const guint at = g_rand_int_range (rand, from, copy->len);

    switch (g_rand_int_range (rand, 0, 4)) {
      case 0:
      case 1:
        copy->data[at] ^= 1 << g_rand_int_range (rand, 0, 8);
        break;
      case 2:
        copy->data[at] = g_rand_int (rand);
        break;
      default:
        g_byte_array_set_size (copy, at + 1);
        break;
    }
  }
  *size = copy->len;
  data = g_memdup2 (copy->data, copy->len);
  g_byte_array_unref (copy);
  return data;
}

static void
check_sps (const H264Sps *sps)
{
  fail_unless (sps->seq_parameter_set_id < 32 && sps->chroma_format_idc <= 3 && sps->ChromaArrayType <= 3);
  fail_unless (sps->bit_depth_luma >= 8 && sps->bit_depth_luma <= 14 && sps->bit_depth_chroma >= 8 && sps->bit_depth_chroma <= 14);
  fail_unless (sps->log2_max_frame_num >= 4 && sps->log2_max_frame_num <= 16 && sps->MaxFrameNum == 1u << sps->log2_max_frame_num);
  fail_unless (sps->pic_order_cnt_type <= 2);
  fail_unless (sps->pic_order_cnt_type != 0 || (sps->log2_max_pic_order_cnt_lsb >= 4 && sps->log2_max_pic_order_cnt_lsb <= 16));
  fail_unless (sps->max_num_ref_frames <= 16 && sps->max_dec_frame_buffering <= 16 && sps->max_num_reorder_frames <= 16);
  fail_unless (sps->max_dec_frame_buffering >= sps->max_num_ref_frames);
  fail_unless (sps->pic_width_in_mbs > 0 && sps->FrameHeightInMbs > 0);
  fail_unless (sps->pic_width_in_mbs <= H264_MAX_SIDE_IN_MBS && sps->FrameHeightInMbs <= H264_MAX_SIDE_IN_MBS);
  fail_unless (sps->pic_width_in_mbs * sps->FrameHeightInMbs <= H264_MAX_FS);
  fail_unless (sps->width > 0 && sps->crop_x + sps->width <= sps->pic_width_in_mbs * 16);
  fail_unless (sps->height > 0 && sps->crop_y + sps->height <= sps->FrameHeightInMbs * 16);
}

GST_START_TEST (test_sps)
{
  GRand *rand = g_rand_new_with_seed (1);
  GByteArray *units[4];
  guint n_read = 0;

  make_all_sps (units);
  for (guint i = 0; i < n_mutations (); i++) {
    const gchar *error = NULL;
    H264Sps *sps;
    H264Nal nal;
    gsize size;
    guint8 *data = mutate (units[i % 4], 1, rand, &size);

    if (h264_nal_init (&nal, data, size, &error)) {
      sps = h264_sps_new (&nal, &error);
      fail_unless (sps || error);
      if (sps) {
        check_sps (sps);
        h264_sps_unref (sps);
        n_read++;
      }
    }
    g_free (data);
  }
  fail_unless (n_read > n_mutations () / 10, "%u", n_read);
  for (guint i = 0; i < 4; i++)
    g_byte_array_unref (units[i]);
  g_rand_free (rand);
}

GST_END_TEST;

/* With faults behind vui_parameters_present_flag only, the SPS is read, with what is decoded by as it was. */
GST_START_TEST (test_vui)
{
  GRand *rand = g_rand_new_with_seed (2);
  SpsValues v = default_sps;
  GByteArray *without = make_sps (&v), *with;

  v.put_vui = put_full_vui;
  with = make_sps (&v);
  for (guint i = 0; i < n_mutations (); i++) {
    const gchar *error = NULL;
    H264Sps *sps;
    H264Nal nal;
    gsize size;
    guint8 *data = mutate (with, without->len, rand, &size);

    fail_unless (h264_nal_init (&nal, data, size, &error));
    sps = h264_sps_new (&nal, &error);
    fail_unless (sps != NULL, "%s", error);
    check_sps (sps);
    fail_unless (sps->vui_parameters_present_flag && sps->width == 64 && sps->height == 48 && sps->max_num_ref_frames == 4);
    h264_sps_unref (sps);
    g_free (data);
  }
  g_byte_array_unref (without);
  g_byte_array_unref (with);
  g_rand_free (rand);
}

GST_END_TEST;

/* pic_timing (), recovery_point (), content_light_level_info (), mastering_display_colour_volume (), user data, 
 * frame_packing_arrangement () and stereo_video_info () */
static GByteArray *
make_sei (void)
{
  static const guint8 sei[] = { H264_NAL_SEI, 1, 8, 0x12, 0x34, 0x56, 0x88, 0x12, 0, 0, 3, 1, 0x80, 6, 2, 0x32, 0x40, 144, 4, 4, 0xb0, 1,
    0x2c, 137, 24, 0x33, 0xc2, 0x86, 0xc4, 0x1d, 0x4c, 0x0b, 0xb8, 0x84, 0xd0, 0x3e, 0x80, 0x3d, 0x13, 0x40, 0x42, 0, 0x98, 0x96, 0x80, 0,
    0, 3, 0, 1, 5, 4, 1, 2, 3, 4, 45, 7, 0x81, 0x81, 0, 0, 3, 0, 1, 0x20, 21, 1, 0x60, 0x80 };

  return g_byte_array_new_take (g_memdup2 (sei, sizeof (sei)), sizeof (sei));
}

GST_START_TEST (test_sei)
{
  GRand *rand = g_rand_new_with_seed (3);
  H264SeiReader reader = { .parser = NULL };
  H264Sps sps[2] = { { .vui = { .pic_struct_present_flag = TRUE } } };
  GByteArray *unit = make_sei ();
  guint n_timings = 0;

  sps[1] = sps[0];
  sps[1].vui.nal_hrd_parameters_present_flag = TRUE;
  sps[1].vui.nal_hrd_parameters.cpb_removal_delay_length_minus1 = 6;
  sps[1].vui.nal_hrd_parameters.dpb_output_delay_length_minus1 = 16;
  for (guint i = 0; i < n_mutations (); i++) {
    const gchar *error = NULL;
    H264PicTiming timing;
    H264Sei sei;
    H264Nal nal;
    gsize size;
    guint8 *data = mutate (unit, 1, rand, &size);

    if (h264_nal_init (&nal, data, size, &error)) {
      h264_sei_read (&reader, &nal, &sei);
      fail_unless (sei.recovery_frame_cnt <= 65535 && sei.pic_timing_size <= H264_PIC_TIMING_SIZE);
      for (guint k = 0; k < sei.n_user_data; k++)
        fail_unless (sei.user_data[k].payload >= reader.rbsp.data
            && sei.user_data[k].payload + sei.user_data[k].size <= reader.rbsp.data + reader.rbsp.size);
      n_timings += h264_sei_read_pic_timing (&sei, &sps[i % 2], &timing);
      fail_unless (timing.pic_struct <= H264_PIC_STRUCT_TRIPLING && timing.ct_type <= H264_CT_UNKNOWN);
      for (guint k = 0; k < H264_MAX_CLOCK_TIMESTAMPS; k++) {
        const H264ClockTimestamp *ts = &timing.clock_timestamps[k];

        fail_unless (!ts->is_there || (ts->seconds_value < 60 && ts->minutes_value < 60 && ts->hours_value < 24));
      }
    }
    g_free (data);
  }
  fail_unless (n_timings > n_mutations () / 10, "%u", n_timings);
  h264_sei_reader_clear (&reader);
  g_byte_array_unref (unit);
  g_rand_free (rand);
}

GST_END_TEST;

static Suite *
h264mutatedsets_suite (void)
{
  Suite *s = suite_create ("h264mutatedsets");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_sps);
  tcase_add_test (tc, test_vui);
  tcase_add_test (tc, test_sei);
  return s;
}

GST_CHECK_MAIN (h264mutatedsets);
