/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-gpuidct
 * @title: gpuidct
 * @short_description: inverse quantisation and transforms of H.264 pictures, inverse transforms of H.265 pictures
 *
 * The first stage on the device: turns the compacted coefficients of a coded picture into residuals, in place (ITU-T H.264, 8.5).  It
 * also offers the memory that coefficients are written to, and allocates the frames.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=clip.264 ! h264parse ! h264entropy ! gpuidct ! gpuintrapred ! gpudeblock ! videoconvert ! autovideosink
 * ]|
 *
 * The property variant chooses among ways to share the transforms out to work-items; all give the same samples.  Which is fastest depends
 * on the device; auto is right unless they are to be compared.
 *
 * Of H.265 pictures (caps with codec=h265) it runs the inverse transforms (ITU-T H.265, 8.6.2, 8.6.4): DCT of 4x4 to 32x32 blocks, DST,
 * transform skip; always as with auto.  No element here writes or predicts such pictures yet.
 *
 * Since: 0.1
 */
#include "gstgpuidct.h"
#include "hevcidctkernel.h"
#include "idctcompactedkernel.h"

GST_DEBUG_CATEGORY_STATIC (gst_gpu_idct_debug);
#define GST_CAT_DEFAULT gst_gpu_idct_debug

enum
{
  PROP_0,
  PROP_VARIANT
};

/* GstGpuIdctVariant: values of the property.  All but auto are the compacted transform of Wang et al. */
typedef enum
{
  GST_GPU_IDCT_AUTO,
  GST_GPU_IDCT_SAMPLE,
  GST_GPU_IDCT_LINE,
  GST_GPU_IDCT_BLOCK,
  GST_GPU_IDCT_SYNC,
  GST_GPU_IDCT_WORKGROUP,
  GST_GPU_IDCT_GRANULARITY,
  GST_GPU_IDCT_COALESCING,
  GST_GPU_IDCT_STEPS
} GstGpuIdctVariant;

static const GpuIdctVariant variants[] = {
  [GST_GPU_IDCT_SAMPLE] = {GPU_IDCT_SAMPLE, 0},
  [GST_GPU_IDCT_LINE] = {GPU_IDCT_LINE, 0},
  [GST_GPU_IDCT_BLOCK] = {GPU_IDCT_BLOCK, 0},
  [GST_GPU_IDCT_SYNC] = {GPU_IDCT_LINE, GPU_IDCT_SYNC},
  [GST_GPU_IDCT_WORKGROUP] = {GPU_IDCT_LINE, GPU_IDCT_WORKGROUP},
  [GST_GPU_IDCT_GRANULARITY] = {GPU_IDCT_LINE, GPU_IDCT_GRANULARITY},
  [GST_GPU_IDCT_COALESCING] = {GPU_IDCT_LINE, GPU_IDCT_COALESCING},
  [GST_GPU_IDCT_STEPS] = {GPU_IDCT_LINE, GPU_IDCT_WORKGROUP | GPU_IDCT_GRANULARITY | GPU_IDCT_COALESCING},
};

struct _GstGpuIdct
{
  GstClStage parent;

  GstGpuIdctVariant variant;    /* the property, with the object lock */
  GstGpuIdctVariant chosen;     /* from READY on */
  GstCodedCodec codec;          /* of the streaming thread: of the pictures to come */
  GpuIdctKernels kernels;
};

G_DEFINE_TYPE_WITH_CODE (GstGpuIdct, gst_gpu_idct, GST_TYPE_CL_STAGE,
    GST_DEBUG_CATEGORY_INIT (gst_gpu_idct_debug, "gpuidct", 0, "inverse quantisation and transforms"));
GST_ELEMENT_REGISTER_DEFINE (gpuidct, "gpuidct", GST_RANK_NONE, GST_TYPE_GPU_IDCT);

