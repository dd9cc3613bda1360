/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Macroblock and sub-macroblock partitions (ITU-T H.264, Tables 7-13, 7-14, 7-17, 7-18).
 */
#pragma once

#include "picturemodel.h"

/**
 * ModelPart:
 * @blk: its first luma4x4BlkIdx
 * @width, @height: in 4x4 blocks
 * @lists: bit mask of the lists that it is predicted from; 0: directly
 */
typedef struct
{
  guint blk, width, height, lists;
} ModelPart;

/* Macroblock partitions of an inter macroblock that has such, not of P_Skip, B_Skip and B_Direct_16x16; returns their number. */
guint model_mb_parts (const ModelMb *mb, ModelPart parts[4]);

/* Those with vectors of their own, the parts of sub-macroblocks among them; directly predicted ones once for 8x8 samples */
guint model_vector_parts (const ModelMb *mb, ModelPart parts[16]);

/* sub_mb_type of 8x8 samples that has no smaller partitions: NumSubMbPart () is 1, or it is predicted directly */
gboolean model_sub_mb_is_whole (const ModelMb *mb, guint mbPartIdx);

/* A bit mask of the part's blocks, by luma4x4BlkIdx */
guint model_part_blocks (const ModelPart *part);

/* Entries of RefPicListX that a macroblock may refer to: fields, where it is a field macroblock of a frame */
guint model_n_references (const PictureModel *picture, const ModelMb *mb, guint list);

/* 8.4.2.1: entry @ref_idx of RefPicListX as macroblock @mbAddr sees it */
ModelReference model_reference (const PictureModel *picture, guint mbAddr, guint list, gint ref_idx);
