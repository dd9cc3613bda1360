/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reverse playback and trick modes through h264entropy: the order, times and flags of frames where the segment is played backwards, and
 * which pictures its flags leave out.
 */
#include <gst/check/gstcheck.h>

#include "handmade.h"

#define TICK (40 * GST_MSECOND)

static const HandmadeSps sps_values = { .reorder = 2, .fps = 25 };

/* I P B B, as x264 orders them: times 0 3 1 2 ticks behind the first */
static const HandmadePicture closed_gop[] = {
  { .type = 'D' },
  { .type = 'P', .frame_num = 1, .poc = 6 },
  { .type = 'B', .frame_num = 2, .poc = 2, .no_reference = TRUE },
  { .type = 'B', .frame_num = 2, .poc = 4, .no_reference = TRUE },
};

static void
begin_segment (Handmade *t, gdouble rate, GstSegmentFlags flags, GstClockTime stop)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.rate = rate;
  segment.flags = flags;
  segment.stop = stop;
  segment.position = rate < 0.0 ? stop : 0;
  fail_unless (gst_harness_push_event (t->h, gst_event_new_segment (&segment)));
}

static void
open_reverse (Handmade *t, GstSegmentFlags flags)
{
  handmade_open (t, 2, FALSE);
  handmade_push_sps (t, &sps_values);
  begin_segment (t, -1.0, flags, 100 * TICK);
}

/* @picture as a demuxer gives it, at its time: that of its GOP, which begins at tick @base, and its own in it */
static GstBuffer *
make_buffer (const HandmadePicture *picture, guint base, gboolean discont)
{
  GstBuffer *buffer = handmade_picture (picture, (base + picture->poc / 2) * TICK);

  GST_BUFFER_DURATION (buffer) = TICK;
  if (picture->type == 'P' || picture->type == 'B')
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  if (discont)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  return buffer;
}

/* A piece of the stream: the first picture has a DISCONT. */
static void
push_piece (Handmade *t, const HandmadePicture *pictures, guint n, guint base)
{
  for (guint i = 0; i < n; i++)
    handmade_push (t, make_buffer (&pictures[i], base, i == 0));
}

static gboolean
is_discont (const Handmade *t, guint i)
{
  return (handmade_flags (t, i) & GST_BUFFER_FLAG_DISCONT) != 0;
}

/* The frames that came: from tick @highest down to 0, none flagged */
static void
check_descending (const Handmade *t, guint highest)
{
  fail_unless_equals_int (t->output->len, highest + 1);
  for (guint i = 0; i <= highest; i++) {
    fail_unless_equals_uint64 (handmade_output (t, i)->pts, (highest - i) * TICK);
    fail_unless (!handmade_is_corrupted (t, i), "frame %u is flagged", i);
  }
}

static void
finish (Handmade *t)
{
  fail_unless_equals_int (handmade_count_messages (t, GST_MESSAGE_WARNING, NULL), 0);
  fail_unless_equals_int (handmade_count_messages (t, GST_MESSAGE_ERROR, NULL), 0);
  fail_unless_equals_int (g_hash_table_size (t->stores), 0);
  handmade_close (t);
}

/* GOP by GOP: each goes out when the DISCONT of the next one comes, or the end. */
GST_START_TEST (test_gops)
{
  Handmade t;

  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  push_piece (&t, closed_gop, 4, 8);
  fail_unless_equals_int (t.n_coded, 0);
  push_piece (&t, closed_gop, 4, 4);
  fail_unless_equals_int (t.output->len, 4);
  push_piece (&t, closed_gop, 4, 0);
  handmade_finish (&t);
  check_descending (&t, 11);
  fail_unless_equals_int (t.n_coded, 12);
  for (guint i = 0; i < 12; i++)
    fail_unless_equals_int (is_discont (&t, i), i % 4 == 0);
  finish (&t);
}
GST_END_TEST;

/* Several GOPs in a piece */
GST_START_TEST (test_gops_in_one_piece)
{
  HandmadePicture two[8];
  Handmade t;

  memcpy (two, closed_gop, sizeof (closed_gop));
  memcpy (two + 4, closed_gop, sizeof (closed_gop));
  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  for (guint i = 0; i < 8; i++)
    handmade_push (&t, make_buffer (&two[i], i < 4 ? 4 : 8, i == 0));
  push_piece (&t, closed_gop, 4, 0);
  handmade_finish (&t);
  check_descending (&t, 11);
  for (guint i = 0; i < 12; i++)
    fail_unless_equals_int (is_discont (&t, i), i % 4 == 0);
  finish (&t);
}
GST_END_TEST;

