/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Slice headers (7.3.3).  Members have the names of the syntax elements; those written _minus are stored as the value meant.
 */
#pragma once

#include "h264paramsets.h"

G_BEGIN_DECLS

/* slice_type modulo 5 (Table 7-6) */
enum
{
  H264_SLICE_P = 0,
  H264_SLICE_B = 1,
  H264_SLICE_I = 2,
  H264_SLICE_SP = 3,
  H264_SLICE_SI = 4,
};

/* A list change or a marking operation is one of at most 32 fields each; room for every one twice, and the end */
#define H264_MAX_LIST_MODIFICATIONS 66
#define H264_MAX_MMCO 66

typedef struct
{
  guint8 modification_of_pic_nums_idc; /* 0 to 2 */
  guint32 value;                       /* 0, 1: abs_diff_pic_num_minus1 + 1; 2: long_term_pic_num */
} H264ListModification;

typedef struct
{
  guint8 memory_management_control_operation; /* 1 to 6 (Table 7-9) */
  guint32 difference_of_pic_nums;             /* 1, 3: difference_of_pic_nums_minus1 + 1 */
  guint32 long_term_pic_num;                  /* 2 */
  guint32 long_term_frame_idx;                /* 3, 6 */
  guint32 max_long_term_frame_idx_plus1;      /* 4 */
} H264Mmco;

/* pred_weight_table() (7.3.3.2), with the values inferred where a flag is 0; index: list, refIdx, and Y, Cb, Cr */
typedef struct
{
  guint8 luma_log2_weight_denom, chroma_log2_weight_denom;
  gint16 weight[2][32][3];
  gint16 offset[2][32][3];
} H264PredWeightTable;

/**
 * H264SliceHeader:
 * @pps: (transfer none): the active PPS, with its SPS; valid until the parameter sets change
 * @IdrPicFlag: nal_unit_type 5
 * @slice_type: modulo 5
 * @slice_types_agree: slice_type was 5 to 9: all slices of the picture are of this type
 * @num_ref_idx_active: of both lists, 0 where the slice type has no such list
 * @modifications: ref_pic_list_modification(), without the final 3
 * @mmco: dec_ref_pic_marking(), without the final 0
 * @slice_id: of data partitions (7.3.2.9.1)
 * @MbaffFrameFlag: mb_adaptive_frame_field_flag of a frame
 * @PicHeightInMbs: of the frame or field
 * @SliceQPY: 26 + pic_init_qp_minus26 + slice_qp_delta: may be negative above 8 bits
 * @FilterOffsetA: slice_alpha_c0_offset_div2 * 2
 * @MapUnitsInSliceGroup0: of slice group types 3 to 5
 * @header_bits: where slice_data() begins, in the RBSP
 */
typedef struct
{
  H264Pps *pps;
  guint8 nal_unit_type;
  guint8 nal_ref_idc;
  gboolean IdrPicFlag;

  guint32 first_mb_in_slice;
  guint8 slice_type;
  gboolean slice_types_agree;
  guint8 pic_parameter_set_id;
  guint8 colour_plane_id;
  guint32 frame_num;
  gboolean field_pic_flag, bottom_field_flag;
  guint16 idr_pic_id;
  guint32 pic_order_cnt_lsb;
  gint32 delta_pic_order_cnt_bottom;
  gint32 delta_pic_order_cnt[2];
  guint8 redundant_pic_cnt;
  gboolean direct_spatial_mv_pred_flag;
  guint8 num_ref_idx_active[2];
  guint8 n_modifications[2];
  H264ListModification modifications[2][H264_MAX_LIST_MODIFICATIONS];
  gboolean has_pred_weight_table;
  H264PredWeightTable pred_weight_table;
  gboolean no_output_of_prior_pics_flag, long_term_reference_flag;
  gboolean adaptive_ref_pic_marking_mode_flag;
  guint8 n_mmco;
  H264Mmco mmco[H264_MAX_MMCO];
  guint8 cabac_init_idc;
  gboolean sp_for_switch_flag;
  gint8 QSY;
  guint8 disable_deblocking_filter_idc;
  guint32 slice_group_change_cycle;
  guint32 slice_id;

  gboolean MbaffFrameFlag;
  guint PicHeightInMbs;
  guint PicSizeInMbs;
  guint32 MaxPicNum, CurrPicNum;
  gint8 SliceQPY;
  gint8 FilterOffsetA, FilterOffsetB;
  guint32 MapUnitsInSliceGroup0;
  gsize header_bits;
} H264SliceHeader;

/* Reads the header of a slice (types 1, 2, 5) of @nal, whose RBSP @bits is about to read; leaves @bits where slice_data() begins (behind
 * slice_id in partition A).  FALSE and @error where something is out of range, or a parameter set is missing. */
gboolean h264_slice_header_parse (H264SliceHeader *sh, const H264Nal *nal, H264Bits *bits, H264ParamSets *sets, const gchar **error);

/* Whether @sh is the first slice of a new primary coded picture, given the slice @last before it (7.4.1.2.4).  Neither is of a redundant
 * picture: those (redundant_pic_cnt above 0) are to be dropped before.  Looks at no parameter set. */
gboolean h264_slice_begins_picture (const H264SliceHeader *last, const H264SliceHeader *sh);

/* mbAddr of the first macroblock (7.4.3): in MBAFF frames first_mb_in_slice counts pairs. */
static inline guint
h264_slice_first_mb (const H264SliceHeader *sh)
{
  return sh->first_mb_in_slice << (sh->MbaffFrameFlag ? 1 : 0);
}

static inline gboolean
h264_slice_type_is_intra (guint slice_type)
{
  return slice_type == H264_SLICE_I || slice_type == H264_SLICE_SI;
}

/* Of the Extended profile alone (A.2.3) */
static inline gboolean
h264_slice_is_switching (const H264SliceHeader *sh)
{
  return sh->slice_type == H264_SLICE_SP || sh->slice_type == H264_SLICE_SI;
}

G_END_DECLS
