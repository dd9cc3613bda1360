/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Under GStreamer's leaks tracer: when pipelines are gone (after the end, an error, damaged input, a stop in the middle), none of their
 * objects are left.  Each scenario runs in a process of its own, since the tracer reports when GStreamer is shut down.
 *
 *   leaks [--backend=opencl|c] [--row=ELEMENTS]
 */
#include <glib/gstdio.h>
#include <gst/app/app.h>

#include "gstdecoderow.h"
#include "decoderun.h"
#include "mutate.h"
#include "rowtest.h"
#include "tap.h"

#define N_RESTARTS 200

static const gchar *any_format = "video/x-raw";

static void
play_to_the_end (const gchar *row)
{
  DecodeResult result;

  decode_file (TEST_DATA "/clip.mp4", row, any_format, &result);
  if (result.error)
    tap_note ("  %s", result.error);
  decode_result_clear (&result);
}

static void
play_refused (const gchar *row)
{
  DecodeResult result;

  gchar *without_inter = gst_decode_row_remove (row, "gpuinterpred");

  decode_file (TEST_DATA "/inter.264", without_inter, any_format, &result);
  if (!result.error)
    tap_note ("  it was not refused");
  decode_result_clear (&result);
  g_free (without_inter);
}

static void
play_inter (const gchar *row)
{
  DecodeResult result;

  decode_file (TEST_DATA "/inter.264", row, any_format, &result);
  decode_result_clear (&result);
}

/* PLAYING to READY and back; the elements stay. */
static void
restart_often (const gchar *row)
{
  gchar *source = decode_source_describe (TEST_DATA "/inter.264");
  GstElement *pipeline = decode_pipeline_new (source, row, any_format);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");

  for (guint i = 0; i < N_RESTARTS; i++) {
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    /* stopped at the beginning, in the middle, at the end */
    for (guint k = 0; k < i % 4; k++) {
      GstSample *sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), DECODE_TIMEOUT);

      if (!sample)
        g_error ("nothing came after start %u", i);
      gst_sample_unref (sample);
    }
    gst_element_set_state (pipeline, GST_STATE_READY);
    /* in READY it keeps its frames */
    gst_element_set_state (sink, GST_STATE_NULL);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  g_free (source);
}

static void
play_damaged (const gchar *row)
{
  gchar *data, *description;
  GBytes *bytes, *mutated;
  DecodeResult result;
  gsize size;

  g_assert_true (g_file_get_contents (TEST_DATA "/cabac_420.264", &data, &size, NULL));
  bytes = g_bytes_new_take (data, size);
  for (guint32 seed = 1; seed <= 20; seed++) {
    mutated = mutate_stream (bytes, seed, &description);
    decode_bytes (mutated, row, any_format, &result);
    decode_result_clear (&result);
    g_bytes_unref (mutated);
    g_free (description);
  }
  g_bytes_unref (bytes);
}

/* A seek in the middle of a GOP that is being output, to another that is played to its end */
static void
play_backwards (const gchar *row)
{
  gchar *source = decode_source_describe (TEST_DATA "/clip.mp4");
  GstElement *pipeline = decode_pipeline_new (source, row, any_format);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstSample *sample = NULL;

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  gst_element_get_state (pipeline, NULL, NULL, DECODE_TIMEOUT);
  for (guint i = 0; i < 2; i++) {
    if (!gst_element_seek (pipeline, -1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_SET, GST_SECOND / 2))
      tap_note ("  the seek is refused");
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    for (guint k = 0; (i > 0 || k < 3) && (sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), DECODE_TIMEOUT)); k++)
      gst_sample_unref (sample);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  g_free (source);
}

static void
stop_in_the_middle (const gchar *row)
{
  gchar *source = decode_source_describe (TEST_DATA "/clip.mp4");
  GstElement *pipeline = decode_pipeline_new (source, row, any_format);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstSample *sample;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  if ((sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), DECODE_TIMEOUT)))
    gst_sample_unref (sample);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  g_free (source);
}

typedef struct
{
  const gchar *name;
  void (*play) (const gchar *row);
} Scenario;

static const Scenario scenarios[] = {
  { "playing to the end", play_to_the_end },
  { "P and B pictures", play_inter },
  { "backwards", play_backwards },
  { "a row without a stage that the stream needs", play_refused },
  { "damaged streams", play_damaged },
  { "stopping in the middle", stop_in_the_middle },
  { "200 times PLAYING to READY", restart_often },
};

/* (transfer full) (nullable): what the tracer writes when this program plays scenario @i */
static gchar *
trace_scenario (const gchar *program, guint i, const gchar *row)
{
  gchar *number = g_strdup_printf ("--scenario=%u", i), *elements = g_strdup_printf ("--row=%s", row);
  gchar *argv[] = { (gchar *) program, number, elements, NULL };
  gchar **environment = g_get_environ ();
  gchar *log_path = NULL, *log = NULL;
  gint log_file = g_file_open_tmp ("leaks-XXXXXX", &log_path, NULL), status = 1;
  GError *error = NULL;

  g_assert_cmpint (log_file, >=, 0);
  environment = g_environ_setenv (environment, "GST_TRACERS", "leaks", TRUE);
  environment = g_environ_setenv (environment, "GST_DEBUG", "GST_TRACER:7", TRUE);
  environment = g_environ_setenv (environment, "GST_DEBUG_NO_COLOR", "1", TRUE);
  environment = g_environ_setenv (environment, "GST_DEBUG_FILE", log_path, TRUE);
  if (!g_spawn_sync (NULL, argv, environment, G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status, &error)
      || !g_spawn_check_wait_status (status, &error)) {
    tap_note ("  %s", error->message);
    g_error_free (error);
  } else {
    g_file_get_contents (log_path, &log, NULL, NULL);
  }
  g_close (log_file, NULL);
  g_unlink (log_path);
  g_free (log_path);
  g_strfreev (environment);
  g_free (elements);
  g_free (number);
  return log;
}

static void
check_scenario (const gchar *program, guint i, const gchar *row)
{
  gchar *log = trace_scenario (program, i, row);
  gchar **lines = g_strsplit (log ? log : "", "\n", -1);
  GString *left = g_string_new (NULL);
  guint n_left = 0;

  for (guint k = 0; lines[k]; k++) {
    const gchar *object = strstr (lines[k], "object-alive, ");

    /* not the line that tells the format of the others */
    if (object && !strstr (object, "%s") && n_left++ < 10)
      g_string_append_printf (left, "%.160s; ", object);
  }
  if (!tap_check (log && strstr (log, "object-alive.class") && n_left == 0, "nothing is left after %s", scenarios[i].name))
    tap_note ("  %u objects left: %s", n_left, left->str);
  g_string_free (left, TRUE);
  g_strfreev (lines);
  g_free (log);
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  gint scenario = -1;
  const GOptionEntry entries[] = {
    { "scenario", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &scenario, "Play one scenario and report nothing", "N" },
    { NULL },
  };

  test.settings.queues = TRUE;
  row_test_begin (&test, entries, &argc, &argv);
  if (scenario >= 0 && scenario < (gint) G_N_ELEMENTS (scenarios)) {
    scenarios[scenario].play (test.elements);
    row_test_clear (&test);
    gst_deinit ();
    return 0;
  }
  for (guint i = 0; i < G_N_ELEMENTS (scenarios); i++)
    check_scenario (argv[0], i, test.elements);
  return row_test_end (&test);
}
