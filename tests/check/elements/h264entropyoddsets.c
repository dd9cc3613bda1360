/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams with parameter sets that are broken, lie, or come where nobody expects them.  What is expected was written down before the
 * decoder had seen them, after reports of users of many decoders.
 */
#include <gst/check/gstcheck.h>

#include "h264nal.h"
#include "oddcase.h"

#define ALL_CLEAN "0 40 80 120 160"

/* @put_restriction: bitstream_restriction_flag and what follows */
static void
put_vui_of (BitWriter *w, guint reorder, guint buffering)
{
  put_u (w, 4, 0); /* no aspect ratio, overscan, signal type, chroma location */
  put_u (w, 1, 1);
  put_u (w, 32, 1);
  put_u (w, 32, 50);
  put_u (w, 1, 1);
  put_u (w, 3, 0); /* no HRD, no pic_struct */
  put_u (w, 2, 3); /* bitstream_restriction_flag */
  put_ue (w, 0);
  put_ue (w, 0);
  put_ue (w, 10);
  put_ue (w, 10);
  put_ue (w, reorder);
  put_ue (w, buffering);
}

static GByteArray *
with_byte (GByteArray *unit, guint8 byte)
{
  return g_byte_array_append (unit, &byte, 1);
}

static void
put_byte_behind_sps (OddStream *s)
{
  odd_unit (s, with_byte (make_sps (&s->sps), 4));
  odd_unit (s, make_pps (&s->pps));
  odd_plain_pictures (s, 0, 5);
}

static void
put_no_stop_bit (OddStream *s)
{
  GByteArray *sps = make_sps (&s->sps);
  guint8 *last = &sps->data[sps->len - 1];

  *last &= *last - 1;
  fail_unless (*last != 0, "the stop bit has a byte of its own");
  odd_unit (s, sps);
  odd_unit (s, make_pps (&s->pps));
  odd_plain_pictures (s, 0, 5);
}

/* Without emulation_prevention_three_byte */
static GByteArray *
unescape (GByteArray *unit)
{
  GByteArray *plain = g_byte_array_new ();
  guint zeros = 0;

  for (guint i = 0; i < unit->len; i++) {
    if (zeros >= 2 && unit->data[i] == 3) {
      zeros = 0;
      continue;
    }
    zeros = unit->data[i] == 0 ? zeros + 1 : 0;
    g_byte_array_append (plain, &unit->data[i], 1);
  }
  g_byte_array_unref (unit);
  return plain;
}

/* Once more */
static GByteArray *
escape (GByteArray *unit)
{
  GByteArray *escaped = g_byte_array_new ();
  const guint8 three = 3;
  guint zeros = 0;

  for (guint i = 0; i < unit->len; i++) {
    if (zeros >= 2 && unit->data[i] <= 3) {
      g_byte_array_append (escaped, &three, 1);
      zeros = 0;
    }
    zeros = unit->data[i] == 0 ? zeros + 1 : 0;
    g_byte_array_append (escaped, &unit->data[i], 1);
  }
  g_byte_array_unref (unit);
  return escaped;
}

static void
put_record_with (OddStream *s, GByteArray *sps)
{
  GByteArray *pps = make_pps (&s->pps);

  s->length_size = 4;
  s->caps_format = "avc";
  s->codec_data = odd_record (4, sps, pps);
  g_byte_array_unref (sps);
  g_byte_array_unref (pps);
  odd_plain_pictures (s, 0, 5);
}

static void
put_unescaped_sps (OddStream *s)
{
  put_record_with (s, unescape (make_sps (&s->sps)));
}

static void
put_sps_escaped_twice (OddStream *s)
{
  put_record_with (s, escape (make_sps (&s->sps)));
}

static void
put_no_reference_frames (OddStream *s)
{
  s->sps.max_num_ref_frames = 0;
  odd_sets (s);
  odd_plain_pictures (s, 0, 5);
}

