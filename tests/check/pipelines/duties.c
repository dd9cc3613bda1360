/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What every video decoder owes its neighbours, through gpuh264dec between two test pads: events in their places, gaps, tags, streams that
 * follow each other, other sizes, depths and caps at any picture, key units asked for, latency, pools with few buffers.
 */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "accessunits.h"
#include "decoderun.h"
#include "gstdecoderow.h"
#include "tap.h"

#define FRAME_DURATION (40 * GST_MSECOND)
#define MAX_UNITS 6

/* Everything that came out, in order, a line each: pictures as "WxH FORMAT md5", with "flagged" behind it where they are */
typedef struct
{
  GstHarness *h;
  GPtrArray *seen;
  GstClockTime next;      /* time of the next unit */
  GstBufferPool *offered; /* (nullable): to upstream */
} Decoder;

static void
note_buffer (Decoder *decoder, GstPad *pad, GstBuffer *buffer)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GstSample *sample = gst_sample_new (buffer, caps, NULL, NULL);
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  gchar *md5 = decode_sample_md5 (sample);
  gint width = 0, height = 0;

  gst_structure_get (structure, "width", G_TYPE_INT, &width, "height", G_TYPE_INT, &height, NULL);
  g_ptr_array_add (decoder->seen,
      g_strdup_printf ("%dx%d %s %s%s", width, height, gst_structure_get_string (structure, "format"), md5,
          GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_CORRUPTED) ? " flagged" : ""));
  g_free (md5);
  gst_sample_unref (sample);
  gst_caps_unref (caps);
}

static void
note_event (Decoder *decoder, GstEvent *event)
{
  const gchar *id;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      gst_event_parse_stream_start (event, &id);
      g_ptr_array_add (decoder->seen, g_strdup_printf ("stream %s", id));
      break;
    case GST_EVENT_CAPS:
      break;
    default:
      g_ptr_array_add (decoder->seen, g_strdup (GST_EVENT_TYPE_NAME (event)));
  }
}

static GstPadProbeReturn
note (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    note_buffer (data, pad, GST_PAD_PROBE_INFO_BUFFER (info));
  else
    note_event (data, GST_PAD_PROBE_INFO_EVENT (info));
  return GST_PAD_PROBE_OK;
}

static void
decoder_open (Decoder *decoder)
{
  GstElement *element = gst_element_factory_make ("gpuh264dec", NULL);

  g_assert_nonnull (element);
  *decoder = (Decoder){ .seen = g_ptr_array_new_with_free_func (g_free) };
  decoder->h = gst_harness_new_with_element (element, "sink", "src");
  gst_harness_set_drop_buffers (decoder->h, TRUE);
  gst_pad_add_probe (decoder->h->sinkpad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note, decoder, NULL);
  gst_object_unref (element);
}

static void
decoder_close (Decoder *decoder)
{
  gst_harness_teardown (decoder->h);
  g_ptr_array_unref (decoder->seen);
  gst_clear_object (&decoder->offered);
}

/* (transfer full): all lines since the last call */
static gchar *
decoder_take_seen (Decoder *decoder)
{
  gchar *text;

  g_ptr_array_add (decoder->seen, NULL);
  text = g_strjoinv ("\n", (gchar **) decoder->seen->pdata);
  g_ptr_array_set_size (decoder->seen, 0);
  return text;
}

static void
decoder_begin_stream (Decoder *decoder, const gchar *id, GPtrArray *units)
{
  const AccessUnit *unit = g_ptr_array_index (units, 0);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (decoder->h, gst_event_new_stream_start (id));
  gst_harness_push_event (decoder->h, gst_event_new_caps (unit->caps));
  gst_harness_push_event (decoder->h, gst_event_new_segment (&segment));
}

static gboolean
decoder_push_unit (Decoder *decoder, const AccessUnit *unit)
{
  GstBuffer *buffer = gst_buffer_copy (unit->buffer);

  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = decoder->next;
  GST_BUFFER_DURATION (buffer) = FRAME_DURATION;
  decoder->next += FRAME_DURATION;
  return gst_harness_push (decoder->h, buffer) == GST_FLOW_OK;
}

/* Units @begin to @end - 1, under their caps */
static gboolean
decoder_push (Decoder *decoder, GPtrArray *units, guint begin, guint end)
{
  gboolean ok = TRUE;

  for (guint i = begin; i < end && ok; i++) {
    const AccessUnit *unit = g_ptr_array_index (units, i);

    gst_harness_push_event (decoder->h, gst_event_new_caps (unit->caps));
    ok = decoder_push_unit (decoder, unit);
  }
  return ok;
}

