/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Prediction of vectors from neighbours (ITU-T H.264, 8.4.1.1, 8.4.1.3)
 */
#include "partitions.h"
#include "reconstruction.h"

/* @known: blocks of the current macroblock that have their vectors */
static ModelMotion
motion_at (const PictureModel *picture, guint mbAddr, guint list, gint xN, gint yN, guint known)
{
  const ModelMb *mb = &picture->mbs[mbAddr], *mbN;
  gint xW, yW, mbAddrN = model_neighbour (picture, mbAddr, xN, yN, 16, 16, &xW, &yW);
  ModelMotion motion = { FALSE, -1, { 0, 0 } };
  guint blkN;

  if (mbAddrN < 0)
    return motion;
  blkN = model_blk_at ((guint) xW / 4, (guint) yW / 4);
  if (mbAddrN == (gint) mbAddr && !(known >> blkN & 1))
    return motion;
  motion.available = TRUE;
  mbN = &picture->mbs[mbAddrN];
  if (model_is_intra (mbN) || mbN->ref_idx[list][blkN / 4] < 0)
    return motion;
  motion.ref_idx = mbN->ref_idx[list][blkN / 4];
  motion.mv[0] = mbN->mv[list][blkN][0];
  motion.mv[1] = mbN->mv[list][blkN][1];
  if (mb->field && !mbN->field) {
    motion.mv[1] /= 2;
    motion.ref_idx *= 2;
  } else if (!mb->field && mbN->field) {
    motion.mv[1] *= 2;
    motion.ref_idx >>= 1;
  }
  return motion;
}

static gint
median (gint a, gint b, gint c)
{
  return MAX (MIN (a, b), MIN (MAX (a, b), c));
}

void
median_vector (const ModelMotion n[3], gint ref_idx, gint mvp[2])
{
  const gboolean only_a = !n[1].available && !n[2].available && n[0].available;
  const ModelMotion a = n[0], b = only_a ? a : n[1], c = only_a ? a : n[2];
  const guint same = (guint) (a.ref_idx == ref_idx) + (b.ref_idx == ref_idx) + (c.ref_idx == ref_idx);
  const ModelMotion *only = a.ref_idx == ref_idx ? &a : b.ref_idx == ref_idx ? &b : &c;

  for (guint i = 0; i < 2; i++)
    mvp[i] = same == 1 ? only->mv[i] : median (a.mv[i], b.mv[i], c.mv[i]);
}

void
neighbours_of_part (const PictureModel *picture, guint mbAddr, guint list, guint blk, gint width, guint known, ModelMotion n[3])
{
  const gint x = 4 * (gint) model_blk_x (blk), y = 4 * (gint) model_blk_y (blk);

  n[0] = motion_at (picture, mbAddr, list, x - 1, y, known);
  n[1] = motion_at (picture, mbAddr, list, x, y - 1, known);
  n[2] = motion_at (picture, mbAddr, list, x + width, y - 1, known);
  if (!n[2].available)
    n[2] = motion_at (picture, mbAddr, list, x - 1, y - 1, known);
}

void
predict_vector (const PictureModel *picture, guint mbAddr, guint list, const ModelPart *part, guint known, gint mvp[2])
{
  const ModelMb *mb = &picture->mbs[mbAddr];
  const gint ref_idx = mb->ref_idx[list][part->blk / 4];
  const ModelMotion *directional = NULL;
  ModelMotion n[3];

  neighbours_of_part (picture, mbAddr, list, part->blk, 4 * (gint) part->width, known, n);
  if (part->width == 4 && part->height == 2)
    directional = part->blk == 0 ? &n[1] : &n[0];
  else if (part->width == 2 && part->height == 4)
    directional = part->blk == 0 ? &n[0] : &n[2];
  if (directional && directional->ref_idx == ref_idx)
    memcpy (mvp, directional->mv, sizeof (directional->mv));
  else
    median_vector (n, ref_idx, mvp);
}

void
vector_of_skip (const PictureModel *picture, guint mbAddr, gint mv[2])
{
  ModelMotion n[3];

  neighbours_of_part (picture, mbAddr, 0, 0, 16, 0, n);
  mv[0] = mv[1] = 0;
  if (!n[0].available || !n[1].available)
    return;
  for (guint i = 0; i < 2; i++)
    if (n[i].ref_idx == 0 && n[i].mv[0] == 0 && n[i].mv[1] == 0)
      return;
  median_vector (n, 0, mv);
}
