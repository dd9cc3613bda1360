/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Supplemental enhancement information (7.3.2.3, Annex D): the few messages that a decoder of pictures has a use for.
 */
#pragma once

#include "h264sps.h"

G_BEGIN_DECLS

/**
 * H264SeiReader:
 *
 * What reading SEI messages needs, kept from one NAL unit to the next; zero-initialise it.
 */
typedef struct
{
  H264Rbsp rbsp;
  GstH264NalParser *parser;
} H264SeiReader;

void h264_sei_reader_clear (H264SeiReader *reader);

/* Bytes of pic_timing (): two delays of 32 bits, pic_struct, three clock timestamps of 71 bits at most */
#define H264_PIC_TIMING_SIZE 36

/* Messages of user data that are taken from one NAL unit; more are left out */
#define H264_SEI_MAX_USER_DATA 32

/**
 * H264SeiUserData:
 * @registered: user_data_registered_itu_t_t35 () (D.1.6), else user_data_unregistered () (D.1.7)
 * @payload: the bytes of the message, which are those of the reader until it reads again
 * @size: how many
 */
typedef struct
{
  gboolean registered;
  const guint8 *payload;
  gsize size;
} H264SeiUserData;

/**
 * H264Sei:
 * @has_recovery_point: recovery_point () (D.1.8) is there
 * @recovery_frame_cnt: after so many increments of frame_num output is right
 * @broken_link_flag: pictures may be wrong that come before this one in output order and after it in decoding order
 * @has_mastering_display: mastering_display_colour_volume () (D.1.29) is there
 * @display_primaries: x and y of green, blue and red, in units of 0.00002
 * @white_point: x and y
 * @max_luminance, @min_luminance: in units of 0.0001 candelas per square metre
 * @has_content_light: content_light_level_info () (D.1.31) is there
 * @max_content_light_level, @max_pic_average_light_level: candelas per square metre
 * @has_frame_packing: frame_packing_arrangement () (D.1.26) is there
 * @has_stereo_video_info: stereo_video_info () (D.1.23) is there
 * @n_user_data: messages of user data, in their order
 * @pic_timing_size: bytes of @pic_timing: the payload of pic_timing () (D.1.3), which only the SPS of the picture that follows tells how to
 * read
 *
 * What the messages of one NAL unit say.
 */
typedef struct
{
  gboolean has_recovery_point;
  guint recovery_frame_cnt;
  gboolean broken_link_flag;
  gboolean has_mastering_display;
  guint16 display_primaries[3][2];
  guint16 white_point[2];
  guint32 max_luminance, min_luminance;
  gboolean has_content_light;
  guint16 max_content_light_level, max_pic_average_light_level;
  gboolean has_frame_packing;
  GstH264FramePacking frame_packing;
  gboolean has_stereo_video_info;
  GstH264StereoVideoInfo stereo_video_info;
  guint n_user_data;
  H264SeiUserData user_data[H264_SEI_MAX_USER_DATA];
  guint pic_timing_size;
  guint8 pic_timing[H264_PIC_TIMING_SIZE];
} H264Sei;

/* pic_struct (Table D-1) */
typedef enum
{
  H264_PIC_STRUCT_FRAME = 0,
  H264_PIC_STRUCT_TOP_FIELD,
  H264_PIC_STRUCT_BOTTOM_FIELD,
  H264_PIC_STRUCT_TOP_BOTTOM,
  H264_PIC_STRUCT_BOTTOM_TOP,
  H264_PIC_STRUCT_TOP_BOTTOM_TOP,
  H264_PIC_STRUCT_BOTTOM_TOP_BOTTOM,
  H264_PIC_STRUCT_DOUBLING,
  H264_PIC_STRUCT_TRIPLING,
} H264PicStruct;

/* ct_type (Table D-2) */
typedef enum
{
  H264_CT_PROGRESSIVE = 0,
  H264_CT_INTERLACED = 1,
  H264_CT_UNKNOWN = 2,
} H264CtType;

#define H264_MAX_CLOCK_TIMESTAMPS 3

/**
 * H264ClockTimestamp:
 * @is_there: clock_timestamp_flag
 * @ct_type: 0 to 3 (Table D-2)
 * @nuit_field_based_flag: n_frames counts frames of two units of time, num_units_in_tick is a field
 * @counting_type: 4: the two lowest counts are dropped at most minutes (Table D-3)
 * @n_frames: 0 to 255
 * @has_seconds, @has_minutes, @has_hours: else they are those of the timestamp before
 * @seconds_value, @minutes_value, @hours_value: in their ranges
 *
 * A clock timestamp of pic_timing ().
 */
typedef struct
{
  gboolean is_there;
  guint8 ct_type;
  gboolean nuit_field_based_flag;
  guint8 counting_type;
  guint8 n_frames;
  gboolean has_seconds, has_minutes, has_hours;
  guint8 seconds_value, minutes_value, hours_value;
} H264ClockTimestamp;

/**
 * H264PicTiming:
 * @has_pic_struct: a message says it; else it is that of a frame
 * @pic_struct: how the picture is to be displayed
 * @ct_type: how it was taken: of the first clock timestamp; H264_CT_UNKNOWN where there is none
 * @clock_timestamps: by the place that pic_struct gives them; those that are cut off or out of range are not there
 *
 * What pic_timing () says of the picture that follows it.
 */
typedef struct
{
  gboolean has_pic_struct;
  H264PicStruct pic_struct;
  H264CtType ct_type;
  H264ClockTimestamp clock_timestamps[H264_MAX_CLOCK_TIMESTAMPS];
} H264PicTiming;

/* Reads the SEI messages of @nal, whose user data stay where the reader has them.  Messages of other kinds, and those that are cut off or
 * out of range, are left out.  FALSE: there is no memory for them. */
gboolean h264_sei_read (H264SeiReader *reader, const H264Nal *nal, H264Sei *sei);

/* Reads pic_timing () of @sei for a picture of @sps.  FALSE where there is none, or none with pic_struct, or it is damaged: @timing is then
 * that of a frame. */
gboolean h264_sei_read_pic_timing (const H264Sei *sei, const H264Sps *sps, H264PicTiming *timing);

G_END_DECLS
