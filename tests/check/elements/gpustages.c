/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gpuidct, gpuintrapred and gpudeblock as elements: every format of video through them, on the device, in C and mixed.
 */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <string.h>
#include "pcmpictures.h"
#include "offeredpool.h"
#include "testdevice.h"

#define N_FRAMES 4

static const gchar *const rows[] = {
  "gpuidct ! gpuintrapred ! gpudeblock",
  "gpuidct backend=c ! gpuintrapred backend=c ! gpudeblock backend=c",
  "gpuidct ! gpuintrapred backend=c ! gpudeblock",
  "gpuintrapred wavefront=diagonals",
  "gpuidct ! queue ! gpuintrapred wavefront=in-order ! queue ! gpudeblock wavefront=diagonals",
};

static const struct
{
  guint chroma_format_idc, bit_depth_luma, bit_depth_chroma;
  gboolean separate, rgb;
  const gchar *raw_format;
  gboolean on_device; /* not only in C: a kernel takes seconds to build, and the kernel tests know all formats */
} formats[] = {
  { 1, 8, 8, FALSE, FALSE, "I420", TRUE },
  { 1, 10, 10, FALSE, FALSE, "I420_10LE" },
  { 1, 9, 9, FALSE, FALSE, "I420_10LE" },
  { 1, 8, 11, FALSE, FALSE, "I420_12LE" },
  { 1, 14, 14, FALSE, FALSE, "P016_LE", TRUE },
  { 2, 8, 8, FALSE, FALSE, "Y42B" },
  { 2, 10, 10, FALSE, FALSE, "I422_10LE", TRUE },
  { 2, 12, 9, FALSE, FALSE, "I422_12LE" },
  { 2, 13, 13, FALSE, FALSE, "Y444_16LE", TRUE },
  { 3, 8, 8, FALSE, FALSE, "Y444" },
  { 3, 8, 8, TRUE, FALSE, "Y444", TRUE },
  { 3, 12, 12, TRUE, FALSE, "Y444_12LE" },
  { 3, 14, 14, FALSE, FALSE, "Y444_16LE" },
  { 3, 8, 8, FALSE, TRUE, "GBR" },
  { 3, 10, 10, FALSE, TRUE, "GBR_10LE" },
  { 3, 14, 14, FALSE, TRUE, "ARGB64", TRUE },
  { 0, 8, 8, FALSE, FALSE, "GRAY8" },
  { 0, 12, 8, FALSE, FALSE, "GRAY16_LE" },
  { 0, 8, 8, FALSE, FALSE, "I420", TRUE },
  { 0, 14, 14, FALSE, FALSE, "P016_LE" },
};

/* Bytes from the start of a pixel to component @c.  GStreamer's table has 1 for the second of the two 16-bit components of P016. */
static guint
component_offset (const GstVideoInfo *info, guint c)
{
  guint size = GST_VIDEO_INFO_COMP_DEPTH (info, c) > 8 ? 2 : 1;

  return GST_ROUND_UP_N (GST_VIDEO_INFO_COMP_POFFSET (info, c), size);
}

/* Odd macroblock counts, cropped on all sides */
static GstCodedFormat
format_of_case (guint i)
{
  GstCodedFormat format;

  gst_coded_format_init (&format);
  format.coded_width = 80;
  format.coded_height = 48;
  format.width = 66;
  format.height = 38;
  format.crop_x = 4;
  format.crop_y = 2;
  format.chroma_format_idc = formats[i].chroma_format_idc;
  format.bit_depth_luma = formats[i].bit_depth_luma;
  format.bit_depth_chroma = formats[i].bit_depth_chroma;
  format.separate_colour_planes = formats[i].separate;
  if (formats[i].rgb)
    format.colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_RGB;
  format.n_surfaces = 2;

  return format;
}

/* What component @c of the raw format must be, at its column and row: the plane's sample (G, B, R for RGB), shifted up to fill the depth */
static guint
expected_sample (const GstCodedFormat *format, const GstVideoFormatInfo *finfo, guint32 number, guint c, guint x, guint y)
{
  static const guint plane_of_rgb[3] = { 2, 0, 1 };
  guint depth = GST_VIDEO_FORMAT_INFO_DEPTH (finfo, c);
  guint plane = GST_VIDEO_FORMAT_INFO_IS_RGB (finfo) && c < 3 ? plane_of_rgb[c] : c;
  gboolean repeated = c > 0 && format->chroma_format_idc == 2 && GST_VIDEO_FORMAT_INFO_W_SUB (finfo, c) == 0;
  guint sub_x = repeated ? 1 : GST_VIDEO_FORMAT_INFO_W_SUB (finfo, c), sub_y = GST_VIDEO_FORMAT_INFO_H_SUB (finfo, c);

  if (c == 3)
    return (1u << depth) - 1; /* opaque */
  if (c > 0 && format->chroma_format_idc == 0)
    return 1u << (depth - 1);

  x = repeated ? (x + format->crop_x) / 2 : x + (format->crop_x >> sub_x);
  y += format->crop_y >> sub_y;
  return pcm_picture_sample (format, number, plane, x, y) << (depth - (plane ? format->bit_depth_chroma : format->bit_depth_luma));
}

