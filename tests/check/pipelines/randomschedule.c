/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/video/video.h>

#include "decoderun.h"
#include "randomschedule.h"
#include "testclip.h"

#define N_STEPS 5
#define MAX_PAUSE_US 3000

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
  const gint64 at = (gint64) choose (random, PLAYER_N_PICTURES * TEST_CLIP_FRAME_MS) * GST_MSECOND;
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

void
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

/* Whenever the demuxer starts; gst_parse_launch() links it once. */
static void
link_demuxer (GstElement *demuxer, GstPad *pad, gpointer parser)
{
  GstPad *sink = gst_element_get_static_pad (parser, "sink");

  (void) gst_pad_link (pad, sink);
  gst_object_unref (sink);
}

void
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

void
player_clear (Player *player)
{
  gst_element_set_state (player->pipeline, GST_STATE_NULL);
  gst_object_unref (player->sink);
  gst_object_unref (player->decoder);
  gst_object_unref (player->pipeline);
}
