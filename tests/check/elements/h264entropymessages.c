/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What h264entropy says while nothing comes out of it: what it waits for, what is broken, that nobody takes its pictures; and what the
 * properties max-errors, automatic-request-sync-points and min-force-key-unit-interval change.
 */
#include <gst/check/gstcheck.h>

#include "handmade.h"

#define MS GST_MSECOND

static const HandmadeSps no_reordering = { .fps = 25 };

static void
open_at_time (Handmade *t, const HandmadeSps *sps)
{
  handmade_open (t, 1, TRUE);
  gst_harness_use_testclock (t->h);
  if (sps)
    handmade_push_sps (t, sps);
}

/* Pictures like @picture, one each 100 ms of the clock, so many that @duration passes */
static void
push_for (Handmade *t, HandmadePicture picture, GstClockTime from, GstClockTime duration)
{
  for (GstClockTime time = 0; time < duration; time += 100 * MS) {
    gst_harness_set_time (t->h, from + time);
    picture.frame_num++;
    picture.poc += 2;
    handmade_push_picture (t, &picture, time);
  }
}

/* Nothing for some time, then every three seconds; once a picture comes, it is silent, and waiting begins anew behind a flush. */
GST_START_TEST (test_wait_for_key_picture)
{
  static const HandmadePicture p = { 'P', 5, 10 }, d = { 'D' };
  Handmade t;

  open_at_time (&t, &no_reordering);
  push_for (&t, p, 0, 3 * GST_SECOND);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING, NULL), 0);
  push_for (&t, p, 3 * GST_SECOND, GST_SECOND);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING, "IDR picture, an I picture or a recovery point.  31 pictures"),
      1);
  push_for (&t, p, 4 * GST_SECOND, 6 * GST_SECOND);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING, "decoding waits"), 2);
  handmade_push_picture (&t, &d, 10 * GST_SECOND);
  push_for (&t, (HandmadePicture){ 'P' }, 10 * GST_SECOND, 10 * GST_SECOND);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING, NULL), 0);
  fail_unless_equals_int (t.output->len, 101);
  handmade_close (&t);
}

GST_END_TEST;

/* Parameter sets alone, and pictures at none of which decoding can begin, end with different words. */
GST_START_TEST (test_end_without_pictures)
{
  Handmade t;

  open_at_time (&t, &no_reordering);
  gst_harness_push_event (t.h, gst_event_new_eos ());
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_ERROR, "there is none in what came"), 1);
  handmade_close (&t);

  open_at_time (&t, &no_reordering);
  handmade_push_picture (&t, &(HandmadePicture){ 'P', 1, 2 }, 0);
  gst_harness_push_event (t.h, gst_event_new_eos ());
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_ERROR, "none at which decoding can begin"), 1);
  handmade_close (&t);
}

GST_END_TEST;

/* The point is announced, and far away. */
GST_START_TEST (test_wait_for_recovery_point)
{
  static const HandmadePicture begin = { 'P', 0, 0, FALSE, 15 };
  Handmade t;

  open_at_time (&t, &no_reordering);
  handmade_push_picture (&t, &begin, 0);
  gst_harness_set_time (t.h, 4 * GST_SECOND);
  handmade_push_picture (&t, &(HandmadePicture){ 'P', 1, 2 }, 40 * MS);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING, "recovery point that the stream has announced.  2 pictures"),
      1);
  handmade_close (&t);
}

GST_END_TEST;

/* Nobody sends parameter sets.  When they come, what was before is no damage. */
GST_START_TEST (test_wait_for_sets)
{
  static const HandmadePicture d = { 'D' };
  Handmade t;

  gst_buffer_unref (handmade_sets (&no_reordering));
  open_at_time (&t, NULL);
  push_for (&t, d, 0, 4 * GST_SECOND);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING, "no PPS"), 1);
  handmade_push_sps (&t, &no_reordering);
  handmade_push_picture (&t, &d, 0);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 1);
  fail_if (handmade_is_corrupted (&t, 0));
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
  handmade_close (&t);

  handmade_open (&t, 1, TRUE);
  push_for (&t, d, 0, GST_SECOND);
  handmade_finish (&t);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_ERROR, "no PPS"), 1);
  handmade_close (&t);
}

GST_END_TEST;

/* An SPS that ends before its size, sent again and again */
GST_START_TEST (test_broken_sps)
{
  static const guint8 sps[] = { 0, 0, 0, 1, 0x67, 66, 0, 30, 0xf4 };
  static const HandmadePicture d = { 'D' };
  GstMessage *message;
  Handmade t;
  guint n = 0;

  gst_buffer_unref (handmade_sets (&no_reordering));
  handmade_open (&t, 1, TRUE);
  for (guint i = 0; i < 10; i++) {
    handmade_push (&t, gst_buffer_new_memdup (sps, sizeof (sps)));
    handmade_push_picture (&t, &d, i * 40 * MS);
  }
  handmade_finish (&t);
  while ((message = gst_bus_pop_filtered (t.bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR))) {
    GError *error = NULL;

    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
      gst_message_parse_warning (message, &error, NULL);
    else
      gst_message_parse_error (message, &error, NULL);
    fail_unless (strstr (error->message, "the SPS ends too early") != NULL, "%s", error->message);
    g_error_free (error);
    gst_message_unref (message);
    n++;
  }
  fail_unless_equals_int (n, 2);
  handmade_close (&t);
}

