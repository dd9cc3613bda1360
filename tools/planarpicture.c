/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "planarpicture.h"

static gboolean
planar_fail (GError **error, const gchar *format, ...)
{
  va_list args;

  va_start (args, format);
  g_propagate_error (error, g_error_new_valist (GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, format, args));
  va_end (args);
  return FALSE;
}

/* The field @name of the caps, or @depth where there is none */
static guint
planar_true_depth (const GstStructure *s, const gchar *name, guint depth)
{
  guint value = depth;
  gint signed_value;

  if (!gst_structure_get_uint (s, name, &value) && gst_structure_get_int (s, name, &signed_value) && signed_value > 0)
    value = signed_value;
  return value;
}

/* Subsampling of the output: what the caps say of the stream, else that of the raw format */
static void
planar_read_subsampling (PlanarFormat *self, const GstStructure *s)
{
  const gchar *chroma_format = gst_structure_get_string (s, "chroma-format");

  self->sub_x = self->n_planes == 3 ? GST_VIDEO_FORMAT_INFO_W_SUB (self->info.finfo, self->component[1]) : 0;
  self->sub_y = self->n_planes == 3 ? GST_VIDEO_FORMAT_INFO_H_SUB (self->info.finfo, self->component[1]) : 0;
  if (g_strcmp0 (chroma_format, "4:2:2") == 0 && self->n_planes == 3 && !self->is_rgb && self->sub_x == 0 && self->sub_y == 0) {
    self->sub_x = 1;
    self->step[1] = self->step[2] = 2;
  }
}

static void
planar_set_planes (PlanarFormat *self)
{
  static const guint gbr[3] = { GST_VIDEO_COMP_G, GST_VIDEO_COMP_B, GST_VIDEO_COMP_R };
  const GstVideoFormatInfo *finfo = self->info.finfo;

  self->is_rgb = GST_VIDEO_FORMAT_INFO_IS_RGB (finfo);
  self->n_planes = GST_VIDEO_FORMAT_INFO_IS_GRAY (finfo) ? 1 : 3;
  for (guint i = 0; i < self->n_planes; i++) {
    self->component[i] = self->is_rgb ? gbr[i] : i;
    self->step[i] = 1;
  }
}

/* What the caps say, else unknown: gst_video_info_from_caps() guesses by the height where there is no colorimetry */
static void
planar_read_chroma_site (PlanarFormat *self, const GstStructure *s)
{
  const gchar *site = gst_structure_get_string (s, "chroma-site");

  self->info.chroma_site = site ? gst_video_chroma_site_from_string (site) : GST_VIDEO_CHROMA_SITE_UNKNOWN;
}

/**
 * planar_format_from_caps:
 * @self: the format to set
 * @caps: fixed caps of raw video.  Their fields bit-depth-luma and bit-depth-chroma are the true depths where samples are shifted left,
 *   chroma-format the stream's where the raw format has another
 *
 * Returns: %FALSE with @error where the raw format is packed in a way in which no decoder here offers it
 */
gboolean
planar_format_from_caps (PlanarFormat *self, const GstCaps *caps, GError **error)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);

  memset (self, 0, sizeof (*self));
  if (!gst_video_info_from_caps (&self->info, caps))
    return planar_fail (error, "%" GST_PTR_FORMAT " is no raw video", caps);
  if (GST_VIDEO_FORMAT_INFO_IS_COMPLEX (self->info.finfo) || GST_VIDEO_FORMAT_INFO_HAS_PALETTE (self->info.finfo))
    return planar_fail (error, "samples of %s cannot be taken apart", GST_VIDEO_INFO_NAME (&self->info));

  planar_set_planes (self);
  planar_read_subsampling (self, s);
  planar_read_chroma_site (self, s);
  for (guint i = 0; i < self->n_planes; i++) {
    guint depth = GST_VIDEO_FORMAT_INFO_DEPTH (self->info.finfo, self->component[i]);

    self->bit_depth[i] = planar_true_depth (s, i == 0 ? "bit-depth-luma" : "bit-depth-chroma", depth);
    if (self->bit_depth[i] < 1 || self->bit_depth[i] > depth || depth > 16)
      return planar_fail (error, "%s cannot hold samples of %u bits", GST_VIDEO_INFO_NAME (&self->info), self->bit_depth[i]);
    self->shift[i] = GST_VIDEO_FORMAT_INFO_SHIFT (self->info.finfo, self->component[i]) + depth - self->bit_depth[i];
    self->width[i] = i == 0 ? self->info.width : GST_VIDEO_SUB_SCALE (self->sub_x, self->info.width);
    self->height[i] = i == 0 ? self->info.height : GST_VIDEO_SUB_SCALE (self->sub_y, self->info.height);
  }
  return TRUE;
}

