/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The row of elements, as text and as a bin.
 */
#include <gst/check/gstcheck.h>

#include "gstcodedstages.h"
#include "gstdecoderow.h"

static void
assert_row (const GstDecodeRow *row, const gchar *expected)
{
  gchar *text = gst_decode_row_describe (row);

  fail_unless_equals_string (text, expected);
  g_free (text);
}

GST_START_TEST (test_describe)
{
  GstDecodeRow row = GST_DECODE_ROW_INIT;

  assert_row (&row,
      "h264entropy n-threads=0 ! gpuidct backend=opencl platform=-1 device=-1 ! "
      "gpuinterpred backend=opencl platform=-1 device=-1 ! gpuintrapred backend=opencl platform=-1 device=-1 ! "
      "gpudeblock backend=opencl platform=-1 device=-1");
  row = (GstDecodeRow){ .backend = "c", .platform = 1, .device = 2, .n_threads = 3, .n_stages = 1, .queues = TRUE };
  assert_row (&row, "h264entropy n-threads=3 ! queue ! gpuidct backend=c platform=1 device=2");
  row.n_stages = 0;
  assert_row (&row, "h264entropy n-threads=3");
}

GST_END_TEST;

GST_START_TEST (test_stages)
{
  static const gchar *const expected[] = { "gpuidct", "gpuinterpred", "gpuintrapred", "gpudeblock" };
  gchar *text;

  fail_unless_equals_int (gst_decode_row_get_n_stages (), G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    fail_unless_equals_string (gst_decode_row_get_stage (i), expected[i]);
  fail_if (gst_decode_row_get_stage (G_N_ELEMENTS (expected)));
  text = gst_coded_stages_name_elements (GST_CODED_STAGE_IDCT | GST_CODED_STAGE_DEBLOCK, NULL);
  fail_unless_equals_string (text, "gpuidct ! gpudeblock");
  g_free (text);
  text = gst_coded_stages_name_elements (GST_CODED_STAGE_EXTRA | GST_CODED_STAGE_IDCT, "identity");
  fail_unless_equals_string (text, "identity ! gpuidct");
  g_free (text);
  text = gst_coded_stages_name_works (GST_CODED_STAGE_INTERPRED | GST_CODED_STAGE_INTRAPRED);
  fail_unless_equals_string (text, "inter prediction, intra prediction");
  g_free (text);
}

GST_END_TEST;

GST_START_TEST (test_remove)
{
  gchar *text = gst_decode_row_remove ("h264entropy ! gpuidct backend=c ! gpudeblock", "gpuidct");

  fail_unless_equals_string (text, "h264entropy ! gpudeblock");
  g_free (text);
}

GST_END_TEST;

/* The registry of these tests has none of the elements. */
GST_START_TEST (test_missing_elements)
{
  const GstDecodeRow row = GST_DECODE_ROW_INIT;
  GError *error = NULL;

  fail_if (gst_decode_row_make_bin (&row, &error));
  fail_unless (g_error_matches (error, GST_PARSE_ERROR, GST_PARSE_ERROR_NO_SUCH_ELEMENT));
  fail_unless (strstr (error->message, "h264entropy") != NULL, "%s", error->message);
  g_error_free (error);
}

GST_END_TEST;

/* Elements that everybody has stand for stages: one is found in a bin within the bin. */
GST_START_TEST (test_find)
{
  GstElement *bin = gst_parse_launch ("fakesrc ! ( identity name=inner ) ! fakesink", NULL), *found;

  found = gst_decode_row_find (GST_BIN (bin), "identity");
  fail_unless (found != NULL);
  fail_unless_equals_string (GST_OBJECT_NAME (found), "inner");
  gst_object_unref (found);
  fail_if (gst_decode_row_find (GST_BIN (bin), "queue"));
  gst_object_unref (bin);
}

GST_END_TEST;

static Suite *
decoderow_suite (void)
{
  Suite *suite = suite_create ("decoderow");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_describe);
  tcase_add_test (tcase, test_stages);
  tcase_add_test (tcase, test_remove);
  tcase_add_test (tcase, test_missing_elements);
  tcase_add_test (tcase, test_find);
  return suite;
}

GST_CHECK_MAIN (decoderow);
