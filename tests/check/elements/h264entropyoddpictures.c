/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams whose slice headers, picture order and beginnings are not what the standard has.  What is expected was written down before the
 * decoder had seen them, after reports of users of many decoders.
 */
#include <gst/check/gstcheck.h>

#include "h264nal.h"
#include "oddcase.h"

#define ALL_CLEAN "0 40 80 120 160"

static void
put_slices (OddStream *s, const OddSlice *slices, guint n)
{
  odd_sets (s);
  for (guint i = 0; i < n; i++) {
    odd_slice (s, &slices[i]);
    odd_end (s, i * ODD_STEP);
  }
}

static void
put_same_poc (OddStream *s)
{
  static const OddSlice slices[] = { { 'D' }, { 'P', 1 }, { 'P', 2 }, { 'P', 3 }, { 'P', 4 } };

  put_slices (s, slices, G_N_ELEMENTS (slices));
}

static void
put_same_poc_without_vui (OddStream *s)
{
  s->sps.put_vui = NULL;
  put_same_poc (s);
}

static void
put_poc_by_one (OddStream *s)
{
  static const OddSlice slices[] = { { 'D' }, { 'P', 1, 1 }, { 'P', 2, 2 }, { 'P', 3, 3 }, { 'P', 4, 4 } };

  s->sps.put_vui = NULL;
  put_slices (s, slices, G_N_ELEMENTS (slices));
}

static void
put_poc_restart (OddStream *s)
{
  static const OddSlice slices[] = { { 'D' }, { 'P', 1, 2 }, { 'P', 2, 4 }, { 'P', 3, 6 }, { 'I', 4, 0 }, { 'P', 5, 2 }, { 'P', 6, 4 },
    { 'P', 7, 6 } };

  put_slices (s, slices, G_N_ELEMENTS (slices));
}

static void
put_empty_cycle (BitWriter *w)
{
  put_u (w, 1, 1); /* delta_pic_order_always_zero_flag */
  put_se (w, 0);   /* offset_for_non_ref_pic */
  put_se (w, 0);
  put_ue (w, 0); /* num_ref_frames_in_pic_order_cnt_cycle */
}

static void
put_poc_type_1_without_cycle (OddStream *s)
{
  s->sps.pic_order_cnt_type = 1;
  s->sps.put_poc_type_1 = put_empty_cycle;
  odd_sets (s);
  odd_plain_pictures (s, 0, 5);
}

static void
put_poc_type_2_non_reference (OddStream *s)
{
  static const OddSlice slices[] = { { 'D' }, { 'P', 1, 0, TRUE }, { 'P', 1, 0, TRUE }, { 'P', 1, 0 }, { 'P', 2, 0 } };

  s->sps.pic_order_cnt_type = 2;
  put_slices (s, slices, G_N_ELEMENTS (slices));
}

static void
put_idr_frame_num (OddStream *s)
{
  static const OddSlice slices[] = { { 'D', 0, 0 }, { 'P', 1, 2 }, { 'P', 2, 4 }, { 'D', 3, 0, .idr_pic_id = 1 }, { 'P', 4, 2 },
    { 'P', 5, 4 } };

  put_slices (s, slices, G_N_ELEMENTS (slices));
}

static void
put_idr_frame_num_restart (OddStream *s)
{
  static const OddSlice slices[] = { { 'D', 5, 0 }, { 'P', 1, 2 }, { 'P', 2, 4 }, { 'D', 3, 0, .idr_pic_id = 1 }, { 'P', 1, 2 },
    { 'P', 2, 4 } };

  put_slices (s, slices, G_N_ELEMENTS (slices));
}

static void
put_bad_marking (OddStream *s)
{
  static const OddSlice slices[] = { { 'D' }, { 'P', 1, 2 }, { 'P', 2, 4, .marking = { 1, 6 }, .n_marking = 2 }, { 'P', 3, 6 },
    { 'P', 4, 8 } };

  put_slices (s, slices, G_N_ELEMENTS (slices));
}

/* More indices than there are reference frames */
static void
put_many_long_term_indices (OddStream *s)
{
  static const OddSlice slices[] = { { 'D' }, { 'P', 1, 2, .marking = { 4, 14, 6, 12 }, .n_marking = 4 }, { 'P', 2, 4 }, { 'P', 3, 6 },
    { 'P', 4, 8 } };

  put_slices (s, slices, G_N_ELEMENTS (slices));
}

