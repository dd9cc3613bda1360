/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pictures of I slices made of random macroblocks, and writers of their slice data: what the tests of residual decoding decode.
 * All intra prediction is of the mean (DC), so that any macroblock may stand anywhere.
 */
#pragma once

#include "h264writer.h"

/* mb_type (Table 7-11); the Intra_16x16 types are those with prediction mode 2 */
#define MB_TYPE_I_NxN 0
#define MB_TYPE_I_PCM 25
#define MB_TYPE_I_16x16(cbp) (3 + 4 * ((cbp) >> 4) + ((cbp) % 16 ? 12 : 0))

/**
 * ModelMb:
 * @cbp: CodedBlockPatternLuma | CodedBlockPatternChroma << 4
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
  gboolean transform_size_8x8_flag;
  guint cbp;
  gint mb_qp_delta;
  gint QPY;
  gint32 dc[3][16];
  gint32 blocks[3][16][16];
  gint32 blocks_8x8[3][4][64];
  guint16 pcm[768];
  guint total_coeff[3][16];
} ModelMb;

/**
 * IPictureModel:
 * @width, @height: in macroblocks
 * @second_slice: first macroblock of the second slice; the number of macroblocks where there is none
 * @max_level: greatest magnitude of a level
 */
typedef struct
{
  SpsValues sps;
  PpsValues pps;
  guint ChromaArrayType;
  gboolean field;
  guint width, height, n_mbs;
  guint second_slice;
  gint SliceQPY;
  gint32 max_level;
  ModelMb *mbs;
} IPictureModel;

typedef struct
{
  guint chroma_format_idc, bit_depth_luma, bit_depth_chroma;
  gboolean cabac, field, lossless;
  gint32 max_level;
} IPictureKind;

void i_picture_init (IPictureModel *picture, GRand *rand, const IPictureKind *kind);
void i_picture_clear (IPictureModel *picture);

guint i_picture_chroma_blocks (const IPictureModel *picture);
/* TransformBypassModeFlag */
gboolean i_picture_is_bypass (const IPictureModel *picture, const ModelMb *mb);

/* 6.4.11.1: macroblock A (to the left) or B (above), NULL where it is not available */
ModelMb *i_picture_neighbour (const IPictureModel *picture, guint mb, gboolean above);
/* 6.4.11.4, 6.4.11.5: the macroblock and blkIdx of the 4x4 block to the left of, or above, @blk.  @chroma: of 4:2:0 or 4:2:2 */
ModelMb *i_picture_neighbour_block (const IPictureModel *picture, guint mb, gboolean chroma, guint blk, gboolean above, guint *blkN);

/* The slice NAL unit with macroblocks @first to @end - 1 */
GByteArray *i_picture_write_slice (IPictureModel *picture, guint first, guint end);

/* slice_data () */
void put_slice_data_cavlc (IPictureModel *picture, BitWriter *w, guint first, guint end);
void put_slice_data_cabac (IPictureModel *picture, BitWriter *w, guint first, guint end);
/* pcm_alignment_zero_bits and the samples */
void put_pcm_samples (const IPictureModel *picture, BitWriter *w, const ModelMb *mb);
