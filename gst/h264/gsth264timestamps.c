/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264timestamps.h"

/* Of @n_fields half frames */
static GstClockTime
nominal_duration (const GstH264Timestamps *times, guint n_fields)
{
  return times->fps_n > 0 ? gst_util_uint64_scale (n_fields * GST_SECOND, times->fps_d, 2 * (guint64) times->fps_n) : GST_CLOCK_TIME_NONE;
}

/* The lowest time of frames that wait for output, and how many frames are to be output before that one */
static GstClockTime
find_next_pts (const GstH264Frames *frames, guint *n_before)
{
  const H264Dpb *dpb = frames->dpb;
  GstClockTime next = GST_CLOCK_TIME_NONE;
  gint32 next_poc = 0;

  for (guint i = 0; i < dpb->n_frames; i++) {
    const GstH264Frame *frame = dpb->frames[i].waiting ? gst_h264_frames_find (frames, dpb->frames[i].number) : NULL;

    if (frame && GST_CLOCK_TIME_IS_VALID (frame->store->pts) && (!GST_CLOCK_TIME_IS_VALID (next) || frame->store->pts < next)) {
      next = frame->store->pts;
      next_poc = h264_dpb_frame_poc (&dpb->frames[i], dpb->frames[i].fields);
    }
  }
  *n_before = 0;
  for (guint i = 0; i < dpb->n_frames; i++)
    if (dpb->frames[i].waiting && h264_dpb_frame_poc (&dpb->frames[i], dpb->frames[i].fields) < next_poc)
      *n_before += 1;
  return next;
}

/* Time of the first frame of a segment */
static GstClockTime
interpolate_first (const GstH264Timestamps *times, const GstH264Frames *frames)
{
  const GstClockTime duration = nominal_duration (times, 2);
  guint n_before;
  const GstClockTime next = find_next_pts (frames, &n_before);

  if (!GST_CLOCK_TIME_IS_VALID (duration))
    return GST_CLOCK_TIME_NONE;
  if (GST_CLOCK_TIME_IS_VALID (next))
    return next - MIN (next, (n_before + 1) * duration);
  return times->segment_start;
}

/* Time of a frame behind the one output last */
static GstClockTime
interpolate (const GstH264Timestamps *times, const GstH264Frames *frames)
{
  GstClockTime step = times->last_duration, next;
  guint n_before;

  if (!GST_CLOCK_TIME_IS_VALID (times->last_pts))
    return interpolate_first (times, frames);
  next = find_next_pts (frames, &n_before);
  if (GST_CLOCK_TIME_IS_VALID (next) && next > times->last_pts) {
    const GstClockTime share = (next - times->last_pts) / (n_before + 2);

    step = GST_CLOCK_TIME_IS_VALID (step) ? MIN (step, share) : share;
  }
  if (!GST_CLOCK_TIME_IS_VALID (step))
    step = times->last_step;
  return GST_CLOCK_TIME_IS_VALID (step) ? times->last_pts + step : GST_CLOCK_TIME_NONE;
}

/* Where times are far apart, one of them is wrong; no decoding order takes a frame that far from its place. */
static GstClockTime
farthest_exchange (const GstH264Timestamps *times)
{
  const GstClockTime duration = nominal_duration (times, 2);

  return (H264_DPB_MAX_FRAMES + 1) * (GST_CLOCK_TIME_IS_VALID (duration) ? duration : GST_SECOND / 25);
}

/* Whether something was lost between two frames: an IDR picture may be, and then PicOrderCnt does not tell which comes first. */
static gboolean
are_apart (const H264Dpb *dpb, guint32 earlier, guint32 later)
{
  return (gint32) (earlier - dpb->first_after_loss) < 0 && (gint32) (later - dpb->first_after_loss) >= 0;
}

/* The frame of those that wait which was decoded before @frame and has an earlier time, though it is output later: the earliest of them.
 * It cannot be where times are those of presentation. */
static GstFrameStore *
find_exchange (const GstH264Timestamps *times, const GstH264Frames *frames, const GstH264Frame *frame)
{
  const GstClockTime pts = frame->store->pts;
  GstFrameStore *earliest = NULL;

  for (guint i = 0; i < frames->dpb->n_frames; i++) {
    const H264DpbFrame *dpb_frame = &frames->dpb->frames[i];
    const GstH264Frame *other = dpb_frame->waiting ? gst_h264_frames_find (frames, dpb_frame->number) : NULL;

    if (other && other != frame && other->has_decoding_time && GST_CLOCK_TIME_IS_VALID (other->store->pts)
        && (gint32) (other->store->number - frame->store->number) < 0
        && !are_apart (frames->dpb, other->store->number, frame->store->number) && other->store->pts < pts
        && pts - other->store->pts <= farthest_exchange (times) && (!earliest || other->store->pts < earliest->pts))
      earliest = other->store;
  }
  return earliest;
}

static void
exchange_times (const GstH264Timestamps *times, const GstH264Frames *frames, const GstH264Frame *frame)
{
  GstFrameStore *other = frame->has_decoding_time ? find_exchange (times, frames, frame) : NULL;

  if (other) {
    const GstClockTime pts = other->pts;

    other->pts = frame->store->pts;
    frame->store->pts = pts;
  }
}

void
gst_h264_timestamps_set (GstH264Timestamps *times, const GstH264Frames *frames, const GstH264Frame *frame)
{
  GstFrameStore *store = frame->store;

  if (!GST_CLOCK_TIME_IS_VALID (store->pts)) {
    store->pts = interpolate (times, frames);
  } else {
    exchange_times (times, frames, frame);
    if (GST_CLOCK_TIME_IS_VALID (times->last_pts) && store->pts > times->last_pts)
      times->last_step = store->pts - times->last_pts;
  }
  if (!GST_CLOCK_TIME_IS_VALID (store->duration))
    store->duration = nominal_duration (times, frame->n_fields);
  times->last_duration = store->duration;
  if (GST_CLOCK_TIME_IS_VALID (store->pts))
    times->last_pts = store->pts;
}

void
gst_h264_timestamps_reset (GstH264Timestamps *times)
{
  times->last_pts = times->last_duration = times->last_step = GST_CLOCK_TIME_NONE;
}
