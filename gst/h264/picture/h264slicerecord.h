/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A slice in the records (gpurecords.h): what its macroblocks share, and the tables that the partitions of a P or B slice refer to, which
 * are reference pictures and prediction weights (ITU-T H.264, 8.4.2.1, 8.4.2.3).
 */
#pragma once

#include "h264motionslice.h"

G_BEGIN_DECLS

/**
 * H264References:
 * @numbers: frames that the slices of a picture refer to; H264_NO_FRAME where there is none to conceal with
 * @n: how many
 *
 * GstGpuInterSlice.reference counts in this order.
 */
typedef struct
{
  guint32 numbers[GST_GPU_MAX_REFERENCES];
  guint n;
} H264References;

/* Fills in @record for slice @sh, but for n_mbs. */
void h264_slice_record_fill (GstGpuSlice *record, const H264SliceHeader *sh);

/* Fills in @record for slice @sh with @lists; @current: what its picture would be in a list.  Frames that are new go to @references.  FALSE
 * where there are more of them than a picture can refer to. */
gboolean h264_inter_slice_fill (GstGpuInterSlice *record, const H264SliceHeader *sh, const H264RefLists *lists, const H264RefPic *current,
    H264References *references);

G_END_DECLS
