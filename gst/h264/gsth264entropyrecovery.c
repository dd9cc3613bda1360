/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Beginning in the middle of a stream, and coming right again after losses: recovery points (D.2.8), leading pictures, damage that spreads,
 * key units asked for.
 */
#include "gsth264entropy.h"

#define GST_CAT_DEFAULT gst_h264_entropy_debug

/* A key unit takes its time to come: no second request before */
#define KEY_UNIT_INTERVAL (1 * G_USEC_PER_SEC)

/* Nobody may be reading the bus. */
#define MAX_NOTES 20

static gboolean
shows_corrupt (GstH264Entropy *self)
{
  gboolean output_corrupt;

  GST_OBJECT_LOCK (self);
  output_corrupt = self->output_corrupt;
  GST_OBJECT_UNLOCK (self);
  return output_corrupt;
}

static void
request_key_unit (GstH264Entropy *self)
{
  GstH264Recovery *recovery = &self->recovery;
  const gint64 now = g_get_monotonic_time ();

  if (recovery->has_asked && now - recovery->asked_at < KEY_UNIT_INTERVAL)
    return;
  recovery->has_asked = TRUE;
  recovery->asked_at = now;
  GST_DEBUG_OBJECT (self, "asking for a key unit");
  gst_pad_push_event (self->sinkpad, gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, recovery->n_asked++));
}

void
gst_h264_entropy_tell_left_out (GstH264Entropy *self)
{
  GstH264Recovery *recovery = &self->recovery;

  if (recovery->n_left_out > 0 && recovery->n_notes++ < MAX_NOTES)
    GST_ELEMENT_INFO (self, STREAM, DECODE, ("Pictures are left out that refer to others which are not there: %u.", recovery->n_left_out),
        ("output-corrupt=true shows those that can be decoded nevertheless"));
  recovery->n_left_out = 0;
}

gboolean
gst_h264_entropy_can_start (GstH264Entropy *self, const H264SliceHeader *sh)
{
  if (self->dpb->started || sh->IdrPicFlag || self->recovery.has_sei || sh->slice_type == H264_SLICE_I || shows_corrupt (self))
    return TRUE;
  GST_DEBUG_OBJECT (self, "a picture without references before any key picture: left out");
  /* once a picture, unless its first slice is lost */
  self->recovery.n_left_out += sh->first_mb_in_slice == 0 && sh->colour_plane_id == 0;
  request_key_unit (self);
  return FALSE;
}

void
gst_h264_entropy_take_recovery_point (GstH264Entropy *self, const H264Sei *sei)
{
  self->recovery.has_sei = TRUE;
  self->recovery.sei_frame_cnt = sei->recovery_frame_cnt;
  self->recovery.sei_broken_link = sei->broken_link_flag;
}

/* From @sh on in output order, pictures do not depend on what is missing. */
static void
begin_leading (GstH264Entropy *self)
{
  self->recovery.has_leading = TRUE;
  self->recovery.start_poc = self->dpb_picture.PicOrderCnt;
}

/* Whether frames are missing before the picture that begins */
static gboolean
comes_after_loss (const GstH264Entropy *self)
{
  return (self->dpb_picture.flags & (H264_DPB_FRAME_NUM_GAP | H264_DPB_REPEATED_FRAME_NUM)) != 0;
}

/* Whether the recovery point that the SEI message of @sh's picture announces is the one to wait for: not where an earlier message told of a
 * nearer one, and nothing was lost since.  Streams with gradual refresh may announce the next one before the last is reached. */
static gboolean
is_next_recovery_point (const GstH264Entropy *self, const H264SliceHeader *sh)
{
  const GstH264Recovery *recovery = &self->recovery;
  const guint passed = (sh->frame_num - recovery->frame_num) & (sh->pps->sps->MaxFrameNum - 1);

  return !recovery->recovering || recovery->holed || comes_after_loss (self) || passed + recovery->sei_frame_cnt < recovery->frame_cnt;
}

/* A picture that is no IDR picture */
static void
begin_other_picture (GstH264Entropy *self, GstH264Picture *picture, const H264SliceHeader *sh)
{
  GstH264Recovery *recovery = &self->recovery;
  const gboolean starts = (self->dpb_picture.flags & H264_DPB_NO_IDR) != 0;

  if (starts)
    recovery->joined = recovery->wrong = TRUE;
  if (recovery->has_sei && is_next_recovery_point (self, sh)) {
    recovery->recovering = picture->starts_recovery = TRUE;
    recovery->frame_num = sh->frame_num;
    recovery->frame_cnt = recovery->sei_frame_cnt;
  } else if (!recovery->has_sei && recovery->wrong && !recovery->recovering && sh->slice_type == H264_SLICE_I) {
    /* nobody says so, but where would one begin else */
    recovery->wrong = FALSE;
    begin_leading (self);
  }
  if (recovery->recovering && ((sh->frame_num - recovery->frame_num) & (sh->pps->sps->MaxFrameNum - 1)) >= recovery->frame_cnt) {
    if (recovery->wrong || (recovery->has_sei && recovery->sei_broken_link))
      begin_leading (self);
    recovery->recovering = recovery->wrong = FALSE;
    picture->recovered = TRUE;
  }
}

