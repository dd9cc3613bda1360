/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * QOS events at h264entropy: which pictures are not decoded, which are not output, and what is said of them.
 */
#include <gst/check/gstcheck.h>

#include "handmade.h"

#define MS GST_MSECOND

/* One each 40 ms: every other one is referred to. */
static const HandmadePicture pictures[] = { { 'D' }, { 'P', 1, 2, TRUE }, { 'P', 1, 4 }, { 'P', 2, 6, TRUE }, { 'P', 2, 8 },
  { 'P', 3, 10, TRUE }, { 'P', 3, 12 }, { 'P', 4, 14, TRUE }, { 'P', 4, 16 } };

static const HandmadeSps progressive = { .fps = 25 };

static void
push_from (Handmade *t, guint first, guint end)
{
  for (guint i = first; i < end; i++)
    handmade_push_picture (t, &pictures[i], i * 40 * MS);
}

/* Pictures of times before @timestamp + 2 * @diff + 40 ms come too late, where @diff is above 0. */
static void
push_qos (Handmade *t, GstQOSType type, GstClockTimeDiff diff, GstClockTime timestamp)
{
  gst_harness_push_upstream_event (t->h, gst_event_new_qos (type, 1.5, diff, timestamp));
}

/* Times of what is output, in units of 40 ms: ! is corrupted, | has DISCONT */
static void
check_output (const Handmade *t, const gchar *expected)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < t->output->len; i++)
    g_string_append_printf (text, "%s%s%u%s", i > 0 ? " " : "", handmade_flags (t, i) & GST_BUFFER_FLAG_DISCONT ? "|" : "",
        (guint) (handmade_output (t, i)->pts / (40 * MS)), handmade_is_corrupted (t, i) ? "!" : "");
  fail_unless (g_str_equal (text->str, expected), "output is %s, not %s", text->str, expected);
  g_string_free (text, TRUE);
}

/* Of the QOS messages: their number, and of the last one its time, and how many frames it says were output and left out */
static guint
take_qos_messages (Handmade *t, GstClockTime *timestamp, guint64 *processed, guint64 *dropped)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (t->bus, GST_MESSAGE_QOS))) {
    GstClockTime running_time, stream_time;
    GstClockTimeDiff jitter;
    GstFormat format;
    gdouble proportion;

    gst_message_parse_qos (message, NULL, &running_time, &stream_time, timestamp, NULL);
    gst_message_parse_qos_values (message, &jitter, &proportion, NULL);
    gst_message_parse_qos_stats (message, &format, processed, dropped);
    fail_unless (running_time == *timestamp && stream_time == *timestamp && proportion == 1.5 && jitter > 0);
    fail_unless_equals_int (format, GST_FORMAT_BUFFERS);
    gst_message_unref (message);
    n++;
  }
  return n;
}

/* What is before 280 ms is late: of the pictures 3 to 6, the two that nothing refers to are not decoded, the others not output. */
GST_START_TEST (test_late)
{
  guint64 processed = 0, dropped = 0;
  GstClockTime timestamp = 0;
  GstEvent *event;
  Handmade t;
  gboolean came = FALSE;

  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, &progressive);
  push_from (&t, 0, 3);
  push_qos (&t, GST_QOS_TYPE_UNDERFLOW, 70 * MS, 100 * MS);
  push_from (&t, 3, 8);
  fail_unless_equals_int (t.n_coded, 6);
  /* the picture behind it refers to the last but one, which was decoded and not output */
  fail_unless_equals_int (gst_harness_push (t.h, handmade_picture (&pictures[8], 320 * MS)), GST_FLOW_OK);
  handmade_finish (&t);
  fail_unless_equals_int (t.n_coded, 7);
  check_output (&t, "0 1 2 |7 8");
  fail_unless_equals_int (take_qos_messages (&t, &timestamp, &processed, &dropped), 4);
  fail_unless (timestamp == 240 * MS && processed == 3 && dropped == 4);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
  while ((event = gst_harness_try_pull_upstream_event (t.h))) {
    came |= GST_EVENT_TYPE (event) == GST_EVENT_QOS;
    gst_event_unref (event);
  }
  fail_unless (came, "the event goes on upstream");
  handmade_close (&t);
}

GST_END_TEST;

/* With threads the decisions are the same: they are taken when a picture begins. */
GST_START_TEST (test_late_with_threads)
{
  Handmade t;

  handmade_open (&t, 3, FALSE);
  handmade_push_sps (&t, &progressive);
  push_from (&t, 0, 1);
  push_qos (&t, GST_QOS_TYPE_UNDERFLOW, 70 * MS, 100 * MS);
  push_from (&t, 1, 9);
  handmade_finish (&t);
  fail_unless_equals_int (t.n_coded, 9 - 3);
  /* the first one waits for the second before it is complete, and is late by then */
  check_output (&t, "|7 8");
  handmade_close (&t);
}

GST_END_TEST;

