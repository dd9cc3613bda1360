/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * h264parse gets no subset SPS, however its data are framed and cut: damaged ones, which it crashes on, come out as units of a reserved
 * type, and all others as they were.
 */
#include <string.h>
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#include "subsetsps.h"

#define RESERVED 18

/* Of a picture of 128x96 */
static const guint8 sps[] = { 0x67, 0x42, 0xc0, 0x0a, 0xdc, 0x21, 0x82, 0x10 };
static const guint8 pps[] = { 0x68, 0xce, 0x3c, 0x80 };
static const guint8 idr[] = { 0x65, 0xb8, 0x41, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc };
/* num_views_minus1 is out of range */
static const guint8 damaged[] = { 0x6f, 0x76, 0x04, 0x1e, 0x4b, 0x0d, 0x31, 0xe0, 0xa0, 0x3d, 0x95, 0x63, 0x5c, 0x7e, 0x95, 0xa2 };

static GstHarness *
open_parser (const gchar *src_caps, const gchar *caps)
{
  GstElement *bin = gst_bin_new (NULL), *parse = gst_element_factory_make ("h264parse", NULL);
  GstHarness *h;

  subset_sps_hide (GST_BIN (bin));
  fail_unless (parse != NULL && gst_bin_add (GST_BIN (bin), parse));
  for (guint i = 0; i < 2; i++) {
    static const gchar *const names[] = { "sink", "src" };
    GstPad *pad = gst_element_get_static_pad (parse, names[i]);

    gst_element_add_pad (bin, gst_ghost_pad_new (names[i], pad));
    gst_object_unref (pad);
  }
  h = gst_harness_new_with_element (bin, "sink", "src");
  gst_harness_set_caps_str (h, src_caps, caps);
  gst_object_unref (bin);
  return h;
}

/* All that came out */
static GByteArray *
take_output (GstHarness *h)
{
  GByteArray *all = g_byte_array_new ();
  GstBuffer *buffer;

  gst_harness_push_event (h, gst_event_new_eos ());
  while ((buffer = gst_harness_try_pull (h))) {
    const gsize size = gst_buffer_get_size (buffer);
    const guint at = all->len;

    g_byte_array_set_size (all, at + (guint) size);
    gst_buffer_extract (buffer, 0, all->data + at, size);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
  return all;
}

/* How often @stream has @unit, with @header in the place of its first byte */
static guint
count (const GByteArray *stream, guint8 header, const guint8 *unit, gsize size)
{
  guint n = 0;

  for (gsize at = 0; at + size <= stream->len; at++)
    n += stream->data[at] == header && memcmp (stream->data + at + 1, unit + 1, size - 1) == 0;
  return n;
}

static void
check_output (GByteArray *output)
{
  fail_unless_equals_int (count (output, 3 << 5 | RESERVED, damaged, sizeof (damaged)), 2);
  fail_unless_equals_int (count (output, damaged[0], damaged, sizeof (damaged)), 0);
  fail_unless_equals_int (count (output, idr[0], idr, sizeof (idr)), 2);
  g_byte_array_unref (output);
}

static void
append_start (GByteArray *stream, const guint8 *unit, gsize size)
{
  static const guint8 start_code[] = { 0, 0, 1 };

  g_byte_array_append (stream, start_code, sizeof (start_code));
  g_byte_array_append (stream, unit, (guint) size);
}

/* In pieces of @piece bytes: every place of a start code comes at the end of one */
GST_START_TEST (test_pieces)
{
  const gsize piece = (gsize) __i__;
  GstHarness *h = open_parser ("video/x-h264,stream-format=byte-stream", "video/x-h264,stream-format=byte-stream,alignment=nal");
  GByteArray *stream = g_byte_array_new ();

  append_start (stream, sps, sizeof (sps));
  append_start (stream, pps, sizeof (pps));
  for (guint i = 0; i < 2; i++) {
    append_start (stream, damaged, sizeof (damaged));
    append_start (stream, idr, sizeof (idr));
  }
  for (gsize at = 0; at < stream->len; at += piece) {
    const gsize size = MIN (piece, stream->len - at);

    fail_unless_equals_int (gst_harness_push (h, gst_buffer_new_memdup (stream->data + at, size)), GST_FLOW_OK);
  }
  g_byte_array_unref (stream);
  check_output (take_output (h));
}
GST_END_TEST

static void
append_length (GByteArray *stream, guint length_size, const guint8 *unit, gsize size)
{
  for (guint i = length_size; i-- > 0;) {
    const guint8 byte = (guint8) (i < 4 ? size >> 8 * i : 0);

    g_byte_array_append (stream, &byte, 1);
  }
  g_byte_array_append (stream, unit, (guint) size);
}

/* Two SPS and two PPS, the second of which are none */
static gchar *
record_caps (guint length_size)
{
  const guint8 head[] = { 1, sps[1], sps[2], sps[3], (guint8) (0xfc | (length_size - 1)), 0xe2 }, two = 2;
  GByteArray *record = g_byte_array_new ();
  GString *caps = g_string_new ("video/x-h264,stream-format=avc,alignment=au,codec_data=(buffer)");

  g_byte_array_append (record, head, sizeof (head));
  append_length (record, 2, sps, sizeof (sps));
  append_length (record, 2, damaged, sizeof (damaged));
  g_byte_array_append (record, &two, 1);
  append_length (record, 2, pps, sizeof (pps));
  append_length (record, 2, damaged, sizeof (damaged));
  for (guint i = 0; i < record->len; i++)
    g_string_append_printf (caps, "%02x", record->data[i]);
  g_byte_array_unref (record);
  return g_string_free (caps, FALSE);
}

/* In the record of the caps, and with lengths */
GST_START_TEST (test_lengths)
{
  static const guint sizes[] = { 1, 2, 4 };
  const guint length_size = sizes[__i__];
  gchar *caps = record_caps (length_size);
  GstHarness *h = open_parser (caps, "video/x-h264,stream-format=byte-stream,alignment=nal");

  for (guint i = 0; i < 2; i++) {
    GByteArray *unit = g_byte_array_new ();
    gsize size;

    append_length (unit, length_size, damaged, sizeof (damaged));
    append_length (unit, length_size, idr, sizeof (idr));
    size = unit->len;
    fail_unless_equals_int (gst_harness_push (h, gst_buffer_new_wrapped (g_byte_array_free (unit, FALSE), size)), GST_FLOW_OK);
  }
  check_output (take_output (h));
  g_free (caps);
}
GST_END_TEST

static Suite *
subsetsps_suite (void)
{
  Suite *s = suite_create ("subsetsps");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_pieces, 1, 40);
  tcase_add_loop_test (tc, test_lengths, 0, 3);
  return s;
}

GST_CHECK_MAIN (subsetsps)
