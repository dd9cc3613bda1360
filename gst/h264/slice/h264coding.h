/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The two entropy codings, CAVLC (ITU-T H.264, 9.2) and CABAC (9.3), as the macroblock layer sees them.
 */
#pragma once

#include "h264slicestate.h"

G_BEGIN_DECLS

/**
 * H264EntropyCoding:
 *
 * The syntax elements that CAVLC and CABAC code differently (entropy_coding_mode_flag).  A value out of its range sets the decoder's error
 * and gives 0.
 */
struct _H264EntropyCoding
{
  /* positions the reader at the start of slice_data() */
  void (*start) (H264SliceDecoder *dec, const H264Bits *bits);
  /* mb_type of an I slice: 0 to 25 (Table 7-11) */
  guint (*mb_type_i) (H264SliceDecoder *dec);
  /* Whether the next macroblock is skipped (mb_skip_flag, mb_skip_run) */
  gboolean (*mb_skip) (H264SliceDecoder *dec);
  /* h264_skip_run() */
  gboolean (*skip_run) (H264SliceDecoder *dec);
  /* mb_field_decoding_flag; @ctxIdxInc of CABAC: how many of the pairs A and B are of field macroblocks */
  gboolean (*mb_field_decoding_flag) (H264SliceDecoder *dec, guint ctxIdxInc);
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
  /* (nullable): the rem_intraNxN_pred_mode that follows prev_intraNxN_pred_mode_flag 0, or -1 where that flag is 1.  NULL in CAVLC: there
   * h264_window_nxn_mode() reads it, without a call for each block. */
  gint (*intra_pred_mode) (H264SliceDecoder *dec);
  guint (*intra_chroma_pred_mode) (H264SliceDecoder *dec);
  /* CodedBlockPatternLuma | CodedBlockPatternChroma << 4 */
  guint (*coded_block_pattern) (H264SliceDecoder *dec, gboolean intra);
  gint (*mb_qp_delta) (H264SliceDecoder *dec);
  void (*residual) (H264SliceDecoder *dec);
  /* the byte where the pcm_samples begin */
  const guint8 *(*pcm_begin) (H264SliceDecoder *dec);
  void (*pcm_end) (H264SliceDecoder *dec, const guint8 *end);
  /* whether another macroblock follows (more_rbsp_data(), end_of_slice_flag); sets the error where the slice data ends early, and in CABAC
   * leftover where it ends late */
  gboolean (*more_macroblocks) (H264SliceDecoder *dec);
};

extern const H264EntropyCoding h264_cavlc;
extern const H264EntropyCoding h264_cabac;

/* Has CAVLC residual blocks read with vectors (AVX-512 VBMI2), or in portable C, as at first.  FALSE where vectors are wanted and not
 * possible.  Nothing may be decoding. */
gboolean h264_cavlc_choose_residual (gboolean vectors);

G_END_DECLS
