/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intrinsics, and what all ways share.
 */
#include "idcthost.h"
#include "idcthostscalar.h"
#include "idcthostvectorised.h"
#include "idctscales.h"

#define SLOT_SIZE 32
/* Blocks that stay in the first cache between scaling and transform */
#define CHUNK 64

void
idct_host_codes (const IdctHostCode *codes[IDCT_HOST_CODES])
{
  codes[0] = idct_host_scalar ();
  codes[1] = idct_host_vectorised ();
  codes[2] = idct_host_sse ();
  codes[3] = idct_host_avx2 ();
}

void
idct_host_run (const IdctHostCode *code, const IdctHost *host, const GstGpuSegment *segments, unsigned n_segments)
{
  for (unsigned s = 0; s < n_segments; s++) {
    const uint32_t *positions = (const uint32_t *) host->coeffs + segments[s].positions;
    int16_t *data = (int16_t *) (host->coeffs + (size_t) segments[s].coeffs * SLOT_SIZE);
    unsigned n = segments[s].kind == GST_GPU_KIND_4x4 ? 4 : 8;

    for (unsigned i = 0; i < segments[s].count; i += CHUNK) {
      unsigned count = segments[s].count - i < CHUNK ? segments[s].count - i : CHUNK;

      code->scale (host, positions + i, data + (size_t) i * n * n, count, n);
      code->transform (data + (size_t) i * n * n, count, n);
    }
  }
}

#ifdef __x86_64__
#include <immintrin.h>

#define SSE __attribute__ ((target ("sse4.1")))
#define AVX2 __attribute__ ((target ("avx2")))

/* One dimension over vectors of lines: the same text for both widths */
#define TRANSFORM_4(V, P, d)                                                                                                 \
  do {                                                                                                                       \
    V e0 = P##_add_epi16 (d[0], d[2]), e1 = P##_sub_epi16 (d[0], d[2]), e2 = P##_sub_epi16 (P##_srai_epi16 (d[1], 1), d[3]); \
    V e3 = P##_add_epi16 (d[1], P##_srai_epi16 (d[3], 1));                                                                   \
    d[0] = P##_add_epi16 (e0, e3);                                                                                           \
    d[1] = P##_add_epi16 (e1, e2);                                                                                           \
    d[2] = P##_sub_epi16 (e1, e2);                                                                                           \
    d[3] = P##_sub_epi16 (e0, e3);                                                                                           \
  } while (0)

#define TRANSFORM_8(V, P, d)                                                                                                 \
  do {                                                                                                                       \
    V e0 = P##_add_epi16 (d[0], d[4]), e2 = P##_sub_epi16 (d[0], d[4]), e4 = P##_sub_epi16 (P##_srai_epi16 (d[2], 1), d[6]); \
    V e6 = P##_add_epi16 (d[2], P##_srai_epi16 (d[6], 1));                                                                   \
    V e1 = P##_sub_epi16 (P##_sub_epi16 (P##_sub_epi16 (d[5], d[3]), d[7]), P##_srai_epi16 (d[7], 1));                       \
    V e3 = P##_sub_epi16 (P##_sub_epi16 (P##_add_epi16 (d[1], d[7]), d[3]), P##_srai_epi16 (d[3], 1));                       \
    V e5 = P##_add_epi16 (P##_add_epi16 (P##_sub_epi16 (d[7], d[1]), d[5]), P##_srai_epi16 (d[5], 1));                       \
    V e7 = P##_add_epi16 (P##_add_epi16 (P##_add_epi16 (d[3], d[5]), d[1]), P##_srai_epi16 (d[1], 1));                       \
    V f0 = P##_add_epi16 (e0, e6), f2 = P##_add_epi16 (e2, e4), f4 = P##_sub_epi16 (e2, e4), f6 = P##_sub_epi16 (e0, e6);    \
    V f1 = P##_add_epi16 (e1, P##_srai_epi16 (e7, 2)), f3 = P##_add_epi16 (e3, P##_srai_epi16 (e5, 2));                      \
    V f5 = P##_sub_epi16 (P##_srai_epi16 (e3, 2), e5), f7 = P##_sub_epi16 (e7, P##_srai_epi16 (e1, 2));                      \
    d[0] = P##_add_epi16 (f0, f7);                                                                                           \
    d[1] = P##_add_epi16 (f2, f5);                                                                                           \
    d[2] = P##_add_epi16 (f4, f3);                                                                                           \
    d[3] = P##_add_epi16 (f6, f1);                                                                                           \
    d[4] = P##_sub_epi16 (f6, f1);                                                                                           \
    d[5] = P##_sub_epi16 (f4, f3);                                                                                           \
    d[6] = P##_sub_epi16 (f2, f5);                                                                                           \
    d[7] = P##_sub_epi16 (f0, f7);                                                                                           \
  } while (0)

