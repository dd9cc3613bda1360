/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How large the sums of the 2-D scan become on the way.
 */
#ifndef PAPER_D_PRECISION_H
#define PAPER_D_PRECISION_H

#include "edgescankernel.h"
#include "papers.h"

/* Bits of a magnitude's integer part, without the sign */
unsigned paper_d_bits (double magnitude);

/* The largest magnitude of the constants of all levels: of every sum that is made before the inputs of its block are known.  @scan: of a
 * picture of @width x @height samples, @restricted or not; @modes, @residual: as edges.h has them */
double paper_d_find_largest_constant (Papers *papers, GpuEdgeScan *scan, int restricted, const uint8_t *modes, const int16_t *residual,
    unsigned width, unsigned height);

/* Table d-precision: of the captured pictures, whose luma has to be Intra_4x4 without the modes that need samples above right */
void paper_d_precision_run (Papers *papers);

#endif
