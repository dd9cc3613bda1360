/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Slice groups: their syntax (ITU-T H.264, 7.3.2.2) and their maps (8.2.2).
 */
#pragma once

#include "picturemodel.h"

/* What a PPS says of @type (slice_group_map_type), in terms of pictures of @width x @height map units */
void slice_groups_randomise (SliceGroups *groups, GRand *rand, guint type, guint width, guint height);

/* 8.2.2: the slice group of macroblock @mbAddr; @MapUnitsInSliceGroup0 of types 3 to 5 */
guint slice_group_of_mb (const PictureModel *picture, guint MapUnitsInSliceGroup0, guint mbAddr);
