/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Decodes a file with two rows of elements, picture by picture, and prints for each plane how far the second's samples are from the
 * first's:
 *
 *   pictures=N flagged=N                       pictures compared; those that the second row flagged as corrupted
 *   Y.psnr_min=P Y.psnr_avg=P Y.psnr_max=P     of the pictures' PSNR, dB (inf: equal); the same of Cb and Cr
 *   Y.min=N Y.mean=M Y.rms=R Y.max=N           absolute difference of all samples; rms: mean of the pictures' root mean squares
 *
 *   bench-comparerows FIRST_ROW SECOND_ROW FILE                    rows from h264entropy on; 8-bit 4:2:0
 */
#include <math.h>
#include <stdlib.h>

#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <gst/video/video.h>

#define N_PLANES 3

/* Of a plane: n_pictures of them */
typedef struct
{
  gdouble psnr_min, psnr_sum, psnr_max, rms_sum, mean_sum;
  guint min, max, n_pictures;
} Difference;

#define NO_DIFFERENCE                \
  {                                  \
    .psnr_min = INFINITY, .min = 255 \
  }

typedef struct
{
  GstElement *pipeline;
  GstAppSink *sink;
} Row;

static Row
start_row (const gchar *elements, const gchar *path)
{
  gchar *description = g_strdup_printf ("filesrc name=source ! h264parse ! %s ! video/x-raw,format=I420 ! "
                                        "appsink name=sink sync=false max-buffers=2",
      elements);
  GError *error = NULL;
  GstElement *source;
  Row row;

  row.pipeline = gst_parse_launch (description, &error);
  g_free (description);
  if (error) {
    g_printerr ("%s: %s\n", elements, error->message);
    exit (1);
  }
  source = gst_bin_get_by_name (GST_BIN (row.pipeline), "source");
  g_object_set (source, "location", path, NULL);
  gst_object_unref (source);
  row.sink = GST_APP_SINK (gst_bin_get_by_name (GST_BIN (row.pipeline), "sink"));
  gst_element_set_state (row.pipeline, GST_STATE_PLAYING);

  return row;
}

/* Ends the program where the row posted an error. */
static void
stop_row (Row *row)
{
  GstBus *bus = gst_element_get_bus (row->pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

  if (message) {
    GError *error;

    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s\n", error->message);
    exit (1);
  }
  gst_element_set_state (row->pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (row->sink);
  gst_object_unref (row->pipeline);
}

static void
compare_plane (const GstVideoFrame *a, const GstVideoFrame *b, guint plane, Difference *difference)
{
  const gint width = GST_VIDEO_FRAME_COMP_WIDTH (a, plane), height = GST_VIDEO_FRAME_COMP_HEIGHT (a, plane);
  const gdouble n = (gdouble) width * height;
  gdouble squares = 0, sum = 0, psnr;

  for (gint y = 0; y < height; y++) {
    const guint8 *p = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (a, plane) + y * GST_VIDEO_FRAME_PLANE_STRIDE (a, plane);
    const guint8 *q = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (b, plane) + y * GST_VIDEO_FRAME_PLANE_STRIDE (b, plane);

    for (gint x = 0; x < width; x++) {
      const guint d = (guint) abs (p[x] - q[x]);

      squares += d * d;
      sum += d;
      difference->min = MIN (difference->min, d);
      difference->max = MAX (difference->max, d);
    }
  }
  psnr = squares > 0 ? 10 * log10 (255.0 * 255.0 * n / squares) : INFINITY;
  difference->psnr_min = fmin (difference->psnr_min, psnr);
  difference->psnr_max = fmax (difference->psnr_max, psnr);
  difference->psnr_sum += psnr;
  difference->mean_sum += sum / n;
  difference->rms_sum += sqrt (squares / n);
  difference->n_pictures++;
}

static void
compare_samples (GstSample *a, GstSample *b, Difference differences[N_PLANES])
{
  GstVideoFrame frames[2];
  GstVideoInfo info;

  if (!gst_caps_is_equal (gst_sample_get_caps (a), gst_sample_get_caps (b)) || !gst_video_info_from_caps (&info, gst_sample_get_caps (a))
      || !gst_video_frame_map (&frames[0], &info, gst_sample_get_buffer (a), GST_MAP_READ)
      || !gst_video_frame_map (&frames[1], &info, gst_sample_get_buffer (b), GST_MAP_READ)) {
    g_printerr ("the rows' pictures cannot be compared\n");
    exit (1);
  }
  for (guint plane = 0; plane < N_PLANES; plane++)
    compare_plane (&frames[0], &frames[1], plane, &differences[plane]);
  gst_video_frame_unmap (&frames[0]);
  gst_video_frame_unmap (&frames[1]);
}

static void
print_differences (const Difference differences[N_PLANES])
{
  static const gchar *const names[N_PLANES] = { "Y", "Cb", "Cr" };

  for (guint i = 0; i < N_PLANES; i++) {
    const Difference *d = &differences[i];

    g_print ("%s.psnr_min=%.2f %s.psnr_avg=%.2f %s.psnr_max=%.2f ", names[i], d->psnr_min, names[i], d->psnr_sum / d->n_pictures, names[i],
        d->psnr_max);
    g_print ("%s.min=%u %s.mean=%.3f %s.rms=%.3f %s.max=%u\n", names[i], d->min, names[i], d->mean_sum / d->n_pictures, names[i],
        d->rms_sum / d->n_pictures, names[i], d->max);
  }
}

int
main (int argc, char *argv[])
{
  Difference differences[N_PLANES] = { NO_DIFFERENCE, NO_DIFFERENCE, NO_DIFFERENCE };
  guint n_pictures = 0, n_flagged = 0;
  Row rows[2];

  gst_init (&argc, &argv);
  if (argc != 4) {
    g_printerr ("usage: %s FIRST_ROW SECOND_ROW FILE\n", argv[0]);
    return 2;
  }
  for (guint i = 0; i < 2; i++)
    rows[i] = start_row (argv[1 + i], argv[3]);
  while (TRUE) {
    GstSample *a = gst_app_sink_pull_sample (rows[0].sink), *b = gst_app_sink_pull_sample (rows[1].sink);
    const gboolean both = a && b;

    if (both) {
      compare_samples (a, b, differences);
      n_flagged += GST_BUFFER_FLAG_IS_SET (gst_sample_get_buffer (b), GST_BUFFER_FLAG_CORRUPTED);
      n_pictures++;
    }
    if (a)
      gst_sample_unref (a);
    if (b)
      gst_sample_unref (b);
    if (!both)
      break;
  }
  stop_row (&rows[0]);
  stop_row (&rows[1]);
  if (n_pictures == 0) {
    g_printerr ("no pictures\n");
    return 1;
  }
  g_print ("pictures=%u flagged=%u\n", n_pictures, n_flagged);
  print_differences (differences);

  return 0;
}
