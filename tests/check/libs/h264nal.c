/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The bit reader and the NAL units, on bytes written down here
 */
#include <gst/check/gstcheck.h>
#include "h264nal.h"
#include "h264writer.h"

/* A padded copy of @size bytes */
static void
read_bytes (H264Bits *bits, guint8 *padded, const guint8 *bytes, gsize size)
{
  memset (padded, 0, size + H264_RBSP_PADDING);
  memcpy (padded, bytes, size);
  h264_bits_init (bits, padded, size);
}

GST_START_TEST (test_bits)
{
  /* 101 | 1 | 010 | 011 | 00100 | 00101 | 0001000 | stop bit 1 0000 */
  const guint8 bytes[] = { 0xb4, 0xc8, 0x51, 0x10, 0x00, 0x00 };
  guint8 padded[sizeof (bytes) + H264_RBSP_PADDING];
  H264Bits bits;

  read_bytes (&bits, padded, bytes, sizeof (bytes));
  fail_unless_equals_int (bits.end, 27);
  fail_unless_equals_int (h264_bits_u (&bits, 3), 5);
  fail_unless_equals_int (h264_bits_ue (&bits), 0);
  fail_unless_equals_int (h264_bits_ue (&bits), 1);
  fail_unless_equals_int (h264_bits_se (&bits), -1);
  fail_unless_equals_int (h264_bits_se (&bits), 2);
  fail_unless_equals_int (h264_bits_ue (&bits), 4);
  fail_unless (h264_bits_more_rbsp_data (&bits));
  fail_unless_equals_int (h264_bits_ue (&bits), 7);
  fail_unless_equals_int (bits.pos, 27);
  fail_if (h264_bits_more_rbsp_data (&bits));
  fail_unless (!bits.error);
  fail_unless_equals_int (h264_bits_u (&bits, 1), 0);
  fail_unless (bits.error != NULL);
  fail_unless_equals_int (bits.pos, 27);
}

GST_END_TEST;

GST_START_TEST (test_bits_extremes)
{
  const guint32 values[] = { 0, 1, 2, 6, 7, 254, 255, 65534, 65535, 0x7ffffffe, 0x7fffffff, 0xfffffffe };
  guint8 padded[256 + H264_RBSP_PADDING];

  /* at every position in a byte */
  for (guint shift = 0; shift < 8; shift++) {
    BitWriter w;
    H264Bits bits;

    bit_writer_init (&w);
    put_u (&w, shift, 0);
    for (guint i = 0; i < G_N_ELEMENTS (values); i++)
      put_ue (&w, values[i]);
    put_se (&w, G_MAXINT32);
    put_se (&w, -G_MAXINT32);
    put_u (&w, 32, 0xdeadbeef);
    put_u (&w, 1, 1);
    read_bytes (&bits, padded, w.bytes->data, w.bytes->len);
    (void) h264_bits_u (&bits, shift);
    for (guint i = 0; i < G_N_ELEMENTS (values); i++)
      fail_unless_equals_uint64 (h264_bits_ue (&bits), values[i]);
    fail_unless_equals_int (h264_bits_se (&bits), G_MAXINT32);
    fail_unless_equals_int (h264_bits_se (&bits), -G_MAXINT32);
    fail_unless_equals_uint64 (h264_bits_u (&bits, 32), 0xdeadbeef);
    fail_unless (!bits.error);
    fail_if (h264_bits_more_rbsp_data (&bits));
    g_byte_array_unref (w.bytes);
  }
}

GST_END_TEST;

GST_START_TEST (test_bits_errors)
{
  const guint8 no_stop_bit[] = { 0, 0, 0 };
  const guint8 endless_code[] = { 0, 0, 0, 0, 0x80, 0x00, 0x00, 0x00, 0x01 };
  guint8 padded[16 + H264_RBSP_PADDING];
  H264Bits bits;

  read_bytes (&bits, padded, no_stop_bit, sizeof (no_stop_bit));
  fail_unless (bits.error != NULL);
  fail_unless_equals_int (h264_bits_ue (&bits), 0);
  read_bytes (&bits, padded, endless_code, sizeof (endless_code));
  fail_unless_equals_int (h264_bits_ue (&bits), 0);
  fail_unless (strstr (bits.error, "longer") != NULL);
  /* a value above the maximum; the first error stays */
  read_bytes (&bits, padded, (const guint8[]){ 0x2c }, 1); /* 00101 | 1, stop bit */
  fail_unless_equals_int (h264_bits_ue_max (&bits, 3, "first"), 0);
  fail_unless_equals_int (h264_bits_ue_max (&bits, 3, "second"), 0);
  fail_unless_equals_string (bits.error, "first");
}

