/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:gstcodedformat
 * @title: GstCodedFormat
 * @short_description: caps of the links between stages, and the sizes that follow from them
 */

#include <string.h>
#include "gstcodedformat.h"
#include "gpurecords.h"

/* MaxFS of level 6.2 (Table A-1), and Sqrt (MaxFS * 8), which bounds each side (A.3.1) */
#define MAX_FRAME_SIZE_IN_MBS 139264
#define MAX_SIDE_IN_MBS 1055
/* 16 reference frames, the current one, and far more pictures in flight than any pipeline has threads */
#define MAX_SURFACES 1024
/* Header arenas have room for the segments that this many writer threads leave open; more threads share them. */
#define MAX_WRITERS 256
/* Kinds of block lists, of 16- and of 32-bit levels: H.264's twice, those of H.265 (and the two lossless ones) once */
#define N_LISTS_H264 (GST_GPU_N_H264_KINDS * 2)
#define N_LISTS_H265 (GST_GPU_N_KINDS - GST_GPU_N_H264_KINDS + 2)

/* By GstCodedCodec, as GStreamer's media types are called */
static const gchar *const codecs[] = { "h264", "h265" };

/* chroma_format_idc by index, named as h264parse names it */
static const gchar *const chroma_formats[] = { "4:0:0", "4:2:0", "4:2:2", "4:4:4" };

/**
 * gst_coded_codec_get_name:
 * @codec: a codec
 *
 * Returns: (transfer none): what people call it
 */
const gchar *
gst_coded_codec_get_name (GstCodedCodec codec)
{
  return codec == GST_CODED_CODEC_H265 ? "H.265" : "H.264";
}

/**
 * gst_coded_format_init:
 * @format: (out caller-allocates): the format
 *
 * Sets 8-bit progressive 4:2:0 H.264 without size.
 */
void
gst_coded_format_init (GstCodedFormat *format)
{
  memset (format, 0, sizeof (*format));
  format->chroma_format_idc = 1;
  format->bit_depth_luma = 8;
  format->bit_depth_chroma = 8;
  format->interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
  format->fps_d = 1;
  format->par_n = 1;
  format->par_d = 1;
  format->n_surfaces = 1;
}

static gboolean
gst_coded_format_has_colorimetry (const GstCodedFormat *format)
{
  const GstVideoColorimetry *c = &format->colorimetry;

  return c->range != GST_VIDEO_COLOR_RANGE_UNKNOWN || c->matrix != GST_VIDEO_COLOR_MATRIX_UNKNOWN
      || c->transfer != GST_VIDEO_TRANSFER_UNKNOWN || c->primaries != GST_VIDEO_COLOR_PRIMARIES_UNKNOWN;
}

static void
gst_coded_format_colours_to_caps (const GstCodedFormat *format, GstCaps *caps)
{
  if (gst_coded_format_has_colorimetry (format)) {
    gchar *colorimetry = gst_video_colorimetry_to_string (&format->colorimetry);

    gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING, colorimetry, NULL);
    g_free (colorimetry);
  }
  if (format->chroma_site != GST_VIDEO_CHROMA_SITE_UNKNOWN) {
    gchar *chroma_site = gst_video_chroma_site_to_string (format->chroma_site);

    if (chroma_site)
      gst_caps_set_simple (caps, "chroma-site", G_TYPE_STRING, chroma_site, NULL);
    g_free (chroma_site);
  }
}

/**
 * gst_coded_format_to_caps:
 * @format: a valid format
 *
 * Returns: (transfer full): fixed caps of the private media type
 */
