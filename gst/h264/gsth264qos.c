/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264qos.h"

/* Of messages: the quality is that of all frames that are output */
#define FULL_QUALITY 1000000

void
gst_h264_qos_init (GstH264Qos *qos, GstElement *element)
{
  qos->element = element;
  qos->frame_duration = 0;
  gst_h264_qos_start (qos);
}

void
gst_h264_qos_start (GstH264Qos *qos)
{
  gst_segment_init (&qos->segment, GST_FORMAT_UNDEFINED);
  qos->processed = qos->dropped = 0;
  gst_h264_qos_reset (qos);
}

void
gst_h264_qos_reset (GstH264Qos *qos)
{
  GST_OBJECT_LOCK (qos->element);
  qos->earliest_time = GST_CLOCK_TIME_NONE;
  qos->proportion = 0.5;
  GST_OBJECT_UNLOCK (qos->element);
  qos->discont = FALSE;
}

void
gst_h264_qos_set_segment (GstH264Qos *qos, const GstSegment *segment)
{
  gst_h264_qos_reset (qos);
  qos->segment = *segment;
}

void
gst_h264_qos_set_frame_duration (GstH264Qos *qos, GstClockTime duration)
{
  GST_OBJECT_LOCK (qos->element);
  qos->frame_duration = duration;
  GST_OBJECT_UNLOCK (qos->element);
}

/* Where frames come late, those that follow at once would too: some time is left out to catch up, as GstVideoDecoder does.  A sink that
 * throttles says how long it wants none. */
static GstClockTime
get_earliest_time (const GstH264Qos *qos, GstQOSType type, GstClockTime timestamp, GstClockTimeDiff diff)
{
  if (diff < 0)
    return timestamp - MIN (timestamp, (GstClockTime) -diff);
  if (type == GST_QOS_TYPE_THROTTLE || diff == 0)
    return timestamp + (GstClockTime) diff;
  return timestamp + 2 * (GstClockTime) diff + qos->frame_duration;
}

void
gst_h264_qos_take_event (GstH264Qos *qos, GstEvent *event)
{
  GstQOSType type;
  gdouble proportion;
  GstClockTimeDiff diff;
  GstClockTime timestamp;

  gst_event_parse_qos (event, &type, &proportion, &diff, &timestamp);
  GST_OBJECT_LOCK (qos->element);
  qos->proportion = proportion;
  qos->earliest_time = GST_CLOCK_TIME_IS_VALID (timestamp) ? get_earliest_time (qos, type, timestamp, diff) : GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (qos->element);
}

static GstClockTime
read_earliest_time (const GstH264Qos *qos, gdouble *proportion)
{
  GstClockTime earliest_time;

  GST_OBJECT_LOCK (qos->element);
  earliest_time = qos->earliest_time;
  *proportion = qos->proportion;
  GST_OBJECT_UNLOCK (qos->element);
  return earliest_time;
}

static GstClockTime
to_running_time (const GstH264Qos *qos, GstClockTime pts)
{
  if (qos->segment.format != GST_FORMAT_TIME || !GST_CLOCK_TIME_IS_VALID (pts))
    return GST_CLOCK_TIME_NONE;
  return gst_segment_to_running_time (&qos->segment, GST_FORMAT_TIME, pts);
}

gboolean
gst_h264_qos_is_late (const GstH264Qos *qos, GstClockTime pts)
{
  GstClockTime earliest_time, running_time;
  gdouble proportion;

  if (!g_atomic_int_get (&qos->enabled))
    return FALSE;
  earliest_time = read_earliest_time (qos, &proportion);
  if (!GST_CLOCK_TIME_IS_VALID (earliest_time))
    return FALSE;
  running_time = to_running_time (qos, pts);
  return GST_CLOCK_TIME_IS_VALID (running_time) && running_time < earliest_time;
}

void
gst_h264_qos_drop (GstH264Qos *qos, GstClockTime pts)
{
  gdouble proportion;
  const GstClockTime running_time = to_running_time (qos, pts), earliest_time = read_earliest_time (qos, &proportion);
  const gboolean timed = GST_CLOCK_TIME_IS_VALID (running_time) && GST_CLOCK_TIME_IS_VALID (earliest_time);
  GstMessage *message = gst_message_new_qos (GST_OBJECT (qos->element), FALSE, running_time,
      timed ? gst_segment_to_stream_time (&qos->segment, GST_FORMAT_TIME, pts) : GST_CLOCK_TIME_NONE, pts, GST_CLOCK_TIME_NONE);

  qos->dropped++;
  qos->discont = TRUE;
  gst_message_set_qos_values (message, timed ? GST_CLOCK_DIFF (running_time, earliest_time) : 0, proportion, FULL_QUALITY);
  gst_message_set_qos_stats (message, GST_FORMAT_BUFFERS, qos->processed, qos->dropped);
  gst_element_post_message (qos->element, message);
}

gboolean
gst_h264_qos_output (GstH264Qos *qos)
{
  const gboolean discont = qos->discont;

  qos->processed++;
  qos->discont = FALSE;
  return discont;
}
