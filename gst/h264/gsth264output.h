/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What goes out of the source pad: buffers and events in their order, caps, latency; and where coded pictures lie, which downstream says.
 */
#pragma once

#include "gstcodedformat.h"
#include "gsth264reports.h"

G_BEGIN_DECLS

/**
 * GstH264Output:
 * @srcpad: (transfer none)
 * @held_events: serialised ones that came before there were caps, or behind a segment that waits for its first buffer
 * @late_events: those that came while pictures were on their way, to go out behind them
 * @n_pushed: pictures that have gone out
 * @new_segment: a segment has come, and no buffer of it yet
 * @arena_pool: (nullable): of coded pictures; there is one behind caps
 * @n_slices: slices that a picture is to have room for
 * @outgrown: @arena_pool gives room for fewer
 * @latency_frames, @frame_duration: what the element adds to latency; under the object lock
 */
typedef struct
{
  GstH264Reports *reports;
  GstPad *srcpad;
  GQueue held_events, late_events;
  guint64 n_pushed;
  gboolean new_segment;
  GstBufferPool *arena_pool;
  guint n_slices;
  gboolean outgrown;
  guint latency_frames;
  GstClockTime frame_duration;
} GstH264Output;

void gst_h264_output_init (GstH264Output *output, GstH264Reports *reports, GstPad *srcpad);

/* The stream is over: no events, no pool. */
void gst_h264_output_stop (GstH264Output *output);

/* Whether @event has to wait; it is taken then (transfer full). */
gboolean gst_h264_output_hold_event (GstH264Output *output, GstEvent *event);
/* Behind the events that wait: @event (transfer full), nullable */
void gst_h264_output_append_event (GstH264Output *output, GstEvent *event);
/* Pushes the events that waited. */
void gst_h264_output_release_events (GstH264Output *output);

/* @event (transfer full) goes out behind @n_pictures more. */
void gst_h264_output_delay_event (GstH264Output *output, GstEvent *event, guint n_pictures);
/* A picture has gone out, or will never: the events that waited for it follow. */
void gst_h264_output_note_pushed (GstH264Output *output);
/* Another event comes: those that wait for pictures go before it. */
void gst_h264_output_release_late_events (GstH264Output *output);

/* The pictures that events waited for are dropped by a flush.  Sticky ones, such as tags, wait for the next; segments are dropped with
 * them. */
void gst_h264_output_flush_events (GstH264Output *output);

/* Another stream begins: what waited goes out, if there are caps, or belongs to a stream that had no pictures. */
void gst_h264_output_end_stream (GstH264Output *output);

/* Whether downstream has got these caps */
gboolean gst_h264_output_has_caps (GstH264Output *output, const GstCaps *caps);
/* Pushes caps, and the events that waited for them. */
GstFlowReturn gst_h264_output_set_caps (GstH264Output *output, GstCaps *caps);

/* A picture has turned out to have more than @n_slices slices: later ones get room for more.  How many */
guint gst_h264_output_outgrow (GstH264Output *output, guint n_slices);

/* Asks downstream where coded pictures of @format, of which @n_writers slices decode at once, shall lie; a new pool.  Posts an error where
 * there is no memory.  GST_FLOW_FLUSHING: a flush came; downstream has to be asked again. */
GstFlowReturn gst_h264_output_choose_arena_pool (GstH264Output *output, GstCaps *caps, const GstCodedFormat *format, guint n_writers);

/* Pushes what was decided about output where no picture follows: @actions (transfer full), nullable. */
void gst_h264_output_push_actions (GstH264Output *output, GArray *actions);

/* The element adds @n_frames of @frame_duration to latency: posts a message where that is news. */
void gst_h264_output_set_latency (GstH264Output *output, guint n_frames, GstClockTime frame_duration);
/* The same as time; from any thread */
GstClockTime gst_h264_output_get_latency (GstH264Output *output);

G_END_DECLS
