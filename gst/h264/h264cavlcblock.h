/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * residual_block_cavlc() (ITU-T H.264, 7.3.5.3.3, 9.2): from bits to levels and the positions that they stand at.  How these become a
 * block is the includer's part: h264cavlc.c has a loop for it, h264cavlcvbmi2.c two instructions.
 *
 * What costs time here are branches that are not foreseen, so there are few: whether there are levels, how many, and whether the runs need
 * another look-up.
 */
#pragma once

#include "h264cavlctables.h"
#include "h264residual.h"

/* Trailing ones are always written three at a time. */
#define H264_CAVLC_ROOM 2

/**
 * H264CavlcBlock:
 * @levels: from H264_CAVLC_ROOM on, the lowest frequency first
 * @mask: bit k: the next of the levels is coefficient k
 * @maybe_wide: there may be levels that do not fit into 16 bits
 */
typedef struct
{
  gint32 levels[H264_CAVLC_ROOM + 16];
  guint mask;
  gboolean maybe_wide;
} H264CavlcBlock;

/* level_prefix above 14, or 14 without a suffix length: the suffix has a length of its own (9.2.2.1). */
typedef struct
{
  H264CavlcWindow window;
  guint level_prefix;
  guint levelCode;
} H264CavlcEscape;

/* Notes the levels that do not fit into 16 bits; @scan says where in @block they stand. */
void h264_cavlc_note_wide_levels (H264SliceDecoder *dec, const H264CavlcBlock *from, const gint16 *block, const guint8 *scan);

/* Reads such a level from where its prefix begins; the window comes back full. */
H264CavlcEscape h264_cavlc_read_escape (H264SliceDecoder *dec, H264CavlcWindow window, guint suffixLength);

void h264_cavlc_fail_no_code (H264SliceDecoder *dec);

/* coeff_token (9.2.1); length 0, and no levels, where there is no such code */
H264_ALWAYS_INLINE H264CoeffTokenEntry
h264_cavlc_read_coeff_token (H264CavlcWindow *window, H264TokenColumn column)
{
  /* leading zeros and the first one, which the column for 8 <= nC does not look at */
  const guint prefix = ((guint) __builtin_clzll (window->bits | (guint64) 1 << 48) + 1) & column.prefix_mask;
  const guint behind = (guint) (window->bits << prefix >> column.shift);
  const H264CoeffTokenEntry *const all_columns = (const H264CoeffTokenEntry *) h264_coeff_token;
  const H264CoeffTokenEntry token = all_columns[column.first + (gint) (prefix * 8 + behind)];

  h264_window_skip (window, token.length);
  return token;
}

/* trailing_ones_sign_flag (7.3.5.3.3), as if there were three of them: other levels are written over those that are none. */
H264_ALWAYS_INLINE void
h264_cavlc_read_trailing_ones (H264CavlcWindow *window, H264CoeffTokenEntry token, H264CavlcBlock *block)
{
  gint32 *last = &block->levels[H264_CAVLC_ROOM + token.total_coeff - 1];

  last[0] = (gint32) ((gint64) window->bits >> 63) | 1;
  last[-1] = (gint32) ((gint64) (window->bits << 1) >> 63) | 1;
  last[-2] = (gint32) ((gint64) (window->bits << 2) >> 63) | 1;
  h264_window_skip (window, token.trailing_ones);
}

/* level_prefix and level_suffix (9.2.2.1): levelCode, but for what is added to that of the first level */
H264_ALWAYS_INLINE guint
h264_cavlc_read_level_code (H264SliceDecoder *dec, H264CavlcWindow *window, H264CavlcBlock *block, guint suffixLength)
{
  const guint level_prefix = (guint) __builtin_clzll (window->bits | 1);

  if (G_LIKELY (level_prefix < 14 + (suffixLength > 0))) {
    /* the prefix's one and the suffix in one go */
    const guint one_and_suffix = (guint) (window->bits << level_prefix >> (63 - suffixLength));

    h264_window_skip (window, level_prefix + 1 + suffixLength);
    return ((level_prefix - 1) << suffixLength) + one_and_suffix;
  } else {
    const H264CavlcEscape escape = h264_cavlc_read_escape (dec, *window, suffixLength);

    *window = escape.window;
    block->maybe_wide |= escape.level_prefix > 15;
    return escape.levelCode;
  }
}

/* The @n levels behind the trailing ones (9.2.2), the highest frequency first; @magnitude: the least that the first one can have.  The
 * caller's refill is enough for two of them, whose suffixes are short; two others have 42 bits at most.  That suffixLength grows is a
 * branch, seldom taken, so that no level waits for the value of the one before. */
H264_ALWAYS_INLINE void
h264_cavlc_read_levels (H264SliceDecoder *dec, H264CavlcWindow *window, H264CavlcBlock *block, guint n, guint suffixLength,
    gint32 magnitude)
{
  gint32 limit = 3;
  gboolean refill = FALSE;

  for (;;) {
    const guint levelCode = h264_cavlc_read_level_code (dec, window, block, suffixLength);
    /* even codes are positive, odd ones negative */
    const gint32 sign = -(gint32) (levelCode & 1);

    magnitude += (gint32) (levelCode >> 1);
    block->levels[H264_CAVLC_ROOM + --n] = (magnitude ^ sign) - sign;
    if (n == 0)
      return;
    suffixLength += suffixLength == 0;
    if (G_UNLIKELY (magnitude > limit)) {
      suffixLength++;
      limit = suffixLength < 6 ? 2 * limit : G_MAXINT32;
    }
    magnitude = 1;
    if (refill)
      h264_window_refill_unchecked (window);
    refill = !refill;
  }
}

