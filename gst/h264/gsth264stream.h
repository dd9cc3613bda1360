/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a stream is: its caps, its parameter sets, and what they and SEI messages say of the video as caps.
 */
#pragma once

#include "gstcodedformat.h"
#include "gsth264reports.h"
#include "h264avcintra.h"
#include "h264paramsets.h"
#include "h264sei.h"

G_BEGIN_DECLS

/**
 * GstH264Stream:
 * @sets: its parameter sets
 * @length_size: bytes of NAL unit lengths; 0: byte stream
 * @upstream_caps: (nullable): of the sink pad
 * @strict: rules that senders break are kept
 * @framing_is_known: the first buffer behind the caps has been looked at
 * @framing_is_said: a message has said that the caps are wrong about it
 * @aligned_to_units: buffers are access units (alignment=au)
 * @sets_wanted: no parameter sets have come since the caps or before
 * @sets_made: those that are there were made here, since AVC-Intra does without
 * @sps: (nullable): the one that the caps downstream tell of
 * @format: what these caps say
 * @sei_reader: for its SEI messages
 * @sei: what they have said of the video
 * @multiview_mode, @multiview_flags: the same, of views in a frame
 */
typedef struct
{
  GstH264Reports *reports;
  H264ParamSets *sets;
  guint length_size;
  GstCaps *upstream_caps;
  gboolean strict;
  gboolean framing_is_known, framing_is_said;
  gboolean aligned_to_units;
  gboolean sets_wanted, sets_made;
  H264Sps *sps;
  GstCodedFormat format;
  H264SeiReader sei_reader;
  H264Sei sei;
  GstVideoMultiviewMode multiview_mode;
  GstVideoMultiviewFlags multiview_flags;
} GstH264Stream;

void gst_h264_stream_start (GstH264Stream *stream, GstH264Reports *reports);
void gst_h264_stream_stop (GstH264Stream *stream);

/* Whether @caps are the last ones */
gboolean gst_h264_stream_has_caps (const GstH264Stream *stream, const GstCaps *caps);

/* Takes the caps of the sink pad, with the parameter sets in them.  FALSE, and an error posted, where they are broken: there are none
 * then. */
gboolean gst_h264_stream_set_caps (GstH264Stream *stream, GstCaps *caps);

/* Looks at the first buffer behind caps, unless @strict: start codes where caps promise lengths, or the other way round, count for what
 * they are, and a WARNING is posted. */
void gst_h264_stream_check_framing (GstH264Stream *stream, const guint8 *data, gsize size);

/* Takes an SPS or PPS.  FALSE and @error where it is broken. */
gboolean gst_h264_stream_take_set (GstH264Stream *stream, const H264Nal *nal, const gchar **error);

/* Where no parameter sets have come, and the buffer is a picture of AVC-Intra, which may do without, makes them. */
void gst_h264_stream_make_missing_sets (GstH264Stream *stream, const guint8 *data, gsize size);

/* Takes what tells of the video in @sei.  TRUE where the caps downstream change with it. */
gboolean gst_h264_stream_take_sei (GstH264Stream *stream, const H264Sei *sei);

/* (transfer full): the caps downstream for pictures of @sps, and the same as @format.  @has_fields: some are shown as two or three fields;
 * @n_in_flight: pictures that may be on their way at the same time. */
GstCaps *gst_h264_stream_make_caps (const GstH264Stream *stream, const H264Sps *sps, gboolean has_fields, guint n_in_flight,
    GstCodedFormat *format);

/* The caps downstream tell of @sps. */
void gst_h264_stream_set_sps (GstH264Stream *stream, H264Sps *sps);

G_END_DECLS
