/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random pictures of 4x4 blocks for the 2-D scan of intra edges and the wavefronts that it is measured against.
 */
#ifndef EDGE_PICTURE_H
#define EDGE_PICTURE_H

#include "kerneltest.h"

/* The paper's cases */
typedef enum
{
  EDGE_PICTURE_ALL_DC,
  EDGE_PICTURE_TYPICAL,    /* 25 % DC, the rest of the modes that need nothing above right in equal parts */
  EDGE_PICTURE_RESTRICTED, /* vertical and horizontal; DC in the first block, which has no neighbours */
} EdgePictureKind;

#define EDGE_PICTURE_N_KINDS 3
extern const char *const edge_picture_kinds[EDGE_PICTURE_N_KINDS];

/* Fills @modes ([height / 4][width / 4]) with modes whose neighbours are there, and @residual ([height][width]) with values of -@amplitude
 * to @amplitude in half of the blocks. */
void edge_picture_make (KernelTest *test, EdgePictureKind kind, unsigned width, unsigned height, int amplitude, uint8_t *modes,
    int16_t *residual);

/* The largest error of a sample that the scan in single precision may have, for samples of at most @largest: each join of blocks of side s
 * is a sum of
 * at most 2 s + 1 products with weights that are positive and have a sum of at most 1, of rows that are three joins of the level below; the
 * largest blocks follow each other along the wavefront. */
double edge_picture_bound (unsigned width, unsigned height, unsigned n_levels, double largest);

#endif
