/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Decodes the H.264 video of a file with the row of stages, and shows it or writes it.
 */
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "decoderow.h"
#include "y4mwriter.h"

typedef struct
{
  /* what was asked for */
  const gchar *file;
  gchar *out;          /* NULL: a display */
  GStatBuf out_before; /* OUT as this program found it; st_nlink is 0 where there was none */
  gchar *row;
  DecodeRow stages; /* where gpucsc computes too */

  GMainLoop *loop;
  GstElement *pipeline;
  GstElement *decoder; /* from h264parse to the picture; in the pipeline once there is video */
  gboolean found_video;
  GString *other_streams;

  /* written by the streaming thread */
  Y4mWriter *y4m;
  gboolean refused; /* the video has changed in a way that the output cannot hold */
  GMutex lock;
  gboolean stopping;
  GstCaps *caps;
  guint n_pictures, n_corrupted;
  gint64 first_time, last_time;

  guint interrupt; /* the source of SIGINT, until the first one */
  gboolean started; /* from here on the output may be opened */
  gboolean failed;
  gboolean interrupted;
} Decode;

#define EXIT_INTERRUPTED 130 /* as shells have it for SIGINT */

#define FALLBACK_FRAME_DURATION (GST_SECOND / 25)
#define SHORTEST_RATE_TIME 0.5 /* seconds */

/* What a message begins with, so that it takes the place of the line that shows progress */
static const gchar *
over_progress (void)
{
  return isatty (2) ? "\r\033[K" : "";
}

/* @ending: with its dot; OUT may have it in capitals */
static gboolean
decode_output_ends (const Decode *self, const gchar *ending)
{
  gsize n_out = self->out ? strlen (self->out) : 0, n_ending = strlen (ending);

  return n_out >= n_ending && g_ascii_strcasecmp (self->out + n_out - n_ending, ending) == 0;
}

static void
decode_fail (Decode *self, const gchar *format, ...)
{
  va_list args;
  gchar *message;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  if (!self->failed)
    g_printerr ("%serror: %s\n", over_progress (), message);
  g_free (message);
  self->failed = TRUE;
  g_main_loop_quit (self->loop);
}

/* Files and displays need a time on every picture; elementary streams may have none. */
static void
decode_complete_timestamp (Decode *self, GstPadProbeInfo *info)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  if (GST_BUFFER_PTS_IS_VALID (buffer))
    return;
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) = self->n_pictures * FALLBACK_FRAME_DURATION;
  GST_BUFFER_DURATION (buffer) = FALLBACK_FRAME_DURATION;
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
}

/* On the decoder's source pad: counts, and for a PNG lets only the first picture pass. */
static GstPadProbeReturn
decode_on_picture (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Decode *self = user_data;
  gboolean first;

  if (self->refused)
    return GST_PAD_PROBE_DROP;
  decode_complete_timestamp (self, info);
  g_mutex_lock (&self->lock);
  first = self->n_pictures++ == 0;
  if (GST_BUFFER_FLAG_IS_SET (GST_PAD_PROBE_INFO_BUFFER (info), GST_BUFFER_FLAG_CORRUPTED))
    self->n_corrupted++;
  self->last_time = g_get_monotonic_time ();
  if (first)
    self->first_time = self->last_time;
  g_mutex_unlock (&self->lock);

  return first || !decode_output_ends (self, ".png") ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
}

/* openh264enc holds no picture back, but asks the library for more at the end, which prints an error: the end goes round it. */
static GstPadProbeReturn
decode_on_encoder_event (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstElement *encoder = user_data;
  GstPad *src;

  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) != GST_EVENT_EOS)
    return GST_PAD_PROBE_OK;
  src = gst_element_get_static_pad (encoder, "src");
  gst_pad_push_event (src, gst_event_ref (GST_PAD_PROBE_INFO_EVENT (info)));
  gst_object_unref (src);
  return GST_PAD_PROBE_DROP;
}

