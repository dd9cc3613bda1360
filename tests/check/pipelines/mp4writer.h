/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Writes an MP4 file (ISO/IEC 14496-12, -15) of one video track that has several sample descriptions, as no muxer at hand does.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * Mp4Part:
 * @samples: (element-type GstBuffer): access units in decoding order, with presentation times and DELTA_UNIT flags
 * @caps: of them: avc, with codec_data, width and height
 *
 * Samples with the same description, in a chunk of their own.
 */
typedef struct
{
  GPtrArray *samples;
  GstCaps *caps;
} Mp4Part;

/* (transfer full): the file.  Each part has a sample description of its own.  Samples are @duration long, and parts follow each other. */
GBytes *mp4_write (const Mp4Part *parts, guint n_parts, GstClockTime duration);

G_END_DECLS
