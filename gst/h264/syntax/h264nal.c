/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264nal.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The first two zero bytes in a row at or after @p, or @end.  Every start code and every emulation prevention byte follows such a pair, and
 * they are rare, so the rest of a NAL unit is one search and one copy. */
static const guint8 *
find_zero_pair (const guint8 *p, const guint8 *end)
{
#ifdef __SSE2__
  const __m128i zero = _mm_setzero_si128 ();

  for (; end - p > 16; p += 16) {
    __m128i pairs = _mm_or_si128 (_mm_loadu_si128 ((const __m128i *) p), _mm_loadu_si128 ((const __m128i *) (p + 1)));
    guint mask = _mm_movemask_epi8 (_mm_cmpeq_epi8 (pairs, zero));

    if (mask != 0)
      return p + __builtin_ctz (mask);
  }
#endif
  while (end - p > 1 && (p = memchr (p, 0, end - p - 1))) {
    if (p[1] == 0)
      return p;
    p++;
  }
  return end;
}

/* The first start_code_prefix_one_3bytes at or after @p, or @end */
static const guint8 *
find_start_code (const guint8 *p, const guint8 *end)
{
  for (p = find_zero_pair (p, end); end - p > 2; p = find_zero_pair (p + 1, end)) {
    if (p[2] == 1)
      return p;
  }
  return end;
}

/* @length_size: 1, 2, 3 or 4 for length prefixes, 0 for a byte stream.  @data must live as long as the units found. */
void
h264_nal_reader_init (H264NalReader *reader, const guint8 *data, gsize size, guint length_size)
{
  g_return_if_fail (length_size <= 4);
  *reader = (H264NalReader){ .data = data, .size = size, .length_size = length_size };
  if (length_size == 0)
    reader->pos = find_start_code (data, data + size) - data;
}

/* nalUnitHeaderBytes (7.3.1) of the types with an extension: svc_extension_flag, or avc_3d_extension_flag with its shorter header */
static guint
nal_header_bytes (const guint8 *data, gsize size)
{
  guint nal_unit_type = data[0] & 31;

  if (nal_unit_type == H264_NAL_SLICE_EXTENSION_DEPTH)
    return size > 1 && (data[1] & 0x80) ? 3 : 4;
  return nal_unit_type == H264_NAL_PREFIX || nal_unit_type == H264_NAL_SLICE_EXTENSION ? 4 : 1;
}

gboolean
h264_nal_init (H264Nal *nal, const guint8 *data, gsize size, const gchar **error)
{
  while (size > 0 && data[size - 1] == 0)
    size--;
  if (size == 0) {
    *error = "NAL unit is empty";
    return FALSE;
  }
  nal->data = data;
  nal->size = size;
  nal->nal_ref_idc = data[0] >> 5 & 3;
  nal->nal_unit_type = data[0] & 31;
  nal->header_bytes = nal_header_bytes (data, size);
  if (data[0] & 0x80) {
    *error = "forbidden_zero_bit is set";
    return FALSE;
  }
  if (nal->header_bytes > size) {
    *error = "NAL unit header is cut off";
    return FALSE;
  }
  return TRUE;
}

/* Muxers fill up with units of no bytes, or of zeros alone: nothing is lost with them. */
static gboolean
is_padding (const guint8 *data, gsize size)
{
  while (size > 0 && data[size - 1] == 0)
    size--;
  return size == 0;
}

/* The next unit behind a start code, in the first @size bytes */
static H264NalResult
next_in_byte_stream (H264NalReader *reader, gsize size, H264Nal *nal, const gchar **error)
{
  const guint8 *end = reader->data + size, *start, *next;

  do {
    if (size - reader->pos < 3)
      return H264_NAL_END;
    start = reader->data + reader->pos + 3;
    next = find_start_code (start, end);
    reader->pos = next - reader->data;
  } while (is_padding (start, next - start));
  return h264_nal_init (nal, start, next - start, error) ? H264_NAL_FOUND : H264_NAL_BROKEN;
}

static gsize
read_length (const guint8 *p, guint length_size)
{
  gsize length = 0;

  for (guint i = 0; i < length_size; i++)
    length = length << 8 | p[i];
  return length;
}

