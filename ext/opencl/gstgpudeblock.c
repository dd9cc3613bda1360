/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-gpudeblock
 * @title: gpudeblock
 * @short_description: deblocking filter of H.264 pictures
 *
 * Filters the edges of blocks as the slices of a picture say (ITU-T H.264, 8.7).  A macroblock is filtered after its left and upper
 * neighbours: the property wavefront says how that order is kept.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=a.264 ! h264parse ! h264entropy ! gpuidct ! gpuinterpred ! gpuintrapred ! gpudeblock ! video/x-raw ! \
 *     fakesink
 * ]|
 *
 * Since: 0.1
 */
#include "gstgpudeblock.h"
#include "deblockkernel.h"

GST_DEBUG_CATEGORY_STATIC (gst_gpu_deblock_debug);
#define GST_CAT_DEFAULT gst_gpu_deblock_debug

struct _GstGpuDeblock
{
  GstClWavefrontStage parent;

  GpuDeblockKernels kernels;
};

G_DEFINE_TYPE_WITH_CODE (GstGpuDeblock, gst_gpu_deblock, GST_TYPE_CL_WAVEFRONT_STAGE,
    GST_DEBUG_CATEGORY_INIT (gst_gpu_deblock_debug, "gpudeblock", 0, "deblocking filter"));
GST_ELEMENT_REGISTER_DEFINE (gpudeblock, "gpudeblock", GST_RANK_NONE, GST_TYPE_GPU_DEBLOCK);

static cl_int
gst_gpu_deblock_kernels_init (GstClStage *stage, cl_program program, const GstGpuPicture *params)
{
  GstClContext *context = gst_cl_stage_get_device (stage)->context;

  return gpu_deblock_kernels_init (&GST_GPU_DEBLOCK (stage)->kernels, &context->device, context->handle, program, params);
}

static void
gst_gpu_deblock_kernels_clear (GstClStage *stage)
{
  gpu_deblock_kernels_clear (&GST_GPU_DEBLOCK (stage)->kernels);
}

static cl_int
gst_gpu_deblock_enqueue (GstClStage *stage, const GstClJob *job, cl_uint n_wait, const cl_event *wait, cl_event *event, guint *n_launches)
{
  GpuWavefront wavefront = gst_cl_wavefront_stage_get_wavefront (GST_CL_WAVEFRONT_STAGE (stage));
  cl_int status = gpu_deblock_enqueue (&GST_GPU_DEBLOCK (stage)->kernels, gst_cl_stage_get_device (stage)->queue, job->planes,
      job->has_inter, wavefront, n_wait, wait, event, n_launches);

  GST_LOG_OBJECT (stage, "%ux%u macroblocks in %u launches", job->params->width_in_mbs, job->params->height_in_mbs, *n_launches);

  return status;
}

static void
gst_gpu_deblock_reference (GstClStage *stage, const GstClJob *job)
{
  gpu_reference_deblock (job->references);
}

static void
gst_gpu_deblock_class_init (GstGpuDeblockClass *klass)
{
  GstClStageClass *stage_class = GST_CL_STAGE_CLASS (klass);

  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "GPU deblocking filter", "Filter/Decoder/Video/Hardware",
      "Stage of a video decoder: deblocking on an OpenCL device", GST_GPU_CODEC_AUTHOR);
  GST_GPU_STAGE_CLASS (klass)->stage = GST_CODED_STAGE_DEBLOCK;
  stage_class->name = "gpudeblock";
  stage_class->source = gpu_deblock_source;
  stage_class->surface_access = GST_CL_READWRITE;
  stage_class->options = gpu_deblock_options;
  stage_class->kernels_init = gst_gpu_deblock_kernels_init;
  stage_class->kernels_clear = gst_gpu_deblock_kernels_clear;
  stage_class->enqueue = gst_gpu_deblock_enqueue;
  stage_class->reference = gst_gpu_deblock_reference;
}

static void
gst_gpu_deblock_init (GstGpuDeblock *self)
{
}
