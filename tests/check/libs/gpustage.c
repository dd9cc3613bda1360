/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The stage base class, between test pads.
 */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <string.h>
#include "teststage.h"

#define RAW "video/x-raw, format=I420"

typedef struct
{
  GstElement *stage;
  TestStageLog *log;
  GstBus *bus;
  GstHarness *h;
} Fixture;

/* @sink_caps: (nullable): what downstream takes; anything */
static void
fixture_init (Fixture *f, GType type, const gchar *sink_caps)
{
  GstCaps *caps = test_coded_caps (62, 46);

  f->stage = gst_object_ref_sink (test_stage_new (type, "stage"));
  f->log = test_stage_log (f->stage);
  f->bus = gst_bus_new ();
  gst_element_set_bus (f->stage, f->bus);
  f->h = gst_harness_new_with_element (f->stage, "sink", "src");
  if (sink_caps)
    gst_harness_set_sink_caps_str (f->h, sink_caps);
  gst_harness_set_src_caps (f->h, caps);
}

static void
fixture_clear (Fixture *f)
{
  gst_harness_teardown (f->h);
  gst_element_set_bus (f->stage, NULL);
  gst_object_unref (f->bus);
  gst_object_unref (f->stage);
}

/* (transfer full): the text of the one error on the bus */
static gchar *
fixture_pop_error (Fixture *f)
{
  GstMessage *message = gst_bus_pop_filtered (f->bus, GST_MESSAGE_ERROR);
  GError *error;
  gchar *text;

  fail_unless (message != NULL, "no error was posted");
  gst_message_parse_error (message, &error, NULL);
  text = g_strdup (error->message);
  g_error_free (error);
  gst_message_unref (message);

  return text;
}

static void
fixture_assert_error (Fixture *f, const gchar *part)
{
  gchar *text = fixture_pop_error (f);

  fail_unless (strstr (text, part) != NULL, "\"%s\" is not in \"%s\"", part, text);
  g_free (text);
}

/* The next buffer downstream is frame @number. */
static void
fixture_assert_output (Fixture *f, guint number)
{
  GstBuffer *buffer = gst_harness_try_pull (f->h);
  guint8 byte;

  fail_unless (buffer != NULL, "no output where frame %u should be", number);
  fail_unless (gst_buffer_extract (buffer, 0, &byte, 1) == 1);
  assert_equals_int (byte, number);
  assert_equals_uint64 (GST_BUFFER_PTS (buffer), number * GST_SECOND);
  fail_if (GST_BUFFER_DTS_IS_VALID (buffer));
  assert_equals_uint64 (GST_BUFFER_DURATION (buffer), GST_SECOND);
  gst_buffer_unref (buffer);
}

static GstCaps *
fixture_src_caps (Fixture *f)
{
  GstPad *pad = gst_element_get_static_pad (f->stage, "src");
  GstCaps *caps = gst_pad_get_current_caps (pad);

  gst_object_unref (pad);
  return caps;
}

/* Pushes frame @number, complete after this stage, with one action. */
static GstFlowReturn
fixture_push (Fixture *f, guint32 number, gboolean output, guint32 action_number)
{
  GstBuffer *buffer = test_picture_new (number, GST_GPU_STAGE_GET_CLASS (f->stage)->stage);

  test_picture_act (buffer, output, action_number);
  return gst_harness_push (f->h, buffer);
}

GST_START_TEST (test_templates)
{
  GstElement *stage = gst_object_ref_sink (test_stage_new (test_idct_get_type (), NULL));
  GstPadTemplate *sink = gst_element_get_pad_template (stage, "sink"), *src = gst_element_get_pad_template (stage, "src");
  GstCaps *caps = gst_pad_template_get_caps (src);

  assert_equals_int (gst_caps_get_size (caps), 3);
  fail_unless (gst_caps_features_contains (gst_caps_get_features (caps, 0), "memory:OpenCL"));
  assert_equals_string (gst_structure_get_name (gst_caps_get_structure (caps, 0)), "video/x-raw");
  fail_unless (gst_caps_features_is_equal (gst_caps_get_features (caps, 1), GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY));
  assert_equals_string (gst_structure_get_name (gst_caps_get_structure (caps, 1)), "video/x-raw");
  assert_equals_string (gst_structure_get_name (gst_caps_get_structure (caps, 2)), GST_CODED_PICTURE_MEDIA_TYPE);
  gst_caps_unref (caps);
  caps = gst_pad_template_get_caps (sink);
  assert_equals_int (gst_caps_get_size (caps), 1);
  assert_equals_string (gst_structure_get_name (gst_caps_get_structure (caps, 0)), GST_CODED_PICTURE_MEDIA_TYPE);
  gst_caps_unref (caps);
  gst_object_unref (stage);
}

GST_END_TEST;

