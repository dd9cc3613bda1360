/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The rare cases of residual_block_cavlc().
 */
#include "h264cavlcblock.h"

static const gchar *const no_code = "slice data has bits that are no code";

void __attribute__ ((noinline, cold)) h264_cavlc_fail_no_code (H264SliceDecoder *dec)
{
  h264_slice_decoder_fail (dec, no_code);
}

guint __attribute__ ((noinline, cold)) h264_cavlc_read_escape (H264SliceDecoder *dec, guint state, guint i, H264CavlcBlock *block)
{
  const guint suffixLength = h264_level_suffix_length (state);
  H264CavlcWindow window = dec->window;
  guint level_prefix, levelSuffixSize, levelCode;
  gint32 level;

  h264_window_refill_unchecked (&window);
  level_prefix = (guint) __builtin_clzll (window.bits | 1);
  if (level_prefix > 25) {
    h264_slice_decoder_fail (dec, no_code);
    block->levels[H264_CAVLC_ROOM + i] = 0;
    return state;
  }
  h264_window_skip (&window, level_prefix + 1);
  h264_window_refill_unchecked (&window);
  levelSuffixSize = level_prefix == 14 ? 4 : level_prefix - 3;
  levelCode = (MIN (15, level_prefix) << suffixLength) + (guint) (window.bits >> 1 >> (63 - levelSuffixSize));
  h264_window_skip (&window, levelSuffixSize);
  if (level_prefix >= 15 && suffixLength == 0)
    levelCode += 15;
  if (level_prefix >= 16)
    levelCode += (1u << (level_prefix - 3)) - 4096;
  levelCode += 2 * h264_level_least (state) - 2;
  /* even codes are positive, odd ones negative */
  level = levelCode % 2 ? -(gint32) (levelCode / 2 + 1) : (gint32) (levelCode / 2 + 1);
  block->levels[H264_CAVLC_ROOM + i] = (gint16) level;
  if (level != (gint16) level) {
    block->wide |= 1u << i;
    block->wide_levels[i] = level;
  }
  h264_window_refill_unchecked (&window);
  dec->window = window;
  return h264_level_next_state (state, levelCode / 2 + 1);
}

void __attribute__ ((noinline, cold))
h264_cavlc_note_wide_levels (H264SliceDecoder *dec, const H264CavlcBlock *from, const gint16 *block, const guint8 *scan)
{
  guint i = 0;

  for (guint mask = from->mask; mask != 0; mask &= mask - 1, i++)
    if (from->wide >> i & 1)
      h264_slice_decoder_wide_level (dec, &block[scan[__builtin_ctz (mask)]], from->wide_levels[i]);
}
