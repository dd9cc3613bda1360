/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "h264fmo.h"

/* Interleaved (8.2.2.1) */
static void
map_type_0 (const H264Pps *pps, guint8 *map, guint size)
{
  guint i = 0;

  while (i < size) {
    for (guint iGroup = 0; iGroup < pps->num_slice_groups && i < size; iGroup++) {
      guint run = MIN (pps->run_length[iGroup], size - i);

      memset (map + i, iGroup, run);
      i += run;
    }
  }
}

/* Dispersed (8.2.2.2) */
static void
map_type_1 (const H264Pps *pps, guint8 *map, guint size)
{
  guint width = pps->sps->pic_width_in_mbs, n = pps->num_slice_groups;

  for (guint i = 0; i < size; i++)
    map[i] = (i % width + i / width * n / 2) % n;
}

/* Foreground with left-over (8.2.2.3): the group of lowest number is on top */
static void
map_type_2 (const H264Pps *pps, guint8 *map, guint size)
{
  guint width = pps->sps->pic_width_in_mbs;

  memset (map, pps->num_slice_groups - 1, size);
  for (gint iGroup = pps->num_slice_groups - 2; iGroup >= 0; iGroup--) {
    guint left = pps->top_left[iGroup] % width, right = pps->bottom_right[iGroup] % width;

    for (guint y = pps->top_left[iGroup] / width; y <= pps->bottom_right[iGroup] / width && left <= right; y++)
      memset (map + y * width + left, iGroup, right - left + 1);
  }
}

/* Box-out (8.2.2.4): a spiral from the middle, which the bounds of the box turn */
static void
map_type_3 (const H264Pps *pps, guint8 *map, guint n_units)
{
  gint width = pps->sps->pic_width_in_mbs, height = pps->sps->pic_height_in_map_units, dir = pps->slice_group_change_direction_flag;
  gint x = (width - dir) / 2, y = (height - dir) / 2, xDir = dir - 1, yDir = dir;
  gint leftBound = x, topBound = y, rightBound = x, bottomBound = y;

  memset (map, 1, width * height);
  for (guint k = 0; k < n_units;) {
    k += map[y * width + x];
    map[y * width + x] = 0;
    if (xDir == -1 && x == leftBound) {
      x = leftBound = MAX (leftBound - 1, 0);
      xDir = 0;
      yDir = 2 * dir - 1;
    } else if (xDir == 1 && x == rightBound) {
      x = rightBound = MIN (rightBound + 1, width - 1);
      xDir = 0;
      yDir = 1 - 2 * dir;
    } else if (yDir == -1 && y == topBound) {
      y = topBound = MAX (topBound - 1, 0);
      xDir = 1 - 2 * dir;
      yDir = 0;
    } else if (yDir == 1 && y == bottomBound) {
      y = bottomBound = MIN (bottomBound + 1, height - 1);
      xDir = 2 * dir - 1;
      yDir = 0;
    } else {
      x += xDir;
      y += yDir;
    }
  }
}

/* Raster scan (8.2.2.5) */
static void
map_type_4 (const H264Pps *pps, guint8 *map, guint size, guint sizeOfUpperLeftGroup)
{
  guint dir = pps->slice_group_change_direction_flag;

  for (guint i = 0; i < size; i++)
    map[i] = i < sizeOfUpperLeftGroup ? dir : 1 - dir;
}

/* Wipe (8.2.2.6): column after column */
static void
map_type_5 (const H264Pps *pps, guint8 *map, guint sizeOfUpperLeftGroup)
{
  guint width = pps->sps->pic_width_in_mbs, dir = pps->slice_group_change_direction_flag, k = 0;

  for (guint x = 0; x < width; x++) {
    for (guint y = 0; y < pps->sps->pic_height_in_map_units; y++)
      map[y * width + x] = k++ < sizeOfUpperLeftGroup ? dir : 1 - dir;
  }
}

void
h264_fmo_map_units (const H264SliceHeader *sh, guint8 *map)
{
  const H264Pps *pps = sh->pps;
  guint size = pps->sps->PicSizeInMapUnits, n = sh->MapUnitsInSliceGroup0;
  guint sizeOfUpperLeftGroup = pps->slice_group_change_direction_flag ? size - n : n; /* (8-14) */

  if (pps->num_slice_groups == 1) {
    memset (map, 0, size);
    return;
  }
  switch (pps->slice_group_map_type) {
    case 0:
      map_type_0 (pps, map, size);
      break;
    case 1:
      map_type_1 (pps, map, size);
      break;
    case 2:
      map_type_2 (pps, map, size);
      break;
    case 3:
      map_type_3 (pps, map, n);
      break;
    case 4:
      map_type_4 (pps, map, size, sizeOfUpperLeftGroup);
      break;
    case 5:
      map_type_5 (pps, map, sizeOfUpperLeftGroup);
      break;
    default: /* 6: explicit (8.2.2.7) */
      memcpy (map, pps->slice_group_id, size);
      break;
  }
}

/* 8.2.2.8 */
void
h264_fmo_map_mbs (const H264SliceHeader *sh, const guint8 *map_units, guint8 *map)
{
  guint width = sh->pps->sps->pic_width_in_mbs;

  if (sh->pps->sps->frame_mbs_only_flag || sh->field_pic_flag) {
    memcpy (map, map_units, sh->PicSizeInMbs);
  } else if (sh->MbaffFrameFlag) {
    memcpy (map, map_units, sh->PicSizeInMbs / 2);
  } else {
    /* a map unit is a pair of macroblocks one above the other */
    for (guint i = 0; i < sh->PicSizeInMbs; i++)
      map[i] = map_units[i / (2 * width) * width + i % width];
  }
}
