/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "intracoder.h"

#include <math.h>

#include "h264scan.h"
#include "reconstruction.h"
#include "slicewriter.h"

/* A level is rounded up from this much behind the one below it: what is nearer to 0 costs less. */
#define ROUNDING 0.33

/* The inverse transforms' basis: row i is what coefficient i adds to the samples (8.5.12, 8.5.13) */
static const gdouble basis_4[4][4] = { { 1, 1, 1, 1 }, { 1, 0.5, -0.5, -1 }, { 1, -1, -1, 1 }, { 0.5, -1, 1, -0.5 } };
static const gdouble basis_8[8][8] = { { 1, 1, 1, 1, 1, 1, 1, 1 }, { 1.5, 1.25, 0.75, 0.375, -0.375, -0.75, -1.25, -1.5 },
  { 1, 0.5, -0.5, -1, -1, -0.5, 0.5, 1 }, { 1.25, -0.375, -1.5, -0.75, 0.75, 1.5, 0.375, -1.25 }, { 1, -1, -1, 1, 1, -1, -1, 1 },
  { 0.75, -1.5, 0.375, 1.25, -1.25, -0.375, 1.5, -0.75 }, { 0.5, -1, 1, -0.5, -0.5, 1, -1, 0.5 },
  { 0.375, -0.75, 1.25, -1.5, 1.5, -1.25, 0.75, -0.375 } };

static gdouble
basis (gint size, gint i, gint x)
{
  return size == 4 ? basis_4[i][x] : basis_8[i][x];
}

/* The scaled coefficients whose inverse transform is @residual: rows and columns are orthogonal, so each is a projection. */
static void
forward_transform (const gint *residual, gint size, gdouble coefficients[64])
{
  gdouble norms[8] = { 0 }, rows[64] = { 0 };

  for (gint i = 0; i < size; i++)
    for (gint x = 0; x < size; x++)
      norms[i] += basis (size, i, x) * basis (size, i, x);
  for (gint y = 0; y < size; y++)
    for (gint j = 0; j < size; j++)
      for (gint x = 0; x < size; x++)
        rows[y * size + j] += residual[y * size + x] * basis (size, j, x);
  for (gint i = 0; i < size; i++)
    for (gint j = 0; j < size; j++) {
      gdouble sum = 0;

      for (gint y = 0; y < size; y++)
        sum += rows[y * size + j] * basis (size, i, y);
      coefficients[i * size + j] = 64 * sum / (norms[i] * norms[j]);
    }
}

static gint
quantise (gdouble coefficient, gdouble step)
{
  const gint magnitude = (gint) (fabs (coefficient) / step + ROUNDING);

  return coefficient < 0 ? -magnitude : magnitude;
}

/* What a level counts for after scaling (8.5.12.1, 8.5.13.1): LevelScale * 2^(qP / 6 - 4), or - 6 */
static gdouble
step_of (gint size, gint qP, gint i, gint j)
{
  return model_level_scale (size, qP % 6, i, j) * exp2 (qP / 6 - (size == 4 ? 4 : 6));
}

static gint
source_sample (const PictureModel *picture, const ModelPlane *source, guint mbAddr, guint plane, gint x, gint y)
{
  gint x0, y0, step;

  model_place (picture, mbAddr, plane, &x0, &y0, &step);
  return source->samples[(y0 + y * step) * source->stride + x0 + x];
}

/* The legal mode of an 8x8 block with the least sum of differences; @residual of it */
static guint8
choose_8x8_mode (const PictureModel *picture, const ModelPlane *source, guint mbAddr, guint blk, gint residual[64])
{
  const guint legal = legal_nxn_modes (picture, mbAddr, blk, 8);
  const gint x0 = 4 * (gint) model_blk_x (blk), y0 = 4 * (gint) model_blk_y (blk);
  gint samples[64], pred[64], least = G_MAXINT;
  guint8 best = 2;

  for (gint i = 0; i < 64; i++)
    samples[i] = source_sample (picture, source, mbAddr, 0, x0 + i % 8, y0 + i / 8);
  for (guint8 mode = 0; mode < 9; mode++) {
    gint sum = 0;

    if (!(legal >> mode & 1))
      continue;
    predict_intra_nxn (picture, mbAddr, 0, blk, 8, mode, pred);
    for (gint i = 0; i < 64; i++)
      sum += ABS (samples[i] - pred[i]);
    if (sum >= least)
      continue;
    least = sum;
    best = mode;
    for (gint i = 0; i < 64; i++)
      residual[i] = samples[i] - pred[i];
  }
  return best;
}

