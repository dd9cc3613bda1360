/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Code tables of the CAVLC parsing process (ITU-T H.264, 9.2), as the standard prints them, and the look-up tables made of them.
 */
#include "h264cavlctables.h"
#include <stdlib.h>
#include <string.h>

typedef struct
{
  uint8_t total_coeff, trailing_ones;
  const char *code;
} CoeffToken;

typedef struct
{
  uint8_t index; /* tzVlcIndex or zerosLeft */
  uint8_t value; /* total_zeros or run_before */
  const char *code;
} IndexedCode;

/* clang-format off */
/* Table 9-5, a column each: 0 <= nC < 2, 2 <= nC < 4, 4 <= nC < 8, nC == -1, nC == -2.  (8 <= nC is a code of fixed length.) */
static const CoeffToken coeff_token_nc0[] = {
  {0, 0, "1"}, {1, 0, "000101"}, {1, 1, "01"}, {2, 0, "00000111"},
  {2, 1, "000100"}, {2, 2, "001"}, {3, 0, "000000111"}, {3, 1, "00000110"},
  {3, 2, "0000101"}, {3, 3, "00011"}, {4, 0, "0000000111"}, {4, 1, "000000110"},
  {4, 2, "00000101"}, {4, 3, "000011"}, {5, 0, "00000000111"}, {5, 1, "0000000110"},
  {5, 2, "000000101"}, {5, 3, "0000100"}, {6, 0, "0000000001111"}, {6, 1, "00000000110"},
  {6, 2, "0000000101"}, {6, 3, "00000100"}, {7, 0, "0000000001011"}, {7, 1, "0000000001110"},
  {7, 2, "00000000101"}, {7, 3, "000000100"}, {8, 0, "0000000001000"}, {8, 1, "0000000001010"},
  {8, 2, "0000000001101"}, {8, 3, "0000000100"}, {9, 0, "00000000001111"}, {9, 1, "00000000001110"},
  {9, 2, "0000000001001"}, {9, 3, "00000000100"}, {10, 0, "00000000001011"}, {10, 1, "00000000001010"},
  {10, 2, "00000000001101"}, {10, 3, "0000000001100"}, {11, 0, "000000000001111"}, {11, 1, "000000000001110"},
  {11, 2, "00000000001001"}, {11, 3, "00000000001100"}, {12, 0, "000000000001011"}, {12, 1, "000000000001010"},
  {12, 2, "000000000001101"}, {12, 3, "00000000001000"}, {13, 0, "0000000000001111"}, {13, 1, "000000000000001"},
  {13, 2, "000000000001001"}, {13, 3, "000000000001100"}, {14, 0, "0000000000001011"}, {14, 1, "0000000000001110"},
  {14, 2, "0000000000001101"}, {14, 3, "000000000001000"}, {15, 0, "0000000000000111"}, {15, 1, "0000000000001010"},
  {15, 2, "0000000000001001"}, {15, 3, "0000000000001100"}, {16, 0, "0000000000000100"}, {16, 1, "0000000000000110"},
  {16, 2, "0000000000000101"}, {16, 3, "0000000000001000"},
  {0, 0, NULL}
};

