/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Tables of the CABAC parsing process (ITU-T H.264, 9.3), as the standard prints them.
 */
#pragma once

#include <stdint.h>

extern const int8_t h264_cabac_context_init[4][1024][2];
extern const uint8_t h264_cabac_range_lps[64][4];
extern const uint8_t h264_cabac_trans_idx_lps[64];
extern const uint8_t h264_cabac_significant_8x8[2][63];
extern const uint8_t h264_cabac_last_8x8[63];
