/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264view.h"

#include "gsth264damage.h"
#include "h264memory.h"

#define GST_CAT_DEFAULT gst_h264_entropy_debug

#define OUTPUT_CORRUPT_HELPS "output-corrupt=true shows the pictures that can be decoded nevertheless"

void
gst_h264_view_init (GstH264View *view, GstH264Reports *reports, GstH264Timestamps *times, GstH264Qos *qos, GstH264Reverse *reverse)
{
  view->reports = reports;
  view->times = times;
  view->qos = qos;
  view->reverse = reverse;
  g_queue_init (&view->pending);
  g_queue_init (&view->idle);
}

void
gst_h264_view_start (GstH264View *view, H264DecodePool *pool)
{
  view->pool = pool;
  gst_h264_frames_init (&view->frames);
  view->frames.dpb->strict = view->border.strict;
  view->slice = g_new0 (H264JobSlice, 1);
  view->recovery.first_sound = 0;
  h264_recovery_reset (&view->recovery);
  gst_h264_display_init (&view->display);
  view->has_output = view->is_late = FALSE;
}

void
gst_h264_view_stop (GstH264View *view)
{
  GstH264Picture *picture;

  gst_h264_view_flush (view);
  while ((picture = g_queue_pop_head (&view->idle)))
    gst_h264_picture_free (picture);
  g_clear_pointer (&view->slice, h264_job_slice_free);
  gst_h264_frames_clear (&view->frames);
  view->pool = NULL;
}

static void
recycle_picture (GstH264View *view, GstH264Picture *picture)
{
  gst_h264_picture_clear (picture);
  g_queue_push_tail (&view->idle, picture);
}

void
gst_h264_view_flush (GstH264View *view)
{
  GstH264Picture *picture;

  /* pictures wait for those before them, so they end in order */
  while ((picture = g_queue_pop_head (&view->pending))) {
    if (picture->state.closed)
      h264_decode_pool_wait_finished (view->pool, &picture->state);
    else
      h264_decode_pool_wait (view->pool, &picture->state);
    recycle_picture (view, picture);
  }
  view->current = NULL;
  view->lost = view->without_set = NULL;
  gst_h264_picture_border_forget_picture (&view->border);
  gst_h264_frames_flush (&view->frames);
  gst_h264_view_reset_recovery (view);
  gst_h264_display_reset (&view->display);
  gst_h264_metas_forget (&view->metas);
}

void
gst_h264_view_reset_recovery (GstH264View *view)
{
  h264_recovery_reset (&view->recovery);
  gst_h264_picture_border_forget_slice (&view->border);
  view->reports->n_left_out = view->reports->n_waiting = 0;
}

void
gst_h264_view_restart_recovery (GstH264View *view)
{
  const H264RecoveryPoint message = view->recovery.message;

  h264_recovery_reset (&view->recovery);
  view->recovery.message = message;
}

void
gst_h264_view_forget_messages (GstH264View *view)
{
  h264_recovery_forget_message (&view->recovery);
  gst_h264_display_forget_message (&view->display);
  gst_h264_metas_forget (&view->metas);
}

/* Whether nothing has been decoded yet, since parameter sets are missing or broken: that is no damage where a stream is joined */
static gboolean
waits_for_sets (const GstH264View *view)
{
  return view->reports->n_pictures == 0 && !view->current && view->without_set;
}

static const gchar *
explain_sets (const GstH264View *view)
{
  if (view->reports->broken_set)
    return view->reports->broken_set;
  if (view->without_set == h264_pps_is_missing)
    return "no PPS, the parameter set that says how pictures are coded, has come: it is missing, or broken, which parsers leave out";
  if (view->without_set == h264_sps_is_missing)
    return "no SPS, the parameter set that says what the video is, has come: it is missing, or broken, which parsers leave out";
  return view->without_set;
}

/* The header of the slice being read cannot be: it is damaged, or its parameter sets are not there. */
static void
note_unread (GstH264View *view, const gchar *error)
{
  const gboolean damaged = view->slice->header.pps || view->slice->bits.error || error == h264_no_memory;

  *(damaged ? &view->lost : &view->without_set) = error;
  if (error == h264_no_memory)
    return;
  if (damaged || !waits_for_sets (view))
    gst_h264_reports_warn (view->reports, error);
  else if (view->slice->header.first_mb_in_slice == 0)
    gst_h264_reports_wait (view->reports, explain_sets (view), "where the source gives whole NAL units, leave h264parse out");
}

