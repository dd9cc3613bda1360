/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The level scales in force on one core, made anew where a block needs others than the one before, as decoders do.
 */
#ifndef IDCT_SCALES_H
#define IDCT_SCALES_H

#include "idcthostcode.h"
#include "normadjust.h"

#define IDCT_INLINE static inline __attribute__ ((always_inline))

typedef struct
{
  uint32_t key;
  int16_t scale[64] __attribute__ ((aligned (64))); /* LevelScale << left, in the order of levels; the lower 16 bits */
  int32_t round, right;
} IdctScales;

static inline void
idct_scales_make (IdctScales *scales, const IdctHost *host, const GstGpuMb *mb, unsigned plane, unsigned n)
{
  const GstGpuSlice *slice = (const GstGpuSlice *) (host->header + host->layout.slices) + mb->slice;
  unsigned inter = mb->mb_class == GST_GPU_MB_INTER, qp = mb->qp_scaled[plane], bits = n == 4 ? 4 : 6;
  unsigned left = qp / 6 > bits ? qp / 6 - bits : 0;

  scales->right = qp / 6 < bits ? (int32_t) (bits - qp / 6) : 0;
  scales->round = scales->right ? 1 << (scales->right - 1) : 0;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++) {
      unsigned k = i * n + j;
      uint32_t weight = n == 4 ? slice->weight_scale_4x4[inter * 3 + plane][k] : slice->weight_scale_8x8[plane * 2 + inter][k];
      uint32_t norm = n == 4 ? norm_adjust_4x4 (qp % 6, i, j) : norm_adjust_8x8 (qp % 6, i, j);

      scales->scale[k] = (int16_t) (weight * norm << left);
    }
}

/* Called for each block.  *@dc: coefficient 0 of a 4x4 block of 4:2:0 that has it from the DC groups; returns whether it has */
IDCT_INLINE int
idct_scales_move (IdctScales *scales, const IdctHost *host, uint32_t position, unsigned n, int16_t *dc)
{
  unsigned mb_addr = GST_GPU_POSITION_MB (position), plane = GST_GPU_POSITION_PLANE (position);
  const GstGpuMb *mb = (const GstGpuMb *) (host->header + host->layout.mbs) + mb_addr;
  uint32_t key =
      mb->slice | (uint32_t) plane << 16 | (uint32_t) (mb->mb_class == GST_GPU_MB_INTER) << 18 | (uint32_t) mb->qp_scaled[plane] << 19;

  if (key != scales->key) {
    idct_scales_make (scales, host, mb, plane, n);
    scales->key = key;
  }
  if (n == 8 || (plane == 0 && mb->mb_class != GST_GPU_MB_I16x16))
    return 0;
  *dc = mb->dc_coded >> plane & 1 ? (int16_t) host->dc[mb_addr * 48 + plane * 16 + GST_GPU_POSITION_BLK (position)] : 0;
  return 1;
}

/* In C; @n known when compiled */
IDCT_INLINE void
idct_scale_blocks (const IdctHost *host, const uint32_t *positions, int16_t *blocks, size_t n_blocks, unsigned n)
{
  IdctScales scales = { .key = ~0u };

  for (size_t i = 0; i < n_blocks; i++) {
    int16_t *data = blocks + i * n * n, dc;
    int has_dc = idct_scales_move (&scales, host, positions[i], n, &dc);

    for (unsigned k = 0; k < n * n; k++)
      data[k] = (int16_t) ((data[k] * scales.scale[k] + scales.round) >> scales.right);
    if (has_dc)
      data[0] = dc;
  }
}

#endif
