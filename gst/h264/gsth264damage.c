/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264damage.h"

/* Whether data of the picture itself is missing: not only pictures that it refers to */
static gboolean
has_lost_data (const GstH264Picture *picture)
{
  if (picture->damage || picture->job->n_concealed > 0)
    return TRUE;
  for (guint i = 0; i < picture->job->n_slices; i++)
    if (h264_picture_job_slice (picture->job, i)->result.error)
      return TRUE;
  return FALSE;
}

/* Whether the picture refers to one that is missing or damaged, and was not made good by a recovery point before this picture in both
 * orders */
static gboolean
has_bad_references (const GstH264Picture *picture)
{
  for (guint i = 0; i < picture->job->references.n; i++) {
    const GstFrameStore *store = picture->references[i];

    if (!store || ((store->buffer_flags & GST_BUFFER_FLAG_CORRUPTED) && store->number >= picture->recovery.first_sound))
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

  for (guint i = 0; recovery->unsure && i < picture->job->n_slices; i++)
    if (h264_picture_job_slice (picture->job, i)->header.slice_type == H264_SLICE_B)
      return TRUE;
  for (guint i = 0; recovery->unsure && i < picture->job->references.n; i++)
    if (picture->references[i] && (gint32) (picture->references[i]->number - recovery->first_after_loss) < 0)
      return TRUE;
  return FALSE;
}

void
gst_h264_damage_note (GstH264Picture *picture, H264Recovery *recovery, GstH264Reports *reports)
{
  const gboolean lost = has_lost_data (picture);
  const gchar *damage = picture->damage ? picture->damage : picture->job->error;

  gst_h264_reports_count_picture (reports, lost);
  h264_recovery_end_picture (recovery, &picture->recovery, picture->store->number, lost);
  if (damage && (lost || !picture->recovery.hidden))
    gst_h264_reports_warn (reports, damage);
  if (damage || has_bad_references (picture) || is_misled (picture)) {
    picture->store->buffer_flags |= GST_BUFFER_FLAG_CORRUPTED;
    if (lost || !picture->recovery.hidden)
      gst_h264_reports_request_key_unit (reports);
  }
}