static const CoeffToken coeff_token_nc2[] = {
  {0, 0, "11"}, {1, 0, "001011"}, {1, 1, "10"}, {2, 0, "000111"},
  {2, 1, "00111"}, {2, 2, "011"}, {3, 0, "0000111"}, {3, 1, "001010"},
  {3, 2, "001001"}, {3, 3, "0101"}, {4, 0, "00000111"}, {4, 1, "000110"},
  {4, 2, "000101"}, {4, 3, "0100"}, {5, 0, "00000100"}, {5, 1, "0000110"},
  {5, 2, "0000101"}, {5, 3, "00110"}, {6, 0, "000000111"}, {6, 1, "00000110"},
  {6, 2, "00000101"}, {6, 3, "001000"}, {7, 0, "00000001111"}, {7, 1, "000000110"},
  {7, 2, "000000101"}, {7, 3, "000100"}, {8, 0, "00000001011"}, {8, 1, "00000001110"},
  {8, 2, "00000001101"}, {8, 3, "0000100"}, {9, 0, "000000001111"}, {9, 1, "00000001010"},
  {9, 2, "00000001001"}, {9, 3, "000000100"}, {10, 0, "000000001011"}, {10, 1, "000000001110"},
  {10, 2, "000000001101"}, {10, 3, "00000001100"}, {11, 0, "000000001000"}, {11, 1, "000000001010"},
  {11, 2, "000000001001"}, {11, 3, "00000001000"}, {12, 0, "0000000001111"}, {12, 1, "0000000001110"},
  {12, 2, "0000000001101"}, {12, 3, "000000001100"}, {13, 0, "0000000001011"}, {13, 1, "0000000001010"},
  {13, 2, "0000000001001"}, {13, 3, "0000000001100"}, {14, 0, "0000000000111"}, {14, 1, "00000000001011"},
  {14, 2, "0000000000110"}, {14, 3, "0000000001000"}, {15, 0, "00000000001001"}, {15, 1, "00000000001000"},
  {15, 2, "00000000001010"}, {15, 3, "0000000000001"}, {16, 0, "00000000000111"}, {16, 1, "00000000000110"},
  {16, 2, "00000000000101"}, {16, 3, "00000000000100"},
  {0, 0, NULL}
};

static const CoeffToken coeff_token_nc4[] = {
  {0, 0, "1111"}, {1, 0, "001111"}, {1, 1, "1110"}, {2, 0, "001011"},
  {2, 1, "01111"}, {2, 2, "1101"}, {3, 0, "001000"}, {3, 1, "01100"},
  {3, 2, "01110"}, {3, 3, "1100"}, {4, 0, "0001111"}, {4, 1, "01010"},
  {4, 2, "01011"}, {4, 3, "1011"}, {5, 0, "0001011"}, {5, 1, "01000"},
  {5, 2, "01001"}, {5, 3, "1010"}, {6, 0, "0001001"}, {6, 1, "001110"},
  {6, 2, "001101"}, {6, 3, "1001"}, {7, 0, "0001000"}, {7, 1, "001010"},
  {7, 2, "001001"}, {7, 3, "1000"}, {8, 0, "00001111"}, {8, 1, "0001110"},
  {8, 2, "0001101"}, {8, 3, "01101"}, {9, 0, "00001011"}, {9, 1, "00001110"},
  {9, 2, "0001010"}, {9, 3, "001100"}, {10, 0, "000001111"}, {10, 1, "00001010"},
  {10, 2, "00001101"}, {10, 3, "0001100"}, {11, 0, "000001011"}, {11, 1, "000001110"},
  {11, 2, "00001001"}, {11, 3, "00001100"}, {12, 0, "000001000"}, {12, 1, "000001010"},
  {12, 2, "000001101"}, {12, 3, "00001000"}, {13, 0, "0000001101"}, {13, 1, "000000111"},
  {13, 2, "000001001"}, {13, 3, "000001100"}, {14, 0, "0000001001"}, {14, 1, "0000001100"},
  {14, 2, "0000001011"}, {14, 3, "0000001010"}, {15, 0, "0000000101"}, {15, 1, "0000001000"},
  {15, 2, "0000000111"}, {15, 3, "0000000110"}, {16, 0, "0000000001"}, {16, 1, "0000000100"},
  {16, 2, "0000000011"}, {16, 3, "0000000010"},
  {0, 0, NULL}
};

static const CoeffToken coeff_token_chroma_dc_2x2[] = {
  {0, 0, "01"}, {1, 0, "000111"}, {1, 1, "1"}, {2, 0, "000100"},
  {2, 1, "000110"}, {2, 2, "001"}, {3, 0, "000011"}, {3, 1, "0000011"},
  {3, 2, "0000010"}, {3, 3, "000101"}, {4, 0, "000010"}, {4, 1, "00000011"},
  {4, 2, "00000010"}, {4, 3, "0000000"},
  {0, 0, NULL}
};

