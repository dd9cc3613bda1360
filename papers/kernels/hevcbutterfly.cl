/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The partial butterfly of HEVC's reference software: matrix rows are symmetric or antisymmetric, so sums and differences of a line's ends
 * (its even and odd part) are taken first, of the even part's ends again, and so on down to two values.  One dimension a launch.  The
 * forward one reads a row and writes a column, the inverse one the other way round; so both launches of a block are the same kernel.
 *
 * Included by hevctransform.cl, which has N, MATRIX (k, i) and round_sum.
 */
#if N == 4

/* One dimension of four values */
INLINE void
butterfly_4 (const int *x, int *y)
{
#if defined(HEVC_DST) && defined(HEVC_INVERSE)
  int a = x[0] + x[2], b = x[2] + x[3], c = x[0] - x[3], d = 74 * x[1];

  y[0] = 29 * a + 55 * b + d;
  y[1] = 55 * c - 29 * b + d;
  y[2] = 74 * (x[0] - x[2] + x[3]);
  y[3] = 55 * a + 29 * c - d;
#elif defined(HEVC_DST)
  int a = x[0] + x[3], b = x[1] + x[3], c = x[0] - x[1], d = 74 * x[2];

  y[0] = 29 * a + 55 * b + d;
  y[1] = 74 * (x[0] + x[1] - x[3]);
  y[2] = 29 * c + 55 * a - d;
  y[3] = 55 * c - 29 * b + d;
#elif defined(HEVC_INVERSE)
  int even[2] = { 64 * (x[0] + x[2]), 64 * (x[0] - x[2]) }, odd[2] = { 83 * x[1] + 36 * x[3], 36 * x[1] - 83 * x[3] };

  y[0] = even[0] + odd[0];
  y[1] = even[1] + odd[1];
  y[2] = even[1] - odd[1];
  y[3] = even[0] - odd[0];
#else
  int even[2] = { x[0] + x[3], x[1] + x[2] }, odd[2] = { x[0] - x[3], x[1] - x[2] };

  y[0] = 64 * (even[0] + even[1]);
  y[1] = 83 * odd[0] + 36 * odd[1];
  y[2] = 64 * (even[0] - even[1]);
  y[3] = 36 * odd[0] - 83 * odd[1];
#endif
}

/* A line a work-item, one group.  @first: the block; @second: which dimension */
__kernel __attribute__ ((reqd_work_group_size (4, 1, 1))) void
hevc_butterfly (__global const short *in, __global short *out, uint first, uint second, int2 shift)
{
  uint line = get_local_id (0);
  int x[4], y[4];

#ifdef HEVC_INVERSE
  for (uint j = 0; j < 4; j++)
    x[j] = in[first * 16 + j * 4 + line];
  butterfly_4 (x, y);
  for (uint j = 0; j < 4; j++)
    out[first * 16 + line * 4 + j] = round_sum (y[j], second ? shift.y : shift.x);
#else
  for (uint j = 0; j < 4; j++)
    x[j] = in[first * 16 + line * 4 + j];
  butterfly_4 (x, y);
  for (uint j = 0; j < 4; j++)
    out[first * 16 + j * 4 + line] = round_sum (y[j], second ? shift.y : shift.x);
#endif
}

#else

/* The parts of a line's N values: the odd part of all from N / 2 on, that of their even part from N / 4 on, and so on; the even part of
 * the last four values at 0 and 1. */

#ifdef HEVC_INVERSE

/* Value @t of the parts of coefficients @x */
INLINE int
part (__local const int *x, uint t)
{
  uint half_size, step;
  int sum = 0;

  if (t < 2)
    return 64 * (t == 0 ? x[0] + x[N / 2] : x[0] - x[N / 2]);
  half_size = 1u << (31 - clz (t));
  step = N / 2 / half_size;
  for (uint k = 1; k < 2 * half_size; k += 2)
    sum += MATRIX (k * step, t - half_size) * x[k * step];
  return sum;
}

/* Samples from the parts, from four on: ends are the sums and differences of even and odd parts. */
INLINE int
join (__local int *parts, uint t)
{
  for (uint size = 4; size <= N; size *= 2) {
    int v = 0;

    if (t < size / 2)
      v = parts[t] + parts[size / 2 + t];
    else if (t < size)
      v = parts[size - 1 - t] - parts[size / 2 + size - 1 - t];
    barrier (CLK_LOCAL_MEM_FENCE);
    if (t < size)
      parts[t] = v;
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  return parts[t];
}

#else

/* The parts from samples, in place, down to four */
INLINE void
split (__local int *parts, uint t)
{
  for (uint size = N; size >= 4; size /= 2) {
    int v = 0;

    if (t < size / 2)
      v = parts[t] + parts[size - 1 - t];
    else if (t < size)
      v = parts[t - size / 2] - parts[size - 1 - (t - size / 2)];
    barrier (CLK_LOCAL_MEM_FENCE);
    if (t < size)
      parts[t] = v;
    barrier (CLK_LOCAL_MEM_FENCE);
  }
}

/* Coefficient @k from the parts: frequencies that are odd multiples of N / size have their factors in the odd part of @size values. */
INLINE int
coefficient (__local const int *parts, uint k)
{
  uint half_size;
  int sum = 0;

  if (k % (N / 2) == 0)
    return 64 * (k == 0 ? parts[0] + parts[1] : parts[0] - parts[1]);
  half_size = N / 2 / (k & -k);
  for (uint i = 0; i < half_size; i++)
    sum += MATRIX (k, i) * parts[half_size + i];
  return sum;
}

#endif

/* A line a group, a value of it a work-item */
__kernel __attribute__ ((reqd_work_group_size (N, 1, 1))) void
hevc_butterfly (__global const short *in, __global short *out, uint first, uint second, int2 shift)
{
  __local int parts[N];
  uint line = get_group_id (0), t = get_local_id (0);

#ifdef HEVC_INVERSE
  __local int x[N];

  x[t] = in[first * N * N + t * N + line];
  barrier (CLK_LOCAL_MEM_FENCE);
  parts[t] = part (x, t);
  barrier (CLK_LOCAL_MEM_FENCE);
  out[first * N * N + line * N + t] = round_sum (join (parts, t), second ? shift.y : shift.x);
#else
  parts[t] = in[first * N * N + line * N + t];
  barrier (CLK_LOCAL_MEM_FENCE);
  split (parts, t);
  out[first * N * N + t * N + line] = round_sum (coefficient (parts, t), second ? shift.y : shift.x);
#endif
}

#endif
