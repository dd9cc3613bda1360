/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * h264entropy that begins in the middle of a stream, and that loses pictures: what is output, what is flagged, when it is right again, and
 * when a key unit is asked for.
 */
#include <gst/check/gstcheck.h>
#include <gst/video/video.h>
#include "handmade.h"

static const HandmadeSps no_reordering = { 0, 25 }, one_reordered = { 1, 25 };

static void
open_with (Handmade *t, const HandmadeSps *sps, gboolean output_corrupt)
{
  handmade_open (t, 1, TRUE);
  g_object_set (t->h->element, "output-corrupt", output_corrupt, NULL);
  handmade_push_sps (t, sps);
}

static void
push_all (Handmade *t, const HandmadePicture *pictures, guint n)
{
  for (guint i = 0; i < n; i++)
    handmade_push_picture (t, &pictures[i], i * GST_MSECOND);
}

#define push_pictures(t, ...)                           \
  G_STMT_START                                          \
  {                                                     \
    const HandmadePicture pictures[] = { __VA_ARGS__ }; \
    push_all ((t), pictures, G_N_ELEMENTS (pictures));  \
  }                                                     \
  G_STMT_END

/* POC and flag of each frame that is output, as in "0 4! 2": ! is corrupted */
static void
check_output (Handmade *t, const gchar *expected)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < t->output->len; i++)
    g_string_append_printf (text, "%s%d%s", i > 0 ? " " : "", handmade_output (t, i)->poc[0], handmade_is_corrupted (t, i) ? "!" : "");
  fail_unless (g_str_equal (text->str, expected), "output is %s, not %s", text->str, expected);
  g_string_free (text, TRUE);
}

/* P pictures that refer to what never came are nothing to begin with. */
GST_START_TEST (test_no_key_picture)
{
  Handmade t;

  open_with (&t, &no_reordering, FALSE);
  push_pictures (&t, { 'P', 3, 6 }, { 'P', 4, 8 }, { 'P', 5, 10 });
  fail_unless_equals_int (t.n_coded, 0);
  fail_unless_equals_int (handmade_count_key_unit_requests (&t), 1);
  push_pictures (&t, { 'D', 0, 0 }, { 'P', 1, 2 });
  handmade_finish (&t);
  check_output (&t, "0 2");
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
  handmade_close (&t);

  open_with (&t, &no_reordering, TRUE);
  push_pictures (&t, { 'P', 3, 6 }, { 'P', 4, 8 }, { 'D', 0, 0 }, { 'P', 1, 2 });
  handmade_finish (&t);
  check_output (&t, "6! 8! 0 2");
  handmade_close (&t);

  open_with (&t, &no_reordering, FALSE);
  push_pictures (&t, { 'P', 3, 6 });
  handmade_finish (&t);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_ERROR, "No picture"), 1);
  handmade_close (&t);
}

GST_END_TEST;

/* Those that are left out are counted: those that nothing can begin with, and leading ones, also where the stream ends with them. */
GST_START_TEST (test_left_out)
{
  Handmade t;

  open_with (&t, &one_reordered, FALSE);
  push_pictures (&t, { 'P', 3, 6 }, { 'P', 4, 8 }, { 'I', 5, 20 }, { 'B', 6, 18, TRUE });
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_INFO, "not there: 2."), 1);
  handmade_finish (&t);
  check_output (&t, "20");
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_INFO, "not there: 1."), 1);
  handmade_close (&t);
}

GST_END_TEST;

/* Gradual refresh: right after recovery_frame_cnt pictures */
GST_START_TEST (test_recovery_point)
{
  for (guint output_corrupt = 0; output_corrupt < 2; output_corrupt++) {
    Handmade t;

    open_with (&t, &no_reordering, output_corrupt);
    /* frame_num wraps on the way */
    push_pictures (&t, { 'P', 14, 2, FALSE, 3 }, { 'P', 15, 4 }, { 'P', 0, 6 }, { 'P', 1, 8 }, { 'P', 2, 10 });
    handmade_finish (&t);
    check_output (&t, output_corrupt ? "2! 4! 6 8 10" : "6 8 10");
    fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_INFO, "left out that refer to others which are not there: 2."),
        !output_corrupt);
    handmade_close (&t);
  }
}

GST_END_TEST;

