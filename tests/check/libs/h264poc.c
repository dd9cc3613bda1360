/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Picture order count of type 0 (8.2.1.1) at its ends.  Real orders are those of the streams.
 */
#include <gst/check/gstcheck.h>

#include "h264poc.h"

typedef struct
{
  H264Sps sps;
  H264Pps pps;
  H264SliceHeader sh;
} Picture;

/* A reference frame that is no IDR picture; pic_order_cnt_lsb has 4 bits */
static void
picture_init (Picture *picture, guint pic_order_cnt_lsb, gint32 delta_pic_order_cnt_bottom)
{
  memset (picture, 0, sizeof (*picture));
  picture->sps.log2_max_pic_order_cnt_lsb = 4;
  picture->pps.sps = &picture->sps;
  picture->sh.pps = &picture->pps;
  picture->sh.nal_ref_idc = 1;
  picture->sh.pic_order_cnt_lsb = (guint16) pic_order_cnt_lsb;
  picture->sh.delta_pic_order_cnt_bottom = delta_pic_order_cnt_bottom;
}

GST_START_TEST (test_lsb_wraps)
{
  static const struct
  {
    guint lsb;
    gint32 poc;
  } pictures[] = { { 6, 6 }, { 14, 14 }, { 6, 22 }, { 15, 15 }, { 5, 21 } };
  H264PocState state = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    Picture picture;
    gint32 poc[2] = { 0 };

    picture_init (&picture, pictures[i].lsb, 1);
    h264_poc_compute (&state, &picture.sh, poc);
    fail_unless_equals_int (poc[0], pictures[i].poc);
    fail_unless_equals_int (poc[1], pictures[i].poc + 1);
    h264_poc_picture_done (&state, &picture.sh, FALSE, poc);
  }
}

GST_END_TEST;

/* memory_management_control_operation 5 leaves tempPicOrderCnt of any size: a bottom field far before or behind the top field */
GST_START_TEST (test_reset_far_away)
{
  static const gint32 tops[] = { G_MAXINT32, -G_MAXINT32, G_MININT32 };

  for (guint i = 0; i < G_N_ELEMENTS (tops); i++) {
    H264PocState state = { 0 };
    Picture picture;
    gint32 poc[2] = { tops[i], 0 };

    picture_init (&picture, 1, 0);
    h264_poc_picture_done (&state, &picture.sh, TRUE, poc);
    picture_init (&picture, 15, 0);
    h264_poc_compute (&state, &picture.sh, poc);
    /* the MSB goes up or down by one step */
    fail_unless_equals_int (poc[0], tops[i] > 0 ? 16 + 15 : -16 + 15);
    fail_unless_equals_int (poc[1], poc[0]);
  }
}

GST_END_TEST;

static Suite *
h264poc_suite (void)
{
  Suite *s = suite_create ("h264poc");
  TCase *tc = tcase_create ("type 0");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_lsb_wraps);
  tcase_add_test (tc, test_reset_far_away);
  return s;
}

GST_CHECK_MAIN (h264poc);
