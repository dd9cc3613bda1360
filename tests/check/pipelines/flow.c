/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Flushes, seeks, state changes and the end of stream, with a queue between every pair of stages: the pictures that come out are the right
 * ones, whatever happened before them.
 *
 *   flow [--backend=opencl|c] [--row=ELEMENTS]
 */
#include <gst/app/app.h>
#include <glib/gstdio.h>

#include "gstdecoderow.h"
#include "decoderun.h"
#include "rowtest.h"
#include "tap.h"

#define CLIP TEST_DATA "/clip.mp4"
/* pictures of the clip, one each 1/25 s */
#define N_PICTURES 20
#define FRAME_DURATION (GST_SECOND / 25)
#define WAIT (30 * GST_SECOND)

/* md5 of each picture of the clip in order, and the time on it */
static gchar *picture_md5[N_PICTURES];
static GstClockTime picture_pts[N_PICTURES];

static GstElement *
clip_pipeline_new (const gchar *row)
{
  gchar *source = decode_source_describe (CLIP);
  GstElement *pipeline = decode_pipeline_new (source, row, "video/x-raw");

  g_free (source);
  return pipeline;
}

static GstAppSink *
pipeline_get_sink (GstElement *pipeline)
{
  GstAppSink *sink = GST_APP_SINK (gst_bin_get_by_name (GST_BIN (pipeline), "sink"));

  /* kept by the pipeline */
  gst_object_unref (sink);
  return sink;
}

/* Whether the next pictures are numbers @first to @last of the clip */
static gboolean
pull_pictures (GstAppSink *sink, guint first, guint last)
{
  for (guint i = first; i <= last; i++) {
    GstSample *sample = gst_app_sink_try_pull_sample (sink, WAIT);
    gchar *md5 = sample ? decode_sample_md5 (sample) : NULL;
    GstClockTime pts = sample ? GST_BUFFER_PTS (gst_sample_get_buffer (sample)) : GST_CLOCK_TIME_NONE;
    gboolean ok = g_strcmp0 (md5, picture_md5[i]) == 0 && pts == picture_pts[i];

    if (!ok)
      tap_note ("  picture %u: %s at %" GST_TIME_FORMAT ", expected %s at %" GST_TIME_FORMAT, i, md5 ? md5 : "none", GST_TIME_ARGS (pts),
          picture_md5[i], GST_TIME_ARGS (picture_pts[i]));
    g_free (md5);
    g_clear_pointer (&sample, gst_sample_unref);
    if (!ok)
      return FALSE;
  }
  return TRUE;
}

static gboolean
pull_eos (GstAppSink *sink)
{
  GstSample *sample = gst_app_sink_try_pull_sample (sink, WAIT);
  gboolean ok = !sample && gst_app_sink_is_eos (sink);

  g_clear_pointer (&sample, gst_sample_unref);
  return ok;
}

static gboolean
pipeline_has_error (GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  gboolean failed = message != NULL;
  GError *error = NULL;

  if (failed) {
    gst_message_parse_error (message, &error, NULL);
    tap_note ("  %s: %s", GST_MESSAGE_SRC_NAME (message), error->message);
    g_error_free (error);
    gst_message_unref (message);
  }
  gst_object_unref (bus);
  return failed;
}

static gboolean
seek_to_picture (GstElement *pipeline, guint i)
{
  return gst_element_seek_simple (pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, i * FRAME_DURATION);
}

/* What the clip's pictures are: the row without queues, once through */
static void
read_pictures (const gchar *row)
{
  GstElement *pipeline = clip_pipeline_new (row);
  GstAppSink *sink = pipeline_get_sink (pipeline);
  guint n = 0;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (n = 0; n < N_PICTURES; n++) {
    GstSample *sample = gst_app_sink_try_pull_sample (sink, WAIT);

    if (!sample)
      break;
    picture_md5[n] = decode_sample_md5 (sample);
    picture_pts[n] = GST_BUFFER_PTS (gst_sample_get_buffer (sample));
    gst_sample_unref (sample);
  }
  tap_check (n == N_PICTURES && pull_eos (sink), "the clip has its %d pictures", N_PICTURES);
  tap_check (!pipeline_has_error (pipeline), "no error");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

static void
check_end (GstElement *pipeline, GstAppSink *sink)
{
  tap_check (pull_pictures (sink, 0, N_PICTURES - 1), "all pictures");
  tap_check (pull_eos (sink), "end of stream after the last picture");
  tap_check (seek_to_picture (pipeline, 0) && pull_pictures (sink, 0, N_PICTURES - 1), "all pictures again after a seek at the end");
  tap_check (pull_eos (sink), "end of stream again");
}

static void
check_seeks (GstElement *pipeline, GstAppSink *sink)
{
  static const guint targets[] = { 7, 0, 19, 3, 12, 12, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++) {
    guint last = MIN (targets[i] + 2, N_PICTURES - 1);

    tap_check (seek_to_picture (pipeline, targets[i]) && pull_pictures (sink, targets[i], last),
        "seek to picture %u in the middle of playing", targets[i]);
  }
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  tap_check (seek_to_picture (pipeline, 5), "seek while paused");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  tap_check (pull_pictures (sink, 5, N_PICTURES - 1) && pull_eos (sink), "from there to the end");
}

/* Many seeks close together, so that flushes meet pictures in every stage */
static void
check_seek_storm (GstElement *pipeline, GstAppSink *sink)
{
  GRand *random = g_rand_new_with_seed (1);
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < 40; i++) {
    ok = seek_to_picture (pipeline, g_rand_int_range (random, 0, N_PICTURES));
    g_usleep (g_rand_int_range (random, 0, 8000));
  }
  g_rand_free (random);
  tap_check (ok && seek_to_picture (pipeline, 2) && pull_pictures (sink, 2, N_PICTURES - 1) && pull_eos (sink),
      "the right pictures after 40 seeks in a row");
}

