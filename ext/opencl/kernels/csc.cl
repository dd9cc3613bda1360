/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Colour conversion: every output component is the affine map of the input components at its position; input components are interpolated
 * linearly at the chroma site, clamped at the edges.  In single precision: 24 bits are enough to stay within half a step of 16.
 *
 * A *pass* writes the planes of one grid: the luma grid (everything but subsampled Cb and Cr) or the chroma grid (those).
 *
 * Build options:
 *   CSC_CPU      a work-item converts CscParams.rows rows, 32 columns at a time in two vectors: even columns in one, odd columns in the
 *                other, so that a chroma sample meets its two luma samples without a shuffle.  Without it a work-item converts one pixel of
 *                one pass.
 *   CSC_IN, CSC_OUT, CSC_MODE   the members of CscLayout, CscLayout, CscMode: the program is for this pair of formats only
 */
#include "cscparams.h"

#define INLINE static inline __attribute__ ((always_inline))

#ifdef CSC_IN
__constant CscLayout in_layout = { CSC_IN };
__constant CscLayout out_layout = { CSC_OUT };
__constant CscMode only_mode = { CSC_MODE };
#define IN(p) in_layout
#define OUT(p) out_layout
#define MODE(p) only_mode
#else
#define IN(p) ((p)->in)
#define OUT(p) ((p)->out)
#define MODE(p) ((p)->mode)
#endif

#define LUMA_GRID 0
#define CHROMA_GRID 1

/* Whether component @k of a CscLayout lies on the chroma grid */
#define ON_CHROMA_GRID(layout, k) (!(layout).rgb && ((k) == 1 || (k) == 2) && (layout).h_sub)

typedef struct
{
  __global const uchar *in[4];
  __global uchar *out[4];
} Planes;

/* The two samples between which a position lies, and how far it is from the first: 0 to 7/8 */
typedef struct
{
  int a, b;
  float f;
} Between;

/* A component at the height of an output row: between two rows of words.  f is 0 where @a alone counts. */
typedef struct
{
  __global const uchar *a, *b;
  float f;
  uint bytes, shift, mask;
  int n;                        /* words in a row */
} Row;

/* @q: position in quarters of a luma sample; @site: that of sample 0; @n: samples */
INLINE void
find_between (Between *result, int q, int site, uint sub, int n)
{
  int shift = 2 + (int) sub, i = (q - site) >> shift, rest = (q - site) & ((1 << shift) - 1);

  result->a = clamp (i, 0, n - 1);
  result->b = clamp (i + 1, 0, n - 1);
  result->f = result->a == result->b ? 0.0f : rest * (sub ? 0.125f : 0.25f);
}

INLINE int
position (int grid, uint sub, uint site, int i)
{
  return grid == CHROMA_GRID && sub ? 8 * i + (int) site : 4 * i;
}

INLINE void
find_row (Row *row, const Planes *planes, const CscParams *p, uint k, int qy)
{
  int chroma = ON_CHROMA_GRID (IN (p), k), n_rows = chroma ? (p->height + IN (p).v_sub) >> IN (p).v_sub : p->height;
  uint sub = chroma ? IN (p).v_sub : 0, plane = IN (p).plane[k], stride = p->in_stride[plane];
  __global const uchar *base = planes->in[plane] + p->in_offset[plane];
  Between y;

  find_between (&y, qy, sub ? (int) p->in_site_y : 0, sub, n_rows);
  row->a = base + (size_t) y.a * stride;
  row->b = base + (size_t) y.b * stride;
  row->f = y.f;
  row->bytes = IN (p).word_bytes[plane];
  row->shift = IN (p).shift[k];
  row->mask = (1u << IN (p).depth) - 1;
  row->n = chroma ? (p->width + IN (p).h_sub) >> IN (p).h_sub : p->width;
}

/* Which input components a pass needs */
INLINE int
needed (const CscParams *p, int grid, uint j)
{
  if (j >= IN (p).n_components)
    return 0;
  if (MODE (p).map < CSC_MAP_DIAGONAL)
    return 1;
  if (OUT (p).n_components == 1)
    return j == 0;
  if (!OUT (p).h_sub)
    return 1;
  return grid == CHROMA_GRID ? j > 0 : j == 0;
}

/* Which output components a pass writes */
INLINE int
written (const CscParams *p, int grid, uint k)
{
  if (k == 3)
    return grid == LUMA_GRID && OUT (p).alpha != 0;
  return k < OUT (p).n_components && ON_CHROMA_GRID (OUT (p), k) == grid;
}

