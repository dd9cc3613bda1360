/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Code tables of the CAVLC parsing process (ITU-T H.264, 9.2), and the look-up tables made of them.
 */
#ifndef H264_CAVLC_TABLES_H
#define H264_CAVLC_TABLES_H

#include <stdint.h>

/* coeff_token: length 0 marks bit patterns that are no code */
typedef struct
{
  uint8_t length, total_coeff, trailing_ones;
} H264CoeffTokenEntry;

/* Columns of Table 9-5.  Index of a look-up: leading zeros of the window, then the three bits behind the first one; in column 8 <= nC,
 * whose codes have a fixed length, the first six bits. */
#define H264_TOKEN_CHROMA_DC_2x2 3
#define H264_TOKEN_CHROMA_DC_2x4 4
#define H264_TOKEN_FROM_8 5
#define H264_N_TOKEN_TABLES 6

extern H264CoeffTokenEntry h264_coeff_token[H264_N_TOKEN_TABLES][16 * 8];

/**
 * H264TokenColumn:
 * @first: index into all of h264_coeff_token for prefix 0
 * @prefix_mask: of the leading zeros and their one
 * @shift: leaves the bits behind the prefix
 *
 * How a column is looked up, so that it needs no branch.
 */
typedef struct
{
  int16_t first;
  uint8_t prefix_mask;
  uint8_t shift;
} H264TokenColumn;

/* By nA + nB, where 64 marks a neighbour that is not available (9.2.1) */
extern H264TokenColumn h264_token_column[2 * 64 + 1];
extern const H264TokenColumn h264_token_column_2x2, h264_token_column_2x4;

/* [tzVlcIndex][next bits], [zerosLeft][next bits]: length << 4 | value; 0 marks what is no code, and for zerosLeft above 6 a run_before
 * above 6, which is leading zeros and a one */
extern uint8_t h264_total_zeros_4x4[16][512];
extern uint8_t h264_total_zeros_2x2[4][8];
extern uint8_t h264_total_zeros_2x4[8][32];
extern uint8_t h264_run_before[16][8];

/* Several run_before at a time: [zerosLeft][most that may be read - 1][next bits].  An entry says how many were read, their bits, their
 * zeros, and from bit 31 on where the levels behind them stand.  0 where the first one does not fit, or there is none. */
#define H264_MAX_RUNS 3
#define H264_RUNS_BITS 7
#define H264_RUNS_COUNT(runs) ((runs) % 16)
#define H264_RUNS_LENGTH(runs) ((runs) >> 4 & 15)
#define H264_RUNS_ZEROS(runs) ((runs) >> 8 & 15)
#define H264_RUNS_PATTERN(runs) ((runs) >> 16)
extern uint32_t h264_runs[16][H264_MAX_RUNS][1 << H264_RUNS_BITS];

/* Makes the tables; call once before any thread decodes. */
void h264_cavlc_tables_init (void);

#endif