/* Pieces that are cut anywhere: what comes before the first key unit belongs to the GOP of the next piece. */
GST_START_TEST (test_pieces_without_key)
{
  static const guint cuts[] = { 12, 10, 7, 6, 3, 0 };
  Handmade t;

  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  for (guint i = 1; i < G_N_ELEMENTS (cuts); i++)
    for (guint k = cuts[i]; k < cuts[i - 1]; k++)
      handmade_push (&t, make_buffer (&closed_gop[k % 4], k / 4 * 4, k == cuts[i]));
  handmade_finish (&t);
  check_descending (&t, 11);
  finish (&t);
}
GST_END_TEST;

/* Without a key unit nothing can be decoded. */
GST_START_TEST (test_no_key)
{
  Handmade t;

  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  push_piece (&t, closed_gop + 1, 3, 4);
  push_piece (&t, closed_gop + 1, 3, 0);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 0);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_ERROR, "No picture of the stream could be decoded"), 1);
  handmade_close (&t);
}
GST_END_TEST;

/* Frames outside the segment are left out. */
GST_START_TEST (test_segment)
{
  Handmade t;
  GstSegment segment;

  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.rate = -1.0;
  segment.start = TICK + TICK / 4;
  segment.stop = 6 * TICK + TICK / 2;
  fail_unless (gst_harness_push_event (t.h, gst_event_new_segment (&segment)));
  push_piece (&t, closed_gop, 4, 4);
  push_piece (&t, closed_gop, 4, 0);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 6);
  fail_unless_equals_uint64 (handmade_output (&t, 0)->pts, 6 * TICK);
  fail_unless (is_discont (&t, 0));
  fail_unless_equals_uint64 (handmade_output (&t, 5)->pts, TICK);
  finish (&t);
}
GST_END_TEST;

/* A GOP of @n pictures, IPPP */
static void
push_long_gop (Handmade *t, guint n, guint base)
{
  for (guint i = 0; i < n; i++) {
    const HandmadePicture picture = { .type = i == 0 ? 'D' : 'P', .frame_num = i, .poc = 2 * i };
    GstBuffer *buffer = make_buffer (&picture, base, i == 0);

    GST_BUFFER_PTS (buffer) = (base + i) * TICK;
    handmade_push (t, buffer);
  }
}

/* No memory for more than the 16 pictures that are always held */
static void
open_with_parts (Handmade *t)
{
  GstElement *element = gst_element_factory_make ("h264entropy", NULL);

  g_object_set (element, "reverse-memory", 0, "n-threads", 2, NULL);
  handmade_open_element (t, element, FALSE);
  gst_harness_set_src_caps_str (t->h, "video/x-h264, stream-format=byte-stream, alignment=au");
  handmade_push_sps (t, &sps_values);
  begin_segment (t, -1.0, GST_SEGMENT_FLAG_NONE, 100 * TICK);
}

/* A GOP of more pictures than may be held is decoded once for each part: 16 pictures, which no limit undercuts. */
GST_START_TEST (test_parts)
{
  Handmade t;

  open_with_parts (&t);
  push_long_gop (&t, 40, 10);
  push_long_gop (&t, 10, 0);
  /* 40, and then those before the last 16 and the last 32, until they are out: two pictures wait for their order */
  fail_unless (t.n_coded >= 40 + 24 + 8 && t.n_coded <= 40 + 24 + 8 + 2 * 4, "%u pictures were decoded", t.n_coded);
  handmade_finish (&t);
  check_descending (&t, 49);
  for (guint i = 0; i < 50; i++)
    fail_unless_equals_int (is_discont (&t, i), i == 0 || i == 40);
  finish (&t);
}
GST_END_TEST;

/* By default tiny pictures are held all at once. */
GST_START_TEST (test_one_part)
{
  Handmade t;

  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  push_long_gop (&t, 100, 0);
  handmade_finish (&t);
  check_descending (&t, 99);
  fail_unless_equals_int (t.n_coded, 100);
  finish (&t);
}
GST_END_TEST;

