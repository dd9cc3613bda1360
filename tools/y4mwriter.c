/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "y4mwriter.h"

#include <errno.h>
#include <glib/gstdio.h>

struct _Y4mWriter
{
  FILE *file;
  gchar *path;
  gchar *header;
  gchar interlacing; /* the I parameter */
};

static gboolean
y4m_writer_fail (Y4mWriter *self, GError **error)
{
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE, "%s: %s", self->path, g_strerror (errno));
  return FALSE;
}

Y4mWriter *
y4m_writer_new (const gchar *path, GError **error)
{
  Y4mWriter *self = g_new0 (Y4mWriter, 1);

  self->path = g_strdup (path);
  self->file = g_fopen (path, "wb");
  if (!self->file) {
    y4m_writer_fail (self, error);
    g_free (self->path);
    g_clear_pointer (&self, g_free);
  }
  return self;
}

/* One depth for all planes: planes of a lesser one are written as they are below it, see y4m_writer_add() */
static guint
y4m_bit_depth (const PlanarFormat *format)
{
  guint depth = 0;

  for (guint i = 0; i < format->n_planes; i++)
    depth = MAX (depth, format->bit_depth[i]);
  return depth;
}

/* The C parameter: 420jpeg, 420mpeg2, 420paldv for the three chroma sites of 8-bit 4:2:0; 420p10, 422p10, mono10 and so on above 8 bits */
static gchar *
y4m_colourspace (const PlanarFormat *format)
{
  guint depth = y4m_bit_depth (format);
  const gchar *name = format->sub_y ? "420" : format->sub_x ? "422" : "444";

  if (format->n_planes == 1)
    return depth == 8 ? g_strdup ("mono") : g_strdup_printf ("mono%u", depth);
  if (depth > 8)
    return g_strdup_printf ("%sp%u", name, depth);
  if (!format->sub_y)
    return g_strdup (name);

  switch (GST_VIDEO_INFO_CHROMA_SITE (&format->info)) {
    case GST_VIDEO_CHROMA_SITE_JPEG:
      return g_strdup ("420jpeg");
    case GST_VIDEO_CHROMA_SITE_DV:
      return g_strdup ("420paldv");
    default:
      return g_strdup ("420mpeg2");
  }
}

/* The I parameter.  Where pictures may be interlaced or not, the first one decides, or nothing is said: "m", with a tag at each picture, is
 * what readers do not take. */
static gchar
y4m_interlacing (const PlanarFormat *format, GstBuffer *first)
{
  if (format->info.interlace_mode == GST_VIDEO_INTERLACE_MODE_PROGRESSIVE)
    return 'p';
  if (!GST_BUFFER_FLAG_IS_SET (first, GST_VIDEO_BUFFER_FLAG_INTERLACED))
    return '?';
  return GST_BUFFER_FLAG_IS_SET (first, GST_VIDEO_BUFFER_FLAG_TFF) ? 't' : 'b';
}

/* Stream header.  An unknown frame rate is written as 25, which most readers assume anyway; 0:0 is a file's way to say it, and some refuse
 * it. */
static gchar *
y4m_header (const PlanarFormat *format, gchar interlacing)
{
  const GstVideoInfo *info = &format->info;
  gboolean has_rate = info->fps_n > 0;
  gboolean full_range = info->colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255;
  gchar *colourspace = y4m_colourspace (format);
  gchar *header =
      g_strdup_printf ("YUV4MPEG2 W%d H%d F%d:%d I%c A%d:%d C%s XCOLORRANGE=%s\n", info->width, info->height, has_rate ? info->fps_n : 25,
          has_rate ? info->fps_d : 1, interlacing, info->par_n, info->par_d, colourspace, full_range ? "FULL" : "LIMITED");

  g_free (colourspace);
  return header;
}

static gboolean
y4m_write (const guint8 *data, gsize size, gpointer user_data)
{
  Y4mWriter *self = user_data;

  return fwrite (data, 1, size, self->file) == size;
}

static gboolean
y4m_writer_check_header (Y4mWriter *self, const PlanarFormat *format, GstBuffer *buffer, GError **error)
{
  gchar *header;
  gboolean same;

  if (format->is_rgb) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "%s: y4m has no R, G, B", self->path);
    return FALSE;
  }
  if (!self->header)
    self->interlacing = y4m_interlacing (format, buffer);
  header = y4m_header (format, self->interlacing);
  if (!self->header) {
    self->header = header;
    return y4m_write ((const guint8 *) header, strlen (header), self) || y4m_writer_fail (self, error);
  }
  same = strcmp (header, self->header) == 0;
  if (!same)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "%s: the video changes from %.*s to %.*s; a y4m file has one format",
        self->path, (int) strcspn (self->header, "\n"), self->header, (int) strcspn (header, "\n"), header);
  g_free (header);
  return same;
}

gboolean
y4m_writer_add (Y4mWriter *self, const PlanarFormat *format, GstBuffer *buffer, GError **error)
{
  PlanarFormat one_depth = *format;
  GError *map_error = NULL;

  if (!y4m_writer_check_header (self, format, buffer, error))
    return FALSE;

  /* the file format has one depth: the lesser of two is left in the high bits, of which the decoder has filled those it needs */
  for (guint i = 0; i < format->n_planes; i++) {
    guint missing = y4m_bit_depth (format) - format->bit_depth[i];

    if (missing > one_depth.shift[i]) {
      g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "%s: y4m has one depth for all planes", self->path);
      return FALSE;
    }
    one_depth.shift[i] -= missing;
    one_depth.bit_depth[i] += missing;
  }

  if (!y4m_write ((const guint8 *) "FRAME\n", 6, self))
    return y4m_writer_fail (self, error);
  if (planar_picture_write (&one_depth, buffer, y4m_write, self, &map_error))
    return TRUE;
  if (!map_error)
    return y4m_writer_fail (self, error);
  g_propagate_error (error, map_error);
  return FALSE;
}

gboolean
y4m_writer_finish (Y4mWriter *self, GError **error)
{
  gboolean ok = fclose (self->file) == 0 || y4m_writer_fail (self, error);

  g_free (self->path);
  g_free (self->header);
  g_free (self);
  return ok;
}