/* Another stage behind: the picture goes on, one bit lighter, in the same buffer. */
GST_START_TEST (test_pass_on)
{
  Fixture f;
  GstBuffer *buffer = test_picture_new (3, GST_CODED_STAGE_IDCT | GST_CODED_STAGE_DEBLOCK), *out;
  GstCaps *caps, *expected = test_coded_caps (62, 46);

  fixture_init (&f, test_idct_get_type (), GST_CODED_PICTURE_CAPS);
  test_picture_act (buffer, TRUE, 3);
  fail_unless_equals_int (gst_harness_push (f.h, buffer), GST_FLOW_OK);
  out = gst_harness_pull (f.h);
  fail_unless (out == buffer);
  assert_equals_int (gst_buffer_get_coded_picture (out)->pending, GST_CODED_STAGE_DEBLOCK);
  fail_unless (gst_buffer_get_coded_picture (out)->store->surface != NULL);
  assert_equals_int (f.log->processed->len, 1);
  assert_equals_int (f.log->n_outputs, 0);
  caps = fixture_src_caps (&f);
  fail_unless (gst_caps_is_equal (caps, expected));

  gst_caps_unref (expected);
  gst_caps_unref (caps);
  gst_buffer_unref (out);
  fixture_clear (&f);
}

GST_END_TEST;

/* A picture that does not need the stage passes untouched, but with a surface. */
GST_START_TEST (test_not_pending)
{
  Fixture f;
  GstBuffer *out;

  fixture_init (&f, test_idct_get_type (), GST_CODED_PICTURE_CAPS);
  fail_unless_equals_int (gst_harness_push (f.h, test_picture_new (0, GST_CODED_STAGE_DEBLOCK)), GST_FLOW_OK);
  out = gst_harness_pull (f.h);
  assert_equals_int (f.log->processed->len, 0);
  assert_equals_int (gst_buffer_get_coded_picture (out)->pending, GST_CODED_STAGE_DEBLOCK);
  fail_unless (gst_buffer_get_coded_picture (out)->store->surface != NULL);
  gst_buffer_unref (out);
  fixture_clear (&f);
}

GST_END_TEST;

/* What downstream takes, and what the source pad then has: device memory where downstream names it (who takes anything reads bytes), a
 * format of the stream, and raw video rather than coded pictures. */
static const struct
{
  const gchar *downstream, *format;
  gboolean device_memory;
} raw_cases[] = {
  { NULL, "I420", FALSE },
  { "video/x-raw(memory:OpenCL)", "I420", TRUE },
  { "video/x-raw(ANY)", "I420", FALSE },
  { "video/x-raw", "I420", FALSE },
  { "video/x-raw; video/x-raw(memory:OpenCL)", "I420", TRUE },
  { "video/x-raw, format={ NV12, I420 }, width=62; video/x-coded-picture", "I420", FALSE },
};

GST_START_TEST (test_negotiates_raw)
{
  Fixture f;
  GstCaps *caps, *expected;

  fixture_init (&f, test_deblock_get_type (), raw_cases[__i__].downstream);
  fail_unless_equals_int (fixture_push (&f, 1, TRUE, 1), GST_FLOW_OK);
  fixture_assert_output (&f, 1);
  assert_equals_int (f.log->device_memory, raw_cases[__i__].device_memory);
  assert_equals_int (f.log->n_decided, 1);
  caps = fixture_src_caps (&f);
  expected = gst_caps_from_string (raw_cases[__i__].device_memory
          ? "video/x-raw(memory:OpenCL), width=62, height=46, framerate=1/1, pixel-aspect-ratio=1/1, interlace-mode=progressive"
          : "video/x-raw, width=62, height=46, framerate=1/1, pixel-aspect-ratio=1/1, interlace-mode=progressive");
  gst_caps_set_simple (expected, "format", G_TYPE_STRING, raw_cases[__i__].format, NULL);
  fail_unless (gst_caps_is_equal (caps, expected), "%" GST_PTR_FORMAT, caps);
  gst_caps_unref (caps);
  gst_caps_unref (expected);
  fixture_clear (&f);
}

GST_END_TEST;