static GstPadProbeReturn
flush_at_caps (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Handmade *t = data;

  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) != GST_EVENT_CAPS)
    return GST_PAD_PROBE_OK;
  gst_harness_push_event (t->h, gst_event_new_flush_start ());
  return GST_PAD_PROBE_REMOVE;
}

/* A seek comes while the end of the stream is being decoded: that no picture comes is no fault of the stream. */
GST_START_TEST (test_flush_at_end)
{
  Handmade t;
  GstPad *pad;

  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  push_piece (&t, closed_gop, 4, 0);
  pad = gst_element_get_static_pad (t.h->element, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, flush_at_caps, &t, NULL);
  gst_harness_push_event (t.h, gst_event_new_eos ());
  fail_unless (GST_PAD_IS_FLUSHING (pad));
  gst_object_unref (pad);
  fail_unless_equals_int (handmade_count_messages (&t, GST_MESSAGE_ERROR, NULL), 0);
  gst_harness_push_event (t.h, gst_event_new_flush_stop (TRUE));
  begin_segment (&t, -1.0, GST_SEGMENT_FLAG_NONE, 100 * TICK);
  push_piece (&t, closed_gop, 4, 0);
  handmade_finish (&t);
  check_descending (&t, 3);
  finish (&t);
}
GST_END_TEST;

/* Leading pictures refer to the GOP before theirs: they come with that one, once, and right. */
GST_START_TEST (test_open_gop)
{
  static const HandmadePicture gop[] = {
    { .type = 'I', .frame_num = 2, .poc = 12, .recovery_frame_cnt_plus1 = 1 },
    { .type = 'B', .frame_num = 3, .poc = 8, .no_reference = TRUE },
    { .type = 'B', .frame_num = 3, .poc = 10, .no_reference = TRUE },
    { .type = 'P', .frame_num = 3, .poc = 14 },
  };
  Handmade t;

  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  push_piece (&t, gop, 4, 0);
  /* no picture is lost by a gap */
  gst_harness_push_event (t.h, gst_event_new_gap (5 * TICK, TICK));
  handmade_take (&t);
  fail_unless_equals_int (t.output->len, 2);
  push_piece (&t, closed_gop, 4, 0);
  handmade_finish (&t);
  check_descending (&t, 7);
  for (guint i = 0; i < 8; i++)
    fail_unless_equals_int (is_discont (&t, i), i == 0 || i == 2);
  finish (&t);
}
GST_END_TEST;

/* So do pictures before a recovery point. */
GST_START_TEST (test_gradual_refresh)
{
  static const HandmadePicture gop[] = {
    { .type = 'P', .frame_num = 2, .poc = 8, .recovery_frame_cnt_plus1 = 3 },
    { .type = 'P', .frame_num = 3, .poc = 10 },
    { .type = 'P', .frame_num = 4, .poc = 12 },
    { .type = 'P', .frame_num = 5, .poc = 14 },
  };
  Handmade t;

  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  for (guint i = 0; i < 4; i++) {
    GstBuffer *buffer = make_buffer (&gop[i], 0, i == 0);

    if (i == 0)
      GST_BUFFER_FLAG_UNSET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);
    handmade_push (&t, buffer);
  }
  push_piece (&t, closed_gop, 4, 0);
  fail_unless_equals_int (t.output->len, 2);
  handmade_finish (&t);
  check_descending (&t, 7);
  finish (&t);
}
GST_END_TEST;

/* The last GOP of all has nothing before it: its leading pictures are left out. */
GST_START_TEST (test_open_gop_alone)
{
  static const HandmadePicture gop[] = {
    { .type = 'I', .frame_num = 2, .poc = 6, .recovery_frame_cnt_plus1 = 1 },
    { .type = 'B', .frame_num = 3, .poc = 2, .no_reference = TRUE },
    { .type = 'B', .frame_num = 3, .poc = 4, .no_reference = TRUE },
    { .type = 'P', .frame_num = 3, .poc = 8 },
  };
  Handmade t;

  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  push_piece (&t, gop, 4, 0);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 2);
  fail_unless_equals_uint64 (handmade_output (&t, 0)->pts, 4 * TICK);
  fail_unless_equals_uint64 (handmade_output (&t, 1)->pts, 3 * TICK);
  finish (&t);
}
GST_END_TEST;

