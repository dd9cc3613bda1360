/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gpuh264dec as the conformance runner Fluster drives GStreamer: filesrc ! parsebin ! gpuh264dec ! videocodectestsink.  The sink's md5 of
 * every stream of the manifests that decodes is the manifest's.  Formats that the sink does not know (9 and 14 bits, RGB) are left to an
 * appsink behind the same elements.  One result a stream.
 *
 *   conformance [--match=TEXT] [--every=N]
 */
#include "decoderun.h"
#include "streamlist.h"
#include "tap.h"

/* FFmpeg's names of what videocodectestsink 1.22 takes */
static const gchar *const sink_formats[] = { "yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "yuv420p12le",
  "yuv422p12le", "yuv444p12le", NULL };

typedef struct
{
  gchar *md5, *error;
} SinkResult;

/* @format: several, with + between them, where it changes in the middle */
static gboolean
sink_knows (const gchar *format)
{
  gchar **parts = g_strsplit (format, "+", -1);
  gboolean all = TRUE;

  for (guint i = 0; parts[i]; i++)
    all &= g_strv_contains (sink_formats, parts[i]);
  g_strfreev (parts);
  return all;
}

static void
take_message (SinkResult *result, GstMessage *message)
{
  const GstStructure *structure = gst_message_get_structure (message);
  GError *error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    result->error = g_strdup (error->message);
    g_error_free (error);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT && gst_structure_has_name (structure, "conformance/checksum")) {
    g_free (result->md5);
    result->md5 = g_strdup (gst_structure_get_string (structure, "checksum"));
  }
}

/* Until the end or an error; the sink's message comes before the end */
static void
run_to_end (GstElement *pipeline, SinkResult *result)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  gboolean ended = FALSE;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!ended && !result->error) {
    GstMessage *message = gst_bus_timed_pop_filtered (bus, DECODE_TIMEOUT, GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_ELEMENT);

    if (!message) {
      result->error = g_strdup ("timed out");
      break;
    }
    ended = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
    take_message (result, message);
    gst_message_unref (message);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
}

static void
check_with_sink (const Stream *stream)
{
  gchar *description = g_strdup_printf ("filesrc location=\"%s\" ! parsebin ! gpuh264dec ! videocodectestsink", stream->path);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);
  SinkResult result = { NULL };
  gboolean refused;

  if (error)
    g_error ("%s: %s", description, error->message);
  run_to_end (pipeline, &result);
  refused = stream->kind == STREAM_MAY_DECODE && result.error;
  if (!tap_check (refused || (!result.error && g_strcmp0 (result.md5, stream->md5) == 0), "%s (%s)%s", stream->name, stream->format,
          refused ? " refused" : ""))
    tap_note ("  md5 %s, expected %s%s%s", result.md5, stream->md5, result.error ? ", " : "", result.error ? result.error : "");
  g_free (result.md5);
  g_free (result.error);
  gst_object_unref (pipeline);
  g_free (description);
}

static void
check_with_appsink (const Stream *stream)
{
  gchar *source = g_strdup_printf ("filesrc location=\"%s\" ! parsebin", stream->path);
  GstElement *pipeline = decode_pipeline_new (source, "gpuh264dec", "video/x-raw");
  DecodeResult result;

  decode_pipeline_run (pipeline, &result);
  if (!tap_check (!result.error && !result.timed_out && g_strcmp0 (result.md5, stream->md5) == 0,
          "%s (%s, which videocodectestsink does not know)", stream->name, stream->format))
    tap_note ("  md5 %s, expected %s%s%s", result.md5, stream->md5, result.error ? ", " : "", result.error ? result.error : "");
  decode_result_clear (&result);
  gst_object_unref (pipeline);
  g_free (source);
}

/* Each @every-th one */
static void
check_streams (GPtrArray *streams, const gchar *match, gint every)
{
  for (guint i = 0; i < streams->len; i++) {
    const Stream *stream = g_ptr_array_index (streams, i);

    if (i % every != 0 || stream->kind == STREAM_REFUSED || (match && !strstr (stream->name, match)))
      continue;
    if (sink_knows (stream->format))
      check_with_sink (stream);
    else
      check_with_appsink (stream);
  }
  g_ptr_array_unref (streams);
}

int
main (int argc, char *argv[])
{
  gchar *match = NULL;
  gint every = 1;
  GOptionEntry entries[] = {
    { "match", 0, 0, G_OPTION_ARG_STRING, &match, "Only streams with TEXT in their name", "TEXT" },
    { "every", 0, 0, G_OPTION_ARG_INT, &every, "Each N-th of the large streams", "N" },
    { NULL },
  };
  GPtrArray *vectors;

  decode_parse_options (entries, &argc, &argv);
  check_streams (stream_list_own (), match, 1);
  if ((vectors = stream_list_vectors ()))
    check_streams (vectors, match, MAX (every, 1));
  else
    tap_skip (STREAMS_SKIP_REASON, "test streams");
  g_free (match);
  return tap_finish ();
}
