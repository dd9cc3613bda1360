/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstclstage.h"
#include "gstclpicture.h"
#include "gstclprogram.h"
#include "gstclrawoutput.h"
#include "gstclreferences.h"
#include "gstthreadtime.h"

GST_DEBUG_CATEGORY_STATIC (gst_cl_stage_debug);
#define GST_CAT_DEFAULT gst_cl_stage_debug

#define OPTIONS_SIZE 512

typedef struct
{
  GstClElement device;

  /* of the streaming thread */
  GstCodedFormat format;
  GstClRawOutput raw_output;
  GstMemory *grey;        /* (nullable): stands for references that are missing */
  GstClProgramLoad *load; /* (nullable): of the program for the pictures of the format */
  gboolean has_kernels;
  gchar kernel_options[OPTIONS_SIZE]; /* what the kernels were built with */
  guint width_in_mbs, height_in_mbs;  /* and for */

  GstPadQueryFunction query[2]; /* of the base class: sink, source */
} GstClStagePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstClStage, gst_cl_stage, GST_TYPE_GPU_STAGE,
    G_ADD_PRIVATE (GstClStage) GST_DEBUG_CATEGORY_INIT (gst_cl_stage_debug, "clstage", 0, "base class of the OpenCL stages"));

#define PRIVATE(stage) ((GstClStagePrivate *) gst_cl_stage_get_instance_private (GST_CL_STAGE (stage)))

const GstClElement *
gst_cl_stage_get_device (GstClStage *stage)
{
  return &PRIVATE (stage)->device;
}

/* Opening and closing */

static gboolean
gst_cl_stage_open (GstGpuStage *stage)
{
  return gst_cl_element_open (&PRIVATE (stage)->device, GST_ELEMENT (stage));
}

static void
clear_kernels (GstClStage *self)
{
  GstClStagePrivate *priv = PRIVATE (self);

  if (priv->has_kernels)
    GST_CL_STAGE_GET_CLASS (self)->kernels_clear (self);
  priv->has_kernels = FALSE;
}

static void
gst_cl_stage_close (GstGpuStage *stage)
{
  GstClStagePrivate *priv = PRIVATE (stage);

  g_clear_pointer (&priv->load, gst_cl_program_load_end);
  gst_cl_raw_output_clear (&priv->raw_output);
  g_clear_pointer (&priv->grey, gst_memory_unref);
  clear_kernels (GST_CL_STAGE (stage));
  gst_cl_element_close (&priv->device, GST_ELEMENT (stage));
}

static void
gst_cl_stage_set_context (GstElement *element, GstContext *context)
{
  gst_cl_element_set_context (&PRIVATE (element)->device, element, context);

  GST_ELEMENT_CLASS (gst_cl_stage_parent_class)->set_context (element, context);
}

static gboolean
gst_cl_stage_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  GstClStagePrivate *priv = PRIVATE (parent);

  if (gst_cl_element_query (&priv->device, GST_ELEMENT (parent), query))
    return TRUE;

  return priv->query[GST_PAD_IS_SRC (pad)](pad, parent, query);
}

/* Pools, caps and output */

static GstCaps *
gst_cl_stage_get_raw_caps (GstGpuStage *stage)
{
  GstClContext *context = gst_cl_element_get_context (&PRIVATE (stage)->device, GST_ELEMENT (stage));
  GstCaps *caps = gst_caps_new_empty ();

  if (context || PRIVATE (stage)->device.wanted_backend == GST_CL_BACKEND_OPENCL)
    gst_caps_append_structure_full (caps, gst_structure_new_empty ("video/x-raw"),
        gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_OPENCL, NULL));
  gst_caps_append_structure (caps, gst_structure_new_empty ("video/x-raw"));
  gst_clear_object (&context);

  return caps;
}

/* Build options for pictures like @params, as snprintf() writes them */
static int
get_options (GstClStage *self, const GstGpuPicture *params, const gchar **source, gchar *options, gsize size)
{
  GstClStageClass *klass = GST_CL_STAGE_GET_CLASS (self);

  if (klass->variant)
    return klass->variant (self, params, source, options, size);
  *source = klass->source;

  return klass->options (&PRIVATE (self)->device.context->device, params, options, size);
}

