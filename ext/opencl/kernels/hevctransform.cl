/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The transforms of HEVC (ITU-T H.265, 8.6.4.2), forward and inverse, over dense lists of n x n blocks: 16-bit values in, 16-bit values
 * out, row by row.  Forward: rows first, then columns; inverse: columns first, then rows.  After each of the two, sums are rounded, shifted to the
 * right by shift.x, then by shift.y, and clipped to 16 bits.
 *
 * Build options: N: 4, 8, 16 or 32; HEVC_DST: the 4x4 DST; HEVC_INVERSE; GPU_CPU: hevc_ours in vectors.
 *
 * - hevc_plain: one element a work-item, one dimension a launch
 * - hevc_shared: the same, block and matrix in local memory
 * - hevc_onestep: both dimensions in one launch, N * N work-items a block, HEVC_BLOCKS blocks a group
 * - hevc_butterfly: both in one launch, a line a work-item by even and odd parts, HEVC_LINES / N blocks a group
 * - hevc_ours: GPU_CPU: a work-item takes blocks one behind the other, four 4x4, two 8x8, or one, in vectors; else as hevc_butterfly with
 *   full groups
 */
#define INLINE static inline __attribute__ ((always_inline))

/* transMatrix of 32 x 32; smaller ones are its rows k * 32 / N, columns 0 to N - 1 */
__constant short dct_matrix[32 * 32] = {
  64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64,
  90, 90, 88, 85, 82, 78, 73, 67, 61, 54, 46, 38, 31, 22, 13, 4,
    -4, -13, -22, -31, -38, -46, -54, -61, -67, -73, -78, -82, -85, -88, -90, -90,
  90, 87, 80, 70, 57, 43, 25, 9, -9, -25, -43, -57, -70, -80, -87, -90,
    -90, -87, -80, -70, -57, -43, -25, -9, 9, 25, 43, 57, 70, 80, 87, 90,
  90, 82, 67, 46, 22, -4, -31, -54, -73, -85, -90, -88, -78, -61, -38, -13,
    13, 38, 61, 78, 88, 90, 85, 73, 54, 31, 4, -22, -46, -67, -82, -90,
  89, 75, 50, 18, -18, -50, -75, -89, -89, -75, -50, -18, 18, 50, 75, 89,
    89, 75, 50, 18, -18, -50, -75, -89, -89, -75, -50, -18, 18, 50, 75, 89,
  88, 67, 31, -13, -54, -82, -90, -78, -46, -4, 38, 73, 90, 85, 61, 22,
    -22, -61, -85, -90, -73, -38, 4, 46, 78, 90, 82, 54, 13, -31, -67, -88,
  87, 57, 9, -43, -80, -90, -70, -25, 25, 70, 90, 80, 43, -9, -57, -87,
    -87, -57, -9, 43, 80, 90, 70, 25, -25, -70, -90, -80, -43, 9, 57, 87,
  85, 46, -13, -67, -90, -73, -22, 38, 82, 88, 54, -4, -61, -90, -78, -31,
    31, 78, 90, 61, 4, -54, -88, -82, -38, 22, 73, 90, 67, 13, -46, -85,
  83, 36, -36, -83, -83, -36, 36, 83, 83, 36, -36, -83, -83, -36, 36, 83,
    83, 36, -36, -83, -83, -36, 36, 83, 83, 36, -36, -83, -83, -36, 36, 83,
  82, 22, -54, -90, -61, 13, 78, 85, 31, -46, -90, -67, 4, 73, 88, 38,
    -38, -88, -73, -4, 67, 90, 46, -31, -85, -78, -13, 61, 90, 54, -22, -82,
  80, 9, -70, -87, -25, 57, 90, 43, -43, -90, -57, 25, 87, 70, -9, -80,
    -80, -9, 70, 87, 25, -57, -90, -43, 43, 90, 57, -25, -87, -70, 9, 80,
  78, -4, -82, -73, 13, 85, 67, -22, -88, -61, 31, 90, 54, -38, -90, -46,
    46, 90, 38, -54, -90, -31, 61, 88, 22, -67, -85, -13, 73, 82, 4, -78,
  75, -18, -89, -50, 50, 89, 18, -75, -75, 18, 89, 50, -50, -89, -18, 75,
    75, -18, -89, -50, 50, 89, 18, -75, -75, 18, 89, 50, -50, -89, -18, 75,
  73, -31, -90, -22, 78, 67, -38, -90, -13, 82, 61, -46, -88, -4, 85, 54,
    -54, -85, 4, 88, 46, -61, -82, 13, 90, 38, -67, -78, 22, 90, 31, -73,
  70, -43, -87, 9, 90, 25, -80, -57, 57, 80, -25, -90, -9, 87, 43, -70,
    -70, 43, 87, -9, -90, -25, 80, 57, -57, -80, 25, 90, 9, -87, -43, 70,
  67, -54, -78, 38, 85, -22, -90, 4, 90, 13, -88, -31, 82, 46, -73, -61,
    61, 73, -46, -82, 31, 88, -13, -90, -4, 90, 22, -85, -38, 78, 54, -67,
  64, -64, -64, 64, 64, -64, -64, 64, 64, -64, -64, 64, 64, -64, -64, 64,
    64, -64, -64, 64, 64, -64, -64, 64, 64, -64, -64, 64, 64, -64, -64, 64,
  61, -73, -46, 82, 31, -88, -13, 90, -4, -90, 22, 85, -38, -78, 54, 67,
    -67, -54, 78, 38, -85, -22, 90, 4, -90, 13, 88, -31, -82, 46, 73, -61,
  57, -80, -25, 90, -9, -87, 43, 70, -70, -43, 87, 9, -90, 25, 80, -57,
    -57, 80, 25, -90, 9, 87, -43, -70, 70, 43, -87, -9, 90, -25, -80, 57,
  54, -85, -4, 88, -46, -61, 82, 13, -90, 38, 67, -78, -22, 90, -31, -73,
    73, 31, -90, 22, 78, -67, -38, 90, -13, -82, 61, 46, -88, 4, 85, -54,
  50, -89, 18, 75, -75, -18, 89, -50, -50, 89, -18, -75, 75, 18, -89, 50,
    50, -89, 18, 75, -75, -18, 89, -50, -50, 89, -18, -75, 75, 18, -89, 50,
  46, -90, 38, 54, -90, 31, 61, -88, 22, 67, -85, 13, 73, -82, 4, 78,
    -78, -4, 82, -73, -13, 85, -67, -22, 88, -61, -31, 90, -54, -38, 90, -46,
  43, -90, 57, 25, -87, 70, 9, -80, 80, -9, -70, 87, -25, -57, 90, -43,
    -43, 90, -57, -25, 87, -70, -9, 80, -80, 9, 70, -87, 25, 57, -90, 43,
  38, -88, 73, -4, -67, 90, -46, -31, 85, -78, 13, 61, -90, 54, 22, -82,
    82, -22, -54, 90, -61, -13, 78, -85, 31, 46, -90, 67, 4, -73, 88, -38,
  36, -83, 83, -36, -36, 83, -83, 36, 36, -83, 83, -36, -36, 83, -83, 36,
    36, -83, 83, -36, -36, 83, -83, 36, 36, -83, 83, -36, -36, 83, -83, 36,
  31, -78, 90, -61, 4, 54, -88, 82, -38, -22, 73, -90, 67, -13, -46, 85,
    -85, 46, 13, -67, 90, -73, 22, 38, -82, 88, -54, -4, 61, -90, 78, -31,
  25, -70, 90, -80, 43, 9, -57, 87, -87, 57, -9, -43, 80, -90, 70, -25,
    -25, 70, -90, 80, -43, -9, 57, -87, 87, -57, 9, 43, -80, 90, -70, 25,
  22, -61, 85, -90, 73, -38, -4, 46, -78, 90, -82, 54, -13, -31, 67, -88,
    88, -67, 31, 13, -54, 82, -90, 78, -46, 4, 38, -73, 90, -85, 61, -22,
  18, -50, 75, -89, 89, -75, 50, -18, -18, 50, -75, 89, -89, 75, -50, 18,
    18, -50, 75, -89, 89, -75, 50, -18, -18, 50, -75, 89, -89, 75, -50, 18,
  13, -38, 61, -78, 88, -90, 85, -73, 54, -31, 4, 22, -46, 67, -82, 90,
    -90, 82, -67, 46, -22, -4, 31, -54, 73, -85, 90, -88, 78, -61, 38, -13,
  9, -25, 43, -57, 70, -80, 87, -90, 90, -87, 80, -70, 57, -43, 25, -9,
    -9, 25, -43, 57, -70, 80, -87, 90, -90, 87, -80, 70, -57, 43, -25, 9,
  4, -13, 22, -31, 38, -46, 54, -61, 67, -73, 78, -82, 85, -88, 90, -90,
    90, -90, 88, -85, 82, -78, 73, -67, 61, -54, 46, -38, 31, -22, 13, -4,
};

