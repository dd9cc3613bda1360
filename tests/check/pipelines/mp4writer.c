/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "mp4writer.h"

#include "bigendian.h"

#define TIMESCALE 90000

/* Of composition times: no sample is shown before it is decoded, with up to so many B pictures in a row */
#define REORDER 4

static void
put_u8 (GByteArray *file, guint8 value)
{
  g_byte_array_append (file, &value, 1);
}

static void
put_u16 (GByteArray *file, guint16 value)
{
  const guint16 bytes = GUINT16_TO_BE (value);

  g_byte_array_append (file, (const guint8 *) &bytes, 2);
}

static void
put_u32 (GByteArray *file, guint32 value)
{
  const guint32 bytes = GUINT32_TO_BE (value);

  g_byte_array_append (file, (const guint8 *) &bytes, 4);
}

static void
put_zeros (GByteArray *file, guint n)
{
  for (guint i = 0; i < n; i++)
    put_u8 (file, 0);
}

/* Gives where the box begins, for end_box (). */
static guint
begin_box (GByteArray *file, const gchar *type)
{
  const guint begin = file->len;

  put_u32 (file, 0);
  g_byte_array_append (file, (const guint8 *) type, 4);
  return begin;
}

/* With version 0 */
static guint
begin_full_box (GByteArray *file, const gchar *type, guint32 flags)
{
  const guint begin = begin_box (file, type);

  put_u32 (file, flags);
  return begin;
}

static void
end_box (GByteArray *file, guint begin)
{
  write_u32be (file->data + begin, file->len - begin);
}

static void
put_matrix (GByteArray *file)
{
  static const guint32 matrix[] = { 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000 };

  for (guint i = 0; i < G_N_ELEMENTS (matrix); i++)
    put_u32 (file, matrix[i]);
}

static void
get_size (const Mp4Part *part, gint *width, gint *height)
{
  const GstStructure *s = gst_caps_get_structure (part->caps, 0);

  gst_structure_get_int (s, "width", width);
  gst_structure_get_int (s, "height", height);
}

static void
put_buffer (GByteArray *file, GstBuffer *buffer)
{
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  g_byte_array_append (file, map.data, (guint) map.size);
  gst_buffer_unmap (buffer, &map);
}

/* AVCSampleEntry, with codec_data as its avcC box */
static void
put_description (GByteArray *file, const Mp4Part *part)
{
  const guint begin = begin_box (file, "avc1");
  gint width = 0, height = 0;
  guint avcc;

  get_size (part, &width, &height);
  put_zeros (file, 6);
  put_u16 (file, 1); /* data_reference_index */
  put_zeros (file, 16);
  put_u16 (file, (guint16) width);
  put_u16 (file, (guint16) height);
  put_u32 (file, 0x480000);
  put_u32 (file, 0x480000);
  put_u32 (file, 0);
  put_u16 (file, 1); /* frame_count */
  put_zeros (file, 32);
  put_u16 (file, 24);
  put_u16 (file, 0xffff);
  avcc = begin_box (file, "avcC");
  put_buffer (file, gst_value_get_buffer (gst_structure_get_value (gst_caps_get_structure (part->caps, 0), "codec_data")));
  end_box (file, avcc);
  end_box (file, begin);
}

static guint
count_samples (const Mp4Part *parts, guint n_parts)
{
  guint n = 0;

  for (guint i = 0; i < n_parts; i++)
    n += parts[i].samples->len;
  return n;
}

/* Sample @i of its part in output order */
static guint
find_place (const Mp4Part *part, guint i)
{
  const GstClockTime pts = GST_BUFFER_PTS (g_ptr_array_index (part->samples, i));
  guint place = 0;

  for (guint k = 0; k < part->samples->len; k++)
    place += GST_BUFFER_PTS (g_ptr_array_index (part->samples, k)) < pts;
  return place;
}

static void
put_times (GByteArray *file, const Mp4Part *parts, guint n_parts, guint duration)
{
  guint begin = begin_full_box (file, "stts", 0);

  put_u32 (file, 1);
  put_u32 (file, count_samples (parts, n_parts));
  put_u32 (file, duration);
  end_box (file, begin);
  begin = begin_full_box (file, "ctts", 0);
  put_u32 (file, count_samples (parts, n_parts));
  for (guint i = 0; i < n_parts; i++) {
    for (guint k = 0; k < parts[i].samples->len; k++) {
      put_u32 (file, 1);
      put_u32 (file, (find_place (&parts[i], k) + REORDER - k) * duration);
    }
  }
  end_box (file, begin);
}

static void
put_sync_samples (GByteArray *file, const Mp4Part *parts, guint n_parts)
{
  const guint begin = begin_full_box (file, "stss", 0), count = file->len;
  guint n_sync = 0, number = 1;

  put_u32 (file, 0);
  for (guint i = 0; i < n_parts; i++) {
    for (guint k = 0; k < parts[i].samples->len; k++, number++) {
      if (GST_BUFFER_FLAG_IS_SET (g_ptr_array_index (parts[i].samples, k), GST_BUFFER_FLAG_DELTA_UNIT))
        continue;
      put_u32 (file, number);
      n_sync++;
    }
  }
  write_u32be (file->data + count, n_sync);
  end_box (file, begin);
}

