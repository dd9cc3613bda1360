/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inverse scans (ITU-T H.264, 8.5.6, 8.5.7, Tables 8-2, 8-12, 8-13).
 *
 * [0] is the zig-zag scan of frame macroblocks, [1] the field scan.  `transposed` gives x * n + y, the order of levels in the coefficient
 * arena; `raster` gives y * n + x, the order of residuals, for lossless blocks.
 */
#pragma once

#include <stdint.h>

extern const uint8_t h264_scan_4x4_transposed[2][16];
extern const uint8_t h264_scan_4x4_raster[2][16];
extern const uint8_t h264_scan_8x8_transposed[2][64];
extern const uint8_t h264_scan_8x8_raster[2][64];
/* The four interleaved 4x4 lists of an 8x8 block in CAVLC (7.3.5.3.2): [field][i * 16 + k] = scan[4 * k + i] */
extern const uint8_t h264_scan_8x8_cavlc_transposed[2][64];
extern const uint8_t h264_scan_8x8_cavlc_raster[2][64];
/* ChromaDCLevel of 4:2:2: c[row * 2 + column] (8.5.11.1) */
extern const uint8_t h264_scan_chroma_dc_2x4[8];
extern const uint8_t h264_scan_chroma_dc_2x2[4];