/* One word */

INLINE float
read_component (__global const uchar *row, const Row *r, int x)
{
  switch (r->bytes) {
    case 1:
      return row[x] >> r->shift & r->mask;
    case 2:
      return ((__global const ushort *) row)[x] >> r->shift & r->mask;
    case 4:
      return ((__global const uint *) row)[x] >> r->shift & r->mask;
    default:
      return (uint) (((__global const ulong *) row)[x] >> r->shift) & r->mask;
  }
}

INLINE float
sample (const Planes *planes, const CscParams *p, uint j, int qx, int qy)
{
  uint sub = ON_CHROMA_GRID (IN (p), j);
  float upper, lower;
  Between x;
  Row r;

  find_row (&r, planes, p, j, qy);
  find_between (&x, qx, sub ? (int) MODE (p).in_site_x : 0, sub, r.n);
  upper = read_component (r.a, &r, x.a);
  if (x.f != 0)
    upper += (read_component (r.a, &r, x.b) - upper) * x.f;
  if (r.f == 0)
    return upper;
  lower = read_component (r.b, &r, x.a);
  if (x.f != 0)
    lower += (read_component (r.b, &r, x.b) - lower) * x.f;
  return upper + (lower - upper) * r.f;
}

INLINE uint
quantised (const CscParams *p, float value)
{
  return (uint) clamp ((int) value, 0, (1 << OUT (p).depth) - 1);
}

INLINE uint
mapped (const CscParams *p, uint k, float s0, float s1, float s2)
{
  return quantised (p, s0 * p->matrix[3 * k] + s1 * p->matrix[3 * k + 1] + s2 * p->matrix[3 * k + 2] + p->offset[k]);
}

INLINE void
write_word (__global uchar *row, uint bytes, int x, ulong word)
{
  switch (bytes) {
    case 1:
      row[x] = (uchar) word;
      break;
    case 2:
      ((__global ushort *) row)[x] = (ushort) word;
      break;
    case 4:
      ((__global uint *) row)[x] = (uint) word;
      break;
    default:
      ((__global ulong *) row)[x] = word;
  }
}

INLINE void
convert_pixel (const Planes *planes, const CscParams *p, int grid, int x, int y)
{
  int qx = position (grid, OUT (p).h_sub, MODE (p).out_site_x, x);
  int qy = position (grid, OUT (p).v_sub, p->out_site_y, y);
  float s0 = needed (p, grid, 0) ? sample (planes, p, 0, qx, qy) : 0.0f;
  float s1 = needed (p, grid, 1) ? sample (planes, p, 1, qx, qy) : 0.0f;
  float s2 = needed (p, grid, 2) ? sample (planes, p, 2, qx, qy) : 0.0f;

  for (uint plane = 0; plane < 4; plane++) {
    ulong word = 0;
    int any = 0;

    for (uint k = 0; k < 4; k++) {
      uint value;

      if (!written (p, grid, k) || OUT (p).plane[k] != plane)
        continue;
      if (k < 3)
        value = mapped (p, k, s0, s1, s2);
      else
        value = IN (p).alpha == 1 && OUT (p).alpha == 1 ? quantised (p, sample (planes, p, 3, qx, qy) * p->alpha_scale + 0.5f)
            : (1u << OUT (p).depth) - 1;
      word |= (ulong) value << OUT (p).shift[k];
      any = 1;
    }
    if (any)
      write_word (planes->out[plane] + p->out_offset[plane] + (size_t) y * p->out_stride[plane], OUT (p).word_bytes[plane], x, word);
  }
}

#ifdef CSC_CPU

typedef uchar16 any_uchar16 __attribute__ ((aligned (1)));
typedef ushort16 any_ushort16 __attribute__ ((aligned (1)));
typedef uint16 any_uint16 __attribute__ ((aligned (1)));
typedef ulong8 any_ulong8 __attribute__ ((aligned (1)));

#define LOAD(type, row, byte) (*(__global const any_##type *) ((row) + (byte)))
#define STORE(type, row, byte, value) (*(__global any_##type *) ((row) + (byte)) = (value))

/* 32 pixels of the luma grid: those at even columns, those at odd columns */
typedef struct
{
  uint16 even, odd;
} Pair;

typedef struct
{
  float16 even, odd;
} FloatPair;

