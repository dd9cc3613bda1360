/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Timestamps of the frames that are output.  A frame has the time of the buffer that its first slice came in.  Where that has none, or one
 * that is not above the time of the frame before it in output order (a container that knows decoding times only), the neighbours and its
 * duration tell.
 */
#include "gsth264entropy.h"

#define GST_CAT_DEFAULT gst_h264_entropy_debug

/* Of @n_fields half frames */
static GstClockTime
nominal_duration (const GstH264Entropy *self, guint n_fields)
{
  const GstCodedFormat *format = &self->format;

  return format->fps_n > 0 ? gst_util_uint64_scale (n_fields * GST_SECOND, format->fps_d, 2 * (guint64) format->fps_n)
                           : GST_CLOCK_TIME_NONE;
}

/* The lowest time of frames that wait for output, and how many frames are to be output before that one */
static GstClockTime
find_next_pts (GstH264Entropy *self, guint *n_before)
{
  const H264Dpb *dpb = self->dpb;
  GstClockTime next = GST_CLOCK_TIME_NONE;
  gint32 next_poc = 0;
  guint i;

  for (i = 0; i < dpb->n_frames; i++) {
    GstH264Frame *frame = dpb->frames[i].waiting ? gst_h264_entropy_find_frame (self, dpb->frames[i].number) : NULL;

    if (frame != NULL && GST_CLOCK_TIME_IS_VALID (frame->store->pts) && (!GST_CLOCK_TIME_IS_VALID (next) || frame->store->pts < next)) {
      next = frame->store->pts;
      next_poc = h264_dpb_frame_poc (&dpb->frames[i], dpb->frames[i].fields);
    }
  }
  *n_before = 0;
  for (i = 0; i < dpb->n_frames; i++)
    if (dpb->frames[i].waiting && h264_dpb_frame_poc (&dpb->frames[i], dpb->frames[i].fields) < next_poc)
      *n_before += 1;
  return next;
}

/* Time of the first frame of a segment */
static GstClockTime
interpolate_first (GstH264Entropy *self)
{
  const GstClockTime duration = nominal_duration (self, 2);
  guint n_before;
  GstClockTime next = find_next_pts (self, &n_before);

  if (!GST_CLOCK_TIME_IS_VALID (duration))
    return GST_CLOCK_TIME_NONE;
  if (GST_CLOCK_TIME_IS_VALID (next))
    return next - MIN (next, (n_before + 1) * duration);
  return self->segment.format == GST_FORMAT_TIME ? self->segment.start : GST_CLOCK_TIME_NONE;
}

/* Time of a frame behind the one output last */
static GstClockTime
interpolate (GstH264Entropy *self, const GstH264Timing *timing)
{
  GstClockTime step = timing->last_duration, next;
  guint n_before;

  if (!GST_CLOCK_TIME_IS_VALID (timing->last_pts))
    return interpolate_first (self);
  next = find_next_pts (self, &n_before);
  if (GST_CLOCK_TIME_IS_VALID (next) && next > timing->last_pts) {
    const GstClockTime share = (next - timing->last_pts) / (n_before + 2);

    step = GST_CLOCK_TIME_IS_VALID (step) ? MIN (step, share) : share;
  }
  if (!GST_CLOCK_TIME_IS_VALID (step))
    step = timing->last_step;
  return GST_CLOCK_TIME_IS_VALID (step) ? timing->last_pts + step : GST_CLOCK_TIME_NONE;
}

static gboolean
is_trusted (const GstH264Timing *timing, const GstFrameStore *store)
{
  if (!GST_CLOCK_TIME_IS_VALID (store->pts))
    return FALSE;
  return !GST_CLOCK_TIME_IS_VALID (timing->last_pts) || store->pts > timing->last_pts || (store->buffer_flags & GST_BUFFER_FLAG_DISCONT);
}

/* The next frame in output order */
static void
set_time (GstH264Entropy *self, const GstH264Frame *frame)
{
  GstH264Timing *timing = &self->timing;
  GstFrameStore *store = frame->store;

  if (!is_trusted (timing, store))
    store->pts = interpolate (self, timing);
  else if (GST_CLOCK_TIME_IS_VALID (timing->last_pts) && store->pts > timing->last_pts)
    timing->last_step = store->pts - timing->last_pts;
  if (!GST_CLOCK_TIME_IS_VALID (store->duration))
    store->duration = nominal_duration (self, frame->n_fields);
  timing->last_duration = store->duration;
  if (GST_CLOCK_TIME_IS_VALID (store->pts))
    timing->last_pts = store->pts;
}

void
gst_h264_entropy_reset_timing (GstH264Entropy *self)
{
  self->timing.last_pts = self->timing.last_duration = self->timing.last_step = GST_CLOCK_TIME_NONE;
}

void
gst_h264_entropy_take_actions (GstH264Entropy *self, GArray **taken)
{
  GArray *actions = h264_dpb_take_actions (self->dpb);
  guint i;

  if (actions == NULL)
    return;
  for (i = 0; i < actions->len; i++) {
    GstCodedAction *action = &g_array_index (actions, GstCodedAction, i);
    GstH264Frame *frame = gst_h264_entropy_find_frame (self, action->number);

    if (frame == NULL || !action->output)
      continue;
    if (frame->hidden)
      action->output = FALSE;
    else
      set_time (self, frame);
  }
  if (*taken == NULL) {
    *taken = actions;
  } else {
    g_array_append_vals (*taken, actions->data, actions->len);
    g_array_unref (actions);
  }
}
