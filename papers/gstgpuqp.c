/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-gpuqp
 * @title: gpuqp
 * @short_description: QP of H.264 macroblocks from mb_qp_delta
 *
 * Adds up mb_qp_delta along slices by a scan on the device (ITU-T H.264, 7.4.5), where gpuqpdelta has put it in the place of QP; what the
 * pictures show does not change.  For experiments: h264entropy knows QP anyway.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=a.264 ! h264parse ! h264entropy ! gpuqpdelta ! gpuqp ! gpuidct ! gpuinterpred ! gpuintrapred ! \
 *     gpudeblock ! fakesink
 * ]|
 *
 * Since: 0.1
 */
#include <stdio.h>

#include "gstgpuqp.h"
#include "qp.h"
#include "qpkernel.h"

struct _GstGpuQp
{
  GstClStage parent;

  GpuQpKernels kernels;
};

G_DEFINE_TYPE (GstGpuQp, gst_gpu_qp, GST_TYPE_CL_STAGE);
GST_ELEMENT_REGISTER_DEFINE (gpuqp, "gpuqp", GST_RANK_NONE, GST_TYPE_GPU_QP);

static int
gst_gpu_qp_options (const GpuKernelDevice *device, const GstGpuPicture *params, char *buf, size_t size)
{
  return snprintf (buf, size, "%s", "");
}

static cl_int
gst_gpu_qp_kernels_init (GstClStage *stage, cl_program program, const GstGpuPicture *params)
{
  GstClContext *context = gst_cl_stage_get_device (stage)->context;

  return gpu_qp_kernels_init (&GST_GPU_QP (stage)->kernels, &context->device, context->handle, program);
}

static void
gst_gpu_qp_kernels_clear (GstClStage *stage)
{
  gpu_qp_kernels_clear (&GST_GPU_QP (stage)->kernels);
}

static cl_int
gst_gpu_qp_enqueue (GstClStage *stage, const GstClJob *job, cl_uint n_wait, const cl_event *wait, cl_event *event, guint *n_launches)
{
  return gpu_qp_records_enqueue (&GST_GPU_QP (stage)->kernels, gst_cl_stage_get_device (stage)->queue, job->planes, n_wait, wait, event,
      n_launches);
}

/* The records are mapped for writing, as the class says. */
static void
gst_gpu_qp_reference (GstClStage *stage, const GstClJob *job)
{
  gpu_reference_qp_records (job->references);
}

static void
gst_gpu_qp_class_init (GstGpuQpClass *klass)
{
  GstClStageClass *stage_class = GST_CL_STAGE_CLASS (klass);

  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "GPU QP scan", "Filter/Decoder/Video/Hardware",
      "Stage of a video decoder: QP from mb_qp_delta on an OpenCL device", GST_GPU_CODEC_AUTHOR);
  GST_GPU_STAGE_CLASS (klass)->stage = GST_CODED_STAGE_EXTRA;
  stage_class->name = "gpuqp";
  stage_class->source = gpu_qp_source;
  stage_class->writes_header = TRUE;
  stage_class->options = gst_gpu_qp_options;
  stage_class->kernels_init = gst_gpu_qp_kernels_init;
  stage_class->kernels_clear = gst_gpu_qp_kernels_clear;
  stage_class->enqueue = gst_gpu_qp_enqueue;
  stage_class->reference = gst_gpu_qp_reference;
}

static void
gst_gpu_qp_init (GstGpuQp *self)
{
}
