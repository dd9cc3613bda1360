/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Predictions along lines in plain C, element by element: the oracle of the 1-D scans.
 */
#ifndef REFERENCE_SCAN_H
#define REFERENCE_SCAN_H

#include <stddef.h>
#include <stdint.h>

/* x[i] = c[i] + v[i] x[i - 1], x[-1] = 0; wraps in 32 bits.  @pairs: v, c by turns; c becomes x */
void gpu_reference_scan (int32_t *pairs, size_t n);

/* QPY of @n macroblocks (ITU-T H.264, 7.4.5, (7-37)).  @slice_qp: SliceQPY where a slice begins, elsewhere @no_slice */
void gpu_reference_qp (const int8_t *deltas, const int16_t *slice_qp, int no_slice, size_t n, int qp_bd_offset, int8_t *qp);

/* JPEG XR (ITU-T T.832), one component, one quantiser.  Coefficient 4 * u + v of a block has vertical frequency u, horizontal frequency v.
 * Tiles of @tile_width x @tile_height macroblocks. */

/* Forward transform of a 4x4 block in place, without overlap filter: exactly invertible */
void gpu_reference_jpegxr_forward (int32_t block[16]);
void gpu_reference_jpegxr_inverse (int32_t block[16]);

/* Both transforms of the macroblocks of a picture of @width x @height macroblocks.  @samples: rows of width * 16.
 * @coeffs: [16] a macroblock (DC and LP), @hp: [16][16] a macroblock (blocks in raster order) */
void gpu_reference_jpegxr_transform (const uint8_t *samples, unsigned width, unsigned height, int32_t *coeffs, int32_t *hp);

/* What an encoder does to coefficients: each becomes the difference from its prediction. */
void gpu_reference_jpegxr_residual (int32_t *coeffs, int32_t *hp, unsigned width, unsigned height, unsigned tile_width,
    unsigned tile_height);

/* What a decoder does: the reverse, macroblock after macroblock in raster order */
void gpu_reference_jpegxr_predict (int32_t *coeffs, int32_t *hp, unsigned width, unsigned height, unsigned tile_width,
    unsigned tile_height);

#endif
