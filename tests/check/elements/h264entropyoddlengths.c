/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams whose NAL units stand behind lengths, and their records, as muxers write them.  What is expected was written down before the
 * decoder had seen them, after reports of users of many decoders.
 */
#include <gst/check/gstcheck.h>

#include "h264nal.h"
#include "oddcase.h"

#define ALL_CLEAN "0 40 80 120 160"

static void
begin_with_lengths (OddStream *s, guint length_size)
{
  GByteArray *sps = make_sps (&s->sps), *pps = make_pps (&s->pps);

  s->length_size = length_size;
  s->caps_format = "avc";
  s->codec_data = odd_record (length_size, sps, pps);
  g_byte_array_unref (sps);
  g_byte_array_unref (pps);
}

static void
put_counted_zeros (OddStream *s)
{
  begin_with_lengths (s, 4);
  for (guint i = 0; i < 5; i++) {
    GByteArray *unit = odd_slice_unit (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i });
    const guint size = unit->len;

    g_byte_array_set_size (unit, size + 300);
    memset (unit->data + size, 0, 300);
    odd_unit (s, unit);
    odd_end (s, i * ODD_STEP);
  }
}

static void
put_lengths_of_1 (OddStream *s)
{
  begin_with_lengths (s, 1);
  /* what a byte can count: pictures of one macroblock of samples are too long */
  s->plain = TRUE;
  odd_picture (s, 'D', 0, 0, 0);
  for (guint i = 1; i < 5; i++) {
    odd_slice (s, &(OddSlice){ 'I', i, 2 * i });
    odd_end (s, i * ODD_STEP);
  }
}

static void
put_lengths_of_2 (OddStream *s)
{
  begin_with_lengths (s, 2);
  odd_plain_pictures (s, 0, 5);
}

static void
put_lengths_of_3 (OddStream *s)
{
  begin_with_lengths (s, 3);
  odd_plain_pictures (s, 0, 5);
}

static void
put_sets_in_band (OddStream *s)
{
  s->length_size = 4;
  s->caps_format = "avc3";
  s->codec_data = odd_record (4, NULL, NULL);
  odd_sets (s);
  odd_plain_pictures (s, 0, 5);
}

/* What an OddStream of a byte stream has written so far becomes codec_data. */
static void
take_codec_data (OddStream *s)
{
  s->codec_data = s->unit_data;
  s->unit_data = g_byte_array_new ();
}

static void
put_byte_stream_in_codec_data (OddStream *s)
{
  s->caps_format = "avc";
  odd_sets (s);
  take_codec_data (s);
  odd_plain_pictures (s, 0, 5);
}

static void
put_lengths_under_byte_stream_codec_data (OddStream *s)
{
  s->caps_format = "avc";
  odd_sets (s);
  take_codec_data (s);
  s->length_size = 4;
  odd_plain_pictures (s, 0, 5);
}

static void
put_garbage_in_codec_data (OddStream *s)
{
  static const guint8 garbage[] = { 'R', 'I', 'F', 'F', 0, 0, 1, 0, 40, 0, 0, 0 };

  s->caps_format = "avc";
  odd_raw (s, garbage, sizeof (garbage));
  take_codec_data (s);
  s->length_size = 4;
  odd_sets (s);
  odd_plain_pictures (s, 0, 5);
}

static void
put_byte_stream_under_record (OddStream *s)
{
  begin_with_lengths (s, 4);
  s->length_size = 0;
  odd_plain_pictures (s, 0, 5);
}

static GByteArray *
with_start_code (GByteArray *unit)
{
  g_byte_array_prepend (unit, (const guint8[]){ 0, 0, 0, 1 }, 4);
  return unit;
}

static void
put_start_codes_in_record (OddStream *s)
{
  GByteArray *sps = with_start_code (make_sps (&s->sps)), *pps = with_start_code (make_pps (&s->pps));

  s->length_size = 4;
  s->caps_format = "avc";
  s->codec_data = odd_record (4, sps, pps);
  /* the front has the SPS's bytes */
  memcpy (s->codec_data->data + 1, sps->data + 5, 3);
  g_byte_array_unref (sps);
  g_byte_array_unref (pps);
  odd_plain_pictures (s, 0, 5);
}

/* Two units behind each length */
static void
put_start_codes_behind_lengths (OddStream *s)
{
  begin_with_lengths (s, 4);
  for (guint i = 0; i < 5; i++) {
    GByteArray *bundle = with_start_code (odd_slice_unit (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .n_mbs = 4 }));
    GByteArray *second = with_start_code (odd_slice_unit (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .first_mb = 4 }));

    g_byte_array_append (bundle, second->data, second->len);
    g_byte_array_unref (second);
    odd_unit (s, bundle);
    odd_end (s, i * ODD_STEP);
  }
}

