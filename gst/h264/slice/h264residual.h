/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * residual() and residual_luma() (ITU-T H.264, 7.3.5.3): which blocks a macroblock has, in which order, and where they go.
 *
 * The block readers come as constants, so that each entropy coding gets its own copy with the reader of every class folded in.
 */
#pragma once

#include "h264scan.h"
#include "h264slicestate.h"

/* What ctxBlockCat (Table 9-42) says of a block but for its plane */
typedef enum
{
  H264_BLOCK_DC = 0,  /* Intra16x16DCLevel */
  H264_BLOCK_AC = 1,  /* Intra16x16ACLevel */
  H264_BLOCK_4x4 = 2, /* LumaLevel4x4 */
  H264_BLOCK_CHROMA_DC = 3,
  H264_BLOCK_CHROMA_AC = 4,
  H264_BLOCK_8x8 = 5, /* LumaLevel8x8 */
} H264BlockClass;

/* Reads residual_block (): levels go to block[scan[k]], and all other levels of the block become zero; a block without levels need not be
 * written.  @engine: the coding's own reader, which stays in registers from block to block.  @at: place of the (upper left) 4x4 block in
 * the caches.  Gives the number of levels that are not zero, and keeps it in total_coeff[]. */
typedef guint (*H264ReadBlock) (H264SliceDecoder *dec, gpointer engine, H264BlockClass block_class, guint plane, guint at, gint16 *block,
    const guint8 *scan, guint max_num_coeff);

/* The same for a whole 8x8 block, of which CAVLC sends four parts */
typedef guint (*H264ReadBlock8x8) (H264SliceDecoder *dec, gpointer engine, guint plane, guint at, gint16 *block);

/* Levels of a block of which @max_num_coeff are read: level 0 of AC blocks stands elsewhere */
H264_ALWAYS_INLINE guint
h264_block_n_levels (H264BlockClass block_class, guint max_num_coeff)
{
  return block_class == H264_BLOCK_AC || block_class == H264_BLOCK_CHROMA_AC ? max_num_coeff + 1 : max_num_coeff;
}

typedef struct
{
  H264ReadBlock read_block;
  H264ReadBlock8x8 read_8x8;
} H264BlockReaders;

/* Place of a chroma4x4BlkIdx of 4:2:0 and 4:2:2 (6.4.7) in a cache */
#define H264_CACHE_CHROMA(blk) H264_CACHE ((blk) % 2, (blk) / 2)

H264_ALWAYS_INLINE const guint8 *
h264_scan_4x4 (const H264SliceDecoder *dec)
{
  const guint field = dec->mb->flags & GST_GPU_MB_FIELD ? 1 : 0;

  return dec->bypass ? h264_scan_4x4_raster[field] : h264_scan_4x4_transposed[field];
}

/* A 4x4 block, or the AC levels of one whose level 0 is @dc (lossless macroblocks, where nothing else adds it) */
H264_ALWAYS_INLINE void
h264_residual_4x4 (H264SliceDecoder *dec, const H264BlockReaders *readers, gpointer engine, H264BlockClass block_class, guint plane,
    guint blk, guint at, const guint8 *scan, gboolean coded, gint16 dc)
{
  H264OpenChunk *chunk = dec->blocks[H264_BLOCKS_4x4].chunk;
  gint16 *block = (gint16 *) chunk->next;
  const gboolean ac = block_class != H264_BLOCK_4x4;
  guint n = 0;

  if (coded)
    n = readers->read_block (dec, engine, block_class, plane, at, block, ac ? scan + 1 : scan, ac ? 15 : 16);
  if (n > 0 || dc != 0) {
    if (n == 0)
      memset (block, 0, 16 * sizeof (gint16));
    block[0] += dc;
    dec->mb->coded[plane] |= (guint16) (1u << blk);
    h264_open_chunk_append (chunk, 16 * sizeof (gint16), GST_GPU_POSITION (dec->place.mbAddr, plane, blk));
  }
}

H264_ALWAYS_INLINE void
h264_residual_8x8 (H264SliceDecoder *dec, const H264BlockReaders *readers, gpointer engine, guint plane, guint blk8)
{
  H264OpenChunk *chunk = dec->blocks[H264_BLOCKS_8x8].chunk;
  gint16 *block = (gint16 *) chunk->next;

  if (readers->read_8x8 (dec, engine, plane, h264_cache_4x4[4 * blk8], block) > 0) {
    dec->mb->coded[plane] |= (guint16) (1u << (4 * blk8));
    h264_open_chunk_append (chunk, 64 * sizeof (gint16), GST_GPU_POSITION (dec->place.mbAddr, plane, 4 * blk8));
  }
}

