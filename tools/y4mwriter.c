/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "y4mwriter.h"

#include <errno.h>
#include <glib/gstdio.h>

struct _Y4mWriter
{
  FILE *file;
  gchar *path;
  gchar *header;
  PlanarFormat format; /* that it tells of */
  gchar interlacing;   /* the I parameter */

  /* of the pictures so far */
  guint n_pictures;
  GstClockTime begin, end;
  GstClockTime duration; /* of the first one */
  gboolean durations_vary;
};

#define SAME_DURATION (GST_MSECOND) /* to which Matroska rounds times */

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

/* Stream header, with @n_digits of the rate's numerator at least.  An unknown frame rate is written as 25, which most readers assume
 * anyway; 0:0 is a file's way to say it, and some refuse it. */
static gchar *
y4m_header (const PlanarFormat *format, gchar interlacing, guint n_digits)
{
  const GstVideoInfo *info = &format->info;
  gboolean has_rate = info->fps_n > 0;
  gboolean full_range = info->colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255;
  gchar *colourspace = y4m_colourspace (format);
  gchar *header = g_strdup_printf ("YUV4MPEG2 W%d H%d F%0*d:%d I%c A%d:%d C%s XCOLORRANGE=%s\n", info->width, info->height, (int) n_digits,
      has_rate ? info->fps_n : 25, has_rate ? info->fps_d : 1, interlacing, info->par_n, info->par_d, colourspace,
      full_range ? "FULL" : "LIMITED");

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
y4m_writer_begin (Y4mWriter *self, const PlanarFormat *format, GstBuffer *buffer, GError **error)
{
  self->format = *format;
  self->interlacing = y4m_interlacing (format, buffer);
  self->header = y4m_header (format, self->interlacing, 1);
  return y4m_write ((const guint8 *) self->header, strlen (self->header), self) || y4m_writer_fail (self, error);
}

/* Film that comes as fields, some of its frames as three, has a rate that only the whole tells. */
static gboolean
y4m_writer_may_have_film (const Y4mWriter *self)
{
  return self->format.info.interlace_mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
}

static gboolean
y4m_writer_check_header (Y4mWriter *self, const PlanarFormat *format, GstBuffer *buffer, GError **error)
{
  PlanarFormat same_rate = *format;
  gchar *header;
  gboolean same;

  if (format->is_rgb) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "%s: y4m has no R, G, B", self->path);
    return FALSE;
  }
  if (!self->header)
    return y4m_writer_begin (self, format, buffer, error);
  /* h264parse takes the rate of film from the fields of the first frame of each sequence */
  if (y4m_writer_may_have_film (self)) {
    same_rate.info.fps_n = self->format.info.fps_n;
    same_rate.info.fps_d = self->format.info.fps_d;
  }
  header = y4m_header (&same_rate, self->interlacing, 1);
  same = strcmp (header, self->header) == 0;
  if (!same)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "%s: the video changes from %.*s to %.*s; a y4m file has one format",
        self->path, (int) strcspn (self->header, "\n"), self->header, (int) strcspn (header, "\n"), header);
  g_free (header);
  return same;
}

static void
y4m_writer_take_times (Y4mWriter *self, GstBuffer *buffer)
{
  const GstClockTime pts = GST_BUFFER_PTS (buffer), duration = GST_BUFFER_DURATION (buffer);

  if (self->n_pictures++ == 0) {
    self->begin = pts;
    self->duration = duration;
  }
  self->end = GST_CLOCK_TIME_IS_VALID (pts) && GST_CLOCK_TIME_IS_VALID (duration) ? pts + duration : GST_CLOCK_TIME_NONE;
  if (GST_CLOCK_TIME_IS_VALID (duration) && GST_CLOCK_TIME_IS_VALID (self->duration)
      && ABS (GST_CLOCK_DIFF (duration, self->duration)) > (GstClockTimeDiff) SAME_DURATION)
    self->durations_vary = TRUE;
}

/* @n_pictures in @time: the usual rate that fits but for half a picture, else one that fits exactly.  The rate in @info, if there is one,
 * is of another number of the same fields a second. */
static void
set_rate (GstVideoInfo *info, guint n_pictures, GstClockTime time)
{
  static const gint usual[][2] = { { 24000, 1001 }, { 24, 1 }, { 25, 1 }, { 30000, 1001 }, { 30, 1 }, { 50, 1 }, { 60000, 1001 },
    { 60, 1 } };
  const gint had_rate = info->fps_n, base = info->fps_d % 1001 == 0 ? 1001 : 1;
  const gint divisor = gst_util_greatest_common_divisor ((gint) n_pictures * 1000, (gint) (time / GST_MSECOND));
  GstClockTime nearest = time / n_pictures / 2;

  info->fps_n = (gint) n_pictures * 1000 / divisor;
  info->fps_d = (gint) (time / GST_MSECOND) / divisor;
  for (guint i = 0; i < G_N_ELEMENTS (usual); i++) {
    const GstClockTime expected = gst_util_uint64_scale (n_pictures * GST_SECOND, (guint64) usual[i][1], (guint64) usual[i][0]);
    const GstClockTime difference = MAX (expected, time) - MIN (expected, time);

    if (difference < nearest && (had_rate == 0 || usual[i][1] == base)) {
      nearest = difference;
      info->fps_n = usual[i][0];
      info->fps_d = usual[i][1];
    }
  }
}

/* Whether times tell a rate that caps do not: where pictures are shown for two fields or three.  @n_pictures times 1000 and milliseconds
 * have to fit into 31 bits. */
static gboolean
y4m_writer_knows_rate (const Y4mWriter *self)
{
  return y4m_writer_may_have_film (self) && self->durations_vary && GST_CLOCK_TIME_IS_VALID (self->begin)
      && GST_CLOCK_TIME_IS_VALID (self->end) && self->end >= self->begin + GST_MSECOND && self->end - self->begin < G_MAXINT * GST_MSECOND
      && self->n_pictures < G_MAXINT / 1000;
}

/* Writes the header again, with the rate at which the file is as long as the video was.  Readers know no padding but zeros before a number,
 * and some no header above 80 bytes.  A file that cannot be gone back in keeps its header. */
static gboolean
y4m_writer_correct_rate (Y4mWriter *self, GError **error)
{
  gsize length;
  gboolean ok = TRUE;
  gchar *header;

  if (!y4m_writer_knows_rate (self))
    return TRUE;
  set_rate (&self->format.info, self->n_pictures, self->end - self->begin);
  length = strlen (self->header);
  header = y4m_header (&self->format, self->interlacing, 1);
  for (guint n_digits = 2; strlen (header) < length; n_digits++) {
    g_free (header);
    header = y4m_header (&self->format, self->interlacing, n_digits);
  }
  if (strlen (header) == length && fseek (self->file, 0, SEEK_SET) == 0)
    ok = y4m_write ((const guint8 *) header, length, self) || y4m_writer_fail (self, error);
  g_free (header);
  return ok;
}

gboolean
y4m_writer_add (Y4mWriter *self, const PlanarFormat *format, GstBuffer *buffer, GError **error)
{
  PlanarFormat one_depth = *format;
  GError *map_error = NULL;

  if (!y4m_writer_check_header (self, format, buffer, error))
    return FALSE;
  y4m_writer_take_times (self, buffer);

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
  gboolean ok = y4m_writer_correct_rate (self, error);

  /* of two errors the first one counts */
  if (fclose (self->file) != 0 && ok)
    ok = y4m_writer_fail (self, error);
  g_free (self->path);
  g_free (self->header);
  g_free (self);
  return ok;
}
