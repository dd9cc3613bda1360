/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gpuopencl/gstclmemory.h>

#include "gstcsccaps.h"
#include "gstcscformat.h"

/* What a format may lose or waste of another, worst first.  Sums decide, so each outweighs all that follow. */
#define LOSS_COLOUR 100000
#define LOSS_ALPHA 40000
#define LOSS_DEPTH 2000 /* a bit */
#define LOSS_CHROMA 800 /* a direction */
#define COST_FAMILY 300 /* Y'CbCr becomes RGB or the other way: rounding, clipping */
#define COST_DEPTH 10   /* a bit that holds nothing */
#define COST_CHROMA 5   /* a direction interpolated for nothing */
#define COST_ALPHA 2
#define COST_LAYOUT 1

static gboolean
has_opencl_memory (GstCapsFeatures *features)
{
  return features && gst_caps_features_contains (features, GST_CAPS_FEATURE_MEMORY_OPENCL);
}

static gboolean
is_system_memory (GstCapsFeatures *features)
{
  return !features || gst_caps_features_is_equal (features, GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY);
}

/* (transfer full): @caps (transfer full) with @structure, unless one of them covers it */
static GstCaps *
merge (GstCaps *caps, const GstStructure *structure, gboolean opencl)
{
  GstCapsFeatures *features = opencl ? gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_OPENCL, NULL) : NULL;

  return gst_caps_merge_structure_full (caps, gst_structure_copy (structure), features);
}

GstCaps *
gst_csc_caps_transform (GstCaps *caps, gboolean device_memory)
{
  GstCaps *result = gst_caps_new_empty ();

  for (guint step = 0; step < 3; step++) {
    for (guint i = 0; i < gst_caps_get_size (caps); i++) {
      GstCapsFeatures *features = gst_caps_get_features (caps, i);
      gboolean opencl = has_opencl_memory (features) != (step == 2);
      GstStructure *structure;

      if (!has_opencl_memory (features) && !is_system_memory (features))
        continue;
      if (step > 0 && opencl && !device_memory)
        continue;
      structure = gst_structure_copy (gst_caps_get_structure (caps, i));
      if (step > 0)
        gst_structure_remove_fields (structure, "format", "colorimetry", "chroma-site", NULL);
      result = merge (result, structure, opencl);
      gst_structure_free (structure);
    }
  }

  return result;
}

static gint
depth_cost (const GpuCscFormat *in, const GpuCscFormat *out)
{
  return in->depth > out->depth ? (in->depth - out->depth) * LOSS_DEPTH : (out->depth - in->depth) * COST_DEPTH;
}

static gint
chroma_cost (const GpuCscFormat *in, const GpuCscFormat *out)
{
  gint lost = (out->h_sub > in->h_sub) + (out->v_sub > in->v_sub), wasted = (in->h_sub > out->h_sub) + (in->v_sub > out->v_sub);

  if (in->n_components == 1 || out->n_components == 1)
    return 0;

  return lost * LOSS_CHROMA + wasted * COST_CHROMA;
}

static gint
format_cost (GstVideoFormat from, GstVideoFormat to)
{
  GstVideoInfo info;
  GpuCscFormat in, out;
  gint cost;

  if (from == to)
    return -1;
  gst_video_info_set_format (&info, from, 16, 16);
  if (!gst_csc_format_init (&in, &info))
    return G_MAXINT;
  gst_video_info_set_format (&info, to, 16, 16);
  if (!gst_csc_format_init (&out, &info))
    return G_MAXINT;
  cost = depth_cost (&in, &out) + chroma_cost (&in, &out);
  if (in.n_components == 3 && out.n_components == 1)
    cost += LOSS_COLOUR;
  if (in.n_components == 1 && out.n_components == 3)
    cost += COST_CHROMA;
  if (in.alpha == GPU_CSC_ALPHA && out.alpha != GPU_CSC_ALPHA)
    cost += LOSS_ALPHA;
  if (in.alpha != GPU_CSC_ALPHA && out.alpha == GPU_CSC_ALPHA)
    cost += COST_ALPHA;
  if (in.rgb != out.rgb)
    cost += COST_FAMILY;
  if (in.n_planes != out.n_planes)
    cost += COST_LAYOUT;

  return cost;
}

static GstVideoFormat
best_of (GstVideoFormat from, const GValue *formats, gint *cost)
{
  GstVideoFormat best = GST_VIDEO_FORMAT_UNKNOWN;
  gboolean list = formats && GST_VALUE_HOLDS_LIST (formats);

  *cost = G_MAXINT;
  for (guint i = 0; formats && i < (list ? gst_value_list_get_size (formats) : 1); i++) {
    const GValue *value = list ? gst_value_list_get_value (formats, i) : formats;
    GstVideoFormat format =
        G_VALUE_HOLDS_STRING (value) ? gst_video_format_from_string (g_value_get_string (value)) : GST_VIDEO_FORMAT_UNKNOWN;
    gint c;

    if (format == GST_VIDEO_FORMAT_UNKNOWN)
      continue;
    c = format_cost (from, format);
    if (c < *cost) {
      *cost = c;
      best = format;
    }
  }

  return best;
}

