/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-gpuinterpred
 * @title: gpuinterpred
 * @short_description: inter prediction of H.264 pictures
 *
 * Predicts the inter macroblocks of a picture from the frames that it refers to and adds the residuals that gpuidct left (ITU-T H.264,
 * 8.4.2).  Those frames have to be submitted to the device as far as the last stage; that they are complete is left to events.  A frame
 * that is missing is replaced by the nearest one, and the output flagged as corrupted.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=clip.264 ! h264parse ! h264entropy ! gpuidct ! gpuinterpred ! gpuintrapred ! gpudeblock ! fakesink
 * ]|
 *
 * Since: 0.1
 */
#include "gstgpuinterpred.h"
#include "interpredkernel.h"

GST_DEBUG_CATEGORY_STATIC (gst_gpu_interpred_debug);
#define GST_CAT_DEFAULT gst_gpu_interpred_debug

struct _GstGpuInterpred
{
  GstClStage parent;

  GpuInterpredKernels kernels;
};

G_DEFINE_TYPE_WITH_CODE (GstGpuInterpred, gst_gpu_interpred, GST_TYPE_CL_STAGE,
    GST_DEBUG_CATEGORY_INIT (gst_gpu_interpred_debug, "gpuinterpred", 0, "inter prediction"));
GST_ELEMENT_REGISTER_DEFINE (gpuinterpred, "gpuinterpred", GST_RANK_NONE, GST_TYPE_GPU_INTERPRED);

static cl_int
gst_gpu_interpred_kernels_init (GstClStage *stage, cl_program program, const GstGpuPicture *params)
{
  GstClContext *context = gst_cl_stage_get_device (stage)->context;

  return gpu_interpred_kernels_init (&GST_GPU_INTERPRED (stage)->kernels, &context->device, context->handle, program, params);
}

static void
gst_gpu_interpred_kernels_clear (GstClStage *stage)
{
  gpu_interpred_kernels_clear (&GST_GPU_INTERPRED (stage)->kernels);
}

static cl_int
gst_gpu_interpred_enqueue (GstClStage *stage, const GstClJob *job, cl_uint n_wait, const cl_event *wait, cl_event *event, guint *n_launches)
{
  GstGpuInterpred *self = GST_GPU_INTERPRED (stage);

  *n_launches = 1;
  GST_LOG_OBJECT (self, "%ux%u macroblocks", job->params->width_in_mbs, job->params->height_in_mbs);

  return gpu_interpred_enqueue (&self->kernels, gst_cl_stage_get_device (stage)->queue, job->planes, n_wait, wait, event);
}

static void
gst_gpu_interpred_reference (GstClStage *stage, const GstClJob *job)
{
  gpu_reference_interpred (job->references);
}

static void
gst_gpu_interpred_class_init (GstGpuInterpredClass *klass)
{
  GstClStageClass *stage_class = GST_CL_STAGE_CLASS (klass);

  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "GPU inter prediction", "Filter/Decoder/Video/Hardware",
      "Stage of a video decoder: inter prediction on an OpenCL device", GST_GPU_CODEC_AUTHOR);
  GST_GPU_STAGE_CLASS (klass)->stage = GST_CODED_STAGE_INTERPRED;
  stage_class->name = "gpuinterpred";
  stage_class->source = gpu_interpred_source;
  stage_class->coeffs_access = GST_CL_READ;
  stage_class->dc_access = GST_CL_READ;
  stage_class->surface_access = GST_CL_READWRITE;
  stage_class->reads_references = TRUE;
  stage_class->options = gpu_interpred_options;
  stage_class->kernels_init = gst_gpu_interpred_kernels_init;
  stage_class->kernels_clear = gst_gpu_interpred_kernels_clear;
  stage_class->enqueue = gst_gpu_interpred_enqueue;
  stage_class->reference = gst_gpu_interpred_reference;
}

static void
gst_gpu_interpred_init (GstGpuInterpred *self)
{
}
