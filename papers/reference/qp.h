/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * QP and mb_qp_delta in the records of macroblocks, in plain C.  Records that have mb_qp_delta are marked by GST_GPU_MB_EXTRA: qp_filter[0]
 * is mb_qp_delta (7.4.5), to be added to QP of mbAddr - 1, and all other QPs are 0.
 */
#ifndef REFERENCE_QP_H
#define REFERENCE_QP_H

#include "reference.h"

/* QPY and the QP of chroma from mb_qp_delta, of marked macroblocks (7.4.5, 8.5.8), in the records of the picture */
void gpu_reference_qp_records (const GpuReferencePicture *picture);

/* The reverse: marks those of @n_mbs macroblocks that gpu_reference_qp_records() restores exactly, and whose predecessor is of the same
 * slice */
void gpu_reference_qp_deltas (const GstGpuPicture *params, GstGpuMb *mbs, const GstGpuSlice *slices, size_t n_mbs);

#endif