/* The next recovery point is announced before the last one is reached, which counts all the same; but not where something was lost. */
GST_START_TEST (test_recovery_points_overlap)
{
  Handmade t;

  open_with (&t, &no_reordering, FALSE);
  push_pictures (&t, { 'P', 2, 2, FALSE, 4 }, { 'P', 3, 4 }, { 'P', 4, 6, FALSE, 4 }, { 'P', 5, 8 }, { 'P', 6, 10, FALSE, 4 },
      { 'P', 7, 12 });
  handmade_finish (&t);
  check_output (&t, "8 10 12");
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
  handmade_close (&t);

  /* no point is reached: nothing to show, and that is said */
  open_with (&t, &no_reordering, FALSE);
  push_pictures (&t, { 'P', 2, 2, FALSE, 9 }, { 'P', 3, 4 });
  handmade_finish (&t);
  check_output (&t, "");
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_ERROR, "No picture"), 1);
  handmade_close (&t);

  open_with (&t, &no_reordering, FALSE);
  /* 4 is missing: what is reached by then is damaged, and the point after the loss counts */
  push_pictures (&t, { 'P', 2, 2, FALSE, 4 }, { 'P', 3, 4 }, { 'P', 5, 8 }, { 'P', 6, 10, FALSE, 2 }, { 'P', 7, 12 }, { 'P', 8, 14 });
  handmade_finish (&t);
  check_output (&t, "8! 10! 12 14");
  handmade_close (&t);

  open_with (&t, &no_reordering, FALSE);
  /* and a nearer one counts */
  push_pictures (&t, { 'P', 2, 2, FALSE, 9 }, { 'P', 3, 4, FALSE, 2 }, { 'P', 4, 6 }, { 'P', 5, 8 });
  handmade_finish (&t);
  check_output (&t, "6 8");
  handmade_close (&t);
}

GST_END_TEST;

/* Open GOP: B pictures before the I picture in output order refer to what was before it in decoding order. */
GST_START_TEST (test_leading_pictures)
{
  for (guint sei = 0; sei < 2; sei++)
    for (guint output_corrupt = 0; output_corrupt < 2; output_corrupt++) {
      Handmade t;

      open_with (&t, &one_reordered, output_corrupt);
      push_pictures (&t, { 'I', 5, 20, FALSE, sei }, { 'B', 6, 18, TRUE }, { 'P', 6, 24 }, { 'B', 7, 22, TRUE }, { 'P', 7, 26 });
      handmade_finish (&t);
      check_output (&t, output_corrupt ? "18! 20 22 24 26" : "20 22 24 26");
      fail_unless_equals_int (handmade_count_key_unit_requests (&t), 0);
      fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
      handmade_close (&t);
    }
}

GST_END_TEST;

