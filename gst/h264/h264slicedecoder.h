/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Decodes the slice data of one slice (ITU-T H.264, 7.3.4) into macroblock records and compacted blocks (gpurecords.h).
 *
 * It needs nothing from other slices or pictures, so slices decode at the same time, a decoder a thread.  Parts: h264slicedecoder.c walks
 * the macroblocks and knows neighbours; h264macroblock.c is the macroblock layer, h264macroblockinter.c what P and B slices add to it;
 * h264residual.h is the order of residual blocks; h264cavlc.c and h264cabacsyntax.c read the syntax elements.
 */
#pragma once

#include "h264blocks.h"
#include "h264cabac.h"
#include "h264cavlcwindow.h"
#include "h264mbmotion.h"
#include "h264neighbours.h"
#include "h264sliceheader.h"

G_BEGIN_DECLS

typedef struct _H264SliceDecoder H264SliceDecoder;

/* mb_slice[] of a macroblock that no slice has decoded */
#define H264_NO_SLICE 0xffff

/**
 * H264PictureTarget:
 * @mbs: macroblock records, an array for each colour plane
 * @mb_slice: the slice that decoded each macroblock (index of its GstGpuSlice), H264_NO_SLICE at first; an array for each colour plane
 * @slice_start: a bit for each macroblock that is the first of some slice: no other slice may run into it
 * @motion: motion syntax of each macroblock; an array for each colour plane
 * @mb_to_slice_group: (nullable): MbToSliceGroupMap where there are several slice groups
 * @arena: where blocks go
 *
 * The picture that slices are decoded into.  Slices write to macroblocks of their own only.
 */
typedef struct
{
  GstGpuMb *mbs[3];
  guint16 *mb_slice[3];
  guint8 *slice_start[3];
  H264MbMotion *motion[3];
  guint8 *mb_to_slice_group;
  guint width_in_mbs, height_in_mbs;
  H264CoeffArena *arena;
} H264PictureTarget;

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
 * @any_8x8: @total_coeff counts for the coded_block_flag of 8x8 blocks too: 8x8 transform, I_PCM, or not available (9.3.3.1.1.9)
 * @not_skip: its mb_skip_flag is 0
 * @not_direct: its mb_type is neither B_Skip nor B_Direct_16x16
 * @ref_idx_above_0: 1: refIdxLX of the block k along the edge counts as greater than 0
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
  guint8 ref_idx_above_0[2][4];
  guint8 abs_mvd[2][4][2];
} H264MbEdge;

/* Sums of two absMvdComp are compared with 3 and 32 only (9.3.3.1.1.7): so they are kept in bytes, clipped. */
#define H264_MAX_ABS_MVD 66

/* Caches of values of the 4x4 blocks of a macroblock and of its neighbours: rows of 8, the block at (x, y) at H264_CACHE (x, y), the left
 * neighbours at x = -1, those above at y = -1. */
#define H264_CACHE(x, y) (((y) + 1) * 8 + (x) + 4)
#define H264_CACHE_SIZE 40

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
  H264_BLOCKS_DC,               /* Intra16x16DCLevel, Cb and Cr of 4:4:4 too */
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
 * H264EntropyCoding:
 *
 * The syntax elements that CAVLC and CABAC code differently (entropy_coding_mode_flag).  A value out of its range sets the decoder's error
 * and gives 0.
 */
