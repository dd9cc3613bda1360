/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oddcase.h"

#include <gst/check/gstcheck.h>
#include <gst/video/video.h>
#include <string.h>

#include "handmade.h"
#include "h264nal.h"

#define MS GST_MSECOND

static GstCaps *
make_caps (const OddStream *s, OddWays way)
{
  GstCaps *caps = gst_caps_new_simple ("video/x-h264", "stream-format", G_TYPE_STRING, s->caps_format, "alignment", G_TYPE_STRING,
      way == ODD_NAL ? "nal" : "au", NULL);

  if (s->codec_data) {
    GstBuffer *codec_data = gst_buffer_new_memdup (s->codec_data->data, s->codec_data->len);

    gst_caps_set_simple (caps, "codec_data", GST_TYPE_BUFFER, codec_data, NULL);
    gst_buffer_unref (codec_data);
  }
  return caps;
}

static void
open_way (Handmade *t, const OddStream *s, OddWays way)
{
  GstElement *element = way == ODD_PARSED ? gst_parse_bin_from_description ("h264parse ! h264entropy n-threads=2", TRUE, NULL)
                                          : gst_element_factory_make ("h264entropy", NULL);
  GstCaps *caps = make_caps (s, way);

  if (way != ODD_PARSED)
    g_object_set (element, "n-threads", way == ODD_LIVE ? 1 : 2, NULL);
  handmade_open_element (t, element, way == ODD_LIVE);
  gst_harness_set_src_caps (t->h, caps);
}

/* Each NAL unit in a buffer of its own */
static void
push_units (Handmade *t, const OddStream *s, GstBuffer *buffer)
{
  H264NalReader reader;
  const gchar *error = NULL;
  GstMapInfo map;
  H264Nal nal;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  h264_nal_reader_init (&reader, map.data, map.size, s->length_size);
  for (gsize pos = 0; h264_nal_reader_next (&reader, &nal, &error) != H264_NAL_END; pos = reader.pos) {
    GstBuffer *unit = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_MEMORY | GST_BUFFER_COPY_TIMESTAMPS, pos, reader.pos - pos);

    GST_BUFFER_PTS (unit) = GST_BUFFER_PTS (buffer);
    handmade_push (t, unit);
  }
  gst_buffer_unmap (buffer, &map);
}

static void
push_events (Handmade *t)
{
  gst_harness_push_event (t->h, gst_event_new_tag (gst_tag_list_new (GST_TAG_BITRATE, 1000, NULL)));
  gst_harness_push_event (t->h, gst_event_new_gap (0, 0));
  /* h264parse answers so, before the slice that it has come to */
  gst_harness_push_event (t->h,
      gst_video_event_new_downstream_force_key_unit (GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, TRUE, 1));
}

static gchar *
describe_output (const Handmade *t)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < t->output->len; i++) {
    const GstClockTime pts = handmade_output (t, i)->pts;

    if (GST_CLOCK_TIME_IS_VALID (pts))
      g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, i > 0 ? " " : "", pts / MS);
    else
      g_string_append (text, i > 0 ? " -" : "-");
    if (handmade_is_corrupted (t, i))
      g_string_append_c (text, '!');
  }
  return g_string_free (text, FALSE);
}

static void
check_messages (Handmade *t, const OddCase *c, const gchar *way)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (t->bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR))) {
    GError *error = NULL;

    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
      gst_message_parse_error (message, &error, NULL);
    else
      gst_message_parse_warning (message, &error, NULL);
    fail_unless (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING && c->says && strstr (error->message, c->says), "%s, %s: it says \"%s\"",
        c->name, way, error->message);
    n++;
    g_error_free (error);
    gst_message_unref (message);
  }
  fail_unless (!c->says || n > 0, "%s, %s: it says nothing", c->name, way);
}

static void
check_way (const OddCase *c, OddWays way, const gchar *way_name)
{
  OddStream s;
  Handmade t;
  gchar *output;

  odd_stream_init (&s);
  c->make (&s);
  open_way (&t, &s, way);
  for (guint i = 0; i < s.buffers->len; i++) {
    GstBuffer *buffer = g_ptr_array_index (s.buffers, i);

    if (!buffer)
      push_events (&t);
    else if (way == ODD_NAL)
      push_units (&t, &s, buffer);
    else
      fail_unless (gst_harness_push (t.h, gst_buffer_ref (buffer)) == GST_FLOW_OK, "%s, %s: not taken", c->name, way_name);
    handmade_take (&t);
  }
  handmade_finish (&t);
  output = describe_output (&t);
  fail_unless (g_str_equal (output, c->expected), "%s, %s: %s, expected %s", c->name, way_name, output, c->expected);
  check_messages (&t, c, way_name);
  g_free (output);
  handmade_close (&t);
  odd_stream_clear (&s);
}

void
odd_case_check (const OddCase *c)
{
  static const gchar *const names[] = { "a buffer an access unit", "live", "a buffer a NAL unit", "behind h264parse" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!(c->without & 1 << i))
      check_way (c, 1 << i, names[i]);
}
