/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The elements of the plugin gpupapers: I_PCM pictures through them, what they refuse, what gst-inspect-1.0 shows.
 */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <string.h>
#include "pcmpictures.h"
#include "testdevice.h"

/* 8 bits; odd macroblock counts */
static GstCodedFormat
make_format (guint chroma_format_idc)
{
  GstCodedFormat format;

  gst_coded_format_init (&format);
  format.coded_width = format.width = 80;
  format.coded_height = format.height = 48;
  format.chroma_format_idc = chroma_format_idc;
  format.bit_depth_luma = format.bit_depth_chroma = 8;
  format.n_surfaces = 2;

  return format;
}

static void
assert_frame (const GstCodedFormat *format, const GstVideoInfo *info, GstBuffer *buffer, guint32 number)
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  for (guint plane = 0; plane < 3; plane++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, plane); y++)
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, plane); x++)
        fail_unless_equals_int (((const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame,
                                    plane))[y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, plane) + x],
            pcm_picture_sample (format, number, plane, x, y));
  gst_video_frame_unmap (&frame);
}

/* I_PCM is no prediction: exact with scans too */
static const gchar *const rows[] = {
  "gpuidct ! papersintrapred algorithm=scan ! gpudeblock",
  "gpuidct ! papersintrapred algorithm=scan-restricted ! gpudeblock",
  "papersidct ! gpuintrapred ! gpudeblock",
};

GST_START_TEST (test_rows)
{
  GstCodedFormat format = make_format (1);
  GstHarness *h;

  if (!test_device_exists ("papersidct"))
    return;
  h = gst_harness_new_parse (rows[__i__]);
  gst_harness_set_sink_caps_str (h, "video/x-raw, format=I420");
  gst_harness_set_src_caps (h, gst_coded_format_to_caps (&format));
  for (guint i = 0; i < 4; i++) {
    GstCaps *caps;
    GstVideoInfo info;
    GstBuffer *buffer;

    fail_unless_equals_int (gst_harness_push (h, pcm_picture_new (&format, i, NULL)), GST_FLOW_OK);
    buffer = gst_harness_pull (h);
    caps = gst_pad_get_current_caps (h->sinkpad);
    fail_unless (gst_video_info_from_caps (&info, caps));
    assert_frame (&format, &info, buffer, i);
    gst_caps_unref (caps);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

/* papersintrapred ends with an error that says @expected: with @backend, for a picture of @chroma_format_idc. */
static void
assert_scan_refused (gint backend, guint chroma_format_idc, const gchar *expected)
{
  GstCodedFormat format = make_format (chroma_format_idc);
  GstElement *element = gst_element_factory_make ("papersintrapred", NULL);
  GstBus *bus = gst_bus_new ();
  GstHarness *h = NULL;
  GstMessage *message;
  GError *error;

  g_object_set (element, "algorithm", 0, "backend", backend, NULL);
  gst_element_set_bus (element, bus);
  if (gst_element_set_state (element, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS) {
    h = gst_harness_new_with_element (element, "sink", "src");
    gst_harness_set_sink_caps_str (h, "video/x-raw");
    gst_harness_set_src_caps (h, gst_coded_format_to_caps (&format));
    fail_unless_equals_int (gst_harness_push (h, pcm_picture_new (&format, 0, NULL)), GST_FLOW_ERROR);
  }
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, expected) != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  if (h)
    gst_harness_teardown (h);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
  gst_object_unref (bus);
}

/* What the scans cannot do is named, and the flag of what they can says whether it is exact. */
GST_START_TEST (test_scans)
{
  GstCodedFormat format = make_format (1);
  GstHarness *h;
  GstBuffer *buffer;

  if (!test_device_exists ("papersidct"))
    return;
  assert_scan_refused (0, 2, "4:2:2");
  assert_scan_refused (1, 1, "backend=opencl");
  h = gst_harness_new_parse ("papersintrapred algorithm=scan");
  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps (h, gst_coded_format_to_caps (&format));
  fail_unless_equals_int (gst_harness_push (h, pcm_picture_new (&format, 0, NULL)), GST_FLOW_OK);
  buffer = gst_harness_pull (h);
  fail_if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_CORRUPTED));
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Pictures with mb_qp_delta, and no gpuqp before gpuidct: the error names it. */
GST_START_TEST (test_missing_gpuqp)
{
  GstCodedFormat format = make_format (1);
  GstBuffer *buffer = pcm_picture_new (&format, 0, NULL);
  GstElement *bin = gst_parse_launch ("gpuqpdelta name=first ! gpuidct backend=c ! gpuintrapred backend=c name=last", NULL);
  GstElement *first = gst_bin_get_by_name (GST_BIN (bin), "first"), *last = gst_bin_get_by_name (GST_BIN (bin), "last");
  GstBus *bus = gst_bus_new ();
  GstHarness *h;
  GstMessage *message;
  GError *error;

  gst_element_add_pad (bin, gst_ghost_pad_new ("sink", gst_element_get_static_pad (first, "sink")));
  gst_element_add_pad (bin, gst_ghost_pad_new ("src", gst_element_get_static_pad (last, "src")));
  h = gst_harness_new_with_element (bin, "sink", "src");
  gst_element_set_bus (bin, bus);
  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps (h, gst_coded_format_to_caps (&format));
  gst_buffer_get_coded_picture (buffer)->pending |= GST_CODED_STAGE_IDCT;
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "add gpuqp before gpuidct") != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_harness_teardown (h);
  gst_element_set_bus (bin, NULL);
  gst_object_unref (bin);
  gst_object_unref (bus);
  gst_object_unref (first);
  gst_object_unref (last);
}

