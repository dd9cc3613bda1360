/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Coded pictures of nothing but I_PCM macroblocks, whose decoded samples are known without any decoding.
 */
#pragma once

#include "gstgpustage.h"

/* Frame @number of such a video, complete after GST_CODED_STAGE_INTRAPRED, with the action to output it.  @pool: (nullable): of arenas */
GstBuffer *pcm_picture_new (const GstCodedFormat *format, guint32 number, GstBufferPool *pool);

/* The sample that frame @number has in plane @plane (Y, Cb, Cr) at the column and row of that plane, before cropping */
guint pcm_picture_sample (const GstCodedFormat *format, guint32 number, guint plane, guint x, guint y);
