/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reference picture lists and marking, on sequences whose lists are written down
 */
#include <gst/check/gstcheck.h>
#include "h264sim.h"

#define P H264_SLICE_P
#define B H264_SLICE_B

/* An IDR picture and @n - 1 P frames, frame_num counting up, POC 8 apart */
static void
run_frames (Sim *sim, guint n)
{
  sim_idr (sim);
  sim_run (sim);
  for (guint i = 1; i < n; i++) {
    sim_frame (sim, P, 1, i, 8 * i);
    sim_run (sim);
    fail_unless_equals_int (sim->flags, 0);
  }
}

/* The same in fields, POC 8 and 1 apart */
static void
run_fields (Sim *sim, guint n)
{
  for (guint i = 0; i < n; i++) {
    if (i == 0)
      sim_idr (sim);
    else
      sim_field (sim, FALSE, P, 1, i, 8 * i);
    sim->sh.field_pic_flag = TRUE;
    sim_run (sim);
    fail_if (sim->picture.second_field);
    sim_field (sim, TRUE, P, 1, i, 8 * i + 1);
    sim_run (sim);
    fail_unless (sim->picture.second_field);
    fail_unless_equals_int (sim->picture.number, i);
    fail_unless_equals_int (sim->flags, 0);
  }
}

static SpsValues
interlaced_sps (void)
{
  SpsValues sps = default_sps;

  sps.interlaced = 1;
  return sps;
}

GST_START_TEST (test_p_frames)
{
  Sim sim;

  sim_init (&sim, &default_sps);
  run_frames (&sim, 4);
  sim_frame (&sim, P, 1, 4, 32);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "3 2 1 0");
  fail_unless_equals_string (sim_list (&sim, 0, 2, 0), "3 2");
  /* an entry more than there are: concealed by the nearest */
  fail_unless_equals_string (sim_list (&sim, 0, 5, 0), "3 2 1 0 3?");
  sim_end (&sim);
  /* the window slides; frame_num wraps at 16 */
  for (guint i = 5; i < 18; i++) {
    sim_frame (&sim, P, 1, i % 16, 8 * i);
    sim_run (&sim);
  }
  sim_frame (&sim, P, 1, 2, 144);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "17 16 15 14");
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_b_frames)
{
  Sim sim;

  sim_init (&sim, &default_sps);
  run_frames (&sim, 3); /* POC 0, 8, 16 */
  sim_frame (&sim, B, 1, 3, 4);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 3, 3), "0 1 2");
  fail_unless_equals_string (sim_list (&sim, 1, 3, 3), "1 2 0");
  sim_end (&sim);
  sim_frame (&sim, B, 0, 4, 6);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 4), "3 0 1 2");
  fail_unless_equals_string (sim_list (&sim, 1, 4, 4), "1 2 3 0");
  sim_end (&sim);
  /* all in the past: list 1 would equal list 0, and its first two are swapped, before it is cut */
  sim_frame (&sim, B, 0, 4, 24);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 4), "2 1 3 0");
  fail_unless_equals_string (sim_list (&sim, 1, 4, 4), "1 2 3 0");
  fail_unless_equals_string (sim_list (&sim, 1, 1, 1), "1");
  sim_clear (&sim);
  /* a single entry stays */
  sim_init (&sim, &default_sps);
  run_frames (&sim, 1);
  sim_frame (&sim, B, 0, 1, 4);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 1, 1), "0");
  fail_unless_equals_string (sim_list (&sim, 1, 1, 1), "0");
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_p_fields)
{
  SpsValues sps = interlaced_sps ();
  Sim sim;

  sim_init (&sim, &sps);
  run_fields (&sim, 2);
  sim_field (&sim, FALSE, P, 1, 2, 16);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "1t 1b 0t 0b");
  sim_end (&sim);
  /* the second field refers to the first */
  sim_field (&sim, TRUE, P, 1, 2, 17);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 5, 0), "1b 2t 0b 1t 0t");
  /* PicNum: 1b 3, 0b 1, 2t 4, 1t 2, 0t 0; CurrPicNum 5 */
  sim_modify (&sim, 0, 0, 5);
  fail_unless_equals_string (sim_list (&sim, 0, 5, 0), "0t 1b 2t 0b 1t");
  sim_modify (&sim, 0, 1, 4);
  fail_unless_equals_string (sim_list (&sim, 0, 5, 0), "0t 2t 1b 0b 1t");
  sim_end (&sim);
  /* 2b, PicNum 2 * 2 as seen from the top field of frame 3, goes: CurrPicNum 7 - 3 */
  sim_field (&sim, FALSE, P, 1, 3, 24);
  sim_mmco (&sim, 1, 3, 0);
  sim_run (&sim);
  fail_unless_equals_int (sim.flags, 0);
  sim_field (&sim, TRUE, P, 1, 3, 25);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 6, 0), "1b 3t 0b 2t 1t 0t");
  sim_clear (&sim);
}