/* Rules for what a header says, but for those that players forgive */
static gboolean
is_allowed (const GstH264View *view, const H264SliceHeader *sh, const gchar **error)
{
  if (h264_slice_is_switching (sh) && sh->pps->sps->profile_idc != H264_PROFILE_EXTENDED) {
    *error = "slice_type is one that the profile does not have";
    return FALSE;
  }
  if (!view->border.strict || !sh->IdrPicFlag || sh->frame_num == 0)
    return TRUE;
  *error = "frame_num of an IDR picture is not 0";
  return FALSE;
}

const H264SliceHeader *
gst_h264_view_read_slice (GstH264View *view, const H264Nal *nal, H264ParamSets *sets)
{
  H264JobSlice *slice = view->slice;
  const gchar *error = NULL;

  if (!h264_rbsp_set (&slice->rbsp, nal)) {
    view->lost = h264_no_memory;
    return NULL;
  }
  slice->nal_size = nal->size;
  h264_rbsp_read (&slice->rbsp, &slice->bits);
  if (!h264_slice_header_parse (&slice->header, nal, &slice->bits, sets, &error) || !is_allowed (view, &slice->header, &error)) {
    note_unread (view, error);
    return NULL;
  }
  return slice->header.redundant_pic_cnt == 0 ? &slice->header : NULL;
}

gboolean
gst_h264_view_has_macroblocks (GstH264View *view)
{
  if (h264_bits_more_rbsp_data (&view->slice->bits))
    return TRUE;
  view->lost = "a slice ends before its first macroblock";
  gst_h264_reports_warn (view->reports, view->lost);
  return FALSE;
}

gboolean
gst_h264_view_is_behind_picture (const GstH264View *view, gboolean begins_unit)
{
  return !view->current && gst_h264_picture_border_is_behind (&view->border, view->slice, begins_unit);
}

gboolean
gst_h264_view_is_next_picture (GstH264View *view, gboolean begins_unit)
{
  const H264JobSlice *same;

  if (!view->current)
    return FALSE;
  if (gst_h264_picture_border_is_between (gst_h264_picture_header (view->current), &view->slice->header))
    return TRUE;
  same = view->border.strict ? NULL : h264_picture_job_find_slice_at (view->current->job, &view->slice->header);
  if (!same || begins_unit)
    return same != NULL;
  return gst_h264_picture_border_begins_again (same, view->slice) && gst_h264_view_is_complete (view);
}

gboolean
gst_h264_view_comes_again (GstH264View *view, const GstH264Input *input, gboolean begins_unit)
{
  if (!gst_h264_picture_border_is_last_slice (&view->border, view->slice))
    return FALSE;
  if (!begins_unit)
    return TRUE;
  /* in an access unit of its own it may be a picture that is like the one before: with another time, or where nothing in its header would
   * tell the two apart, unless more is to come of the one before */
  if (GST_BUFFER_PTS (input->buffer) != view->border.last_pts)
    return FALSE;
  return GST_BUFFER_PTS_IS_VALID (input->buffer) || !(view->slice->header.IdrPicFlag || view->frames.dpb->has_constant_frame_num)
      || (view->current && !gst_h264_view_is_complete (view));
}

static gboolean
shows_corrupt (GstH264View *view)
{
  return g_atomic_int_get (&view->output_corrupt);
}

gboolean
gst_h264_view_can_begin (GstH264View *view, GstH264Input *input)
{
  const H264SliceHeader *sh = &view->slice->header;

  if (view->frames.dpb->started || h264_recovery_can_begin_with (&view->recovery, sh) || shows_corrupt (view))
    return TRUE;
  GST_DEBUG_OBJECT (view->reports->element, "a picture without references before any key picture: left out");
  input->left_out = TRUE;
  /* once a picture, unless its first slice is lost */
  if (sh->first_mb_in_slice == 0 && sh->colour_plane_id == 0) {
    view->reports->n_left_out++;
    gst_h264_reports_wait (view->reports,
        "decoding waits for a picture at which it can begin: an IDR picture, an I picture or a recovery point", OUTPUT_CORRUPT_HELPS);
  }
  if (!view->reverse->active)
    gst_h264_reports_request_key_unit (view->reports);
  return FALSE;
}

