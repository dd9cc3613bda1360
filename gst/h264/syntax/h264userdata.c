/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264userdata.h"

/* itu_t_t35_country_code; h264parse of GStreamer takes both */
#define COUNTRY_UK 0xb4
#define COUNTRY_US 0xb5

/* itu_t_t35_provider_code */
#define PROVIDER_DIRECTV 0x002f
#define PROVIDER_ATSC 0x0031

/* user_identifier (A/53 Part 4) */
#define IDENTIFIER_GA94 0x47413934
#define IDENTIFIER_DTG1 0x44544731

/* user_data_type_code */
#define TYPE_CC_DATA 0x03
#define TYPE_BAR_DATA 0x06

/* Bytes that are left of a payload */
typedef struct
{
  const guint8 *data;
  gsize size;
} Reader;

/* Takes @n bytes, 4 at most, as a number.  FALSE where there are not so many. */
static gboolean
read_number (Reader *reader, guint n, guint32 *value)
{
  if (reader->size < n)
    return FALSE;
  *value = 0;
  for (guint i = 0; i < n; i++)
    *value = *value << 8 | reader->data[i];
  reader->data += n;
  reader->size -= n;
  return TRUE;
}

/* cc_data () (A/53 Part 4, CEA-708): process_cc_data_flag is the second bit, cc_count the last five; a reserved byte.  The
 * marker_bits behind the packets are not asked for: there are encoders that leave them out. */
static gboolean
read_captions (Reader *reader, H264UserData *user_data)
{
  guint32 flags, reserved;

  if (!read_number (reader, 1, &flags) || !(flags & 0x40) || !read_number (reader, 1, &reserved))
    return FALSE;
  user_data->kind = H264_USER_DATA_CAPTIONS;
  user_data->cc_data = reader->data;
  user_data->cc_size = 3 * (flags & 31);
  return user_data->cc_size > 0 && user_data->cc_size <= reader->size;
}

/* afd_data (): active_format_flag is the second bit, active_format the last four of the next byte. */
static gboolean
read_afd (Reader *reader, H264UserData *user_data)
{
  /* formats without a meaning */
  static const guint reserved = 1 << 1 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 12;
  guint32 flags, format;

  if (!read_number (reader, 1, &flags) || !(flags & 0x40) || !read_number (reader, 1, &format))
    return FALSE;
  user_data->kind = H264_USER_DATA_AFD;
  user_data->active_format = format & 15;
  return !(reserved & 1u << user_data->active_format);
}

/* bar_data (): flags of the top, bottom, left and right bar, four ones; two ones and 14 bits for each bar that is there.  Bars
 * come in pairs, and one pair only. */
static gboolean
read_bars (Reader *reader, H264UserData *user_data)
{
  guint32 flags, bar;

  if (!read_number (reader, 1, &flags) || (flags != 0xcf && flags != 0x3f))
    return FALSE;
  user_data->kind = H264_USER_DATA_BARS;
  user_data->is_letterbox = flags == 0xcf;
  for (guint i = 0; i < 2; i++) {
    if (!read_number (reader, 2, &bar) || bar >> 14 != 3)
      return FALSE;
    user_data->bars[i] = bar & 0x3fff;
  }
  return TRUE;
}

/* What A/53 Part 4 has behind the provider code, and SCTE 128 alike */
static gboolean
read_atsc (Reader *reader, H264UserData *user_data)
{
  guint32 user_identifier, user_data_type_code;

  if (!read_number (reader, 4, &user_identifier))
    return FALSE;
  if (user_identifier == IDENTIFIER_DTG1)
    return read_afd (reader, user_data);
  if (user_identifier != IDENTIFIER_GA94 || !read_number (reader, 1, &user_data_type_code))
    return FALSE;
  if (user_data_type_code == TYPE_CC_DATA)
    return read_captions (reader, user_data);
  return user_data_type_code == TYPE_BAR_DATA && read_bars (reader, user_data);
}

/* DirecTV has no user_identifier, and a size behind the type, which says nothing that the payload does not. */
static gboolean
read_directv (Reader *reader, H264UserData *user_data)
{
  guint32 user_data_type_code, size;

  if (!read_number (reader, 1, &user_data_type_code) || !read_number (reader, 1, &size))
    return FALSE;
  if (user_data_type_code == TYPE_CC_DATA)
    return read_captions (reader, user_data);
  return user_data_type_code == TYPE_BAR_DATA && read_bars (reader, user_data);
}

gboolean
h264_user_data_read (const guint8 *payload, gsize size, H264UserData *user_data)
{
  Reader reader = { payload, size };
  guint32 country, provider;

  *user_data = (H264UserData){ 0 };
  if (!read_number (&reader, 1, &country) || (country != COUNTRY_US && country != COUNTRY_UK) || !read_number (&reader, 2, &provider))
    return FALSE;
  if (provider == PROVIDER_ATSC)
    return read_atsc (&reader, user_data);
  return provider == PROVIDER_DIRECTV && read_directv (&reader, user_data);
}
