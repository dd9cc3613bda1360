/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hevchost.h"

void
hevc_host_matrix (const GpuHevcTransform *transform, int16_t matrix[32 * 32])
{
  /* 64 * sqrt (2) * cos (j * pi / 64), as the standard rounds it; 64 for the constant row */
  static const int8_t cosines[33] = { 64, 90, 90, 90, 89, 88, 87, 85, 83, 82, 80, 78, 75, 73, 70, 67, 64, 61, 57, 54, 50, 46, 43, 38, 36,
    31, 25, 22, 18, 13, 9, 4, 0 };
  static const int8_t dst[16] = { 29, 55, 74, 84, 74, 74, 0, -74, 84, -29, -74, 55, 55, -84, 74, -29 };
  unsigned n = transform->n;

  for (unsigned k = 0; k < n; k++)
    for (unsigned i = 0; i < n; i++) {
      unsigned j = (2 * i + 1) * k * (32 / n) % 128;

      if (j > 64)
        j = 128 - j;
      matrix[k * n + i] = transform->dst ? dst[k * 4 + i] : k == 0 ? 64 : j > 32 ? (int16_t) -cosines[64 - j] : cosines[j];
    }
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

/* One dimension of a block: along rows or along columns */
static void
product (const int16_t *matrix, unsigned n, int inverse, int rows, int shift, const int16_t *in, int16_t *out)
{
  for (unsigned line = 0; line < n; line++)
    for (unsigned o = 0; o < n; o++) {
      int32_t sum = 0;

      for (unsigned j = 0; j < n; j++)
        sum += (inverse ? matrix[j * n + o] : matrix[o * n + j]) * (rows ? in[line * n + j] : in[j * n + line]);
      out[rows ? line * n + o : o * n + line] = round_sum (sum, shift);
    }
}

void
hevc_host_product (const GpuHevcTransform *transform, unsigned bit_depth, const int16_t *in, int16_t *out, unsigned count)
{
  unsigned n = transform->n;
  int16_t matrix[32 * 32], between[32 * 32];

  hevc_host_matrix (transform, matrix);
  for (unsigned b = 0; b < count; b++, in += n * n, out += n * n) {
    product (matrix, n, transform->inverse, !transform->inverse, get_shift (transform, bit_depth, 0), in, between);
    product (matrix, n, transform->inverse, transform->inverse, get_shift (transform, bit_depth, 1), between, out);
  }
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