static void
assert_frame (const GstCodedFormat *format, const GstVideoInfo *info, GstBuffer *buffer, guint32 number)
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (&frame); c++) {
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c); y++) {
      const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, GST_VIDEO_FRAME_COMP_PLANE (&frame, c))
          + y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, c) + component_offset (info, c);

      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, c); x++) {
        const guint8 *sample = row + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, c);
        guint value = GST_VIDEO_FRAME_COMP_DEPTH (&frame, c) > 8 ? GST_READ_UINT16_LE (sample) : *sample;
        guint expected = expected_sample (format, info->finfo, number, c, x, y);

        fail_unless (value == expected, "frame %u, component %u, column %d, row %d: %u is not %u", number, c, x, y, value, expected);
      }
    }
  }
  gst_video_frame_unmap (&frame);
}

/* Frames of @format through @row, out in @raw_format of system or device memory; @own_arenas: they are not in the memory that the stage
 * offers. */
static void
run (const gchar *row, const GstCodedFormat *format, const gchar *raw_format, gboolean device_memory, gboolean own_arenas)
{
  GstHarness *h = gst_harness_new_parse (row);
  GstCaps *caps = gst_coded_format_to_caps (format), *raw;
  GstBufferPool *pool;
  gchar *sink_caps = g_strdup_printf ("video/x-raw%s, format=%s", device_memory ? "(memory:OpenCL)" : "", raw_format);
  GstVideoInfo info;

  gst_harness_set_sink_caps_str (h, sink_caps);
  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  pool = own_arenas ? NULL : offered_pool_get (h, caps);
  for (guint i = 0; i < N_FRAMES; i++)
    fail_unless_equals_int (gst_harness_push (h, pcm_picture_new (format, i, pool)), GST_FLOW_OK);
  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *buffer = gst_harness_pull (h);

    fail_unless (buffer != NULL);
    assert_equals_uint64 (GST_BUFFER_PTS (buffer), i * GST_SECOND);
    raw = gst_pad_get_current_caps (h->sinkpad);
    fail_unless (gst_video_info_from_caps (&info, raw));
    assert_equals_string (GST_VIDEO_INFO_NAME (&info), raw_format);
    assert_equals_int (info.width, format->width);
    assert_frame (format, &info, buffer, i);
    gst_caps_unref (raw);
    gst_buffer_unref (buffer);
  }

  gst_harness_teardown (h);
  if (pool) {
    gst_buffer_pool_set_active (pool, FALSE);
    gst_object_unref (pool);
  }
  gst_caps_unref (caps);
  g_free (sink_caps);
}

GST_START_TEST (test_formats)
{
  GstCodedFormat format = format_of_case (__i__);

  if (!formats[__i__].on_device || !test_device_exists ("gpuidct"))
    return;
  run (rows[0], &format, formats[__i__].raw_format, FALSE, FALSE);
  run (rows[0], &format, formats[__i__].raw_format, TRUE, FALSE);
}

GST_END_TEST;

/* Stages that work differently share the memories; a queue may stand between any two. */
GST_START_TEST (test_rows)
{
  GstCodedFormat format = format_of_case (0);

  if (!test_device_exists ("gpuidct"))
    return;
  run (rows[__i__], &format, formats[0].raw_format, FALSE, FALSE);
}

GST_END_TEST;

