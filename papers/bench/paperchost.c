/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "paperchost.h"

void
paper_c_iq (const int16_t *levels, int32_t *coeffs, const uint32_t *coded, size_t n_coded, const uint8_t *qp)
{
  /* normAdjust4x4 (8.5.9) */
  static const uint8_t v[6][3] = { { 10, 16, 13 }, { 11, 18, 14 }, { 13, 20, 16 }, { 14, 23, 18 }, { 16, 25, 20 }, { 18, 29, 23 } };

  for (size_t k = 0; k < n_coded; k++) {
    size_t first = (size_t) coded[k] * 16;
    unsigned q = qp[coded[k] / 24];

    for (unsigned i = 0; i < 16; i++) {
      unsigned odd_x = i & 1, odd_y = i >> 2 & 1;

      coeffs[first + i] = levels[first + i] * (v[q % 6][odd_x & odd_y ? 1 : odd_x | odd_y ? 2 : 0] * (1 << q / 6));
    }
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

static uint8_t
clip (int value)
{
  return (uint8_t) (value < 0 ? 0 : value > 255 ? 255 : value);
}

void
paper_c_csc (const uint8_t *picture, uint8_t *rgb, unsigned width, unsigned height)
{
  const uint8_t *cb = picture + (size_t) width * height, *cr = cb + (size_t) width * height / 4;

  for (unsigned y = 0; y < height; y++)
    for (unsigned x = 0; x < width; x++, rgb += 4) {
      size_t chroma = (size_t) (y / 2) * (width / 2) + x / 2;
      int c = 298 * (*picture++ - 16) + 128, d = cb[chroma] - 128, e = cr[chroma] - 128;

      rgb[0] = clip ((c + 409 * e) >> 8);
      rgb[1] = clip ((c - 100 * d - 208 * e) >> 8);
      rgb[2] = clip ((c + 516 * d) >> 8);
      rgb[3] = 255;
    }
}
