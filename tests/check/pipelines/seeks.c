/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Flushing seeks to 200 places in a clip of 10 seconds with P and B pictures, in MP4 and in Matroska, closed and open GOPs, with a queue
 * between every pair of stages: after each of them come the very pictures that playing from the beginning gives at those times.
 *
 *   seeks [--backend=opencl|c] [--row=ELEMENTS] [--count=N]
 */
#include <glib/gstdio.h>
#include <gst/app/app.h>
#include <stdlib.h>

#include "gstdecoderow.h"
#include "decoderun.h"
#include "tap.h"

#define N_PICTURES 250
#define FRAME_DURATION (GST_SECOND / 25)
#define WAIT (30 * GST_SECOND)
/* looked at after each seek */
#define PICTURES_A_SEEK 3

typedef struct
{
  const gchar *name; /* its suffix tells the container */
  const gchar *x264; /* how it is coded */
  const gchar *demuxer;
  guint n_leading; /* pictures that may be left out behind a seek */
} Clip;

static const Clip clips[] = {
  { "closed.mp4", "keyint=25:bframes=3:b-pyramid=normal", "qtdemux", 0 },
  { "closed.mkv", "keyint=40:bframes=2:slices=2", "matroskademux", 0 },
  /* qtdemux goes to the last key picture by decoding time, whose leading pictures may be the ones that were sought */
  { "open.mp4", "keyint=25:bframes=3:open-gop=1", "qtdemux", 3 },
  { "open.mkv", "keyint=25:bframes=2:open-gop=1", "matroskademux", 0 },
};

typedef struct
{
  GHashTable *md5; /* of each picture, by its time in milliseconds */
  GstElement *pipeline;
  GstAppSink *sink;
} Player;

static gboolean
make_clip (const Clip *clip, const gchar *path)
{
  const gchar *argv[] = { "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x112:rate=25:duration=10", "-c:v", "libx264",
    "-threads", "1", "-crf", "30", "-x264-params", clip->x264, "-pix_fmt", "yuv420p", "-y", path, NULL };
  gint status = 1;

  return g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status,
             NULL)
      && g_spawn_check_wait_status (status, NULL);
}

static GstElement *
pipeline_new (const Clip *clip, const gchar *path, const gchar *row)
{
  gchar *source = g_strdup_printf ("filesrc location=\"%s\" ! %s ! h264parse", path, clip->demuxer);
  GstElement *pipeline = decode_pipeline_new (source, row, "video/x-raw");

  g_free (source);
  return pipeline;
}

/* In the clip: MP4 shifts buffers by an edit list, so that decoding times begin at 0.  In milliseconds, to which Matroska rounds times */
static guint
sample_time (GstSample *sample)
{
  const GstSegment *segment = gst_sample_get_segment (sample);
  const guint64 time = GST_BUFFER_PTS (gst_sample_get_buffer (sample)) + segment->time - segment->start;

  return (guint) ((time + GST_MSECOND / 2) / GST_MSECOND);
}

static gboolean
is_corrupted (GstSample *sample)
{
  return GST_BUFFER_FLAG_IS_SET (gst_sample_get_buffer (sample), GST_BUFFER_FLAG_CORRUPTED);
}

static void
player_open (Player *player, GstElement *pipeline)
{
  player->pipeline = pipeline;
  player->sink = GST_APP_SINK (gst_bin_get_by_name (GST_BIN (pipeline), "sink"));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
}