static void
put_many_active (OddStream *s)
{
  s->pps.num_ref_idx_minus1[0] = 3;
  odd_sets (s);
  odd_plain_pictures (s, 0, 5);
}

/* Decoding order 0 4 2 1 3, 8 6 5 7: the pictures in the middle are referred to */
static void
put_pyramid (OddStream *s)
{
  static const OddSlice slices[] = { { 'D', 0, 0 }, { 'P', 1, 8 }, { 'B', 2, 4 }, { 'B', 3, 2, TRUE }, { 'B', 3, 6, TRUE }, { 'P', 3, 16 },
    { 'B', 4, 12 }, { 'B', 5, 10, TRUE }, { 'B', 5, 14, TRUE } };

  odd_sets (s);
  for (guint i = 0; i < G_N_ELEMENTS (slices); i++) {
    odd_slice (s, &slices[i]);
    odd_end (s, slices[i].poc / 2 * ODD_STEP);
  }
}

/* Level 1 has room for one frame of this size. */
static void
put_low_level (OddStream *s)
{
  s->plain = TRUE;
  s->sps.level_idc = 10;
  s->sps.put_vui = NULL;
  s->sps.width_in_mbs = 22;
  s->sps.height_in_map_units = 18;
  put_pyramid (s);
}

static void
put_no_level (OddStream *s)
{
  s->sps.level_idc = 0;
  s->sps.put_vui = NULL;
  put_pyramid (s);
}

/* The VUI of an OddStream says that there is no reordering. */
static void
put_no_reordering (OddStream *s)
{
  put_pyramid (s);
  odd_slice (s, &(OddSlice){ 'D', 0, 0, .idr_pic_id = 1 });
  odd_end (s, 360);
  odd_picture (s, 'P', 1, 8, 520);
  odd_picture (s, 'B', 2, 4, 440);
  odd_slice (s, &(OddSlice){ 'B', 3, 2, TRUE });
  odd_end (s, 400);
  odd_slice (s, &(OddSlice){ 'B', 3, 6, TRUE });
  odd_end (s, 480);
}

static void
put_impossible_vui (BitWriter *w)
{
  put_vui_of (w, 4, 1);
}

static void
put_impossible_restriction (OddStream *s)
{
  s->sps.put_vui = put_impossible_vui;
  put_pyramid (s);
}

static void
put_pps_first (OddStream *s)
{
  odd_unit (s, make_pps (&s->pps));
  odd_unit (s, make_sps (&s->sps));
  odd_plain_pictures (s, 0, 5);
}

static void
put_highest_ids (OddStream *s)
{
  s->sps.id = s->pps.sps_id = 31;
  s->pps.id = 255;
  odd_sets (s);
  odd_plain_pictures (s, 0, 5);
}

/* A GOP of two pictures, of SPS and PPS @id */
static void
put_gop (OddStream *s, guint id, guint number)
{
  s->sps.id = s->pps.sps_id = s->pps.id = id;
  s->sps.width_in_mbs = 4 + id;
  odd_slice (s, &(OddSlice){ 'D', 0, 0, .idr_pic_id = number });
  odd_end (s, 2 * number * ODD_STEP);
  odd_picture (s, 'P', 1, 2, (2 * number + 1) * ODD_STEP);
}

static void
put_sets_in_turns (OddStream *s)
{
  for (guint id = 0; id < 2; id++) {
    s->sps.id = s->pps.sps_id = s->pps.id = id;
    s->sps.width_in_mbs = 4 + id;
    odd_sets (s);
  }
  for (guint i = 0; i < 4; i++)
    put_gop (s, i % 2, i);
}

static void
put_increasing_ids (OddStream *s)
{
  for (guint i = 0; i < 3; i++) {
    s->pps.id = 7 * i;
    odd_sets (s);
    odd_slice (s, &(OddSlice){ 'D', 0, 0, .idr_pic_id = i });
    odd_end (s, 2 * i * ODD_STEP);
    odd_picture (s, 'P', 1, 2, (2 * i + 1) * ODD_STEP);
  }
}