/* As after an IDR picture without long_term_reference_flag: "no long-term frame indices" */
static void
put_long_term_without_indices (OddStream *s)
{
  static const OddSlice slices[] = { { 'D' }, { 'P', 1, 2, .marking = { 6, 0 }, .n_marking = 2 }, { 'P', 2, 4 }, { 'P', 3, 6 },
    { 'P', 4, 8 } };

  put_slices (s, slices, G_N_ELEMENTS (slices));
}

/* Modulo 4 where the SPS says 16 */
static void
put_short_frame_num (OddStream *s)
{
  static const OddSlice slices[] = { { 'D' }, { 'P', 1, 2 }, { 'P', 2, 4 }, { 'P', 3, 6 }, { 'P', 0, 8 }, { 'P', 1, 10 }, { 'D', 0, 0 } };

  put_slices (s, slices, G_N_ELEMENTS (slices));
}

/* A muxer that counts wrong */
static void
put_cut_slices (OddStream *s)
{
  static const OddSlice slices[] = { { 'D', .cut = 3 }, { 'P', 1, 2, .cut = 3 }, { 'P', 2, 4, .cut = 3 } };

  put_slices (s, slices, G_N_ELEMENTS (slices));
}

static void
put_reverse_slices (OddStream *s)
{
  s->sps.profile_idc = 77;
  odd_sets (s);
  for (guint i = 0; i < 5; i++) {
    for (gint first = 9; first >= 0; first -= 3)
      odd_slice (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .first_mb = first, .n_mbs = 3 });
    odd_end (s, i * ODD_STEP);
  }
}

static void
put_late_idr (OddStream *s)
{
  static const OddSlice slices[] = { { 'P', 7, 20 }, { 'P', 8, 22 }, { 'D' }, { 'P', 1, 2 }, { 'P', 2, 4 } };

  put_slices (s, slices, G_N_ELEMENTS (slices));
}

static void
put_open_gop (OddStream *s)
{
  static const OddSlice slices[] = { { 'I', 7, 20 }, { 'B', 8, 16, TRUE }, { 'B', 8, 18, TRUE }, { 'P', 8, 26 }, { 'B', 9, 22, TRUE },
    { 'B', 9, 24, TRUE }, { 'P', 9, 28 } };

  s->sps.put_vui = NULL;
  odd_sets (s);
  for (guint i = 0; i < G_N_ELEMENTS (slices); i++) {
    odd_slice (s, &slices[i]);
    odd_end (s, slices[i].poc * ODD_STEP / 2);
  }
}

static void
put_before_slices (OddStream *s, void (*put_unit) (OddStream *s))
{
  odd_sets (s);
  for (guint i = 0; i < 5; i++) {
    put_unit (s);
    odd_plain_pictures (s, i, 1);
  }
}

static void
put_long_sei_unit (OddStream *s)
{
  odd_bytes (s, 8, H264_NAL_SEI, 1, 180, 0x12, 0x34, 0x56, 0x78, 0x80);
}

static void
put_long_sei (OddStream *s)
{
  put_before_slices (s, put_long_sei_unit);
}

static void
put_open_sei_unit (OddStream *s)
{
  odd_bytes (s, 20, H264_NAL_SEI, 5, 17, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 'x');
}

static void
put_open_sei (OddStream *s)
{
  put_before_slices (s, put_open_sei_unit);
}

static void
put_prefix_unit (OddStream *s)
{
  odd_bytes (s, 5, H264_NAL_PREFIX | 0x60, 0x80, 0x00, 0x07, 0x80);
}

static void
put_prefix (OddStream *s)
{
  GByteArray *subset = make_sps (&s->sps);

  subset->data[0] = 0x60 | H264_NAL_SUBSET_SPS;
  subset->data[1] = 83; /* Scalable Baseline */
  odd_unit (s, make_sps (&s->sps));
  odd_unit (s, subset);
  odd_unit (s, make_pps (&s->pps));
  for (guint i = 0; i < 5; i++) {
    put_prefix_unit (s);
    odd_plain_pictures (s, i, 1);
  }
}

