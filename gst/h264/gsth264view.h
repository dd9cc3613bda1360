/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A view being decoded: its pictures from their first slice until they are finished, its frames, and how far it is from being right.
 *
 * For each slice: gst_h264_view_read_slice(); where it begins a picture, gst_h264_view_close_picture() for the one before and
 * gst_h264_view_begin_picture(); gst_h264_view_add_slice().  Then gst_h264_view_run(), and gst_h264_view_take_oldest() for what is ready.
 */
#pragma once

#include "gsth264display.h"
#include "gsth264metas.h"
#include "gsth264picture.h"
#include "gsth264pictureborder.h"
#include "gsth264qos.h"
#include "gsth264reverse.h"
#include "gsth264timestamps.h"
#include "h264paramsets.h"

G_BEGIN_DECLS

/**
 * GstH264View:
 * @reports, @times, @qos: of the stream
 * @reverse: of the stream: holds frames that are output
 * @pool: the threads, of all views
 * @output_corrupt: the property; any thread may set it
 * @discard_corrupted: the property discard-corrupted-frames; any thread may set it
 * @expects_gaps: a parser may have left out reference pictures since the segment asks for it: what refers to them is flagged, but not
 *   damaged
 * @frames: its DPB, and the frames in it
 * @slice: the one being read, which belongs to no picture yet
 * @current: (nullable): the picture that takes slices
 * @pending: closed ones in decoding order, and the current one at the end
 * @idle: pictures to be used again
 * @border: what tells where the next picture begins
 * @recovery: how far the view is from being right
 * @display: how its frames are to be shown
 * @metas: what goes with them
 * @lost: (nullable): why slices were lost since the last picture
 * @without_set: (nullable): which parameter set slices since the last picture lacked
 * @has_output: there was a frame that is not hidden
 * @is_late: a frame came out late, and nobody has been told
 *
 * Streaming thread only, but for @output_corrupt and @discard_corrupted.
 */
typedef struct
{
  GstH264Reports *reports;
  GstH264Timestamps *times;
  GstH264Qos *qos;
  GstH264Reverse *reverse;
  H264DecodePool *pool;
  gint output_corrupt, discard_corrupted;
  gboolean expects_gaps;

  GstH264Frames frames;
  H264JobSlice *slice;
  GstH264Picture *current;
  GQueue pending, idle;
  GstH264PictureBorder border;
  H264Recovery recovery;
  GstH264Display display;
  GstH264Metas metas;
  const gchar *lost, *without_set;
  gboolean has_output;
  gboolean is_late;
} GstH264View;

void gst_h264_view_init (GstH264View *view, GstH264Reports *reports, GstH264Timestamps *times, GstH264Qos *qos, GstH264Reverse *reverse);

/* A stream begins, and is over.  It keeps @pool meanwhile. */
void gst_h264_view_start (GstH264View *view, H264DecodePool *pool);
void gst_h264_view_stop (GstH264View *view);

/* Drops all pictures. */
void gst_h264_view_flush (GstH264View *view);

/* What comes is another part of the stream: nothing that came before is referred to. */
void gst_h264_view_reset_recovery (GstH264View *view);

/* (transfer none) (nullable): the header of the slice in @nal, which is read up to slice_data(); NULL where there is nothing to decode in
 * it, or there is no memory: then @lost is h264_no_memory. */
const H264SliceHeader *gst_h264_view_read_slice (GstH264View *view, const H264Nal *nal, H264ParamSets *sets);

/* Whether data follow the header of the slice read last.  Nothing is allocated for a picture of which no macroblock comes. */
gboolean gst_h264_view_has_macroblocks (GstH264View *view);

/* Whether the slice read last comes again behind its picture.  A picture that is complete is closed before the next one begins, so what
 * still comes of it is not taken for a picture of its own.  @begins_unit: the slice is the first one of an access unit. */
gboolean gst_h264_view_is_behind_picture (const GstH264View *view, gboolean begins_unit);

/* Whether the slice read last is not of the current picture, but of the next one.  Headers may fail to say so (idr_pic_id or frame_num that
 * never change): a slice that begins where another one of the picture did, in an access unit of its own, or behind a picture that is
 * complete, and that is not the same slice again, begins a picture. */
gboolean gst_h264_view_is_next_picture (GstH264View *view, gboolean begins_unit);

/* Whether the slice read last is the one before it once more, byte for byte, which senders repeat; @input: the buffer it came in, where
 * @begins_unit says that it is the first slice of an access unit. */
gboolean gst_h264_view_comes_again (GstH264View *view, const GstH264Input *input, gboolean begins_unit);

/* The picture that messages have told of does not come, or nobody wants it. */
void gst_h264_view_forget_messages (GstH264View *view);

/* What comes refers to nothing before; messages that came belong to it. */
void gst_h264_view_restart_recovery (GstH264View *view);

/* Whether decoding can begin, or go on, with the slice read last, which came in @input; where it cannot, a key unit is asked for. */
gboolean gst_h264_view_can_begin (GstH264View *view, GstH264Input *input);

/* The slice read last begins a picture, which becomes the current one; there is none now.  @timing as gst_h264_display_begin_picture() gave
 * it.  Posts an error where it cannot. */
GstFlowReturn gst_h264_view_begin_picture (GstH264View *view, const H264PicTiming *timing, GstH264Input *input, GstBufferPool *arena_pool);

/* The slice read last, which came in @input, becomes part of the current picture.  Posts an error where there is no memory for it. */
GstFlowReturn gst_h264_view_add_slice (GstH264View *view, const GstH264Input *input);

/* Ends the current picture, if there is one. */
void gst_h264_view_close_picture (GstH264View *view);

/* Decodes what has come of the current picture. */
void gst_h264_view_run (GstH264View *view);

/* Waits for that.  Whether it is a whole picture */
gboolean gst_h264_view_is_complete (GstH264View *view);

/* Whether the oldest picture is to go now, where no more than @max_in_flight may be on their way */
gboolean gst_h264_view_has_ready (GstH264View *view, guint max_in_flight);

/* Waits for the oldest picture, which is closed, and gives it as *@buffer (transfer full).  NULL where it was not decoded, since it came
 * too late: then *@actions (transfer full) (nullable) is what the DPB decided with it.  Posts an error where there was no memory to decode
 * it. */
GstFlowReturn gst_h264_view_take_oldest (GstH264View *view, GstBuffer **buffer, GArray **actions);

/* Appends what the DPB has decided to *@taken (NULL: empty), when frames that are output get their final times, and those that are hidden,
 * or too late, are discarded instead.  In reverse playback frames that would be output are held. */
void gst_h264_view_take_actions (GstH264View *view, GArray **taken);

/* Nobody takes the pictures: drops all of them, and gives what tells those behind to discard theirs (transfer full) (nullable). */
GArray *gst_h264_view_abandon (GstH264View *view);

/* Why there was no output */
const gchar *gst_h264_view_explain_no_output (const GstH264View *view);

G_END_DECLS
