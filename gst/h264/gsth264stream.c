/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264stream.h"

#include "h264format.h"
#include "h264memory.h"

#define GST_CAT_DEFAULT gst_h264_entropy_debug

/* Of NAL units where nothing says it: all writers that are known have it */
#define DEFAULT_LENGTH_SIZE 4

/* What SEI messages have said of the video is of the stream that they came in. */
static void
forget_messages (GstH264Stream *stream)
{
  memset (&stream->sei, 0, sizeof (stream->sei));
  stream->multiview_mode = GST_VIDEO_MULTIVIEW_MODE_NONE;
  stream->multiview_flags = GST_VIDEO_MULTIVIEW_FLAGS_NONE;
}

void
gst_h264_stream_start (GstH264Stream *stream, GstH264Reports *reports)
{
  stream->reports = reports;
  stream->sets = h264_param_sets_new ();
  stream->length_size = 0;
  stream->sets_wanted = TRUE;
  stream->sets_made = FALSE;
  forget_messages (stream);
}

void
gst_h264_stream_stop (GstH264Stream *stream)
{
  g_clear_pointer (&stream->sets, h264_param_sets_free);
  g_clear_pointer (&stream->sps, h264_sps_unref);
  h264_sei_reader_clear (&stream->sei_reader);
  gst_clear_caps (&stream->upstream_caps);
}

/* codec_data that is no AVCDecoderConfigurationRecord: the sets that it has all the same, or those that come in band.  FALSE, with an
 * error: there is no memory for them. */
static gboolean
read_broken_codec_data (GstH264Stream *stream, const guint8 *data, gsize size)
{
  const gchar *error = NULL;

  stream->length_size = DEFAULT_LENGTH_SIZE;
  if (!h264_nal_has_start_code (data, size)) {
    gst_h264_reports_warn (stream->reports, "codec_data is no AVCDecoderConfigurationRecord");
    return TRUE;
  }
  h264_param_sets_add_byte_stream (stream->sets, data, size, &error);
  if (error == h264_no_memory)
    return gst_h264_reports_fail_no_memory (stream->reports) == GST_FLOW_OK;
  GST_ELEMENT_WARNING (stream->reports->element, STREAM, FORMAT,
      ("The codec_data is a byte stream, not an AVCDecoderConfigurationRecord; its parameter sets count."), (NULL));
  /* nothing is left to be said of the data */
  stream->framing_is_said = TRUE;
  if (error)
    gst_h264_reports_warn_of_set (stream->reports, error);
  return TRUE;
}

static gboolean
read_mapped_codec_data (GstH264Stream *stream, const GstMapInfo *map)
{
  const gchar *error = NULL;
  const gboolean is_record = h264_param_sets_add_avcc (stream->sets, map->data, map->size, &stream->length_size, &error);

  if (error == h264_no_memory)
    return gst_h264_reports_fail_no_memory (stream->reports) == GST_FLOW_OK;
  if (is_record) {
    if (error)
      gst_h264_reports_warn_of_set (stream->reports, error);
    return TRUE;
  }
  if (!stream->strict)
    return read_broken_codec_data (stream, map->data, map->size);
  GST_ELEMENT_ERROR (stream->reports->element, STREAM, FORMAT, ("The codec_data of the stream is broken: %s.", error), (NULL));
  return FALSE;
}

static gboolean
read_codec_data (GstH264Stream *stream, const GstStructure *s)
{
  const GValue *value = gst_structure_get_value (s, "codec_data");
  GstBuffer *buffer = value ? gst_value_get_buffer (value) : NULL;
  GstMapInfo map;
  gboolean ok;

  if (!buffer && !stream->strict) {
    /* h264parse does without where it has not seen the first sets whole: they may come in band */
    stream->length_size = DEFAULT_LENGTH_SIZE;
    return TRUE;
  }
  if (!buffer) {
    GST_ELEMENT_ERROR (stream->reports->element, STREAM, FORMAT,
        ("The stream has no parameter sets where strict=true wants them: the caps (avc) have no codec_data."),
        ("h264parse leaves it out where the first SPS is missing or broken"));
    return FALSE;
  }
  if (!gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    GST_ELEMENT_ERROR (stream->reports->element, RESOURCE, READ, ("The codec_data of the caps cannot be read."), (NULL));
    return FALSE;
  }
  ok = read_mapped_codec_data (stream, &map);
  gst_buffer_unmap (buffer, &map);
  stream->sets_wanted = FALSE;
  return ok;
}

