/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hevchost.h"
#include "reference.h"

void
hevc_host_matrix (const GpuHevcTransform *transform, int16_t matrix[32 * 32])
{
  gpu_reference_hevc_matrix (transform->n, transform->dst, matrix);
}

static unsigned
log2_of (unsigned n)
{
  return n == 4 ? 2 : n == 8 ? 3 : n == 16 ? 4 : 5;
}

/* Of dimension 0 or 1 */
static int
get_shift (const GpuHevcTransform *transform, unsigned bit_depth, int second)
{
  if (transform->inverse)
    return second ? 20 - (int) bit_depth : 7;
  return second ? (int) log2_of (transform->n) + 6 : (int) (log2_of (transform->n) + bit_depth) - 9;
}

static int16_t
round_sum (int32_t sum, int shift)
{
  int32_t v = (sum + (1 << shift >> 1)) >> shift;

  return (int16_t) (v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v);
}

void
hevc_host_product (const GpuHevcTransform *transform, unsigned bit_depth, const int16_t *in, int16_t *out, unsigned count)
{
  unsigned n = transform->n;
  const int shift[2] = { get_shift (transform, bit_depth, 0), get_shift (transform, bit_depth, 1) };
  int16_t matrix[32 * 32];

  hevc_host_matrix (transform, matrix);
  for (unsigned b = 0; b < count; b++, in += n * n, out += n * n)
    gpu_reference_hevc_transform (matrix, n, transform->inverse, shift, in, out);
}

/* Odd rows of each size's matrix are the odd parts; what is left is the transform of half the size. */
static void
forward_line (const int16_t *matrix, unsigned n, int32_t *x, int32_t *y)
{
  for (unsigned size = n, step = 1; size > 1; size /= 2, step *= 2) {
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
  y[0] = 64 * x[0];
}

static void
inverse_line (const int16_t *matrix, unsigned n, const int32_t *x, int32_t *y)
{
  y[0] = 64 * x[0];
  for (unsigned size = 2, step = n / 2; size <= n; size *= 2, step /= 2) {
    int32_t odd[16];

    for (unsigned i = 0; i < size / 2; i++) {
      odd[i] = 0;
      for (unsigned k = 1; k < size; k += 2)
        odd[i] += matrix[k * step * n + i] * x[k * step];
    }
    for (unsigned i = 0; i < size / 2; i++)
      y[size - 1 - i] = y[i] - odd[i];
    for (unsigned i = 0; i < size / 2; i++)
      y[i] += odd[i];
  }
}

static void
butterfly (const int16_t *matrix, unsigned n, int inverse, int rows, int shift, const int16_t *in, int16_t *out)
{
  unsigned along = rows ? 1 : n, across = rows ? n : 1;

  for (unsigned line = 0; line < n; line++) {
    int32_t x[32], y[32];

    for (unsigned j = 0; j < n; j++)
      x[j] = in[line * across + j * along];
    if (inverse)
      inverse_line (matrix, n, x, y);
    else
      forward_line (matrix, n, x, y);
    for (unsigned j = 0; j < n; j++)
      out[line * across + j * along] = round_sum (y[j], shift);
  }
}

void
hevc_host_butterfly (const GpuHevcTransform *transform, unsigned bit_depth, const int16_t *in, int16_t *out, unsigned count)
{
  unsigned n = transform->n;
  int16_t matrix[32 * 32], between[32 * 32];

  if (transform->dst) {
    hevc_host_product (transform, bit_depth, in, out, count);
    return;
  }
  hevc_host_matrix (transform, matrix);
  for (unsigned b = 0; b < count; b++, in += n * n, out += n * n) {
    butterfly (matrix, n, transform->inverse, !transform->inverse, get_shift (transform, bit_depth, 0), in, between);
    butterfly (matrix, n, transform->inverse, transform->inverse, get_shift (transform, bit_depth, 1), between, out);
  }
}