static void
put_chunks (GByteArray *file, const Mp4Part *parts, guint n_parts, const guint *offsets)
{
  guint begin = begin_full_box (file, "stsc", 0);

  put_u32 (file, n_parts);
  for (guint i = 0; i < n_parts; i++) {
    put_u32 (file, i + 1); /* first_chunk */
    put_u32 (file, parts[i].samples->len);
    put_u32 (file, i + 1); /* sample_description_index */
  }
  end_box (file, begin);
  begin = begin_full_box (file, "stsz", 0);
  put_u32 (file, 0);
  put_u32 (file, count_samples (parts, n_parts));
  for (guint i = 0; i < n_parts; i++)
    for (guint k = 0; k < parts[i].samples->len; k++)
      put_u32 (file, (guint32) gst_buffer_get_size (g_ptr_array_index (parts[i].samples, k)));
  end_box (file, begin);
  begin = begin_full_box (file, "stco", 0);
  put_u32 (file, n_parts);
  for (guint i = 0; i < n_parts; i++)
    put_u32 (file, offsets[i]);
  end_box (file, begin);
}

static void
put_sample_table (GByteArray *file, const Mp4Part *parts, guint n_parts, const guint *offsets, guint duration)
{
  const guint stbl = begin_box (file, "stbl"), stsd = begin_full_box (file, "stsd", 0);

  put_u32 (file, n_parts);
  for (guint i = 0; i < n_parts; i++)
    put_description (file, &parts[i]);
  end_box (file, stsd);
  put_times (file, parts, n_parts, duration);
  put_sync_samples (file, parts, n_parts);
  put_chunks (file, parts, n_parts, offsets);
  end_box (file, stbl);
}

static void
put_media (GByteArray *file, const Mp4Part *parts, guint n_parts, const guint *offsets, guint duration)
{
  const guint mdia = begin_box (file, "mdia");
  guint begin = begin_full_box (file, "mdhd", 0), minf, dinf, dref;

  put_zeros (file, 8);
  put_u32 (file, TIMESCALE);
  put_u32 (file, count_samples (parts, n_parts) * duration);
  put_u32 (file, 0x55c40000); /* und */
  end_box (file, begin);
  begin = begin_full_box (file, "hdlr", 0);
  put_u32 (file, 0);
  g_byte_array_append (file, (const guint8 *) "vide", 4);
  put_zeros (file, 13);
  end_box (file, begin);
  minf = begin_box (file, "minf");
  begin = begin_full_box (file, "vmhd", 1);
  put_zeros (file, 8);
  end_box (file, begin);
  dinf = begin_box (file, "dinf");
  dref = begin_full_box (file, "dref", 0);
  put_u32 (file, 1);
  end_box (file, begin_full_box (file, "url ", 1));
  end_box (file, dref);
  end_box (file, dinf);
  put_sample_table (file, parts, n_parts, offsets, duration);
  end_box (file, minf);
  end_box (file, mdia);
}

/* The presentation begins with the first picture shown. */
static void
put_edit_list (GByteArray *file, guint length, guint media_time)
{
  const guint edts = begin_box (file, "edts"), elst = begin_full_box (file, "elst", 0);

  put_u32 (file, 1);
  put_u32 (file, length);
  put_u32 (file, media_time);
  put_u32 (file, 0x10000);
  end_box (file, elst);
  end_box (file, edts);
}

static void
put_movie (GByteArray *file, const Mp4Part *parts, guint n_parts, const guint *offsets, guint duration)
{
  const guint moov = begin_box (file, "moov"), length = count_samples (parts, n_parts) * duration;
  guint begin = begin_full_box (file, "mvhd", 0), trak;
  gint width = 0, height = 0;

  get_size (&parts[0], &width, &height);
  put_zeros (file, 8);
  put_u32 (file, TIMESCALE);
  put_u32 (file, length);
  put_u32 (file, 0x10000);
  put_u16 (file, 0x100);
  put_zeros (file, 10);
  put_matrix (file);
  put_zeros (file, 24);
  put_u32 (file, 2); /* next_track_ID */
  end_box (file, begin);
  trak = begin_box (file, "trak");
  begin = begin_full_box (file, "tkhd", 7);
  put_zeros (file, 8);
  put_u32 (file, 1); /* track_ID */
  put_u32 (file, 0);
  put_u32 (file, length);
  put_zeros (file, 16);
  put_matrix (file);
  put_u32 (file, (guint32) width << 16);
  put_u32 (file, (guint32) height << 16);
  end_box (file, begin);
  put_edit_list (file, length, REORDER * duration);
  put_media (file, parts, n_parts, offsets, duration);
  end_box (file, trak);
  end_box (file, moov);
}

GBytes *
mp4_write (const Mp4Part *parts, guint n_parts, GstClockTime duration)
{
  GByteArray *file = g_byte_array_new ();
  guint *offsets = g_new (guint, n_parts), begin = begin_box (file, "ftyp");

  g_byte_array_append (file, (const guint8 *) "isom\0\0\2\0isomavc1", 16);
  end_box (file, begin);
  begin = begin_box (file, "mdat");
  for (guint i = 0; i < n_parts; i++) {
    offsets[i] = file->len;
    for (guint k = 0; k < parts[i].samples->len; k++)
      put_buffer (file, g_ptr_array_index (parts[i].samples, k));
  }
  end_box (file, begin);
  put_movie (file, parts, n_parts, offsets, (guint) gst_util_uint64_scale (duration, TIMESCALE, GST_SECOND));
  g_free (offsets);
  return g_byte_array_free_to_bytes (file);
}