static const CoeffToken coeff_token_chroma_dc_2x4[] = {
  {0, 0, "1"}, {1, 0, "0001111"}, {1, 1, "01"}, {2, 0, "0001110"},
  {2, 1, "0001101"}, {2, 2, "001"}, {3, 0, "000000111"}, {3, 1, "0001100"},
  {3, 2, "0001011"}, {3, 3, "00001"}, {4, 0, "000000110"}, {4, 1, "000000101"},
  {4, 2, "0001010"}, {4, 3, "000001"}, {5, 0, "0000000111"}, {5, 1, "0000000110"},
  {5, 2, "000000100"}, {5, 3, "0001001"}, {6, 0, "00000000111"}, {6, 1, "00000000110"},
  {6, 2, "0000000101"}, {6, 3, "0001000"}, {7, 0, "000000000111"}, {7, 1, "000000000110"},
  {7, 2, "00000000101"}, {7, 3, "0000000100"}, {8, 0, "0000000000111"}, {8, 1, "000000000101"},
  {8, 2, "000000000100"}, {8, 3, "00000000100"},
  {0, 0, NULL}
};

/* Table 9-7 and 9-8 */
static const IndexedCode total_zeros_4x4[] = {
  {1, 0, "1"}, {1, 1, "011"}, {1, 2, "010"}, {1, 3, "0011"}, {1, 4, "0010"},
  {1, 5, "00011"}, {1, 6, "00010"}, {1, 7, "000011"}, {1, 8, "000010"}, {1, 9, "0000011"},
  {1, 10, "0000010"}, {1, 11, "00000011"}, {1, 12, "00000010"}, {1, 13, "000000011"}, {1, 14, "000000010"},
  {1, 15, "000000001"}, {2, 0, "111"}, {2, 1, "110"}, {2, 2, "101"}, {2, 3, "100"},
  {2, 4, "011"}, {2, 5, "0101"}, {2, 6, "0100"}, {2, 7, "0011"}, {2, 8, "0010"},
  {2, 9, "00011"}, {2, 10, "00010"}, {2, 11, "000011"}, {2, 12, "000010"}, {2, 13, "000001"},
  {2, 14, "000000"}, {3, 0, "0101"}, {3, 1, "111"}, {3, 2, "110"}, {3, 3, "101"},
  {3, 4, "0100"}, {3, 5, "0011"}, {3, 6, "100"}, {3, 7, "011"}, {3, 8, "0010"},
  {3, 9, "00011"}, {3, 10, "00010"}, {3, 11, "000001"}, {3, 12, "00001"}, {3, 13, "000000"},
  {4, 0, "00011"}, {4, 1, "111"}, {4, 2, "0101"}, {4, 3, "0100"}, {4, 4, "110"},
  {4, 5, "101"}, {4, 6, "100"}, {4, 7, "0011"}, {4, 8, "011"}, {4, 9, "0010"},
  {4, 10, "00010"}, {4, 11, "00001"}, {4, 12, "00000"}, {5, 0, "0101"}, {5, 1, "0100"},
  {5, 2, "0011"}, {5, 3, "111"}, {5, 4, "110"}, {5, 5, "101"}, {5, 6, "100"},
  {5, 7, "011"}, {5, 8, "0010"}, {5, 9, "00001"}, {5, 10, "0001"}, {5, 11, "00000"},
  {6, 0, "000001"}, {6, 1, "00001"}, {6, 2, "111"}, {6, 3, "110"}, {6, 4, "101"},
  {6, 5, "100"}, {6, 6, "011"}, {6, 7, "010"}, {6, 8, "0001"}, {6, 9, "001"},
  {6, 10, "000000"}, {7, 0, "000001"}, {7, 1, "00001"}, {7, 2, "101"}, {7, 3, "100"},
  {7, 4, "011"}, {7, 5, "11"}, {7, 6, "010"}, {7, 7, "0001"}, {7, 8, "001"},
  {7, 9, "000000"}, {8, 0, "000001"}, {8, 1, "0001"}, {8, 2, "00001"}, {8, 3, "011"},
  {8, 4, "11"}, {8, 5, "10"}, {8, 6, "010"}, {8, 7, "001"}, {8, 8, "000000"},
  {9, 0, "000001"}, {9, 1, "000000"}, {9, 2, "0001"}, {9, 3, "11"}, {9, 4, "10"},
  {9, 5, "001"}, {9, 6, "01"}, {9, 7, "00001"}, {10, 0, "00001"}, {10, 1, "00000"},
  {10, 2, "001"}, {10, 3, "11"}, {10, 4, "10"}, {10, 5, "01"}, {10, 6, "0001"},
  {11, 0, "0000"}, {11, 1, "0001"}, {11, 2, "001"}, {11, 3, "010"}, {11, 4, "1"},
  {11, 5, "011"}, {12, 0, "0000"}, {12, 1, "0001"}, {12, 2, "01"}, {12, 3, "1"},
  {12, 4, "001"}, {13, 0, "000"}, {13, 1, "001"}, {13, 2, "1"}, {13, 3, "01"},
  {14, 0, "00"}, {14, 1, "01"}, {14, 2, "1"}, {15, 0, "0"}, {15, 1, "1"},
  {0, 0, NULL}
};