GST_END_TEST;

GST_START_TEST (test_byte_stream)
{
  /* junk, a long start code, SPS, zeros, a short start code, an empty unit, slice, AUD at the very end */
  const guint8 bytes[] = { 0x55, 0, 0, 0, 1, 0x67, 0xaa, 0x80, 0, 0, 0, 0, 1, 0, 0, 1, 0x41, 0, 0, 3, 1, 0x80, 0, 0, 1, 0x09 };
  H264NalReader reader;
  H264Nal nal;
  const gchar *error = NULL;

  h264_nal_reader_init (&reader, bytes, sizeof (bytes), 0);
  fail_unless_equals_int (h264_nal_reader_next (&reader, &nal, &error), H264_NAL_FOUND);
  fail_unless_equals_int (nal.nal_unit_type, 7);
  fail_unless_equals_int (nal.nal_ref_idc, 3);
  fail_unless_equals_int (nal.size, 3);
  fail_unless_equals_int (h264_nal_reader_next (&reader, &nal, &error), H264_NAL_FOUND);
  fail_unless_equals_int (nal.nal_unit_type, 1);
  fail_unless_equals_int (nal.nal_ref_idc, 2);
  fail_unless_equals_int (nal.size, 6);
  fail_unless_equals_int (h264_nal_reader_next (&reader, &nal, &error), H264_NAL_FOUND);
  fail_unless_equals_int (nal.nal_unit_type, 9);
  fail_unless_equals_int (nal.size, 1);
  fail_unless_equals_int (h264_nal_reader_next (&reader, &nal, &error), H264_NAL_END);
  h264_nal_reader_init (&reader, bytes, 2, 0);
  fail_unless_equals_int (h264_nal_reader_next (&reader, &nal, &error), H264_NAL_END);
}

GST_END_TEST;

/* What the data itself says of its framing */
GST_START_TEST (test_framing)
{
  const guint8 lengths[] = { 0, 0, 0, 2, 0x67, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0x68 }, start_codes[] = { 0, 0, 0, 1, 0x67, 1, 0, 0, 1, 0x68 };

  fail_unless (h264_nal_fits_lengths (lengths, sizeof (lengths), 4));
  fail_if (h264_nal_has_start_code (lengths, sizeof (lengths)));
  fail_if (h264_nal_fits_lengths (lengths, sizeof (lengths) - 1, 4));
  fail_if (h264_nal_fits_lengths (lengths, 0, 4));
  fail_if (h264_nal_fits_lengths (start_codes, sizeof (start_codes), 4));
  fail_unless (h264_nal_has_start_code (start_codes, sizeof (start_codes)));
  fail_unless (h264_nal_has_start_code (start_codes + 6, 4));
  fail_if (h264_nal_has_start_code (start_codes, 3));
}

GST_END_TEST;

GST_START_TEST (test_length_prefixed)
{
  const guint8 bytes[] = { 0, 3, 0x65, 1, 2, 0, 0, 0, 2, 0x06, 0x80, 0, 9, 0x41 };
  H264NalReader reader;
  H264Nal nal;
  const gchar *error = NULL;

  h264_nal_reader_init (&reader, bytes, sizeof (bytes), 2);
  fail_unless_equals_int (h264_nal_reader_next (&reader, &nal, &error), H264_NAL_FOUND);
  fail_unless_equals_int (nal.nal_unit_type, 5);
  fail_unless_equals_int (nal.size, 3);
  fail_unless_equals_int (h264_nal_reader_next (&reader, &nal, &error), H264_NAL_FOUND);
  fail_unless_equals_int (nal.nal_unit_type, 6);
  /* longer than what is there */
  fail_unless_equals_int (h264_nal_reader_next (&reader, &nal, &error), H264_NAL_BROKEN);
  fail_unless (strstr (error, "longer") != NULL);
  fail_unless_equals_int (h264_nal_reader_next (&reader, &nal, &error), H264_NAL_END);
}

GST_END_TEST;

