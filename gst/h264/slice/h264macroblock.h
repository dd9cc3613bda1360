/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The macroblock layer (ITU-T H.264, 7.3.5) of intra macroblocks, and what inter macroblocks share with it.
 */
#pragma once

#include "h264slicestate.h"

G_BEGIN_DECLS

/* A macroblock of an I slice */
void h264_macroblock_i (H264SliceDecoder *dec);
/* An intra macroblock of any slice; its mb_type, as Table 7-11 numbers it, has been read */
void h264_macroblock_intra (H264SliceDecoder *dec, guint mb_type);
/* coded_block_pattern has been read: the rest of an inter macroblock, mb_qp_delta and residual */
void h264_macroblock_finish (H264SliceDecoder *dec);
/* Behind residual(), where somebody else has read it (residual_waits) */
void h264_macroblock_end_residual (H264SliceDecoder *dec);
/* Has the record say the QP that follows from QPY, and whether the transform is bypassed. */
void h264_macroblock_set_qp (H264SliceDecoder *dec);

G_END_DECLS
