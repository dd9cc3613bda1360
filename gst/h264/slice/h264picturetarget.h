/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The picture that slices are decoded into: the records of its macroblocks, and who decoded each.
 */
#pragma once

#include "h264blocks.h"
#include "h264mbmotion.h"

G_BEGIN_DECLS

/* mb_slice[] of a macroblock that no slice has decoded */
#define H264_NO_SLICE 0xffff

/**
 * H264PictureTarget:
 * @mbs: macroblock records, an array for each colour plane
 * @mb_slice: the slice that decoded each macroblock (index of its GstGpuSlice), H264_NO_SLICE at first; an array for each colour plane
 * @slice_start: a bit for each macroblock that is the first of some slice: no other slice may run into it
 * @motion: motion syntax of each macroblock; an array for each colour plane
 * @mb_to_slice_group: (nullable): MbToSliceGroupMap where there are several slice groups; of pairs in MBAFF frames
 * @mbaff: MbaffFrameFlag: mbAddr counts pairs
 * @arena: where blocks go
 *
 * The picture that slices are decoded into.  Slices write to macroblocks of their own only.
 */
typedef struct
{
  GstGpuMb *mbs[3];
  guint16 *mb_slice[3];
  guint8 *slice_start[3];
  H264MbMotion *motion[3];
  guint8 *mb_to_slice_group;
  guint width_in_mbs, height_in_mbs;
  gboolean mbaff;
  H264CoeffArena *arena;
} H264PictureTarget;

/* The slice of a macroblock, while slices decode: each asks about macroblocks that others may be decoding, but only whether they are its
 * own, which it needs no order for. */
static inline guint16
h264_mb_slice_get (const guint16 *mb_slice, guint mbAddr)
{
  return __atomic_load_n (&mb_slice[mbAddr], __ATOMIC_RELAXED);
}

static inline void
h264_mb_slice_set (guint16 *mb_slice, guint mbAddr, guint16 slice)
{
  __atomic_store_n (&mb_slice[mbAddr], slice, __ATOMIC_RELAXED);
}

G_END_DECLS
