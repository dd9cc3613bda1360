/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-gpuintrapred
 * @title: gpuintrapred
 * @short_description: intra prediction of H.264 pictures
 *
 * Predicts the intra macroblocks of a picture from their neighbours and adds the residuals that gpuidct left (ITU-T H.264, 8.3).  A
 * macroblock needs its left and upper neighbours: the property wavefront says how that order is kept.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=clip.264 ! h264parse ! h264entropy ! gpuidct ! gpuintrapred wavefront=diagonals ! gpudeblock ! fakesink
 * ]|
 *
 * The property algorithm has two more ways, for experiments: the 2-D scan of edges joins 4x4 blocks to larger ones whose edges are linear
 * functions of what is around them.  It predicts from samples neither rounded nor clipped, so what it gives is not what the standard says:
 * pictures with intra prediction are flagged as corrupted (#GST_BUFFER_FLAG_CORRUPTED), and a warning says why.  The restricted scan, for
 * pictures with vertical and horizontal prediction alone, rounds nothing; only pictures where samples were clipped are flagged.  What a
 * scan cannot do (Intra_8x8, lossless macroblocks, 4:2:2, MBAFF frames, backend=c; restricted: other modes) ends with an error that names
 * it.
 *
 * Since: 0.1
 */
#include "gstgpuintrapred.h"
#include "intrapredkernel.h"
#include "intrascankernel.h"

GST_DEBUG_CATEGORY_STATIC (gst_gpu_intrapred_debug);
#define GST_CAT_DEFAULT gst_gpu_intrapred_debug

enum
{
  PROP_0,
  PROP_ALGORITHM
};

/* GstGpuIntrapredAlgorithm: values of the property */
typedef enum
{
  GST_GPU_INTRAPRED_WAVEFRONT,
  GST_GPU_INTRAPRED_SCAN,
  GST_GPU_INTRAPRED_SCAN_RESTRICTED
} GstGpuIntrapredAlgorithm;

#define DEFAULT_ALGORITHM GST_GPU_INTRAPRED_WAVEFRONT

struct _GstGpuIntrapred
{
  GstClWavefrontStage parent;

  GstGpuIntrapredAlgorithm algorithm;   /* the property, with the object lock */
  GstGpuIntrapredAlgorithm chosen;      /* from READY on */
  GpuIntrapredKernels kernels;

  /* of the scans, in the streaming thread */
  GpuIntraScanKernels scan;
  guint found;                  /* what the planes of a picture had: GPU_INTRA_SCAN_* */
  gboolean warned;
};

G_DEFINE_TYPE_WITH_CODE (GstGpuIntrapred, gst_gpu_intrapred, GST_TYPE_CL_WAVEFRONT_STAGE,
    GST_DEBUG_CATEGORY_INIT (gst_gpu_intrapred_debug, "gpuintrapred", 0, "intra prediction"));
GST_ELEMENT_REGISTER_DEFINE (gpuintrapred, "gpuintrapred", GST_RANK_NONE, GST_TYPE_GPU_INTRAPRED);

#define GST_TYPE_GPU_INTRAPRED_ALGORITHM (gst_gpu_intrapred_algorithm_get_type ())
static GType
gst_gpu_intrapred_algorithm_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_GPU_INTRAPRED_WAVEFRONT, "Macroblock after macroblock, as the standard says", "wavefront"},
    {GST_GPU_INTRAPRED_SCAN, "2-D scan of edges; not conformant, pictures are flagged as corrupted; "
        "no Intra_8x8, lossless, 4:2:2, MBAFF, backend=c", "scan"},
    {GST_GPU_INTRAPRED_SCAN_RESTRICTED, "As scan, for vertical and horizontal prediction only (all else is refused); "
        "exact where nothing is clipped",
        "scan-restricted"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstGpuIntrapredAlgorithm", values));

  return type;
}

