/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264sei.h"

/* payloadType (D.1.1) */
enum
{
  RECOVERY_POINT = 6,
  MASTERING_DISPLAY_COLOUR_VOLUME = 137,
  CONTENT_LIGHT_LEVEL_INFO = 144,
};

/* recovery_frame_cnt is below MaxFrameNum, which is 2^16 at most (D.2.8). */
#define MAX_RECOVERY_FRAME_CNT 65535

static void
parse_recovery_point (H264Sei * sei, H264Bits * bits)
{
  const guint32 recovery_frame_cnt = h264_bits_ue_max (bits, MAX_RECOVERY_FRAME_CNT, "recovery_frame_cnt is out of range");
  gboolean broken_link_flag;

  (void) h264_bits_u (bits, 1); /* exact_match_flag */
  broken_link_flag = h264_bits_u (bits, 1);
  (void) h264_bits_u (bits, 2); /* changing_slice_group_idc */
  if (bits->error != NULL)
    return;
  sei->has_recovery_point = TRUE;
  sei->recovery_frame_cnt = recovery_frame_cnt;
  sei->broken_link_flag = broken_link_flag;
}

static void
parse_mastering_display (H264Sei * sei, H264Bits * bits)
{
  for (guint i = 0; i < 6; i++)
    sei->display_primaries[i / 2][i % 2] = (guint16) h264_bits_u (bits, 16);
  sei->white_point[0] = (guint16) h264_bits_u (bits, 16);
  sei->white_point[1] = (guint16) h264_bits_u (bits, 16);
  sei->max_luminance = h264_bits_u (bits, 32);
  sei->min_luminance = h264_bits_u (bits, 32);
  sei->has_mastering_display = bits->error == NULL;
}

static void
parse_content_light (H264Sei * sei, H264Bits * bits)
{
  sei->max_content_light_level = (guint16) h264_bits_u (bits, 16);
  sei->max_pic_average_light_level = (guint16) h264_bits_u (bits, 16);
  sei->has_content_light = bits->error == NULL;
}

/* payloadType or payloadSize: 255 for each ff_byte, and a last byte (7.3.2.3.1); past the end of the data: G_MAXUINT */
static guint
read_number (const H264Rbsp * rbsp, gsize * pos)
{
  guint value = 0;

  while (*pos < rbsp->size && rbsp->data[*pos] == 0xff) {
    /* no unit is so long that this wraps; what lies beyond the data is refused below */
    value += 255;
    *pos += 1;
  }
  return *pos < rbsp->size ? value + rbsp->data[(*pos)++] : G_MAXUINT;
}

static void
parse_message (H264Sei * sei, guint payloadType, const guint8 * payload, guint payloadSize)
{
  H264Bits bits = {.data = payload,.pos = 0,.end = (gsize) payloadSize * 8,.error = NULL };

  switch (payloadType) {
    case RECOVERY_POINT:
      parse_recovery_point (sei, &bits);
      break;
    case MASTERING_DISPLAY_COLOUR_VOLUME:
      parse_mastering_display (sei, &bits);
      break;
    case CONTENT_LIGHT_LEVEL_INFO:
      parse_content_light (sei, &bits);
      break;
    default:
      break;
  }
}

void
h264_sei_parse (H264Sei * sei, const H264Rbsp * rbsp)
{
  gsize pos = 0;

  memset (sei, 0, sizeof (*sei));
  /* the last byte with rbsp_trailing_bits is no message */
  while (pos + 2 < rbsp->size) {
    const guint payloadType = read_number (rbsp, &pos), payloadSize = read_number (rbsp, &pos);

    if (payloadType == G_MAXUINT || payloadSize == G_MAXUINT || payloadSize > rbsp->size - pos)
      return;
    parse_message (sei, payloadType, rbsp->data + pos, payloadSize);
    pos += payloadSize;
  }
}
