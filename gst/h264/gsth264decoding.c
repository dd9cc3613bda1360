/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264decoding.h"
#include "h264memory.h"

#define GST_CAT_DEFAULT gst_h264_entropy_debug

/* Pictures on their way besides those that the threads decode.  One picture may take as long as several others, and until it can leave
 * these are what the other threads have to do.  Intra pictures are much alike. */
#define PICTURES_AHEAD 3
#define INTRA_PICTURES_AHEAD 1

/* Pictures that are decoded in pairs, two a thread */
#define MAX_PAIRED_PICTURES 16

/* Flags of segments that ask to leave pictures out */
#define TRICK_FLAGS (GST_SEGMENT_FLAG_TRICKMODE | GST_SEGMENT_FLAG_TRICKMODE_KEY_UNITS | GST_SEGMENT_FLAG_TRICKMODE_FORWARD_PREDICTED)

void
gst_h264_decoding_init (GstH264Decoding *decoding, GstElement *element, GstPad *sinkpad, GstPad *srcpad)
{
  gst_h264_reports_init (&decoding->reports, element, sinkpad);
  gst_h264_view_init (&decoding->view, &decoding->reports, &decoding->times, &decoding->qos, &decoding->reverse);
  gst_h264_qos_init (&decoding->qos, element);
  gst_h264_output_init (&decoding->output, &decoding->reports, srcpad);
}

void
gst_h264_decoding_start (GstH264Decoding *decoding, guint n_threads, gboolean strict)
{
  decoding->stream.strict = decoding->view.border.strict = strict;
  decoding->n_threads = n_threads;
  decoding->pool = h264_decode_pool_new (n_threads, &decoding->counters);
  gst_h264_reports_reset (&decoding->reports);
  gst_h264_stream_start (&decoding->stream, &decoding->reports);
  gst_h264_view_start (&decoding->view, decoding->pool);
  gst_h264_reverse_start (&decoding->reverse);
  g_atomic_int_set (&decoding->trick.flags, 0);
  decoding->trick.left_out = FALSE;
  gst_h264_timestamps_reset (&decoding->times);
  gst_h264_qos_start (&decoding->qos);
  decoding->times.segment_start = GST_CLOCK_TIME_NONE;
  decoding->output.new_segment = FALSE;
  decoding->late_said = FALSE;
}

void
gst_h264_decoding_stop (GstH264Decoding *decoding)
{
  gst_h264_view_stop (&decoding->view);
  gst_h264_reverse_stop (&decoding->reverse);
  gst_h264_trick_reset (&decoding->trick);
  gst_h264_timestamps_reset (&decoding->times);
  g_clear_pointer (&decoding->pool, h264_decode_pool_free);
  gst_h264_stream_stop (&decoding->stream);
  gst_h264_tags_stop (&decoding->tags);
  gst_h264_output_stop (&decoding->output);
}

void
gst_h264_decoding_flush (GstH264Decoding *decoding)
{
  gst_h264_view_flush (&decoding->view);
  gst_h264_reverse_flush (&decoding->reverse);
  gst_h264_trick_reset (&decoding->trick);
  gst_h264_timestamps_reset (&decoding->times);
  gst_h264_qos_reset (&decoding->qos);
}

void
gst_h264_decoding_abandon (GstH264Decoding *decoding)
{
  gst_h264_output_push_actions (&decoding->output, gst_h264_view_abandon (&decoding->view));
  gst_h264_output_release_late_events (&decoding->output);
  gst_h264_timestamps_reset (&decoding->times);
}

/* Pictures that may be decoding at the same time */
static guint
get_max_in_flight (const GstH264Decoding *decoding)
{
  /* picture threads add latency, so a live pipeline does without */
  return decoding->live ? 1 : decoding->max_in_flight;
}