/* (nullable): the first field in which the pictures of @b are others than those of @a */
static const gchar *
find_changed_field (const GstStructure *a, const GstStructure *b)
{
  static const gchar *const fields[] = { "width", "height", "format", "chroma-format", "bit-depth-luma", "bit-depth-chroma",
    "pixel-aspect-ratio" };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    const GValue *value_a = gst_structure_get_value (a, fields[i]), *value_b = gst_structure_get_value (b, fields[i]);

    if (value_a && value_b && gst_value_compare (value_a, value_b) != GST_VALUE_EQUAL)
      return fields[i];
  }
  return NULL;
}

/* mp4mux would go on and write what no player reads.  (The writer of y4m checks for itself.) */
static gboolean
decode_refuse_change (Decode *self, GstElement *element, const GstCaps *caps)
{
  const GstStructure *before, *after = gst_caps_get_structure (caps, 0);
  const gchar *field;
  gchar *value_before, *value_after;

  if (!self->caps || !decode_output_ends (self, ".mp4"))
    return FALSE;
  before = gst_caps_get_structure (self->caps, 0);
  if (!(field = find_changed_field (before, after)))
    return FALSE;
  value_before = gst_value_serialize (gst_structure_get_value (before, field));
  value_after = gst_value_serialize (gst_structure_get_value (after, field));
  GST_ELEMENT_ERROR (element, STREAM, FORMAT,
      ("%s: the video's %s changes from %s to %s; an mp4 file has one format", self->out, field, value_before, value_after), (NULL));
  g_free (value_before);
  g_free (value_after);
  return TRUE;
}

/* On the decoder's source pad: keeps the caps */
static GstPadProbeReturn
decode_on_event (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Decode *self = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CAPS)
    return GST_PAD_PROBE_OK;
  gst_event_parse_caps (event, &caps);
  self->refused = self->refused || decode_refuse_change (self, GST_PAD_PARENT (pad), caps);
  if (self->refused)
    return GST_PAD_PROBE_DROP;
  g_mutex_lock (&self->lock);
  gst_caps_replace (&self->caps, caps);
  g_mutex_unlock (&self->lock);
  return GST_PAD_PROBE_OK;
}

/* "new-sample" of the appsink that takes the pictures of a y4m file */
static GstFlowReturn
decode_on_y4m_sample (GstElement *sink, gpointer user_data)
{
  Decode *self = user_data;
  GstSample *sample = NULL;
  GError *error = NULL;
  PlanarFormat format;
  gboolean ok;

  g_signal_emit_by_name (sink, "pull-sample", &sample);
  if (!sample)
    return GST_FLOW_EOS;
  if (!self->y4m)
    self->y4m = y4m_writer_new (self->out, &error);
  ok = self->y4m && planar_format_from_caps (&format, gst_sample_get_caps (sample), &error)
      && y4m_writer_add (self->y4m, &format, gst_sample_get_buffer (sample), &error);
  gst_sample_unref (sample);
  if (ok)
    return GST_FLOW_OK;

  GST_ELEMENT_ERROR (sink, RESOURCE, WRITE, ("%s", error->message), (NULL));
  g_error_free (error);
  return GST_FLOW_ERROR;
}

static gboolean
decode_has_display (void)
{
  return g_getenv ("DISPLAY") || g_getenv ("WAYLAND_DISPLAY");
}

