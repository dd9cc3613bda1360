/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The life of a picture in h264entropy: slices gather, the pool decodes them, and they leave in order.
 */
#include "gsth264entropy.h"

#define GST_CAT_DEFAULT gst_h264_entropy_debug

/* Damage beyond this many messages is logged only, but for one in a hundred: nobody may be reading the bus. */
#define MAX_WARNINGS 20

void
gst_h264_entropy_warn (GstH264Entropy *self, const gchar *what)
{
  GST_WARNING_OBJECT (self, "damaged stream: %s", what);
  if (self->n_warnings < MAX_WARNINGS || self->n_warnings % 100 == 0)
    GST_ELEMENT_WARNING (self, STREAM, DECODE, ("The stream is damaged: %s.", what), ("after %u pictures", self->n_pictures));
  self->n_warnings++;
}

static GstH264Picture *
picture_new (GstH264Entropy *self)
{
  GstH264Picture *picture = g_queue_pop_head (&self->idle);

  if (picture == NULL) {
    picture = g_new0 (GstH264Picture, 1);
    picture->job = h264_picture_job_new ();
  }
  return picture;
}

/* Empties @picture; nothing of it may be decoding. */
static void
picture_clear (GstH264Picture *picture)
{
  guint i;

  h264_picture_job_reset (picture->job);
  if (picture->buffer != NULL) {
    gst_memory_unmap (gst_buffer_peek_memory (picture->buffer, GST_CODED_MEMORY_HEADER), &picture->header);
    gst_memory_unmap (gst_buffer_peek_memory (picture->buffer, GST_CODED_MEMORY_COEFFS), &picture->coeffs);
    gst_clear_buffer (&picture->buffer);
  }
  for (i = 0; i < GST_GPU_MAX_REFERENCES; i++)
    g_clear_pointer (&picture->references[i], gst_frame_store_unref);
  g_clear_pointer (&picture->store, gst_frame_store_unref);
  g_clear_pointer (&picture->actions, g_array_unref);
  memset (&picture->state, 0, sizeof (picture->state));
  picture->damage = NULL;
  picture->ran_on = FALSE;
}

void
gst_h264_picture_free (GstH264Picture *picture)
{
  picture_clear (picture);
  h264_picture_job_free (picture->job);
  g_free (picture);
}

GstFlowReturn
gst_h264_entropy_refuse (GstH264Entropy *self, const gchar *feature, const gchar *detail)
{
  /* what came before is good */
  gst_h264_entropy_drain (self, GST_H264_DRAIN_OUTPUT);
  GST_ELEMENT_ERROR (self, STREAM, NOT_IMPLEMENTED, ("This stream cannot be decoded: it has %s.", feature), ("%s", detail));
  return GST_FLOW_ERROR;
}

/* What no stage can do yet is refused by name. */
static GstFlowReturn
check_supported (GstH264Entropy *self, const H264SliceHeader *sh)
{
  if (sh->slice_type == H264_SLICE_SP || sh->slice_type == H264_SLICE_SI)
    return gst_h264_entropy_refuse (self, "SP and SI slices (Extended profile)", "slices of types I, P and B can be decoded");
  if (sh->field_pic_flag)
    return gst_h264_entropy_refuse (self, "field pictures (PAFF)", "field_pic_flag is 1; pictures that are frames can be decoded");
  if (sh->MbaffFrameFlag)
    return gst_h264_entropy_refuse (self, "MBAFF frames", "mb_adaptive_frame_field_flag is 1; frames of frame macroblocks can be decoded");
  return GST_FLOW_OK;
}

static GstFlowReturn
map_arenas (GstH264Entropy *self, GstH264Picture *picture)
{
  GstFlowReturn ret = gst_buffer_pool_acquire_buffer (self->arena_pool, &picture->buffer, NULL);

  if (ret != GST_FLOW_OK) {
    if (ret != GST_FLOW_FLUSHING)
      GST_ELEMENT_ERROR (self, RESOURCE, NO_SPACE_LEFT,
          ("No memory for coded pictures of %dx%d.", self->format.coded_width, self->format.coded_height), (NULL));
    return ret;
  }
  if (!gst_memory_map (gst_buffer_peek_memory (picture->buffer, GST_CODED_MEMORY_HEADER), &picture->header, GST_MAP_WRITE)) {
    gst_clear_buffer (&picture->buffer);
  } else if (!gst_memory_map (gst_buffer_peek_memory (picture->buffer, GST_CODED_MEMORY_COEFFS), &picture->coeffs, GST_MAP_WRITE)) {
    gst_memory_unmap (gst_buffer_peek_memory (picture->buffer, GST_CODED_MEMORY_HEADER), &picture->header);
    gst_clear_buffer (&picture->buffer);
  }
  if (picture->buffer == NULL) {
    GST_ELEMENT_ERROR (self, RESOURCE, WRITE, ("The memory of a coded picture cannot be written."), (NULL));
    return GST_FLOW_ERROR;
  }
  return GST_FLOW_OK;
}

