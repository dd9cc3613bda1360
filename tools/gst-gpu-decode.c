/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Decodes the H.264 video of a file with the row of stages, and shows it or writes it.
 */
#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "decodeoutput.h"
#include "decodemessages.h"
#include "subsetsps.h"

#define EXIT_INTERRUPTED 130 /* as shells have it for SIGINT */

#define FALLBACK_FRAME_DURATION (GST_SECOND / 25)

/* Files and displays need a time on every picture; elementary streams may have none, or one at their beginning, which is that of the
 * picture decoded first. */
static void
decode_complete_timestamp (Decode *self, GstPadProbeInfo *info)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  if (!GST_BUFFER_PTS_IS_VALID (buffer) || (self->is_untimed && GST_BUFFER_PTS (buffer) < self->next_pts)) {
    self->is_untimed = TRUE;
    buffer = gst_buffer_make_writable (buffer);
    GST_BUFFER_PTS (buffer) = self->next_pts;
    GST_BUFFER_DURATION (buffer) = FALLBACK_FRAME_DURATION;
    GST_PAD_PROBE_INFO_DATA (info) = buffer;
  }
  self->next_pts =
      GST_BUFFER_PTS (buffer) + (GST_BUFFER_DURATION_IS_VALID (buffer) ? GST_BUFFER_DURATION (buffer) : FALLBACK_FRAME_DURATION);
}

/* On the decoder's source pad: counts, and for a PNG lets only the first picture pass. */
static GstPadProbeReturn
decode_on_picture (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Decode *self = user_data;
  gboolean first;

  if (self->refusal)
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

/* An end without a picture is an error, which may come after another one, and ends here: GStreamer 1.22's mp4mux prints complaints about
 * itself where it has to end a file that has not begun. */
static GstPadProbeReturn
decode_on_end (Decode *self, GstElement *element)
{
  guint n_pictures;

  g_mutex_lock (&self->lock);
  n_pictures = self->n_pictures;
  g_mutex_unlock (&self->lock);
  if (n_pictures > 0)
    return GST_PAD_PROBE_OK;
  GST_ELEMENT_ERROR (element, STREAM, DECODE, ("%s: no picture could be decoded", self->file), (NULL));
  return GST_PAD_PROBE_DROP;
}

/* (transfer full): @caps, with the rate of decode_complete_timestamp() where they have none: deinterlace puts fields between frames by
 * it */
static GstCaps *
decode_complete_caps (GstCaps *caps)
{
  GstCaps *complete = gst_caps_copy (caps);
  GstStructure *s = gst_caps_get_structure (complete, 0);
  gint n = 0, d = 1;

  if (!gst_structure_get_fraction (s, "framerate", &n, &d) || n == 0)
    gst_structure_set (s, "framerate", GST_TYPE_FRACTION, (gint) (GST_SECOND / FALLBACK_FRAME_DURATION), 1, NULL);
  return complete;
}

/* The caps of the pictures to come: kept for the summary; what the output cannot hold ends it, as that of a shorter file. */
static GstPadProbeReturn
decode_on_caps (Decode *self, GstPad *pad, GstCaps *caps)
{
  if ((self->refusal = decode_refuse_change (self, caps))) {
    gst_pad_push_event (pad, gst_event_new_eos ());
    return GST_PAD_PROBE_DROP;
  }
  g_mutex_lock (&self->lock);
  /* a PNG has the first picture */
  if (!self->caps || !decode_output_ends (self, ".png"))
    gst_caps_replace (&self->caps, caps);
  g_mutex_unlock (&self->lock);
  return GST_PAD_PROBE_OK;
}

/* On the decoder's source pad */
static GstPadProbeReturn
decode_on_event (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Decode *self = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstPadProbeReturn ret;
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_EOS:
      return decode_on_end (self, GST_PAD_PARENT (pad));
    case GST_EVENT_CAPS:
      if (self->refusal)
        return GST_PAD_PROBE_DROP;
      gst_event_parse_caps (event, &caps);
      caps = decode_complete_caps (caps);
      GST_PAD_PROBE_INFO_DATA (info) = gst_event_new_caps (caps);
      gst_event_unref (event);
      ret = decode_on_caps (self, pad, caps);
      gst_caps_unref (caps);
      return ret;
    default:
      return GST_PAD_PROBE_OK;
  }
}

/* In the row that was asked for, whatever decoder it is: damaged pictures come out, too. */
static void
decode_set_output_corrupt (Decode *self)
{
  GstIterator *elements = gst_bin_iterate_recurse (GST_BIN (self->decoder));
  GValue item = G_VALUE_INIT;

  /* nobody adds elements to it now, so no resync */
  while (gst_iterator_next (elements, &item) == GST_ITERATOR_OK) {
    GObject *element = g_value_get_object (&item);

    if (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "output-corrupt"))
      g_object_set (element, "output-corrupt", TRUE, NULL);
    g_value_reset (&item);
  }
  g_value_unset (&item);
  gst_iterator_free (elements);
}

