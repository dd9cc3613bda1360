/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The samples that a PictureModel decodes to, before the deblocking filter (deblocking.h): the decoding process of ITU-T H.264, clause 8,
 * with flat scaling matrices, sample by sample as the text has it.
 */
#pragma once

#include "partitions.h"

/* Clause 8.3, 8.4.2, 8.5: macroblock @mbAddr with its syntax elements and vectors; those before it in its slice are there. */
void reconstruct_macroblock (PictureModel *picture, guint mbAddr);

/* The same of one plane of a macroblock that is not I_PCM; of I_NxN, of one block there, which begins with luma4x4BlkIdx @blk */
void reconstruct_plane (PictureModel *picture, guint mbAddr, guint plane);
void reconstruct_nxn_block (PictureModel *picture, guint mbAddr, guint plane, guint blk);

/* Samples of a macroblock in one plane, before they are written: [y * 16 + x] */
typedef gint MbSamples[256];

/* The prediction of a macroblock that is not I_NxN or I_PCM */
void predict_intra_16x16 (const PictureModel *picture, guint mbAddr, guint plane, guint mode, MbSamples pred);
void predict_intra_chroma (const PictureModel *picture, guint mbAddr, guint plane, guint mode, MbSamples pred);
void predict_inter (const PictureModel *picture, guint mbAddr, guint plane, MbSamples pred);
/* Of a block of @size 4 or 8, which begins with luma4x4BlkIdx @blk */
void predict_intra_nxn (const PictureModel *picture, guint mbAddr, guint plane, guint blk, gint size, guint mode, gint pred[64]);

/* Bit masks of the modes whose samples are there: Intra4x4PredMode or Intra8x8PredMode, Intra16x16PredMode, intra_chroma_pred_mode */
guint legal_nxn_modes (const PictureModel *picture, guint mbAddr, guint blk, gint size);
guint legal_16x16_modes (const PictureModel *picture, guint mbAddr);
guint legal_chroma_modes (const PictureModel *picture, guint mbAddr);

/* 8.5: the residual of a whole macroblock that is not I_NxN or I_PCM, with 8.5.15 */
void residual_of_macroblock (const PictureModel *picture, const ModelMb *mb, guint plane, MbSamples residual);
/* The residual of block @blk of @size 4 or 8 of a macroblock without Intra16x16DCLevel: [y * size + x] */
void residual_of_block (const PictureModel *picture, const ModelMb *mb, guint plane, guint blk, gint size, gint residual[64]);
/* LevelScale4x4 or LevelScale8x8 of flat matrices (8.5.9) */
gint model_level_scale (gint size, gint m, gint i, gint j);
/* qP of a plane's transform (8.5.8 and the clauses that call 8.5.12) */
gint model_qp (const PictureModel *picture, const ModelMb *mb, guint plane);

/* Motion of a neighbouring partition, in units of the current macroblock (8.4.1.3.2); @ref_idx is -1 where it does not use the list. */
typedef struct
{
  gboolean available;
  gint ref_idx, mv[2];
} ModelMotion;

/* A, B and C of a partition @width samples wide, D in place of C where that is not available (6.4.11.7); @known: blocks of the macroblock
 * whose vectors are there */
void neighbours_of_part (const PictureModel *picture, guint mbAddr, guint list, guint blk, gint width, guint known, ModelMotion n[3]);
/* 8.4.1.3.1 */
void median_vector (const ModelMotion n[3], gint ref_idx, gint mvp[2]);

/* 8.4.1: mvpLX of a partition, for its reference index; the partitions of the macroblock before it (a bit mask of 4x4 blocks, @known) have
 * their vectors.  And the vector of P_Skip (8.4.1.1). */
void predict_vector (const PictureModel *picture, guint mbAddr, guint list, const ModelPart *part, guint known, gint mvp[2]);
void vector_of_skip (const PictureModel *picture, guint mbAddr, gint mv[2]);
/* 8.4.1.2: indices and vectors of @parts, a bit mask by mbPartIdx of 8x8 samples.  FALSE where RefPicList0 does not have the picture that
 * temporal direct prediction refers to: such a macroblock cannot be coded. */
gboolean predict_directly (PictureModel *picture, guint mbAddr, guint parts);

/* DistScaleFactor (8.4.1.2.3) by PicOrderCnt () of the current picture or field, pic0 and pic1, which differ; and that of the first */
gint dist_scale_factor (gint poc, gint poc0, gint poc1);
gint model_current_poc (const PictureModel *picture, guint mbAddr);