/* In time, or without a time, or with qos=false, nothing is left out. */
GST_START_TEST (test_not_late)
{
  guint64 processed, dropped;
  GstClockTime timestamp;
  Handmade t;

  for (guint way = 0; way < 4; way++) {
    handmade_open (&t, 1, TRUE);
    handmade_push_sps (&t, &progressive);
    g_object_set (t.h->element, "qos", way != 0, NULL);
    if (way == 1)
      push_qos (&t, GST_QOS_TYPE_OVERFLOW, -70 * MS, 70 * MS);
    else if (way == 2)
      push_qos (&t, GST_QOS_TYPE_UNDERFLOW, 70 * MS, GST_CLOCK_TIME_NONE);
    else
      push_qos (&t, GST_QOS_TYPE_UNDERFLOW, 500 * MS, 100 * MS);
    for (guint i = 0; i < 9; i++)
      handmade_push_picture (&t, &pictures[i], way == 3 && i > 0 ? GST_CLOCK_TIME_NONE : (way == 3 ? 5000 : i * 40) * MS);
    handmade_finish (&t);
    fail_unless_equals_int (t.n_coded, 9);
    fail_unless_equals_int (t.output->len, 9);
    fail_unless_equals_int (take_qos_messages (&t, &timestamp, &processed, &dropped), 0);
    handmade_close (&t);
  }
}

GST_END_TEST;

/* A sink that throttles says until when it wants none. */
GST_START_TEST (test_throttle)
{
  Handmade t;

  handmade_open (&t, 1, TRUE);
  handmade_push_sps (&t, &progressive);
  push_qos (&t, GST_QOS_TYPE_THROTTLE, 100 * MS, 100 * MS);
  push_from (&t, 0, 9);
  handmade_finish (&t);
  check_output (&t, "|5 6 7 8");
  handmade_close (&t);
}

GST_END_TEST;

/* Behind a flush, and in a new segment, nothing is late before the sink says so again. */
GST_START_TEST (test_reset)
{
  GstSegment segment;
  Handmade t;

  for (guint flush = 0; flush < 2; flush++) {
    handmade_open (&t, 1, TRUE);
    handmade_push_sps (&t, &progressive);
    push_qos (&t, GST_QOS_TYPE_UNDERFLOW, 5000 * MS, 100 * MS);
    push_from (&t, 0, 3);
    fail_unless_equals_int (t.output->len, 0);
    if (flush) {
      gst_harness_push_event (t.h, gst_event_new_flush_start ());
      gst_harness_push_event (t.h, gst_event_new_flush_stop (TRUE));
    }
    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_harness_push_event (t.h, gst_event_new_segment (&segment));
    g_hash_table_remove_all (t.stores);
    push_from (&t, 0, 9);
    handmade_finish (&t);
    check_output (&t, "0 1 2 3 4 5 6 7 8");
    handmade_close (&t);
  }
}

GST_END_TEST;

/* Reordered: a B picture is left out between the pictures that it refers to, and those have their times. */
GST_START_TEST (test_reordered)
{
  static const HandmadeSps sps = { .fps = 25, .reorder = 1 };
  static const HandmadePicture in_order[] = { { 'D' }, { 'P', 1, 4 }, { 'B', 2, 2, TRUE }, { 'P', 2, 8 }, { 'B', 3, 6, TRUE } };
  static const guint times[] = { 0, 2, 1, 4, 3 };
  Handmade t;

  /* times of presentation; and of decoding, which frames exchange */
  for (guint decoding = 0; decoding < 2; decoding++) {
    handmade_open (&t, 1, TRUE);
    handmade_push_sps (&t, &sps);
    for (guint i = 0; i < G_N_ELEMENTS (in_order); i++) {
      GstBuffer *buffer = handmade_picture (&in_order[i], (decoding ? i : times[i]) * 40 * MS);

      GST_BUFFER_DTS (buffer) = i * 40 * MS;
      /* until 90 ms, when the second picture is already on its way */
      if (i == 2)
        push_qos (&t, GST_QOS_TYPE_THROTTLE, 90 * MS, 0);
      handmade_push (&t, buffer);
    }
    handmade_finish (&t);
    fail_unless_equals_int (t.n_coded, 4);
    check_output (&t, "0 |3 4");
    handmade_close (&t);
  }
}

GST_END_TEST;

/* Both fields of a frame are left out, or none. */
GST_START_TEST (test_fields)
{
  static const HandmadeSps sps = { .fps = 25, .interlaced = TRUE };
  static const HandmadePicture fields[] = { { 'D', 0, 0, .field = 1 }, { 'P', 0, 1, .field = 2 }, { 'P', 1, 2, TRUE, .field = 1 },
    { 'P', 1, 3, TRUE, .field = 2 }, { 'P', 1, 4, .field = 1 }, { 'P', 1, 5, .field = 2 } };

  for (guint between = 0; between < 2; between++) {
    Handmade t;

    handmade_open (&t, 1, TRUE);
    handmade_push_sps (&t, &sps);
    for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
      if (i == 2 + between)
        push_qos (&t, GST_QOS_TYPE_THROTTLE, 79 * MS, 0);
      handmade_push_picture (&t, &fields[i], i * 20 * MS);
    }
    handmade_finish (&t);
    fail_unless_equals_int (t.n_coded, between ? 6 : 4);
    check_output (&t, "0 |2");
    fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR, NULL), 0);
    handmade_close (&t);
  }
}

GST_END_TEST;

static Suite *
h264entropyqos_suite (void)
{
  Suite *suite = suite_create ("h264entropyqos");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_late);
  tcase_add_test (tcase, test_late_with_threads);
  tcase_add_test (tcase, test_not_late);
  tcase_add_test (tcase, test_throttle);
  tcase_add_test (tcase, test_reset);
  tcase_add_test (tcase, test_reordered);
  tcase_add_test (tcase, test_fields);
  return suite;
}

GST_CHECK_MAIN (h264entropyqos);
