/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "paperchost.h"

#include "normadjust.h"

void
paper_c_scales (unsigned qp, int32_t scale[16])
{
  for (unsigned i = 0; i < 16; i++)
    scale[i] = (int32_t) norm_adjust_4x4 (qp % 6, i / 4, i % 4) * (1 << qp / 6);
}

void
paper_c_iq (const int16_t *levels, int32_t *coeffs, const uint32_t *coded, size_t n_coded, const uint8_t *qp)
{
  unsigned scaled_qp = ~0u;
  int32_t scale[16];

  for (size_t k = 0; k < n_coded; k++) {
    size_t first = (size_t) coded[k] * 16;

    if (qp[coded[k] / 24] != scaled_qp)
      paper_c_scales (scaled_qp = qp[coded[k] / 24], scale);
    for (unsigned i = 0; i < 16; i++)
      coeffs[first + i] = levels[first + i] * scale[i];
  }
}

/* 8.5.12.2, (8-338) to (8-345): four values @step apart */
static void
transform (int32_t *d, unsigned step)
{
  int32_t e0 = d[0] + d[2 * step], e1 = d[0] - d[2 * step], e2 = (d[step] >> 1) - d[3 * step], e3 = d[step] + (d[3 * step] >> 1);

  d[0] = e0 + e3;
  d[step] = e1 + e2;
  d[2 * step] = e1 - e2;
  d[3 * step] = e0 - e3;
}

void
paper_c_idct (const int32_t *coeffs, int16_t *residual, const uint32_t *coded, size_t n_coded)
{
  for (size_t k = 0; k < n_coded; k++) {
    size_t first = (size_t) coded[k] * 16;
    int32_t d[16];

    for (unsigned i = 0; i < 16; i++)
      d[i] = coeffs[first + i];
    for (unsigned y = 0; y < 4; y++)
      transform (d + 4 * y, 1);
    for (unsigned x = 0; x < 4; x++)
      transform (d + x, 4);
    for (unsigned i = 0; i < 16; i++)
      residual[first + i] = (int16_t) ((d[i] + 32) >> 6);
  }
}