/* True depths, colours and HDR fields in raw caps; each line: fields of the coded caps, what raw caps must be */
static const struct
{
  const gchar *coded, *downstream, *raw;
} colour_cases[] = {
  { "chroma-format=4:2:0, bit-depth-luma=(uint)9, bit-depth-chroma=(uint)9", "video/x-raw",
      "format=I420_10LE, bit-depth-luma=(uint)9, bit-depth-chroma=(uint)9" },
  { "chroma-format=4:2:2, bit-depth-luma=(uint)10, bit-depth-chroma=(uint)10", "video/x-raw", "format=I422_10LE" },
  { "chroma-format=4:2:2, bit-depth-luma=(uint)14, bit-depth-chroma=(uint)14, chroma-site=mpeg2", "video/x-raw",
      "format=Y444_16LE, bit-depth-luma=(uint)14, bit-depth-chroma=(uint)14, chroma-format=(string)4:2:2" },
  { "chroma-format=4:0:0", "video/x-raw", "format=GRAY8" },
  { "chroma-format=4:0:0", "video/x-raw, format=I420", "format=I420" },
  { "chroma-format=4:0:0, bit-depth-luma=(uint)10", "video/x-raw", "format=GRAY16_LE, bit-depth-luma=(uint)10, bit-depth-chroma=(uint)10" },
  { "chroma-format=4:4:4, colorimetry=1:1:5:1", "video/x-raw", "format=GBR, colorimetry=(string)1:1:5:1" },
  { "chroma-format=4:2:0, colorimetry=1:1:5:1", "video/x-raw", "format=I420, colorimetry=(string)1:4:5:1" },
  { "chroma-format=4:2:0, colorimetry=1:0:0:0", "video/x-raw", "format=I420, colorimetry=(string)1:4:0:0" },
  { "chroma-format=4:2:0, colorimetry=bt2020", "video/x-raw", "format=I420, colorimetry=(string)bt2020" },
  { "chroma-format=4:2:0, chroma-site=dv", "video/x-raw", "format=I420, chroma-site=(string)dv" },
  { "chroma-format=4:2:2, chroma-site=mpeg2", "video/x-raw", "format=Y42B, chroma-site=(string)mpeg2" },
  { "chroma-format=4:0:0, chroma-site=mpeg2", "video/x-raw, format=I420", "format=I420" },
  { "chroma-format=4:2:0, content-light-level=(string)1000:400", "video/x-raw", "format=I420, content-light-level=(string)1000:400" },
  { "chroma-format=4:2:0, multiview-mode=(string)top-bottom, multiview-flags=(GstVideoMultiviewFlagsSet)0x4001:ffffffff", "video/x-raw",
      "format=I420, multiview-mode=(string)top-bottom, multiview-flags=(GstVideoMultiviewFlagsSet)0x0001:ffffffff, "
      "pixel-aspect-ratio=1/2" },
  { "interlace-mode=mixed, framerate=0/1, pixel-aspect-ratio=12/11", "video/x-raw",
      "format=I420, interlace-mode=(string)mixed, framerate=0/1, pixel-aspect-ratio=12/11" },
};

static gboolean
replace_field (GQuark field, const GValue *value, gpointer structure)
{
  gst_structure_id_set_value (structure, field, value);
  return TRUE;
}

/* Fields of @fields (a structure without its name) go into @caps */
static void
replace_fields (GstCaps *caps, const gchar *fields)
{
  gchar *text = g_strdup_printf ("x, %s", fields);
  GstStructure *s = gst_structure_from_string (text, NULL);

  fail_unless (s != NULL, "%s", text);
  gst_structure_foreach (s, replace_field, gst_caps_get_structure (caps, 0));
  gst_structure_free (s);
  g_free (text);
}

GST_START_TEST (test_raw_caps_tell_the_truth)
{
  GstElement *stage = test_stage_new (test_deblock_get_type (), NULL);
  GstHarness *h = gst_harness_new_with_element (gst_object_ref_sink (stage), "sink", "src");
  GstCaps *coded = test_coded_caps (62, 46), *caps;
  GstCaps *expected = gst_caps_from_string ("video/x-raw, width=62, height=46, framerate=1/1, pixel-aspect-ratio=1/1, "
                                            "interlace-mode=progressive");
  GstPad *pad = gst_element_get_static_pad (stage, "src");
  GstVideoInfo info;

  replace_fields (coded, colour_cases[__i__].coded);
  replace_fields (expected, colour_cases[__i__].raw);
  gst_harness_set_sink_caps_str (h, colour_cases[__i__].downstream);
  gst_harness_set_src_caps (h, coded);
  caps = gst_pad_get_current_caps (pad);
  fail_unless (caps != NULL);
  fail_unless (gst_caps_is_equal (caps, expected), "%" GST_PTR_FORMAT " is not %" GST_PTR_FORMAT, caps, expected);
  fail_unless (gst_video_info_from_caps (&info, caps));

  gst_caps_unref (caps);
  gst_caps_unref (expected);
  gst_object_unref (pad);
  gst_harness_teardown (h);
  gst_object_unref (stage);
}

GST_END_TEST;