static void
update_latency (GstH264Decoding *decoding, guint reorder_depth)
{
  const GstCodedFormat *format = &decoding->stream.format;
  const guint max_in_flight = get_max_in_flight (decoding);

  gst_h264_qos_set_frame_duration (&decoding->qos,
      format->fps_n > 0 ? gst_util_uint64_scale (GST_SECOND, format->fps_d, format->fps_n) : 0);
  /* alone, a picture leaves before the next one comes */
  gst_h264_output_set_latency (&decoding->output, reorder_depth + (max_in_flight > 1 ? max_in_flight : 0),
      format->fps_n > 0 ? gst_util_uint64_scale (GST_SECOND, format->fps_d, format->fps_n) : GST_SECOND / 25);
}

/* Where a frame came out behind frames that it belongs before, later ones get more time. */
static void
handle_late (GstH264Decoding *decoding)
{
  if (!decoding->view.is_late)
    return;
  decoding->view.is_late = FALSE;
  update_latency (decoding, decoding->view.frames.dpb->reorder_depth);
  if (decoding->late_said)
    return;
  decoding->late_said = TRUE;
  GST_ELEMENT_WARNING (decoding->reports.element, STREAM, DECODE, ("The stream reorders more pictures than it says; one comes out late."),
      (NULL));
}

static void
close_picture (GstH264Decoding *decoding)
{
  gst_h264_view_close_picture (&decoding->view);
  handle_late (decoding);
}

static GstFlowReturn
push_oldest (GstH264Decoding *decoding)
{
  GArray *actions;
  GstBuffer *buffer;
  GstFlowReturn ret = gst_h264_view_take_oldest (&decoding->view, &buffer, &actions);

  if (buffer)
    ret = gst_pad_push (decoding->output.srcpad, buffer);
  else
    gst_h264_output_push_actions (&decoding->output, actions);
  gst_h264_output_note_pushed (&decoding->output);
  return ret;
}

GstFlowReturn
gst_h264_decoding_drain (GstH264Decoding *decoding, GstH264Drain drain)
{
  GstH264View *view = &decoding->view;
  GstFlowReturn ret = GST_FLOW_OK;
  GArray *actions = NULL;

  if (drain != GST_H264_DRAIN_COMPLETE || gst_h264_view_is_complete (view))
    close_picture (decoding);
  while (ret == GST_FLOW_OK && g_queue_peek_head (&view->pending) != view->current)
    ret = push_oldest (decoding);
  if (drain <= GST_H264_DRAIN_PICTURES || ret != GST_FLOW_OK)
    return ret;
  if (drain == GST_H264_DRAIN_SEQUENCE)
    h264_dpb_end_sequence (view->frames.dpb, FALSE);
  else
    h264_dpb_drain (view->frames.dpb);
  gst_h264_view_take_actions (view, &actions);
  gst_h264_output_push_actions (&decoding->output, actions);
  return ret;
}

GstFlowReturn
gst_h264_decoding_end_reverse_part (GstH264Decoding *decoding, GstFlowReturn ret)
{
  if (ret == GST_FLOW_OK)
    ret = gst_h264_decoding_drain (decoding, GST_H264_DRAIN_SEQUENCE);
  gst_h264_output_push_actions (&decoding->output,
      ret == GST_FLOW_OK ? gst_h264_reverse_take_output (&decoding->reverse) : gst_h264_reverse_drop_output (&decoding->reverse));
  if (ret != GST_FLOW_OK) {
    gst_h264_decoding_abandon (decoding);
    gst_h264_reverse_flush (&decoding->reverse);
  }
  gst_h264_view_reset_recovery (&decoding->view);
  gst_h264_view_forget_messages (&decoding->view);
  gst_h264_timestamps_reset (&decoding->times);
  gst_h264_trick_reset (&decoding->trick);
  return ret;
}

GstFlowReturn
gst_h264_decoding_refuse (GstH264Decoding *decoding, const gchar *feature, const gchar *detail)
{
  /* what came before is good */
  gst_h264_decoding_drain (decoding, GST_H264_DRAIN_OUTPUT);
  GST_ELEMENT_ERROR (decoding->reports.element, STREAM, NOT_IMPLEMENTED, ("This stream cannot be decoded: it has %s.", feature),
      ("%s", detail));
  return GST_FLOW_ERROR;
}

