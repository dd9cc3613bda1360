/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "teststage.h"

typedef struct
{
  TestStageLog log;
} TestStagePrivate;

G_DEFINE_TYPE_WITH_PRIVATE (TestStage, test_stage, GST_TYPE_GPU_STAGE);

TestStageLog *
test_stage_log (gpointer stage)
{
  return &((TestStagePrivate *) test_stage_get_instance_private (TEST_STAGE (stage)))->log;
}

static gboolean
test_stage_open (GstGpuStage *stage)
{
  TestStageLog *log = test_stage_log (stage);

  log->n_open++;
  if (log->fail_open)
    GST_ELEMENT_ERROR (stage, RESOURCE, NOT_FOUND, ("There is no device."), (NULL));
  return !log->fail_open;
}

static void
test_stage_close (GstGpuStage *stage)
{
  test_stage_log (stage)->n_close++;
}

static GstCaps *
test_stage_get_raw_caps (GstGpuStage *stage)
{
  return gst_caps_from_string ("video/x-raw(memory:OpenCL); video/x-raw");
}

static gboolean
test_stage_set_format (GstGpuStage *stage, const GstCodedFormat *format)
{
  test_stage_log (stage)->n_set_format++;
  test_stage_log (stage)->format = *format;
  return TRUE;
}

static GstBufferPool *
test_stage_create_surface_pool (GstGpuStage *stage, const GstCodedFormat *format, guint n_surfaces)
{
  GstBufferPool *pool = gst_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);

  test_stage_log (stage)->n_surface_pools++;
  test_stage_log (stage)->n_surfaces = n_surfaces;
  gst_buffer_pool_config_set_params (config, NULL, format->coded_width * format->coded_height, 0, 0);
  gst_buffer_pool_set_config (pool, config);
  return pool;
}

static GstBufferPool *
test_stage_create_arena_pool (GstGpuStage *stage, const GstCodedFormat *format)
{
  test_stage_log (stage)->n_arena_pools++;
  return gst_arena_pool_new ();
}

static gboolean
test_stage_decide_allocation (GstGpuStage *stage, GstQuery *query, const GstVideoInfo *info, gboolean device_memory)
{
  test_stage_log (stage)->n_decided++;
  test_stage_log (stage)->has_video_meta = gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return TRUE;
}

static GstFlowReturn
test_stage_process (GstGpuStage *stage, GstCodedPicture *picture, GstBuffer *buffer)
{
  TestStageLog *log = test_stage_log (stage);

  g_assert_nonnull (picture->store->surface);
  g_array_append_val (log->processed, picture->store->number);
  if (log->process_result == GST_FLOW_ERROR)
    GST_ELEMENT_ERROR (stage, RESOURCE, FAILED, ("The device is gone."), (NULL));
  return log->process_result;
}

/* Every byte of the output is the number of the frame. */
static GstBuffer *
test_stage_create_output (GstGpuStage *stage, GstFrameStore *store, const GstVideoInfo *info, gboolean device_memory)
{
  TestStageLog *log = test_stage_log (stage);
  GstBuffer *buffer;

  if (log->fail_output) {
    GST_ELEMENT_ERROR (stage, RESOURCE, FAILED, ("The device is gone."), (NULL));
    return NULL;
  }
  log->n_outputs++;
  log->device_memory = device_memory;
  buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  gst_buffer_memset (buffer, 0, store->number, info->size);
  return buffer;
}

static void
test_stage_finalize (GObject *object)
{
  g_array_unref (test_stage_log (object)->processed);
  G_OBJECT_CLASS (test_stage_parent_class)->finalize (object);
}

static void
test_stage_class_init (TestStageClass *klass)
{
  GstGpuStageClass *stage_class = GST_GPU_STAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = test_stage_finalize;
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "Test stage", "Test", "Computes nothing", "gst-gpu-codec");
  stage_class->open = test_stage_open;
  stage_class->close = test_stage_close;
  stage_class->get_raw_caps = test_stage_get_raw_caps;
  stage_class->set_format = test_stage_set_format;
  stage_class->create_surface_pool = test_stage_create_surface_pool;
  stage_class->create_arena_pool = test_stage_create_arena_pool;
  stage_class->decide_allocation = test_stage_decide_allocation;
  stage_class->process = test_stage_process;
  stage_class->create_output = test_stage_create_output;
}

static void
test_stage_init (TestStage *self)
{
  test_stage_log (self)->processed = g_array_new (FALSE, FALSE, sizeof (guint32));
}

#define DEFINE_STAGE(TypeName, type_name, bit)                \
  typedef TestStage TypeName;                                 \
  typedef TestStageClass TypeName##Class;                     \
  G_DEFINE_TYPE (TypeName, type_name, TEST_TYPE_STAGE);       \
  static void type_name##_class_init (TypeName##Class *klass) \
  {                                                           \
    GST_GPU_STAGE_CLASS (klass)->stage = bit;                 \
  }                                                           \
  static void type_name##_init (TypeName *self)               \
  {                                                           \
  }

DEFINE_STAGE (TestIdct, test_idct, GST_CODED_STAGE_IDCT);
DEFINE_STAGE (TestIntrapred, test_intrapred, GST_CODED_STAGE_INTRAPRED);
DEFINE_STAGE (TestDeblock, test_deblock, GST_CODED_STAGE_DEBLOCK);

GstElement *
test_stage_new (GType type, const gchar *name)
{
  return g_object_new (type, "name", name, NULL);
}

GstCaps *
test_coded_caps (gint width, gint height)
{
  GstCodedFormat format;

  gst_coded_format_init (&format);
  format.width = width;
  format.height = height;
  format.coded_width = GST_ROUND_UP_16 (width);
  format.coded_height = GST_ROUND_UP_16 (height);
  format.fps_n = 1;
  format.n_surfaces = 5;
  return gst_coded_format_to_caps (&format);
}

GstBuffer *
test_picture_of_store (GstFrameStore *store, guint pending)
{
  GstCodedPicture *picture = gst_coded_picture_new (store);
  GstBuffer *buffer = gst_buffer_new ();

  picture->pending = pending;
  gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, 64, NULL));
  gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, 64, NULL));
  gst_buffer_add_coded_picture_meta (buffer, picture);
  gst_buffer_add_coeff_meta (buffer);
  gst_coded_picture_unref (picture);

  return buffer;
}

GstBuffer *
test_picture_new (guint32 number, guint pending)
{
  GstFrameStore *store = gst_frame_store_new (number);
  GstBuffer *buffer;

  store->pts = number * GST_SECOND;
  store->duration = GST_SECOND;
  buffer = test_picture_of_store (store, pending);
  gst_frame_store_unref (store);

  return buffer;
}

void
test_picture_act (GstBuffer *buffer, gboolean output, guint32 number)
{
  GstCodedAction action = { output, number };

  g_array_append_val (gst_buffer_get_coded_picture (buffer)->actions, action);
}
