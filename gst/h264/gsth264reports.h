/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the element tells of a stream: messages, whose number is limited since nobody may be reading the bus, and requests for key units.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

GST_DEBUG_CATEGORY_EXTERN (gst_h264_entropy_debug);

/**
 * GstH264Reports:
 * @element: posts the messages
 * @sinkpad: requests go upstream from it
 * @n_pictures: begun and ended so far
 * @n_warnings: of damage
 * @n_key_units: asked for; the last time at @asked_at
 * @n_left_out: pictures left out since the last one that was not
 * @n_notes: messages that told of such
 *
 * Streaming thread only.
 */
typedef struct
{
  GstElement *element;
  GstPad *sinkpad;
  guint n_pictures, n_warnings;
  guint n_key_units;
  gint64 asked_at;
  guint n_left_out, n_notes;
} GstH264Reports;

void gst_h264_reports_init (GstH264Reports *reports, GstElement *element, GstPad *sinkpad);

/* Nothing has been told yet. */
void gst_h264_reports_reset (GstH264Reports *reports);

/* Says that something of the stream was damaged: a log line, and a message, though not for ever. */
void gst_h264_reports_warn (GstH264Reports *reports, const gchar *what);

/* Decoding ends for want of memory whose size the stream has chosen.  Returns: GST_FLOW_ERROR */
GstFlowReturn gst_h264_reports_fail_no_memory (GstH264Reports *reports);

/* Posts how many pictures were left out since the last one that was not. */
void gst_h264_reports_tell_left_out (GstH264Reports *reports);

/* Asks upstream for a key unit, but not too often. */
void gst_h264_reports_request_key_unit (GstH264Reports *reports);

G_END_DECLS
