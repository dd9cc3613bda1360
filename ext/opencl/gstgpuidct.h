/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element gpuidct: scaling and inverse transforms.
 */
#pragma once

#include "gstclstage.h"

G_BEGIN_DECLS

#define GST_TYPE_GPU_IDCT (gst_gpu_idct_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuIdct, gst_gpu_idct, GST, GPU_IDCT, GstClStage)

GST_ELEMENT_REGISTER_DECLARE (gpuidct);

G_END_DECLS
