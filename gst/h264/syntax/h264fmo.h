/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Slice groups: which macroblocks follow each other in a slice (8.2.2).
 */
#pragma once

#include "h264sliceheader.h"

G_BEGIN_DECLS

/* Derives mapUnitToSliceGroupMap: @map has PicSizeInMapUnits entries.  Types 3 to 5 depend on the slice (MapUnitsInSliceGroup0). */
void h264_fmo_map_units (const H264SliceHeader *sh, guint8 *map);

/* Derives MbToSliceGroupMap from @map_units: @map has PicSizeInMbs entries, indexed by mbAddr; in an MBAFF frame by the address of the
 * pair, of which there are PicSizeInMbs / 2. */
void h264_fmo_map_mbs (const H264SliceHeader *sh, const guint8 *map_units, guint8 *map);

/* NextMbAddress() (8-16): the next entry behind @addr of the same group among @n entries, or @n */
static inline guint
h264_fmo_next (const guint8 *map, guint n, guint addr)
{
  guint next = addr + 1;

  while (next < n && map[next] != map[addr])
    next++;
  return next;
}

G_END_DECLS
