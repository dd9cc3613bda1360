/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Which neighbours of the current macroblock may be used (ITU-T H.264, 6.4.9 to 6.4.12), for parsing, intra prediction and deblocking.
 */
#pragma once

#include "h264slicestate.h"

G_BEGIN_DECLS

/* Writes what follows from where the macroblock is, and from the kind of its pair in MBAFF frames: to the decoder, to its record and to its
 * motion syntax.  Again where the kind turns out to be another one. */
void h264_availability_begin_macroblock (H264SliceDecoder *dec);

/* An intra macroblock of a P or B slice with constrained_intra_pred_flag: samples of inter macroblocks are none to predict from
 * (8.3.1.2). */
void h264_availability_constrain_intra (H264SliceDecoder *dec);

/* Which of the pairs beside the current one are of its slice: GST_GPU_AVAILABLE_* */
guint h264_availability_of_pairs (const H264SliceDecoder *dec);

G_END_DECLS
