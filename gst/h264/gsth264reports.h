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
 * @max_errors: the property; it and @requests_key_units may be set by any thread
 * @requests_key_units: the property automatic-request-sync-points
 * @key_unit_interval: the property, under the object lock
 * @n_pictures: begun and ended so far
 * @n_warnings: of damage
 * @n_errors: damaged pictures since the last sound one
 * @n_key_units: asked for; the last time at @asked_at
 * @n_left_out: pictures left out since the last one that was not
 * @n_notes: messages that told of such
 * @n_waiting: pictures that passed while decoding waited for something
 * @n_wait_messages: that told of that, the last one at @wait_said_at, where the waiting began at the latest
 * @broken_set: (nullable): what was wrong with the last parameter set
 *
 * Streaming thread only, but for the properties.
 */
typedef struct
{
  GstElement *element;
  GstPad *sinkpad;
  gint max_errors, requests_key_units;
  GstClockTime key_unit_interval;

  guint n_pictures, n_warnings, n_errors;
  guint n_key_units;
  GstClockTime asked_at;
  guint n_left_out, n_notes;
  guint n_waiting, n_wait_messages;
  GstClockTime wait_said_at;
  const gchar *broken_set;
} GstH264Reports;

void gst_h264_reports_init (GstH264Reports *reports, GstElement *element, GstPad *sinkpad);

/* Nothing has been told yet. */
void gst_h264_reports_reset (GstH264Reports *reports);

/* Says that something of the stream was damaged: a log line, and a message, though not for ever. */
void gst_h264_reports_warn (GstH264Reports *reports, const gchar *what);

/* Decoding ends for want of memory whose size the stream has chosen.  Returns: GST_FLOW_ERROR */
GstFlowReturn gst_h264_reports_fail_no_memory (GstH264Reports *reports);

/* Says, once, that a parameter set is broken: @error, a string that stays. */
void gst_h264_reports_warn_of_set (GstH264Reports *reports, const gchar *error);

/* A picture passes, and nothing is output, since @why, a clause without a full stop; @help: what can be done.  Posted every few seconds, by
 * the clock of the element. */
void gst_h264_reports_wait (GstH264Reports *reports, const gchar *why, const gchar *help);

/* A picture is decoded.  Whether there are too many damaged ones in a row: an error is posted then. */
void gst_h264_reports_count_picture (GstH264Reports *reports, gboolean damaged);
gboolean gst_h264_reports_has_too_many_errors (GstH264Reports *reports);

/* Posts how many pictures were left out since the last one that was not. */
void gst_h264_reports_tell_left_out (GstH264Reports *reports);

/* Asks upstream for a key unit, but not too often, and not where nobody wants that. */
void gst_h264_reports_request_key_unit (GstH264Reports *reports);

G_END_DECLS
