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
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Levels are always written four at a time. */
#define H264_CAVLC_ROOM 4

/**
 * H264CavlcBlock:
 * @levels: from H264_CAVLC_ROOM on, the lowest frequency first, with 16 bits
 * @mask: bit k: the next of the levels is coefficient k
 * @wide: bit i: level i does not fit into 16 bits
 * @wide_levels: those levels
 */
typedef struct
{
  gint16 levels[H264_CAVLC_ROOM + 16];
  guint mask;
  guint wide;
  gint32 wide_levels[16];
} H264CavlcBlock;

/* Notes the levels that do not fit into 16 bits; @scan says where in @block they stand. */
void h264_cavlc_note_wide_levels (H264SliceDecoder *dec, const H264CavlcBlock *from, const gint16 *block, const guint8 *scan);

/* level_prefix above 14, or 14 without a suffix length: the suffix has a length of its own (9.2.2.1).  Reads level @i of a block in
 * @state at dec->window, which comes back full; gives the state behind it. */
guint h264_cavlc_read_escape (H264SliceDecoder *dec, guint state, guint i, H264CavlcBlock *block);

void h264_cavlc_fail_no_code (H264SliceDecoder *dec);

/* coeff_token (9.2.1); length 0, and no levels, where there is no such code */
H264_ALWAYS_INLINE H264CoeffTokenEntry
h264_cavlc_read_coeff_token (H264CavlcWindow *window, gsize column)
{
  H264CoeffTokenEntry token = h264_short_coeff_token[column][window->bits >> (64 - H264_TOKEN_BITS)];

  if (G_UNLIKELY (token.length == 0))
    token = h264_coeff_token_at ((guint) column, window->bits);
  h264_window_skip (window, token.length);
  return token;
}

/* trailing_ones_sign_flag (7.3.5.3.3), as if there were three of them: other levels are written over those that are none. */
H264_ALWAYS_INLINE void
h264_cavlc_read_trailing_ones (H264CavlcWindow *window, H264CoeffTokenEntry token, H264CavlcBlock *block)
{
  memcpy (&block->levels[H264_CAVLC_ROOM + token.total_coeff - 4], h264_trailing_ones[window->bits >> 61], 4 * sizeof (gint16));
  h264_window_skip (window, token.trailing_ones);
}

/* Puts the levels at @to. */
H264_ALWAYS_INLINE void
h264_cavlc_put_levels (gint16 *to, const H264Levels *levels)
{
#ifdef __SSE2__
  const __m128i bytes = _mm_loadl_epi64 ((const __m128i *) levels);

  /* each byte above itself, shifted down with its sign */
  _mm_storel_epi64 ((__m128i *) to, _mm_srai_epi16 (_mm_unpacklo_epi8 (bytes, bytes), 8));
#else
  for (guint i = 0; i < H264_MAX_LEVELS; i++)
    to[i] = levels->levels[i];
#endif
}

/* Level @i by itself (9.2.2.1); gives the state behind it. */
H264_ALWAYS_INLINE guint
h264_cavlc_read_level (H264SliceDecoder *dec, H264CavlcWindow *window, H264CavlcBlock *block, gsize i, guint state)
{
  const guint suffixLength = h264_level_suffix_length (state), level_prefix = (guint) __builtin_clzll (window->bits | 1);

  if (G_LIKELY (level_prefix < 14 + (suffixLength > 0))) {
    /* the prefix's one and the suffix in one go */
    const guint one_and_suffix = (guint) (window->bits << level_prefix >> (63 - suffixLength));
    const guint levelCode = ((level_prefix - 1) << suffixLength) + one_and_suffix + 2 * h264_level_least (state) - 2;
    /* even codes are positive, odd ones negative */
    const gint32 magnitude = (gint32) (levelCode >> 1) + 1, sign = -(gint32) (levelCode & 1);

    h264_window_skip (window, level_prefix + 1 + suffixLength);
    block->levels[H264_CAVLC_ROOM + i] = (gint16) ((magnitude ^ sign) - sign);
    return h264_level_next_state (state, (guint) magnitude);
  }
  dec->window = *window;
  state = h264_cavlc_read_escape (dec, state, (guint) i, block);
  *window = dec->window;
  return state;
}

/* The @n levels behind the trailing ones (9.2.2), the highest frequency first, of which the first one is read in @state.  There may be
 * none: a branch for that would cost more than it saves.  The caller's refill is enough for the first look-up and for any level but an
 * escape. */