gboolean
gst_h264_decoding_set_caps (GstH264Decoding *decoding, GstCaps *caps, gboolean live, H264OutputDelay output_delay)
{
  gst_h264_decoding_drain (decoding, GST_H264_DRAIN_PICTURES);
  /* what the container says may have changed: new caps downstream with the next picture */
  gst_pad_mark_reconfigure (decoding->output.srcpad);
  decoding->live = live;
  gst_h264_tags_set_caps (&decoding->tags, caps);
  decoding->view.frames.dpb->output_delay = output_delay;
  return gst_h264_stream_set_caps (&decoding->stream, caps);
}

void
gst_h264_decoding_begin_stream (GstH264Decoding *decoding)
{
  gst_h264_decoding_drain (decoding, GST_H264_DRAIN_OUTPUT);
  gst_h264_output_end_stream (&decoding->output);
  gst_h264_tags_begin (&decoding->tags);
}

void
gst_h264_decoding_set_trick_flags (GstH264Decoding *decoding, GstSegmentFlags flags)
{
  g_atomic_int_set (&decoding->trick.flags, flags & TRICK_FLAGS);
}

void
gst_h264_decoding_take_segment (GstH264Decoding *decoding, const GstSegment *segment)
{
  decoding->segment = *segment;
  /* what was decoded in the other direction goes out in that one */
  if (decoding->reverse.active != (segment->rate < 0.0))
    gst_h264_decoding_drain (decoding, GST_H264_DRAIN_SEQUENCE);
  gst_h264_reverse_set_segment (&decoding->reverse, segment);
  gst_h264_decoding_set_trick_flags (decoding, segment->flags);
  /* backwards no frame begins there but the last one */
  decoding->times.segment_start = segment->format == GST_FORMAT_TIME && !decoding->reverse.active ? segment->start : GST_CLOCK_TIME_NONE;
  decoding->output.new_segment = TRUE;
}

/* A key unit at the beginning of a segment is another part of the stream: what waits for output belongs before the segment, and nothing
 * refers to it.  Other pictures go on where the last segment ended, as after a demuxer has corrected its first segment: their order is not
 * to be touched, and frame_num tells if something is missing. */
GstFlowReturn
gst_h264_decoding_begin_part (GstH264Decoding *decoding, GstBuffer *buffer)
{
  GstH264Output *output = &decoding->output;
  GstH264Drain drain = GST_H264_DRAIN_PICTURES;
  GstFlowReturn ret;

  if (output->new_segment && !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT))
    drain = GST_BUFFER_IS_DISCONT (buffer) ? GST_H264_DRAIN_SEQUENCE : GST_H264_DRAIN_OUTPUT;
  ret = gst_h264_decoding_drain (decoding, drain);
  gst_h264_metas_forget (&decoding->view.metas);
  if (drain == GST_H264_DRAIN_SEQUENCE)
    gst_h264_view_reset_recovery (&decoding->view);
  if (output->new_segment) {
    output->new_segment = FALSE;
    gst_h264_qos_set_segment (&decoding->qos, &decoding->segment);
    gst_h264_timestamps_reset (&decoding->times);
    gst_h264_output_append_event (output, gst_h264_tags_take_own (&decoding->tags));
    if (gst_pad_has_current_caps (output->srcpad))
      gst_h264_output_release_events (output);
  }
  return ret;
}

void
gst_h264_decoding_end_picture (GstH264Decoding *decoding)
{
  close_picture (decoding);
  gst_h264_picture_border_forget_picture (&decoding->view.border);
}

gboolean
gst_h264_decoding_delay_event (GstH264Decoding *decoding, GstEvent *event)
{
  const guint n_pictures = g_queue_get_length (&decoding->view.pending);

  if (n_pictures == 0)
    return FALSE;
  gst_h264_output_delay_event (&decoding->output, event, n_pictures);
  return TRUE;
}