/* The SPS of each GOP is before its key picture, in the same buffer or in one of its own. */
GST_START_TEST (test_caps_change)
{
  static const HandmadeSps slow = { .reorder = 2, .fps = 10 };
  GstCaps *caps;
  gint fps_n, fps_d;
  Handmade t;

  handmade_open (&t, 2, FALSE);
  begin_segment (&t, -1.0, GST_SEGMENT_FLAG_NONE, 100 * TICK);
  handmade_push_sps (&t, &slow);
  push_piece (&t, closed_gop, 4, 4);
  handmade_push_sps (&t, &sps_values);
  push_piece (&t, closed_gop, 4, 0);
  handmade_finish (&t);
  check_descending (&t, 7);
  caps = gst_pad_get_current_caps (t.h->sinkpad);
  fail_unless (gst_structure_get_fraction (gst_caps_get_structure (caps, 0), "framerate", &fps_n, &fps_d));
  fail_unless_equals_int (fps_n, 25 * fps_d);
  gst_caps_unref (caps);
  finish (&t);
}
GST_END_TEST;

/* Parameter sets of @values in front of @picture, in one buffer */
static GstBuffer *
with_sps (GstBuffer *buffer, const HandmadeSps *values)
{
  GstBuffer *whole = handmade_sets (values);

  gst_buffer_copy_into (whole, buffer, GST_BUFFER_COPY_ALL, 0, -1);
  gst_buffer_unref (buffer);
  return whole;
}

/* Caps that change in the middle of a GOP: what comes before is a part of its own. */
GST_START_TEST (test_caps_change_in_gop)
{
  static const HandmadeSps slow = { .reorder = 2, .fps = 10 };
  static const HandmadePicture more[] = {
    { .type = 'P', .frame_num = 2, .poc = 12 },
    { .type = 'B', .frame_num = 3, .poc = 8, .no_reference = TRUE },
    { .type = 'B', .frame_num = 3, .poc = 10, .no_reference = TRUE },
  };
  Handmade t;

  handmade_open (&t, 2, FALSE);
  begin_segment (&t, -1.0, GST_SEGMENT_FLAG_NONE, 100 * TICK);
  handmade_push (&t, with_sps (make_buffer (&closed_gop[0], 0, TRUE), &sps_values));
  for (guint i = 1; i < 4; i++)
    handmade_push (&t, make_buffer (&closed_gop[i], 0, FALSE));
  handmade_push (&t, with_sps (make_buffer (&more[0], 0, FALSE), &slow));
  for (guint i = 1; i < 3; i++)
    handmade_push (&t, make_buffer (&more[i], 0, FALSE));
  handmade_finish (&t);
  check_descending (&t, 6);
  fail_unless_equals_int (t.n_coded, 7 + 4);
  finish (&t);
}
GST_END_TEST;

/* A flush drops what was gathered; then the other direction. */
GST_START_TEST (test_flush)
{
  Handmade t;

  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  push_piece (&t, closed_gop, 4, 8);
  push_piece (&t, closed_gop, 4, 4);
  fail_unless_equals_int (t.output->len, 4);
  gst_harness_push_event (t.h, gst_event_new_flush_start ());
  gst_harness_push_event (t.h, gst_event_new_flush_stop (TRUE));
  begin_segment (&t, 1.0, GST_SEGMENT_FLAG_NONE, GST_CLOCK_TIME_NONE);
  push_piece (&t, closed_gop, 4, 0);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 8);
  for (guint i = 0; i < 4; i++)
    fail_unless_equals_uint64 (handmade_output (&t, 4 + i)->pts, i * TICK);
  finish (&t);
}
GST_END_TEST;

/* A segment in the other direction without a flush: both are whole. */
GST_START_TEST (test_turn)
{
  static const guint64 ticks[] = { 0, 1, 2, 3, 7, 6, 5, 4, 0, 1, 2, 3 };
  Handmade t;

  handmade_open (&t, 2, FALSE);
  handmade_push_sps (&t, &sps_values);
  push_piece (&t, closed_gop, 4, 0);
  begin_segment (&t, -1.0, GST_SEGMENT_FLAG_NONE, 100 * TICK);
  push_piece (&t, closed_gop, 4, 4);
  begin_segment (&t, 1.0, GST_SEGMENT_FLAG_NONE, GST_CLOCK_TIME_NONE);
  push_piece (&t, closed_gop, 4, 0);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, G_N_ELEMENTS (ticks));
  for (guint i = 0; i < G_N_ELEMENTS (ticks); i++)
    fail_unless_equals_uint64 (handmade_output (&t, i)->pts, ticks[i] * TICK);
  finish (&t);
}
GST_END_TEST;

