/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Quality of service: which frames come too late for the sink, as its QOS events tell, and the messages that say so.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * GstH264Qos:
 * @element: posts the messages
 * @enabled: the property; any thread may set it
 * @earliest_time: running time: frames of earlier ones come too late; GST_CLOCK_TIME_NONE: none does.  It, @proportion and @frame_duration
 *   are under the object lock
 * @proportion: of the last event: how much slower than wanted the sink is
 * @frame_duration: of the stream; 0: not known
 * @segment: of the frames that are output
 * @processed: frames that were output, and @dropped: those that came too late
 * @discont: a frame was dropped, and none has been output since
 *
 * Streaming thread only, but for what is said above.
 */
typedef struct
{
  GstElement *element;
  gint enabled;
  GstClockTime earliest_time;
  gdouble proportion;
  GstClockTime frame_duration;
  GstSegment segment;
  guint64 processed, dropped;
  gboolean discont;
} GstH264Qos;

void gst_h264_qos_init (GstH264Qos *qos, GstElement *element);

/* A stream begins: nothing is late, nothing has been counted. */
void gst_h264_qos_start (GstH264Qos *qos);

/* What the sink said does not count any more: behind a flush */
void gst_h264_qos_reset (GstH264Qos *qos);

/* Frames to come are of @segment; what the sink said of the one before does not count. */
void gst_h264_qos_set_segment (GstH264Qos *qos, const GstSegment *segment);

void gst_h264_qos_set_frame_duration (GstH264Qos *qos, GstClockTime duration);

/* Takes the QOS @event, which stays the caller's; from any thread. */
void gst_h264_qos_take_event (GstH264Qos *qos, GstEvent *event);

/* Whether a frame of time @pts comes too late */
gboolean gst_h264_qos_is_late (const GstH264Qos *qos, GstClockTime pts);

/* A frame of time @pts that came too late is not output: posts a QOS message. */
void gst_h264_qos_drop (GstH264Qos *qos, GstClockTime pts);

/* A frame is output.  TRUE where some were dropped before it. */
gboolean gst_h264_qos_output (GstH264Qos *qos);

G_END_DECLS