GST_END_TEST;

/* What is not there is replaced by what is, and not by the field itself. */
GST_START_TEST (test_missing_for_second_field)
{
  SpsValues sps = interlaced_sps ();
  Sim sim;

  sim_init (&sim, &sps);
  sim_idr (&sim);
  sim.sh.field_pic_flag = TRUE;
  sim_run (&sim);
  sim_field (&sim, TRUE, P, 1, 0, 1);
  sim_modify (&sim, 0, 2, 1);
  sim_begin (&sim);
  fail_unless (sim.picture.second_field);
  fail_unless_equals_string (sim_list (&sim, 0, 2, 0), "0t? 0t bad");
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_b_fields)
{
  SpsValues sps = interlaced_sps ();
  Sim sim;

  sim_init (&sim, &sps);
  run_fields (&sim, 2); /* POC 0, 1 and 8, 9 */
  sim_field (&sim, FALSE, B, 1, 2, 4);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 4), "0t 0b 1t 1b");
  fail_unless_equals_string (sim_list (&sim, 1, 4, 4), "1t 1b 0t 0b");
  sim_end (&sim);
  sim_field (&sim, TRUE, B, 1, 2, 5);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 5, 5), "0b 2t 1b 0t 1t");
  fail_unless_equals_string (sim_list (&sim, 1, 5, 5), "1b 1t 0b 2t 0t");
  sim_end (&sim);
  /* non-reference fields do not see each other */
  sim_field (&sim, FALSE, B, 0, 3, 6);
  sim_run (&sim);
  sim_field (&sim, TRUE, B, 0, 3, 7);
  sim_begin (&sim);
  fail_unless (sim.picture.second_field);
  fail_unless_equals_string (sim_list (&sim, 0, 6, 6), "2b 2t 0b 0t 1b 1t");
  fail_unless_equals_string (sim_list (&sim, 1, 6, 6), "1b 1t 2b 2t 0b 0t");
  sim_clear (&sim);
}

GST_END_TEST;