typedef struct
{
  /* positions the reader at the start of slice_data() */
  void (*start) (H264SliceDecoder *dec, const H264Bits *bits);
  /* mb_type of an I slice: 0 to 25 (Table 7-11) */
  guint (*mb_type_i) (H264SliceDecoder *dec);
  /* Whether the next macroblock is skipped (mb_skip_flag, mb_skip_run); in CAVLC sets no_more_macroblocks where the data ends behind the
   * run */
  gboolean (*mb_skip) (H264SliceDecoder *dec);
  /* mb_type of P and B slices as Tables 7-13, 7-14 number them; intra types begin at 5 and at 23 */
  guint (*mb_type_p) (H264SliceDecoder *dec);
  guint (*mb_type_b) (H264SliceDecoder *dec);
  guint (*sub_mb_type_p) (H264SliceDecoder *dec);
  guint (*sub_mb_type_b) (H264SliceDecoder *dec);
  /* ref_idx_lX of the partition at @at in the caches, 0 to @max, which is above 0 */
  guint (*ref_idx) (H264SliceDecoder *dec, guint list, guint at, guint max);
  /* mvd_lX of the partition at @at, horizontal or vertical (@comp) */
  gint (*mvd) (H264SliceDecoder *dec, guint list, guint at, guint comp);
  guint (*transform_size_8x8_flag) (H264SliceDecoder *dec);
  /* the rem_intraNxN_pred_mode that follows prev_intraNxN_pred_mode_flag 0, or -1 where that flag is 1 */
  gint (*intra_pred_mode) (H264SliceDecoder *dec);
  guint (*intra_chroma_pred_mode) (H264SliceDecoder *dec);
  /* CodedBlockPatternLuma | CodedBlockPatternChroma << 4 */
  guint (*coded_block_pattern) (H264SliceDecoder *dec, gboolean intra);
  gint (*mb_qp_delta) (H264SliceDecoder *dec);
  void (*residual) (H264SliceDecoder *dec);
  /* the byte where the pcm_samples begin */
  const guint8 *(*pcm_begin) (H264SliceDecoder *dec);
  void (*pcm_end) (H264SliceDecoder *dec, const guint8 *end);
  /* whether another macroblock follows (more_rbsp_data(), end_of_slice_flag); sets the error where the slice data ends early or late */
  gboolean (*more_macroblocks) (H264SliceDecoder *dec);
} H264EntropyCoding;

extern const H264EntropyCoding h264_cavlc;
extern const H264EntropyCoding h264_cabac;

/* Has CAVLC residual blocks read with vectors (AVX-512 VBMI2), or in portable C, as at first.  FALSE where vectors are wanted and not
 * possible.  Nothing may be decoding. */
gboolean h264_cavlc_choose_residual (gboolean vectors);

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
  const gchar *error;           /* (nullable): what went wrong first */

  /* the readers */
  H264CavlcWindow window;
  H264Cabac cabac;
  const guint8 *data;           /* the RBSP */
  const guint8 *data_end;       /* behind its last byte with data in it */
  gsize data_bits;              /* bits before its rbsp_stop_one_bit */

  /* where we are */
  GstGpuMb *mbs;
  guint16 *mb_slice;
  H264MbPlace place;            /* its mbAddr is CurrMbAddr */

  /* the current macroblock */
  GstGpuMb *mb;
  const H264MbEdge *left, *above;
  guint available;              /* GST_GPU_AVAILABLE_*: neighbours of this slice, whatever their prediction */
  gboolean has_residual;        /* the caches of total_coeff are filled */
  gboolean has_motion;          /* and those of motion */
  gboolean transform_size_8x8_flag;
  gboolean bypass;              /* TransformBypassModeFlag */
  gboolean skipped;             /* P_Skip, B_Skip */
  gboolean direct;              /* B_Skip, B_Direct_16x16 */
  guint cbp;
  guint dc_coded;               /* coded_block_flag of the DC blocks */
  guint intra_chroma_pred_mode;
  guint8 total_coeff[3][H264_CACHE_SIZE];
  gint8 intra_mode[H264_CACHE_SIZE];
  gint QPY;
  gint last_mb_qp_delta;        /* of the macroblock before in decoding order, for ctxIdxInc */

  /* inter macroblocks */
  H264MbMotion *motion;         /* of the picture */
  H264MbMotion *mb_motion;
  GArray *mvds;                 /* of H264Mvd, of the slice; its length is room */
  guint n_mvds;                 /* of them, written */
  gint mb_skip_run;             /* CAVLC: macroblocks still to be skipped; -1: to be read */
  guint8 ref_idx_above_0[2][H264_CACHE_SIZE];
  guint8 abs_mvd[2][H264_CACHE_SIZE][2];
  H264BlockList blocks[H264_N_BLOCK_LISTS];

  H264BlockWriter *writer;
  guint n_wide;
  H264WideLevel wide[3 * 256];

  /* QP'C and QPC of Cb and Cr for each QPY + QpBdOffsetY */
  guint8 qp_scaled_c[2][88];
  gint8 qp_filter_c[2][88];

  H264CabacState contexts[H264_N_CABAC_CONTEXTS];

  /* the edge of every skipped macroblock of the slice */
  H264MbEdge skipped_edge;
  /* edges of the macroblocks decoded last: to the left, and in each column */
  H264MbEdge left_edge;
  H264MbEdge *above_edges;
  guint n_above_edges;
};

