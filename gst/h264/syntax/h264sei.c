/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The messages are cut apart here, and the payloads read by GStreamer's codecparsers.  The library would stop at the first bad message of
 * a unit, and takes the last SPS that it has seen for the one that the picture activates.  So it gets each message alone, with an SPS that
 * says what reading this message depends on.
 */
#include "h264sei.h"

/* Bytes of a payload that matter: mastering_display_colour_volume () has the most */
#define MAX_PAYLOAD_SIZE 24

void
h264_sei_reader_clear (H264SeiReader *reader)
{
  h264_rbsp_clear (&reader->rbsp);
  g_clear_pointer (&reader->parser, gst_h264_nal_parser_free);
}

/* A NAL unit of one SEI message, with emulation prevention bytes (7.4.1).  Gives its size.  It has no rbsp_trailing_bits (), which the
 * library would read where the payload is too short. */
static guint
make_unit (guint8 *unit, guint payloadType, const guint8 *payload, guint payloadSize)
{
  guint size = 0, n_zeros = 0;

  unit[size++] = H264_NAL_SEI;
  unit[size++] = payloadType;
  unit[size++] = payloadSize;
  for (guint i = 0; i < payloadSize; i++) {
    if (n_zeros == 2 && payload[i] <= 3) {
      unit[size++] = 3;
      n_zeros = 0;
    }
    unit[size++] = payload[i];
    n_zeros = payload[i] == 0 ? n_zeros + 1 : 0;
  }
  return size;
}

/* Reads a message that depends on @sps.  FALSE where it is broken. */
static gboolean
read_message (H264SeiReader *reader, GstH264SPS *sps, guint payloadType, const guint8 *payload, guint payloadSize,
    GstH264SEIMessage *message)
{
  guint8 data[3 + 2 * MAX_PAYLOAD_SIZE];
  GstH264NalUnit unit = { .type = GST_H264_NAL_SEI, .data = data, .header_bytes = 1, .valid = TRUE };
  GArray *messages = NULL;
  gboolean is_there;

  if (!reader->parser)
    reader->parser = gst_h264_nal_parser_new ();
  gst_h264_parser_update_sps (reader->parser, sps);
  unit.size = make_unit (data, payloadType, payload, payloadSize);
  (void) gst_h264_parser_parse_sei (reader->parser, &unit, &messages);
  is_there = messages->len > 0;
  if (is_there)
    *message = g_array_index (messages, GstH264SEIMessage, 0);
  g_array_unref (messages);
  return is_there;
}

static void
take_mastering_display (H264Sei *sei, const GstH264MasteringDisplayColourVolume *from)
{
  for (guint i = 0; i < 3; i++) {
    sei->display_primaries[i][0] = from->display_primaries_x[i];
    sei->display_primaries[i][1] = from->display_primaries_y[i];
  }
  sei->white_point[0] = from->white_point_x;
  sei->white_point[1] = from->white_point_y;
  sei->max_luminance = from->max_display_mastering_luminance;
  sei->min_luminance = from->min_display_mastering_luminance;
  sei->has_mastering_display = TRUE;
}

static void
take_message (H264Sei *sei, H264SeiReader *reader, guint payloadType, const guint8 *payload, guint payloadSize)
{
  /* recovery_frame_cnt is below MaxFrameNum, which is 2^16 at most (D.2.8); of which SPS, is not known yet. */
  GstH264SPS sps = { .max_frame_num = 65536, .valid = TRUE };
  GstH264SEIMessage message;

  if (!read_message (reader, &sps, payloadType, payload, MIN (payloadSize, MAX_PAYLOAD_SIZE), &message))
    return;
  switch (message.payloadType) {
    case GST_H264_SEI_RECOVERY_POINT:
      sei->has_recovery_point = TRUE;
      sei->recovery_frame_cnt = message.payload.recovery_point.recovery_frame_cnt;
      sei->broken_link_flag = message.payload.recovery_point.broken_link_flag;
      break;
    case GST_H264_SEI_MASTERING_DISPLAY_COLOUR_VOLUME:
      take_mastering_display (sei, &message.payload.mastering_display_colour_volume);
      break;
    case GST_H264_SEI_CONTENT_LIGHT_LEVEL:
      sei->has_content_light = TRUE;
      sei->max_content_light_level = message.payload.content_light_level.max_content_light_level;
      sei->max_pic_average_light_level = message.payload.content_light_level.max_pic_average_light_level;
      break;
    case GST_H264_SEI_FRAME_PACKING:
      sei->has_frame_packing = TRUE;
      sei->frame_packing = message.payload.frame_packing;
      break;
    case GST_H264_SEI_STEREO_VIDEO_INFO:
      sei->has_stereo_video_info = TRUE;
      sei->stereo_video_info = message.payload.stereo_video_info;
      break;
    default:
      break;
  }
}

