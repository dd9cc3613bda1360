/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264format.h"

/* What the container says counts where the SPS is silent. */
static void
set_upstream_colorimetry (GstCodedFormat *format, const GstCaps *upstream)
{
  const gchar *name = upstream ? gst_structure_get_string (gst_caps_get_structure (upstream, 0), "colorimetry") : NULL;
  GstVideoColorimetry colorimetry;

  if (name && gst_video_colorimetry_from_string (&colorimetry, name))
    format->colorimetry = colorimetry;
}

/* Tables E-3, E-4, E-5 */
static void
set_colorimetry (GstCodedFormat *format, const H264Sps *sps, const GstCaps *upstream)
{
  const GstH264VUIParams *vui = &sps->vui;

  if (!vui->colour_description_present_flag)
    set_upstream_colorimetry (format, upstream);
  if (!vui->video_signal_type_present_flag)
    return;
  format->colorimetry.range = vui->video_full_range_flag ? GST_VIDEO_COLOR_RANGE_0_255 : GST_VIDEO_COLOR_RANGE_16_235;
  if (!vui->colour_description_present_flag)
    return;
  format->colorimetry.primaries = gst_video_color_primaries_from_iso (vui->colour_primaries);
  format->colorimetry.transfer = gst_video_transfer_function_from_iso (vui->transfer_characteristics);
  /* matrix 0 is GBR, which only 4:4:4 video can be */
  if (vui->matrix_coefficients != 0 || sps->chroma_format_idc == 3)
    format->colorimetry.matrix = gst_video_color_matrix_from_iso (vui->matrix_coefficients);
}

/* Figure E-1; where the stream is silent, chroma_sample_loc_type is 0 (E.2.1): sited with the left luma sample, as 4:2:2 always is (6.2) */
static void
set_chroma_site (GstCodedFormat *format, const H264Sps *sps)
{
  static const GstVideoChromaSite sites[] = {
    GST_VIDEO_CHROMA_SITE_H_COSITED,
    GST_VIDEO_CHROMA_SITE_NONE,
    GST_VIDEO_CHROMA_SITE_COSITED,
    GST_VIDEO_CHROMA_SITE_V_COSITED,
  };
  const GstH264VUIParams *vui = &sps->vui;

  if (sps->chroma_format_idc == 2)
    format->chroma_site = GST_VIDEO_CHROMA_SITE_H_COSITED;
  /* GStreamer has no name for chroma sited at the bottom */
  if (sps->chroma_format_idc == 1 && vui->chroma_sample_loc_type_top_field < G_N_ELEMENTS (sites))
    format->chroma_site = sites[vui->chroma_sample_loc_type_top_field];
}

static gboolean
get_upstream_fraction (const GstCaps *upstream, const gchar *field, gint *n, gint *d)
{
  return upstream && gst_structure_get_fraction (gst_caps_get_structure (upstream, 0), field, n, d) && *n > 0 && *d > 0;
}

static void
set_frame_rate (GstCodedFormat *format, const H264Sps *sps, const GstCaps *upstream)
{
  const GstH264VUIParams *vui = &sps->vui;
  gint n, d;

  if (get_upstream_fraction (upstream, "framerate", &n, &d)) {
    format->fps_n = n;
    format->fps_d = d;
  } else if (vui->timing_info_present_flag && vui->num_units_in_tick > 0 && vui->time_scale > 0) {
    /* a tick is a field (E.2.1) */
    guint64 num = vui->time_scale, den = (guint64) vui->num_units_in_tick * 2;
    const guint64 divisor = gst_util_greatest_common_divisor_int64 ((gint64) num, (gint64) den);

    num /= divisor;
    den /= divisor;
    if (num <= G_MAXINT && den <= G_MAXINT) {
      format->fps_n = (gint) num;
      format->fps_d = (gint) den;
    }
  }
}

static void
set_pixel_aspect_ratio (GstCodedFormat *format, const H264Sps *sps, const GstCaps *upstream)
{
  const GstH264VUIParams *vui = &sps->vui;
  gint n, d;

  /* as in GStreamer's own decoders, the container knows better */
  if (get_upstream_fraction (upstream, "pixel-aspect-ratio", &n, &d)) {
    format->par_n = n;
    format->par_d = d;
  } else if (vui->aspect_ratio_info_present_flag && vui->par_n > 0 && vui->par_d > 0) {
    format->par_n = vui->par_n;
    format->par_d = vui->par_d;
  }
}

void
h264_format_from_sps (GstCodedFormat *format, const H264Sps *sps, const GstCaps *upstream)
{
  gst_coded_format_init (format);
  format->width = (gint) sps->width;
  format->height = (gint) sps->height;
  format->coded_width = (gint) sps->pic_width_in_mbs * 16;
  format->coded_height = (gint) sps->FrameHeightInMbs * 16;
  format->crop_x = (gint) sps->crop_x;
  format->crop_y = (gint) sps->crop_y;
  format->chroma_format_idc = sps->chroma_format_idc;
  format->separate_colour_planes = sps->separate_colour_plane_flag;
  format->bit_depth_luma = sps->bit_depth_luma;
  format->bit_depth_chroma = sps->chroma_format_idc == 0 ? sps->bit_depth_luma : sps->bit_depth_chroma;
  format->interlace_mode = sps->frame_mbs_only_flag ? GST_VIDEO_INTERLACE_MODE_PROGRESSIVE : GST_VIDEO_INTERLACE_MODE_MIXED;
  set_colorimetry (format, sps, upstream);
  set_chroma_site (format, sps);
  set_frame_rate (format, sps, upstream);
  set_pixel_aspect_ratio (format, sps, upstream);
}

