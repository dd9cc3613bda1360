/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "scan.h"

/* Index in a block, as the lifting steps leave it, of the coefficient with number 4 * u + v: found by comparing each basis function with
 * those of the discrete cosine transform */
static const uint8_t place[16] = { 0, 8, 4, 13, 2, 15, 3, 14, 1, 12, 5, 9, 7, 11, 6, 10 };

/* The four samples (or values) of a lifting step, by index */
typedef struct
{
  uint8_t a, b, c, d;
} Four;

static const Four outer[4] = { { 0, 3, 12, 15 }, { 5, 6, 9, 10 }, { 1, 2, 13, 14 }, { 4, 7, 8, 11 } };
static const Four even = { 0, 1, 4, 5 }, odd_right = { 2, 3, 6, 7 }, odd_below = { 8, 12, 9, 13 }, odd_odd = { 10, 11, 14, 15 };

/* 2x2 Hadamard transform by lifting; its own inverse */
static void
hadamard (int32_t *p, Four f, int rounding)
{
  int32_t a = p[f.a] + p[f.d], b = p[f.b] - p[f.c], half = (a - b + rounding) >> 1, c = half - p[f.d], d = half - p[f.c];

  p[f.a] = a - d;
  p[f.b] = b + c;
  p[f.c] = c;
  p[f.d] = d;
}

/* Rotation by pi/8 */
static void
rotate (int32_t *a, int32_t *b)
{
  *b -= (*a * 3 + 4) >> 3;
  *a += (*b * 3 + 4) >> 3;
}

static void
rotate_back (int32_t *a, int32_t *b)
{
  *a -= (*b * 3 + 4) >> 3;
  *b += (*a * 3 + 4) >> 3;
}

static void
forward_odd (int32_t *p, Four f)
{
  p[f.b] -= p[f.c];
  p[f.a] += p[f.d];
  p[f.c] += (p[f.b] + 1) >> 1;
  p[f.d] = ((p[f.a] + 1) >> 1) - p[f.d];
  rotate (&p[f.a], &p[f.b]);
  rotate (&p[f.c], &p[f.d]);
  p[f.d] += p[f.b] >> 1;
  p[f.c] -= (p[f.a] + 1) >> 1;
  p[f.b] -= p[f.d];
  p[f.a] += p[f.c];
}

static void
inverse_odd (int32_t *p, Four f)
{
  p[f.a] -= p[f.c];
  p[f.b] += p[f.d];
  p[f.c] += (p[f.a] + 1) >> 1;
  p[f.d] -= p[f.b] >> 1;
  rotate_back (&p[f.c], &p[f.d]);
  rotate_back (&p[f.a], &p[f.b]);
  p[f.d] = ((p[f.a] + 1) >> 1) - p[f.d];
  p[f.c] -= (p[f.b] + 1) >> 1;
  p[f.a] -= p[f.d];
  p[f.b] += p[f.c];
}

static void
forward_odd_odd (int32_t *p, Four f)
{
  int32_t half_d, half_c;

  p[f.b] = -p[f.b];
  p[f.c] = -p[f.c];
  p[f.d] += p[f.a];
  p[f.c] -= p[f.b];
  half_d = p[f.d] >> 1;
  half_c = p[f.c] >> 1;
  p[f.a] -= half_d;
  p[f.b] += half_c;
  p[f.a] += (p[f.b] * 3 + 4) >> 3;
  p[f.b] -= (p[f.a] * 3 + 2) >> 2;
  p[f.a] += (p[f.b] * 3 + 6) >> 3;
  p[f.b] -= half_c;
  p[f.a] += half_d;
  p[f.c] += p[f.b];
  p[f.d] -= p[f.a];
}

static void
inverse_odd_odd (int32_t *p, Four f)
{
  int32_t half_d, half_c;

  p[f.d] += p[f.a];
  p[f.c] -= p[f.b];
  half_d = p[f.d] >> 1;
  half_c = p[f.c] >> 1;
  p[f.a] -= half_d;
  p[f.b] += half_c;
  p[f.a] -= (p[f.b] * 3 + 6) >> 3;
  p[f.b] += (p[f.a] * 3 + 2) >> 2;
  p[f.a] -= (p[f.b] * 3 + 4) >> 3;
  p[f.b] -= half_c;
  p[f.a] += half_d;
  p[f.c] += p[f.b];
  p[f.d] -= p[f.a];
  p[f.b] = -p[f.b];
  p[f.c] = -p[f.c];
}

void
gpu_reference_jpegxr_forward (int32_t block[16])
{
  int32_t p[16];

  for (unsigned i = 0; i < 16; i++)
    p[i] = block[i];
  for (unsigned i = 0; i < 4; i++)
    hadamard (p, outer[i], 0);
  hadamard (p, even, 1);
  forward_odd (p, odd_right);
  forward_odd (p, odd_below);
  forward_odd_odd (p, odd_odd);
  for (unsigned i = 0; i < 16; i++)
    block[i] = p[place[i]];
}

