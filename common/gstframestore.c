/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:gstframestore
 * @title: GstFrameStore
 * @short_description: one decoded frame, shared by the coded pictures of both its fields
 *
 * The completion of a frame store has two steps.  This object knows the first: every stage of every picture of it is submitted to the
 * device.  When the device has done so is known to the surface's memory alone.
 */

#include "gstframestore-private.h"

GST_DEFINE_MINI_OBJECT_TYPE (GstFrameStore, gst_frame_store);

static void
gst_frame_store_free (GstFrameStore *self)
{
  gst_clear_buffer (&self->surface);
  gst_clear_buffer (&self->metas);
  g_mutex_clear (&self->fill_lock);
  g_cond_clear (&self->cond);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/**
 * gst_frame_store_new:
 * @number: the name of the frame in the output list
 *
 * Returns: (transfer full): a frame store without surface, times or pictures
 */
GstFrameStore *
gst_frame_store_new (guint32 number)
{
  GstFrameStore *self = g_new0 (GstFrameStore, 1);

  gst_mini_object_init (GST_MINI_OBJECT_CAST (self), 0, GST_TYPE_FRAME_STORE, NULL, NULL, (GstMiniObjectFreeFunction) gst_frame_store_free);
  self->number = number;
  self->pts = GST_CLOCK_TIME_NONE;
  self->duration = GST_CLOCK_TIME_NONE;
  g_mutex_init (&self->lock);
  g_cond_init (&self->cond);
  g_mutex_init (&self->fill_lock);

  return self;
}

void
gst_frame_store_picture_added (GstFrameStore *store)
{
  g_mutex_lock (&store->lock);
  store->n_unsubmitted++;
  g_mutex_unlock (&store->lock);
}

static void
gst_frame_store_picture_gone (GstFrameStore *store, gboolean failed)
{
  g_mutex_lock (&store->lock);
  store->n_unsubmitted--;
  store->failed |= failed;
  g_cond_broadcast (&store->cond);
  g_mutex_unlock (&store->lock);
}

void
gst_frame_store_picture_submitted (GstFrameStore *store)
{
  gst_frame_store_picture_gone (store, FALSE);
}

void
gst_frame_store_picture_failed (GstFrameStore *store)
{
  gst_frame_store_picture_gone (store, TRUE);
}

gboolean
gst_frame_store_has_failed (GstFrameStore *store)
{
  gboolean failed;

  g_mutex_lock (&store->lock);
  failed = store->failed;
  g_mutex_unlock (&store->lock);

  return failed;
}

/**
 * gst_frame_store_flush:
 * @store: a frame store
 *
 * Wakes whoever waits for @store, now and from now on: nobody wants the frame any more.
 */
void
gst_frame_store_flush (GstFrameStore *store)
{
  g_mutex_lock (&store->lock);
  store->flushing = TRUE;
  g_cond_broadcast (&store->cond);
  g_mutex_unlock (&store->lock);
}

/* Until no more than @n_left pictures are not submitted */
static gboolean
gst_frame_store_wait (GstFrameStore *store, guint n_left)
{
  gboolean usable;

  g_mutex_lock (&store->lock);
  while (store->n_unsubmitted > n_left && !store->flushing)
    g_cond_wait (&store->cond, &store->lock);
  usable = !store->failed && !store->flushing;
  g_mutex_unlock (&store->lock);

  return usable;
}

/**
 * gst_frame_store_wait_submitted:
 * @store: a frame store
 *
 * Waits until the last stage of every picture of the frame is submitted.
 *
 * Returns: %FALSE where a picture of the frame failed or it was flushed: its samples are not to be relied on
 */
gboolean
gst_frame_store_wait_submitted (GstFrameStore *store)
{
  return gst_frame_store_wait (store, 0);
}

/**
 * gst_frame_store_wait_first_field:
 * @store: a frame store
 *
 * For the second field of a frame, which may refer to the first: waits until it alone is left.
 *
 * Returns: as gst_frame_store_wait_submitted()
 */
gboolean
gst_frame_store_wait_first_field (GstFrameStore *store)
{
  return gst_frame_store_wait (store, 1);
}

static gboolean
copy_field_lines (GstBuffer *surface, GstVideoMeta *meta, guint plane, guint from)
{
  const GstVideoFormatInfo *info = gst_video_format_get_info (meta->format);
  gint component[GST_VIDEO_MAX_COMPONENTS];
  GstMapInfo map;
  gpointer data;
  gint stride;
  guint height;

  gst_video_format_info_component (info, plane, component);
  height = (guint) GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (info, component[0], meta->height);
  if (!gst_video_meta_map (meta, plane, &map, &data, &stride, GST_MAP_READWRITE))
    return FALSE;
  for (guint line = 0; line + 1 < height; line += 2)
    memcpy ((guint8 *) data + (gsize) (line + 1 - from) * (gsize) stride, (guint8 *) data + (gsize) (line + from) * (gsize) stride,
        (gsize) GST_VIDEO_FORMAT_INFO_PSTRIDE (info, component[0])
            * (gsize) GST_VIDEO_FORMAT_INFO_SCALE_WIDTH (info, component[0], meta->width));
  return gst_video_meta_unmap (meta, plane, &map);
}

static gboolean
copy_field (GstFrameStore *store)
{
  GstVideoMeta *meta = store->surface ? gst_buffer_get_video_meta (store->surface) : NULL;

  if (!meta)
    return FALSE;
  for (guint plane = 0; plane < meta->n_planes; plane++)
    if (!copy_field_lines (store->surface, meta, plane, store->fields == GST_FRAME_BOTTOM_FIELD))
      return FALSE;
  return TRUE;
}

/**
 * gst_frame_store_fill_missing_field:
 * @store: a frame, whose pictures are all submitted
 *
 * A frame of one field has its lines in those of the other, too: when it is shown, and when a picture that the stream has lost something
 * before is predicted from it.  Any thread may ask for it; it is done once.
 *
 * Returns: %FALSE where the surface cannot be mapped
 */
gboolean
gst_frame_store_fill_missing_field (GstFrameStore *store)
{
  gboolean filled;

  if (store->fields == 0 || store->fields == GST_FRAME_BOTH_FIELDS)
    return TRUE;
  g_mutex_lock (&store->fill_lock);
  if (!store->filled)
    store->filled = copy_field (store);
  filled = store->filled;
  g_mutex_unlock (&store->fill_lock);
  return filled;
}
