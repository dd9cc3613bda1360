/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gpuh264dec as applications come to it: playbin and decodebin take it where its rank, or the absence of others, says so; its properties
 * are those of the row.
 */
#include <gst/gst.h>

#include "gstdecoderow.h"
#include "tap.h"

#define CLIP "file://" TEST_DATA "/clip.mp4"

static void
set_rank (const gchar *name, guint rank)
{
  GstPluginFeature *feature = gst_registry_lookup_feature (gst_registry_get (), name);

  if (feature) {
    gst_plugin_feature_set_rank (feature, rank);
    gst_object_unref (feature);
  }
}

static gboolean
has_element (GstElement *pipeline, const gchar *factory)
{
  GstElement *element = gst_decode_row_find (GST_BIN (pipeline), factory);

  if (!element)
    return FALSE;
  gst_object_unref (element);
  return TRUE;
}

/* Whether the pipeline decodes: whether anything in it is a decoder */
static gboolean
has_decoder (GstElement *pipeline)
{
  GstIterator *elements = gst_bin_iterate_recurse (GST_BIN (pipeline));
  GValue item = G_VALUE_INIT;
  gboolean found = FALSE;

  while (!found && gst_iterator_next (elements, &item) == GST_ITERATOR_OK) {
    GstElementFactory *factory = gst_element_get_factory (g_value_get_object (&item));

    found = factory && gst_element_factory_list_is_type (factory, GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO);
    g_value_reset (&item);
  }
  g_value_unset (&item);
  gst_iterator_free (elements);
  return found;
}

/* What the pipeline's message says: (transfer full) (nullable): %NULL: it came to its end */
static gchar *
read_message (GstMessage *message)
{
  GError *error = NULL;
  gchar *wrong;

  if (!message)
    return g_strdup ("neither end nor error");
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    return NULL;
  gst_message_parse_error (message, &error, NULL);
  wrong = g_strdup (error->message);
  g_clear_error (&error);
  return wrong;
}

/* Once to its end: %NULL, or what went wrong (transfer full).
 * @chosen: whether gpuh264dec was in the pipeline then.  @began: whether any decoder was */
static gchar *
play_once (const gchar *description, gboolean *chosen, gboolean *began)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);
  GstMessage *message;
  gchar *wrong;
  GstBus *bus;

  *chosen = *began = FALSE;
  if (error) {
    wrong = g_strdup (error->message);
    g_clear_error (&error);
    gst_clear_object (&pipeline);
    return wrong;
  }
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  bus = gst_element_get_bus (pipeline);
  message = gst_bus_timed_pop_filtered (bus, 10 * GST_SECOND, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  *began = has_decoder (pipeline);
  if (!message && *began)
    message = gst_bus_timed_pop_filtered (bus, 110 * GST_SECOND, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  wrong = read_message (message);
  *chosen = has_element (pipeline, "gpuh264dec");
  gst_clear_message (&message);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return wrong;
}

/* decodebin3 of GStreamer 1.22 now and then stands still before it has looked for a decoder (one time in some hundred, with avdec_h264 as
 * the only one too): that says nothing of ours, and is tried again. */
static gchar *
play (const gchar *description, gboolean *chosen)
{
  gboolean began;
  gchar *wrong;

  for (guint i = 0; i < 5; i++) {
    wrong = play_once (description, chosen, &began);
    if (!wrong || began)
      break;
    tap_note ("%s: %s, no decoder", description, wrong);
    if (i < 4)
      g_free (wrong);
  }
  return wrong;
}

static const gchar *const players[] = {
  "playbin uri=" CLIP " video-sink=fakesink audio-sink=fakesink",
  "playbin3 uri=" CLIP " video-sink=fakesink audio-sink=fakesink",
  "uridecodebin uri=" CLIP " ! videoconvert ! fakesink",
  "uridecodebin3 uri=" CLIP " ! videoconvert ! fakesink",
  "filesrc location=" TEST_DATA "/clip.mp4 ! decodebin3 ! videoconvert ! fakesink",
};

static void
check_players (const gchar *when, gboolean expected)
{
  for (guint i = 0; i < G_N_ELEMENTS (players); i++) {
    gboolean chosen;
    gchar *wrong = play (players[i], &chosen);

    if (!tap_check (!wrong && chosen == expected, "%s: %s", when, players[i]))
      tap_note ("  %s, %s", wrong ? wrong : "played", chosen ? "with gpuh264dec" : "without gpuh264dec");
    g_free (wrong);
  }
}

/* Where others decode it, on processors that those are made for, it comes after them. */
static void
check_ranks (void)
{
  static const gchar *const others[] = { "avdec_h264", "openh264dec", "vah264dec", "vaapih264dec", "v4l2slh264dec", "nvh264dec" };
  GstElementFactory *libav = gst_element_factory_find ("avdec_h264");

  if (libav)
    check_players ("by the ranks that there are", FALSE);
  else
    tap_skip ("there is no avdec_h264", "by the ranks that there are");
  gst_clear_object (&libav);
  set_rank ("gpuh264dec", GST_RANK_PRIMARY + 100);
  check_players ("by a higher rank", TRUE);
  set_rank ("gpuh264dec", GST_RANK_MARGINAL);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    set_rank (others[i], GST_RANK_NONE);
  check_players ("alone", TRUE);
}

/* What it would refuse in the middle, it does not take: profile and size tell.  All levels are decoded. */
static void
check_accept_caps (void)
{
  static const struct
  {
    const gchar *caps;
    gboolean expected;
  } cases[] = {
    { "video/x-h264, stream-format=avc, alignment=au, profile=high, level=(string)4, width=64, height=64", TRUE },
    { "video/x-h264, stream-format=byte-stream, alignment=nal, profile=high-4:2:2-intra", TRUE },
    { "video/x-h264, stream-format=avc3, alignment=au, profile=cavlc-4:4:4-intra", TRUE },
    { "video/x-h264, stream-format=avc, alignment=au, profile=extended", FALSE },
    { "video/x-h264, stream-format=avc, alignment=au, profile=high, level=(string)6.2, width=8192, height=4352", TRUE },
    { "video/x-h264, stream-format=avc, alignment=au, profile=high, level=(string)6.2, width=8192, height=4353", FALSE },
    { "video/x-h264, stream-format=avc, alignment=au, profile=high, level=(string)6.2, width=16880, height=64", TRUE },
    { "video/x-h264, stream-format=avc, alignment=au, profile=high, level=(string)6.2, width=16881, height=64", FALSE },
    { "video/x-h264, stream-format=avc, alignment=au, profile=high, level=(string)6.2, width=64, height=16881", FALSE },
    { "video/x-h265, stream-format=hvc1, alignment=au", FALSE },
  };
  GstElement *element = gst_element_factory_make ("gpuh264dec", NULL);
  GstPad *pad = gst_element_get_static_pad (element, "sink");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstCaps *caps = gst_caps_from_string (cases[i].caps);

    tap_check (gst_pad_query_accept_caps (pad, caps) == cases[i].expected, "ACCEPT_CAPS: %s", cases[i].caps);
    gst_caps_unref (caps);
  }
  gst_object_unref (pad);
  gst_object_unref (element);
}