/* stereo_video_info () (D.2.23): views are the fields of a frame, or every other frame */
static void
set_multiview_from_stereo (const GstH264StereoVideoInfo *info, GstVideoMultiviewMode *mode, GstVideoMultiviewFlags *flags)
{
  gboolean right_first = FALSE;

  if (info->field_views_flag)
    right_first = !info->top_field_is_left_view_flag;
  else if (info->next_frame_is_second_view_flag)
    right_first = !info->current_frame_is_left_view_flag;
  *mode = info->field_views_flag ? GST_VIDEO_MULTIVIEW_MODE_ROW_INTERLEAVED : GST_VIDEO_MULTIVIEW_MODE_FRAME_BY_FRAME;
  *flags = right_first ? GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_VIEW_FIRST : GST_VIDEO_MULTIVIEW_FLAGS_NONE;
}

/* frame_packing_arrangement_type (Table D-8) */
static GstVideoMultiviewMode
get_packing_mode (const GstH264FramePacking *packing)
{
  switch (packing->frame_packing_type) {
    case GST_H264_FRAME_PACKING_CHECKERBOARD_INTERLEAVING:
      return GST_VIDEO_MULTIVIEW_MODE_CHECKERBOARD;
    case GST_H264_FRAME_PACKING_COLUMN_INTERLEAVING:
      return GST_VIDEO_MULTIVIEW_MODE_COLUMN_INTERLEAVED;
    case GST_H264_FRAME_PACKING_ROW_INTERLEAVING:
      return GST_VIDEO_MULTIVIEW_MODE_ROW_INTERLEAVED;
    case GST_H264_FRAME_PACKING_SIDE_BY_SIDE:
      return packing->quincunx_sampling_flag ? GST_VIDEO_MULTIVIEW_MODE_SIDE_BY_SIDE_QUINCUNX : GST_VIDEO_MULTIVIEW_MODE_SIDE_BY_SIDE;
    case GST_H264_FRAME_PACKING_TOP_BOTTOM:
      return GST_VIDEO_MULTIVIEW_MODE_TOP_BOTTOM;
    case GST_H264_FRAME_PACKING_TEMPORAL_INTERLEAVING:
      return packing->content_interpretation_type == 0 ? GST_VIDEO_MULTIVIEW_MODE_MULTIVIEW_FRAME_BY_FRAME
                                                       : GST_VIDEO_MULTIVIEW_MODE_FRAME_BY_FRAME;
    default:
      return GST_VIDEO_MULTIVIEW_MODE_NONE;
  }
}

/* Which of the two views is mirrored: side by side ones left to right, those above each other upside down (D.2.26) */
static GstVideoMultiviewFlags
get_flipping_flags (const GstH264FramePacking *packing, gboolean right_first)
{
  const gboolean left_flipped = !!packing->frame0_flipped_flag != right_first;

  if (!packing->spatial_flipping_flag)
    return GST_VIDEO_MULTIVIEW_FLAGS_NONE;
  if (packing->frame_packing_type == GST_H264_FRAME_PACKING_SIDE_BY_SIDE)
    return left_flipped ? GST_VIDEO_MULTIVIEW_FLAGS_LEFT_FLOPPED : GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_FLOPPED;
  if (packing->frame_packing_type == GST_H264_FRAME_PACKING_TOP_BOTTOM)
    return left_flipped ? GST_VIDEO_MULTIVIEW_FLAGS_LEFT_FLIPPED : GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_FLIPPED;
  return GST_VIDEO_MULTIVIEW_FLAGS_NONE;
}

/* frame_packing_arrangement () (D.2.26): content_interpretation_type 2: the first view is the right one */
static void
set_multiview_from_packing (const GstH264FramePacking *packing, GstVideoMultiviewMode *mode, GstVideoMultiviewFlags *flags)
{
  const gboolean right_first = packing->content_interpretation_type == 2;

  *mode = packing->frame_packing_cancel_flag ? GST_VIDEO_MULTIVIEW_MODE_NONE : get_packing_mode (packing);
  *flags = GST_VIDEO_MULTIVIEW_FLAGS_NONE;
  if (*mode == GST_VIDEO_MULTIVIEW_MODE_NONE)
    return;
  if (right_first)
    *flags |= GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_VIEW_FIRST;
  *flags |= get_flipping_flags (packing, right_first);
}

/* frame_packing_arrangement_id: other values are for others (D.2.26) */
static gboolean
is_known_packing (const GstH264FramePacking *packing)
{
  return packing->frame_packing_id < 256 || (packing->frame_packing_id >= 512 && packing->frame_packing_id < 1u << 31);
}

gboolean
h264_format_multiview_from_sei (const H264Sei *sei, GstVideoMultiviewMode *mode, GstVideoMultiviewFlags *flags)
{
  if (sei->has_frame_packing && is_known_packing (&sei->frame_packing))
    set_multiview_from_packing (&sei->frame_packing, mode, flags);
  else if (sei->has_stereo_video_info)
    set_multiview_from_stereo (&sei->stereo_video_info, mode, flags);
  else
    return FALSE;
  return TRUE;
}