GST_END_TEST;

GST_START_TEST (test_inspect)
{
  static const struct
  {
    const gchar *element, *property;
  } expected[] = { { "papersidct", "variant" }, { "papersintrapred", "algorithm" }, { "gpuqp", "backend" }, { "gpuqpdelta", "qos" } };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    GstElementFactory *factory = gst_element_factory_find (expected[i].element);
    GstElement *element;

    fail_unless (factory != NULL);
    fail_unless_equals_int (gst_plugin_feature_get_rank (GST_PLUGIN_FEATURE (factory)), GST_RANK_NONE);
    fail_unless_equals_string (gst_plugin_feature_get_plugin_name (GST_PLUGIN_FEATURE (factory)), "gpupapers");
    element = gst_element_factory_create (factory, NULL);
    fail_unless (g_object_class_find_property (G_OBJECT_GET_CLASS (element), expected[i].property) != NULL);
    gst_object_unref (element);
    gst_object_unref (factory);
  }
}

GST_END_TEST;

/* BT.601 in limited range: black, white and red, by hand; an odd size, whose last column and row have chroma of their own */
GST_START_TEST (test_csc)
{
  static const guint8 yuv[3][3] = { { 16, 128, 128 }, { 235, 128, 128 }, { 81, 90, 240 } };
  static const guint8 rgba[3][4] = { { 0, 0, 0, 255 }, { 255, 255, 255, 255 }, { 255, 0, 0, 255 } };

  for (guint i = 0; i < G_N_ELEMENTS (yuv); i++) {
    GstHarness *h = gst_harness_new ("paperscsc");
    GstVideoInfo in, out;
    GstVideoFrame frame;
    GstBuffer *buffer;

    gst_video_info_set_format (&in, GST_VIDEO_FORMAT_I420, 7, 5);
    gst_video_info_set_format (&out, GST_VIDEO_FORMAT_RGBA, 7, 5);
    gst_harness_set_sink_caps_str (h, "video/x-raw, format=RGBA");
    gst_harness_set_src_caps (h, gst_video_info_to_caps (&in));
    buffer = gst_buffer_new_allocate (NULL, in.size, NULL);
    fail_unless (gst_video_frame_map (&frame, &in, buffer, GST_MAP_WRITE));
    for (guint plane = 0; plane < 3; plane++)
      memset (GST_VIDEO_FRAME_PLANE_DATA (&frame, plane), yuv[i][plane],
          (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (&frame, plane) * GST_VIDEO_FRAME_COMP_HEIGHT (&frame, plane));
    gst_video_frame_unmap (&frame);
    buffer = gst_harness_push_and_pull (h, buffer);
    fail_unless (buffer != NULL);
    fail_unless (gst_video_frame_map (&frame, &out, buffer, GST_MAP_READ));
    for (guint y = 0; y < 5; y++)
      for (guint x = 0; x < 7; x++)
        fail_unless (memcmp ((const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0) + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0) + 4 * x,
                         rgba[i], 4)
            == 0);
    gst_video_frame_unmap (&frame);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
  }
}

GST_END_TEST;

static Suite *
gpupapers_suite (void)
{
  Suite *s = suite_create ("gpupapers");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_inspect);
  tcase_add_loop_test (tc, test_rows, 0, G_N_ELEMENTS (rows));
  tcase_add_test (tc, test_scans);
  tcase_add_test (tc, test_missing_gpuqp);
  tcase_add_test (tc, test_csc);

  return s;
}

GST_CHECK_MAIN (gpupapers);
