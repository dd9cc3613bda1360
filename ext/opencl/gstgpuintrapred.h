/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element gpuintrapred: intra prediction.
 */
#pragma once

#include "gstclwavefrontstage.h"

G_BEGIN_DECLS

#define GST_TYPE_GPU_INTRAPRED (gst_gpu_intrapred_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuIntrapred, gst_gpu_intrapred, GST, GPU_INTRAPRED, GstClWavefrontStage)

GST_ELEMENT_REGISTER_DECLARE (gpuintrapred);

G_END_DECLS