/* Words @x to @x + 15 of 8 bytes, shifted */
INLINE uint16
read_long_words (__global const uchar *row, const Row *r, int x)
{
  uint8 low = convert_uint8 (LOAD (ulong8, row, 8 * x) >> (ulong) r->shift);
  uint8 high = convert_uint8 (LOAD (ulong8, row, 8 * x + 64) >> (ulong) r->shift);

  return (uint16) (low, high);
}

/* The component in words @x to @x + 15 */
INLINE uint16
read_16 (__global const uchar *row, const Row *r, int x)
{
  switch (r->bytes) {
    case 1:
      return convert_uint16 (LOAD (uchar16, row, x)) >> r->shift & r->mask;
    case 2:
      return convert_uint16 (LOAD (ushort16, row, 2 * x)) >> r->shift & r->mask;
    case 4:
      return LOAD (uint16, row, 4 * x) >> r->shift & r->mask;
    default:
      return read_long_words (row, r, x) & r->mask;
  }
}

/* The component in words @x to @x + 31 */
INLINE void
read_pair (Pair *pair, __global const uchar *row, const Row *r, int x)
{
  switch (r->bytes) {
    case 1: {
      ushort16 words = LOAD (ushort16, row, x);

      pair->even = convert_uint16 (words & (ushort) 0xff) >> r->shift & r->mask;
      pair->odd = convert_uint16 (words >> (ushort) 8) >> r->shift & r->mask;
      break;
    }
    case 2: {
      uint16 words = LOAD (uint16, row, 2 * x);

      pair->even = words >> r->shift & r->mask;
      pair->odd = words >> (r->shift + 16) & r->mask;
      break;
    }
    case 4: {
      uint16 low = LOAD (uint16, row, 4 * x), high = LOAD (uint16, row, 4 * x + 64);

      pair->even = (uint16) (low.even, high.even) >> r->shift & r->mask;
      pair->odd = (uint16) (low.odd, high.odd) >> r->shift & r->mask;
      break;
    }
    default: {
      uint16 low = read_long_words (row, r, x), high = read_long_words (row, r, x + 16);

      pair->even = (uint16) (low.even, high.even) & r->mask;
      pair->odd = (uint16) (low.odd, high.odd) & r->mask;
    }
  }
}

/* Values below 2^16: the conversion of signed integers is the cheaper one */
INLINE float16
as_floats (uint16 v)
{
  return convert_float16 (as_int16 (v));
}

INLINE float16
row_16 (const Row *r, int x)
{
  float16 v = as_floats (read_16 (r->a, r, x));

  return r->f == 0 ? v : v + (as_floats (read_16 (r->b, r, x)) - v) * r->f;
}

INLINE void
row_pair (FloatPair *v, const Row *r, int x)
{
  Pair words;

  read_pair (&words, r->a, r, x);
  v->even = as_floats (words.even);
  v->odd = as_floats (words.odd);
  if (r->f != 0) {
    read_pair (&words, r->b, r, x);
    v->even += (as_floats (words.even) - v->even) * r->f;
    v->odd += (as_floats (words.odd) - v->odd) * r->f;
  }
}

/* Samples @x - 1 to @x + 14, and @x + 1 to @x + 16, clamped at the edges; @v: samples @x to @x + 15 */
INLINE float16
previous_16 (const Row *r, int x, float16 v)
{
  return x > 0 ? row_16 (r, x - 1) : v.s00123456789abcde;
}

INLINE float16
next_16 (const Row *r, int x, float16 v)
{
  return x + 16 < r->n ? row_16 (r, x + 1) : v.s123456789abcdeff;
}

/* Component @j at columns @x to @x + 31 of the luma grid */
INLINE void
luma_grid_pair (FloatPair *v, const CscParams *p, uint j, const Row *r, int x)
{
  float16 c;

  if (!ON_CHROMA_GRID (IN (p), j)) {
    row_pair (v, r, x);
    return;
  }
  c = row_16 (r, x / 2);
  v->even = MODE (p).in_site_x == 0 ? c : c + (previous_16 (r, x / 2, c) - c) * (MODE (p).in_site_x * 0.125f);
  v->odd = c + (next_16 (r, x / 2, c) - c) * (0.5f - MODE (p).in_site_x * 0.125f);
}

