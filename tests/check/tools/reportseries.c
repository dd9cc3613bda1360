/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a report of hours keeps: series of bounded length, a bounded log; and how it is written.
 */
#include <gst/check/gstcheck.h>
#include <gst/video/video.h>
#include <math.h>

#include "reportlog.h"
#include "reportseries.h"

GST_START_TEST (test_points)
{
  ReportSeries *series = report_series_new ();
  /* columns, by the order in which they are added */
  const guint sum = 0, times = 1, later = 2;

  fail_unless_equals_int (report_series_add_column (series, REPORT_SUM), sum);
  fail_unless_equals_int (report_series_add_column (series, REPORT_FIRST), times);
  for (guint i = 0; i < REPORT_SERIES_MAX_POINTS; i++) {
    report_series_add (series, sum, i, i);
    report_series_add (series, sum, i, 1);
    report_series_add (series, times, i, 10 * i);
    report_series_add (series, times, i, -1);
  }
  fail_unless_equals_uint64 (report_series_get_step (series), 1);
  fail_unless_equals_int (report_series_get_length (series), REPORT_SERIES_MAX_POINTS);
  fail_unless_equals_float (report_series_get (series, sum, 7), 8);
  fail_unless_equals_float (report_series_get (series, times, 7), 70);

  /* one frame more than there is room for */
  report_series_add (series, sum, REPORT_SERIES_MAX_POINTS, 5);
  fail_unless_equals_uint64 (report_series_get_step (series), 2);
  fail_unless_equals_int (report_series_get_length (series), REPORT_SERIES_MAX_POINTS / 2 + 1);
  fail_unless_equals_float (report_series_get (series, sum, 7), 15 + 16);
  fail_unless_equals_float (report_series_get (series, times, 7), 140);
  fail_unless_equals_float (report_series_get (series, sum, REPORT_SERIES_MAX_POINTS / 2), 5);
  fail_unless (isnan (report_series_get (series, times, REPORT_SERIES_MAX_POINTS / 2)));

  /* a column that comes later has nothing of the frames before; a late value finds its point */
  fail_unless_equals_int (report_series_add_column (series, REPORT_SUM), later);
  report_series_add (series, later, 5, 2);
  report_series_add (series, later, 4, 1);
  fail_unless_equals_float (report_series_get (series, later, 2), 3);
  fail_unless_equals_float (report_series_get (series, later, 900), 0);
  report_series_free (series);
}

GST_END_TEST;

GST_START_TEST (test_hours)
{
  ReportSeries *series = report_series_new ();
  guint sum = report_series_add_column (series, REPORT_SUM);
  const guint64 n = G_GUINT64_CONSTANT (1) << 50;
  gdouble total = 0;

  for (guint64 frame = 0; frame < 1000000; frame++)
    report_series_add (series, sum, frame, 1);
  fail_unless_equals_uint64 (report_series_get_step (series), 512);
  fail_unless_equals_int (report_series_get_length (series), 1954);
  fail_unless_equals_float (report_series_get (series, sum, 1), 512);
  report_series_add (series, sum, n, 1);
  fail_unless (report_series_get_length (series) <= REPORT_SERIES_MAX_POINTS);
  for (guint i = 0; i < report_series_get_length (series); i++)
    total += report_series_get (series, sum, i);
  fail_unless_equals_float (total, 1000001);
  report_series_free (series);
}

GST_END_TEST;

static gchar *
write_log (const ReportLog *log)
{
  JsonWriter json;
  gchar *text;

  json_writer_init (&json);
  json_begin_object (&json, NULL);
  report_log_write (log, &json);
  json_end_object (&json);
  text = g_strdup (json.text->str);
  json_writer_clear (&json);
  return text;
}