static void
flush (Handmade *t)
{
  GstSegment segment;

  fail_unless (gst_harness_push_event (t->h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (t->h, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (t->h, gst_event_new_segment (&segment)));
  handmade_take (t);
  g_hash_table_remove_all (t->stores);
}

/* The same after a seek; and without one the same pictures are right. */
GST_START_TEST (test_leading_pictures_after_seek)
{
  for (guint seek = 0; seek < 2; seek++) {
    Handmade t;

    open_with (&t, &one_reordered, FALSE);
    push_pictures (&t, { 'D', 0, 0 }, { 'P', 1, 2 }, { 'P', 2, 4 });
    if (seek)
      flush (&t);
    push_pictures (&t, { 'I', 3, 8, FALSE, 1 }, { 'B', 4, 6, TRUE }, { 'P', 4, 10 }, { 'P', 5, 12 });
    handmade_finish (&t);
    check_output (&t, seek ? "0 2 8 10 12" : "0 2 4 6 8 10 12");
    handmade_close (&t);
  }
}

GST_END_TEST;

/* A new part of the stream without a flush: what went before is output, but not referred to. */
GST_START_TEST (test_new_segment)
{
  GstSegment segment;
  GstBuffer *buffer;
  HandmadePicture key = { 'I', 3, 8, FALSE, 1 };
  Handmade t;

  open_with (&t, &one_reordered, FALSE);
  push_pictures (&t, { 'D', 0, 0 }, { 'P', 1, 2 }, { 'P', 2, 4 });
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.base = GST_SECOND;
  fail_unless (gst_harness_push_event (t.h, gst_event_new_segment (&segment)));
  buffer = handmade_picture (&key, 0);
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  handmade_push (&t, buffer);
  push_pictures (&t, { 'B', 4, 6, TRUE }, { 'P', 4, 10 });
  handmade_finish (&t);
  check_output (&t, "0 2 4 8 10");
  fail_unless (handmade_flags (&t, 3) & GST_BUFFER_FLAG_DISCONT);
  handmade_close (&t);
}

GST_END_TEST;

/* Something is missing before a picture: the frame that is output first behind the gap says so, and no other one. */
GST_START_TEST (test_discont)
{
  HandmadePicture behind_gap = { 'P', 2, 8 };
  GstBuffer *buffer;
  Handmade t;

  open_with (&t, &one_reordered, FALSE);
  push_pictures (&t, { 'D', 0, 0 }, { 'P', 1, 4 });
  buffer = handmade_picture (&behind_gap, 0);
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  handmade_push (&t, buffer);
  push_pictures (&t, { 'B', 3, 6, TRUE }, { 'P', 3, 10 });
  handmade_finish (&t);
  check_output (&t, "0 4 6 8 10");
  for (guint i = 0; i < 5; i++)
    fail_unless_equals_int ((handmade_flags (&t, i) & GST_BUFFER_FLAG_DISCONT) != 0, i == 2);
  handmade_close (&t);
}

GST_END_TEST;

/* A demuxer corrects its segment in the middle of a group of pictures: nothing is lost, and display order stays. */
GST_START_TEST (test_corrected_segment)
{
  HandmadePicture middle = { 'B', 2, 2, TRUE };
  GstSegment segment;
  GstBuffer *buffer;
  Handmade t;

  open_with (&t, &one_reordered, FALSE);
  push_pictures (&t, { 'D', 0, 0 }, { 'P', 1, 4 });
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (t.h, gst_event_new_segment (&segment)));
  buffer = handmade_picture (&middle, 0);
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT | GST_BUFFER_FLAG_DELTA_UNIT);
  handmade_push (&t, buffer);
  push_pictures (&t, { 'P', 2, 6 });
  handmade_finish (&t);
  check_output (&t, "0 2 4 6");
  handmade_close (&t);
}

GST_END_TEST;

/* A gap of frame_num that the SPS does not allow: everything is flagged until an IDR picture. */
GST_START_TEST (test_loss)
{
  Handmade t;

  open_with (&t, &no_reordering, FALSE);
  push_pictures (&t, { 'D', 0, 0 }, { 'P', 1, 2 }, { 'P', 3, 6 }, { 'P', 4, 8 });
  fail_unless_equals_int (handmade_count_key_unit_requests (&t), 1);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING, "gap in frame_num"), 1);
  push_pictures (&t, { 'P', 7, 14 }, { 'P', 8, 16 });
  /* the first request is still on its way */
  fail_unless_equals_int (handmade_count_key_unit_requests (&t), 0);
  push_pictures (&t, { 'D', 0, 0 }, { 'P', 1, 2 });
  handmade_finish (&t);
  check_output (&t, "0 2 6! 8! 14! 16! 0 2");
  handmade_close (&t);
}

GST_END_TEST;

/* The same until a recovery point, if nothing is lost on the way there */
GST_START_TEST (test_loss_until_recovery_point)
{
  Handmade t;

  open_with (&t, &no_reordering, FALSE);
  push_pictures (&t, { 'D', 0, 0 }, { 'P', 2, 4 }, { 'P', 3, 6, FALSE, 3 }, { 'P', 4, 8 }, { 'P', 5, 10 }, { 'P', 6, 12 }, { 'P', 7, 14 });
  handmade_finish (&t);
  check_output (&t, "0 4! 6! 8! 10 12 14");
  handmade_close (&t);

  open_with (&t, &no_reordering, FALSE);
  push_pictures (&t, { 'D', 0, 0 }, { 'P', 2, 4 }, { 'P', 3, 6, FALSE, 3 }, { 'P', 5, 10 }, { 'P', 6, 12 }, { 'P', 7, 14 });
  handmade_finish (&t);
  check_output (&t, "0 4! 6! 10! 12! 14!");
  handmade_close (&t);
}

GST_END_TEST;

