/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The inverse transforms in C that a compiler turns into vectors: loops over the lines of a block.
 */
#include "idcthostvectorised.h"
#include "idctscales.h"

/* clang 14 gives such a function a name (.ifunc) that callers in other files do not know */
#if defined(__x86_64__) && !defined(__clang__)
#define CLONES __attribute__ ((target_clones ("avx2", "default")))
#else
#define CLONES
#endif

#define ASR(v, n) (int16_t) ((v) >> (n))

/* 8.5.12.2: of four values, a line apart, in each of four columns */
IDCT_INLINE void
lines_4 (int16_t c[16])
{
  for (unsigned i = 0; i < 4; i++) {
    int16_t e0 = c[i] + c[8 + i], e1 = c[i] - c[8 + i], e2 = ASR (c[4 + i], 1) - c[12 + i], e3 = c[4 + i] + ASR (c[12 + i], 1);

    c[i] = e0 + e3;
    c[4 + i] = e1 + e2;
    c[8 + i] = e1 - e2;
    c[12 + i] = e0 - e3;
  }
}

/* 8.5.13.2 */
IDCT_INLINE void
lines_8 (int16_t c[64])
{
  for (unsigned i = 0; i < 8; i++) {
    int16_t *d = c + i;
    int16_t e0 = d[0] + d[32], e2 = d[0] - d[32], e4 = ASR (d[16], 1) - d[48], e6 = d[16] + ASR (d[48], 1);
    int16_t e1 = d[40] - d[24] - d[56] - ASR (d[56], 1), e3 = d[8] + d[56] - d[24] - ASR (d[24], 1);
    int16_t e5 = d[56] - d[8] + d[40] + ASR (d[40], 1), e7 = d[24] + d[40] + d[8] + ASR (d[8], 1);
    int16_t f0 = e0 + e6, f2 = e2 + e4, f4 = e2 - e4, f6 = e0 - e6;
    int16_t f1 = e1 + ASR (e7, 2), f3 = e3 + ASR (e5, 2), f5 = ASR (e3, 2) - e5, f7 = e7 - ASR (e1, 2);

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

IDCT_INLINE void
lines (int16_t *c, unsigned n)
{
  if (n == 4)
    lines_4 (c);
  else
    lines_8 (c);
}

/* Levels are stored transposed: a line across is a column of rows. */
IDCT_INLINE void
block (int16_t *data, unsigned n)
{
  int16_t c[64], t[64];

  for (unsigned k = 0; k < n * n; k++)
    c[k] = data[k];
  lines (c, n);
  for (unsigned y = 0; y < n; y++)
    for (unsigned x = 0; x < n; x++)
      t[y * n + x] = c[x * n + y];
  lines (t, n);
  for (unsigned k = 0; k < n * n; k++)
    data[k] = (int16_t) (t[k] + 32) >> 6;
}

CLONES static void
transform_vectorised (int16_t *blocks, size_t n_blocks, unsigned n)
{
  if (n == 4)
    for (size_t i = 0; i < n_blocks; i++)
      block (blocks + i * 16, 4);
  else
    for (size_t i = 0; i < n_blocks; i++)
      block (blocks + i * 64, 8);
}

CLONES static void
scale_vectorised (const IdctHost *host, const uint32_t *positions, int16_t *blocks, size_t n_blocks, unsigned n)
{
  if (n == 4)
    idct_scale_blocks (host, positions, blocks, n_blocks, 4);
  else
    idct_scale_blocks (host, positions, blocks, n_blocks, 8);
}

const IdctHostCode *
idct_host_vectorised (void)
{
  static const IdctHostCode code = { "C vectorised", transform_vectorised, scale_vectorised };

  return &code;
}
