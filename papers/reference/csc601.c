/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "csc601.h"

/* clang 14 gives such a function a name (.ifunc) that callers in other files do not know */
#if defined(__x86_64__) && !defined(__clang__)
#define CLONES __attribute__ ((target_clones ("avx2", "default")))
#else
#define CLONES
#endif

/* Where R, G, B and A are in a word */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SHIFT(k) (8 * (k))
#else
#define SHIFT(k) (24 - 8 * (k))
#endif

static inline uint32_t
clip (int value)
{
  return (uint32_t) (value < 0 ? 0 : value > 255 ? 255 : value);
}

static inline uint32_t
pixel (int luma, int red, int green, int blue)
{
  int c = 298 * (luma - 16) + 128;

  return clip ((c + red) >> 8) << SHIFT (0) | clip ((c + green) >> 8) << SHIFT (1) | clip ((c + blue) >> 8) << SHIFT (2)
      | 255u << SHIFT (3);
}

/* Two pixels have the same chroma. */
CLONES static void
convert_row (const uint8_t *restrict luma, const uint8_t *restrict cb, const uint8_t *restrict cr, uint32_t *restrict rgba, unsigned width)
{
  for (unsigned x = 0; x < width / 2; x++) {
    int d = cb[x] - 128, e = cr[x] - 128, red = 409 * e, green = -100 * d - 208 * e, blue = 516 * d;

    rgba[2 * x] = pixel (luma[2 * x], red, green, blue);
    rgba[2 * x + 1] = pixel (luma[2 * x + 1], red, green, blue);
  }
  if (width % 2) {
    int d = cb[width / 2] - 128, e = cr[width / 2] - 128;

    rgba[width - 1] = pixel (luma[width - 1], 409 * e, -100 * d - 208 * e, 516 * d);
  }
}

void
csc_601_to_rgba (const Csc601Picture *picture, uint8_t *rgba, size_t stride)
{
  for (unsigned y = 0; y < picture->height; y++)
    convert_row (picture->planes[0] + y * picture->strides[0], picture->planes[1] + y / 2 * picture->strides[1],
        picture->planes[2] + y / 2 * picture->strides[2], (uint32_t *) (rgba + y * stride), picture->width);
}
