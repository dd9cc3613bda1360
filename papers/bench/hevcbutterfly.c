/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hevchost.h"

#define INLINE static inline __attribute__ ((always_inline))

INLINE int16_t
round_line_sum (int32_t sum, int shift)
{
  int32_t v = (sum + (1 << shift >> 1)) >> shift;

  return (int16_t) (v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v);
}

INLINE void
forward_dst_line (const int32_t *x, int32_t *y)
{
  int32_t a = x[0] + x[3], b = x[1] + x[3], c = x[0] - x[1], d = 74 * x[2];

  y[0] = 29 * a + 55 * b + d;
  y[1] = 74 * (x[0] + x[1] - x[3]);
  y[2] = 29 * c + 55 * a - d;
  y[3] = 55 * c - 29 * b + d;
}

INLINE void
inverse_dst_line (const int32_t *x, int32_t *y)
{
  int32_t a = x[0] + x[2], b = x[2] + x[3], c = x[0] - x[3], d = 74 * x[1];

  y[0] = 29 * a + 55 * b + d;
  y[1] = 55 * c - 29 * b + d;
  y[2] = 74 * (x[0] - x[2] + x[3]);
  y[3] = 55 * a + 29 * c - d;
}

/* Odd rows of each size's matrix are the odd parts; what is left is the transform of half the size. */
INLINE void
forward_line (const int16_t *matrix, unsigned n, int32_t *x, int32_t *y)
{
  for (unsigned size = n, step = 1; size >= 4; size /= 2, step *= 2) {
    int32_t odd[16];

    for (unsigned i = 0; i < size / 2; i++) {
      odd[i] = x[i] - x[size - 1 - i];
      x[i] += x[size - 1 - i];
    }
    for (unsigned k = 1; k < size; k += 2) {
      int32_t sum = 0;

      for (unsigned i = 0; i < size / 2; i++)
        sum += matrix[k * step * n + i] * odd[i];
      y[k * step] = sum;
    }
  }
  y[0] = 64 * (x[0] + x[1]);
  y[n / 2] = 64 * (x[0] - x[1]);
}

INLINE void
inverse_line (const int16_t *matrix, unsigned n, const int32_t *x, int32_t *y)
{
  y[0] = 64 * (x[0] + x[n / 2]);
  y[1] = 64 * (x[0] - x[n / 2]);
  for (unsigned size = 4, step = n / 4; size <= n; size *= 2, step /= 2) {
    int32_t odd[16] = { 0 };

    for (unsigned k = 1; k < size; k += 2)
      for (unsigned i = 0; i < size / 2; i++)
        odd[i] += matrix[k * step * n + i] * x[k * step];
    for (unsigned i = 0; i < size / 2; i++)
      y[size - 1 - i] = y[i] - odd[i];
    for (unsigned i = 0; i < size / 2; i++)
      y[i] += odd[i];
  }
}

/* One dimension; the result is transposed.  So the second dimension is the same again: forward, rows are read and columns written; inverse,
 * columns are read and rows written. */
INLINE void
transform_lines (const int16_t *matrix, unsigned n, int dst, int inverse, int shift, const int16_t *in, int16_t *out)
{
  for (unsigned line = 0; line < n; line++) {
    int32_t x[32], y[32];

    for (unsigned j = 0; j < n; j++)
      x[j] = in[inverse ? j * n + line : line * n + j];
    if (dst && inverse)
      inverse_dst_line (x, y);
    else if (dst)
      forward_dst_line (x, y);
    else if (inverse)
      inverse_line (matrix, n, x, y);
    else
      forward_line (matrix, n, x, y);
    for (unsigned j = 0; j < n; j++)
      out[inverse ? line * n + j : j * n + line] = round_line_sum (y[j], shift);
  }
}

INLINE void
butterfly_blocks (const HevcHost *host, unsigned n, int dst, int inverse, const int16_t *in, int16_t *out, unsigned count)
{
  int16_t between[32 * 32];

  for (unsigned b = 0; b < count; b++, in += n * n, out += n * n) {
    transform_lines (host->matrix, n, dst, inverse, host->shift[0], in, between);
    transform_lines (host->matrix, n, dst, inverse, host->shift[1], between, out);
  }
}

/* Sizes that the compiler knows */
void
hevc_host_butterfly (const HevcHost *host, const int16_t *in, int16_t *out, unsigned count)
{
  const GpuHevcTransform *transform = &host->transform;

  if (transform->dst && transform->inverse)
    butterfly_blocks (host, 4, 1, 1, in, out, count);
  else if (transform->dst)
    butterfly_blocks (host, 4, 1, 0, in, out, count);
  else if (transform->inverse && transform->n == 4)
    butterfly_blocks (host, 4, 0, 1, in, out, count);
  else if (transform->inverse && transform->n == 8)
    butterfly_blocks (host, 8, 0, 1, in, out, count);
  else if (transform->inverse && transform->n == 16)
    butterfly_blocks (host, 16, 0, 1, in, out, count);
  else if (transform->inverse)
    butterfly_blocks (host, 32, 0, 1, in, out, count);
  else if (transform->n == 4)
    butterfly_blocks (host, 4, 0, 0, in, out, count);
  else if (transform->n == 8)
    butterfly_blocks (host, 8, 0, 0, in, out, count);
  else if (transform->n == 16)
    butterfly_blocks (host, 16, 0, 0, in, out, count);
  else
    butterfly_blocks (host, 32, 0, 0, in, out, count);
}