/* (transfer full): the structure of @caps with the cheapest format, that format in it.  The first of equals: the order says which memory is
 * preferred. */
static GstCaps *
choose_format (GstVideoFormat from, GstCaps *caps)
{
  GstVideoFormat best = GST_VIDEO_FORMAT_UNKNOWN;
  guint index = 0;
  gint lowest = G_MAXINT;
  GstCaps *result;

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    gint cost;
    GstVideoFormat format = best_of (from, gst_structure_get_value (gst_caps_get_structure (caps, i), "format"), &cost);

    if (cost < lowest) {
      lowest = cost;
      best = format;
      index = i;
    }
  }
  result = gst_caps_copy_nth (caps, index);
  if (best != GST_VIDEO_FORMAT_UNKNOWN)
    gst_caps_set_simple (result, "format", G_TYPE_STRING, gst_video_format_to_string (best), NULL);
  gst_caps_unref (caps);

  return result;
}

/* What the output's colorimetry is where nobody asks for another: range and matrix of the input if the output can have them, else what is
 * usual for the format; primaries and transfer function are never converted. */
static void
output_colorimetry (const GstVideoInfo *in, GstVideoFormat format, GstVideoColorimetry *result)
{
  GstVideoInfo usual;

  gst_video_info_set_format (&usual, format, GST_VIDEO_INFO_WIDTH (in), GST_VIDEO_INFO_HEIGHT (in));
  *result = usual.colorimetry;
  if (GST_VIDEO_INFO_IS_RGB (in) == GST_VIDEO_INFO_IS_RGB (&usual)) {
    *result = in->colorimetry;
    return;
  }
  if (in->colorimetry.primaries != GST_VIDEO_COLOR_PRIMARIES_UNKNOWN) {
    result->primaries = in->colorimetry.primaries;
    result->transfer = in->colorimetry.transfer;
  }
  if (!GST_VIDEO_INFO_IS_RGB (&usual) && result->primaries == GST_VIDEO_COLOR_PRIMARIES_BT2020)
    result->matrix = GST_VIDEO_COLOR_MATRIX_BT2020;
}

static void
set_colorimetry (const GstVideoInfo *in, const GstStructure *in_structure, GstVideoFormat format, GstStructure *out)
{
  GstVideoColorimetry colorimetry;
  gboolean gray = GST_VIDEO_FORMAT_INFO_IS_GRAY (gst_video_format_get_info (format));
  gboolean same_family = GST_VIDEO_INFO_IS_RGB (in) == GST_VIDEO_FORMAT_INFO_IS_RGB (gst_video_format_get_info (format));
  gchar *string;

  /* Input that says nothing gets output that says nothing, so that passing through stays possible. */
  if (same_family && !gst_structure_has_field (in_structure, "colorimetry") && GST_VIDEO_INFO_IS_GRAY (in) == gray)
    return;
  output_colorimetry (in, format, &colorimetry);
  string = gst_video_colorimetry_to_string (&colorimetry);
  if (!string)
    return;
  if (!gst_structure_has_field (out, "colorimetry"))
    gst_structure_set (out, "colorimetry", G_TYPE_STRING, string, NULL);
  else
    gst_structure_fixate_field_string (out, "colorimetry", string);
  g_free (string);
}

static void
set_chroma_site (const GstStructure *in, GstVideoFormat format, GstStructure *out)
{
  const GstVideoFormatInfo *finfo = gst_video_format_get_info (format);
  const gchar *site = gst_structure_get_string (in, "chroma-site");

  if (!site || !GST_VIDEO_FORMAT_INFO_IS_YUV (finfo) || GST_VIDEO_FORMAT_INFO_W_SUB (finfo, 1) == 0)
    return;
  if (!gst_structure_has_field (out, "chroma-site"))
    gst_structure_set (out, "chroma-site", G_TYPE_STRING, site, NULL);
  else
    gst_structure_fixate_field_string (out, "chroma-site", site);
}

GstCaps *
gst_csc_caps_fixate (GstCaps *caps, GstCaps *othercaps)
{
  GstStructure *in = gst_caps_get_structure (caps, 0), *out;
  GstVideoInfo info;
  GstVideoFormat format;

  if (gst_caps_is_empty (othercaps) || !gst_video_info_from_caps (&info, caps))
    return othercaps;
  othercaps = choose_format (GST_VIDEO_INFO_FORMAT (&info), othercaps);
  out = gst_caps_get_structure (othercaps, 0);
  format = gst_video_format_from_string (gst_structure_get_string (out, "format"));
  if (format != GST_VIDEO_FORMAT_UNKNOWN) {
    set_colorimetry (&info, in, format, out);
    set_chroma_site (in, format, out);
  }

  return gst_caps_fixate (othercaps);
}