guint
planar_format_get_sample_size (const PlanarFormat *self)
{
  for (guint i = 0; i < self->n_planes; i++)
    if (self->bit_depth[i] > 8)
      return 2;
  return 1;
}

/* One row: @width samples of @in, @in_step bytes apart, of 1 or 2 bytes, to @out of 1 or 2 bytes, packed */
static void
planar_copy_row (guint8 *out, guint out_size, const guint8 *in, guint in_size, guint in_step, gint width, guint shift)
{
  for (gint x = 0; x < width; x++, in += in_step) {
    guint value = (in_size == 1 ? in[0] : GST_READ_UINT16_LE (in)) >> shift;

    if (out_size == 1)
      out[x] = value;
    else
      GST_WRITE_UINT16_LE (out + 2 * x, value);
  }
}

/* Bytes from the start of a pixel to @component.  GStreamer gives the second of two 16-bit components as if in samples (1 for P016_LE). */
static guint
planar_component_offset (const GstVideoFormatInfo *finfo, guint component, guint size)
{
  return GST_ROUND_UP_N (GST_VIDEO_FORMAT_INFO_POFFSET (finfo, component), size);
}

static gboolean
planar_plane_write (const PlanarFormat *self, GstVideoFrame *frame, guint plane, guint8 *row, PlanarSink sink, gpointer user_data)
{
  guint component = self->component[plane];
  guint in_size =
      GST_VIDEO_FORMAT_INFO_DEPTH (self->info.finfo, component) + GST_VIDEO_FORMAT_INFO_SHIFT (self->info.finfo, component) > 8 ? 2 : 1;
  guint in_step = GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component) * self->step[plane];
  const guint8 *data = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, GST_VIDEO_FORMAT_INFO_PLANE (self->info.finfo, component))
      + planar_component_offset (self->info.finfo, component, in_size);
  guint sample_size = planar_format_get_sample_size (self);
  gsize size = (gsize) self->width[plane] * sample_size;
  gboolean as_it_is = in_step == sample_size && in_size == sample_size && self->shift[plane] == 0;

  for (gint y = 0; y < self->height[plane]; y++, data += GST_VIDEO_FRAME_COMP_STRIDE (frame, component)) {
    if (!as_it_is)
      planar_copy_row (row, sample_size, data, in_size, in_step, self->width[plane], self->shift[plane]);
    if (!sink (as_it_is ? data : row, size, user_data))
      return FALSE;
  }
  return TRUE;
}

gboolean
planar_picture_write (const PlanarFormat *self, GstBuffer *buffer, PlanarSink sink, gpointer user_data, GError **error)
{
  GstVideoFrame frame;
  gboolean ok = TRUE;
  guint8 *row;

  if (!gst_video_frame_map (&frame, &self->info, buffer, GST_MAP_READ))
    return planar_fail (error, "a picture of %s could not be mapped", GST_VIDEO_INFO_NAME (&self->info));

  row = g_malloc ((gsize) self->info.width * 2);
  for (guint i = 0; ok && i < self->n_planes; i++)
    ok = planar_plane_write (self, &frame, i, row, sink, user_data);
  g_free (row);
  gst_video_frame_unmap (&frame);

  return ok;
}
