/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Registered user data of SEI messages (D.1.6, Rec. ITU-T T.35), as broadcasters use them: closed captions, active format, bars (ATSC A/53
 * Part 4, SCTE 128, and DirecTV's form of captions).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * H264UserDataKind:
 * @H264_USER_DATA_CAPTIONS: cc_data_pkt () of CEA-708, three bytes each, CEA-608 among them
 * @H264_USER_DATA_AFD: active_format of afd_data ()
 * @H264_USER_DATA_BARS: bar_data ()
 */
typedef enum
{
  H264_USER_DATA_CAPTIONS,
  H264_USER_DATA_AFD,
  H264_USER_DATA_BARS,
} H264UserDataKind;

/**
 * H264UserData:
 * @kind: which of the following members count
 * @cc_data: the captions, bytes of the payload
 * @cc_size: of these, 3 to 93
 * @active_format: 0 to 15, none that A/53 reserves
 * @is_letterbox: bars are above and below the picture, else left and right of it
 * @bars: last line of the upper bar and first line of the lower one; or last sample of the left one and first sample of the right one; 14
 *   bits
 */
typedef struct
{
  H264UserDataKind kind;
  const guint8 *cc_data;
  gsize cc_size;
  guint active_format;
  gboolean is_letterbox;
  guint bars[2];
} H264UserData;

/* Reads the payload of user_data_registered_itu_t_t35 (), @size bytes from itu_t_t35_country_code on.  FALSE where it is of another kind,
 * or cut off or damaged. */
gboolean h264_user_data_read (const guint8 *payload, gsize size, H264UserData *user_data);

G_END_DECLS