/* How the second field of a frame sees the first: by the first one's POC, and as past where it is the same */
GST_START_TEST (test_b_second_field)
{
  SpsValues sps = interlaced_sps ();
  Sim sim;

  sim_init (&sim, &sps);
  run_fields (&sim, 2);
  sim_field (&sim, TRUE, B, 1, 2, 5);
  sim_run (&sim);
  sim_field (&sim, FALSE, B, 1, 2, 4);
  sim_begin (&sim);
  fail_unless (sim.picture.second_field);
  fail_unless_equals_string (sim_list (&sim, 0, 5, 5), "0t 0b 1t 2b 1b");
  fail_unless_equals_string (sim_list (&sim, 1, 5, 5), "1t 2b 0t 1b 0b");
  sim_clear (&sim);
  sim_init (&sim, &sps);
  run_fields (&sim, 2);
  sim_field (&sim, FALSE, B, 1, 2, 4);
  sim_run (&sim);
  sim_field (&sim, TRUE, B, 1, 2, 4);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 5, 5), "0b 2t 1b 0t 1t");
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_modification)
{
  Sim sim;

  sim_init (&sim, &default_sps);
  run_frames (&sim, 4);
  sim_frame (&sim, P, 1, 4, 32);
  sim_begin (&sim);
  sim_modify (&sim, 0, 0, 3); /* 4 - 3 */
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "1 3 2 0");
  sim_modify (&sim, 0, 0, 16); /* 1 again, once around */
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "1 1 3 2");
  sim_modify (&sim, 0, 1, 1);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "1 1 2 3");
  fail_unless_equals_string (sim_list (&sim, 0, 3, 0), "1 1 2");
  /* more changes than entries */
  fail_unless_equals_string (sim_list (&sim, 0, 2, 0), "1 1 bad");
  /* what is not there: PicNum 2 + 7 is above CurrPicNum, so it is 9 - 16 */
  sim_modify (&sim, 0, 1, 7);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "1 1 2 3? bad");
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_long_term)
{
  Sim sim;

  sim_init (&sim, &default_sps);
  run_frames (&sim, 4);
  sim_frame (&sim, P, 1, 4, 32);
  sim_mmco (&sim, 4, 3, 0);
  sim_mmco (&sim, 3, 3, 2); /* frame 1 becomes long-term 2 */
  sim_mmco (&sim, 3, 1, 0); /* frame 3 becomes long-term 0 */
  sim_mmco (&sim, 1, 4, 0); /* frame 0 goes */
  sim_run (&sim);
  fail_unless_equals_int (sim.flags, 0);
  sim_frame (&sim, P, 1, 5, 40);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "4 2 3L 1L");
  sim_modify (&sim, 0, 2, 2);
  sim_modify (&sim, 0, 0, 3); /* 5 - 3 */
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "1L 2 4 3L");
  /* idx 2 goes over from frame 1 to the current one */
  sim_mmco (&sim, 6, 2, 0);
  sim_end (&sim);
  fail_unless_equals_int (sim.flags, 0);
  sim_frame (&sim, B, 1, 6, 20);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 4), "2 4 3L 5L");
  fail_unless_equals_string (sim_list (&sim, 1, 4, 4), "4 2 3L 5L");
  sim_mmco (&sim, 2, 0, 0); /* frame 3 goes */
  sim_end (&sim);
  sim_frame (&sim, P, 1, 7, 48);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "6 4 2 5L");
  sim_mmco (&sim, 4, 2, 0); /* indices 0 and 1 only */
  sim_end (&sim);
  sim_frame (&sim, P, 1, 8, 56);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "7 6 4 2");
  sim_mmco (&sim, 1, 7, 0); /* frame_num 1 is no reference any more */
  sim_mmco (&sim, 2, 1, 0);
  sim_mmco (&sim, 6, 2, 0); /* beyond the indices allowed */
  sim_end (&sim);
  fail_unless (sim.flags & H264_DPB_BAD_MARKING);
  fail_unless (sim.flags & H264_DPB_TOO_MANY_REFERENCES);
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_long_term_idr_and_window)
{
  SpsValues sps = default_sps;
  Sim sim;

  sps.max_num_ref_frames = 2;
  sim_init (&sim, &sps);
  sim_idr (&sim);
  sim.sh.long_term_reference_flag = TRUE;
  sim_run (&sim);
  for (guint i = 1; i < 4; i++) {
    sim_frame (&sim, P, 1, i, 8 * i);
    sim_run (&sim);
    fail_unless_equals_int (sim.flags, 0);
  }
  sim_frame (&sim, P, 1, 4, 32);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 2, 0), "3 0L");
  sim_clear (&sim);
}

GST_END_TEST;

/* Both fields of a frame become one long-term frame, one after the other. */
GST_START_TEST (test_long_term_fields)
{
  SpsValues sps = interlaced_sps ();
  Sim sim;

  sim_init (&sim, &sps);
  run_fields (&sim, 2);
  sim_field (&sim, FALSE, P, 1, 2, 16);
  sim_mmco (&sim, 4, 1, 0);
  sim_mmco (&sim, 3, 4, 0); /* 0t: PicNum 1 = 5 - 4 */
  sim_mmco (&sim, 3, 5, 0); /* 0b: PicNum 0 */
  sim_run (&sim);
  fail_unless_equals_int (sim.flags, 0);
  sim_field (&sim, TRUE, P, 1, 2, 17);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 5, 0), "1b 2t 1t 0bL 0tL");
  sim_modify (&sim, 0, 2, 0); /* LongTermPicNum 0: the field of the other parity */
  fail_unless_equals_string (sim_list (&sim, 0, 5, 0), "0tL 1b 2t 1t 0bL");
  sim_end (&sim);
  sim_frame (&sim, P, 1, 3, 24);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 3, 0), "2 1 0L");
  sim_mmco (&sim, 2, 0, 0);
  sim_end (&sim);
  sim_frame (&sim, P, 1, 4, 32);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 3, 0), "3 2 1");
  sim_clear (&sim);
}

