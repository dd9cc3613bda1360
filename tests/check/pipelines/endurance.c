/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A stream with P and B pictures again and again, as if it had no end: memory stays what it was.
 *
 * It is measured again and again too.  What leaks leaks all the time, so the median step tells of it, be it a few bytes a picture.  A pool
 * that needs one more buffer, when threads happen to be further apart than ever before, grows once.
 *
 *   endurance [--backend=opencl|c] [--row=ELEMENTS] [--count=PICTURES]
 */
#include <gst/app/app.h>
#include <stdio.h>
#include <stdlib.h>

#include "decoderun.h"
#include "rowtest.h"
#include "tap.h"

#define STREAM TEST_DATA "/inter.264"
/* Stretches of the stream: one to warm up, then those between whose ends memory is compared */
#define N_STEPS 10
/* What the median one may add, in KiB: in 300 pictures less than a surface in a hundred */
#define ALLOWED_STEP_KIB 16
/* And all of them: buffers that pools need late, in pages of 2 MiB */
#define ALLOWED_KIB (24 * 1024)

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
  GstAppSrcCallbacks callbacks = { .need_data = on_need_data };
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

static gint
compare_growth (gconstpointer a, gconstpointer b)
{
  const gint64 growth_a = *(const gint64 *) a, growth_b = *(const gint64 *) b;

  return (growth_a > growth_b) - (growth_a < growth_b);
}

/* @memory: KiB, before the first step and behind each */
static void
check_memory (const guint64 memory[N_STEPS + 1])
{
  gint64 growth[N_STEPS], whole = (gint64) (memory[N_STEPS] - memory[0]);

  for (guint i = 0; i < N_STEPS; i++)
    growth[i] = (gint64) (memory[i + 1] - memory[i]);
  qsort (growth, N_STEPS, sizeof (growth[0]), compare_growth);
  tap_check (memory[0] > 0 && growth[N_STEPS / 2] <= ALLOWED_STEP_KIB, "memory: the median step adds %" G_GINT64_FORMAT " KiB",
      growth[N_STEPS / 2]);
  tap_check (whole <= ALLOWED_KIB, "memory: %" G_GUINT64_FORMAT " KiB when warm, %" G_GUINT64_FORMAT " KiB at the end", memory[0],
      memory[N_STEPS]);
}

static void
check_endurance (const gchar *row, guint count)
{
  GstElement *pipeline =
      decode_pipeline_new ("appsrc name=src caps=video/x-h264,stream-format=byte-stream ! h264parse", row, "video/x-raw");
  GstAppSink *sink = GST_APP_SINK (gst_bin_get_by_name (GST_BIN (pipeline), "sink"));
  Source *source = source_new (pipeline);
  guint64 memory[N_STEPS + 1] = { 0 };
  guint n = 0;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i <= N_STEPS; i++) {
    const guint end = count * (i + 1) / (N_STEPS + 1);

    n += pull_pictures (sink, end - n);
    memory[i] = read_memory ();
    if (n < end)
      break;
  }
  if (tap_check (n == count, "%u of %u pictures", n, count))
    check_memory (memory);
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
  RowTest test = ROW_TEST_INIT;
  gint count = 3000;
  const GOptionEntry entries[] = {
    { "count", 0, 0, G_OPTION_ARG_INT, &count, "Number of pictures (default 3000)", "N" },
    { NULL },
  };

  test.settings.n_threads = 2;
  test.settings.queues = TRUE;
  row_test_begin (&test, entries, &argc, &argv);
  check_endurance (test.elements, count);
  return row_test_end (&test);
}
