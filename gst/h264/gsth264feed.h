/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a stream being decoded is fed with: buffers in the order of the stream, cut into NAL units, each of which goes to the part whose
 * matter it is.
 */
#pragma once

#include "gsth264decoding.h"

G_BEGIN_DECLS

/**
 * GstH264Feed:
 * @decoding: the stream being decoded
 * @input: the buffer whose NAL units are decoded, as the parts see it
 * @last_buffer: (nullable): the one before, which nobody reads any more
 * @wants_pictures: downstream takes them
 * @left_out_said: that the stream has pictures which are left out
 *
 * Streaming thread only.
 */
typedef struct
{
  GstH264Decoding *decoding;
  GstH264Input input;
  GstBuffer *last_buffer;
  gboolean wants_pictures, left_out_said;
} GstH264Feed;

void gst_h264_feed_init (GstH264Feed *feed, GstH264Decoding *decoding);

/* A stream begins. */
void gst_h264_feed_start (GstH264Feed *feed);

/* What comes next goes on from nothing that came before; or nothing comes. */
void gst_h264_feed_restart (GstH264Feed *feed);

/* Makes one memory of all that *@buffer (transfer full) has, where it has several.  Without memory for that it posts an error, and
 * *@buffer is NULL. */
GstFlowReturn gst_h264_feed_join_memories (GstH264Feed *feed, GstBuffer **buffer);

/* Decodes all NAL units of @buffer (transfer full), the next one in the order of the stream; without slices where !@wants_pictures.  Posts
 * an error where it cannot be read, or has too much damage. */
GstFlowReturn gst_h264_feed_take (GstH264Feed *feed, GstBuffer *buffer, gboolean wants_pictures);

G_END_DECLS
