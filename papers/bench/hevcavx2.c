/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The transforms of HEVC in AVX2.  A vector is a row of 16 values: four 4x4 blocks side by side, two 8x8 ones, a row of a 16x16 block, or
 * half of one of a 32x32 block; so columns are transformed in all of them alike, and a transposition comes between the two dimensions.
 * Products are those of pairs of 16-bit values (pmaddwd), sums of 32 bits.
 */
#include <stddef.h>
#include <string.h>

#include "hevchost.h"

#ifdef __x86_64__
#include <immintrin.h>

#define AVX2 static inline __attribute__ ((always_inline, target ("avx2")))

/* Two vectors of 32-bit values: those that _mm256_unpacklo_epi16 () and _mm256_unpackhi_epi16 () leave */
typedef struct
{
  __m256i low, high;
} Wide;

AVX2 Wide
pair_rows (__m256i a, __m256i b)
{
  return (Wide){ _mm256_unpacklo_epi16 (a, b), _mm256_unpackhi_epi16 (a, b) };
}

/* Two factors, for a pair */
AVX2 __m256i
factors_at (const int16_t *factors)
{
  int32_t two;

  memcpy (&two, factors, sizeof (two));
  return _mm256_set1_epi32 (two);
}

AVX2 Wide
multiply_pairs (const Wide *pair, __m256i factors)
{
  return (Wide){ _mm256_madd_epi16 (pair->low, factors), _mm256_madd_epi16 (pair->high, factors) };
}

AVX2 Wide
add_wide (Wide a, Wide b)
{
  return (Wide){ _mm256_add_epi32 (a.low, b.low), _mm256_add_epi32 (a.high, b.high) };
}

AVX2 Wide
subtract_wide (Wide a, Wide b)
{
  return (Wide){ _mm256_sub_epi32 (a.low, b.low), _mm256_sub_epi32 (a.high, b.high) };
}

/* Rounded, shifted, clipped to 16 bits, in their places again */
AVX2 __m256i
narrow_sums (Wide sum, int shift)
{
  __m256i round = _mm256_set1_epi32 (1 << shift >> 1);
  __m128i count = _mm_cvtsi32_si128 (shift);

  return _mm256_packs_epi32 (_mm256_sra_epi32 (_mm256_add_epi32 (sum.low, round), count),
      _mm256_sra_epi32 (_mm256_add_epi32 (sum.high, round), count));
}

/* Sum of @n_pairs pairs, each times two factors that lie side by side */
AVX2 Wide
sum_products (const Wide *pairs, unsigned n_pairs, const int16_t *factors)
{
  Wide sum = multiply_pairs (&pairs[0], factors_at (factors));

  for (unsigned j = 1; j < n_pairs; j++)
    sum = add_wide (sum, multiply_pairs (&pairs[j], factors_at (factors + 2 * j)));
  return sum;
}

/* Columns by the whole matrix @factors, n to a row, from @x to @x */
AVX2 void
columns_product (const int16_t *factors, unsigned n, int shift, __m256i *x)
{
  Wide pairs[16];

  for (unsigned j = 0; j < n / 2; j++)
    pairs[j] = pair_rows (x[2 * j], x[2 * j + 1]);
  for (unsigned k = 0; k < n; k++)
    x[k] = narrow_sums (sum_products (pairs, n / 2, factors + k * n), shift);
}

/* Columns of residuals by even and odd parts: sums of up to 16 residuals of 10 bits and a sign need 16 bits.  Those of a second dimension
 * would need more: columns_product (). */
AVX2 void
forward_columns (const int16_t *matrix, unsigned n, int shift, __m256i *x)
{
  __m256i y[32];
  Wide pairs[8];

  for (unsigned size = n, step = 1; size >= 4; size /= 2, step *= 2) {
    __m256i odd[16];

    for (unsigned i = 0; i < size / 2; i++) {
      odd[i] = _mm256_sub_epi16 (x[i], x[size - 1 - i]);
      x[i] = _mm256_add_epi16 (x[i], x[size - 1 - i]);
    }
    for (unsigned j = 0; j < size / 4; j++)
      pairs[j] = pair_rows (odd[2 * j], odd[2 * j + 1]);
    for (unsigned k = 1; k < size; k += 2)
      y[k * step] = narrow_sums (sum_products (pairs, size / 4, matrix + k * step * n), shift);
  }
  pairs[0] = pair_rows (x[0], x[1]);
  y[0] = narrow_sums (sum_products (pairs, 1, matrix), shift);
  y[n / 2] = narrow_sums (sum_products (pairs, 1, matrix + n / 2 * n), shift);
  for (unsigned k = 0; k < n; k++)
    x[k] = y[k];
}