GST_START_TEST (test_header)
{
  const guint8 forbidden[] = { 0xe7, 0x80 }, prefix[] = { 0x6e, 0x40, 0x80, 0x1f, 0x80 }, depth[] = { 0x75, 0x80, 0x01, 0x80 };
  H264Nal nal;
  const gchar *error = NULL;

  fail_if (h264_nal_init (&nal, forbidden, sizeof (forbidden), &error));
  fail_unless (h264_nal_init (&nal, prefix, sizeof (prefix), &error));
  fail_unless_equals_int (nal.header_bytes, 4);
  fail_if (h264_nal_init (&nal, prefix, 3, &error));
  fail_unless (h264_nal_init (&nal, depth, sizeof (depth), &error));
  fail_unless_equals_int (nal.header_bytes, 3);
}

GST_END_TEST;

static void
check_unescape (const guint8 *unit, gsize size, const guint8 *expected, gsize expected_size, gboolean illegal)
{
  const guint8 zeros[H264_RBSP_PADDING] = { 0 };
  H264Rbsp rbsp = { 0 };
  H264Nal nal;
  const gchar *error = NULL;

  fail_unless (h264_nal_init (&nal, unit, size, &error));
  h264_rbsp_set (&rbsp, &nal);
  fail_unless_equals_int (rbsp.size, expected_size);
  fail_unless (memcmp (rbsp.data, expected, expected_size) == 0);
  fail_unless_equals_int (rbsp.illegal_sequence, illegal);
  fail_unless (memcmp (rbsp.data + rbsp.size, zeros, H264_RBSP_PADDING) == 0);
  h264_rbsp_clear (&rbsp);
}

GST_START_TEST (test_unescape)
{
  check_unescape ((const guint8[]){ 0x65, 0, 0, 3, 0, 0, 3, 1, 5 }, 9, (const guint8[]){ 0, 0, 0, 0, 1, 5 }, 6, FALSE);
  /* cabac_zero_words end with an emulation prevention byte */
  check_unescape ((const guint8[]){ 0x65, 0x80, 0, 0, 3, 0, 0, 3 }, 8, (const guint8[]){ 0x80, 0, 0, 0, 0 }, 5, FALSE);
  check_unescape ((const guint8[]){ 0x65, 0, 0, 4, 0x80 }, 5, (const guint8[]){ 0, 0, 4, 0x80 }, 4, FALSE);
  /* sequences that cannot be */
  check_unescape ((const guint8[]){ 0x65, 0, 0, 3, 9, 0x80 }, 6, (const guint8[]){ 0, 0, 9, 0x80 }, 4, TRUE);
  check_unescape ((const guint8[]){ 0x65, 0, 0, 2, 0x80 }, 5, (const guint8[]){ 0, 0, 2, 0x80 }, 4, TRUE);
  check_unescape ((const guint8[]){ 0x65 }, 1, (const guint8[]){ 0 }, 0, FALSE);
}

GST_END_TEST;

/* Random bytes with many zeros, of every length about the vectors' size: what the writer escapes comes back. */
GST_START_TEST (test_unescape_round_trip)
{
  GRand *rand = g_rand_new_with_seed (264);

  for (guint run = 0; run < 4000; run++) {
    guint n = g_rand_int_range (rand, 1, 80), zeros = g_rand_int_range (rand, 1, 10);
    GByteArray *unit, *original;
    BitWriter w;

    bit_writer_init (&w);
    for (guint i = 0; i < n; i++)
      put_u (&w, 8, (guint) g_rand_int_range (rand, 0, 10) < zeros ? 0 : g_rand_int_range (rand, 0, run % 2 ? 5 : 256));
    original = g_byte_array_new ();
    g_byte_array_append (original, w.bytes->data, n);
    g_byte_array_append (original, (const guint8[]){ 0x80 }, 1);
    unit = bit_writer_to_nal (&w, 3, H264_NAL_IDR_SLICE);
    check_unescape (unit->data, unit->len, original->data, original->len, FALSE);
    g_byte_array_unref (unit);
    g_byte_array_unref (original);
  }
  g_rand_free (rand);
}

GST_END_TEST;

static Suite *
h264nal_suite (void)
{
  Suite *s = suite_create ("h264nal");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_bits);
  tcase_add_test (tc, test_bits_extremes);
  tcase_add_test (tc, test_bits_errors);
  tcase_add_test (tc, test_byte_stream);
  tcase_add_test (tc, test_framing);
  tcase_add_test (tc, test_length_prefixed);
  tcase_add_test (tc, test_header);
  tcase_add_test (tc, test_unescape);
  tcase_add_test (tc, test_unescape_round_trip);
  return s;
}

GST_CHECK_MAIN (h264nal);
