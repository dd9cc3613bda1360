/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-gpuidct
 * @title: gpuidct
 * @short_description: inverse quantisation and transforms of H.264 pictures
 *
 * The first stage on the device: turns the compacted coefficients of a coded picture into residuals, in place (ITU-T H.264, 8.5).  It
 * also offers the memory that coefficients are written to, and allocates the frames.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=clip.264 ! h264parse ! h264entropy ! gpuidct ! gpuintrapred ! gpudeblock ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include "gstgpuidct.h"
#include "idctkernel.h"

GST_DEBUG_CATEGORY_STATIC (gst_gpu_idct_debug);
#define GST_CAT_DEFAULT gst_gpu_idct_debug

struct _GstGpuIdct
{
  GstClStage parent;

  GpuIdctKernels kernels;
};

G_DEFINE_TYPE_WITH_CODE (GstGpuIdct, gst_gpu_idct, GST_TYPE_CL_STAGE,
    GST_DEBUG_CATEGORY_INIT (gst_gpu_idct_debug, "gpuidct", 0, "inverse quantisation and transforms"));
GST_ELEMENT_REGISTER_DEFINE (gpuidct, "gpuidct", GST_RANK_NONE, GST_TYPE_GPU_IDCT);

static cl_int
gst_gpu_idct_kernels_init (GstClStage * stage, cl_program program, const GpuPicture * params)
{
  GstClContext *context = gst_cl_stage_get_device (stage)->context;

  return gpu_idct_kernels_init (&GST_GPU_IDCT (stage)->kernels, &context->device, context->handle, program, params);
}

static void
gst_gpu_idct_kernels_clear (GstClStage * stage)
{
  gpu_idct_kernels_clear (&GST_GPU_IDCT (stage)->kernels);
}

/* A kernel without segments is not launched. */
static guint
gst_gpu_idct_count_launches (GstGpuIdct * self, const guint * first)
{
  guint n_dc = first[GPU_KIND_DC2x4 + 1] - first[GPU_KIND_DC4x4];
  guint n_4x4 = first[GPU_KIND_4x4 + 1] - first[GPU_KIND_4x4], n_8x8 = first[GPU_KIND_8x8 + 1] - first[GPU_KIND_8x8];

  return (n_dc > 0) + (self->kernels.blocks ? n_4x4 + n_8x8 > 0 : (n_4x4 > 0) + (n_8x8 > 0));
}

static cl_int
gst_gpu_idct_enqueue (GstClStage * stage, const GstClJob * job, cl_uint n_wait, const cl_event * wait, cl_event * event, guint * n_launches)
{
  GstGpuIdct *self = GST_GPU_IDCT (stage);

  *n_launches = gst_gpu_idct_count_launches (self, job->first);
  GST_LOG_OBJECT (self, "%u segments in %u launches", job->n_segments, *n_launches);

  return gpu_idct_enqueue (&self->kernels, gst_cl_stage_get_device (stage)->queue, job->planes, job->n_planes, job->first, n_wait, wait,
      event);
}

static void
gst_gpu_idct_reference (GstClStage * stage, const GstClJob * job)
{
  for (guint i = 0; i < job->n_planes; i++)
    gpu_reference_idct (&job->references[i], job->segments, job->n_segments, job->colour_plane + i);
}

static void
gst_gpu_idct_class_init (GstGpuIdctClass * klass)
{
  GstClStageClass *stage_class = GST_CL_STAGE_CLASS (klass);

  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "GPU inverse transform", "Filter/Decoder/Video/Hardware",
      "Stage of a video decoder: inverse quantisation and transforms on an OpenCL device", "gst-gpu-codec");
  GST_GPU_STAGE_CLASS (klass)->stage = GST_CODED_STAGE_IDCT;
  stage_class->name = "gpuidct";
  stage_class->source = gpu_idct_source;
  stage_class->planes_together = TRUE;
  stage_class->coeffs_access = GST_CL_READWRITE;
  stage_class->dc_access = GST_CL_WRITE;
  stage_class->options = gpu_idct_options;
  stage_class->kernels_init = gst_gpu_idct_kernels_init;
  stage_class->kernels_clear = gst_gpu_idct_kernels_clear;
  stage_class->enqueue = gst_gpu_idct_enqueue;
  stage_class->reference = gst_gpu_idct_reference;
}

static void
gst_gpu_idct_init (GstGpuIdct * self)
{
}