/* run_before of all levels (9.2.3), as a mask of their positions; @n_runs: that are read unless the zeros end before.  The bits are there:
 * all runs of a block have 42 at most. */
H264_ALWAYS_INLINE guint
h264_cavlc_read_runs (H264SliceDecoder *dec, H264CavlcWindow *window, guint n_runs, guint zerosLeft)
{
  guint mask = 1u << (n_runs + zerosLeft);

  while (n_runs > 0 && zerosLeft > 0) {
    const guint32 runs = h264_runs[zerosLeft][MIN (n_runs, H264_MAX_RUNS) - 1][window->bits >> (64 - H264_RUNS_BITS)];

    if (G_UNLIKELY (runs == 0)) {
      /* zerosLeft is above 6, and run_before far above */
      const guint leading_zeros = (guint) __builtin_clzll (window->bits | 1);

      if (leading_zeros + 4 > zerosLeft) {
        h264_slice_decoder_fail (dec, "run_before is out of range");
        break;
      }
      h264_window_skip (window, leading_zeros + 1);
      zerosLeft -= leading_zeros + 4;
      n_runs--;
      mask |= 1u << (n_runs + zerosLeft);
    } else {
      mask |= H264_RUNS_PATTERN (runs) << (n_runs + zerosLeft) >> 16;
      h264_window_skip (window, H264_RUNS_LENGTH (runs));
      zerosLeft -= H264_RUNS_ZEROS (runs);
      n_runs -= H264_RUNS_COUNT (runs);
    }
  }
  /* those that are left have no zeros between them */
  return mask | ((1u << n_runs) - 1);
}

/* 9.2.3: total_zeros */
H264_ALWAYS_INLINE guint
h264_cavlc_read_total_zeros (H264SliceDecoder *dec, H264CavlcWindow *window, guint total_coeff, guint max_num_coeff)
{
  guint code;

  if (max_num_coeff == 4)
    code = h264_total_zeros_2x2[total_coeff][window->bits >> 61];
  else if (max_num_coeff == 8)
    code = h264_total_zeros_2x4[total_coeff][window->bits >> 59];
  else
    code = h264_total_zeros_4x4[total_coeff][window->bits >> 55];
  if (G_UNLIKELY (code == 0))
    h264_cavlc_fail_no_code (dec);
  h264_window_skip (window, code >> 4);
  return code & 15;
}

/* Reads a block's levels and their positions; gives their number, total_coeff, and keeps it where nC of later blocks needs it. */
H264_ALWAYS_INLINE guint
h264_cavlc_read_block (H264SliceDecoder *dec, H264CavlcWindow *window, H264BlockClass block_class, guint plane, guint at,
    guint max_num_coeff, H264CavlcBlock *block)
{
  /* both neighbours: the column has the mean of them, or the one that is available */
  const guint neighbours = dec->total_coeff[plane][at - 1] + dec->total_coeff[plane][at - 8];
  const H264TokenColumn column = block_class != H264_BLOCK_CHROMA_DC ? h264_token_column[neighbours]
      : max_num_coeff == 4                                           ? h264_token_column_2x2
                                                                     : h264_token_column_2x4;
  H264CoeffTokenEntry token;
  guint total_zeros = 0;

  h264_window_refill (window);
  token = h264_cavlc_read_coeff_token (window, column);
  if (block_class != H264_BLOCK_DC && block_class != H264_BLOCK_CHROMA_DC)
    dec->total_coeff[plane][at] = token.total_coeff;
  if (token.total_coeff == 0) {
    if (G_UNLIKELY (token.length == 0))
      h264_cavlc_fail_no_code (dec);
    return 0;
  }
  if (G_UNLIKELY (max_num_coeff == 15 && token.total_coeff > 15)) {
    h264_slice_decoder_fail (dec, "total_coeff is out of range");
    return 0;
  }

  block->maybe_wide = FALSE;
  h264_cavlc_read_trailing_ones (window, token, block);
  if (token.total_coeff > token.trailing_ones)
    /* where there are fewer than three trailing ones, the next level is none */
    h264_cavlc_read_levels (dec, window, block, token.total_coeff - token.trailing_ones, token.total_coeff > 10 && token.trailing_ones < 3,
        token.trailing_ones < 3 ? 2 : 1);

  h264_window_refill_unchecked (window);
  if (token.total_coeff < max_num_coeff)
    total_zeros = h264_cavlc_read_total_zeros (dec, window, token.total_coeff, max_num_coeff);
  if (G_UNLIKELY (max_num_coeff == 15 && total_zeros + token.total_coeff > 15)) {
    h264_slice_decoder_fail (dec, "total_zeros is out of range");
    return 0;
  }
  block->mask = h264_cavlc_read_runs (dec, window, token.total_coeff - 1u, total_zeros);
  return token.total_coeff;
}
