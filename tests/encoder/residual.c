/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Scaling and transformation with flat matrices (ITU-T H.264, 8.5)
 */
#include "h264scan.h"
#include "reconstruction.h"

#define FLAT 16

/* (8-314): normAdjust4x4, and (8-317): normAdjust8x8 */
static gint
level_scale_4x4 (gint m, gint i, gint j)
{
  static const gint v[6][3] = { { 10, 16, 13 }, { 11, 18, 14 }, { 13, 20, 16 }, { 14, 23, 18 }, { 16, 25, 20 }, { 18, 29, 23 } };

  return FLAT * v[m][i % 2 == 0 && j % 2 == 0 ? 0 : i % 2 == 1 && j % 2 == 1 ? 1 : 2];
}

static gint
level_scale_8x8 (gint m, gint i, gint j)
{
  static const gint v[6][6] = { { 20, 18, 32, 19, 25, 24 }, { 22, 19, 35, 21, 28, 26 }, { 26, 23, 42, 24, 33, 31 },
    { 28, 25, 45, 26, 35, 33 }, { 32, 28, 51, 30, 40, 38 }, { 36, 32, 58, 34, 46, 43 } };
  guint kind = 5;

  if (i % 4 == 0 && j % 4 == 0)
    kind = 0;
  else if (i % 2 == 1 && j % 2 == 1)
    kind = 1;
  else if (i % 4 == 2 && j % 4 == 2)
    kind = 2;
  else if (i % 2 != j % 2 && (i % 4 == 0 || j % 4 == 0))
    kind = 3;
  else if (i % 2 == 0 && j % 2 == 0)
    kind = 4;
  return FLAT * v[m][kind];
}

gint
model_level_scale (gint size, gint m, gint i, gint j)
{
  return size == 4 ? level_scale_4x4 (m, i, j) : level_scale_8x8 (m, i, j);
}

gint
model_qp (const PictureModel *picture, const ModelMb *mb, guint plane)
{
  static const guint8 QPC[22] = { 29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39 };
  const gint QpBdOffset = 6 * (model_bit_depth (picture, plane) - 8);
  gint qPI;

  if (plane == 0)
    return mb->QPY + QpBdOffset;
  qPI = mb->QPY + (plane == 2 && picture->pps.extension ? picture->pps.second_chroma_qp_index_offset : picture->pps.chroma_qp_index_offset);
  qPI = CLAMP (qPI, -QpBdOffset, 51);
  return (qPI < 30 ? qPI : QPC[qPI - 30]) + QpBdOffset;
}

/* value * scale * 2^(qP / 6 - point), rounded */
static gint
scale (gint value, gint level_scale, gint qP, gint point)
{
  const gint shift = qP / 6 - point;

  return shift >= 0 ? (value * level_scale) * (1 << shift) : (value * level_scale + (1 << (-shift - 1))) >> -shift;
}

/* 8.5.12.2, one row or column */
static void
transform_4 (gint *d, guint stride)
{
  const gint e = d[0] + d[2 * stride], f = d[0] - d[2 * stride], g = (d[stride] >> 1) - d[3 * stride], h = d[stride] + (d[3 * stride] >> 1);

  d[0] = e + h;
  d[stride] = f + g;
  d[2 * stride] = f - g;
  d[3 * stride] = e - h;
}

/* 8.5.13, one row or column */
static void
transform_8 (gint *d, guint stride)
{
  gint in[8], a[8], b[8];

  for (guint i = 0; i < 8; i++)
    in[i] = d[i * stride];
  a[0] = in[0] + in[4];
  a[1] = -in[3] + in[5] - in[7] - (in[7] >> 1);
  a[2] = in[0] - in[4];
  a[3] = in[1] + in[7] - in[3] - (in[3] >> 1);
  a[4] = (in[2] >> 1) - in[6];
  a[5] = -in[1] + in[7] + in[5] + (in[5] >> 1);
  a[6] = in[2] + (in[6] >> 1);
  a[7] = in[3] + in[5] + in[1] + (in[1] >> 1);
  b[0] = a[0] + a[6];
  b[1] = a[1] + (a[7] >> 2);
  b[2] = a[2] + a[4];
  b[3] = a[3] + (a[5] >> 2);
  b[4] = a[2] - a[4];
  b[5] = (a[3] >> 2) - a[5];
  b[6] = a[0] - a[6];
  b[7] = a[7] - (a[1] >> 2);
  for (guint i = 0; i < 4; i++) {
    d[i * stride] = b[2 * i] + b[7 - 2 * i];
    d[(7 - i) * stride] = b[2 * i] - b[7 - 2 * i];
  }
}