__constant short dst_matrix[16] = { 29, 55, 74, 84, 74, 74, 0, -74, 84, -29, -74, 55, 55, -84, 74, -29 };

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

INLINE short
round_sum (int sum, int shift)
{
  return convert_short_sat ((sum + (1 << shift >> 1)) >> shift);
}

/* Element @e of the result of one dimension of a block of shorts at @block */
#define ELEMENT(block, e, rows, shift, sum)                                        \
  do {                                                                             \
    uint y = (e) / N, x = (e) % N;                                                 \
    sum = 0;                                                                       \
    for (uint j = 0; j < N; j++)                                                   \
      sum += (rows) ? FACTOR (x, j) * block[y * N + j] : FACTOR (y, j) * block[j * N + x]; \
  } while (0)

/* @first: block of group 0; @second: 0 or 1: which dimension */
__kernel void
hevc_plain (__global const short *in, __global short *out, uint first, uint second, int2 shift)
{
  __global const short *block = in + (first + get_group_id (1)) * N * N;
  uint e = get_global_id (0);
  int sum;

  ELEMENT (block, e, second != ROWS_FIRST, 0, sum);
  out[(first + get_group_id (1)) * N * N + e] = round_sum (sum, second ? shift.y : shift.x);
}

__kernel __attribute__ ((reqd_work_group_size (N * N, 1, 1))) void
hevc_shared (__global const short *in, __global short *out, uint first, uint second, int2 shift)
{
  __local short block[N * N], factors[N * N];
  uint e = get_local_id (0), y = e / N, x = e % N;
  bool rows = second != ROWS_FIRST;
  int sum = 0;

  block[e] = in[(first + get_group_id (1)) * N * N + e];
  factors[e] = FACTOR (y, x);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint j = 0; j < N; j++)
    sum += rows ? factors[x * N + j] * block[y * N + j] : factors[y * N + j] * block[j * N + x];
  out[(first + get_group_id (1)) * N * N + e] = round_sum (sum, second ? shift.y : shift.x);
}