/* By the time of the first picture the program is there, if it can be.  What pictures refer to others for comes later. */
static void
load_program (GstClStage *self)
{
  GstClStagePrivate *priv = PRIVATE (self);
  GstClStageClass *klass = GST_CL_STAGE_GET_CLASS (self);
  const GstCodedFormat *format = &priv->format;
  const GstGpuPicture params = { .width_in_mbs = format->coded_width / 16,
    .height_in_mbs = format->coded_height / 16,
    .chroma_array_type = format->separate_colour_planes ? 0 : format->chroma_format_idc,
    .bit_depth_luma = format->bit_depth_luma,
    .bit_depth_chroma = format->chroma_format_idc == 0 ? format->bit_depth_luma : format->bit_depth_chroma };
  gchar options[OPTIONS_SIZE];
  const gchar *source;

  g_clear_pointer (&priv->load, gst_cl_program_load_end);
  if (get_options (self, &params, &source, options, sizeof (options)) < (int) sizeof (options))
    priv->load = gst_cl_program_load_begin (priv->device.context, klass->name, source, options, klass->reads_references);
}

static gboolean
gst_cl_stage_set_format (GstGpuStage *stage, const GstCodedFormat *format)
{
  GstClStagePrivate *priv = PRIVATE (stage);

  priv->format = *format;
  g_clear_pointer (&priv->grey, gst_memory_unref);
  if (!gst_cl_element_find_context (&priv->device, GST_ELEMENT (stage)))
    return FALSE;
  if (priv->device.backend == GST_CL_BACKEND_OPENCL)
    load_program (GST_CL_STAGE (stage));

  return TRUE;
}

static GstBufferPool *
gst_cl_stage_create_surface_pool (GstGpuStage *stage, const GstCodedFormat *format, guint n_surfaces)
{
  GstClStagePrivate *priv = PRIVATE (stage);
  GstBufferPool *pool = gst_cl_surface_pool_new (priv->device.context, format, priv->device.stats);

  if (!pool)
    GST_ELEMENT_ERROR (stage, RESOURCE, NO_SPACE_LEFT,
        ("Frames of %dx%d samples cannot be allocated.", format->coded_width, format->coded_height), (NULL));

  return pool;
}

static GstBufferPool *
gst_cl_stage_create_arena_pool (GstGpuStage *stage, const GstCodedFormat *format)
{
  GstClContext *context = gst_cl_element_get_context (&PRIVATE (stage)->device, GST_ELEMENT (stage));
  GstBufferPool *pool = context ? gst_cl_arena_pool_new (context, PRIVATE (stage)->device.stats) : gst_arena_pool_new ();

  gst_clear_object (&context);

  return pool;
}

static gboolean
gst_cl_stage_decide_allocation (GstGpuStage *stage, GstQuery *query, const GstVideoInfo *info, gboolean device_memory)
{
  GstClStagePrivate *priv = PRIVATE (stage);
  gboolean video_meta = device_memory || gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  GError *error = NULL;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  gst_cl_raw_output_clear (&priv->raw_output);
  if (gst_cl_raw_output_init (&priv->raw_output, priv->device.context, priv->device.queue, priv->device.stats, &priv->format, caps,
          video_meta, &error)) {
    GST_DEBUG_OBJECT (stage, "output: %s", priv->raw_output.share ? "the surfaces themselves" : "converted");
    return TRUE;
  }
  gst_cl_element_post_error (GST_ELEMENT (stage), error);

  return FALSE;
}

static GstBuffer *
gst_cl_stage_create_output (GstGpuStage *stage, GstFrameStore *store, const GstVideoInfo *info, gboolean device_memory)
{
  GError *error = NULL;
  GstBuffer *buffer;

  if (!store->surface) {
    GST_ELEMENT_ERROR (stage, STREAM, DECODE, ("Frame %u has no samples.", store->number), (NULL));
    return NULL;
  }
  buffer = gst_cl_raw_output_make (&PRIVATE (stage)->raw_output, store->surface, &error);
  if (!buffer)
    gst_cl_element_post_error (GST_ELEMENT (stage), error);

  return buffer;
}

/* The work */