/* An I picture is right whatever was lost before, and so is what refers to it alone. */
GST_START_TEST (test_intra_picture_after_loss)
{
  Handmade t;

  open_with (&t, &no_reordering, FALSE);
  push_pictures (&t, { 'D', 0, 0 }, { 'P', 2, 4 }, { 'I', 3, 6 }, { 'P', 4, 8 }, { 'P', 5, 10 });
  handmade_finish (&t);
  check_output (&t, "0 4! 6 8 10");
  handmade_close (&t);
}

GST_END_TEST;

/* mastering_display_colour_volume () and content_light_level_info (): D65, BT.2020, 1000 and 0.005 cd/m2; 1200 and 300 */
static GByteArray *
make_hdr_sei (void)
{
  static const guint16 primaries[8] = { 8500, 39850, 6550, 2300, 35400, 14600, 15635, 16450 };
  BitWriter w;

  bit_writer_init (&w);
  put_u (&w, 8, 137);
  put_u (&w, 8, 24);
  for (guint i = 0; i < 8; i++)
    put_u (&w, 16, primaries[i]);
  put_u (&w, 32, 10000000);
  put_u (&w, 32, 50);
  put_u (&w, 8, 144);
  put_u (&w, 8, 4);
  put_u (&w, 16, 1200);
  put_u (&w, 16, 300);
  return bit_writer_to_nal (&w, 0, H264_NAL_SEI);
}

static GstBuffer *
picture_with_hdr_sei (const HandmadePicture *picture)
{
  static const guint8 start_code[4] = { 0, 0, 0, 1 };
  GByteArray *unit = make_hdr_sei (), *data = handmade_picture_data (picture);
  gsize size;

  g_byte_array_prepend (data, unit->data, unit->len);
  g_byte_array_prepend (data, start_code, 4);
  g_byte_array_unref (unit);
  size = data->len;
  return gst_buffer_new_wrapped (g_byte_array_free (data, FALSE), size);
}

static void
check_hdr_caps (Handmade *t, guint max_content_light_level)
{
  GstCaps *caps = gst_pad_get_current_caps (t->h->sinkpad);
  GstVideoMasteringDisplayInfo display;
  GstVideoContentLightLevel light;

  fail_unless (gst_video_mastering_display_info_from_caps (&display, caps));
  fail_unless (display.display_primaries[0].x == 35400 && display.display_primaries[0].y == 14600);
  fail_unless (display.display_primaries[1].x == 8500 && display.display_primaries[2].y == 2300);
  fail_unless (display.white_point.x == 15635 && display.white_point.y == 16450);
  fail_unless (display.max_display_mastering_luminance == 10000000 && display.min_display_mastering_luminance == 50);
  fail_unless (gst_video_content_light_level_from_caps (&light, caps));
  fail_unless_equals_int (light.max_content_light_level, max_content_light_level);
  fail_unless_equals_int (light.max_frame_average_light_level, max_content_light_level / 4);
  gst_caps_unref (caps);
}

/* SEI messages tell in caps of what the container does not; caps that change in the middle cost no reference. */
GST_START_TEST (test_hdr_sei)
{
  static const HandmadePicture key = { 'D', 0, 0 }, second = { 'P', 1, 2 };
  Handmade t;

  open_with (&t, &no_reordering, FALSE);
  handmade_push (&t, picture_with_hdr_sei (&key));
  check_hdr_caps (&t, 1200);
  handmade_finish (&t);
  handmade_close (&t);

  open_with (&t, &no_reordering, FALSE);
  handmade_push_picture (&t, &key, 0);
  handmade_push (&t, picture_with_hdr_sei (&second));
  check_hdr_caps (&t, 1200);
  push_pictures (&t, { 'P', 2, 4 });
  handmade_finish (&t);
  check_output (&t, "0 2 4");
  handmade_close (&t);

  handmade_open (&t, 1, TRUE);
  gst_harness_set_src_caps_str (t.h, "video/x-h264, stream-format=byte-stream, alignment=au, content-light-level=(string)\"400:100\"");
  handmade_push_sps (&t, &no_reordering);
  handmade_push (&t, picture_with_hdr_sei (&key));
  check_hdr_caps (&t, 400);
  handmade_finish (&t);
  handmade_close (&t);
}

GST_END_TEST;

