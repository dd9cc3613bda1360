/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "partitions.h"

/* By sub_mb_type: the lists, and the size of a part in 4x4 blocks */
static const struct
{
  guint8 lists, width, height;
} sub_mb_types[2][13] = {
  { { 1, 2, 2 }, { 1, 2, 1 }, { 1, 1, 2 }, { 1, 1, 1 } },
  { { 0, 2, 2 }, { 1, 2, 2 }, { 2, 2, 2 }, { 3, 2, 2 }, { 1, 2, 1 }, { 1, 1, 2 }, { 2, 2, 1 }, { 2, 1, 2 }, { 3, 2, 1 }, { 3, 1, 2 },
      { 1, 1, 1 }, { 2, 1, 1 }, { 3, 1, 1 } },
};

/* The lists of the two partitions of B_L0_L0_16x8, B_L1_L1_16x8, and so on */
static const guint8 lists_of_two[9][2] = { { 1, 1 }, { 2, 2 }, { 1, 2 }, { 2, 1 }, { 1, 3 }, { 2, 3 }, { 3, 1 }, { 3, 2 }, { 3, 3 } };

static gboolean
is_8x8 (const ModelMb *mb)
{
  return mb->mb_type == MB_TYPE_P_8x8 || mb->mb_type == MB_TYPE_B_8x8;
}

guint
model_mb_parts (const ModelMb *mb, ModelPart parts[4])
{
  const gboolean of_b = mb->mb_type >= MB_TYPE_B_Direct_16x16;
  const guint first_of_two = of_b ? MB_TYPE_B_L0_L0_16x8 : MB_TYPE_P_L0_L0_16x8;

  if (is_8x8 (mb)) {
    for (guint i = 0; i < 4; i++)
      parts[i] = (ModelPart){ 4 * i, 2, 2, sub_mb_types[of_b][mb->sub_mb_type[i]].lists };
    return 4;
  }
  if (mb->mb_type < first_of_two) {
    parts[0] = (ModelPart){ 0, 4, 4, of_b ? mb->mb_type - MB_TYPE_B_L0_16x16 + 1 : 1 };
    return 1;
  }
  for (guint i = 0; i < 2; i++) {
    const guint lists = of_b ? lists_of_two[(mb->mb_type - first_of_two) / 2][i] : 1;

    parts[i] = (mb->mb_type - first_of_two) % 2 == 0 ? (ModelPart){ 8 * i, 4, 2, lists } : (ModelPart){ 4 * i, 2, 4, lists };
  }
  return 2;
}

guint
model_vector_parts (const ModelMb *mb, ModelPart parts[16])
{
  const gboolean of_b = mb->mb_type >= MB_TYPE_B_Direct_16x16;
  guint n = 0;

  if (!is_8x8 (mb))
    return model_mb_parts (mb, parts);
  for (guint i = 0; i < 4; i++) {
    const guint width = sub_mb_types[of_b][mb->sub_mb_type[i]].width, height = sub_mb_types[of_b][mb->sub_mb_type[i]].height;

    for (guint y = 0; y < 2; y += height)
      for (guint x = 0; x < 2; x += width)
        parts[n++] = (ModelPart){ 4 * i + 2 * y + x, width, height, sub_mb_types[of_b][mb->sub_mb_type[i]].lists };
  }
  return n;
}

gboolean
model_sub_mb_is_whole (const ModelMb *mb, guint mbPartIdx)
{
  const gboolean of_b = mb->mb_type >= MB_TYPE_B_Direct_16x16;
  const guint sub_mb_type = mb->sub_mb_type[mbPartIdx];

  return !is_8x8 (mb) || (sub_mb_types[of_b][sub_mb_type].width == 2 && sub_mb_types[of_b][sub_mb_type].height == 2);
}

guint
model_part_blocks (const ModelPart *part)
{
  guint blocks = 0;

  for (guint y = 0; y < part->height; y++)
    for (guint x = 0; x < part->width; x++)
      blocks |= 1u << model_blk_at (model_blk_x (part->blk) + x, model_blk_y (part->blk) + y);
  return blocks;
}

guint
model_n_references (const PictureModel *picture, const ModelMb *mb, guint list)
{
  return model_slice (picture, mb)->n_references[list] * (mb->field ? 2 : 1);
}

ModelReference
model_reference (const PictureModel *picture, guint mbAddr, guint list, gint ref_idx)
{
  const ModelMb *mb = &picture->mbs[mbAddr];
  ModelReference reference = model_slice (picture, mb)->references[list][mb->field ? ref_idx / 2 : ref_idx];

  if (mb->field)
    reference.parity = ref_idx % 2 == 0 ? (gint) mbAddr % 2 : 1 - (gint) mbAddr % 2;
  return reference;
}
