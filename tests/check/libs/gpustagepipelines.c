/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Rows of stages in real pipelines: what the last one negotiates with the usual sinks, queues between the stages, frames that are held,
 * seeks.
 */
#include <gst/check/gstcheck.h>
#include <gst/app/app.h>
#include <glib/gstdio.h>
#include "teststage.h"

#define N_FRAMES 40
#define WIDTH 64
#define HEIGHT 48
#define FRAME_SIZE (WIDTH * HEIGHT * 3 / 2)

typedef struct
{
  GstElement *pipeline, *src;
  GstElement *idct, *intrapred, *deblock;
  guint first;      /* number of the first frame since the last seek: ten times its second */
  guint pushed;     /* frames since then */
  guint drain_from; /* EOS, if first is at least this; else the source falls silent */
} Row;

static void
add_and_link (Row *row, GstElement **last, GstElement *element)
{
  gst_bin_add (GST_BIN (row->pipeline), element);
  fail_unless (gst_element_link (*last, element));
  *last = element;
}

/* Frame number i of the coding order as with B pictures: 0 2 1 4 3 ... */
static guint
coding_order (guint i)
{
  return i == 0 ? 0 : i % 2 == 0 ? i - 1 : i + 1 < N_FRAMES ? i + 1 : i;
}

/* One more picture.  A B picture lets itself and the picture before it out, the last one what is left. */
static void
push_next (GstAppSrc *src, guint length, gpointer user_data)
{
  Row *row = user_data;
  guint i = row->pushed, number = row->first + coding_order (i);
  GstBuffer *buffer;

  if (i == N_FRAMES) {
    if (row->first >= row->drain_from)
      gst_app_src_end_of_stream (src);
    return;
  }
  buffer = test_picture_new (number, GST_CODED_STAGE_IDCT | GST_CODED_STAGE_INTRAPRED | GST_CODED_STAGE_DEBLOCK);
  if (i % 2 == 0) {
    test_picture_act (buffer, TRUE, number);
    if (i > 0)
      test_picture_act (buffer, TRUE, number + 1);
  } else if (i == N_FRAMES - 1) {
    test_picture_act (buffer, TRUE, number);
  }
  row->pushed++;
  gst_app_src_push_buffer (src, buffer);
}

static gboolean
seek_to (GstAppSrc *src, guint64 offset, gpointer user_data)
{
  Row *row = user_data;

  row->first = 10 * (offset / GST_SECOND);
  row->pushed = 0;
  return TRUE;
}

/* appsrc ! idct ! intrapred ! deblock ! sink, with or without a queue between all neighbours.  Takes @sink. */
static void
row_init (Row *row, gboolean queues, GstElement *sink)
{
  GstElement **stages[] = { &row->idct, &row->intrapred, &row->deblock };
  GType types[] = { test_idct_get_type (), test_intrapred_get_type (), test_deblock_get_type () };
  GstCaps *caps = test_coded_caps (WIDTH, HEIGHT);
  GstAppSrcCallbacks callbacks = { push_next, NULL, seek_to };
  GstElement *last;

  row->drain_from = 0;
  row->pipeline = gst_pipeline_new (NULL);
  row->src = last = gst_element_factory_make ("appsrc", NULL);
  g_object_set (row->src, "caps", caps, "format", GST_FORMAT_TIME, "stream-type", GST_APP_STREAM_TYPE_SEEKABLE, NULL);
  gst_app_src_set_callbacks (GST_APP_SRC (row->src), &callbacks, row, NULL);
  gst_caps_unref (caps);
  gst_bin_add (GST_BIN (row->pipeline), row->src);
  for (guint i = 0; i < G_N_ELEMENTS (stages); i++) {
    if (queues)
      add_and_link (row, &last, gst_element_factory_make ("queue", NULL));
    *stages[i] = test_stage_new (types[i], NULL);
    add_and_link (row, &last, *stages[i]);
  }
  if (queues)
    add_and_link (row, &last, gst_element_factory_make ("queue", NULL));
  add_and_link (row, &last, sink);
}