/* Events behind which nothing may wait */
GST_START_TEST (test_events)
{
  Handmade t;

  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  push_piece (&t, closed_gop, 4, 8);
  gst_harness_push_event (t.h, gst_event_new_gap (4 * TICK, TICK));
  handmade_take (&t);
  fail_unless_equals_int (t.output->len, 4);
  push_piece (&t, closed_gop, 4, 4);
  gst_harness_push_event (t.h, gst_event_new_segment_done (GST_FORMAT_TIME, 0));
  handmade_take (&t);
  fail_unless_equals_int (t.output->len, 8);
  push_piece (&t, closed_gop, 4, 0);
  handmade_finish (&t);
  check_descending (&t, 11);
  finish (&t);
}
GST_END_TEST;

/* A GOP whose key picture alone has a time, and one without any, which goes by the GOP behind it */
GST_START_TEST (test_times_missing)
{
  Handmade t;

  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  for (guint i = 0; i < 8; i++) {
    GstBuffer *buffer = make_buffer (&closed_gop[i % 4], 4, i % 4 == 0);

    if (i != 0)
      GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
    handmade_push (&t, buffer);
  }
  handmade_finish (&t);
  check_descending (&t, 7);
  finish (&t);
}
GST_END_TEST;

/* Downstream wants nothing that it would have to show before @time, in ticks of running time: those left to the segment's end. */
static void
send_qos (Handmade *t, gdouble time)
{
  fail_unless (gst_harness_push_upstream_event (t->h, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 1.0, 0, (GstClockTime) (time * TICK))));
}

/* Late pictures are left out, and those that nothing refers to not decoded. */
GST_START_TEST (test_late)
{
  static const guint64 ticks[] = { 11, 10, 9, 8, 5, 4 };
  Handmade t;

  open_reverse (&t, GST_SEGMENT_FLAG_NONE);
  push_piece (&t, closed_gop, 4, 8);
  push_piece (&t, closed_gop, 4, 4);
  send_qos (&t, 94.5);
  handmade_finish (&t);
  fail_unless_equals_int (t.n_coded, 4 + 3);
  fail_unless_equals_int (t.output->len, G_N_ELEMENTS (ticks));
  for (guint i = 0; i < G_N_ELEMENTS (ticks); i++)
    fail_unless_equals_uint64 (handmade_output (&t, i)->pts, ticks[i] * TICK);
  finish (&t);
}
GST_END_TEST;

/* Parts are the same whatever is left out of them. */
GST_START_TEST (test_late_in_parts)
{
  Handmade t;

  open_with_parts (&t);
  push_long_gop (&t, 10, 40);
  push_long_gop (&t, 40, 0);
  send_qos (&t, 79.5);
  handmade_finish (&t);
  fail_unless_equals_int (t.output->len, 10 + 21);
  for (guint i = 0; i < 21; i++)
    fail_unless_equals_uint64 (handmade_output (&t, 10 + i)->pts, (20 - i) * TICK);
  finish (&t);
}
GST_END_TEST;

/* Slices, parameter sets and messages in buffers of their own, as h264parse flags them with alignment=nal */
GST_START_TEST (test_nal_alignment)
{
  Handmade t;

  handmade_open (&t, 2, FALSE);
  gst_harness_set_src_caps_str (t.h, "video/x-h264, stream-format=byte-stream, alignment=nal");
  begin_segment (&t, -1.0, GST_SEGMENT_FLAG_NONE, 100 * TICK);
  for (guint base = 8; base <= 8; base -= 4) {
    GstBuffer *sets = handmade_sets (&sps_values);

    GST_BUFFER_FLAG_SET (sets, GST_BUFFER_FLAG_DELTA_UNIT);
    GST_BUFFER_FLAG_SET (sets, GST_BUFFER_FLAG_DISCONT);
    handmade_push (&t, sets);
    for (guint i = 0; i < 4; i++)
      handmade_push (&t, make_buffer (&closed_gop[i], base, FALSE));
  }
  handmade_finish (&t);
  check_descending (&t, 11);
  finish (&t);
}
GST_END_TEST;