#define GST_TYPE_GPU_IDCT_VARIANT (gst_gpu_idct_variant_get_type ())
static GType
gst_gpu_idct_variant_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_GPU_IDCT_AUTO, "What is fastest on the device: vectors of blocks on a CPU, lines and blocks by size on a GPU", "auto"},
    {GST_GPU_IDCT_SAMPLE, "Compacted, a work-item a sample", "sample"},
    {GST_GPU_IDCT_LINE, "Compacted, a work-item a line of a block, 96 a group, barriers between rows and columns", "line"},
    {GST_GPU_IDCT_BLOCK, "Compacted, a work-item a block, no barriers", "block"},
    {GST_GPU_IDCT_SYNC, "As line, with sub-group barriers (needs sub-groups)", "sync"},
    {GST_GPU_IDCT_WORKGROUP, "As line, 192 work-items a group", "workgroup"},
    {GST_GPU_IDCT_GRANULARITY, "As line, four 4x4 or two 8x8 blocks a work-item", "granularity"},
    {GST_GPU_IDCT_COALESCING, "As line, residuals put in order in local memory, then written", "coalescing"},
    {GST_GPU_IDCT_STEPS, "workgroup, granularity and coalescing together", "steps"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstGpuIdctVariant", values));

  return type;
}

static gboolean
gst_gpu_idct_open (GstGpuStage *stage)
{
  GstGpuIdct *self = GST_GPU_IDCT (stage);
  GstGpuStageClass *parent_class = GST_GPU_STAGE_CLASS (gst_gpu_idct_parent_class);
  const GstClElement *device = gst_cl_stage_get_device (GST_CL_STAGE (stage));

  if (!parent_class->open (stage))
    return FALSE;
  GST_OBJECT_LOCK (self);
  self->chosen = self->variant;
  GST_OBJECT_UNLOCK (self);
  if (device->backend != GST_CL_BACKEND_OPENCL || self->chosen == GST_GPU_IDCT_AUTO)
    return TRUE;
  if (gpu_idct_compacted_supported (&device->context->device, &variants[self->chosen]))
    return TRUE;
  GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("The device %s has no sub-groups, which variant=sync needs.", device->context->name),
      ("variant=line is the same with work-group barriers"));
  parent_class->close (stage);

  return FALSE;
}

static gboolean
gst_gpu_idct_set_format (GstGpuStage *stage, const GstCodedFormat *format)
{
  GST_GPU_IDCT (stage)->codec = format->codec;

  return GST_GPU_STAGE_CLASS (gst_gpu_idct_parent_class)->set_format (stage, format);
}

static int
gst_gpu_idct_get_variant (GstClStage *stage, const GstGpuPicture *params, const gchar **source, char *buf, size_t size)
{
  const GpuKernelDevice *device = &gst_cl_stage_get_device (stage)->context->device;
  GstGpuIdctVariant chosen = GST_GPU_IDCT (stage)->chosen;

  if (GST_GPU_IDCT (stage)->codec == GST_CODED_CODEC_H265) {
    *source = gpu_hevcidct_source;
    return gpu_hevc_idct_options (device, buf, size);
  }
  *source = chosen == GST_GPU_IDCT_AUTO ? gpu_idct_source : gpu_idctcompacted_source;
  if (chosen == GST_GPU_IDCT_AUTO)
    return gpu_idct_options (device, params, buf, size);

  return gpu_idct_compacted_options (device, &variants[chosen], buf, size);
}

static cl_int
gst_gpu_idct_kernels_init (GstClStage *stage, cl_program program, const GstGpuPicture *params)
{
  GstGpuIdct *self = GST_GPU_IDCT (stage);
  GstClContext *context = gst_cl_stage_get_device (stage)->context;

  if (self->codec == GST_CODED_CODEC_H265)
    return gpu_hevc_idct_kernels_init (&self->kernels, &context->device, program);
  if (self->chosen == GST_GPU_IDCT_AUTO)
    return gpu_idct_kernels_init (&self->kernels, &context->device, context->handle, program, params);

  return gpu_idct_compacted_kernels_init (&self->kernels, &context->device, program, &variants[self->chosen]);
}

static void
gst_gpu_idct_kernels_clear (GstClStage *stage)
{
  gpu_idct_kernels_clear (&GST_GPU_IDCT (stage)->kernels);
}

