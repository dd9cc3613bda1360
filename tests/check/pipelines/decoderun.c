/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decoderun.h"

#include <gst/app/app.h>
#include "planarpicture.h"

void
decode_parse_options (const GOptionEntry *entries, gint *argc, gchar ***argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, argc, argv, &error))
    g_error ("%s", error->message);
  g_option_context_free (context);
}

gchar *
decode_source_describe (const gchar *path)
{
  return g_strdup_printf ("filesrc location=\"%s\" ! %sh264parse", path, g_str_has_suffix (path, ".mp4") ? "qtdemux ! " : "");
}

GstElement *
decode_pipeline_new (const gchar *source, const gchar *row, const gchar *caps)
{
  gchar *description = g_strdup_printf ("%s ! %s ! %s ! appsink name=sink sync=false max-buffers=4", source, row, caps);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);

  if (error)
    g_error ("%s: %s", description, error->message);
  g_free (description);
  return pipeline;
}

static gboolean
md5_write (const guint8 *data, gsize size, gpointer user_data)
{
  g_checksum_update (user_data, data, size);
  return TRUE;
}

gchar *
decode_sample_md5 (GstSample *sample)
{
  GChecksum *md5 = g_checksum_new (G_CHECKSUM_MD5);
  PlanarFormat format;
  gchar *text = NULL;

  if (planar_format_from_caps (&format, gst_sample_get_caps (sample), NULL)
      && planar_picture_write (&format, gst_sample_get_buffer (sample), md5_write, md5, NULL))
    text = g_strdup (g_checksum_get_string (md5));
  g_checksum_free (md5);
  return text;
}

/* 4:0:0 as 4:2:0: two planes of half-scale samples */
static void
md5_write_grey_chroma (const PlanarFormat *format, GChecksum *md5)
{
  guint sample_size = planar_format_get_sample_size (format);
  gsize n_samples = (gsize) ((format->width[0] + 1) / 2) * ((format->height[0] + 1) / 2) * 2;
  guint8 *samples = g_malloc (n_samples * sample_size);

  for (gsize i = 0; i < n_samples; i++) {
    if (sample_size == 1)
      samples[i] = 1 << (format->bit_depth[0] - 1);
    else
      GST_WRITE_UINT16_LE (samples + 2 * i, 1 << (format->bit_depth[0] - 1));
  }
  g_checksum_update (md5, samples, n_samples * sample_size);
  g_free (samples);
}

static void
decode_result_take_sample (DecodeResult *result, GChecksum *md5, GstSample *sample)
{
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  GError *error = NULL;
  PlanarFormat format;

  result->n_pictures++;
  if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_CORRUPTED))
    result->n_corrupted++;
  if (!planar_format_from_caps (&format, gst_sample_get_caps (sample), &error)
      || !planar_picture_write (&format, buffer, md5_write, md5, &error)) {
    if (!result->error)
      result->error = g_strdup (error->message);
    g_error_free (error);
  } else if (format.n_planes == 1) {
    result->monochrome = TRUE;
    md5_write_grey_chroma (&format, md5);
  }
  gst_sample_unref (sample);
}

/* Takes what the bus has; TRUE where an error is among it. */
static gboolean
decode_result_take_messages (DecodeResult *result, GstBus *bus)
{
  GstMessage *message;
  gboolean failed = FALSE;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING))) {
    GError *error = NULL;
    gchar *debug = NULL;

    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
      result->n_warnings++;
    } else {
      failed = TRUE;
      gst_message_parse_error (message, &error, &debug);
      if (!result->error)
        result->error = g_strdup_printf ("%s: %s (%s)", GST_MESSAGE_SRC_NAME (message), error->message, debug ? debug : "no details");
      g_error_free (error);
      g_free (debug);
    }
    gst_message_unref (message);
  }
  return failed;
}

void
decode_pipeline_run (GstElement *pipeline, DecodeResult *result)
{
  GstAppSink *sink = GST_APP_SINK (gst_bin_get_by_name (GST_BIN (pipeline), "sink"));
  GstBus *bus = gst_element_get_bus (pipeline);
  GChecksum *md5 = g_checksum_new (G_CHECKSUM_MD5);
  gint64 last_progress = g_get_monotonic_time ();
  gboolean failed;

  memset (result, 0, sizeof (*result));
  /* where this fails, a message on the bus says why */
  failed = gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE;
  while (!decode_result_take_messages (result, bus) && !failed && !gst_app_sink_is_eos (sink)) {
    GstSample *sample = gst_app_sink_try_pull_sample (sink, 20 * GST_MSECOND);

    if (sample) {
      decode_result_take_sample (result, md5, sample);
      last_progress = g_get_monotonic_time ();
    } else if ((g_get_monotonic_time () - last_progress) * 1000 > DECODE_TIMEOUT) {
      result->timed_out = TRUE;
      break;
    }
  }
  decode_result_take_messages (result, bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  result->md5 = g_strdup (g_checksum_get_string (md5));
  g_checksum_free (md5);
  gst_object_unref (bus);
  gst_object_unref (sink);
}

void
decode_file (const gchar *path, const gchar *row, const gchar *caps, DecodeResult *result)
{
  gchar *source = decode_source_describe (path);
  GstElement *pipeline = decode_pipeline_new (source, row, caps);

  decode_pipeline_run (pipeline, result);
  gst_object_unref (pipeline);
  g_free (source);
}

void
decode_bytes (GBytes *bytes, const gchar *row, const gchar *caps, DecodeResult *result)
{
  GstElement *pipeline =
      decode_pipeline_new ("appsrc name=src max-bytes=0 caps=video/x-h264,stream-format=byte-stream ! h264parse", row, caps);
  GstAppSrc *src = GST_APP_SRC (gst_bin_get_by_name (GST_BIN (pipeline), "src"));

  gst_app_src_push_buffer (src, gst_buffer_new_wrapped_bytes (bytes));
  gst_app_src_end_of_stream (src);
  decode_pipeline_run (pipeline, result);
  gst_object_unref (src);
  gst_object_unref (pipeline);
}

void
decode_result_clear (DecodeResult *result)
{
  g_clear_pointer (&result->md5, g_free);
  g_clear_pointer (&result->error, g_free);
}
