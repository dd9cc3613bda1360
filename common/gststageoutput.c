/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gststageoutput-private.h"
#include "gstframestore-private.h"
#include <gst/video/video.h>

/* How long a picture is shown that does not say it, where it is asked whether that is in the segment: what GstVideoDecoder takes */
#define UNKNOWN_DURATION (40 * GST_MSECOND)

void
gst_stage_output_init (GstStageOutput *self, GstPad *srcpad)
{
  self->srcpad = srcpad;
  gst_stage_output_reset (self);
}

void
gst_stage_output_flush (GstStageOutput *self)
{
  self->discont = FALSE;
}

void
gst_stage_output_reset (GstStageOutput *self)
{
  self->discont = self->not_linked_said = FALSE;
}

/* Whether a part of the frame's time is in the segment; its times become those of that part, as GstVideoDecoder does it.  Pictures before
 * the segment are decoded for those in it, and may be shown by nobody: a sink that does not know their duration waits with them. */
static gboolean
clip_to_segment (GstStageOutput *self, GstFrameStore *store)
{
  GstEvent *event = gst_pad_get_sticky_event (self->srcpad, GST_EVENT_SEGMENT, 0);
  const gboolean has_duration = GST_CLOCK_TIME_IS_VALID (store->duration);
  GstClockTime stop = store->pts + (has_duration ? store->duration : UNKNOWN_DURATION);
  const GstSegment *segment;
  gboolean inside = TRUE;

  if (!event)
    return TRUE;
  gst_event_parse_segment (event, &segment);
  if (segment->format == GST_FORMAT_TIME && GST_CLOCK_TIME_IS_VALID (store->pts)
      && (inside = gst_segment_clip (segment, GST_FORMAT_TIME, store->pts, stop, &store->pts, &stop)) && has_duration)
    store->duration = stop - store->pts;
  gst_event_unref (event);
  return inside;
}

static gboolean
is_corrupted (GstFrameStore *store)
{
  return ((store->buffer_flags | store->output_flags) & GST_BUFFER_FLAG_CORRUPTED) != 0 || gst_frame_store_has_failed (store);
}

gboolean
gst_stage_output_prepare (GstStageOutput *self, GstFrameStore *store)
{
  self->discont |= (store->output_flags & GST_BUFFER_FLAG_DISCONT) != 0;
  if (!clip_to_segment (self, store))
    return FALSE;
  if (!gst_frame_store_fill_missing_field (store))
    store->output_flags |= GST_BUFFER_FLAG_CORRUPTED;
  if (store->discard_corrupted && is_corrupted (store)) {
    self->discont = TRUE;
    return FALSE;
  }
  if (self->discont)
    store->output_flags |= GST_BUFFER_FLAG_DISCONT;
  self->discont = FALSE;

  return TRUE;
}

/* Times, flags and foreign metas: what the frame store knows and the samples do not */
static GstBuffer *
decorate (GstBuffer *buffer, GstFrameStore *store)
{
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) = store->pts;
  GST_BUFFER_DTS (buffer) = GST_CLOCK_TIME_NONE;
  GST_BUFFER_DURATION (buffer) = store->duration;
  GST_BUFFER_FLAG_SET (buffer, store->buffer_flags | store->output_flags);
  if (store->fields == GST_FRAME_TOP_FIELD)
    GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_TOP_FIELD);
  else if (store->fields == GST_FRAME_BOTTOM_FIELD)
    GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_BOTTOM_FIELD);
  if (is_corrupted (store))
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_CORRUPTED);
  if (store->metas)
    gst_buffer_copy_into (buffer, store->metas, GST_BUFFER_COPY_META, 0, -1);

  return buffer;
}

/* Else all that is seen of it is an error of the source, and that one speaks of its own pad. */
static void
post_not_linked (GstStageOutput *self)
{
  GstElement *element;

  if (self->not_linked_said || !(element = gst_pad_get_parent_element (self->srcpad)))
    return;
  self->not_linked_said = TRUE;
  GST_ELEMENT_WARNING (element, CORE, PAD,
      ("Nobody takes the decoded pictures: %s.",
          gst_pad_is_linked (self->srcpad) ? "what is behind the last stage is linked to nothing"
                                           : "the source pad of the last stage is not linked"),
      ("the last stage is %s", GST_OBJECT_NAME (element)));
  gst_object_unref (element);
}

GstFlowReturn
gst_stage_output_push (GstStageOutput *self, GstBuffer *buffer, GstFrameStore *store)
{
  GstFlowReturn ret = gst_pad_push (self->srcpad, decorate (buffer, store));

  if (ret == GST_FLOW_NOT_LINKED)
    post_not_linked (self);

  return ret;
}
