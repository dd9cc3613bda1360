/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "gstcloutput.h"

/* Which plane of the surface component @i of @info comes from.  Planes of an RGB stream are G, B, R (Table E-5, matrix_coefficients 0: Y is
 * G, Cb is B, Cr is R). */
static guint
surface_plane (const GstVideoInfo *info, guint i)
{
  static const guint rgb_planes[] = { 2, 0, 1 };

  return GST_VIDEO_INFO_IS_RGB (info) && i < 3 ? rgb_planes[i] : i;
}

static gboolean
is_alpha (const GstVideoInfo *info, guint i)
{
  return GST_VIDEO_INFO_HAS_ALPHA (info) && i == GST_VIDEO_COMP_A;
}

/* Where the samples of component @i come from and what becomes of them. */
static gboolean
init_component (GpuOutputComponent *component, const GstCodedFormat *format, const GstClSurfaceLayout *layout, const GstVideoInfo *info,
    guint i)
{
  const GstVideoFormatInfo *finfo = info->finfo;
  guint raw_depth = GST_VIDEO_FORMAT_INFO_DEPTH (finfo, i);
  guint plane = surface_plane (info, i);
  guint depth, sub_width, sub_height;

  memset (component, 0, sizeof (*component));
  if (is_alpha (info, i) || plane >= layout->n_planes) {
    component->value = (is_alpha (info, i) ? (1u << raw_depth) - 1 : 1u << (raw_depth - 1)) << GST_VIDEO_FORMAT_INFO_SHIFT (finfo, i);
    return is_alpha (info, i) || layout->n_planes == 1;
  }
  depth = plane && !format->separate_colour_planes ? format->bit_depth_chroma : format->bit_depth_luma;
  sub_width = plane && (format->chroma_format_idc == 1 || format->chroma_format_idc == 2);
  sub_height = plane && format->chroma_format_idc == 1;
  if (raw_depth < depth || sub_width < (guint) GST_VIDEO_FORMAT_INFO_W_SUB (finfo, i)
      || sub_height != (guint) GST_VIDEO_FORMAT_INFO_H_SUB (finfo, i))
    return FALSE;

  component->from_surface = 1;
  component->stride = layout->stride[plane] / layout->sample_size;
  component->offset =
      layout->offset[plane] / layout->sample_size + (format->crop_y >> sub_height) * component->stride + (format->crop_x >> sub_width);
  component->repeat_shift = sub_width - GST_VIDEO_FORMAT_INFO_W_SUB (finfo, i);
  component->shift = raw_depth - depth + GST_VIDEO_FORMAT_INFO_SHIFT (finfo, i);

  return TRUE;
}

/* The place of component @i in the pixels of its plane: how many stand before it.  Not its offset: GStreamer's table has 1 byte for the
 * second of two 16-bit ones (P016). */
static guint
component_place (const GstVideoFormatInfo *finfo, guint i)
{
  guint place = 0;

  for (guint j = 0; j < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (finfo); j++)
    place += GST_VIDEO_FORMAT_INFO_PLANE (finfo, j) == GST_VIDEO_FORMAT_INFO_PLANE (finfo, i)
        && GST_VIDEO_FORMAT_INFO_POFFSET (finfo, j) < GST_VIDEO_FORMAT_INFO_POFFSET (finfo, i);

  return place;
}

/* What plane @p is made of */
static gboolean
init_plane (GpuOutputPlane *plane, const GstCodedFormat *format, const GstClSurfaceLayout *layout, const GstVideoInfo *info, guint p,
    guint sample_size)
{
  const GstVideoFormatInfo *finfo = info->finfo;

  memset (plane, 0, sizeof (*plane));
  plane->offset = GST_VIDEO_INFO_PLANE_OFFSET (info, p);
  plane->stride = GST_VIDEO_INFO_PLANE_STRIDE (info, p);
  for (guint i = 0; i < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (finfo); i++) {
    guint place;

    if ((guint) GST_VIDEO_FORMAT_INFO_PLANE (finfo, i) != p)
      continue;
    place = component_place (finfo, i);
    if (!init_component (&plane->component[place], format, layout, info, i))
      return FALSE;
    plane->n_components = GST_VIDEO_FORMAT_INFO_PSTRIDE (finfo, i) / sample_size;
    plane->width = GST_VIDEO_FORMAT_INFO_SCALE_WIDTH (finfo, i, GST_VIDEO_INFO_WIDTH (info));
    plane->height = GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (finfo, i, GST_VIDEO_INFO_HEIGHT (info));
  }

  return plane->n_components == 1 || plane->n_components == 2 || plane->n_components == 4;
}

gboolean
gst_cl_output_init (GpuOutput *output, const GstCodedFormat *format, const GstVideoInfo *info)
{
  GstClSurfaceLayout layout;

  memset (output, 0, sizeof (*output));
  if (GST_VIDEO_INFO_WIDTH (info) != format->width || GST_VIDEO_INFO_HEIGHT (info) != format->height || info->size > G_MAXUINT32)
    return FALSE;
  gst_cl_surface_layout_init (&layout, format);
  output->surface_sample_size = layout.sample_size;
  output->raw_sample_size = GST_VIDEO_INFO_COMP_DEPTH (info, 0) > 8 ? 2 : 1;
  output->n_planes = GST_VIDEO_INFO_N_PLANES (info);
  if (layout.size / layout.sample_size > G_MAXUINT32)
    return FALSE;
  for (guint p = 0; p < output->n_planes; p++)
    if (!init_plane (&output->plane[p], format, &layout, info, p, output->raw_sample_size))
      return FALSE;

  return TRUE;
}

gboolean
gst_cl_output_can_share (const GstCodedFormat *format, const GstVideoInfo *info, gsize offset[GST_VIDEO_MAX_PLANES],
    gint stride[GST_VIDEO_MAX_PLANES])
{
  GpuOutput output;

  if (!gst_cl_output_init (&output, format, info) || output.raw_sample_size != output.surface_sample_size)
    return FALSE;
  for (guint p = 0; p < output.n_planes; p++) {
    const GpuOutputComponent *component = &output.plane[p].component[0];

    if (output.plane[p].n_components != 1 || !component->from_surface || component->repeat_shift || component->shift)
      return FALSE;
    offset[p] = (gsize) component->offset * output.surface_sample_size;
    stride[p] = component->stride * output.surface_sample_size;
  }

  return TRUE;
}

gboolean
gst_cl_output_is_plain (const GstVideoInfo *info, const gsize offset[GST_VIDEO_MAX_PLANES], const gint stride[GST_VIDEO_MAX_PLANES])
{
  gsize end = 0;

  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++) {
    gint components[GST_VIDEO_MAX_COMPONENTS];
    gint row;

    gst_video_format_info_component (info->finfo, p, components);
    row = GST_VIDEO_INFO_COMP_WIDTH (info, components[0]) * GST_VIDEO_INFO_COMP_PSTRIDE (info, components[0]);
    if (offset[p] != end || stride[p] != row)
      return FALSE;
    end += (gsize) row * GST_VIDEO_INFO_COMP_HEIGHT (info, components[0]);
  }

  return end == info->size;
}
