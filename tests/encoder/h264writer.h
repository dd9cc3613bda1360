/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Writes hand-made bitstreams for the tests of the H.264 syntax: a bit writer, and the parameter sets with every element at a plain value
 * but those that a test sets.
 */
#pragma once

#include <glib.h>
#include "h264paramsets.h"

/* Bits of an RBSP as they come */
typedef struct
{
  GByteArray *bytes;
  guint n_bits;
} BitWriter;

void bit_writer_init (BitWriter *w);
void put_u (BitWriter *w, guint n, guint32 value);
void put_ue (BitWriter *w, guint32 value);
void put_se (BitWriter *w, gint32 value);
/* Ends the RBSP and gives the NAL unit, header byte first, escaped (7.4.1); frees @w. */
GByteArray *bit_writer_to_nal (BitWriter *w, guint nal_ref_idc, guint nal_unit_type);

typedef struct
{
  guint profile_idc, constraint_set_flags, level_idc, id;
  guint chroma_format_idc, separate_colour_plane_flag, bit_depth_luma_minus8, bit_depth_chroma_minus8, lossless;
  void (*put_scaling_lists) (BitWriter *w); /* NULL: seq_scaling_matrix_present_flag 0 */
  guint log2_max_frame_num_minus4;
  guint pic_order_cnt_type, log2_max_pic_order_cnt_lsb_minus4;
  void (*put_poc_type_1) (BitWriter *w);
  guint max_num_ref_frames, gaps_allowed;
  guint width_in_mbs, height_in_map_units;
  guint interlaced, mbaff; /* !frame_mbs_only_flag */
  guint no_direct_8x8_inference;
  guint crop[4]; /* left, right, top, bottom; all 0: no flag */
  void (*put_vui) (BitWriter *w);
} SpsValues;

#define MAX_MAP_UNITS 64

/**
 * SliceGroups:
 * @type: slice_group_map_type
 * @width, @height: of a picture in slice group map units
 * @n: num_slice_groups_minus1 + 1
 * @run_length: of type 0: run_length_minus1 + 1
 * @top_left, @bottom_right: of type 2
 * @change_direction, @change_rate: of types 3 to 5: slice_group_change_direction_flag, SliceGroupChangeRate
 * @ids: of type 6: slice_group_id
 */
typedef struct
{
  guint type, width, height, n;
  guint run_length[8], top_left[8], bottom_right[8];
  guint change_direction, change_rate;
  guint8 ids[MAX_MAP_UNITS];
} SliceGroups;

/* The elements behind num_slice_groups_minus1 (7.3.2.2) */
void put_slice_group_elements (BitWriter *w, const SliceGroups *groups);

typedef struct
{
  guint id, sps_id, cabac, bottom_field_pic_order;
  guint num_slice_groups_minus1;
  const SliceGroups *slice_groups; /* where they are, put_slice_groups is NULL */
  void (*put_slice_groups) (BitWriter *w);
  guint num_ref_idx_minus1[2];
  guint weighted_pred_flag, weighted_bipred_idc;
  gint pic_init_qp_minus26, pic_init_qs_minus26, chroma_qp_index_offset;
  guint deblocking_control, constrained_intra, redundant;
  guint extension; /* the rest is there */
  guint transform_8x8;
  void (*put_scaling_lists) (BitWriter *w);
  gint second_chroma_qp_index_offset;
} PpsValues;

/* High profile, 4:2:0, 8 bits, 4x3 macroblocks, frames, POC type 0 of 8 bits, frame_num of 4 bits, 4 reference frames */
extern const SpsValues default_sps;

/* A VUI with every element but VCL HRD parameters: SpsValues.put_vui */
void put_full_vui (BitWriter *w);

GByteArray *make_sps (const SpsValues *v);
GByteArray *make_pps (const PpsValues *v);
