/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element gpuqpdelta: mb_qp_delta in the place of QP.
 */
#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define GST_TYPE_GPU_QP_DELTA (gst_gpu_qp_delta_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuQpDelta, gst_gpu_qp_delta, GST, GPU_QP_DELTA, GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE (gpuqpdelta);

G_END_DECLS
