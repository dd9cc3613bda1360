/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "picturemodel.h"

guint
model_chroma_blocks (const PictureModel *picture)
{
  return picture->ChromaArrayType == 1 ? 4 : picture->ChromaArrayType == 2 ? 8 : 0;
}

guint
model_n_planes (const PictureModel *picture)
{
  return picture->ChromaArrayType == 0 ? 1 : 3;
}

void
model_plane_size (const PictureModel *picture, guint plane, gint *width, gint *height)
{
  *width = plane > 0 && picture->ChromaArrayType < 3 ? 8 : 16;
  *height = plane > 0 && picture->ChromaArrayType < 2 ? 8 : 16;
}

gint
model_bit_depth (const PictureModel *picture, guint plane)
{
  return 8 + (gint) (plane > 0 ? picture->sps.bit_depth_chroma_minus8 : picture->sps.bit_depth_luma_minus8);
}

gboolean
model_is_bypass (const PictureModel *picture, const ModelMb *mb)
{
  return picture->sps.lossless && mb->mb_type != MB_TYPE_I_PCM && mb->QPY == -6 * (gint) picture->sps.bit_depth_luma_minus8;
}

gboolean
model_is_field_mb (const PictureModel *picture, const ModelMb *mb)
{
  return picture->field || mb->field;
}

gint
model_parity (const PictureModel *picture, guint mbAddr)
{
  return picture->field ? (gint) picture->bottom : picture->mbs[mbAddr].field ? (gint) mbAddr % 2 : -1;
}

void
model_place (const PictureModel *picture, guint mbAddr, guint plane, gint *x, gint *y, gint *step)
{
  const gint W = (gint) picture->width, addr = (gint) mbAddr;
  gint width, height;

  model_plane_size (picture, plane, &width, &height);
  *step = 1;
  if (!picture->mbaff) {
    *x = addr % W * width;
    *y = addr / W * height;
    return;
  }
  *x = addr / 2 % W * width;
  *y = addr / 2 / W * 2 * height;
  if (picture->mbs[mbAddr].field) {
    *y += addr % 2;
    *step = 2;
  } else {
    *y += addr % 2 * height;
  }
}

ModelPlane
model_plane_of_parity (const ModelPlane *plane, gint parity)
{
  if (parity < 0)
    return *plane;
  return (ModelPlane){ plane->samples + parity * plane->stride, plane->width, plane->height / 2, plane->stride * 2 };
}

typedef enum
{
  NEIGHBOUR_A,
  NEIGHBOUR_B,
  NEIGHBOUR_C,
  NEIGHBOUR_D,
} Neighbour;

/* 6.4.9, 6.4.10: macroblock, or upper macroblock of the pair, A to D of @mbAddr; -1 where it is not available */
static gint
neighbour_address (const PictureModel *picture, guint mbAddr, Neighbour neighbour)
{
  const gint W = (gint) picture->width, per_unit = picture->mbaff ? 2 : 1, unit = (gint) mbAddr / per_unit;
  const gint dx = neighbour == NEIGHBOUR_B ? 0 : neighbour == NEIGHBOUR_C ? 1 : -1, dy = neighbour == NEIGHBOUR_A ? 0 : -1;
  const gint column = unit % W + dx, row = unit / W + dy;
  gint address;

  if (column < 0 || column >= W || row < 0)
    return -1;
  address = (row * W + column) * per_unit;
  return picture->mbs[address].slice == picture->mbs[mbAddr].slice ? address : -1;
}