gboolean
gst_h264_stream_has_caps (const GstH264Stream *stream, const GstCaps *caps)
{
  return stream->upstream_caps && gst_caps_is_equal (caps, stream->upstream_caps);
}

gboolean
gst_h264_stream_set_caps (GstH264Stream *stream, GstCaps *caps)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);
  const gchar *stream_format = gst_structure_get_string (s, "stream-format");

  /* buffers behind caps that are refused are refused too */
  gst_clear_caps (&stream->upstream_caps);
  stream->length_size = 0;
  stream->framing_is_known = stream->framing_is_said = FALSE;
  stream->sets_wanted |= stream->sets_made;
  if (stream_format && !g_str_equal (stream_format, "byte-stream") && !read_codec_data (stream, s))
    return FALSE;
  gst_caps_replace (&stream->upstream_caps, caps);
  forget_messages (stream);
  stream->aligned_to_units = g_strcmp0 (gst_structure_get_string (s, "alignment"), "au") == 0;
  return TRUE;
}

void
gst_h264_stream_check_framing (GstH264Stream *stream, const guint8 *data, gsize size)
{
  const guint said = stream->length_size;
  const gboolean has_start_code = h264_nal_has_start_code (data, size);

  if (stream->framing_is_known || stream->strict || size == 0)
    return;
  stream->framing_is_known = TRUE;
  if (said > 0 && has_start_code && !h264_nal_fits_lengths (data, size, said))
    stream->length_size = 0;
  else if (said == 0 && !has_start_code && h264_nal_fits_lengths (data, size, DEFAULT_LENGTH_SIZE))
    stream->length_size = DEFAULT_LENGTH_SIZE;
  if (stream->length_size != said && !stream->framing_is_said)
    GST_ELEMENT_WARNING (stream->reports->element, STREAM, FORMAT,
        (said > 0 ? "The caps say stream-format=avc, but the data is a byte stream; it is taken for what it is."
                  : "The caps say stream-format=byte-stream, but the data has NAL units behind lengths; it is taken for what it is."),
        (NULL));
}

/* A message counts until another one says something else, as in h264parse: senders do not repeat it as often as its persistence asks
 * for. */
static gboolean
take_multiview (GstH264Stream *stream, const H264Sei *sei)
{
  GstVideoMultiviewMode mode;
  GstVideoMultiviewFlags flags;

  if (!h264_format_multiview_from_sei (sei, &mode, &flags) || (mode == stream->multiview_mode && flags == stream->multiview_flags))
    return FALSE;
  stream->multiview_mode = mode;
  stream->multiview_flags = flags;
  return TRUE;
}

gboolean
gst_h264_stream_take_set (GstH264Stream *stream, const H264Nal *nal, const gchar **error)
{
  stream->sets_wanted = stream->sets_made = FALSE;
  return h264_param_sets_add (stream->sets, nal, error);
}

static void
add_made_set (GstH264Stream *stream, GByteArray *unit)
{
  const gchar *error = NULL;
  H264Nal nal;

  if (!h264_nal_init (&nal, unit->data, unit->len, &error) || !h264_param_sets_add (stream->sets, &nal, &error))
    gst_h264_reports_warn (stream->reports, error);
  g_byte_array_unref (unit);
}

void
gst_h264_stream_make_missing_sets (GstH264Stream *stream, const guint8 *data, gsize size)
{
  const H264AvcIntra *format;

  if (!stream->sets_wanted)
    return;
  format = h264_avc_intra_recognise (data, size, stream->length_size);
  if (!format)
    return;
  GST_INFO_OBJECT (stream->reports->element, "AVC-Intra %u, %ux%u%s, without parameter sets", format->avc_intra_class, format->width,
      format->height, format->interlaced ? " interlaced" : "");
  add_made_set (stream, h264_avc_intra_make_sps (format));
  add_made_set (stream, h264_avc_intra_make_pps (format));
  stream->sets_made = TRUE;
  stream->sets_wanted = FALSE;
}

