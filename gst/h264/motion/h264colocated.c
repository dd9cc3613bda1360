/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264colocated.h"

/* Takes the macroblocks @upper and @lower of @map for the two halves. */
static gboolean
take (const H264MotionPass *pass, const H264MotionMap *map, guint upper, guint lower, H264Colocated *colocated)
{
  if (upper >= map->n_mbs || lower >= map->n_mbs)
    return FALSE;
  colocated->mb[0] = &map->planes[pass->plane][upper];
  colocated->mb[1] = &map->planes[pass->plane][lower];
  colocated->still[0] = map->still[pass->plane][upper];
  colocated->still[1] = map->still[pass->plane][lower];
  return TRUE;
}

/* The block row in its macroblock of both halves */
static void
set_rows (H264Colocated *colocated, H264VertMvScale scale, guint upper, guint lower)
{
  colocated->scale = scale;
  for (guint quadrant = 0; quadrant < 4; quadrant++)
    colocated->corner[quadrant] = (guint8) ((quadrant < 2 ? upper : lower) * 4 + (quadrant & 1) * 3);
}

static gboolean
find_one_to_one (const H264MotionPass *pass, const H264MotionMap *map, guint mbAddr, H264Colocated *colocated)
{
  set_rows (colocated, H264_ONE_TO_ONE, 0, 3);
  return take (pass, map, mbAddr, mbAddr, colocated);
}

/* A field's macroblock from a pair of frame macroblocks: the upper quadrants from the first, the lower ones from the second,
 * yM = (2 * yCol) % 16. */
static gboolean
find_in_frame_pair (const H264MotionPass *pass, const H264MotionMap *map, guint first, guint second, H264Colocated *colocated)
{
  set_rows (colocated, H264_FRM_TO_FLD, 0, 2);
  return take (pass, map, first, second, colocated);
}

/* The upper or lower half of a field's macroblock for a frame macroblock: yM = 8 * lower + 4 * (yCol / 8) */
static gboolean
find_in_field (const H264MotionPass *pass, const H264MotionMap *map, guint mbAddr, guint lower, H264Colocated *colocated)
{
  set_rows (colocated, H264_FLD_TO_FRM, 2 * lower, 2 * lower + 1);
  return take (pass, map, mbAddr, mbAddr, colocated);
}

/* For a macroblock of a field */
static gboolean
find_for_field (const H264MotionPass *pass, const H264MotionMap *map, guint mbAddr, H264Colocated *colocated)
{
  const guint width = pass->width_in_mbs, row = mbAddr / width;

  if (map->structure != H264_FRAME)
    return find_one_to_one (pass, map, mbAddr, colocated);
  if (!map->mbaff)
    return find_in_frame_pair (pass, map, mbAddr + row * width, mbAddr + (row + 1) * width, colocated);
  if (2 * mbAddr < map->n_mbs && map->is_field[pass->plane][2 * mbAddr])
    return find_one_to_one (pass, map, 2 * mbAddr + (pass->structure == H264_BOTTOM_FIELD), colocated);
  return find_in_frame_pair (pass, map, 2 * mbAddr, 2 * mbAddr + 1, colocated);
}

/* For a macroblock of a frame without MBAFF.  All frames of a sequence have MBAFF, or none (mb_adaptive_frame_field_flag). */
static gboolean
find_for_frame (const H264MotionPass *pass, const H264MotionMap *map, guint mbAddr, H264Colocated *colocated)
{
  const guint width = pass->width_in_mbs, row = mbAddr / width;

  if (map->structure == H264_FRAME)
    return find_one_to_one (pass, map, mbAddr, colocated);
  return find_in_field (pass, map, mbAddr - (row + 1) / 2 * width, row & 1, colocated);
}

/* For a macroblock of an MBAFF frame */
static gboolean
find_for_mbaff (const H264MotionPass *pass, const H264MotionSlice *slice, const H264MotionMap *map, guint mbAddr, H264Colocated *colocated)
{
  const gboolean is_field = (pass->mbs[mbAddr].flags & GST_GPU_MB_FIELD) != 0;
  const guint lower = mbAddr & 1, first = mbAddr - lower;

  if (map->structure != H264_FRAME)
    return is_field ? find_one_to_one (pass, map, mbAddr / 2, colocated) : find_in_field (pass, map, mbAddr / 2, lower, colocated);
  if (mbAddr >= map->n_mbs || map->is_field[pass->plane][mbAddr] == is_field)
    return find_one_to_one (pass, map, mbAddr, colocated);
  if (is_field)
    return find_in_frame_pair (pass, map, first, first + 1, colocated);
  return find_in_field (pass, map, first + slice->colocated_parity, lower, colocated);
}

/* colPic (Table 8-6); NULL where it is not there */
static const H264MotionMap *
find_picture (const H264MotionPass *pass, const H264MotionSlice *slice, guint mbAddr)
{
  guint parity = slice->colocated_parity;

  if (!slice->colocated[0] || !slice->colocated[1])
    return slice->colocated[0] ? slice->colocated[0] : slice->colocated[1];
  if (pass->mbaff && (pass->mbs[mbAddr].flags & GST_GPU_MB_FIELD))
    parity = mbAddr & 1;
  return slice->colocated[parity];
}

gboolean
h264_colocated_find (const H264MotionPass *pass, const H264MotionSlice *slice, guint mbAddr, H264Colocated *colocated)
{
  const H264MotionMap *map = find_picture (pass, slice, mbAddr);

  if (!map || map->all_intra || pass->plane >= map->n_planes || map->width_in_mbs != pass->width_in_mbs)
    return FALSE;
  if (pass->mbaff)
    return find_for_mbaff (pass, slice, map, mbAddr, colocated);
  return pass->structure == H264_FRAME ? find_for_frame (pass, map, mbAddr, colocated) : find_for_field (pass, map, mbAddr, colocated);
}