/* What lies behind the next length that is more than padding.  NULL where there is none: @result says why. */
static const guint8 *
next_payload (H264NalReader *reader, gsize *length, H264NalResult *result, const gchar **error)
{
  const guint8 *p;

  do {
    const gsize left = reader->size - reader->pos;

    *result = left == 0 ? H264_NAL_END : H264_NAL_BROKEN;
    p = reader->data + reader->pos;
    *length = left >= reader->length_size ? read_length (p, reader->length_size) : 0;
    if (left < reader->length_size || *length > left - reader->length_size) {
      reader->pos = reader->size;
      *error = left < reader->length_size ? "length of a NAL unit is cut off" : "NAL unit is longer than its buffer";
      return NULL;
    }
    p += reader->length_size;
    reader->pos += reader->length_size + *length;
  } while (is_padding (p, *length));
  return p;
}

static H264NalResult
next_with_length (H264NalReader *reader, H264Nal *nal, const gchar **error)
{
  H264NalResult result;
  const guint8 *p;
  gsize length;

  for (;;) {
    if (reader->bundle_end > 0 && (result = next_in_byte_stream (reader, reader->bundle_end, nal, error)) != H264_NAL_END)
      return result;
    if (reader->bundle_end > 0)
      reader->pos = reader->bundle_end;
    reader->bundle_end = 0;
    p = next_payload (reader, &length, &result, error);
    if (!p)
      return result;
    if (!h264_nal_has_start_code (p, length))
      return h264_nal_init (nal, p, length, error) ? H264_NAL_FOUND : H264_NAL_BROKEN;
    reader->bundle_end = reader->pos;
    reader->pos = find_start_code (p, p + length) - reader->data;
  }
}

H264NalResult
h264_nal_reader_next (H264NalReader *reader, H264Nal *nal, const gchar **error)
{
  return reader->length_size == 0 ? next_in_byte_stream (reader, reader->size, nal, error) : next_with_length (reader, nal, error);
}

gboolean
h264_nal_fits_lengths (const guint8 *data, gsize size, guint length_size)
{
  gsize pos = 0;

  while (size - pos >= length_size && size > pos) {
    const gsize length = read_length (data + pos, length_size);

    pos += length_size;
    if (length > size - pos)
      return FALSE;
    pos += length;
  }
  return size > 0 && pos == size;
}

gboolean
h264_nal_has_start_code (const guint8 *data, gsize size)
{
  return size >= 4 && data[0] == 0 && data[1] == 0 && (data[2] == 1 || (data[2] == 0 && data[3] == 1));
}

static gboolean
rbsp_reserve (H264Rbsp *rbsp, gsize size)
{
  const gsize capacity = size + size / 2 + H264_RBSP_PADDING;

  if (rbsp->capacity >= size + H264_RBSP_PADDING)
    return TRUE;
  h264_rbsp_clear (rbsp);
  rbsp->data = g_try_malloc (capacity);
  rbsp->capacity = rbsp->data ? capacity : 0;
  return rbsp->data != NULL;
}

gboolean
h264_rbsp_set (H264Rbsp *rbsp, const H264Nal *nal)
{
  const guint8 *p = nal->data + nal->header_bytes, *end = nal->data + nal->size, *pair = p;
  guint8 *out;

  if (!rbsp_reserve (rbsp, end - p))
    return FALSE;
  rbsp->illegal_sequence = FALSE;
  out = rbsp->data;
  while (end - (pair = find_zero_pair (pair, end)) > 2) {
    if (pair[2] != 3) {
      /* 00 00 00 to 00 00 02 shall not occur (7.4.1) */
      rbsp->illegal_sequence |= pair[2] < 3;
      pair++;
      continue;
    }
    /* emulation_prevention_three_byte: the next byte is at most 3, or this is the end of the unit */
    rbsp->illegal_sequence |= end - pair > 3 && pair[3] > 3;
    memcpy (out, p, pair + 2 - p);
    out += pair + 2 - p;
    p = pair = pair + 3;
  }
  memcpy (out, p, end - p);
  out += end - p;
  memset (out, 0, H264_RBSP_PADDING);
  rbsp->size = out - rbsp->data;
  return TRUE;
}

void
h264_rbsp_clear (H264Rbsp *rbsp)
{
  g_free (rbsp->data);
  *rbsp = (H264Rbsp){ 0 };
}
