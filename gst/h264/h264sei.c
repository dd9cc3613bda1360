/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264sei.h"

/* payloadType (D.1.1) */
enum
{
  PIC_TIMING = 1,
  RECOVERY_POINT = 6,
  MASTERING_DISPLAY_COLOUR_VOLUME = 137,
  CONTENT_LIGHT_LEVEL_INFO = 144,
};

/* recovery_frame_cnt is below MaxFrameNum, which is 2^16 at most (D.2.8). */
#define MAX_RECOVERY_FRAME_CNT 65535

static void
parse_recovery_point (H264Sei *sei, H264Bits *bits)
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
parse_mastering_display (H264Sei *sei, H264Bits *bits)
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
parse_content_light (H264Sei *sei, H264Bits *bits)
{
  sei->max_content_light_level = (guint16) h264_bits_u (bits, 16);
  sei->max_pic_average_light_level = (guint16) h264_bits_u (bits, 16);
  sei->has_content_light = bits->error == NULL;
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

static void
parse_message (H264Sei *sei, guint payloadType, const guint8 *payload, guint payloadSize)
{
  H264Bits bits = {.data = payload,.pos = 0,.end = (gsize) payloadSize * 8,.error = NULL };

  switch (payloadType) {
    case PIC_TIMING:
      sei->pic_timing_size = MIN (payloadSize, H264_PIC_TIMING_SIZE);
      memcpy (sei->pic_timing, payload, sei->pic_timing_size);
      break;
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
h264_sei_parse (H264Sei *sei, const H264Rbsp *rbsp)
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

/* NumClockTS (Table D-1) */
static guint
num_clock_ts (H264PicStruct pic_struct)
{
  static const guint8 n[] = { 1, 1, 1, 2, 2, 3, 3, 2, 3 };

  return n[pic_struct];
}

/* The first clock timestamp that is there tells the type; those behind it are not read. */
static H264CtType
read_ct_type (H264Bits *bits, H264PicStruct pic_struct)
{
  guint n = num_clock_ts (pic_struct), ct_type = H264_CT_UNKNOWN;
  gboolean clock_timestamp_flag = FALSE;

  while (n-- > 0 && !clock_timestamp_flag)
    clock_timestamp_flag = h264_bits_u (bits, 1);
  if (clock_timestamp_flag)
    ct_type = h264_bits_u (bits, 2);
  return ct_type <= H264_CT_INTERLACED ? ct_type : H264_CT_UNKNOWN;
}

gboolean
h264_sei_read_pic_timing (const H264Sei *sei, const H264Sps *sps, H264PicTiming *timing)
{
  H264Bits bits = {.data = sei->pic_timing,.pos = 0,.end = (gsize) sei->pic_timing_size * 8,.error = NULL };
  const H264Vui *vui = &sps->vui;
  guint pic_struct;

  *timing = (H264PicTiming) {.pic_struct = H264_PIC_STRUCT_FRAME,.ct_type = H264_CT_UNKNOWN };
  if (!vui->pic_struct_present_flag)
    return FALSE;
  /* CpbDpbDelaysPresentFlag (D.2.3) */
  if (vui->nal_hrd_parameters_present_flag || vui->vcl_hrd_parameters_present_flag) {
    (void) h264_bits_u (&bits, vui->cpb_removal_delay_length);
    (void) h264_bits_u (&bits, vui->dpb_output_delay_length);
  }
  pic_struct = h264_bits_u (&bits, 4);
  if (bits.error != NULL || pic_struct > H264_PIC_STRUCT_TRIPLING)
    return FALSE;
  timing->pic_struct = pic_struct;
  timing->ct_type = read_ct_type (&bits, pic_struct);
  if (bits.error != NULL)
    timing->ct_type = H264_CT_UNKNOWN;
  return TRUE;
}