GST_START_TEST (test_nothing_in_common)
{
  Fixture f;

  fixture_init (&f, test_deblock_get_type (), "video/x-raw, format=RGBA");
  fixture_assert_error (&f, "neither coded pictures nor a raw format");
  fail_unless_equals_int (fixture_push (&f, 1, TRUE, 1), GST_FLOW_NOT_NEGOTIATED);
  assert_equals_int (f.log->processed->len, 0);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_sink_queries)
{
  Fixture f;
  GstPad *pad;
  GstCaps *good = test_coded_caps (62, 46), *bad = gst_caps_copy (good), *raw = gst_caps_from_string (RAW), *caps;

  gst_caps_set_simple (bad, "coded-width", G_TYPE_INT, 63, NULL);
  fixture_init (&f, test_deblock_get_type (), NULL);
  pad = gst_element_get_static_pad (f.stage, "sink");
  fail_unless (gst_pad_query_accept_caps (pad, good));
  fail_if (gst_pad_query_accept_caps (pad, bad));
  fail_if (gst_pad_query_accept_caps (pad, raw));
  caps = gst_pad_query_caps (pad, good);
  fail_unless (gst_caps_is_equal (caps, good));
  gst_caps_unref (caps);
  caps = gst_pad_query_caps (pad, raw);
  fail_unless (gst_caps_is_empty (caps));
  gst_caps_unref (caps);
  gst_object_unref (pad);

  pad = gst_element_get_static_pad (f.stage, "src");
  fail_unless (gst_pad_query_accept_caps (pad, good));
  caps = gst_caps_from_string ("video/x-raw, format=I420, width=62, height=46, framerate=1/1, pixel-aspect-ratio=1/1, "
                               "interlace-mode=progressive");
  fail_unless (gst_pad_query_accept_caps (pad, caps));
  gst_caps_set_simple (caps, "width", G_TYPE_INT, 64, NULL);
  fail_if (gst_pad_query_accept_caps (pad, caps));
  gst_caps_unref (caps);
  gst_object_unref (pad);

  gst_caps_unref (good);
  gst_caps_unref (bad);
  gst_caps_unref (raw);
  fixture_clear (&f);
}

GST_END_TEST;

/* The list decides, not the order of arrival; a discarded frame is never seen; an unknown one is passed over. */
GST_START_TEST (test_output_order)
{
  Fixture f;
  GstBuffer *buffer;

  fixture_init (&f, test_deblock_get_type (), RAW);
  fail_unless_equals_int (gst_harness_push (f.h, test_picture_new (0, GST_CODED_STAGE_DEBLOCK)), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_push (f.h, test_picture_new (1, GST_CODED_STAGE_DEBLOCK)), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_push (f.h, test_picture_new (2, GST_CODED_STAGE_DEBLOCK)), GST_FLOW_OK);
  fail_unless (!gst_harness_try_pull (f.h));
  buffer = test_picture_new (3, GST_CODED_STAGE_DEBLOCK);
  test_picture_act (buffer, TRUE, 2);
  test_picture_act (buffer, FALSE, 1);
  test_picture_act (buffer, TRUE, 99);
  test_picture_act (buffer, TRUE, 1);
  test_picture_act (buffer, TRUE, 3);
  test_picture_act (buffer, FALSE, 3);
  test_picture_act (buffer, TRUE, 0);
  fail_unless_equals_int (gst_harness_push (f.h, buffer), GST_FLOW_OK);
  fixture_assert_output (&f, 2);
  fixture_assert_output (&f, 3);
  fixture_assert_output (&f, 0);
  fail_unless (!gst_harness_try_pull (f.h));
  fixture_clear (&f);
}

GST_END_TEST;

/* Two fields are one frame, with one surface and one output. */
GST_START_TEST (test_fields)
{
  Fixture f;
  GstFrameStore *store = gst_frame_store_new (4);
  GstBuffer *top = test_picture_of_store (store, GST_CODED_STAGE_DEBLOCK), *bottom = test_picture_of_store (store, GST_CODED_STAGE_DEBLOCK);
  GstBuffer *surface;

  store->pts = 4 * GST_SECOND;
  store->duration = GST_SECOND;
  fixture_init (&f, test_deblock_get_type (), RAW);
  test_picture_act (bottom, TRUE, 4);
  fail_unless_equals_int (gst_harness_push (f.h, top), GST_FLOW_OK);
  surface = store->surface;
  fail_unless_equals_int (gst_harness_push (f.h, bottom), GST_FLOW_OK);
  fail_unless (store->surface == surface);
  assert_equals_int (f.log->processed->len, 2);
  fixture_assert_output (&f, 4);
  fail_unless (!gst_harness_try_pull (f.h));
  fail_unless (gst_frame_store_wait_submitted (store));
  ASSERT_MINI_OBJECT_REFCOUNT (store, "store", 1);
  gst_frame_store_unref (store);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_flags_and_metas)
{
  Fixture f;
  GstFrameStore *store = gst_frame_store_new (0);
  GstBuffer *buffer = test_picture_of_store (store, GST_CODED_STAGE_DEBLOCK), *out;
  GstCodedPicture *lost = gst_coded_picture_new (store);

  gst_coded_picture_unref (lost);
  store->pts = 5;
  store->buffer_flags = GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF | GST_BUFFER_FLAG_DISCONT;
  store->metas = gst_buffer_new ();
  gst_buffer_add_video_caption_meta (store->metas, GST_VIDEO_CAPTION_TYPE_CEA708_RAW, (const guint8 *) "abc", 3);
  test_picture_act (buffer, TRUE, 0);
  fixture_init (&f, test_deblock_get_type (), RAW);
  fail_unless_equals_int (gst_harness_push (f.h, buffer), GST_FLOW_OK);
  out = gst_harness_pull (f.h);
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_VIDEO_BUFFER_FLAG_INTERLACED));
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_VIDEO_BUFFER_FLAG_TFF));
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_DISCONT));
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_CORRUPTED));
  assert_equals_uint64 (GST_BUFFER_PTS (out), 5);
  fail_if (GST_BUFFER_DURATION_IS_VALID (out));
  fail_unless (gst_buffer_get_video_caption_meta (out) != NULL);
  gst_buffer_unref (out);
  gst_frame_store_unref (store);
  fixture_clear (&f);
}