/* Two blocks of 4x4 side by side in each 128 bits */
#define TRANSPOSE_4(V, P, d)                                                      \
  do {                                                                            \
    V t0 = P##_unpacklo_epi16 (d[0], d[1]), t1 = P##_unpackhi_epi16 (d[0], d[1]); \
    V t2 = P##_unpacklo_epi16 (d[2], d[3]), t3 = P##_unpackhi_epi16 (d[2], d[3]); \
    V u0 = P##_unpacklo_epi32 (t0, t2), u1 = P##_unpackhi_epi32 (t0, t2);         \
    V v0 = P##_unpacklo_epi32 (t1, t3), v1 = P##_unpackhi_epi32 (t1, t3);         \
    d[0] = P##_unpacklo_epi64 (u0, v0);                                           \
    d[1] = P##_unpackhi_epi64 (u0, v0);                                           \
    d[2] = P##_unpacklo_epi64 (u1, v1);                                           \
    d[3] = P##_unpackhi_epi64 (u1, v1);                                           \
  } while (0)

/* A block of 8x8 in each 128 bits */
#define TRANSPOSE_8(V, P, d)                                          \
  do {                                                                \
    V s[8], t[8];                                                     \
    for (unsigned i = 0; i < 4; i++) {                                \
      s[2 * i] = P##_unpacklo_epi16 (d[2 * i], d[2 * i + 1]);         \
      s[2 * i + 1] = P##_unpackhi_epi16 (d[2 * i], d[2 * i + 1]);     \
    }                                                                 \
    for (unsigned i = 0; i < 2; i++) {                                \
      t[4 * i] = P##_unpacklo_epi32 (s[4 * i], s[4 * i + 2]);         \
      t[4 * i + 1] = P##_unpackhi_epi32 (s[4 * i], s[4 * i + 2]);     \
      t[4 * i + 2] = P##_unpacklo_epi32 (s[4 * i + 1], s[4 * i + 3]); \
      t[4 * i + 3] = P##_unpackhi_epi32 (s[4 * i + 1], s[4 * i + 3]); \
    }                                                                 \
    for (unsigned i = 0; i < 4; i++) {                                \
      d[2 * i] = P##_unpacklo_epi64 (t[i], t[4 + i]);                 \
      d[2 * i + 1] = P##_unpackhi_epi64 (t[i], t[4 + i]);             \
    }                                                                 \
  } while (0)

#define ROUND(P, v) P##_srai_epi16 (P##_add_epi16 (v, P##_set1_epi16 (32)), 6)

SSE static void
transform_4_sse (int16_t *blocks, size_t n_blocks)
{
  for (size_t i = 0; i < n_blocks; i += 2) {
    __m128i *data = (__m128i *) (blocks + i * 16), *next = i + 1 < n_blocks ? data + 2 : data;
    __m128i a0 = _mm_loadu_si128 (data), a2 = _mm_loadu_si128 (data + 1), b0 = _mm_loadu_si128 (next), b2 = _mm_loadu_si128 (next + 1);
    __m128i d[4] = { _mm_unpacklo_epi64 (a0, b0), _mm_unpackhi_epi64 (a0, b0), _mm_unpacklo_epi64 (a2, b2), _mm_unpackhi_epi64 (a2, b2) };

    TRANSFORM_4 (__m128i, _mm, d);
    TRANSPOSE_4 (__m128i, _mm, d);
    TRANSFORM_4 (__m128i, _mm, d);
    for (unsigned k = 0; k < 4; k++)
      d[k] = ROUND (_mm, d[k]);
    _mm_storeu_si128 (next, _mm_unpackhi_epi64 (d[0], d[1]));
    _mm_storeu_si128 (next + 1, _mm_unpackhi_epi64 (d[2], d[3]));
    _mm_storeu_si128 (data, _mm_unpacklo_epi64 (d[0], d[1]));
    _mm_storeu_si128 (data + 1, _mm_unpacklo_epi64 (d[2], d[3]));
  }
}

