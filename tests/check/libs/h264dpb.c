/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Picture order counts and the order of output, on sequences whose results are written down
 */
#include <gst/check/gstcheck.h>
#include "h264sets.h"
#include "h264sim.h"

#define P H264_SLICE_P
#define B H264_SLICE_B
#define I H264_SLICE_I

static void
check_poc (Sim *sim, gint32 top, gint32 bottom)
{
  sim_begin (sim);
  fail_unless_equals_int (sim->picture.poc[0], top);
  fail_unless_equals_int (sim->picture.poc[1], bottom);
  sim_end (sim);
}

GST_START_TEST (test_poc_type_0)
{
  SpsValues sps = default_sps;
  Sim sim;

  sps.log2_max_pic_order_cnt_lsb_minus4 = 0;
  sim_init (&sim, &sps);
  sim_idr (&sim);
  check_poc (&sim, 0, 0);
  sim_frame (&sim, P, 1, 1, 8);
  sim.sh.delta_pic_order_cnt_bottom = -3;
  check_poc (&sim, 8, 5);
  sim_frame (&sim, P, 1, 2, 14);
  check_poc (&sim, 14, 14);
  sim_frame (&sim, P, 1, 3, 2); /* 16 + 2 */
  check_poc (&sim, 18, 18);
  sim_frame (&sim, B, 0, 4, 15); /* back across the wrap; no reference, so it does not count */
  check_poc (&sim, 15, 15);
  sim_frame (&sim, P, 1, 4, 4);
  check_poc (&sim, 20, 20);
  /* half the range: forwards it is none, backwards it is a wrap */
  sim_frame (&sim, P, 1, 5, 12);
  check_poc (&sim, 28, 28);
  sim_frame (&sim, P, 1, 6, 4);
  check_poc (&sim, 36, 36);
  /* operation 5: the picture itself has 38 and 36 while it is decoded, 2 and 0 afterwards */
  sim_frame (&sim, P, 1, 7, 6);
  sim.sh.delta_pic_order_cnt_bottom = -2;
  sim_mmco (&sim, 5, 0, 0);
  check_poc (&sim, 38, 36);
  sim_frame (&sim, P, 1, 1, 10);
  sim_begin (&sim);
  fail_unless_equals_int (sim.picture.flags, 0);
  fail_unless_equals_int (sim.picture.PicOrderCnt, 10);
  fail_unless_equals_string (sim_list (&sim, 0, 1, 0), "8");
  sim_end (&sim);
  sim_clear (&sim);
}

GST_END_TEST;

static void
put_cycle_of_2 (BitWriter *w)
{
  put_u (w, 1, 0);
  put_se (w, -2); /* offset_for_non_ref_pic */
  put_se (w, 1);  /* offset_for_top_to_bottom_field */
  put_ue (w, 2);
  put_se (w, 4);
  put_se (w, 6);
}

GST_START_TEST (test_poc_type_1)
{
  SpsValues sps = default_sps;
  Sim sim;

  sps.pic_order_cnt_type = 1;
  sps.put_poc_type_1 = put_cycle_of_2;
  sps.gaps_allowed = 1;
  sps.interlaced = 1;
  sim_init (&sim, &sps);
  sim_idr (&sim);
  check_poc (&sim, 0, 1);
  sim_frame (&sim, P, 1, 1, 0);
  sim.sh.delta_pic_order_cnt[0] = 100;
  sim.sh.delta_pic_order_cnt[1] = 10;
  check_poc (&sim, 104, 115);
  sim_frame (&sim, P, 1, 2, 0);
  check_poc (&sim, 10, 11);
  sim_frame (&sim, B, 0, 3, 0); /* absFrameNum 2: 10 - 2 */
  check_poc (&sim, 8, 9);
  sim_frame (&sim, P, 1, 3, 0);
  check_poc (&sim, 14, 15);
  sim_frame (&sim, P, 1, 15, 0); /* 7 cycles and 1: 74 */
  check_poc (&sim, 74, 75);
  sim_frame (&sim, P, 1, 0, 0); /* FrameNumOffset 16: 80 */
  check_poc (&sim, 80, 81);
  sim_field (&sim, FALSE, P, 1, 1, 0);
  sim.sh.delta_pic_order_cnt[0] = 3;
  sim_begin (&sim);
  fail_unless_equals_int (sim.picture.poc[0], 87);
  sim_end (&sim);
  sim_field (&sim, TRUE, P, 1, 1, 0);
  check_poc (&sim, 87, 85);
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_poc_type_2)
{
  SpsValues sps = default_sps;
  Sim sim;

  sps.pic_order_cnt_type = 2;
  sps.gaps_allowed = 1;
  sim_init (&sim, &sps);
  sim_idr (&sim);
  sim_begin (&sim);
  fail_unless_equals_int (sim.picture.PicOrderCnt, 0);
  /* output order is decoding order: no delay */
  fail_unless_equals_string (sim_end (&sim), "o0");
  sim_frame (&sim, P, 0, 1, 0);
  check_poc (&sim, 1, 1);
  sim_frame (&sim, P, 1, 1, 0);
  check_poc (&sim, 2, 2);
  sim_frame (&sim, P, 1, 15, 0);
  check_poc (&sim, 30, 30);
  sim_frame (&sim, P, 1, 0, 0);
  check_poc (&sim, 32, 32);
  sim_frame (&sim, P, 1, 1, 0);
  sim_mmco (&sim, 5, 0, 0);
  check_poc (&sim, 34, 34);
  sim_frame (&sim, P, 1, 1, 0);
  check_poc (&sim, 2, 2);
  sim_clear (&sim);
}

