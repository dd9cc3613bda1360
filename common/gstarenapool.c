/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:gstarenapool
 * @title: GstArenaPool
 * @short_description: pool of the buffers that carry coded pictures
 */

#include "gstarenapool.h"
#include "gstcodedpicture.h"
#include "gstsystemmemory.h"

GST_DEBUG_CATEGORY_STATIC (gst_arena_pool_debug);
#define GST_CAT_DEFAULT gst_arena_pool_debug

typedef struct
{
  GstCodedFormat format;
  gsize header_size;
  gsize coeffs_size;
} GstArenaPoolPrivate;

G_DEFINE_TYPE_WITH_CODE (GstArenaPool, gst_arena_pool, GST_TYPE_BUFFER_POOL,
    G_ADD_PRIVATE (GstArenaPool) GST_DEBUG_CATEGORY_INIT (gst_arena_pool_debug, "arenapool", 0, "pool of coded-picture arenas"));

static GstMemory *
gst_arena_pool_alloc_system_arena (GstArenaPool *pool, gsize size)
{
  return gst_system_memory_new_sparse (size);
}

/* In the configuration: slices that header arenas have room for */
#define SLICES_FIELD "n-slices"

/**
 * gst_arena_pool_config_set_slices:
 * @config: (transfer none): a configuration of a #GstArenaPool
 * @n_slices: slices that header arenas are to have room for
 *
 * Without it they have room for all that a picture can have.
 */
void
gst_arena_pool_config_set_slices (GstStructure *config, guint n_slices)
{
  gst_structure_set (config, SLICES_FIELD, G_TYPE_UINT, n_slices, NULL);
}

/* The configuration names the size of the coefficient arena, as it follows from the number of writers; the base class counts the bytes of
 * whole buffers. */
static gboolean
gst_arena_pool_set_config (GstBufferPool *pool, GstStructure *config)
{
  GstArenaPoolPrivate *priv = gst_arena_pool_get_instance_private (GST_ARENA_POOL (pool));
  GstCodedFormat format;
  GstCaps *caps;
  guint size, min, max, n_slices = G_MAXUINT;
  gsize header_size;
  GstStructure *whole;
  gboolean ret;

  if (!gst_buffer_pool_config_get_params (config, &caps, &size, &min, &max) || !caps || !gst_coded_format_from_caps (&format, caps)) {
    GST_WARNING_OBJECT (pool, "configuration without caps of coded pictures: %" GST_PTR_FORMAT, config);
    return FALSE;
  }
  gst_structure_get_uint (config, SLICES_FIELD, &n_slices);
  header_size = gst_coded_format_header_size_for (&format, n_slices);
  if (size == 0 || header_size == 0 || header_size > G_MAXUINT - size) {
    GST_WARNING_OBJECT (pool, "arenas of %" G_GSIZE_FORMAT " and %u bytes are not possible", header_size, size);
    return FALSE;
  }

  priv->format = format;
  priv->header_size = header_size;
  priv->coeffs_size = size;
  whole = gst_structure_copy (config);
  gst_buffer_pool_config_set_params (whole, caps, header_size + size, min, max);
  ret = GST_BUFFER_POOL_CLASS (gst_arena_pool_parent_class)->set_config (pool, whole);
  gst_structure_free (whole);

  return ret;
}

static GstFlowReturn
gst_arena_pool_alloc_buffer (GstBufferPool *pool, GstBuffer **buffer, GstBufferPoolAcquireParams *params)
{
  GstArenaPool *self = GST_ARENA_POOL (pool);
  GstArenaPoolPrivate *priv = gst_arena_pool_get_instance_private (self);
  GstArenaPoolClass *klass = GST_ARENA_POOL_GET_CLASS (self);
  GstMemory *header = klass->alloc_arena (self, priv->header_size);
  GstMemory *coeffs = header ? klass->alloc_arena (self, priv->coeffs_size) : NULL;

  if (!coeffs) {
    GST_ERROR_OBJECT (pool, "no memory for arenas of %" G_GSIZE_FORMAT " and %" G_GSIZE_FORMAT " bytes", priv->header_size,
        priv->coeffs_size);
    if (header)
      gst_memory_unref (header);
    return GST_FLOW_ERROR;
  }

  G_STATIC_ASSERT (GST_CODED_MEMORY_HEADER == 0 && GST_CODED_MEMORY_COEFFS == 1);
  *buffer = gst_buffer_new ();
  gst_buffer_append_memory (*buffer, header);
  gst_buffer_append_memory (*buffer, coeffs);

  return GST_FLOW_OK;
}

static void
gst_arena_pool_class_init (GstArenaPoolClass *klass)
{
  GstBufferPoolClass *pool_class = GST_BUFFER_POOL_CLASS (klass);

  klass->alloc_arena = gst_arena_pool_alloc_system_arena;
  pool_class->set_config = gst_arena_pool_set_config;
  pool_class->alloc_buffer = gst_arena_pool_alloc_buffer;
}

static void
gst_arena_pool_init (GstArenaPool *self)
{
}

/**
 * gst_arena_pool_new:
 *
 * Returns: (transfer full): a pool of system memory
 */
GstBufferPool *
gst_arena_pool_new (void)
{
  return g_object_ref_sink (g_object_new (GST_TYPE_ARENA_POOL, NULL));
}

/**
 * gst_arena_pool_alloc_header:
 * @pool: a configured pool
 * @n_slices: slices that there has to be room for
 *
 * For a picture that has more slices than the pool is configured for.
 *
 * Returns: (transfer full) (nullable): a header arena to take the place of one of a buffer of @pool, which does not take that buffer back
 *   then; %NULL where there is not so much memory
 */
GstMemory *
gst_arena_pool_alloc_header (GstArenaPool *pool, guint n_slices)
{
  GstArenaPoolPrivate *priv = gst_arena_pool_get_instance_private (pool);
  const gsize size = gst_coded_format_header_size_for (&priv->format, n_slices);

  return size > 0 ? GST_ARENA_POOL_GET_CLASS (pool)->alloc_arena (pool, size) : NULL;
}
