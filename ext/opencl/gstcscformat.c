/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "gstcscformat.h"

#define SD_MAX_HEIGHT 576

static void
init_colour (GpuCscFormat *format, const GstVideoInfo *info)
{
  GstVideoColorMatrix matrix = info->colorimetry.matrix;
  GstVideoColorRange range = info->colorimetry.range;
  gdouble kr, kb;

  if (!gst_video_color_matrix_get_Kr_Kb (matrix, &kr, &kb)) {
    matrix = GST_VIDEO_INFO_HEIGHT (info) > SD_MAX_HEIGHT ? GST_VIDEO_COLOR_MATRIX_BT709 : GST_VIDEO_COLOR_MATRIX_BT601;
    gst_video_color_matrix_get_Kr_Kb (matrix, &kr, &kb);
  }
  format->kr = kr;
  format->kb = kb;
  format->full_range = range == GST_VIDEO_COLOR_RANGE_UNKNOWN ? format->rgb : range == GST_VIDEO_COLOR_RANGE_0_255;
}

gboolean
gst_csc_info_from_caps (GstVideoInfo *info, const GstCaps *caps)
{
  const gchar *site;

  if (!gst_video_info_from_caps (info, caps))
    return FALSE;
  /* it takes the usual site of the usual colorimetry where there is no colorimetry */
  site = gst_structure_get_string (gst_caps_get_structure (caps, 0), "chroma-site");
  if (site)
    info->chroma_site = gst_video_chroma_site_from_string (site);

  return TRUE;
}

/* Where the caps say nothing GstVideoInfo has JPEG's site up to 576 rows and MPEG-2's above.  Where it has none, MPEG-2's is taken, which
 * is also what H.264 means where it says nothing (ITU-T H.264, E.2.1). */
static void
init_site (GpuCscFormat *format, const GstVideoInfo *info)
{
  GstVideoChromaSite site = GST_VIDEO_INFO_CHROMA_SITE (info);

  if (site == GST_VIDEO_CHROMA_SITE_UNKNOWN)
    site = GST_VIDEO_CHROMA_SITE_MPEG2;
  format->site_x = format->h_sub && !(site & GST_VIDEO_CHROMA_SITE_H_COSITED) ? 2 : 0;
  format->site_y = format->v_sub && !(site & GST_VIDEO_CHROMA_SITE_V_COSITED) ? 2 : 0;
}

/* Bit of the word where component @k starts.  GStreamer gives the second half of a semi-planar word as if in samples (1 for P010_10LE), not
 * in bytes. */
static guint
first_bit (const GstVideoFormatInfo *finfo, guint k)
{
  guint offset = 8 * GST_VIDEO_FORMAT_INFO_POFFSET (finfo, k);

  if (GST_VIDEO_FORMAT_INFO_N_PLANES (finfo) == 2 && offset > 0)
    offset = 8 * GST_VIDEO_FORMAT_INFO_PSTRIDE (finfo, k) / 2;

  return offset + GST_VIDEO_FORMAT_INFO_SHIFT (finfo, k);
}

static gboolean
init_component (GpuCscFormat *format, const GstVideoFormatInfo *finfo, guint k)
{
  guint plane = GST_VIDEO_FORMAT_INFO_PLANE (finfo, k);

  format->plane[k] = plane;
  format->word_bytes[plane] = GST_VIDEO_FORMAT_INFO_PSTRIDE (finfo, k);
  format->shift[k] = first_bit (finfo, k);

  return GST_VIDEO_FORMAT_INFO_DEPTH (finfo, k) == format->depth;
}

/* The fourth byte of RGBx and its like is not a component: it stands where no other does. */
static void
init_padding (GpuCscFormat *format)
{
  guint used = 0;

  if (!format->rgb || format->n_planes > 1 || format->alpha || format->word_bytes[0] * 8 != 4 * format->depth)
    return;
  for (guint k = 0; k < 3; k++)
    used += format->shift[k];
  format->alpha = GPU_CSC_ALPHA_PADDING;
  format->shift[3] = (0 + 1 + 2 + 3) * format->depth - used;
}

gboolean
gst_csc_format_init (GpuCscFormat *format, const GstVideoInfo *info)
{
  const GstVideoFormatInfo *finfo = info->finfo;
  guint n_components = GST_VIDEO_FORMAT_INFO_N_COMPONENTS (finfo);

  memset (format, 0, sizeof (*format));
  if (GST_VIDEO_FORMAT_INFO_IS_COMPLEX (finfo) || GST_VIDEO_FORMAT_INFO_HAS_PALETTE (finfo) || n_components == 2 || n_components < 1
      || GST_VIDEO_FORMAT_INFO_IS_TILED (finfo))
    return FALSE;
  format->width = GST_VIDEO_INFO_WIDTH (info);
  format->height = GST_VIDEO_INFO_HEIGHT (info);
  format->rgb = GST_VIDEO_FORMAT_INFO_IS_RGB (finfo);
  format->n_components = MIN (n_components, 3);
  format->alpha = n_components == 4 ? GPU_CSC_ALPHA : GPU_CSC_ALPHA_NONE;
  format->depth = GST_VIDEO_FORMAT_INFO_DEPTH (finfo, 0);
  format->h_sub = n_components >= 3 ? GST_VIDEO_FORMAT_INFO_W_SUB (finfo, 1) : 0;
  format->v_sub = n_components >= 3 ? GST_VIDEO_FORMAT_INFO_H_SUB (finfo, 1) : 0;
  format->n_planes = GST_VIDEO_FORMAT_INFO_N_PLANES (finfo);
  for (guint k = 0; k < n_components; k++)
    if (!init_component (format, finfo, k))
      return FALSE;
  init_padding (format);
  init_colour (format, info);
  init_site (format, info);
  for (guint i = 0; i < format->n_planes; i++) {
    format->offset[i] = GST_VIDEO_INFO_PLANE_OFFSET (info, i);
    format->stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i);
  }

  return TRUE;
}

gboolean
gst_csc_format_has_field_chroma (const GpuCscFormat *format)
{
  return format->v_sub && format->height % 4 == 0;
}

void
gst_csc_format_select_field (GpuCscFormat *format, guint parity)
{
  for (guint i = 0; i < format->n_planes; i++) {
    format->offset[i] += parity * format->stride[i];
    format->stride[i] *= 2;
  }
  format->height = (format->height + 1 - parity) / 2;
  if (format->site_y)
    format->site_y = parity ? 3 : 1;
}

static gboolean
is_chroma_plane (const GpuCscFormat *format, guint plane)
{
  return !format->rgb && plane > 0;
}

guint
gst_csc_format_plane_rows (const GpuCscFormat *format, guint plane)
{
  return is_chroma_plane (format, plane) ? (format->height + format->v_sub) >> format->v_sub : format->height;
}

guint
gst_csc_format_row_bytes (const GpuCscFormat *format, guint plane)
{
  guint width = is_chroma_plane (format, plane) ? (format->width + format->h_sub) >> format->h_sub : format->width;

  return width * format->word_bytes[plane];
}
