/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef H264_CAVLC_TABLES_H
#define H264_CAVLC_TABLES_H

#include <stdint.h>

/* coeff_token: length 0 marks bit patterns that are no code */
typedef struct
{
  uint8_t length, total_coeff, trailing_ones;
} H264CoeffTokenEntry;

/* Columns of Table 9-5; column 8 <= nC has a code of fixed length and no table */
#define H264_TOKEN_CHROMA_DC_2x2 3
#define H264_TOKEN_CHROMA_DC_2x4 4
#define H264_N_TOKEN_TABLES 5

extern H264CoeffTokenEntry h264_coeff_token[H264_N_TOKEN_TABLES][16 * 8];

/* [tzVlcIndex][next bits], [zerosLeft][next bits]: length << 4 | value; 0 marks what is no code, and for zerosLeft above 6 a run_before above 6, which is
 * leading zeros and a one */
extern uint8_t h264_total_zeros_4x4[16][512];
extern uint8_t h264_total_zeros_2x2[4][8];
extern uint8_t h264_total_zeros_2x4[8][32];
extern uint8_t h264_run_before[16][8];

/* Makes the tables; call once before any thread decodes. */
void h264_cavlc_tables_init (void);

#endif
