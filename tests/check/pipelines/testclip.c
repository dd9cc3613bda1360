/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "testclip.h"

gboolean
test_clip_make (const gchar *path, const gchar *x264, guint n_pictures)
{
  gchar *count = g_strdup_printf ("%u", n_pictures);
  const gchar *argv[] = { "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x112:rate=25", "-frames:v", count, "-c:v",
    "libx264", "-threads", "1", "-crf", "30", "-x264-params", x264, "-pix_fmt", "yuv420p", "-y", path, NULL };
  gint status = 1;
  const gboolean made =
      g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status, NULL)
      && g_spawn_check_wait_status (status, NULL);

  g_free (count);
  return made;
}

guint
test_clip_time (GstSample *sample)
{
  const GstSegment *segment = gst_sample_get_segment (sample);
  const guint64 time = GST_BUFFER_PTS (gst_sample_get_buffer (sample)) + segment->time - segment->start;

  return (guint) ((time + GST_MSECOND / 2) / GST_MSECOND);
}

gboolean
test_clip_is_corrupted (GstSample *sample)
{
  return GST_BUFFER_FLAG_IS_SET (gst_sample_get_buffer (sample), GST_BUFFER_FLAG_CORRUPTED);
}
