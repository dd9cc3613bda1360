/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mb_qp_delta in place of QP in macroblock records, for gpuqp.
 */
#pragma once

#include "h264picturejob.h"

G_BEGIN_DECLS

/* Puts mb_qp_delta in place of the QP of macroblocks (GST_GPU_MB_QP_DELTA), for a picture that is finished: of all that come behind mbAddr - 1
 * in their slice.  The first of a slice, those whose slice is scattered (slice groups) and concealed ones keep their QP. */
void h264_qp_delta_restore (H264PictureJob *job);

G_END_DECLS