GstFlowReturn
gst_h264_decoding_take_set (GstH264Decoding *decoding, const H264Nal *nal)
{
  const gchar *error = NULL;

  /* not a certain end of the picture: there are streams that repeat sets between its slices */
  if (!decoding->view.current)
    gst_h264_picture_border_forget_picture (&decoding->view.border);
  if (gst_h264_stream_take_set (&decoding->stream, nal, &error))
    return GST_FLOW_OK;
  if (error == h264_no_memory)
    return gst_h264_reports_fail_no_memory (&decoding->reports);
  gst_h264_reports_warn_of_set (&decoding->reports, error);
  return GST_FLOW_OK;
}

GstFlowReturn
gst_h264_decoding_take_sei (GstH264Decoding *decoding, const H264Nal *nal)
{
  H264Sei sei;

  if (!h264_sei_read (&decoding->stream.sei_reader, nal, &sei))
    return gst_h264_reports_fail_no_memory (&decoding->reports);
  gst_h264_metas_take_message (&decoding->view.metas, &sei);
  if (sei.has_recovery_point)
    h264_recovery_take_message (&decoding->view.recovery, &sei);
  if (sei.pic_timing_size > 0)
    gst_h264_display_take_message (&decoding->view.display, &sei);
  if (gst_h264_stream_take_sei (&decoding->stream, &sei))
    gst_pad_mark_reconfigure (decoding->output.srcpad);
  return GST_FLOW_OK;
}

/* What was decoded before goes out (in reverse playback all frames do, since those behind the caps are a part of their own), then the new
 * caps.  Where the sequence goes on, references stay, and so does what waits for output: it is of the same size, and pictures that come
 * before it in output order may follow. */
static GstFlowReturn
set_format (GstH264Decoding *decoding, const H264SliceHeader *sh, const GstCodedFormat *format, GstCaps *caps)
{
  GstH264Stream *stream = &decoding->stream;
  const gboolean goes_on = h264_dpb_goes_on_with (decoding->view.frames.dpb, sh);
  GstFlowReturn ret = gst_h264_decoding_drain (decoding, GST_H264_DRAIN_PICTURES);

  if (ret != GST_FLOW_OK)
    return ret;
  if (stream->sps && sh->IdrPicFlag && sh->no_output_of_prior_pics_flag)
    h264_dpb_end_sequence (decoding->view.frames.dpb, TRUE);
  ret = gst_h264_decoding_drain (decoding,
      !goes_on                       ? GST_H264_DRAIN_SEQUENCE
          : decoding->reverse.active ? GST_H264_DRAIN_OUTPUT
                                     : GST_H264_DRAIN_PICTURES);
  if (decoding->reverse.active)
    gst_h264_output_push_actions (&decoding->output, gst_h264_reverse_change_format (&decoding->reverse, format));
  gst_pad_check_reconfigure (decoding->output.srcpad);
  stream->format = *format;
  decoding->times.fps_n = format->fps_n;
  decoding->times.fps_d = format->fps_d;
  if (ret == GST_FLOW_OK)
    ret = gst_h264_output_set_caps (&decoding->output, caps);
  if (ret == GST_FLOW_OK)
    ret = gst_h264_output_choose_arena_pool (&decoding->output, caps, format, h264_decode_pool_get_n_writers (decoding->pool));
  return ret;
}

/* A thread decodes one picture, in CABAC two (h264slicepair.h), but where there are many threads, which keep up all the same: each picture
 * takes memory.  A thread alone, without CABAC, does well with one. */
static guint
choose_max_in_flight (const GstH264Decoding *decoding, const H264SliceHeader *sh)
{
  const guint n_threads = decoding->n_threads;
  const guint decoded = sh->pps->entropy_coding_mode_flag ? MAX (n_threads, MIN (2 * n_threads, MAX_PAIRED_PICTURES)) : n_threads;

  if (decoded == 1)
    return 1;
  return decoded + (h264_sps_is_intra_only (sh->pps->sps) ? INTRA_PICTURES_AHEAD : PICTURES_AHEAD);
}

