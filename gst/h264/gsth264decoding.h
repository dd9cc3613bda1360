/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A stream being decoded: how what it is, the view in it, and what goes out work together.
 */
#pragma once

#include "gsth264output.h"
#include "gsth264stream.h"
#include "gsth264tags.h"
#include "gsth264trick.h"
#include "gsth264view.h"

G_BEGIN_DECLS

/**
 * GstH264Drain:
 * @GST_H264_DRAIN_COMPLETE: coded pictures go downstream, but for the current one if macroblocks of it are missing yet
 * @GST_H264_DRAIN_PICTURES: all of them do
 * @GST_H264_DRAIN_OUTPUT: and frames that wait for output are output
 * @GST_H264_DRAIN_SEQUENCE: and nothing that comes later refers to them
 */
typedef enum
{
  GST_H264_DRAIN_COMPLETE,
  GST_H264_DRAIN_PICTURES,
  GST_H264_DRAIN_OUTPUT,
  GST_H264_DRAIN_SEQUENCE,
} GstH264Drain;

/**
 * GstH264Decoding:
 * @reports: what is told of it
 * @stream: what it is
 * @view: the pictures of the base view, the only one that is decoded
 * @times: of the frames that are output
 * @qos: which of them come too late
 * @segment: the last one that came
 * @reverse: the input, and frames that are output, where the segment is played backwards
 * @trick: which pictures the segment asks to leave out
 * @tags: which codec it is
 * @output: what goes out
 * @counters: what the threads have done; measures_time is set before a stream begins
 * @pool: the threads, @n_threads of them
 * @live: upstream is: pictures do not wait for each other
 * @max_in_flight: pictures that may be on their way where the pipeline is not live
 * @late_said: that it reorders more pictures than it says
 *
 * Streaming thread only, but for what its parts say.
 */
typedef struct
{
  GstH264Reports reports;
  GstH264Stream stream;
  GstH264View view;
  GstH264Timestamps times;
  GstH264Qos qos;
  GstSegment segment;
  GstH264Reverse reverse;
  GstH264Trick trick;
  GstH264Tags tags;
  GstH264Output output;
  H264DecodeCounters counters;
  H264DecodePool *pool;
  guint n_threads;
  gboolean live;
  guint max_in_flight;
  gboolean late_said;
} GstH264Decoding;

void gst_h264_decoding_init (GstH264Decoding *decoding, GstElement *element, GstPad *sinkpad, GstPad *srcpad);

/* A stream begins, decoded by @n_threads threads, and is over.  @strict: rules of the standard that senders break are kept. */
void gst_h264_decoding_start (GstH264Decoding *decoding, guint n_threads, gboolean strict);
void gst_h264_decoding_stop (GstH264Decoding *decoding);

/* Drops all pictures. */
void gst_h264_decoding_flush (GstH264Decoding *decoding);

/* Downstream takes no pictures: drops them, there too. */
void gst_h264_decoding_abandon (GstH264Decoding *decoding);

/* Takes new caps of the sink pad; @live: the pipeline is; @output_delay: how long frames wait for others.  FALSE, and an error posted,
 * where they cannot be used. */
gboolean gst_h264_decoding_set_caps (GstH264Decoding *decoding, GstCaps *caps, gboolean live, H264OutputDelay output_delay);

/* Another stream begins, as in gapless playback: all frames of the one before go out. */
void gst_h264_decoding_begin_stream (GstH264Decoding *decoding);

/* A segment has come; its first buffer is to be given to gst_h264_decoding_begin_part(). */
void gst_h264_decoding_take_segment (GstH264Decoding *decoding, const GstSegment *segment);

/* The flags of the segment, or of an instant rate change, say which pictures to leave out; from any thread */
void gst_h264_decoding_set_trick_flags (GstH264Decoding *decoding, GstSegmentFlags flags);

/* Before the NAL units of @buffer, the first one of a segment, or one before which something is missing */
GstFlowReturn gst_h264_decoding_begin_part (GstH264Decoding *decoding, GstBuffer *buffer);

/* A part of reverse playback is complete, where @ret is GST_FLOW_OK: pushes its frames, last one first.  Else drops it. */
GstFlowReturn gst_h264_decoding_end_reverse_part (GstH264Decoding *decoding, GstFlowReturn ret);

/* Takes in one NAL unit with slice data, which came in @input. */
GstFlowReturn gst_h264_decoding_take_slice (GstH264Decoding *decoding, const H264Nal *nal, GstH264Input *input);

/* Takes in an SPS or PPS.  Posts an error where there is no memory for it. */
GstFlowReturn gst_h264_decoding_take_set (GstH264Decoding *decoding, const H264Nal *nal);

/* Takes in what SEI messages say of the next picture and of the video.  Posts an error where there is no memory for them. */
GstFlowReturn gst_h264_decoding_take_sei (GstH264Decoding *decoding, const H264Nal *nal);

/* Ends the current picture, if there is one: before another kind of unit, which begins the next one (7.4.1.2.3). */
void gst_h264_decoding_end_picture (GstH264Decoding *decoding);

/* Whether there are pictures that @event has to go out behind; it is taken then (transfer full). */
gboolean gst_h264_decoding_delay_event (GstH264Decoding *decoding, GstEvent *event);

/* The buffer is at its end: decodes what has come, and pushes what is ready. */
GstFlowReturn gst_h264_decoding_run (GstH264Decoding *decoding);

/* Pushes all pictures that are complete or can be completed now, and more as @drain says. */
GstFlowReturn gst_h264_decoding_drain (GstH264Decoding *decoding, GstH264Drain drain);

/* Posts an error, behind the pictures before it: the stream has @feature, which no stage can do; @detail says how that shows, and what can
 * be done. */
GstFlowReturn gst_h264_decoding_refuse (GstH264Decoding *decoding, const gchar *feature, const gchar *detail);

G_END_DECLS
