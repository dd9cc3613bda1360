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

/* A macroblock on a walk over the records by mbAddr; @x, @y: column and row of its unit, which in MBAFF frames is a pair (6.4.1), otherwise
 * the macroblock.  @mbaff: as in GstGpuPicture */
typedef struct
{
  uint mb_addr, x, y;
} MbWalk;

/* By pointer: oclgrind 21.10 does not know what a structure as a result becomes when it is inlined. */
INLINE void
begin_walk (MbWalk *walk, uint mb_addr, uint width_in_mbs, uint mbaff)
{
  uint unit = mb_addr >> mbaff;

  walk->mb_addr = mb_addr;
  walk->y = unit / width_in_mbs;
  walk->x = unit - walk->y * width_in_mbs;
}

INLINE void
step_walk (MbWalk *walk, uint width_in_mbs, uint mbaff)
{
  walk->mb_addr++;
  if (walk->mb_addr & mbaff)
    return;                     /* the lower macroblock of the same pair */
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

/* Of the macroblock that a walk has come to.  @mbs: the records of the picture; @field_pic, @mbaff: as in GstGpuPicture */
INLINE void
place_on_walk (Place *place, const MbWalk *walk, __global const GstGpuMb *mbs, uint field_pic, uint mbaff)
{
  uint lower = walk->mb_addr & 1;

  place->mb_addr = walk->mb_addr;
  place->column = (int) walk->x;
  place->mbaff_field = mbaff && (mbs[walk->mb_addr].flags & GST_GPU_MB_FIELD);
  place->parity = place->mbaff_field ? (int) lower : (int) field_pic - 1;
  place->row = (int) (mbaff && !place->mbaff_field ? walk->y * 2 + lower : walk->y);
}

/* Inverse macroblock scanning (6.4.1) */
INLINE void
init_place (Place *place, __global const GstGpuMb *mbs, uint mb_addr, uint width_in_mbs, uint field_pic, uint mbaff)
{
  MbWalk walk;

  begin_walk (&walk, mb_addr, width_in_mbs, mbaff);
  place_on_walk (place, &walk, mbs, field_pic, mbaff);
}

/* The macroblock's first line in a plane where it has @height of them, in lines of the picture */
INLINE uint
first_line (const Place *place, uint height)
{
  uint line = (uint) place->row * height;

  return place->mbaff_field ? 2 * line + (uint) place->parity : line;
}

/* Lines of the picture from one of the macroblock's to the next */
INLINE uint
line_step (const Place *place)
{
  return place->mbaff_field ? 2 : 1;
}

#endif