GST_END_TEST;

/* VUI with max_num_reorder_frames 1 and max_dec_frame_buffering 4, or 0 and 4 */
static void
put_restriction (BitWriter *w, guint reorder)
{
  put_u (w, 8, 0);
  put_u (w, 1, 1);
  put_u (w, 1, 1);
  for (guint i = 0; i < 4; i++)
    put_ue (w, 0);
  put_ue (w, reorder);
  put_ue (w, 4);
}

static void
put_reorder_1 (BitWriter *w)
{
  put_restriction (w, 1);
}

static void
put_reorder_0 (BitWriter *w)
{
  put_restriction (w, 0);
}

static void
put_reorder_4 (BitWriter *w)
{
  put_restriction (w, 4);
}

GST_START_TEST (test_reorder_from_vui)
{
  SpsValues sps = default_sps;
  Sim sim;

  sps.put_vui = put_reorder_1;
  sim_init (&sim, &sps);
  sim_idr (&sim);
  fail_unless_equals_string (sim_run (&sim), "");
  sim_frame (&sim, P, 1, 1, 8);
  fail_unless_equals_string (sim_run (&sim), "o0");
  sim_frame (&sim, B, 0, 2, 4);
  fail_unless_equals_string (sim_run (&sim), "o2");
  sim_frame (&sim, P, 1, 2, 16);
  fail_unless_equals_string (sim_run (&sim), "o1");
  sim_frame (&sim, B, 0, 3, 12);
  fail_unless_equals_string (sim_run (&sim), "o4");
  fail_unless_equals_int (sim.flags, 0);
  h264_dpb_end_sequence (sim.dpb, FALSE);
  fail_unless_equals_string (sim_actions (&sim), "o3");
  fail_unless (!h264_dpb_take_actions (sim.dpb));
  sim_clear (&sim);
}

GST_END_TEST;

/* Without a VUI a frame waits until its place is needed (C.4.5): level 1.1, CIF: 2 frames. */
GST_START_TEST (test_bumping)
{
  SpsValues sps = default_sps;
  Sim sim;

  sps.level_idc = 11;
  sps.width_in_mbs = 22;
  sps.height_in_map_units = 18;
  sps.max_num_ref_frames = 1;
  sim_init (&sim, &sps);
  sim_idr (&sim);
  fail_unless_equals_string (sim_run (&sim), "");
  sim_frame (&sim, P, 1, 1, 8);
  fail_unless_equals_string (sim_run (&sim), "");
  sim_frame (&sim, B, 0, 2, 4);
  fail_unless_equals_string (sim_run (&sim), "o0");
  /* full, and the first to be output itself: it never takes a place */
  sim_frame (&sim, B, 0, 2, 2);
  fail_unless_equals_string (sim_run (&sim), "o3");
  sim_frame (&sim, P, 1, 2, 16);
  fail_unless_equals_string (sim_run (&sim), "o2");
  sim_frame (&sim, B, 0, 3, 12);
  fail_unless_equals_string (sim_run (&sim), "o1");
  fail_unless_equals_int (sim.flags, 0);
  h264_dpb_end_sequence (sim.dpb, FALSE);
  fail_unless_equals_string (sim_actions (&sim), "o5 o4");
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_intra_profile_has_no_delay)
{
  SpsValues sps = default_sps;
  Sim sim;

  sps.profile_idc = 122;
  sps.constraint_set_flags = 0x10;
  sps.max_num_ref_frames = 0;
  sim_init (&sim, &sps);
  sim_idr (&sim);
  fail_unless_equals_string (sim_run (&sim), "o0");
  sim_frame (&sim, I, 0, 1, 2);
  fail_unless_equals_string (sim_run (&sim), "o1");
  sim_frame (&sim, I, 1, 1, 4);
  fail_unless_equals_string (sim_run (&sim), "o2");
  sim_idr (&sim);
  sim.sh.idr_pic_id = 1;
  fail_unless_equals_string (sim_run (&sim), "o3");
  fail_unless_equals_int (sim.flags, 0);
  sim_clear (&sim);
}

