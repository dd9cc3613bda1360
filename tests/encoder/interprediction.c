/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Samples of inter prediction (ITU-T H.264, 8.4.2)
 */
#include "reconstruction.h"

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

/* What predicts a block from one list */
typedef struct
{
  ModelPlane plane;
  gint mv[2]; /* mvCLX in chroma */
} Source;

static Source
select_source (const PictureModel *picture, guint mbAddr, guint list, guint blk, guint plane)
{
  const ModelMb *mb = &picture->mbs[mbAddr];
  const ModelReference reference = model_reference (picture, mbAddr, list, mb->ref_idx[list][blk / 4]);
  const gint own_parity = model_parity (picture, mbAddr);
  Source source = { model_plane_of_parity (&reference.frame->planes[picture->colour_plane_id + plane], reference.parity) };

  memcpy (source.mv, mb->mv[list][blk], sizeof (source.mv));
  /* Table 8-9 */
  if (plane > 0 && picture->ChromaArrayType == 1 && own_parity >= 0 && reference.parity != own_parity)
    source.mv[1] += own_parity == 0 ? -2 : 2;
  return source;
}

/* The sample that (@x, @y) of the current frame or field is predicted from */
static gint
predict_sample (const PictureModel *picture, const Source *source, guint plane, gint x, gint y)
{
  const gint *mv = source->mv;

  if (plane == 0 || picture->ChromaArrayType == 3)
    return luma_sample (&source->plane, x + (mv[0] >> 2), y + (mv[1] >> 2), mv[0] & 3, mv[1] & 3,
        (1 << model_bit_depth (picture, plane)) - 1);
  if (picture->ChromaArrayType == 1)
    return chroma_sample (&source->plane, x + (mv[0] >> 3), y + (mv[1] >> 3), mv[0] & 7, mv[1] & 7);
  return chroma_sample (&source->plane, x + (mv[0] >> 3), y + (mv[1] >> 2), mv[0] & 7, (mv[1] & 3) << 1);
}

/* logWD, w0, w1, o0, o1 (8.4.2.3); @flat: the default, a mean */
typedef struct
{
  gboolean flat;
  gint logWD, w[2], o[2];
} Weights;

/* Implicit weights of two predictions */
static void
implicit_weights (const PictureModel *picture, guint mbAddr, const gint ref_idx[2], Weights *weights)
{
  const ModelReference pic0 = model_reference (picture, mbAddr, 0, ref_idx[0]), pic1 = model_reference (picture, mbAddr, 1, ref_idx[1]);
  const gint poc0 = model_poc (&pic0), poc1 = model_poc (&pic1);
  gint w1 = 32;

  if (poc0 != poc1) {
    w1 = dist_scale_factor (model_current_poc (picture, mbAddr), poc0, poc1) >> 2;
    if (w1 < -64 || w1 > 128)
      w1 = 32;
  }
  *weights = (Weights){ FALSE, 5, { 64 - w1, w1 }, { 0, 0 } };
}

static Weights
derive_weights (const PictureModel *picture, guint mbAddr, guint blk, guint plane)
{
  const ModelMb *mb = &picture->mbs[mbAddr];
  const ModelSlice *slice = model_slice (picture, mb);
  const guint idc = slice->n_lists == 2 ? picture->pps.weighted_bipred_idc : picture->pps.weighted_pred_flag;
  const gint ref_idx[2] = { mb->ref_idx[0][blk / 4], mb->ref_idx[1][blk / 4] };
  Weights weights = { .flat = TRUE };

  if (idc == 2 && ref_idx[0] >= 0 && ref_idx[1] >= 0)
    implicit_weights (picture, mbAddr, ref_idx, &weights);
  if (idc == 1) {
    weights.flat = FALSE;
    weights.logWD = (gint) slice->log2_denom[plane > 0];
    for (guint list = 0; list < 2; list++)
      if (ref_idx[list] >= 0) {
        const ModelWeight *of_list = &slice->weights[list][mb->field ? ref_idx[list] / 2 : ref_idx[list]][plane];

        weights.w[list] = of_list->weight;
        weights.o[list] = of_list->offset * (1 << (model_bit_depth (picture, plane) - 8));
      }
  }
  return weights;
}

/* 8.4.2.3 of a sample; @lists: those that predict it */
static gint
combine (const Weights *weights, const gint pred[2], guint lists, gint max)
{
  const guint list = lists == 2 ? 1 : 0;
  const gint logWD = weights->logWD;
  gint value;

  if (weights->flat)
    return lists == 3 ? (pred[0] + pred[1] + 1) >> 1 : pred[list];
  if (lists == 3)
    value =
        ((pred[0] * weights->w[0] + pred[1] * weights->w[1] + (1 << logWD)) >> (logWD + 1)) + ((weights->o[0] + weights->o[1] + 1) >> 1);
  else if (logWD >= 1)
    value = ((pred[list] * weights->w[list] + (1 << (logWD - 1))) >> logWD) + weights->o[list];
  else
    value = pred[list] * weights->w[list] + weights->o[list];
  return CLAMP (value, 0, max);
}

void
predict_inter (const PictureModel *picture, guint mbAddr, guint plane, MbSamples pred)
{
  const ModelMb *mb = &picture->mbs[mbAddr];
  const gint max = (1 << model_bit_depth (picture, plane)) - 1;
  gint width, height, x0, y0, step;

  model_plane_size (picture, plane, &width, &height);
  model_place (picture, mbAddr, plane, &x0, &y0, &step);
  /* of a field macroblock: the line in its field */
  if (mb->field)
    y0 /= 2;
  for (guint blk = 0; blk < 16; blk++) {
    const gint bw = width / 4, bh = height / 4, bx = (gint) model_blk_x (blk) * bw, by = (gint) model_blk_y (blk) * bh;
    const guint lists = (mb->ref_idx[0][blk / 4] >= 0) + 2 * (mb->ref_idx[1][blk / 4] >= 0);
    const Weights weights = derive_weights (picture, mbAddr, blk, plane);
    Source sources[2];
    gint value[2] = { 0 };

    for (guint list = 0; list < 2; list++)
      if (lists >> list & 1)
        sources[list] = select_source (picture, mbAddr, list, blk, plane);
    for (gint y = by; y < by + bh; y++)
      for (gint x = bx; x < bx + bw; x++) {
        for (guint list = 0; list < 2; list++)
          if (lists >> list & 1)
            value[list] = predict_sample (picture, &sources[list], plane, x0 + x, y0 + y);
        pred[y * 16 + x] = combine (&weights, value, lists, max);
      }
  }
}
