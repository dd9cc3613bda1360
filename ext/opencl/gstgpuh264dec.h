/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element gpuh264dec: the whole row that decodes H.264, as one decoder.
 */
#pragma once

#include <gst/gst.h>
#include "gstcldriverfiles.h"

G_BEGIN_DECLS

#define GST_TYPE_GPU_H264_DEC (gst_gpu_h264_dec_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuH264Dec, gst_gpu_h264_dec, GST, GPU_H264_DEC, GstBin)

/* Registers gpuh264dec, and for further GPUs gpuh264device1dec, gpuh264device2dec and so on, which use those.  Rank and class follow from
 * @files. */
gboolean gst_gpu_h264_dec_register (GstPlugin *plugin, const GstClDriverFiles *files);

G_END_DECLS