static void
report_dpb_flags (GstH264View *view, GstH264Picture *picture, guint flags)
{
  if ((flags & H264_DPB_FRAME_NUM_GAP) && !view->expects_gaps)
    picture->damage = "frames are missing (a gap in frame_num)";
  if (flags & H264_DPB_REPEATED_FRAME_NUM)
    picture->damage = "a reference frame came twice, or an IDR picture is missing (frame_num does not go on)";
  if (flags & H264_DPB_FIELD_LOST)
    picture->damage = "a reference field is missing";
  if ((flags & H264_DPB_BAD_MARKING) && !picture->recovery.joined && !view->expects_gaps)
    picture->damage = "reference marking names a picture that is not there";
  if (flags & H264_DPB_TOO_MANY_REFERENCES)
    picture->damage = "there are more reference frames than max_num_ref_frames";
  if (flags & H264_DPB_LATE) {
    /* it comes out behind pictures that it belongs before */
    picture->store->output_flags |= GST_BUFFER_FLAG_CORRUPTED;
    view->is_late = TRUE;
  }
}

/* The frame is next in output order, and has its final times.  FALSE where it is not to be shown: it comes too late */
static gboolean
prepare_output (GstH264View *view, const GstH264Frame *frame)
{
  GstFrameStore *store = frame->store;

  if (frame->skipped || gst_h264_qos_is_late (view->qos, store->pts)) {
    gst_h264_qos_drop (view->qos, store->pts);
    return FALSE;
  }
  if (gst_h264_qos_output (view->qos))
    store->output_flags |= GST_BUFFER_FLAG_DISCONT;
  if (gst_h264_frames_take_discont (&view->frames, store->number))
    store->output_flags |= GST_BUFFER_FLAG_DISCONT;
  return TRUE;
}

/* Appends to @settled what is to be done: @action, or, where the frame is to be output, what comes of that. */
static void
settle_action (GstH264View *view, GstCodedAction action, GArray *settled)
{
  const GstH264Frame *frame = gst_h264_frames_find (&view->frames, action.number);
  gboolean shown = TRUE;

  if (frame && action.output && !frame->hidden) {
    gst_h264_timestamps_set (view->times, &view->frames, frame);
    shown = prepare_output (view, frame);
    if (view->reverse->active) {
      gst_h264_reverse_hold (view->reverse, frame->store, shown, settled);
      if (shown)
        return;
    }
  }
  action.output &= shown && !(frame && frame->hidden);
  /* nobody behind has ever heard of a frame that was not decoded */
  if (!frame || !frame->skipped)
    g_array_append_val (settled, action);
}

void
gst_h264_view_take_actions (GstH264View *view, GArray **taken)
{
  GArray *actions = h264_dpb_take_actions (view->frames.dpb);

  if (!actions)
    return;
  if (!*taken)
    *taken = g_array_sized_new (FALSE, FALSE, sizeof (GstCodedAction), actions->len);
  for (guint i = 0; i < actions->len; i++)
    settle_action (view, g_array_index (actions, GstCodedAction, i), *taken);
  g_array_unref (actions);
}

/* Of a second field in a buffer of its own, too: what tells of the field, not of the frame */
static void
add_metas (GstH264View *view, GstH264Frame *frame, gboolean second_field, const H264PicTiming *timing, GstH264Input *input)
{
  GstBuffer *metas = frame->store->metas;

  if (!second_field || !input->time_used)
    gst_h264_metas_copy (metas, input->buffer, second_field);
  gst_h264_metas_add (&view->metas, metas, input->buffer, &view->slice->header, timing, (guint) view->times->fps_n,
      (guint) view->times->fps_d);
}

static GstH264Frame *
begin_frame (GstH264View *view, const H264DpbPicture *dpb_picture, const H264PicTiming *timing, GstH264Input *input)
{
  GstH264Frame *frame = gst_h264_frames_find_first_field (&view->frames, dpb_picture);
  const gboolean second_field = frame != NULL;

  if (!second_field) {
    frame = gst_h264_frames_add (&view->frames, dpb_picture, input);
    gst_h264_display_set_frame (&view->display, frame, &view->slice->header, timing);
  } else {
    input->discont &= !input->frame_discont;
    gst_h264_display_complete_frame (frame, dpb_picture->poc);
  }
  add_metas (view, frame, second_field, timing, input);
  return frame;
}