/* Arenas that an upstream element has from elsewhere */
GST_START_TEST (test_own_arenas)
{
  GstCodedFormat format = format_of_case (0);

  if (!test_device_exists ("gpuidct"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    run (rows[i], &format, formats[0].raw_format, FALSE, TRUE);
}

GST_END_TEST;

/* In C the row needs no device at all. */
GST_START_TEST (test_c_formats)
{
  GstCodedFormat format = format_of_case (__i__);

  run (rows[1], &format, formats[__i__].raw_format, FALSE, FALSE);
  run (rows[1], &format, formats[__i__].raw_format, FALSE, TRUE);
}

GST_END_TEST;

/* gpuintrapred is missing in this row. */
GST_START_TEST (test_missing_stage)
{
  GstCodedFormat format = format_of_case (0);
  GstElement *element = gst_element_factory_make ("gpuidct", NULL);
  GstBus *bus = gst_bus_new ();
  GstHarness *h;
  GstMessage *message;
  GError *error;

  g_object_set (element, "backend", 1, NULL);
  gst_element_set_bus (element, bus);
  h = gst_harness_new_with_element (element, "sink", "src");
  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps (h, gst_coded_format_to_caps (&format));
  fail_unless_equals_int (gst_harness_push (h, pcm_picture_new (&format, 0, NULL)), GST_FLOW_ERROR);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "gpuintrapred") != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);

  gst_harness_teardown (h);
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
  gst_object_unref (bus);
}

GST_END_TEST;

/* The counters, for a row on the device that ends in device memory: the pictures go up once, and nothing comes down or waits. */
GST_START_TEST (test_stats)
{
  static const gchar *const names[] = { "gpuidct", "gpuintrapred", "gpudeblock" };
  GstCodedFormat format = format_of_case (0);
  GstCaps *caps = gst_coded_format_to_caps (&format);
  GstHarness *h;
  GstBufferPool *pool;
  guint64 launches = 0, bytes_up = 0, bytes_down = 0, waits = 0;

  if (!test_device_exists ("gpuidct"))
    return;
  h = gst_harness_new_parse ("gpuidct name=gpuidct ! gpuintrapred name=gpuintrapred wavefront=in-order ! gpudeblock name=gpudeblock");
  gst_harness_set_sink_caps_str (h, "video/x-raw(memory:OpenCL)");
  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  pool = offered_pool_get (h, caps);
  fail_unless_equals_int (gst_harness_push (h, pcm_picture_new (&format, 0, pool)), GST_FLOW_OK);
  gst_buffer_unref (gst_harness_pull (h));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstElement *element = gst_bin_get_by_name (GST_BIN (h->element), names[i]);
    GstStructure *stats;
    guint64 value;

    g_object_get (element, "stats", &stats, NULL);
    fail_unless (gst_structure_get_uint64 (stats, "launches", &value));
    launches += value;
    fail_unless (gst_structure_get_uint64 (stats, "bytes-up", &value));
    bytes_up += value;
    fail_unless (gst_structure_get_uint64 (stats, "bytes-down", &value));
    bytes_down += value;
    fail_unless (gst_structure_get_uint64 (stats, "waits", &value));
    waits += value;
    gst_structure_free (stats);
    gst_object_unref (element);
  }
  /* gpuintrapred alone has anything to do */
  fail_unless (launches >= 1 && launches <= 2, "%" G_GUINT64_FORMAT " launches", launches);
  fail_unless (bytes_up >= 15 * 384, "%" G_GUINT64_FORMAT " bytes", bytes_up);
  fail_unless (bytes_up <= 15 * (384 + 4 + 64) + 4096, "%" G_GUINT64_FORMAT " bytes", bytes_up);
  assert_equals_uint64 (bytes_down, 0);
  assert_equals_uint64 (waits, 0);

  gst_harness_teardown (h);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_caps_unref (caps);
}

GST_END_TEST;

GST_START_TEST (test_inspect)
{
  static const gchar *const names[] = { "gpuidct", "gpuintrapred", "gpudeblock" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstElementFactory *factory = gst_element_factory_find (names[i]);
    GstElement *element;

    fail_unless (factory != NULL);
    assert_equals_int (gst_plugin_feature_get_rank (GST_PLUGIN_FEATURE (factory)), GST_RANK_NONE);
    element = gst_element_factory_create (factory, NULL);
    fail_unless (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "backend") != NULL);
    fail_unless (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "stats") != NULL);
    assert_equals_int (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "wavefront") != NULL, i > 0);
    gst_object_unref (element);
    gst_object_unref (factory);
  }
}

GST_END_TEST;

static Suite *
gpustages_suite (void)
{
  Suite *s = suite_create ("gpustages");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_inspect);
  tcase_add_loop_test (tc, test_c_formats, 0, G_N_ELEMENTS (formats));
  tcase_add_loop_test (tc, test_formats, 0, G_N_ELEMENTS (formats));
  tcase_add_loop_test (tc, test_rows, 0, G_N_ELEMENTS (rows));
  tcase_add_test (tc, test_own_arenas);
  tcase_add_test (tc, test_missing_stage);
  tcase_add_test (tc, test_stats);

  return s;
}

GST_CHECK_MAIN (gpustages);
