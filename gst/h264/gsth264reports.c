/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264reports.h"

#include <gst/video/video.h>

GST_DEBUG_CATEGORY (gst_h264_entropy_debug);
#define GST_CAT_DEFAULT gst_h264_entropy_debug

/* Damage beyond this many messages is logged only, but for one in a hundred. */
#define MAX_WARNINGS 20

#define MAX_NOTES 20

/* How often it is said that nothing is output, and what is waited for; after so many messages, where nobody seems to care, more seldom */
#define WAIT_INTERVAL (3 * GST_SECOND)
#define MAX_WAIT_MESSAGES 20
#define LONG_WAIT_INTERVAL (60 * GST_SECOND)

void
gst_h264_reports_init (GstH264Reports *reports, GstElement *element, GstPad *sinkpad)
{
  reports->element = element;
  reports->sinkpad = sinkpad;
  gst_h264_reports_reset (reports);
}

void
gst_h264_reports_reset (GstH264Reports *reports)
{
  reports->n_pictures = reports->n_warnings = reports->n_errors = 0;
  reports->n_key_units = 0;
  reports->n_left_out = reports->n_notes = 0;
  reports->n_waiting = reports->n_wait_messages = 0;
  reports->broken_set = NULL;
}

void
gst_h264_reports_warn (GstH264Reports *reports, const gchar *what)
{
  GST_WARNING_OBJECT (reports->element, "damaged stream: %s", what);
  if (reports->n_warnings < MAX_WARNINGS || reports->n_warnings % 100 == 0)
    GST_ELEMENT_WARNING (reports->element, STREAM, DECODE, ("The stream is damaged: %s.", what),
        ("after %u pictures", reports->n_pictures));
  reports->n_warnings++;
}

GstFlowReturn
gst_h264_reports_fail_no_memory (GstH264Reports *reports)
{
  GST_ELEMENT_ERROR (reports->element, RESOURCE, NO_SPACE_LEFT, ("There is not enough memory to decode this stream."),
      ("after %u pictures", reports->n_pictures));
  return GST_FLOW_ERROR;
}

void
gst_h264_reports_warn_of_set (GstH264Reports *reports, const gchar *error)
{
  /* sets are repeated, and so is what is wrong with them */
  if (reports->broken_set == error)
    return;
  reports->broken_set = error;
  GST_ELEMENT_WARNING (reports->element, STREAM, DECODE,
      ("A parameter set of the stream, which says how pictures are coded, is broken: %s.  Pictures that use it cannot be decoded.", error),
      ("after %u pictures", reports->n_pictures));
}

static GstClockTime
get_time (const GstH264Reports *reports)
{
  GstClock *clock = gst_element_get_clock (reports->element);
  const GstClockTime now = clock ? gst_clock_get_time (clock) : gst_util_get_timestamp ();

  gst_clear_object (&clock);
  return now;
}

void
gst_h264_reports_wait (GstH264Reports *reports, const gchar *why, const gchar *help)
{
  const GstClockTime now = get_time (reports);
  const GstClockTime interval = reports->n_wait_messages < MAX_WAIT_MESSAGES ? WAIT_INTERVAL : LONG_WAIT_INTERVAL;

  if (reports->n_waiting++ == 0 || now < reports->wait_said_at)
    reports->wait_said_at = now;
  if (now - reports->wait_said_at < interval)
    return;
  reports->wait_said_at = now;
  reports->n_wait_messages++;
  GST_ELEMENT_WARNING (reports->element, STREAM, DECODE,
      ("Nothing can be shown yet: %s.  %u pictures have passed.", why, reports->n_waiting), ("%s", help));
}

void
gst_h264_reports_tell_left_out (GstH264Reports *reports)
{
  if (reports->n_left_out > 0 && reports->n_notes++ < MAX_NOTES)
    GST_ELEMENT_INFO (reports->element, STREAM, DECODE,
        ("Pictures are left out that refer to others which are not there: %u.", reports->n_left_out),
        ("output-corrupt=true shows those that can be decoded nevertheless"));
  reports->n_left_out = reports->n_waiting = 0;
}

void
gst_h264_reports_count_picture (GstH264Reports *reports, gboolean damaged)
{
  reports->n_errors = damaged ? reports->n_errors + 1 : 0;
}

gboolean
gst_h264_reports_has_too_many_errors (GstH264Reports *reports)
{
  const gint max_errors = g_atomic_int_get (&reports->max_errors);

  if (max_errors < 0 || reports->n_errors <= (guint) max_errors)
    return FALSE;
  GST_ELEMENT_ERROR (reports->element, STREAM, DECODE, ("The stream is damaged: %u pictures in a row.", reports->n_errors),
      ("max-errors=%d", max_errors));
  return TRUE;
}

static GstClockTime
get_key_unit_interval (const GstH264Reports *reports)
{
  GstClockTime interval;

  GST_OBJECT_LOCK (reports->element);
  interval = reports->key_unit_interval;
  GST_OBJECT_UNLOCK (reports->element);
  return interval;
}

void
gst_h264_reports_request_key_unit (GstH264Reports *reports)
{
  const GstClockTime now = gst_util_get_timestamp ();

  if (!g_atomic_int_get (&reports->requests_key_units)
      || (reports->n_key_units > 0 && now - reports->asked_at < get_key_unit_interval (reports)))
    return;
  reports->asked_at = now;
  GST_DEBUG_OBJECT (reports->element, "asking for a key unit");
  gst_pad_push_event (reports->sinkpad, gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, reports->n_key_units++));
}