static void
take_user_data (H264Sei *sei, gboolean registered, const guint8 *payload, gsize size)
{
  if (sei->n_user_data < H264_SEI_MAX_USER_DATA)
    sei->user_data[sei->n_user_data++] = (H264SeiUserData){ registered, payload, size };
}

/* One message, by its kind; those that are of no use here are passed over. */
static void
read_payload (H264SeiReader *reader, guint payloadType, const guint8 *payload, guint payloadSize, H264Sei *sei)
{
  switch (payloadType) {
    case GST_H264_SEI_PIC_TIMING:
      /* waits for its SPS */
      sei->pic_timing_size = MIN (payloadSize, H264_PIC_TIMING_SIZE);
      memcpy (sei->pic_timing, payload, sei->pic_timing_size);
      break;
    case GST_H264_SEI_REGISTERED_USER_DATA:
    case GST_H264_SEI_USER_DATA_UNREGISTERED:
      take_user_data (sei, payloadType == GST_H264_SEI_REGISTERED_USER_DATA, payload, payloadSize);
      break;
    case GST_H264_SEI_RECOVERY_POINT:
    case GST_H264_SEI_STEREO_VIDEO_INFO:
    case GST_H264_SEI_FRAME_PACKING:
    case GST_H264_SEI_MASTERING_DISPLAY_COLOUR_VOLUME:
    case GST_H264_SEI_CONTENT_LIGHT_LEVEL:
      take_message (sei, reader, payloadType, payload, payloadSize);
      break;
    default:
      break;
  }
}

/* payloadType or payloadSize: 255 for each ff_byte, and a last byte (7.3.2.3.1); past the end of the data: G_MAXUINT */
static guint
read_number (const H264Rbsp *rbsp, gsize *pos)
{
  guint value = 0;

  while (*pos < rbsp->size && rbsp->data[*pos] == 0xff) {
    /* a unit of 16 MiB would let it wrap */
    value = MIN (value + 255, G_MAXUINT / 2);
    *pos += 1;
  }
  return *pos < rbsp->size ? value + rbsp->data[(*pos)++] : G_MAXUINT;
}

gboolean
h264_sei_read (H264SeiReader *reader, const H264Nal *nal, H264Sei *sei)
{
  const H264Rbsp *rbsp = &reader->rbsp;
  gsize pos = 0;

  memset (sei, 0, sizeof (*sei));
  if (!h264_rbsp_set (&reader->rbsp, nal))
    return FALSE;
  /* the last byte with rbsp_trailing_bits is no message */
  while (pos + 2 < rbsp->size) {
    const guint payloadType = read_number (rbsp, &pos), payloadSize = read_number (rbsp, &pos);

    if (payloadType == G_MAXUINT || payloadSize == G_MAXUINT || payloadSize > rbsp->size - pos)
      break;
    read_payload (reader, payloadType, rbsp->data + pos, payloadSize, sei);
    pos += payloadSize;
  }
  return TRUE;
}

/* CpbDpbDelaysPresentFlag and the lengths that come with it (D.2.3) */
static guint
get_delay_bits (const GstH264VUIParams *vui)
{
  const GstH264HRDParams *hrd = vui->nal_hrd_parameters_present_flag ? &vui->nal_hrd_parameters : &vui->vcl_hrd_parameters;

  if (!vui->nal_hrd_parameters_present_flag && !vui->vcl_hrd_parameters_present_flag)
    return 0;
  return hrd->cpb_removal_delay_length_minus1 + 1 + hrd->dpb_output_delay_length_minus1 + 1;
}

