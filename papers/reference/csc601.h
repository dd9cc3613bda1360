/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * BT.601 on one core, in integers, as somebody would write it who wants it fast: what colour conversion on a device is compared with.
 */
#ifndef CSC_601_H
#define CSC_601_H

#include <stddef.h>
#include <stdint.h>

/* Y, Cb, Cr of 4:2:0, 8 bits, limited range; strides in bytes */
typedef struct
{
  const uint8_t *planes[3];
  size_t strides[3];
  unsigned width, height;
} Csc601Picture;

/* @rgba: R, G, B and 255 a pixel, @stride bytes a row, both multiples of 4 */
void csc_601_to_rgba (const Csc601Picture *picture, uint8_t *rgba, size_t stride);

#endif
