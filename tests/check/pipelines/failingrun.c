/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "failingrun.h"

#include <gst/app/app.h>
#include "decoderun.h"

/* Nothing that fails takes long. */
#define TIMEOUT (60 * GST_SECOND)

static void
take_sample (FailingRun *run, GstSample *sample)
{
  gchar *md5 = NULL;

  if (!GST_BUFFER_FLAG_IS_SET (gst_sample_get_buffer (sample), GST_BUFFER_FLAG_CORRUPTED)) {
    md5 = decode_sample_md5 (sample);
    if (!md5 && !run->error)
      run->error = g_strdup ("a picture cannot be read");
  }
  g_ptr_array_add (run->md5s, md5 ? md5 : g_strdup (""));
  gst_sample_unref (sample);
}

/* TRUE where there is an error message */
static gboolean
take_error (FailingRun *run, GstBus *bus)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;

  if (!message)
    return FALSE;
  gst_message_parse_error (message, &error, NULL);
  if (!run->error)
    run->error = g_strdup_printf ("%s: %s", GST_MESSAGE_SRC_NAME (message), error->message);
  g_error_free (error);
  gst_message_unref (message);
  return TRUE;
}

void
failing_run_play (FailingRun *run, GstElement *pipeline)
{
  GstAppSink *sink = GST_APP_SINK (gst_bin_get_by_name (GST_BIN (pipeline), "sink"));
  GstBus *bus = gst_element_get_bus (pipeline);
  gint64 end = g_get_monotonic_time () + TIMEOUT / 1000;
  gboolean failed;

  *run = (FailingRun){ .md5s = g_ptr_array_new_with_free_func (g_free) };
  failed = gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE;
  while (!take_error (run, bus) && !failed && !gst_app_sink_is_eos (sink)) {
    GstSample *sample = gst_app_sink_try_pull_sample (sink, 5 * GST_MSECOND);

    if (sample)
      take_sample (run, sample);
    run->timed_out = g_get_monotonic_time () > end;
    if (run->timed_out)
      break;
  }
  take_error (run, bus);
  if (failed && !run->error)
    run->error = g_strdup ("no message of a state change that failed");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (sink);
}

void
failing_run_clear (FailingRun *run)
{
  g_clear_pointer (&run->md5s, g_ptr_array_unref);
  g_clear_pointer (&run->error, g_free);
}

gboolean
failing_run_is_honest (const FailingRun *run, const FailingRun *right)
{
  if (run->timed_out || run->md5s->len > right->md5s->len || (!run->error && run->md5s->len < right->md5s->len))
    return FALSE;
  for (guint i = 0; i < run->md5s->len; i++) {
    const gchar *md5 = g_ptr_array_index (run->md5s, i);

    if (*md5 && !g_str_equal (md5, g_ptr_array_index (right->md5s, i)))
      return FALSE;
  }
  return TRUE;
}
