/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Macroblocks that are skipped (P_Skip, B_Skip), one behind the other, in slices without MBAFF.
 *
 * Most macroblocks of most streams are skipped, and all that is read of one is a bin or two.  So they have a loop of their own, in which
 * the entropy coding's reader stays in registers, and what is the same for all of them is not worked out again.  The readers come as
 * constants, as those of residuals do (h264residual.h).
 */
#pragma once

#include "h264availability.h"
#include "h264mbedges.h"
#include "h264slicewalk.h"

G_BEGIN_DECLS

/**
 * H264SkipReaders:
 * @mb_skip: mb_skip_flag, or what mb_skip_run says of the macroblock
 * @more_macroblocks: as H264EntropyCoding has it
 *
 * Both with the coding's own reader, @engine.
 */
typedef struct
{
  gboolean (*mb_skip) (H264SliceDecoder *dec, gpointer engine);
  gboolean (*more_macroblocks) (H264SliceDecoder *dec, gpointer engine);
} H264SkipReaders;

/* What dec->skipped_records says, as the macroblock where @dec stands has it */
H264_ALWAYS_INLINE void
h264_skip_run_write (H264SliceDecoder *dec)
{
  GstGpuMb *mb = &dec->mbs[dec->place.mbAddr];
  H264MbMotion *motion = &dec->motion[dec->place.mbAddr];

  *mb = dec->skipped_records.mb;
  mb->filter = (guint8) dec->filter;
  *motion = dec->skipped_records.motion;
  motion->available = (guint8) dec->available;
}

/* Reads macroblocks up to one that is not skipped, whose mb_skip_flag has been read then: TRUE.  FALSE where the slice ends before that, or
 * with an error. */
H264_ALWAYS_INLINE gboolean
h264_skip_run (H264SliceDecoder *dec, const H264SkipReaders *readers, gpointer engine)
{
  for (;;) {
    if (!h264_slice_may_decode (dec))
      return FALSE;
    h264_availability_find (dec);
    h264_mb_edges_begin (dec);
    if (!readers->mb_skip (dec, engine))
      return TRUE;
    dec->last_mb_qp_delta = 0;
    h264_skip_run_write (dec);
    if (!readers->more_macroblocks (dec, engine)) {
      if (!dec->error)
        h264_slice_count (dec);
      return FALSE;
    }
    h264_slice_count (dec);
    h264_mb_edges_save_skipped (dec);
    if (!h264_slice_advance (dec, FALSE))
      return FALSE;
  }
}

G_END_DECLS
