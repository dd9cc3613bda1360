/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stddef.h>
#include <string.h>

#include "idcthost.h"

#define SLOT_SIZE 32
#define INLINE static inline __attribute__ ((always_inline))

static const uint8_t norm_adjust_4x4[6][3] = {
  { 10, 16, 13 },
  { 11, 18, 14 },
  { 13, 20, 16 },
  { 14, 23, 18 },
  { 16, 25, 20 },
  { 18, 29, 23 },
};

static const uint8_t norm_adjust_8x8[6][6] = {
  { 20, 18, 32, 19, 25, 24 },
  { 22, 19, 35, 21, 28, 26 },
  { 26, 23, 42, 24, 33, 31 },
  { 28, 25, 45, 26, 35, 33 },
  { 32, 28, 51, 30, 40, 38 },
  { 36, 32, 58, 34, 46, 43 },
};

/* The level scales in force, transposed as the levels are; made anew where a block needs others than the one before (as decoders do) */
typedef struct
{
  uint32_t key;
  uint32_t scale[64] __attribute__ ((aligned (64))); /* LevelScale << left */
  int32_t round, right;
} Scales;

/* Which of the columns of normAdjust8x8 (8.5.9) */
static unsigned
column_8x8 (unsigned i, unsigned j)
{
  if (i % 2 && j % 2)
    return 1;
  if (i % 2 || j % 2)
    return i % 4 == 0 || j % 4 == 0 ? 3 : 5;
  return i % 4 == 0 && j % 4 == 0 ? 0 : i % 4 == 2 && j % 4 == 2 ? 2 : 4;
}

static void
make_scales (Scales *scales, const IdctHost *host, const GstGpuMb *mb, unsigned plane, unsigned n)
{
  const GstGpuSlice *slice = (const GstGpuSlice *) (host->header + host->layout.slices) + mb->slice;
  unsigned inter = mb->mb_class == GST_GPU_MB_INTER, qp = mb->qp_scaled[plane], bits = n == 4 ? 4 : 6;
  unsigned left = qp / 6 > bits ? qp / 6 - bits : 0;

  scales->right = qp / 6 < bits ? (int) (bits - qp / 6) : 0;
  scales->round = scales->right ? 1 << (scales->right - 1) : 0;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++) {
      unsigned v = i % 2 != j % 2 ? 2 : i % 2;

      if (n == 4)
        scales->scale[i * 4 + j] = (uint32_t) (slice->weight_scale_4x4[inter * 3 + plane][i * 4 + j] * norm_adjust_4x4[qp % 6][v]) << left;
      else
        scales->scale[i * 8 + j] =
            (uint32_t) (slice->weight_scale_8x8[plane * 2 + inter][i * 8 + j] * norm_adjust_8x8[qp % 6][column_8x8 (i, j)]) << left;
    }
}

/* Called for each block */
INLINE const GstGpuMb *
move (Scales *scales, const IdctHost *host, uint32_t position, unsigned n)
{
  const GstGpuMb *mb = (const GstGpuMb *) (host->header + host->layout.mbs) + GST_GPU_POSITION_MB (position);
  unsigned plane = GST_GPU_POSITION_PLANE (position);
  uint32_t key =
      mb->slice | (uint32_t) plane << 16 | (uint32_t) (mb->mb_class == GST_GPU_MB_INTER) << 18 | (uint32_t) mb->qp_scaled[plane] << 19;

  if (key != scales->key) {
    make_scales (scales, host, mb, plane, n);
    scales->key = key;
  }
  return mb;
}

/* Whether coefficient 0 of a 4x4 block of 4:2:0 comes from dc[]; its value then */
INLINE int
get_dc (const IdctHost *host, const GstGpuMb *mb, uint32_t position, int32_t *dc)
{
  unsigned plane = GST_GPU_POSITION_PLANE (position);

  if (plane == 0 && mb->mb_class != GST_GPU_MB_I16x16)
    return 0;
  *dc = mb->dc_coded >> plane & 1 ? host->dc[GST_GPU_POSITION_MB (position) * 48 + plane * 16 + GST_GPU_POSITION_BLK (position)] : 0;
  return 1;
}

#define ASR(v, n) ((uint32_t) ((int32_t) (v) >> (n)))

/* ---- C for the compiler to vectorise: loops over the lines of a block ---- */

