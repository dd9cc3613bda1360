/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "gstclpool.h"
#include "gstclreuse.h"
#include "gstsystemmemory.h"

GST_DEBUG_CATEGORY_STATIC (gst_cl_pool_debug);
#define GST_CAT_DEFAULT gst_cl_pool_debug

/* Rows start at multiples of this: whole vectors, whole cache lines. */
#define ROW_ALIGNMENT 64

struct _GstClPool
{
  GstBufferPool parent;

  GstClContext *context; /* NULL: system memory */
  cl_command_queue queue;
  GstClStats *stats;
  GstVideoFormat format;
  guint width, height, n_planes;
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
  gsize size;
  gboolean has_padding; /* raw video: bytes that belong to no sample */
};

G_DEFINE_TYPE_WITH_CODE (GstClPool, gst_cl_pool, GST_TYPE_BUFFER_POOL,
    GST_DEBUG_CATEGORY_INIT (gst_cl_pool_debug, "clpool", 0, "pools of OpenCL memory"));

/* Planes in a raw format of the same subsampling and sample size.  Its depth is only a name: planes hold real values. */
static GstVideoFormat
layout_format (const GstCodedFormat *format, guint sample_size)
{
  static const GstVideoFormat formats[4][2] = {
    { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY16_LE },
    { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_I420_12LE },
    { GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_I422_12LE },
    { GST_VIDEO_FORMAT_Y444, GST_VIDEO_FORMAT_Y444_16LE },
  };

  return formats[format->chroma_format_idc][sample_size - 1];
}

void
gst_cl_surface_layout_init (GstClSurfaceLayout *layout, const GstCodedFormat *format)
{
  guint sub_width = format->chroma_format_idc == 1 || format->chroma_format_idc == 2;
  guint sub_height = format->chroma_format_idc == 1;
  gsize offset = 0;

  memset (layout, 0, sizeof (*layout));
  layout->sample_size = gst_coded_format_sample_size (format);
  layout->format = layout_format (format, layout->sample_size);
  layout->n_planes = format->chroma_format_idc == 0 ? 1 : 3;
  for (guint i = 0; i < layout->n_planes; i++) {
    gint width = format->coded_width >> (i ? sub_width : 0);
    gint height = format->coded_height >> (i ? sub_height : 0);

    layout->offset[i] = offset;
    layout->stride[i] = GST_ROUND_UP_N (width * (gint) layout->sample_size, ROW_ALIGNMENT);
    offset += (gsize) layout->stride[i] * height;
  }
  layout->size = offset + ROW_ALIGNMENT;
}

static const gchar **
gst_cl_pool_get_options (GstBufferPool *pool)
{
  static const gchar *options[] = { GST_BUFFER_POOL_OPTION_VIDEO_META, NULL };

  return options;
}

/* Nobody writes padding later: files and checksums shall not depend on what was in memory. */
static void
clear_memory (GstMemory *memory)
{
  GstMapInfo info;

  if (gst_is_cl_memory (memory)) {
    gst_cl_memory_clear ((GstClMemory *) memory);
  } else if (gst_memory_map (memory, &info, GST_MAP_WRITE)) {
    memset (info.data, 0, info.size);
    gst_memory_unmap (memory, &info);
  }
}

static GstFlowReturn
gst_cl_pool_alloc_buffer (GstBufferPool *pool, GstBuffer **buffer, GstBufferPoolAcquireParams *params)
{
  GstClPool *self = GST_CL_POOL (pool);
  GstMemory *memory;

  if (self->context)
    memory = gst_cl_reuse_take (self->context, self->size, 0, self->queue, self->stats);
  else
    memory = gst_system_memory_new (self->size);
  if (!memory) {
    GST_ERROR_OBJECT (self, "no memory for %" G_GSIZE_FORMAT " bytes", self->size);
    return GST_FLOW_ERROR;
  }
  if (self->has_padding)
    clear_memory (memory);
  *buffer = gst_buffer_new ();
  gst_buffer_append_memory (*buffer, memory);
  gst_buffer_add_video_meta_full (*buffer, GST_VIDEO_FRAME_FLAG_NONE, self->format, self->width, self->height, self->n_planes, self->offset,
      self->stride);

  return GST_FLOW_OK;
}

/* The memory is for any stream from here on. */
static void
gst_cl_pool_release_buffer (GstBufferPool *pool, GstBuffer *buffer)
{
  const GstClPool *self = GST_CL_POOL (pool);

  if (self->context && !self->has_padding)
    gst_cl_reuse_give_back_buffer (buffer);
  GST_BUFFER_POOL_CLASS (gst_cl_pool_parent_class)->release_buffer (pool, buffer);
}