static GPtrArray *
read_units (const gchar *name, const gchar *format)
{
  gchar *source = g_strdup_printf ("filesrc location=\"" TEST_DATA "/%s\"", name);
  GPtrArray *units = access_units_read (source, format, MAX_UNITS);

  g_assert_cmpuint (units->len, >, 0);
  g_free (source);
  return units;
}

/* (transfer full): the pictures of @units, decoded alone, a line each, number @begin to @end - 1 */
static gchar *
pictures_alone (GPtrArray *units, guint begin, guint end)
{
  Decoder decoder;
  GString *text = g_string_new (NULL);
  guint n = 0;

  decoder_open (&decoder);
  decoder_begin_stream (&decoder, "alone", units);
  decoder_push (&decoder, units, 0, units->len);
  gst_harness_push_event (decoder.h, gst_event_new_eos ());
  for (guint i = 0; i < decoder.seen->len; i++) {
    const gchar *line = g_ptr_array_index (decoder.seen, i);

    if (!g_ascii_isdigit (line[0]))
      continue;
    if (n >= begin && n < end)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
    n++;
  }
  decoder_close (&decoder);
  return g_string_free (text, FALSE);
}

static gboolean
check_seen (const gchar *seen, const gchar *expected, const gchar *what)
{
  const gboolean ok = tap_check (g_str_equal (seen, expected), "%s", what);

  if (!ok)
    tap_note ("  came:\n# %s\n#   expected:\n# %s", seen, expected);
  return ok;
}

/* Only what begins with a digit */
static gchar *
only_pictures (const gchar *seen)
{
  gchar **lines = g_strsplit (seen, "\n", -1);
  GString *text = g_string_new (NULL);

  for (guint i = 0; lines[i]; i++)
    if (g_ascii_isdigit (lines[i][0]))
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", lines[i]);
  g_strfreev (lines);
  return g_string_free (text, FALSE);
}

/* Streams of every kind one behind the other, the caps alone between them, as byte stream and with codec_data */
static void
check_reconfiguration (void)
{
  static const gchar *const names[] = { "cabac_420.264", "cavlc_422_10.264", "mono.264", "cabac_rgb.264", "inter.264", "lossless_420.264",
    "cabac_444.264", "cabac_420_10_crop.264", "cavlc_420.264", "cabac_420.264" };
  static const gchar *const formats[] = { "byte-stream", "avc", "avc3" };

  for (guint skew = 0; skew < G_N_ELEMENTS (formats); skew++) {
    GString *expected = g_string_new (NULL);
    gchar *all, *seen;
    Decoder decoder;

    decoder_open (&decoder);
    for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
      GPtrArray *units = read_units (names[i], formats[(i + skew) % G_N_ELEMENTS (formats)]);
      /* the last picture of a stream need not be the last of a GOP */
      const guint n = MAX (units->len - i % 2, 1);
      gchar *pictures = pictures_alone (units, 0, n);

      if (i == 0)
        decoder_begin_stream (&decoder, "one", units);
      decoder_push (&decoder, units, 0, n);
      g_string_append_printf (expected, "%s%s", expected->len > 0 ? "\n" : "", pictures);
      g_free (pictures);
      g_ptr_array_unref (units);
    }
    gst_harness_push_event (decoder.h, gst_event_new_eos ());
    all = decoder_take_seen (&decoder);
    seen = only_pictures (all);
    check_seen (seen, expected->str, "other sizes, depths, chroma formats and caps between two pictures");
    g_free (all);
    g_free (seen);
    g_string_free (expected, TRUE);
    decoder_close (&decoder);
  }
}