INLINE void
lines_4 (uint32_t c[16])
{
  for (unsigned i = 0; i < 4; i++) {
    uint32_t e0 = c[i] + c[8 + i], e1 = c[i] - c[8 + i], e2 = ASR (c[4 + i], 1) - c[12 + i], e3 = c[4 + i] + ASR (c[12 + i], 1);

    c[i] = e0 + e3;
    c[4 + i] = e1 + e2;
    c[8 + i] = e1 - e2;
    c[12 + i] = e0 - e3;
  }
}

INLINE void
lines_8 (uint32_t c[64])
{
  for (unsigned i = 0; i < 8; i++) {
    uint32_t *d = c + i;
    uint32_t e0 = d[0] + d[32], e2 = d[0] - d[32], e4 = ASR (d[16], 1) - d[48], e6 = d[16] + ASR (d[48], 1);
    uint32_t e1 = d[40] - d[24] - d[56] - ASR (d[56], 1), e3 = d[8] + d[56] - d[24] - ASR (d[24], 1);
    uint32_t e5 = d[56] - d[8] + d[40] + ASR (d[40], 1), e7 = d[24] + d[40] + d[8] + ASR (d[8], 1);
    uint32_t f0 = e0 + e6, f2 = e2 + e4, f4 = e2 - e4, f6 = e0 - e6;
    uint32_t f1 = e1 + ASR (e7, 2), f3 = e3 + ASR (e5, 2), f5 = ASR (e3, 2) - e5, f7 = e7 - ASR (e1, 2);

    d[0] = f0 + f7;
    d[8] = f2 + f5;
    d[16] = f4 + f3;
    d[24] = f6 + f1;
    d[32] = f6 - f1;
    d[40] = f4 - f3;
    d[48] = f2 - f5;
    d[56] = f0 - f7;
  }
}

INLINE void
block_c (const Scales *scales, int16_t *data, unsigned n, int has_dc, int32_t dc)
{
  uint32_t c[64], t[64];

  for (unsigned k = 0; k < n * n; k++)
    c[k] = ASR ((uint32_t) data[k] * scales->scale[k] + (uint32_t) scales->round, scales->right);
  if (has_dc)
    c[0] = (uint32_t) dc;
  /* levels are stored transposed: a line across is a column of rows */
  if (n == 4)
    lines_4 (c);
  else
    lines_8 (c);
  for (unsigned y = 0; y < n; y++)
    for (unsigned x = 0; x < n; x++)
      t[y * n + x] = c[x * n + y];
  if (n == 4)
    lines_4 (t);
  else
    lines_8 (t);
  for (unsigned k = 0; k < n * n; k++) {
    int32_t v = (int32_t) (t[k] + 32) >> 6;

    data[k] = (int16_t) (v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v);
  }
}

/* clang 14 gives such a function a name (.ifunc) that callers in other files do not know */
#if defined(__x86_64__) && !defined(__clang__)
__attribute__ ((target_clones ("avx2", "default")))
#endif
void
idct_host_vectorised (const IdctHost *host, const GstGpuSegment *segments, unsigned n_segments)
{
  for (unsigned s = 0; s < n_segments; s++) {
    const uint32_t *positions = (const uint32_t *) host->coeffs + segments[s].positions;
    int16_t *data = (int16_t *) (host->coeffs + (size_t) segments[s].coeffs * SLOT_SIZE);
    Scales scales = { .key = ~0u };

    for (unsigned i = 0; i < segments[s].count; i++) {
      int32_t dc = 0;

      if (segments[s].kind == GST_GPU_KIND_4x4) {
        const GstGpuMb *mb = move (&scales, host, positions[i], 4);
        int has_dc = get_dc (host, mb, positions[i], &dc);

        block_c (&scales, data + i * 16, 4, has_dc, dc);
      } else {
        move (&scales, host, positions[i], 8);
        block_c (&scales, data + i * 64, 8, 0, 0);
      }
    }
  }
}

/* ---- intrinsics ---- */

#ifdef __x86_64__
#include <immintrin.h>

#define SSE __attribute__ ((target ("sse4.1")))
#define AVX2 __attribute__ ((target ("avx2")))

/* One dimension over vectors of lines: the same text for both widths */
#define TRANSFORM_4(V, ADD, SUB, SHIFT, d)                                            \
  do {                                                                                \
    V e0 = ADD (d[0], d[2]), e1 = SUB (d[0], d[2]), e2 = SUB (SHIFT (d[1], 1), d[3]); \
    V e3 = ADD (d[1], SHIFT (d[3], 1));                                               \
    d[0] = ADD (e0, e3);                                                              \
    d[1] = ADD (e1, e2);                                                              \
    d[2] = SUB (e1, e2);                                                              \
    d[3] = SUB (e0, e3);                                                              \
  } while (0)

