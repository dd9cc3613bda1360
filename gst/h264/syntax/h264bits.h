/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reads syntax elements (7.2, 9.1) from an RBSP, that is a NAL unit whose emulation prevention bytes are gone.
 *
 * Errors are sticky: the first one, an overrun or a value out of its range, stays in `error`; every later read gives 0.  So a parser reads
 * straight on and looks once at the end.  The buffer has H264_RBSP_PADDING zero bytes behind it, so a read loads whole words without
 * looking.
 */
#pragma once

#include <glib.h>
#include <string.h>

#define H264_RBSP_PADDING 256

/**
 * H264Bits:
 * @data: the RBSP, from the byte after the NAL unit header
 * @pos: next bit
 * @end: the rbsp_stop_one_bit: the first bit that is no data
 * @error: (nullable): what went wrong first, a constant text
 */
typedef struct
{
  const guint8 *data;
  gsize pos;
  gsize end;
  const gchar *error;
} H264Bits;

/* @size bytes at @data, with H264_RBSP_PADDING readable bytes behind them.  Finds the stop bit, behind which cabac_zero_words may stand
 * (7.3.2.10). */
static inline void
h264_bits_init (H264Bits *bits, const guint8 *data, gsize size)
{
  while (size > 0 && data[size - 1] == 0)
    size--;
  bits->data = data;
  bits->pos = 0;
  bits->end = size > 0 ? size * 8 - 1 - __builtin_ctz (data[size - 1]) : 0;
  bits->error = size > 0 ? NULL : "no rbsp_stop_one_bit";
}

static inline void
h264_bits_fail (H264Bits *bits, const gchar *error)
{
  if (!bits->error)
    bits->error = error;
  bits->pos = bits->end;
}

/* The next bits, left-justified; at least 57 of them are valid. */
static inline guint64
h264_bits_window (const H264Bits *bits)
{
  guint64 word;

  memcpy (&word, bits->data + (bits->pos >> 3), sizeof (word));
  return GUINT64_FROM_BE (word) << (bits->pos & 7);
}

/* u(n), n from 0 to 32 */
static inline guint32
h264_bits_u (H264Bits *bits, guint n)
{
  guint64 value;

  if (G_UNLIKELY (bits->error || n > bits->end - bits->pos)) {
    h264_bits_fail (bits, "data ends too early");
    return 0;
  }
  value = h264_bits_window (bits) >> 1 >> (63 - n);
  bits->pos += n;
  return (guint32) value;
}

/* ue(v): 0 to 2^32 - 2 (9.1) */
static inline guint32
h264_bits_ue (H264Bits *bits)
{
  guint64 window = h264_bits_window (bits);
  guint leadingZeroBits = window != 0 ? __builtin_clzll (window) : 64;
  guint32 code;

  if (G_UNLIKELY (leadingZeroBits > 31)) {
    h264_bits_fail (bits, bits->end - bits->pos < 32 ? "data ends too early" : "an Exp-Golomb code is longer than any legal value");
    return 0;
  }
  (void) h264_bits_u (bits, leadingZeroBits);
  /* the 1 bit and the suffix together are codeNum + 1; after an error nothing is left of them */
  code = h264_bits_u (bits, leadingZeroBits + 1);
  return code != 0 ? code - 1 : 0;
}

/* se(v) (9.1.1) */
static inline gint32
h264_bits_se (H264Bits *bits)
{
  guint32 codeNum = h264_bits_ue (bits);

  return codeNum & 1 ? (gint32) (codeNum / 2 + 1) : -(gint32) (codeNum / 2);
}

/* ue(v) that must not be above @max */
static inline guint32
h264_bits_ue_max (H264Bits *bits, guint32 max, const gchar *error)
{
  guint32 value = h264_bits_ue (bits);

  if (G_UNLIKELY (value > max)) {
    h264_bits_fail (bits, error);
    return 0;
  }
  return value;
}

/* se(v) that must lie in @min to @max */
static inline gint32
h264_bits_se_range (H264Bits *bits, gint32 min, gint32 max, const gchar *error)
{
  gint32 value = h264_bits_se (bits);

  if (G_UNLIKELY (value < min || value > max)) {
    h264_bits_fail (bits, error);
    return CLAMP (0, min, max);
  }
  return value;
}

/* Reads syntax element @name of the structure @s, range-checked; the error names it. */
#define H264_UE(bits, s, name, max) ((s)->name = h264_bits_ue_max ((bits), (max), #name " is out of range"))

/* more_rbsp_data() (7.2) */
static inline gboolean
h264_bits_more_rbsp_data (const H264Bits *bits)
{
  return !bits->error && bits->pos < bits->end;
}