/* Which pictures after a loss may refer to other pictures than the encoder meant, though none is missing in their lists */
static void
begin_trust (GstH264Entropy *self, GstH264Picture *picture)
{
  GstH264Recovery *recovery = &self->recovery;
  const gboolean loss = comes_after_loss (self);

  if (loss)
    recovery->trusted = FALSE;
  recovery->holed = !picture->starts_recovery && (recovery->holed || loss);
  if (picture->recovered && !recovery->holed) {
    recovery->trusted = TRUE;
    recovery->trusted_poc = self->dpb_picture.PicOrderCnt;
  }
  picture->first_after_loss = self->dpb->first_after_loss;
  picture->unsure =
      (self->dpb_picture.flags & H264_DPB_UNSURE) && !(recovery->trusted && self->dpb_picture.PicOrderCnt >= recovery->trusted_poc);
}

void
gst_h264_entropy_begin_recovery (GstH264Entropy *self, GstH264Picture *picture, GstH264Frame *frame, const H264SliceHeader *sh)
{
  GstH264Recovery *recovery = &self->recovery;
  gboolean leading;

  if (sh->IdrPicFlag) {
    recovery->recovering = recovery->wrong = recovery->has_leading = recovery->joined = FALSE;
    picture->starts_recovery = picture->recovered = TRUE;
  } else {
    begin_other_picture (self, picture, sh);
  }
  begin_trust (self, picture);
  leading = recovery->has_leading && self->dpb_picture.PicOrderCnt < recovery->start_poc && !h264_slice_type_is_intra (sh->slice_type);
  recovery->has_sei = FALSE;
  picture->joined = recovery->joined;
  if (recovery->wrong || leading) {
    frame->store->buffer_flags |= GST_BUFFER_FLAG_CORRUPTED;
    frame->hidden = !shows_corrupt (self);
    picture->hidden = TRUE;
    GST_DEBUG_OBJECT (self, "frame %u is %s", frame->store->number,
        leading ? "leading: its references are missing" : "before the recovery point");
  }
  if (frame->hidden) {
    recovery->n_left_out++;
  } else {
    self->has_output = TRUE;
    gst_h264_entropy_tell_left_out (self);
  }
}

/* Picture order counts start again at a picture with memory_management_control_operation 5. */
void
gst_h264_entropy_end_leading (GstH264Entropy *self)
{
  self->recovery.has_leading = FALSE;
}

/* Whether data of the picture itself is missing: not only pictures that it refers to */
static gboolean
has_lost_data (const GstH264Picture *picture)
{
  guint i;

  if (picture->damage != NULL || picture->job->n_concealed > 0)
    return TRUE;
  for (i = 0; i < picture->job->n_slices; i++)
    if (h264_picture_job_slice (picture->job, i)->result.error != NULL)
      return TRUE;
  return FALSE;
}

/* Whether the picture refers to one that is missing or damaged, and was not made good by a recovery point */
static gboolean
has_bad_references (const GstH264Recovery *recovery, const GstH264Picture *picture)
{
  guint i;

  for (i = 0; i < picture->job->references.n; i++) {
    const GstFrameStore *store = picture->references[i];

    if (store == NULL || ((store->buffer_flags & GST_BUFFER_FLAG_CORRUPTED) && store->number >= recovery->first_sound))
      return TRUE;
  }
  return FALSE;
}

/* Whether the picture may refer to others than the encoder meant.  Lists of P slices go by frame_num, so what came behind the loss has its
 * place in them; those of B slices go by PicOrderCnt. */
static gboolean
is_misled (const GstH264Picture *picture)
{
  guint i;

  for (i = 0; picture->unsure && i < picture->job->n_slices; i++)
    if (h264_picture_job_slice (picture->job, i)->header.slice_type == H264_SLICE_B)
      return TRUE;
  for (i = 0; picture->unsure && i < picture->job->references.n; i++)
    if (picture->references[i] != NULL && (gint32) (picture->references[i]->number - picture->first_after_loss) < 0)
      return TRUE;
  return FALSE;
}

void
gst_h264_entropy_note_damage (GstH264Entropy *self, GstH264Picture *picture)
{
  GstH264Recovery *recovery = &self->recovery;
  const gboolean lost = has_lost_data (picture);
  const gchar *damage = picture->damage != NULL ? picture->damage : picture->job->error;

  if (picture->starts_recovery)
    recovery->damaged = FALSE;
  recovery->damaged |= lost;
  if (picture->recovered && !recovery->damaged)
    recovery->first_sound = picture->store->number;
  if (damage != NULL && (lost || !picture->hidden))
    gst_h264_entropy_warn (self, damage);
  if (damage != NULL || has_bad_references (recovery, picture) || is_misled (picture)) {
    picture->store->buffer_flags |= GST_BUFFER_FLAG_CORRUPTED;
    if (lost || !picture->hidden)
      request_key_unit (self);
  }
}

void
gst_h264_entropy_reset_recovery (GstH264Entropy *self)
{
  GstH264Recovery *recovery = &self->recovery;

  recovery->has_sei = recovery->recovering = recovery->wrong = recovery->has_leading = recovery->joined = recovery->damaged = FALSE;
  recovery->holed = recovery->trusted = FALSE;
  recovery->n_left_out = 0;
}
