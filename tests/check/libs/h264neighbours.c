/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Places, neighbours and order of macroblocks, on a picture of 4x3 macroblocks:
 *
 *    0  1  2  3
 *    4  5  6  7
 *    8  9 10 11
 */
#include <gst/check/gstcheck.h>

#include "h264neighbours.h"

#define WIDTH 4
#define HEIGHT 3
#define HAS_A (GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER)
#define HAS_B GST_GPU_AVAILABLE_B
#define HAS_C GST_GPU_AVAILABLE_C
#define HAS_D GST_GPU_AVAILABLE_D

GST_START_TEST (test_inside)
{
  static const guint expected[WIDTH * HEIGHT] = {
    0,
    HAS_A,
    HAS_A,
    HAS_A,
    HAS_B | HAS_C,
    HAS_A | HAS_B | HAS_C | HAS_D,
    HAS_A | HAS_B | HAS_C | HAS_D,
    HAS_A | HAS_B | HAS_D,
    HAS_B | HAS_C,
    HAS_A | HAS_B | HAS_C | HAS_D,
    HAS_A | HAS_B | HAS_C | HAS_D,
    HAS_A | HAS_B | HAS_D,
  };

  for (guint mbAddr = 0; mbAddr < WIDTH * HEIGHT; mbAddr++) {
    const H264MbPlace place = h264_mb_place (mbAddr, WIDTH);

    fail_unless_equals_int (h264_mb_neighbours_inside (&place, WIDTH), expected[mbAddr]);
  }
}

GST_END_TEST;

GST_START_TEST (test_addresses)
{
  const H264MbNeighbours at = h264_mb_neighbours (6, WIDTH);

  fail_unless_equals_int (at.A[0], 5);
  fail_unless_equals_int (at.A[1], 5);
  fail_unless_equals_int (at.B, 2);
  fail_unless_equals_int (at.C, 3);
  fail_unless_equals_int (at.D, 1);
}

GST_END_TEST;

GST_START_TEST (test_places)
{
  H264MbPlace place = h264_mb_place (7, WIDTH);

  fail_unless_equals_int (place.mb_x, 3);
  fail_unless_equals_int (place.mb_y, 1);
  h264_mb_place_move (&place, 8, WIDTH);
  fail_unless_equals_int (place.mb_x, 0);
  fail_unless_equals_int (place.mb_y, 2);
  place = h264_mb_place (1, WIDTH);
  h264_mb_place_move (&place, 10, WIDTH);
  fail_unless_equals_int (place.mbAddr, 10);
  fail_unless_equals_int (place.mb_x, 2);
  fail_unless_equals_int (place.mb_y, 2);
}

GST_END_TEST;

/* Every macroblock once, after its neighbours */
GST_START_TEST (test_walk)
{
  guint n = 0;

  for (H264MbPlace place = { 0, 0, 0 }; place.mb_y < HEIGHT; h264_mb_place_step (&place, WIDTH)) {
    const H264MbPlace expected = h264_mb_place (n++, WIDTH);

    fail_unless (memcmp (&place, &expected, sizeof (place)) == 0);
  }
  fail_unless_equals_int (n, WIDTH * HEIGHT);
}

GST_END_TEST;

/* Two slice groups, as on a chessboard */
GST_START_TEST (test_next)
{
  static const guint8 groups[WIDTH * HEIGHT] = { 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1 };

  fail_unless_equals_int (h264_mb_next (NULL, WIDTH * HEIGHT, 3), 4);
  fail_unless_equals_int (h264_mb_next (groups, WIDTH * HEIGHT, 0), 2);
  fail_unless_equals_int (h264_mb_next (groups, WIDTH * HEIGHT, 2), 5);
  fail_unless_equals_int (h264_mb_next (groups, WIDTH * HEIGHT, 3), 4);
  fail_unless (h264_mb_next (groups, WIDTH * HEIGHT, 10) >= WIDTH * HEIGHT);
}

GST_END_TEST;

/* Table 6-4 for xN < 0 and 0 <= yN < maxH, row by row as the standard has it */
static H264PairLine
table_6_4_left (gboolean currMbFrameFlag, gboolean mbIsTopMbFrame, gboolean mbAddrXFrameFlag, gint yN, gint maxH)
{
  const guint odd = (guint) yN % 2, second_half = yN >= maxH / 2;

  if (currMbFrameFlag && mbIsTopMbFrame)
    return mbAddrXFrameFlag ? (H264PairLine){ 0, yN } : (H264PairLine){ odd, yN >> 1 };
  if (currMbFrameFlag)
    return mbAddrXFrameFlag ? (H264PairLine){ 1, yN } : (H264PairLine){ odd, (yN + maxH) >> 1 };
  if (mbIsTopMbFrame)
    return !mbAddrXFrameFlag ? (H264PairLine){ 0, yN } : second_half ? (H264PairLine){ 1, (yN << 1) - maxH } : (H264PairLine){ 0, yN << 1 };
  return !mbAddrXFrameFlag ? (H264PairLine){ 1, yN }
      : second_half        ? (H264PairLine){ 1, (yN << 1) + 1 - maxH }
                           : (H264PairLine){ 0, (yN << 1) + 1 };
}