/* What follows the decoder, as gst-launch-1.0 writes it */
static gchar *
decode_describe_output (Decode *self)
{
  GstElementFactory *csc = gst_element_factory_find ("gpucsc");
  gchar *convert = csc ? g_strdup_printf ("gpucsc name=convert backend=%s platform=%d device=%d ! videoconvert",
                       self->stages.backend ? self->stages.backend : "opencl", self->stages.platform, self->stages.device)
                       : g_strdup ("videoconvert");
  gchar *output;

  gst_clear_object (&csc);
  if (!self->out)
    output = g_strdup_printf ("%s ! videoscale ! autovideosink", convert);
  else if (decode_output_ends (self, ".png"))
    output = g_strdup_printf ("%s ! pngenc ! filesink name=file", convert);
  else if (decode_output_ends (self, ".mp4"))
    output = g_strdup_printf ("%s ! videoscale ! video/x-raw,format=I420,width=[16,3840,2],height=[16,2160,2]"
                              " ! openh264enc name=encoder bitrate=20000000 qp-min=18 qp-max=24 ! h264parse ! mp4mux ! filesink name=file",
        convert);
  else /* passes everything but RGB on as it is */
    output = g_strdup (
        "videoconvert ! video/x-raw,format={GRAY8,GRAY16_LE,I420,Y42B,Y444,I420_10LE,I422_10LE,Y444_10LE,I420_12LE,I422_12LE,Y444_12LE,"
        "P016_LE,Y444_16LE} ! appsink name=y4m sync=false max-buffers=4 emit-signals=true");
  g_free (convert);

  return output;
}

/* The decoder and what follows it; their sink pad waits for parsebin's. */
static gboolean
decode_add_row (Decode *self)
{
  gchar *output = decode_describe_output (self);
  gchar *description = g_strdup_printf ("h264parse name=parse ! %s ! identity silent=true name=decoded ! queue ! %s", self->row, output);
  GError *error = NULL;
  GstElement *sink, *decoded;
  GstPad *pad;

  self->decoder = gst_parse_bin_from_description (description, FALSE, &error);
  g_free (description);
  g_free (output);
  if (error) {
    decode_fail (self, "%s", error->message);
    g_error_free (error);
    gst_clear_object (&self->decoder);
    return FALSE;
  }
  gst_object_ref_sink (self->decoder);

  if ((sink = gst_bin_get_by_name (GST_BIN (self->decoder), "file"))) {
    g_object_set (sink, "location", self->out, NULL);
    gst_object_unref (sink);
  }
  if ((sink = gst_bin_get_by_name (GST_BIN (self->decoder), "y4m"))) {
    g_signal_connect (sink, "new-sample", G_CALLBACK (decode_on_y4m_sample), self);
    gst_object_unref (sink);
  }
  if ((sink = gst_bin_get_by_name (GST_BIN (self->decoder), "encoder"))) {
    pad = gst_element_get_static_pad (sink, "sink");
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, decode_on_encoder_event, sink, NULL);
    gst_object_unref (pad);
    gst_object_unref (sink);
  }
  decoded = gst_bin_get_by_name (GST_BIN (self->decoder), "decoded");
  pad = gst_element_get_static_pad (decoded, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, decode_on_picture, self, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, decode_on_event, self, NULL);
  gst_object_unref (pad);
  gst_object_unref (decoded);
  return TRUE;
}

/* On the pad of a stream that is not decoded.  It needs no sink: one that prerolls would stop a demuxer before the video comes. */
static GstPadProbeReturn
decode_on_discarded (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  return GST_PAD_PROBE_DROP;
}

/* In the pipeline from the beginning it would open its file whatever the input is. */
static void
decode_start_decoder (Decode *self, GstPad *pad, GstPad *sink_pad)
{
  g_mutex_lock (&self->lock);
  if (!self->stopping) {
    gst_bin_add (GST_BIN (self->pipeline), self->decoder);
    gst_pad_link (pad, sink_pad);
    gst_element_sync_state_with_parent (self->decoder);
  }
  g_mutex_unlock (&self->lock);
}

