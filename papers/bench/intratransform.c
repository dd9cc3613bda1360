/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "intratransform.h"
#include "paperchost.h"

/* As many as CAVLC can say with level_prefix 15 (9.2.2.1) */
#define MAX_LEVEL 2000

/* What the forward transform's coefficients of each kind of position are multiplied by, over 2 ^ (15 + qp / 6) */
static const int factors[6][3] = { { 13107, 5243, 8066 }, { 11916, 4660, 7490 }, { 10082, 4194, 6554 }, { 9362, 3647, 5825 },
  { 8192, 3355, 5243 }, { 7282, 2893, 4559 } };

static void
forward_line (int32_t *d, unsigned step)
{
  int32_t a = d[0] + d[3 * step], b = d[step] + d[2 * step], c = d[step] - d[2 * step], e = d[0] - d[3 * step];

  d[0] = a + b;
  d[step] = 2 * e + c;
  d[2 * step] = a - b;
  d[3 * step] = e - 2 * c;
}

static void
forward (int32_t d[16])
{
  for (unsigned i = 0; i < 4; i++)
    forward_line (d + 4 * i, 1);
  for (unsigned i = 0; i < 4; i++)
    forward_line (d + i, 4);
}

/* Rounds a third of a step up, as intra blocks are quantised by most encoders. */
static int16_t
quantise (int32_t coeff, unsigned position, unsigned qp, unsigned more_bits)
{
  unsigned shift = 15 + qp / 6 + more_bits, odd = (position & 1) + (position >> 2 & 1);
  int64_t factor = factors[qp % 6][odd == 0 ? 0 : odd == 2 ? 1 : 2];
  int level = (int) ((abs (coeff) * factor + ((int64_t) 1 << shift) / 3) >> shift);

  level = level > MAX_LEVEL ? MAX_LEVEL : level;
  return (int16_t) (coeff < 0 ? -level : level);
}

static void
scale (const int16_t levels[16], unsigned qp, int32_t coeffs[16])
{
  static const uint32_t first = 0;
  uint8_t qps = (uint8_t) qp;

  paper_c_iq (levels, coeffs, &first, 1, &qps);
}

static void
inverse (const int32_t coeffs[16], int16_t residual[16])
{
  static const uint32_t first = 0;

  paper_c_idct (coeffs, residual, &first, 1);
}

void
intra_transform_block (const int32_t difference[16], unsigned qp, int16_t levels[16], int16_t residual[16])
{
  int32_t d[16];

  memcpy (d, difference, sizeof (d));
  forward (d);
  for (unsigned i = 0; i < 16; i++)
    levels[i] = quantise (d[i], i, qp, 0);
  scale (levels, qp, d);
  inverse (d, residual);
}

/* The transform of the four DCs, its own inverse but for a factor of 4 (8.5.11.1) */
static void
hadamard (const int32_t in[4], int32_t out[4])
{
  out[0] = in[0] + in[1] + in[2] + in[3];
  out[1] = in[0] - in[1] + in[2] - in[3];
  out[2] = in[0] + in[1] - in[2] - in[3];
  out[3] = in[0] - in[1] - in[2] + in[3];
}

/* 8.5.11.2, with flat scaling lists; the levels' transform, in place of c */
static int32_t
scale_dc (int32_t f, unsigned qp)
{
  static const uint8_t v[6] = { 10, 11, 13, 14, 16, 18 };

  return (f * 16 * v[qp % 6] * (1 << qp / 6)) >> 5;
}

void
intra_transform_chroma (const int32_t difference[64], unsigned qp, int16_t dc[4], int16_t ac[4][16], int16_t residual[64])
{
  int32_t d[4][16], dcs[4], f[4];

  for (unsigned blk = 0; blk < 4; blk++) {
    for (unsigned i = 0; i < 16; i++)
      d[blk][i] = difference[(blk / 2 * 4 + i / 4) * 8 + blk % 2 * 4 + i % 4];
    forward (d[blk]);
    dcs[blk] = d[blk][0];
  }
  hadamard (dcs, f);
  for (unsigned blk = 0; blk < 4; blk++)
    dcs[blk] = dc[blk] = quantise (f[blk], 0, qp, 1);
  hadamard (dcs, f);
  for (unsigned blk = 0; blk < 4; blk++) {
    int16_t rebuilt[16];

    ac[blk][0] = 0;
    for (unsigned i = 1; i < 16; i++)
      ac[blk][i] = quantise (d[blk][i], i, qp, 0);
    scale (ac[blk], qp, d[blk]);
    d[blk][0] = scale_dc (f[blk], qp);
    inverse (d[blk], rebuilt);
    for (unsigned i = 0; i < 16; i++)
      residual[(blk / 2 * 4 + i / 4) * 8 + blk % 2 * 4 + i % 4] = rebuilt[i];
  }
}

unsigned
intra_transform_chroma_qp (unsigned qp)
{
  static const uint8_t above_29[22] = { 29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39 };

  return qp < 30 ? qp : above_29[qp - 30];
}