/* The decoder and what follows it; their sink pad waits for parsebin's. */
static gboolean
decode_add_row (Decode *self)
{
  gchar *output = decode_describe_output (self);
  gchar *description = g_strdup_printf ("h264parse name=parse ! %s ! identity silent=true name=decoded ! queue ! %s", self->row, output);
  GError *error = NULL;
  GstElement *decoded;
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

  if (self->output_corrupt)
    decode_set_output_corrupt (self);
  decode_attach_output (self);
  decoded = gst_bin_get_by_name (GST_BIN (self->decoder), "decoded");
  pad = gst_element_get_static_pad (decoded, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, decode_on_picture, self, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, decode_on_event, self, NULL);
  gst_object_unref (pad);
  if (self->report) {
    pad = gst_element_get_static_pad (decoded, "sink");
    report_watch_decoder (self->report, GST_BIN (self->decoder), pad);
    gst_object_unref (pad);
  }
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

static gboolean
decode_on_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  Decode *self = user_data;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      if (self->report)
        report_take_message (self->report, message);
      decode_on_error_message (self, message);
      break;
    case GST_MESSAGE_WARNING:
    case GST_MESSAGE_INFO:
      if (self->report)
        report_take_message (self->report, message);
      decode_on_remark (message);
      break;
    case GST_MESSAGE_EOS:
      if (self->refusal)
        decode_fail (self, "%s", self->refusal);
      g_main_loop_quit (self->loop);
      break;
    default:
      break;
  }
  return G_SOURCE_CONTINUE;
}

static gboolean
decode_build (Decode *self)
{
  GstElement *source, *parsebin;

  self->pipeline = gst_pipeline_new (NULL);
  subset_sps_hide (GST_BIN (self->pipeline));
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

  g_printerr ("%sinterrupted: ending the output\n", decode_over_progress ());
  gst_element_send_event (self->pipeline, gst_event_new_eos ());
  self->interrupt = 0;
  self->interrupted = TRUE;

  return G_SOURCE_REMOVE;
}

/* What the report says in its head and cannot find by itself; before the elements forget their device */
static void
decode_add_facts (Decode *self)
{
  gchar *name = g_filename_display_name (self->file), *title = g_filename_display_basename (self->file), *device = decode_get_device (self),
        *format = decode_describe_format (self);

  report_set_title (self->report, title);
  report_add_fact (self->report, "File", name);
  report_add_fact (self->report, "Video", self->caps ? format : NULL);
  report_add_fact (self->report, "Decoded on", device);
  report_add_fact (self->report, "Row", self->row);
  g_free (format);
  g_free (device);
  g_free (title);
  g_free (name);
}

/* After all has stopped */
static void
decode_write_report (Decode *self)
{
  gchar *missing_frame = report_explain_missing_frame (self->report);
  GError *error = NULL;

  if (!report_write (self->report, self->report_file, &error)) {
    decode_fail (self, "%s", error->message);
    g_error_free (error);
  }
  if (!self->failed)
    g_print ("%s: the report is %s\n", self->file, self->report_file);
  if (missing_frame)
    g_printerr ("warning: report: %s\n", missing_frame);
  g_free (missing_frame);
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
  if (!self->failed)
    decode_print_summary (self, decode_get_conversion (self));
  if (self->report)
    decode_add_facts (self);
  decode_stop (self);
  if (self->report)
    decode_write_report (self);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
}

static void
decode_clear (Decode *self)
{
  g_clear_pointer (&self->report, report_free);
  gst_clear_object (&self->pipeline);
  gst_clear_object (&self->decoder);
  gst_clear_caps (&self->caps);
  g_string_free (self->other_streams, TRUE);
  g_main_loop_unref (self->loop);
  g_mutex_clear (&self->lock);
  g_free (self->row);
  g_free (self->file);
  g_free (self->out);
  g_free (self->report_file);
  g_free (self->refusal);
}

/* GLib's own handlers write what the locale has no characters for as question marks: names of files come out as they are. */
static void
print_to_stdout (const gchar *text)
{
  fputs (text, stdout);
  fflush (stdout);
}

static void
print_to_stderr (const gchar *text)
{
  fputs (text, stderr);
}

/* (transfer full) (nullable): the path of what the command line names by its path or by a file:// URI; NULL with @error where no path can
 * be made of the URI */
static gchar *
path_of_argument (const gchar *argument, GError **error)
{
  return g_ascii_strncasecmp (argument, "file://", 7) == 0 ? g_filename_from_uri (argument, NULL, error) : g_strdup (argument);
}