/* 8.5.12: rows, columns, rounding */
static void
inverse_transform (gint *d, gint size)
{
  for (gint i = 0; i < size; i++)
    (size == 4 ? transform_4 : transform_8) (d + i * size, 1);
  for (gint i = 0; i < size; i++)
    (size == 4 ? transform_4 : transform_8) (d + i, (guint) size);
  for (gint i = 0; i < size * size; i++)
    d[i] = (d[i] + 32) >> 6;
}

/* 8.5.12, 8.5.13 of @levels; @dc: of a block whose DC coefficient comes from elsewhere, already scaled */
static void
residual_of_levels (const PictureModel *picture, const ModelMb *mb, guint plane, const gint32 *levels, gint size, const gint *dc,
    gint residual[64])
{
  const gint field = model_is_field_mb (picture, mb) ? 1 : 0, qP = model_qp (picture, mb, plane);
  const guint8 *scan = size == 4 ? h264_scan_4x4_raster[field] : h264_scan_8x8_raster[field];

  for (gint k = 0; k < size * size; k++)
    residual[scan[k]] = levels[k];
  if (dc)
    residual[0] = *dc;
  if (model_is_bypass (picture, mb))
    return;
  for (gint k = dc ? 1 : 0; k < size * size; k++) {
    const gint i = k / size, j = k % size;

    residual[k] = scale (residual[k], model_level_scale (size, qP % 6, i, j), qP, size == 4 ? 4 : 6);
  }
  inverse_transform (residual, size);
}

void
residual_of_block (const PictureModel *picture, const ModelMb *mb, guint plane, guint blk, gint size, gint residual[64])
{
  const gint32 *levels = size == 4 ? mb->blocks[plane][blk] : mb->blocks_8x8[plane][blk / 4];
  static const gint32 none[64];

  residual_of_levels (picture, mb, plane, mb->cbp >> (blk / 4) & 1 ? levels : none, size, NULL, residual);
}

/* A row or column of a transform of ones: [1 1 1 1; 1 1 -1 -1; 1 -1 -1 1; 1 -1 1 -1] */
static void
hadamard_4 (gint *d, guint stride)
{
  const gint a = d[0] + d[stride], b = d[0] - d[stride], c = d[2 * stride] + d[3 * stride], e = d[2 * stride] - d[3 * stride];

  d[0] = a + c;
  d[stride] = a - c;
  d[2 * stride] = b - e;
  d[3 * stride] = b + e;
}

static void
hadamard_2 (gint *d, guint stride)
{
  const gint a = d[0], b = d[stride];

  d[0] = a + b;
  d[stride] = a - b;
}

/* 8.5.10: dcY by column and row of the 4x4 blocks */
static void
luma_dc (const PictureModel *picture, const ModelMb *mb, guint plane, gint dcY[16])
{
  const gint qP = model_qp (picture, mb, plane), field = model_is_field_mb (picture, mb) ? 1 : 0;

  for (guint k = 0; k < 16; k++)
    dcY[h264_scan_4x4_raster[field][k]] = mb->dc[plane][k];
  if (model_is_bypass (picture, mb))
    return;
  for (guint i = 0; i < 4; i++)
    hadamard_4 (dcY + 4 * i, 1);
  for (guint i = 0; i < 4; i++)
    hadamard_4 (dcY + i, 4);
  for (guint i = 0; i < 16; i++)
    dcY[i] = scale (dcY[i], level_scale_4x4 (qP % 6, 0, 0), qP, 6);
}