static void
decode_on_pad_added (GstElement *parsebin, GstPad *pad, gpointer user_data)
{
  Decode *self = user_data;
  GstCaps *caps = gst_pad_get_current_caps (pad);
  const gchar *name;

  if (!caps)
    caps = gst_pad_query_caps (pad, NULL);
  name = gst_caps_is_empty (caps) || gst_caps_is_any (caps) ? "unknown" : gst_structure_get_name (gst_caps_get_structure (caps, 0));

  if (!self->found_video && g_str_equal (name, "video/x-h264")) {
    GstElement *parse = gst_bin_get_by_name (GST_BIN (self->decoder), "parse");
    GstPad *sink_pad = gst_element_get_static_pad (parse, "sink");
    GstPad *ghost_pad = gst_ghost_pad_new ("sink", sink_pad);

    self->found_video = TRUE;
    gst_pad_set_active (ghost_pad, TRUE);
    gst_element_add_pad (self->decoder, ghost_pad);
    gst_object_unref (sink_pad);
    gst_object_unref (parse);
    decode_start_decoder (self, pad, ghost_pad);
  } else {
    g_string_append_printf (self->other_streams, "%s%s", self->other_streams->len ? ", " : "", name);
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_DATA_DOWNSTREAM, decode_on_discarded, NULL, NULL);
  }
  gst_caps_unref (caps);
}

/* All of the file has been read.  (parsebin never emits "no-more-pads".) */
static void
decode_on_drained (GstElement *parsebin, gpointer user_data)
{
  Decode *self = user_data;

  if (!self->found_video)
    GST_ELEMENT_ERROR (parsebin, STREAM, WRONG_TYPE, ("%s holds no H.264 video (%s)", self->file, self->other_streams->str), (NULL));
}

/* (nullable): what a message's details say beyond where in the source they come from: GStreamer puts "file(line): function (): element:"
 * before */
static const gchar *
skip_source_place (const gchar *debug)
{
  static const gchar place[] = "^[^\n]*\\(\\d+\\): [^\n]* \\(\\): [^\n]*";
  const gchar *text = debug;

  if (debug && g_regex_match_simple (place, debug, 0, 0)) {
    text = strchr (debug, '\n');
    text = text ? text + 1 : NULL;
  }
  return text && *text ? text : NULL;
}

/* (transfer full) (nullable): the devices that exist, where @error is that of an element that did not find the one it was to take */
static gchar *
describe_missing_device (GstObject *element, const GError *error)
{
  GObjectClass *klass = G_OBJECT_GET_CLASS (element);
  GValue devices = G_VALUE_INIT;
  GString *text = NULL;
  gint platform, device;

  if (!g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND) || !g_object_class_find_property (klass, "devices"))
    return NULL;
  g_value_init (&devices, GST_TYPE_ARRAY);
  g_object_get_property (G_OBJECT (element), "devices", &devices);
  if (gst_value_array_get_size (&devices) > 0) {
    g_object_get (element, "platform", &platform, "device", &device, NULL);
    text = g_string_new (NULL);
    g_string_append_printf (text, "there is no OpenCL device with --platform=%d --device=%d (-1: any).  There are:", platform, device);
  }
  for (guint i = 0; i < gst_value_array_get_size (&devices); i++) {
    const GstStructure *entry = gst_value_get_structure (gst_value_array_get_value (&devices, i));

    if (gst_structure_get (entry, "platform", G_TYPE_INT, &platform, "device", G_TYPE_INT, &device, NULL))
      g_string_append_printf (text, "\n  --platform=%d --device=%d: %s", platform, device, gst_structure_get_string (entry, "name"));
  }
  g_value_unset (&devices);
  return text ? g_string_free (text, FALSE) : NULL;
}

static void
decode_on_error_message (Decode *self, GstMessage *message)
{
  gchar *debug = NULL, *missing_device;
  const gchar *details;
  GError *error = NULL;

  gst_message_parse_error (message, &error, &debug);
  details = skip_source_place (debug);
  if ((missing_device = describe_missing_device (GST_MESSAGE_SRC (message), error)))
    decode_fail (self, "%s", missing_device);
  else
    decode_fail (self, "%s: %s%s%s", GST_MESSAGE_SRC_NAME (message), error->message, details ? "\n  " : "", details ? details : "");
  g_free (missing_device);
  g_error_free (error);
  g_free (debug);
}

