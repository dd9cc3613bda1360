/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264reports.h"

#include <gst/video/video.h>

GST_DEBUG_CATEGORY (gst_h264_entropy_debug);
#define GST_CAT_DEFAULT gst_h264_entropy_debug

/* Damage beyond this many messages is logged only, but for one in a hundred. */
#define MAX_WARNINGS 20

#define MAX_NOTES 20

/* A key unit takes its time to come: no second request before */
#define KEY_UNIT_INTERVAL (1 * G_USEC_PER_SEC)

void
gst_h264_reports_init (GstH264Reports *reports, GstElement *element, GstPad *sinkpad)
{
  *reports = (GstH264Reports){ .element = element, .sinkpad = sinkpad };
}

void
gst_h264_reports_reset (GstH264Reports *reports)
{
  gst_h264_reports_init (reports, reports->element, reports->sinkpad);
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
gst_h264_reports_tell_left_out (GstH264Reports *reports)
{
  if (reports->n_left_out > 0 && reports->n_notes++ < MAX_NOTES)
    GST_ELEMENT_INFO (reports->element, STREAM, DECODE,
        ("Pictures are left out that refer to others which are not there: %u.", reports->n_left_out),
        ("output-corrupt=true shows those that can be decoded nevertheless"));
  reports->n_left_out = 0;
}

void
gst_h264_reports_request_key_unit (GstH264Reports *reports)
{
  const gint64 now = g_get_monotonic_time ();

  if (reports->n_key_units > 0 && now - reports->asked_at < KEY_UNIT_INTERVAL)
    return;
  reports->asked_at = now;
  GST_DEBUG_OBJECT (reports->element, "asking for a key unit");
  gst_pad_push_event (reports->sinkpad, gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, reports->n_key_units++));
}