GST_END_TEST;

/* Frames that are corrupted are not wanted: they do not come, and the next one has DISCONT. */
GST_START_TEST (test_discarded)
{
  GstBuffer *out;
  Fixture f;

  fixture_init (&f, test_deblock_get_type (), RAW);
  for (guint32 i = 0; i < 3; i++) {
    GstFrameStore *store = gst_frame_store_new (i);
    GstBuffer *buffer = test_picture_of_store (store, GST_CODED_STAGE_DEBLOCK);

    store->pts = i;
    store->discard_corrupted = TRUE;
    store->buffer_flags = i == 1 ? GST_BUFFER_FLAG_CORRUPTED : 0;
    test_picture_act (buffer, TRUE, i);
    fail_unless_equals_int (gst_harness_push (f.h, buffer), GST_FLOW_OK);
    gst_frame_store_unref (store);
  }
  for (guint32 i = 0; i < 3; i += 2) {
    out = gst_harness_try_pull (f.h);
    fail_unless (out != NULL);
    assert_equals_uint64 (GST_BUFFER_PTS (out), i);
    fail_unless_equals_int (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_DISCONT), i == 2);
    gst_buffer_unref (out);
  }
  fail_unless (!gst_harness_try_pull (f.h));
  fixture_clear (&f);
}

GST_END_TEST;

/* Nobody is behind the last stage: that is said, once. */
GST_START_TEST (test_not_linked)
{
  GstMessage *message;
  GstPad *src, *peer;
  Fixture f;
  guint n = 0;

  fixture_init (&f, test_deblock_get_type (), RAW);
  src = gst_element_get_static_pad (f.stage, "src");
  peer = gst_pad_get_peer (src);
  fail_unless (gst_pad_unlink (src, peer));
  for (guint32 i = 0; i < 3; i++)
    fail_unless_equals_int (fixture_push (&f, i, TRUE, i), GST_FLOW_NOT_LINKED);
  while ((message = gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR))) {
    GError *error = NULL;

    gst_message_parse_warning (message, &error, NULL);
    fail_unless (strstr (error->message, "the source pad of the last stage is not linked") != NULL, "%s", error->message);
    g_error_free (error);
    gst_message_unref (message);
    n++;
  }
  fail_unless_equals_int (n, 1);
  fail_unless_equals_int (gst_pad_link (src, peer), GST_PAD_LINK_OK);
  gst_object_unref (peer);
  gst_object_unref (src);
  fixture_clear (&f);
}

GST_END_TEST;

/* Of what is decoded, what the segment has goes out, with the times that it has there. */
GST_START_TEST (test_segment)
{
  static const struct
  {
    guint tenths, duration; /* of a second; duration 0: not known */
    gint out, out_duration; /* -1: it is left out */
  } pictures[] = { { 10, 10, -1, 0 }, { 24, 0, -1, 0 }, { 20, 10, 25, 5 }, { 30, 10, 30, 10 }, { 41, 0, 41, 0 }, { 40, 10, 40, 2 },
    { 50, 10, -1, 0 }, { 43, 0, -1, 0 } };
  const GstClockTime tenth = GST_SECOND / 10;
  gboolean discont = TRUE;
  GstSegment segment;
  Fixture f;

  fixture_init (&f, test_deblock_get_type (), RAW);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = 25 * tenth;
  segment.stop = 42 * tenth;
  fail_unless (gst_harness_push_event (f.h, gst_event_new_segment (&segment)));
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    GstFrameStore *store = gst_frame_store_new (i);
    GstBuffer *buffer;

    store->pts = pictures[i].tenths * tenth;
    store->duration = pictures[i].duration > 0 ? pictures[i].duration * tenth : GST_CLOCK_TIME_NONE;
    store->output_flags = i == 0 ? GST_BUFFER_FLAG_DISCONT : 0;
    buffer = test_picture_of_store (store, GST_CODED_STAGE_DEBLOCK);
    test_picture_act (buffer, TRUE, i);
    fail_unless_equals_int (gst_harness_push (f.h, buffer), GST_FLOW_OK);
    buffer = gst_harness_try_pull (f.h);
    fail_unless_equals_int (buffer != NULL, pictures[i].out >= 0);
    if (buffer) {
      fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), (guint) pictures[i].out * tenth);
      fail_unless_equals_uint64 (GST_BUFFER_DURATION (buffer),
          pictures[i].duration > 0 ? (guint) pictures[i].out_duration * tenth : GST_CLOCK_TIME_NONE);
      /* what was left out began it */
      fail_unless_equals_int (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DISCONT), discont);
      discont = FALSE;
      gst_buffer_unref (buffer);
    }
    gst_frame_store_unref (store);
  }
  /* nothing is made of what is left out */
  assert_equals_int (f.log->n_outputs, 4);
  fixture_clear (&f);
}