/* @count: blocks from @first on; group g takes HEVC_BLOCKS of them */
__kernel __attribute__ ((reqd_work_group_size (N * N * HEVC_BLOCKS, 1, 1))) void
hevc_onestep (__global const short *in, __global short *out, uint first, uint count, int2 shift)
{
  __local short blocks[N * N * HEVC_BLOCKS], between[N * N * HEVC_BLOCKS];
  uint in_group = get_local_id (0) / (N * N), e = get_local_id (0) % (N * N), n = get_group_id (0) * HEVC_BLOCKS + in_group;
  __local short *block = blocks + in_group * N * N, *half_way = between + in_group * N * N;
  int sum;

  block[e] = n < count ? in[(first + n) * N * N + e] : 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  ELEMENT (block, e, ROWS_FIRST, 0, sum);
  half_way[e] = round_sum (sum, shift.x);
  barrier (CLK_LOCAL_MEM_FENCE);
  ELEMENT (half_way, e, !ROWS_FIRST, 0, sum);
  if (n < count)
    out[(first + n) * N * N + e] = round_sum (sum, shift.y);
}

/* One dimension of values or of vectors of them, from @x to @y, by even and odd parts: half the products */
#ifdef HEVC_DST
#define DEFINE_LINE(T)                                                             \
  INLINE void line_##T (const T *x, T *y)                                          \
  {                                                                                \
    _Pragma ("unroll") for (uint o = 0; o < 4; o++)                                \
      y[o] = FACTOR (o, 0) * x[0] + FACTOR (o, 1) * x[1] + FACTOR (o, 2) * x[2] + FACTOR (o, 3) * x[3]; \
  }
#elif defined(HEVC_INVERSE)
#define DEFINE_LINE(T)                                                             \
  INLINE void line_##T (const T *x, T *y)                                          \
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
  INLINE void line_##T (const T *x, T *y)                                          \
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

