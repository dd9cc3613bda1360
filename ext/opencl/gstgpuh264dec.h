/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element gpuh264dec: the whole row that decodes H.264, as one decoder.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_GPU_H264_DEC (gst_gpu_h264_dec_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuH264Dec, gst_gpu_h264_dec, GST, GPU_H264_DEC, GstBin)

GST_ELEMENT_REGISTER_DECLARE (gpuh264dec);

G_END_DECLS