static gboolean
decode_on_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  Decode *self = user_data;
  gchar *debug = NULL;
  GError *error = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      decode_on_error_message (self, message);
      break;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &error, &debug);
      g_printerr ("%swarning: %s: %s\n", over_progress (), GST_MESSAGE_SRC_NAME (message), error->message);
      g_error_free (error);
      g_free (debug);
      break;
    case GST_MESSAGE_EOS:
      g_main_loop_quit (self->loop);
      break;
    default:
      break;
  }
  return G_SOURCE_CONTINUE;
}

/* Pictures a second between the first picture and the last; 0 where that time is too short to mean anything */
static gdouble
decode_get_rate (Decode *self)
{
  gdouble seconds = (self->last_time - self->first_time) / 1e6;

  return seconds >= SHORTEST_RATE_TIME ? (self->n_pictures - 1) / seconds : 0;
}

static gboolean
decode_on_progress (gpointer user_data)
{
  Decode *self = user_data;
  gint64 position, duration;
  gchar percent[16] = "", rate[40] = "";

  if (gst_element_query_position (self->pipeline, GST_FORMAT_TIME, &position)
      && gst_element_query_duration (self->pipeline, GST_FORMAT_TIME, &duration) && duration > 0)
    g_snprintf (percent, sizeof (percent), "%3d %%, ", (gint) CLAMP (position * 100 / duration, 0, 100));

  g_mutex_lock (&self->lock);
  if (decode_get_rate (self) > 0)
    g_snprintf (rate, sizeof (rate), ", %.1f pictures/s", decode_get_rate (self));
  g_printerr ("\r%s%u pictures%s \033[K", percent, self->n_pictures, rate);
  g_mutex_unlock (&self->lock);
  return G_SOURCE_CONTINUE;
}

static gchar *
decode_describe_format (Decode *self)
{
  static const gchar *const chroma[2][2] = { { "4:4:4", "4:4:0" }, { "4:2:2", "4:2:0" } };
  PlanarFormat format;

  if (!self->caps || !planar_format_from_caps (&format, self->caps, NULL))
    return g_strdup ("unknown format");
  if (format.n_planes == 1)
    return g_strdup_printf ("%dx%d 4:0:0 %u bit", format.info.width, format.info.height, format.bit_depth[0]);
  if (format.bit_depth[0] != format.bit_depth[1])
    return g_strdup_printf ("%dx%d %s %u bit luma, %u bit chroma", format.info.width, format.info.height,
        chroma[format.sub_x][format.sub_y], format.bit_depth[0], format.bit_depth[1]);
  return g_strdup_printf ("%dx%d %s %u bit", format.info.width, format.info.height,
      format.is_rgb ? "RGB" : chroma[format.sub_x][format.sub_y], format.bit_depth[0]);
}

/* Whether @element is a stage of the row (gpucsc behind it is not); *@on_device: whether it computes with OpenCL */
static gboolean
is_stage (GstElement *element, gboolean *on_device)
{
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), "backend");
  const GEnumValue *backend;
  gint value;

  if (!spec || !G_IS_PARAM_SPEC_ENUM (spec) || g_str_equal (GST_ELEMENT_NAME (element), "convert"))
    return FALSE;
  g_object_get (element, "backend", &value, NULL);
  backend = g_enum_get_value (G_PARAM_SPEC_ENUM (spec)->enum_class, value);
  *on_device = backend && g_str_equal (backend->value_nick, "opencl");
  return TRUE;
}