/* A stream behind another, as in gapless playback: pictures of the first come before anything of the second. */
static void
check_streams_in_a_row (void)
{
  GPtrArray *first = read_units ("inter.264", "byte-stream"), *second = read_units ("cavlc_422_10.264", "avc");
  gchar *first_pictures = pictures_alone (first, 0, first->len), *second_pictures = pictures_alone (second, 0, second->len), *seen;
  gchar *expected = g_strdup_printf ("stream 1\nsegment\ntag\n%s\nstream 2\nsegment\ntag\n%s\neos", first_pictures, second_pictures);
  Decoder decoder;

  decoder_open (&decoder);
  decoder_begin_stream (&decoder, "1", first);
  decoder_push (&decoder, first, 0, first->len);
  decoder_begin_stream (&decoder, "2", second);
  decoder_push (&decoder, second, 0, second->len);
  gst_harness_push_event (decoder.h, gst_event_new_eos ());
  seen = decoder_take_seen (&decoder);
  check_seen (seen, expected, "two streams in a row");
  g_free (seen);

  /* and behind the end, as where the same decoder is used again */
  decoder_begin_stream (&decoder, "1", first);
  decoder_push (&decoder, first, 0, first->len);
  gst_harness_push_event (decoder.h, gst_event_new_eos ());
  seen = decoder_take_seen (&decoder);
  g_free (expected);
  expected = g_strdup_printf ("stream 1\nsegment\ntag\n%s\neos", first_pictures);
  check_seen (seen, expected, "a stream behind the end of another");
  g_free (seen);
  decoder_close (&decoder);

  /* one without any picture leaves nothing to the next one */
  decoder_open (&decoder);
  decoder_begin_stream (&decoder, "0", second);
  gst_harness_push_event (decoder.h, gst_event_new_tag (gst_tag_list_new (GST_TAG_TITLE, "nothing", NULL)));
  decoder_begin_stream (&decoder, "1", first);
  decoder_push (&decoder, first, 0, first->len);
  gst_harness_push_event (decoder.h, gst_event_new_eos ());
  seen = decoder_take_seen (&decoder);
  g_free (expected);
  expected = g_strdup_printf ("stream 0\nstream 1\nsegment\ntag\n%s\neos", first_pictures);
  check_seen (seen, expected, "a stream behind an empty one");
  g_free (seen);
  decoder_close (&decoder);

  g_free (expected);
  g_free (first_pictures);
  g_free (second_pictures);
  g_ptr_array_unref (first);
  g_ptr_array_unref (second);
}

/* A gap goes downstream in its place; so do tags. */
static void
check_events_between (void)
{
  GPtrArray *units = read_units ("cabac_420.264", "byte-stream");
  gchar *before = pictures_alone (units, 0, 1), *behind = pictures_alone (units, 1, units->len), *seen;
  gchar *expected = g_strdup_printf ("%s\ngap\ntag\n%s\neos", before, behind);
  Decoder decoder;

  g_assert_cmpuint (units->len, >, 1);
  decoder_open (&decoder);
  decoder_begin_stream (&decoder, "1", units);
  decoder_push (&decoder, units, 0, 1);
  gst_harness_push_event (decoder.h, gst_event_new_gap (decoder.next, FRAME_DURATION));
  gst_harness_push_event (decoder.h, gst_event_new_tag (gst_tag_list_new (GST_TAG_TITLE, "something", NULL)));
  decoder_push (&decoder, units, 1, units->len);
  gst_harness_push_event (decoder.h, gst_event_new_eos ());
  seen = decoder_take_seen (&decoder);
  tap_check (g_str_has_suffix (seen, expected), "gap and tag between two pictures");
  if (!g_str_has_suffix (seen, expected))
    tap_note ("  came:\n# %s\n#   expected:\n# %s", seen, expected);
  g_free (seen);
  g_free (expected);
  g_free (before);
  g_free (behind);
  g_ptr_array_unref (units);
  decoder_close (&decoder);
}

/* (transfer full) (nullable): what downstream has been told of the stream's @tag */
static gchar *
read_tag (Decoder *decoder, const gchar *tag)
{
  gchar *value = NULL;
  GstEvent *event;

  for (guint i = 0; !value && (event = gst_pad_get_sticky_event (decoder->h->sinkpad, GST_EVENT_TAG, i)); i++) {
    GstTagList *list;

    gst_event_parse_tag (event, &list);
    gst_tag_list_get_string (list, tag, &value);
    gst_event_unref (event);
  }
  return value;
}

/* Which codec it is, players show: of upstream, or else by the caps. */
static void
check_codec_tag (void)
{
  GPtrArray *units = read_units ("cabac_420.264", "avc");
  Decoder decoder;
  gchar *value;

  decoder_open (&decoder);
  decoder_begin_stream (&decoder, "1", units);
  decoder_push (&decoder, units, 0, units->len);
  gst_harness_push_event (decoder.h, gst_event_new_eos ());
  value = read_tag (&decoder, GST_TAG_VIDEO_CODEC);
  tap_check (value && g_str_has_prefix (value, "H.264"), "tag of the codec, where upstream says none");
  tap_note ("  %s", value);
  g_free (value);
  decoder_close (&decoder);

  decoder_open (&decoder);
  decoder_begin_stream (&decoder, "1", units);
  gst_harness_push_event (decoder.h,
      gst_event_new_tag (gst_tag_list_new (GST_TAG_VIDEO_CODEC, "from upstream", GST_TAG_BITRATE, 1000, NULL)));
  decoder_push (&decoder, units, 0, units->len);
  gst_harness_push_event (decoder.h, gst_event_new_eos ());
  value = read_tag (&decoder, GST_TAG_VIDEO_CODEC);
  tap_check (g_strcmp0 (value, "from upstream") == 0, "tag of the codec from upstream");
  g_free (value);
  decoder_close (&decoder);
  g_ptr_array_unref (units);
}

