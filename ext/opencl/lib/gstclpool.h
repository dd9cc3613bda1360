/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pools of surfaces, raw video and arenas, in memory of the device or of the system.
 */
#pragma once

#include <gst/video/video.h>
#include "gstarenapool.h"
#include "gstclmemory-private.h"

G_BEGIN_DECLS

/**
 * GstClSurfaceLayout:
 * @format: a format whose planes are laid out like this one's (its depth is not the video's)
 * @n_planes: 1 or 3
 * @sample_size: bytes of a sample
 * @offset: of a plane, bytes, multiple of 64
 * @stride: of a plane, bytes, multiple of 64
 * @size: bytes of all, with room behind the last row for vectors that read on
 *
 * Where the planes of a surface lie: real values at coded size, planes one behind the other.
 */
typedef struct
{
  GstVideoFormat format;
  guint n_planes;
  guint sample_size;
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
  gsize size;
} GstClSurfaceLayout;

GST_CL_API
void gst_cl_surface_layout_init (GstClSurfaceLayout *layout, const GstCodedFormat *format);

/* A pool of buffers with one memory and a GstVideoMeta: memory of the device, or system memory where the context is NULL.  Grows as needed.
 */
#define GST_TYPE_CL_POOL (gst_cl_pool_get_type ())
GST_CL_API
G_DECLARE_FINAL_TYPE (GstClPool, gst_cl_pool, GST, CL_POOL, GstBufferPool)

/* Surfaces (GstClSurfaceLayout), configured.  Memory is taken when it is needed: most streams use fewer than they may.  @context:
 * (nullable). NULL where the configuration fails. */
GST_CL_API
GstBufferPool *gst_cl_surface_pool_new (GstClContext *context, const GstCodedFormat *format, GstClStats *stats);

/* Raw video as @caps says, with strides and offsets as GstVideoInfo has them, configured.  @context: (nullable). */
GST_CL_API
GstBufferPool *gst_cl_video_pool_new (GstClContext *context, GstCaps *caps, GstClStats *stats);

/* A GstArenaPool whose arenas the device reads.  A released arena goes back to the CPU as soon as the device is done with it. */
#define GST_TYPE_CL_ARENA_POOL (gst_cl_arena_pool_get_type ())
GST_CL_API
G_DECLARE_FINAL_TYPE (GstClArenaPool, gst_cl_arena_pool, GST, CL_ARENA_POOL, GstArenaPool)

GST_CL_API
GstBufferPool *gst_cl_arena_pool_new (GstClContext *context, GstClStats *stats);

G_END_DECLS