INLINE void
butterfly (__global const short *in, __global short *out, uint n, bool valid, uint k, __local short *between, int2 shift)
{
  __global const short *block = in + n * N * N;
  __global short *result = out + n * N * N;
  int x[N], y[N];

  if (valid) {
    LOAD_LINE (block, k, ROWS_FIRST, x);
    line_int (x, y);
    STORE_LINE (between, k, ROWS_FIRST, y, shift.x);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  if (valid) {
    LOAD_LINE (between, k, !ROWS_FIRST, x);
    line_int (x, y);
    STORE_LINE (result, k, !ROWS_FIRST, y, shift.y);
  }
}

__kernel __attribute__ ((reqd_work_group_size (N, 1, 1))) void
hevc_butterfly (__global const short *in, __global short *out, uint first, uint count, int2 shift)
{
  __local short between[N * N];

  butterfly (in, out, first + get_group_id (0), get_group_id (0) < count, get_local_id (0), between, shift);
}

#ifndef GPU_CPU

#define OURS_BLOCKS (64 / N)

__kernel __attribute__ ((reqd_work_group_size (64, 1, 1))) void
hevc_ours (__global const short *in, __global short *out, uint first, uint count, int2 shift)
{
  __local short between[OURS_BLOCKS * N * N];
  uint in_group = get_local_id (0) / N, n = get_group_id (0) * OURS_BLOCKS + in_group;

  butterfly (in, out, first + n, n < count, get_local_id (0) % N, between + in_group * N * N, shift);
}

#else

DEFINE_LINE (int16)

typedef short16 __attribute__ ((aligned (2))) short16_u;

/* Blocks of one step, side by side in vectors; vectors of a row */
#define STEP (N == 4 ? 4 : N == 8 ? 2 : 1)
#define HALVES (N == 32 ? 2 : 1)

/* Exchanges the elements off the diagonal of each 2 x 2 of runs of @run elements of two vectors. */
#define EXCHANGE(a, b, run)                                                        \
  do {                                                                             \
    int16 exchanged = __builtin_shufflevector (a, b, UPPER_##run);                           \
    b = __builtin_shufflevector (a, b, LOWER_##run);                                         \
    a = exchanged;                                                                 \
  } while (0)
#define UPPER_1 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define LOWER_1 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31
#define UPPER_2 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define LOWER_2 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define UPPER_4 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27
#define LOWER_4 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31
#define UPPER_8 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define LOWER_8 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#define EXCHANGE_ALL(v, n, distance, run)                                          \
  _Pragma ("unroll") for (uint i = 0; i < (n); i++)                                \
    if (!(i & (distance)))                                                         \
      EXCHANGE (v[i], v[i + (distance)], run)

/* Transposes the blocks that stand side by side in @v (of 16: one). */
INLINE void
transpose_blocks (int16 *v)
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
transpose (int16 *v)
{
  transpose_blocks (v);
#if N == 32
  transpose_blocks (v + 16);
  transpose_blocks (v + 32);
  transpose_blocks (v + 48);
  for (uint i = 0; i < 16; i++) {
    int16 upper_right = v[32 + i];

    v[32 + i] = v[16 + i];
    v[16 + i] = upper_right;
  }
#endif
}

INLINE void
columns (int16 *v, int shift)
{
  for (uint h = 0; h < HALVES; h++) {
    int16 y[N];

    line_int16 (v + h * N, y);
    for (uint i = 0; i < N; i++)
      v[h * N + i] = convert_int16 (convert_short16_sat ((y[i] + (1 << shift >> 1)) >> shift));
  }
}

/* What changes blocks row by row into rows of blocks side by side, and back */
INLINE void
rearrange (int16 *v)
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

__kernel void
hevc_ours (__global const short *in, __global short *out, uint first, uint count, int2 shift)
{
  for (uint step = get_global_id (0) * STEP; step < count; step += get_global_size (0) * STEP) {
    int16 v[N * HALVES];
    uint n[STEP];

    for (uint b = 0; b < STEP; b++)
      n[b] = first + min (step + b, count - 1);
#pragma unroll
    for (uint i = 0; i < N * HALVES; i++)
      v[i] = convert_int16 (((__global const short16_u *) in)[VECTOR (n, i)]);
    rearrange (v);
#ifndef HEVC_INVERSE
    transpose (v);
#endif
    columns (v, shift.x);
    transpose (v);
    columns (v, shift.y);
#ifdef HEVC_INVERSE
    transpose (v);
#endif
    rearrange (v);
#pragma unroll
    for (uint i = 0; i < N * HALVES; i++)
      ((__global short16_u *) out)[VECTOR (n, i)] = convert_short16 (v[i]);
  }
}

#endif
