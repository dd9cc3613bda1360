/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Four vectors at a time, in GCC's vectors: SSE2, NEON, or plain code.
 */
#pragma once

#include <glib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The components of four vectors, the same without their sign, and the vectors as words */
typedef gint16 H264Components __attribute__ ((vector_size (16)));
typedef guint16 H264Magnitudes __attribute__ ((vector_size (16)));
typedef guint32 H264Words __attribute__ ((vector_size (16)));
typedef gint32 H264SignedWords __attribute__ ((vector_size (16)));
typedef guint8 H264Bytes __attribute__ ((vector_size (16)));

/* The lesser and the greater of each component */
static inline H264Components
h264_min_components (H264Components a, H264Components b)
{
#ifdef __SSE2__
  return (H264Components) _mm_min_epi16 ((__m128i) a, (__m128i) b);
#else
  const H264Components less = a < b;

  return (a & less) | (b & ~less);
#endif
}

static inline H264Components
h264_max_components (H264Components a, H264Components b)
{
#ifdef __SSE2__
  return (H264Components) _mm_max_epi16 ((__m128i) a, (__m128i) b);
#else
  const H264Components less = a < b;

  return (b & less) | (a & ~less);
#endif
}

static inline H264Bytes
h264_min_bytes (H264Bytes a, H264Bytes b)
{
#ifdef __SSE2__
  return (H264Bytes) _mm_min_epu8 ((__m128i) a, (__m128i) b);
#else
  const H264Bytes less = (H264Bytes) (a < b);

  return (a & less) | (b & ~less);
#endif
}

/* Which of four words are not 0: bits, the first word's lowest */
static inline guint
h264_nonzero_words (H264Words words)
{
  words = (H264Words) (words != 0);
#ifdef __SSE2__
  return (guint) _mm_movemask_ps ((__m128) words);
#else
  words &= (H264Words){ 1, 2, 4, 8 };
  return words[0] | words[1] | words[2] | words[3];
#endif
}
