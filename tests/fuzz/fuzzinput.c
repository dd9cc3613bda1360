/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fuzzinput.h"

#define HEADER_SIZE 2

/* Bits of the first byte */
#define BIT_TWO_THREADS 0x01
#define BIT_STRICT 0x02
#define BIT_OUTPUT_CORRUPT 0x04
#define FRAMING(byte) ((byte) >> 3 & 3)
#define OUTPUT_DELAY(byte) ((byte) >> 5 & 3)
#define BIT_NO_TIMES 0x80

typedef enum
{
  FRAMING_NAL,   /* start codes, a buffer a NAL unit */
  FRAMING_UNITS, /* start codes, several NAL units a buffer: up to one that begins with the bytes of an access unit delimiter or an SPS */
  FRAMING_AVC,   /* the first bytes are the avcC record; lengths of four bytes */
  FRAMING_AVC3
} Framing;

static void
take_buffer (FuzzInput *input, const guint8 *data, gsize size, gboolean times)
{
  GstBuffer *buffer = gst_buffer_new_memdup (data, size);

  if (times)
    GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = input->buffers->len * GST_SECOND / 25;
  g_ptr_array_add (input->buffers, buffer);
}

static gboolean
is_start_code (const guint8 *data, gsize left)
{
  return left >= 4 && data[0] == 0 && data[1] == 0 && data[2] == 1;
}

static void
cut_at_start_codes (FuzzInput *input, const guint8 *data, gsize size, gboolean units, gboolean times)
{
  gsize begin = 0;

  for (gsize i = 1; i < size; i++) {
    guint type;

    if (!is_start_code (data + i, size - i))
      continue;
    type = data[i + 3] & 31;
    if (units && type != 7 && type != 9 && type != 5)
      continue;
    take_buffer (input, data + begin, i - begin, times);
    begin = i;
  }
  if (begin < size)
    take_buffer (input, data + begin, size - begin, times);
}

/* A buffer up to each slice, and the rest where a length is wrong */
static void
cut_at_lengths (FuzzInput *input, const guint8 *data, gsize size, gboolean times)
{
  gsize begin = 0, i = 0;

  while (i + 4 <= size) {
    gsize length = (gsize) data[i] << 24 | data[i + 1] << 16 | data[i + 2] << 8 | data[i + 3];

    if (length > size - i - 4)
      break;
    i += 4 + length;
    if (length > 0 && (data[i - length] & 31) <= 5) {
      take_buffer (input, data + begin, i - begin, times);
      begin = i;
    }
  }
  if (begin < size)
    take_buffer (input, data + begin, size - begin, times);
}

static GstCaps *
make_caps (Framing framing, const guint8 *record, gsize record_size)
{
  GstCaps *caps;

  if (framing == FRAMING_NAL || framing == FRAMING_UNITS)
    return gst_caps_new_simple ("video/x-h264", "stream-format", G_TYPE_STRING, "byte-stream", "alignment", G_TYPE_STRING,
        framing == FRAMING_NAL ? "nal" : "au", NULL);
  caps = gst_caps_new_simple ("video/x-h264", "stream-format", G_TYPE_STRING, framing == FRAMING_AVC ? "avc" : "avc3", "alignment",
      G_TYPE_STRING, "au", NULL);
  if (record_size > 0) {
    GstBuffer *codec_data = gst_buffer_new_memdup (record, record_size);

    gst_caps_set_simple (caps, "codec_data", GST_TYPE_BUFFER, codec_data, NULL);
    gst_buffer_unref (codec_data);
  }
  return caps;
}

gboolean
fuzz_input_read (FuzzInput *input, const guint8 *data, gsize size)
{
  static const gchar *const delays[] = { "auto", "conforming", "observed", "none" };
  Framing framing;
  gboolean times;
  gsize record_size;

  if (size < HEADER_SIZE)
    return FALSE;
  framing = FRAMING (data[0]);
  times = (data[0] & BIT_NO_TIMES) == 0;
  *input = (FuzzInput){ .buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref),
    .n_threads = data[0] & BIT_TWO_THREADS ? 2 : 1,
    .strict = (data[0] & BIT_STRICT) != 0,
    .output_corrupt = (data[0] & BIT_OUTPUT_CORRUPT) != 0,
    .output_delay = delays[OUTPUT_DELAY (data[0])] };
  /* the second byte: the size of the record, or where a flush comes */
  record_size = framing >= FRAMING_AVC ? MIN (data[1], size - HEADER_SIZE) : 0;
  input->flush_after = framing >= FRAMING_AVC ? 0 : data[1];
  input->caps = make_caps (framing, data + HEADER_SIZE, record_size);
  data += HEADER_SIZE + record_size;
  size -= HEADER_SIZE + record_size;
  if (framing >= FRAMING_AVC)
    cut_at_lengths (input, data, size, times);
  else
    cut_at_start_codes (input, data, size, framing == FRAMING_UNITS, times);
  return TRUE;
}

void
fuzz_input_clear (FuzzInput *input)
{
  gst_clear_caps (&input->caps);
  g_clear_pointer (&input->buffers, g_ptr_array_unref);
}
