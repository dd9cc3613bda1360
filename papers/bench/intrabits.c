/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "intrabits.h"
/* the codes as the standard prints them */
#include "h264cavlctables.c"

static void
put_byte (IntraBits *self, unsigned byte)
{
  if (self->size == self->allocated) {
    self->allocated = self->allocated ? 2 * self->allocated : 4096;
    self->data = realloc (self->data, self->allocated);
    if (!self->data)
      abort ();
  }
  self->data[self->size++] = (uint8_t) byte;
}

/* A byte of a NAL unit, with emulation prevention (7.4.1) */
static void
put_payload (IntraBits *self, unsigned byte)
{
  if (self->n_zeros >= 2 && byte <= 3) {
    put_byte (self, 3);
    self->n_zeros = 0;
  }
  put_byte (self, byte);
  self->n_zeros = byte ? 0 : self->n_zeros + 1;
}

void
intra_bits_begin (IntraBits *self, unsigned nal_ref_idc, unsigned nal_unit_type)
{
  put_byte (self, 0);
  put_byte (self, 0);
  put_byte (self, 0);
  put_byte (self, 1);
  self->n_zeros = self->n = 0;
  put_payload (self, nal_ref_idc << 5 | nal_unit_type);
}

void
intra_bits_u (IntraBits *self, unsigned n, uint32_t value)
{
  self->bits = self->bits << n | value;
  self->n += n;
  while (self->n >= 8) {
    self->n -= 8;
    put_payload (self, self->bits >> self->n & 255);
  }
}

void
intra_bits_end (IntraBits *self)
{
  intra_bits_u (self, 1, 1);
  intra_bits_align (self);
}

void
intra_bits_align (IntraBits *self)
{
  if (self->n)
    intra_bits_u (self, 8 - self->n, 0);
}

void
intra_bits_ue (IntraBits *self, uint32_t value)
{
  unsigned length = 31 - (unsigned) __builtin_clz (value + 1);

  intra_bits_u (self, length, 0);
  intra_bits_u (self, length + 1, value + 1);
}

void
intra_bits_se (IntraBits *self, int value)
{
  intra_bits_ue (self, value > 0 ? 2 * (uint32_t) value - 1 : 2 * (uint32_t) -value);
}

static void
put_code (IntraBits *self, const char *code)
{
  for (; *code; code++)
    intra_bits_u (self, 1, *code == '1');
}

static void
put_coeff_token (IntraBits *self, unsigned total_coeff, unsigned trailing_ones, int nC)
{
  const CoeffToken *token = nC == INTRA_BITS_CHROMA_DC ? coeff_token_chroma_dc_2x2
      : nC < 2                                         ? coeff_token_nc0
      : nC < 4                                         ? coeff_token_nc2
                                                       : coeff_token_nc4;

  if (nC >= 8) {
    intra_bits_u (self, 6, total_coeff ? (total_coeff - 1) << 2 | trailing_ones : 3);
    return;
  }
  while (token->total_coeff != total_coeff || token->trailing_ones != trailing_ones)
    token++;
  put_code (self, token->code);
}

static void
put_indexed (IntraBits *self, const IndexedCode *codes, unsigned index, unsigned value)
{
  while (codes->index != index || codes->value != value)
    codes++;
  put_code (self, codes->code);
}

/* 9.2.2.1, from level to level_prefix and level_suffix */
static void
put_level (IntraBits *self, unsigned levelCode, unsigned suffixLength)
{
  unsigned escape = suffixLength ? 15u << suffixLength : 30;

  if (levelCode >= escape) {
    intra_bits_u (self, 16, 1);
    intra_bits_u (self, 12, levelCode - escape);
  } else if (suffixLength) {
    intra_bits_u (self, (levelCode >> suffixLength) + 1, 1);
    intra_bits_u (self, suffixLength, levelCode & ((1u << suffixLength) - 1));
  } else if (levelCode >= 14) {
    intra_bits_u (self, 15, 1);
    intra_bits_u (self, 4, levelCode - 14);
  } else {
    intra_bits_u (self, levelCode + 1, 1);
  }
}

/* Levels other than trailing ones, from the highest frequency on */
static void
put_levels (IntraBits *self, const int16_t *levels, unsigned total_coeff, unsigned trailing_ones)
{
  unsigned suffixLength = total_coeff > 10 && trailing_ones < 3;

  for (unsigned i = trailing_ones; i < total_coeff; i++) {
    unsigned size = (unsigned) abs (levels[i]), levelCode = levels[i] > 0 ? 2 * size - 2 : 2 * size - 1;

    if (i == trailing_ones && trailing_ones < 3)
      levelCode -= 2;
    put_level (self, levelCode, suffixLength);
    if (suffixLength == 0)
      suffixLength = 1;
    if (size > 3u << (suffixLength - 1) && suffixLength < 6)
      suffixLength++;
  }
}

static void
put_runs (IntraBits *self, const uint8_t *runs, unsigned n, unsigned total_coeff, unsigned total_zeros)
{
  unsigned zerosLeft = total_zeros;

  if (total_coeff < n)
    put_indexed (self, n == 4 ? total_zeros_2x2 : total_zeros_4x4, total_coeff, total_zeros);
  for (unsigned i = 0; i + 1 < total_coeff && zerosLeft > 0; i++) {
    if (zerosLeft <= 6)
      put_indexed (self, run_before, zerosLeft, runs[i]);
    else if (runs[i] <= 6)
      intra_bits_u (self, 3, 7u - runs[i]);
    else
      intra_bits_u (self, runs[i] - 3u, 1);
    zerosLeft -= runs[i];
  }
}

unsigned
intra_bits_block (IntraBits *self, const int16_t *levels, unsigned n, int nC)
{
  unsigned total_coeff = 0, trailing_ones = 0, total_zeros = 0;
  int16_t found[16];
  uint8_t runs[16] = { 0 };

  for (int i = (int) n - 1; i >= 0; i--) {
    if (levels[i]) {
      found[total_coeff++] = levels[i];
    } else if (total_coeff > 0) {
      runs[total_coeff - 1]++;
      total_zeros++;
    }
  }
  while (trailing_ones < total_coeff && trailing_ones < 3 && abs (found[trailing_ones]) == 1)
    trailing_ones++;
  put_coeff_token (self, total_coeff, trailing_ones, nC);
  if (total_coeff == 0)
    return 0;
  for (unsigned i = 0; i < trailing_ones; i++)
    intra_bits_u (self, 1, found[i] < 0);
  put_levels (self, found, total_coeff, trailing_ones);
  put_runs (self, runs, n, total_coeff, total_zeros);
  return total_coeff;
}

void
intra_bits_clear (IntraBits *self)
{
  free (self->data);
  *self = (IntraBits){ 0 };
}
