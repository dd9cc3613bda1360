/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Trick modes: pictures that the flags of the segment ask to leave out.
 */
#pragma once

#include <gst/gst.h>
#include "h264sliceheader.h"

G_BEGIN_DECLS

/**
 * GstH264TrickChoice:
 * @GST_H264_TRICK_DECODE: the picture is decoded and output
 * @GST_H264_TRICK_HIDE: it is decoded, since others refer to it, and not output
 * @GST_H264_TRICK_LEAVE_OUT: it is not decoded
 */
typedef enum
{
  GST_H264_TRICK_DECODE,
  GST_H264_TRICK_HIDE,
  GST_H264_TRICK_LEAVE_OUT,
} GstH264TrickChoice;

/**
 * GstH264Trick:
 * @flags: GstSegmentFlags of the segment, or of an instant rate change since; any thread may set them
 * @last: of the picture that came last; its pps is a reference, NULL where there was none
 * @choice: what was done with that
 * @has_both_fields: it is the second field of its frame
 * @left_out: some pictures were
 */
typedef struct
{
  gint flags;
  H264SliceHeader last;
  GstH264TrickChoice choice;
  gboolean has_both_fields;
  gboolean left_out;
} GstH264Trick;

/* What comes does not belong to the picture before. */
void gst_h264_trick_reset (GstH264Trick *trick);

/* Whether upstream, asked for the same, may have left out pictures that others refer to: h264parse leaves out all B pictures. */
gboolean gst_h264_trick_allows_gaps (const GstH264Trick *trick);

/* What is done with the slice of @sh; @is_delta: upstream says that decoding cannot begin with it.  @begins_key: it begins a key picture,
 * and those are all that is wanted. */
GstH264TrickChoice gst_h264_trick_choose (GstH264Trick *trick, const H264SliceHeader *sh, gboolean is_delta, gboolean *begins_key);

G_END_DECLS
