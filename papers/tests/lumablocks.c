/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "lumablocks.h"
#include "normadjust.h"
#include "reference.h"

void
luma_blocks_scale (const LumaBlocks *self, const int16_t *levels, int32_t *coeffs)
{
  unsigned n = self->n, bits = n == 4 ? 4 : 6;

  for (size_t k = 0; k < (size_t) self->n_blocks * n * n; k++) {
    unsigned qp = self->qp[k / (n * n)], i = k / n % n, j = k % n;
    int scale = (int) (self->weight * (n == 4 ? norm_adjust_4x4 (qp % 6, i, j) : norm_adjust_8x8 (qp % 6, i, j)));

    if (qp / 6 >= bits)
      coeffs[k] = levels[k] * scale * (1 << (qp / 6 - bits));
    else
      coeffs[k] = (levels[k] * scale + (1 << (bits - 1 - qp / 6))) >> (bits - qp / 6);
  }
}

/* Blocks row by row to blocks column by column, as the records have them, or back */
static void
transpose (unsigned n, unsigned n_blocks, const int16_t *in, int16_t *out)
{
  for (unsigned b = 0; b < n_blocks; b++)
    for (unsigned i = 0; i < n; i++)
      for (unsigned j = 0; j < n; j++)
        out[(b * n + i) * n + j] = in[(b * n + j) * n + i];
}

void
luma_blocks_transform (const LumaBlocks *self, const int16_t *levels, int16_t *residual)
{
  size_t mbs_offset = (sizeof (GstGpuSlice) + 63) / 64 * 64, size = (size_t) self->n_blocks * self->n * self->n * 2;
  size_t list = (size + 63) / 64 * 64, coeffs_size = list + (self->n_blocks * 4 + 63) / 64 * 64;
  GstGpuPicture params = { .width_in_mbs = self->n_blocks,
    .height_in_mbs = 1,
    .chroma_array_type = 1,
    .bit_depth_luma = 8,
    .bit_depth_chroma = 8 };
  GstGpuSegment segment = { .positions = (gst_gpu_u32) (list / 4),
    .count = self->n_blocks,
    .kind = self->n == 4 ? GST_GPU_KIND_4x4 : GST_GPU_KIND_8x8 };
  uint8_t *header = calloc (1, mbs_offset + self->n_blocks * sizeof (GstGpuMb)), *coeffs = aligned_alloc (64, coeffs_size);
  int32_t *dc = calloc (self->n_blocks, 48 * sizeof (*dc));
  GstGpuSlice *slice = (GstGpuSlice *) header;
  GstGpuMb *mbs = (GstGpuMb *) (header + mbs_offset);
  GpuReferencePicture picture = { .params = &params, .header = header, .layout = { .mbs = mbs_offset }, .coeffs = coeffs, .dc = dc };

  if (!header || !coeffs || !dc)
    abort ();
  memset (slice->weight_scale_4x4, self->weight, sizeof (slice->weight_scale_4x4));
  memset (slice->weight_scale_8x8, self->weight, sizeof (slice->weight_scale_8x8));
  for (unsigned b = 0; b < self->n_blocks; b++) {
    mbs[b] = (GstGpuMb){ .mb_class = self->n == 4 ? GST_GPU_MB_I4x4 : GST_GPU_MB_I8x8,
      .flags = self->n == 4 ? 0 : GST_GPU_MB_TRANSFORM_8x8,
      .coded = { 1 },
      .qp_scaled = { self->qp[b] } };
    ((gst_gpu_u32 *) (coeffs + list))[b] = GST_GPU_POSITION (b, 0, 0);
  }
  transpose (self->n, self->n_blocks, levels, (int16_t *) coeffs);
  gpu_reference_idct (&picture, &segment, 1, 0);
  memcpy (residual, coeffs, size);
  free (header);
  free (coeffs);
  free (dc);
}