static guint
count_key_unit_requests (Decoder *decoder)
{
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_upstream_event (decoder->h))) {
    n += gst_video_event_is_force_key_unit (event);
    gst_event_unref (event);
  }
  return n;
}

/* A picture is missing: a key unit is asked for, once, and the pictures are right again from the next one on. */
static void
check_key_unit_request (void)
{
  GPtrArray *units = read_units ("inter.264", "byte-stream");
  gchar *whole = pictures_alone (units, 0, units->len), *expected = g_strdup_printf ("%s\neos", whole), *seen;
  Decoder decoder;

  decoder_open (&decoder);
  decoder_begin_stream (&decoder, "1", units);
  decoder_push (&decoder, units, 0, units->len);
  tap_check (count_key_unit_requests (&decoder) == 0, "nothing is asked for while all is well");
  /* without the second one */
  decoder_push (&decoder, units, 0, 1);
  decoder_push (&decoder, units, 2, units->len);
  decoder_push (&decoder, units, 0, units->len);
  gst_harness_push_event (decoder.h, gst_event_new_eos ());
  tap_check (count_key_unit_requests (&decoder) == 1, "a key unit is asked for behind a loss");
  seen = decoder_take_seen (&decoder);
  if (!tap_check (g_str_has_suffix (seen, expected), "right from the next key unit on"))
    tap_note ("  came:\n# %s\n#   expected at the end:\n# %s", seen, expected);
  g_free (seen);
  g_free (expected);
  g_free (whole);
  g_ptr_array_unref (units);
  decoder_close (&decoder);
}

/* What upstream says, and what the decoder adds: in a live pipeline nothing for pictures that are not reordered */
static void
check_latency (void)
{
  GPtrArray *units = read_units ("cabac_420.264", "byte-stream");
  Decoder decoder;

  decoder_open (&decoder);
  gst_harness_set_upstream_latency (decoder.h, 70 * GST_MSECOND);
  decoder_begin_stream (&decoder, "1", units);
  decoder_push (&decoder, units, 0, units->len);
  tap_check (gst_harness_query_latency (decoder.h) == 70 * GST_MSECOND, "latency of a live source, pictures in order");
  tap_note ("  %" GST_TIME_FORMAT, GST_TIME_ARGS (gst_harness_query_latency (decoder.h)));
  g_ptr_array_unref (units);
  decoder_close (&decoder);
}

/* ---- pools of downstream ---- */

static GQuark
decoder_quark (void)
{
  return g_quark_from_static_string ("duties-decoder");
}

/* A pool of two buffers, of which downstream keeps one */
static GstBufferPool *
make_pool (GstCaps *caps, guint *size)
{
  GstBufferPool *pool = gst_video_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  *size = GST_VIDEO_INFO_SIZE (&info);
  gst_buffer_pool_config_set_params (config, caps, *size, 1, 2);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  return pool;
}

static gboolean
offer_pool (GstPad *pad, GstObject *parent, GstQuery *query)
{
  Decoder *decoder = g_object_get_qdata (G_OBJECT (pad), decoder_quark ());
  GstCaps *caps;
  guint size;

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return gst_pad_query_default (pad, parent, query);
  gst_query_parse_allocation (query, &caps, NULL);
  gst_clear_object (&decoder->offered);
  decoder->offered = make_pool (caps, &size);
  gst_query_add_allocation_pool (query, decoder->offered, size, 1, 2);
  return TRUE;
}