#define TRANSFORM_8(V, ADD, SUB, SHIFT, d)                                            \
  do {                                                                                \
    V e0 = ADD (d[0], d[4]), e2 = SUB (d[0], d[4]), e4 = SUB (SHIFT (d[2], 1), d[6]); \
    V e6 = ADD (d[2], SHIFT (d[6], 1));                                               \
    V e1 = SUB (SUB (SUB (d[5], d[3]), d[7]), SHIFT (d[7], 1));                       \
    V e3 = SUB (SUB (ADD (d[1], d[7]), d[3]), SHIFT (d[3], 1));                       \
    V e5 = ADD (ADD (SUB (d[7], d[1]), d[5]), SHIFT (d[5], 1));                       \
    V e7 = ADD (ADD (ADD (d[3], d[5]), d[1]), SHIFT (d[1], 1));                       \
    V f0 = ADD (e0, e6), f2 = ADD (e2, e4), f4 = SUB (e2, e4), f6 = SUB (e0, e6);     \
    V f1 = ADD (e1, SHIFT (e7, 2)), f3 = ADD (e3, SHIFT (e5, 2));                     \
    V f5 = SUB (SHIFT (e3, 2), e5), f7 = SUB (e7, SHIFT (e1, 2));                     \
    d[0] = ADD (f0, f7);                                                              \
    d[1] = ADD (f2, f5);                                                              \
    d[2] = ADD (f4, f3);                                                              \
    d[3] = ADD (f6, f1);                                                              \
    d[4] = SUB (f6, f1);                                                              \
    d[5] = SUB (f4, f3);                                                              \
    d[6] = SUB (f2, f5);                                                              \
    d[7] = SUB (f0, f7);                                                              \
  } while (0)

/* Four lines of four, here and in each half of wider vectors */
#define TRANSPOSE_4(V, LO32, HI32, LO64, HI64, d)                                                     \
  do {                                                                                                \
    V t0 = LO32 (d[0], d[1]), t1 = HI32 (d[0], d[1]), t2 = LO32 (d[2], d[3]), t3 = HI32 (d[2], d[3]); \
    d[0] = LO64 (t0, t2);                                                                             \
    d[1] = HI64 (t0, t2);                                                                             \
    d[2] = LO64 (t1, t3);                                                                             \
    d[3] = HI64 (t1, t3);                                                                             \
  } while (0)

#define TRANSPOSE_4_SSE(d) TRANSPOSE_4 (__m128i, _mm_unpacklo_epi32, _mm_unpackhi_epi32, _mm_unpacklo_epi64, _mm_unpackhi_epi64, d)
#define TRANSPOSE_4_AVX2(d) \
  TRANSPOSE_4 (__m256i, _mm256_unpacklo_epi32, _mm256_unpackhi_epi32, _mm256_unpacklo_epi64, _mm256_unpackhi_epi64, d)

SSE static inline __m128i
scale_sse (const Scales *scales, const int16_t *data, unsigned k)
{
  __m128i level = _mm_cvtepi16_epi32 (_mm_loadl_epi64 ((const __m128i *) (data + k)));
  __m128i v = _mm_mullo_epi32 (level, _mm_load_si128 ((const __m128i *) (scales->scale + k)));

  return _mm_sra_epi32 (_mm_add_epi32 (v, _mm_set1_epi32 (scales->round)), _mm_cvtsi32_si128 (scales->right));
}

SSE static inline __m128i
round_sse (__m128i a, __m128i b)
{
  __m128i half = _mm_set1_epi32 (32);

  return _mm_packs_epi32 (_mm_srai_epi32 (_mm_add_epi32 (a, half), 6), _mm_srai_epi32 (_mm_add_epi32 (b, half), 6));
}