GST_END_TEST;

/* Nobody is behind the element; then somebody is: decoding begins at the next key picture, and nothing of that is damage. */
GST_START_TEST (test_not_linked)
{
  static const HandmadePicture d = { 'D' };
  Handmade t;
  GstPad *src, *peer;

  handmade_open (&t, 1, TRUE);
  src = gst_element_get_static_pad (t.h->element, "src");
  peer = gst_pad_get_peer (src);
  fail_unless (gst_pad_unlink (src, peer));
  gst_harness_push (t.h, handmade_sets (&no_reordering));
  fail_unless_equals_int (gst_harness_push (t.h, handmade_picture (&d, 0)), GST_FLOW_NOT_LINKED);
  for (guint i = 1; i < 5; i++)
    fail_unless_equals_int (gst_harness_push (t.h, handmade_picture (&(HandmadePicture){ 'P', i, 2 * i }, i * 40 * MS)),
        GST_FLOW_NOT_LINKED);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, "Nobody takes the pictures"), 1);
  fail_unless_equals_int (gst_pad_link (src, peer), GST_PAD_LINK_OK);
  gst_pad_push_event (peer, gst_event_new_reconfigure ());
  handmade_push_picture (&t, &(HandmadePicture){ 'P', 5, 10 }, 200 * MS);
  handmade_push_picture (&t, &d, 240 * MS);
  handmade_push_picture (&t, &(HandmadePicture){ 'P', 1, 2 }, 280 * MS);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 2);
  fail_if (handmade_is_corrupted (&t, 0) || handmade_is_corrupted (&t, 1));
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
  gst_object_unref (peer);
  gst_object_unref (src);
  handmade_close (&t);
}

GST_END_TEST;

static const HandmadePicture damaged[] = { { 'D' }, { 'P', 2, 4 }, { 'P', 4, 8 }, { 'P', 5, 10 }, { 'P', 7, 14 }, { 'P', 9, 18 },
  { 'P', 11, 22 } };

/* Pictures 1, 2, 4, 5 and 6 come behind losses: two in a row, then three. */
GST_START_TEST (test_max_errors)
{
  static const struct
  {
    gint max_errors;
    guint n_good;
  } cases[] = { { -1, 7 }, { 3, 7 }, { 2, 6 }, { 1, 2 }, { 0, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint n = 0;
    Handmade t;

    handmade_open (&t, 1, TRUE);
    g_object_set (t.h->element, "max-errors", cases[i].max_errors, NULL);
    handmade_push_sps (&t, &no_reordering);
    while (n < 7 && gst_harness_push (t.h, handmade_picture (&damaged[n], n * 40 * MS)) == GST_FLOW_OK)
      n++;
    fail_unless_equals_int (n, cases[i].n_good);
    fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_ERROR, "pictures in a row"), n < 7);
    handmade_close (&t);
  }
}

GST_END_TEST;

GST_START_TEST (test_key_unit_requests)
{
  static const struct
  {
    gboolean requests;
    guint64 interval;
    guint n;
  } cases[] = { { TRUE, GST_SECOND, 1 }, { TRUE, 0, 6 }, { TRUE, G_MAXUINT64, 1 }, { FALSE, 0, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Handmade t;

    handmade_open (&t, 1, TRUE);
    g_object_set (t.h->element, "automatic-request-sync-points", cases[i].requests, "min-force-key-unit-interval", cases[i].interval, NULL);
    handmade_push_sps (&t, &no_reordering);
    for (guint n = 0; n < G_N_ELEMENTS (damaged); n++)
      handmade_push_picture (&t, &damaged[n], n * 40 * MS);
    fail_unless_equals_int (handmade_count_key_unit_requests (&t), cases[i].n);
    handmade_close (&t);
  }
}

GST_END_TEST;

/* The stage that outputs frames is told which are not wanted. */
GST_START_TEST (test_discard_corrupted)
{
  for (guint discard = 0; discard < 2; discard++) {
    Handmade t;

    handmade_open (&t, 1, TRUE);
    g_object_set (t.h->element, "discard-corrupted-frames", discard, NULL);
    handmade_push_sps (&t, &no_reordering);
    handmade_push_picture (&t, &damaged[0], 0);
    handmade_finish (&t);
    fail_unless_equals_int (handmade_output (&t, 0)->discard_corrupted, discard);
    handmade_close (&t);
  }
}

GST_END_TEST;

static Suite *
h264entropymessages_suite (void)
{
  Suite *suite = suite_create ("h264entropymessages");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_wait_for_key_picture);
  tcase_add_test (tcase, test_end_without_pictures);
  tcase_add_test (tcase, test_wait_for_recovery_point);
  tcase_add_test (tcase, test_wait_for_sets);
  tcase_add_test (tcase, test_broken_sps);
  tcase_add_test (tcase, test_not_linked);
  tcase_add_test (tcase, test_max_errors);
  tcase_add_test (tcase, test_key_unit_requests);
  tcase_add_test (tcase, test_discard_corrupted);
  return suite;
}

GST_CHECK_MAIN (h264entropymessages);
