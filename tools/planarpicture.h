/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/**
 * PlanarFormat:
 * @info: the raw video as it arrives
 * @n_planes: 1 (monochrome) or 3
 * @component: component of @info that is plane i of the output: Y, Cb, Cr, or G, B, R
 * @width, @height: samples of a row, and rows, of each plane
 * @step: distance of two samples of a row of plane i in samples of @info: 2 where 4:2:2 arrives as 4:4:4 with repeated chroma
 * @bit_depth: true depth of each plane, at most what @info has
 * @shift: how far the samples of plane i are shifted left in @info
 * @sub_x, @sub_y: log2 of the chroma subsampling of the output
 * @is_rgb: planes are G, B, R
 *
 * The way from raw video, as the decoder offers it, back to the picture as the stream codes it: planes one behind the other, rows without
 * padding, samples of their true depth; 16-bit little endian where a depth is above 8.
 */
typedef struct
{
  GstVideoInfo info;
  guint n_planes;
  guint component[3];
  gint width[3], height[3];
  guint step[3];
  guint bit_depth[3];
  guint shift[3];
  guint sub_x, sub_y;
  gboolean is_rgb;
} PlanarFormat;

/* Takes @size bytes of a picture; FALSE ends the writing. */
typedef gboolean (*PlanarSink) (const guint8 *data, gsize size, gpointer user_data);

gboolean planar_format_from_caps (PlanarFormat *self, const GstCaps *caps, GError **error);

/* 1 where all depths are 8, else 2 */
guint planar_format_get_sample_size (const PlanarFormat *self);

/* All planes of @buffer, row by row, to @sink.  FALSE with @error where the buffer cannot be mapped; FALSE alone where @sink returned
 * FALSE. */
gboolean planar_picture_write (const PlanarFormat *self, GstBuffer *buffer, PlanarSink sink, gpointer user_data, GError **error);

G_END_DECLS
