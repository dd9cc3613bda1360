/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Caps, memory and latency of h264entropy: what depends on the SPS and on both neighbours.
 */
#include "gsth264entropy.h"
#include "h264format.h"

#define GST_CAT_DEFAULT gst_h264_entropy_debug

/* Pictures on their way besides one for each thread.  One picture may take as long as several others, and until it can leave these are what the
 * other threads have to do.  Intra pictures are much alike. */
#define PICTURES_AHEAD 3
#define INTRA_PICTURES_AHEAD 1

guint
gst_h264_entropy_max_in_flight (const GstH264Entropy *self)
{
  /* picture threads add latency, so a live pipeline does without */
  return self->live || self->pool_threads == 1 ? 1 : self->pool_threads + self->pictures_ahead;
}

/* Asks downstream where coded pictures shall lie. */
static gboolean
choose_arena_pool (GstH264Entropy *self, GstCaps *caps)
{
  const guint writers = self->pool_threads;
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  GstStructure *config;
  guint i;

  if (self->arena_pool != NULL) {
    gst_buffer_pool_set_active (self->arena_pool, FALSE);
    gst_clear_object (&self->arena_pool);
  }
  if (gst_pad_peer_query (self->srcpad, query)) {
    for (i = 0; i < gst_query_get_n_allocation_pools (query) && self->arena_pool == NULL; i++) {
      gst_query_parse_nth_allocation_pool (query, i, &self->arena_pool, NULL, NULL, NULL);
      if (self->arena_pool != NULL && !GST_IS_ARENA_POOL (self->arena_pool))
        gst_clear_object (&self->arena_pool);
    }
  }
  gst_query_unref (query);
  if (self->arena_pool == NULL)
    self->arena_pool = gst_arena_pool_new ();
  self->coeffs_size = gst_coded_format_coeffs_size (&self->format, writers);
  config = gst_buffer_pool_get_config (self->arena_pool);
  gst_buffer_pool_config_set_params (config, caps, (guint) MIN (self->coeffs_size, G_MAXUINT), 0, 0);
  if (self->coeffs_size == 0 || self->coeffs_size > G_MAXUINT || !gst_buffer_pool_set_config (self->arena_pool, config)
      || !gst_buffer_pool_set_active (self->arena_pool, TRUE)) {
    GST_ELEMENT_ERROR (self, RESOURCE, NO_SPACE_LEFT,
        ("No memory for coded pictures of %dx%d.", self->format.coded_width, self->format.coded_height), (NULL));
    return FALSE;
  }
  return TRUE;
}

void
gst_h264_entropy_update_latency (GstH264Entropy *self, guint reorder_depth)
{
  const guint max_in_flight = gst_h264_entropy_max_in_flight (self);
  /* alone, a picture leaves before the next one comes */
  const guint frames = reorder_depth + (max_in_flight > 1 ? max_in_flight : 0);
  const GstClockTime duration =
      self->format.fps_n > 0 ? gst_util_uint64_scale (GST_SECOND, self->format.fps_d, self->format.fps_n) : GST_SECOND / 25;
  gboolean changed;

  GST_OBJECT_LOCK (self);
  changed = frames != self->latency_frames || duration != self->frame_duration;
  self->latency_frames = frames;
  self->frame_duration = duration;
  GST_OBJECT_UNLOCK (self);
  if (changed)
    gst_element_post_message (GST_ELEMENT (self), gst_message_new_latency (GST_OBJECT (self)));
}

