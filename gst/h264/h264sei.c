/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The messages are cut apart here, and the payloads read by GStreamer's codecparsers.  The library would stop at the first bad message of a
 * unit, and takes the last SPS that it has seen for the one that the picture activates.  So it gets each message alone, with an SPS that says
 * what reading this message depends on.
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
    /* no unit is so long that this wraps; what lies beyond the data is refused below */
    value += 255;
    *pos += 1;
  }
  return *pos < rbsp->size ? value + rbsp->data[(*pos)++] : G_MAXUINT;
}

void
h264_sei_read (H264SeiReader *reader, const H264Nal *nal, H264Sei *sei)
{
  const H264Rbsp *rbsp = &reader->rbsp;
  gsize pos = 0;

  memset (sei, 0, sizeof (*sei));
  h264_rbsp_set (&reader->rbsp, nal);
  /* the last byte with rbsp_trailing_bits is no message */
  while (pos + 2 < rbsp->size) {
    const guint payloadType = read_number (rbsp, &pos), payloadSize = read_number (rbsp, &pos);

    if (payloadType == G_MAXUINT || payloadSize == G_MAXUINT || payloadSize > rbsp->size - pos)
      return;
    if (payloadType == GST_H264_SEI_PIC_TIMING) {
      /* waits for its SPS */
      sei->pic_timing_size = MIN (payloadSize, H264_PIC_TIMING_SIZE);
      memcpy (sei->pic_timing, rbsp->data + pos, sei->pic_timing_size);
    } else if (payloadType == GST_H264_SEI_RECOVERY_POINT || payloadType == GST_H264_SEI_MASTERING_DISPLAY_COLOUR_VOLUME
        || payloadType == GST_H264_SEI_CONTENT_LIGHT_LEVEL) {
      take_message (sei, reader, payloadType, rbsp->data + pos, payloadSize);
    }
    pos += payloadSize;
  }
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

/* Two elements of the message are wanted, one for each picture, and both stand before what the library refuses where it is cut off (clock
 * timestamps): they are read from where they are.  The first timestamp that is there tells the type. */
gboolean
h264_sei_read_pic_timing (const H264Sei *sei, const H264Sps *sps, H264PicTiming *timing)
{
  /* NumClockTS (Table D-1) */
  static const guint8 n_clock_timestamps[] = { 1, 1, 1, 2, 2, 3, 3, 2, 3 };
  guint8 payload[H264_PIC_TIMING_SIZE + H264_RBSP_PADDING] = { 0 };
  H264Bits bits = { payload, get_delay_bits (&sps->vui), 8 * sei->pic_timing_size, NULL };
  guint pic_struct, n_flags = 0;

  *timing = (H264PicTiming){ .pic_struct = H264_PIC_STRUCT_FRAME, .ct_type = H264_CT_UNKNOWN };
  if (!sps->vui.pic_struct_present_flag || bits.end < bits.pos + 4)
    return FALSE;
  memcpy (payload, sei->pic_timing, sei->pic_timing_size);
  pic_struct = h264_bits_u (&bits, 4);
  if (pic_struct >= G_N_ELEMENTS (n_clock_timestamps))
    return FALSE;
  timing->has_pic_struct = TRUE;
  timing->pic_struct = (H264PicStruct) pic_struct;
  while (n_flags++ < n_clock_timestamps[pic_struct])
    if (h264_bits_u (&bits, 1)) { /* clock_timestamp_flag */
      const guint ct_type = h264_bits_u (&bits, 2);

      if (!bits.error && ct_type <= H264_CT_INTERLACED)
        timing->ct_type = (H264CtType) ct_type;
      break;
    }
  return TRUE;
}
