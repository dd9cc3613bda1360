/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What raw formats the surface of a frame can become, and whether it can be passed on as it is.
 */
#pragma once

#include "gstclpool.h"
#include "outputkernel.h"

G_BEGIN_DECLS

/* What has to be done to make raw video of @info from surfaces of @format: fills @output (see GpuOutput), for raw formats that
 * gst_coded_format_get_raw_formats() gives.  FALSE where @info cannot be made of it. */
GST_CL_API
gboolean gst_cl_output_init (GpuOutput *output, const GstCodedFormat *format, const GstVideoInfo *info);

/* TRUE where samples of surfaces are already what @info says, but for strides and cropping: then a surface can be passed on as it is, with
 * the offsets and strides that are stored in @offset and @stride. */
gboolean gst_cl_output_can_share (const GstCodedFormat *format, const GstVideoInfo *info, gsize offset[GST_VIDEO_MAX_PLANES],
    gint stride[GST_VIDEO_MAX_PLANES]);

/* TRUE where planes at @offset and @stride, as gst_cl_output_can_share() stored them, are also where GstVideoMeta need not say: each
 * plane and each row directly behind the one before, as the sizes of @info have them.  Then who does not know that meta can do with the
 * surface too. */
gboolean gst_cl_output_is_plain (const GstVideoInfo *info, const gsize offset[GST_VIDEO_MAX_PLANES],
    const gint stride[GST_VIDEO_MAX_PLANES]);

G_END_DECLS
