/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpustage.h"

G_DEFINE_ABSTRACT_TYPE (GstGpuStage, gst_gpu_stage, GST_TYPE_ELEMENT);

static void
gst_gpu_stage_class_init (GstGpuStageClass * klass)
{
}

static void
gst_gpu_stage_init (GstGpuStage * self)
{
}
