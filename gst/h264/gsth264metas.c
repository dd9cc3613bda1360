/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gsth264metas.h"

#include <gst/video/video-sei.h>
#include <gst/video/video.h>
#include "h264userdata.h"

/* A picture has a handful of messages. */
#define MAX_PENDING 32

/* uuid_iso_iec_11578 */
#define UUID_SIZE 16

void
gst_h264_metas_forget (GstH264Metas *metas)
{
  gst_clear_buffer (&metas->pending);
  metas->n_pending = 0;
  metas->is_behind = FALSE;
}

void
gst_h264_metas_pass_slice (GstH264Metas *metas)
{
  metas->is_behind = TRUE;
}

void
gst_h264_metas_begin_unit (GstH264Metas *metas)
{
  if (metas->is_behind)
    gst_h264_metas_forget (metas);
}

/* Of which field, is known when the picture comes. */
static void
take_registered (GstBuffer *pending, const H264SeiUserData *message)
{
  H264UserData data;

  if (!h264_user_data_read (message->payload, message->size, &data))
    return;
  switch (data.kind) {
    case H264_USER_DATA_CAPTIONS:
      gst_buffer_add_video_caption_meta (pending, GST_VIDEO_CAPTION_TYPE_CEA708_RAW, data.cc_data, data.cc_size);
      break;
    case H264_USER_DATA_AFD:
      gst_buffer_add_video_afd_meta (pending, 0, GST_VIDEO_AFD_SPEC_ATSC_A53, (GstVideoAFDValue) data.active_format);
      break;
    case H264_USER_DATA_BARS:
      gst_buffer_add_video_bar_meta (pending, 0, data.is_letterbox, data.bars[0], data.bars[1]);
      break;
  }
}

static void
take_unregistered (GstBuffer *pending, const H264SeiUserData *message)
{
  guint8 *payload = (guint8 *) message->payload;

  /* the meta cannot be copied where it has no data */
  if (message->size > UUID_SIZE)
    gst_buffer_add_video_sei_user_data_unregistered_meta (pending, payload, payload + UUID_SIZE, message->size - UUID_SIZE);
}

void
gst_h264_metas_take_message (GstH264Metas *metas, const H264Sei *sei)
{
  gst_h264_metas_begin_unit (metas);
  for (guint i = 0; i < sei->n_user_data && metas->n_pending < MAX_PENDING; i++) {
    if (!metas->pending)
      metas->pending = gst_buffer_new ();
    metas->n_pending++;
    if (sei->user_data[i].registered)
      take_registered (metas->pending, &sei->user_data[i]);
    else
      take_unregistered (metas->pending, &sei->user_data[i]);
  }
}

/* Whether SEI messages are made into metas of @api */
static gboolean
is_of_messages (GType api)
{
  return api == GST_VIDEO_CAPTION_META_API_TYPE || api == GST_VIDEO_AFD_META_API_TYPE || api == GST_VIDEO_BAR_META_API_TYPE
      || api == GST_VIDEO_SEI_USER_DATA_UNREGISTERED_META_API_TYPE || api == GST_VIDEO_TIME_CODE_META_API_TYPE;
}

static void
copy_meta (GstBuffer *to, GstBuffer *from, GstMeta *meta)
{
  GstMetaTransformCopy copy = { FALSE, 0, (gsize) -1 };

  if (meta->info->transform_func)
    meta->info->transform_func (to, meta, from, _gst_meta_transform_copy, &copy);
}

/* Metas that tell of the video, not of its coding */
void
gst_h264_metas_copy (GstBuffer *frame, GstBuffer *input, gboolean messages_only)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta (input, &state))) {
    const GType api = meta->info->api;

    if (messages_only ? is_of_messages (api) : !gst_meta_api_type_has_tag (api, _gst_meta_tag_memory))
      copy_meta (frame, input, meta);
  }
}

/* field: 0: of a frame or a first (top) field, 1: of a second (bottom) field */
static void
set_field (GstMeta *meta, guint8 field)
{
  if (meta->info->api == GST_VIDEO_AFD_META_API_TYPE)
    ((GstVideoAFDMeta *) meta)->field = field;
  else if (meta->info->api == GST_VIDEO_BAR_META_API_TYPE)
    ((GstVideoBarMeta *) meta)->field = field;
}

