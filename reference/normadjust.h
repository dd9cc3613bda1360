/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * normAdjust4x4 and normAdjust8x8 (ITU-T H.264, 8.5.9): @m is qP % 6, @i and @j the place of a level, in either order.
 */
#pragma once

#include <stdint.h>

static inline unsigned
norm_adjust_4x4 (unsigned m, unsigned i, unsigned j)
{
  /* i and j even, i and j odd, else */
  static const uint8_t v[6][3] = {
    { 10, 16, 13 },
    { 11, 18, 14 },
    { 13, 20, 16 },
    { 14, 23, 18 },
    { 16, 25, 20 },
    { 18, 29, 23 },
  };

  return v[m][i % 2 != j % 2 ? 2 : i % 2];
}

static inline unsigned
norm_adjust_8x8_column (unsigned i, unsigned j)
{
  if (i % 2 == 1 && j % 2 == 1)
    return 1;
  if (i % 2 == 1 || j % 2 == 1)
    return i % 4 == 0 || j % 4 == 0 ? 3 : 5;
  if (i % 4 == 0 && j % 4 == 0)
    return 0;
  return i % 4 == 2 && j % 4 == 2 ? 2 : 4;
}

static inline unsigned
norm_adjust_8x8 (unsigned m, unsigned i, unsigned j)
{
  static const uint8_t v[6][6] = {
    { 20, 18, 32, 19, 25, 24 },
    { 22, 19, 35, 21, 28, 26 },
    { 26, 23, 42, 24, 33, 31 },
    { 28, 25, 45, 26, 35, 33 },
    { 32, 28, 51, 30, 40, 38 },
    { 36, 32, 58, 34, 46, 43 },
  };

  return v[m][norm_adjust_8x8_column (i, j)];
}
