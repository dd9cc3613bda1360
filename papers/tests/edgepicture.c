/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <float.h>

#include "edgepicture.h"

const char *const edge_picture_kinds[EDGE_PICTURE_N_KINDS] = { "all DC", "25 % DC", "restricted" };

static uint8_t
choose_mode (KernelTest *test, EdgePictureKind kind, unsigned x, unsigned y)
{
  static const uint8_t inside[6] = { 0, 1, 4, 5, 6, 8 }, first_row[2] = { 1, 8 };

  if ((x == 0 && y == 0) || kind == EDGE_PICTURE_ALL_DC)
    return 2;
  if (kind == EDGE_PICTURE_RESTRICTED)
    return x == 0 ? 0 : y == 0 ? 1 : kernel_test_random (test) & 1;
  if (kernel_test_random (test) % 4 == 0)
    return 2;
  return x == 0 ? 0 : y == 0 ? first_row[kernel_test_random (test) % 2] : inside[kernel_test_random (test) % 6];
}

void
edge_picture_make (KernelTest *test, EdgePictureKind kind, unsigned width, unsigned height, int amplitude, uint8_t *modes,
    int16_t *residual)
{
  for (unsigned y = 0; y < height / 4; y++)
    for (unsigned x = 0; x < width / 4; x++) {
      int coded = kernel_test_random (test) & 1;

      *modes++ = choose_mode (test, kind, x, y);
      for (unsigned i = 0; i < 16; i++)
        residual[(size_t) (y * 4 + i / 4) * width + x * 4 + i % 4] =
            (int16_t) (coded ? kernel_test_range (test, -amplitude, amplitude) : 0);
    }
}

double
edge_picture_bound (unsigned width, unsigned height, unsigned n_levels, double largest)
{
  double error = FLT_EPSILON * 2 * largest;
  unsigned side = 4;

  for (unsigned l = 0; l < n_levels; l++, side *= 2)
    error = 3 * error + 2 * (2 * side + 1) * FLT_EPSILON * 3 * largest;
  error += (2 * side + 1) * FLT_EPSILON * 3 * largest;
  return error * ((width + side - 1) / side + (height + side - 1) / side + n_levels + 1);
}