SSE static inline void
block_4_sse (const Scales *scales, int16_t *data, int has_dc, int32_t dc)
{
  __m128i d[4];

  for (unsigned i = 0; i < 4; i++)
    d[i] = scale_sse (scales, data, i * 4);
  if (has_dc)
    d[0] = _mm_insert_epi32 (d[0], dc, 0);
  TRANSFORM_4 (__m128i, _mm_add_epi32, _mm_sub_epi32, _mm_srai_epi32, d);
  TRANSPOSE_4_SSE (d);
  TRANSFORM_4 (__m128i, _mm_add_epi32, _mm_sub_epi32, _mm_srai_epi32, d);
  _mm_storeu_si128 ((__m128i *) data, round_sse (d[0], d[1]));
  _mm_storeu_si128 ((__m128i *) (data + 8), round_sse (d[2], d[3]));
}

/* Two vectors a line: left half, right half */
SSE static inline void
block_8_sse (const Scales *scales, int16_t *data)
{
  __m128i l[8], r[8], t[4];

  for (unsigned i = 0; i < 8; i++) {
    l[i] = scale_sse (scales, data, i * 8);
    r[i] = scale_sse (scales, data, i * 8 + 4);
  }
  TRANSFORM_8 (__m128i, _mm_add_epi32, _mm_sub_epi32, _mm_srai_epi32, l);
  TRANSFORM_8 (__m128i, _mm_add_epi32, _mm_sub_epi32, _mm_srai_epi32, r);
  TRANSPOSE_4_SSE (l);
  TRANSPOSE_4_SSE ((l + 4));
  TRANSPOSE_4_SSE (r);
  TRANSPOSE_4_SSE ((r + 4));
  memcpy (t, l + 4, sizeof (t));
  memcpy (l + 4, r, sizeof (t));
  memcpy (r, t, sizeof (t));
  TRANSFORM_8 (__m128i, _mm_add_epi32, _mm_sub_epi32, _mm_srai_epi32, l);
  TRANSFORM_8 (__m128i, _mm_add_epi32, _mm_sub_epi32, _mm_srai_epi32, r);
  for (unsigned i = 0; i < 8; i++)
    _mm_storeu_si128 ((__m128i *) (data + i * 8), round_sse (l[i], r[i]));
}

AVX2 static inline __m256i
scale_avx2 (const Scales *scales, const int16_t *data, unsigned k)
{
  __m256i level = _mm256_cvtepi16_epi32 (_mm_loadu_si128 ((const __m128i *) (data + k)));
  __m256i v = _mm256_mullo_epi32 (level, _mm256_load_si256 ((const __m256i *) (scales->scale + k)));

  return _mm256_sra_epi32 (_mm256_add_epi32 (v, _mm256_set1_epi32 (scales->round)), _mm_cvtsi32_si128 (scales->right));
}

AVX2 static inline __m256i
round_avx2 (__m256i v)
{
  return _mm256_srai_epi32 (_mm256_add_epi32 (v, _mm256_set1_epi32 (32)), 6);
}

AVX2 static inline void
block_8_avx2 (const Scales *scales, int16_t *data)
{
  __m256i d[8], t[8];

  for (unsigned i = 0; i < 8; i++)
    d[i] = scale_avx2 (scales, data, i * 8);
  TRANSFORM_8 (__m256i, _mm256_add_epi32, _mm256_sub_epi32, _mm256_srai_epi32, d);
  TRANSPOSE_4_AVX2 (d);
  TRANSPOSE_4_AVX2 ((d + 4));
  for (unsigned i = 0; i < 4; i++) {
    t[i] = _mm256_permute2x128_si256 (d[i], d[i + 4], 0x20);
    t[i + 4] = _mm256_permute2x128_si256 (d[i], d[i + 4], 0x31);
  }
  TRANSFORM_8 (__m256i, _mm256_add_epi32, _mm256_sub_epi32, _mm256_srai_epi32, t);
  for (unsigned i = 0; i < 8; i += 2) {
    __m256i v = _mm256_packs_epi32 (round_avx2 (t[i]), round_avx2 (t[i + 1]));

    _mm256_storeu_si256 ((__m256i *) (data + i * 8), _mm256_permute4x64_epi64 (v, 0xd8));
  }
}

