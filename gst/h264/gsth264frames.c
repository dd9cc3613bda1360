/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264frames.h"

static GstFrameStore *
frame_store_new (const H264DpbPicture *picture, GstH264Input *input)
{
  GstFrameStore *store = gst_frame_store_new (picture->number);
  const GstClockTime duration = GST_BUFFER_DURATION (input->buffer);

  /* the time of a buffer is that of the first picture in it */
  store->pts = gst_h264_input_get_pts (input);
  /* h264parse gives parts of access units none, or 0 */
  store->duration = input->time_used || duration == 0 ? GST_CLOCK_TIME_NONE : duration;
  store->poc[0] = picture->poc[0];
  store->poc[1] = picture->poc[1];
  store->metas = gst_buffer_new ();
  return store;
}

static void
frame_free (GstH264Frame *frame)
{
  gst_frame_store_unref (frame->store);
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&frame->motion_maps[i], h264_motion_map_unref);
  g_free (frame);
}

void
gst_h264_frames_init (GstH264Frames *frames)
{
  frames->dpb = h264_dpb_new ();
  frames->motion_maps = h264_motion_map_pool_new ();
  frames->by_number = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) frame_free);
  frames->discont_number = H264_NO_FRAME;
}

void
gst_h264_frames_clear (GstH264Frames *frames)
{
  g_clear_pointer (&frames->by_number, g_hash_table_unref);
  g_clear_pointer (&frames->motion_maps, h264_motion_map_pool_unref);
  g_clear_pointer (&frames->dpb, h264_dpb_free);
}

void
gst_h264_frames_flush (GstH264Frames *frames)
{
  g_hash_table_remove_all (frames->by_number);
  h264_dpb_flush (frames->dpb);
  frames->discont_number = H264_NO_FRAME;
}

gboolean
gst_h264_frames_take_discont (GstH264Frames *frames, guint32 number)
{
  /* frames from before the gap may still come; behind it, one that is decoded later may come first */
  if (frames->discont_number == H264_NO_FRAME || number < frames->discont_number)
    return FALSE;
  frames->discont_number = H264_NO_FRAME;
  return TRUE;
}

GstH264Frame *
gst_h264_frames_find (const GstH264Frames *frames, guint32 number)
{
  return number == H264_NO_FRAME ? NULL : g_hash_table_lookup (frames->by_number, GUINT_TO_POINTER (number));
}

GstH264Frame *
gst_h264_frames_find_first_field (const GstH264Frames *frames, const H264DpbPicture *picture)
{
  return picture->second_field ? gst_h264_frames_find (frames, picture->number) : NULL;
}

static gboolean
is_not_needed (gpointer number, gpointer frame, gpointer user_data)
{
  return !h264_dpb_needs_frame (user_data, GPOINTER_TO_UINT (number));
}

GstH264Frame *
gst_h264_frames_add (GstH264Frames *frames, const H264DpbPicture *picture, GstH264Input *input)
{
  GstH264Frame *frame;

  g_hash_table_foreach_remove (frames->by_number, is_not_needed, frames->dpb);
  if (frames->discont_number == H264_NO_FRAME && (input->discont || (picture->flags & H264_DPB_FRAME_NUM_GAP)))
    frames->discont_number = picture->number;
  input->frame_discont = input->discont;
  input->discont = FALSE;
  frame = g_new0 (GstH264Frame, 1);
  frame->store = frame_store_new (picture, input);
  frame->hidden = input->hidden;
  frame->has_decoding_time = !GST_BUFFER_DTS_IS_VALID (input->buffer) || GST_BUFFER_DTS (input->buffer) == frame->store->pts;
  g_hash_table_insert (frames->by_number, GUINT_TO_POINTER (picture->number), frame);
  return frame;
}

H264MotionMap *
gst_h264_frames_new_motion_map (GstH264Frames *frames, const H264SliceHeader *sh)
{
  const H264Sps *sps = sh->pps->sps;
  H264MotionMap *map = h264_motion_map_new (frames->motion_maps, (gsize) sps->pic_width_in_mbs * sh->PicHeightInMbs,
      (gsize) sps->pic_width_in_mbs * sps->FrameHeightInMbs, sps->separate_colour_plane_flag ? 3 : 1);

  map->structure = h264_slice_structure (sh);
  map->mbaff = sh->MbaffFrameFlag;
  map->width_in_mbs = sps->pic_width_in_mbs;
  return map;
}

void
gst_h264_frames_set_motion_map (GstH264Frame *frame, H264MotionMap *map)
{
  H264MotionMap **place = &frame->motion_maps[map->structure == H264_BOTTOM_FIELD];

  /* a frame whose number came twice, after damage */
  g_clear_pointer (place, h264_motion_map_unref);
  *place = h264_motion_map_ref (map);
}
