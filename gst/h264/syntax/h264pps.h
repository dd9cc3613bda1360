/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Picture parameter sets (7.3.2.2).  Members have the names of the syntax elements; those written _minus are stored as the value meant.
 */
#pragma once

#include "h264sps.h"

G_BEGIN_DECLS

/**
 * H264Pps:
 * @sps: the SPS it was parsed with; the PPS holds a reference
 * @num_slice_groups: 1 to 8
 * @run_length: slice_group_map_type 0: run_length_minus1 + 1
 * @SliceGroupChangeRate: slice_group_map_type 3 to 5
 * @slice_group_id: (nullable): slice_group_map_type 6: one a map unit, below num_slice_groups
 * @num_ref_idx_default_active: of list 0 and list 1, 1 to 32
 * @pic_init_qp: 26 + pic_init_qp_minus26
 * @chroma_qp_index_offset: of Cb and Cr (second_chroma_qp_index_offset)
 * @scales: the weightScale matrices in force, transposed
 *
 * Reference counted, and never changed once parsed.
 */
typedef struct
{
  H264Sps *sps;
  guint8 pic_parameter_set_id;
  guint8 seq_parameter_set_id;
  gboolean entropy_coding_mode_flag;
  gboolean bottom_field_pic_order_in_frame_present_flag;
  guint8 num_slice_groups;
  guint8 slice_group_map_type;
  guint32 run_length[8];
  guint32 top_left[8], bottom_right[8];
  gboolean slice_group_change_direction_flag;
  guint32 SliceGroupChangeRate;
  guint8 *slice_group_id;
  guint8 num_ref_idx_default_active[2];
  gboolean weighted_pred_flag;
  guint8 weighted_bipred_idc;
  gint8 pic_init_qp;
  gint8 pic_init_qs;
  gint8 chroma_qp_index_offset[2];
  gboolean deblocking_filter_control_present_flag;
  gboolean constrained_intra_pred_flag;
  gboolean redundant_pic_cnt_present_flag;
  gboolean transform_8x8_mode_flag;
  gboolean pic_scaling_matrix_present_flag;
  H264WeightScales scales;
} H264Pps;

/* (transfer full) (nullable): the PPS of a NAL unit's RBSP, read as @sps asks, which must be the one it names. */
H264Pps *h264_pps_new (const H264Rbsp *rbsp, H264Sps *sps, const gchar **error);
H264Pps *h264_pps_ref (H264Pps *pps);
void h264_pps_unref (H264Pps *pps);

/* The matrices in force for a slice; those of a colour plane of its own (separate_colour_plane_flag) stand at Y's place. */
void h264_pps_get_weight_scales (const H264Pps *pps, guint colour_plane_id, H264WeightScales *scales);

G_END_DECLS
