/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reportimage.h"

#define MAX_SIZE 1280
#define ENCODE_TIMEOUT (20 * GST_SECOND)

/* The samples of a component of the surface, inside the cropping rectangle */
typedef struct
{
  const guint8 *data;
  gsize stride;
  guint sample_size, bit_depth;
  guint sub_x, sub_y; /* log2 */
} Samples;

static guint
get_sample (const Samples *samples, guint x, guint y)
{
  const guint8 *at = samples->data + (gsize) (y >> samples->sub_y) * samples->stride + (gsize) (x >> samples->sub_x) * samples->sample_size;

  return samples->sample_size == 1 ? *at : GST_READ_UINT16_LE (at);
}

/* The mean of the luma samples' places that a pixel stands for, as 8 bits */
static guint8
get_mean (const Samples *samples, guint x, guint y, guint factor)
{
  guint64 sum = 0;

  for (guint j = 0; j < factor; j++)
    for (guint i = 0; i < factor; i++)
      sum += get_sample (samples, x * factor + i, y * factor + j);
  return (guint8) MIN ((sum / (factor * factor)) >> (samples->bit_depth - 8), 255);
}

static void
shrink (GstVideoFrame *to, guint component, const Samples *samples, guint factor)
{
  const guint width = (guint) GST_VIDEO_FRAME_WIDTH (to), height = (guint) GST_VIDEO_FRAME_HEIGHT (to);

  for (guint y = 0; y < height; y++) {
    guint8 *row = (guint8 *) GST_VIDEO_FRAME_COMP_DATA (to, component) + (gsize) y * (gsize) GST_VIDEO_FRAME_COMP_STRIDE (to, component);

    for (guint x = 0; x < width; x++)
      row[x] = get_mean (samples, x, y, factor);
  }
}

static GstVideoFormat
choose_raw_format (const GstCodedFormat *format)
{
  if (format->chroma_format_idc == 0)
    return GST_VIDEO_FORMAT_GRAY8;
  return format->colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_RGB ? GST_VIDEO_FORMAT_GBR : GST_VIDEO_FORMAT_Y444;
}

/* What stands for unknown colorimetry goes by the size of the whole picture. */
static void
init_info (GstVideoInfo *info, const GstCodedFormat *format, guint factor)
{
  GstVideoInfo whole;

  gst_video_info_set_format (&whole, choose_raw_format (format), (guint) format->width, (guint) format->height);
  gst_video_info_set_format (info, choose_raw_format (format), (guint) format->width / factor, (guint) format->height / factor);
  info->colorimetry = format->colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN ? whole.colorimetry : format->colorimetry;
  info->fps_n = 25;
}

static Samples
find_samples (const GstCodedFormat *format, const GstVideoMeta *meta, const GstMapInfo *map, guint plane)
{
  const guint size = gst_coded_format_sample_size (format);
  Samples samples = { .stride = (gsize) meta->stride[plane], .sample_size = size, .bit_depth = format->bit_depth_luma };

  if (plane > 0) {
    samples.bit_depth = format->bit_depth_chroma;
    samples.sub_x = format->chroma_format_idc < 3;
    samples.sub_y = format->chroma_format_idc < 2;
  }
  samples.data = map->data + meta->offset[plane] + (gsize) (format->crop_y >> samples.sub_y) * samples.stride
      + (gsize) (format->crop_x >> samples.sub_x) * size;
  return samples;
}

/* (transfer full) (nullable) */
static GstSample *
make_small_sample (GstBuffer *surface, const GstCodedFormat *format, guint factor)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (surface);
  GstVideoInfo info;
  GstVideoFrame frame;
  GstMapInfo map;
  GstSample *sample = NULL;
  GstBuffer *small;
  GstCaps *caps;

  if (!meta || !gst_buffer_map (surface, &map, GST_MAP_READ))
    return NULL;
  init_info (&info, format, factor);
  small = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);
  if (gst_video_frame_map (&frame, &info, small, GST_MAP_WRITE)) {
    for (guint i = 0; i < (format->chroma_format_idc == 0 ? 1u : 3u); i++) {
      /* planes of GBR stand in that order, components in that of their names */
      const guint component = info.finfo->format == GST_VIDEO_FORMAT_GBR ? (i + 1) % 3 : i;
      Samples samples = find_samples (format, meta, &map, i);

      shrink (&frame, component, &samples, factor);
    }
    gst_video_frame_unmap (&frame);
    caps = gst_video_info_to_caps (&info);
    sample = gst_sample_new (small, caps, NULL, NULL);
    gst_caps_unref (caps);
  }
  gst_buffer_unref (small);
  gst_buffer_unmap (surface, &map);
  return sample;
}

/* (transfer full) (nullable) */
static gchar *
encode (GstSample *sample)
{
  GstCaps *caps = gst_caps_new_empty_simple ("image/png");
  GstSample *png = gst_video_convert_sample (sample, caps, ENCODE_TIMEOUT, NULL);
  gchar *base64, *uri = NULL;
  GstMapInfo map;

  gst_caps_unref (caps);
  if (!png)
    return NULL;
  if (gst_buffer_map (gst_sample_get_buffer (png), &map, GST_MAP_READ)) {
    base64 = g_base64_encode (map.data, map.size);
    uri = g_strconcat ("data:image/png;base64,", base64, NULL);
    g_free (base64);
    gst_buffer_unmap (gst_sample_get_buffer (png), &map);
  }
  gst_sample_unref (png);
  return uri;
}

gchar *
report_image_make (GstFrameStore *store, const GstCodedFormat *format)
{
  const guint factor = MAX (1, ((guint) MAX (format->width, format->height) + MAX_SIZE - 1) / MAX_SIZE);
  GstSample *sample;
  gchar *uri;

  if (!gst_frame_store_wait_submitted (store) || !store->surface || format->width < (gint) factor || format->height < (gint) factor)
    return NULL;
  sample = make_small_sample (store->surface, format, factor);
  if (!sample)
    return NULL;
  uri = encode (sample);
  gst_sample_unref (sample);
  return uri;
}
