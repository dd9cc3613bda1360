/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gststagesurfaces-private.h"

void
gst_stage_surfaces_init (GstStageSurfaces *self, GstElement *element)
{
  self->element = element;
  self->pool = NULL;
}

gboolean
gst_stage_surfaces_take_pool (GstStageSurfaces *self, GstBufferPool *pool, const GstCodedFormat *format)
{
  if (!gst_buffer_pool_set_active (pool, TRUE)) {
    GST_ELEMENT_ERROR (self->element, RESOURCE, NO_SPACE_LEFT,
        ("Could not allocate surfaces of %dx%d samples.", format->coded_width, format->coded_height), (NULL));
    gst_object_unref (pool);
    return FALSE;
  }
  GST_OBJECT_LOCK (self->element);
  self->pool = pool;
  GST_OBJECT_UNLOCK (self->element);

  return TRUE;
}

GstFlowReturn
gst_stage_surfaces_give (GstStageSurfaces *self, GstFrameStore *store, const GstCodedFormat *format)
{
  GstFlowReturn ret = gst_buffer_pool_acquire_buffer (self->pool, &store->surface, NULL);

  if (ret == GST_FLOW_ERROR)
    GST_ELEMENT_ERROR (self->element, RESOURCE, NO_SPACE_LEFT,
        ("Could not allocate a surface of %dx%d samples.", format->coded_width, format->coded_height), (NULL));
  return ret;
}

void
gst_stage_surfaces_drop_pool (GstStageSurfaces *self)
{
  GstBufferPool *pool;

  GST_OBJECT_LOCK (self->element);
  pool = g_steal_pointer (&self->pool);
  GST_OBJECT_UNLOCK (self->element);
  if (pool) {
    gst_buffer_pool_set_active (pool, FALSE);
    gst_object_unref (pool);
  }
}

void
gst_stage_surfaces_set_flushing (GstStageSurfaces *self, gboolean flushing)
{
  GstBufferPool *pool;

  GST_OBJECT_LOCK (self->element);
  pool = self->pool ? gst_object_ref (self->pool) : NULL;
  GST_OBJECT_UNLOCK (self->element);
  if (pool) {
    gst_buffer_pool_set_flushing (pool, flushing);
    gst_object_unref (pool);
  }
}