/* A picture that is known to be wrong is left out, unless the user wants to see it, or it will come again, behind what it refers to. */
static void
begin_recovery (GstH264View *view, GstH264Picture *picture, GstH264Frame *frame, const H264DpbPicture *dpb_picture, GstH264Input *input)
{
  h264_recovery_begin_picture (&view->recovery, &view->slice->header, dpb_picture, &picture->recovery);
  if (picture->recovery.hidden) {
    frame->store->buffer_flags |= GST_BUFFER_FLAG_CORRUPTED;
    frame->hidden |= !shows_corrupt (view) || view->reverse->active;
    input->left_out = TRUE;
    GST_DEBUG_OBJECT (view->reports->element, "frame %u is %s", frame->store->number,
        h264_recovery_is_before_point (&view->recovery) ? "before the recovery point" : "leading: its references are missing");
  }
  if (picture->recovery.hidden && frame->hidden) {
    view->reports->n_left_out++;
    /* in reverse playback they come again, behind what they refer to */
    if (h264_recovery_is_before_point (&view->recovery) && !view->reverse->active)
      gst_h264_reports_wait (view->reports,
          view->recovery.state == H264_RECOVERY_RECOVERING ? "decoding waits for the recovery point that the stream has announced"
                                                           : "decoding waits for a recovery point, an I picture or an IDR picture",
          OUTPUT_CORRUPT_HELPS);
  } else if (!frame->hidden) {
    view->has_output = TRUE;
    gst_h264_reports_tell_left_out (view->reports);
  }
}

static GstH264Picture *
get_picture (GstH264View *view)
{
  GstH264Picture *picture = g_queue_pop_head (&view->idle);

  return picture ? picture : gst_h264_picture_new ();
}

/* The frame of a field whose partner is lost shows it twice, which is not what was meant. */
static void
flag_lost_field (GstH264View *view, const H264DpbPicture *dpb_picture)
{
  const GstH264Frame *frame = gst_h264_frames_find (&view->frames, dpb_picture->unpaired);

  if (!frame)
    return;
  frame->store->output_flags |= GST_BUFFER_FLAG_CORRUPTED;
  gst_h264_reports_warn (view->reports, "a field is missing: the other one of its frame is alone");
}

/* Whether a picture that begins a frame need not be decoded: it comes too late, and nothing refers to it. */
static gboolean
is_skippable (const GstH264View *view, const H264SliceHeader *sh, const GstH264Input *input)
{
  return sh->nal_ref_idc == 0 && gst_h264_qos_is_late (view->qos, gst_h264_input_get_pts (input));
}

GstFlowReturn
gst_h264_view_begin_picture (GstH264View *view, const H264PicTiming *timing, GstH264Input *input, GstBufferPool *arena_pool)
{
  const H264SliceHeader *sh = &view->slice->header;
  GstH264Picture *picture = get_picture (view);
  GstFlowReturn ret = gst_h264_picture_begin (picture, sh, arena_pool, view->reports);
  const gboolean is_first = !view->frames.dpb->started;
  H264DpbPicture dpb_picture;
  GstH264Frame *frame;

  if (ret != GST_FLOW_OK) {
    gst_h264_picture_free (picture);
    return ret;
  }
  h264_dpb_begin_picture (view->frames.dpb, sh, &dpb_picture);
  flag_lost_field (view, &dpb_picture);
  gst_h264_view_take_actions (view, &picture->actions);
  frame = begin_frame (view, &dpb_picture, timing, input);
  begin_recovery (view, picture, frame, &dpb_picture, input);
  if (!dpb_picture.second_field)
    frame->skipped = is_skippable (view, sh, input);
  picture->skipped = frame->skipped;
  frame->store->discard_corrupted = g_atomic_int_get (&view->discard_corrupted);
  picture->dts = input->time_used ? GST_CLOCK_TIME_NONE : GST_BUFFER_DTS (input->buffer);
  input->time_used = TRUE;
  picture->store = gst_frame_store_ref (frame->store);
  picture->job->motion_map = gst_h264_frames_new_motion_map (&view->frames, sh);
  if (sh->nal_ref_idc != 0)
    gst_h264_frames_set_motion_map (frame, picture->job->motion_map);
  picture->job->current =
      (H264RefPic){ .number = dpb_picture.number, .structure = dpb_picture.structure, .poc = { dpb_picture.poc[0], dpb_picture.poc[1] } };
  /* nothing from before a key picture counts for it; where slices of its own are lost, macroblocks are missing */
  picture->damage = sh->IdrPicFlag ? NULL : view->lost;
  if (GST_BUFFER_FLAG_IS_SET (input->buffer, GST_BUFFER_FLAG_CORRUPTED))
    picture->damage = "upstream says that data is damaged";
  if (!picture->damage && !sh->IdrPicFlag && !is_first)
    picture->damage = view->without_set;
  report_dpb_flags (view, picture, dpb_picture.flags);
  view->lost = view->without_set = NULL;
  view->current = picture;
  g_queue_push_tail (&view->pending, picture);
  return GST_FLOW_OK;
}

