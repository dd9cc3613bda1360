/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The inverse transforms in C, a sample at a time, as a decoder without SIMD has them: compiled without vectorisation.
 */
#include "idcthostscalar.h"
#include "idctscales.h"

/* 8.5.12.2: from every fourth value to @step_out apart */
IDCT_INLINE void
line_4 (const int16_t *in, int16_t *out, unsigned step_out, int round, unsigned shift)
{
  int e0 = in[0] + in[8] + round, e1 = in[0] - in[8] + round, e2 = (in[4] >> 1) - in[12], e3 = in[4] + (in[12] >> 1);

  out[0] = (int16_t) ((e0 + e3) >> shift);
  out[step_out] = (int16_t) ((e1 + e2) >> shift);
  out[2 * step_out] = (int16_t) ((e1 - e2) >> shift);
  out[3 * step_out] = (int16_t) ((e0 - e3) >> shift);
}

/* 8.5.13.2: from every eighth value */
IDCT_INLINE void
line_8 (const int16_t *in, int16_t *out, unsigned step_out, int round, unsigned shift)
{
  int e0 = in[0] + in[32] + round, e2 = in[0] - in[32] + round, e4 = (in[16] >> 1) - in[48], e6 = in[16] + (in[48] >> 1);
  int e1 = in[40] - in[24] - in[56] - (in[56] >> 1), e3 = in[8] + in[56] - in[24] - (in[24] >> 1);
  int e5 = in[56] - in[8] + in[40] + (in[40] >> 1), e7 = in[24] + in[40] + in[8] + (in[8] >> 1);
  int f0 = e0 + e6, f2 = e2 + e4, f4 = e2 - e4, f6 = e0 - e6;
  int f1 = e1 + (e7 >> 2), f3 = e3 + (e5 >> 2), f5 = (e3 >> 2) - e5, f7 = e7 - (e1 >> 2);

  out[0] = (int16_t) ((f0 + f7) >> shift);
  out[step_out] = (int16_t) ((f2 + f5) >> shift);
  out[2 * step_out] = (int16_t) ((f4 + f3) >> shift);
  out[3 * step_out] = (int16_t) ((f6 + f1) >> shift);
  out[4 * step_out] = (int16_t) ((f6 - f1) >> shift);
  out[5 * step_out] = (int16_t) ((f4 - f3) >> shift);
  out[6 * step_out] = (int16_t) ((f2 - f5) >> shift);
  out[7 * step_out] = (int16_t) ((f0 - f7) >> shift);
}

/* Rows, from transposed levels to rows side by side; then columns */
static void
transform (int16_t *blocks, size_t n_blocks, unsigned n)
{
  int16_t rows[64];

  for (int16_t *data = blocks; data < blocks + n_blocks * n * n; data += n * n)
    if (n == 4) {
      for (unsigned i = 0; i < 4; i++)
        line_4 (data + i, rows + 4 * i, 1, 0, 0);
      for (unsigned i = 0; i < 4; i++)
        line_4 (rows + i, data + i, 4, 32, 6);
    } else {
      for (unsigned i = 0; i < 8; i++)
        line_8 (data + i, rows + 8 * i, 1, 0, 0);
      for (unsigned i = 0; i < 8; i++)
        line_8 (rows + i, data + i, 8, 32, 6);
    }
}

static void
scale (const IdctHost *host, const uint32_t *positions, int16_t *blocks, size_t n_blocks, unsigned n)
{
  if (n == 4)
    idct_scale_blocks (host, positions, blocks, n_blocks, 4);
  else
    idct_scale_blocks (host, positions, blocks, n_blocks, 8);
}

const IdctHostCode *
idct_host_scalar (void)
{
  static const IdctHostCode code = { "C scalar", transform, scale };

  return &code;
}
