/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264display.h"

#include <gst/video/video.h>

/* 2:3 pulldown repeats a field in every other frame; in decoding order, with B pictures between, no more than this many pictures lie
 * between two of them. */
#define TELECINE_WINDOW 8

void
gst_h264_display_init (GstH264Display *display)
{
  display->has_fields = display->caps_have_fields = FALSE;
  gst_h264_display_reset (display);
}

void
gst_h264_display_reset (GstH264Display *display)
{
  display->sei.pic_timing_size = 0;
  display->n_since_repeat = TELECINE_WINDOW + 1;
}

void
gst_h264_display_take_message (GstH264Display *display, const H264Sei *sei)
{
  display->sei = *sei;
}

void
gst_h264_display_forget_message (GstH264Display *display)
{
  display->sei.pic_timing_size = 0;
}

static gboolean
shows_fields (H264PicStruct pic_struct)
{
  return pic_struct >= H264_PIC_STRUCT_TOP_BOTTOM && pic_struct <= H264_PIC_STRUCT_BOTTOM_TOP_BOTTOM;
}

static gboolean
repeats_field (H264PicStruct pic_struct)
{
  return pic_struct == H264_PIC_STRUCT_TOP_BOTTOM_TOP || pic_struct == H264_PIC_STRUCT_BOTTOM_TOP_BOTTOM;
}

/* Caps change with the first picture of a sequence only: in the middle, a change would put out frames before their time. */
gboolean
gst_h264_display_begin_picture (GstH264Display *display, const H264SliceHeader *sh, gboolean new_sps, H264PicTiming *timing)
{
  if (new_sps)
    display->has_fields = FALSE;
  h264_sei_read_pic_timing (&display->sei, sh->pps->sps, timing);
  display->sei.pic_timing_size = 0;
  display->has_fields |= shows_fields (timing->pic_struct);
  if (!(new_sps || sh->IdrPicFlag) || display->caps_have_fields == display->has_fields)
    return FALSE;
  display->caps_have_fields = display->has_fields;
  return TRUE;
}

static gboolean
is_top_first (H264PicStruct pic_struct)
{
  return pic_struct == H264_PIC_STRUCT_TOP_BOTTOM || pic_struct == H264_PIC_STRUCT_TOP_BOTTOM_TOP;
}

/* Where no message says which field is shown first, the order of output does. */
static gboolean
is_top_nearer (const GstH264Frame *frame)
{
  return frame->store->poc[0] <= frame->store->poc[1];
}

/* Whether the two fields of a frame were taken one after the other.  Where no timestamp tells, they were, but for frames of telecined
 * film.  Without a message the coding tells: nobody codes fields of what moves as frames do. */
static gboolean
is_interlaced (const GstH264Display *display, const H264SliceHeader *sh, const H264PicTiming *timing)
{
  if (sh->field_pic_flag)
    return TRUE;
  if (!shows_fields (timing->pic_struct))
    return sh->MbaffFrameFlag && !timing->has_pic_struct;
  if (timing->ct_type != H264_CT_UNKNOWN)
    return timing->ct_type == H264_CT_INTERLACED;
  return display->n_since_repeat > TELECINE_WINDOW;
}

void
gst_h264_display_set_frame (GstH264Display *display, GstH264Frame *frame, const H264SliceHeader *sh, const H264PicTiming *timing)
{
  /* DeltaTfiDivisor (Table E-6) */
  static const guint8 n_fields[] = { 2, 2, 2, 2, 2, 3, 3, 4, 6 };
  const H264PicStruct pic_struct = timing->pic_struct;
  guint flags = 0;

  if (repeats_field (pic_struct)) {
    display->n_since_repeat = 0;
    flags |= GST_VIDEO_BUFFER_FLAG_RFF;
  } else if (display->n_since_repeat <= TELECINE_WINDOW) {
    display->n_since_repeat++;
  }
  if (shows_fields (pic_struct) ? is_top_first (pic_struct) : !sh->field_pic_flag && sh->MbaffFrameFlag && is_top_nearer (frame))
    flags |= GST_VIDEO_BUFFER_FLAG_TFF;
  if (is_interlaced (display, sh, timing))
    flags |= GST_VIDEO_BUFFER_FLAG_INTERLACED;
  frame->store->buffer_flags |= flags;
  frame->n_fields = n_fields[pic_struct];
}

void
gst_h264_display_complete_frame (GstH264Frame *frame, const gint32 poc[2])
{
  frame->store->poc[0] = poc[0];
  frame->store->poc[1] = poc[1];
  if (is_top_nearer (frame))
    frame->store->output_flags |= GST_VIDEO_BUFFER_FLAG_TFF;
}