static void
code_luma (PictureModel *picture, const ModelPlane *source, guint mbAddr)
{
  ModelMb *mb = &picture->mbs[mbAddr];
  const gint qP = model_qp (picture, mb, 0), field = model_is_field_mb (picture, mb);

  for (guint blk = 0; blk < 16; blk += 4) {
    gint residual[64];
    gdouble coefficients[64];

    memset (mb->pred_modes + blk, choose_8x8_mode (picture, source, mbAddr, blk, residual), 4);
    forward_transform (residual, 8, coefficients);
    for (gint k = 0; k < 64; k++) {
      const gint at = h264_scan_8x8_raster[field][k], level = quantise (coefficients[at], step_of (8, qP, at / 8, at % 8));

      mb->blocks_8x8[0][blk / 4][k] = level;
      mb->cbp |= level != 0 ? 1u << blk / 4 : 0;
    }
    reconstruct_nxn_block (picture, mbAddr, 0, blk);
  }
}

static guint
choose_chroma_mode (const PictureModel *picture, const ModelPlane source[3], guint mbAddr)
{
  const guint legal = legal_chroma_modes (picture, mbAddr);
  gint least = G_MAXINT;
  guint best = 0;

  for (guint mode = 0; mode < 4; mode++) {
    gint sum = 0;

    for (guint plane = 1; plane < 3 && (legal >> mode & 1); plane++) {
      MbSamples pred;

      predict_intra_chroma (picture, mbAddr, plane, mode, pred);
      for (gint i = 0; i < 128; i++)
        sum += ABS (source_sample (picture, &source[plane], mbAddr, plane, i % 8, i / 8) - pred[i / 8 * 16 + i % 8]);
    }
    if ((legal >> mode & 1) && sum < least) {
      least = sum;
      best = mode;
    }
  }
  return best;
}

/* 8.5.11 backwards, of 4:2:2: @dc by chroma4x4BlkIdx */
static void
code_chroma_dc (const PictureModel *picture, ModelMb *mb, guint plane, const gdouble dc[8])
{
  static const gint a[4][4] = { { 1, 1, 1, 1 }, { 1, 1, -1, -1 }, { 1, -1, -1, 1 }, { 1, -1, 1, -1 } };
  const gint qP_dc = model_qp (picture, mb, plane) + 3;

  for (guint k = 0; k < 8; k++) {
    const guint at = h264_scan_chroma_dc_2x4[k];
    gdouble sum = 0;

    for (guint blk = 0; blk < 8; blk++)
      sum += dc[blk] * a[at / 2][blk / 2] * (at % 2 == 1 && blk % 2 == 1 ? -1 : 1);
    mb->dc[plane][k] = quantise (sum / 8, model_level_scale (4, qP_dc % 6, 0, 0) * exp2 (qP_dc / 6 - 6));
    if (mb->dc[plane][k] != 0 && mb->cbp >> 4 == 0)
      mb->cbp |= 1 << 4;
  }
}

static void
code_chroma_plane (PictureModel *picture, const ModelPlane *source, guint mbAddr, guint plane)
{
  ModelMb *mb = &picture->mbs[mbAddr];
  const gint qP = model_qp (picture, mb, plane), field = model_is_field_mb (picture, mb);
  gdouble dc[8];
  MbSamples pred;

  predict_intra_chroma (picture, mbAddr, plane, mb->intra_chroma_pred_mode, pred);
  for (gint blk = 0; blk < 8; blk++) {
    gdouble coefficients[64];
    gint residual[16];

    for (gint i = 0; i < 16; i++) {
      const gint x = blk % 2 * 4 + i % 4, y = blk / 2 * 4 + i / 4;

      residual[i] = source_sample (picture, source, mbAddr, plane, x, y) - pred[y * 16 + x];
    }
    forward_transform (residual, 4, coefficients);
    dc[blk] = coefficients[0];
    for (gint k = 1; k < 16; k++) {
      const gint at = h264_scan_4x4_raster[field][k], level = quantise (coefficients[at], step_of (4, qP, at / 4, at % 4));

      mb->blocks[plane][blk][k] = level;
      if (level != 0)
        mb->cbp = mb->cbp % 16 | 2 << 4;
    }
  }
  code_chroma_dc (picture, mb, plane, dc);
}

void
intra_coder_code (PictureModel *picture, const ModelPlane source[3], guint slice)
{
  g_assert (picture->ChromaArrayType == 2 && picture->pps.transform_8x8 && picture->slices[slice].n_lists == 0);
  for (guint i = model_first_of_slice (picture, slice); i < picture->n_mbs; i = model_next_in_slice (picture, i)) {
    ModelMb *mb = &picture->mbs[i];

    *mb = (ModelMb){ .slice = slice, .mb_type = MB_TYPE_I_NxN, .transform_size_8x8_flag = TRUE, .QPY = picture->SliceQPY };
    code_luma (picture, &source[0], i);
    mb->intra_chroma_pred_mode = choose_chroma_mode (picture, source, i);
    for (guint plane = 1; plane < 3; plane++)
      code_chroma_plane (picture, &source[plane], i, plane);
    for (guint plane = 1; plane < 3; plane++)
      reconstruct_plane (picture, i, plane);
  }
}