static void
row_clear (Row *row)
{
  fail_unless_equals_int (gst_element_set_state (row->pipeline, GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
  gst_object_unref (row->pipeline);
}

/* Plays to the end; an error fails the test. */
static void
row_run_to_eos (Row *row)
{
  GstBus *bus = gst_element_get_bus (row->pipeline);
  GstMessage *message;

  fail_if (gst_element_set_state (row->pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  message = gst_bus_timed_pop_filtered (bus, 20 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL, "the pipeline hangs");
  fail_unless (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS, "%" GST_PTR_FORMAT, message);
  gst_message_unref (message);
  gst_object_unref (bus);
}

static void
assert_src_caps (GstElement *element, const gchar *name, const gchar *feature)
{
  GstPad *pad = gst_element_get_static_pad (element, "src");
  GstCaps *caps = gst_pad_get_current_caps (pad);

  fail_unless (caps != NULL);
  assert_equals_string (gst_structure_get_name (gst_caps_get_structure (caps, 0)), name);
  fail_unless (gst_caps_features_contains (gst_caps_get_features (caps, 0), feature), "%" GST_PTR_FORMAT, caps);
  gst_caps_unref (caps);
  gst_object_unref (pad);
}

/* All of @n frames from @first on come out of @sink in order, then EOS. */
static void
assert_frames (GstElement *sink, guint first, guint n)
{
  for (guint i = first; i < first + n; i++) {
    GstSample *sample = gst_app_sink_pull_sample (GST_APP_SINK (sink));
    guint8 byte;

    fail_unless (sample != NULL, "frame %u is missing", i);
    assert_equals_uint64 (GST_BUFFER_PTS (gst_sample_get_buffer (sample)), i * GST_SECOND);
    gst_buffer_extract (gst_sample_get_buffer (sample), 0, &byte, 1);
    assert_equals_int (byte, i);
    gst_sample_unref (sample);
  }
  fail_unless (!gst_app_sink_pull_sample (GST_APP_SINK (sink)));
}

static GstElement *
appsink_new (void)
{
  GstElement *sink = gst_element_factory_make ("appsink", NULL);

  g_object_set (sink, "sync", FALSE, NULL);
  return sink;
}

GST_START_TEST (test_fakesink)
{
  Row row;
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);

  row_init (&row, __i__, sink);
  row_run_to_eos (&row);
  assert_src_caps (row.idct, GST_CODED_PICTURE_MEDIA_TYPE, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);
  assert_src_caps (row.intrapred, GST_CODED_PICTURE_MEDIA_TYPE, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);
  assert_src_caps (row.deblock, "video/x-raw", GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);
  assert_equals_int (test_stage_log (row.deblock)->n_outputs, N_FRAMES);
  assert_equals_int (test_stage_log (row.idct)->processed->len, N_FRAMES);
  assert_equals_int (test_stage_log (row.idct)->n_surface_pools, 1);
  assert_equals_int (test_stage_log (row.intrapred)->n_surface_pools, 0);
  assert_equals_int (test_stage_log (row.deblock)->n_surface_pools, 0);
  row_clear (&row);
}

GST_END_TEST;

GST_START_TEST (test_filesink)
{
  Row row;
  GstElement *sink = gst_element_factory_make ("filesink", NULL);
  gchar *path = NULL, *bytes;
  gsize size;
  gint fd = g_file_open_tmp ("gpustage-XXXXXX", &path, NULL);

  fail_unless (fd >= 0);
  g_close (fd, NULL);
  g_object_set (sink, "location", path, NULL);
  row_init (&row, __i__, sink);
  row_run_to_eos (&row);
  assert_src_caps (row.deblock, "video/x-raw", GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);
  row_clear (&row);

  fail_unless (g_file_get_contents (path, &bytes, &size, NULL));
  assert_equals_uint64 (size, N_FRAMES * FRAME_SIZE);
  for (guint i = 0; i < N_FRAMES; i++)
    assert_equals_int (bytes[i * FRAME_SIZE], i);
  g_free (bytes);
  g_unlink (path);
  g_free (path);
}

GST_END_TEST;

/* The sink keeps every frame until the end: nothing may wait for one to come back. */
GST_START_TEST (test_appsink)
{
  Row row;
  GstElement *sink = appsink_new ();

  row_init (&row, __i__, sink);
  fail_if (gst_element_set_state (row.pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  assert_frames (sink, 0, N_FRAMES);
  assert_src_caps (row.deblock, "video/x-raw", GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);
  row_clear (&row);
}

GST_END_TEST;

GST_START_TEST (test_appsink_system_memory)
{
  Row row;
  GstElement *sink = appsink_new ();
  GstCaps *caps = gst_caps_from_string ("video/x-raw");

  g_object_set (sink, "caps", caps, NULL);
  gst_caps_unref (caps);
  row_init (&row, __i__, sink);
  fail_if (gst_element_set_state (row.pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  assert_frames (sink, 0, N_FRAMES);
  assert_src_caps (row.deblock, "video/x-raw", GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);
  row_clear (&row);
}

GST_END_TEST;

GST_START_TEST (test_tee)
{
  Row row;
  GstElement *tee = gst_element_factory_make ("tee", NULL), *sinks[2], *queue;
  GstCaps *caps = gst_caps_from_string ("video/x-raw");

  row_init (&row, __i__, tee);
  for (guint i = 0; i < 2; i++) {
    queue = gst_element_factory_make ("queue", NULL);
    sinks[i] = appsink_new ();
    gst_bin_add_many (GST_BIN (row.pipeline), queue, sinks[i], NULL);
    fail_unless (gst_element_link_many (tee, queue, sinks[i], NULL));
  }
  /* one branch takes anything, the other system memory */
  g_object_set (sinks[1], "caps", caps, NULL);
  gst_caps_unref (caps);
  fail_if (gst_element_set_state (row.pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  assert_frames (sinks[0], 0, N_FRAMES);
  assert_frames (sinks[1], 0, N_FRAMES);
  assert_src_caps (row.deblock, "video/x-raw", GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);
  row_clear (&row);
}

GST_END_TEST;

/* Between two stages there is nothing to share: whoever writes first says so. */
GST_START_TEST (test_tee_between_stages)
{
  Row row;
  GstElement *tee = gst_element_factory_make ("tee", NULL);
  GstMessage *message;
  GError *error = NULL;
  GstBus *bus;

  row_init (&row, FALSE, gst_element_factory_make ("fakesink", NULL));
  gst_element_unlink (row.idct, row.intrapred);
  gst_bin_add (GST_BIN (row.pipeline), tee);
  fail_unless (gst_element_link (row.idct, tee));
  for (guint i = 0; i < 2; i++) {
    GstElement *queue = gst_element_factory_make ("queue", NULL),
               *stage = i == 0 ? row.intrapred : test_stage_new (test_intrapred_get_type (), NULL);

    gst_bin_add (GST_BIN (row.pipeline), queue);
    if (i == 1)
      gst_bin_add (GST_BIN (row.pipeline), stage);
    fail_unless (gst_element_link_many (tee, queue, stage, NULL));
    if (i == 1) {
      add_and_link (&row, &stage, test_stage_new (test_deblock_get_type (), NULL));
      add_and_link (&row, &stage, gst_element_factory_make ("fakesink", NULL));
    }
  }
  bus = gst_element_get_bus (row.pipeline);
  gst_element_set_state (row.pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 20 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR, "%" GST_PTR_FORMAT, message);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "cannot be shared") && strstr (error->message, "tee"), "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_object_unref (bus);
  row_clear (&row);
}

GST_END_TEST;

static GstPadProbeReturn
ask_for_seven (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool (query, NULL, FRAME_SIZE, 7, 0);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

/* What the sink asks for reaches the stage that allocates the surfaces. */
GST_START_TEST (test_downstream_surfaces)
{
  Row row;
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);
  GstPad *pad = gst_element_get_static_pad (sink, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, ask_for_seven, NULL, NULL);
  gst_object_unref (pad);
  row_init (&row, __i__, sink);
  row_run_to_eos (&row);
  assert_equals_int (test_stage_log (row.idct)->n_surfaces, 5 + 7);
  fail_unless (test_stage_log (row.deblock)->has_video_meta);
  row_clear (&row);
}

GST_END_TEST;

/* A flushing seek while frames wait for output: none of them is ever seen. */
GST_START_TEST (test_flushing_seek)
{
  Row row;
  GstElement *sink = appsink_new ();
  GstSample *sample;

  row_init (&row, __i__, sink);
  row.drain_from = 40;
  fail_if (gst_element_set_state (row.pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  for (guint i = 0; i < 3; i++) {
    sample = gst_app_sink_pull_sample (GST_APP_SINK (sink));
    fail_unless (sample != NULL);
    gst_sample_unref (sample);
  }
  for (guint second = 1; second <= 4; second++)
    fail_unless (gst_element_seek_simple (row.pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, second * GST_SECOND));
  assert_frames (sink, 40, N_FRAMES);
  row_clear (&row);
}

GST_END_TEST;

/* Stopping in the middle, then playing again from scratch */
GST_START_TEST (test_restart)
{
  Row row;
  GstElement *sink = appsink_new ();

  row_init (&row, __i__, sink);
  for (guint i = 0; i < 3; i++) {
    fail_if (gst_element_set_state (row.pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
    gst_sample_unref (gst_app_sink_pull_sample (GST_APP_SINK (sink)));
    fail_if (gst_element_set_state (row.pipeline, i == 1 ? GST_STATE_NULL : GST_STATE_READY) == GST_STATE_CHANGE_FAILURE);
    /* in READY it keeps its frames */
    gst_element_set_state (sink, GST_STATE_NULL);
  }
  fail_if (gst_element_set_state (row.pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  assert_frames (sink, 0, N_FRAMES);
  row_clear (&row);
}

GST_END_TEST;

static Suite *
gpustagepipelines_suite (void)
{
  Suite *s = suite_create ("gpustagepipelines");
  TCase *tc = tcase_create ("general");

  /* each without and with queues between the stages */
  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_fakesink, 0, 2);
  tcase_add_loop_test (tc, test_filesink, 0, 2);
  tcase_add_loop_test (tc, test_appsink, 0, 2);
  tcase_add_loop_test (tc, test_appsink_system_memory, 0, 2);
  tcase_add_loop_test (tc, test_tee, 0, 2);
  tcase_add_test (tc, test_tee_between_stages);
  tcase_add_loop_test (tc, test_downstream_surfaces, 0, 2);
  tcase_add_loop_test (tc, test_flushing_seek, 0, 2);
  tcase_add_loop_test (tc, test_restart, 0, 2);

  return s;
}

GST_CHECK_MAIN (gpustagepipelines);
