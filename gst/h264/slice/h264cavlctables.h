/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Code tables of the CAVLC parsing process (ITU-T H.264, 9.2), and the look-up tables made of them.
 */
#ifndef H264_CAVLC_TABLES_H
#define H264_CAVLC_TABLES_H

#include <stdint.h>

/* What is known before a level is read (9.2.2): that it is the first one behind the trailing ones, or suffixLength, from 1 to 6 */
enum
{
  H264_LEVEL_FIRST_NOT_ONE, /* suffixLength is 0; behind fewer than three trailing ones no magnitude is 1 */
  H264_LEVEL_FIRST,         /* suffixLength is 0, behind three trailing ones */
  H264_LEVEL_FIRST_OF_MANY, /* suffixLength is 1, since there are more than ten levels; behind fewer than three trailing ones */
};
#define H264_LEVEL_STATE(suffixLength) ((suffixLength) + 2)

static inline unsigned
h264_level_suffix_length (unsigned state)
{
  return state > H264_LEVEL_FIRST_OF_MANY ? state - 2 : state == H264_LEVEL_FIRST_OF_MANY;
}

/* The least magnitude of a level that is read in @state */
static inline unsigned
h264_level_least (unsigned state)
{
  return state == H264_LEVEL_FIRST_NOT_ONE || state == H264_LEVEL_FIRST_OF_MANY ? 2 : 1;
}

/* The state behind a level of @magnitude that was read in @state */
static inline unsigned
h264_level_next_state (unsigned state, unsigned magnitude)
{
  const unsigned suffixLength = h264_level_suffix_length (state) > 0 ? h264_level_suffix_length (state) : 1;

  return H264_LEVEL_STATE (suffixLength + (magnitude > 3u << (suffixLength - 1) && suffixLength < 6));
}

/* coeff_token, and the state that the first level behind the trailing ones is read in: length 0 marks bit patterns that are no code */
typedef struct
{
  uint8_t length, total_coeff, trailing_ones, level_state;
} H264CoeffTokenEntry;

/* Columns of Table 9-5, from 0 <= nC < 2 on */
#define H264_TOKEN_CHROMA_DC_2x2 3
#define H264_TOKEN_CHROMA_DC_2x4 4
#define H264_TOKEN_FROM_8 5
#define H264_N_TOKEN_TABLES 6

/* By nA + nB, where 64 marks a neighbour that is not available (9.2.1): the column */
extern uint8_t h264_token_column[2 * 64 + 1];

/* [column][leading zeros of the window, at most 15][the three bits behind the first one]; in column 8 <= nC, whose codes have a fixed
 * length, the first six bits. */
extern H264CoeffTokenEntry h264_coeff_token[H264_N_TOKEN_TABLES][16 * 8];

/* The entry of the code that begins the window @bits */
static inline H264CoeffTokenEntry
h264_coeff_token_at (unsigned column, uint64_t bits)
{
  const unsigned zeros = (unsigned) __builtin_clzll (bits | (uint64_t) 1 << 48);

  return h264_coeff_token[column][column == H264_TOKEN_FROM_8 ? bits >> 58 : zeros * 8 + (bits << zeros << 1 >> 61)];
}

/* [column][next bits]: most codes in one look-up; length 0 where the code is longer, or there is none */
#define H264_TOKEN_BITS 8
extern H264CoeffTokenEntry h264_short_coeff_token[H264_N_TOKEN_TABLES][1 << H264_TOKEN_BITS];

/* The levels of up to three trailing ones, by their signs; the first one is the last */
extern const int16_t h264_trailing_ones[8][4];

/**
 * H264Levels:
 * @levels: the one that is read last comes first; the last of them is the first one in the bitstream
 * @lengths: four bits each: of the first level, of two, ...
 * @n: levels that the bits are enough for
 * @next_state: state of the level behind all of them; with H264_LEVEL_ALONE where that is best read by itself
 *
 * Several levels at a time.
 */
#define H264_LEVEL_ALONE 0x10
#define H264_MAX_LEVELS 4
typedef struct
{
  int8_t levels[H264_MAX_LEVELS];
  uint16_t lengths;
  uint8_t n;
  uint8_t next_state;
} H264Levels;

/* Bits of the first @n levels, none where @n is 0 */
static inline unsigned
h264_levels_length (const H264Levels *levels, unsigned n)
{
  return (uint32_t) levels->lengths >> ((4 * n - 4) & 31) & 15;
}

/* [state][next bits]; none where the first level has a longer code, or does not fit into a byte.  With larger suffixLength than 2 there
 * would be one at a time. */
#define H264_N_LEVEL_TABLES (H264_LEVEL_STATE (2) + 1)
#define H264_LEVELS_BITS 9
extern H264Levels h264_levels[H264_N_LEVEL_TABLES][1 << H264_LEVELS_BITS];

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

/* total_zeros and as many run_before as the bits are enough for, [total_coeff][next bits].  An entry has in bits 0 to 3 their length, 4
 * to 7 the runs and 8 to 11 the zeros that are left (none where either is 0), and from bit 16 on the places of the levels.  The highest
 * total_coeff of a table is that of a block without zeros. */
#define H264_PLACES_BITS 10
#define H264_PLACES_LENGTH(places) ((places) % 16)
#define H264_PLACES_RUNS(places) ((places) >> 4 & 15)
#define H264_PLACES_ZEROS(places) ((places) >> 8 & 15)
#define H264_PLACES_UNFINISHED(places) (((places) &0xfff0) != 0)
#define H264_PLACES_MASK(places) ((places) >> 16)
/* in place of an entry: there is no such code of total_zeros */
#define H264_NO_PLACES 0x1000
extern uint32_t h264_places_4x4[17][1 << H264_PLACES_BITS];
extern uint32_t h264_places_2x2[5][1 << H264_PLACES_BITS];
extern uint32_t h264_places_2x4[9][1 << H264_PLACES_BITS];

/* Makes the tables; call once before any thread decodes. */
void h264_cavlc_tables_init (void);

#endif
