/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * From one macroblock of a slice to the next.
 */
#pragma once

#include "h264slicestate.h"

G_BEGIN_DECLS

/* NextMbAddress(); slices of MBAFF frames go pair by pair. */
static inline guint
h264_slice_find_next (const H264SliceDecoder *dec, gboolean mbaff)
{
  const guint8 *mb_to_slice_group = dec->target->mb_to_slice_group;
  const guint mbAddr = dec->place.mbAddr, n_mbs = dec->target->width_in_mbs * dec->target->height_in_mbs;

  if (!mbaff)
    return h264_mb_next (mb_to_slice_group, n_mbs, mbAddr);
  return mbAddr % 2 == 0 ? mbAddr + 1 : 2 * h264_mb_next (mb_to_slice_group, n_mbs / 2, mbAddr / 2);
}

/* Whether macroblock @next, which follows, is there to be decoded; else an error */
static inline gboolean
h264_slice_may_go_on (H264SliceDecoder *dec, guint next)
{
  const H264PictureTarget *target = dec->target;

  if (G_UNLIKELY (next >= target->width_in_mbs * target->height_in_mbs)) {
    h264_slice_decoder_fail (dec, "slice data goes on behind the last macroblock");
    return FALSE;
  }
  if (G_UNLIKELY (target->slice_start[dec->colour_plane][next / 8] & 1u << next % 8)) {
    h264_slice_decoder_fail (dec, "slice data runs into the next slice");
    return FALSE;
  }
  return TRUE;
}

/* Moves on to the next macroblock; FALSE, with an error, where it is not there to be decoded.  @mbaff: MbaffFrameFlag */
H264_ALWAYS_INLINE gboolean
h264_slice_advance (H264SliceDecoder *dec, gboolean mbaff)
{
  const guint next = h264_slice_find_next (dec, mbaff);

  if (!h264_slice_may_go_on (dec, next))
    return FALSE;
  if (mbaff)
    dec->place = h264_mbaff_place (next, dec->target->width_in_mbs);
  else
    h264_mb_place_move (&dec->place, next, dec->target->width_in_mbs);
  return TRUE;
}

/* FALSE, with an error, where another slice has decoded the macroblock */
static inline gboolean
h264_slice_may_decode (H264SliceDecoder *dec)
{
  if (G_LIKELY (h264_mb_slice_get (dec->mb_slice, dec->place.mbAddr) == H264_NO_SLICE))
    return TRUE;
  h264_slice_decoder_fail (dec, "a macroblock is decoded twice");
  return FALSE;
}

/* The macroblock is sound: it counts. */
static inline void
h264_slice_count (H264SliceDecoder *dec)
{
  h264_mb_slice_set (dec->mb_slice, dec->place.mbAddr, dec->slice_index);
  dec->n_decoded++;
}

G_END_DECLS
