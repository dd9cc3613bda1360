/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams that break rules which players forgive, and the property strict, which does not.
 */
#include <gst/check/gstcheck.h>

#include "handmade.h"

#define MS GST_MSECOND

static void
open_stream (Handmade *t, const HandmadeSps *sps, gboolean strict)
{
  handmade_open (t, 1, TRUE);
  gst_element_set_state (t->h->element, GST_STATE_READY);
  g_object_set (t->h->element, "strict", strict, NULL);
  gst_element_set_state (t->h->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps_str (t->h, "video/x-h264, stream-format=byte-stream, alignment=au");
  handmade_push_sps (t, sps);
}

static void
push_pictures (Handmade *t, const HandmadePicture *pictures, guint n, guint first)
{
  for (guint i = 0; i < n; i++)
    handmade_push_picture (t, &pictures[i], (first + i) * 40 * MS);
}

static guint
count_corrupted (const Handmade *t)
{
  guint n = 0;

  for (guint i = 0; i < t->output->len; i++)
    n += handmade_is_corrupted (t, i);
  return n;
}

/* idr_pic_id is always the same: with times of their own, even equal bytes are pictures. */
GST_START_TEST (test_same_idr_pic_id)
{
  static const HandmadeSps sps = { .fps = 25 };
  static const HandmadePicture pictures[] = { { 'D' }, { 'D' }, { 'D' } };

  for (guint strict = 0; strict < 2; strict++) {
    Handmade t;

    open_stream (&t, &sps, (gboolean) strict);
    push_pictures (&t, pictures, G_N_ELEMENTS (pictures), 0);
    handmade_finish (&t);
    fail_unless_equals_int (t.output->len, strict ? 1 : 3);
    if (!strict)
      fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
    handmade_close (&t);
  }
}

GST_END_TEST;

/* frame_num is always 0, and there is one reference frame. */
GST_START_TEST (test_constant_frame_num)
{
  static const HandmadeSps sps = { .fps = 25, .one_reference = TRUE };
  static const HandmadePicture pictures[] = { { 'D' }, { 'P', 0, 2 }, { 'P', 0, 4 }, { 'P', 0, 6 } };

  for (guint strict = 0; strict < 2; strict++) {
    Handmade t;

    open_stream (&t, &sps, (gboolean) strict);
    push_pictures (&t, pictures, G_N_ELEMENTS (pictures), 0);
    handmade_finish (&t);
    fail_unless_equals_int (t.output->len, 4);
    fail_unless_equals_int (count_corrupted (&t), strict ? 3 : 0);
    handmade_close (&t);
  }
}

GST_END_TEST;

/* An IDR picture's frame_num goes on from those before it. */
GST_START_TEST (test_idr_frame_num)
{
  static const HandmadeSps sps = { .fps = 25 };
  static const HandmadePicture pictures[] = { { 'D' }, { 'P', 1, 2 }, { 'D', 2, 0 }, { 'P', 3, 2 } };

  for (guint strict = 0; strict < 2; strict++) {
    Handmade t;

    open_stream (&t, &sps, (gboolean) strict);
    push_pictures (&t, pictures, G_N_ELEMENTS (pictures), 0);
    handmade_finish (&t);
    fail_unless_equals_int (t.output->len, strict ? 3 : 4);
    fail_unless_equals_int (count_corrupted (&t), strict ? 1 : 0);
    handmade_close (&t);
  }
}

GST_END_TEST;

/* An access unit that comes again with the same time is no picture; with another time it is one. */
GST_START_TEST (test_twice)
{
  static const HandmadeSps sps = { .fps = 25 };
  static const HandmadePicture pictures[] = { { 'D' }, { 'P', 1, 2 }, { 'P', 2, 4 } };
  Handmade t;

  open_stream (&t, &sps, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    handmade_push_picture (&t, &pictures[i], i * 40 * MS);
    handmade_push_picture (&t, &pictures[i], i * 40 * MS);
  }
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 3);
  fail_unless_equals_int (count_corrupted (&t), 0);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
  handmade_close (&t);

  /* without times: P pictures are left out, IDR pictures may be alike */
  open_stream (&t, &sps, FALSE);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (pictures); i++)
    handmade_push_picture (&t, &pictures[i / 2], GST_CLOCK_TIME_NONE);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 4);
  fail_unless_equals_int (count_corrupted (&t), 0);
  handmade_close (&t);
}

GST_END_TEST;