/* Captions and the like go with their frame. */
GST_START_TEST (test_metas)
{
  static const HandmadePicture pictures[] = { { 'D', 0, 0 }, { 'P', 1, 4 }, { 'B', 2, 2, TRUE } };
  Handmade t;

  open_with (&t, &one_reordered, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    const guint8 caption[3] = { 0xfc, 0x80, (guint8) pictures[i].poc };
    GstBuffer *buffer = handmade_picture (&pictures[i], i);

    gst_buffer_add_video_caption_meta (buffer, GST_VIDEO_CAPTION_TYPE_CEA708_RAW, caption, 3);
    handmade_push (&t, buffer);
  }
  handmade_finish (&t);
  check_output (&t, "0 2 4");
  for (guint i = 0; i < 3; i++) {
    GstVideoCaptionMeta *meta = gst_buffer_get_video_caption_meta (handmade_output (&t, i)->metas);

    fail_unless (meta && meta->size == 3);
    fail_unless_equals_int (meta->data[2], 2 * i);
  }
  handmade_close (&t);
}

GST_END_TEST;

/* Slices that come before the parameter sets cannot be read, and are no damage to the key picture behind the sets. */
GST_START_TEST (test_before_sets)
{
  Handmade t;

  handmade_open (&t, 1, TRUE);
  push_pictures (&t, { 'P', 3, 6 }, { 'P', 4, 8 });
  handmade_push_sps (&t, &no_reordering);
  push_pictures (&t, { 'D', 0, 0 }, { 'P', 1, 2 });
  handmade_finish (&t);
  check_output (&t, "0 2");
  handmade_close (&t);

  handmade_open (&t, 1, TRUE);
  push_pictures (&t, { 'P', 3, 6 }, { 'P', 4, 8 });
  handmade_push_sps (&t, &no_reordering);
  push_pictures (&t, { 'I', 5, 10, .recovery_frame_cnt_plus1 = 1 }, { 'P', 6, 12 });
  handmade_finish (&t);
  check_output (&t, "10 12");
  handmade_close (&t);
}

GST_END_TEST;

/* Three temporal layers, of which a server drops the upper two: frame_num goes on by two, and each picture refers to the one two before.
 * Where one refers to a frame that was dropped, it is flagged, and so is what refers to it. */
GST_START_TEST (test_dropped_layers)
{
  static const HandmadeSps layered = { .fps = 25, .gaps_allowed = TRUE };
  Handmade t;

  open_with (&t, &layered, FALSE);
  push_pictures (&t, { 'D', 0, 0 }, { 'P', 2, 8, .refers_back = 2 }, { 'P', 4, 16, .refers_back = 2 }, { 'P', 6, 24, .refers_back = 2 });
  handmade_finish (&t);
  check_output (&t, "0 8 16 24");
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
  handmade_close (&t);

  open_with (&t, &layered, FALSE);
  push_pictures (&t, { 'D', 0, 0 }, { 'P', 2, 8 }, { 'P', 4, 16, .refers_back = 4 }, { 'P', 6, 24, .refers_back = 2 },
      { 'P', 8, 32, .refers_back = 1 }, { 'P', 10, 40, .refers_back = 2 }, { 'D', 0, 0 });
  handmade_finish (&t);
  check_output (&t, "0 8! 16 24 32! 40! 0");
  handmade_close (&t);
}

GST_END_TEST;

static Suite *
h264entropyrecovery_suite (void)
{
  Suite *s = suite_create ("h264entropyrecovery");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_no_key_picture);
  tcase_add_test (tc, test_left_out);
  tcase_add_test (tc, test_recovery_point);
  tcase_add_test (tc, test_recovery_points_overlap);
  tcase_add_test (tc, test_leading_pictures);
  tcase_add_test (tc, test_leading_pictures_after_seek);
  tcase_add_test (tc, test_new_segment);
  tcase_add_test (tc, test_discont);
  tcase_add_test (tc, test_corrected_segment);
  tcase_add_test (tc, test_before_sets);
  tcase_add_test (tc, test_dropped_layers);
  tcase_add_test (tc, test_loss);
  tcase_add_test (tc, test_loss_until_recovery_point);
  tcase_add_test (tc, test_intra_picture_after_loss);
  tcase_add_test (tc, test_hdr_sei);
  tcase_add_test (tc, test_metas);
  return s;
}

GST_CHECK_MAIN (h264entropyrecovery);