static void
put_counted_non_reference (OddStream *s)
{
  static const OddSlice slices[] = { { 'D' }, { 'P', 1, 2, TRUE }, { 'P', 2, 4 }, { 'P', 3, 6, TRUE }, { 'P', 4, 8 }, { 'P', 5, 10, TRUE },
    { 'P', 6, 12 } };

  s->sps.max_num_ref_frames = 1;
  put_slices (s, slices, G_N_ELEMENTS (slices));
}

/* More slices than a picture has room for at first, and in the next picture still more */
static void
put_slice_a_macroblock (OddStream *s)
{
  static const guint n_slices[] = { 70, 240, 240, 3, 240 };

  s->sps.width_in_mbs = 16;
  s->sps.height_in_map_units = 15;
  odd_sets (s);
  for (guint i = 0; i < G_N_ELEMENTS (n_slices); i++) {
    for (guint k = 0; k < n_slices[i]; k++)
      odd_slice (s, &(OddSlice){ i == 0 ? 'D' : 'P', i, 2 * i, .first_mb = k, .n_mbs = k + 1 < n_slices[i] ? 1 : 0 });
    odd_end (s, i * ODD_STEP);
  }
}

static void
put_joined (OddStream *s)
{
  odd_sets (s);
  for (guint i = 0; i < 6; i++) {
    if (i == 3) {
      odd_bytes (s, 1, H264_NAL_END_OF_SEQUENCE);
      odd_bytes (s, 1, H264_NAL_END_OF_STREAM);
      odd_sets (s);
    }
    odd_picture (s, i % 3 == 0 ? 'D' : 'P', i % 3, 2 * (i % 3), i * ODD_STEP);
  }
}

static const OddCase cases[] = {
  { "PicOrderCnt always 0", put_same_poc, ALL_CLEAN },
  { "PicOrderCnt always 0 without VUI", put_same_poc_without_vui, ALL_CLEAN },
  { "PicOrderCnt goes on by 1", put_poc_by_one, ALL_CLEAN },
  { "PicOrderCnt begins anew at an I picture", put_poc_restart, "0 40 80 120 160 200 240 280" },
  { "POC type 1 without a cycle", put_poc_type_1_without_cycle, ALL_CLEAN },
  { "POC type 2 and non-reference pictures in a row", put_poc_type_2_non_reference, ALL_CLEAN },
  { "frame_num goes on over IDR pictures", put_idr_frame_num, "0 40 80 120 160 200" },
  { "frame_num of IDR pictures is not 0", put_idr_frame_num_restart, "0 40 80 120 160 200" },
  { "marking of a picture that is not there", put_bad_marking, "0 40 80! 120! 160!", "damaged" },
  { "more long-term indices than reference frames", put_many_long_term_indices, ALL_CLEAN },
  { "a long-term picture where there is no index for it", put_long_term_without_indices, ALL_CLEAN },
  { "frame_num of fewer bits than the SPS says", put_short_frame_num, "0 40 80 120 160! 200! 240", "damaged" },
  { "every slice lacks its last bytes", put_cut_slices, "0! 40! 80!", "damaged" },
  { "slices in reverse order", put_reverse_slices, ALL_CLEAN },
  { "P pictures before the first IDR picture", put_late_idr, "80 120 160" },
  { "an I picture without recovery point, and leading B pictures", put_open_gop, "400 440 480 520 560", NULL, ODD_LIVE },
  { "SEI longer than its unit", put_long_sei, ALL_CLEAN },
  { "SEI without trailing bits", put_open_sei, ALL_CLEAN },
  { "prefix units of a layer that is not there", put_prefix, ALL_CLEAN },
  { "frame_num counts non-reference pictures", put_counted_non_reference, "0 40 80! 120! 160! 200! 240!", "damaged" },
  { "a slice a macroblock", put_slice_a_macroblock, ALL_CLEAN },
  { "joined files", put_joined, "0 40 80 120 160 200" },
};

GST_START_TEST (test_pictures)
{
  odd_case_check (&cases[__i__]);
}

GST_END_TEST;

static Suite *
h264entropyoddpictures_suite (void)
{
  Suite *suite = suite_create ("h264entropyoddpictures");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_pictures, 0, G_N_ELEMENTS (cases));
  return suite;
}

GST_CHECK_MAIN (h264entropyoddpictures);