/* An SPS with another frame rate comes in the middle: what follows refers to what was before. */
GST_START_TEST (test_new_sps)
{
  static const HandmadeSps sps = { .fps = 25 }, other = { .fps = 50 };
  static const HandmadePicture pictures[] = { { 'D' }, { 'P', 1, 2 }, { 'P', 2, 4 }, { 'P', 3, 6 } };
  GstStructure *s;
  gint fps_n;
  GstCaps *caps;
  Handmade t;

  open_stream (&t, &sps, FALSE);
  push_pictures (&t, pictures, 2, 0);
  handmade_push_sps (&t, &other);
  push_pictures (&t, pictures + 2, 2, 2);
  caps = gst_pad_get_current_caps (t.h->sinkpad);
  s = gst_caps_get_structure (caps, 0);
  fail_unless (gst_structure_get_fraction (s, "framerate", &fps_n, &(gint){ 0 }));
  fail_unless_equals_int (fps_n, 50);
  gst_caps_unref (caps);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 4);
  fail_unless_equals_int (count_corrupted (&t), 0);
  handmade_close (&t);
}

GST_END_TEST;

/* A picture is lost, and with it the one reference: the next one is flagged, but shows what was before.  Those behind it refer to it. */
GST_START_TEST (test_gap)
{
  static const HandmadeSps sps = { .fps = 25, .one_reference = TRUE };
  static const HandmadePicture pictures[] = { { 'D' }, { 'P', 1, 2 }, { 'P', 3, 6 }, { 'P', 4, 8 } };
  GstBuffer *buffer;
  Handmade t;

  open_stream (&t, &sps, FALSE);
  push_pictures (&t, pictures, 2, 0);
  handmade_push_picture (&t, &pictures[2], 120 * MS);
  fail_unless_equals_int (t.output->len, 3);
  fail_unless (handmade_is_corrupted (&t, 2));
  /* the buffer of the last picture itself: what it refers to is there */
  fail_unless_equals_int (gst_harness_push (t.h, handmade_picture (&pictures[3], 160 * MS)), GST_FLOW_OK);
  buffer = gst_harness_pull (t.h);
  fail_unless_equals_int (gst_buffer_get_coded_picture (buffer)->n_references, 1);
  fail_unless (gst_buffer_get_coded_picture (buffer)->references[0] == handmade_output (&t, 2));
  gst_buffer_unref (buffer);
  handmade_finish (&t);
  handmade_close (&t);
}

GST_END_TEST;

/* Behind an end of sequence comes a P picture. */
GST_START_TEST (test_end_of_sequence)
{
  static const guint8 end_of_seq[] = { 0, 0, 0, 1, 10 };
  static const HandmadeSps sps = { .fps = 25 };
  static const HandmadePicture pictures[] = { { 'D' }, { 'P', 1, 2 }, { 'P', 2, 4 }, { 'P', 3, 6 } };

  for (guint strict = 0; strict < 2; strict++) {
    Handmade t;

    open_stream (&t, &sps, (gboolean) strict);
    push_pictures (&t, pictures, 2, 0);
    handmade_push (&t, gst_buffer_new_memdup (end_of_seq, sizeof (end_of_seq)));
    push_pictures (&t, pictures + 2, 2, 2);
    handmade_finish (&t);
    fail_unless_equals_int (t.output->len, strict ? 2 : 4);
    fail_unless_equals_int (count_corrupted (&t), 0);
    handmade_close (&t);
  }
}

GST_END_TEST;

/* Byte stream data under caps that say avc, without codec_data: decoded, and said once; strictly the caps are an error. */
GST_START_TEST (test_framing)
{
  static const HandmadeSps sps = { .fps = 25 };
  static const HandmadePicture pictures[] = { { 'D' }, { 'P', 1, 2 } };
  Handmade t;

  handmade_open (&t, 1, TRUE);
  gst_harness_set_src_caps_str (t.h, "video/x-h264, stream-format=avc, alignment=au");
  handmade_push_sps (&t, &sps);
  push_pictures (&t, pictures, G_N_ELEMENTS (pictures), 0);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 2);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING, "byte stream"), 1);
  handmade_close (&t);
}

GST_END_TEST;

static Suite *
h264entropyleniency_suite (void)
{
  Suite *suite = suite_create ("h264entropyleniency");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_same_idr_pic_id);
  tcase_add_test (tcase, test_constant_frame_num);
  tcase_add_test (tcase, test_idr_frame_num);
  tcase_add_test (tcase, test_twice);
  tcase_add_test (tcase, test_new_sps);
  tcase_add_test (tcase, test_gap);
  tcase_add_test (tcase, test_end_of_sequence);
  tcase_add_test (tcase, test_framing);
  return suite;
}

GST_CHECK_MAIN (h264entropyleniency);
