/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Slice group maps of all types, for pictures of 4x3 map units, written down
 */
#include <gst/check/gstcheck.h>
#include "h264fmo.h"
#include "h264sets.h"

static void
put_type_0 (BitWriter *w)
{
  put_ue (w, 0);
  put_ue (w, 2);
  put_ue (w, 1);
}

static void
put_type_1 (BitWriter *w)
{
  put_ue (w, 1);
}

static void
put_type_2 (BitWriter *w)
{
  put_ue (w, 2);
  put_ue (w, 1);
  put_ue (w, 6);
  put_ue (w, 4);
  put_ue (w, 10);
}

/* The first rectangle has its corners crossed: it is empty. */
static void
put_type_2_empty (BitWriter *w)
{
  put_ue (w, 2);
  put_ue (w, 2);
  put_ue (w, 5);
  put_ue (w, 11);
  put_ue (w, 0);
}

static void
put_evolving (BitWriter *w, guint type, guint direction)
{
  put_ue (w, type);
  put_u (w, 1, direction);
  put_ue (w, 4); /* SliceGroupChangeRate 5 */
}

static void
put_type_3 (BitWriter *w)
{
  put_evolving (w, 3, 0);
}

static void
put_type_3_reversed (BitWriter *w)
{
  put_evolving (w, 3, 1);
}

static void
put_type_4 (BitWriter *w)
{
  put_evolving (w, 4, 0);
}

static void
put_type_4_reversed (BitWriter *w)
{
  put_evolving (w, 4, 1);
}

static void
put_type_5 (BitWriter *w)
{
  put_evolving (w, 5, 0);
}

static void
put_type_5_reversed (BitWriter *w)
{
  put_evolving (w, 5, 1);
}

static void
put_type_6 (BitWriter *w)
{
  put_ue (w, 6);
  put_ue (w, 11);
  for (guint i = 0; i < 12; i++)
    put_u (w, 2, i % 3);
}

/* @expected: the map, row by row; blanks are for the reader */
static void
check_map (guint n_groups, void (*put_slice_groups) (BitWriter *), guint units, const gchar *expected)
{
  PpsValues pps = { .num_slice_groups_minus1 = n_groups - 1, .put_slice_groups = put_slice_groups };
  H264ParamSets *sets = make_param_sets (&default_sps, &pps);
  H264SliceHeader sh = { .MapUnitsInSliceGroup0 = units, .PicSizeInMbs = 12 };
  const gchar *error = NULL;
  guint8 map[12], mb_map[12];
  guint i = 0;

  sh.pps = h264_param_sets_get_pps (sets, 0, &error);
  fail_unless (sh.pps != NULL, "%s", error);
  h264_fmo_map_units (&sh, map);
  for (; *expected != '\0'; expected++) {
    if (*expected != ' ')
      fail_unless_equals_int (map[i++], *expected - '0');
  }
  fail_unless_equals_int (i, 12);
  h264_fmo_map_mbs (&sh, map, mb_map);
  fail_unless (memcmp (map, mb_map, 12) == 0);
  h264_param_sets_free (sets);
}

GST_START_TEST (test_types)
{
  check_map (1, NULL, 0, "0000 0000 0000");
  check_map (2, put_type_0, 0, "0001 1000 1100");
  check_map (3, put_type_1, 0, "0120 1201 0120");
  check_map (3, put_type_2, 0, "2002 1002 1112");
  check_map (3, put_type_2_empty, 0, "2222 2222 2222");
  check_map (2, put_type_3, 0, "1111 1111 1111");
  check_map (2, put_type_3, 5, "1000 1001 1111");
  check_map (2, put_type_3, 12, "0000 0000 0000");
  check_map (2, put_type_3_reversed, 5, "1101 1001 1001");
  check_map (2, put_type_4, 5, "0000 0111 1111");
  check_map (2, put_type_4_reversed, 5, "1111 1110 0000");
  check_map (2, put_type_5, 5, "0011 0011 0111");
  check_map (2, put_type_5_reversed, 5, "1110 1100 1100");
  check_map (3, put_type_6, 0, "0120 1201 2012");
}

GST_END_TEST;

/* What a map unit is (8.2.2.8): a macroblock, a pair one above the other, or an MBAFF pair */
GST_START_TEST (test_map_units)
{
  SpsValues sps = default_sps;
  PpsValues pps = { .num_slice_groups_minus1 = 2, .put_slice_groups = put_type_6 };
  const guint8 frame[24] = { 0, 1, 2, 0, 0, 1, 2, 0, 1, 2, 0, 1, 1, 2, 0, 1, 2, 0, 1, 2, 2, 0, 1, 2 };
  H264SliceHeader sh = { .PicSizeInMbs = 24 };
  H264ParamSets *sets;
  const gchar *error = NULL;
  /* 12 map units; link-time optimisation sees the copy of a progressive frame's 24, too, and not that it is never made here */
  guint8 map[24], mb_map[24];

  sps.interlaced = 1;
  sets = make_param_sets (&sps, &pps);
  sh.pps = h264_param_sets_get_pps (sets, 0, &error);
  h264_fmo_map_units (&sh, map);
  h264_fmo_map_mbs (&sh, map, mb_map);
  fail_unless (memcmp (mb_map, frame, 24) == 0);
  sh.MbaffFrameFlag = TRUE;
  h264_fmo_map_mbs (&sh, map, mb_map);
  fail_unless (memcmp (mb_map, map, 12) == 0);
  sh.MbaffFrameFlag = FALSE;
  sh.field_pic_flag = TRUE;
  sh.PicSizeInMbs = 12;
  h264_fmo_map_mbs (&sh, map, mb_map);
  fail_unless (memcmp (mb_map, map, 12) == 0);
  h264_param_sets_free (sets);
}

GST_END_TEST;

GST_START_TEST (test_next)
{
  const guint8 map[] = { 0, 1, 2, 0, 1, 2, 2 };

  fail_unless_equals_int (h264_fmo_next (map, 7, 0), 3);
  fail_unless_equals_int (h264_fmo_next (map, 7, 2), 5);
  fail_unless_equals_int (h264_fmo_next (map, 7, 5), 6);
  fail_unless_equals_int (h264_fmo_next (map, 7, 3), 7);
  fail_unless_equals_int (h264_fmo_next (map, 7, 6), 7);
}

GST_END_TEST;

static Suite *
h264fmo_suite (void)
{
  Suite *s = suite_create ("h264fmo");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_types);
  tcase_add_test (tc, test_map_units);
  tcase_add_test (tc, test_next);
  return s;
}

GST_CHECK_MAIN (h264fmo);