SSE static void
transform_sse (int16_t *blocks, size_t n_blocks, unsigned n)
{
  if (n == 4) {
    transform_4_sse (blocks, n_blocks);
    return;
  }
  for (size_t i = 0; i < n_blocks; i++) {
    __m128i *data = (__m128i *) (blocks + i * 64), d[8];

    for (unsigned k = 0; k < 8; k++)
      d[k] = _mm_loadu_si128 (data + k);
    TRANSFORM_8 (__m128i, _mm, d);
    TRANSPOSE_8 (__m128i, _mm, d);
    TRANSFORM_8 (__m128i, _mm, d);
    for (unsigned k = 0; k < 8; k++)
      _mm_storeu_si128 (data + k, ROUND (_mm, d[k]));
  }
}

/* Four blocks: two in each half of a vector */
AVX2 static void
transform_4_avx2 (int16_t *blocks, size_t n_blocks)
{
  size_t i = 0;

  for (; i + 4 <= n_blocks; i += 4) {
    __m256i *data = (__m256i *) (blocks + i * 16);
    __m256i a = _mm256_loadu_si256 (data), b = _mm256_loadu_si256 (data + 1), c = _mm256_loadu_si256 (data + 2);
    __m256i e = _mm256_loadu_si256 (data + 3);
    __m256i ac0 = _mm256_permute2x128_si256 (a, c, 0x20), ac2 = _mm256_permute2x128_si256 (a, c, 0x31);
    __m256i be0 = _mm256_permute2x128_si256 (b, e, 0x20), be2 = _mm256_permute2x128_si256 (b, e, 0x31);
    __m256i d[4] = { _mm256_unpacklo_epi64 (ac0, be0), _mm256_unpackhi_epi64 (ac0, be0), _mm256_unpacklo_epi64 (ac2, be2),
      _mm256_unpackhi_epi64 (ac2, be2) };

    TRANSFORM_4 (__m256i, _mm256, d);
    TRANSPOSE_4 (__m256i, _mm256, d);
    TRANSFORM_4 (__m256i, _mm256, d);
    for (unsigned k = 0; k < 4; k++)
      d[k] = ROUND (_mm256, d[k]);
    ac0 = _mm256_unpacklo_epi64 (d[0], d[1]), ac2 = _mm256_unpacklo_epi64 (d[2], d[3]);
    be0 = _mm256_unpackhi_epi64 (d[0], d[1]), be2 = _mm256_unpackhi_epi64 (d[2], d[3]);
    _mm256_storeu_si256 (data, _mm256_permute2x128_si256 (ac0, ac2, 0x20));
    _mm256_storeu_si256 (data + 1, _mm256_permute2x128_si256 (be0, be2, 0x20));
    _mm256_storeu_si256 (data + 2, _mm256_permute2x128_si256 (ac0, ac2, 0x31));
    _mm256_storeu_si256 (data + 3, _mm256_permute2x128_si256 (be0, be2, 0x31));
  }
  transform_4_sse (blocks + i * 16, n_blocks - i);
}

