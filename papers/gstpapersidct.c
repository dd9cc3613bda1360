/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-papersidct
 * @title: papersidct
 * @short_description: published ways to share the inverse transforms of H.264 out to work-items
 *
 * In the place of gpuidct: the compacted transform of Wang et al., in the mapping and with the further steps that the property variant
 * names.  All give the same samples.  Which is fastest depends on the device; gpuidct is what decoding takes.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=clip.264 ! h264parse ! h264entropy ! papersidct variant=line ! gpuinterpred ! gpuintrapred ! \
 *     gpudeblock ! fakesink
 * ]|
 *
 * Since: 0.1
 */
#include "gstpapersidct.h"
#include "idctcompactedkernel.h"

GST_DEBUG_CATEGORY_STATIC (gst_papers_idct_debug);
#define GST_CAT_DEFAULT gst_papers_idct_debug

enum
{
  PROP_0,
  PROP_VARIANT
};

/* GstPapersIdctVariant: values of the property */
typedef enum
{
  GST_PAPERS_IDCT_SAMPLE,
  GST_PAPERS_IDCT_LINE,
  GST_PAPERS_IDCT_BLOCK,
  GST_PAPERS_IDCT_SYNC,
  GST_PAPERS_IDCT_WORKGROUP,
  GST_PAPERS_IDCT_GRANULARITY,
  GST_PAPERS_IDCT_COALESCING,
  GST_PAPERS_IDCT_STEPS
} GstPapersIdctVariant;

#define DEFAULT_VARIANT GST_PAPERS_IDCT_LINE

static const GpuIdctVariant variants[] = {
  [GST_PAPERS_IDCT_SAMPLE] = { GPU_IDCT_SAMPLE, 0 },
  [GST_PAPERS_IDCT_LINE] = { GPU_IDCT_LINE, 0 },
  [GST_PAPERS_IDCT_BLOCK] = { GPU_IDCT_BLOCK, 0 },
  [GST_PAPERS_IDCT_SYNC] = { GPU_IDCT_LINE, GPU_IDCT_SYNC },
  [GST_PAPERS_IDCT_WORKGROUP] = { GPU_IDCT_LINE, GPU_IDCT_WORKGROUP },
  [GST_PAPERS_IDCT_GRANULARITY] = { GPU_IDCT_LINE, GPU_IDCT_GRANULARITY },
  [GST_PAPERS_IDCT_COALESCING] = { GPU_IDCT_LINE, GPU_IDCT_COALESCING },
  [GST_PAPERS_IDCT_STEPS] = { GPU_IDCT_LINE, GPU_IDCT_WORKGROUP | GPU_IDCT_GRANULARITY | GPU_IDCT_COALESCING },
};

struct _GstPapersIdct
{
  GstClStage parent;

  GstPapersIdctVariant variant; /* the property, with the object lock */
  GstPapersIdctVariant chosen;  /* from READY on */
  GpuIdctKernels kernels;
};

G_DEFINE_TYPE_WITH_CODE (GstPapersIdct, gst_papers_idct, GST_TYPE_CL_STAGE,
    GST_DEBUG_CATEGORY_INIT (gst_papers_idct_debug, "papersidct", 0, "compacted inverse quantisation and transforms"));
GST_ELEMENT_REGISTER_DEFINE (papersidct, "papersidct", GST_RANK_NONE, GST_TYPE_PAPERS_IDCT);

#define GST_TYPE_PAPERS_IDCT_VARIANT (gst_papers_idct_variant_get_type ())
static GType
gst_papers_idct_variant_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = { { GST_PAPERS_IDCT_SAMPLE, "Compacted, a work-item a sample", "sample" },
    { GST_PAPERS_IDCT_LINE, "Compacted, a work-item a line of a block, 96 a group, barriers between rows and columns", "line" },
    { GST_PAPERS_IDCT_BLOCK, "Compacted, a work-item a block, no barriers", "block" },
    { GST_PAPERS_IDCT_SYNC, "As line, with sub-group barriers (needs sub-groups)", "sync" },
    { GST_PAPERS_IDCT_WORKGROUP, "As line, 192 work-items a group", "workgroup" },
    { GST_PAPERS_IDCT_GRANULARITY, "As line, four 4x4 or two 8x8 blocks a work-item", "granularity" },
    { GST_PAPERS_IDCT_COALESCING, "As line, residuals put in order in local memory, then written", "coalescing" },
    { GST_PAPERS_IDCT_STEPS, "workgroup, granularity and coalescing together", "steps" }, { 0, NULL, NULL } };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstPapersIdctVariant", values));

  return type;
}

