/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264tags.h"

#include <gst/pbutils/pbutils.h>

void
gst_h264_tags_begin (GstH264Tags *tags)
{
  tags->told = FALSE;
}

void
gst_h264_tags_stop (GstH264Tags *tags)
{
  g_clear_pointer (&tags->codec, g_free);
  tags->told = FALSE;
}

void
gst_h264_tags_set_caps (GstH264Tags *tags, const GstCaps *caps)
{
  g_free (tags->codec);
  tags->codec = gst_pb_utils_get_codec_description (caps);
}

/* A list of tags that follows replaces the one before, so that both belong into one. */
GstEvent *
gst_h264_tags_complete (GstH264Tags *tags, GstEvent *event)
{
  GstTagList *list, *completed;

  gst_event_parse_tag (event, &list);
  if (gst_tag_list_get_scope (list) != GST_TAG_SCOPE_STREAM)
    return event;
  tags->told = TRUE;
  if (!tags->codec || gst_tag_list_get_tag_size (list, GST_TAG_VIDEO_CODEC) > 0)
    return event;
  completed = gst_tag_list_copy (list);
  gst_tag_list_add (completed, GST_TAG_MERGE_APPEND, GST_TAG_VIDEO_CODEC, tags->codec, NULL);
  gst_event_unref (event);
  return gst_event_new_tag (completed);
}

GstEvent *
gst_h264_tags_take_own (GstH264Tags *tags)
{
  if (tags->told || !tags->codec)
    return NULL;
  tags->told = TRUE;
  return gst_event_new_tag (gst_tag_list_new (GST_TAG_VIDEO_CODEC, tags->codec, NULL));
}
