/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Direct prediction (ITU-T H.264, 8.4.1.2), with direct_8x8_inference_flag 1, which sequences with fields or pairs have always
 */
#include "partitions.h"
#include "reconstruction.h"

typedef enum
{
  ONE_TO_ONE,
  FRM_TO_FLD,
  FLD_TO_FRM,
} VertMvScale;

/**
 * Colocated:
 * @ref_idx: refIdxCol, -1 of an intra macroblock
 * @reference: the picture that it is
 * @mv: mvCol
 */
typedef struct
{
  gint ref_idx;
  ModelReference reference;
  gint mv[2];
  VertMvScale vertMvScale;
} Colocated;

/* The field of a frame that is nearer to the current picture: topAbsDiffPOC < bottomAbsDiffPOC */
static gint
nearer_parity (const PictureModel *picture, const ModelFrame *frame)
{
  return ABS (frame->poc[0] - picture->poc) < ABS (frame->poc[1] - picture->poc) ? 0 : 1;
}

/* Table 8-8 where the current picture is a field, of which @parity, or where it is a field macroblock of a frame, of pair @pair; @width of
 * the picture in macroblocks.  @yM: yCol on entry */
static const ModelMb *
colocated_of_field (const PictureModel *picture, const ModelFrame *frame, guint unit, gint parity, gint *yM, VertMvScale *scale)
{
  const guint W = picture->width;
  const gint yCol = *yM;
  ModelMb *const *mbs = frame->mbs[picture->colour_plane_id];
  const ModelMb *mb;

  *scale = ONE_TO_ONE;
  if (frame->in_fields)
    return &mbs[parity][unit];
  if (picture->sps.mbaff) {
    mb = &mbs[0][2 * unit];
    if (mb->field)
      return mb + parity;
    mb += yCol / 8;
  } else {
    mb = &mbs[0][2 * W * (unit / W) + unit % W + W * (guint) (yCol / 8)];
  }
  *scale = FRM_TO_FLD;
  *yM = 2 * yCol % 16;
  return mb;
}

/* The same of a frame macroblock */
static const ModelMb *
colocated_of_frame (const PictureModel *picture, const ModelFrame *frame, guint mbAddr, gint *yM, VertMvScale *scale)
{
  const guint W = picture->width, unit = picture->mbaff ? mbAddr / 2 : W * (mbAddr / (2 * W)) + mbAddr % W;
  const guint lower = picture->mbaff ? mbAddr % 2 : mbAddr / W % 2;
  const gint yCol = *yM;
  ModelMb *const *mbs = frame->mbs[picture->colour_plane_id];

  *scale = ONE_TO_ONE;
  if (!frame->in_fields && !mbs[0][mbAddr].field)
    return &mbs[0][mbAddr];
  *scale = FLD_TO_FRM;
  *yM = 8 * (gint) lower + 4 * (yCol / 8);
  if (frame->in_fields)
    return &mbs[nearer_parity (picture, frame)][unit];
  return &mbs[0][2 * unit + (guint) nearer_parity (picture, frame)];
}

/* 8.4.1.2.1: of the 8x8 samples of @mbPartIdx, for which the block in the corner stands */
static Colocated
find_colocated (const PictureModel *picture, guint mbAddr, guint mbPartIdx)
{
  const ModelReference *first = &model_slice (picture, &picture->mbs[mbAddr])->references[1][0];
  const gint parity = model_parity (picture, mbAddr);
  gint yM = 4 * (gint) model_blk_y (5 * mbPartIdx);
  Colocated col = { -1, { NULL, -1 }, { 0, 0 }, ONE_TO_ONE };
  const ModelMb *mb;
  guint blk, list;

  if (picture->field)
    mb = colocated_of_field (picture, first->frame, mbAddr, first->frame->in_fields ? first->parity : parity, &yM, &col.vertMvScale);
  else if (parity >= 0)
    mb = colocated_of_field (picture, first->frame, mbAddr / 2, parity, &yM, &col.vertMvScale);
  else
    mb = colocated_of_frame (picture, first->frame, mbAddr, &yM, &col.vertMvScale);
  if (model_is_intra (mb))
    return col;
  blk = model_blk_at (model_blk_x (5 * mbPartIdx), (guint) yM / 4);
  list = mb->ref_idx[0][blk / 4] >= 0 ? 0 : 1;
  col.ref_idx = mb->ref_idx[list][blk / 4];
  col.reference = mb->references[list][blk / 4];
  memcpy (col.mv, mb->mv[list][blk], sizeof (col.mv));
  return col;
}

static void
set_motion (ModelMb *mb, guint mbPartIdx, guint list, gint ref_idx, const gint mv[2])
{
  mb->ref_idx[list][mbPartIdx] = ref_idx;
  for (guint blk = 4 * mbPartIdx; blk < 4 * mbPartIdx + 4; blk++)
    for (guint compIdx = 0; compIdx < 2; compIdx++) {
      mb->mv[list][blk][compIdx] = ref_idx < 0 ? 0 : mv[compIdx];
      mb->mvd[list][blk][compIdx] = 0;
    }
}

