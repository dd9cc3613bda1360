/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Input of reverse playback, as upstream sends it: pieces of the stream, last one first, each forward in itself and beginning with a
 * DISCONT.  It is cut into GOPs here: groups of pictures that begin with a key unit.  A piece need not begin with one: what comes before
 * its first key unit belongs to the GOP that the next piece ends with.  So do pictures that a GOP begins with and that refer to the one
 * before it: leading pictures of an open GOP, and those before a recovery point.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * GstH264Unit:
 * @buffer: of the sink pad
 * @caps: of the sink pad when it came
 * @has_slice: there are slice data in it, not parameter sets or messages only
 * @is_key: upstream says that decoding can begin with it
 * @is_aligned: it is an access unit
 * @begins_picture, @left_out: what decoding showed: a picture begins in it, and what it refers to was missing
 * @carried: it was decoded with its own GOP, and now comes behind the one before that
 */
typedef struct
{
  GstBuffer *buffer;
  GstCaps *caps;
  gboolean has_slice, is_key, is_aligned;
  gboolean begins_picture, left_out;
  gboolean carried;
} GstH264Unit;

/**
 * GstH264Gops:
 * @gathered: the piece that is coming
 * @gop: (element-type GstH264Unit): the GOP being decoded: @n_own units, and then those that belong behind it
 * @rest: what waits for the GOP before it
 * @n_bytes: of all units
 */
typedef struct
{
  GQueue gathered, rest;
  GPtrArray *gop;
  guint n_own;
  gsize n_bytes;
} GstH264Gops;

void gst_h264_gops_init (GstH264Gops *gops);

/* Forgets all units; and for good, where there is nothing to free then. */
void gst_h264_gops_flush (GstH264Gops *gops);
void gst_h264_gops_clear (GstH264Gops *gops);

/* Takes @buffer (transfer full), which came behind @caps; @length_size: bytes of the lengths of its NAL units, 0 for a byte stream;
 * @is_aligned: it is an access unit.  FALSE where pictures had to be left out, since units are larger than any memory should be. */
gboolean gst_h264_gops_gather (GstH264Gops *gops, GstBuffer *buffer, GstCaps *caps, guint length_size, gboolean is_aligned);

/* The next GOP, which is the last one of what has been gathered.  FALSE where there is none: the piece is used up. */
gboolean gst_h264_gops_next (GstH264Gops *gops);

/* What waits for the GOP before it waits in vain. */
void gst_h264_gops_forget_rest (GstH264Gops *gops);

G_END_DECLS