/* (transfer full) (nullable): what the row's stages computed on; NULL where it has none, as one that is another decoder */
static gchar *
decode_get_device (Decode *self)
{
  GstIterator *elements = gst_bin_iterate_recurse (GST_BIN (self->decoder));
  GValue item = G_VALUE_INIT;
  gboolean any_stage = FALSE, any_on_device = FALSE, on_device;

  while (gst_iterator_next (elements, &item) == GST_ITERATOR_OK) {
    if (is_stage (g_value_get_object (&item), &on_device)) {
      any_stage = TRUE;
      any_on_device |= on_device;
    }
    g_value_reset (&item);
  }
  g_value_unset (&item);
  gst_iterator_free (elements);
  if (any_on_device)
    return decode_row_get_device_name (self->pipeline);
  return any_stage ? g_strdup ("the CPU") : NULL;
}

/* (nullable): what a file of this kind has the pictures converted to, where they are not that already */
static const gchar *
decode_get_conversion (Decode *self)
{
  PlanarFormat format;

  if (!self->caps || !planar_format_from_caps (&format, self->caps, NULL))
    return NULL;
  if (decode_output_ends (self, ".y4m") && format.is_rgb)
    return "Y'CbCr";
  if (decode_output_ends (self, ".mp4")
      && (format.n_planes == 1 || format.is_rgb || !format.sub_y || format.bit_depth[0] != 8 || format.bit_depth[1] != 8))
    return "4:2:0 8 bit";
  return NULL;
}

static void
decode_print_summary (Decode *self)
{
  gchar *format = decode_describe_format (self);
  gchar *device = decode_get_device (self);
  const gchar *conversion = decode_get_conversion (self);
  GString *line = g_string_new (self->file);

  g_string_append_printf (line, ": %s, %u picture%s", format, self->n_pictures, self->n_pictures == 1 ? "" : "s");
  if (self->n_corrupted)
    g_string_append_printf (line, " (%u damaged)", self->n_corrupted);
  if (decode_get_rate (self) > 0)
    g_string_append_printf (line, ", %.1f pictures/s", decode_get_rate (self));
  if (device)
    g_string_append_printf (line, ", decoded on %s", device);
  if (conversion)
    g_string_append_printf (line, ", converted to %s", conversion);
  if (self->out)
    g_string_append_printf (line, ", %swritten to %s", decode_output_ends (self, ".png") && self->n_pictures > 1 ? "the first " : "",
                            self->out);
  g_print ("%s\n", line->str);
  g_string_free (line, TRUE);
  g_free (device);
  g_free (format);
}

static gboolean
decode_build (Decode *self)
{
  GstElement *source, *parsebin;

  self->pipeline = gst_pipeline_new (NULL);
  if (!decode_add_row (self))
    return FALSE;
  source = gst_element_factory_make ("filesrc", NULL);
  parsebin = gst_element_factory_make ("parsebin", NULL);
  if (!source || !parsebin) {
    decode_fail (self, "GStreamer's elements filesrc and parsebin are missing: run scripts/setup");
    return FALSE;
  }
  g_object_set (source, "location", self->file, NULL);
  gst_bin_add_many (GST_BIN (self->pipeline), source, parsebin, NULL);
  gst_element_link (source, parsebin);
  g_signal_connect (parsebin, "pad-added", G_CALLBACK (decode_on_pad_added), self);
  g_signal_connect (parsebin, "drained", G_CALLBACK (decode_on_drained), self);
  return TRUE;
}

/* A device's first picture waits for its compiler: whoever watches shall know. */
static gboolean
decode_on_slow_start (gpointer user_data)
{
  Decode *self = user_data;
  gchar *device = decode_row_get_device_name (self->pipeline);
  guint n_pictures;

  g_mutex_lock (&self->lock);
  n_pictures = self->n_pictures;
  g_mutex_unlock (&self->lock);
  if (device && n_pictures == 0)
    g_printerr ("%s%s builds its kernels, which takes a while the first time (PoCL: minutes) and is then kept\n",
        over_progress (), device);
  g_free (device);
  return G_SOURCE_REMOVE;
}