/* Makes the kernels for pictures like @params, if those that there are do not fit. */
static gboolean
ensure_kernels (GstClStage *self, const GstGpuPicture *params, GError **error)
{
  GstClStagePrivate *priv = PRIVATE (self);
  GstClStageClass *klass = GST_CL_STAGE_GET_CLASS (self);
  gchar options[OPTIONS_SIZE];
  const gchar *source;
  cl_program program;
  cl_int status;

  if (get_options (self, params, &source, options, sizeof (options)) >= (int) sizeof (options)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "The build options of %s are too long", klass->name);
    return FALSE;
  }
  if (priv->has_kernels && g_str_equal (options, priv->kernel_options) && params->width_in_mbs == priv->width_in_mbs
      && params->height_in_mbs <= priv->height_in_mbs)
    return TRUE;

  clear_kernels (self);
  program = gst_cl_program_get (priv->device.context, klass->name, source, options, error);
  if (!program)
    return FALSE;
  status = GST_CL_CALL (klass->kernels_init (self, program, params));
  GST_CL_CALL (clReleaseProgram (program));
  if (status != CL_SUCCESS) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "The kernels of %s cannot be made: %s", klass->name,
        gst_cl_status_name (status));
    return FALSE;
  }
  priv->has_kernels = TRUE;
  priv->width_in_mbs = params->width_in_mbs;
  priv->height_in_mbs = params->height_in_mbs;
  g_strlcpy (priv->kernel_options, options, sizeof (priv->kernel_options));

  return TRUE;
}

/* A memory and how the stage uses it */
typedef struct
{
  GstClMemory *memory;
  GstClAccess access;
  const GstClRanges *ranges;
} MemoryUse;

#define MAX_USES (3 + GST_CL_MAX_PLANE_SETS + GST_GPU_MAX_REFERENCES)

/* A surface that several numbers stand for is used once, and the picture's own one is written already. */
static gboolean
is_new_reference (const GstClPicture *picture, guint i)
{
  if (!picture->references[i] || picture->references[i] == picture->surface)
    return FALSE;
  for (guint k = 0; k < i; k++)
    if (picture->references[k] == picture->references[i])
      return FALSE;

  return TRUE;
}

static GstClAccess
header_access (const GstClStageClass *klass)
{
  return klass->writes_header ? GST_CL_READWRITE : GST_CL_READ;
}

static guint
list_uses (GstClStage *self, const GstClPicture *picture, MemoryUse uses[MAX_USES])
{
  GstClStageClass *klass = GST_CL_STAGE_GET_CLASS (self);
  guint n = 0;

  uses[n++] = (MemoryUse){ (GstClMemory *) picture->header, header_access (klass), &picture->header_ranges };
  if (klass->coeffs_access)
    uses[n++] = (MemoryUse){ (GstClMemory *) picture->coeffs, klass->coeffs_access, &picture->coeffs_ranges };
  if (klass->surface_access)
    uses[n++] = (MemoryUse){ (GstClMemory *) picture->surface, klass->surface_access, NULL };
  for (guint i = 0; klass->dc_access && i < picture->n_planes; i++)
    uses[n++] = (MemoryUse){ (GstClMemory *) picture->dc[i], klass->dc_access, NULL };
  for (guint i = 0; i < GST_GPU_MAX_REFERENCES; i++)
    if (is_new_reference (picture, i))
      uses[n++] = (MemoryUse){ (GstClMemory *) picture->references[i], GST_CL_READ, NULL };

  return n;
}

static cl_int
begin_uses (GstClStage *self, const MemoryUse *uses, guint n_uses, GstClWaitList *wait)
{
  GstClStagePrivate *priv = PRIVATE (self);
  cl_int status = CL_SUCCESS;

  for (guint i = 0; i < n_uses && status == CL_SUCCESS; i++) {
    const GstClRanges *ranges = uses[i].ranges;

    status = gst_cl_memory_begin_ranges (uses[i].memory, priv->device.queue, uses[i].access, ranges ? ranges->ranges : NULL,
        ranges ? ranges->n : 0, wait, priv->device.stats);
  }

  return status;
}