/* What slice headers look like depends on it, so the wrong one would show. */
static void
put_pps_changes (OddStream *s)
{
  odd_sets (s);
  odd_plain_pictures (s, 0, 2);
  s->pps.pic_init_qp_minus26 = -5;
  s->pps.bottom_field_pic_order = 1;
  s->pps.num_ref_idx_minus1[0] = 1;
  odd_unit (s, make_pps (&s->pps));
  odd_plain_pictures (s, 2, 3);
}

static void
put_pps_between_slices (OddStream *s)
{
  PpsValues other = s->pps;

  other.id = 3;
  other.pic_init_qp_minus26 = 7;
  odd_sets (s);
  for (guint i = 0; i < 5; i++) {
    odd_slice (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .n_mbs = 7 });
    odd_unit (s, make_pps (&s->pps));
    odd_unit (s, make_pps (&other));
    odd_slice (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .first_mb = 7 });
    odd_end (s, i * ODD_STEP);
  }
}

/* The slices behind it are written as it says. */
static void
put_pps_change_between_slices (OddStream *s)
{
  odd_sets (s);
  for (guint i = 0; i < 3; i++) {
    odd_slice (s, &(OddSlice){ 'D', 0, 0, .n_mbs = 7, .idr_pic_id = i });
    if (i == 1) {
      s->pps.pic_init_qp_minus26 = 7;
      odd_unit (s, make_pps (&s->pps));
    }
    odd_slice (s, &(OddSlice){ 'D', 0, 0, .first_mb = 7, .idr_pic_id = i });
    odd_end (s, i * ODD_STEP);
  }
}

static void
put_sets_before_every_picture (OddStream *s)
{
  for (guint i = 0; i < 5; i++) {
    odd_sets (s);
    odd_plain_pictures (s, i, 1);
  }
}

static void
put_new_size_without_idr (OddStream *s)
{
  odd_sets (s);
  odd_plain_pictures (s, 0, 3);
  s->sps.width_in_mbs = 3;
  s->sps.height_in_map_units = 4;
  odd_sets (s);
  odd_picture (s, 'I', 3, 6, 120);
  odd_picture (s, 'P', 4, 8, 160);
  odd_picture (s, 'P', 5, 10, 200);
}

static void
put_too_much_cropping (OddStream *s)
{
  s->sps.crop[1] = 20;
  s->sps.crop[3] = 40;
  odd_sets (s);
  odd_plain_pictures (s, 0, 5);
}

static void
put_reserved_vui (BitWriter *w)
{
  put_u (w, 1, 1);
  put_u (w, 8, 200); /* aspect_ratio_idc */
  put_u (w, 1, 0);
  put_u (w, 1, 1);
  put_u (w, 3, 7); /* video_format */
  put_u (w, 2, 1);
  put_u (w, 8, 77); /* colour_primaries */
  put_u (w, 8, 78);
  put_u (w, 8, 79);
  put_u (w, 2, 0);
  put_u (w, 3, 0);
  put_u (w, 1, 0);
}

static void
put_reserved_values (OddStream *s)
{
  s->sps.put_vui = put_reserved_vui;
  odd_sets (s);
  odd_plain_pictures (s, 0, 5);
}

static void
put_vui_without_time (BitWriter *w)
{
  put_u (w, 4, 0);
  put_u (w, 1, 1);
  put_u (w, 32, 0);
  put_u (w, 32, 0);
  put_u (w, 5, 0);
}

static void
put_no_ticks (OddStream *s)
{
  s->sps.put_vui = put_vui_without_time;
  odd_sets (s);
  odd_plain_pictures (s, 0, 5);
}