/* Table 9-9 (a) */
static const IndexedCode total_zeros_2x2[] = {
  {1, 0, "1"}, {1, 1, "01"}, {1, 2, "001"}, {1, 3, "000"}, {2, 0, "1"},
  {2, 1, "01"}, {2, 2, "00"}, {3, 0, "1"}, {3, 1, "0"},
  {0, 0, NULL}
};

/* Table 9-9 (b) */
static const IndexedCode total_zeros_2x4[] = {
  {1, 0, "1"}, {1, 1, "010"}, {1, 2, "011"}, {1, 3, "0010"}, {1, 4, "0011"},
  {1, 5, "0001"}, {1, 6, "00001"}, {1, 7, "00000"}, {2, 0, "000"}, {2, 1, "01"},
  {2, 2, "001"}, {2, 3, "100"}, {2, 4, "101"}, {2, 5, "110"}, {2, 6, "111"},
  {3, 0, "000"}, {3, 1, "001"}, {3, 2, "01"}, {3, 3, "10"}, {3, 4, "110"},
  {3, 5, "111"}, {4, 0, "110"}, {4, 1, "00"}, {4, 2, "01"}, {4, 3, "10"},
  {4, 4, "111"}, {5, 0, "00"}, {5, 1, "01"}, {5, 2, "10"}, {5, 3, "11"},
  {6, 0, "00"}, {6, 1, "01"}, {6, 2, "1"}, {7, 0, "0"}, {7, 1, "1"},
  {0, 0, NULL}
};

/* Table 9-10, for zerosLeft 1 to 6.  (Above 6 the code is 3 bits, or zeros and a one.) */
static const IndexedCode run_before[] = {
  {1, 0, "1"}, {1, 1, "0"}, {2, 0, "1"}, {2, 1, "01"}, {2, 2, "00"}, {3, 0, "11"},
  {3, 1, "10"}, {3, 2, "01"}, {3, 3, "00"}, {4, 0, "11"}, {4, 1, "10"}, {4, 2, "01"},
  {4, 3, "001"}, {4, 4, "000"}, {5, 0, "11"}, {5, 1, "10"}, {5, 2, "011"}, {5, 3, "010"},
  {5, 4, "001"}, {5, 5, "000"}, {6, 0, "11"}, {6, 1, "000"}, {6, 2, "001"}, {6, 3, "011"},
  {6, 4, "010"}, {6, 5, "101"}, {6, 6, "100"},
  {0, 0, NULL}
};
/* clang-format on */

uint8_t h264_token_column[2 * 64 + 1];
/* No code has more than 15 leading zeros nor more than three bits behind its first one. */
H264CoeffTokenEntry h264_coeff_token[H264_N_TOKEN_TABLES][16 * 8];
H264CoeffTokenEntry h264_short_coeff_token[H264_N_TOKEN_TABLES][1 << H264_TOKEN_BITS];