static gboolean
player_close (Player *player)
{
  GstBus *bus = gst_element_get_bus (player->pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  const gboolean clean = !message;

  if (message) {
    GError *error = NULL;

    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
      gst_message_parse_error (message, &error, NULL);
    else
      gst_message_parse_warning (message, &error, NULL);
    tap_note ("  %s: %s", GST_MESSAGE_SRC_NAME (message), error->message);
    g_error_free (error);
    gst_message_unref (message);
  }
  gst_element_set_state (player->pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (player->sink);
  gst_object_unref (player->pipeline);
  return clean;
}

/* From the beginning, once through */
static gboolean
read_pictures (Player *player, GstElement *pipeline)
{
  GstSample *sample;
  gboolean ok = TRUE;

  player_open (player, pipeline);
  while ((sample = gst_app_sink_try_pull_sample (player->sink, WAIT))) {
    ok &= !is_corrupted (sample);
    g_hash_table_insert (player->md5, GUINT_TO_POINTER (sample_time (sample)), decode_sample_md5 (sample));
    gst_sample_unref (sample);
  }
  return player_close (player) && ok && g_hash_table_size (player->md5) == N_PICTURES;
}

/* (nullable): md5 of the picture that begins at @at milliseconds, or, @cut, of one that is shown then: its time begins with the segment */
static const gchar *
find_md5 (const Player *player, guint at, gboolean cut)
{
  const gchar *md5 = NULL;

  for (guint i = 0; i < (cut ? 40 : 1) && i <= at && !md5; i++)
    md5 = g_hash_table_lookup (player->md5, GUINT_TO_POINTER (at - i));
  return md5;
}

/* Whether the next picture is what it was before, and the one at @time (milliseconds; a frame more or less), or @n_late frames behind it at
 * most; @time becomes that of the next one.  @first: behind a seek */
static gboolean
check_picture (Player *player, guint64 *time, guint n_late, gboolean first)
{
  GstSample *sample = gst_app_sink_try_pull_sample (player->sink, WAIT);
  gchar *md5;
  guint at;
  gboolean ok;

  if (!sample) {
    tap_note ("  no picture came at %" G_GUINT64_FORMAT " ms", *time);
    return FALSE;
  }
  at = sample_time (sample);
  md5 = decode_sample_md5 (sample);
  ok = !is_corrupted (sample) && g_strcmp0 (md5, find_md5 (player, at, first)) == 0;
  ok &= at + (first ? 0 : 41) >= *time && at <= *time + 41 + 40 * n_late;
  if (!ok)
    tap_note ("  wanted %" G_GUINT64_FORMAT " ms, got %u ms, %s%s", *time, at, md5, is_corrupted (sample) ? ", flagged" : "");
  *time = at + 40;
  g_free (md5);
  gst_sample_unref (sample);
  return ok;
}

static gboolean
check_seek (Player *player, guint64 time, guint n_leading)
{
  guint64 next = time;

  if (!gst_element_seek_simple (player->pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, time * GST_MSECOND)) {
    tap_note ("  the seek to %" G_GUINT64_FORMAT " ms was refused", time);
    return FALSE;
  }
  for (guint i = 0; i < PICTURES_A_SEEK; i++)
    if (!check_picture (player, &next, i == 0 ? n_leading : 0, i == 0))
      return FALSE;
  return TRUE;
}

static void
check_clip (const Clip *clip, const gchar *path, const gchar *row, const gchar *queued, guint n_seeks)
{
  GRand *random = g_rand_new_with_seed (4);
  Player player = { g_hash_table_new_full (NULL, NULL, NULL, g_free) };
  guint n_right = 0;
  GstSample *sample;
  gboolean clean = read_pictures (&player, pipeline_new (clip, path, row));

  tap_check (clean, "%s: %u of its %d pictures, none flagged", clip->name, g_hash_table_size (player.md5), N_PICTURES);
  player_open (&player, pipeline_new (clip, path, queued));
  /* it can be seeked in when it plays */
  if ((sample = gst_app_sink_try_pull_sample (player.sink, WAIT)))
    gst_sample_unref (sample);
  while (n_right < n_seeks && check_seek (&player, g_rand_int_range (random, 0, (N_PICTURES - PICTURES_A_SEEK - 3) * 40), clip->n_leading))
    n_right++;
  clean = player_close (&player);
  tap_check (clean && n_right == n_seeks, "%s: %u of %u seeks", clip->name, n_right, n_seeks);
  g_hash_table_unref (player.md5);
  g_rand_free (random);
}

static void
check_clips (const gchar *row, const gchar *queued, guint n_seeks)
{
  gchar *folder = g_dir_make_tmp ("seeks-XXXXXX", NULL);

  g_assert_nonnull (folder);
  for (guint i = 0; i < G_N_ELEMENTS (clips); i++) {
    gchar *path = g_build_filename (folder, clips[i].name, NULL);

    if (make_clip (&clips[i], path))
      check_clip (&clips[i], path, row, queued, n_seeks);
    else
      tap_skip ("there is no ffmpeg with libx264 to make it", "%s", clips[i].name);
    g_unlink (path);
    g_free (path);
  }
  g_rmdir (folder);
  g_free (folder);
}

int
main (int argc, char *argv[])
{
  GstDecodeRow row = GST_DECODE_ROW_INIT;
  gchar *backend = NULL, *elements = NULL, *queued;
  gint count = 200;
  GOptionEntry entries[] = {
    { "backend", 0, 0, G_OPTION_ARG_STRING, &backend, "opencl or c", "NAME" },
    { "row", 0, 0, G_OPTION_ARG_STRING, &elements, "Decode with these elements instead", "ELEMENTS" },
    { "count", 0, 0, G_OPTION_ARG_INT, &count, "Number of seeks in each clip (default 200)", "N" },
    { NULL },
  };

  decode_parse_options (entries, &argc, &argv);
  row.backend = backend;
  row.n_threads = 2;

  row.queues = TRUE;
  queued = elements ? g_strdup (elements) : gst_decode_row_describe (&row);
  row.queues = FALSE;
  if (!elements)
    elements = gst_decode_row_describe (&row);
  check_clips (elements, queued, count);
  g_free (queued);
  g_free (elements);
  g_free (backend);

  return tap_finish ();
}
