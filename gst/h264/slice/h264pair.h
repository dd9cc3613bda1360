/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pairs of macroblocks of MBAFF frames: what slice data say of a pair (ITU-T H.264, 7.3.4), and what is inferred (7.4.4).
 */
#pragma once

#include "h264slicestate.h"

G_BEGIN_DECLS

/* A pair begins: its mb_field_decoding_flag is inferred, as long as none is read. */
void h264_pair_begin (H264SliceDecoder *dec);

/* Reads mb_field_decoding_flag, if the current macroblock is the upper one. */
void h264_pair_read_field_flag (H264SliceDecoder *dec);

/* Reads whether the current macroblock of a P or B slice is skipped, and what has to be known of its pair for that. */
gboolean h264_pair_read_skip (H264SliceDecoder *dec);

G_END_DECLS
