/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element gpudeblock: the deblocking filter.
 */
#pragma once

#include "gstclwavefrontstage.h"

G_BEGIN_DECLS

#define GST_TYPE_GPU_DEBLOCK (gst_gpu_deblock_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuDeblock, gst_gpu_deblock, GST, GPU_DEBLOCK, GstClWavefrontStage)

GST_ELEMENT_REGISTER_DECLARE (gpudeblock);

G_END_DECLS