void
gpu_reference_jpegxr_inverse (int32_t block[16])
{
  int32_t p[16];

  for (unsigned i = 0; i < 16; i++)
    p[place[i]] = block[i];
  hadamard (p, even, 1);
  inverse_odd (p, odd_right);
  inverse_odd (p, odd_below);
  inverse_odd_odd (p, odd_odd);
  for (unsigned i = 0; i < 4; i++)
    hadamard (p, outer[i], 0);
  for (unsigned i = 0; i < 16; i++)
    block[i] = p[i];
}

void
gpu_reference_jpegxr_transform (const uint8_t *samples, unsigned width, unsigned height, int32_t *coeffs, int32_t *hp)
{
  for (size_t mb = 0; mb < (size_t) width * height; mb++, coeffs += 16, hp += 256) {
    const uint8_t *first = samples + mb / width * 16 * width * 16 + mb % width * 16;

    for (unsigned blk = 0; blk < 16; blk++) {
      for (unsigned i = 0; i < 16; i++)
        hp[blk * 16 + i] = first[(size_t) (blk / 4 * 4 + i / 4) * width * 16 + blk % 4 * 4 + i % 4] - 128;
      gpu_reference_jpegxr_forward (hp + blk * 16);
      coeffs[blk] = hp[blk * 16];
    }
    gpu_reference_jpegxr_forward (coeffs);
  }
}

enum
{
  FROM_LEFT,
  FROM_TOP,
  MEAN,
  NONE
};

static int
direction (int left_differs, int top_differs)
{
  if (left_differs * 4 < top_differs)
    return FROM_TOP;
  return top_differs * 4 < left_differs ? FROM_LEFT : MEAN;
}

/* Prediction mode of DC and LP, from the DC values around */
static int
dc_mode (const int32_t *dc, size_t x, size_t y, unsigned width, unsigned tile_width, unsigned tile_height)
{
  const int32_t *above = dc - (size_t) width * 16;

  if (x % tile_width == 0)
    return y % tile_height == 0 ? NONE : FROM_TOP;
  if (y % tile_height == 0)
    return FROM_LEFT;
  return direction (abs (above[-16] - dc[-16]), abs (above[-16] - above[0]));
}

/* Adds (@sign 1) or subtracts (-1) the predictions of a macroblock's DC and LP coefficients. */
static void
predict_dc_lp (int32_t *mb, int mode, unsigned width, int sign)
{
  const int32_t *left = mb - 16, *above = mb - (size_t) width * 16;

  if (mode == MEAN)
    mb[0] += sign * ((left[0] + above[0]) >> 1);
  if (mode == FROM_LEFT)
    for (unsigned k = 0; k < 16; k += 4)
      mb[k] += sign * left[k];
  if (mode == FROM_TOP)
    for (unsigned k = 0; k < 4; k++)
      mb[k] += sign * above[k];
}

static void
predict_hp (int32_t *hp, const int32_t *lp, int sign)
{
  int mode = direction (abs (lp[4]) + abs (lp[8]) + abs (lp[12]), abs (lp[1]) + abs (lp[2]) + abs (lp[3]));

  for (unsigned n = 0; n < 16; n++) {
    /* a difference is taken from values that are still whole: from the last block on */
    unsigned blk = sign > 0 ? n : 15 - n;

    for (unsigned k = 1; k < 4; k++) {
      if (mode == FROM_LEFT && blk % 4 != 0)
        hp[blk * 16 + 4 * k] += sign * hp[(blk - 1) * 16 + 4 * k];
      if (mode == FROM_TOP && blk >= 4)
        hp[blk * 16 + k] += sign * hp[(blk - 4) * 16 + k];
    }
  }
}

void
gpu_reference_jpegxr_residual (int32_t *coeffs, int32_t *hp, unsigned width, unsigned height, unsigned tile_width, unsigned tile_height)
{
  for (size_t mb = (size_t) width * height; mb-- > 0;) {
    predict_hp (hp + mb * 256, coeffs + mb * 16, -1);
    predict_dc_lp (coeffs + mb * 16, dc_mode (coeffs + mb * 16, mb % width, mb / width, width, tile_width, tile_height), width, -1);
  }
}

void
gpu_reference_jpegxr_predict (int32_t *coeffs, int32_t *hp, unsigned width, unsigned height, unsigned tile_width, unsigned tile_height)
{
  for (size_t mb = 0; mb < (size_t) width * height; mb++) {
    predict_dc_lp (coeffs + mb * 16, dc_mode (coeffs + mb * 16, mb % width, mb / width, width, tile_width, tile_height), width, 1);
    predict_hp (hp + mb * 256, coeffs + mb * 16, 1);
  }
}
