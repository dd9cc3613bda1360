/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstrawcaps-private.h"

/* Raw video must name a matrix that fits its format, or GStreamer drops the rest of the colorimetry: where the stream leaves it open, it
 * is the one that everybody takes for the size; a matrix that contradicts the format counts as left open. */
static void
set_colorimetry (GstStructure *s, const GstCodedFormat *format, const GstVideoFormatInfo *finfo)
{
  GstVideoColorimetry colorimetry = format->colorimetry;
  GstVideoInfo defaults;
  gchar *text;

  if (!GST_VIDEO_FORMAT_INFO_IS_RGB (finfo) && colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_RGB)
    colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_UNKNOWN;
  if (colorimetry.range == GST_VIDEO_COLOR_RANGE_UNKNOWN && colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN
      && colorimetry.transfer == GST_VIDEO_TRANSFER_UNKNOWN && colorimetry.primaries == GST_VIDEO_COLOR_PRIMARIES_UNKNOWN)
    return;

  if (colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN
      && gst_video_info_set_format (&defaults, GST_VIDEO_FORMAT_INFO_FORMAT (finfo), format->width, format->height))
    colorimetry.matrix = defaults.colorimetry.matrix;
  text = gst_video_colorimetry_to_string (&colorimetry);
  gst_structure_set (s, "colorimetry", G_TYPE_STRING, text, NULL);
  g_free (text);
}

/* Of a format whose chroma is the stream's, and subsampled */
static void
set_chroma_site (GstStructure *s, const GstCodedFormat *format, const GstVideoFormatInfo *finfo)
{
  gchar *text;

  if (format->chroma_format_idc == 0 || GST_VIDEO_FORMAT_INFO_W_SUB (finfo, 1) == 0 || format->chroma_site == GST_VIDEO_CHROMA_SITE_UNKNOWN)
    return;
  text = gst_video_chroma_site_to_string (format->chroma_site);
  if (text)
    gst_structure_set (s, "chroma-site", G_TYPE_STRING, text, NULL);
  g_free (text);
}

/* The samples fill the depth of the format; the caps tell where the stream's were smaller. */
static void
set_depths (GstStructure *s, const GstCodedFormat *format, const GstVideoFormatInfo *finfo)
{
  guint depth = GST_VIDEO_FORMAT_INFO_DEPTH (finfo, 0);
  guint bit_depth_chroma = format->chroma_format_idc == 0 ? format->bit_depth_luma : format->bit_depth_chroma;

  if (format->bit_depth_luma != depth || bit_depth_chroma != depth)
    gst_structure_set (s, "bit-depth-luma", G_TYPE_UINT, format->bit_depth_luma, "bit-depth-chroma", G_TYPE_UINT, bit_depth_chroma, NULL);
  /* and where chroma is repeated, because no format has the stream's subsampling at its depth */
  if (format->chroma_format_idc == 2 && GST_VIDEO_FORMAT_INFO_W_SUB (finfo, 1) == 0)
    gst_structure_set (s, "chroma-format", G_TYPE_STRING, "4:2:2", NULL);
}

/* Views in a frame, as GStreamer's decoders tell of them: where each has half of its width or height, that goes into the aspect ratio. */
static void
set_multiview (GstStructure *s, const GstCodedFormat *format, GstVideoFormat video_format, const GstStructure *coded)
{
  static const gchar *const fields[] = { "multiview-mode", "multiview-flags", "pixel-aspect-ratio" };
  const gchar *mode = gst_structure_get_string (coded, "multiview-mode");
  guint flags = GST_VIDEO_MULTIVIEW_FLAGS_NONE;
  GstVideoInfo info;
  GstCaps *caps;

  if (!mode || !gst_video_info_set_format (&info, video_format, (guint) format->width, (guint) format->height))
    return;
  gst_structure_get_flagset (coded, "multiview-flags", &flags, NULL);
  info.par_n = format->par_n;
  info.par_d = format->par_d;
  GST_VIDEO_INFO_MULTIVIEW_MODE (&info) = gst_video_multiview_mode_from_caps_string (mode);
  GST_VIDEO_INFO_MULTIVIEW_FLAGS (&info) = (GstVideoMultiviewFlags) flags;
  caps = gst_video_info_to_caps (&info);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    const GValue *value = gst_structure_get_value (gst_caps_get_structure (caps, 0), fields[i]);

    if (value)
      gst_structure_set_value (s, fields[i], value);
  }
  gst_caps_unref (caps);
}

static GstStructure *
raw_structure_new (const GstCodedFormat *format, GstVideoFormat video_format, const GstStructure *coded)
{
  static const gchar *const hdr_fields[] = { "mastering-display-info", "content-light-level" };
  const GstVideoFormatInfo *finfo = gst_video_format_get_info (video_format);
  GstStructure *s = gst_structure_new ("video/x-raw", "format", G_TYPE_STRING, gst_video_format_to_string (video_format), "width",
      G_TYPE_INT, format->width, "height", G_TYPE_INT, format->height, "framerate", GST_TYPE_FRACTION, format->fps_n, format->fps_d,
      "pixel-aspect-ratio", GST_TYPE_FRACTION, format->par_n, format->par_d, "interlace-mode", G_TYPE_STRING,
      gst_video_interlace_mode_to_string (format->interlace_mode), NULL);

  set_colorimetry (s, format, finfo);
  set_chroma_site (s, format, finfo);
  set_depths (s, format, finfo);
  for (guint i = 0; i < G_N_ELEMENTS (hdr_fields); i++) {
    const GValue *value = gst_structure_get_value (coded, hdr_fields[i]);

    if (value)
      gst_structure_set_value (s, hdr_fields[i], value);
  }
  set_multiview (s, format, video_format, coded);

  return s;
}

GstCaps *
gst_raw_caps_new (const GstCodedFormat *format, const GstCaps *coded_caps, const GstCaps *raw_caps)
{
  const GstStructure *coded = gst_caps_get_structure (coded_caps, 0);
  GstVideoFormat formats[4];
  guint n_formats = gst_coded_format_get_raw_formats (format, formats);
  GstCaps *caps = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (raw_caps); i++) {
    const GstStructure *wanted = gst_caps_get_structure (raw_caps, i);

    for (guint j = 0; j < n_formats; j++) {
      GstStructure *possible = raw_structure_new (format, formats[j], coded);
      GstStructure *both = gst_structure_intersect (possible, wanted);

      if (both)
        gst_caps_append_structure_full (caps, both, gst_caps_features_copy (gst_caps_get_features (raw_caps, i)));
      gst_structure_free (possible);
    }
  }

  return caps;
}
