/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Asking for the samples of macroblocks ahead of their use: a macroblock is 16 rows far from each other, which no processor foresees.
 */
#include "prefetch.cl"

/* A cache line in samples, and how many of them ahead of a macroblock memory is asked for */
#define LINE_SAMPLES (64 / GPU_SAMPLE_BYTES)
#define LINES_AHEAD 2

/* Asks for rows of the macroblocks that come LINES_AHEAD cache lines to the right of p, the first sample of one of width * height samples
 * in column `column` of macroblocks.  A line is that of several macroblocks side by side: each asks for its share of the rows. */
INLINE void
prefetch_rows (__global const Sample *p, long stride, uint column, uint width, uint height, bool write)
{
  uint n = height * width / LINE_SAMPLES;

  p += (long) (column % (LINE_SAMPLES / width)) * n * stride + LINES_AHEAD * LINE_SAMPLES;
  for (uint y = 0; y < n; y++, p += stride)
    if (write)
      PREFETCH_WRITE (p);
    else
      PREFETCH (p);
}
