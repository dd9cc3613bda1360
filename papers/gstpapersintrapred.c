/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-papersintrapred
 * @title: papersintrapred
 * @short_description: intra prediction of H.264 pictures by scans of edges
 *
 * In the place of gpuintrapred, for experiments: the 2-D scan of edges joins 4x4 blocks to larger ones whose edges are linear functions of
 * what is around them.  It predicts from samples neither rounded nor clipped, so what it gives is not what the standard says: pictures with
 * intra prediction are flagged as corrupted (#GST_BUFFER_FLAG_CORRUPTED), and a warning says why.  The restricted scan, for pictures with
 * vertical and horizontal prediction alone, rounds nothing; only pictures where samples were clipped are flagged.  What a scan cannot do
 * (Intra_8x8, lossless macroblocks, 4:2:2, MBAFF frames, backend=c; restricted: other modes) ends with an error that names it.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=clip.264 ! h264parse ! h264entropy ! gpuidct ! gpuinterpred ! papersintrapred algorithm=scan ! \
 *     gpudeblock ! fakesink
 * ]|
 *
 * Since: 0.1
 */
#include "gstpapersintrapred.h"
#include "intrascankernel.h"

GST_DEBUG_CATEGORY_STATIC (gst_papers_intrapred_debug);
#define GST_CAT_DEFAULT gst_papers_intrapred_debug

enum
{
  PROP_0,
  PROP_ALGORITHM
};

/* GstPapersIntrapredAlgorithm: values of the property */
typedef enum
{
  GST_PAPERS_INTRAPRED_SCAN,
  GST_PAPERS_INTRAPRED_SCAN_RESTRICTED
} GstPapersIntrapredAlgorithm;

#define DEFAULT_ALGORITHM GST_PAPERS_INTRAPRED_SCAN

struct _GstPapersIntrapred
{
  GstClStage parent;

  GstPapersIntrapredAlgorithm algorithm; /* the property, with the object lock */
  GstPapersIntrapredAlgorithm chosen;    /* from READY on */

  /* of the streaming thread */
  GpuIntraScanKernels scan;
  guint found; /* what the planes of a picture had: GPU_INTRA_SCAN_* */
  gboolean warned;
};

G_DEFINE_TYPE_WITH_CODE (GstPapersIntrapred, gst_papers_intrapred, GST_TYPE_CL_STAGE,
    GST_DEBUG_CATEGORY_INIT (gst_papers_intrapred_debug, "papersintrapred", 0, "scans of intra prediction"));
GST_ELEMENT_REGISTER_DEFINE (papersintrapred, "papersintrapred", GST_RANK_NONE, GST_TYPE_PAPERS_INTRAPRED);

#define GST_TYPE_PAPERS_INTRAPRED_ALGORITHM (gst_papers_intrapred_algorithm_get_type ())
static GType
gst_papers_intrapred_algorithm_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = { { GST_PAPERS_INTRAPRED_SCAN,
                                           "2-D scan of edges; not conformant, pictures are flagged as corrupted; "
                                           "no Intra_8x8, lossless, 4:2:2, MBAFF, backend=c",
                                           "scan" },
    { GST_PAPERS_INTRAPRED_SCAN_RESTRICTED,
        "As scan, for vertical and horizontal prediction only (all else is refused); "
        "exact where nothing is clipped",
        "scan-restricted" },
    { 0, NULL, NULL } };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstPapersIntrapredAlgorithm", values));

  return type;
}

static gboolean
gst_papers_intrapred_open (GstGpuStage *stage)
{
  GstPapersIntrapred *self = GST_PAPERS_INTRAPRED (stage);
  GstGpuStageClass *parent_class = GST_GPU_STAGE_CLASS (gst_papers_intrapred_parent_class);

  if (!parent_class->open (stage))
    return FALSE;
  GST_OBJECT_LOCK (self);
  self->chosen = self->algorithm;
  GST_OBJECT_UNLOCK (self);
  self->warned = FALSE;
  if (gst_cl_stage_get_device (GST_CL_STAGE (stage))->backend == GST_CL_BACKEND_OPENCL)
    return TRUE;
  GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("The scans of intra prediction need backend=opencl."), ("gpuintrapred has backend=c"));
  parent_class->close (stage);

  return FALSE;
}

static gboolean
is_restricted (GstPapersIntrapred *self)
{
  return self->chosen == GST_PAPERS_INTRAPRED_SCAN_RESTRICTED;
}

static int
gst_papers_intrapred_get_variant (GstClStage *stage, const GstGpuPicture *params, const gchar **source, char *buf, size_t size)
{
  GstPapersIntrapred *self = GST_PAPERS_INTRAPRED (stage);

  *source = gpu_edgescan_source;

  return gpu_intra_scan_options (params, is_restricted (self), buf, size);
}

