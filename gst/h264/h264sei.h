/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Supplemental enhancement information (7.3.2.3, Annex D): the few messages that a decoder of pictures has a use for.
 */
#pragma once

#include "h264nal.h"

G_BEGIN_DECLS

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
} H264Sei;

/* Reads the SEI messages of @rbsp.  Messages of other kinds, and those that are cut off or out of range, are left out. */
void h264_sei_parse (H264Sei * sei, const H264Rbsp * rbsp);

G_END_DECLS
