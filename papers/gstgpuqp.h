/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element gpuqp: QP from mb_qp_delta, by a scan.
 */
#pragma once

#include "gstclstage.h"

G_BEGIN_DECLS

#define GST_TYPE_GPU_QP (gst_gpu_qp_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuQp, gst_gpu_qp, GST, GPU_QP, GstClStage)

GST_ELEMENT_REGISTER_DECLARE (gpuqp);

G_END_DECLS
