/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * From GstVideoInfo to the plain numbers that the colour conversion works with (gpucscformat.h).
 */
#pragma once

#include <gst/video/video.h>
#include "gpucscformat.h"

G_BEGIN_DECLS

/* gst_video_info_from_caps(), but the chroma site is what @caps say, with colorimetry or without */
gboolean gst_csc_info_from_caps (GstVideoInfo *info, const GstCaps *caps);

/* The formats that gpucsc reads and writes, for pad templates; best first */
#define GST_CSC_FORMATS                                                                 \
  "{ RGBA, BGRA, RGBx, BGRx, ARGB, ABGR, xRGB, xBGR, ARGB64, "                          \
  "I420, NV12, P010_10LE, Y444, YV12, NV21, NV16, NV61, NV24, Y42B, P012_LE, P016_LE, " \
  "I420_10LE, I420_12LE, I422_10LE, I422_12LE, Y444_10LE, Y444_12LE, Y444_16LE, GBR, GBR_10LE, GBR_12LE, GRAY8, GRAY16_LE }"

/* What @info says, with the offsets and strides of its default layout.  What the caps leave open: the matrix of BT.709 above 576 rows, else
 * of BT.601; limited range for Y'CbCr, full range for RGB; the chroma site as GstVideoInfo fills it in.  FALSE where the format is none of
 * the above. */
gboolean gst_csc_format_init (GpuCscFormat *format, const GstVideoInfo *info);

/* One field of a frame: @format (a whole frame, offsets and strides filled in) becomes its lines @parity, @parity + 2...  Chroma sited
 * between the lines of the frame lies a quarter of a field line below the top field's line, three quarters below the bottom field's. */
void gst_csc_format_select_field (GpuCscFormat *format, guint parity);

/* Whether frames of an interlaced video are converted field by field: chroma is subsampled down the column, and both fields have whole
 * chroma lines. */
gboolean gst_csc_format_has_field_chroma (const GpuCscFormat *format);

/* Rows of plane @plane, and bytes of a row */
guint gst_csc_format_plane_rows (const GpuCscFormat *format, guint plane);
guint gst_csc_format_row_bytes (const GpuCscFormat *format, guint plane);

G_END_DECLS
