/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cavlcencoder.h"
#include "h264cavlctables.h"

CavlcCode
cavlc_coeff_token_code (gint nC, guint total_coeff, guint trailing_ones)
{
  const guint table = nC == NC_CHROMA_DC_2x2 ? H264_TOKEN_CHROMA_DC_2x2
      : nC == NC_CHROMA_DC_2x4               ? H264_TOKEN_CHROMA_DC_2x4
      : nC < 2                               ? 0
      : nC < 4                               ? 1
                                             : 2;

  if (nC >= 8)
    return (CavlcCode){ total_coeff == 0 ? 3 : (total_coeff - 1) << 2 | trailing_ones, 6 };
  for (guint i = 0; i < 16 * 8; i++) {
    const H264CoeffTokenEntry *entry = &h264_coeff_token[table][i];

    /* so many zeros, a one, and the three bits behind it */
    if (entry->length > 0 && entry->total_coeff == total_coeff && entry->trailing_ones == trailing_ones) {
      const guint zeros = i / 8, bits = 8 | i % 8;

      return (CavlcCode){ entry->length > zeros ? bits >> (zeros + 4 - entry->length) : 0, entry->length };
    }
  }
  return (CavlcCode){ 0, 0 };
}

/* The code of @value in a row of 1 << @n_bits look-ups */
static CavlcCode
find_code (const guint8 *row, guint n_bits, guint value)
{
  for (guint i = 0; i < 1u << n_bits; i++)
    if (row[i] != 0 && (row[i] & 15) == value)
      return (CavlcCode){ i >> (n_bits - (row[i] >> 4)), row[i] >> 4 };
  return (CavlcCode){ 0, 0 };
}

CavlcCode
cavlc_total_zeros_code (guint max_num_coeff, guint total_coeff, guint total_zeros)
{
  switch (max_num_coeff) {
    case 4:
      return find_code (h264_total_zeros_2x2[total_coeff], 3, total_zeros);
    case 8:
      return find_code (h264_total_zeros_2x4[total_coeff], 5, total_zeros);
    default:
      return find_code (h264_total_zeros_4x4[total_coeff], 9, total_zeros);
  }
}

CavlcCode
cavlc_run_before_code (guint zerosLeft, guint run_before)
{
  if (zerosLeft <= 6)
    return find_code (h264_run_before[zerosLeft], 3, run_before);
  if (run_before < 7)
    return (CavlcCode){ 7 - run_before, 3 };
  return (CavlcCode){ 1, run_before - 3 };
}

static void
put_code (BitWriter *w, CavlcCode code)
{
  g_assert (code.length > 0);
  put_u (w, code.length, code.bits);
}

void
cavlc_put_level (BitWriter *w, gint32 level, gboolean not_one, guint suffixLength)
{
  guint levelCode = (guint) (2 * ABS (level) - 2) + (level < 0) - (not_one ? 2 : 0), prefix;

  if (suffixLength == 0 && levelCode >= 14 && levelCode < 30) {
    put_u (w, 15, 1);
    put_u (w, 4, levelCode - 14);
  } else if (levelCode < (suffixLength == 0 ? 14 : 15u << suffixLength)) {
    put_u (w, (levelCode >> suffixLength) + 1, 1);
    put_u (w, suffixLength, levelCode & ((1u << suffixLength) - 1));
  } else {
    /* level_prefix 15 and more: ranges of 4096, 8192, ... values */
    levelCode += 4096 - (15u << suffixLength) - (suffixLength == 0 ? 15 : 0);
    prefix = g_bit_storage (levelCode) + 2;
    put_u (w, prefix + 1, 1);
    put_u (w, prefix - 3, levelCode - (1u << (prefix - 3)));
  }
}

static void
put_levels (BitWriter *w, const gint32 *levels, guint total_coeff, guint trailing_ones)
{
  guint suffixLength = total_coeff > 10 && trailing_ones < 3, i;

  for (i = 0; i < trailing_ones; i++)
    put_u (w, 1, levels[i] < 0);
  for (; i < total_coeff; i++) {
    cavlc_put_level (w, levels[i], i == trailing_ones && trailing_ones < 3, suffixLength);
    if (suffixLength == 0)
      suffixLength = 1;
    if (ABS (levels[i]) > 3 << (suffixLength - 1) && suffixLength < 6)
      suffixLength++;
  }
}

guint
put_residual_block_cavlc (BitWriter *w, gint nC, const gint32 *levels, guint max_num_coeff)
{
  gint32 coded[16];
  guint runs[16], total_coeff = 0, trailing_ones = 0, total_zeros = 0, zerosLeft, i;

  /* highest frequency first, each with the zeros in front of it */
  for (i = max_num_coeff; i-- > 0;) {
    if (levels[i] != 0) {
      runs[total_coeff] = 0;
      coded[total_coeff++] = levels[i];
    } else if (total_coeff > 0) {
      runs[total_coeff - 1]++;
      total_zeros++;
    }
  }
  while (trailing_ones < MIN (total_coeff, 3) && ABS (coded[trailing_ones]) == 1)
    trailing_ones++;
  put_code (w, cavlc_coeff_token_code (nC, total_coeff, trailing_ones));
  if (total_coeff == 0)
    return 0;
  put_levels (w, coded, total_coeff, trailing_ones);
  if (total_coeff < max_num_coeff)
    put_code (w, cavlc_total_zeros_code (max_num_coeff, total_coeff, total_zeros));
  for (i = 0, zerosLeft = total_zeros; i + 1 < total_coeff && zerosLeft > 0; zerosLeft -= runs[i++])
    put_code (w, cavlc_run_before_code (zerosLeft, runs[i]));
  return total_coeff;
}