/* Another PPS may change to CABAC. */
static void
raise_max_in_flight (GstH264Decoding *decoding, const H264SliceHeader *sh)
{
  const guint max_in_flight = choose_max_in_flight (decoding, sh);

  if (max_in_flight <= decoding->max_in_flight)
    return;
  decoding->max_in_flight = max_in_flight;
  update_latency (decoding, decoding->view.frames.dpb->reorder_depth);
}

/* New caps, and another pool, where the SPS of @sh or a neighbour say something new */
static GstFlowReturn
negotiate (GstH264Decoding *decoding, const H264SliceHeader *sh)
{
  GstH264Stream *stream = &decoding->stream;
  GstH264Output *output = &decoding->output;
  H264Sps *sps = sh->pps->sps;
  GstCodedFormat format;
  GstCaps *caps;
  GstFlowReturn ret = GST_FLOW_OK;

  if (stream->sps == sps && output->arena_pool && !output->outgrown && !GST_PAD_NEEDS_RECONFIGURE (output->srcpad)) {
    raise_max_in_flight (decoding, sh);
    return GST_FLOW_OK;
  }
  decoding->max_in_flight = choose_max_in_flight (decoding, sh);
  caps = gst_h264_stream_make_caps (stream, sps, decoding->view.display.caps_have_fields, get_max_in_flight (decoding), &format);
  if (!gst_h264_output_has_caps (output, caps)) {
    ret = set_format (decoding, sh, &format, caps);
  } else if (gst_pad_check_reconfigure (output->srcpad) || !output->arena_pool || output->outgrown) {
    ret = gst_h264_decoding_drain (decoding, GST_H264_DRAIN_PICTURES);
    if (ret == GST_FLOW_OK)
      ret = gst_h264_output_choose_arena_pool (output, caps, &stream->format, h264_decode_pool_get_n_writers (decoding->pool));
  }
  gst_caps_unref (caps);
  if (ret != GST_FLOW_OK)
    return ret;
  gst_h264_stream_set_sps (stream, sps);
  update_latency (decoding, h264_dpb_get_reorder_depth (decoding->view.frames.dpb, sps));
  return GST_FLOW_OK;
}

static GstFlowReturn
begin_picture (GstH264Decoding *decoding, const H264SliceHeader *sh, GstH264Input *input)
{
  GstH264View *view = &decoding->view;
  H264PicTiming timing;
  GstFlowReturn ret;

  if (gst_h264_display_begin_picture (&view->display, sh, decoding->stream.sps != sh->pps->sps, &timing))
    gst_pad_mark_reconfigure (decoding->output.srcpad);
  ret = negotiate (decoding, sh);
  if (ret == GST_FLOW_OK)
    ret = gst_h264_view_begin_picture (view, &timing, input, decoding->output.arena_pool);
  if (ret == GST_FLOW_OK)
    handle_late (decoding);
  return ret;
}

/* What no stage can do yet is refused by name. */
static GstFlowReturn
check_supported (GstH264Decoding *decoding, const H264SliceHeader *sh)
{
  if (h264_slice_is_switching (sh))
    return gst_h264_decoding_refuse (decoding, "SP and SI slices (Extended profile)", "slices of types I, P and B can be decoded");
  return GST_FLOW_OK;
}

/* Whether the segment wants the slice read last.  Key pictures that are all that is wanted refer to nothing that came before. */
static GstFlowReturn
choose_slice (GstH264Decoding *decoding, const H264SliceHeader *sh, GstH264Input *input, gboolean *wanted)
{
  gboolean begins_key;
  const GstH264TrickChoice choice =
      gst_h264_trick_choose (&decoding->trick, sh, GST_BUFFER_FLAG_IS_SET (input->buffer, GST_BUFFER_FLAG_DELTA_UNIT), &begins_key);
  GstFlowReturn ret = GST_FLOW_OK;

  *wanted = choice != GST_H264_TRICK_LEAVE_OUT;
  decoding->view.expects_gaps = gst_h264_trick_allows_gaps (&decoding->trick);
  input->hidden = choice == GST_H264_TRICK_HIDE || gst_h264_reverse_hides (&decoding->reverse);
  if (begins_key) {
    ret = gst_h264_decoding_drain (decoding, GST_H264_DRAIN_SEQUENCE);
    gst_h264_view_restart_recovery (&decoding->view);
  } else if (!*wanted) {
    gst_h264_view_forget_messages (&decoding->view);
  }
  return ret;
}

