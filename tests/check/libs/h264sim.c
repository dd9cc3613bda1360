/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include "h264sets.h"
#include "h264sim.h"

void
sim_init (Sim *sim, const SpsValues *sps)
{
  PpsValues pps = { .id = 0 };
  const gchar *error = NULL;

  memset (sim, 0, sizeof (*sim));
  sim->sets = make_param_sets (sps, &pps);
  sim->pps = h264_param_sets_get_pps (sim->sets, 0, &error);
  fail_unless (sim->pps != NULL, "%s", error);
  sim->dpb = h264_dpb_new ();
}

void
sim_clear (Sim *sim)
{
  h264_dpb_free (sim->dpb);
  h264_param_sets_free (sim->sets);
}

void
sim_frame (Sim *sim, guint slice_type, guint nal_ref_idc, guint frame_num, guint lsb)
{
  memset (&sim->sh, 0, sizeof (sim->sh));
  sim->sh.pps = sim->pps;
  sim->sh.slice_type = slice_type;
  sim->sh.nal_ref_idc = nal_ref_idc;
  sim->sh.frame_num = sim->sh.CurrPicNum = frame_num;
  sim->sh.MaxPicNum = sim->pps->sps->MaxFrameNum;
  sim->sh.pic_order_cnt_lsb = lsb;
}

void
sim_field (Sim *sim, gboolean bottom, guint slice_type, guint nal_ref_idc, guint frame_num, guint lsb)
{
  sim_frame (sim, slice_type, nal_ref_idc, frame_num, lsb);
  sim->sh.field_pic_flag = TRUE;
  sim->sh.bottom_field_flag = bottom;
  sim->sh.CurrPicNum = 2 * frame_num + 1;
  sim->sh.MaxPicNum *= 2;
}

void
sim_idr (Sim *sim)
{
  sim_frame (sim, H264_SLICE_I, 1, 0, 0);
  sim->sh.IdrPicFlag = TRUE;
}

void
sim_mmco (Sim *sim, guint operation, guint a, guint b)
{
  H264Mmco *mmco = &sim->sh.mmco[sim->sh.n_mmco++];

  sim->sh.adaptive_ref_pic_marking_mode_flag = TRUE;
  mmco->memory_management_control_operation = operation;
  if (operation == 1 || operation == 3)
    mmco->difference_of_pic_nums = a;
  if (operation == 2)
    mmco->long_term_pic_num = a;
  if (operation == 3 || operation == 6)
    mmco->long_term_frame_idx = operation == 3 ? b : a;
  if (operation == 4)
    mmco->max_long_term_frame_idx_plus1 = a;
}

void
sim_modify (Sim *sim, guint list, guint idc, guint value)
{
  sim->sh.modifications[list][sim->sh.n_modifications[list]++] = (H264ListModification){ idc, value };
}

void
sim_begin (Sim *sim)
{
  h264_dpb_begin_picture (sim->dpb, &sim->sh, &sim->picture);
}

const gchar *
sim_list (Sim *sim, guint list, guint n0, guint n1)
{
  GString *s = g_string_new (NULL);
  H264RefLists lists;
  gboolean ok;

  sim->sh.num_ref_idx_active[0] = n0;
  sim->sh.num_ref_idx_active[1] = n1;
  ok = h264_dpb_get_ref_lists (sim->dpb, &sim->sh, &lists);
  for (guint i = 0; i < lists.n[list]; i++) {
    const H264RefPic *pic = &lists.list[list][i];

    g_string_append_printf (s, "%s%u%s%s%s", i > 0 ? " " : "", pic->number,
        pic->structure == H264_FRAME           ? ""
            : pic->structure == H264_TOP_FIELD ? "t"
                                               : "b",
        pic->long_term ? "L" : "", pic->missing ? "?" : "");
  }
  if (!ok)
    g_string_append (s, " bad");
  g_strlcpy (sim->text, s->str, sizeof (sim->text));
  g_string_free (s, TRUE);
  return sim->text;
}

const gchar *
sim_actions (Sim *sim)
{
  GString *s = g_string_new (NULL);
  GArray *actions = h264_dpb_take_actions (sim->dpb);

  for (guint i = 0; actions && i < actions->len; i++) {
    const GstCodedAction *action = &g_array_index (actions, GstCodedAction, i);

    g_string_append_printf (s, "%s%c%u", i > 0 ? " " : "", action->output ? 'o' : 'd', action->number);
  }
  g_clear_pointer (&actions, g_array_unref);
  g_strlcpy (sim->text, s->str, sizeof (sim->text));
  g_string_free (s, TRUE);
  return sim->text;
}

const gchar *
sim_end (Sim *sim)
{
  sim->flags = h264_dpb_end_picture (sim->dpb, &sim->sh);
  return sim_actions (sim);
}

const gchar *
sim_run (Sim *sim)
{
  sim_begin (sim);
  return sim_end (sim);
}
