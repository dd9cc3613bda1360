/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstclpool.h"

struct _GstClArenaPool
{
  GstArenaPool parent;

  GstClContext *context;
  cl_command_queue queue;
  GstClStats *stats;
};

G_DEFINE_TYPE (GstClArenaPool, gst_cl_arena_pool, GST_TYPE_ARENA_POOL);

static GstMemory *
gst_cl_arena_pool_alloc_arena (GstArenaPool *pool, gsize size)
{
  GstClArenaPool *self = GST_CL_ARENA_POOL (pool);

  return gst_cl_memory_new (self->context, size, GST_CL_MEMORY_REWRITTEN, self->queue, self->stats);
}

/* The map starts now, behind the last kernel that reads the arena: by the time somebody acquires it, it is mapped, and nothing waits. */
static void
gst_cl_arena_pool_reset_buffer (GstBufferPool *pool, GstBuffer *buffer)
{
  GstClArenaPool *self = GST_CL_ARENA_POOL (pool);

  GST_BUFFER_POOL_CLASS (gst_cl_arena_pool_parent_class)->reset_buffer (pool, buffer);
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstClMemory *memory = gst_cl_memory_of (gst_buffer_peek_memory (buffer, i), self->context);

    if (memory)
      gst_cl_memory_prefetch_map (memory);
  }
}

static void
gst_cl_arena_pool_finalize (GObject *object)
{
  GstClArenaPool *self = GST_CL_ARENA_POOL (object);

  if (self->queue)
    GST_CL_CALL (clReleaseCommandQueue (self->queue));
  if (self->stats)
    gst_cl_stats_unref (self->stats);
  gst_clear_object (&self->context);

  G_OBJECT_CLASS (gst_cl_arena_pool_parent_class)->finalize (object);
}

static void
gst_cl_arena_pool_class_init (GstClArenaPoolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_cl_arena_pool_finalize;
  GST_BUFFER_POOL_CLASS (klass)->reset_buffer = gst_cl_arena_pool_reset_buffer;
  GST_ARENA_POOL_CLASS (klass)->alloc_arena = gst_cl_arena_pool_alloc_arena;
}

static void
gst_cl_arena_pool_init (GstClArenaPool *self)
{
}

GstBufferPool *
gst_cl_arena_pool_new (GstClContext *context, GstClStats *stats)
{
  GstClArenaPool *self = g_object_ref_sink (g_object_new (GST_TYPE_CL_ARENA_POOL, NULL));
  GError *error = NULL;

  self->context = gst_object_ref (context);
  if (stats)
    self->stats = gst_cl_stats_ref (stats);
  self->queue = gst_cl_context_create_queue (context, &error);
  if (!self->queue) {
    GST_ERROR_OBJECT (self, "%s", error->message);
    g_error_free (error);
    gst_clear_object (&self);
  }

  return GST_BUFFER_POOL (self);
}
