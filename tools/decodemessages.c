/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What gst-gpu-decode says: errors, progress, the line at the end.
 */
#include <unistd.h>

#include "decodemessages.h"

#define SHORTEST_RATE_TIME 0.5 /* seconds */

const gchar *
decode_over_progress (void)
{
  return isatty (2) ? "\r\033[K" : "";
}

void
decode_fail (Decode *self, const gchar *format, ...)
{
  va_list args;
  gchar *message;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  if (!self->failed)
    g_printerr ("%serror: %s\n", decode_over_progress (), message);
  g_free (message);
  self->failed = TRUE;
  g_main_loop_quit (self->loop);
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
  static const gchar place[] = "^platform=(\\d+) device=(\\d+)"; /* in "devices", a line each */
  GObjectClass *klass = G_OBJECT_GET_CLASS (element);
  gchar *devices = NULL, *options, *text = NULL;
  GRegex *regex;
  gint platform, device;

  if (!g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND) || !g_object_class_find_property (klass, "devices"))
    return NULL;
  g_object_get (element, "devices", &devices, "platform", &platform, "device", &device, NULL);
  if (devices && *devices) {
    regex = g_regex_new (place, G_REGEX_MULTILINE, 0, NULL);
    options = g_regex_replace (regex, devices, -1, 0, "  --platform=\\1 --device=\\2", 0, NULL);
    text =
        g_strdup_printf ("there is no OpenCL device with --platform=%d --device=%d (-1: any).  There are:\n%s", platform, device, options);
    g_free (options);
    g_regex_unref (regex);
  }
  g_free (devices);
  return text;
}

void
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

void
decode_on_remark (GstMessage *message)
{
  gboolean warning = GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING;
  GError *error = NULL;

  if (warning)
    gst_message_parse_warning (message, &error, NULL);
  else
    gst_message_parse_info (message, &error, NULL);
  g_printerr ("%s%s: %s: %s\n", decode_over_progress (), warning ? "warning" : "note", GST_MESSAGE_SRC_NAME (message), error->message);
  g_error_free (error);
}

/* Pictures a second between the first picture and the last; 0 where that time is too short to mean anything */
static gdouble
decode_get_rate (Decode *self)
{
  gdouble seconds = (self->last_time - self->first_time) / 1e6;

  return seconds >= SHORTEST_RATE_TIME ? (self->n_pictures - 1) / seconds : 0;
}

gboolean
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

gchar *
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

/* (transfer full) (nullable): name of the OpenCL device that elements of @bin have found; NULL where none looked for one */
static gchar *
get_device_name (GstElement *bin)
{
  GstContext *context = gst_element_get_context (bin, "gst.opencl.context");
  gchar *name;

  if (!context)
    return NULL;
  name = g_strdup (gst_structure_get_string (gst_context_get_structure (context), "device-name"));
  gst_context_unref (context);

  return name;
}

gchar *
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
    return get_device_name (self->pipeline);
  return any_stage ? g_strdup ("the CPU") : NULL;
}

void
decode_print_summary (Decode *self, const gchar *conversion)
{
  gchar *format = decode_describe_format (self);
  gchar *device = decode_get_device (self);
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

gboolean
decode_on_slow_start (gpointer user_data)
{
  Decode *self = user_data;
  gchar *device = get_device_name (self->pipeline);
  guint n_pictures;

  g_mutex_lock (&self->lock);
  n_pictures = self->n_pictures;
  g_mutex_unlock (&self->lock);
  if (device && n_pictures == 0)
    g_printerr ("%s%s builds its kernels, which takes a while the first time (PoCL: minutes) and is then kept\n", decode_over_progress (),
        device);
  g_free (device);
  return G_SOURCE_REMOVE;
}
