/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Events between pictures, through h264entropy with threads: each goes out between the pictures that it came between, and tags, which
 * parsers send with every picture, make nothing wait.
 */
#include <gst/check/gstcheck.h>

#include "handmade.h"

static const HandmadeSps no_reordering = { .fps = 25 };

/* What went out: "p" for a picture, a tag's bitrate, "e" for an event of the application */
static GstPadProbeReturn
write_down (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GString *log = user_data;
  GstEvent *event;
  GstTagList *tags;
  guint bitrate;

  if (GST_PAD_PROBE_INFO_TYPE (info) & GST_PAD_PROBE_TYPE_BUFFER) {
    g_string_append (log, " p");
    return GST_PAD_PROBE_OK;
  }
  event = GST_PAD_PROBE_INFO_EVENT (info);
  if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_DOWNSTREAM && gst_event_has_name (event, "application")) {
    g_string_append (log, " e");
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_TAG) {
    gst_event_parse_tag (event, &tags);
    if (gst_tag_list_get_uint (tags, GST_TAG_BITRATE, &bitrate))
      g_string_append_printf (log, " %u", bitrate);
  }
  return GST_PAD_PROBE_OK;
}

static GString *
open_with_log (Handmade *t)
{
  GstPad *pad;
  GString *log = g_string_new (NULL);

  handmade_open (t, 4, FALSE);
  pad = gst_element_get_static_pad (t->h->element, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, write_down, log, NULL);
  gst_object_unref (pad);
  return log;
}

static void
push_picture (Handmade *t, guint i)
{
  const HandmadePicture picture = { i == 0 ? 'D' : 'P', i, 2 * i };

  handmade_push_picture (t, &picture, i * 40 * GST_MSECOND);
}

static void
push_tag (Handmade *t, guint bitrate)
{
  fail_unless (gst_harness_push_event (t->h, gst_event_new_tag (gst_tag_list_new (GST_TAG_BITRATE, bitrate, NULL))));
}

static void
push_application_event (Handmade *t)
{
  fail_unless (gst_harness_push_event (t->h, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty ("application"))));
}

static void
finish_with (Handmade *t, GString *log, const gchar *expected)
{
  handmade_finish (t);
  fail_unless_equals_string (log->str, expected);
  handmade_close (t);
  g_string_free (log, TRUE);
}

GST_START_TEST (test_tags)
{
  Handmade t;
  GString *log = open_with_log (&t);

  push_tag (&t, 7);
  handmade_push_sps (&t, &no_reordering);
  push_tag (&t, 8);
  push_picture (&t, 0);
  push_tag (&t, 10);
  /* a picture ends with the next one's first slice: nobody has waited for it */
  fail_unless_equals_string (log->str, " 7 8");
  for (guint i = 1; i < 12; i++) {
    push_picture (&t, i);
    push_tag (&t, 10 + i);
    if (i == 5)
      push_tag (&t, 99);
  }
  finish_with (&t, log, " 7 8 p 10 p 11 p 12 p 13 p 14 p 15 99 p 16 p 17 p 18 p 19 p 20 p 21");
}

GST_END_TEST;

/* Others come at once, behind all that is complete, and before them the tags that came before. */
GST_START_TEST (test_other_event)
{
  Handmade t;
  GString *log = open_with_log (&t);

  handmade_push_sps (&t, &no_reordering);
  push_picture (&t, 0);
  push_tag (&t, 10);
  push_picture (&t, 1);
  push_tag (&t, 11);
  push_application_event (&t);
  fail_unless_equals_string (log->str, " p 10 p 11 e");
  push_picture (&t, 2);
  finish_with (&t, log, " p 10 p 11 e p");
}

GST_END_TEST;

/* Pictures that a flush drops take no tags with them: they go before the first picture behind it. */
GST_START_TEST (test_flush)
{
  Handmade t;
  GstSegment segment;
  GString *log = open_with_log (&t);

  handmade_push_sps (&t, &no_reordering);
  push_picture (&t, 0);
  push_tag (&t, 10);
  gst_harness_push_event (t.h, gst_event_new_flush_start ());
  gst_harness_push_event (t.h, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (t.h, gst_event_new_segment (&segment));
  fail_unless_equals_string (log->str, "");
  push_picture (&t, 0);
  finish_with (&t, log, " 10 p");
}

GST_END_TEST;

static Suite *
h264entropyevents_suite (void)
{
  Suite *s = suite_create ("h264entropyevents");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_tags);
  tcase_add_test (tc, test_other_event);
  tcase_add_test (tc, test_flush);
  return s;
}

GST_CHECK_MAIN (h264entropyevents);