static void
add_pending (GstH264Metas *metas, GstBuffer *frame, GstBuffer *input, guint8 field)
{
  gpointer state = NULL;
  GstMeta *meta;

  while (metas->pending && (meta = gst_buffer_iterate_meta (metas->pending, &state))) {
    if (gst_buffer_get_meta (input, meta->info->api))
      continue;
    set_field (meta, field);
    copy_meta (frame, metas->pending, meta);
  }
}

/* field_count of clock timestamp @i: 0: of a frame, 1: of a top field, 2: of a bottom field (Table D-1) */
static guint
get_field_count (H264PicStruct pic_struct, guint i)
{
  switch (pic_struct) {
    case H264_PIC_STRUCT_TOP_FIELD:
      return 1;
    case H264_PIC_STRUCT_BOTTOM_FIELD:
      return 2;
    case H264_PIC_STRUCT_TOP_BOTTOM:
    case H264_PIC_STRUCT_TOP_BOTTOM_TOP:
      return 1 + i % 2;
    case H264_PIC_STRUCT_BOTTOM_TOP:
    case H264_PIC_STRUCT_BOTTOM_TOP_BOTTOM:
      return 2 - i % 2;
    default:
      return 0;
  }
}

/* GStreamer knows timecodes that drop counts at two frame rates. */
static GstVideoTimeCodeFlags
get_time_code_flags (const H264ClockTimestamp *ts, guint fps_n, guint fps_d)
{
  GstVideoTimeCodeFlags flags = GST_VIDEO_TIME_CODE_FLAGS_NONE;

  if (ts->counting_type == 4 && fps_d == 1001 && (fps_n == 30000 || fps_n == 60000))
    flags |= GST_VIDEO_TIME_CODE_FLAGS_DROP_FRAME;
  if (ts->ct_type == H264_CT_INTERLACED)
    flags |= GST_VIDEO_TIME_CODE_FLAGS_INTERLACED;
  return flags;
}

/* What a timestamp leaves out is as in the one before, in decoding order (D.2.3). */
static void
complete_time_of_day (GstH264Metas *metas, const H264ClockTimestamp *ts)
{
  if (ts->has_seconds)
    metas->seconds = ts->seconds_value;
  if (ts->has_minutes)
    metas->minutes = ts->minutes_value;
  if (ts->has_hours)
    metas->hours = ts->hours_value;
}

/* n_frames counts units of one or two times num_units_in_tick (D.2.3), two of which are a frame (E.2.1).  A count that the frame rate does
 * not have makes no meta. */
static void
add_time_codes (GstH264Metas *metas, GstBuffer *frame, gboolean input_has_some, const H264PicTiming *timing, guint fps_n, guint fps_d)
{
  for (guint i = 0; i < H264_MAX_CLOCK_TIMESTAMPS; i++) {
    const H264ClockTimestamp *ts = &timing->clock_timestamps[i];

    if (!ts->is_there)
      continue;
    complete_time_of_day (metas, ts);
    if (!input_has_some)
      gst_buffer_add_video_time_code_meta_full (frame, fps_n, fps_d, NULL, get_time_code_flags (ts, fps_n, fps_d), metas->hours,
          metas->minutes, metas->seconds, ts->nuit_field_based_flag ? ts->n_frames : ts->n_frames / 2,
          get_field_count (timing->pic_struct, i));
  }
}

void
gst_h264_metas_add (GstH264Metas *metas, GstBuffer *frame, GstBuffer *input, const H264SliceHeader *sh, const H264PicTiming *timing,
    guint fps_n, guint fps_d)
{
  add_pending (metas, frame, input, sh->bottom_field_flag);
  gst_h264_metas_forget (metas);
  add_time_codes (metas, frame, gst_buffer_get_meta (input, GST_VIDEO_TIME_CODE_META_API_TYPE) != NULL, timing, fps_n, fps_d);
}