/* Reads a DC group; @lossless gets its levels where they belong to the blocks themselves, row by row. */
H264_ALWAYS_INLINE void
h264_residual_dc (H264SliceDecoder *dec, const H264BlockReaders *readers, gpointer engine, H264BlockClass block_class, guint plane,
    const guint8 *scan, guint n_levels, guint list, gint16 *lossless)
{
  H264OpenChunk *chunk = dec->blocks[list].chunk;
  gint16 *block = dec->bypass ? lossless : (gint16 *) chunk->next;

  if (readers->read_block (dec, engine, block_class, plane, H264_CACHE (0, 0), block, scan, n_levels) == 0)
    return;
  dec->dc_coded |= 1u << plane;
  if (!dec->bypass) {
    dec->mb->dc_coded |= (guint8) (1u << plane);
    h264_open_chunk_append (chunk, n_levels * sizeof (gint16), GST_GPU_POSITION (dec->place.mbAddr, plane, 0));
  }
}

H264_ALWAYS_INLINE void
h264_residual_16x16 (H264SliceDecoder *dec, const H264BlockReaders *readers, gpointer engine, guint plane)
{
  const guint8 *scan = h264_scan_4x4 (dec);
  gint16 dc[16] = { 0 };

  h264_residual_dc (dec, readers, engine, H264_BLOCK_DC, plane, scan, 16, H264_BLOCKS_DC, dc);
  if ((dec->cbp & 15) == 0 && !dec->bypass)
    return;
  for (guint blk = 0; blk < 16; blk++) {
    const guint at = h264_cache_4x4[blk];

    h264_residual_4x4 (dec, readers, engine, H264_BLOCK_AC, plane, blk, at, scan, (dec->cbp & 15) != 0, dc[(at >> 3) * 4 + (at & 7) - 8]);
  }
}

/* residual_luma(), for Cb and Cr of 4:4:4 too */
H264_ALWAYS_INLINE void
h264_residual_luma (H264SliceDecoder *dec, const H264BlockReaders *readers, gpointer engine, guint plane)
{
  const guint8 *scan = h264_scan_4x4 (dec);
  guint blk8;

  if (dec->mb->mb_class == GST_GPU_MB_I16x16) {
    h264_residual_16x16 (dec, readers, engine, plane);
    return;
  }
  /* from bit to bit: a branch for each luma8x8BlkIdx would be foretold in three cases of four only */
  for (guint coded = dec->cbp & 15; coded != 0; coded &= coded - 1) {
    blk8 = (guint) __builtin_ctz (coded);
    if (dec->transform_size_8x8_flag)
      h264_residual_8x8 (dec, readers, engine, plane, blk8);
    else
      for (guint blk = 4 * blk8; blk < 4 * blk8 + 4; blk++)
        h264_residual_4x4 (dec, readers, engine, H264_BLOCK_4x4, plane, blk, h264_cache_4x4[blk], scan, TRUE, 0);
  }
}

/* Chroma of 4:2:0 and 4:2:2, which have 4 and 8 blocks */
H264_ALWAYS_INLINE void
h264_residual_chroma (H264SliceDecoder *dec, const H264BlockReaders *readers, gpointer engine, guint n_blocks)
{
  const guint8 *scan = h264_scan_4x4 (dec);
  gint16 dc[3][8] = { { 0 } };

  if (dec->cbp >> 4 == 0)
    return;
  for (guint plane = 1; plane < 3; plane++)
    h264_residual_dc (dec, readers, engine, H264_BLOCK_CHROMA_DC, plane, n_blocks == 4 ? h264_scan_chroma_dc_2x2 : h264_scan_chroma_dc_2x4,
        n_blocks, H264_BLOCKS_CHROMA_DC, dc[plane]);
  if (!(dec->cbp & 0x20) && !dec->bypass)
    return;
  for (guint plane = 1; plane < 3; plane++)
    for (guint blk = 0; blk < n_blocks; blk++)
      h264_residual_4x4 (dec, readers, engine, H264_BLOCK_CHROMA_AC, plane, blk, H264_CACHE_CHROMA (blk), scan, (dec->cbp & 0x20) != 0,
          dc[plane][blk]);
}

H264_ALWAYS_INLINE void
h264_residual (H264SliceDecoder *dec, const H264BlockReaders *readers, gpointer engine)
{
  h264_residual_luma (dec, readers, engine, 0);
  if (dec->ChromaArrayType == 3) {
    h264_residual_luma (dec, readers, engine, 1);
    h264_residual_luma (dec, readers, engine, 2);
  } else if (dec->ChromaArrayType == 2) {
    h264_residual_chroma (dec, readers, engine, 8);
  } else if (dec->ChromaArrayType == 1) {
    h264_residual_chroma (dec, readers, engine, 4);
  }
}