static cl_int
gst_papers_intrapred_kernels_init (GstClStage *stage, cl_program program, const GstGpuPicture *params)
{
  GstPapersIntrapred *self = GST_PAPERS_INTRAPRED (stage);
  GstClContext *context = gst_cl_stage_get_device (stage)->context;

  return gpu_intra_scan_kernels_init (&self->scan, &context->device, context->handle, program, params, is_restricted (self), 0);
}

static void
gst_papers_intrapred_kernels_clear (GstClStage *stage)
{
  gpu_intra_scan_kernels_clear (&GST_PAPERS_INTRAPRED (stage)->scan);
}

static cl_int
gst_papers_intrapred_enqueue (GstClStage *stage, const GstClJob *job, cl_uint n_wait, const cl_event *wait, cl_event *event,
    guint *n_launches)
{
  GstPapersIntrapred *self = GST_PAPERS_INTRAPRED (stage);
  guint found;
  cl_int status =
      gpu_intra_scan_enqueue (&self->scan, gst_cl_stage_get_device (stage)->queue, job->planes, n_wait, wait, event, n_launches, &found);

  self->found |= found;
  GST_LOG_OBJECT (self, "%ux%u macroblocks in %u launches", job->params->width_in_mbs, job->params->height_in_mbs, *n_launches);

  return status;
}

/* (nullable): what a scan cannot do of a picture */
static const gchar *
find_refused (GstPapersIntrapred *self, const GstCodedPicture *picture)
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
flag_picture (GstPapersIntrapred *self, GstCodedPicture *picture)
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
gst_papers_intrapred_process (GstGpuStage *stage, GstCodedPicture *picture, GstBuffer *buffer)
{
  GstPapersIntrapred *self = GST_PAPERS_INTRAPRED (stage);
  guint approximate = is_restricted (self) ? GPU_INTRA_SCAN_OUT_OF_RANGE : GPU_INTRA_SCAN_PREDICTED;
  GstFlowReturn flow;

  self->found = 0;
  flow = GST_GPU_STAGE_CLASS (gst_papers_intrapred_parent_class)->process (stage, picture, buffer);
  if (flow == GST_FLOW_OK && (self->found & approximate))
    flag_picture (self, picture);

  return flow;
}

/* Why a picture was not enqueued */
static const gchar *
gst_papers_intrapred_explain (GstClStage *stage, const GstCodedPicture *picture)
{
  return find_refused (GST_PAPERS_INTRAPRED (stage), picture);
}

static void
gst_papers_intrapred_reference (GstClStage *stage, const GstClJob *job)
{
  gpu_reference_intrapred (job->references);
}

static void
gst_papers_intrapred_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id != PROP_ALGORITHM) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (object);
  GST_PAPERS_INTRAPRED (object)->algorithm = g_value_get_enum (value);
  GST_OBJECT_UNLOCK (object);
}

static void
gst_papers_intrapred_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id != PROP_ALGORITHM) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (object);
  g_value_set_enum (value, GST_PAPERS_INTRAPRED (object)->algorithm);
  GST_OBJECT_UNLOCK (object);
}

static void
gst_papers_intrapred_class_init (GstPapersIntrapredClass *klass)
{
  GstClStageClass *stage_class = GST_CL_STAGE_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = gst_papers_intrapred_set_property;
  object_class->get_property = gst_papers_intrapred_get_property;
  g_object_class_install_property (object_class, PROP_ALGORITHM,
      g_param_spec_enum ("algorithm", "Algorithm", "How intra prediction is computed", GST_TYPE_PAPERS_INTRAPRED_ALGORITHM,
          DEFAULT_ALGORITHM, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  gst_type_mark_as_plugin_api (GST_TYPE_PAPERS_INTRAPRED_ALGORITHM, 0);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "Intra prediction by scans", "Filter/Decoder/Video/Hardware",
      "For experiments: 2-D scans of edges in the place of gpuintrapred; not conformant", GST_GPU_CODEC_AUTHOR);
  GST_GPU_STAGE_CLASS (klass)->stage = GST_CODED_STAGE_INTRAPRED;
  GST_GPU_STAGE_CLASS (klass)->open = gst_papers_intrapred_open;
  GST_GPU_STAGE_CLASS (klass)->process = gst_papers_intrapred_process;
  stage_class->name = "papersintrapred";
  stage_class->coeffs_access = GST_CL_READ;
  stage_class->dc_access = GST_CL_READ;
  stage_class->surface_access = GST_CL_READWRITE;
  stage_class->variant = gst_papers_intrapred_get_variant;
  stage_class->explain = gst_papers_intrapred_explain;
  stage_class->kernels_init = gst_papers_intrapred_kernels_init;
  stage_class->kernels_clear = gst_papers_intrapred_kernels_clear;
  stage_class->enqueue = gst_papers_intrapred_enqueue;
  stage_class->reference = gst_papers_intrapred_reference;
}

static void
gst_papers_intrapred_init (GstPapersIntrapred *self)
{
  self->algorithm = DEFAULT_ALGORITHM;
}