/* The decoder first: what waits in it would keep the source from stopping.  Where it could not start, the pipeline shall not try again. */
static void
decode_stop (Decode *self)
{
  g_mutex_lock (&self->lock);
  self->stopping = TRUE;
  g_mutex_unlock (&self->lock);
  gst_element_set_locked_state (self->decoder, TRUE);
  gst_element_set_state (self->decoder, GST_STATE_NULL);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
}

/* The first time the output is brought to an end, as that of a shorter file; the second time the program just ends. */
static gboolean
decode_on_interrupt (gpointer user_data)
{
  Decode *self = user_data;

  g_printerr ("%sinterrupted: ending the output\n", over_progress ());
  gst_element_send_event (self->pipeline, gst_event_new_eos ());
  self->interrupt = 0;
  self->interrupted = TRUE;

  return G_SOURCE_REMOVE;
}

static void
decode_run (Decode *self)
{
  GstBus *bus = gst_element_get_bus (self->pipeline);
  guint progress = isatty (2) ? g_timeout_add (500, decode_on_progress, self) : 0;
  GSource *slow_start = g_timeout_source_new_seconds (3);

  g_source_set_callback (slow_start, decode_on_slow_start, self, NULL);
  g_source_attach (slow_start, NULL);

  gst_bus_add_watch (bus, decode_on_message, self);
  self->interrupt = g_unix_signal_add (SIGINT, decode_on_interrupt, self);
  self->started = TRUE;
  /* where this fails, a message on the bus says why */
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  g_main_loop_run (self->loop);
  g_source_destroy (slow_start);
  g_source_unref (slow_start);
  if (self->interrupt)
    g_source_remove (self->interrupt);
  if (progress) {
    g_source_remove (progress);
    g_printerr ("\r\033[K");
  }
  if (!self->failed && self->n_pictures == 0)
    decode_fail (self, "%s: no picture could be decoded", self->file);
  if (!self->failed)
    decode_print_summary (self);
  decode_stop (self);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
}

/* Where no output was named and there is no display: "clip.png" for "/videos/clip.mp4", or the first of clip-1.png, clip-2.png ... that is
 * free */
static gchar *
decode_default_output (const gchar *file)
{
  gchar *name = g_path_get_basename (file);
  gchar *dot = strrchr (name, '.');
  GStatBuf taken;
  gchar *out;

  if (dot)
    *dot = '\0';
  out = g_strconcat (name, ".png", NULL);
  for (guint i = 1; g_lstat (out, &taken) == 0; i++) {
    g_free (out);
    out = g_strdup_printf ("%s-%u.png", name, i);
  }
  g_free (name);
  return out;
}

/* The same file by whatever names: hard or symbolic links, other ways to write the path */
static gboolean
decode_is_same_file (const gchar *a, const gchar *b)
{
  GStatBuf stat_a, stat_b;

  return g_stat (a, &stat_a) == 0 && g_stat (b, &stat_b) == 0 && stat_a.st_dev == stat_b.st_dev && stat_a.st_ino == stat_b.st_ino;
}

static gboolean
decode_check_output (Decode *self)
{
  if (!self->out && decode_has_display ())
    return TRUE;
  if (!self->out)
    self->out = decode_default_output (self->file);
  if (!decode_output_ends (self, ".png") && !decode_output_ends (self, ".y4m") && !decode_output_ends (self, ".mp4"))
    decode_fail (self, "%s: the output's name ends with .png, .y4m or .mp4", self->out);
  else if (decode_is_same_file (self->file, self->out))
    decode_fail (self, "%s and %s are the same file, which the output would destroy", self->file, self->out);
  if (g_lstat (self->out, &self->out_before) != 0)
    self->out_before.st_nlink = 0;
  return !self->failed;
}

/* After an error.  An output without a picture is of no use.  What was there before stays, unless this program has emptied it to write
 * there. */
