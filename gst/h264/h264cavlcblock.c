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

H264CavlcEscape __attribute__ ((noinline)) h264_cavlc_read_escape (H264SliceDecoder *dec, H264CavlcWindow window, guint suffixLength)
{
  guint level_prefix, levelSuffixSize, levelCode;

  h264_window_refill_unchecked (&window);
  level_prefix = (guint) __builtin_clzll (window.bits | 1);
  if (level_prefix > 25) {
    h264_slice_decoder_fail (dec, no_code);
    return (H264CavlcEscape){ window, level_prefix, 0 };
  }
  h264_window_skip (&window, level_prefix + 1);
  h264_window_refill_unchecked (&window);
  levelSuffixSize = level_prefix == 14 ? 4 : level_prefix - 3;
  levelCode = (MIN (15, level_prefix) << suffixLength) + h264_window_take (&window, levelSuffixSize);
  if (level_prefix >= 15 && suffixLength == 0)
    levelCode += 15;
  if (level_prefix >= 16)
    levelCode += (1u << (level_prefix - 3)) - 4096;
  h264_window_refill_unchecked (&window);
  return (H264CavlcEscape){ window, level_prefix, levelCode };
}

void
h264_cavlc_note_wide_levels (H264SliceDecoder *dec, const H264CavlcBlock *from, const gint16 *block, const guint8 *scan)
{
  const gint32 *level = from->levels + H264_CAVLC_ROOM;

  for (guint mask = from->mask; mask != 0; mask &= mask - 1, level++)
    if (*level != (gint16) *level)
      h264_slice_decoder_wide_level (dec, &block[scan[__builtin_ctz (mask)]], *level);
}