/* Two blocks that are scaled alike, side by side */
AVX2 static inline void
blocks_4_avx2 (const Scales *scales, int16_t *data, int has_dc, int32_t dc_a, int32_t dc_b)
{
  __m256i d[4], half[2];

  for (unsigned i = 0; i < 4; i++) {
    __m128i a = _mm_loadl_epi64 ((const __m128i *) (data + i * 4)), b = _mm_loadl_epi64 ((const __m128i *) (data + 16 + i * 4));
    __m256i scale = _mm256_broadcastsi128_si256 (_mm_load_si128 ((const __m128i *) (scales->scale + i * 4)));

    d[i] = _mm256_mullo_epi32 (_mm256_cvtepi16_epi32 (_mm_unpacklo_epi64 (a, b)), scale);
    d[i] = _mm256_sra_epi32 (_mm256_add_epi32 (d[i], _mm256_set1_epi32 (scales->round)), _mm_cvtsi32_si128 (scales->right));
  }
  if (has_dc)
    d[0] = _mm256_insert_epi32 (_mm256_insert_epi32 (d[0], dc_a, 0), dc_b, 4);
  TRANSFORM_4 (__m256i, _mm256_add_epi32, _mm256_sub_epi32, _mm256_srai_epi32, d);
  TRANSPOSE_4_AVX2 (d);
  TRANSFORM_4 (__m256i, _mm256_add_epi32, _mm256_sub_epi32, _mm256_srai_epi32, d);
  half[0] = _mm256_packs_epi32 (round_avx2 (d[0]), round_avx2 (d[1]));
  half[1] = _mm256_packs_epi32 (round_avx2 (d[2]), round_avx2 (d[3]));
  _mm256_storeu_si256 ((__m256i *) data, _mm256_permute2x128_si256 (half[0], half[1], 0x20));
  _mm256_storeu_si256 ((__m256i *) (data + 16), _mm256_permute2x128_si256 (half[0], half[1], 0x31));
}

SSE static void
run_sse (const IdctHost *host, const GstGpuSegment *segments, unsigned n_segments)
{
  for (unsigned s = 0; s < n_segments; s++) {
    const uint32_t *positions = (const uint32_t *) host->coeffs + segments[s].positions;
    int16_t *data = (int16_t *) (host->coeffs + (size_t) segments[s].coeffs * SLOT_SIZE);
    Scales scales = { .key = ~0u };

    for (unsigned i = 0; i < segments[s].count; i++) {
      int32_t dc = 0;

      if (segments[s].kind == GST_GPU_KIND_4x4) {
        const GstGpuMb *mb = move (&scales, host, positions[i], 4);
        int has_dc = get_dc (host, mb, positions[i], &dc);

        block_4_sse (&scales, data + i * 16, has_dc, dc);
      } else {
        move (&scales, host, positions[i], 8);
        block_8_sse (&scales, data + i * 64);
      }
    }
  }
}

AVX2 static void
segment_4_avx2 (const IdctHost *host, const uint32_t *positions, int16_t *data, unsigned count)
{
  Scales scales = { .key = ~0u };

  for (unsigned i = 0; i < count;) {
    const GstGpuMb *mb = move (&scales, host, positions[i], 4);
    int32_t dc[2] = { 0 };
    int has_dc = get_dc (host, mb, positions[i], &dc[0]);

    if (i + 1 < count && positions[i] >> 4 == positions[i + 1] >> 4) {
      get_dc (host, mb, positions[i + 1], &dc[1]);
      blocks_4_avx2 (&scales, data + i * 16, has_dc, dc[0], dc[1]);
      i += 2;
    } else {
      block_4_sse (&scales, data + i * 16, has_dc, dc[0]);
      i++;
    }
  }
}

AVX2 static void
run_avx2 (const IdctHost *host, const GstGpuSegment *segments, unsigned n_segments)
{
  for (unsigned s = 0; s < n_segments; s++) {
    const uint32_t *positions = (const uint32_t *) host->coeffs + segments[s].positions;
    int16_t *data = (int16_t *) (host->coeffs + (size_t) segments[s].coeffs * SLOT_SIZE);
    Scales scales = { .key = ~0u };

    if (segments[s].kind == GST_GPU_KIND_4x4)
      segment_4_avx2 (host, positions, data, segments[s].count);
    else
      for (unsigned i = 0; i < segments[s].count; i++) {
        move (&scales, host, positions[i], 8);
        block_8_avx2 (&scales, data + i * 64);
      }
  }
}

IdctHostFunction
idct_host_sse (void)
{
  return __builtin_cpu_supports ("sse4.1") ? run_sse : NULL;
}

IdctHostFunction
idct_host_avx2 (void)
{
  return __builtin_cpu_supports ("avx2") ? run_avx2 : NULL;
}

#else

IdctHostFunction
idct_host_sse (void)
{
  return NULL;
}

IdctHostFunction
idct_host_avx2 (void)
{
  return NULL;
}

#endif