/* It comes out behind pictures that it belongs before: later ones get more time. */
static void
report_late (GstH264Entropy *self, GstH264Picture *picture)
{
  picture->store->output_flags |= GST_BUFFER_FLAG_CORRUPTED;
  gst_h264_entropy_update_latency (self, self->dpb->reorder_depth);
  if (self->late_warned)
    return;
  self->late_warned = TRUE;
  GST_ELEMENT_WARNING (self, STREAM, DECODE, ("The stream reorders more pictures than it says; one comes out late."), (NULL));
}

static void
report_dpb_flags (GstH264Entropy *self, GstH264Picture *picture, guint flags)
{
  if (flags & H264_DPB_FRAME_NUM_GAP)
    picture->damage = "frames are missing (a gap in frame_num)";
  if (flags & H264_DPB_REPEATED_FRAME_NUM)
    picture->damage = "a reference frame came twice, or an IDR picture is missing (frame_num does not go on)";
  if ((flags & H264_DPB_BAD_MARKING) && !picture->recovery.joined)
    picture->damage = "reference marking names a picture that is not there";
  if (flags & H264_DPB_TOO_MANY_REFERENCES)
    picture->damage = "there are more reference frames than max_num_ref_frames";
  if (flags & H264_DPB_LATE)
    report_late (self, picture);
}

static GstFlowReturn
begin_picture (GstH264Entropy *self, const H264SliceHeader *sh)
{
  GstFlowReturn ret;
  H264PicTiming timing;
  GstH264Picture *picture;
  GstH264Frame *frame;

  gst_h264_entropy_begin_display (self, sh, &timing);
  ret = gst_h264_entropy_negotiate (self, sh);
  if (ret != GST_FLOW_OK)
    return ret;
  picture = picture_new (self);
  ret = map_arenas (self, picture);
  if (ret == GST_FLOW_OK
      && !h264_picture_job_begin (picture->job, sh, picture->header.data, picture->header.size, picture->coeffs.data,
          picture->coeffs.size)) {
    GST_ELEMENT_ERROR (self, STREAM, FAILED, ("The memory of a coded picture is too small."), (NULL));
    ret = GST_FLOW_ERROR;
  }
  if (ret != GST_FLOW_OK) {
    gst_h264_picture_free (picture);
    return ret;
  }
  h264_dpb_begin_picture (self->dpb, sh, &self->dpb_picture);
  gst_h264_entropy_take_actions (self, &picture->actions);
  frame = gst_h264_entropy_begin_frame (self, sh, &timing);
  gst_h264_entropy_begin_recovery (self, picture, frame, sh);
  picture->dts = self->input_time_used ? GST_CLOCK_TIME_NONE : GST_BUFFER_DTS (self->input);
  self->input_time_used = TRUE;
  picture->store = gst_frame_store_ref (frame->store);
  picture->job->motion_map = h264_motion_map_ref (frame->motion_map);
  picture->job->poc = self->dpb_picture.PicOrderCnt;
  picture->damage = self->lost;
  report_dpb_flags (self, picture, self->dpb_picture.flags);
  self->lost = NULL;
  self->current = picture;
  g_queue_push_tail (&self->pending, picture);
  return GST_FLOW_OK;
}

/* The reference picture lists of a P or B slice */
static void
set_reference_lists (GstH264Entropy *self, H264JobSlice *slice)
{
  H264MotionSlice *motion = &slice->motion;
  GstH264Frame *frame;

  if (!h264_dpb_get_ref_lists (self->dpb, &slice->header, &motion->lists) && !self->current->recovery.joined)
    self->current->damage = "a reference list names a picture that is not there";
  if (slice->header.slice_type != H264_SLICE_B)
    return;
  frame = gst_h264_entropy_find_frame (self, motion->lists.list[1][0].number);
  if (frame != NULL)
    motion->colocated = h264_motion_map_ref (frame->motion_map);
}