/* A kernel without segments is not launched. */
static guint
gst_gpu_idct_count_launches (GstGpuIdct *self, const guint *first)
{
  guint n_dc = first[GST_GPU_KIND_DC2x4 + 1] - first[GST_GPU_KIND_DC4x4];
  guint n_4x4 = first[GST_GPU_KIND_4x4 + 1] - first[GST_GPU_KIND_4x4], n_8x8 = first[GST_GPU_KIND_8x8 + 1] - first[GST_GPU_KIND_8x8];
  guint n_hevc = 0;

  for (guint kind = GST_GPU_N_H264_KINDS; kind < GST_GPU_N_KINDS; kind++)
    n_hevc += first[kind + 1] > first[kind];

  return n_hevc + (n_dc > 0) + (self->kernels.blocks ? n_4x4 + n_8x8 > 0 : (n_4x4 > 0) + (n_8x8 > 0));
}

static cl_int
gst_gpu_idct_enqueue (GstClStage *stage, const GstClJob *job, cl_uint n_wait, const cl_event *wait, cl_event *event, guint *n_launches)
{
  GstGpuIdct *self = GST_GPU_IDCT (stage);

  *n_launches = gst_gpu_idct_count_launches (self, job->first);
  GST_LOG_OBJECT (self, "%u segments in %u launches", job->n_segments, *n_launches);

  return gpu_idct_enqueue (&self->kernels, gst_cl_stage_get_device (stage)->queue, job->planes, job->n_planes, job->first, n_wait, wait,
      event);
}

static void
gst_gpu_idct_reference (GstClStage *stage, const GstClJob *job)
{
  for (guint i = 0; i < job->n_planes; i++)
    gpu_reference_idct (&job->references[i], job->segments, job->n_segments, job->colour_plane + i);
  gpu_reference_hevc_idct (&job->references[0], job->segments, job->n_segments);
}

static void
gst_gpu_idct_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id != PROP_VARIANT) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (object);
  GST_GPU_IDCT (object)->variant = g_value_get_enum (value);
  GST_OBJECT_UNLOCK (object);
}

static void
gst_gpu_idct_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id != PROP_VARIANT) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (object);
  g_value_set_enum (value, GST_GPU_IDCT (object)->variant);
  GST_OBJECT_UNLOCK (object);
}

static void
gst_gpu_idct_class_init (GstGpuIdctClass *klass)
{
  GstClStageClass *stage_class = GST_CL_STAGE_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = gst_gpu_idct_set_property;
  object_class->get_property = gst_gpu_idct_get_property;
  g_object_class_install_property (object_class, PROP_VARIANT,
      g_param_spec_enum ("variant", "Variant", "How the transforms of H.264 are shared out to work-items", GST_TYPE_GPU_IDCT_VARIANT,
          GST_GPU_IDCT_AUTO, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  gst_type_mark_as_plugin_api (GST_TYPE_GPU_IDCT_VARIANT, 0);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "GPU inverse transform", "Filter/Decoder/Video/Hardware",
      "Stage of a video decoder: inverse quantisation and transforms of H.264, inverse transforms of H.265, on an OpenCL device",
      GST_GPU_CODEC_AUTHOR);
  GST_GPU_STAGE_CLASS (klass)->stage = GST_CODED_STAGE_IDCT;
  GST_GPU_STAGE_CLASS (klass)->codecs = 1u << GST_CODED_CODEC_H264 | 1u << GST_CODED_CODEC_H265;
  GST_GPU_STAGE_CLASS (klass)->open = gst_gpu_idct_open;
  GST_GPU_STAGE_CLASS (klass)->set_format = gst_gpu_idct_set_format;
  stage_class->name = "gpuidct";
  stage_class->planes_together = TRUE;
  stage_class->coeffs_access = GST_CL_READWRITE;
  stage_class->dc_access = GST_CL_WRITE;
  stage_class->variant = gst_gpu_idct_get_variant;
  stage_class->kernels_init = gst_gpu_idct_kernels_init;
  stage_class->kernels_clear = gst_gpu_idct_kernels_clear;
  stage_class->enqueue = gst_gpu_idct_enqueue;
  stage_class->reference = gst_gpu_idct_reference;
}

static void
gst_gpu_idct_init (GstGpuIdct *self)
{
}