static gint
min_positive (gint a, gint b)
{
  return a >= 0 && b >= 0 ? MIN (a, b) : MAX (a, b);
}

/* 8.4.1.2.2 */
static void
derive_spatial (PictureModel *picture, guint mbAddr, guint parts)
{
  static const gint zero[2] = { 0, 0 };
  ModelMb *mb = &picture->mbs[mbAddr];
  gint ref_idx[2], mv[2][2];
  gboolean directZeroPrediction;

  for (guint list = 0; list < 2; list++) {
    ModelMotion n[3];

    neighbours_of_part (picture, mbAddr, list, 0, 16, 0, n);
    ref_idx[list] = min_positive (n[0].ref_idx, min_positive (n[1].ref_idx, n[2].ref_idx));
    median_vector (n, ref_idx[list], mv[list]);
  }
  directZeroPrediction = ref_idx[0] < 0 && ref_idx[1] < 0;
  for (guint i = 0; i < 4; i++) {
    const Colocated col = find_colocated (picture, mbAddr, i);
    const gboolean colZeroFlag = col.ref_idx == 0 && ABS (col.mv[0]) <= 1 && ABS (col.mv[1]) <= 1;

    for (guint list = 0; list < 2 && (parts >> i & 1); list++)
      if (directZeroPrediction)
        set_motion (mb, i, list, 0, zero);
      else
        set_motion (mb, i, list, ref_idx[list], ref_idx[list] == 0 && colZeroFlag ? zero : mv[list]);
  }
}

/* The lowest refIdxL0 that is @wanted; -1: there is none */
static gint
find_reference (const PictureModel *picture, guint mbAddr, const ModelReference *wanted)
{
  for (gint i = 0; i < (gint) model_n_references (picture, &picture->mbs[mbAddr], 0); i++) {
    const ModelReference reference = model_reference (picture, mbAddr, 0, i);

    if (reference.frame == wanted->frame && reference.parity == wanted->parity)
      return i;
  }
  return -1;
}

gint
dist_scale_factor (gint poc, gint poc0, gint poc1)
{
  const gint tb = CLAMP (poc - poc0, -128, 127), td = CLAMP (poc1 - poc0, -128, 127);

  return CLAMP ((tb * ((16384 + ABS (td / 2)) / td) + 32) >> 6, -1024, 1023);
}

gint
model_current_poc (const PictureModel *picture, guint mbAddr)
{
  return picture->mbs[mbAddr].field ? picture->frame->poc[mbAddr % 2] : picture->poc;
}

/* 8.4.1.2.3 of one part */
static gboolean
derive_temporal (PictureModel *picture, guint mbAddr, guint mbPartIdx)
{
  const ModelReference pic1 = model_reference (picture, mbAddr, 1, 0);
  Colocated col = find_colocated (picture, mbAddr, mbPartIdx);
  ModelReference pic0;
  gint ref_idx = 0, mv[2][2] = { { 0 } }, poc0, poc1 = model_poc (&pic1);

  if (col.ref_idx >= 0) {
    if (col.vertMvScale == FRM_TO_FLD) {
      col.reference.parity = model_parity (picture, mbAddr);
      col.mv[1] /= 2;
    } else if (col.vertMvScale == FLD_TO_FRM) {
      col.reference.parity = -1;
      col.mv[1] *= 2;
    }
    ref_idx = find_reference (picture, mbAddr, &col.reference);
    if (ref_idx < 0)
      return FALSE;
  }
  pic0 = model_reference (picture, mbAddr, 0, ref_idx);
  poc0 = model_poc (&pic0);
  for (guint i = 0; i < 2; i++) {
    mv[0][i] = poc1 == poc0 ? col.mv[i] : (dist_scale_factor (model_current_poc (picture, mbAddr), poc0, poc1) * col.mv[i] + 128) >> 8;
    mv[1][i] = poc1 == poc0 ? 0 : mv[0][i] - col.mv[i];
  }
  set_motion (&picture->mbs[mbAddr], mbPartIdx, 0, ref_idx, mv[0]);
  set_motion (&picture->mbs[mbAddr], mbPartIdx, 1, 0, mv[1]);
  return TRUE;
}

gboolean
predict_directly (PictureModel *picture, guint mbAddr, guint parts)
{
  gboolean ok = TRUE;

  if (model_slice (picture, &picture->mbs[mbAddr])->direct_spatial_mv_pred) {
    derive_spatial (picture, mbAddr, parts);
    return TRUE;
  }
  for (guint i = 0; i < 4; i++)
    if (parts >> i & 1)
      ok &= derive_temporal (picture, mbAddr, i);
  return ok;
}