gboolean
gst_h264_stream_take_sei (GstH264Stream *stream, const H264Sei *sei)
{
  const gboolean new_multiview = take_multiview (stream, sei);
  H264Sei known = stream->sei;

  if (sei->has_mastering_display) {
    known.has_mastering_display = TRUE;
    memcpy (known.display_primaries, sei->display_primaries, sizeof (known.display_primaries));
    memcpy (known.white_point, sei->white_point, sizeof (known.white_point));
    known.max_luminance = sei->max_luminance;
    known.min_luminance = sei->min_luminance;
  }
  if (sei->has_content_light) {
    known.has_content_light = TRUE;
    known.max_content_light_level = sei->max_content_light_level;
    known.max_pic_average_light_level = sei->max_pic_average_light_level;
  }
  if (memcmp (&known, &stream->sei, sizeof (known)) == 0)
    return new_multiview;
  stream->sei = known;
  return TRUE;
}

static void
copy_static_metadata (GstCaps *caps, const GstCaps *upstream)
{
  static const gchar *const fields[] = { "mastering-display-info", "content-light-level", "multiview-mode", "multiview-flags" };

  for (guint i = 0; upstream && i < G_N_ELEMENTS (fields); i++) {
    const GValue *value = gst_structure_get_value (gst_caps_get_structure (upstream, 0), fields[i]);

    if (value)
      gst_caps_set_value (caps, fields[i], value);
  }
}

/* What SEI messages say of the video counts where the container says nothing. */
static void
add_sei_metadata (GstCaps *caps, const H264Sei *sei)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);

  if (sei->has_mastering_display && !gst_structure_has_field (s, "mastering-display-info")) {
    GstVideoMasteringDisplayInfo info;

    for (guint i = 0; i < 3; i++) {
      /* green, blue, red there; red, green, blue here */
      info.display_primaries[(i + 1) % 3].x = sei->display_primaries[i][0];
      info.display_primaries[(i + 1) % 3].y = sei->display_primaries[i][1];
    }
    info.white_point.x = sei->white_point[0];
    info.white_point.y = sei->white_point[1];
    info.max_display_mastering_luminance = sei->max_luminance;
    info.min_display_mastering_luminance = sei->min_luminance;
    gst_video_mastering_display_info_add_to_caps (&info, caps);
  }
  if (sei->has_content_light && !gst_structure_has_field (s, "content-light-level")) {
    GstVideoContentLightLevel level = { .max_content_light_level = sei->max_content_light_level,
      .max_frame_average_light_level = sei->max_pic_average_light_level };

    gst_video_content_light_level_add_to_caps (&level, caps);
  }
}

/* The same for views in a frame */
static void
add_multiview (GstCaps *caps, const GstH264Stream *stream, const GstCodedFormat *format)
{
  GstVideoMultiviewFlags flags = stream->multiview_flags;

  if (stream->multiview_mode == GST_VIDEO_MULTIVIEW_MODE_NONE
      || gst_structure_has_field (gst_caps_get_structure (caps, 0), "multiview-mode"))
    return;
  if (gst_video_multiview_guess_half_aspect (stream->multiview_mode, (guint) format->width, (guint) format->height, (guint) format->par_n,
          (guint) format->par_d))
    flags |= GST_VIDEO_MULTIVIEW_FLAGS_HALF_ASPECT;
  gst_caps_set_simple (caps, "multiview-mode", G_TYPE_STRING, gst_video_multiview_mode_to_caps_string (stream->multiview_mode),
      "multiview-flags", GST_TYPE_VIDEO_MULTIVIEW_FLAGSET, flags, GST_FLAG_SET_MASK_EXACT, NULL);
}

GstCaps *
gst_h264_stream_make_caps (const GstH264Stream *stream, const H264Sps *sps, gboolean has_fields, guint n_in_flight, GstCodedFormat *format)
{
  GstCaps *caps;

  h264_format_from_sps (format, sps, stream->upstream_caps);
  if (has_fields)
    format->interlace_mode = GST_VIDEO_INTERLACE_MODE_MIXED;
  /* those of the DPB, the picture being decoded, and what stands in for missing ones */
  format->n_surfaces = sps->max_dec_frame_buffering + 2 + n_in_flight;
  caps = gst_coded_format_to_caps (format);
  copy_static_metadata (caps, stream->upstream_caps);
  add_sei_metadata (caps, &stream->sei);
  add_multiview (caps, stream, format);
  return caps;
}

void
gst_h264_stream_set_sps (GstH264Stream *stream, H264Sps *sps)
{
  g_clear_pointer (&stream->sps, h264_sps_unref);
  stream->sps = h264_sps_ref (sps);
}
