/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The macroblock layer (ITU-T H.264, 7.3.5) of P and B slices.
 */
#pragma once

#include "h264slicestate.h"

G_BEGIN_DECLS

/* Works out skipped_records, as far as they follow from the slice and QPY. */
void h264_macroblock_prepare_skipped (H264SliceDecoder *dec);
/* A macroblock of a P slice, of a B slice.  In MBAFF frames with its mb_skip_flag or mb_skip_run; in others it is known not to be skipped
 * (h264skiprun.h). */
void h264_macroblock_p (H264SliceDecoder *dec);
void h264_macroblock_b (H264SliceDecoder *dec);

G_END_DECLS