/* The header of the current picture's first slice */
static const H264SliceHeader *
current_header (GstH264Entropy *self)
{
  return &h264_picture_job_slice (self->current->job, 0)->header;
}

/* The frames that the picture's slices refer to, before the DPB forgets them */
static void
set_references (GstH264Entropy *self, GstH264Picture *picture)
{
  const H264References *references = &picture->job->references;
  guint i;

  for (i = 0; i < references->n; i++) {
    GstH264Frame *frame = gst_h264_entropy_find_frame (self, references->numbers[i]);

    picture->references[i] = frame != NULL ? gst_frame_store_ref (frame->store) : NULL;
  }
}

GstFlowReturn
gst_h264_entropy_close_picture (GstH264Entropy *self)
{
  GstH264Picture *picture = self->current;
  guint flags;

  if (picture == NULL)
    return GST_FLOW_OK;
  flags = h264_dpb_end_picture (self->dpb, current_header (self));
  report_dpb_flags (self, picture, flags);
  if (flags & H264_DPB_RESTART)
    h264_recovery_restart_poc (&self->recovery);
  gst_h264_entropy_take_actions (self, &picture->actions);
  set_references (self, picture);
  gst_h264_entropy_forget_closed_picture (self);
  self->closed = *current_header (self);
  h264_pps_ref (self->closed.pps);
  h264_decode_pool_close (self->pool, picture->job, &picture->state);
  self->current = NULL;
  self->n_pictures++;
  return GST_FLOW_OK;
}

/* Pushes the oldest picture, which is closed, when it is finished. */
static GstFlowReturn
push_oldest (GstH264Entropy *self)
{
  GstH264Picture *picture = g_queue_pop_head (&self->pending);
  GstBuffer *buffer;

  h264_decode_pool_wait_finished (self->pool, &picture->state);
  gst_h264_entropy_note_damage (self, picture);
  buffer = gst_h264_entropy_make_buffer (self, picture);
  picture_clear (picture);
  g_queue_push_tail (&self->idle, picture);
  return gst_pad_push (self->srcpad, buffer);
}

/* No picture has two SPSs, whatever its slice headers say. */
static gboolean
begins_picture (const H264SliceHeader *last, const H264SliceHeader *sh)
{
  return h264_slice_begins_picture (last, sh) || last->pps->sps != sh->pps->sps;
}

/* A picture that is complete is closed before the next one begins, so what still comes of it is not taken for a picture of its own. */
static gboolean
belongs_to_closed_picture (GstH264Entropy *self, const H264SliceHeader *sh)
{
  return self->current == NULL && self->closed.pps != NULL && !begins_picture (&self->closed, sh);
}

void
gst_h264_entropy_forget_closed_picture (GstH264Entropy *self)
{
  g_clear_pointer (&self->closed.pps, h264_pps_unref);
}

/* Where slices come in buffers of their own, they are decoded before the next one is known, where they have to end.  What a damaged one
 * wrote behind that place is taken back, so that the picture does not depend on how its data came. */
static void
end_slices_before (GstH264Entropy *self, GstH264Picture *picture, const H264SliceHeader *sh)
{
  if (!h264_picture_job_has_run_into (picture->job, sh))
    return;
  h264_picture_job_restart (picture->job);
  h264_decode_pool_forget (self->pool, &picture->state);
  picture->ran_on = TRUE;
}

/* Reads the data of a slice up to slice_data().  FALSE where there is nothing to decode in it. */
static gboolean
read_slice (GstH264Entropy *self, const H264Nal *nal, H264JobSlice *slice)
{
  const gchar *error = NULL;

  h264_rbsp_set (&slice->rbsp, nal);
  h264_rbsp_read (&slice->rbsp, &slice->bits);
  if (slice->rbsp.illegal_sequence) {
    self->lost = "a NAL unit has a byte sequence that none may contain";
    if (self->current != NULL && self->current->damage == NULL)
      self->current->damage = self->lost;
  }
  if (!h264_slice_header_parse (&slice->header, nal, &slice->bits, self->sets, &error)) {
    self->lost = error;
    gst_h264_entropy_warn (self, error);
    return FALSE;
  }
  return slice->header.redundant_pic_cnt == 0;
}

/* The picture that the slice of @sh belongs to becomes the current one; none, where decoding cannot begin with it. */
static GstFlowReturn
find_picture (GstH264Entropy *self, const H264SliceHeader *sh)
{
  GstFlowReturn ret = GST_FLOW_OK;

  if (self->current != NULL && begins_picture (current_header (self), sh))
    ret = gst_h264_entropy_close_picture (self);
  if (ret == GST_FLOW_OK && self->current == NULL && gst_h264_entropy_can_start (self, sh))
    ret = begin_picture (self, sh);
  return ret;
}

