/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reconstruction.h"

static void
put_sample (PictureModel *picture, guint mbAddr, guint plane, gint xM, gint yM, gint value)
{
  ModelPlane *samples = &picture->planes[plane];
  gint x, y, step;

  model_place (picture, mbAddr, plane, &x, &y, &step);
  samples->samples[(y + yM * step) * samples->stride + x + xM] = (guint16) CLAMP (value, 0, (1 << model_bit_depth (picture, plane)) - 1);
}

static void
reconstruct_pcm (PictureModel *picture, guint mbAddr)
{
  const guint16 *pcm = picture->mbs[mbAddr].pcm;

  for (guint plane = 0; plane < model_n_planes (picture); plane++) {
    gint width, height;

    model_plane_size (picture, plane, &width, &height);
    for (gint y = 0; y < height; y++)
      for (gint x = 0; x < width; x++)
        put_sample (picture, mbAddr, plane, x, y, *pcm++);
  }
}

/* 8.5.15 */
static void
accumulate (gint *residual, gint size, gboolean horPredFlag)
{
  for (gint i = 0; i < size * size; i++)
    if (horPredFlag ? i % size > 0 : i >= size)
      residual[i] += residual[horPredFlag ? i - 1 : i - size];
}

void
reconstruct_nxn_block (PictureModel *picture, guint mbAddr, guint plane, guint blk)
{
  const ModelMb *mb = &picture->mbs[mbAddr];
  const gint size = mb->transform_size_8x8_flag ? 8 : 4, x0 = 4 * (gint) model_blk_x (blk), y0 = 4 * (gint) model_blk_y (blk);
  gint pred[64], residual[64];

  predict_intra_nxn (picture, mbAddr, plane, blk, size, mb->pred_modes[blk], pred);
  residual_of_block (picture, mb, plane, blk, size, residual);
  if (model_is_bypass (picture, mb) && mb->pred_modes[blk] < 2)
    accumulate (residual, size, mb->pred_modes[blk] == 1);
  for (gint i = 0; i < size * size; i++)
    put_sample (picture, mbAddr, plane, x0 + i % size, y0 + i / size, pred[i] + residual[i]);
}

static void
reconstruct_whole (PictureModel *picture, guint mbAddr, guint plane)
{
  const ModelMb *mb = &picture->mbs[mbAddr];
  const gboolean chroma = plane > 0 && picture->ChromaArrayType < 3;
  MbSamples pred, residual;
  gint width, height;

  model_plane_size (picture, plane, &width, &height);
  if (!model_is_intra (mb))
    predict_inter (picture, mbAddr, plane, pred);
  else if (chroma)
    predict_intra_chroma (picture, mbAddr, plane, mb->intra_chroma_pred_mode, pred);
  else
    predict_intra_16x16 (picture, mbAddr, plane, model_intra_16x16_mode (mb), pred);
  residual_of_macroblock (picture, mb, plane, residual);
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      put_sample (picture, mbAddr, plane, x, y, pred[y * 16 + x] + residual[y * 16 + x]);
}

void
reconstruct_plane (PictureModel *picture, guint mbAddr, guint plane)
{
  const ModelMb *mb = &picture->mbs[mbAddr];

  if (mb->mb_type != MB_TYPE_I_NxN || (plane > 0 && picture->ChromaArrayType < 3)) {
    reconstruct_whole (picture, mbAddr, plane);
    return;
  }
  for (guint blk = 0; blk < 16; blk += mb->transform_size_8x8_flag ? 4 : 1)
    reconstruct_nxn_block (picture, mbAddr, plane, blk);
}

void
reconstruct_macroblock (PictureModel *picture, guint mbAddr)
{
  if (picture->mbs[mbAddr].mb_type == MB_TYPE_I_PCM) {
    reconstruct_pcm (picture, mbAddr);
    return;
  }
  for (guint plane = 0; plane < model_n_planes (picture); plane++)
    reconstruct_plane (picture, mbAddr, plane);
}
