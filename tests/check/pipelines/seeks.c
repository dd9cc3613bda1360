/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Flushing seeks to 200 places in a clip of 10 seconds with P and B pictures, in MP4 and in Matroska, closed and open GOPs, with a queue
 * between every pair of stages, one in three of them backwards: after each of them come the very pictures that playing from the beginning
 * gives at those times.
 *
 *   seeks [--backend=opencl|c] [--row=ELEMENTS] [--count=N]
 */
#include <glib/gstdio.h>
#include <gst/app/app.h>
#include <stdlib.h>

#include "decoderun.h"
#include "rowtest.h"
#include "tap.h"
#include "testclip.h"

#define N_PICTURES 250
#define WAIT (30 * GST_SECOND)
/* looked at after each seek */
#define PICTURES_A_SEEK 3

typedef struct
{
  const gchar *name; /* its suffix tells the container */
  const gchar *x264; /* how it is coded */
  const gchar *demuxer;
  guint n_leading; /* pictures that may be left out behind a seek */
  guint n_unsent;  /* behind a seek backwards: the leading pictures of the GOP behind, when the demuxer sends none of that GOP */
} Clip;

static const Clip clips[] = {
  { "closed.mp4", "keyint=25:bframes=3:b-pyramid=normal", "qtdemux", 0, 0 },
  { "closed.mkv", "keyint=40:bframes=2:slices=2", "matroskademux", 0, 0 },
  /* qtdemux goes to the last key picture by decoding time, whose leading pictures may be the ones that were sought */
  { "open.mp4", "keyint=25:bframes=3:open-gop=1", "qtdemux", 3, 0 },
  { "open.mkv", "keyint=25:bframes=2:open-gop=1", "matroskademux", 0, 2 },
};

typedef struct
{
  GHashTable *md5; /* of each picture, by its time in milliseconds */
  GstElement *pipeline;
  GstAppSink *sink;
} Player;

static GstElement *
pipeline_new (const Clip *clip, const gchar *path, const gchar *row)
{
  gchar *source = g_strdup_printf ("filesrc location=\"%s\" ! %s ! h264parse", path, clip->demuxer);
  GstElement *pipeline = decode_pipeline_new (source, row, "video/x-raw");

  g_free (source);
  return pipeline;
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
    ok &= !test_clip_is_corrupted (sample);
    g_hash_table_insert (player->md5, GUINT_TO_POINTER (test_clip_time (sample)), decode_sample_md5 (sample));
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

/* Whether the next picture is what it was before, and its time is between @first and @last (milliseconds).  @cut: it may begin
 * before the segment.  Gives its time in @at. */
static gboolean
check_picture (Player *player, gint64 first, gint64 last, gboolean cut, gint64 *at)
{
  GstSample *sample = gst_app_sink_try_pull_sample (player->sink, WAIT);
  gchar *md5;
  gboolean ok;

  if (!sample) {
    tap_note ("  no picture came at %" G_GINT64_FORMAT " ms", first);
    return FALSE;
  }
  *at = test_clip_time (sample);
  md5 = decode_sample_md5 (sample);
  ok = !test_clip_is_corrupted (sample) && g_strcmp0 (md5, find_md5 (player, (guint) *at, cut)) == 0;
  ok &= *at >= first && *at <= last;
  if (!ok)
    tap_note ("  wanted %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " ms, got %" G_GINT64_FORMAT " ms, %s%s", first, last, *at, md5,
        test_clip_is_corrupted (sample) ? ", flagged" : "");
  g_free (md5);
  gst_sample_unref (sample);
  return ok;
}

static gboolean
seek (Player *player, gint64 time, gboolean back)
{
  const gint64 position = time * GST_MSECOND;

  if (gst_element_seek (player->pipeline, back ? -1.0 : 1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE,
          GST_SEEK_TYPE_SET, back ? 0 : position, GST_SEEK_TYPE_SET, back ? position : -1))
    return TRUE;
  tap_note ("  the seek to %" G_GINT64_FORMAT " ms was refused", time);
  return FALSE;
}

/* From @time on: the first picture may be up to n_leading frames behind it.  Or back from it.  A frame has one or two milliseconds more or
 * less. */
static gboolean
check_seek (Player *player, gint64 time, const Clip *clip, gboolean back)
{
  const gint64 frame = TEST_CLIP_FRAME_MS, slack = frame + 1;
  gint64 at;

  if (!seek (player, time, back)
      || !check_picture (player, back ? time - slack - clip->n_unsent * frame : time, back ? time : time + slack + clip->n_leading * frame,
          !back, &at))
    return FALSE;
  for (guint i = 1; i < PICTURES_A_SEEK; i++)
    if (!check_picture (player, back ? at - slack : at + 1, back ? at - frame + 1 : at + slack, FALSE, &at))
      return FALSE;
  return TRUE;
}

/* One in three goes back, from where there are pictures before. */
static gboolean
check_nth_seek (Player *player, guint n, GRand *random, const Clip *clip)
{
  const gboolean back = n % 3 == 2;
  const gint first = back ? PICTURES_A_SEEK + 1 : 0, end = N_PICTURES - PICTURES_A_SEEK - 3;

  return check_seek (player, g_rand_int_range (random, first * TEST_CLIP_FRAME_MS, end * TEST_CLIP_FRAME_MS), clip, back);
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
  while (n_right < n_seeks && check_nth_seek (&player, n_right, random, clip))
    n_right++;
  clean = player_close (&player);
  tap_check (clean && n_right == n_seeks, "%s: %u of %u seeks", clip->name, n_right, n_seeks);
  g_hash_table_unref (player.md5);
  g_rand_free (random);
}

static void
check_clips (const RowTest *test, const gchar *queued, guint n_seeks)
{
  for (guint i = 0; i < G_N_ELEMENTS (clips); i++) {
    gchar *path = g_build_filename (test->folder, clips[i].name, NULL);

    if (test_clip_make (path, clips[i].x264, N_PICTURES))
      check_clip (&clips[i], path, test->elements, queued, n_seeks);
    else
      tap_skip ("there is no ffmpeg with libx264 to make it", "%s", clips[i].name);
    g_unlink (path);
    g_free (path);
  }
}

int
main (int argc, char *argv[])
{
  RowTest test = ROW_TEST_INIT;
  gchar *queued;
  gint count = 200;
  const GOptionEntry entries[] = {
    { "count", 0, 0, G_OPTION_ARG_INT, &count, "Number of seeks in each clip (default 200)", "N" },
    { NULL },
  };

  test.settings.n_threads = 2;
  row_test_begin (&test, entries, &argc, &argv);
  queued = row_test_describe (&test, TRUE);
  row_test_make_folder (&test);
  check_clips (&test, queued, count);
  g_free (queued);
  return row_test_end (&test);
}
