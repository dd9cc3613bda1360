/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a sequence parameter set says about the video, in GStreamer's words.
 */
#pragma once

#include "gstcodedformat.h"
#include "h264sps.h"

G_BEGIN_DECLS

/* Fills in @format from @sps and its VUI.  Frame rate and pixel aspect ratio that the container gave (@upstream, the caps of the sink pad,
 * nullable) hold where the VUI has none; the container's frame rate goes before the VUI's. */
void h264_format_from_sps (GstCodedFormat *format, const H264Sps *sps, const GstCaps *upstream);

G_END_DECLS
