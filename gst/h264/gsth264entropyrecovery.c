/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What h264recovery says, done: pictures that are left out, damage that spreads, key units asked for.
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
  const gint64 now = g_get_monotonic_time ();

  if (self->n_key_units > 0 && now - self->asked_at < KEY_UNIT_INTERVAL)
    return;
  self->asked_at = now;
  GST_DEBUG_OBJECT (self, "asking for a key unit");
  gst_pad_push_event (self->sinkpad, gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, self->n_key_units++));
}

void
gst_h264_entropy_tell_left_out (GstH264Entropy *self)
{
  if (self->n_left_out > 0 && self->n_notes++ < MAX_NOTES)
    GST_ELEMENT_INFO (self, STREAM, DECODE, ("Pictures are left out that refer to others which are not there: %u.", self->n_left_out),
        ("output-corrupt=true shows those that can be decoded nevertheless"));
  self->n_left_out = 0;
}

gboolean
gst_h264_entropy_can_start (GstH264Entropy *self, const H264SliceHeader *sh)
{
  if (self->dpb->started || h264_recovery_can_begin_with (&self->recovery, sh) || shows_corrupt (self))
    return TRUE;
  GST_DEBUG_OBJECT (self, "a picture without references before any key picture: left out");
  /* once a picture, unless its first slice is lost */
  self->n_left_out += sh->first_mb_in_slice == 0 && sh->colour_plane_id == 0;
  request_key_unit (self);
  return FALSE;
}

void
gst_h264_entropy_begin_recovery (GstH264Entropy *self, GstH264Picture *picture, GstH264Frame *frame, const H264SliceHeader *sh)
{
  h264_recovery_begin_picture (&self->recovery, sh, &self->dpb_picture, &picture->recovery);
  if (picture->recovery.hidden) {
    frame->store->buffer_flags |= GST_BUFFER_FLAG_CORRUPTED;
    frame->hidden = !shows_corrupt (self);
    GST_DEBUG_OBJECT (self, "frame %u is %s", frame->store->number,
        self->recovery.state == H264_RECOVERY_WAITING || self->recovery.state == H264_RECOVERY_RECOVERING
            ? "before the recovery point" : "leading: its references are missing");
  }
  if (frame->hidden) {
    self->n_left_out++;
  } else {
    self->has_output = TRUE;
    gst_h264_entropy_tell_left_out (self);
  }
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
has_bad_references (const H264Recovery *recovery, const GstH264Picture *picture)
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
  const H264PictureRecovery *recovery = &picture->recovery;
  guint i;

  for (i = 0; recovery->unsure && i < picture->job->n_slices; i++)
    if (h264_picture_job_slice (picture->job, i)->header.slice_type == H264_SLICE_B)
      return TRUE;
  for (i = 0; recovery->unsure && i < picture->job->references.n; i++)
    if (picture->references[i] != NULL && (gint32) (picture->references[i]->number - recovery->first_after_loss) < 0)
      return TRUE;
  return FALSE;
}

void
gst_h264_entropy_note_damage (GstH264Entropy *self, GstH264Picture *picture)
{
  const gboolean lost = has_lost_data (picture);
  const gchar *damage = picture->damage != NULL ? picture->damage : picture->job->error;

  h264_recovery_end_picture (&self->recovery, &picture->recovery, picture->store->number, lost);
  if (damage != NULL && (lost || !picture->recovery.hidden))
    gst_h264_entropy_warn (self, damage);
  if (damage != NULL || has_bad_references (&self->recovery, picture) || is_misled (picture)) {
    picture->store->buffer_flags |= GST_BUFFER_FLAG_CORRUPTED;
    if (lost || !picture->recovery.hidden)
      request_key_unit (self);
  }
}

void
gst_h264_entropy_reset_recovery (GstH264Entropy *self)
{
  h264_recovery_reset (&self->recovery);
  self->n_left_out = 0;
}
