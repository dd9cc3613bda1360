/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * residual_block_cabac() (ITU-T H.264, 7.3.5.3.3): its contexts, and what is read outside of its loops.  Two readers share it: one for a
 * slice alone (h264cabacsyntax.c), one for two slices side by side (h264cabaclanes.c).
 */
#pragma once

#include "h264residual.h"

G_BEGIN_DECLS

/* First context of the elements of a residual block: ctxIdxOffset (Table 9-34) + ctxBlockCatOffset (Table 9-40), by class and plane
 * (together ctxBlockCat).  significant_coeff_flag and last_significant_coeff_flag: frame, field. */
typedef struct
{
  guint16 coded_block_flag;
  guint16 significant[2];
  guint16 last[2];
  guint16 abs_level;
} H264CabacBlockContexts;

static const H264CabacBlockContexts h264_cabac_block_contexts[6][3] = {
  [H264_BLOCK_DC] = {
    {85, {105, 277}, {166, 338}, 227}, {460, {484, 776}, {572, 864}, 952}, {472, {528, 820}, {616, 908}, 982},
  },
  [H264_BLOCK_AC] = {
    {85 + 4, {105 + 15, 277 + 15}, {166 + 15, 338 + 15}, 227 + 10},
    {460 + 4, {484 + 15, 776 + 15}, {572 + 15, 864 + 15}, 952 + 10},
    {472 + 4, {528 + 15, 820 + 15}, {616 + 15, 908 + 15}, 982 + 10},
  },
  [H264_BLOCK_4x4] = {
    {85 + 8, {105 + 29, 277 + 29}, {166 + 29, 338 + 29}, 227 + 20},
    {460 + 8, {484 + 29, 776 + 29}, {572 + 29, 864 + 29}, 952 + 20},
    {472 + 8, {528 + 29, 820 + 29}, {616 + 29, 908 + 29}, 982 + 20},
  },
  /* Cb and Cr share the contexts of their classes */
  [H264_BLOCK_CHROMA_DC] = {
    {0},
    {85 + 12, {105 + 44, 277 + 44}, {166 + 44, 338 + 44}, 227 + 30},
    {85 + 12, {105 + 44, 277 + 44}, {166 + 44, 338 + 44}, 227 + 30},
  },
  [H264_BLOCK_CHROMA_AC] = {
    {0},
    {85 + 16, {105 + 47, 277 + 47}, {166 + 47, 338 + 47}, 227 + 39},
    {85 + 16, {105 + 47, 277 + 47}, {166 + 47, 338 + 47}, 227 + 39},
  },
  [H264_BLOCK_8x8] = {
    {1012, {402, 436}, {417, 451}, 426}, {1012 + 4, {660, 675}, {690, 699}, 708}, {1012 + 8, {718, 733}, {748, 757}, 766},
  },
};

/* coeff_abs_level_minus1 (9.3.3.1.3): its ctxIdxInc depends on how many levels of 1, and above 1, came before.  Nodes 0 to 3: that many
 * levels of 1 and none above; 4 to 8: one to five levels above 1. */
static const guint8 h264_cabac_first_bin_inc[9] = { 1, 2, 3, 4, 0, 0, 0, 0, 0 };
static const guint8 h264_cabac_other_bins_inc[2][9] = {
  { 5, 5, 5, 5, 6, 7, 8, 9, 9 }, { 5, 5, 5, 5, 6, 7, 8, 8, 8 }, /* ctxBlockCat 3 */
};
static const guint8 h264_cabac_node_after_one[9] = { 1, 2, 3, 3, 4, 5, 6, 7, 8 };
static const guint8 h264_cabac_node_after_more[9] = { 4, 4, 4, 4, 5, 6, 7, 8, 8 };

/* ctxIdxInc of significant_coeff_flag and last_significant_coeff_flag in chroma DC blocks of 4:2:0 and 4:2:2: Min (numDecod / NumC8x8,
 * 2) */
static const guint8 h264_cabac_dc_inc_2x2[3] = { 0, 1, 2 }, h264_cabac_dc_inc_2x4[7] = { 0, 0, 1, 1, 2, 2, 2 };

/* A level whose coeff_abs_level_minus1 has a suffix, with its sign, goes to @where: all others fit into 16 bits. */
void h264_cabac_read_long_level (H264SliceDecoder *dec, H264Cabac *cabac, gint16 *where);

/* coded_block_flag's ctxIdxInc (9.3.3.1.1.9) */
H264_ALWAYS_INLINE guint
h264_cabac_coded_block_flag_inc (const H264SliceDecoder *dec, H264BlockClass block_class, guint plane, guint at)
{
  if (block_class == H264_BLOCK_DC || block_class == H264_BLOCK_CHROMA_DC)
    return (dec->left->dc_coded >> plane & 1) + 2 * (dec->above->dc_coded >> plane & 1);
  return (dec->total_coeff[plane][at - 1] != 0) + 2 * (dec->total_coeff[plane][at - 8] != 0);
}

/* Whether an 8x8 block has levels: transmitted in 4:4:4 only.  Neighbouring blocks of 4x4 levels do not count (9.3.3.1.1.9). */
H264_ALWAYS_INLINE gboolean
h264_cabac_read_8x8_coded_block_flag (H264SliceDecoder *dec, H264Cabac *cabac, guint plane, guint at)
{
  gboolean a = dec->total_coeff[plane][at - 1] != 0, b = dec->total_coeff[plane][at - 8] != 0;

  if (dec->ChromaArrayType != 3)
    return TRUE;
  if ((at & 7) == 4)
    a = a && (dec->left->any_8x8 >> (at >> 4) & 1);
  if (at < 16)
    b = b && (dec->above->any_8x8 & 1);
  return h264_cabac_bin (cabac,
      &dec->contexts[h264_cabac_block_contexts[H264_BLOCK_8x8][plane].coded_block_flag + (guint) a + 2 * (guint) b]);
}

G_END_DECLS
