/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gststagechecks-private.h"
#include "gstcodedstages.h"

gboolean
gst_stage_check_earlier (GstElement *element, GstCodedStages stage, const GstCodedPicture *picture)
{
  guint missing = picture->pending & (stage - 1);

  if (missing && (picture->pending & stage)) {
    gchar *elements = gst_coded_stages_name_elements (missing, picture->extra_stage);
    gchar *this_one = gst_coded_stages_name_elements (stage, NULL);

    GST_ELEMENT_ERROR (element, STREAM, DECODE,
        ("The pictures of this stream need another stage first: add %s before %s.", elements, this_one), (NULL));
    g_free (this_one);
    g_free (elements);
    return FALSE;
  }
  return TRUE;
}

gboolean
gst_stage_check_unshared (GstElement *element, GstBuffer *buffer)
{
  if (gst_buffer_is_writable (buffer))
    return TRUE;

  GST_ELEMENT_ERROR (element, CORE, NEGOTIATION,
      ("A coded picture is written in place by the next stage and cannot be shared: put the tee "
       "before h264entropy or after the last stage, not between two stages."),
      (NULL));

  return FALSE;
}

/* There is no element for what such a picture needs. */
static void
post_unknown_codec (GstElement *element, GstCodedCodec codec, guint missing)
{
  gchar *works = gst_coded_stages_name_works (missing);

  GST_ELEMENT_ERROR (element, STREAM, CODEC_NOT_FOUND,
      ("What rebuilds %s pictures is missing here: %s. %s cannot do it.", gst_coded_codec_get_name (codec), works,
          GST_OBJECT_NAME (element)),
      ("stages 0x%x are pending", missing));
  g_free (works);
}

gboolean
gst_stage_check_codec (GstElement *element, GstCodedStages stage, guint codecs, GstCodedCodec codec)
{
  if (codecs & 1u << codec)
    return TRUE;
  post_unknown_codec (element, codec, stage);

  return FALSE;
}

gboolean
gst_stage_check_complete (GstElement *element, GstCodedCodec codec, const GstCodedPicture *picture)
{
  gchar *elements;

  if (picture->pending == 0)
    return TRUE;

  /* the elements that come later know H.264 */
  if (codec != GST_CODED_CODEC_H264) {
    post_unknown_codec (element, codec, picture->pending);
    return FALSE;
  }
  elements = gst_coded_stages_name_elements (picture->pending, picture->extra_stage);
  GST_ELEMENT_ERROR (element, STREAM, DECODE, ("The pictures of this stream are not complete here: add %s to the pipeline.", elements),
      ("stages 0x%x are pending and the source pad is linked to raw video", picture->pending));
  g_free (elements);

  return FALSE;
}
