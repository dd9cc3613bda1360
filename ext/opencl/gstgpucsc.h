/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element gpucsc: colour conversion.
 */
#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define GST_TYPE_GPU_CSC (gst_gpu_csc_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuCsc, gst_gpu_csc, GST, GPU_CSC, GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE (gpucsc);

G_END_DECLS
