/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-gpucsc
 *
 * Converts raw video between formats: Y'CbCr and RGB, 8 to 16 bits, every chroma subsampling from 4:0:0 to 4:4:4, planar, semi-planar and
 * packed; BT.601, BT.709 and BT.2020, full and limited range.  Input and output lie in OpenCL or in system memory.  Every output sample is
 * within 1 of the exact value, where chroma is interpolated linearly at its site.  Primaries and transfer functions are not converted.
 *
 * |[
 * gst-launch-1.0 videotestsrc ! video/x-raw,format=I420_10LE ! gpucsc ! video/x-raw,format=RGBA ! videoconvert ! autovideosink
 * ]|
 */
#include "gstclmemory-private.h"
#include "gstclpool.h"
#include "gstclelement.h"
#include "gstgpustage.h"
#include "gstcsccaps.h"
#include "gstcscconverter.h"
#include "gstgpucsc.h"
#include "gstpeercaps.h"

GST_DEBUG_CATEGORY_STATIC (gst_gpu_csc_debug);
#define GST_CAT_DEFAULT gst_gpu_csc_debug

struct _GstGpuCsc
{
  GstBaseTransform parent;

  GstClElement device;
  GstCscConverter converter; /* of the streaming thread */
};

G_DEFINE_TYPE_WITH_CODE (GstGpuCsc, gst_gpu_csc, GST_TYPE_BASE_TRANSFORM,
    GST_DEBUG_CATEGORY_INIT (gst_gpu_csc_debug, "gpucsc", 0, "colour conversion on OpenCL devices"));
GST_ELEMENT_REGISTER_DEFINE (gpucsc, "gpucsc", GST_RANK_NONE, GST_TYPE_GPU_CSC);

#define CAPS                                                                          \
  GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_MEMORY_OPENCL, GST_CSC_FORMATS) \
  ", width = [ 1, 32768 ], height = [ 1, 32768 ]; " GST_VIDEO_CAPS_MAKE (GST_CSC_FORMATS) ", width = [ 1, 32768 ], height = [ 1, 32768 ]"

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));

/* Opening and closing */

static void
close_device (GstGpuCsc *self)
{
  gst_csc_converter_clear (&self->converter);
  gst_cl_element_close (&self->device, GST_ELEMENT (self));
}

static GstStateChangeReturn
gst_gpu_csc_change_state (GstElement *element, GstStateChange transition)
{
  GstGpuCsc *self = GST_GPU_CSC (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !gst_cl_element_open (&self->device, element)) {
    close_device (self);
    return GST_STATE_CHANGE_FAILURE;
  }
  ret = GST_ELEMENT_CLASS (gst_gpu_csc_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL || (transition == GST_STATE_CHANGE_NULL_TO_READY && ret == GST_STATE_CHANGE_FAILURE))
    close_device (self);

  return ret;
}

static gboolean
gst_gpu_csc_stop (GstBaseTransform *trans)
{
  gst_csc_converter_clear (&GST_GPU_CSC (trans)->converter);

  return TRUE;
}

static void
gst_gpu_csc_set_context (GstElement *element, GstContext *context)
{
  gst_cl_element_set_context (&GST_GPU_CSC (element)->device, element, context);

  GST_ELEMENT_CLASS (gst_gpu_csc_parent_class)->set_context (element, context);
}

static gboolean
gst_gpu_csc_query (GstBaseTransform *trans, GstPadDirection direction, GstQuery *query)
{
  if (gst_cl_element_query (&GST_GPU_CSC (trans)->device, GST_ELEMENT (trans), query))
    return TRUE;

  return GST_BASE_TRANSFORM_CLASS (gst_gpu_csc_parent_class)->query (trans, direction, query);
}

/* Caps */

/* The C reference makes system memory, unless a neighbour has a device. */
static gboolean
makes_device_memory (GstGpuCsc *self)
{
  gboolean ret;

  GST_OBJECT_LOCK (self);
  ret = self->device.wanted_backend == GST_CL_BACKEND_OPENCL || self->device.context;
  GST_OBJECT_UNLOCK (self);

  return ret;
}

