/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Byte streams whose NAL units are cut, filled up and mixed as senders do it.  What is expected was written down before the decoder had
 * seen them, after reports of users of many decoders.
 */
#include <gst/check/gstcheck.h>

#include "h264nal.h"
#include "oddcase.h"

#define ALL_CLEAN "0 40 80 120 160"

static void
put_long_start_codes (OddStream *s)
{
  for (guint i = 0; i < 5; i++) {
    s->start_code = 3 + i;
    if (i == 0)
      odd_sets (s);
    odd_plain_pictures (s, i, 1);
  }
}

static void
put_zeros (OddStream *s, guint n)
{
  const guint8 zero = 0;

  while (n-- > 0)
    odd_raw (s, &zero, 1);
}

static void
put_trailing_zeros (OddStream *s)
{
  odd_sets (s);
  for (guint i = 0; i < 5; i++) {
    odd_slice (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i });
    put_zeros (s, 2000);
    odd_end (s, i * ODD_STEP);
  }
}

/* Pictures of two slices with @put_between around them and between them */
static void
put_around_slices (OddStream *s, void (*put_between) (OddStream *s))
{
  for (guint i = 0; i < 5; i++) {
    const gchar type = i == 0 ? 'D' : 'P';

    put_between (s);
    if (i == 0)
      odd_sets (s);
    odd_slice (s, &(OddSlice){ type, i, 2 * i, .n_mbs = 5 });
    put_between (s);
    odd_slice (s, &(OddSlice){ type, i, 2 * i, .first_mb = 5 });
    odd_end (s, i * ODD_STEP);
  }
}

static void
put_filler_unit (OddStream *s)
{
  odd_bytes (s, 6, H264_NAL_FILLER_DATA, 0xff, 0xff, 0xff, 0xff, 0x80);
}

static void
put_filler (OddStream *s)
{
  put_around_slices (s, put_filler_unit);
}

/* user_data_unregistered with an identifier and a byte */
static void
put_user_data (OddStream *s)
{
  odd_bytes (s, 21, H264_NAL_SEI, 5, 17, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 'x', 0x80);
}

static void
put_sei_between (OddStream *s)
{
  put_around_slices (s, put_user_data);
}

static void
put_delimiter (OddStream *s)
{
  odd_bytes (s, 2, H264_NAL_AUD, 0xf0);
}

static void
put_delimiters_between (OddStream *s)
{
  put_around_slices (s, put_delimiter);
}

static void
put_delimiters_between_sets (OddStream *s)
{
  put_delimiter (s);
  odd_unit (s, make_sps (&s->sps));
  put_delimiter (s);
  odd_unit (s, make_pps (&s->pps));
  put_delimiter (s);
  odd_plain_pictures (s, 0, 5);
}

static void
put_lone_sets (OddStream *s)
{
  put_delimiter (s);
  odd_sets (s);
  odd_plain_pictures (s, 0, 2);
  put_delimiter (s);
  odd_sets (s);
  odd_end (s, 79);
  for (guint i = 2; i < 5; i++) {
    put_delimiter (s);
    odd_plain_pictures (s, i, 1);
  }
}

static void
put_two_delimiters (OddStream *s)
{
  for (guint i = 0; i < 5; i++) {
    put_delimiter (s);
    odd_bytes (s, 3, H264_NAL_AUD, 0xf0, 0x80);
    if (i == 0)
      odd_sets (s);
    odd_plain_pictures (s, i, 1);
  }
}

static void
put_sei_before_delimiter (OddStream *s)
{
  for (guint i = 0; i < 5; i++) {
    put_user_data (s);
    put_delimiter (s);
    if (i == 0)
      odd_sets (s);
    odd_plain_pictures (s, i, 1);
  }
}

static void
put_unspecified (OddStream *s)
{
  static const guint8 types[] = { 0, 16, 17, 18, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };

  odd_sets (s);
  for (guint i = 0; i < 5; i++) {
    for (guint k = 0; k < sizeof (types); k++)
      odd_bytes (s, 4, types[k] | 0x60, 0x12, 0x34, 0x80);
    odd_slice (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .n_mbs = 5 });
    for (guint k = 0; k < sizeof (types); k++)
      odd_bytes (s, 4, types[k], 0x12, 0x34, 0x80);
    odd_slice (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .first_mb = 5 });
    odd_end (s, i * ODD_STEP);
  }
}

static void
put_nothing_between (OddStream *s)
{
  static const guint8 codes[] = { 0, 0, 0, 1, 0, 0, 1 };

  for (guint i = 0; i < 5; i++) {
    odd_raw (s, codes, sizeof (codes));
    if (i == 0)
      odd_sets (s);
    odd_raw (s, codes, sizeof (codes));
    odd_plain_pictures (s, i, 1);
  }
}

/* The start code inside makes it two units, the second one of type 21. */
static void
put_start_code_in_sei (OddStream *s)
{
  odd_sets (s);
  for (guint i = 0; i < 5; i++) {
    odd_bytes (s, 28, H264_NAL_SEI, 5, 24, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0, 0, 0, 1, 0x15, 0x7f, 0x20, 0x0f, 0x80);
    odd_plain_pictures (s, i, 1);
  }
}

