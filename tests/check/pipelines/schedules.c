/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random schedules: while a clip plays, threads of an application change the state, seek with all kinds of flags and rates, read and write
 * properties, and send events and queries, all at the same time and at times of their own.  The decoder says nothing of it, and afterwards
 * plays the clip from its beginning as ever.
 *
 *   schedules [--count=N] [--seed=FIRST] [--backend=opencl|c] [--decoder=ELEMENTS]
 *
 * What each thread does comes from the seed; how they meet, from the machine.  scripts/threads runs it under the thread sanitizer.
 */
#include <glib/gstdio.h>
#include <gst/app/app.h>
#include <gst/video/video.h>
#include <unistd.h>

#include "decoderun.h"
#include "tap.h"
#include "testclip.h"

#define N_PICTURES 24
#define N_STEPS 5
#define MAX_PAUSE_US 3000
#define WAIT (60 * GST_SECOND)
#define MAX_TRIES 500
/* A state change that never returns cannot be waited for any longer: SIGALRM ends the program. */
#define HANG_SECONDS 240
#define CLIP "keyint=12:min-keyint=12:bframes=2:open-gop=1:slices=2"

typedef struct
{
  GstElement *pipeline;
  GstElement *decoder;
  GstAppSink *sink;
  gint done;
} Player;

/* What one thread of a schedule does, N_STEPS times */
typedef struct
{
  Player *player;
  void (*step) (Player *, GRand *);
  GRand *random;
} Actor;

static guint
choose (GRand *random, guint n)
{
  return (guint) g_rand_int_range (random, 0, (gint32) n);
}

static void
change_state (Player *player, GRand *random)
{
  static const GstState states[] = { GST_STATE_PLAYING, GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_PAUSED, GST_STATE_READY,
    GST_STATE_NULL };

  gst_element_set_state (player->pipeline, states[choose (random, G_N_ELEMENTS (states))]);
}

/* Refused where nothing plays.  Always flushing: others wait for the demuxer, with the lock of the state changes held, and in a pipeline
 * that is paused for ever.  Not TRICKMODE_FORWARD_PREDICTED: behind such a segment h264parse of 1.22 never passes on B pictures again. */
static void
seek (Player *player, GRand *random)
{
  static const GstSeekFlags flags[] = { GST_SEEK_FLAG_ACCURATE, GST_SEEK_FLAG_KEY_UNIT, GST_SEEK_FLAG_NONE, GST_SEEK_FLAG_TRICKMODE,
    GST_SEEK_FLAG_TRICKMODE_KEY_UNITS };
  static const gdouble rates[] = { 1.0, 1.0, -1.0, 2.0, -4.0, 0.5 };
  const gdouble rate = rates[choose (random, G_N_ELEMENTS (rates))];
  const gint64 at = (gint64) choose (random, N_PICTURES * TEST_CLIP_FRAME_MS) * GST_MSECOND;
  const GstSeekFlags flag = flags[choose (random, G_N_ELEMENTS (flags))] | GST_SEEK_FLAG_FLUSH;

  (void) gst_element_seek (player->pipeline, rate, GST_FORMAT_TIME, flag, GST_SEEK_TYPE_SET, rate < 0 ? 0 : at, GST_SEEK_TYPE_SET,
      rate < 0 ? at : -1);
}

static void
read_properties (GObject *object)
{
  guint n;
  GParamSpec **specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);

  for (guint i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    if (!(specs[i]->flags & G_PARAM_READABLE))
      continue;
    g_value_init (&value, specs[i]->value_type);
    g_object_get_property (object, specs[i]->name, &value);
    g_value_unset (&value);
  }
  g_free (specs);
}

/* Those that the right pictures of a sound stream do not depend on */
static void
write_properties (Player *player, GRand *random)
{
  static const gchar *const switches[] = { "output-corrupt", "discard-corrupted-frames", "qos", "automatic-request-sync-points" };

  g_object_set (player->decoder, switches[choose (random, G_N_ELEMENTS (switches))], choose (random, 2), NULL);
  g_object_set (player->decoder, "n-threads", choose (random, 5), "max-errors", (gint) choose (random, 5) - 1, "reverse-memory",
      choose (random, 2) * 64, "min-force-key-unit-interval", (guint64) choose (random, 100) * GST_MSECOND, "device-name",
      choose (random, 2) ? NULL : "", NULL);
  gst_util_set_object_arg (G_OBJECT (player->decoder), "output-delay", choose (random, 2) ? "auto" : "conforming");
}

/* Of the bin, and of all elements in it */
static void
use_properties (Player *player, GRand *random)
{
  GstIterator *elements = gst_bin_iterate_recurse (GST_BIN (player->decoder));
  GValue item = G_VALUE_INIT;

  write_properties (player, random);
  read_properties (G_OBJECT (player->decoder));
  while (gst_iterator_next (elements, &item) == GST_ITERATOR_OK) {
    read_properties (g_value_get_object (&item));
    g_value_reset (&item);
  }
  g_value_unset (&item);
  gst_iterator_free (elements);
}

static void
send_up (Player *player, GstEvent *event)
{
  GstPad *pad = gst_element_get_static_pad (GST_ELEMENT (player->sink), "sink");

  (void) gst_pad_push_event (pad, event);
  gst_object_unref (pad);
}

static void
query (Player *player, GstQuery *of)
{
  (void) gst_element_query (player->pipeline, of);
  gst_query_unref (of);
}