H264SliceDecoder *h264_slice_decoder_new (void);
void h264_slice_decoder_free (H264SliceDecoder *dec);

/**
 * H264SliceResult:
 * @n_mbs: macroblocks decoded, all of them sound
 * @error: (nullable): why it ended before the slice did
 */
typedef struct
{
  guint n_mbs;
  const gchar *error;
} H264SliceResult;

/* Decodes a slice: @bits stands at its slice_data(), @writer belongs to the target's arena.  The macroblock in which an error is found is
 * not counted and its entry in mb_slice is H264_NO_SLICE. */
H264SliceResult h264_slice_decoder_decode (H264SliceDecoder *dec, const H264SliceHeader *sh, const H264PictureTarget *target,
    guint16 slice_index, const H264Bits *bits, H264BlockWriter *writer, GArray *mvds);

/* macroblock_layer() (7.3.5) of a macroblock in an I slice, and of one in a P or B slice with its mb_skip_flag or mb_skip_run */
void h264_macroblock_i (H264SliceDecoder *dec);
void h264_macroblock_p (H264SliceDecoder *dec);
void h264_macroblock_b (H264SliceDecoder *dec);

/* Parts of the macroblock layer.  An intra macroblock of @mb_type (Table 7-11): */
void h264_macroblock_intra (H264SliceDecoder *dec, guint mb_type);
/* coded_block_pattern has been read: the rest of an inter macroblock, mb_qp_delta and residual */
void h264_macroblock_finish (H264SliceDecoder *dec);
void h264_macroblock_set_qp (H264SliceDecoder *dec);

/* The neighbours as parsing sees them, which depends on whether the macroblock is intra where they are not available. */
void h264_slice_decoder_set_neighbours (H264SliceDecoder *dec, gboolean intra);
/* Fills the caches with what they need of the neighbours, and their inner part with 0: each only for macroblocks that use it */
void h264_slice_decoder_load_motion (H264SliceDecoder *dec);
void h264_slice_decoder_load_total_coeff (H264SliceDecoder *dec);
void h264_slice_decoder_load_intra_modes (H264SliceDecoder *dec);

static inline void
h264_slice_decoder_fail (H264SliceDecoder *dec, const gchar *error)
{
  if (dec->error == NULL)
    dec->error = error;
}

/* Keeps a level for which 16 bits do not suffice; @where is its place in the block that is being written. */
static inline void
h264_slice_decoder_wide_level (H264SliceDecoder *dec, const gint16 *where, gint32 level)
{
  /* 8.5: levels of 8-bit video fit into 16 bits */
  if (dec->n_wide < G_N_ELEMENTS (dec->wide) && dec->sps->bit_depth_luma + dec->sps->bit_depth_chroma > 16 && !dec->bypass)
    dec->wide[dec->n_wide++] = (H264WideLevel) {where, level};
  else
    h264_slice_decoder_fail (dec, "a transform coefficient level is out of range");
}

/* luma4x4BlkIdx (6.4.3) to its place in a cache */
extern const guint8 h264_cache_4x4[16];

G_END_DECLS
