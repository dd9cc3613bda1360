/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Weighted sample prediction (8.4.2.3) in explicit vectors: of the prediction in the picture, and of that from list 1 beside it (included
 * by interpredvector.cl).
 */

/* Weighted sample prediction (8.4.2.3) of rows of n columns, in place */
#define DEFINE_WEIGHTS(n) \
  INLINE void \
  weight_both_##n (const Block *block, const Weights *weights, __global const Sample *second, int max) \
  { \
    int##n w0 = (int##n) weights->w[0], w1 = (int##n) weights->w[1], shift = (int##n) (int) (weights->log2_denom + 1); \
    int##n round = (int##n) (1 << weights->log2_denom), offset = (int##n) weights->offset; \
\
    for (int y = 0; y < block->height; y++) { \
      __global Sample *p = block->samples + y * block->stride; \
      int##n a = convert_int##n (LOAD_SAMPLES (n, p)), b = convert_int##n (LOAD_SAMPLES (n, second + y * SECOND_PITCH)); \
\
      STORE_SAMPLES (n, p, CONVERT_SAMPLE (n) (clamp (((a * w0 + b * w1 + round) >> shift) + offset, (int##n) 0, (int##n) max))); \
    } \
  } \
\
  INLINE void \
  weight_one_##n (const Block *block, const Weights *weights, int max) \
  { \
    int##n w = (int##n) weights->w[0], shift = (int##n) (int) weights->log2_denom, offset = (int##n) weights->offset; \
    int##n round = (int##n) (1 << weights->log2_denom >> 1); \
\
    for (int y = 0; y < block->height; y++) { \
      __global Sample *p = block->samples + y * block->stride; \
      int##n a = convert_int##n (LOAD_SAMPLES (n, p)); \
\
      STORE_SAMPLES (n, p, CONVERT_SAMPLE (n) (clamp (((a * w + round) >> shift) + offset, (int##n) 0, (int##n) max))); \
    } \
  } \
\
  static __attribute__ ((noinline)) void \
  weight_##n (const Block *block, const Weights *weights, __global const Sample *second, bool both, int max) \
  { \
    if (both) \
      weight_both_##n (block, weights, second, max); \
    else \
      weight_one_##n (block, weights, max); \
  }

DEFINE_WEIGHTS (2)
DEFINE_WEIGHTS (4)
DEFINE_WEIGHTS (8)
DEFINE_WEIGHTS (16)

INLINE void
weight (const Block *block, const Weights *weights, __global const Sample *second, bool both, int max)
{
  if (block->width == 16)
    weight_16 (block, weights, second, both, max);
  else if (block->width == 8)
    weight_8 (block, weights, second, both, max);
  else if (block->width == 4)
    weight_4 (block, weights, second, both, max);
  else
    weight_2 (block, weights, second, both, max);
}