/* Component @j at columns @x to @x + 15 of the chroma grid */
INLINE float16
chroma_grid_16 (const CscParams *p, uint j, const Row *r, int x)
{
  if (ON_CHROMA_GRID (IN (p), j)) {
    float16 c = row_16 (r, x);
    int distance = (int) MODE (p).out_site_x - (int) MODE (p).in_site_x;

    if (distance == 0)
      return c;
    return c + ((distance > 0 ? next_16 (r, x, c) : previous_16 (r, x, c)) - c) * ((distance > 0 ? distance : -distance) * 0.125f);
  } else {
    FloatPair v;

    row_pair (&v, r, 2 * x);
    return MODE (p).out_site_x == 0 ? v.even : v.even + (v.odd - v.even) * (MODE (p).out_site_x * 0.25f);
  }
}

INLINE uint16
quantised_16 (const CscParams *p, float16 value)
{
  return as_uint16 (clamp (convert_int16 (value), (int16) 0, (int16) ((1 << OUT (p).depth) - 1)));
}

INLINE uint16
mapped_16 (const CscParams *p, uint k, float16 s0, float16 s1, float16 s2)
{
  const float *m = p->matrix + 3 * k;
  float16 v = p->offset[k];

  if (MODE (p).map == CSC_MAP_DIAGONAL && IN (p).n_components == 3)
    return quantised_16 (p, (k == 0 ? s0 : k == 1 ? s1 : s2) * m[k] + v);
  v = s0 * m[0] + v;
  if (IN (p).n_components == 3 && !(MODE (p).map == CSC_MAP_YUV_TO_RGB && k == 0))
    v = s1 * m[1] + v;
  if (IN (p).n_components == 3 && !(MODE (p).map == CSC_MAP_YUV_TO_RGB && k == 2))
    v = s2 * m[2] + v;
  return quantised_16 (p, v);
}

INLINE uint16
copied_16 (const CscParams *p, uint16 v)
{
  int up = (int) OUT (p).depth - (int) IN (p).depth;

  if (up == 0)
    return v;
  if (up > 0)
    return v << (uint) up;
  return min ((v + (1u << (-up - 1))) >> (uint) -up, (uint16) ((1u << OUT (p).depth) - 1));
}

/* 16 words of 8 bytes, those of even columns and of odd ones, the halves of 32 bits apart */
INLINE void
store_long_words (__global uchar *row, int x, uint8 even_low, uint8 even_high, uint8 odd_low, uint8 odd_high)
{
  ulong8 even = convert_ulong8 (even_low) | convert_ulong8 (even_high) << 32;
  ulong8 odd = convert_ulong8 (odd_low) | convert_ulong8 (odd_high) << 32;
  ulong8 words;

  words.even = even.lo;
  words.odd = odd.lo;
  STORE (ulong8, row, 8 * x, words);
  words.even = even.hi;
  words.odd = odd.hi;
  STORE (ulong8, row, 8 * x + 64, words);
}

INLINE void
store_pair (__global uchar *row, uint bytes, int x, Pair low, Pair high)
{
  switch (bytes) {
    case 1:
      STORE (ushort16, row, x, convert_ushort16 (low.even | low.odd << 8));
      break;
    case 2:
      STORE (uint16, row, 2 * x, low.even | low.odd << 16);
      break;
    case 4: {
      uint16 words;

      words.even = low.even.lo;
      words.odd = low.odd.lo;
      STORE (uint16, row, 4 * x, words);
      words.even = low.even.hi;
      words.odd = low.odd.hi;
      STORE (uint16, row, 4 * x + 64, words);
      break;
    }
    default:
      store_long_words (row, x, low.even.lo, high.even.lo, low.odd.lo, high.odd.lo);
      store_long_words (row, x + 16, low.even.hi, high.even.hi, low.odd.hi, high.odd.hi);
  }
}

INLINE void
store_16 (__global uchar *row, uint bytes, int x, uint16 words)
{
  switch (bytes) {
    case 1:
      STORE (uchar16, row, x, convert_uchar16 (words));
      break;
    case 2:
      STORE (ushort16, row, 2 * x, convert_ushort16 (words));
      break;
    default:
      STORE (uint16, row, 4 * x, words);
  }
}

/* Adds component @k to the words of its plane */
INLINE void
add_pair (const CscParams *p, uint k, const Pair *v, Pair *low, Pair *high)
{
  uint shift = OUT (p).shift[k];

  if (shift < 32) {
    low->even |= v->even << shift;
    low->odd |= v->odd << shift;
  } else {
    high->even |= v->even << (shift - 32);
    high->odd |= v->odd << (shift - 32);
  }
}

