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
 * gst-launch-1.0 filesrc location=clip.264 ! h264parse ! h264entropy ! gpuidct ! gpuinterpred ! gpuintrapred ! gpudeblock ! \
 *     videoconvert ! autovideosink
 * ]|
 *
 * Of H.265 pictures (caps with codec=h265) it runs the inverse transforms (ITU-T H.265, 8.6.2, 8.6.4): DCT of 4x4 to 32x32 blocks, DST,
 * transform skip.  No element here writes or predicts such pictures yet.
 *
 * Since: 0.1
 */
#include "gstgpuidct.h"
#include "hevcidctkernel.h"
#include "idctkernel.h"

GST_DEBUG_CATEGORY_STATIC (gst_gpu_idct_debug);
#define GST_CAT_DEFAULT gst_gpu_idct_debug

struct _GstGpuIdct
{
  GstClStage parent;

  GstCodedCodec codec; /* of the streaming thread: of the pictures to come */
  GpuIdctKernels kernels;
};

G_DEFINE_TYPE_WITH_CODE (GstGpuIdct, gst_gpu_idct, GST_TYPE_CL_STAGE,
    GST_DEBUG_CATEGORY_INIT (gst_gpu_idct_debug, "gpuidct", 0, "inverse quantisation and transforms"));
GST_ELEMENT_REGISTER_DEFINE (gpuidct, "gpuidct", GST_RANK_NONE, GST_TYPE_GPU_IDCT);

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

  if (GST_GPU_IDCT (stage)->codec == GST_CODED_CODEC_H265) {
    *source = gpu_hevcidct_source;
    return gpu_hevc_idct_options (device, buf, size);
  }
  *source = gpu_idct_source;

  return gpu_idct_options (device, params, buf, size);
}

static cl_int
gst_gpu_idct_kernels_init (GstClStage *stage, cl_program program, const GstGpuPicture *params)
{
  GstGpuIdct *self = GST_GPU_IDCT (stage);
  GstClContext *context = gst_cl_stage_get_device (stage)->context;

  if (self->codec == GST_CODED_CODEC_H265)
    return gpu_hevc_idct_kernels_init (&self->kernels, &context->device, program);

  return gpu_idct_kernels_init (&self->kernels, &context->device, context->handle, program, params);
}

static void
gst_gpu_idct_kernels_clear (GstClStage *stage)
{
  gpu_idct_kernels_clear (&GST_GPU_IDCT (stage)->kernels);
}

static cl_int
gst_gpu_idct_enqueue (GstClStage *stage, const GstClJob *job, cl_uint n_wait, const cl_event *wait, cl_event *event, guint *n_launches)
{
  cl_int status = gpu_idct_enqueue (&GST_GPU_IDCT (stage)->kernels, gst_cl_stage_get_device (stage)->queue, job->planes, job->n_planes,
      job->first, n_wait, wait, event, n_launches);

  GST_LOG_OBJECT (stage, "%u segments in %u launches", job->n_segments, *n_launches);

  return status;
}

static void
gst_gpu_idct_reference (GstClStage *stage, const GstClJob *job)
{
  for (guint i = 0; i < job->n_planes; i++)
    gpu_reference_idct (&job->references[i], job->segments, job->n_segments, job->colour_plane + i);
  gpu_reference_hevc_idct (&job->references[0], job->segments, job->n_segments);
}

static void
gst_gpu_idct_class_init (GstGpuIdctClass *klass)
{
  GstClStageClass *stage_class = GST_CL_STAGE_CLASS (klass);

  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "GPU inverse transform", "Filter/Decoder/Video/Hardware",
      "Stage of a video decoder: inverse quantisation and transforms of H.264, inverse transforms of H.265, on an OpenCL device",
      GST_GPU_CODEC_AUTHOR);
  GST_GPU_STAGE_CLASS (klass)->stage = GST_CODED_STAGE_IDCT;
  GST_GPU_STAGE_CLASS (klass)->codecs = 1u << GST_CODED_CODEC_H264 | 1u << GST_CODED_CODEC_H265;
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
