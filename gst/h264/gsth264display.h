/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How frames are to be shown: pic_struct and ct_type of pic_timing SEI messages (D.1.3, D.2.3) as GStreamer's flags, interlace-mode and
 * durations.
 */
#pragma once

#include "gsth264frames.h"
#include "h264sei.h"

G_BEGIN_DECLS

/**
 * GstH264Display:
 * @sei: its pic_timing, if there is one, belongs to the next picture
 * @has_fields: pictures of this SPS are shown as two or three fields
 * @caps_have_fields: and the caps shall say so
 * @n_since_repeat: pictures since one that repeats a field
 *
 * What pic_timing SEI messages have said of the fields of frames.
 */
typedef struct
{
  H264Sei sei;
  gboolean has_fields, caps_have_fields;
  guint n_since_repeat;
} GstH264Display;

/* A stream begins: nothing is known. */
void gst_h264_display_init (GstH264Display *display);

/* The same, but caps stay until pictures ask for others. */
void gst_h264_display_reset (GstH264Display *display);

/* @sei has a pic_timing, which belongs to the next picture. */
void gst_h264_display_take_message (GstH264Display *display, const H264Sei *sei);

/* The picture that it belongs to is not decoded. */
void gst_h264_display_forget_message (GstH264Display *display);

/* Before the caps of the picture of @sh; @new_sps: its SPS is not that of the picture before.  Gives what its message says in @timing.
 * TRUE where caps change. */
gboolean gst_h264_display_begin_picture (GstH264Display *display, const H264SliceHeader *sh, gboolean new_sps, H264PicTiming *timing);

/* Flags and duration of a new @frame, which begins with the picture of @sh */
void gst_h264_display_set_frame (GstH264Display *display, GstH264Frame *frame, const H264SliceHeader *sh, const H264PicTiming *timing);

/* The same once the second field of @frame has begun: which is shown first */
void gst_h264_display_complete_frame (GstH264Frame *frame, const gint32 poc[2]);

G_END_DECLS