/* Writes columns @x to @x + 31 of the luma grid: v[0] to v[3] are the components, as far as they are written */
INLINE void
write_pairs (const Planes *planes, const CscParams *p, int y, int x, const Pair *v0, const Pair *v1, const Pair *v2, const Pair *v3)
{
#pragma unroll
  for (uint plane = 0; plane < 4; plane++) {
    Pair low = { 0, 0 }, high = { 0, 0 };
    int in0 = written (p, LUMA_GRID, 0) && OUT (p).plane[0] == plane, in1 = written (p, LUMA_GRID, 1) && OUT (p).plane[1] == plane;
    int in2 = written (p, LUMA_GRID, 2) && OUT (p).plane[2] == plane, in3 = written (p, LUMA_GRID, 3) && OUT (p).plane[3] == plane;

    if (in0)
      add_pair (p, 0, v0, &low, &high);
    if (in1)
      add_pair (p, 1, v1, &low, &high);
    if (in2)
      add_pair (p, 2, v2, &low, &high);
    if (in3)
      add_pair (p, 3, v3, &low, &high);
    if (in0 || in1 || in2 || in3)
      store_pair (planes->out[plane] + p->out_offset[plane] + (size_t) y * p->out_stride[plane], OUT (p).word_bytes[plane], x, low, high);
  }
}

INLINE void
alpha_pair (Pair *v, const CscParams *p, const Row *r, int x)
{
  FloatPair s;

  if (IN (p).alpha == 1 && OUT (p).alpha == 1) {
    row_pair (&s, r, x);
    v->even = quantised_16 (p, s.even * p->alpha_scale + 0.5f);
    v->odd = quantised_16 (p, s.odd * p->alpha_scale + 0.5f);
  } else {
    v->even = v->odd = (1u << OUT (p).depth) - 1;
  }
}

INLINE void
component_pair (Pair *v, const CscParams *p, uint k, const Row *r, const FloatPair *s0, const FloatPair *s1, const FloatPair *s2, int x)
{
  if (!written (p, LUMA_GRID, k))
    return;
  if (MODE (p).map == CSC_MAP_COPY) {
    read_pair (v, r->a, r, x);
    v->even = copied_16 (p, v->even);
    v->odd = copied_16 (p, v->odd);
  } else {
    v->even = mapped_16 (p, k, s0->even, s1->even, s2->even);
    v->odd = mapped_16 (p, k, s0->odd, s1->odd, s2->odd);
  }
}

INLINE void
convert_luma_row (const Planes *planes, const CscParams *p, int y)
{
  int up = needed (p, LUMA_GRID, 1) && ON_CHROMA_GRID (IN (p), 1), n = up ? p->width & ~1 : p->width;
  int floats = MODE (p).map != CSC_MAP_COPY;
  Row r0, r1, r2, r3;

  find_row (&r0, planes, p, 0, 4 * y);
  r1 = r2 = r3 = r0;
  if (needed (p, LUMA_GRID, 1)) {
    find_row (&r1, planes, p, 1, 4 * y);
    find_row (&r2, planes, p, 2, 4 * y);
  }
  if (IN (p).alpha == 1)
    find_row (&r3, planes, p, 3, 4 * y);
  if (n < 32)
    n = 0;
  for (int i = 0; i < n; i += 32) {
    int x = min (i, n - 32);
    FloatPair s0 = { 0, 0 }, s1 = s0, s2 = s0;
    Pair v0, v1, v2, v3;

    if (floats) {
      luma_grid_pair (&s0, p, 0, &r0, x);
      if (needed (p, LUMA_GRID, 1)) {
        luma_grid_pair (&s1, p, 1, &r1, x);
        luma_grid_pair (&s2, p, 2, &r2, x);
      }
    }
    component_pair (&v0, p, 0, &r0, &s0, &s1, &s2, x);
    component_pair (&v1, p, 1, &r1, &s0, &s1, &s2, x);
    component_pair (&v2, p, 2, &r2, &s0, &s1, &s2, x);
    alpha_pair (&v3, p, &r3, x);
    write_pairs (planes, p, y, x, &v0, &v1, &v2, &v3);
  }
  for (int x = n; x < (int) p->width; x++)
    convert_pixel (planes, p, LUMA_GRID, x, y);
}

