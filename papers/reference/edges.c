/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdlib.h>

#include "edges.h"

/* A block within a picture: at (x, y) relative to the block stands the sample that the standard calls p[x, y] */
typedef struct
{
  const double *block;
  unsigned width;
} Neighbours;

static double
p (const Neighbours *n, int x, int y)
{
  return n->block[(long) y * (long) n->width + x];
}

static double
dc (const Neighbours *n, int has_left, int has_top)
{
  double left = 0, top = 0;

  for (int i = 0; i < 4; i++) {
    left += has_left ? p (n, -1, i) : 0;
    top += has_top ? p (n, i, -1) : 0;
  }
  if (has_left && has_top)
    return (left + top) / 8;
  return has_left ? left / 4 : has_top ? top / 4 : 128;
}

/* 8.3.1.2.5 */
static double
diagonal_down_right (const Neighbours *n, int x, int y)
{
  if (x > y)
    return (p (n, x - y - 2, -1) + 2 * p (n, x - y - 1, -1) + p (n, x - y, -1)) / 4;
  if (x < y)
    return (p (n, -1, y - x - 2) + 2 * p (n, -1, y - x - 1) + p (n, -1, y - x)) / 4;
  return (p (n, 0, -1) + 2 * p (n, -1, -1) + p (n, -1, 0)) / 4;
}

/* 8.3.1.2.6 */
static double
vertical_right (const Neighbours *n, int x, int y)
{
  int z = 2 * x - y;

  if (z >= 0 && z % 2 == 0)
    return (p (n, x - (y >> 1) - 1, -1) + p (n, x - (y >> 1), -1)) / 2;
  if (z > 0)
    return (p (n, x - (y >> 1) - 2, -1) + 2 * p (n, x - (y >> 1) - 1, -1) + p (n, x - (y >> 1), -1)) / 4;
  if (z == -1)
    return (p (n, -1, 0) + 2 * p (n, -1, -1) + p (n, 0, -1)) / 4;
  return (p (n, -1, y - 1) + 2 * p (n, -1, y - 2) + p (n, -1, y - 3)) / 4;
}

/* 8.3.1.2.7 */
static double
horizontal_down (const Neighbours *n, int x, int y)
{
  int z = 2 * y - x;

  if (z >= 0 && z % 2 == 0)
    return (p (n, -1, y - (x >> 1) - 1) + p (n, -1, y - (x >> 1))) / 2;
  if (z > 0)
    return (p (n, -1, y - (x >> 1) - 2) + 2 * p (n, -1, y - (x >> 1) - 1) + p (n, -1, y - (x >> 1))) / 4;
  if (z == -1)
    return (p (n, -1, 0) + 2 * p (n, -1, -1) + p (n, 0, -1)) / 4;
  return (p (n, x - 1, -1) + 2 * p (n, x - 2, -1) + p (n, x - 3, -1)) / 4;
}

/* 8.3.1.2.9 */
static double
horizontal_up (const Neighbours *n, int x, int y)
{
  int z = x + 2 * y, row = y + (x >> 1);

  if (z > 5)
    return p (n, -1, 3);
  if (z == 5)
    return (p (n, -1, 2) + 3 * p (n, -1, 3)) / 4;
  if (z % 2 == 0)
    return (p (n, -1, row) + p (n, -1, row + 1)) / 2;
  return (p (n, -1, row) + 2 * p (n, -1, row + 1) + p (n, -1, row + 2)) / 4;
}

static double
predict_sample (const Neighbours *n, unsigned mode, int x, int y)
{
  switch (mode) {
    case 0:
      return p (n, x, -1);
    case 1:
      return p (n, -1, y);
    case 4:
      return diagonal_down_right (n, x, y);
    case 5:
      return vertical_right (n, x, y);
    case 6:
      return horizontal_down (n, x, y);
    default:
      return horizontal_up (n, x, y);
  }
}

void
gpu_reference_edges_predict (const double *picture, unsigned width, unsigned x0, unsigned y0, unsigned mode, double prediction[16])
{
  Neighbours n = { picture + (size_t) y0 * width + x0, width };
  double mean = mode == 2 ? dc (&n, x0 > 0, y0 > 0) : 0;

  for (int i = 0; i < 16; i++)
    prediction[i] = mode == 2 ? mean : predict_sample (&n, mode, i % 4, i / 4);
}

static double
clip (double value)
{
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

static void
rebuild (const uint8_t *modes, const int16_t *residual, unsigned width, unsigned height, int conformant, double *picture)
{
  for (unsigned y0 = 0; y0 < height; y0 += 4)
    for (unsigned x0 = 0; x0 < width; x0 += 4) {
      double prediction[16];

      gpu_reference_edges_predict (picture, width, x0, y0, *modes++, prediction);
      for (unsigned i = 0; i < 16; i++) {
        size_t at = (size_t) (y0 + i / 4) * width + x0 + i % 4;

        picture[at] = conformant ? clip (floor (prediction[i] + 0.5) + residual[at]) : prediction[i] + residual[at];
      }
    }
}

void
gpu_reference_edges_unclipped (const uint8_t *modes, const int16_t *residual, unsigned width, unsigned height, double *picture)
{
  rebuild (modes, residual, width, height, 0, picture);
}

void
gpu_reference_edges (const uint8_t *modes, const int16_t *residual, unsigned width, unsigned height, uint8_t *picture)
{
  size_t n = (size_t) width * height;
  double *samples = malloc (n * sizeof (*samples));

  if (!samples)
    abort ();
  rebuild (modes, residual, width, height, 1, samples);
  for (size_t i = 0; i < n; i++)
    picture[i] = (uint8_t) samples[i];
  free (samples);
}
