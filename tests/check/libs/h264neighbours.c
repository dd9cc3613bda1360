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
  return suite;
}

GST_CHECK_MAIN (h264neighbours);
