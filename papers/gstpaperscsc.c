/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-paperscsc
 * @title: paperscsc
 * @short_description: colour conversion in C, to be compared with
 *
 * I420 to RGBA by BT.601 in limited range, in integers on one core: what gpucsc is measured against.
 *
 * ## Example
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! video/x-raw, format=I420 ! paperscsc ! fakesink
 * ]|
 */
#include "gstpaperscsc.h"

#include "csc601.h"
#include "gstgpucodec-prelude.h"

struct _GstPapersCsc
{
  GstVideoFilter parent;
};

G_DEFINE_TYPE (GstPapersCsc, gst_papers_csc, GST_TYPE_VIDEO_FILTER)
GST_ELEMENT_REGISTER_DEFINE (paperscsc, "paperscsc", GST_RANK_NONE, GST_TYPE_PAPERS_CSC)

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE ("I420")));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE ("RGBA")));

/* Only what describes samples changes. */
static GstCaps *
gst_papers_csc_transform_caps (GstBaseTransform *trans, GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstCaps *other = gst_caps_copy (caps), *result;

  for (guint i = 0; i < gst_caps_get_size (other); i++) {
    GstStructure *structure = gst_caps_get_structure (other, i);

    gst_structure_set (structure, "format", G_TYPE_STRING, direction == GST_PAD_SINK ? "RGBA" : "I420", NULL);
    gst_structure_remove_fields (structure, "colorimetry", "chroma-site", NULL);
  }
  result = filter ? gst_caps_intersect_full (filter, other, GST_CAPS_INTERSECT_FIRST) : gst_caps_ref (other);
  gst_caps_unref (other);

  return result;
}

static GstFlowReturn
gst_papers_csc_transform_frame (GstVideoFilter *filter, GstVideoFrame *in, GstVideoFrame *out)
{
  Csc601Picture picture = { .width = (guint) GST_VIDEO_FRAME_WIDTH (in), .height = (guint) GST_VIDEO_FRAME_HEIGHT (in) };

  for (guint i = 0; i < 3; i++) {
    picture.planes[i] = GST_VIDEO_FRAME_PLANE_DATA (in, i);
    picture.strides[i] = (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (in, i);
  }
  csc_601_to_rgba (&picture, GST_VIDEO_FRAME_PLANE_DATA (out, 0), (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (out, 0));

  return GST_FLOW_OK;
}

static void
gst_papers_csc_class_init (GstPapersCscClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Colour conversion in C", "Filter/Converter/Video",
      "I420 to RGBA by BT.601 in limited range, in integers on one core: a row to compare gpucsc with", "The gst-gpu-codec authors");
  GST_BASE_TRANSFORM_CLASS (klass)->transform_caps = gst_papers_csc_transform_caps;
  GST_VIDEO_FILTER_CLASS (klass)->transform_frame = gst_papers_csc_transform_frame;
}

static void
gst_papers_csc_init (GstPapersCsc *self)
{
}
