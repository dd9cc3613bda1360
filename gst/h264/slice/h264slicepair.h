/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Two slices in CABAC, decoded by one thread at the same time: their residuals side by side (h264cabaclanes.h), everything else in turn.
 */
#pragma once

#include <stdatomic.h>

#include "h264cabaclanes.h"
#include "h264slicedecoder.h"

G_BEGIN_DECLS

/**
 * H264SlicePair:
 * @decs: the slices
 * @ended: slices that are at their end
 */
typedef struct
{
  H264SliceDecoder *decs[2];
  gboolean ended[2];
} H264SlicePair;

/* Whether the slice of @sh can be one of two */
gboolean h264_slice_pair_takes (const H264SliceHeader *sh);

/* Number @i of the two becomes the slice that @dec has begun with its residuals left out; decodes it up to the first. */
void h264_slice_pair_set (H264SlicePair *pair, guint i, H264SliceDecoder *dec);

/* Decodes both until one of them has ended: gives its number. */
guint h264_slice_pair_run (H264SlicePair *pair);

/* Decodes number @i alone: TRUE at its end, at once where it has ended.  FALSE at a residual, which has begun, where *@second_waits is not
 * 0 any more: then it can go on beside another one, or alone again. */
gboolean h264_slice_pair_run_alone (H264SlicePair *pair, guint i, const _Atomic guint *second_waits);

G_END_DECLS