/* 8.5.11: dcC by chroma4x4BlkIdx */
static void
chroma_dc (const PictureModel *picture, const ModelMb *mb, guint plane, gint dcC[8])
{
  static const guint8 raster_422[8] = { 0, 2, 1, 5, 3, 6, 4, 7 }; /* (8-330): c[row][column] is chromaDC[raster_422[row * 2 + column]] */
  const gint qP = model_qp (picture, mb, plane), qP_dc = qP + 3;
  const guint n = model_chroma_blocks (picture);

  for (guint i = 0; i < n; i++)
    dcC[i] = mb->cbp >> 4 == 0 ? 0 : mb->dc[plane][n == 8 ? raster_422[i] : i];
  if (model_is_bypass (picture, mb))
    return;
  for (guint i = 0; i < n; i += 2)
    hadamard_2 (dcC + i, 1);
  for (guint i = 0; i < 2; i++)
    (n == 8 ? hadamard_4 : hadamard_2) (dcC + i, 2);
  for (guint i = 0; i < n; i++)
    dcC[i] = n == 8 ? scale (dcC[i], level_scale_4x4 (qP_dc % 6, 0, 0), qP_dc, 6)
                    : ((dcC[i] * level_scale_4x4 (qP % 6, 0, 0)) * (1 << (qP / 6))) >> 5;
}

static void
store_block (MbSamples residual, gint x0, gint y0, gint size, const gint block[64])
{
  for (gint i = 0; i < size * size; i++)
    residual[(y0 + i / size) * 16 + x0 + i % size] = block[i];
}

static void
luma_residual (const PictureModel *picture, const ModelMb *mb, guint plane, MbSamples residual)
{
  const gint size = mb->transform_size_8x8_flag ? 8 : 4;
  static const gint32 none[64];
  gint dcY[16], block[64];

  luma_dc (picture, mb, plane, dcY);
  for (guint blk = 0; blk < 16; blk += size == 8 ? 4 : 1) {
    const guint x = model_blk_x (blk), y = model_blk_y (blk);

    if (model_is_intra_16x16 (mb))
      residual_of_levels (picture, mb, plane, mb->cbp % 16 != 0 ? mb->blocks[plane][blk] : none, 4, &dcY[y * 4 + x], block);
    else
      residual_of_block (picture, mb, plane, blk, size, block);
    store_block (residual, 4 * (gint) x, 4 * (gint) y, size, block);
  }
}

static void
chroma_residual (const PictureModel *picture, const ModelMb *mb, guint plane, MbSamples residual)
{
  static const gint32 none[64];
  gint dcC[8], block[64];

  chroma_dc (picture, mb, plane, dcC);
  for (guint blk = 0; blk < model_chroma_blocks (picture); blk++) {
    residual_of_levels (picture, mb, plane, mb->cbp >> 4 == 2 ? mb->blocks[plane][blk] : none, 4, &dcC[blk], block);
    store_block (residual, 4 * (gint) (blk % 2), 4 * (gint) (blk / 2), 4, block);
  }
}

/* 8.5.15 */
static void
accumulate (MbSamples residual, gint width, gint height, gboolean horPredFlag)
{
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      if (horPredFlag ? x > 0 : y > 0)
        residual[y * 16 + x] += residual[horPredFlag ? y * 16 + x - 1 : (y - 1) * 16 + x];
}

void
residual_of_macroblock (const PictureModel *picture, const ModelMb *mb, guint plane, MbSamples residual)
{
  const gboolean chroma = plane > 0 && picture->ChromaArrayType < 3;
  gint width, height;

  model_plane_size (picture, plane, &width, &height);
  if (chroma)
    chroma_residual (picture, mb, plane, residual);
  else
    luma_residual (picture, mb, plane, residual);
  if (!model_is_bypass (picture, mb) || !model_is_intra (mb))
    return;
  if (chroma && (mb->intra_chroma_pred_mode == 1 || mb->intra_chroma_pred_mode == 2))
    accumulate (residual, width, height, mb->intra_chroma_pred_mode == 1);
  if (!chroma && model_is_intra_16x16 (mb) && model_intra_16x16_mode (mb) < 2)
    accumulate (residual, width, height, model_intra_16x16_mode (mb) == 1);
}
