/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The macroblock layer (ITU-T H.264, 7.3.5) of P and B slices.
 */
#pragma once

#include "h264slicestate.h"

G_BEGIN_DECLS

/* A macroblock of a P slice, of a B slice, with its mb_skip_flag or mb_skip_run */
void h264_macroblock_p (H264SliceDecoder *dec);
void h264_macroblock_b (H264SliceDecoder *dec);

G_END_DECLS