GST_START_TEST (test_log)
{
  ReportLog *log = report_log_new ();
  gchar *text;

  report_log_add_message (log, "warning", "h264entropy0", "a slice is lost", 0.5, 3);
  report_log_add_message (log, "note", "h264entropy0", "a slice is lost", 0.75, 4);
  report_log_add_message (log, "warning", "h264entropy0", "a slice is lost", 1.5, 9);
  report_log_add_frame (log, 0, 0, GST_BUFFER_FLAG_DISCONT);
  report_log_add_frame (log, 1, GST_SECOND, GST_BUFFER_FLAG_CORRUPTED);
  report_log_add_frame (log, 2, 2 * GST_SECOND, GST_BUFFER_FLAG_CORRUPTED);
  report_log_add_frame (log, 4, GST_CLOCK_TIME_NONE, GST_BUFFER_FLAG_CORRUPTED | GST_VIDEO_BUFFER_FLAG_TOP_FIELD);
  text = write_log (log);
  fail_unless_equals_string (text,
      "{\"messages\":["
      "{\"kind\":\"warning\",\"source\":\"h264entropy0\",\"text\":\"a slice is lost\",\"first\":0.5,\"last\":1.5,\"frame\":3,\"count\":2},"
      "{\"kind\":\"note\",\"source\":\"h264entropy0\",\"text\":\"a slice is lost\",\"first\":0.75,\"last\":0.75,\"frame\":4,\"count\":1}],"
      "\"more_messages\":0,\"flags\":["
      "{\"flag\":\"corrupted\",\"count\":3,\"runs\":[{\"first\":1,\"last\":2,\"from\":1,\"to\":2},"
      "{\"first\":4,\"last\":4,\"from\":null,\"to\":null}]},"
      "{\"flag\":\"discont\",\"count\":1,\"runs\":[{\"first\":0,\"last\":0,\"from\":0,\"to\":0}]},"
      "{\"flag\":\"one field\",\"count\":1,\"runs\":[{\"first\":4,\"last\":4,\"from\":null,\"to\":null}]}]}");
  g_free (text);
  fail_unless_equals_uint64 (report_log_count_corrupted (log), 3);
  report_log_free (log);
}

GST_END_TEST;

GST_START_TEST (test_log_is_bounded)
{
  ReportLog *log = report_log_new ();
  gsize size;
  gchar *text;

  for (guint i = 0; i < 20000; i++) {
    gchar *message = g_strdup_printf ("%u macroblocks are lost", i);

    if (i < 1000)
      report_log_add_message (log, "warning", "h264entropy0", message, i, i);
    g_free (message);
    report_log_add_frame (log, 2 * i, GST_CLOCK_TIME_NONE, GST_BUFFER_FLAG_CORRUPTED);
  }
  text = write_log (log);
  size = strlen (text);
  fail_unless (strstr (text, "\"more_messages\":800") != NULL);
  fail_unless (size < 100000, "%" G_GSIZE_FORMAT " bytes", size);
  fail_unless_equals_uint64 (report_log_count_corrupted (log), 20000);
  g_free (text);
  report_log_free (log);
}

GST_END_TEST;

GST_START_TEST (test_json)
{
  JsonWriter json;

  json_writer_init (&json);
  json_begin_object (&json, NULL);
  json_add_string (&json, "a\"b", "</script>&\\\n\xff");
  json_add_string (&json, "none", NULL);
  json_begin_array (&json, "numbers");
  json_add_number (&json, NULL, 0);
  json_add_number (&json, NULL, -3);
  json_add_number (&json, NULL, 9007199254740992.0);
  json_add_number (&json, NULL, 0.25);
  json_add_number (&json, NULL, NAN);
  json_begin_array (&json, NULL);
  json_end_array (&json);
  json_add_number (&json, NULL, 1);
  json_end_array (&json);
  json_add_boolean (&json, "yes", TRUE);
  json_end_object (&json);
  fail_unless_equals_string (json.text->str,
      "{\"a\\u0022b\":\"\\u003c/script\\u003e\\u0026\\u005c\\u000a\xef\xbf\xbd\",\"none\":null,"
      "\"numbers\":[0,-3,9007199254740992,0.25,null,[],1],\"yes\":true}");
  json_writer_clear (&json);
}

GST_END_TEST;

static Suite *
reportseries_suite (void)
{
  Suite *s = suite_create ("reportseries");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_points);
  tcase_add_test (tc, test_hours);
  tcase_add_test (tc, test_log);
  tcase_add_test (tc, test_log_is_bounded);
  tcase_add_test (tc, test_json);
  return s;
}

GST_CHECK_MAIN (reportseries);
