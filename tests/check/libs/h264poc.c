/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Picture order count: of type 0 (8.2.1.1) at its ends, and of fields.  Real orders are those of the streams.
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

/* Computes the picture's orders and ends it. */
static void
decode (H264PocState *state, Picture *picture, gint32 poc[2])
{
  h264_poc_compute (state, &picture->sh, poc);
  h264_poc_picture_done (state, &picture->sh, FALSE, poc);
}

/* Each field has its own pic_order_cnt_lsb, and the one before it is what the MSB goes by; the order of the other field stays. */
GST_START_TEST (test_fields)
{
  static const struct
  {
    gboolean bottom;
    guint lsb;
    gint32 poc[2];
  } fields[] = {
    { FALSE, 13, { 13, -1 } },
    { TRUE, 14, { 13, 14 } },
    { FALSE, 15, { 15, 14 } },
    { TRUE, 0, { 15, 16 } },
    { TRUE, 8, { 15, 24 } },
    { FALSE, 2, { 18, 24 } },
    { FALSE, 12, { 12, 24 } },
  };
  H264PocState state = { 0, 12 };
  gint32 poc[2] = { -1, -1 };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    Picture picture;

    picture_init (&picture, fields[i].lsb, 0);
    picture.sh.field_pic_flag = TRUE;
    picture.sh.bottom_field_flag = fields[i].bottom;
    decode (&state, &picture, poc);
    fail_unless_equals_int (poc[0], fields[i].poc[0]);
    fail_unless_equals_int (poc[1], fields[i].poc[1]);
  }
}

GST_END_TEST;

/* 8.2.1.1: behind memory_management_control_operation 5 a bottom field counts as 0, a top field and a frame as what TopFieldOrderCnt has
 * become */
GST_START_TEST (test_fields_after_reset)
{
  static const struct
  {
    guint structure;
    gint32 poc[2]; /* behind the operation */
    guint lsb;
    gint32 expected;
  } cases[] = {
    { H264_BOTTOM_FIELD, { 99, 0 }, 9, -7 },
    { H264_BOTTOM_FIELD, { 99, 0 }, 7, 7 },
    { H264_TOP_FIELD, { 0, 99 }, 9, -7 },
    { H264_FRAME, { 3, 0 }, 10, 10 },
    { H264_FRAME, { 3, 0 }, 12, -4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    H264PocState state = { 160, 5 };
    gint32 poc[2] = { cases[i].poc[0], cases[i].poc[1] };
    Picture picture;

    picture_init (&picture, 5, 0);
    picture.sh.field_pic_flag = cases[i].structure != H264_FRAME;
    picture.sh.bottom_field_flag = cases[i].structure == H264_BOTTOM_FIELD;
    h264_poc_picture_done (&state, &picture.sh, TRUE, poc);
    picture_init (&picture, cases[i].lsb, 0);
    decode (&state, &picture, poc);
    fail_unless_equals_int (poc[0], cases[i].expected);
  }
}

GST_END_TEST;

/* Type 2 (8.2.1.3): both fields of a frame have the same; 2 * frame_num, one less where they are no references */
GST_START_TEST (test_fields_of_type_2)
{
  static const struct
  {
    guint frame_num, nal_ref_idc;
    gint32 poc;
  } fields[] = { { 0, 1, 0 }, { 0, 1, 0 }, { 1, 0, 1 }, { 1, 0, 1 }, { 1, 1, 2 }, { 1, 1, 2 }, { 15, 1, 30 }, { 15, 1, 30 }, { 0, 1, 32 },
    { 0, 1, 32 } };
  H264PocState state = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    gint32 poc[2] = { -1, -1 };
    Picture picture;

    picture_init (&picture, 0, 0);
    picture.sps.pic_order_cnt_type = 2;
    picture.sps.MaxFrameNum = 16;
    picture.sh.frame_num = fields[i].frame_num;
    picture.sh.nal_ref_idc = fields[i].nal_ref_idc;
    picture.sh.IdrPicFlag = i == 0;
    picture.sh.field_pic_flag = TRUE;
    picture.sh.bottom_field_flag = i % 2;
    decode (&state, &picture, poc);
    fail_unless_equals_int (poc[i % 2], fields[i].poc);
    fail_unless_equals_int (poc[1 - i % 2], -1);
  }
}

GST_END_TEST;

static Suite *
h264poc_suite (void)
{
  Suite *s = suite_create ("h264poc");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_lsb_wraps);
  tcase_add_test (tc, test_reset_far_away);
  tcase_add_test (tc, test_fields);
  tcase_add_test (tc, test_fields_after_reset);
  tcase_add_test (tc, test_fields_of_type_2);
  return s;
}

GST_CHECK_MAIN (h264poc);
