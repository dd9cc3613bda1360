/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random schedules of an application's threads (randomschedule.h): the decoder says nothing of it, and afterwards plays the clip from its
 * beginning as ever.
 *
 *   schedules [--count=N] [--seed=FIRST] [--backend=opencl|c] [--decoder=ELEMENTS]
 *
 * What each thread does comes from the seed; how they meet, from the machine.  scripts/threads runs it under the thread sanitizer.
 */
#include <glib/gstdio.h>
#include <unistd.h>

#include "decoderun.h"
#include "randomschedule.h"
#include "tap.h"
#include "testclip.h"

#define MAX_TRIES 500
/* A state change that never returns cannot be waited for any longer: SIGALRM ends the program. */
#define HANG_SECONDS 240

/* Where nothing plays yet, or the clip has ended, or a trick mode leaves out all that is left of it, no picture comes for the state
 * change. */
static gboolean
seek_to_begin (Player *player)
{
  for (guint i = 0; i < MAX_TRIES; i++) {
    (void) gst_element_get_state (player->pipeline, NULL, NULL, 20 * GST_MSECOND);
    if (gst_element_seek (player->pipeline, 1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, GST_SEEK_TYPE_SET, 0,
            GST_SEEK_TYPE_SET, -1))
      return TRUE;
  }
  return FALSE;
}

/* The properties as they were, and from the beginning again */
static gboolean
rewind_clip (Player *player)
{
  g_object_set (player->decoder, "output-corrupt", FALSE, "discard-corrupted-frames", FALSE, "qos", TRUE, NULL);
  gst_element_set_state (player->pipeline, GST_STATE_PAUSED);
  return seek_to_begin (player) && gst_element_get_state (player->pipeline, NULL, NULL, DECODE_TIMEOUT) == GST_STATE_CHANGE_SUCCESS;
}

/* (transfer full): md5s of all pictures from here to the end, a line each */
static gchar *
read_clip (Player *player)
{
  GString *md5s = g_string_new (NULL);
  GstSample *sample;

  gst_element_set_state (player->pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_try_pull_sample (player->sink, DECODE_TIMEOUT))) {
    gchar *md5 = decode_sample_md5 (sample);

    g_string_append_printf (md5s, "%u ms %s%s\n", test_clip_time (sample), md5, test_clip_is_corrupted (sample) ? ", flagged" : "");
    g_free (md5);
    gst_sample_unref (sample);
  }
  return g_string_free (md5s, FALSE);
}

/* (transfer full) (nullable): an error or a warning.  Those of capsfilter do not count: of caps that come while what is behind it goes to
 * READY it says "not negotiated" (GStreamer 1.22), whatever decodes. */
static GstMessage *
take_complaint (GstBus *bus)
{
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING))) {
    GstElementFactory *factory =
        GST_IS_ELEMENT (GST_MESSAGE_SRC (message)) ? gst_element_get_factory (GST_ELEMENT (GST_MESSAGE_SRC (message))) : NULL;

    if (!factory || !g_str_equal (GST_OBJECT_NAME (factory), "capsfilter"))
      break;
    gst_message_unref (message);
  }
  return message;
}

static gboolean
player_close (Player *player)
{
  GstBus *bus = gst_element_get_bus (player->pipeline);
  GstMessage *message = take_complaint (bus);
  const gboolean clean = !message;

  if (message) {
    GError *error = NULL;
    gchar *details = NULL;

    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
      gst_message_parse_error (message, &error, &details);
    else
      gst_message_parse_warning (message, &error, &details);
    tap_note ("  %s: %s (%s)", GST_MESSAGE_SRC_NAME (message), error->message, details);
    g_error_free (error);
    g_free (details);
    gst_message_unref (message);
  }
  gst_object_unref (bus);
  player_clear (player);
  return clean;
}

/* @md5s: (nullable): what came, instead of @right */
static void
note_failure (gboolean rewound, const gchar *md5s, const gchar *right)
{
  gchar **came, **wanted;
  guint i = 0;

  if (!rewound || g_strcmp0 (md5s, right) == 0) {
    tap_note ("  %s", rewound ? "it said something" : "it does not play any more");
    return;
  }
  came = g_strsplit (md5s, "\n", -1);
  wanted = g_strsplit (right, "\n", -1);
  while (g_strcmp0 (came[i], wanted[i]) == 0)
    i++;
  tap_note ("  other pictures came: %u of %u, number %u is \"%s\", not \"%s\"", g_strv_length (came) - 1, g_strv_length (wanted) - 1, i,
      came[i], wanted[i]);
  g_strfreev (came);
  g_strfreev (wanted);
}

static void
check_schedule (guint32 seed, const gchar *path, const gchar *decoder, const gchar *right)
{
  gchar *md5s = NULL;
  Player player;
  gboolean rewound, clean;

  alarm (HANG_SECONDS);
  player_open (&player, path, seed % 2 == 0 ? "au" : "nal", decoder);
  gst_element_set_state (player.pipeline, GST_STATE_PAUSED);
  play_schedule (&player, seed);
  rewound = rewind_clip (&player);
  if (rewound)
    md5s = read_clip (&player);
  clean = player_close (&player);
  alarm (0);
  if (!tap_check (clean && g_strcmp0 (md5s, right) == 0, "seed %u", seed))
    note_failure (rewound, md5s, right);
  g_free (md5s);
}

static guint
count_lines (const gchar *text)
{
  guint n = 0;

  for (; *text; text++)
    n += *text == '\n';
  return n;
}

static void
check_schedules (const gchar *path, const gchar *decoder, guint32 first, guint count)
{
  Player player;
  gchar *right;

  player_open (&player, path, "au", decoder);
  right = read_clip (&player);
  if (tap_check (player_close (&player) && count_lines (right) == PLAYER_N_PICTURES && !strstr (right, "flagged"),
          "the clip has %u pictures", count_lines (right)))
    for (guint32 i = 0; i < count; i++)
      check_schedule (first + i, path, decoder, right);
  g_free (right);
}

int
main (int argc, char *argv[])
{
  gchar *backend = NULL, *decoder = NULL, *folder, *path;
  gint count = 30, seed = 1;
  GOptionEntry entries[] = {
    { "count", 0, 0, G_OPTION_ARG_INT, &count, "Number of schedules (default 30)", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "The first seed (default 1)", "SEED" },
    { "backend", 0, 0, G_OPTION_ARG_STRING, &backend, "opencl or c (default)", "NAME" },
    { "decoder", 0, 0, G_OPTION_ARG_STRING, &decoder, "Decode with these elements instead, one of them gpuh264dec name=decoder",
        "ELEMENTS" },
    { NULL },
  };

  decode_parse_options (entries, &argc, &argv);
  if (!decoder)
    decoder = g_strdup_printf ("gpuh264dec name=decoder backend=%s", backend ? backend : "c");
  folder = g_dir_make_tmp ("schedules-XXXXXX", NULL);
  g_assert_nonnull (folder);
  path = g_build_filename (folder, "clip.mp4", NULL);
  if (test_clip_make (path, PLAYER_CLIP, PLAYER_N_PICTURES))
    check_schedules (path, decoder, (guint32) seed, (guint) count);
  else
    tap_skip ("there is no ffmpeg with libx264 to make the clip", "schedules");
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  g_free (decoder);
  g_free (backend);

  return tap_finish ();
}