static void
put_garbage_before (OddStream *s)
{
  static const guint8 garbage[] = { 0x12, 0x00, 0x47, 0xff, 0x65, 0x88, 0x00, 0x00, 0x02, 0x41 };

  odd_raw (s, garbage, sizeof (garbage));
  odd_sets (s);
  odd_plain_pictures (s, 0, 5);
}

static void
put_cut_off (OddStream *s)
{
  odd_sets (s);
  odd_plain_pictures (s, 0, 4);
  odd_slice (s, &(OddSlice){ 'P', 4, 8 });
  g_byte_array_set_size (s->unit_data, s->unit_data->len - 100);
  odd_end (s, 4 * ODD_STEP);
}

/* Pictures 1 and 2 are in one buffer: the second has no time of its own. */
static void
put_two_units_in_buffer (OddStream *s)
{
  odd_sets (s);
  odd_plain_pictures (s, 0, 1);
  odd_slice (s, &(OddSlice){ 'P', 1, 2 });
  odd_slice (s, &(OddSlice){ 'P', 2, 4 });
  odd_end (s, 40);
  odd_plain_pictures (s, 3, 2);
}

static void
put_buffer_for_each_slice (OddStream *s)
{
  odd_sets (s);
  for (guint i = 0; i < 5; i++) {
    odd_slice (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .n_mbs = 6 });
    odd_end (s, i * ODD_STEP);
    odd_slice (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .first_mb = 6 });
    odd_end (s, i * ODD_STEP);
  }
}

/* Cut before a slice at macroblock 0, as a parser cuts that looks at no more */
static void
put_slices_twice (OddStream *s)
{
  odd_sets (s);
  for (guint i = 0; i < 5; i++) {
    GByteArray *first = odd_slice_unit (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .n_mbs = 6 });
    GByteArray *second = odd_slice_unit (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .first_mb = 6 });

    odd_unit (s, g_byte_array_ref (first));
    odd_end (s, -1);
    odd_unit (s, first);
    odd_unit (s, g_byte_array_ref (second));
    odd_unit (s, second);
    odd_end (s, -1);
  }
}

static void
put_events_between_slices (OddStream *s)
{
  odd_sets (s);
  for (guint i = 0; i < 5; i++) {
    odd_slice (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .n_mbs = 6 });
    odd_end (s, i * ODD_STEP);
    odd_events (s);
    odd_slice (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .first_mb = 6 });
    odd_end (s, i * ODD_STEP);
  }
}

static void
put_sets_with_time_before (OddStream *s)
{
  odd_unit (s, make_sps (&s->sps));
  odd_end (s, 0);
  odd_unit (s, make_pps (&s->pps));
  odd_end (s, 0);
  odd_plain_pictures (s, 0, 3);
  odd_sets (s);
  odd_end (s, 80);
  odd_slice (s, &(OddSlice){ 'D', 0, 0, .idr_pic_id = 1 });
  odd_end (s, 120);
  odd_picture (s, 'P', 1, 2, 160);
}

static void
put_junk_behind_slices (OddStream *s)
{
  odd_sets (s);
  for (guint i = 0; i < 5; i++) {
    odd_slice (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .junk = 3 });
    odd_end (s, i * ODD_STEP);
  }
}

static const OddCase byte_stream_cases[] = {
  { "more zeros before start codes", put_long_start_codes, ALL_CLEAN },
  { "slices filled up with zeros", put_trailing_zeros, ALL_CLEAN },
  { "filler data", put_filler, ALL_CLEAN },
  { "SEI between the slices of a picture", put_sei_between, ALL_CLEAN },
  { "a delimiter before every slice", put_delimiters_between, ALL_CLEAN },
  { "delimiters between the sets", put_delimiters_between_sets, ALL_CLEAN },
  { "sets as an access unit of their own", put_lone_sets, ALL_CLEAN },
  { "two delimiters, one too long", put_two_delimiters, ALL_CLEAN },
  { "SEI before the delimiter", put_sei_before_delimiter, ALL_CLEAN },
  { "units of types that nobody knows", put_unspecified, ALL_CLEAN },
  { "nothing between start codes", put_nothing_between, ALL_CLEAN, NULL, ODD_PARSED },
  { "a start code in SEI", put_start_code_in_sei, ALL_CLEAN },
  { "garbage before the first start code", put_garbage_before, ALL_CLEAN },
  { "the last slice is cut off", put_cut_off, "0 40 80 120 160!", "damaged" },
  { "two access units in a buffer", put_two_units_in_buffer, ALL_CLEAN, NULL, ODD_NAL },
  { "a buffer for each slice", put_buffer_for_each_slice, ALL_CLEAN },
  { "slices come twice", put_slices_twice, ALL_CLEAN },
  { "events between slices", put_events_between_slices, ALL_CLEAN, NULL, ODD_PARSED },
  { "sets have the time of the picture before", put_sets_with_time_before, ALL_CLEAN },
  { "junk behind slices", put_junk_behind_slices, "0! 40! 80! 120! 160!", "damaged" },
};

GST_START_TEST (test_byte_stream)
{
  odd_case_check (&byte_stream_cases[__i__]);
}

GST_END_TEST;

static Suite *
h264entropyoddunits_suite (void)
{
  Suite *suite = suite_create ("h264entropyoddunits");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_byte_stream, 0, G_N_ELEMENTS (byte_stream_cases));
  return suite;
}

GST_CHECK_MAIN (h264entropyoddunits);