/* Table 6-4; *@yM goes from yN to the line in the macroblock that is returned */
static gint
neighbour_of_pair (const PictureModel *picture, guint mbAddr, gint xN, gint yN, gint maxW, gint maxH, gint *yM)
{
  const gboolean currMbFrameFlag = !picture->mbs[mbAddr].field, mbIsTopMbFrame = mbAddr % 2 == 0;
  gint mbAddrX;
  gboolean mbAddrXFrameFlag;

  *yM = yN;
  if (yN < 0) {
    if (currMbFrameFlag && !mbIsTopMbFrame) {
      if (xN >= maxW)
        return -1;
      if (xN >= 0)
        return (gint) mbAddr - 1;
      mbAddrX = neighbour_address (picture, mbAddr, NEIGHBOUR_A);
      if (mbAddrX < 0 || !picture->mbs[mbAddrX].field)
        return mbAddrX;
      *yM = maxH / 2 - 1;
      return mbAddrX + 1;
    }
    mbAddrX = neighbour_address (picture, mbAddr, xN < 0 ? NEIGHBOUR_D : xN < maxW ? NEIGHBOUR_B : NEIGHBOUR_C);
    if (mbAddrX < 0)
      return -1;
    if (currMbFrameFlag || !mbIsTopMbFrame)
      return mbAddrX + 1;
    if (picture->mbs[mbAddrX].field)
      return mbAddrX;
    *yM = 2 * yN;
    return mbAddrX + 1;
  }
  mbAddrX = neighbour_address (picture, mbAddr, NEIGHBOUR_A);
  if (mbAddrX < 0)
    return -1;
  mbAddrXFrameFlag = !picture->mbs[mbAddrX].field;
  if (currMbFrameFlag == mbAddrXFrameFlag)
    return mbAddrX + !mbIsTopMbFrame;
  if (currMbFrameFlag) {
    *yM = (mbIsTopMbFrame ? yN : yN + maxH) >> 1;
    return mbAddrX + yN % 2;
  }
  *yM = 2 * yN + !mbIsTopMbFrame;
  if (yN < maxH / 2)
    return mbAddrX;
  *yM -= maxH;
  return mbAddrX + 1;
}

gint
model_neighbour (const PictureModel *picture, guint mbAddr, gint xN, gint yN, gint maxW, gint maxH, gint *xW, gint *yW)
{
  gint mbAddrN, yM = yN;

  if (yN >= maxH || (xN >= maxW && yN >= 0))
    return -1;
  if (xN >= 0 && xN < maxW && yN >= 0)
    mbAddrN = (gint) mbAddr;
  else if (picture->mbaff)
    mbAddrN = neighbour_of_pair (picture, mbAddr, xN, yN, maxW, maxH, &yM);
  else
    mbAddrN = neighbour_address (picture, mbAddr, yN >= 0 ? NEIGHBOUR_A : xN < 0 ? NEIGHBOUR_D : xN < maxW ? NEIGHBOUR_B : NEIGHBOUR_C);
  *xW = (xN + maxW) % maxW;
  *yW = (yM + maxH) % maxH;
  return mbAddrN;
}

ModelMb *
model_neighbour_mb (const PictureModel *picture, guint mbAddr, gboolean above)
{
  gint xW, yW;
  const gint mbAddrN = model_neighbour (picture, mbAddr, above ? 0 : -1, above ? -1 : 0, 16, 16, &xW, &yW);

  return mbAddrN < 0 ? NULL : &picture->mbs[mbAddrN];
}

ModelMb *
model_neighbour_block (const PictureModel *picture, guint mbAddr, gboolean chroma, guint blk, gboolean above, guint *blkN)
{
  gint x = 4 * (gint) (chroma ? blk % 2 : model_blk_x (blk)), y = 4 * (gint) (chroma ? blk / 2 : model_blk_y (blk));
  gint width, height, xW, yW, mbAddrN;

  model_plane_size (picture, chroma ? 1 : 0, &width, &height);
  mbAddrN = model_neighbour (picture, mbAddr, above ? x : x - 1, above ? y - 1 : y, width, height, &xW, &yW);
  if (mbAddrN < 0)
    return NULL;
  *blkN = (guint) (chroma ? yW / 4 * 2 + xW / 4 : (gint) model_blk_at ((guint) xW / 4, (guint) yW / 4));
  return &picture->mbs[mbAddrN];
}

gint
model_neighbour_pair (const PictureModel *picture, guint mbAddr, gboolean above)
{
  return neighbour_address (picture, mbAddr, above ? NEIGHBOUR_B : NEIGHBOUR_A);
}

gboolean
model_inferred_field (const PictureModel *picture, guint mbAddr)
{
  gint pair = neighbour_address (picture, mbAddr, NEIGHBOUR_A);

  if (pair < 0)
    pair = neighbour_address (picture, mbAddr, NEIGHBOUR_B);
  return pair >= 0 && picture->mbs[pair].field;
}

guint
model_next_in_slice (const PictureModel *picture, guint mbAddr)
{
  const guint slice = picture->mbs[mbAddr].slice;

  do
    mbAddr++;
  while (mbAddr < picture->n_mbs && picture->mbs[mbAddr].slice != slice);
  return mbAddr;
}

guint
model_first_of_slice (const PictureModel *picture, guint slice)
{
  guint mbAddr = 0;

  while (mbAddr < picture->n_mbs && picture->mbs[mbAddr].slice != slice)
    mbAddr++;
  return mbAddr;
}