/* A picture with more slices than its header arena has room for gets a larger one, and so do those that come. */
static GstFlowReturn
make_room (GstH264Decoding *decoding)
{
  GstH264Picture *picture = decoding->view.current;

  if (!h264_picture_job_needs_room (picture->job))
    return GST_FLOW_OK;
  h264_decode_pool_wait (decoding->pool, &picture->state);
  return gst_h264_picture_grow (picture, decoding->output.arena_pool, gst_h264_output_outgrow (&decoding->output, picture->job->max_slices),
      &decoding->reports);
}

/* The slice whose header is @sh, in its turn */
static GstFlowReturn
add_slice (GstH264Decoding *decoding, const H264SliceHeader *sh, GstH264Input *input)
{
  GstH264View *view = &decoding->view;
  const gboolean begins_unit = input->begins_unit;
  gboolean wanted;
  GstFlowReturn ret;

  input->begins_unit = FALSE;
  if (gst_h264_view_comes_again (view, input, begins_unit)) {
    GST_DEBUG_OBJECT (decoding->reports.element, "a slice comes again: left out");
    return GST_FLOW_OK;
  }
  ret = check_supported (decoding, sh);
  if (ret != GST_FLOW_OK || !gst_h264_view_has_macroblocks (view))
    return ret;
  ret = choose_slice (decoding, sh, input, &wanted);
  if (ret != GST_FLOW_OK || !wanted)
    return ret;
  if (gst_h264_view_is_behind_picture (view, begins_unit)) {
    gst_h264_reports_warn (&decoding->reports, "a slice comes again behind its picture");
    return GST_FLOW_OK;
  }
  if (gst_h264_view_is_next_picture (view, begins_unit))
    close_picture (decoding);
  if (view->current)
    input->discont &= !input->frame_discont;
  else if (gst_h264_view_can_begin (view, input))
    ret = begin_picture (decoding, sh, input);
  if (ret == GST_FLOW_OK && view->current)
    ret = make_room (decoding);
  if (ret == GST_FLOW_OK && view->current)
    ret = gst_h264_view_add_slice (view, input);
  return ret;
}

GstFlowReturn
gst_h264_decoding_take_slice (GstH264Decoding *decoding, const H264Nal *nal, GstH264Input *input)
{
  GstH264View *view = &decoding->view;
  const H264SliceHeader *sh = gst_h264_view_read_slice (view, nal, decoding->stream.sets);
  GstFlowReturn ret;

  if (!sh) {
    gst_h264_metas_pass_slice (&view->metas);
    return view->lost == h264_no_memory ? gst_h264_reports_fail_no_memory (&decoding->reports) : GST_FLOW_OK;
  }
  ret = add_slice (decoding, sh, input);
  /* where it began no picture, what came before it belongs to one that is left out */
  gst_h264_metas_forget (&view->metas);
  return ret;
}

GstFlowReturn
gst_h264_decoding_run (GstH264Decoding *decoding)
{
  const guint max_in_flight = get_max_in_flight (decoding);
  GstFlowReturn ret = GST_FLOW_OK;

  gst_h264_view_run (&decoding->view);
  /* alone, a picture that is complete does not wait for the next one's first slice */
  if (max_in_flight == 1 && gst_h264_view_is_complete (&decoding->view))
    close_picture (decoding);
  while (ret == GST_FLOW_OK && gst_h264_view_has_ready (&decoding->view, max_in_flight))
    ret = push_oldest (decoding);
  return ret;
}