/* the lowest bit is the sign that is read last */
const int16_t h264_trailing_ones[8][4] = { { 0, 1, 1, 1 }, { 0, -1, 1, 1 }, { 0, 1, -1, 1 }, { 0, -1, -1, 1 }, { 0, 1, 1, -1 },
  { 0, -1, 1, -1 }, { 0, 1, -1, -1 }, { 0, -1, -1, -1 } };

H264Levels h264_levels[H264_N_LEVEL_TABLES][1 << H264_LEVELS_BITS];

uint8_t h264_total_zeros_4x4[16][512];
uint8_t h264_total_zeros_2x2[4][8];
uint8_t h264_total_zeros_2x4[8][32];
uint8_t h264_run_before[16][8];
uint32_t h264_runs[16][H264_MAX_RUNS][1 << H264_RUNS_BITS];

uint32_t h264_places_4x4[17][1 << H264_PLACES_BITS];
uint32_t h264_places_2x2[5][1 << H264_PLACES_BITS];
uint32_t h264_places_2x4[9][1 << H264_PLACES_BITS];

static unsigned
code_value (const char *code, unsigned *length)
{
  unsigned value = 0;

  for (*length = 0; code[*length]; (*length)++)
    value = value << 1 | (code[*length] == '1');
  return value;
}

static H264CoeffTokenEntry
token_entry (unsigned length, unsigned total_coeff, unsigned trailing_ones)
{
  const unsigned first = trailing_ones == 3 ? H264_LEVEL_FIRST : total_coeff > 10 ? H264_LEVEL_FIRST_OF_MANY : H264_LEVEL_FIRST_NOT_ONE;

  return (H264CoeffTokenEntry){ (uint8_t) length, (uint8_t) total_coeff, (uint8_t) trailing_ones, (uint8_t) first };
}

static void
make_coeff_token (H264CoeffTokenEntry *table, const CoeffToken *tokens)
{
  for (; tokens->code; tokens++) {
    unsigned length, value = code_value (tokens->code, &length), zeros = 0, rest, free_bits, i;
    const H264CoeffTokenEntry entry = token_entry (length, tokens->total_coeff, tokens->trailing_ones);

    while (tokens->code[zeros] == '0')
      zeros++;
    if (zeros == length) {
      /* the one code without a one (chroma DC of 4:2:0): whatever follows */
      for (i = zeros * 8; i < 16 * 8; i++)
        table[i] = entry;
      continue;
    }
    free_bits = 3 - (length - zeros - 1);
    rest = (value & ~(1u << (length - zeros - 1))) << free_bits;
    for (i = 0; i < 1u << free_bits; i++)
      table[zeros * 8 + rest + i] = entry;
  }
}

/* 8 <= nC: four bits total_coeff - 1, two bits trailing_ones; 000011 for no coefficients */
static void
make_coeff_token_from_8 (H264CoeffTokenEntry *table)
{
  for (unsigned code = 0; code < 64; code++)
    if ((code & 3) <= (code >> 2) + 1)
      table[code] = token_entry (6, (code >> 2) + 1, code & 3);
  table[3] = token_entry (6, 0, 0);
}

/* Of the codes of @column, those that are short enough */
static void
make_short_coeff_token (unsigned column)
{
  for (unsigned bits = 0; bits < 1u << H264_TOKEN_BITS; bits++) {
    const H264CoeffTokenEntry entry = h264_coeff_token_at (column, (uint64_t) bits << (64 - H264_TOKEN_BITS));

    if (entry.length <= H264_TOKEN_BITS)
      h264_short_coeff_token[column][bits] = entry;
  }
}

static void
make_token_columns (void)
{
  for (unsigned sum = 0; sum <= 2 * 64; sum++) {
    const unsigned nC = sum < 64 ? (sum + 1) / 2 : sum % 64;

    h264_token_column[sum] = nC < 2 ? 0 : nC < 4 ? 1 : nC < 8 ? 2 : H264_TOKEN_FROM_8;
  }
  for (unsigned column = 0; column < H264_N_TOKEN_TABLES; column++)
    make_short_coeff_token (column);
}

