/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Slices of a PictureModel as NAL units (ITU-T H.264, 7.3.3 to 7.3.5).
 */
#pragma once

#include "partitions.h"

/* The slice NAL unit with all macroblocks of slice number @slice.  Sets their total_coeff. */
GByteArray *write_slice (PictureModel *picture, guint slice);

/* slice_data () */
void put_slice_data_cavlc (PictureModel *picture, BitWriter *w, guint slice);
void put_slice_data_cabac (PictureModel *picture, BitWriter *w, guint slice);

/* What both codings share: pcm_alignment_zero_bits and the samples; rem_intra4x4_pred_mode or rem_intra8x8_pred_mode, -1 where the mode is
 * the predicted one (8.3.1.1, 8.3.2.1) */
void put_pcm_samples (const PictureModel *picture, BitWriter *w, const ModelMb *mb);
gint model_rem_pred_mode (const PictureModel *picture, guint mbAddr, guint blk);

/* Whether an inter macroblock has transform_size_8x8_flag, where the PPS allows it (7.3.5) */
gboolean model_may_choose_transform (const ModelMb *mb);
