/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Sequences of pictures for the tests of the DPB: headers without any bitstream; results as text.
 */
#pragma once

#include "h264reflists.h"
#include "h264writer.h"

typedef struct
{
  H264ParamSets *sets;
  H264Pps *pps;
  H264Dpb *dpb;
  H264SliceHeader sh;     /* of the next picture */
  H264DpbPicture picture; /* begun last */
  guint flags;            /* of the picture ended last */
  gchar text[1024];
} Sim;

void sim_init (Sim *sim, const SpsValues *sps);
void sim_clear (Sim *sim);

/* A new header, all else 0: then set what the test is about.  frame_num of a field gets its CurrPicNum from sim_field(). */
void sim_frame (Sim *sim, guint slice_type, guint nal_ref_idc, guint frame_num, guint lsb);
void sim_field (Sim *sim, gboolean bottom, guint slice_type, guint nal_ref_idc, guint frame_num, guint lsb);
void sim_idr (Sim *sim);
void sim_mmco (Sim *sim, guint operation, guint a, guint b);
void sim_modify (Sim *sim, guint list, guint idc, guint value);

void sim_begin (Sim *sim);
/* A list of the picture begun: frame numbers; t or b for a field, L for long-term, ? for missing.  Asks for up to @n entries. */
const gchar *sim_list (Sim *sim, guint list, guint n0, guint n1);
/* Ends the picture; actions since the last ones: oN output, dN discard */
const gchar *sim_end (Sim *sim);
/* Both */
const gchar *sim_run (Sim *sim);
const gchar *sim_actions (Sim *sim);
