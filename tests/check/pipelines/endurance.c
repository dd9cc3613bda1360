/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A stream with P and B pictures again and again, as if it had no end: memory stays what it was.
 *
 *   endurance [--backend=opencl|c] [--row=ELEMENTS] [--count=PICTURES]
 */
#include <gst/app/app.h>
#include <stdio.h>

#include "decoderow.h"
#include "decoderun.h"
#include "tap.h"

#define STREAM TEST_DATA "/inter.264"
/* What a process may grow by when it is warm: fragments of the heap, threads' arenas.  One surface leaked in a hundred pictures is more. */
#define ALLOWED_KIB 4096

/* Resident memory in KiB */
static guint64
read_memory (void)
{
  gchar *text = NULL;
  guint64 pages = 0;
  const gchar *resident;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL) && (resident = strchr (text, ' ')))
    pages = g_ascii_strtoull (resident, NULL, 10);
  g_free (text);
  return pages * 4;
}

typedef struct
{
  GBytes *bytes;
  gint stop;
} Source;

/* The source element wants data: once more the stream, which begins with an IDR picture */
static void
on_need_data (GstAppSrc *src, guint length, gpointer user_data)
{
  Source *source = user_data;

  if (g_atomic_int_get (&source->stop))
    gst_app_src_end_of_stream (src);
  else
    gst_app_src_push_buffer (src, gst_buffer_new_wrapped_bytes (source->bytes));
}

static Source *
source_new (GstElement *pipeline)
{
  GstAppSrc *src = GST_APP_SRC (gst_bin_get_by_name (GST_BIN (pipeline), "src"));
  GstAppSrcCallbacks callbacks = {.need_data = on_need_data };
  Source *source = g_new0 (Source, 1);
  gchar *data;
  gsize size;

  g_assert_true (g_file_get_contents (STREAM, &data, &size, NULL));
  source->bytes = g_bytes_new_take (data, size);
  gst_app_src_set_callbacks (src, &callbacks, source, NULL);
  gst_object_unref (src);
  return source;
}

/* Pictures that came; none may be flagged */
static guint
pull_pictures (GstAppSink *sink, guint count)
{
  for (guint i = 0; i < count; i++) {
    GstSample *sample = gst_app_sink_try_pull_sample (sink, DECODE_TIMEOUT);
    gboolean ok = sample && !GST_BUFFER_FLAG_IS_SET (gst_sample_get_buffer (sample), GST_BUFFER_FLAG_CORRUPTED);

    g_clear_pointer (&sample, gst_sample_unref);
    if (!ok)
      return i;
  }
  return count;
}

static void
check_endurance (const gchar *row, guint count)
{
  GstElement *pipeline =
      decode_pipeline_new ("appsrc name=src caps=video/x-h264,stream-format=byte-stream ! h264parse", row, "video/x-raw");
  GstAppSink *sink = GST_APP_SINK (gst_bin_get_by_name (GST_BIN (pipeline), "sink"));
  Source *source = source_new (pipeline);
  guint warm_up = count / 5, n = 0;
  guint64 before, after;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  n = pull_pictures (sink, warm_up);
  before = read_memory ();
  if (n == warm_up)
    n += pull_pictures (sink, count - warm_up);
  after = read_memory ();
  tap_check (n == count, "%u of %u pictures", n, count);
  tap_check (before > 0 && after <= before + ALLOWED_KIB,
      "memory: %" G_GUINT64_FORMAT " KiB after %u pictures, %" G_GUINT64_FORMAT " KiB after %u", before, warm_up, after, n);
  g_atomic_int_set (&source->stop, 1);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  g_bytes_unref (source->bytes);
  g_free (source);
}

int
main (int argc, char *argv[])
{
  DecodeRow row = DECODE_ROW_INIT;
  gchar *backend = NULL, *elements = NULL;
  gint count = 3000;
  GOptionEntry entries[] = {
    {"backend", 0, 0, G_OPTION_ARG_STRING, &backend, "opencl or c", "NAME"},
    {"row", 0, 0, G_OPTION_ARG_STRING, &elements, "Decode with these elements instead", "ELEMENTS"},
    {"count", 0, 0, G_OPTION_ARG_INT, &count, "Number of pictures (default 3000)", "N"},
    {NULL}
  };

  decode_parse_options (entries, &argc, &argv);
  row.backend = backend;
  row.n_threads = 2;
  row.queues = TRUE;

  if (!elements)
    elements = decode_row_describe (&row);
  check_endurance (elements, count);
  g_free (elements);
  g_free (backend);

  return tap_finish ();
}