GstCaps *
gst_coded_format_to_caps (const GstCodedFormat *format)
{
  GstCaps *caps;

  g_return_val_if_fail (format->chroma_format_idc <= 3, NULL);

  caps = gst_caps_new_simple (GST_CODED_PICTURE_MEDIA_TYPE, "codec", G_TYPE_STRING, codecs[format->codec], "width", G_TYPE_INT,
      format->width, "height", G_TYPE_INT, format->height, "coded-width", G_TYPE_INT, format->coded_width, "coded-height", G_TYPE_INT,
      format->coded_height, "crop-x", G_TYPE_INT, format->crop_x, "crop-y", G_TYPE_INT, format->crop_y, "chroma-format", G_TYPE_STRING,
      chroma_formats[format->chroma_format_idc], "separate-colour-planes", G_TYPE_BOOLEAN, format->separate_colour_planes, "bit-depth-luma",
      G_TYPE_UINT, format->bit_depth_luma, "bit-depth-chroma", G_TYPE_UINT, format->bit_depth_chroma, "interlace-mode", G_TYPE_STRING,
      gst_video_interlace_mode_to_string (format->interlace_mode), "framerate", GST_TYPE_FRACTION, format->fps_n, format->fps_d,
      "pixel-aspect-ratio", GST_TYPE_FRACTION, format->par_n, format->par_d, "n-surfaces", G_TYPE_UINT, format->n_surfaces, NULL);
  gst_coded_format_colours_to_caps (format, caps);

  return caps;
}

