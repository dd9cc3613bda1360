/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Beginning in the middle of a stream, and coming right again after losses, as far as headers tell: recovery points (D.2.8), leading
 * pictures, damage that a recovery point makes good.
 *
 * For each picture, in decoding order: h264_recovery_take_message() where a recovery point SEI message comes before it,
 * h264_recovery_begin_picture() when the DPB has begun it, h264_recovery_end_picture() when its slices are decoded.  The last one may come
 * later, when other pictures have begun.
 */
#pragma once

#include "h264dpb.h"
#include "h264sei.h"

G_BEGIN_DECLS

/**
 * H264RecoveryState:
 * @H264_RECOVERY_NOT_STARTED: no picture has come yet
 * @H264_RECOVERY_SOUND: an IDR picture has come: no picture depends on what was before it
 * @H264_RECOVERY_WAITING: decoding began with another picture.  Pictures may depend on what was before it, and no recovery point is known:
 *   the next recovery point, I picture or IDR picture helps
 * @H264_RECOVERY_RECOVERING: the same, but a recovery point is known: pictures are right from there on
 * @H264_RECOVERY_RECOVERED: it is reached.  Pictures are right but for leading ones.  Marking and lists may still name pictures from before
 *   the beginning
 *
 * How pictures depend on what was before the beginning of decoding.  Losses are told apart from that: H264LossState.
 */
typedef enum
{
  H264_RECOVERY_NOT_STARTED,
  H264_RECOVERY_SOUND,
  H264_RECOVERY_WAITING,
  H264_RECOVERY_RECOVERING,
  H264_RECOVERY_RECOVERED,
} H264RecoveryState;

/**
 * H264LossState:
 * @H264_LOSS_NONE: no frame is missing since the beginning, or since the last recovery point was announced
 * @H264_LOSS_OPEN: frames are missing, and no recovery point has been announced since
 * @H264_LOSS_PASSED: a recovery point was announced since, and reached: pictures that follow it in output order do not depend on the
 *   missing frames
 *
 * Frames that were lost in the midst of decoding.
 */
typedef enum
{
  H264_LOSS_NONE,
  H264_LOSS_OPEN,
  H264_LOSS_PASSED,
} H264LossState;

/* H264RecoveryPoint.frame_cnt where there is no recovery point */
#define H264_NO_RECOVERY_POINT (-1)

/**
 * H264RecoveryPoint:
 * @frame_cnt: recovery_frame_cnt: so many increments of frame_num behind the picture that the message belongs to; or
 *   H264_NO_RECOVERY_POINT
 * @frame_num: of that picture
 * @broken_link: broken_link_flag of the message
 */
typedef struct
{
  gint frame_cnt;
  guint32 frame_num;
  gboolean broken_link;
} H264RecoveryPoint;

/**
 * H264Recovery:
 * @message: of the SEI message that belongs to the next picture
 * @point: the recovery point to come; there is one in H264_RECOVERY_RECOVERING, there is none in H264_RECOVERY_WAITING
 * @first_poc: inter pictures with a lower PicOrderCnt are leading: they refer to pictures from before the beginning, or before a broken
 *   link.  G_MININT32: there are none
 * @point_poc: PicOrderCnt of the last recovery point: pictures with a lower one may refer to what is before it.  G_MININT32: there are none
 * @damaged: something was lost since the last recovery point was announced, as far as pictures have been ended
 * @first_sound: frames before this number count as sound references: a recovery point says that their damage is not referred to
 */
typedef struct
{
  H264RecoveryState state;
  H264LossState loss;
  H264RecoveryPoint message, point;
  gint32 first_poc, point_poc;
  gboolean damaged;
  guint32 first_sound;
} H264Recovery;

/**
 * H264PictureRecovery:
 * @announces: an IDR picture, or one whose recovery point is the one to wait for
 * @is_point: at the recovery point: right, unless something was lost since it was announced
 * @hidden: not to be relied on, and known to be so: before the recovery point, or leading
 * @joined: no IDR picture has come since the beginning: marking and lists may name pictures from before it
 * @before_point: decoded behind the last recovery point, and before it in output order: what is damaged for this picture is what always was
 * @unsure: its lists may not be the encoder's: frames before number @first_after_loss may have been marked otherwise there
 * @first_sound: frames before this number count as sound references of this picture; known once the picture is ended
 *
 * What recovery means for a picture.
 */
typedef struct
{
  gboolean announces, is_point, hidden, joined, before_point, unsure;
  guint32 first_after_loss, first_sound;
} H264PictureRecovery;

/* As before the first picture; first_sound stays, since frames go on counting. */
void h264_recovery_reset (H264Recovery *recovery);

/* @sei has a recovery point, which belongs to the next picture. */
void h264_recovery_take_message (H264Recovery *recovery, const H264Sei *sei);

/* The picture that the message belongs to is not decoded. */
void h264_recovery_forget_message (H264Recovery *recovery);

/* Whether decoding can begin with the picture of @sh, so that it comes right at some time */
gboolean h264_recovery_can_begin_with (const H264Recovery *recovery, const H264SliceHeader *sh);

/* Whether pictures are not right yet, since decoding began in the middle of the stream */
static inline gboolean
h264_recovery_is_before_point (const H264Recovery *recovery)
{
  return recovery->state == H264_RECOVERY_WAITING || recovery->state == H264_RECOVERY_RECOVERING;
}

/* The DPB has begun the picture of @sh as @dpb_picture. */
void h264_recovery_begin_picture (H264Recovery *recovery, const H264SliceHeader *sh, const H264DpbPicture *dpb_picture,
    H264PictureRecovery *picture);

/* Picture order counts start again at a picture with memory_management_control_operation 5: what comes behind it is not leading. */
void h264_recovery_restart_poc (H264Recovery *recovery);

/* The picture of frame @number is decoded; @lost: data of it are missing, not only of pictures that it refers to. */
void h264_recovery_end_picture (H264Recovery *recovery, H264PictureRecovery *picture, guint32 number, gboolean lost);

G_END_DECLS
