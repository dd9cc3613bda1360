/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A coded picture as a model: its macroblocks with all of their syntax elements, where they and their neighbours are (ITU-T H.264, 6.4),
 * and the samples that it decodes to.  Writers make slices of it (slicewriter.h), reconstruction its samples (reconstruction.h); nothing
 * here is the decoder's code, but for the tables of codes and scans.
 */
#pragma once

#include "h264writer.h"

/* mb_type: those of I slices as in Table 7-11, behind them those of P slices (Table 7-13) and of B slices (Table 7-14) */
#define MB_TYPE_I_NxN 0
#define MB_TYPE_I_PCM 25
/* @mode: Intra16x16PredMode */
#define MB_TYPE_I_16x16(mode, cbp) (1 + (mode) + 4 * ((cbp) >> 4) + ((cbp) % 16 ? 12 : 0))
#define MB_TYPE_P_L0_16x16 32
#define MB_TYPE_P_L0_L0_16x8 33
#define MB_TYPE_P_L0_L0_8x16 34
#define MB_TYPE_P_8x8 35
#define MB_TYPE_P_Skip 36
#define MB_TYPE_B_Direct_16x16 64
#define MB_TYPE_B_L0_16x16 65
#define MB_TYPE_B_L0_L0_16x8 68 /* then 8x16, and so on in turn up to B_Bi_Bi_8x16 */
#define MB_TYPE_B_8x8 86
#define MB_TYPE_B_Skip 87

typedef struct ModelFrame ModelFrame;

/* A reference picture: a frame, or one of its fields */
typedef struct
{
  const ModelFrame *frame;
  gint parity; /* 0: the top field, 1: the bottom one, -1: the frame */
} ModelReference;

/**
 * ModelMb:
 * @slice: number of its slice: macroblocks are neighbours within one
 * @field: of an MBAFF frame: mb_field_decoding_flag
 * @cbp: CodedBlockPatternLuma | CodedBlockPatternChroma << 4
 * @pred_modes: Intra4x4PredMode by luma4x4BlkIdx; Intra8x8PredMode in all four of a block
 * @sub_mb_type: of P_8x8 and B_8x8, as in Tables 7-17 and 7-18
 * @ref_idx: refIdxL0 and refIdxL1 by mbPartIdx of 8x8 samples; -1 where the list is not used, and in intra macroblocks
 * @references: the pictures that those are
 * @mv, @mvd: mvL0, mvL1 and their differences from the prediction, by luma4x4BlkIdx, in quarter samples
 * @dc: Intra16x16DCLevel (all planes in 4:4:4), or ChromaDCLevel (planes 1, 2)
 * @blocks: levels of 4x4 blocks by blkIdx; where the block has a DC level elsewhere, [0] is not used
 * @blocks_8x8: levels of 8x8 blocks
 * @pcm: samples
 * @total_coeff: as the CAVLC writer has coded them
 *
 * Levels stand in the order of the inverse scan's input, lowest frequency first.
 */
typedef struct
{
  guint mb_type;
  guint slice;
  gboolean field;
  gboolean transform_size_8x8_flag;
  guint cbp;
  gint mb_qp_delta;
  gint QPY;
  guint8 pred_modes[16];
  guint intra_chroma_pred_mode;
  guint sub_mb_type[4];
  gint ref_idx[2][4];
  ModelReference references[2][4];
  gint mv[2][16][2], mvd[2][16][2];
  gint32 dc[3][16];
  gint32 blocks[3][16][16];
  gint32 blocks_8x8[3][4][64];
  guint16 pcm[768];
  guint total_coeff[3][16];
} ModelMb;

/* Samples of a plane, or of one field of it */
typedef struct
{
  guint16 *samples;
  gint width, height, stride;
} ModelPlane;

/**
 * ModelFrame:
 * @poc: TopFieldOrderCnt, BottomFieldOrderCnt
 * @in_fields: it was coded as two fields
 * @mbs: its macroblocks, by colour_plane_id, and by parity where it was coded as fields
 */
struct ModelFrame
{
  ModelPlane planes[3];
  gint poc[2];
  guint frame_num;
  gboolean in_fields;
  ModelMb *mbs[3][2];
};

#define MODEL_MAX_REFERENCES 8
#define MODEL_MAX_SLICES 512

/* pred_weight_table () of one reference picture and plane */
typedef struct
{
  gint weight, offset;
} ModelWeight;

/**
 * ModelSlice:
 * @filter_offsets: FilterOffsetA, FilterOffsetB: even
 * @n_lists: reference lists: 0 in I slices, 1 in P, 2 in B
 * @n_references: num_ref_idx_lX_active_minus1 + 1
 * @references: RefPicListX
 * @modified: ref_pic_list_modification_flag_lX: all entries are in the data
 * @log2_denom: luma_log2_weight_denom, chroma_log2_weight_denom
 * @weights: by list, refIdxLXWP and plane
 */
typedef struct
{
  guint disable_deblocking_filter_idc;
  gint filter_offsets[2];
  guint n_lists;
  guint n_references[2];
  ModelReference references[2][MODEL_MAX_REFERENCES];
  gboolean modified[2];
  gboolean direct_spatial_mv_pred;
  guint log2_denom[2];
  ModelWeight weights[2][MODEL_MAX_REFERENCES][3];
} ModelSlice;

