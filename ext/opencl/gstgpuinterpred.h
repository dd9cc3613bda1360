/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element gpuinterpred: inter prediction.
 */
#pragma once

#include "gstclstage.h"

G_BEGIN_DECLS

#define GST_TYPE_GPU_INTERPRED (gst_gpu_interpred_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuInterpred, gst_gpu_interpred, GST, GPU_INTERPRED, GstClStage)

GST_ELEMENT_REGISTER_DECLARE (gpuinterpred);

G_END_DECLS