/* A block in each half of a vector */
AVX2 static void
transform_8_avx2 (int16_t *blocks, size_t n_blocks)
{
  for (size_t i = 0; i < n_blocks; i += 2) {
    __m128i *data = (__m128i *) (blocks + i * 64), *next = i + 1 < n_blocks ? data + 8 : data;
    __m256i d[8];

    for (unsigned k = 0; k < 8; k++)
      d[k] = _mm256_inserti128_si256 (_mm256_castsi128_si256 (_mm_loadu_si128 (data + k)), _mm_loadu_si128 (next + k), 1);
    TRANSFORM_8 (__m256i, _mm256, d);
    TRANSPOSE_8 (__m256i, _mm256, d);
    TRANSFORM_8 (__m256i, _mm256, d);
    for (unsigned k = 0; k < 8; k++) {
      __m256i v = ROUND (_mm256, d[k]);

      _mm_storeu_si128 (data + k, _mm256_castsi256_si128 (v));
      _mm_storeu_si128 (next + k, _mm256_extracti128_si256 (v, 1));
    }
  }
}

static void
transform_avx2 (int16_t *blocks, size_t n_blocks, unsigned n)
{
  if (n == 4)
    transform_4_avx2 (blocks, n_blocks);
  else
    transform_8_avx2 (blocks, n_blocks);
}

/* A vector of levels.  Products that are shifted to the right before they fit in 16 bits are 32 bits wide on the way. */
#define SCALE(V, P, level, factor, scales)                                                                                         \
  ((scales)->right == 0                                                                                                            \
          ? P##_mullo_epi16 (level, factor)                                                                                        \
          : P##_packs_epi32 (P##_sra_epi32 (P##_add_epi32 (P##_unpacklo_epi16 (P##_mullo_epi16 (level, factor),                    \
                                                               P##_mulhi_epi16 (level, factor)),                                   \
                                                P##_set1_epi32 ((scales)->round)),                                                 \
                                 _mm_cvtsi32_si128 ((scales)->right)),                                                             \
              P##_sra_epi32 (P##_add_epi32 (P##_unpackhi_epi16 (P##_mullo_epi16 (level, factor), P##_mulhi_epi16 (level, factor)), \
                                 P##_set1_epi32 ((scales)->round)),                                                                \
                  _mm_cvtsi32_si128 ((scales)->right))))

SSE static void
scale_sse (const IdctHost *host, const uint32_t *positions, int16_t *blocks, size_t n_blocks, unsigned n)
{
  IdctScales scales = { .key = ~0u };

  for (size_t i = 0; i < n_blocks; i++) {
    int16_t *data = blocks + i * n * n, dc;
    int has_dc = idct_scales_move (&scales, host, positions[i], n, &dc);

    for (unsigned k = 0; k < n * n; k += 8) {
      __m128i level = _mm_loadu_si128 ((const __m128i *) (data + k)), factor = _mm_load_si128 ((const __m128i *) (scales.scale + k));

      _mm_storeu_si128 ((__m128i *) (data + k), SCALE (__m128i, _mm, level, factor, &scales));
    }
    if (has_dc)
      data[0] = dc;
  }
}

AVX2 static void
scale_avx2 (const IdctHost *host, const uint32_t *positions, int16_t *blocks, size_t n_blocks, unsigned n)
{
  IdctScales scales = { .key = ~0u };

  for (size_t i = 0; i < n_blocks; i++) {
    int16_t *data = blocks + i * n * n, dc;
    int has_dc = idct_scales_move (&scales, host, positions[i], n, &dc);

    for (unsigned k = 0; k < n * n; k += 16) {
      __m256i level = _mm256_loadu_si256 ((const __m256i *) (data + k)), factor = _mm256_load_si256 ((const __m256i *) (scales.scale + k));

      _mm256_storeu_si256 ((__m256i *) (data + k), SCALE (__m256i, _mm256, level, factor, &scales));
    }
    if (has_dc)
      data[0] = dc;
  }
}

const IdctHostCode *
idct_host_sse (void)
{
  static const IdctHostCode code = { "SSE4.1", transform_sse, scale_sse };

  return __builtin_cpu_supports ("sse4.1") ? &code : NULL;
}

const IdctHostCode *
idct_host_avx2 (void)
{
  static const IdctHostCode code = { "AVX2", transform_avx2, scale_avx2 };

  return __builtin_cpu_supports ("avx2") ? &code : NULL;
}

#else

const IdctHostCode *
idct_host_sse (void)
{
  return NULL;
}

const IdctHostCode *
idct_host_avx2 (void)
{
  return NULL;
}

#endif
