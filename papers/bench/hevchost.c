/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hevchost.h"
#include "reference.h"

void
hevc_host_init (HevcHost *host, const GpuHevcTransform *transform, unsigned bit_depth)
{
  unsigned n = transform->n, log2_n = n == 4 ? 2 : n == 8 ? 3 : n == 16 ? 4 : 5;

  host->transform = *transform;
  host->bit_depth = bit_depth;
  host->shift[0] = transform->inverse ? 7 : (int) (log2_n + bit_depth) - 9;
  host->shift[1] = transform->inverse ? 20 - (int) bit_depth : (int) log2_n + 6;
  gpu_reference_hevc_matrix (n, transform->dst, host->matrix);
  for (unsigned k = 0; k < n * n; k++)
    host->transposed[k % n * n + k / n] = host->matrix[k];
  for (unsigned size = 4; size <= n; size *= 2)
    for (unsigned k = 0; k < size * size / 4; k++)
      host->odd[HEVC_ODD (size) + k] = host->matrix[(2 * (k % (size / 2)) + 1) * (n / size) * n + k / (size / 2)];
}

void
hevc_host_product (const HevcHost *host, const int16_t *in, int16_t *out, unsigned count)
{
  unsigned n = host->transform.n;

  for (unsigned b = 0; b < count; b++, in += n * n, out += n * n)
    gpu_reference_hevc_transform (host->matrix, n, host->transform.inverse, host->shift, in, out);
}