GST_END_TEST;

/* The frames that wait come out by the event before EOS, not after it. */
GST_START_TEST (test_eos)
{
  const GstCodedAction actions[] = { { TRUE, 1 }, { TRUE, 0 } };
  Fixture f;
  GstEvent *event;

  fixture_init (&f, test_deblock_get_type (), RAW);
  gst_harness_push (f.h, test_picture_new (0, GST_CODED_STAGE_DEBLOCK));
  gst_harness_push (f.h, test_picture_new (1, GST_CODED_STAGE_DEBLOCK));
  while ((event = gst_harness_try_pull_event (f.h)))
    gst_event_unref (event);
  fail_unless (gst_harness_push_event (f.h, gst_coded_actions_event_new (actions, 2)));
  assert_equals_int (gst_harness_buffers_in_queue (f.h), 2);
  /* it ends here */
  fail_unless (!gst_harness_try_pull_event (f.h));
  fail_unless (gst_harness_push_event (f.h, gst_event_new_eos ()));
  event = gst_harness_try_pull_event (f.h);
  assert_equals_int (GST_EVENT_TYPE (event), GST_EVENT_EOS);
  gst_event_unref (event);
  fixture_assert_output (&f, 1);
  fixture_assert_output (&f, 0);
  fixture_clear (&f);
}

GST_END_TEST;

static GstPadProbeReturn
refuse_buffer (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;
  return GST_PAD_PROBE_HANDLED;
}

/* An event has no flow return: what downstream says of its frames, the next picture tells upstream. */
GST_START_TEST (test_flow_of_event)
{
  const GstCodedAction action = { TRUE, 0 };
  gulong probe;
  Fixture f;

  fixture_init (&f, test_deblock_get_type (), RAW);
  gst_harness_push (f.h, test_picture_new (0, GST_CODED_STAGE_DEBLOCK));
  probe = gst_pad_add_probe (f.h->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, refuse_buffer, NULL, NULL);
  fail_if (gst_harness_push_event (f.h, gst_coded_actions_event_new (&action, 1)));
  gst_pad_remove_probe (f.h->sinkpad, probe);
  fail_unless_equals_int (gst_harness_push (f.h, test_picture_new (1, GST_CODED_STAGE_DEBLOCK)), GST_FLOW_EOS);
  /* once: what follows may be another segment */
  fail_unless_equals_int (fixture_push (&f, 2, TRUE, 2), GST_FLOW_OK);
  fixture_assert_output (&f, 2);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_actions_pass_on)
{
  const GstCodedAction actions[] = { { TRUE, 1 } };
  Fixture f;
  GstEvent *event;
  GArray *parsed = NULL;

  fixture_init (&f, test_idct_get_type (), GST_CODED_PICTURE_CAPS);
  fail_unless (gst_harness_push_event (f.h, gst_coded_actions_event_new (actions, 1)));
  while (!parsed && (event = gst_harness_try_pull_event (f.h))) {
    parsed = gst_coded_actions_event_parse (event);
    gst_event_unref (event);
  }
  fail_unless (parsed != NULL);
  assert_equals_int (parsed->len, 1);
  g_array_unref (parsed);
  fixture_clear (&f);
}

GST_END_TEST;

/* New caps: a new format, a new surface pool; the frames that waited are output in the old format first. */
GST_START_TEST (test_caps_change)
{
  const GstCodedAction actions[] = { { TRUE, 0 } };
  Fixture f;
  GstCaps *caps;
  GstBuffer *out;

  fixture_init (&f, test_deblock_get_type (), RAW);
  gst_harness_push (f.h, test_picture_new (0, GST_CODED_STAGE_DEBLOCK));
  gst_harness_push_event (f.h, gst_coded_actions_event_new (actions, 1));
  out = gst_harness_pull (f.h);
  assert_equals_uint64 (gst_buffer_get_size (out), 64 * 46 + 2 * 32 * 23);
  gst_buffer_unref (out);

  gst_harness_set_src_caps (f.h, test_coded_caps (320, 240));
  assert_equals_int (f.log->n_set_format, 2);
  assert_equals_int (f.log->format.width, 320);
  fail_unless_equals_int (fixture_push (&f, 1, TRUE, 1), GST_FLOW_OK);
  out = gst_harness_pull (f.h);
  assert_equals_uint64 (gst_buffer_get_size (out), 320 * 240 * 3 / 2);
  gst_buffer_unref (out);
  assert_equals_int (f.log->n_surface_pools, 2);
  caps = fixture_src_caps (&f);
  fail_unless (gst_structure_has_field_typed (gst_caps_get_structure (caps, 0), "width", G_TYPE_INT));
  gst_caps_unref (caps);

  /* the same again is nothing new */
  gst_harness_set_src_caps (f.h, test_coded_caps (320, 240));
  assert_equals_int (f.log->n_set_format, 2);
  fixture_clear (&f);
}

GST_END_TEST;

/* Where new caps say something else of the same pictures, the sequence may go on: frames that wait are output behind them; where the
 * pictures are others, they are forgotten. */
