/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Colour conversion in double precision: what gpucsc means, sample by sample.
 *
 * An output component at a position of its grid is the affine map of the input components at that position.  An input component at a
 * position between its samples is interpolated linearly, down the column and along the row, with coordinates clamped at the edges; Cb and
 * Cr lie at the chroma site.  Between the two nothing is clipped; the result is rounded to nearest and clipped to the range of the depth.
 */
#ifndef GPU_REFERENCE_CSC_H
#define GPU_REFERENCE_CSC_H

#include "gpucscformat.h"

/* The value of component @k (3: alpha) of @out at (@x, @y) of its grid, clipped but not rounded. */
double gpu_reference_csc_value (const GpuCscFormat *in, const uint8_t *const in_planes[GPU_CSC_PLANES], const GpuCscFormat *out, unsigned k,
    uint32_t x, uint32_t y);

/* Component @k of word (@x, @y) of its plane. */
uint32_t gpu_reference_csc_read (const GpuCscFormat *format, const uint8_t *const planes[GPU_CSC_PLANES], unsigned k, uint32_t x,
    uint32_t y);

/* Converts a whole picture.  Both formats have the same width and height; offsets of the formats count from the plane pointers. */
void gpu_reference_csc (const GpuCscFormat *in, const uint8_t *const in_planes[GPU_CSC_PLANES], const GpuCscFormat *out,
    uint8_t *const out_planes[GPU_CSC_PLANES]);

#endif
