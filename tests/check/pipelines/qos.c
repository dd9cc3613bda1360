/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A sink that is too slow: fewer pictures are decoded, what comes out is right, and messages say what was left out.  Where the sink does
 * not keep to the clock, everything comes.
 *
 *   qos [--backend=opencl|c]
 */
#include <gst/app/app.h>
#include <glib/gstdio.h>

#include "gstdecoderow.h"
#include "decoderun.h"
#include "rowtest.h"
#include "tap.h"

#define N_PICTURES 75
#define RATE 25

/**
 * Result:
 * @md5: (nullable): of each picture of the stream, by its time; NULL: it did not come out
 * @n_output: pictures that came out
 * @n_coded: pictures that h264entropy gave to the stages
 * @n_corrupted: pictures that are flagged
 * @dropped, @processed: what the last QOS message said of h264entropy
 * @n_messages: QOS messages of it
 */
typedef struct
{
  gchar *md5[N_PICTURES];
  guint n_output, n_coded, n_corrupted;
  guint64 dropped, processed;
  guint n_messages;
} Result;

static void
result_clear (Result *result)
{
  for (guint i = 0; i < N_PICTURES; i++)
    g_free (result->md5[i]);
}

static GstPadProbeReturn
count_buffer (GstPad *pad, GstPadProbeInfo *info, gpointer n)
{
  g_atomic_int_inc ((gint *) n);
  return GST_PAD_PROBE_OK;
}

static void
count_coded (GstElement *pipeline, guint *n)
{
  GstElement *entropy = gst_decode_row_find (GST_BIN (pipeline), "h264entropy");
  GstPad *pad = gst_element_get_static_pad (entropy, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_buffer, n, NULL);
  gst_object_unref (pad);
  gst_object_unref (entropy);
}

static void
take_sample (Result *result, GstSample *sample)
{
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  const guint64 i = gst_util_uint64_scale_round (GST_BUFFER_PTS (buffer), RATE, GST_SECOND);

  result->n_output++;
  result->n_corrupted += GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_CORRUPTED);
  if (i < N_PICTURES && !result->md5[i])
    result->md5[i] = decode_sample_md5 (sample);
  gst_sample_unref (sample);
}

static void
take_messages (Result *result, GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_QOS))) {
    if (g_str_has_prefix (GST_MESSAGE_SRC_NAME (message), "h264entropy")) {
      gst_message_parse_qos_stats (message, NULL, &result->processed, &result->dropped);
      result->n_messages++;
    }
    gst_message_unref (message);
  }
  gst_object_unref (bus);
}

/* Plays @path; each picture takes 70 ms behind the row, where @slow. */
static void
play (const gchar *path, const gchar *row, gboolean slow, const gchar *sink_properties, Result *result)
{
  gchar *description = g_strdup_printf ("filesrc location=%s ! qtdemux ! h264parse ! %s ! video/x-raw ! identity sleep-time=%d ! "
                                        "appsink name=sink %s",
      path, row, slow ? 70000 : 0, sink_properties);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error), *sink;
  GstSample *sample;

  if (error)
    g_error ("%s: %s", description, error->message);
  g_free (description);
  memset (result, 0, sizeof (*result));
  count_coded (pipeline, &result->n_coded);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), DECODE_TIMEOUT)))
    take_sample (result, sample);
  take_messages (result, pipeline);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
}

static gboolean
make_stream (const gchar *path)
{
  const gchar *argv[] = { "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x112:rate=25:duration=3", "-c:v", "libx264",
    "-threads", "1", "-crf", "30", "-x264-params", "keyint=25:bframes=3:b-adapt=0:b-pyramid=none:scenecut=0", "-pix_fmt", "yuv420p", "-y",
    path, NULL };
  gint status = 1;

  return g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status,
             NULL)
      && g_spawn_check_wait_status (status, NULL);
}

/* Pictures that came out and are not those of the whole stream */
static guint
count_wrong (const Result *result, const Result *whole)
{
  guint n = 0;

  for (guint i = 0; i < N_PICTURES; i++)
    n += result->md5[i] && g_strcmp0 (result->md5[i], whole->md5[i]) != 0;
  return n;
}

static void
check_all_there (const Result *result, const Result *whole, const gchar *name)
{
  tap_check (result->n_output == N_PICTURES && result->n_coded == N_PICTURES && count_wrong (result, whole) == 0 && result->n_messages == 0,
      "%s: %u pictures decoded, %u come out", name, result->n_coded, result->n_output);
}

static void
check_stream (const gchar *path, const gchar *row)
{
  gchar *without = row_test_with (row, "qos=false");
  Result whole, result;

  play (path, row, FALSE, "sync=false", &whole);
  check_all_there (&whole, &whole, "as fast as it can");
  play (path, row, TRUE, "sync=false qos=true", &result);
  check_all_there (&result, &whole, "a slow sink that does not keep to the clock");
  result_clear (&result);
  play (path, without, TRUE, "sync=true qos=true", &result);
  check_all_there (&result, &whole, "a slow sink, and qos=false");
  result_clear (&result);
  play (path, row, TRUE, "sync=true qos=true", &result);
  tap_check (result.n_coded < N_PICTURES && result.n_output < result.n_coded, "a slow sink: %u pictures decoded, %u come out",
      result.n_coded, result.n_output);
  tap_check (result.n_output > 3 && result.n_corrupted == 0 && count_wrong (&result, &whole) == 0, "those are right, and not flagged");
  if (!tap_check (result.n_messages > 0 && result.dropped == result.n_messages && result.dropped + result.n_output == N_PICTURES,
          "%u QOS messages say what was left out", result.n_messages))
    tap_note ("  %" G_GUINT64_FORMAT " processed, %" G_GUINT64_FORMAT " dropped", result.processed, result.dropped);
  result_clear (&result);
  result_clear (&whole);
  g_free (without);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  gchar *path;

  test.settings.n_threads = 2;
  row_test_begin (&test, NULL, &argc, &argv);
  row_test_make_folder (&test);
  path = g_build_filename (test.folder, "stream.mp4", NULL);
  if (make_stream (path))
    check_stream (path, test.elements);
  else
    tap_skip ("there is no ffmpeg with libx264 to make it", "a stream with B pictures");
  g_unlink (path);
  g_free (path);
  return row_test_end (&test);
}
