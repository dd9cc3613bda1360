/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264recovery.h"

static const H264RecoveryPoint no_point = { .frame_cnt = H264_NO_RECOVERY_POINT };

static gboolean
is_there (const H264RecoveryPoint *point)
{
  return point->frame_cnt != H264_NO_RECOVERY_POINT;
}

void
h264_recovery_reset (H264Recovery *recovery)
{
  const guint32 first_sound = recovery->first_sound;

  *recovery = (H264Recovery){ .state = H264_RECOVERY_NOT_STARTED,
    .loss = H264_LOSS_NONE,
    .message = no_point,
    .point = no_point,
    .first_poc = G_MININT32,
    .point_poc = G_MININT32,
    .first_sound = first_sound };
}

void
h264_recovery_take_message (H264Recovery *recovery, const H264Sei *sei)
{
  recovery->message = (H264RecoveryPoint){ .frame_cnt = (gint) sei->recovery_frame_cnt, .broken_link = sei->broken_link_flag };
}

void
h264_recovery_forget_message (H264Recovery *recovery)
{
  recovery->message = no_point;
}

gboolean
h264_recovery_can_begin_with (const H264Recovery *recovery, const H264SliceHeader *sh)
{
  return sh->IdrPicFlag || is_there (&recovery->message) || sh->slice_type == H264_SLICE_I;
}

/* Increments of frame_num since the picture whose message told of the recovery point to come */
static guint
count_frames (const H264Recovery *recovery, const H264SliceHeader *sh)
{
  return (sh->frame_num - recovery->point.frame_num) & (sh->pps->sps->MaxFrameNum - 1);
}

/* Whether the recovery point that the message before the picture of @sh tells of is the one to wait for: not where an earlier message told
 * of a nearer one, and nothing was lost since.  Streams with gradual refresh may announce the next one before the last is reached. */
static gboolean
is_next_point (const H264Recovery *recovery, const H264SliceHeader *sh, gboolean comes_after_loss)
{
  return !is_there (&recovery->point) || recovery->loss == H264_LOSS_OPEN || comes_after_loss
      || count_frames (recovery, sh) + (guint) recovery->message.frame_cnt < (guint) recovery->point.frame_cnt;
}

/* Pictures are right from this one on, in output order. */
static void
recover (H264Recovery *recovery, gint32 PicOrderCnt)
{
  recovery->state = H264_RECOVERY_RECOVERED;
  recovery->first_poc = PicOrderCnt;
}

/* A picture at the recovery point */
static void
pass_point (H264Recovery *recovery, gint32 PicOrderCnt)
{
  recovery->point = no_point;
  recovery->point_poc = PicOrderCnt;
  if (h264_recovery_is_before_point (recovery))
    recover (recovery, PicOrderCnt);
  else if (is_there (&recovery->message) && recovery->message.broken_link)
    recovery->first_poc = PicOrderCnt;
}

static void
begin_idr_picture (H264Recovery *recovery, H264PictureRecovery *picture)
{
  recovery->state = H264_RECOVERY_SOUND;
  recovery->point = no_point;
  recovery->first_poc = recovery->point_poc = G_MININT32;
  picture->announces = picture->is_point = TRUE;
}

static void
begin_other_picture (H264Recovery *recovery, const H264SliceHeader *sh, const H264DpbPicture *dpb_picture, gboolean comes_after_loss,
    H264PictureRecovery *picture)
{
  if (dpb_picture->flags & H264_DPB_NO_IDR)
    recovery->state = is_there (&recovery->point) ? H264_RECOVERY_RECOVERING : H264_RECOVERY_WAITING;
  if (is_there (&recovery->message) && is_next_point (recovery, sh, comes_after_loss)) {
    recovery->point = recovery->message;
    recovery->point.frame_num = sh->frame_num;
    if (recovery->state == H264_RECOVERY_WAITING)
      recovery->state = H264_RECOVERY_RECOVERING;
    picture->announces = TRUE;
  } else if (!is_there (&recovery->message) && recovery->state == H264_RECOVERY_WAITING && sh->slice_type == H264_SLICE_I) {
    /* nobody says so, but where would one begin else */
    recover (recovery, dpb_picture->PicOrderCnt);
  }
  if (is_there (&recovery->point) && count_frames (recovery, sh) >= (guint) recovery->point.frame_cnt) {
    pass_point (recovery, dpb_picture->PicOrderCnt);
    picture->is_point = TRUE;
  }
}

/* Which pictures after a loss may refer to other pictures than the encoder meant, though none is missing in their lists */
static void
update_loss (H264Recovery *recovery, const H264PictureRecovery *picture, gboolean comes_after_loss)
{
  if (comes_after_loss)
    recovery->loss = picture->announces ? H264_LOSS_NONE : H264_LOSS_OPEN;
  else if (picture->announces && recovery->loss == H264_LOSS_OPEN)
    recovery->loss = H264_LOSS_NONE;
  if (picture->is_point && recovery->loss != H264_LOSS_OPEN)
    recovery->loss = H264_LOSS_PASSED;
}

void
h264_recovery_begin_picture (H264Recovery *recovery, const H264SliceHeader *sh, const H264DpbPicture *dpb_picture,
    H264PictureRecovery *picture)
{
  const gboolean comes_after_loss =
      (dpb_picture->flags & (H264_DPB_FRAME_NUM_GAP | H264_DPB_REPEATED_FRAME_NUM | H264_DPB_FIELD_LOST)) != 0;
  const gint32 PicOrderCnt = dpb_picture->PicOrderCnt;
  gboolean leading;

  *picture = (H264PictureRecovery){ .first_after_loss = dpb_picture->first_after_loss };
  if (sh->IdrPicFlag)
    begin_idr_picture (recovery, picture);
  else
    begin_other_picture (recovery, sh, dpb_picture, comes_after_loss, picture);
  recovery->message = no_point;
  update_loss (recovery, picture, comes_after_loss);
  leading = PicOrderCnt < recovery->first_poc && !h264_slice_type_is_intra (sh->slice_type);
  picture->hidden = h264_recovery_is_before_point (recovery) || leading;
  picture->joined = h264_recovery_is_before_point (recovery) || recovery->state == H264_RECOVERY_RECOVERED;
  picture->before_point = PicOrderCnt < recovery->point_poc;
  picture->unsure = (dpb_picture->flags & H264_DPB_UNSURE) && !(recovery->loss == H264_LOSS_PASSED && !picture->before_point);
}

void
h264_recovery_restart_poc (H264Recovery *recovery)
{
  recovery->first_poc = recovery->point_poc = G_MININT32;
}

void
h264_recovery_end_picture (H264Recovery *recovery, H264PictureRecovery *picture, guint32 number, gboolean lost)
{
  if (picture->announces)
    recovery->damaged = FALSE;
  recovery->damaged |= lost;
  if (picture->is_point && !recovery->damaged)
    recovery->first_sound = number;
  /* the point says nothing of what such a picture refers to */
  picture->first_sound = picture->before_point ? 0 : recovery->first_sound;
}