static void
query_caps (Player *player, const gchar *name)
{
  GstPad *pad = gst_element_get_static_pad (player->decoder, name);
  GstCaps *caps = gst_pad_query_caps (pad, NULL);

  gst_caps_unref (caps);
  gst_object_unref (pad);
}

static void
send (Player *player, GRand *random)
{
  const GstClockTime time = (GstClockTime) choose (random, 1000) * GST_MSECOND;

  switch (choose (random, 7)) {
    case 0:
      send_up (player, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 1.5, (GstClockTimeDiff) choose (random, 100) * GST_MSECOND, time));
      break;
    case 1:
      send_up (player, gst_video_event_new_upstream_force_key_unit (time, TRUE, 1));
      break;
    case 2:
      send_up (player, gst_event_new_reconfigure ());
      break;
    case 3:
      query (player, gst_query_new_latency ());
      break;
    case 4:
      query (player, gst_query_new_position (GST_FORMAT_TIME));
      break;
    case 5:
      query_caps (player, "sink");
      break;
    default:
      query_caps (player, "src");
      break;
  }
}

/* The application takes pictures, until the others are done. */
static gpointer
take_pictures (gpointer data)
{
  Player *player = data;

  while (!g_atomic_int_get (&player->done)) {
    GstSample *sample = gst_app_sink_try_pull_sample (player->sink, GST_MSECOND);
    gchar *md5 = sample ? decode_sample_md5 (sample) : NULL;

    g_free (md5);
    g_clear_pointer (&sample, gst_sample_unref);
    if (!sample)
      g_usleep (100);
  }
  return NULL;
}

static gpointer
act (gpointer data)
{
  Actor *actor = data;

  for (guint i = 0; i < N_STEPS; i++) {
    actor->step (actor->player, actor->random);
    g_usleep (choose (actor->random, MAX_PAUSE_US));
  }
  return NULL;
}

static void
play_schedule (Player *player, guint32 seed)
{
  static void (*const steps[]) (Player *, GRand *) = { change_state, seek, use_properties, send };
  Actor actors[G_N_ELEMENTS (steps)];
  GThread *threads[G_N_ELEMENTS (steps)], *taker;

  g_atomic_int_set (&player->done, FALSE);
  taker = g_thread_new ("take", take_pictures, player);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    actors[i] = (Actor){ player, steps[i], g_rand_new_with_seed (seed * G_N_ELEMENTS (steps) + i) };
    threads[i] = g_thread_new ("act", act, &actors[i]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_thread_join (threads[i]);
    g_rand_free (actors[i].random);
  }
  g_atomic_int_set (&player->done, TRUE);
  g_thread_join (taker);
}

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
  return seek_to_begin (player) && gst_element_get_state (player->pipeline, NULL, NULL, WAIT) == GST_STATE_CHANGE_SUCCESS;
}

/* (transfer full): md5s of all pictures from here to the end, a line each */
static gchar *
read_clip (Player *player)
{
  GString *md5s = g_string_new (NULL);
  GstSample *sample;

  gst_element_set_state (player->pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_try_pull_sample (player->sink, WAIT))) {
    gchar *md5 = decode_sample_md5 (sample);

    g_string_append_printf (md5s, "%u ms %s%s\n", test_clip_time (sample), md5, test_clip_is_corrupted (sample) ? ", flagged" : "");
    g_free (md5);
    gst_sample_unref (sample);
  }
  return g_string_free (md5s, FALSE);
}

/* Whenever the demuxer starts; gst_parse_launch() links it once. */
static void
link_demuxer (GstElement *demuxer, GstPad *pad, gpointer parser)
{
  GstPad *sink = gst_element_get_static_pad (parser, "sink");

  (void) gst_pad_link (pad, sink);
  gst_object_unref (sink);
}

static void
player_open (Player *player, const gchar *path, const gchar *alignment, const gchar *decoder)
{
  gchar *source =
      g_strdup_printf ("filesrc location=\"%s\" ! qtdemux name=demuxer h264parse name=parser ! video/x-h264,alignment=%s ! queue", path,
          alignment);
  gchar *queued = g_strconcat (decoder, " ! queue", NULL);
  GstElement *demuxer, *parser;

  *player = (Player){ .pipeline = decode_pipeline_new (source, queued, "video/x-raw") };
  demuxer = gst_bin_get_by_name (GST_BIN (player->pipeline), "demuxer");
  parser = gst_bin_get_by_name (GST_BIN (player->pipeline), "parser");
  g_signal_connect_object (demuxer, "pad-added", G_CALLBACK (link_demuxer), parser, 0);
  gst_object_unref (demuxer);
  gst_object_unref (parser);
  player->decoder = gst_bin_get_by_name (GST_BIN (player->pipeline), "decoder");
  player->sink = GST_APP_SINK (gst_bin_get_by_name (GST_BIN (player->pipeline), "sink"));
  g_free (queued);
  g_free (source);
}

static gboolean
player_close (Player *player)
{
  GstBus *bus = gst_element_get_bus (player->pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
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
  gst_element_set_state (player->pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (player->sink);
  gst_object_unref (player->decoder);
  gst_object_unref (player->pipeline);
  return clean;
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
    tap_note ("  %s", !rewound ? "it does not play any more" : g_strcmp0 (md5s, right) == 0 ? "it said something" : "other pictures came");
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
  if (tap_check (player_close (&player) && count_lines (right) == N_PICTURES && !strstr (right, "flagged"), "the clip has %u pictures",
          count_lines (right)))
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
  if (test_clip_make (path, CLIP, N_PICTURES))
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