GST_START_TEST (test_caps_change_while_frames_wait)
{
  GstCaps *caps = test_coded_caps (62, 46);
  Fixture f;

  fixture_init (&f, test_deblock_get_type (), RAW);
  gst_harness_push (f.h, test_picture_new (0, GST_CODED_STAGE_DEBLOCK));
  gst_harness_push (f.h, test_picture_new (1, GST_CODED_STAGE_DEBLOCK));
  gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, 25, 1, "multiview-mode", G_TYPE_STRING, "side-by-side", NULL);
  gst_harness_set_src_caps (f.h, caps);
  fail_unless_equals_int (fixture_push (&f, 2, TRUE, 0), GST_FLOW_OK);
  fixture_assert_output (&f, 0);
  caps = fixture_src_caps (&f);
  fail_unless_equals_string (gst_structure_get_string (gst_caps_get_structure (caps, 0), "multiview-mode"), "side-by-side");
  gst_caps_unref (caps);

  gst_harness_set_src_caps (f.h, test_coded_caps (320, 240));
  fail_unless_equals_int (fixture_push (&f, 3, TRUE, 1), GST_FLOW_OK);
  fail_if (gst_harness_try_pull (f.h));
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_flush)
{
  Fixture f;
  GstFrameStore *store = gst_frame_store_new (0);
  GstSegment segment;

  fixture_init (&f, test_deblock_get_type (), RAW);
  gst_harness_push (f.h, test_picture_of_store (store, GST_CODED_STAGE_DEBLOCK));
  ASSERT_MINI_OBJECT_REFCOUNT (store, "store", 2);
  fail_unless (gst_harness_push_event (f.h, gst_event_new_flush_start ()));
  fail_unless_equals_int (fixture_push (&f, 1, TRUE, 0), GST_FLOW_FLUSHING);
  fail_unless (gst_harness_push_event (f.h, gst_event_new_flush_stop (TRUE)));
  ASSERT_MINI_OBJECT_REFCOUNT (store, "store", 1);
  /* whoever still refers to the frame must not wait for it */
  fail_if (gst_frame_store_wait_submitted (store));
  fail_unless (!gst_harness_try_pull (f.h));
  assert_equals_int (f.log->n_outputs, 0);

  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (f.h, gst_event_new_segment (&segment)));
  fail_unless_equals_int (fixture_push (&f, 2, TRUE, 2), GST_FLOW_OK);
  fixture_assert_output (&f, 2);
  gst_frame_store_unref (store);
  fixture_clear (&f);
}

GST_END_TEST;

static const struct
{
  GType (*type) (void);
  guint pending;
  const gchar *message;
} missing[] = {
  { test_idct_get_type, GST_CODED_STAGE_IDCT | GST_CODED_STAGE_INTRAPRED, "add gpuintrapred to" },
  { test_idct_get_type, GST_CODED_STAGE_INTRAPRED | GST_CODED_STAGE_DEBLOCK, "add gpuintrapred ! gpudeblock to" },
  { test_intrapred_get_type, GST_CODED_STAGE_INTRAPRED | GST_CODED_STAGE_DEBLOCK, "add gpudeblock to" },
  { test_intrapred_get_type, GST_CODED_STAGE_INTRAPRED | GST_CODED_STAGE_INTERPRED, "add gpuinterpred before gpuintrapred" },
  { test_deblock_get_type, GST_CODED_STAGE_IDCT | GST_CODED_STAGE_DEBLOCK, "add gpuidct before gpudeblock" },
  { test_deblock_get_type, GST_CODED_STAGE_IDCT, "add gpuidct to" },
};

