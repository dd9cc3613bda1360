/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264pictureborder.h"

/* FNV-1a of the first and the last bytes, in which slices of different pictures differ */
static GstH264SliceMark
mark_slice (const H264JobSlice *slice)
{
  const gsize size = slice->rbsp.size, n = MIN (size, 64);
  GstH264SliceMark mark = { size, 2166136261u };

  for (gsize i = 0; i < n; i++)
    mark.hash = (mark.hash ^ slice->rbsp.data[i] ^ (guint32) slice->rbsp.data[size - 1 - i] << 8) * 16777619u;
  return mark;
}

static gboolean
has_mark (const H264JobSlice *slice, const GstH264SliceMark *mark)
{
  const GstH264SliceMark own = mark_slice (slice);

  return own.size == mark->size && own.hash == mark->hash;
}

gboolean
gst_h264_picture_border_is_between (const H264SliceHeader *last, const H264SliceHeader *sh)
{
  /* no picture has two SPSs, whatever its slice headers say */
  return h264_slice_begins_picture (last, sh) || last->pps->sps != sh->pps->sps;
}

void
gst_h264_picture_border_take_slice (GstH264PictureBorder *border, const H264JobSlice *slice, GstClockTime pts)
{
  border->last_mark = mark_slice (slice);
  border->last_pts = pts;
}

void
gst_h264_picture_border_forget_slice (GstH264PictureBorder *border)
{
  border->last_mark.size = 0;
}

void
gst_h264_picture_border_take_picture (GstH264PictureBorder *border, const H264JobSlice *first)
{
  gst_h264_picture_border_forget_picture (border);
  border->closed = first->header;
  h264_pps_ref (border->closed.pps);
  border->closed_mark = mark_slice (first);
}

void
gst_h264_picture_border_forget_picture (GstH264PictureBorder *border)
{
  g_clear_pointer (&border->closed.pps, h264_pps_unref);
}

gboolean
gst_h264_picture_border_is_behind (const GstH264PictureBorder *border, const H264JobSlice *slice, gboolean begins_unit)
{
  if (!border->closed.pps || gst_h264_picture_border_is_between (&border->closed, &slice->header))
    return FALSE;
  if (border->strict)
    return TRUE;
  return !begins_unit && (slice->header.first_mb_in_slice != 0 || has_mark (slice, &border->closed_mark));
}

gboolean
gst_h264_picture_border_begins_again (const H264JobSlice *same, const H264JobSlice *slice)
{
  const GstH264SliceMark mark = mark_slice (same);

  return slice->header.first_mb_in_slice == 0 && !has_mark (slice, &mark);
}

gboolean
gst_h264_picture_border_is_last_slice (const GstH264PictureBorder *border, const H264JobSlice *slice)
{
  return !border->strict && has_mark (slice, &border->last_mark);
}