/* What would be transform_8x8_mode_flag and scaling lists, which the profile does not have */
static void
put_junk_behind_pps (OddStream *s)
{
  s->sps.profile_idc = 77;
  s->sps.constraint_set_flags = 0x40;
  odd_unit (s, make_sps (&s->sps));
  odd_unit (s, with_byte (with_byte (with_byte (make_pps (&s->pps), 0xff), 0x12), 0x34));
  odd_plain_pictures (s, 0, 5);
}

static void
put_no_8x8_inference (OddStream *s)
{
  s->sps.interlaced = 1;
  s->sps.no_direct_8x8_inference = 1;
  odd_sets (s);
  odd_plain_pictures (s, 0, 5);
}

static void
put_baseline_with_b (OddStream *s)
{
  s->sps.profile_idc = 66;
  s->sps.put_vui = NULL;
  put_pyramid (s);
}

static void
put_unknown_profile (OddStream *s)
{
  s->sps.profile_idc = 99;
  odd_sets (s);
  odd_plain_pictures (s, 0, 5);
}

#define IN_ORDER "0 40 80 120 160 200 240 280 320"

static const OddCase cases[] = {
  { "a byte behind the SPS", put_byte_behind_sps, ALL_CLEAN },
  { "no stop bit", put_no_stop_bit, ALL_CLEAN },
  { "no emulation prevention", put_unescaped_sps, ALL_CLEAN },
  { "emulation prevention twice", put_sps_escaped_twice, ALL_CLEAN },
  { "max_num_ref_frames 0", put_no_reference_frames, ALL_CLEAN },
  { "more active references than there are", put_many_active, ALL_CLEAN },
  { "level too low", put_low_level, IN_ORDER, NULL, ODD_LIVE },
  { "level_idc 0", put_no_level, IN_ORDER, NULL, ODD_LIVE },
  { "max_num_reorder_frames 0 with B pictures", put_no_reordering, "0 160 80! 40! 120 200 240 280 320 360 400 440 480 520", "late" },
  { "max_num_reorder_frames that cannot be", put_impossible_restriction, IN_ORDER, NULL, ODD_LIVE },
  { "PPS before SPS", put_pps_first, ALL_CLEAN, NULL, ODD_PARSED },
  { "the highest numbers", put_highest_ids, ALL_CLEAN },
  { "two sizes in turns", put_sets_in_turns, "0 40 80 120 160 200 240 280" },
  { "numbers of PPS that increase", put_increasing_ids, "0 40 80 120 160 200" },
  { "a PPS that changes", put_pps_changes, ALL_CLEAN },
  { "PPS between slices", put_pps_between_slices, ALL_CLEAN },
  { "a PPS that changes between slices", put_pps_change_between_slices, "0 40! 80", "PPS changes between slices" },
  { "sets before every picture", put_sets_before_every_picture, ALL_CLEAN },
  { "another size without an IDR picture", put_new_size_without_idr, "0 40 80 120 160 200" },
  { "more cropping than picture", put_too_much_cropping, ALL_CLEAN },
  { "reserved values in the VUI", put_reserved_values, ALL_CLEAN },
  { "num_units_in_tick 0", put_no_ticks, ALL_CLEAN },
  { "junk behind the PPS", put_junk_behind_pps, ALL_CLEAN, NULL, ODD_PARSED },
  { "fields without direct_8x8_inference_flag", put_no_8x8_inference, ALL_CLEAN },
  { "a profile that nobody knows", put_unknown_profile, ALL_CLEAN },
  { "Baseline profile with B pictures", put_baseline_with_b, IN_ORDER, NULL, ODD_LIVE },
};

GST_START_TEST (test_sets)
{
  odd_case_check (&cases[__i__]);
}

GST_END_TEST;

static Suite *
h264entropyoddsets_suite (void)
{
  Suite *suite = suite_create ("h264entropyoddsets");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_sets, 0, G_N_ELEMENTS (cases));
  return suite;
}

GST_CHECK_MAIN (h264entropyoddsets);