/* The times of @n pictures, decoded forward or backwards with @flags, in ticks, as text */
static gchar *
play (const HandmadePicture *pictures, guint n, const HandmadeSps *values, gdouble rate, GstSegmentFlags flags)
{
  GString *text = g_string_new (NULL);
  Handmade t;

  handmade_open (&t, 2, FALSE);
  handmade_push_sps (&t, values);
  begin_segment (&t, rate, flags, 100 * TICK);
  push_piece (&t, pictures, n, 0);
  handmade_finish (&t);
  for (guint i = 0; i < t.output->len; i++) {
    fail_unless (!handmade_is_corrupted (&t, i), "frame %u is flagged", i);
    g_string_append_printf (text, "%u ", (guint) (handmade_output (&t, i)->pts / TICK));
  }
  g_string_append_printf (text, "of %u", t.n_coded);
  finish (&t);
  return g_string_free (text, FALSE);
}

static void
check_play (const HandmadePicture *pictures, guint n, const HandmadeSps *values, gdouble rate, GstSegmentFlags flags, const gchar *wanted)
{
  gchar *got = play (pictures, n, values, rate, flags);

  fail_unless_equals_string (got, wanted);
  g_free (got);
}

/* I P b B: a B picture that others refer to; a P picture that none does; a key picture that is no IDR picture */
static const HandmadePicture mixed[] = {
  { .type = 'D' },
  { .type = 'P', .frame_num = 1, .poc = 8 },
  { .type = 'B', .frame_num = 2, .poc = 4 },
  { .type = 'B', .frame_num = 3, .poc = 2, .no_reference = TRUE },
  { .type = 'B', .frame_num = 3, .poc = 6, .no_reference = TRUE },
  { .type = 'P', .frame_num = 3, .poc = 10, .no_reference = TRUE },
  { .type = 'I', .frame_num = 3, .poc = 12, .recovery_frame_cnt_plus1 = 1 },
  { .type = 'P', .frame_num = 4, .poc = 14 },
};

