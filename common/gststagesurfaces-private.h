/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The pool that a stage takes surfaces from; inside this library.
 */
#pragma once

#include "gstframestore.h"
#include "gstcodedformat.h"

G_BEGIN_DECLS

/* The pool belongs to the streaming thread, but for gst_stage_surfaces_set_flushing().  All zero: without a pool. */
typedef struct
{
  GstElement *element; /* not owned: posts the errors; its object lock keeps @pool */
  GstBufferPool *pool; /* (nullable) */
} GstStageSurfaces;

G_GNUC_INTERNAL void gst_stage_surfaces_init (GstStageSurfaces *self, GstElement *element);

/* Takes @pool, which is configured for @format, and makes it active.  FALSE where there is no memory: an element error is posted, and there
 * is no pool. */
G_GNUC_INTERNAL gboolean gst_stage_surfaces_take_pool (GstStageSurfaces *self, GstBufferPool *pool, const GstCodedFormat *format);

/* Gives @store a surface of @format, for which the pool was taken; there must be one.  GST_FLOW_FLUSHING, or GST_FLOW_ERROR with an
 * element error where there is no memory. */
G_GNUC_INTERNAL GstFlowReturn gst_stage_surfaces_give (GstStageSurfaces *self, GstFrameStore *store, const GstCodedFormat *format);

/* Surfaces that are out live on. */
G_GNUC_INTERNAL void gst_stage_surfaces_drop_pool (GstStageSurfaces *self);

/* From any thread: whether gst_stage_surfaces_give() is refused, which a flush or the end of streaming does not wait for. */
G_GNUC_INTERNAL void gst_stage_surfaces_set_flushing (GstStageSurfaces *self, gboolean flushing);

G_END_DECLS
