/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Short clips one behind the other, as a playlist without gaps: all pictures come, on one context, whose programs are loaded once.
 */
#include <string.h>
#include <gst/gst.h>

#include "tap.h"

#define CLIP TEST_DATA "/clip.mp4"
#define N_CLIPS 20

#define TIMEOUT (120 * GST_SECOND)

/* What the log says: contexts opened, and programs loaded that were loaded before; atomic */
static gint n_contexts, n_programs_again;

/* Those loaded so far, by name and options */
static GMutex programs_lock;
static GHashTable *programs;

static void
note_program (gchar *name)
{
  g_mutex_lock (&programs_lock);
  if (!g_hash_table_add (programs, name))
    g_atomic_int_inc (&n_programs_again);
  g_mutex_unlock (&programs_lock);
}

static void
read_log (GstDebugCategory *category, GstDebugLevel level, const gchar *file, const gchar *function, gint line, GObject *object,
    GstDebugMessage *message, gpointer user_data)
{
  const gchar *name = gst_debug_category_get_name (category), *text = gst_debug_message_get (message);

  if (level != GST_LEVEL_INFO)
    return;
  if (g_str_equal (name, "clcontext") && g_str_has_prefix (text, "opened "))
    g_atomic_int_inc (&n_contexts);
  if (g_str_equal (name, "clprogram") && strstr (text, "\" from "))
    note_program (g_strndup (text, (gsize) (strstr (text, "\" from ") - text)));
}

static void
begin_count (void)
{
  g_atomic_int_set (&n_contexts, 0);
  g_atomic_int_set (&n_programs_again, 0);
  g_hash_table_remove_all (programs);
}

static void
count_picture (GstElement *sink, GstBuffer *buffer, GstPad *pad, gint *n_pictures)
{
  g_atomic_int_inc (n_pictures);
}

/* Plays to the end; the number of pictures, or -1 */
static gint
play (GstElement *pipeline, GstElement *sink)
{
  gint n_pictures = 0;
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  gboolean ended;

  g_object_set (sink, "signal-handoffs", TRUE, "sync", FALSE, NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (count_picture), &n_pictures);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, TIMEOUT, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  ended = message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
  if (message)
    gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  return ended ? n_pictures : -1;
}

static gint
play_concat (guint n_clips)
{
  GString *description = g_string_new ("concat name=clips ! gpuh264dec backend=opencl ! fakesink name=sink");
  GstElement *pipeline, *sink;
  GError *error = NULL;

  for (guint i = 0; i < n_clips; i++)
    g_string_append (description, " filesrc location=\"" CLIP "\" ! qtdemux ! h264parse ! queue ! clips.");
  pipeline = gst_parse_launch (description->str, &error);
  if (error)
    g_error ("%s: %s", description->str, error->message);
  g_string_free (description, TRUE);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_object_unref (sink);
  return play (pipeline, sink);
}

static void
set_next (GstElement *playbin, guint *n_left)
{
  if (*n_left == 0)
    return;
  (*n_left)--;
  g_object_set (playbin, "uri", "file://" CLIP, NULL);
}

static gint
play_playlist (guint n_clips)
{
  GstElement *playbin = gst_element_factory_make ("playbin3", NULL), *sink = gst_element_factory_make ("fakesink", NULL);
  guint n_left = n_clips - 1;

  g_object_set (playbin, "uri", "file://" CLIP, "video-sink", sink, "audio-sink", gst_element_factory_make ("fakesink", NULL), NULL);
  g_signal_connect (playbin, "about-to-finish", G_CALLBACK (set_next), &n_left);
  return play (playbin, sink);
}

static void
check (const gchar *name, gint n_pictures, gint n_expected)
{
  tap_check (n_expected > 0 && n_pictures == n_expected, "%s: %d pictures, of %d", name, n_pictures, n_expected);
  tap_check (n_contexts == 1, "%s: %d context(s)", name, n_contexts);
  tap_check (g_hash_table_size (programs) > 0 && n_programs_again == 0, "%s: %u programs, %d loaded again", name,
      g_hash_table_size (programs), n_programs_again);
}

/* Of each clip alone there are as many pictures. */
int
main (int argc, char *argv[])
{
  GstPluginFeature *feature;
  gint n_pictures;

  gst_init (&argc, &argv);
  programs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  /* the default one; not the macros of these names, which compare a function with a pointer */
  (gst_debug_remove_log_function) (NULL);
  (gst_debug_add_log_function) (read_log, NULL, NULL);
  gst_debug_set_active (TRUE);
  gst_debug_set_threshold_from_string ("clcontext:4,clprogram:4", FALSE);
  feature = gst_registry_lookup_feature (gst_registry_get (), "gpuh264dec");
  g_assert (feature);
  gst_plugin_feature_set_rank (feature, GST_RANK_PRIMARY + 100);
  gst_object_unref (feature);

  begin_count ();
  n_pictures = play_concat (1);
  check ("a clip", n_pictures, n_pictures);
  begin_count ();
  check ("concat", play_concat (N_CLIPS), N_CLIPS * n_pictures);
  begin_count ();
  check ("playbin3", play_playlist (N_CLIPS), N_CLIPS * n_pictures);
  g_hash_table_unref (programs);
  gst_deinit ();
  return tap_finish ();
}