/* One call for all plane sets, or one for each: the queue is in order, so the first waits for all and the last is the last of all. */
static cl_int
enqueue_planes (GstClStage *self, const GstClPicture *picture, GstClWaitList *wait, cl_event *event)
{
  GstClStagePrivate *priv = PRIVATE (self);
  GstClStageClass *klass = GST_CL_STAGE_GET_CLASS (self);
  guint step = klass->planes_together ? picture->n_planes : 1;
  GpuKernelPicture planes[GST_CL_MAX_PLANE_SETS];
  cl_int status = CL_SUCCESS;

  gst_cl_picture_get_kernel_pictures (picture, planes);
  for (guint i = 0; i < picture->n_planes && status == CL_SUCCESS; i += step) {
    gboolean last = i + step >= picture->n_planes;
    GstClJob job = { .params = &picture->params[i],
      .n_planes = step,
      .colour_plane = i,
      .first = picture->coeff_meta->first,
      .has_inter = picture->picture->has_inter,
      .n_segments = picture->coeff_meta->n_segments,
      .planes = &planes[i] };
    cl_uint n_wait = i == 0 ? gst_cl_wait_list_get_length (wait) : 0;
    guint n_launches = 0;

    status = GST_CL_CALL (
        klass->enqueue (self, &job, n_wait, n_wait ? gst_cl_wait_list_get_events (wait) : NULL, last ? event : NULL, &n_launches));
    gst_cl_stats_add (priv->device.stats, GST_CL_LAUNCHES, n_launches);
  }

  return status;
}

static void
set_enqueue_error (GstClStage *self, const GstClPicture *picture, cl_int status, GError **error)
{
  GstClStageClass *klass = GST_CL_STAGE_GET_CLASS (self);
  const gchar *cause = klass->explain ? klass->explain (self, picture->picture) : NULL;

  if (cause)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_NOT_IMPLEMENTED, "%s, as it is set, cannot decode %s", klass->name, cause);
  else
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED, "The kernels of %s do not run on %s: %s", klass->name,
        gst_cl_context_get_name (PRIVATE (self)->device.context), gst_cl_status_name (status));
}

static gboolean
run_kernels (GstClStage *self, const GstClPicture *picture, GError **error)
{
  GstClStagePrivate *priv = PRIVATE (self);
  GstClWaitList *wait = gst_cl_wait_list_new ();
  MemoryUse uses[MAX_USES];
  guint n_uses = list_uses (self, picture, uses);
  cl_event begin = NULL, event = NULL;
  cl_int status = begin_uses (self, uses, n_uses, wait);

  if (status == CL_SUCCESS)
    begin = gst_cl_timing_begin (&priv->device.timing, priv->device.queue, GST_CL_WAIT_LIST (wait));
  if (status == CL_SUCCESS)
    status = enqueue_planes (self, picture, wait, &event);
  gst_cl_timing_end (&priv->device.timing, begin, event);
  gst_cl_wait_list_free (wait);
  if (status != CL_SUCCESS) {
    set_enqueue_error (self, picture, status, error);
    return FALSE;
  }
  for (guint i = 0; i < n_uses; i++)
    gst_cl_memory_end (GST_MEMORY_CAST (uses[i].memory), priv->device.queue, uses[i].access, event);
  GST_CL_CALL (clReleaseEvent (event));
  status = GST_CL_CALL (clFlush (priv->device.queue));
  if (status == CL_SUCCESS)
    return TRUE;
  set_enqueue_error (self, picture, status, error);

  return FALSE;
}

static gboolean
run_reference (GstClStage *self, const GstClPicture *picture, GError **error)
{
  GstClStageClass *klass = GST_CL_STAGE_GET_CLASS (self);
  GstClStagePrivate *priv = PRIVATE (self);
  GstClMappedPicture mapped;
  guint64 begin;
  guint step = klass->planes_together ? picture->n_planes : 1;

  if (!gst_cl_picture_map (picture, header_access (klass), klass->coeffs_access, klass->dc_access, klass->surface_access, &mapped, error))
    return FALSE;
  begin = priv->device.timing.enabled ? gst_thread_time () : 0;
  for (guint i = 0; i < picture->n_planes; i += step) {
    GstClJob job = { .params = &picture->params[i],
      .n_planes = step,
      .colour_plane = i,
      .first = picture->coeff_meta->first,
      .has_inter = picture->picture->has_inter,
      .segments = mapped.segments,
      .n_segments = picture->coeff_meta->n_segments,
      .references = &mapped.references[i] };

    klass->reference (self, &job);
  }
  if (priv->device.timing.enabled)
    gst_cl_stats_add (priv->device.stats, GST_CL_TIME, gst_thread_time () - begin);
  gst_cl_mapped_picture_unmap (&mapped);

  return TRUE;
}