GST_START_TEST (test_trick_modes)
{
  static const struct
  {
    GstSegmentFlags flags;
    const gchar *forward, *reverse;
  } modes[] = {
    { GST_SEGMENT_FLAG_NONE, "0 1 2 3 4 5 6 7 of 8", "7 6 5 4 3 2 1 0 of 8" },
    { GST_SEGMENT_FLAG_TRICKMODE_NO_AUDIO, "0 1 2 3 4 5 6 7 of 8", "7 6 5 4 3 2 1 0 of 8" },
    { GST_SEGMENT_FLAG_TRICKMODE_KEY_UNITS, "0 6 of 2", "6 0 of 2" },
    { GST_SEGMENT_FLAG_TRICKMODE | GST_SEGMENT_FLAG_TRICKMODE_KEY_UNITS, "0 6 of 2", "6 0 of 2" },
    /* picture 2 is decoded, since others may refer to it, but not shown */
    { GST_SEGMENT_FLAG_TRICKMODE_FORWARD_PREDICTED, "0 4 5 6 7 of 6", "7 6 5 4 0 of 6" },
    { GST_SEGMENT_FLAG_TRICKMODE, "0 2 4 6 7 of 5", "7 6 4 2 0 of 5" },
    { GST_SEGMENT_FLAG_TRICKMODE | GST_SEGMENT_FLAG_TRICKMODE_FORWARD_PREDICTED, "0 4 6 7 of 5", "7 6 4 0 of 5" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    check_play (mixed, G_N_ELEMENTS (mixed), &sps_values, 1.0, modes[i].flags, modes[i].forward);
    check_play (mixed, G_N_ELEMENTS (mixed), &sps_values, 2.0, modes[i].flags, modes[i].forward);
    check_play (mixed, G_N_ELEMENTS (mixed), &sps_values, -1.0, modes[i].flags, modes[i].reverse);
  }
}
GST_END_TEST;

/* The second field of a key picture may be P; both go together. */
GST_START_TEST (test_trick_mode_fields)
{
  static const HandmadeSps interlaced = { .reorder = 2, .fps = 25, .interlaced = TRUE };
  static const HandmadePicture fields[] = {
    { .type = 'D', .field = 1 },
    { .type = 'P', .poc = 1, .field = 2 },
    { .type = 'P', .frame_num = 1, .poc = 4, .field = 1 },
    { .type = 'P', .frame_num = 1, .poc = 5, .field = 2 },
    { .type = 'B', .frame_num = 2, .poc = 2, .field = 1, .no_reference = TRUE },
    { .type = 'B', .frame_num = 2, .poc = 3, .field = 2, .no_reference = TRUE },
    { .type = 'I', .frame_num = 2, .poc = 6, .field = 1 },
    { .type = 'P', .frame_num = 2, .poc = 7, .field = 2 },
  };

  check_play (fields, 8, &interlaced, 1.0, GST_SEGMENT_FLAG_TRICKMODE_KEY_UNITS, "0 3 of 4");
  check_play (fields, 8, &interlaced, -1.0, GST_SEGMENT_FLAG_TRICKMODE_KEY_UNITS, "3 0 of 4");
  check_play (fields, 8, &interlaced, 1.0, GST_SEGMENT_FLAG_TRICKMODE_FORWARD_PREDICTED, "0 2 3 of 6");
  check_play (fields, 8, &interlaced, -1.0, GST_SEGMENT_FLAG_TRICKMODE_FORWARD_PREDICTED, "3 2 0 of 6");
}
GST_END_TEST;

/* Nothing but pictures that are not wanted is no error. */
GST_START_TEST (test_nothing_wanted)
{
  check_play (closed_gop + 1, 3, &sps_values, 1.0, GST_SEGMENT_FLAG_TRICKMODE_KEY_UNITS, "of 0");
}
GST_END_TEST;

/* An instant rate change has flags of its own, without a segment. */
GST_START_TEST (test_instant_rate_change)
{
  Handmade t;

  handmade_open (&t, 2, FALSE);
  handmade_push_sps (&t, &sps_values);
  push_piece (&t, closed_gop, 4, 0);
  gst_harness_push_event (t.h, gst_event_new_instant_rate_change (4.0, GST_SEGMENT_FLAG_TRICKMODE_KEY_UNITS));
  push_piece (&t, closed_gop, 4, 4);
  gst_harness_push_event (t.h, gst_event_new_instant_rate_change (1.0, GST_SEGMENT_FLAG_NONE));
  push_piece (&t, closed_gop, 4, 8);
  handmade_finish (&t);
  fail_unless_equals_int (t.n_coded, 4 + 1 + 4);
  fail_unless_equals_int (t.output->len, 4 + 1 + 4);
  fail_unless_equals_uint64 (handmade_output (&t, 4)->pts, 4 * TICK);
  finish (&t);
}
GST_END_TEST;

static Suite *
h264entropyreverse_suite (void)
{
  Suite *suite = suite_create ("h264entropyreverse");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_gops);
  tcase_add_test (tcase, test_gops_in_one_piece);
  tcase_add_test (tcase, test_pieces_without_key);
  tcase_add_test (tcase, test_no_key);
  tcase_add_test (tcase, test_segment);
  tcase_add_test (tcase, test_parts);
  tcase_add_test (tcase, test_one_part);
  tcase_add_test (tcase, test_open_gop);
  tcase_add_test (tcase, test_open_gop_alone);
  tcase_add_test (tcase, test_gradual_refresh);
  tcase_add_test (tcase, test_caps_change);
  tcase_add_test (tcase, test_caps_change_in_gop);
  tcase_add_test (tcase, test_flush);
  tcase_add_test (tcase, test_turn);
  tcase_add_test (tcase, test_events);
  tcase_add_test (tcase, test_times_missing);
  tcase_add_test (tcase, test_late);
  tcase_add_test (tcase, test_late_in_parts);
  tcase_add_test (tcase, test_nal_alignment);
  tcase_add_test (tcase, test_trick_modes);
  tcase_add_test (tcase, test_trick_mode_fields);
  tcase_add_test (tcase, test_nothing_wanted);
  tcase_add_test (tcase, test_instant_rate_change);
  tcase_add_test (tcase, test_flush_at_end);
  return suite;
}

GST_CHECK_MAIN (h264entropyreverse);