static gboolean
gst_gpu_intrapred_open (GstGpuStage *stage)
{
  GstGpuIntrapred *self = GST_GPU_INTRAPRED (stage);
  GstGpuStageClass *parent_class = GST_GPU_STAGE_CLASS (gst_gpu_intrapred_parent_class);

  if (!parent_class->open (stage))
    return FALSE;
  GST_OBJECT_LOCK (self);
  self->chosen = self->algorithm;
  GST_OBJECT_UNLOCK (self);
  self->warned = FALSE;
  if (self->chosen == GST_GPU_INTRAPRED_WAVEFRONT || gst_cl_stage_get_device (GST_CL_STAGE (stage))->backend == GST_CL_BACKEND_OPENCL)
    return TRUE;
  GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("The scans of intra prediction need backend=opencl."),
      ("algorithm=wavefront has backend=c"));
  parent_class->close (stage);

  return FALSE;
}

static gboolean
is_restricted (GstGpuIntrapred *self)
{
  return self->chosen == GST_GPU_INTRAPRED_SCAN_RESTRICTED;
}

static int
gst_gpu_intrapred_get_variant (GstClStage *stage, const GstGpuPicture *params, const gchar **source, char *buf, size_t size)
{
  GstGpuIntrapred *self = GST_GPU_INTRAPRED (stage);

  if (self->chosen == GST_GPU_INTRAPRED_WAVEFRONT) {
    *source = gpu_intrapred_source;
    return gpu_intrapred_options (&gst_cl_stage_get_device (stage)->context->device, params, buf, size);
  }
  *source = gpu_edgescan_source;

  return gpu_intra_scan_options (params, is_restricted (self), buf, size);
}

static cl_int
gst_gpu_intrapred_kernels_init (GstClStage *stage, cl_program program, const GstGpuPicture *params)
{
  GstGpuIntrapred *self = GST_GPU_INTRAPRED (stage);
  GstClContext *context = gst_cl_stage_get_device (stage)->context;

  if (self->chosen == GST_GPU_INTRAPRED_WAVEFRONT)
    return gpu_intrapred_kernels_init (&self->kernels, &context->device, context->handle, program, params);

  return gpu_intra_scan_kernels_init (&self->scan, &context->device, context->handle, program, params, is_restricted (self), 0);
}

static void
gst_gpu_intrapred_kernels_clear (GstClStage *stage)
{
  GstGpuIntrapred *self = GST_GPU_INTRAPRED (stage);

  if (self->chosen == GST_GPU_INTRAPRED_WAVEFRONT)
    gpu_intrapred_kernels_clear (&self->kernels);
  else
    gpu_intra_scan_kernels_clear (&self->scan);
}

static cl_int
gst_gpu_intrapred_enqueue (GstClStage *stage, const GstClJob *job, cl_uint n_wait, const cl_event *wait, cl_event *event,
    guint *n_launches)
{
  GstGpuIntrapred *self = GST_GPU_INTRAPRED (stage);
  GpuWavefront wavefront = gst_cl_wavefront_stage_get_wavefront (GST_CL_WAVEFRONT_STAGE (stage));
  cl_command_queue queue = gst_cl_stage_get_device (stage)->queue;
  cl_int status;
  guint found;

  if (self->chosen == GST_GPU_INTRAPRED_WAVEFRONT) {
    status = gpu_intrapred_enqueue (&self->kernels, queue, job->planes, wavefront, n_wait, wait, event, n_launches);
  } else {
    status = gpu_intra_scan_enqueue (&self->scan, queue, job->planes, n_wait, wait, event, n_launches, &found);
    self->found |= found;
  }
  GST_LOG_OBJECT (self, "%ux%u macroblocks in %u launches", job->params->width_in_mbs, job->params->height_in_mbs, *n_launches);

  return status;
}

/* (nullable): what a scan cannot do of a picture */
static const gchar *
find_refused (GstGpuIntrapred *self, const GstCodedPicture *picture)
{
  if (self->found & GPU_INTRA_SCAN_8x8)
    return "Intra_8x8 prediction";
  if (self->found & GPU_INTRA_SCAN_BYPASS)
    return "lossless macroblocks";
  if (self->found & GPU_INTRA_SCAN_OTHER_MODE)
    return "other predictions than vertical and horizontal";

  return gpu_intra_scan_refuses (&picture->params[0]);
}