GST_END_TEST;

static void
run_idr_and_p (Sim *sim)
{
  sim_idr (sim);
  fail_unless_equals_string (sim_run (sim), "");
  sim_frame (sim, P, 1, 1, 8);
  fail_unless_equals_string (sim_run (sim), "");
}

GST_START_TEST (test_idr)
{
  Sim sim;

  sim_init (&sim, &default_sps);
  run_idr_and_p (&sim);
  sim_idr (&sim);
  sim.sh.idr_pic_id = 1;
  fail_unless_equals_string (sim_run (&sim), "o0 o1");
  sim_frame (&sim, P, 1, 1, 4); /* a POC below that of frame 1 means nothing now */
  sim_begin (&sim);
  fail_unless_equals_int (sim.picture.number, 3);
  fail_unless_equals_string (sim_list (&sim, 0, 1, 0), "2");
  fail_unless_equals_string (sim_end (&sim), "");
  fail_unless_equals_int (sim.flags, 0);
  sim_idr (&sim);
  sim.sh.no_output_of_prior_pics_flag = TRUE;
  fail_unless_equals_string (sim_run (&sim), "d2 d3");
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_mmco5)
{
  Sim sim;

  sim_init (&sim, &default_sps);
  run_idr_and_p (&sim);
  sim_frame (&sim, P, 1, 2, 16);
  sim_mmco (&sim, 5, 0, 0);
  fail_unless_equals_string (sim_run (&sim), "o0 o1");
  sim_frame (&sim, P, 1, 1, 4);
  fail_unless_equals_string (sim_run (&sim), "");
  fail_unless_equals_int (sim.flags, 0);
  h264_dpb_drain (sim.dpb);
  fail_unless_equals_string (sim_actions (&sim), "o2 o3");
  /* a drain keeps the references */
  sim_frame (&sim, P, 1, 2, 8);
  sim_begin (&sim);
  fail_unless_equals_string (sim_list (&sim, 0, 2, 0), "3 2");
  sim_end (&sim);
  sim_clear (&sim);
}

GST_END_TEST;