static void
gst_cl_pool_finalize (GObject *object)
{
  GstClPool *self = GST_CL_POOL (object);

  if (self->queue)
    GST_CL_CALL (clReleaseCommandQueue (self->queue));
  if (self->stats)
    gst_cl_stats_unref (self->stats);
  gst_clear_object (&self->context);

  G_OBJECT_CLASS (gst_cl_pool_parent_class)->finalize (object);
}

static void
gst_cl_pool_class_init (GstClPoolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_cl_pool_finalize;
  GST_BUFFER_POOL_CLASS (klass)->get_options = gst_cl_pool_get_options;
  GST_BUFFER_POOL_CLASS (klass)->alloc_buffer = gst_cl_pool_alloc_buffer;
  GST_BUFFER_POOL_CLASS (klass)->release_buffer = gst_cl_pool_release_buffer;
}

static void
gst_cl_pool_init (GstClPool *self)
{
}

static GstClPool *
gst_cl_pool_new (GstClContext *context, GstClStats *stats)
{
  GstClPool *self = g_object_ref_sink (g_object_new (GST_TYPE_CL_POOL, NULL));

  if (context) {
    GError *error = NULL;

    self->context = gst_object_ref (context);
    /* a queue of its own: the maps of other pools wait for other pictures */
    self->queue = gst_cl_context_create_queue (context, &error);
    if (!self->queue) {
      GST_ERROR_OBJECT (self, "%s", error->message);
      g_error_free (error);
      gst_clear_object (&self);
      return NULL;
    }
  }
  if (stats)
    self->stats = gst_cl_stats_ref (stats);

  return self;
}

static GstBufferPool *
configure (GstClPool *self, GstCaps *caps, guint min_buffers)
{
  GstBufferPool *pool = GST_BUFFER_POOL (self);
  GstStructure *config;

  if (self->size == 0 || self->size > G_MAXUINT) {
    GST_ERROR_OBJECT (self, "buffers of %" G_GSIZE_FORMAT " bytes are not possible", self->size);
    gst_object_unref (self);
    return NULL;
  }
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, self->size, min_buffers, 0);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (!gst_buffer_pool_set_config (pool, config)) {
    gst_object_unref (self);
    return NULL;
  }

  return pool;
}

GstBufferPool *
gst_cl_surface_pool_new (GstClContext *context, const GstCodedFormat *format, GstClStats *stats)
{
  GstClPool *self = gst_cl_pool_new (context, stats);
  GstClSurfaceLayout layout;
  GstBufferPool *pool;
  GstCaps *caps;

  if (!self)
    return NULL;
  gst_cl_surface_layout_init (&layout, format);
  self->format = layout.format;
  self->width = format->coded_width;
  self->height = format->coded_height;
  self->n_planes = layout.n_planes;
  memcpy (self->offset, layout.offset, sizeof (self->offset));
  memcpy (self->stride, layout.stride, sizeof (self->stride));
  self->size = layout.size;

  caps = gst_coded_format_to_caps (format);
  /* one to begin with, so that a format too large for the device is refused here */
  pool = configure (self, caps, 1);
  gst_caps_unref (caps);

  return pool;
}

static gboolean
info_has_padding (const GstVideoInfo *info)
{
  gsize used = 0;

  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++) {
    gint components[GST_VIDEO_MAX_COMPONENTS];

    gst_video_format_info_component (info->finfo, p, components);
    used += (gsize) GST_VIDEO_INFO_COMP_WIDTH (info, components[0]) * GST_VIDEO_INFO_COMP_PSTRIDE (info, components[0])
        * GST_VIDEO_INFO_COMP_HEIGHT (info, components[0]);
  }

  return used != info->size;
}

GstBufferPool *
gst_cl_video_pool_new (GstClContext *context, GstCaps *caps, GstClStats *stats)
{
  GstVideoInfo info;
  GstClPool *self;

  if (!gst_video_info_from_caps (&info, caps))
    return NULL;
  self = gst_cl_pool_new (context, stats);
  if (!self)
    return NULL;
  self->format = GST_VIDEO_INFO_FORMAT (&info);
  self->width = GST_VIDEO_INFO_WIDTH (&info);
  self->height = GST_VIDEO_INFO_HEIGHT (&info);
  self->n_planes = GST_VIDEO_INFO_N_PLANES (&info);
  memcpy (self->offset, info.offset, sizeof (self->offset));
  memcpy (self->stride, info.stride, sizeof (self->stride));
  self->size = info.size;
  self->has_padding = info_has_padding (&info);

  return configure (self, caps, 0);
}