/* Where slices come in buffers of their own, they are decoded before the next one is known, where they have to end.  What a damaged one
 * wrote behind that place is taken back, so that the picture does not depend on how its data came. */
static void
end_slices_before (GstH264View *view, GstH264Picture *picture, const H264SliceHeader *sh)
{
  if (!h264_picture_job_has_run_into (picture->job, sh))
    return;
  h264_picture_job_restart (picture->job);
  h264_decode_pool_forget (view->pool, &picture->state);
  picture->ran_on = TRUE;
}

/* The motion of RefPicList1[0] (8.4.1.2.1), or of another @list: of the frame, or of its fields, or of the field */
static void
set_colocated (GstH264View *view, H264MotionSlice *motion, guint list)
{
  const H264RefPic *pic = &motion->lists.list[list][0];
  const GstH264Frame *frame = gst_h264_frames_find (&view->frames, pic->number);

  for (guint i = 0; frame && i < 2; i++) {
    H264MotionMap *map = frame->motion_maps[i];

    /* a field of a frame that was decoded as one has the motion of the frame */
    if (map && ((map->structure & pic->structure) != 0))
      motion->colocated[i] = h264_motion_map_ref (map);
  }
}

/* The reference picture lists of a P or B slice */
static void
set_reference_lists (GstH264View *view, H264JobSlice *slice)
{
  H264MotionSlice *motion = &slice->motion;

  if (!h264_dpb_get_ref_lists (view->frames.dpb, &slice->header, &motion->lists) && !view->current->recovery.joined && !view->expects_gaps)
    view->current->damage = "a reference list names a picture that is not there";
  set_colocated (view, motion, slice->header.slice_type == H264_SLICE_B ? 1 : 0);
}

/* Whether a slice of the picture names the PPS that the slice read last does, and had another one under that number.  The content of an
 * active PPS stays until the picture ends (7.4.1.2.1), so the new one may be damage, or of a picture whose beginning is lost. */
static gboolean
has_replaced_pps (const GstH264View *view)
{
  const H264PictureJob *job = view->current->job;
  const H264SliceHeader *sh = &view->slice->header;

  /* slices of one PPS are one comparison */
  if (job->n_slices > 0 && h264_picture_job_slice (job, job->n_slices - 1)->header.pps == sh->pps)
    return FALSE;
  for (guint i = 0; i < job->n_slices; i++) {
    const H264SliceHeader *earlier = &h264_picture_job_slice (job, i)->header;

    if (earlier->pic_parameter_set_id == sh->pic_parameter_set_id && earlier->pps != sh->pps)
      return TRUE;
  }
  return FALSE;
}

GstFlowReturn
gst_h264_view_add_slice (GstH264View *view, const GstH264Input *input)
{
  GstH264Picture *picture = view->current;
  const gchar *error;

  /* nothing of the picture may change while the pool reads it; a picture whose slices come in one buffer does not wait here */
  h264_decode_pool_wait (view->pool, &picture->state);
  end_slices_before (view, picture, &view->slice->header);
  gst_h264_picture_border_take_slice (&view->border, view->slice, GST_BUFFER_PTS (input->buffer));
  if (!h264_slice_type_is_intra (view->slice->header.slice_type))
    set_reference_lists (view, view->slice);
  if (view->slice->rbsp.illegal_sequence && !picture->damage)
    picture->damage = "a NAL unit has a byte sequence that none may contain";
  if (!picture->damage && has_replaced_pps (view))
    picture->damage = "a PPS changes between slices that use it";
  if (h264_picture_job_add_slice (picture->job, &view->slice, &error))
    return GST_FLOW_OK;
  h264_motion_slice_clear_colocated (&view->slice->motion);
  picture->damage = error;
  return error == h264_no_memory ? gst_h264_reports_fail_no_memory (view->reports) : GST_FLOW_OK;
}

