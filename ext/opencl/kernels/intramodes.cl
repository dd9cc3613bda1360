/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the record of an intra macroblock says: its modes, its I_PCM samples, and which neighbours its blocks may use.  Build options as in
 * area.cl.
 */
#include "area.cl"

/* I_PCM samples (8.3.5) of a plane */
INLINE __global const Sample *
pcm_samples (const Area *area)
{
  __global const Sample *samples = (__global const Sample *) (area->arena + (ulong) area->mb->first_4x4 * 16);

  return area->plane == 0 ? samples : samples + 256 + (area->plane - 1) * CHROMA_WIDTH * CHROMA_HEIGHT;
}

/* Intra_16x16 and chroma: one mode for the whole area, numbered like Intra16x16PredMode (Table 8-4); intra_chroma_pred_mode is Table
 * 7-16 */
#define WHOLE_VERTICAL 0
#define WHOLE_HORIZONTAL 1
#define WHOLE_DC 2
#define WHOLE_PLANE 3

INLINE uint
whole_mode (const Area *area, bool like_luma)
{
  uint mode = area->mb->intra_chroma_pred_mode & 3;

  if (like_luma)
    return area->mb->intra_modes[0] & 3;
  return mode == 3 ? WHOLE_PLANE : 2 - mode;
}

/* Intra4x4PredMode, Intra8x8PredMode number i */
INLINE uint
nxn_mode (__global const GstGpuMb *mb, uint i)
{
  return mb->intra_modes[i >> 1] >> (i & 1) * 4 & 15;
}

/* Neighbours of each 4x4 block (bit luma4x4BlkIdx) that are available for prediction (6.4.11.4, 8.3.1.2), by what the macroblock has. */
INLINE uint
blocks_with_left (uint available)
{
  return 0xfafa | (available & GST_GPU_AVAILABLE_A ? 0x0005 : 0) | (available & GST_GPU_AVAILABLE_A_LOWER ? 0x0500 : 0);
}

INLINE uint
blocks_with_above (uint available)
{
  return 0xffcc | (available & GST_GPU_AVAILABLE_B ? 0x0033 : 0);
}

/* Above right: never for blocks 3, 7, 11, 13 and 15, whose neighbours come later. */
INLINE uint
blocks_with_above_right (uint available)
{
  return 0x5744 | (available & GST_GPU_AVAILABLE_B ? 0x0013 : 0) | (available & GST_GPU_AVAILABLE_C ? 0x0020 : 0);
}

INLINE uint
blocks_with_corner (uint available)
{
  return 0xfac8 | (available & GST_GPU_AVAILABLE_D ? 1 : 0) | (available & GST_GPU_AVAILABLE_B ? 0x0032 : 0)
      | (available & GST_GPU_AVAILABLE_A ? 0x0104 : 0)
      | (available & GST_GPU_AVAILABLE_A_LOWER ? 0x0400 : 0);
}

/* The same of the 8x8 blocks, as GST_GPU_AVAILABLE_A, B, C and D */
INLINE uint
available_8x8 (uint available, uint blk)
{
  if (blk == 0)
    return (available & (GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_D))
        | (available & GST_GPU_AVAILABLE_B ? GST_GPU_AVAILABLE_C : 0);
  if (blk == 1)
    return GST_GPU_AVAILABLE_A | (available & (GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_C))
        | (available & GST_GPU_AVAILABLE_B ? GST_GPU_AVAILABLE_D : 0);
  if (blk == 2)
    return GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_C | (available & GST_GPU_AVAILABLE_A_LOWER ? GST_GPU_AVAILABLE_A : 0)
        | (available & (GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_ROW_7) ? GST_GPU_AVAILABLE_D : 0);
  return GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_D;
}
