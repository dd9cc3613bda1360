/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A coded picture as records to read: the arenas of a buffer between the entropy stage and the first stage behind it.
 */
#pragma once

#include "gstcodedpicture.h"
#include "gstcoeffmeta.h"

G_BEGIN_DECLS

typedef struct
{
  GstCodedPicture *picture;
  GstCoeffMeta *blocks;
  GstBuffer *buffer;
  GstMapInfo header, coeffs;
} RecordView;

/* FALSE where @buffer is no coded picture of H.264, or cannot be mapped, or says that records lie outside of its arenas. */
gboolean record_view_init (RecordView *self, GstBuffer *buffer);
void record_view_clear (RecordView *self);

guint record_view_count_mbs (const RecordView *self, guint plane);

/* (transfer none): by mbAddr, record_view_count_mbs() of them */
const GstGpuMb *record_view_get_mbs (const RecordView *self, guint plane);

/* (transfer none): GstCodedPicture.n_slices of them */
const GstGpuSlice *record_view_get_slices (const RecordView *self);

/* (transfer none) (nullable): as many as slices; NULL without P or B slices */
const GstGpuInterSlice *record_view_get_inter_slices (const RecordView *self);

/* (transfer none) (nullable): GstGpuLayout.n_partitions of them; NULL without P or B slices */
const GstGpuPartition *record_view_get_partitions (const RecordView *self, guint plane);

/* Adds the number of levels that are not 0 to @levels[plane][mbAddr], where that is not NULL; samples of I_PCM are none.  Residuals of
 * lossless macroblocks count like levels.  The sum over all planes. */
guint64 record_view_count_levels (const RecordView *self, guint32 *levels[3]);

G_END_DECLS
