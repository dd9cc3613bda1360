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