/* A VUI that promises no reordering: the late frame goes out at once, and from then on there is more time. */
GST_START_TEST (test_lying_vui)
{
  SpsValues sps = default_sps;
  Sim sim;

  sps.put_vui = put_reorder_0;
  sim_init (&sim, &sps);
  sim_idr (&sim);
  fail_unless_equals_string (sim_run (&sim), "o0");
  sim_frame (&sim, P, 1, 1, 8);
  fail_unless_equals_string (sim_run (&sim), "o1");
  sim_frame (&sim, B, 0, 2, 4);
  fail_unless_equals_string (sim_run (&sim), "o2");
  fail_unless_equals_int (sim.flags, H264_DPB_LATE);
  sim_frame (&sim, P, 1, 2, 16);
  fail_unless_equals_string (sim_run (&sim), "");
  sim_frame (&sim, B, 0, 3, 12);
  fail_unless_equals_string (sim_run (&sim), "o4");
  fail_unless_equals_int (sim.flags, 0);
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_fields)
{
  SpsValues sps = default_sps;
  Sim sim;

  sps.interlaced = 1;
  sps.put_vui = put_reorder_0;
  sim_init (&sim, &sps);
  sim_idr (&sim);
  sim.sh.field_pic_flag = sim.sh.bottom_field_flag = TRUE;
  fail_unless_equals_string (sim_run (&sim), "");
  fail_unless_equals_int (sim.picture.structure, H264_BOTTOM_FIELD);
  sim_field (&sim, FALSE, P, 1, 0, 1);
  sim_begin (&sim);
  fail_unless (sim.picture.second_field);
  fail_unless_equals_int (sim.picture.PicOrderCnt, 1);
  fail_unless_equals_string (sim_end (&sim), "o0");
  /* a field without its other one: it ends when the next frame begins */
  sim_field (&sim, FALSE, P, 1, 1, 8);
  fail_unless_equals_string (sim_run (&sim), "");
  sim_field (&sim, FALSE, P, 1, 2, 16);
  sim_begin (&sim);
  fail_if (sim.picture.second_field);
  /* there were pairs before, so its partner is lost */
  fail_unless_equals_int (sim.picture.flags, H264_DPB_UNPAIRED_FIELD | H264_DPB_FIELD_LOST | H264_DPB_UNSURE);
  fail_unless (sim.picture.unpaired != H264_NO_FRAME);
  fail_unless_equals_string (sim_end (&sim), "o1");
  /* the other parity, but of the next frame_num */
  sim_field (&sim, TRUE, P, 1, 3, 25);
  sim_begin (&sim);
  fail_unless_equals_int (sim.picture.number, 3);
  fail_unless_equals_string (sim_end (&sim), "o2");
  /* a reference field does not complete the frame of a non-reference one */
  sim_field (&sim, FALSE, B, 0, 4, 32);
  sim_run (&sim);
  sim_field (&sim, TRUE, P, 1, 4, 33);
  sim_begin (&sim);
  fail_if (sim.picture.second_field);
  sim_end (&sim);
  /* the end of the stream ends a lone field */
  h264_dpb_end_sequence (sim.dpb, FALSE);
  fail_unless_equals_string (sim_actions (&sim), "o5");
  sim_clear (&sim);
}

GST_END_TEST;

/* A non-reference pair that finds the DPB full goes out when its second field is there. */
GST_START_TEST (test_direct_output_of_fields)
{
  SpsValues sps = default_sps;
  Sim sim;

  sps.interlaced = 1;
  sps.level_idc = 11;
  sps.width_in_mbs = 22;
  sps.height_in_map_units = 9;
  sps.max_num_ref_frames = 2;
  sim_init (&sim, &sps);
  run_idr_and_p (&sim);
  sim_field (&sim, FALSE, B, 0, 2, 4);
  fail_unless_equals_string (sim_run (&sim), "o0");
  sim_field (&sim, TRUE, B, 0, 2, 5);
  fail_unless_equals_string (sim_run (&sim), "o2");
  fail_unless_equals_int (sim.flags, 0);
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_start_without_idr)
{
  Sim sim;

  sim_init (&sim, &default_sps);
  sim_frame (&sim, I, 0, 9, 40);
  sim_begin (&sim);
  fail_unless_equals_int (sim.picture.flags, H264_DPB_NO_IDR);
  sim_end (&sim);
  sim_frame (&sim, P, 1, 9, 44);
  sim_begin (&sim);
  fail_unless_equals_int (sim.picture.flags, 0);
  fail_unless_equals_string (sim_list (&sim, 0, 1, 0), "0?");
  sim_end (&sim);
  /* a flush forgets everything, but no number is given twice */
  h264_dpb_flush (sim.dpb);
  fail_unless (!h264_dpb_take_actions (sim.dpb));
  sim_frame (&sim, P, 1, 3, 0);
  sim_begin (&sim);
  fail_unless_equals_int (sim.picture.flags, H264_DPB_NO_IDR);
  fail_unless_equals_int (sim.picture.number, 2);
  fail_unless (g_str_has_suffix (sim_list (&sim, 0, 1, 0), "?"));
  sim_end (&sim);
  sim_clear (&sim);
}

GST_END_TEST;

GST_START_TEST (test_new_sps)
{
  SpsValues sps = default_sps;
  const gchar *error = NULL;
  H264Pps *pps;
  Sim sim;

  sim_init (&sim, &sps);
  run_idr_and_p (&sim);
  pps = h264_pps_ref (sim.pps);
  sps.width_in_mbs = 5;
  add_set (sim.sets, make_sps (&sps));
  sim.pps = h264_param_sets_get_pps (sim.sets, 0, &error);
  sim_idr (&sim);
  fail_unless_equals_string (sim_run (&sim), "o0 o1");
  /* another size without an IDR picture is a new start */
  sim.pps = pps;
  sim_frame (&sim, P, 1, 1, 8);
  sim_begin (&sim);
  fail_unless_equals_int (sim.picture.flags, H264_DPB_NO_IDR);
  fail_unless_equals_string (sim_end (&sim), "o2");
  h264_pps_unref (pps);
  sim_clear (&sim);
}

