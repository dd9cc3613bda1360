/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GStreamer 1.22's h264parse crashes on damaged subset SPS (ITU-T H.264, 7.3.2.1.3), which belong to views and layers that are not decoded.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* From now on no h264parse in @bin, whatever adds it, sees a subset SPS: before data come to it their nal_unit_type becomes a reserved one,
 * which decoders pass over (7.4.1) and which begins an access unit like the other (7.4.1.2.3).  Data that cannot be read are dropped. */
void subset_sps_hide (GstBin *bin);

G_END_DECLS