/* Every property of the entropy stage is one of the decoder, with the same default, and what is set there is set here. */
static void
check_same_properties (GstElement *decoder, GstElement *entropy)
{
  guint n, n_same = 0;
  GParamSpec **specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (entropy), &n);
  gboolean qos = TRUE, all = TRUE;

  for (guint i = 0; i < n; i++) {
    GParamSpec *own = g_object_class_find_property (G_OBJECT_GET_CLASS (decoder), specs[i]->name);

    if (specs[i]->owner_type != G_OBJECT_TYPE (entropy))
      continue;
    all &= own && own->flags == specs[i]->flags
        && g_param_values_cmp (own, g_param_spec_get_default_value (own), g_param_spec_get_default_value (specs[i])) == 0;
    n_same++;
  }
  g_free (specs);
  g_object_set (decoder, "qos", FALSE, NULL);
  g_object_get (entropy, "qos", &qos, NULL);
  tap_check (all && n_same == 12 && !qos, "the %u properties of the entropy stage", n_same);
}

/* measure-time reaches every stage, and stats tell of every stage. */
static void
check_stats (GstElement *decoder, GstElement *entropy, GstElement *last)
{
  gboolean in_first = FALSE, in_last = FALSE;
  GstStructure *stats, *of_stage = NULL;
  guint64 launches = G_MAXUINT64, slices = G_MAXUINT64;

  g_object_set (decoder, "measure-time", TRUE, NULL);
  g_object_get (entropy, "measure-time", &in_first, NULL);
  g_object_get (last, "measure-time", &in_last, NULL);
  tap_check (in_first && in_last, "measure-time is that of every stage");
  g_object_get (decoder, "stats", &stats, NULL);
  if (gst_structure_get (stats, "h264entropy", GST_TYPE_STRUCTURE, &of_stage, NULL))
    gst_structure_get_uint64 (of_stage, "slices", &slices);
  g_clear_pointer (&of_stage, gst_structure_free);
  if (gst_structure_get (stats, "gpudeblock", GST_TYPE_STRUCTURE, &of_stage, NULL))
    gst_structure_get_uint64 (of_stage, "launches", &launches);
  g_clear_pointer (&of_stage, gst_structure_free);
  tap_check (slices == 0 && launches == 0, "stats of every stage");
  gst_structure_free (stats);
}

static void
check_properties (void)
{
  GstElement *element = gst_element_factory_make ("gpuh264dec", NULL);
  GstElement *entropy = gst_decode_row_find (GST_BIN (element), "h264entropy"),
             *last = gst_decode_row_find (GST_BIN (element), "gpudeblock");
  gboolean strict = FALSE, output_corrupt = FALSE;
  gint backend = 0, platform = 0, own = 0;
  guint n_threads = 0, reverse_memory = 0;

  gst_util_set_object_arg (G_OBJECT (element), "backend", "c");
  g_object_set (element, "n-threads", 3, "strict", TRUE, "output-corrupt", TRUE, "reverse-memory", 64, "platform", 2, NULL);
  g_object_get (entropy, "n-threads", &n_threads, "strict", &strict, "output-corrupt", &output_corrupt, "reverse-memory", &reverse_memory,
      NULL);
  g_object_get (last, "backend", &backend, "platform", &platform, NULL);
  g_object_get (element, "platform", &own, NULL);
  tap_check (n_threads == 3 && strict && output_corrupt && reverse_memory == 64, "properties of the entropy stage");
  tap_check (backend == 1 && platform == 2 && own == 2, "properties of the other stages");
  check_same_properties (element, entropy);
  check_stats (element, entropy, last);
  gst_object_unref (entropy);
  gst_object_unref (last);
  gst_object_unref (element);
}

int
main (int argc, char *argv[])
{
  gst_init (&argc, &argv);
  check_properties ();
  check_accept_caps ();
  check_ranks ();
  return tap_finish ();
}
