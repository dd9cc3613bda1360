/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Where one picture ends and the next one begins: by the headers of slices (7.4.1.2.4), and by what is kept of slices where headers do not
 * say it.
 */
#pragma once

#include <gst/gst.h>
#include "h264picturejob.h"

G_BEGIN_DECLS

/**
 * GstH264SliceMark:
 * @size: of the slice, bytes
 * @hash: of the first and the last ones
 *
 * What is kept of a slice to know it again.
 */
typedef struct
{
  gsize size;
  guint32 hash;
} GstH264SliceMark;

/**
 * GstH264PictureBorder:
 * @strict: the property: pictures begin where headers say it
 * @closed: header of the picture closed last; its pps is a reference, NULL where no slice can belong to that picture any more
 * @closed_mark: of the first slice of that picture
 * @last_mark: of the slice taken last, in a buffer of time @last_pts
 */
typedef struct
{
  gboolean strict;
  H264SliceHeader closed;
  GstH264SliceMark closed_mark, last_mark;
  GstClockTime last_pts;
} GstH264PictureBorder;

/* Whether slices with these headers are of different pictures */
gboolean gst_h264_picture_border_is_between (const H264SliceHeader *last, const H264SliceHeader *sh);

/* @slice has been taken, from a buffer of time @pts. */
void gst_h264_picture_border_take_slice (GstH264PictureBorder *border, const H264JobSlice *slice, GstClockTime pts);

/* No slice that comes is the one taken last. */
void gst_h264_picture_border_forget_slice (GstH264PictureBorder *border);

/* The picture whose first slice is @first is closed. */
void gst_h264_picture_border_take_picture (GstH264PictureBorder *border, const H264JobSlice *first);

/* A unit has come between pictures: the next slice begins one, whatever its header is. */
void gst_h264_picture_border_forget_picture (GstH264PictureBorder *border);

/* Whether @slice is of the picture that is closed.  A picture that is complete is closed before the next one begins, so what still comes of
 * it is not taken for a picture of its own.  @begins_unit: the slice is the first one of an access unit. */
gboolean gst_h264_picture_border_is_behind (const GstH264PictureBorder *border, const H264JobSlice *slice, gboolean begins_unit);

/* Whether @slice, at the macroblock where @same of the current picture is, and with a header of that picture, may begin the next one: it is
 * at the picture's beginning, and not @same again. */
gboolean gst_h264_picture_border_begins_again (const H264JobSlice *same, const H264JobSlice *slice);

/* Whether @slice is the one taken last, byte for byte.  Never where @strict. */
gboolean gst_h264_picture_border_is_last_slice (const GstH264PictureBorder *border, const H264JobSlice *slice);

G_END_DECLS