/* The level that the @n bits @bits begin with (9.2.2.1); length 0 where they are not enough for it */
typedef struct
{
  unsigned length;
  int level;
} Level;

static Level
one_level (unsigned bits, unsigned n, unsigned state)
{
  const unsigned suffixLength = h264_level_suffix_length (state);
  unsigned level_prefix = 0, length, levelCode;

  while (level_prefix < n && !(bits >> (n - 1 - level_prefix) & 1))
    level_prefix++;
  length = level_prefix + 1 + suffixLength;
  if (length > n)
    return (Level){ 0, 0 };
  levelCode = (level_prefix << suffixLength) + (bits >> (n - length) & ((1u << suffixLength) - 1)) + 2 * h264_level_least (state) - 2;
  return (Level){ length, levelCode % 2 ? -(int) (levelCode + 1) / 2 : (int) (levelCode + 2) / 2 };
}

static H264Levels
several_levels (unsigned bits, unsigned state)
{
  H264Levels levels = { { 0 }, 0, 0, (uint8_t) state };
  unsigned n = H264_LEVELS_BITS;

  while (levels.n < H264_MAX_LEVELS) {
    const Level one = one_level (bits & ((1u << n) - 1), n, levels.next_state);

    if (one.length == 0 || one.level != (int8_t) one.level)
      break;
    n -= one.length;
    levels.levels[H264_MAX_LEVELS - 1 - levels.n++] = (int8_t) one.level;
    levels.lengths |= (uint16_t) ((H264_LEVELS_BITS - n) << 4 * (levels.n - 1));
    levels.next_state = (uint8_t) h264_level_next_state (levels.next_state, (unsigned) abs (one.level));
  }
  if (levels.n == 0 || levels.next_state >= H264_N_LEVEL_TABLES)
    levels.next_state |= H264_LEVEL_ALONE;
  return levels;
}

/* An escape, whose suffix has a length of its own, has a longer prefix. */
_Static_assert(H264_LEVELS_BITS < 15, "level_prefix");

static void
make_levels (void)
{
  for (unsigned state = 0; state < H264_N_LEVEL_TABLES; state++)
    for (unsigned bits = 0; bits < 1u << H264_LEVELS_BITS; bits++)
      h264_levels[state][bits] = several_levels (bits, state);
}

/* Fills rows of 1 << bits entries, length << 4 | value, from codes; row `index` of the table holds the codes of that index. */
static void
make_indexed (uint8_t *table, unsigned bits, const IndexedCode *codes)
{
  for (; codes->code; codes++) {
    unsigned length, value = code_value (codes->code, &length);
    uint8_t *row = table + ((size_t) codes->index << bits);

    memset (row + (value << (bits - length)), (int) (length << 4 | codes->value), (size_t) 1 << (bits - length));
  }
}

/* One run_before from the @n bits @bits: length << 4 | value, or 0 where it needs more bits or is longer than @zerosLeft */
static unsigned
one_run (unsigned bits, unsigned n, unsigned zerosLeft)
{
  const unsigned code = h264_run_before[zerosLeft][(bits << 3 >> n) & 7];
  unsigned zeros = 3;

  if (code != 0)
    return code >> 4 <= n ? code : 0;
  while (zeros < n && !(bits >> (n - 1 - zeros) & 1))
    zeros++;
  return zeros < n && zeros + 4 <= zerosLeft ? (zeros + 1) << 4 | (zeros + 4) : 0;
}

static uint32_t
several_runs (unsigned bits, unsigned zerosLeft, unsigned max_runs)
{
  unsigned n = H264_RUNS_BITS, count = 0, zeros = 0, code;
  uint32_t pattern = 0;

  while (count < max_runs && zeros < zerosLeft && (code = one_run (bits & ((1u << n) - 1), n, zerosLeft - zeros)) != 0
      && count + zeros + (code & 15) < 16) {
    n -= code >> 4;
    zeros += code & 15;
    pattern |= 1u << 15 >> (count + zeros);
    count++;
  }
  return pattern << 16 | zeros << 8 | (H264_RUNS_BITS - n) << 4 | count;
}

