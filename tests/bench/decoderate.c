/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Decodes a file once, or several times at once, and prints what it took, on one line of name=value pairs:
 *
 *   pictures=N seconds=S cpu=S      between the first picture and the last: wall-clock and CPU time (user and system, all threads)
 *                                   of N - 1 pictures
 *   memory=KB                       the most that was resident
 *   private=KB                      of what is resident at the end, what no other process could share: all but pages of files as they are
 *   process=S                       CPU time of the process up to the last picture, from its start
 *   md5=M                           with --md5: of all pictures, planar and without padding; of one stream alone
 *   ELEMENT.COUNTER=N               counters of the elements that have `stats`, over the whole stream
 *   traffic.ELEMENT.KIND=N          with --traffic: bytes that each element reads and writes, counted from the coded pictures of an
 *                                   element that is named "entropy" in ELEMENTS; copy=N: bytes a second that one thread copies here
 *
 *   bench-decoderate [--md5] [--traffic] [--caps=CAPS] [--streams=N] --row=ELEMENTS FILE
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <gst/gst.h>
#include "gstdecoderow.h"
#include "planarpicture.h"
#include "traffic.h"

/* What the streaming threads measure at the end of the rows */
typedef struct
{
  GMutex lock;
  guint64 n_pictures;
  gint64 first_time, last_time;
  gdouble first_cpu, last_cpu;
  GChecksum *md5;
  PlanarFormat format;
  gboolean has_format;
  Traffic traffic[TRAFFIC_N_ELEMENTS];
} Measure;

static gdouble
cpu_seconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static gboolean
md5_write (const guint8 *data, gsize size, gpointer user_data)
{
  g_checksum_update (user_data, data, size);
  return TRUE;
}

static GstPadProbeReturn
on_buffer (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Measure *self = user_data;

  g_mutex_lock (&self->lock);
  self->last_time = g_get_monotonic_time ();
  self->last_cpu = cpu_seconds ();
  if (self->n_pictures++ == 0) {
    self->first_time = self->last_time;
    self->first_cpu = self->last_cpu;
  }
  if (self->md5 && self->has_format)
    planar_picture_write (&self->format, GST_PAD_PROBE_INFO_BUFFER (info), md5_write, self->md5, NULL);
  g_mutex_unlock (&self->lock);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_event (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Measure *self = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    g_mutex_lock (&self->lock);
    self->has_format = planar_format_from_caps (&self->format, caps, NULL);
    g_mutex_unlock (&self->lock);
  }
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_coded_picture (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Measure *self = user_data;
  RecordView view;

  if (record_view_init (&view, GST_PAD_PROBE_INFO_BUFFER (info))) {
    traffic_add (self->traffic, &view);
    record_view_clear (&view);
  }
  return GST_PAD_PROBE_OK;
}

static gboolean
print_counter (GQuark name, const GValue *value, gpointer element)
{
  if (G_VALUE_HOLDS_UINT64 (value))
    g_print (" %s.%s=%" G_GUINT64_FORMAT, GST_OBJECT_NAME (element), g_quark_to_string (name), g_value_get_uint64 (value));
  return TRUE;
}

static void
print_stats (const GValue *item, gpointer unused)
{
  GObject *element = g_value_get_object (item);
  GParamSpec *property = g_object_class_find_property (G_OBJECT_GET_CLASS (element), "stats");
  GstStructure *stats = NULL;

  if (!property || property->value_type != GST_TYPE_STRUCTURE)
    return;
  g_object_get (element, "stats", &stats, NULL);
  if (stats) {
    gst_structure_foreach (stats, print_counter, element);
    gst_structure_free (stats);
  }
}

static void
print_traffic (const Measure *self)
{
  for (guint i = 0; i < TRAFFIC_N_ELEMENTS; i++)
    g_print (" traffic.%s.records=%" G_GUINT64_FORMAT " traffic.%s.coeffs=%" G_GUINT64_FORMAT " traffic.%s.samples=%" G_GUINT64_FORMAT,
        traffic_get_name (i), self->traffic[i].records, traffic_get_name (i), self->traffic[i].coeffs, traffic_get_name (i),
        self->traffic[i].samples);
  g_print (" copy=%.0f", traffic_measure_copy ());
}

/* In KB; 0 where the system does not tell */
static guint64
read_private_memory (void)
{
  gchar *status = NULL;
  const gchar *line;
  guint64 size = 0;

  if (g_file_get_contents ("/proc/self/status", &status, NULL, NULL) && (line = strstr (status, "RssAnon:")))
    size = g_ascii_strtoull (line + strlen ("RssAnon:"), NULL, 10);
  g_free (status);
  return size;
}

static void
print_measure (Measure *self, GstElement *pipeline, gboolean with_traffic)
{
  GstIterator *elements = gst_bin_iterate_recurse (GST_BIN (pipeline));
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  g_print ("pictures=%" G_GUINT64_FORMAT " seconds=%.6f cpu=%.6f process=%.6f memory=%ld private=%" G_GUINT64_FORMAT, self->n_pictures,
      (self->last_time - self->first_time) / 1e6, self->last_cpu - self->first_cpu, self->last_cpu, usage.ru_maxrss,
      read_private_memory ());
  if (self->md5)
    g_print (" md5=%s", g_checksum_get_string (self->md5));
  gst_iterator_foreach (elements, print_stats, NULL);
  if (with_traffic)
    print_traffic (self);
  g_print ("\n");
  gst_iterator_free (elements);
}

/* TRUE at the end of the stream; prints an error */
static gboolean
play (GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  GError *error = NULL;
  gboolean ok;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  ok = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
  if (!ok) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s: %s\n", GST_MESSAGE_SRC_NAME (message), error->message);
    g_error_free (error);
  }
  gst_message_unref (message);
  gst_object_unref (bus);
  return ok;
}

