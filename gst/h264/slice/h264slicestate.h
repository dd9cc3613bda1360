/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a slice decoder knows while it decodes: the slice, where it is in it, the current macroblock, and what its neighbours left behind.
 * The parts of the decoder (h264slicedecoder.h names them) share it.
 */
#pragma once

#include "h264blocks.h"
#include "h264cabac.h"
#include "h264cabaclane.h"
#include "h264cavlcwindow.h"
#include "h264mbcache.h"
#include "h264neighbours.h"
#include "h264picturetarget.h"
#include "h264sliceheader.h"

G_BEGIN_DECLS

typedef struct _H264SliceDecoder H264SliceDecoder;
typedef struct _H264EntropyCoding H264EntropyCoding;

/**
 * H264MbEdge:
 * @total_coeff: of the blocks along the edge, for each plane (nA, nB of 9.2.1; only whether it is 0 counts in CABAC)
 * @intra_mode: Intra4x4PredMode along the edge; 2 where the macroblock has none; -1 where DC is predicted whatever the other neighbour has
 *   (dcPredModePredictedFlag)
 * @not_i_nxn: its mb_type is none of I_NxN (ctxIdxInc of mb_type)
 * @cbp: CodedBlockPatternLuma, CodedBlockPatternChroma << 4, as ctxIdxInc of coded_block_pattern sees them
 * @dc_coded: coded_block_flag of the DC blocks of planes Y, Cb, Cr (bits 0 to 2)
 * @intra_chroma_pred_mode: 0 where it has none
 * @transform_size_8x8_flag: as transmitted
 * @any_8x8: @total_coeff counts for the coded_block_flag of 8x8 blocks too: 8x8 transform, I_PCM, or not available (9.3.3.1.1.9); bit 0: of
 *   the upper half of the edge, bit 1: of the lower
 * @not_skip: its mb_skip_flag is 0
 * @not_direct: its mb_type is neither B_Skip nor B_Direct_16x16
 * @ref_idx_gt: bit 0: refIdxLX of the block k along the edge counts as greater than 0; bit 1: as greater than 1
 * @abs_mvd: absMvdComp of list X, block k, horizontal and vertical, at most H264_MAX_ABS_MVD
 *
 * What the macroblock to the right, or the one below, needs of a macroblock for parsing.  A neighbour that is not available is such a
 * record too, filled with the values that the standard infers, so nothing asks for availability.
 */
typedef struct
{
  guint8 total_coeff[3][4];
  gint8 intra_mode[4];
  guint8 not_i_nxn;
  guint8 cbp;
  guint8 dc_coded;
  guint8 intra_chroma_pred_mode;
  guint8 transform_size_8x8_flag;
  guint8 any_8x8;
  guint8 not_skip, not_direct;
  guint8 ref_idx_gt[2][4];
  guint8 abs_mvd[2][4][2];
} H264MbEdge;

/* Sums of two absMvdComp are compared with 3 and 32 only (9.3.3.1.1.7): so they are kept in bytes, clipped. */
#define H264_MAX_ABS_MVD 66

/* A level that does not fit into 16 bits, waiting for its macroblock to be written again with 32 (GST_GPU_MB_WIDE) */
typedef struct
{
  const gint16 *where;
  gint32 level;
} H264WideLevel;

/* Where the blocks of the current macroblock go */
enum
{
  H264_BLOCKS_4x4,
  H264_BLOCKS_8x8,
  H264_BLOCKS_DC, /* Intra16x16DCLevel, Cb and Cr of 4:4:4 too */
  H264_BLOCKS_CHROMA_DC,
  H264_N_BLOCK_LISTS,
};

/**
 * H264BlockList:
 * @chunk: (nullable): NULL where the macroblock cannot have such blocks
 * @start: where its first block stands
 */
typedef struct
{
  H264OpenChunk *chunk;
  guint8 *start;
} H264BlockList;

static inline void
h264_block_list_open (H264BlockList *list, H264BlockWriter *writer, guint kind, guint n_blocks)
{
  list->chunk = h264_block_writer_reserve (writer, kind, FALSE, n_blocks);
  list->start = list->chunk->next;
}

/**
 * H264PairState:
 * @is_field: mb_field_decoding_flag, as read or inferred
 * @upper_skipped: the upper macroblock is skipped
 * @lower_skip: mb_skip_flag of the lower one where CABAC had to read it ahead; -1 where it did not
 * @left_is_field: the pair at the left is one of field macroblocks
 * @left: edges of the pair at the left
 * @own: edges of the current one
 * @mixed: the left edge of a macroblock whose left pair is of the other kind, put together of both edges there
 *
 * The current pair of macroblocks of an MBAFF frame.
 */
typedef struct
{
  gboolean is_field;
  gboolean upper_skipped;
  gint lower_skip;
  gboolean left_is_field;
  H264MbEdge left[2], own[2];
  H264MbEdge mixed;
} H264PairState;