static void
decode_leave_output (Decode *self, gboolean begun)
{
  GStatBuf out;
  gboolean is_new = self->out_before.st_nlink == 0;

  if (g_lstat (self->out, &out) != 0 || !S_ISREG (out.st_mode))
    return;
  if (begun && decode_output_ends (self, ".png"))
    g_printerr ("%s has the first picture\n", self->out);
  else if (begun)
    g_printerr ("%s stays as far as it was written, which may not be all of it\n", self->out);
  else if (is_new || (self->out_before.st_size > 0 && out.st_size == 0))
    g_unlink (self->out);
}

static void
decode_close_output (Decode *self)
{
  GError *error = NULL;
  /* the writer of y4m opens its file with the first picture, filesink before */
  gboolean begun = self->n_pictures > 0 && (self->y4m || !decode_output_ends (self, ".y4m"));

  if (self->y4m && !y4m_writer_finish (self->y4m, &error)) {
    decode_fail (self, "%s", error->message);
    g_error_free (error);
  }
  if (self->started && self->failed && self->out)
    decode_leave_output (self, begun);
}

static void
decode_clear (Decode *self)
{
  gst_clear_object (&self->pipeline);
  gst_clear_object (&self->decoder);
  gst_clear_caps (&self->caps);
  g_string_free (self->other_streams, TRUE);
  g_main_loop_unref (self->loop);
  g_mutex_clear (&self->lock);
  g_free (self->row);
  g_free (self->out);
}

/* (nullable): what is wrong */
static const gchar *
check_arguments (gchar **files, const DecodeRow *row)
{
  if (!files || files[1])
    return "One FILE, please; --help tells more.";
  if (row->platform < -1 || row->device < -1)
    return "--platform and --device are places in the list that clinfo -l prints, from 0 on, or -1 for any.";
  return NULL;
}

int
main (int argc, char *argv[])
{
  Decode self = { NULL };
  DecodeRow row = DECODE_ROW_INIT;
  gchar **files = NULL, *backend = NULL;
  const gchar *complaint;
  GError *error = NULL;
  GOptionEntry entries[] = { { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self.out,
                                 "Write to OUT.png (the first picture), OUT.y4m or OUT.mp4", "OUT" },
    { "backend", 0, 0, G_OPTION_ARG_STRING, &backend, "Where the stages compute: opencl (default) or c", "NAME" },
    { "platform", 0, 0, G_OPTION_ARG_INT, &row.platform, "OpenCL platform, by its place in the list that clinfo -l prints", "N" },
    { "device", 0, 0, G_OPTION_ARG_INT, &row.device, "OpenCL device, by its place in its platform", "N" },
    { "row", 0, 0, G_OPTION_ARG_STRING, &self.row, "Elements to decode with, as gst-launch-1.0 writes them", "ELEMENTS" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "FILE" }, { NULL } };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (context, "Decodes the H.264 video of FILE: on a display where there is one, else to a file.");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  complaint = g_option_context_parse (context, &argc, &argv, &error) ? check_arguments (files, &row) : error->message;
  g_option_context_free (context);
  if (complaint) {
    g_printerr ("%s\n", complaint);
    g_clear_error (&error);
    g_strfreev (files);
    g_free (self.out);
    g_free (self.row);
    g_free (backend);
    return EXIT_FAILURE;
  }

  self.file = files[0];
  self.loop = g_main_loop_new (NULL, FALSE);
  self.other_streams = g_string_new (NULL);
  g_mutex_init (&self.lock);
  row.backend = backend;
  self.stages = row;
  if (!self.row)
    self.row = decode_row_describe (&row);
  if (decode_check_output (&self) && decode_build (&self))
    decode_run (&self);
  decode_close_output (&self);
  decode_clear (&self);
  g_strfreev (files);
  g_free (backend);

  return self.failed ? EXIT_FAILURE : self.interrupted ? EXIT_INTERRUPTED : EXIT_SUCCESS;
}
