/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Picture construction (8.5.14) of a predicted macroblock in explicit vectors: adds the residual blocks to what stands in the picture
 * (included by interpredvector.cl).
 */

typedef short16 __attribute__ ((aligned (2))) Residual16;

/* Clip1 (pred + residual): residuals above 16384 count as that, which overshoots every depth, so that the sum fits 16 bits. */
INLINE Sample16
construct (Sample16 prediction, short16 residual, int max)
{
  short16 v = convert_short16 (prediction) + min (residual, (short16) 16384);

  return CONVERT_SAMPLE (16) (clamp (v, (short16) 0, (short16) (short) max));
}

INLINE void
add_4x4 (__global Sample *p, long stride, short16 residual, int max)
{
  Sample16 v = construct ((Sample16) (LOAD_SAMPLES (4, p), LOAD_SAMPLES (4, p + stride), LOAD_SAMPLES (4, p + 2 * stride),
      LOAD_SAMPLES (4, p + 3 * stride)), residual, max);

  STORE_SAMPLES (4, p, v.s0123);
  STORE_SAMPLES (4, p + stride, v.s4567);
  STORE_SAMPLES (4, p + 2 * stride, v.s89ab);
  STORE_SAMPLES (4, p + 3 * stride, v.scdef);
}

/* Two rows of 8 */
INLINE void
add_8x2 (__global Sample *p, long stride, short16 residual, int max)
{
  Sample16 v = construct ((Sample16) (LOAD_SAMPLES (8, p), LOAD_SAMPLES (8, p + stride)), residual, max);

  STORE_SAMPLES (8, p, v.lo);
  STORE_SAMPLES (8, p + stride, v.hi);
}

/* Number of the lowest bit that is set: walks through those that are, without a look at the others */
INLINE uint
lowest_bit (uint bits)
{
  return 31 - clz (bits & -bits);
}

INLINE void
add_8x8_blocks (const Area *area, int max)
{
  __global const short *block = area->blocks;
  long stride = area->stride;

  for (uint todo = area->coded & 0x1111; todo; todo &= todo - 1) {
    uint blk = lowest_bit (todo) / 4;
    __global Sample *p = area->samples + (long) (blk >> 1) * 8 * stride + (blk & 1) * 8;

    for (int y = 0; y < 8; y += 2)
      add_8x2 (p + y * stride, stride, *(__global const Residual16 *) (block + y * 8), max);
    block += area->block_step;
  }
}

/* A block without levels of its own has the residual of its DC coefficient; one of 0 changes nothing. */
INLINE void
add_4x4_blocks (const Area *area, bool like_luma, int max)
{
  uint n_blks = like_luma ? 16 : CHROMA_HEIGHT / 2;
  uint todo = area->dc ? (1u << n_blks) - 1 : area->coded;
  __global const short *block = area->blocks;
  long stride = area->stride;

  for (; todo; todo &= todo - 1) {
    uint blk = lowest_bit (todo);
    uint column = like_luma ? block_column (blk) : blk & 1, row = like_luma ? block_row (blk) : blk >> 1;
    __global Sample *p = area->samples + (long) row * 4 * stride + column * 4;

    if (area->coded >> blk & 1) {
      add_4x4 (p, stride, *(__global const Residual16 *) block, max);
      block += area->block_step;
    } else {
      int dc = as_int (as_uint (area->dc[blk]) + 32u) >> 6;

      if (dc)
        add_4x4 (p, stride, (short16) convert_short_sat (dc), max);
    }
  }
}

INLINE void
add_residual (const Area *area, bool like_luma)
{
  int max = GPU_SAMPLE_BYTES == 1 ? 255 : area->max;

  if (area->coded == 0 && !area->dc)
    return;
  if (like_luma && (area->mb->flags & GST_GPU_MB_TRANSFORM_8x8))
    add_8x8_blocks (area, max);
  else
    add_4x4_blocks (area, like_luma, max);
}