H264_ALWAYS_INLINE void
h264_cavlc_read_levels (H264SliceDecoder *dec, H264CavlcWindow *window, H264CavlcBlock *block, gsize n, guint state)
{
  for (;;) {
    const H264Levels *levels = &h264_levels[state][window->bits >> (64 - H264_LEVELS_BITS)];
    const gsize n_here = levels->n;

    h264_cavlc_put_levels (&block->levels[H264_CAVLC_ROOM + n - H264_MAX_LEVELS], levels);
    if (n <= n_here) {
      h264_window_skip (window, h264_levels_length (levels, (guint) n));
      return;
    }
    h264_window_skip (window, h264_levels_length (levels, (guint) n_here));
    n -= n_here;
    state = levels->next_state;
    h264_window_refill_unchecked (window);
    if (G_LIKELY (!(state & H264_LEVEL_ALONE)))
      continue;
    state &= ~(guint) H264_LEVEL_ALONE;
    do {
      state = h264_cavlc_read_level (dec, window, block, --n, state);
      if (n == 0)
        return;
      h264_window_refill_unchecked (window);
    } while (state >= H264_N_LEVEL_TABLES);
  }
}

/* run_before of the levels that are left (9.2.3), as a mask of their positions; @n_runs: that are read unless the zeros end before.  The
 * bits are there: all runs of a block have 42 at most. */
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

/* total_zeros and run_before (9.2.3): the mask of the positions of all levels */
H264_ALWAYS_INLINE guint
h264_cavlc_read_places (H264SliceDecoder *dec, H264CavlcWindow *window, guint total_coeff, guint max_num_coeff)
{
  const guint next = (guint) (window->bits >> (64 - H264_PLACES_BITS));
  const guint32 places = max_num_coeff == 4 ? h264_places_2x2[total_coeff][next]
      : max_num_coeff == 8                  ? h264_places_2x4[total_coeff][next]
                                            : h264_places_4x4[total_coeff][next];
  guint mask = H264_PLACES_MASK (places);

  h264_window_skip (window, H264_PLACES_LENGTH (places));
  if (G_UNLIKELY (H264_PLACES_UNFINISHED (places))) {
    if (G_UNLIKELY (places == H264_NO_PLACES))
      h264_cavlc_fail_no_code (dec);
    h264_window_refill_unchecked (window);
    mask |= h264_cavlc_read_runs (dec, window, H264_PLACES_RUNS (places), H264_PLACES_ZEROS (places));
  }
  return mask;
}

/* Reads a block's levels and their positions; gives their number, total_coeff, and keeps it where nC of later blocks needs it. */
H264_ALWAYS_INLINE guint
h264_cavlc_read_block (H264SliceDecoder *dec, H264CavlcWindow *window, H264BlockClass block_class, guint plane, guint at,
    guint max_num_coeff, H264CavlcBlock *block)
{
  /* both neighbours: the column has the mean of them, or the one that is available */
  const gsize column = block_class != H264_BLOCK_CHROMA_DC
      ? h264_token_column[dec->total_coeff[plane][at - 1] + dec->total_coeff[plane][at - 8]]
      : max_num_coeff == 4 ? H264_TOKEN_CHROMA_DC_2x2
                           : H264_TOKEN_CHROMA_DC_2x4;
  H264CoeffTokenEntry token;

  /* 56 bits are enough for coeff_token, the signs and one look-up each of levels and places; what reads more refills */
  h264_window_refill (window);
  token = h264_cavlc_read_coeff_token (window, column);
  if (block_class != H264_BLOCK_DC && block_class != H264_BLOCK_CHROMA_DC)
    dec->total_coeff[plane][at] = token.total_coeff;
  if (token.total_coeff == 0) {
    if (G_UNLIKELY (token.length == 0))
      h264_cavlc_fail_no_code (dec);
    return 0;
  }

  block->wide = 0;
  h264_cavlc_read_trailing_ones (window, token, block);
  h264_cavlc_read_levels (dec, window, block, (gsize) token.total_coeff - token.trailing_ones, token.level_state);
  if (max_num_coeff == 15 && G_UNLIKELY (token.total_coeff >= 15)) {
    if (token.total_coeff > 15) {
      h264_slice_decoder_fail (dec, "total_coeff is out of range");
      return 0;
    }
    block->mask = 0x7fff;
    return token.total_coeff;
  }
  block->mask = h264_cavlc_read_places (dec, window, token.total_coeff, max_num_coeff);
  if (max_num_coeff == 15 && G_UNLIKELY (block->mask >> 15)) {
    h264_slice_decoder_fail (dec, "total_zeros is out of range");
    return 0;
  }
  return token.total_coeff;
}