/* Seconds, minutes and hours of a clock timestamp, from the full ones to none.  FALSE where one is out of its range. */
static gboolean
read_time_of_day (H264Bits *bits, gboolean full_timestamp_flag, H264ClockTimestamp *ts)
{
  if (full_timestamp_flag || h264_bits_u (bits, 1)) { /* seconds_flag */
    ts->has_seconds = TRUE;
    ts->seconds_value = h264_bits_u (bits, 6);
    if (full_timestamp_flag || h264_bits_u (bits, 1)) { /* minutes_flag */
      ts->has_minutes = TRUE;
      ts->minutes_value = h264_bits_u (bits, 6);
      if (full_timestamp_flag || h264_bits_u (bits, 1)) { /* hours_flag */
        ts->has_hours = TRUE;
        ts->hours_value = h264_bits_u (bits, 5);
      }
    }
  }
  return ts->seconds_value < 60 && ts->minutes_value < 60 && ts->hours_value < 24;
}

/* What follows clock_timestamp_flag.  FALSE where it is cut off or out of range. */
static gboolean
read_clock_timestamp (H264Bits *bits, guint time_offset_length, H264ClockTimestamp *ts)
{
  gboolean full_timestamp_flag, good;

  ts->ct_type = h264_bits_u (bits, 2);
  if (bits->error)
    ts->ct_type = H264_CT_UNKNOWN;
  ts->nuit_field_based_flag = h264_bits_u (bits, 1);
  ts->counting_type = h264_bits_u (bits, 5);
  full_timestamp_flag = h264_bits_u (bits, 1);
  (void) h264_bits_u (bits, 2); /* discontinuity_flag, cnt_dropped_flag */
  ts->n_frames = h264_bits_u (bits, 8);
  good = read_time_of_day (bits, full_timestamp_flag, ts);
  (void) h264_bits_u (bits, time_offset_length);
  return good && !bits->error;
}

/* Table E-2: 24 where no HRD says it (E.2.2) */
static guint
get_time_offset_length (const GstH264VUIParams *vui)
{
  if (vui->nal_hrd_parameters_present_flag)
    return vui->nal_hrd_parameters.time_offset_length;
  return vui->vcl_hrd_parameters_present_flag ? vui->vcl_hrd_parameters.time_offset_length : 24;
}

/* The first clock timestamp that is there tells how the picture was taken, even where it is cut off behind that. */
static void
read_clock_timestamps (H264Bits *bits, const GstH264VUIParams *vui, guint NumClockTS, H264PicTiming *timing)
{
  gboolean is_first = TRUE;

  for (guint i = 0; i < NumClockTS && !bits->error; i++) {
    H264ClockTimestamp *ts = &timing->clock_timestamps[i];

    if (!h264_bits_u (bits, 1)) /* clock_timestamp_flag */
      continue;
    ts->is_there = read_clock_timestamp (bits, get_time_offset_length (vui), ts);
    if (is_first)
      timing->ct_type = (H264CtType) MIN (ts->ct_type, H264_CT_UNKNOWN);
    is_first = FALSE;
  }
}

/* Read here, though the library could: it refuses the message where its clock timestamps are cut off, and what every picture needs stands
 * before them. */
gboolean
h264_sei_read_pic_timing (const H264Sei *sei, const H264Sps *sps, H264PicTiming *timing)
{
  /* Table D-1 */
  static const guint8 NumClockTS[] = { 1, 1, 1, 2, 2, 3, 3, 2, 3 };
  guint8 payload[H264_PIC_TIMING_SIZE + H264_RBSP_PADDING] = { 0 };
  H264Bits bits = { payload, get_delay_bits (&sps->vui), 8 * sei->pic_timing_size, NULL };
  guint pic_struct;

  *timing = (H264PicTiming){ .pic_struct = H264_PIC_STRUCT_FRAME, .ct_type = H264_CT_UNKNOWN };
  if (!sps->vui.pic_struct_present_flag || bits.end < bits.pos + 4)
    return FALSE;
  memcpy (payload, sei->pic_timing, sei->pic_timing_size);
  pic_struct = h264_bits_u (&bits, 4);
  if (pic_struct >= G_N_ELEMENTS (NumClockTS))
    return FALSE;
  timing->has_pic_struct = TRUE;
  timing->pic_struct = (H264PicStruct) pic_struct;
  read_clock_timestamps (&bits, &sps->vui, NumClockTS[pic_struct], timing);
  return TRUE;
}
