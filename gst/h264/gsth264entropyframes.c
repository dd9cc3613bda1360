/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The frames that pictures belong to and refer to, by the numbers that the DPB gives them.
 */
#include "gsth264entropy.h"

/* Metas of the input that tell of the video, not of its coding */
static gboolean
copy_meta (GstBuffer *input, GstMeta **meta, gpointer output)
{
  const GstMetaInfo *info = (*meta)->info;
  GstMetaTransformCopy copy = { FALSE, 0, (gsize) -1 };

  if (info->transform_func != NULL && !gst_meta_api_type_has_tag (info->api, _gst_meta_tag_memory))
    info->transform_func (output, *meta, input, _gst_meta_transform_copy, &copy);
  return TRUE;
}

static GstFrameStore *
frame_store_new (GstH264Entropy *self)
{
  GstFrameStore *store = gst_frame_store_new (self->dpb_picture.number);
  GstBuffer *input = self->input;

  /* the time of a buffer is that of the first picture in it */
  store->pts = self->input_time_used ? GST_CLOCK_TIME_NONE : GST_BUFFER_PTS (input);
  /* h264parse gives parts of access units none, or 0 */
  store->duration = self->input_time_used || GST_BUFFER_DURATION (input) == 0 ? GST_CLOCK_TIME_NONE : GST_BUFFER_DURATION (input);
  store->poc[0] = self->dpb_picture.poc[0];
  store->poc[1] = self->dpb_picture.poc[1];
  if (self->discont || (self->dpb_picture.flags & H264_DPB_FRAME_NUM_GAP))
    store->buffer_flags |= GST_BUFFER_FLAG_DISCONT;
  self->discont = FALSE;
  store->metas = gst_buffer_new ();
  gst_buffer_foreach_meta (input, copy_meta, store->metas);
  return store;
}

void
gst_h264_frame_free (GstH264Frame *frame)
{
  gst_frame_store_unref (frame->store);
  h264_motion_map_unref (frame->motion_map);
  g_free (frame);
}

GstH264Frame *
gst_h264_entropy_find_frame (GstH264Entropy *self, guint32 number)
{
  return number == H264_NO_FRAME ? NULL : g_hash_table_lookup (self->frames, GUINT_TO_POINTER (number));
}

static gboolean
is_not_in_dpb (gpointer number, gpointer frame, gpointer user_data)
{
  const H264Dpb *dpb = user_data;
  guint i;

  for (i = 0; i < dpb->n_frames; i++)
    if (dpb->frames[i].number == GPOINTER_TO_UINT (number))
      return FALSE;
  return TRUE;
}

GstH264Frame *
gst_h264_entropy_begin_frame (GstH264Entropy *self, const H264SliceHeader *sh, const H264PicTiming *timing)
{
  const H264Sps *sps = sh->pps->sps;
  GstH264Frame *frame = self->dpb_picture.second_field ? gst_h264_entropy_find_frame (self, self->dpb_picture.number) : NULL;

  if (frame != NULL)
    return frame;
  g_hash_table_foreach_remove (self->frames, is_not_in_dpb, self->dpb);
  frame = g_new0 (GstH264Frame, 1);
  frame->store = frame_store_new (self);
  frame->motion_map = h264_motion_map_pool_take (self->motion_maps, (gsize) sps->pic_width_in_mbs * sps->FrameHeightInMbs,
      sps->separate_colour_plane_flag ? 3 : 1);
  gst_h264_entropy_set_display (self, frame, timing);
  g_hash_table_insert (self->frames, GUINT_TO_POINTER (self->dpb_picture.number), frame);
  return frame;
}
