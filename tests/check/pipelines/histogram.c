/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The example that counts values of luma on the device: its counts are those of the same pictures, mapped, counted by the CPU.
 *
 *     histogram EXAMPLE
 */
#include <gst/app/app.h>
#include <gst/video/video.h>
#include <stdio.h>
#include <string.h>

#include "decoderun.h"
#include "gstdecoderow.h"
#include "streamlist.h"
#include "tap.h"

#define N_BINS 256

typedef struct
{
  guint64 bins[N_BINS];
  guint n_pictures;
} Counts;

static gboolean
count_frame (GstSample *sample, Counts *counts)
{
  GstVideoFrame frame;
  GstVideoInfo info;
  guint depth;

  if (!gst_video_info_from_caps (&info, gst_sample_get_caps (sample))
      || !gst_video_frame_map (&frame, &info, gst_sample_get_buffer (sample), GST_MAP_READ))
    return FALSE;
  depth = GST_VIDEO_FRAME_COMP_DEPTH (&frame, 0);
  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, 0); y++) {
    const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, 0) + y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0);

    for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, 0); x++) {
      const guint8 *value = row + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, 0);

      counts->bins[depth > 8 ? (GST_READ_UINT16_LE (value) >> (depth - 8)) & 255 : *value]++;
    }
  }
  counts->n_pictures++;
  gst_video_frame_unmap (&frame);

  return TRUE;
}

static gboolean
count_on_cpu (const gchar *source, const gchar *row, Counts *counts)
{
  GstElement *pipeline = decode_pipeline_new (source, row, "video/x-raw");
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstSample *sample;
  gboolean ok = TRUE;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_pull_sample (GST_APP_SINK (sink)))) {
    ok &= count_frame (sample, counts);
    gst_sample_unref (sample);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);

  return ok && counts->n_pictures > 0;
}

/* What the example printed.  FALSE where that is no histogram. */
static gboolean
parse_counts (const gchar *text, Counts *counts)
{
  gchar **lines = g_strsplit (text, "\n", -1);
  guint n = 0, value;
  guint64 how_often;
  gboolean ok = sscanf (text, "# %u pictures", &counts->n_pictures) == 1;

  for (guint i = 0; lines[i]; i++) {
    if (lines[i][0] == '#' || sscanf (lines[i], "%u %" G_GUINT64_FORMAT, &value, &how_often) != 2)
      continue;
    ok &= value == n++;
    if (value < N_BINS)
      counts->bins[value] = how_often;
  }
  g_strfreev (lines);

  return ok && n == N_BINS;
}

static gboolean
run_example (const gchar *example, const gchar *source, const gchar *row, Counts *counts)
{
  gchar *description = g_strdup_printf ("%s ! %s", source, row), *out = NULL, *err = NULL;
  const gchar *arguments[] = { example, description, NULL };
  gint status = -1;
  gboolean ok = g_spawn_sync (NULL, (gchar **) arguments, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &status, NULL) && status == 0
      && parse_counts (out, counts);

  if (!ok)
    tap_note ("  %s%s", out ? out : "", err ? err : "");
  g_free (description);
  g_free (out);
  g_free (err);

  return ok;
}

static void
check_stream (const gchar *example, const Stream *stream, const gchar *row)
{
  gchar *source = decode_source_describe (stream->path);
  Counts on_cpu = { 0 }, on_device = { 0 };

  if (tap_check (run_example (example, source, row, &on_device), "%s: the example runs", stream->name)) {
    gboolean ok = count_on_cpu (source, row, &on_cpu);

    tap_check (ok && on_cpu.n_pictures == on_device.n_pictures && memcmp (on_cpu.bins, on_device.bins, sizeof (on_cpu.bins)) == 0,
        "%s: the values of %u pictures, counted on the device, are those that the CPU counts", stream->name, on_device.n_pictures);
  }
  g_free (source);
}

/* What fails, and that it says so */
static void
check_errors (const gchar *example)
{
  const gchar *const pipelines[] = { "videotestsrc num-buffers=1", "filesrc location=/nonexistent ! h264parse ! h264entropy ! gpuidct" };

  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    const gchar *arguments[] = { example, pipelines[i], NULL };
    gchar *err = NULL;
    gint status = 0;

    g_spawn_sync (NULL, (gchar **) arguments, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, &err, &status, NULL);
    tap_check (status != 0 && err && strstr (err, "histogram: "), "%s: ends with an error", pipelines[i]);
    g_free (err);
  }
}

int
main (int argc, char *argv[])
{
  const GstDecodeRow decode_row = GST_DECODE_ROW_INIT;
  gchar *row = gst_decode_row_describe (&decode_row);
  GPtrArray *streams;

  gst_init (&argc, &argv);
  if (argc < 2)
    g_error ("Usage: histogram EXAMPLE");
  streams = stream_list_own ();
  for (guint i = 0; i < streams->len; i++)
    check_stream (argv[1], g_ptr_array_index (streams, i), row);
  g_ptr_array_unref (streams);
  check_errors (argv[1]);
  g_free (row);

  return tap_finish ();
}
