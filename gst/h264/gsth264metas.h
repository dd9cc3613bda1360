/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What goes with a frame beside its samples: metas of the input, and those made of SEI messages: captions, active format, bars,
 * unregistered user data, timecodes.  A parser upstream may have made the same metas: where the input has one of a kind, none of that kind
 * is made.
 */
#pragma once

#include <gst/gst.h>
#include "h264sei.h"
#include "h264sliceheader.h"

G_BEGIN_DECLS

/**
 * GstH264Metas:
 * @pending: (nullable): a buffer without memory that holds the metas of the picture that comes next
 * @n_pending: how many; there is a limit
 * @is_behind: slice data came since, which could not be read: another picture may be next
 * @seconds, @minutes, @hours: of the last clock timestamp, for those that leave them out
 *
 * Zero-initialise it.
 */
typedef struct
{
  GstBuffer *pending;
  guint n_pending;
  gboolean is_behind;
  guint seconds, minutes, hours;
} GstH264Metas;

/* Forgets what belongs to the picture that comes next: there is none, or it is left out. */
void gst_h264_metas_forget (GstH264Metas *metas);

/* Takes the user data of @sei, which belong to the picture that comes next. */
void gst_h264_metas_take_message (GstH264Metas *metas, const H264Sei *sei);

/* Slice data that cannot be read have come: of the next picture, or of one that will not be seen. */
void gst_h264_metas_pass_slice (GstH264Metas *metas);

/* An access unit begins: no slice of the one before will come. */
void gst_h264_metas_begin_unit (GstH264Metas *metas);

/* Copies those metas of @input to @frame, both buffers, that tell of the video.  @messages_only: those that SEI messages are made into. */
void gst_h264_metas_copy (GstBuffer *frame, GstBuffer *input, gboolean messages_only);

/* Adds to @frame what belongs to the picture of @sh, which comes now, in the buffer @input.  @fps_n, @fps_d: its frame rate, 0/1 where it
 * is not known */
void gst_h264_metas_add (GstH264Metas *metas, GstBuffer *frame, GstBuffer *input, const H264SliceHeader *sh, const H264PicTiming *timing,
    guint fps_n, guint fps_d);

G_END_DECLS