/* FALSE with @error where one of the names is not one of a file */
static gboolean
take_names (Decode *self, const gchar *file, GError **error)
{
  gchar *out = self->out, *report_file = self->report_file;

  self->out = self->report_file = NULL;
  if ((self->file = path_of_argument (file, error)) && out)
    self->out = path_of_argument (out, error);
  if (!*error && report_file)
    self->report_file = path_of_argument (report_file, error);
  g_free (report_file);
  g_free (out);
  return !*error;
}

/* (nullable): what is wrong */
static const gchar *
check_arguments (gchar **files, const GstDecodeRow *row, const gchar *report_file, gint64 report_picture)
{
  if (!files || files[1])
    return "One FILE, please; --help tells more.";
  if (row->backend && !g_str_equal (row->backend, "opencl") && !g_str_equal (row->backend, "c"))
    return "--backend is opencl or c.";
  if (row->platform < -1 || row->device < -1)
    return "--platform and --device are places in the list that clinfo -l prints, from 0 on, or -1 for any.";
  if (report_picture != -1 && !report_file)
    return "--report-picture says what --report shows: name its file, too.";
  if (report_picture < -1)
    return "--report-picture counts from 0 on, in decoding order; -1 is one that has much to show.";
  return NULL;
}

/* What the command line says, beside what Decode has */
typedef struct
{
  gchar **files;
  gchar *backend;
  gint64 report_picture;
} Arguments;

/* (nullable): what is wrong, in @error where it is a message of its own */
static const gchar *
parse_arguments (Decode *self, Arguments *arguments, int *argc, char ***argv, GError **error)
{
  GstDecodeRow *row = &self->stages;
  const GOptionEntry entries[] = { { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self->out,
                                       "Write to OUT.png (the first picture), OUT.y4m, or OUT.mp4 (encoded anew, with loss)", "OUT" },
    { "backend", 0, 0, G_OPTION_ARG_STRING, &arguments->backend, "Where the stages compute: opencl (default) or c", "NAME" },
    { "platform", 0, 0, G_OPTION_ARG_INT, &row->platform, "OpenCL platform, by its place in the list that clinfo -l prints", "N" },
    { "device", 0, 0, G_OPTION_ARG_INT, &row->device, "OpenCL device, by its place in its platform", "N" },
    { "output-corrupt", 0, 0, G_OPTION_ARG_NONE, &self->output_corrupt,
        "Where the video begins in the middle, pictures that refer to some before it are output, too", NULL },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &self->report_file, "Write a page that shows how it was decoded to FILE.html", "FILE.html" },
    { "report-picture", 0, 0, G_OPTION_ARG_INT64, &arguments->report_picture,
        "Frame whose macroblocks the report shows, in decoding order, from 0 on (default: the largest with P or B slices of the first 100)",
        "N" },
    { "row", 0, 0, G_OPTION_ARG_STRING, &self->row, "Elements to decode with, as gst-launch-1.0 writes them", "ELEMENTS" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &arguments->files, NULL, "FILE" }, { NULL } };
  GOptionContext *context = g_option_context_new (NULL);
  const gchar *complaint;

  g_option_context_set_summary (context,
      "Decodes the H.264 video of FILE: on a display where there is one, else to a file.\n"
      "FILE and OUT are paths or file:// URIs; a FILE that begins with a dash stands behind --.");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  complaint = g_option_context_parse (context, argc, argv, error) ? NULL : (*error)->message;
  g_option_context_free (context);
  row->backend = arguments->backend;
  if (!complaint)
    complaint = check_arguments (arguments->files, row, self->report_file, arguments->report_picture);
  if (!complaint && !take_names (self, arguments->files[0], error))
    complaint = (*error)->message;
  return complaint;
}

static void
decode (Decode *self, gint64 report_picture)
{
  if (!self->row)
    self->row = gst_decode_row_describe (&self->stages);
  if (self->report_file)
    self->report = report_new (report_picture);
  if (decode_check_output (self) && decode_check_report (self) && decode_build (self))
    decode_run (self);
  decode_close_output (self);
}

int
main (int argc, char *argv[])
{
  Decode self = { .stages = GST_DECODE_ROW_INIT };
  Arguments arguments = { .report_picture = -1 };
  GError *error = NULL;
  const gchar *complaint;

  g_set_print_handler (print_to_stdout);
  g_set_printerr_handler (print_to_stderr);
  complaint = parse_arguments (&self, &arguments, &argc, &argv, &error);
  self.loop = g_main_loop_new (NULL, FALSE);
  self.other_streams = g_string_new (NULL);
  g_mutex_init (&self.lock);
  if (complaint) {
    g_printerr ("%s\n", complaint);
    self.failed = TRUE;
  } else {
    decode (&self, arguments.report_picture);
  }
  g_clear_error (&error);
  decode_clear (&self);
  g_strfreev (arguments.files);
  g_free (arguments.backend);

  return self.failed ? EXIT_FAILURE : self.interrupted ? EXIT_INTERRUPTED : EXIT_SUCCESS;
}