static void
copy_static_metadata (GstCaps *caps, const GstCaps *upstream)
{
  static const gchar *const fields[] = { "mastering-display-info", "content-light-level", "multiview-mode", "multiview-flags" };
  guint i;

  for (i = 0; upstream != NULL && i < G_N_ELEMENTS (fields); i++) {
    const GValue *value = gst_structure_get_value (gst_caps_get_structure (upstream, 0), fields[i]);

    if (value != NULL)
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
    guint i;

    for (i = 0; i < 3; i++) {
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
    GstVideoContentLightLevel level = {.max_content_light_level = sei->max_content_light_level,
      .max_frame_average_light_level = sei->max_pic_average_light_level
    };

    gst_video_content_light_level_add_to_caps (&level, caps);
  }
}

void
gst_h264_entropy_take_video_sei (GstH264Entropy *self, const H264Sei *sei)
{
  H264Sei known = self->sei;

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
  if (memcmp (&known, &self->sei, sizeof (known)) == 0)
    return;
  self->sei = known;
  gst_pad_mark_reconfigure (self->srcpad);
}

static gboolean
caps_are_current (GstH264Entropy *self, GstCaps *caps)
{
  GstCaps *current = gst_pad_get_current_caps (self->srcpad);
  const gboolean equal = current != NULL && gst_caps_is_equal (caps, current);

  gst_clear_caps (&current);
  return equal;
}

/* What was decoded before goes out, then the new caps.  Where the SPS is the old one, references stay. */
static GstFlowReturn
set_format (GstH264Entropy *self, const H264SliceHeader *sh, const GstCodedFormat *format, GstCaps *caps)
{
  const gboolean goes_on = self->sps == sh->pps->sps && !sh->IdrPicFlag;
  GstFlowReturn ret = gst_h264_entropy_drain (self, GST_H264_DRAIN_PICTURES);

  if (ret != GST_FLOW_OK)
    return ret;
  if (self->sps != NULL && sh->IdrPicFlag && sh->no_output_of_prior_pics_flag)
    h264_dpb_end_sequence (self->dpb, TRUE);
  ret = gst_h264_entropy_drain (self, goes_on ? GST_H264_DRAIN_OUTPUT : GST_H264_DRAIN_SEQUENCE);
  gst_pad_check_reconfigure (self->srcpad);
  self->format = *format;
  if (ret == GST_FLOW_OK && !gst_pad_push_event (self->srcpad, gst_event_new_caps (caps)))
    ret = GST_PAD_IS_FLUSHING (self->srcpad) ? GST_FLOW_FLUSHING : GST_FLOW_NOT_NEGOTIATED;
  if (ret == GST_FLOW_OK)
    gst_h264_entropy_release_events (self);
  if (ret == GST_FLOW_OK && !choose_arena_pool (self, caps))
    ret = GST_FLOW_ERROR;
  return ret;
}

GstFlowReturn
gst_h264_entropy_negotiate (GstH264Entropy *self, const H264SliceHeader *sh)
{
  H264Sps *sps = sh->pps->sps;
  GstCodedFormat format;
  GstCaps *caps;
  GstFlowReturn ret = GST_FLOW_OK;

  if (self->sps == sps && self->arena_pool != NULL && !GST_PAD_NEEDS_RECONFIGURE (self->srcpad))
    return GST_FLOW_OK;
  h264_format_from_sps (&format, sps, self->upstream_caps);
  if (self->display.caps_have_fields)
    format.interlace_mode = GST_VIDEO_INTERLACE_MODE_MIXED;
  self->pictures_ahead = h264_sps_is_intra_only (sps) ? INTRA_PICTURES_AHEAD : PICTURES_AHEAD;
  format.n_surfaces = sps->max_dec_frame_buffering + 1 + gst_h264_entropy_max_in_flight (self);
  caps = gst_coded_format_to_caps (&format);
  copy_static_metadata (caps, self->upstream_caps);
  add_sei_metadata (caps, &self->sei);
  if (!caps_are_current (self, caps)) {
    ret = set_format (self, sh, &format, caps);
  } else if (gst_pad_check_reconfigure (self->srcpad) || self->arena_pool == NULL) {
    ret = gst_h264_entropy_drain (self, GST_H264_DRAIN_PICTURES);
    if (ret == GST_FLOW_OK && !choose_arena_pool (self, caps))
      ret = GST_FLOW_ERROR;
  }
  gst_caps_unref (caps);
  if (ret != GST_FLOW_OK)
    return ret;
  g_clear_pointer (&self->sps, h264_sps_unref);
  self->sps = h264_sps_ref (sps);
  gst_h264_entropy_update_latency (self, sps->max_num_reorder_frames);
  return GST_FLOW_OK;
}