GST_END_TEST;

/* Random headers: whatever comes, each frame is output or discarded exactly once, and the buffer stays within its bounds. */
static void
run_random (guint32 seed)
{
  SpsValues sps = default_sps;
  GRand *rand = g_rand_new_with_seed (seed);
  GHashTable *open = g_hash_table_new (NULL, NULL);
  GArray *actions;
  Sim sim;

  sps.interlaced = seed & 1;
  sps.gaps_allowed = seed >> 1 & 1;
  sps.max_num_ref_frames = g_rand_int_range (rand, 0, 17);
  sps.put_vui = seed & 4 ? put_reorder_4 : NULL;
  sim_init (&sim, &sps);
  for (guint i = 0; i < 400; i++) {
    guint slice_type = g_rand_int_range (rand, 0, 2), ref = g_rand_int_range (rand, 0, 2);

    if (g_rand_int_range (rand, 0, 40) == 0)
      sim_idr (&sim);
    else if (sps.interlaced && g_rand_int_range (rand, 0, 3) > 0)
      sim_field (&sim, i & 1, slice_type, ref, i / 2 % 16, g_rand_int_range (rand, 0, 256));
    else
      sim_frame (&sim, slice_type, ref, g_rand_int_range (rand, 0, 16), g_rand_int_range (rand, 0, 256));
    sim.sh.no_output_of_prior_pics_flag = g_rand_int_range (rand, 0, 2);
    for (gint n = g_rand_int_range (rand, -3, 7); ref && n > 0 && !sim.sh.IdrPicFlag; n--)
      sim_mmco (&sim, g_rand_int_range (rand, 1, 7), g_rand_int_range (rand, 0, 16), g_rand_int_range (rand, 0, 16));
    for (gint n = g_rand_int_range (rand, -10, 40); n > 0; n--)
      sim_modify (&sim, n & 1, g_rand_int_range (rand, 0, 3), g_rand_int_range (rand, 1, 16));
    sim_begin (&sim);
    if (!sim.picture.second_field)
      fail_unless (g_hash_table_add (open, GUINT_TO_POINTER (sim.picture.number + 1)));
    (void) sim_list (&sim, 1, g_rand_int_range (rand, 1, 33), g_rand_int_range (rand, 1, 33));
    h264_dpb_end_picture (sim.dpb, &sim.sh);
    fail_unless (sim.dpb->n_frames <= H264_DPB_MAX_FRAMES + 1);
    if (i == 399)
      h264_dpb_end_sequence (sim.dpb, FALSE);
    actions = h264_dpb_take_actions (sim.dpb);
    for (guint j = 0; actions && j < actions->len; j++)
      fail_unless (g_hash_table_remove (open, GUINT_TO_POINTER (g_array_index (actions, GstCodedAction, j).number + 1)));
    g_clear_pointer (&actions, g_array_unref);
  }
  fail_unless_equals_int (g_hash_table_size (open), 0);
  fail_unless_equals_int (sim.dpb->n_frames, 0);
  sim_clear (&sim);
  g_hash_table_unref (open);
  g_rand_free (rand);
}

GST_START_TEST (test_random)
{
  for (guint32 seed = 0; seed < 100; seed++)
    run_random (seed);
}

GST_END_TEST;

static Suite *
h264dpb_suite (void)
{
  Suite *s = suite_create ("h264dpb");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_poc_type_0);
  tcase_add_test (tc, test_poc_type_1);
  tcase_add_test (tc, test_poc_type_2);
  tcase_add_test (tc, test_reorder_from_vui);
  tcase_add_test (tc, test_bumping);
  tcase_add_test (tc, test_intra_profile_has_no_delay);
  tcase_add_test (tc, test_idr);
  tcase_add_test (tc, test_mmco5);
  tcase_add_test (tc, test_lying_vui);
  tcase_add_test (tc, test_fields);
  tcase_add_test (tc, test_direct_output_of_fields);
  tcase_add_test (tc, test_start_without_idr);
  tcase_add_test (tc, test_new_sps);
  tcase_add_test (tc, test_random);
  return s;
}

GST_CHECK_MAIN (h264dpb);