/* The text of the pipeline: @n_streams times the same */
static gchar *
describe (const gchar *file, const gchar *row, const gchar *caps, guint n_streams)
{
  gboolean is_mp4 = g_str_has_suffix (file, ".mp4") || g_str_has_suffix (file, ".mov");
  const gchar *demux = is_mp4 ? "qtdemux ! " : g_str_has_suffix (file, ".mkv") ? "matroskademux ! " : "";
  GString *description = g_string_new (NULL);

  for (guint i = 0; i < n_streams; i++)
    g_string_append_printf (description, "filesrc location=\"%s\" ! %sh264parse ! %s ! %s ! fakesink name=sink%u sync=false ", file, demux,
        row, caps, i);
  return g_string_free (description, FALSE);
}

static void
watch_sink (Measure *self, GstElement *pipeline, guint number)
{
  gchar *name = g_strdup_printf ("sink%u", number);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstPad *pad = gst_element_get_static_pad (sink, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_buffer, self, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_event, self, NULL);
  gst_object_unref (pad);
  gst_object_unref (sink);
  g_free (name);
}

/* FALSE, and says so, where the row has no element "entropy" */
static gboolean
watch_entropy (Measure *self, GstElement *pipeline)
{
  GstElement *entropy = gst_bin_get_by_name (GST_BIN (pipeline), "entropy");
  GstPad *pad;

  if (!entropy) {
    g_printerr ("--traffic: no element is named \"entropy\"\n");
    return FALSE;
  }
  pad = gst_element_get_static_pad (entropy, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_coded_picture, self, NULL);
  gst_object_unref (pad);
  gst_object_unref (entropy);
  return TRUE;
}

static gboolean
measure (const gchar *file, const gchar *row, const gchar *caps, gboolean with_md5, gboolean with_traffic, guint n_streams)
{
  gchar *description = describe (file, row, caps, n_streams);
  Measure self = { 0 };
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);
  gboolean ok;

  g_free (description);
  if (error) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    return FALSE;
  }
  g_mutex_init (&self.lock);
  self.md5 = with_md5 && n_streams == 1 ? g_checksum_new (G_CHECKSUM_MD5) : NULL;
  for (guint i = 0; i < n_streams; i++)
    watch_sink (&self, pipeline, i);
  ok = (!with_traffic || watch_entropy (&self, pipeline)) && play (pipeline);
  if (ok)
    print_measure (&self, pipeline, with_traffic);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  g_clear_pointer (&self.md5, g_checksum_free);
  g_mutex_clear (&self.lock);
  return ok;
}

static void
list_row (void)
{
  g_print ("h264entropy\n");
  for (guint i = 0; i < gst_decode_row_get_n_stages (); i++)
    g_print ("%s\n", gst_decode_row_get_stage (i));
}

int
main (int argc, char *argv[])
{
  gchar *row = NULL, *caps = NULL, **files = NULL;
  gboolean with_md5 = FALSE, with_traffic = FALSE, list = FALSE, ok;
  gint n_streams = 1;
  GOptionEntry entries[] = {
    { "row", 0, 0, G_OPTION_ARG_STRING, &row, "Elements after h264parse, as gst-launch-1.0 writes them", "ELEMENTS" },
    { "caps", 0, 0, G_OPTION_ARG_STRING, &caps, "Caps after them (default video/x-raw)", "CAPS" },
    { "md5", 0, 0, G_OPTION_ARG_NONE, &with_md5, "Compute the md5 of the output, too", NULL },
    { "traffic", 0, 0, G_OPTION_ARG_NONE, &with_traffic, "Count the bytes that each element reads and writes", NULL },
    { "streams", 0, 0, G_OPTION_ARG_INT, &n_streams, "Decode the file so many times at once (default 1)", "N" },
    { "list", 0, 0, G_OPTION_ARG_NONE, &list, "List the elements of this decoder's row, and do nothing else", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "FILE" },
    { NULL },
  };
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error) || (!list && (!row || !files || n_streams < 1))) {
    g_printerr ("%s\n", error ? error->message : "--row and a FILE are needed");
    return EXIT_FAILURE;
  }
  g_option_context_free (context);
  if (list) {
    list_row ();
    return EXIT_SUCCESS;
  }
  ok = measure (files[0], row, caps ? caps : "video/x-raw", with_md5, with_traffic, (guint) n_streams);
  g_strfreev (files);
  g_free (row);
  g_free (caps);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
