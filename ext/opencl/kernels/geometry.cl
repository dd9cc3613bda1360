/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Where macroblocks and their neighbours are (ITU-T H.264, 6.4.1, 6.4.9).  The one place in the kernels that computes with addresses.
 */
#ifndef GEOMETRY_CL
#define GEOMETRY_CL

#include "gpurecords.h"

#define INLINE static inline __attribute__ ((always_inline))

/* mbAddrA and mbAddrB: the neighbours at the left and above, where there are such */
INLINE __global const GstGpuMb *
mb_left (__global const GstGpuMb *mb)
{
  return mb - 1;
}

INLINE __global const GstGpuMb *
mb_above (__global const GstGpuMb *mb, uint width_in_mbs)
{
  return mb - width_in_mbs;
}

/* A macroblock on a walk in raster order */
typedef struct
{
  uint mb_addr, x, y;
} MbWalk;

/* By pointer: oclgrind 21.10 does not know what a structure as a result becomes when it is inlined. */
INLINE void
begin_walk (MbWalk *walk, uint mb_addr, uint width_in_mbs)
{
  walk->mb_addr = mb_addr;
  walk->y = mb_addr / width_in_mbs;
  walk->x = mb_addr - walk->y * width_in_mbs;
}

INLINE void
step_walk (MbWalk *walk, uint width_in_mbs)
{
  walk->mb_addr++;
  walk->x++;
  if (walk->x == width_in_mbs) {
    walk->x = 0;
    walk->y++;
  }
}

/* Where a macroblock lies, in pictures of every kind */
typedef struct
{
  uint mb_addr;
  int column, row;              /* in macroblocks of the picture, or of the field for field macroblocks of MBAFF frames */
  int parity;                   /* -1: of a frame, 0: of a top field, 1: of a bottom field */
  bool mbaff_field;             /* a field macroblock of an MBAFF frame */
} Place;

/* Inverse macroblock scanning (6.4.1).  @mbs: the records of the picture; @field_pic, @mbaff: as in GstGpuPicture */
INLINE void
init_place (Place *place, __global const GstGpuMb *mbs, uint mb_addr, uint width_in_mbs, uint field_pic, uint mbaff)
{
  MbWalk unit;
  uint lower = mb_addr & 1;

  begin_walk (&unit, mbaff ? mb_addr >> 1 : mb_addr, width_in_mbs);
  place->mb_addr = mb_addr;
  place->column = (int) unit.x;
  place->mbaff_field = mbaff && (mbs[mb_addr].flags & GST_GPU_MB_FIELD);
  place->parity = place->mbaff_field ? (int) lower : (int) field_pic - 1;
  place->row = (int) (mbaff && !place->mbaff_field ? unit.y * 2 + lower : unit.y);
}

#endif