static void
make_runs (void)
{
  for (unsigned zerosLeft = 1; zerosLeft < 16; zerosLeft++)
    for (unsigned max_runs = 1; max_runs <= H264_MAX_RUNS; max_runs++)
      for (unsigned bits = 0; bits < 1u << H264_RUNS_BITS; bits++)
        h264_runs[zerosLeft][max_runs - 1][bits] = several_runs (bits, zerosLeft, max_runs);
}

/* The places of @total_coeff levels of a block with @total_zeros, as far as the @n bits @bits say */
static uint32_t
places (unsigned bits, unsigned n, unsigned total_coeff, unsigned total_zeros)
{
  unsigned runs = total_coeff - 1, zerosLeft = total_zeros, code;
  uint32_t mask = 1u << (runs + zerosLeft);

  while (runs > 0 && zerosLeft > 0 && (code = one_run (bits & ((1u << n) - 1), n, zerosLeft)) != 0) {
    n -= code >> 4;
    zerosLeft -= code & 15;
    mask |= 1u << (--runs + zerosLeft);
  }
  if (runs > 0 && zerosLeft > 0)
    return mask << 16 | zerosLeft << 8 | runs << 4 | (H264_PLACES_BITS - n);
  return (mask | ((1u << runs) - 1)) << 16 | (H264_PLACES_BITS - n);
}

/* @total_zeros: look-ups of @n_bits bits */
static void
make_places (uint32_t (*table)[1 << H264_PLACES_BITS], unsigned max_num_coeff, const uint8_t *total_zeros, unsigned n_bits)
{
  for (unsigned total_coeff = 1; total_coeff <= max_num_coeff; total_coeff++)
    for (unsigned bits = 0; bits < 1u << H264_PLACES_BITS; bits++) {
      const unsigned all = total_coeff == max_num_coeff;
      const unsigned code = all ? 0 : total_zeros[(total_coeff << n_bits) + (bits >> (H264_PLACES_BITS - n_bits))];

      table[total_coeff][bits] = code == 0 && !all ? H264_NO_PLACES : places (bits, H264_PLACES_BITS - (code >> 4), total_coeff, code & 15);
    }
}

void
h264_cavlc_tables_init (void)
{
  static int done;

  if (done)
    return;
  make_coeff_token (h264_coeff_token[0], coeff_token_nc0);
  make_coeff_token (h264_coeff_token[1], coeff_token_nc2);
  make_coeff_token (h264_coeff_token[2], coeff_token_nc4);
  make_coeff_token (h264_coeff_token[H264_TOKEN_CHROMA_DC_2x2], coeff_token_chroma_dc_2x2);
  make_coeff_token (h264_coeff_token[H264_TOKEN_CHROMA_DC_2x4], coeff_token_chroma_dc_2x4);
  make_coeff_token_from_8 (h264_coeff_token[H264_TOKEN_FROM_8]);
  make_token_columns ();
  make_indexed (h264_total_zeros_4x4[0], 9, total_zeros_4x4);
  make_indexed (h264_total_zeros_2x2[0], 3, total_zeros_2x2);
  make_indexed (h264_total_zeros_2x4[0], 5, total_zeros_2x4);
  make_indexed (h264_run_before[0], 3, run_before);
  for (unsigned zerosLeft = 7; zerosLeft < 16; zerosLeft++)
    for (unsigned bits = 1; bits < 8; bits++)
      h264_run_before[zerosLeft][bits] = (uint8_t) (3 << 4 | (7 - bits));
  make_runs ();
  make_levels ();
  make_places (h264_places_4x4, 16, h264_total_zeros_4x4[0], 9);
  make_places (h264_places_2x2, 4, h264_total_zeros_2x2[0], 3);
  make_places (h264_places_2x4, 8, h264_total_zeros_2x4[0], 5);
  done = 1;
}
