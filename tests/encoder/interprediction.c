/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inter prediction of P slices without weights: vectors (ITU-T H.264, 8.4.1) and samples (8.4.2)
 */
#include "reconstruction.h"
#include "slicewriter.h"

/* Motion of a neighbouring partition, in units of the current macroblock (8.4.1.3.2) */
typedef struct
{
  gboolean available;
  gint ref_idx, mv[2];
} Motion;

/* @known: blocks of the current macroblock that have their vectors */
static Motion
motion_at (const PictureModel *picture, guint mbAddr, gint xN, gint yN, guint known)
{
  const ModelMb *mb = &picture->mbs[mbAddr], *mbN;
  gint xW, yW, mbAddrN = model_neighbour (picture, mbAddr, xN, yN, 16, 16, &xW, &yW);
  Motion motion = { FALSE, -1, { 0, 0 } };
  guint blkN;

  if (mbAddrN < 0)
    return motion;
  blkN = model_blk_at ((guint) xW / 4, (guint) yW / 4);
  if (mbAddrN == (gint) mbAddr && !(known >> blkN & 1))
    return motion;
  motion.available = TRUE;
  mbN = &picture->mbs[mbAddrN];
  if (model_is_intra (mbN))
    return motion;
  motion.ref_idx = mbN->ref_idx[blkN / 4];
  motion.mv[0] = mbN->mv[blkN][0];
  motion.mv[1] = mbN->mv[blkN][1];
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

/* 8.4.1.3.1 */
static void
median_vector (const Motion n[3], gint ref_idx, gint mvp[2])
{
  const Motion a = n[0], b = !n[1].available && !n[2].available && n[0].available ? a : n[1],
               c = !n[1].available && !n[2].available && n[0].available ? a : n[2];
  const guint same = (guint) (a.ref_idx == ref_idx) + (b.ref_idx == ref_idx) + (c.ref_idx == ref_idx);
  const Motion *only = a.ref_idx == ref_idx ? &a : b.ref_idx == ref_idx ? &b : &c;

  for (guint i = 0; i < 2; i++)
    mvp[i] = same == 1 ? only->mv[i] : median (a.mv[i], b.mv[i], c.mv[i]);
}

/* A, B and C of a partition, D in place of C where that is not available (6.4.11.7) */
static void
neighbours_of_part (const PictureModel *picture, guint mbAddr, guint blk, gint width, guint known, Motion n[3])
{
  const gint x = 4 * (gint) model_blk_x (blk), y = 4 * (gint) model_blk_y (blk);

  n[0] = motion_at (picture, mbAddr, x - 1, y, known);
  n[1] = motion_at (picture, mbAddr, x, y - 1, known);
  n[2] = motion_at (picture, mbAddr, x + width, y - 1, known);
  if (!n[2].available)
    n[2] = motion_at (picture, mbAddr, x - 1, y - 1, known);
}

void
predict_vector (const PictureModel *picture, guint mbAddr, guint blk, guint known, gint mvp[2])
{
  const ModelMb *mb = &picture->mbs[mbAddr];
  const gint ref_idx = mb->ref_idx[blk / 4];
  const Motion *directional = NULL;
  Motion n[3];

  neighbours_of_part (picture, mbAddr, blk, 4 * (gint) model_mb_part_width (mb), known, n);
  if (mb->mb_type == MB_TYPE_P_L0_L0_16x8)
    directional = blk == 0 ? &n[1] : &n[0];
  else if (mb->mb_type == MB_TYPE_P_L0_L0_8x16)
    directional = blk == 0 ? &n[0] : &n[2];
  if (directional && directional->ref_idx == ref_idx)
    memcpy (mvp, directional->mv, sizeof (directional->mv));
  else
    median_vector (n, ref_idx, mvp);
}

void
vector_of_skip (const PictureModel *picture, guint mbAddr, gint mv[2])
{
  Motion n[3];

  neighbours_of_part (picture, mbAddr, 0, 16, 0, n);
  mv[0] = mv[1] = 0;
  if (!n[0].available || !n[1].available)
    return;
  for (guint i = 0; i < 2; i++)
    if (n[i].ref_idx == 0 && n[i].mv[0] == 0 && n[i].mv[1] == 0)
      return;
  median_vector (n, 0, mv);
}

static gint
full_sample (const ModelPlane *plane, gint x, gint y)
{
  return plane->samples[CLAMP (y, 0, plane->height - 1) * plane->stride + CLAMP (x, 0, plane->width - 1)];
}

/* b1, h1 of (8-241), (8-242) at a sample, and j1 */
static gint
taps (const gint s[6])
{
  return s[0] - 5 * s[1] + 20 * s[2] + 20 * s[3] - 5 * s[4] + s[5];
}

static gint
horizontal (const ModelPlane *plane, gint x, gint y)
{
  gint s[6];

  for (gint i = 0; i < 6; i++)
    s[i] = full_sample (plane, x + i - 2, y);
  return taps (s);
}

static gint
vertical (const ModelPlane *plane, gint x, gint y)
{
  gint s[6];

  for (gint i = 0; i < 6; i++)
    s[i] = full_sample (plane, x, y + i - 2);
  return taps (s);
}

static gint
centre (const ModelPlane *plane, gint x, gint y)
{
  gint s[6];

  for (gint i = 0; i < 6; i++)
    s[i] = horizontal (plane, x, y + i - 2);
  return taps (s);
}

/* A sample at half positions (0 or 1 each) */
static gint
half_sample (const ModelPlane *plane, gint x, gint y, gint xHalf, gint yHalf, gint max)
{
  if (xHalf && yHalf)
    return CLAMP ((centre (plane, x, y) + 512) >> 10, 0, max);
  if (xHalf || yHalf)
    return CLAMP (((xHalf ? horizontal (plane, x, y) : vertical (plane, x, y)) + 16) >> 5, 0, max);
  return full_sample (plane, x, y);
}

/* 8.4.2.2.1, Table 8-12: each quarter sample is the mean of two at full or half positions, given as (x, y) in half samples */
static gint
luma_sample (const ModelPlane *plane, gint xInt, gint yInt, gint xFrac, gint yFrac, gint max)
{
  gint first[2] = { xFrac / 2, yFrac / 2 }, second[2] = { (xFrac + 1) / 2, (yFrac + 1) / 2 };
  gint value[2];

  /* e, g, p, r: between the half samples on the sides, not the corners */
  if (xFrac % 2 == 1 && yFrac % 2 == 1) {
    first[0] = 1;
    first[1] = yFrac / 2 * 2;
    second[0] = xFrac / 2 * 2;
    second[1] = 1;
  }
  for (guint i = 0; i < 2; i++) {
    const gint *half = i == 0 ? first : second;

    value[i] = half_sample (plane, xInt + half[0] / 2, yInt + half[1] / 2, half[0] % 2, half[1] % 2, max);
  }
  return (value[0] + value[1] + 1) >> 1;
}

/* 8.4.2.2.2 */
static gint
chroma_sample (const ModelPlane *plane, gint xInt, gint yInt, gint xFrac, gint yFrac)
{
  return ((8 - xFrac) * (8 - yFrac) * full_sample (plane, xInt, yInt) + xFrac * (8 - yFrac) * full_sample (plane, xInt + 1, yInt)
             + (8 - xFrac) * yFrac * full_sample (plane, xInt, yInt + 1) + xFrac * yFrac * full_sample (plane, xInt + 1, yInt + 1) + 32)
      >> 6;
}

/* 8.4.2.1: the picture that @ref_idx means, and whether it is a field, of which parity; -1: a frame */
static ModelPlane
select_reference (const PictureModel *picture, guint mbAddr, gint ref_idx, guint plane, gint *parity)
{
  const ModelMb *mb = &picture->mbs[mbAddr];
  const ModelReference *reference = &picture->references[mb->field ? ref_idx / 2 : ref_idx];

  *parity = reference->parity;
  if (mb->field)
    *parity = ref_idx % 2 == 0 ? (gint) mbAddr % 2 : 1 - (gint) mbAddr % 2;
  return model_plane_of_parity (&reference->frame->planes[picture->colour_plane_id + plane], *parity);
}

void
predict_inter (const PictureModel *picture, guint mbAddr, guint plane, MbSamples pred)
{
  const ModelMb *mb = &picture->mbs[mbAddr];
  const gboolean chroma = plane > 0 && picture->ChromaArrayType < 3;
  const gint own_parity = picture->field ? (gint) picture->bottom : mb->field ? (gint) mbAddr % 2 : -1;
  gint width, height, x0, y0, step, first_line;

  model_plane_size (picture, plane, &width, &height);
  model_place (picture, mbAddr, plane, &x0, &y0, &step);
  /* of a field macroblock: the line in its field */
  first_line = mb->field ? y0 / 2 : y0;
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      const guint blk = model_blk_at ((guint) (x * 4 / width), (guint) (y * 4 / height));
      const gint *mv = mb->mv[blk];
      gint parity, offset;
      const ModelPlane reference = select_reference (picture, mbAddr, mb->ref_idx[blk / 4], plane, &parity);

      if (!chroma) {
        pred[y * 16 + x] = luma_sample (&reference, x0 + x + (mv[0] >> 2), first_line + y + (mv[1] >> 2), mv[0] & 3, mv[1] & 3,
            (1 << model_bit_depth (picture, plane)) - 1);
      } else if (picture->ChromaArrayType == 1) {
        /* Table 8-9 */
        offset = own_parity < 0 || parity == own_parity ? 0 : own_parity == 0 ? -2 : 2;
        pred[y * 16 + x] =
            chroma_sample (&reference, x0 + x + (mv[0] >> 3), first_line + y + ((mv[1] + offset) >> 3), mv[0] & 7, (mv[1] + offset) & 7);
      } else {
        pred[y * 16 + x] = chroma_sample (&reference, x0 + x + (mv[0] >> 3), first_line + y + (mv[1] >> 2), mv[0] & 7, (mv[1] & 3) << 1);
      }
    }
}