/**
 * PictureModel:
 * @field, @bottom: field_pic_flag, bottom_field_flag
 * @mbaff: MbaffFrameFlag: macroblocks stand in pairs
 * @width, @height: in macroblocks
 * @max_level: of random levels: greatest magnitude
 * @idr: nal_unit_type is 5
 * @poc: PicOrderCnt () of it: of a frame the lower one
 * @frame: which it is, or is a field of
 * @colour_plane_id: of a picture that is one colour plane (separate_colour_plane_flag), whose only plane is planes[0] here
 * @slice_group_change_cycle: of slice group types 3 to 5; @slice_group_change_bits: its length, 0 where it is not there
 * @slices: by ModelMb.slice; read where the PPS has deblocking_filter_control_present_flag
 * @planes: what it is reconstructed to: of a field, its own lines
 */
typedef struct
{
  SpsValues sps;
  PpsValues pps;
  guint ChromaArrayType;
  gboolean field, bottom, mbaff;
  guint width, height, n_mbs;
  gint SliceQPY;
  gint32 max_level;
  gboolean idr;
  guint nal_ref_idc, frame_num, idr_pic_id, pic_order_cnt_lsb, colour_plane_id, cabac_init_idc;
  gint delta_pic_order_cnt_bottom, poc;
  guint slice_group_change_cycle, slice_group_change_bits;
  const ModelFrame *frame;
  ModelPlane planes[3];
  ModelMb *mbs;
  ModelSlice slices[MODEL_MAX_SLICES];
} PictureModel;

static inline gboolean
model_is_intra (const ModelMb *mb)
{
  return mb->mb_type <= MB_TYPE_I_PCM;
}

static inline gboolean
model_is_skip (const ModelMb *mb)
{
  return mb->mb_type == MB_TYPE_P_Skip || mb->mb_type == MB_TYPE_B_Skip;
}

/* Whether the 8x8 samples of @mbPartIdx are predicted directly */
static inline gboolean
model_is_direct (const ModelMb *mb, guint mbPartIdx)
{
  return mb->mb_type == MB_TYPE_B_Skip || mb->mb_type == MB_TYPE_B_Direct_16x16
      || (mb->mb_type == MB_TYPE_B_8x8 && mb->sub_mb_type[mbPartIdx] == 0);
}

static inline gboolean
model_is_intra_16x16 (const ModelMb *mb)
{
  return mb->mb_type > MB_TYPE_I_NxN && mb->mb_type < MB_TYPE_I_PCM;
}

static inline guint
model_intra_16x16_mode (const ModelMb *mb)
{
  return (mb->mb_type - 1) % 4;
}

static inline const ModelSlice *
model_slice (const PictureModel *picture, const ModelMb *mb)
{
  return &picture->slices[mb->slice];
}

/* PicOrderCnt () of a reference */
static inline gint
model_poc (const ModelReference *reference)
{
  const gint *poc = reference->frame->poc;

  return reference->parity >= 0 ? poc[reference->parity] : MIN (poc[0], poc[1]);
}

/* Column and row of a luma 4x4 block in its macroblock, in blocks (6.4.3), and the block there */
static inline guint
model_blk_x (guint blk)
{
  return blk % 2 + blk / 4 % 2 * 2;
}

static inline guint
model_blk_y (guint blk)
{
  return blk / 2 % 2 + blk / 8 * 2;
}

static inline guint
model_blk_at (guint x, guint y)
{
  return x % 2 + y % 2 * 2 + x / 2 * 4 + y / 2 * 8;
}

/* Blocks of a chroma plane of 4:2:0 or 4:2:2; 0 in other formats */
guint model_chroma_blocks (const PictureModel *picture);
/* Planes that are coded together, and the samples of one in a macroblock */
guint model_n_planes (const PictureModel *picture);
void model_plane_size (const PictureModel *picture, guint plane, gint *width, gint *height);
gint model_bit_depth (const PictureModel *picture, guint plane);
/* TransformBypassModeFlag */
gboolean model_is_bypass (const PictureModel *picture, const ModelMb *mb);
/* A field, or a field macroblock */
gboolean model_is_field_mb (const PictureModel *picture, const ModelMb *mb);
/* The parity of the field that a macroblock is of; -1: of none */
gint model_parity (const PictureModel *picture, guint mbAddr);

/* 6.4.1: the first sample of @mbAddr in @plane of the picture; its lines are *@step lines apart. */
void model_place (const PictureModel *picture, guint mbAddr, guint plane, gint *x, gint *y, gint *step);
/* The lines of a frame's plane that are of the parity, all where it is -1 */
ModelPlane model_plane_of_parity (const ModelPlane *plane, gint parity);

/* 6.4.12: the macroblock that covers (@xN, @yN), relative to macroblock @mbAddr of @maxW x @maxH samples, and where in it; -1 where it is
 * not available */
gint model_neighbour (const PictureModel *picture, guint mbAddr, gint xN, gint yN, gint maxW, gint maxH, gint *xW, gint *yW);
/* 6.4.11.1: macroblock A (to the left) or B (above), NULL where it is not available */
ModelMb *model_neighbour_mb (const PictureModel *picture, guint mbAddr, gboolean above);
/* 6.4.11.4, 6.4.11.5: the macroblock and blkIdx of the 4x4 block to the left of, or above, @blk.  @chroma: of 4:2:0 or 4:2:2 */
ModelMb *model_neighbour_block (const PictureModel *picture, guint mbAddr, gboolean chroma, guint blk, gboolean above, guint *blkN);
/* 6.4.10: the upper macroblock of pair A or B, -1 where it is not available */
gint model_neighbour_pair (const PictureModel *picture, guint mbAddr, gboolean above);
/* 7.4.4: mb_field_decoding_flag of a pair that has none */
gboolean model_inferred_field (const PictureModel *picture, guint mbAddr);
/* The next macroblock of @mbAddr's slice, the number of macroblocks behind the last one; and the first one of @slice */
guint model_next_in_slice (const PictureModel *picture, guint mbAddr);
guint model_first_of_slice (const PictureModel *picture, guint slice);