static void
add_slice (GstH264Entropy *self, GstH264Picture *picture)
{
  /* nothing of the picture may change while the pool reads it; a picture whose slices come in one buffer does not wait here */
  h264_decode_pool_wait (self->pool, &picture->state);
  end_slices_before (self, picture, &self->slice->header);
  if (!h264_slice_type_is_intra (self->slice->header.slice_type))
    set_reference_lists (self, self->slice);
  if (!h264_picture_job_add_slice (picture->job, &self->slice)) {
    g_clear_pointer (&self->slice->motion.colocated, h264_motion_map_unref);
    picture->damage = "a picture has more slices than it can have";
  }
}

GstFlowReturn
gst_h264_entropy_take_slice (GstH264Entropy *self, const H264Nal *nal)
{
  const H264SliceHeader *sh = &self->slice->header;
  GstFlowReturn ret;

  if (!read_slice (self, nal, self->slice))
    return GST_FLOW_OK;
  ret = check_supported (self, sh);
  if (ret != GST_FLOW_OK)
    return ret;
  if (belongs_to_closed_picture (self, sh)) {
    gst_h264_entropy_warn (self, "a slice comes again behind its picture");
    return GST_FLOW_OK;
  }
  ret = find_picture (self, sh);
  if (ret == GST_FLOW_OK && self->current != NULL)
    add_slice (self, self->current);
  return ret;
}

GstFlowReturn
gst_h264_entropy_run (GstH264Entropy *self)
{
  const guint max_in_flight = gst_h264_entropy_max_in_flight (self);
  GstFlowReturn ret = GST_FLOW_OK;
  GstH264Picture *current = self->current, *oldest;

  if (current != NULL && !current->ran_on)
    h264_decode_pool_run (self->pool, current->job, &current->state);
  /* alone, a picture that is complete does not wait for the next one's first slice */
  if (current != NULL && max_in_flight == 1) {
    h264_decode_pool_wait (self->pool, &current->state);
    if (h264_picture_job_is_complete (current->job))
      gst_h264_entropy_close_picture (self);
  }
  while (ret == GST_FLOW_OK && (oldest = g_queue_peek_head (&self->pending)) != NULL && oldest->state.closed
      && (max_in_flight == 1 || g_queue_get_length (&self->pending) > max_in_flight
          || h264_decode_pool_is_finished (self->pool, &oldest->state)))
    ret = push_oldest (self);
  return ret;
}

GstFlowReturn
gst_h264_entropy_drain (GstH264Entropy *self, GstH264Drain drain)
{
  GstFlowReturn ret = gst_h264_entropy_close_picture (self);
  GArray *actions = NULL;

  while (ret == GST_FLOW_OK && !g_queue_is_empty (&self->pending))
    ret = push_oldest (self);
  if (drain == GST_H264_DRAIN_PICTURES || ret != GST_FLOW_OK)
    return ret;
  if (drain == GST_H264_DRAIN_SEQUENCE)
    h264_dpb_end_sequence (self->dpb, FALSE);
  else
    h264_dpb_drain (self->dpb);
  gst_h264_entropy_take_actions (self, &actions);
  if (actions != NULL) {
    gst_pad_push_event (self->srcpad, gst_coded_actions_event_new ((const GstCodedAction *) actions->data, actions->len));
    g_array_unref (actions);
  }
  return ret;
}

void
gst_h264_entropy_flush (GstH264Entropy *self)
{
  GstH264Picture *picture;

  /* pictures wait for those before them, so they end in order */
  while ((picture = g_queue_pop_head (&self->pending)) != NULL) {
    if (picture->state.closed)
      h264_decode_pool_wait_finished (self->pool, &picture->state);
    else
      h264_decode_pool_wait (self->pool, &picture->state);
    picture_clear (picture);
    g_queue_push_tail (&self->idle, picture);
  }
  self->current = NULL;
  self->lost = NULL;
  gst_clear_buffer (&self->last_input);
  gst_h264_entropy_forget_closed_picture (self);
  g_hash_table_remove_all (self->frames);
  h264_dpb_flush (self->dpb);
  gst_h264_entropy_reset_recovery (self);
  gst_h264_entropy_reset_display (self);
  gst_h264_entropy_reset_timing (self);
}