GST_END_TEST;

/* A frame has one LongTermFrameIdx: where its fields are given two, the first one's is lost. */
GST_START_TEST (test_long_term_idx_of_fields)
{
  SpsValues sps = interlaced_sps ();
  Sim sim;

  sim_init (&sim, &sps);
  run_fields (&sim, 2);
  sim_field (&sim, FALSE, P, 1, 2, 16);
  sim_mmco (&sim, 4, 2, 0);
  sim_mmco (&sim, 3, 4, 0);
  sim_mmco (&sim, 3, 5, 1);
  sim_run (&sim);
  sim_field (&sim, TRUE, P, 1, 2, 17);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 5, 0), "1b 2t 1t 0bL 1b?");
  sim_clear (&sim);
}

GST_END_TEST;

/* A frame of which one field is left is none to a frame. */
GST_START_TEST (test_half_a_frame)
{
  SpsValues sps = interlaced_sps ();
  Sim sim;

  sim_init (&sim, &sps);
  run_fields (&sim, 2);
  sim_field (&sim, FALSE, P, 1, 2, 16);
  sim_mmco (&sim, 1, 2, 0); /* 1t: PicNum 3 */
  sim_run (&sim);
  sim_field (&sim, TRUE, P, 1, 2, 17);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "1b 2t 0b 0t");
  sim_end (&sim);
  sim_frame (&sim, P, 1, 3, 24);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 2, 0), "2 0");
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_gap)
{
  SpsValues sps = default_sps;
  Sim sim;

  sps.gaps_allowed = 1;
  sim_init (&sim, &sps);
  run_frames (&sim, 2);
  sim_frame (&sim, P, 1, 4, 32); /* 2 and 3 are inferred */
  sim_begin (&sim);
  fail_unless_equals_int (sim.picture.number, 2);
  fail_unless_equals_int (sim.picture.flags, 0);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "1? 1? 1 0");
  sim_modify (&sim, 0, 0, 3);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "1 1? 1? 0");
  sim_end (&sim);
  /* without a POC they are in no list of a B frame */
  sim_frame (&sim, B, 0, 5, 20);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 2, 2), "1 2");
  sim_clear (&sim);
  /* not allowed: the same, and it is told */
  sps.gaps_allowed = 0;
  sim_init (&sim, &sps);
  run_frames (&sim, 2);
  sim_frame (&sim, P, 1, 4, 32);
  sim_begin (&sim);
  fail_unless_equals_int (sim.picture.flags, H264_DPB_FRAME_NUM_GAP | H264_DPB_UNSURE);
  fail_unless_equals_string (sim_list (&sim, 0, 4, 0), "1? 1? 1 0");
  sim_clear (&sim);
}

GST_END_TEST;

/* The same before a field: both fields of the inferred frames are there, in fields' lists, for the second field too. */
GST_START_TEST (test_gap_before_field)
{
  SpsValues sps = interlaced_sps ();
  Sim sim;

  sps.gaps_allowed = 1;
  sim_init (&sim, &sps);
  run_fields (&sim, 2);
  sim_field (&sim, FALSE, P, 1, 4, 32); /* 2 and 3 are inferred */
  sim_begin (&sim);
  fail_unless_equals_int (sim.picture.number, 2);
  fail_unless_equals_int (sim.picture.flags, 0);
  fail_unless_equals_string (sim_list (&sim, 0, 8, 0), "1t? 1b? 1t? 1b? 1t 1b 0t 0b");
  sim_end (&sim);
  /* the first one's marking has pushed frame 0 out; none is inferred again */
  sim_field (&sim, TRUE, P, 1, 4, 33);
  sim_begin (&sim);
  fail_unless (sim.picture.second_field);
  fail_unless_equals_int (sim.picture.number, 2);
  fail_unless_equals_string (sim_list (&sim, 0, 7, 0), "1b? 2t 1b? 1t? 1b 1t? 1t");
  sim_clear (&sim);
}

GST_END_TEST;