static gboolean
gst_coded_format_read_codec (GstCodedFormat *format, const GstStructure *s)
{
  const gchar *codec = gst_structure_get_string (s, "codec");

  for (guint i = 0; codec && i < G_N_ELEMENTS (codecs); i++) {
    if (strcmp (codec, codecs[i]) == 0) {
      format->codec = (GstCodedCodec) i;
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
gst_coded_format_read_chroma (GstCodedFormat *format, const GstStructure *s)
{
  const gchar *chroma_format = gst_structure_get_string (s, "chroma-format");

  for (guint i = 0; chroma_format && i < G_N_ELEMENTS (chroma_formats); i++) {
    if (strcmp (chroma_format, chroma_formats[i]) == 0) {
      format->chroma_format_idc = i;
      return gst_structure_get_boolean (s, "separate-colour-planes", &format->separate_colour_planes)
          && (i == 3 || !format->separate_colour_planes);
    }
  }
  return FALSE;
}

static gboolean
gst_coded_format_read_interlace_mode (GstCodedFormat *format, const GstStructure *s)
{
  const gchar *mode = gst_structure_get_string (s, "interlace-mode");

  if (!mode)
    return FALSE;
  format->interlace_mode = gst_video_interlace_mode_from_string (mode);
  /* an unknown mode reads as progressive */
  return strcmp (mode, gst_video_interlace_mode_to_string (format->interlace_mode)) == 0;
}

/* What a stream need not say; a field of another type or value is an error all the same. */
static gboolean
gst_coded_format_read_optional (GstCodedFormat *format, const GstStructure *s)
{
  const gchar *text;

  if (gst_structure_has_field (s, "framerate")
      && (!gst_structure_get_fraction (s, "framerate", &format->fps_n, &format->fps_d) || format->fps_n < 0 || format->fps_d < 1))
    return FALSE;
  if (gst_structure_has_field (s, "pixel-aspect-ratio")
      && (!gst_structure_get_fraction (s, "pixel-aspect-ratio", &format->par_n, &format->par_d) || format->par_n < 1 || format->par_d < 1))
    return FALSE;
  if (gst_structure_has_field (s, "colorimetry")) {
    text = gst_structure_get_string (s, "colorimetry");
    if (!text || !gst_video_colorimetry_from_string (&format->colorimetry, text))
      return FALSE;
  }
  if (gst_structure_has_field (s, "chroma-site")) {
    text = gst_structure_get_string (s, "chroma-site");
    if (!text || (format->chroma_site = gst_video_chroma_site_from_string (text)) == GST_VIDEO_CHROMA_SITE_UNKNOWN)
      return FALSE;
  }
  return TRUE;
}

/* Crop in units of chroma samples (7.4.2.1.1: CropUnitX, CropUnitY) inside a surface of whole macroblocks */
static gboolean
gst_coded_format_size_is_valid (const GstCodedFormat *f)
{
  gint sub_width = f->chroma_format_idc == 1 || f->chroma_format_idc == 2 ? 2 : 1;
  gint sub_height = f->chroma_format_idc == 1 ? 2 : 1;

  if (f->coded_width < 16 || f->coded_height < 16 || f->coded_width % 16 != 0 || f->coded_height % 16 != 0)
    return FALSE;
  if ((guint64) (f->coded_width / 16) * (guint64) (f->coded_height / 16) > MAX_FRAME_SIZE_IN_MBS)
    return FALSE;
  if (f->width < 1 || f->height < 1 || f->crop_x < 0 || f->crop_y < 0 || f->crop_x % sub_width != 0 || f->crop_y % sub_height != 0)
    return FALSE;

  return f->width <= f->coded_width && f->crop_x <= f->coded_width - f->width && f->height <= f->coded_height
      && f->crop_y <= f->coded_height - f->height;
}

/**
 * gst_coded_format_allows_size:
 * @width: of a picture, in luma samples
 * @height: the same
 *
 * Returns: whether any level has pictures of so many macroblocks, and so long sides (level 6.2 has the largest)
 */
gboolean
gst_coded_format_allows_size (gint width, gint height)
{
  const gint64 width_in_mbs = ((gint64) width + 15) / 16, height_in_mbs = ((gint64) height + 15) / 16;

  return width >= 1 && height >= 1 && width_in_mbs <= MAX_SIDE_IN_MBS && height_in_mbs <= MAX_SIDE_IN_MBS
      && width_in_mbs * height_in_mbs <= MAX_FRAME_SIZE_IN_MBS;
}

/**
 * gst_coded_format_from_caps:
 * @format: (out caller-allocates): the format; undefined where %FALSE is returned
 * @caps: fixed caps from anywhere
 *
 * Returns: whether @caps are those of coded pictures, complete and consistent
 */
gboolean
gst_coded_format_from_caps (GstCodedFormat *format, const GstCaps *caps)
{
  const GstStructure *s;

  gst_coded_format_init (format);
  if (!gst_caps_is_fixed (caps))
    return FALSE;
  s = gst_caps_get_structure (caps, 0);
  if (!gst_structure_has_name (s, GST_CODED_PICTURE_MEDIA_TYPE) || !gst_coded_format_read_codec (format, s))
    return FALSE;
  if (!gst_structure_get (s, "width", G_TYPE_INT, &format->width, "height", G_TYPE_INT, &format->height, "coded-width", G_TYPE_INT,
          &format->coded_width, "coded-height", G_TYPE_INT, &format->coded_height, "crop-x", G_TYPE_INT, &format->crop_x, "crop-y",
          G_TYPE_INT, &format->crop_y, "bit-depth-luma", G_TYPE_UINT, &format->bit_depth_luma, "bit-depth-chroma", G_TYPE_UINT,
          &format->bit_depth_chroma, "n-surfaces", G_TYPE_UINT, &format->n_surfaces, NULL))
    return FALSE;
  if (format->bit_depth_luma < 8 || format->bit_depth_luma > 14 || format->bit_depth_chroma < 8 || format->bit_depth_chroma > 14)
    return FALSE;
  if (format->n_surfaces < 1 || format->n_surfaces > MAX_SURFACES)
    return FALSE;

  return gst_coded_format_read_chroma (format, s) && gst_coded_format_read_interlace_mode (format, s)
      && gst_coded_format_read_optional (format, s) && gst_coded_format_size_is_valid (format);
}

guint
gst_coded_format_sample_size (const GstCodedFormat *format)
{
  return format->bit_depth_luma == 8 && format->bit_depth_chroma == 8 ? 1 : 2;
}

/* Adds @count items of @size bytes, as a section of an arena.  @total becomes 0, and stays so, where the sum does not fit. */
static void
gst_coded_format_add_section (gsize *total, gsize count, gsize size)
{
  gsize section, sum;

  if (*total == 0)
    return;
  if (!g_size_checked_mul (&section, count, size) || !g_size_checked_add (&section, section, GST_CODED_ARENA_ALIGNMENT - 1)
      || !g_size_checked_add (&sum, *total, section & ~(gsize) (GST_CODED_ARENA_ALIGNMENT - 1)))
    sum = 0;
  *total = sum;
}

static gsize
gst_coded_format_n_lists (const GstCodedFormat *format)
{
  return format->codec == GST_CODED_CODEC_H265 ? N_LISTS_H265 : N_LISTS_H264;
}

static gsize
gst_coded_format_n_mbs (const GstCodedFormat *format)
{
  gsize n_mbs;

  if (format->coded_width < 0 || format->coded_height < 0
      || !g_size_checked_mul (&n_mbs, format->coded_width / 16, format->coded_height / 16))
    return 0;
  return n_mbs;
}

/**
 * gst_coded_format_header_size:
 * @format: a valid format
 *
 * A macroblock has sixteen partitions at most.  A full chunk is a segment, and every writer leaves
 * one part-filled chunk of each kind, width and colour plane; chunks are never more than macroblocks.
 *
 * Returns: bytes of the header arena: slices, segments, macroblock records and those of inter macroblocks, in sections that start at
 *   multiples of GST_CODED_ARENA_ALIGNMENT.  0 where the size does not fit in a gsize
 */
gsize
gst_coded_format_header_size (const GstCodedFormat *format)
{
  return gst_coded_format_header_size_for (format, G_MAXUINT);
}

/**
 * gst_coded_format_header_size_for:
 * @format: a valid format
 * @n_slices: slices that a picture has, at most
 *
 * The records of slices are large, and most pictures have few.
 *
 * Returns: as gst_coded_format_header_size(), for pictures of up to @n_slices slices
 */
gsize
gst_coded_format_header_size_for (const GstCodedFormat *format, guint n_slices)
{
  gsize n_planes = format->separate_colour_planes ? 3 : 1;
  gsize n_mbs = gst_coded_format_n_mbs (format);
  gsize n_records, max_slices;
  gsize total = GST_CODED_ARENA_ALIGNMENT; /* never 0, so that 0 can mean overflow */

  if (!g_size_checked_mul (&n_records, n_mbs, n_planes))
    return 0;
  max_slices = MIN (MIN (n_records, GST_CODED_MAX_SLICES), n_slices);
  gst_coded_format_add_section (&total, max_slices, sizeof (GstGpuSlice));
  gst_coded_format_add_section (&total, max_slices, sizeof (GstGpuInterSlice));
  gst_coded_format_add_section (&total, n_records, sizeof (GstGpuSegment));
  gst_coded_format_add_section (&total, n_planes * gst_coded_format_n_lists (format) * MAX_WRITERS, sizeof (GstGpuSegment));
  for (gsize plane = 0; plane < n_planes; plane++) {
    gst_coded_format_add_section (&total, n_mbs, sizeof (GstGpuMb));
    gst_coded_format_add_section (&total, n_mbs, 16 * sizeof (GstGpuPartition));
  }

  return total;
}

/**
 * gst_coded_format_coeffs_size:
 * @format: a valid format
 * @n_writers: threads that fill an arena at once
 *
 * At the legal maximum every sample has a level, and every plane of every macroblock a DC group (16 levels of Intra16x16, or 4 to 8 of
 * chroma) beside it. Chunks end early by less than the blocks of one kind of a macroblock, 3 KiB of 64 KiB at most (48 blocks of 4x4
 * 32-bit levels): a sixteenth covers that.  Every writer leaves one part-filled chunk of each kind, width and colour plane, with its
 * positions (half as much at most: 4 bytes for 8).  H.265 has a coefficient of 16 bits a sample at most, and blocks of 2 KiB at most.
 *
 * Returns: bytes of the coefficient arena, 0 where the size does not fit in a gsize
 */
gsize
gst_coded_format_coeffs_size (const GstCodedFormat *format, guint n_writers)
{
  static const guint chroma_4x4_blocks[4] = { 0, 4, 8, 16 };
  gsize blocks = 16 + 2 * chroma_4x4_blocks[format->chroma_format_idc];
  gboolean h265 = format->codec == GST_CODED_CODEC_H265;
  /* DC groups rounded up to 16 levels a plane */
  gsize levels = blocks * 16 + (h265 ? 0 : 3 * 16);
  gsize level_size = h265 || gst_coded_format_sample_size (format) == 1 ? 2 : 4;
  gsize n_planes = format->separate_colour_planes ? 3 : 1;
  gsize n_mbs = gst_coded_format_n_mbs (format);
  gsize total = GST_CODED_ARENA_ALIGNMENT;
  gsize open_chunks;

  gst_coded_format_add_section (&total, n_mbs, levels * level_size);
  gst_coded_format_add_section (&total, n_mbs, (blocks + 3 + 1) * sizeof (gst_gpu_u32));
  gst_coded_format_add_section (&total, 1, total / 16);
  if (!g_size_checked_mul (&open_chunks, n_writers, gst_coded_format_n_lists (format) * n_planes))
    return 0;
  gst_coded_format_add_section (&total, open_chunks, GST_CODED_CHUNK_SIZE + GST_CODED_CHUNK_SIZE / 2);

  return total;
}

/* Column of a format table: formats exist for 8, 10, 12 and 16 bits */
static guint
gst_coded_format_depth_class (guint bit_depth)
{
  return bit_depth <= 8 ? 0 : bit_depth <= 10 ? 1 : bit_depth <= 12 ? 2 : 3;
}

/**
 * gst_coded_format_get_raw_formats:
 * @format: a valid format
 * @formats: (out caller-allocates) (array fixed-size=4): raw formats, best first, then %GST_VIDEO_FORMAT_UNKNOWN
 *
 * The smallest format that holds both depths.  There is no planar 4:2:2 above 12 bits, so chroma is repeated into 4:4:4, and no planar
 * 4:2:0, so P016_LE; RGB is GBR up to 12 bits.
 *
 * Returns: the number of formats
 */
guint
gst_coded_format_get_raw_formats (const GstCodedFormat *format, GstVideoFormat formats[4])
{
  static const GstVideoFormat yuv[4][4] = {
    { GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_GRAY16_LE },
    { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_I420_12LE, GST_VIDEO_FORMAT_P016_LE },
    { GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_I422_10LE, GST_VIDEO_FORMAT_I422_12LE, GST_VIDEO_FORMAT_Y444_16LE },
    { GST_VIDEO_FORMAT_Y444, GST_VIDEO_FORMAT_Y444_10LE, GST_VIDEO_FORMAT_Y444_12LE, GST_VIDEO_FORMAT_Y444_16LE },
  };
  static const GstVideoFormat rgb[4] = { GST_VIDEO_FORMAT_GBR, GST_VIDEO_FORMAT_GBR_10LE, GST_VIDEO_FORMAT_GBR_12LE,
    GST_VIDEO_FORMAT_ARGB64 };
  gboolean monochrome = format->chroma_format_idc == 0;
  guint bit_depth = monochrome ? format->bit_depth_luma : MAX (format->bit_depth_luma, format->bit_depth_chroma);
  guint depth = gst_coded_format_depth_class (bit_depth);
  guint n = 0;

  if (format->chroma_format_idc == 3 && format->colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_RGB)
    formats[n++] = rgb[depth];
  else
    formats[n++] = yuv[format->chroma_format_idc][depth];
  if (monochrome)
    formats[n++] = yuv[1][depth];
  for (guint i = n; i < 4; i++)
    formats[i] = GST_VIDEO_FORMAT_UNKNOWN;

  return n;
}