GST_START_TEST (test_missing_stage)
{
  Fixture f;
  GstBuffer *buffer = test_picture_new (0, missing[__i__].pending);

  test_picture_act (buffer, TRUE, 0);
  fixture_init (&f, missing[__i__].type (), RAW);
  fail_unless_equals_int (gst_harness_push (f.h, buffer), GST_FLOW_ERROR);
  fixture_assert_error (&f, missing[__i__].message);
  fail_unless (!gst_harness_try_pull (f.h));
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_failures)
{
  Fixture f;
  GstFrameStore *store = gst_frame_store_new (0);

  fixture_init (&f, test_deblock_get_type (), RAW);
  fail_unless_equals_int (gst_harness_push (f.h, gst_buffer_new ()), GST_FLOW_ERROR);
  fixture_assert_error (&f, "no coded picture");

  f.log->process_result = GST_FLOW_ERROR;
  fail_unless_equals_int (gst_harness_push (f.h, test_picture_of_store (store, GST_CODED_STAGE_DEBLOCK)), GST_FLOW_ERROR);
  fixture_assert_error (&f, "device is gone");
  fail_if (gst_frame_store_wait_submitted (store));
  gst_frame_store_unref (store);

  f.log->process_result = GST_FLOW_OK;
  f.log->fail_output = TRUE;
  fail_unless_equals_int (fixture_push (&f, 1, TRUE, 1), GST_FLOW_ERROR);
  fixture_assert_error (&f, "device is gone");
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_states)
{
  GstElement *stage = gst_object_ref_sink (test_stage_new (test_idct_get_type (), NULL));
  TestStageLog *log = test_stage_log (stage);

  for (guint i = 1; i <= 3; i++) {
    fail_unless_equals_int (gst_element_set_state (stage, GST_STATE_PLAYING), GST_STATE_CHANGE_SUCCESS);
    assert_equals_int (log->n_open, i);
    fail_unless_equals_int (gst_element_set_state (stage, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
    fail_unless_equals_int (gst_element_set_state (stage, GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
    fail_unless_equals_int (gst_element_set_state (stage, GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
    assert_equals_int (log->n_open, i);
    assert_equals_int (log->n_close, i);
  }
  log->fail_open = TRUE;
  fail_unless_equals_int (gst_element_set_state (stage, GST_STATE_READY), GST_STATE_CHANGE_FAILURE);
  assert_equals_int (log->n_close, 3);
  gst_element_set_state (stage, GST_STATE_NULL);
  gst_object_unref (stage);
}

GST_END_TEST;

/* Upstream gets an arena pool, and every surface that the last stage's downstream holds is added to those of the stream. */
GST_START_TEST (test_allocation)
{
  Fixture f;
  GstCaps *caps = test_coded_caps (62, 46);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  GstBufferPool *pool;
  GstCodedFormat format;
  guint size, index, min = 0;
  const GstStructure *params;
  GstCaps *raw;

  fixture_init (&f, test_deblock_get_type (), NULL);
  gst_harness_set_propose_allocator (f.h, NULL, NULL);
  gst_harness_add_propose_allocation_meta (f.h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_sink_caps_str (f.h, RAW);
  fail_unless_equals_int (fixture_push (&f, 0, TRUE, 0), GST_FLOW_OK);
  fail_unless (f.log->has_video_meta);
  assert_equals_int (f.log->n_surfaces, 5);
  raw = fixture_src_caps (&f);
  fail_if (gst_structure_has_name (gst_caps_get_structure (raw, 0), GST_CODED_PICTURE_MEDIA_TYPE));
  gst_caps_unref (raw);

  fail_unless (gst_pad_peer_query (f.h->srcpad, query));
  assert_equals_int (gst_query_get_n_allocation_pools (query), 1);
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, NULL, NULL);
  fail_unless (GST_IS_ARENA_POOL (pool));
  fail_unless (gst_coded_format_from_caps (&format, caps));
  assert_equals_uint64 (size, gst_coded_format_coeffs_size (&format, 1));
  gst_object_unref (pool);
  fail_unless (gst_query_find_allocation_meta (query, GST_COEFF_META_API_TYPE, NULL));
  fail_unless (gst_query_find_allocation_meta (query, GST_CODED_PICTURE_META_API_TYPE, &index));
  gst_query_parse_nth_allocation_meta (query, index, &params);
  fail_unless (gst_structure_get_uint (params, "min", &min));
  assert_equals_int (min, 0);
  gst_query_unref (query);

  query = gst_query_new_allocation (NULL, TRUE);
  fail_if (gst_pad_peer_query (f.h->srcpad, query));
  gst_query_unref (query);
  gst_caps_unref (caps);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_latency)
{
  Fixture f;

  fixture_init (&f, test_deblock_get_type (), RAW);
  gst_harness_set_upstream_latency (f.h, 40 * GST_MSECOND);
  assert_equals_uint64 (gst_harness_query_latency (f.h), 40 * GST_MSECOND);
  fixture_clear (&f);
}

GST_END_TEST;

static Suite *
gpustage_suite (void)
{
  Suite *s = suite_create ("gpustage");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_templates);
  tcase_add_test (tc, test_pass_on);
  tcase_add_test (tc, test_not_pending);
  tcase_add_loop_test (tc, test_negotiates_raw, 0, G_N_ELEMENTS (raw_cases));
  tcase_add_loop_test (tc, test_raw_caps_tell_the_truth, 0, G_N_ELEMENTS (colour_cases));
  tcase_add_test (tc, test_nothing_in_common);
  tcase_add_test (tc, test_sink_queries);
  tcase_add_test (tc, test_output_order);
  tcase_add_test (tc, test_fields);
  tcase_add_test (tc, test_flags_and_metas);
  tcase_add_test (tc, test_discarded);
  tcase_add_test (tc, test_not_linked);
  tcase_add_test (tc, test_segment);
  tcase_add_test (tc, test_eos);
  tcase_add_test (tc, test_flow_of_event);
  tcase_add_test (tc, test_actions_pass_on);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_caps_change_while_frames_wait);
  tcase_add_test (tc, test_flush);
  tcase_add_loop_test (tc, test_missing_stage, 0, G_N_ELEMENTS (missing));
  tcase_add_test (tc, test_failures);
  tcase_add_test (tc, test_states);
  tcase_add_test (tc, test_allocation);
  tcase_add_test (tc, test_latency);

  return s;
}

GST_CHECK_MAIN (gpustage);
