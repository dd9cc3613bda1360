/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Decodes the slice data of one slice (ITU-T H.264, 7.3.4) into macroblock records and compacted blocks (gpurecords.h).
 *
 * It needs nothing from other slices or pictures, so slices decode at the same time, a decoder a thread.  Its parts, each of which uses
 * only what stands behind it: h264slicedecoder.c walks the macroblocks (h264slicewalk.h), h264skiprun.h over those that are skipped;
 * h264macroblockinter.c is the macroblock layer of P and B slices, h264macroblock.c that of intra macroblocks and what both share;
 * h264mbedges.c carries what neighbours need from macroblock to macroblock; h264cavlc.c and h264cabacsyntax.c read the syntax elements
 * (h264coding.h), in the order of h264residual.h where they are coefficients;
 * two slices side by side (h264slicepair.h) have theirs read by h264cabaclanes.c;
 * h264slicestate.h is what all of them know.
 */
#pragma once

#include "h264picturetarget.h"
#include "h264sliceheader.h"
#include "h264slicestate.h"

G_BEGIN_DECLS

H264SliceDecoder *h264_slice_decoder_new (void);
void h264_slice_decoder_free (H264SliceDecoder *dec);

/**
 * H264SliceResult:
 * @n_mbs: macroblocks decoded, all of them sound
 * @error: (nullable): why it ended before the slice did, or what is wrong with its end
 */
typedef struct
{
  guint n_mbs;
  const gchar *error;
} H264SliceResult;

/* Begins a slice: @bits stands at its slice_data(), @writer belongs to the target's arena. */
void h264_slice_decoder_begin (H264SliceDecoder *dec, const H264SliceHeader *sh, const H264PictureTarget *target, guint16 slice_index,
    const H264Bits *bits, H264BlockWriter *writer, H264MvdList *mvds);

/* Decodes the slice to its end: FALSE.  Where leaves_residuals is set it stops at each residual, which somebody else reads before the next
 * call: TRUE. */
gboolean h264_slice_decoder_go_on (H264SliceDecoder *dec);

/* What became of the slice.  The macroblock in which an error is found is not counted and its entry in mb_slice is H264_NO_SLICE. */
H264SliceResult h264_slice_decoder_end (const H264SliceDecoder *dec);

G_END_DECLS