/* The records of a skipped macroblock, but for what follows from its place */
typedef struct
{
  GstGpuMb mb;
  H264MbMotion motion;
} H264SkippedMb;

struct _H264SliceDecoder
{
  /* the slice */
  const H264SliceHeader *sh;
  const H264Pps *pps;
  const H264Sps *sps;
  const H264PictureTarget *target;
  const H264EntropyCoding *coding;
  guint16 slice_index;
  guint colour_plane;
  guint ChromaArrayType;
  gint QpBdOffsetY, QpBdOffsetC;
  gboolean leaves_residuals; /* h264_slice_decoder_go_on() stops at them */
  gboolean residual_waits;   /* it has stopped at one */
  guint n_decoded;           /* macroblocks */
  const gchar *error;        /* (nullable): what went wrong first */
  const gchar *leftover;     /* (nullable): the last macroblock is whole, but behind it is what should not be there */

  /* the readers */
  H264CavlcWindow window;
  H264Cabac cabac;
  const guint8 *data;     /* the RBSP */
  const guint8 *data_end; /* behind its last byte with data in it */
  gsize data_bits;        /* bits before its rbsp_stop_one_bit */

  /* where we are */
  GstGpuMb *mbs;
  guint16 *mb_slice;
  H264MbPlace place; /* its mbAddr is CurrMbAddr */

  /* the current macroblock */
  GstGpuMb *mb;
  const H264MbEdge *left, *above;
  guint available;       /* GST_GPU_AVAILABLE_*: neighbours of this slice, whatever their prediction */
  guint filter;          /* GST_GPU_FILTER_* */
  gboolean has_residual; /* the caches of total_coeff are filled */
  gboolean has_motion;   /* and those of motion */
  gboolean transform_size_8x8_flag;
  gboolean bypass;  /* TransformBypassModeFlag */
  gboolean skipped; /* P_Skip, B_Skip */
  gboolean direct;  /* B_Skip, B_Direct_16x16 */
  guint cbp;
  guint dc_coded; /* coded_block_flag of the DC blocks */
  guint intra_chroma_pred_mode;
  guint8 total_coeff[3][H264_CACHE_SIZE];
  gint8 intra_mode[H264_CACHE_SIZE];
  gint QPY;
  gint last_mb_qp_delta; /* of the macroblock before in decoding order, for ctxIdxInc */

  /* inter macroblocks */
  H264MbMotion *motion; /* of the picture */
  H264MbMotion *mb_motion;
  H264MvdList *mvds; /* of the slice */
  guint n_mvds;      /* of them, written */
  gint mb_skip_run;  /* CAVLC: macroblocks still to be skipped; -1: to be read */
  guint8 ref_idx_gt[2][H264_CACHE_SIZE];
  guint8 abs_mvd[2][H264_CACHE_SIZE][2];
  H264BlockList blocks[H264_N_BLOCK_LISTS];

  H264BlockWriter *writer;
  guint n_wide;
  H264WideLevel wide[3 * 256];

  /* QP'C and QPC of Cb and Cr for each QPY + QpBdOffsetY */
  guint8 qp_scaled_c[2][88];
  gint8 qp_filter_c[2][88];

  H264CabacLane lane; /* the residual, where it is read beside that of another slice */
  H264CabacState contexts[H264_N_CABAC_CONTEXTS];

  /* the records of every skipped macroblock of the slice, and its edge */
  H264SkippedMb skipped_records;
  H264MbEdge skipped_edge;
  /* edges of the macroblocks decoded last: to the left, and in each column */
  H264MbEdge left_edge;
  H264MbEdge *above_edges; /* in MBAFF frames two a column, of the upper and of the lower macroblock */
  gsize n_above_edges;

  gboolean mbaff; /* MbaffFrameFlag */
  H264PairState pair;
};

static inline void
h264_slice_decoder_fail (H264SliceDecoder *dec, const gchar *error)
{
  if (!dec->error)
    dec->error = error;
}

/* In MBAFF frames, where there is a pair above: whether it is one of field macroblocks */
static inline gboolean
h264_pair_above_is_field (const H264SliceDecoder *dec)
{
  return (dec->mbs[h264_pair_neighbours (dec->place.mbAddr, dec->target->width_in_mbs).B].flags & GST_GPU_MB_FIELD) != 0;
}

/* Keeps a level for which 16 bits do not suffice; @where is its place in the block that is being written. */
static inline void
h264_slice_decoder_wide_level (H264SliceDecoder *dec, const gint16 *where, gint32 level)
{
  /* 8.5: levels of 8-bit video fit into 16 bits */
  if (dec->n_wide < G_N_ELEMENTS (dec->wide) && dec->sps->bit_depth_luma + dec->sps->bit_depth_chroma > 16 && !dec->bypass)
    dec->wide[dec->n_wide++] = (H264WideLevel){ where, level };
  else
    h264_slice_decoder_fail (dec, "a transform coefficient level is out of range");
}

G_END_DECLS