/* Whether the planes of @buffer lie where caps alone say */
static gboolean
has_default_layout (Decoder *decoder, GstBuffer *buffer)
{
  GstCaps *caps = gst_pad_get_current_caps (decoder->h->sinkpad);
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstVideoInfo info;
  gboolean same = gst_video_info_from_caps (&info, caps) && gst_buffer_get_size (buffer) >= GST_VIDEO_INFO_SIZE (&info);

  for (guint i = 0; meta && i < meta->n_planes; i++)
    same &= meta->stride[i] == GST_VIDEO_INFO_PLANE_STRIDE (&info, i) && meta->offset[i] == GST_VIDEO_INFO_PLANE_OFFSET (&info, i);
  gst_caps_unref (caps);
  return same;
}

/* Downstream without GstVideoMeta keeps the last of its buffers; pictures come all the same, whosever memory they are in. */
static void
check_few_buffers (void)
{
  GPtrArray *units = read_units ("cabac_420_10_crop.264", "byte-stream");
  gchar *expected = pictures_alone (units, 0, units->len), *all, *seen;
  GstBuffer *kept = NULL, *buffer;
  Decoder decoder;

  decoder_open (&decoder);
  gst_harness_set_drop_buffers (decoder.h, FALSE);
  g_object_set_qdata (G_OBJECT (decoder.h->sinkpad), decoder_quark (), &decoder);
  gst_pad_set_query_function (decoder.h->sinkpad, offer_pool);
  decoder_begin_stream (&decoder, "1", units);
  for (guint i = 0; i < units->len; i++) {
    decoder_push (&decoder, units, i, i + 1);
    while ((buffer = gst_harness_try_pull (decoder.h))) {
      gst_clear_buffer (&kept);
      kept = buffer;
    }
  }
  gst_harness_push_event (decoder.h, gst_event_new_eos ());
  all = decoder_take_seen (&decoder);
  seen = only_pictures (all);
  check_seen (seen, expected, "downstream with two buffers, one of which it keeps");
  tap_check (kept && has_default_layout (&decoder, kept), "GStreamer's strides where downstream does not know GstVideoMeta");
  gst_clear_buffer (&kept);
  g_free (all);
  g_free (seen);
  g_free (expected);
  g_ptr_array_unref (units);
  decoder_close (&decoder);
}

/* FLUSH_START comes to the pads behind the one that asks for allocation before they have answered. */
static GstPadProbeReturn
flush_query (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Decoder *decoder = data;

  if (GST_QUERY_TYPE (GST_PAD_PROBE_INFO_QUERY (info)) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_harness_push_event (decoder->h, gst_event_new_flush_start ());
  return GST_PAD_PROBE_REMOVE;
}

/* Whatever a stage found out about its neighbour amid a flush is asked again behind it: pictures that others refer to are as good as
 * ever. */
static void
check_flush_while_asking (const gchar *stage)
{
  GPtrArray *units = read_units ("inter.264", "byte-stream");
  gchar *expected = pictures_alone (units, 0, units->len), *seen, *all, *what = g_strconcat ("a flush while ", stage, " asks", NULL);
  GstElement *element;
  Decoder decoder;
  GstSegment segment;
  GstPad *pad;

  decoder_open (&decoder);
  element = gst_decode_row_find (GST_BIN (decoder.h->element), stage);
  pad = gst_element_get_static_pad (element, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM | GST_PAD_PROBE_TYPE_PUSH, flush_query, &decoder, NULL);
  decoder_begin_stream (&decoder, "1", units);
  if (!tap_check (!decoder_push (&decoder, units, 0, units->len), "%s: no picture is taken", what))
    tap_note ("  it is not asked");
  gst_harness_push_event (decoder.h, gst_event_new_flush_stop (TRUE));
  g_free (decoder_take_seen (&decoder));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (decoder.h, gst_event_new_segment (&segment));
  decoder_push (&decoder, units, 0, units->len);
  gst_harness_push_event (decoder.h, gst_event_new_eos ());
  all = decoder_take_seen (&decoder);
  seen = only_pictures (all);
  check_seen (seen, expected, what);
  g_free (all);
  g_free (seen);
  g_free (expected);
  g_free (what);
  gst_object_unref (pad);
  gst_object_unref (element);
  g_ptr_array_unref (units);
  decoder_close (&decoder);
}

int
main (int argc, char *argv[])
{
  const gchar *stage;

  gst_init (&argc, &argv);
  check_reconfiguration ();
  check_streams_in_a_row ();
  check_events_between ();
  check_codec_tag ();
  check_key_unit_request ();
  check_latency ();
  check_few_buffers ();
  check_flush_while_asking ("h264entropy");
  for (guint i = 0; (stage = gst_decode_row_get_stage (i)); i++)
    check_flush_while_asking (stage);
  return tap_finish ();
}
