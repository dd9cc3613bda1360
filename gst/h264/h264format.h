/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a sequence parameter set and SEI messages say about the video, in GStreamer's words.
 */
#pragma once

#include "gstcodedformat.h"
#include "h264sei.h"

G_BEGIN_DECLS

/* Fills in @format from @sps and its VUI.  Frame rate and pixel aspect ratio that the container gave (@upstream, the caps of the sink pad,
 * nullable) hold where the VUI has none; the container's frame rate goes before the VUI's. */
void h264_format_from_sps (GstCodedFormat *format, const H264Sps *sps, const GstCaps *upstream);

/* Gives @mode and @flags of the views in each frame, as a message of @sei says it.  FALSE where none does. */
gboolean h264_format_multiview_from_sei (const H264Sei *sei, GstVideoMultiviewMode *mode, GstVideoMultiviewFlags *flags);

G_END_DECLS
