/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "slicegroups.h"

/* 7.3.2.2, behind num_slice_groups_minus1 */
void
put_slice_group_elements (BitWriter *w, const SliceGroups *groups)
{
  put_ue (w, groups->type);
  if (groups->type == 0) {
    for (guint i = 0; i < groups->n; i++)
      put_ue (w, groups->run_length[i] - 1);
  } else if (groups->type == 2) {
    for (guint i = 0; i + 1 < groups->n; i++) {
      put_ue (w, groups->top_left[i]);
      put_ue (w, groups->bottom_right[i]);
    }
  } else if (groups->type >= 3 && groups->type <= 5) {
    put_u (w, 1, groups->change_direction);
    put_ue (w, groups->change_rate - 1);
  } else if (groups->type == 6) {
    put_ue (w, groups->width * groups->height - 1);
    for (guint i = 0; i < groups->width * groups->height; i++)
      put_u (w, g_bit_storage (groups->n - 1), groups->ids[i]);
  }
}

static void
randomise_rectangles (SliceGroups *groups, GRand *rand)
{
  for (guint i = 0; i + 1 < groups->n; i++) {
    const gint left = g_rand_int_range (rand, 0, (gint) groups->width), right = g_rand_int_range (rand, left, (gint) groups->width);
    const gint first = g_rand_int_range (rand, 0, (gint) groups->height), last = g_rand_int_range (rand, first, (gint) groups->height);

    groups->top_left[i] = (guint) (first * (gint) groups->width + left);
    groups->bottom_right[i] = (guint) (last * (gint) groups->width + right);
  }
}

void
slice_groups_randomise (SliceGroups *groups, GRand *rand, guint type, guint width, guint height)
{
  memset (groups, 0, sizeof (*groups));
  groups->type = type;
  groups->width = width;
  groups->height = height;
  groups->n = type >= 3 && type <= 5 ? 2 : (guint) g_rand_int_range (rand, 2, 5);
  for (guint i = 0; i < groups->n; i++)
    groups->run_length[i] = (guint) g_rand_int_range (rand, 1, MIN (5, (gint) (width * height) + 1));
  randomise_rectangles (groups, rand);
  groups->change_direction = (guint) g_rand_int_range (rand, 0, 2);
  groups->change_rate = (guint) g_rand_int_range (rand, 1, (gint) (width * height) / 2 + 1);
  g_assert (width * height <= G_N_ELEMENTS (groups->ids));
  for (guint i = 0; i < width * height; i++)
    groups->ids[i] = (guint8) g_rand_int_range (rand, 0, (gint) groups->n);
}

/* 8.2.2.1 */
static guint
interleaved (const SliceGroups *groups, guint unit)
{
  for (guint i = 0, iGroup = 0;; iGroup = (iGroup + 1) % groups->n) {
    i += groups->run_length[iGroup];
    if (unit < i)
      return iGroup;
  }
}

/* 8.2.2.3 */
static guint
foreground (const SliceGroups *groups, guint unit)
{
  const guint x = unit % groups->width, y = unit / groups->width;

  for (guint iGroup = 0; iGroup + 1 < groups->n; iGroup++) {
    const guint first = groups->top_left[iGroup], last = groups->bottom_right[iGroup];

    if (x >= first % groups->width && x <= last % groups->width && y >= first / groups->width && y <= last / groups->width)
      return iGroup;
  }
  return groups->n - 1;
}

/* 8.2.2.4: in a spiral from the middle the first @n units are of group 0. */
static guint
box_out (const SliceGroups *groups, guint n, guint unit)
{
  const gint W = (gint) groups->width, H = (gint) groups->height, dir = (gint) groups->change_direction;
  gint x = (W - dir) / 2, y = (H - dir) / 2, leftBound = x, topBound = y, rightBound = x, bottomBound = y, xDir = dir - 1, yDir = dir;
  guint8 taken[MAX_MAP_UNITS] = { 0 };
  guint mapUnitVacant;

  for (guint k = 0; k < n; k += mapUnitVacant) {
    mapUnitVacant = !taken[y * W + x];
    taken[y * W + x] = 1;
    if (xDir == -1 && x == leftBound) {
      x = leftBound = MAX (leftBound - 1, 0);
      xDir = 0;
      yDir = 2 * dir - 1;
    } else if (xDir == 1 && x == rightBound) {
      x = rightBound = MIN (rightBound + 1, W - 1);
      xDir = 0;
      yDir = 1 - 2 * dir;
    } else if (yDir == -1 && y == topBound) {
      y = topBound = MAX (topBound - 1, 0);
      xDir = 1 - 2 * dir;
      yDir = 0;
    } else if (yDir == 1 && y == bottomBound) {
      y = bottomBound = MIN (bottomBound + 1, H - 1);
      xDir = 2 * dir - 1;
      yDir = 0;
    } else {
      x += xDir;
      y += yDir;
    }
  }
  return !taken[unit];
}

/* 8.2.2.1 to 8.2.2.7: mapUnitToSliceGroupMap */
static guint
group_of_unit (const SliceGroups *groups, guint MapUnitsInSliceGroup0, guint unit)
{
  const guint size = groups->width * groups->height, dir = groups->change_direction;
  const guint sizeOfUpperLeftGroup = dir ? size - MapUnitsInSliceGroup0 : MapUnitsInSliceGroup0;

  switch (groups->type) {
    case 0:
      return interleaved (groups, unit);
    case 1:
      return (unit % groups->width + unit / groups->width * groups->n / 2) % groups->n;
    case 2:
      return foreground (groups, unit);
    case 3:
      return box_out (groups, MapUnitsInSliceGroup0, unit);
    case 4:
      return unit < sizeOfUpperLeftGroup ? dir : 1 - dir;
    case 5:
      return unit % groups->width * groups->height + unit / groups->width < sizeOfUpperLeftGroup ? dir : 1 - dir;
    default:
      return groups->ids[unit];
  }
}

/* 8.2.2.8 */
guint
slice_group_of_mb (const PictureModel *picture, guint MapUnitsInSliceGroup0, guint mbAddr)
{
  const SliceGroups *groups = picture->pps.slice_groups;
  guint unit;

  if (!groups)
    return 0;
  if (!picture->sps.interlaced || picture->field)
    unit = mbAddr;
  else if (picture->mbaff)
    unit = mbAddr / 2;
  else
    unit = mbAddr / (2 * picture->width) * picture->width + mbAddr % picture->width;
  return group_of_unit (groups, MapUnitsInSliceGroup0, unit);
}