/* Nothing is certain about lists that hold pictures from before a loss. */
GST_START_TEST (test_loss)
{
  SpsValues sps = default_sps;
  Sim sim;

  sim_init (&sim, &sps);
  run_frames (&sim, 2);
  /* 2 is lost: in the lists of a B frame, where frames go by PicOrderCnt, it is thought to lie between its neighbours; 1 stands in */
  sim_frame (&sim, P, 1, 3, 32);
  sim_run (&sim);
  fail_unless_equals_int (sim.flags, H264_DPB_FRAME_NUM_GAP | H264_DPB_UNSURE);
  sim_frame (&sim, B, 0, 4, 20);
  sim_begin (&sim);
  fail_unless_equals_int (sim.picture.flags, H264_DPB_UNSURE);
  fail_unless_equals_string (sim_list (&sim, 0, 2, 1), "1? 1");
  sim_end (&sim);
  /* four references that came later, and the loss is over */
  for (guint i = 4; i < 8; i++) {
    sim_frame (&sim, P, 1, i, 8 * i + 8);
    sim_run (&sim);
    fail_unless_equals_int (sim.flags, i < 7 ? H264_DPB_UNSURE : 0);
  }
  /* the same frame_num again: nobody knows what happened; an IDR picture is a new beginning */
  sim_frame (&sim, P, 1, 7, 72);
  sim_run (&sim);
  fail_unless_equals_int (sim.flags, H264_DPB_REPEATED_FRAME_NUM | H264_DPB_UNSURE);
  sim_frame (&sim, P, 0, 8, 76);
  sim_run (&sim);
  fail_unless_equals_int (sim.flags, H264_DPB_UNSURE);
  sim_idr (&sim);
  sim_run (&sim);
  fail_unless_equals_int (sim.flags, 0);
  /* frames that nothing refers to share their frame_num with the reference behind them */
  sim_frame (&sim, P, 0, 1, 8);
  sim_run (&sim);
  fail_unless_equals_int (sim.flags, 0);
  sim_frame (&sim, P, 1, 1, 16);
  sim_run (&sim);
  fail_unless_equals_int (sim.flags, 0);
  sim_clear (&sim);
}

GST_END_TEST;

/* A gap wider than the window leaves no real frame; of 65000 frames, and across the end of frame_num, it takes no time. */
GST_START_TEST (test_wide_gap)
{
  SpsValues sps = default_sps;
  Sim sim;

  sps.log2_max_frame_num_minus4 = 12;
  sim_init (&sim, &sps);
  run_frames (&sim, 2);
  for (guint i = 0; i < 1000; i++) {
    sim_frame (&sim, P, 1, 65535 - i, 8);
    sim_begin (&sim);
    fail_unless_equals_int (sim.picture.flags & H264_DPB_FRAME_NUM_GAP, H264_DPB_FRAME_NUM_GAP);
    if (i > 0)
      fail_unless (g_str_has_suffix (sim_list (&sim, 0, 1, 0), "?"));
    sim_end (&sim);
  }
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_marking_errors)
{
  SpsValues sps = default_sps;
  Sim sim;

  sps.max_num_ref_frames = 2;
  sim_init (&sim, &sps);
  run_frames (&sim, 2);
  /* an operation that removes nothing leaves three */
  sim_frame (&sim, P, 1, 2, 16);
  sim_mmco (&sim, 4, 0, 0);
  sim_run (&sim);
  fail_unless_equals_int (sim.flags, H264_DPB_TOO_MANY_REFERENCES);
  sim_frame (&sim, P, 1, 3, 24);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 2, 0), "2 1");
  sim_clear (&sim);
}

GST_END_TEST;

static Suite *
h264reflists_suite (void)
{
  Suite *s = suite_create ("h264reflists");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_p_frames);
  tcase_add_test (tc, test_b_frames);
  tcase_add_test (tc, test_p_fields);
  tcase_add_test (tc, test_missing_for_second_field);
  tcase_add_test (tc, test_b_fields);
  tcase_add_test (tc, test_b_second_field);
  tcase_add_test (tc, test_modification);
  tcase_add_test (tc, test_long_term);
  tcase_add_test (tc, test_long_term_idr_and_window);
  tcase_add_test (tc, test_long_term_fields);
  tcase_add_test (tc, test_long_term_idx_of_fields);
  tcase_add_test (tc, test_half_a_frame);
  tcase_add_test (tc, test_gap);
  tcase_add_test (tc, test_gap_before_field);
  tcase_add_test (tc, test_loss);
  tcase_add_test (tc, test_wide_gap);
  tcase_add_test (tc, test_marking_errors);
  return s;
}

GST_CHECK_MAIN (h264reflists);