void
gst_h264_view_close_picture (GstH264View *view)
{
  GstH264Picture *picture = view->current;
  guint flags;

  if (!picture)
    return;
  flags = h264_dpb_end_picture (view->frames.dpb, gst_h264_picture_header (picture));
  report_dpb_flags (view, picture, flags);
  if (flags & H264_DPB_RESTART)
    h264_recovery_restart_poc (&view->recovery);
  gst_h264_view_take_actions (view, &picture->actions);
  gst_h264_picture_set_references (picture, &view->frames);
  gst_h264_picture_border_take_picture (&view->border, h264_picture_job_slice (picture->job, 0));
  if (picture->skipped)
    h264_decode_pool_give_up (view->pool, picture->job, &picture->state);
  else
    h264_decode_pool_close (view->pool, picture->job, &picture->state);
  view->current = NULL;
  view->reports->n_pictures++;
}

void
gst_h264_view_run (GstH264View *view)
{
  GstH264Picture *picture = view->current;

  if (picture && !picture->ran_on && !picture->skipped)
    h264_decode_pool_run (view->pool, picture->job, &picture->state);
}

gboolean
gst_h264_view_is_complete (GstH264View *view)
{
  GstH264Picture *picture = view->current;

  if (!picture)
    return FALSE;
  h264_decode_pool_wait (view->pool, &picture->state);
  return h264_picture_job_is_complete (picture->job);
}

gboolean
gst_h264_view_has_ready (GstH264View *view, guint max_in_flight)
{
  GstH264Picture *oldest = g_queue_peek_head (&view->pending);

  return oldest && oldest->state.closed
      && (max_in_flight == 1 || g_queue_get_length (&view->pending) > max_in_flight
          || h264_decode_pool_is_finished (view->pool, &oldest->state));
}

GstFlowReturn
gst_h264_view_take_oldest (GstH264View *view, GstBuffer **buffer, GArray **actions)
{
  GstH264Picture *picture = g_queue_pop_head (&view->pending);
  GstFlowReturn ret = GST_FLOW_OK;

  *buffer = NULL;
  *actions = NULL;
  h264_decode_pool_wait_finished (view->pool, &picture->state);
  if (picture->job->error == h264_no_memory) {
    ret = gst_h264_reports_fail_no_memory (view->reports);
  } else if (picture->skipped) {
    h264_recovery_end_picture (&view->recovery, &picture->recovery, picture->store->number, FALSE);
    *actions = g_steal_pointer (&picture->actions);
  } else {
    gst_h264_damage_note (picture, &view->recovery, view->reports);
    *buffer = gst_h264_picture_take_buffer (picture);
  }
  recycle_picture (view, picture);
  return ret;
}

static GArray *
append_actions (GArray *actions, const GArray *more)
{
  if (more)
    g_array_append_vals (actions, more->data, more->len);
  return actions;
}

GArray *
gst_h264_view_abandon (GstH264View *view)
{
  GArray *actions = g_array_new (FALSE, FALSE, sizeof (GstCodedAction)), *last;

  gst_h264_view_close_picture (view);
  for (const GList *pending = view->pending.head; pending; pending = pending->next)
    append_actions (actions, ((const GstH264Picture *) pending->data)->actions);
  h264_dpb_end_sequence (view->frames.dpb, TRUE);
  last = h264_dpb_take_actions (view->frames.dpb);
  append_actions (actions, last);
  g_clear_pointer (&last, g_array_unref);
  for (guint i = 0; i < actions->len; i++)
    g_array_index (actions, GstCodedAction, i).output = FALSE;
  gst_h264_view_flush (view);
  return actions;
}

const gchar *
gst_h264_view_explain_no_output (const GstH264View *view)
{
  if (waits_for_sets (view))
    return explain_sets (view);
  if (view->lost || view->without_set)
    return view->lost ? view->lost : view->without_set;
  if (view->recovery.state == H264_RECOVERY_RECOVERING)
    return "it ends before its recovery point is reached; output-corrupt=true of h264entropy shows the pictures before that";
  if (view->recovery.state == H264_RECOVERY_NOT_STARTED && view->reports->n_left_out == 0)
    return "there is none in what came";
  return "it has none at which decoding can begin: an IDR picture or a recovery point; "
         "output-corrupt=true of h264entropy shows what there is";
}
