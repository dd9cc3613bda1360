/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What all headers of this library begin with: export of symbols.
 */
#pragma once

#include <gst/gst.h>

/* The author that every element names */
#define GST_GPU_CODEC_AUTHOR "The gst-gpu-codec authors"

#ifdef BUILDING_GST_GPU_CODEC
#define GST_GPU_CODEC_API GST_API_EXPORT
#else
#define GST_GPU_CODEC_API GST_API_IMPORT
#endif