/* Columns of coefficients by even and odd parts.  @factors: HevcHost.odd */
AVX2 void
inverse_columns (const int16_t *factors, unsigned n, int shift, __m256i *x)
{
  Wide y[32], pairs[8];

  pairs[0] = pair_rows (x[0], x[n / 2]);
  y[0] = multiply_pairs (&pairs[0], _mm256_set1_epi16 (64));
  y[1] = multiply_pairs (&pairs[0], _mm256_set1_epi32 (64 - (64 << 16)));
  for (unsigned size = 4, step = n / 4; size <= n; size *= 2, step /= 2) {
    for (unsigned j = 0; j < size / 4; j++)
      pairs[j] = pair_rows (x[(4 * j + 1) * step], x[(4 * j + 3) * step]);
    for (unsigned i = 0; i < size / 2; i++) {
      Wide odd = sum_products (pairs, size / 4, factors + HEVC_ODD (size) + i * (size / 2));

      y[size - 1 - i] = subtract_wide (y[i], odd);
      y[i] = add_wide (y[i], odd);
    }
  }
  for (unsigned k = 0; k < n; k++)
    x[k] = narrow_sums (y[k], shift);
}

/* ---- transposition ---- */

/* The 8x8 values of each half of eight vectors */
AVX2 void
transpose_8 (__m256i *x)
{
  __m256i a[8], b[8];

  for (unsigned i = 0; i < 4; i++) {
    a[2 * i] = _mm256_unpacklo_epi16 (x[i], x[i + 4]);
    a[2 * i + 1] = _mm256_unpackhi_epi16 (x[i], x[i + 4]);
  }
  for (unsigned i = 0; i < 4; i++) {
    b[2 * i] = _mm256_unpacklo_epi16 (a[i], a[i + 4]);
    b[2 * i + 1] = _mm256_unpackhi_epi16 (a[i], a[i + 4]);
  }
  for (unsigned i = 0; i < 4; i++) {
    x[2 * i] = _mm256_unpacklo_epi16 (b[i], b[i + 4]);
    x[2 * i + 1] = _mm256_unpackhi_epi16 (b[i], b[i + 4]);
  }
}

/* The 4x4 values of each quarter of four vectors */
AVX2 void
transpose_4 (__m256i *x)
{
  __m256i a = _mm256_unpacklo_epi16 (x[0], x[1]), b = _mm256_unpacklo_epi16 (x[2], x[3]);
  __m256i c = _mm256_unpackhi_epi16 (x[0], x[1]), d = _mm256_unpackhi_epi16 (x[2], x[3]);
  __m256i left = _mm256_unpacklo_epi32 (a, b), right = _mm256_unpackhi_epi32 (a, b);
  __m256i left_2 = _mm256_unpacklo_epi32 (c, d), right_2 = _mm256_unpackhi_epi32 (c, d);

  x[0] = _mm256_unpacklo_epi64 (left, left_2);
  x[1] = _mm256_unpackhi_epi64 (left, left_2);
  x[2] = _mm256_unpacklo_epi64 (right, right_2);
  x[3] = _mm256_unpackhi_epi64 (right, right_2);
}

AVX2 void
transpose_16 (__m256i *x)
{
  transpose_8 (x);
  transpose_8 (x + 8);
  for (unsigned i = 0; i < 8; i++) {
    __m256i upper = x[i], lower = x[i + 8];

    x[i] = _mm256_permute2x128_si256 (upper, lower, 0x20);
    x[i + 8] = _mm256_permute2x128_si256 (upper, lower, 0x31);
  }
}

/* 32 x 32: the left half's rows, then the right half's */
AVX2 void
transpose_step (__m256i *x, unsigned n)
{
  if (n == 4)
    transpose_4 (x);
  else if (n == 8)
    transpose_8 (x);
  else
    for (unsigned i = 0; i < n * n / 256; i++)
      transpose_16 (x + 16 * i);
  for (unsigned i = 0; n == 32 && i < 16; i++) {
    __m256i lower_left = x[16 + i];

    x[16 + i] = x[32 + i];
    x[32 + i] = lower_left;
  }
}

/* ---- blocks to rows of vectors, and back ---- */

/* Rows of four 4x4 blocks from blocks one behind the other, and the other way round */
AVX2 void
exchange_4 (__m256i *x)
{
  __m256i a = _mm256_unpacklo_epi64 (x[0], x[1]), b = _mm256_unpackhi_epi64 (x[0], x[1]);
  __m256i c = _mm256_unpacklo_epi64 (x[2], x[3]), d = _mm256_unpackhi_epi64 (x[2], x[3]);

  x[0] = _mm256_permute2x128_si256 (a, c, 0x20);
  x[1] = _mm256_permute2x128_si256 (b, d, 0x20);
  x[2] = _mm256_permute2x128_si256 (a, c, 0x31);
  x[3] = _mm256_permute2x128_si256 (b, d, 0x31);
}

/* Where vector @i of a step lies, in values */
AVX2 size_t
vector_offset (unsigned n, unsigned i)
{
  return n == 32 ? i % 32 * 32 + i / 32 * 16 : i * 16;
}