static void
put_junk_in_record (OddStream *s)
{
  static const guint8 junk[] = { 0xab, 0xcd, 0xef, 0x12 };

  begin_with_lengths (s, 4);
  g_byte_array_append (s->codec_data, junk, sizeof (junk));
  odd_plain_pictures (s, 0, 5);
}

/* Number 0 and number 1 of both sets */
static void
put_two_sets_in_record (OddStream *s)
{
  GByteArray *sps[2], *pps[2];

  for (guint i = 0; i < 2; i++) {
    s->sps.id = s->pps.id = s->pps.sps_id = i;
    sps[i] = make_sps (&s->sps);
    pps[i] = make_pps (&s->pps);
  }
  s->length_size = 4;
  s->caps_format = "avc";
  s->codec_data = odd_record (4, sps[0], NULL);
  s->codec_data->data[5] = 0xe2;
  g_byte_array_set_size (s->codec_data, s->codec_data->len - 1);
  g_byte_array_append (s->codec_data, (const guint8[]){ 0, (guint8) sps[1]->len }, 2);
  g_byte_array_append (s->codec_data, sps[1]->data, sps[1]->len);
  g_byte_array_append (s->codec_data, (const guint8[]){ 2 }, 1);
  for (guint i = 0; i < 2; i++) {
    g_byte_array_append (s->codec_data, (const guint8[]){ 0, (guint8) pps[i]->len }, 2);
    g_byte_array_append (s->codec_data, pps[i]->data, pps[i]->len);
    g_byte_array_unref (sps[i]);
    g_byte_array_unref (pps[i]);
  }
  for (guint i = 0; i < 3; i++) {
    s->pps.id = i % 2;
    odd_slice (s, &(OddSlice){ 'D', 0, 0, .idr_pic_id = i });
    odd_end (s, 2 * i * ODD_STEP);
    odd_picture (s, 'P', 1, 2, (2 * i + 1) * ODD_STEP);
  }
}

static void
put_unit_too_long (OddStream *s)
{
  begin_with_lengths (s, 4);
  odd_plain_pictures (s, 0, 4);
  odd_slice (s, &(OddSlice){ 'P', 4, 8 });
  g_byte_array_set_size (s->unit_data, s->unit_data->len - 100);
  odd_end (s, 4 * ODD_STEP);
}

static const OddCase length_cases[] = {
  { "zeros that the lengths count", put_counted_zeros, ALL_CLEAN },
  { "lengths of 1 byte", put_lengths_of_1, ALL_CLEAN },
  { "lengths of 2 bytes", put_lengths_of_2, ALL_CLEAN },
  { "lengths of 3 bytes", put_lengths_of_3, ALL_CLEAN, NULL, ODD_PARSED },
  { "sets in band", put_sets_in_band, ALL_CLEAN },
  { "a byte stream, and codec_data is one", put_byte_stream_in_codec_data, ALL_CLEAN, "byte stream", ODD_PARSED },
  { "codec_data is a byte stream", put_lengths_under_byte_stream_codec_data, ALL_CLEAN, "codec_data", ODD_PARSED },
  { "codec_data is garbage", put_garbage_in_codec_data, ALL_CLEAN, "codec_data", ODD_PARSED },
  { "a byte stream under a record", put_byte_stream_under_record, ALL_CLEAN, "byte stream", ODD_PARSED },
  { "start codes in the record", put_start_codes_in_record, ALL_CLEAN, NULL, ODD_PARSED },
  { "start codes behind lengths", put_start_codes_behind_lengths, ALL_CLEAN, NULL, ODD_NAL | ODD_PARSED },
  { "junk behind the record", put_junk_in_record, ALL_CLEAN },
  { "two sets of each kind in the record", put_two_sets_in_record, "0 40 80 120 160 200" },
  { "the last unit is cut off", put_unit_too_long, "0 40 80 120", "longer" },
};

GST_START_TEST (test_lengths)
{
  odd_case_check (&length_cases[__i__]);
}

GST_END_TEST;

static Suite *
h264entropyoddlengths_suite (void)
{
  Suite *suite = suite_create ("h264entropyoddlengths");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_lengths, 0, G_N_ELEMENTS (length_cases));
  return suite;
}

GST_CHECK_MAIN (h264entropyoddlengths);