/* Says once a stream what the flags on its pictures mean. */
static void
flag_picture (GstGpuIntrapred *self, GstCodedPicture *picture)
{
  picture->store->buffer_flags |= GST_BUFFER_FLAG_CORRUPTED;
  if (self->warned)
    return;
  self->warned = TRUE;
  if (is_restricted (self))
    GST_ELEMENT_WARNING (self, STREAM, DECODE, ("Samples out of range were clipped after others had been predicted from them."),
        ("algorithm=scan-restricted is exact where none are; such pictures are flagged as corrupted"));
  else
    GST_ELEMENT_WARNING (self, STREAM, DECODE, ("Intra prediction by algorithm=scan is not what the standard says."),
        ("nothing is rounded or clipped before a picture is whole; pictures are flagged as corrupted"));
}

static GstFlowReturn
gst_gpu_intrapred_process (GstGpuStage *stage, GstCodedPicture *picture, GstBuffer *buffer)
{
  GstGpuIntrapred *self = GST_GPU_INTRAPRED (stage);
  guint approximate = is_restricted (self) ? GPU_INTRA_SCAN_OUT_OF_RANGE : GPU_INTRA_SCAN_PREDICTED;
  GstFlowReturn flow;

  self->found = 0;
  flow = GST_GPU_STAGE_CLASS (gst_gpu_intrapred_parent_class)->process (stage, picture, buffer);
  if (flow == GST_FLOW_OK && (self->found & approximate))
    flag_picture (self, picture);

  return flow;
}

/* Why a picture was not enqueued */
static const gchar *
gst_gpu_intrapred_explain (GstClStage *stage, const GstCodedPicture *picture)
{
  GstGpuIntrapred *self = GST_GPU_INTRAPRED (stage);

  return self->chosen == GST_GPU_INTRAPRED_WAVEFRONT ? NULL : find_refused (self, picture);
}

static void
gst_gpu_intrapred_reference (GstClStage *stage, const GstClJob *job)
{
  gpu_reference_intrapred (job->references);
}

static void
gst_gpu_intrapred_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id != PROP_ALGORITHM) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (object);
  GST_GPU_INTRAPRED (object)->algorithm = g_value_get_enum (value);
  GST_OBJECT_UNLOCK (object);
}

static void
gst_gpu_intrapred_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id != PROP_ALGORITHM) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (object);
  g_value_set_enum (value, GST_GPU_INTRAPRED (object)->algorithm);
  GST_OBJECT_UNLOCK (object);
}

static void
gst_gpu_intrapred_class_init (GstGpuIntrapredClass *klass)
{
  GstClStageClass *stage_class = GST_CL_STAGE_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = gst_gpu_intrapred_set_property;
  object_class->get_property = gst_gpu_intrapred_get_property;
  g_object_class_install_property (object_class, PROP_ALGORITHM,
      g_param_spec_enum ("algorithm", "Algorithm", "How intra prediction is computed", GST_TYPE_GPU_INTRAPRED_ALGORITHM, DEFAULT_ALGORITHM,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  gst_type_mark_as_plugin_api (GST_TYPE_GPU_INTRAPRED_ALGORITHM, 0);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "GPU intra prediction", "Filter/Decoder/Video/Hardware",
      "Stage of a video decoder: intra prediction on an OpenCL device", GST_GPU_CODEC_AUTHOR);
  GST_GPU_STAGE_CLASS (klass)->stage = GST_CODED_STAGE_INTRAPRED;
  GST_GPU_STAGE_CLASS (klass)->open = gst_gpu_intrapred_open;
  GST_GPU_STAGE_CLASS (klass)->process = gst_gpu_intrapred_process;
  stage_class->name = "gpuintrapred";
  stage_class->coeffs_access = GST_CL_READ;
  stage_class->dc_access = GST_CL_READ;
  stage_class->surface_access = GST_CL_READWRITE;
  stage_class->variant = gst_gpu_intrapred_get_variant;
  stage_class->explain = gst_gpu_intrapred_explain;
  stage_class->kernels_init = gst_gpu_intrapred_kernels_init;
  stage_class->kernels_clear = gst_gpu_intrapred_kernels_clear;
  stage_class->enqueue = gst_gpu_intrapred_enqueue;
  stage_class->reference = gst_gpu_intrapred_reference;
}

static void
gst_gpu_intrapred_init (GstGpuIntrapred *self)
{
}
