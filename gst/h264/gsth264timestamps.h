/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Timestamps of the frames that are output.  A frame has the time of the buffer that its first slice came in, whatever the others have:
 * what is wrong with one ends with it.  Where that has none, the neighbours and its duration tell.  Where times are those of decoding (a
 * container that knows no others), frames that are output in another order exchange them.
 */
#pragma once

#include "gsth264frames.h"

G_BEGIN_DECLS

/**
 * GstH264Timestamps:
 * @fps_n, @fps_d: frame rate; 0: not known
 * @segment_start: of the segment, where it is in time; GST_CLOCK_TIME_NONE where there is none
 * @last_pts: of the frame output last
 * @last_duration: of that frame
 * @last_step: time between the last two whose times were known
 */
typedef struct
{
  gint fps_n, fps_d;
  GstClockTime segment_start;
  GstClockTime last_pts, last_duration, last_step;
} GstH264Timestamps;

/* What comes has nothing to do with the frames that were output. */
void gst_h264_timestamps_reset (GstH264Timestamps *times);

/* Gives its final times to @frame, the next one in output order; @frames: those that wait behind it are among them. */
void gst_h264_timestamps_set (GstH264Timestamps *times, const GstH264Frames *frames, const GstH264Frame *frame);

G_END_DECLS