INLINE uint16
component_16 (const CscParams *p, uint k, const Row *r, float16 s0, float16 s1, float16 s2, int x)
{
  if (MODE (p).map == CSC_MAP_COPY)
    return copied_16 (p, read_16 (r->a, r, x));
  return mapped_16 (p, k, s0, s1, s2);
}

INLINE void
convert_chroma_row (const Planes *planes, const CscParams *p, int y)
{
  int full = needed (p, CHROMA_GRID, 0), down = full || !ON_CHROMA_GRID (IN (p), 1);
  int width = ((int) p->width + 1) / 2, n = down ? p->width / 2 : width, qy = position (CHROMA_GRID, OUT (p).v_sub, p->out_site_y, y);
  uint plane1 = OUT (p).plane[1], plane2 = OUT (p).plane[2];
  __global uchar *row1 = planes->out[plane1] + p->out_offset[plane1] + (size_t) y * p->out_stride[plane1];
  __global uchar *row2 = planes->out[plane2] + p->out_offset[plane2] + (size_t) y * p->out_stride[plane2];
  Row r0, r1, r2;

  find_row (&r1, planes, p, IN (p).n_components == 3 ? 1 : 0, qy);
  find_row (&r2, planes, p, IN (p).n_components == 3 ? 2 : 0, qy);
  r0 = r1;
  if (full)
    find_row (&r0, planes, p, 0, qy);
  if (n < 16)
    n = 0;
  for (int i = 0; i < n; i += 16) {
    int x = min (i, n - 16);
    float16 s0 = 0, s1 = 0, s2 = 0;
    uint16 v1, v2;

    if (full)
      s0 = chroma_grid_16 (p, 0, &r0, x);
    if (needed (p, CHROMA_GRID, 1) && MODE (p).map != CSC_MAP_COPY) {
      s1 = chroma_grid_16 (p, 1, &r1, x);
      s2 = chroma_grid_16 (p, 2, &r2, x);
    }
    v1 = component_16 (p, 1, &r1, s0, s1, s2, x) << OUT (p).shift[1];
    v2 = component_16 (p, 2, &r2, s0, s1, s2, x) << OUT (p).shift[2];
    if (plane1 == plane2) {
      store_16 (row1, OUT (p).word_bytes[plane1], x, v1 | v2);
    } else {
      store_16 (row1, OUT (p).word_bytes[plane1], x, v1);
      store_16 (row2, OUT (p).word_bytes[plane2], x, v2);
    }
  }
  for (int x = n; x < width; x++)
    convert_pixel (planes, p, CHROMA_GRID, x, y);
}

#endif

#ifdef CSC_CPU

/* Global size: ceil (height / rows).  in0 to in3: planes of the input, out0 to out3: of the output; a plane that does not exist is any
 * buffer. */
__kernel void
csc (__global const uchar *in0, __global const uchar *in1, __global const uchar *in2, __global const uchar *in3,
    __global uchar *out0, __global uchar *out1, __global uchar *out2, __global uchar *out3, CscParams params)
{
  Planes planes = { { in0, in1, in2, in3 }, { out0, out1, out2, out3 } };
  CscParams p = params;
  int first = (int) get_global_id (0) * (int) p.rows, end = min (first + (int) p.rows, (int) p.height);

  for (int y = first; y < end; y++)
    convert_luma_row (&planes, &p, y);
  if (ON_CHROMA_GRID (OUT (&p), 1))
    for (int y = first >> OUT (&p).v_sub; y < (end + (int) OUT (&p).v_sub) >> OUT (&p).v_sub; y++)
      convert_chroma_row (&planes, &p, y);
}

#else

/* Global size: (at least) columns and rows of the grid, @grid: LUMA_GRID or CHROMA_GRID */
__kernel void
csc (__global const uchar *in0, __global const uchar *in1, __global const uchar *in2, __global const uchar *in3,
    __global uchar *out0, __global uchar *out1, __global uchar *out2, __global uchar *out3, CscParams params, int grid)
{
  Planes planes = { { in0, in1, in2, in3 }, { out0, out1, out2, out3 } };
  CscParams p = params;
  int x = get_global_id (0), y = get_global_id (1), width, height;

  width = grid == CHROMA_GRID ? (p.width + OUT (&p).h_sub) >> OUT (&p).h_sub : p.width;
  height = grid == CHROMA_GRID ? (p.height + OUT (&p).v_sub) >> OUT (&p).v_sub : p.height;
  if (x < width && y < height)
    convert_pixel (&planes, &p, grid, x, y);
}

#endif