AVX2 void
load_step (const int16_t *in, unsigned n, __m256i *x)
{
  if (n == 8)
    for (unsigned i = 0; i < 8; i++)
      x[i] = _mm256_inserti128_si256 (_mm256_castsi128_si256 (_mm_loadu_si128 ((const __m128i *) (in + 8 * i))),
          _mm_loadu_si128 ((const __m128i *) (in + 64 + 8 * i)), 1);
  else
    for (unsigned i = 0; i < (n == 32 ? 64 : n); i++)
      x[i] = _mm256_loadu_si256 ((const __m256i *) (in + vector_offset (n, i)));
  if (n == 4)
    exchange_4 (x);
}

AVX2 void
store_step (__m256i *x, unsigned n, int16_t *out)
{
  if (n == 4)
    exchange_4 (x);
  if (n == 8)
    for (unsigned i = 0; i < 8; i++) {
      _mm_storeu_si128 ((__m128i *) (out + 8 * i), _mm256_castsi256_si128 (x[i]));
      _mm_storeu_si128 ((__m128i *) (out + 64 + 8 * i), _mm256_extracti128_si256 (x[i], 1));
    }
  else
    for (unsigned i = 0; i < (n == 32 ? 64 : n); i++)
      _mm256_storeu_si256 ((__m256i *) (out + vector_offset (n, i)), x[i]);
}

/* One dimension */
AVX2 void
transform_dimension (const HevcHost *host, unsigned n, int dst, int inverse, int second, __m256i *x)
{
  if (dst)
    columns_product (inverse ? host->transposed : host->matrix, 4, host->shift[second], x);
  else
    for (unsigned half = 0; half < (n == 32 ? 2 : 1); half++)
      if (inverse)
        inverse_columns (host->odd, n, host->shift[second], x + half * n);
      else if (second)
        columns_product (host->matrix, n, host->shift[second], x + half * n);
      else
        forward_columns (host->matrix, n, host->shift[second], x + half * n);
}

/* Blocks side by side in vectors */
#define STEP(n) ((n) == 4 ? 4 : (n) == 8 ? 2 : 1)

AVX2 void
transform_step (const HevcHost *host, unsigned n, int dst, int inverse, const int16_t *in, int16_t *out)
{
  __m256i x[64];

  load_step (in, n, x);
  if (!inverse)
    transpose_step (x, n);
  transform_dimension (host, n, dst, inverse, 0, x);
  transpose_step (x, n);
  transform_dimension (host, n, dst, inverse, 1, x);
  if (inverse)
    transpose_step (x, n);
  store_step (x, n, out);
}

AVX2 void
transform_batch (const HevcHost *host, unsigned n, int dst, int inverse, const int16_t *in, int16_t *out, unsigned count)
{
  unsigned step = STEP (n), full = count / step * step;

  for (unsigned b = 0; b < full; b += step)
    transform_step (host, n, dst, inverse, in + b * n * n, out + b * n * n);
  if (full < count) {
    int16_t last[32 * 32] = { 0 };
    size_t size = (count - full) * n * n * sizeof (last[0]);

    memcpy (last, in + full * n * n, size);
    transform_step (host, n, dst, inverse, last, last);
    memcpy (out + full * n * n, last, size);
  }
}

/* A function for each transform, so that the compiler knows its size */
#define TRANSFORM(name, n, dst, inverse)                                                                                     \
  __attribute__ ((target ("avx2"))) static void name (const HevcHost *host, const int16_t *in, int16_t *out, unsigned count) \
  {                                                                                                                          \
    transform_batch (host, n, dst, inverse, in, out, count);                                                                 \
  }

TRANSFORM (forward_dst, 4, 1, 0)
TRANSFORM (forward_4, 4, 0, 0)
TRANSFORM (forward_8, 8, 0, 0)
TRANSFORM (forward_16, 16, 0, 0)
TRANSFORM (forward_32, 32, 0, 0)
TRANSFORM (inverse_dst, 4, 1, 1)
TRANSFORM (inverse_4, 4, 0, 1)
TRANSFORM (inverse_8, 8, 0, 1)
TRANSFORM (inverse_16, 16, 0, 1)
TRANSFORM (inverse_32, 32, 0, 1)

static void
run_hevc_avx2 (const HevcHost *host, const int16_t *in, int16_t *out, unsigned count)
{
  static const HevcHostFunction functions[2][5] = { { forward_dst, forward_4, forward_8, forward_16, forward_32 },
    { inverse_dst, inverse_4, inverse_8, inverse_16, inverse_32 } };
  unsigned n = host->transform.n;

  functions[host->transform.inverse != 0][host->transform.dst ? 0 : n == 4 ? 1 : n == 8 ? 2 : n == 16 ? 3 : 4](host, in, out, count);
}

HevcHostFunction
hevc_host_avx2 (void)
{
  return __builtin_cpu_supports ("avx2") ? run_hevc_avx2 : NULL;
}

#else

HevcHostFunction
hevc_host_avx2 (void)
{
  return NULL;
}

#endif
