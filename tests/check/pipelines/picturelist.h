/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a pipeline gives, picture by picture, for comparing two of them.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * ListedPicture:
 * @pts: stream time; GST_CLOCK_TIME_NONE where there is none
 * @flags: those of LISTED_FLAGS that the buffer has
 * @md5: as DecodeResult's, of this picture
 * @caps: size, aspect ratio, rate, interlace-mode and field-order, as text
 */
typedef struct
{
  GstClockTime pts, duration;
  guint flags;
  gchar *md5;
  gchar *caps;
} ListedPicture;

/* GST_VIDEO_BUFFER_FLAG_INTERLACED, _TFF, _RFF, _ONEFIELD and GST_BUFFER_FLAG_CORRUPTED */
#define LISTED_FLAGS                                                                                                         \
  (GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF | GST_VIDEO_BUFFER_FLAG_RFF | GST_VIDEO_BUFFER_FLAG_ONEFIELD \
      | GST_BUFFER_FLAG_CORRUPTED)

/* (element-type ListedPicture) (transfer full): none yet */
GPtrArray *picture_list_new (void);

/* (element-type ListedPicture) (transfer full): all pictures of a pipeline "SOURCE ! DECODER ! appsink"; @error (out, transfer full): what
 * went wrong, else NULL.  Aborts where the text names an element that is missing. */
GPtrArray *picture_list_of (const gchar *source, const gchar *decoder, gchar **error);

/* (element-type ListedPicture) (transfer full): the next @n pictures that come out of an appsink, or fewer where it ends or nothing
 * comes */
GPtrArray *picture_list_pull (GstElement *sink, guint n);

/* (transfer full): a picture as one line of text */
gchar *listed_picture_describe (const ListedPicture *picture);

G_END_DECLS
