/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Tags of the stream: which codec it is, where upstream does not say it.
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * GstH264Tags:
 * @codec: (nullable): what caps tell: GST_TAG_VIDEO_CODEC; %NULL before there are any
 * @told: downstream has tags of this stream
 */
typedef struct
{
  gchar *codec;
  gboolean told;
} GstH264Tags;

/* A stream begins; what caps tell is kept. */
void gst_h264_tags_begin (GstH264Tags *tags);
void gst_h264_tags_stop (GstH264Tags *tags);

void gst_h264_tags_set_caps (GstH264Tags *tags, const GstCaps *caps);

/* (transfer full): the TAG @event (transfer full), with the codec, if it is of the stream and has none */
GstEvent *gst_h264_tags_complete (GstH264Tags *tags, GstEvent *event);

/* (transfer full) (nullable): a TAG event with the codec, where upstream has told nothing of the stream before its first picture */
GstEvent *gst_h264_tags_take_own (GstH264Tags *tags);

G_END_DECLS