GST_START_TEST (test_left_of_pair)
{
  for (guint i = 0; i < 8; i++)
    for (gint maxH = 8; maxH <= 16; maxH += 8)
      for (gint yN = 0; yN < maxH; yN++) {
        const gboolean is_field = i & 1, lower = i >> 1 & 1, left_is_field = i >> 2 & 1;
        const H264PairLine expected = table_6_4_left (!is_field, !lower, !left_is_field, yN, maxH);
        const H264PairLine line = h264_pair_line (h264_line_of_pair (yN, is_field, lower, maxH), left_is_field, maxH);

        fail_unless_equals_int (line.lower, expected.lower);
        fail_unless_equals_int (line.yM, expected.yM);
      }
}

GST_END_TEST;

/* Table 6-4 for yN < 0: which macroblock of pair B, C or D (the same for all), in the order of its rows */
GST_START_TEST (test_above_pair)
{
  static const struct
  {
    gboolean is_field, lower, above_is_field;
    guint expected;
  } rows[] = {
    { FALSE, 0, FALSE, 1 },
    { FALSE, 0, TRUE, 1 },
    { TRUE, 0, FALSE, 1 },
    { TRUE, 0, TRUE, 0 },
    { TRUE, 1, FALSE, 1 },
    { TRUE, 1, TRUE, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    fail_unless_equals_int (h264_pair_above (rows[i].above_is_field, rows[i].is_field, rows[i].lower), rows[i].expected);
  /* D of the lower frame macroblock lies in pair A: above row 0 of the pair's second half */
  fail_unless_equals_int (h264_pair_line (h264_line_of_pair (-1, FALSE, 1, 16), FALSE, 16).lower, 0);
  fail_unless_equals_int (h264_pair_line (h264_line_of_pair (-1, FALSE, 1, 16), FALSE, 16).yM, 15);
  fail_unless_equals_int (h264_pair_line (h264_line_of_pair (-1, FALSE, 1, 16), TRUE, 16).lower, 1);
  fail_unless_equals_int (h264_pair_line (h264_line_of_pair (-1, FALSE, 1, 16), TRUE, 16).yM, 7);
}

GST_END_TEST;

/* Two rows of pairs: 0 2 4 6 and 8 10 12 14 are the upper macroblocks. */
GST_START_TEST (test_pairs)
{
  const guint all = HAS_A | HAS_B | HAS_C | HAS_D;
  const H264MbPlace corner = h264_mbaff_place (0, WIDTH), place = h264_mbaff_place (13, WIDTH);
  const H264PairNeighbours at = h264_pair_neighbours (13, WIDTH);

  fail_unless (place.mbAddr == 13 && place.mb_x == 2 && place.mb_y == 3);
  fail_unless (at.A == 10 && at.B == 4 && at.C == 6 && at.D == 2);
  fail_unless_equals_int (h264_pair_neighbours_inside (&corner, WIDTH), 0);
  fail_unless_equals_int (h264_pair_neighbours_inside (&place, WIDTH), all);
  fail_unless_equals_int (h264_mbaff_neighbours (all, TRUE, 1), all);
  fail_unless_equals_int (h264_mbaff_neighbours (all, FALSE, 0), all);
  fail_unless_equals_int (h264_mbaff_neighbours (all, FALSE, 1), HAS_A | HAS_B | HAS_D);
  fail_unless_equals_int (h264_mbaff_neighbours (0, FALSE, 1), HAS_B);
}

GST_END_TEST;

static Suite *
h264neighbours_suite (void)
{
  Suite *suite = suite_create ("h264neighbours");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_inside);
  tcase_add_test (tcase, test_addresses);
  tcase_add_test (tcase, test_places);
  tcase_add_test (tcase, test_walk);
  tcase_add_test (tcase, test_next);
  tcase_add_test (tcase, test_left_of_pair);
  tcase_add_test (tcase, test_above_pair);
  tcase_add_test (tcase, test_pairs);
  return suite;
}

GST_CHECK_MAIN (h264neighbours);
