/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The pool of the buffers that coded pictures are written to.
 */
#pragma once

#include "gstcodedformat.h"

G_BEGIN_DECLS

/**
 * GstArenaPool:
 *
 * A pool of buffers for coded pictures: memory 0 is the header arena (slice records, segments, macroblock records), memory 1 the
 * coefficient arena. The caps of its configuration are those of the coded pictures, its size is that of the coefficient arena
 * (gst_coded_format_coeffs_size()); the header's follows from the caps, and from the number of slices, where
 * gst_arena_pool_config_set_slices() names it.  This one gives system memory; the first GPU stage offers, in its
 * answer to the ALLOCATION query, one whose memory the device reads.  Released buffers lose their metas and keep their memories: the
 * system clears each page of fresh memory when it is touched first, which takes a part of a picture's time.
 */
#define GST_TYPE_ARENA_POOL (gst_arena_pool_get_type ())
GST_GPU_CODEC_API
G_DECLARE_DERIVABLE_TYPE (GstArenaPool, gst_arena_pool, GST, ARENA_POOL, GstBufferPool)

/**
 * GstArenaPoolClass:
 * @parent_class: the class above
 * @alloc_arena: memory of @size bytes for one arena, aligned to 64 bytes at least; %NULL where there is not so much
 */
struct _GstArenaPoolClass
{
  GstBufferPoolClass parent_class;

  GstMemory *(*alloc_arena) (GstArenaPool *pool, gsize size);
};

/* (transfer full): a pool of system memory, not configured */
GST_GPU_CODEC_API
GstBufferPool *gst_arena_pool_new (void);

/* Header arenas have room for @n_slices slices; without it, for all that a picture can have. */
GST_GPU_CODEC_API
void gst_arena_pool_config_set_slices (GstStructure *config, guint n_slices);

/* (transfer full) (nullable): a header arena, for @n_slices slices, to take the place of one of a buffer of the configured @pool, which the
 * pool does not take back then.  NULL where there is not so much memory. */
GST_GPU_CODEC_API
GstMemory *gst_arena_pool_alloc_header (GstArenaPool *pool, guint n_slices);

G_END_DECLS
