/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Raw caps that coded pictures can be shown with; inside this library.
 */
#pragma once

#include "gstcodedformat.h"

G_BEGIN_DECLS

/* (transfer full): the raw caps that pictures of @format can be shown with, fixed but for colorimetry and chroma-site that the stream
 * does not tell: for each structure of @raw_caps (memory, perhaps formats), in this order, the formats of
 * gst_coded_format_get_raw_formats().  HDR fields are taken from
 * @coded_caps. */
G_GNUC_INTERNAL GstCaps *gst_raw_caps_new (const GstCodedFormat *format, const GstCaps *coded_caps, const GstCaps *raw_caps);

G_END_DECLS
