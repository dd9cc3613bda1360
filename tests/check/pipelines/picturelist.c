/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "picturelist.h"

#include <gst/app/app.h>
#include <gst/video/video.h>

#include "decoderun.h"

#define WAIT (60 * GST_SECOND)

static void
listed_picture_free (gpointer data)
{
  ListedPicture *picture = data;

  g_free (picture->md5);
  g_free (picture->caps);
  g_free (picture);
}

static gchar *
describe_caps (const GstCaps *caps)
{
  static const gchar *const fields[] = { "format", "width", "height", "pixel-aspect-ratio", "framerate", "interlace-mode", "field-order" };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    const GValue *value = gst_structure_get_value (gst_caps_get_structure (caps, 0), fields[i]);
    gchar *word = value ? gst_value_serialize (value) : g_strdup ("-");

    g_string_append_printf (text, i == 0 ? "%s" : " %s", word);
    g_free (word);
  }
  return g_string_free (text, FALSE);
}

static ListedPicture *
listed_picture_new (GstSample *sample)
{
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  ListedPicture *picture = g_new0 (ListedPicture, 1);

  picture->pts = gst_segment_to_stream_time (gst_sample_get_segment (sample), GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  picture->duration = GST_BUFFER_DURATION (buffer);
  picture->flags = GST_BUFFER_FLAGS (buffer) & LISTED_FLAGS;
  picture->md5 = decode_sample_md5 (sample);
  picture->caps = describe_caps (gst_sample_get_caps (sample));
  return picture;
}

GPtrArray *
picture_list_new (void)
{
  return g_ptr_array_new_with_free_func (listed_picture_free);
}

GPtrArray *
picture_list_pull (GstElement *sink, guint n)
{
  GPtrArray *list = picture_list_new ();
  GstSample *sample;

  while (list->len < n && (sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), WAIT))) {
    g_ptr_array_add (list, listed_picture_new (sample));
    gst_sample_unref (sample);
  }
  return list;
}

static gchar *
take_error (GstElement *pipeline, gboolean ended)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  gchar *text = ended ? NULL : g_strdup ("it did not end");

  if (message) {
    GError *error = NULL;

    gst_message_parse_error (message, &error, NULL);
    g_free (text);
    text = g_strdup (error->message);
    g_error_free (error);
    gst_message_unref (message);
  }
  gst_object_unref (bus);
  return text;
}

GPtrArray *
picture_list_of (const gchar *source, const gchar *decoder, gchar **error)
{
  GstElement *pipeline = decode_pipeline_new (source, decoder, "video/x-raw");
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GPtrArray *list;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  list = picture_list_pull (sink, G_MAXUINT);
  *error = take_error (pipeline, gst_app_sink_is_eos (GST_APP_SINK (sink)));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  return list;
}

gchar *
listed_picture_describe (const ListedPicture *picture)
{
  const guint flags = picture->flags;

  return g_strdup_printf ("%" GST_TIME_FORMAT " + %" GST_TIME_FORMAT "%s%s%s%s%s %.8s [%s]", GST_TIME_ARGS (picture->pts),
      GST_TIME_ARGS (picture->duration), flags & GST_VIDEO_BUFFER_FLAG_INTERLACED ? " INTERLACED" : "",
      flags & GST_VIDEO_BUFFER_FLAG_TFF ? " TFF" : "", flags & GST_VIDEO_BUFFER_FLAG_RFF ? " RFF" : "",
      (flags & GST_VIDEO_BUFFER_FLAG_ONEFIELD) == GST_VIDEO_BUFFER_FLAG_ONEFIELD ? " ONEFIELD" : "",
      flags & GST_BUFFER_FLAG_CORRUPTED ? " CORRUPTED" : "", picture->md5, picture->caps);
}
