/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The transform of n x n blocks by even and odd parts (ITU-T H.265, 8.6.4.2): half the products.  Included once for each size, behind
 * hevcmatrix.cl.
 *
 * Needs N: 4, 8, 16 or 32; HEVC_DST for the 4x4 DST; HEVC_INVERSE for the inverse ones; HEVC_NAME (name): what a function is called for
 * this size.  Gives:
 *
 * - FACTOR (o, j), ROWS_FIRST: the matrix, and which dimension comes first
 * - HEVC_NAME (butterfly): a block by N work-items, a line each
 * - GPU_CPU: STEP, HEVC_NAME (transform_step): STEP blocks in vectors
 */

/* transMatrix: row @k (frequency), column @i */
#ifdef HEVC_DST
#define MATRIX(k, i) ((int) dst_matrix[(k) * 4 + (i)])
#else
#define MATRIX(k, i) ((int) dct_matrix[(k) * (32 / N) * 32 + (i)])
#endif

/* Factor of input @j in output @o of one dimension */
#ifdef HEVC_INVERSE
#define FACTOR(o, j) MATRIX (j, o)
#define ROWS_FIRST 0
#else
#define FACTOR(o, j) MATRIX (o, j)
#define ROWS_FIRST 1
#endif

/* One dimension of values or of vectors of them, from @x to @y */
#ifdef HEVC_DST
#define DEFINE_LINE(T)                                                             \
  INLINE void HEVC_NAME (line_##T) (const T *x, T *y)                              \
  {                                                                                \
    _Pragma ("unroll") for (uint o = 0; o < 4; o++)                                \
      y[o] = FACTOR (o, 0) * x[0] + FACTOR (o, 1) * x[1] + FACTOR (o, 2) * x[2] + FACTOR (o, 3) * x[3]; \
  }
#elif defined(HEVC_INVERSE)
#define DEFINE_LINE(T)                                                             \
  INLINE void HEVC_NAME (line_##T) (const T *x, T *y)                              \
  {                                                                                \
    _Pragma ("unroll") for (uint o = 0; o < N / 2; o++)                            \
    {                                                                              \
      T even = 0, odd = 0;                                                         \
      _Pragma ("unroll") for (uint j = 0; j < N; j += 2)                           \
      {                                                                            \
        even += FACTOR (o, j) * x[j];                                              \
        odd += FACTOR (o, j + 1) * x[j + 1];                                       \
      }                                                                            \
      y[o] = even + odd;                                                           \
      y[N - 1 - o] = even - odd;                                                   \
    }                                                                              \
  }
#else
#define DEFINE_LINE(T)                                                             \
  INLINE void HEVC_NAME (line_##T) (const T *x, T *y)                              \
  {                                                                                \
    T even[N / 2], odd[N / 2];                                                     \
    _Pragma ("unroll") for (uint j = 0; j < N / 2; j++)                            \
    {                                                                              \
      even[j] = x[j] + x[N - 1 - j];                                               \
      odd[j] = x[j] - x[N - 1 - j];                                                \
    }                                                                              \
    _Pragma ("unroll") for (uint o = 0; o < N; o += 2)                             \
    {                                                                              \
      T a = 0, b = 0;                                                              \
      _Pragma ("unroll") for (uint j = 0; j < N / 2; j++)                          \
      {                                                                            \
        a += FACTOR (o, j) * even[j];                                              \
        b += FACTOR (o + 1, j) * odd[j];                                           \
      }                                                                            \
      y[o] = a;                                                                    \
      y[o + 1] = b;                                                                \
    }                                                                              \
  }
#endif

DEFINE_LINE (int)

/* Line @k of a block, along the first dimension or the second one */
#define LOAD_LINE(block, k, rows, x)                                               \
  for (uint j = 0; j < N; j++)                                                     \
  x[j] = (rows) ? block[(k) * N + j] : block[j * N + (k)]
#define STORE_LINE(block, k, rows, y, shift)                                       \
  for (uint j = 0; j < N; j++)                                                     \
  block[(rows) ? (k) * N + j : j * N + (k)] = round_sum (y[j], shift)

/* Block @n of @in to block @n of @out, which may be the same; @k: the work-item's line.  All work-items of the group come here, those
 * without a block with @valid false. */
INLINE void
HEVC_NAME (butterfly) (__global const short *in, __global short *out, uint n, bool valid, uint k, __local short *between, int2 shift)
{
  __global const short *block = in + n * N * N;
  __global short *result = out + n * N * N;
  int x[N], y[N];

  if (valid) {
    LOAD_LINE (block, k, ROWS_FIRST, x);
    HEVC_NAME (line_int) (x, y);
    STORE_LINE (between, k, ROWS_FIRST, y, shift.x);
  }
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (valid) {
    LOAD_LINE (between, k, !ROWS_FIRST, x);
    HEVC_NAME (line_int) (x, y);
    STORE_LINE (result, k, !ROWS_FIRST, y, shift.y);
  }
}

#ifdef GPU_CPU

DEFINE_LINE (int16)

/* Blocks of one step, side by side in vectors; vectors of a row */
#define STEP (N == 4 ? 4 : N == 8 ? 2 : 1)
#define HALVES (N == 32 ? 2 : 1)

/* Transposes the blocks that stand side by side in @v (of 16: one). */
INLINE void
HEVC_NAME (transpose_blocks) (int16 *v)
{
  const uint n = N < 16 ? N : 16;

  EXCHANGE_ALL (v, n, 1, 1);
  EXCHANGE_ALL (v, n, 2, 2);
#if N >= 8
  EXCHANGE_ALL (v, n, 4, 4);
#endif
#if N >= 16
  EXCHANGE_ALL (v, n, 8, 8);
#endif
}

/* Vector h * N + r: row r, half h */
INLINE void
HEVC_NAME (transpose) (int16 *v)
{
  HEVC_NAME (transpose_blocks) (v);
#if N == 32
  HEVC_NAME (transpose_blocks) (v + 16);
  HEVC_NAME (transpose_blocks) (v + 32);
  HEVC_NAME (transpose_blocks) (v + 48);
  for (uint i = 0; i < 16; i++) {
    int16 upper_right = v[32 + i];

    v[32 + i] = v[16 + i];
    v[16 + i] = upper_right;
  }
#endif
}

INLINE void
HEVC_NAME (columns) (int16 *v, int16 shift)
{
  int16 round = (int16) (1) << shift >> 1;

  for (uint h = 0; h < HALVES; h++) {
    int16 y[N];

    HEVC_NAME (line_int16) (v + h * N, y);
    for (uint i = 0; i < N; i++)
      v[h * N + i] = convert_int16 (convert_short16_sat ((y[i] + round) >> shift));
  }
}

/* What changes blocks row by row into rows of blocks side by side, and back */
INLINE void
HEVC_NAME (rearrange) (int16 *v)
{
#if N == 4
  EXCHANGE_ALL (v, 4, 1, 4);
  EXCHANGE_ALL (v, 4, 2, 8);
#elif N == 8
  EXCHANGE_ALL (v, 8, 1, 8);
#endif
}

/* Number of the vector in memory that v[i] is, of the step's blocks @n */
#if N == 4
#define VECTOR(n, i) (n[i])
#elif N == 8
#define VECTOR(n, i) (n[(i) % 2] * 4 + (i) / 2)
#else
#define VECTOR(n, i) (n[0] * (N * N / 16) + (i) % N * HALVES + (i) / N)
#endif

/* Blocks @n[] of @in to the same of @out, which may be @in: all loads come before all stores.  @shift: of the first dimension, and of the
 * second one, for each of the blocks side by side (lanes 16 / STEP * b on) */
INLINE void
HEVC_NAME (transform_step) (__global const short *in, __global short *out, const uint *n, int first_shift, int16 second_shift)
{
  int16 v[N * HALVES];

#pragma unroll
  for (uint i = 0; i < N * HALVES; i++)
    v[i] = convert_int16 (((__global const short16_u *) in)[VECTOR (n, i)]);
  HEVC_NAME (rearrange) (v);
#ifndef HEVC_INVERSE
  HEVC_NAME (transpose) (v);
#endif
  HEVC_NAME (columns) (v, first_shift);
  HEVC_NAME (transpose) (v);
  HEVC_NAME (columns) (v, second_shift);
#ifdef HEVC_INVERSE
  HEVC_NAME (transpose) (v);
#endif
  HEVC_NAME (rearrange) (v);
#pragma unroll
  for (uint i = 0; i < N * HALVES; i++)
    ((__global short16_u *) out)[VECTOR (n, i)] = convert_short16 (v[i]);
}

#endif