static GstCaps *
gst_gpu_csc_transform_caps (GstBaseTransform *trans, GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstPad *other = direction == GST_PAD_SINK ? GST_BASE_TRANSFORM_SRC_PAD (trans) : GST_BASE_TRANSFORM_SINK_PAD (trans);
  GstCaps *template = gst_pad_get_pad_template_caps (other), *all, *result;

  if (gst_caps_is_any (caps))
    all = gst_caps_ref (template);
  else
    all = gst_csc_caps_transform (caps, direction == GST_PAD_SRC || makes_device_memory (GST_GPU_CSC (trans)));
  result = gst_caps_intersect_full (all, template, GST_CAPS_INTERSECT_FIRST);

  gst_caps_unref (all);
  gst_caps_unref (template);
  if (filter) {
    all = result;
    result = gst_caps_intersect_full (filter, all, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref (all);
  }

  return result;
}

static GstCaps *
gst_gpu_csc_fixate_caps (GstBaseTransform *trans, GstPadDirection direction, GstCaps *caps, GstCaps *othercaps)
{
  GstCaps *possible = direction == GST_PAD_SINK ? gst_gpu_caps_for_peer (GST_BASE_TRANSFORM_SRC_PAD (trans), othercaps) : othercaps;
  GstCaps *result = gst_csc_caps_fixate (caps, possible);

  GST_DEBUG_OBJECT (trans, "%" GST_PTR_FORMAT " becomes %" GST_PTR_FORMAT, caps, result);

  return result;
}

static gboolean
is_in_opencl_memory (GstCaps *caps)
{
  return gst_caps_features_contains (gst_caps_get_features (caps, 0), GST_CAPS_FEATURE_MEMORY_OPENCL);
}

/* The same samples in the same kind of memory: buffers go through as they are. */
static gboolean
is_passthrough (GstCaps *in_caps, GstCaps *out_caps)
{
  GstVideoInfo in_info, out_info;
  GpuCscFormat in, out;

  return is_in_opencl_memory (in_caps) == is_in_opencl_memory (out_caps) && gst_csc_info_from_caps (&in_info, in_caps)
      && gst_csc_info_from_caps (&out_info, out_caps) && GST_VIDEO_INFO_FORMAT (&in_info) == GST_VIDEO_INFO_FORMAT (&out_info)
      && gst_csc_format_init (&in, &in_info) && gst_csc_format_init (&out, &out_info) && gpu_csc_same (&in, &out);
}

static gboolean
gst_gpu_csc_set_caps (GstBaseTransform *trans, GstCaps *in_caps, GstCaps *out_caps)
{
  GstGpuCsc *self = GST_GPU_CSC (trans);
  gboolean passthrough = is_passthrough (in_caps, out_caps);
  GError *error = NULL;

  gst_csc_converter_clear (&self->converter);
  gst_base_transform_set_passthrough (trans, passthrough);
  if (passthrough)
    return TRUE;
  if (!gst_cl_element_find_context (&self->device, GST_ELEMENT (self)))
    return FALSE;
  if (gst_csc_converter_init (&self->converter, self->device.context, self->device.queue, self->device.stats, &self->device.timing, in_caps,
          out_caps, &error))
    return TRUE;
  gst_cl_element_post_error (GST_ELEMENT (self), error);

  return FALSE;
}

/* Buffers */

static GstBufferPool *
create_pool (GstGpuCsc *self, GstCaps *caps)
{
  GstClContext *context = gst_cl_element_get_context (&self->device, GST_ELEMENT (self));
  GstBufferPool *pool = gst_cl_video_pool_new (context, caps, self->device.stats);

  gst_clear_object (&context);

  return pool;
}

/* What upstream writes into one of these buffers is on the device without a copy. */
static gboolean
gst_gpu_csc_propose_allocation (GstBaseTransform *trans, GstQuery *decide_query, GstQuery *query)
{
  GstBufferPool *pool;
  GstVideoInfo info;
  gboolean need_pool;
  GstCaps *caps;

  if (!GST_BASE_TRANSFORM_CLASS (gst_gpu_csc_parent_class)->propose_allocation (trans, decide_query, query))
    return FALSE;
  if (!decide_query)
    return TRUE; /* passed through: downstream has answered */
  gst_query_parse_allocation (query, &caps, &need_pool);
  if (!caps || !gst_video_info_from_caps (&info, caps))
    return FALSE;
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  if (!need_pool)
    return TRUE;
  pool = create_pool (GST_GPU_CSC (trans), caps);
  if (!pool)
    return FALSE;
  gst_query_add_allocation_pool (query, pool, info.size, 0, 0);
  gst_object_unref (pool);

  return TRUE;
}

/* The output's memory is the device's, whatever the caps promise: downstream maps it where it has to.  So a pool of downstream's is not
 * used, only its demand of buffers. */
static gboolean
gst_gpu_csc_decide_allocation (GstBaseTransform *trans, GstQuery *query)
{
  GstGpuCsc *self = GST_GPU_CSC (trans);
  guint size = 0, min = 0, max = 0;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  if (!caps || !gst_video_info_from_caps (&info, caps))
    return FALSE;
  pool = create_pool (self, caps);
  if (!pool) {
    GST_ELEMENT_ERROR (self, RESOURCE, NO_SPACE_LEFT, ("Pictures of %dx%d cannot be allocated.", info.width, info.height), (NULL));
    return FALSE;
  }
  if (gst_query_get_n_allocation_pools (query) > 0) {
    gst_query_parse_nth_allocation_pool (query, 0, NULL, &size, &min, &max);
    gst_query_set_nth_allocation_pool (query, 0, pool, info.size, min, 0);
  } else {
    gst_query_add_allocation_pool (query, pool, info.size, 0, 0);
  }
  gst_object_unref (pool);

  return TRUE;
}

static gboolean
gst_gpu_csc_get_unit_size (GstBaseTransform *trans, GstCaps *caps, gsize *size)
{
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, caps))
    return FALSE;
  *size = info.size;

  return TRUE;
}