static gboolean
gst_papers_idct_open (GstGpuStage *stage)
{
  GstPapersIdct *self = GST_PAPERS_IDCT (stage);
  GstGpuStageClass *parent_class = GST_GPU_STAGE_CLASS (gst_papers_idct_parent_class);
  const GstClElement *device = gst_cl_stage_get_device (GST_CL_STAGE (stage));

  if (!parent_class->open (stage))
    return FALSE;
  GST_OBJECT_LOCK (self);
  self->chosen = self->variant;
  GST_OBJECT_UNLOCK (self);
  if (device->backend != GST_CL_BACKEND_OPENCL)
    return TRUE;
  if (gpu_idct_compacted_supported (&device->context->device, &variants[self->chosen]))
    return TRUE;
  GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
      ("The device %s has no sub-groups, which variant=sync needs.", gst_cl_context_get_name (device->context)),
      ("variant=line is the same with work-group barriers"));
  parent_class->close (stage);

  return FALSE;
}

static int
gst_papers_idct_get_variant (GstClStage *stage, const GstGpuPicture *params, const gchar **source, char *buf, size_t size)
{
  const GpuKernelDevice *device = &gst_cl_stage_get_device (stage)->context->device;

  *source = gpu_idctcompacted_source;

  return gpu_idct_compacted_options (device, &variants[GST_PAPERS_IDCT (stage)->chosen], buf, size);
}

static cl_int
gst_papers_idct_kernels_init (GstClStage *stage, cl_program program, const GstGpuPicture *params)
{
  GstPapersIdct *self = GST_PAPERS_IDCT (stage);
  GstClContext *context = gst_cl_stage_get_device (stage)->context;

  return gpu_idct_compacted_kernels_init (&self->kernels, &context->device, program, &variants[self->chosen]);
}

static void
gst_papers_idct_kernels_clear (GstClStage *stage)
{
  gpu_idct_kernels_clear (&GST_PAPERS_IDCT (stage)->kernels);
}

static cl_int
gst_papers_idct_enqueue (GstClStage *stage, const GstClJob *job, cl_uint n_wait, const cl_event *wait, cl_event *event, guint *n_launches)
{
  cl_int status = gpu_idct_enqueue (&GST_PAPERS_IDCT (stage)->kernels, gst_cl_stage_get_device (stage)->queue, job->planes, job->n_planes,
      job->first, n_wait, wait, event, n_launches);

  GST_LOG_OBJECT (stage, "%u segments in %u launches", job->n_segments, *n_launches);

  return status;
}

static void
gst_papers_idct_reference (GstClStage *stage, const GstClJob *job)
{
  for (guint i = 0; i < job->n_planes; i++)
    gpu_reference_idct (&job->references[i], job->segments, job->n_segments, job->colour_plane + i);
}

static void
gst_papers_idct_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id != PROP_VARIANT) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (object);
  GST_PAPERS_IDCT (object)->variant = g_value_get_enum (value);
  GST_OBJECT_UNLOCK (object);
}

static void
gst_papers_idct_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id != PROP_VARIANT) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (object);
  g_value_set_enum (value, GST_PAPERS_IDCT (object)->variant);
  GST_OBJECT_UNLOCK (object);
}

static void
gst_papers_idct_class_init (GstPapersIdctClass *klass)
{
  GstClStageClass *stage_class = GST_CL_STAGE_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = gst_papers_idct_set_property;
  object_class->get_property = gst_papers_idct_get_property;
  g_object_class_install_property (object_class, PROP_VARIANT,
      g_param_spec_enum ("variant", "Variant", "How the transforms of H.264 are shared out to work-items", GST_TYPE_PAPERS_IDCT_VARIANT,
          DEFAULT_VARIANT, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  gst_type_mark_as_plugin_api (GST_TYPE_PAPERS_IDCT_VARIANT, 0);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "Compacted inverse transform", "Filter/Decoder/Video/Hardware",
      "For experiments: the compacted inverse transforms of Wang et al. in the place of gpuidct", GST_GPU_CODEC_AUTHOR);
  GST_GPU_STAGE_CLASS (klass)->stage = GST_CODED_STAGE_IDCT;
  GST_GPU_STAGE_CLASS (klass)->open = gst_papers_idct_open;
  stage_class->name = "papersidct";
  stage_class->planes_together = TRUE;
  stage_class->coeffs_access = GST_CL_READWRITE;
  stage_class->dc_access = GST_CL_WRITE;
  stage_class->variant = gst_papers_idct_get_variant;
  stage_class->kernels_init = gst_papers_idct_kernels_init;
  stage_class->kernels_clear = gst_papers_idct_kernels_clear;
  stage_class->enqueue = gst_papers_idct_enqueue;
  stage_class->reference = gst_papers_idct_reference;
}

static void
gst_papers_idct_init (GstPapersIdct *self)
{
  self->variant = DEFAULT_VARIANT;
}
