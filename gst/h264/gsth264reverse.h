/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reverse playback: a GOP is decoded forward, its frames are held by the last stage, and then output last one first.  A GOP with more
 * frames than may be held comes in parts, last one first: for each part the GOP is decoded from its beginning once more, up to the frames
 * that have been output, and only the last frames before those are held.
 *
 * Where the piece that upstream sends is at its end: while gst_h264_reverse_next_part(), each unit that gst_h264_reverse_next_unit() gives
 * is decoded, gst_h264_reverse_note_unit() told what came of it, and everything drained; then gst_h264_reverse_take_output() is what goes
 * out.
 */
#pragma once

#include "gstcodedpicture.h"
#include "gsth264gops.h"

G_BEGIN_DECLS

/**
 * GstH264Reverse:
 * @memory: bytes that surfaces of held frames may take
 * @active: the segment is played backwards
 * @segment: it
 * @gops: the input
 * @next_unit: of the GOP
 * @end_unit, @end: the part goes up to this unit and this frame of the GOP, in output order
 * @changed_unit, @changed_at: with this unit the format changed last, behind so many frames: those are another part; 0: it did not
 * @n_seen: frames of the GOP that have come so far, in output order
 * @n_earlier: those of them that are for parts before this one, once it is complete
 * @max_held: frames that may be held
 * @held: (nullable) GstFrameStore in output order: the last ones of those; NULL for one that comes too late to be shown
 * @begins_gop: nothing of the GOP has gone out yet
 * @last_pts: of the frame that went out last
 */
typedef struct
{
  gsize memory;
  gboolean active;
  GstSegment segment;
  GstH264Gops gops;
  guint next_unit, end_unit, end;
  guint changed_unit, changed_at;
  guint n_seen, n_earlier, max_held;
  GQueue held;
  gboolean begins_gop;
  GstClockTime last_pts;
} GstH264Reverse;

void gst_h264_reverse_start (GstH264Reverse *reverse);
void gst_h264_reverse_stop (GstH264Reverse *reverse);

/* Forgets input and frames. */
void gst_h264_reverse_flush (GstH264Reverse *reverse);

/* @segment begins. */
void gst_h264_reverse_set_segment (GstH264Reverse *reverse, const GstSegment *segment);

/* The next part of what has been gathered.  FALSE where there is none. */
gboolean gst_h264_reverse_next_part (GstH264Reverse *reverse);

/* (transfer none) (nullable): the next unit of the part */
const GstH264Unit *gst_h264_reverse_next_unit (GstH264Reverse *reverse);

/* The unit that came last: whether a picture begins in it, and whether one was left out since what it refers to is missing */
void gst_h264_reverse_note_unit (GstH264Reverse *reverse, gboolean begins_picture, gboolean left_out);

/* Whether frames that begin in that unit have been output before */
gboolean gst_h264_reverse_hides (const GstH264Reverse *reverse);

/* The frame of @store is the next one in output order; @shown: it was decoded, and is to be output.  Appends to @actions which frames are
 * discarded now: this one, since it is for another part or outside of the segment, or one that has to make room for it. */
void gst_h264_reverse_hold (GstH264Reverse *reverse, GstFrameStore *store, gboolean shown, GArray *actions);

/* (transfer full) (element-type GstCodedAction): frames of another format come.  What is held now is for another part, and discarded. */
GArray *gst_h264_reverse_change_format (GstH264Reverse *reverse, const GstCodedFormat *format);

/* (transfer full) (element-type GstCodedAction): the part is complete: its frames, last one first; or discarded */
GArray *gst_h264_reverse_take_output (GstH264Reverse *reverse);
GArray *gst_h264_reverse_drop_output (GstH264Reverse *reverse);

G_END_DECLS