static gboolean
is_kept_tag (const gchar *tag)
{
  static const gchar *kept[] = { GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_ORIENTATION_STR, GST_META_TAG_VIDEO_SIZE_STR, NULL };

  return g_strv_contains (kept, tag);
}

/* Metas about the picture, its size and orientation stay true; those about memory and colours do not.  The parent would be held for
 * nothing. */
static gboolean
gst_gpu_csc_transform_meta (GstBaseTransform *trans, GstBuffer *outbuf, GstMeta *meta, GstBuffer *inbuf)
{
  const gchar *const *tags = gst_meta_api_type_get_tags (meta->info->api);

  for (guint i = 0; tags && tags[i]; i++)
    if (!is_kept_tag (tags[i]))
      return FALSE;

  return meta->info->api != GST_VIDEO_META_API_TYPE && meta->info->api != GST_PARENT_BUFFER_META_API_TYPE;
}

static GstFlowReturn
gst_gpu_csc_transform (GstBaseTransform *trans, GstBuffer *inbuf, GstBuffer *outbuf)
{
  GstGpuCsc *self = GST_GPU_CSC (trans);
  GError *error = NULL;
  gboolean ok;

  gst_cl_stats_begin_picture (self->device.stats);
  ok = gst_csc_converter_run (&self->converter, inbuf, outbuf, &error);
  gst_cl_stats_end_picture ();
  if (ok)
    return GST_FLOW_OK;
  gst_cl_element_post_error (GST_ELEMENT (self), error);

  return GST_FLOW_ERROR;
}

/* The object */

static void
gst_gpu_csc_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  gst_cl_element_set_property (&GST_GPU_CSC (object)->device, object, id, value, pspec);
}

static void
gst_gpu_csc_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  gst_cl_element_get_property (&GST_GPU_CSC (object)->device, object, id, value, pspec);
}

static void
gst_gpu_csc_finalize (GObject *object)
{
  gst_cl_element_clear (&GST_GPU_CSC (object)->device);

  G_OBJECT_CLASS (gst_gpu_csc_parent_class)->finalize (object);
}

static void
gst_gpu_csc_class_init (GstGpuCscClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->set_property = gst_gpu_csc_set_property;
  object_class->get_property = gst_gpu_csc_get_property;
  object_class->finalize = gst_gpu_csc_finalize;
  gst_cl_element_install_properties (object_class);

  element_class->change_state = gst_gpu_csc_change_state;
  element_class->set_context = gst_gpu_csc_set_context;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "OpenCL colour converter", "Filter/Converter/Video/Colorspace/Hardware",
      "Converts raw video between formats on an OpenCL device", GST_GPU_CODEC_AUTHOR);

  transform_class->passthrough_on_same_caps = FALSE;
  transform_class->transform_ip_on_passthrough = FALSE;
  transform_class->stop = gst_gpu_csc_stop;
  transform_class->query = gst_gpu_csc_query;
  transform_class->transform_caps = gst_gpu_csc_transform_caps;
  transform_class->fixate_caps = gst_gpu_csc_fixate_caps;
  transform_class->set_caps = gst_gpu_csc_set_caps;
  transform_class->propose_allocation = gst_gpu_csc_propose_allocation;
  transform_class->decide_allocation = gst_gpu_csc_decide_allocation;
  transform_class->get_unit_size = gst_gpu_csc_get_unit_size;
  transform_class->transform_meta = gst_gpu_csc_transform_meta;
  transform_class->transform = gst_gpu_csc_transform;
}

static void
gst_gpu_csc_init (GstGpuCsc *self)
{
  gst_cl_element_init (&self->device);
}