static GstFlowReturn
gst_cl_stage_process (GstGpuStage *stage, GstCodedPicture *coded, GstBuffer *buffer)
{
  GstClStage *self = GST_CL_STAGE (stage);
  GstClStagePrivate *priv = PRIVATE (stage);
  gboolean kernels = priv->device.backend == GST_CL_BACKEND_OPENCL;
  GError *error = NULL;
  GstClPicture picture;
  gboolean ok;

  gst_cl_stats_begin_picture (priv->device.stats);
  ok = gst_cl_picture_init (&picture, coded, buffer, priv->format.codec, kernels ? priv->device.context : NULL, priv->device.stats, &error);
  if (ok) {
    if (GST_CL_STAGE_GET_CLASS (self)->dc_access)
      ok = gst_cl_picture_find_dc (&picture, kernels ? priv->device.context : NULL, &error);
    if (ok && GST_CL_STAGE_GET_CLASS (self)->reads_references)
      ok = gst_cl_picture_find_references (&picture, kernels ? priv->device.context : NULL, &priv->grey, &error);
    if (ok && kernels)
      ok = ensure_kernels (self, &picture.params[0], &error) && run_kernels (self, &picture, &error);
    else if (ok)
      ok = run_reference (self, &picture, &error);
    gst_cl_picture_clear (&picture);
  }
  gst_cl_stats_end_picture ();
  if (!ok)
    gst_cl_element_post_error (GST_ELEMENT (stage), error);

  return ok ? GST_FLOW_OK : GST_FLOW_ERROR;
}

/* GObject */

static void
gst_cl_stage_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  gst_cl_element_set_property (&PRIVATE (object)->device, object, id, value, pspec);
}

static void
gst_cl_stage_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  gst_cl_element_get_property (&PRIVATE (object)->device, object, id, value, pspec);
}

static void
gst_cl_stage_finalize (GObject *object)
{
  gst_cl_element_clear (&PRIVATE (object)->device);

  G_OBJECT_CLASS (gst_cl_stage_parent_class)->finalize (object);
}

static void
gst_cl_stage_class_init (GstClStageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstGpuStageClass *stage_class = GST_GPU_STAGE_CLASS (klass);

  object_class->set_property = gst_cl_stage_set_property;
  object_class->get_property = gst_cl_stage_get_property;
  object_class->finalize = gst_cl_stage_finalize;
  gst_cl_element_install_properties (object_class);
  gst_type_mark_as_plugin_api (GST_TYPE_CL_STAGE, 0);
  GST_ELEMENT_CLASS (klass)->set_context = gst_cl_stage_set_context;
  stage_class->open = gst_cl_stage_open;
  stage_class->close = gst_cl_stage_close;
  stage_class->get_raw_caps = gst_cl_stage_get_raw_caps;
  stage_class->set_format = gst_cl_stage_set_format;
  stage_class->create_surface_pool = gst_cl_stage_create_surface_pool;
  stage_class->create_arena_pool = gst_cl_stage_create_arena_pool;
  stage_class->decide_allocation = gst_cl_stage_decide_allocation;
  stage_class->process = gst_cl_stage_process;
  stage_class->create_output = gst_cl_stage_create_output;
}

static void
gst_cl_stage_init (GstClStage *self)
{
  static const gchar *const pads[] = { "sink", "src" };
  GstClStagePrivate *priv = PRIVATE (self);

  gst_cl_element_init (&priv->device);
  for (guint i = 0; i < G_N_ELEMENTS (pads); i++) {
    GstPad *pad = gst_element_get_static_pad (GST_ELEMENT (self), pads[i]);

    priv->query[i] = GST_PAD_QUERYFUNC (pad);
    gst_pad_set_query_function (pad, gst_cl_stage_query);
    gst_object_unref (pad);
  }
}