/* An elementary stream, since a demuxer's pads go away in READY. */
static void
check_restart (const gchar *row)
{
  gchar *source = decode_source_describe (TEST_DATA "/cabac_420.264");
  GstElement *pipeline = decode_pipeline_new (source, row, "video/x-raw");
  gchar *md5 = NULL;

  for (guint i = 0; i < 4; i++) {
    DecodeResult result;

    /* stops in NULL; in the third and fourth round the elements have been in READY on the way */
    if (i >= 2)
      gst_element_set_state (pipeline, GST_STATE_READY);
    decode_pipeline_run (pipeline, &result);
    if (!md5)
      md5 = g_strdup (result.md5);
    tap_check (!result.error && result.n_pictures == 3 && g_str_equal (md5, result.md5), "start number %u", i + 1);
    decode_result_clear (&result);
  }
  g_free (md5);
  gst_object_unref (pipeline);
  g_free (source);
}

/* Stopped while every queue is full */
static void
check_stop_in_flight (const gchar *row)
{
  for (guint i = 0; i < 10; i++) {
    GstElement *pipeline = clip_pipeline_new (row);
    GstAppSink *sink = pipeline_get_sink (pipeline);
    gboolean ok;

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    ok = i == 0 || pull_pictures (sink, 0, i - 1);
    ok &= gst_element_set_state (pipeline, GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS && !pipeline_has_error (pipeline);
    tap_check (ok, "stopped after %u pictures", i);
    gst_object_unref (pipeline);
  }
}

/* P and B pictures in a row for intra pictures: the error says what to add. */
static void
check_missing_stage (const gchar *row)
{
  gchar *without_inter = gst_decode_row_remove (row, "gpuinterpred");
  DecodeResult result;

  decode_file (TEST_DATA "/inter.264", without_inter, "video/x-raw", &result);
  tap_check (result.error && strstr (result.error, "gpuinterpred"), "without gpuinterpred, the error names it");
  tap_note ("  %s", result.error ? result.error : "no error");
  decode_result_clear (&result);
  g_free (without_inter);
}

/* A row that somebody cut off behind inter prediction, to measure it: nobody finishes the references, and nobody waits for them. */
static void
check_cut_row (const gchar *backend)
{
  const GstDecodeRow row = { .backend = backend, .platform = -1, .device = -1, .n_stages = 2 };
  gchar *elements = gst_decode_row_describe (&row);
  gchar *description =
      g_strdup_printf ("filesrc location=\"" TEST_DATA "/inter.264\" ! h264parse ! %s ! video/x-coded-picture ! fakesink", elements);
  GstElement *pipeline = gst_parse_launch (description, NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, WAIT, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  tap_check (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS, "a row that ends behind gpuinterpred comes to its end");
  g_clear_pointer (&message, gst_message_unref);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  g_free (description);
  g_free (elements);
}

/* Coded pictures in system memory, a transform in C and kernels behind it: what the transform leaves for them comes along. */
static void
check_mixed_row (void)
{
  GstElement *pipeline =
      clip_pipeline_new ("h264entropy ! identity drop-allocation=true ! gpuidct backend=c ! gpuinterpred ! gpuintrapred ! gpudeblock");
  GstAppSink *sink = pipeline_get_sink (pipeline);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  tap_check (pull_pictures (sink, 0, N_PICTURES - 1) && pull_eos (sink) && !pipeline_has_error (pipeline),
      "a transform in C before kernels gives the same pictures");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

/* The row as a bin, as an element that contains the whole decoder would hold it. */
static void
check_bin (const gchar *backend)
{
  const GstDecodeRow row = { .backend = backend, .platform = -1, .device = -1, .n_stages = G_MAXUINT, .queues = TRUE };
  gchar *source = decode_source_describe (CLIP), *description = g_strdup_printf ("%s name=parse", source);
  GstElement *pipeline = gst_parse_launch (description, NULL), *bin = gst_decode_row_make_bin (&row, NULL), *parse,
             *sink = gst_element_factory_make ("appsink", "sink");
  GstCaps *caps = gst_caps_new_empty_simple ("video/x-raw");
  gboolean linked;

  g_assert_true (pipeline && bin && sink);
  g_object_set (sink, "sync", FALSE, "max-buffers", 4, NULL);
  gst_bin_add_many (GST_BIN (pipeline), bin, sink, NULL);
  parse = gst_bin_get_by_name (GST_BIN (pipeline), "parse");
  linked = gst_element_link (parse, bin) && gst_element_link_filtered (bin, sink, caps);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  tap_check (linked && pull_pictures (GST_APP_SINK (sink), 0, N_PICTURES - 1) && pull_eos (GST_APP_SINK (sink))
          && !pipeline_has_error (pipeline),
      "the row as a bin gives all pictures");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_caps_unref (caps);
  gst_object_unref (parse);
  gst_object_unref (pipeline);
  g_free (description);
  g_free (source);
}

/* Sinks that take anything write bytes: they get rows without padding, as those that ask for system memory do. */
static void
check_filesink (const gchar *row, const gchar *last)
{
  gchar *path = g_build_filename (g_get_tmp_dir (), "flow-XXXXXX", NULL), *bytes = NULL, *md5 = NULL,
        *source = decode_source_describe (CLIP);
  gint fd = g_mkstemp (path);
  gchar *description = g_strdup_printf ("%s ! %s ! %sfilesink location=\"%s\"", source, row, last, path);
  GstElement *pipeline = gst_parse_launch (description, NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  DecodeResult result;
  gsize size = 0;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, WAIT, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  if (g_file_get_contents (path, &bytes, &size, NULL))
    md5 = g_compute_checksum_for_data (G_CHECKSUM_MD5, (const guchar *) bytes, size);
  decode_file (CLIP, row, "video/x-raw", &result);
  tap_check (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS && g_strcmp0 (md5, result.md5) == 0,
      "%sfilesink gets the samples alone", last);
  decode_result_clear (&result);
  g_clear_pointer (&message, gst_message_unref);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  g_close (fd, NULL);
  g_unlink (path);
  g_free (description);
  g_free (source);
  g_free (bytes);
  g_free (md5);
  g_free (path);
}

/* Pictures that downstream still holds when the row is gone stay what they are. */
static void
check_kept_picture (const gchar *row)
{
  GstElement *pipeline = clip_pipeline_new (row);
  GstSample *sample;
  gchar *md5;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  sample = gst_app_sink_try_pull_sample (pipeline_get_sink (pipeline), WAIT);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  md5 = sample ? decode_sample_md5 (sample) : NULL;
  tap_check (g_strcmp0 (md5, picture_md5[0]) == 0, "a picture outlives its pipeline");
  g_free (md5);
  g_clear_pointer (&sample, gst_sample_unref);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  gchar *row, *queued;
  GstElement *pipeline;
  GstAppSink *sink;

  row_test_begin (&test, NULL, &argc, &argv);
  row = row_test_describe (&test, TRUE);
  queued = test.given ? g_strconcat (row, " ! queue", NULL) : g_strdup (row);
  g_free (row);
  read_pictures (test.elements);
  pipeline = clip_pipeline_new (queued);
  sink = pipeline_get_sink (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  check_end (pipeline, sink);
  check_seeks (pipeline, sink);
  check_seek_storm (pipeline, sink);
  tap_check (!pipeline_has_error (pipeline), "no error all the while");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  check_restart (queued);
  check_stop_in_flight (queued);
  check_kept_picture (queued);
  if (!test.given)
    check_missing_stage (test.elements);
  check_cut_row (test.backend ? test.backend : "opencl");
  if (!test.given && g_strcmp0 (test.backend, "c") != 0)
    check_mixed_row ();
  check_bin (test.backend);
  check_filesink (test.elements, "");
  check_filesink (test.elements, "gpucsc ! ");
  check_filesink (test.elements, "queue ! videoconvert ! ");
  for (guint i = 0; i < N_PICTURES; i++)
    g_free (picture_md5[i]);
  g_free (queued);
  return row_test_end (&test);
}
