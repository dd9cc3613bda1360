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
 * gst-launch-1.0 filesrc location=clip.264 ! h264parse ! h264entropy ! gpuidct ! gpuinterpred ! gpuintrapred wavefront=diagonals ! \
 *     gpudeblock ! fakesink
 * ]|
 *
 * Since: 0.1
 */
#include "gstgpuintrapred.h"
#include "intrapredkernel.h"

GST_DEBUG_CATEGORY_STATIC (gst_gpu_intrapred_debug);
#define GST_CAT_DEFAULT gst_gpu_intrapred_debug

struct _GstGpuIntrapred
{
  GstClWavefrontStage parent;

  GpuIntrapredKernels kernels;
};

G_DEFINE_TYPE_WITH_CODE (GstGpuIntrapred, gst_gpu_intrapred, GST_TYPE_CL_WAVEFRONT_STAGE,
    GST_DEBUG_CATEGORY_INIT (gst_gpu_intrapred_debug, "gpuintrapred", 0, "intra prediction"));
GST_ELEMENT_REGISTER_DEFINE (gpuintrapred, "gpuintrapred", GST_RANK_NONE, GST_TYPE_GPU_INTRAPRED);

static cl_int
gst_gpu_intrapred_kernels_init (GstClStage *stage, cl_program program, const GstGpuPicture *params)
{
  GstClContext *context = gst_cl_stage_get_device (stage)->context;

  return gpu_intrapred_kernels_init (&GST_GPU_INTRAPRED (stage)->kernels, &context->device, context->handle, program, params);
}

static void
gst_gpu_intrapred_kernels_clear (GstClStage *stage)
{
  gpu_intrapred_kernels_clear (&GST_GPU_INTRAPRED (stage)->kernels);
}

static cl_int
gst_gpu_intrapred_enqueue (GstClStage *stage, const GstClJob *job, cl_uint n_wait, const cl_event *wait, cl_event *event, guint *n_launches)
{
  GpuWavefront wavefront = gst_cl_wavefront_stage_get_wavefront (GST_CL_WAVEFRONT_STAGE (stage));
  cl_int status = gpu_intrapred_enqueue (&GST_GPU_INTRAPRED (stage)->kernels, gst_cl_stage_get_device (stage)->queue, job->planes,
      wavefront, n_wait, wait, event, n_launches);

  GST_LOG_OBJECT (stage, "%ux%u macroblocks in %u launches", job->params->width_in_mbs, job->params->height_in_mbs, *n_launches);

  return status;
}

static void
gst_gpu_intrapred_reference (GstClStage *stage, const GstClJob *job)
{
  gpu_reference_intrapred (job->references);
}

static void
gst_gpu_intrapred_class_init (GstGpuIntrapredClass *klass)
{
  GstClStageClass *stage_class = GST_CL_STAGE_CLASS (klass);

  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "GPU intra prediction", "Filter/Decoder/Video/Hardware",
      "Stage of a video decoder: intra prediction on an OpenCL device", GST_GPU_CODEC_AUTHOR);
  GST_GPU_STAGE_CLASS (klass)->stage = GST_CODED_STAGE_INTRAPRED;
  stage_class->name = "gpuintrapred";
  stage_class->coeffs_access = GST_CL_READ;
  stage_class->dc_access = GST_CL_READ;
  stage_class->surface_access = GST_CL_READWRITE;
  stage_class->source = gpu_intrapred_source;
  stage_class->options = gpu_intrapred_options;
  stage_class->kernels_init = gst_gpu_intrapred_kernels_init;
  stage_class->kernels_clear = gst_gpu_intrapred_kernels_clear;
  stage_class->enqueue = gst_gpu_intrapred_enqueue;
  stage_class->reference = gst_gpu_intrapred_reference;
}

static void
gst_gpu_intrapred_init (GstGpuIntrapred *self)
{
}
