/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction (ITU-T H.264, 8.3)
 */
#include "reconstruction.h"

#define NOT_AVAILABLE (-1)

/* Samples around a block; NOT_AVAILABLE where they are "not available for Intra prediction" */
typedef struct
{
  gint corner, left[16], top[16];
  gboolean has_left, has_top; /* all of them, of @top those above the block itself */
} Edges;

static gint
clip1 (const PictureModel *picture, guint plane, gint value)
{
  return CLAMP (value, 0, (1 << model_bit_depth (picture, plane)) - 1);
}

/* @unit: size of the blocks that are decoded one after the other, of which (@x0, @y0) begins the current one; 0: all at once */
static gint
edge_sample (const PictureModel *picture, guint mbAddr, guint plane, gint x0, gint y0, gint xN, gint yN, gint unit)
{
  const ModelPlane *samples = &picture->planes[plane];
  gint width, height, xW, yW, x, y, step, mbAddrN;

  model_plane_size (picture, plane, &width, &height);
  mbAddrN = model_neighbour (picture, mbAddr, xN, yN, width, height, &xW, &yW);
  if (mbAddrN < 0 || (!model_is_intra (&picture->mbs[mbAddrN]) && picture->pps.constrained_intra))
    return NOT_AVAILABLE;
  if (mbAddrN == (gint) mbAddr && unit > 0) {
    const guint blkN = model_blk_at ((guint) xW / 4, (guint) yW / 4), blk = model_blk_at ((guint) x0 / 4, (guint) y0 / 4);

    if (unit == 4 ? blkN > blk : blkN / 4 > blk / 4)
      return NOT_AVAILABLE;
  }
  model_place (picture, (guint) mbAddrN, plane, &x, &y, &step);
  return samples->samples[(y + yW * step) * samples->stride + x + xW];
}

/* @n_top: samples above, and above to the right */
static void
fetch_edges (const PictureModel *picture, guint mbAddr, guint plane, gint x0, gint y0, gint width, gint height, gint n_top, gint unit,
    Edges *e)
{
  e->corner = edge_sample (picture, mbAddr, plane, x0, y0, x0 - 1, y0 - 1, unit);
  e->has_left = e->has_top = TRUE;
  for (gint y = 0; y < height; y++) {
    e->left[y] = edge_sample (picture, mbAddr, plane, x0, y0, x0 - 1, y0 + y, unit);
    e->has_left &= e->left[y] != NOT_AVAILABLE;
  }
  for (gint x = 0; x < n_top; x++) {
    e->top[x] = edge_sample (picture, mbAddr, plane, x0, y0, x0 + x, y0 - 1, unit);
    e->has_top &= x >= width || e->top[x] != NOT_AVAILABLE;
  }
}

static void
fetch_nxn_edges (const PictureModel *picture, guint mbAddr, guint plane, guint blk, gint size, Edges *e)
{
  fetch_edges (picture, mbAddr, plane, 4 * (gint) model_blk_x (blk), 4 * (gint) model_blk_y (blk), size, size, 2 * size, size, e);
  for (gint x = size; x < 2 * size && e->has_top; x++)
    if (e->top[x] == NOT_AVAILABLE)
      e->top[x] = e->top[size - 1];
}

/* 8.3.2.2.1 */
static void
filter_edges (Edges *e)
{
  const Edges p = *e;

  if (p.has_top) {
    e->top[0] = p.corner != NOT_AVAILABLE ? (p.corner + 2 * p.top[0] + p.top[1] + 2) >> 2 : (3 * p.top[0] + p.top[1] + 2) >> 2;
    for (gint x = 1; x < 15; x++)
      e->top[x] = (p.top[x - 1] + 2 * p.top[x] + p.top[x + 1] + 2) >> 2;
    e->top[15] = (p.top[14] + 3 * p.top[15] + 2) >> 2;
  }
  if (p.corner != NOT_AVAILABLE) {
    if (p.top[0] != NOT_AVAILABLE && p.left[0] != NOT_AVAILABLE)
      e->corner = (p.top[0] + 2 * p.corner + p.left[0] + 2) >> 2;
    else if (p.top[0] != NOT_AVAILABLE)
      e->corner = (3 * p.corner + p.top[0] + 2) >> 2;
    else if (p.left[0] != NOT_AVAILABLE)
      e->corner = (3 * p.corner + p.left[0] + 2) >> 2;
  }
  if (p.has_left) {
    e->left[0] = p.corner != NOT_AVAILABLE ? (p.corner + 2 * p.left[0] + p.left[1] + 2) >> 2 : (3 * p.left[0] + p.left[1] + 2) >> 2;
    for (gint y = 1; y < 7; y++)
      e->left[y] = (p.left[y - 1] + 2 * p.left[y] + p.left[y + 1] + 2) >> 2;
    e->left[7] = (p.left[6] + 3 * p.left[7] + 2) >> 2;
  }
}

static gint
sum (const gint *samples, gint n)
{
  gint total = 0;

  for (gint i = 0; i < n; i++)
    total += samples[i];
  return total;
}

/* The mean of what is there (8.3.1.2.3, 8.3.2.2.4, 8.3.3.3) */
static gint
mean (const PictureModel *picture, guint plane, const Edges *e, gint size)
{
  const gint log2 = size == 4 ? 2 : size == 8 ? 3 : 4;

  if (e->has_left && e->has_top)
    return (sum (e->left, size) + sum (e->top, size) + size) >> (log2 + 1);
  if (e->has_left || e->has_top)
    return (sum (e->has_left ? e->left : e->top, size) + size / 2) >> log2;
  return 1 << (model_bit_depth (picture, plane) - 1);
}

/* p[ x, -1 ] and p[ -1, y ], of which either may be p[ -1, -1 ] */
static gint
top (const Edges *e, gint x)
{
  return x < 0 ? e->corner : e->top[x];
}

static gint
left (const Edges *e, gint y)
{
  return y < 0 ? e->corner : e->left[y];
}

static gint
two (gint a, gint b)
{
  return (a + b + 1) >> 1;
}

static gint
three (gint a, gint b, gint c)
{
  return (a + 2 * b + c + 2) >> 2;
}

static gint
vertical_right (const Edges *e, gint x, gint y)
{
  const gint zVR = 2 * x - y, i = x - (y >> 1);

  if (zVR == -1)
    return three (e->left[0], e->corner, e->top[0]);
  if (zVR < 0)
    return three (left (e, y - 2 * x - 1), left (e, y - 2 * x - 2), left (e, y - 2 * x - 3));
  return zVR % 2 == 0 ? two (top (e, i - 1), top (e, i)) : three (top (e, i - 2), top (e, i - 1), top (e, i));
}

static gint
horizontal_down (const Edges *e, gint x, gint y)
{
  const gint zHD = 2 * y - x, i = y - (x >> 1);

  if (zHD == -1)
    return three (e->left[0], e->corner, e->top[0]);
  if (zHD < 0)
    return three (top (e, x - 2 * y - 1), top (e, x - 2 * y - 2), top (e, x - 2 * y - 3));
  return zHD % 2 == 0 ? two (left (e, i - 1), left (e, i)) : three (left (e, i - 2), left (e, i - 1), left (e, i));
}

static gint
diagonal_down_right (const Edges *e, gint x, gint y)
{
  if (x > y)
    return three (top (e, x - y - 2), top (e, x - y - 1), top (e, x - y));
  if (x < y)
    return three (left (e, y - x - 2), left (e, y - x - 1), left (e, y - x));
  return three (e->top[0], e->corner, e->left[0]);
}

static gint
horizontal_up (const Edges *e, gint x, gint y, gint size)
{
  const gint zHU = x + 2 * y, i = y + (x >> 1);

  if (zHU > 2 * size - 3)
    return e->left[size - 1];
  if (zHU == 2 * size - 3)
    return (e->left[size - 2] + 3 * e->left[size - 1] + 2) >> 2;
  return zHU % 2 == 0 ? two (e->left[i], e->left[i + 1]) : three (e->left[i], e->left[i + 1], e->left[i + 2]);
}

/* 8.3.1.2.1 to .9, 8.3.2.2.2 to .10 */
static gint
nxn_sample (const Edges *e, guint mode, gint x, gint y, gint size, gint mean)
{
  const gint i = x + (y >> 1);

  switch (mode) {
    case 0:
      return e->top[x];
    case 1:
      return e->left[y];
    case 2:
      return mean;
    case 3:
      return x + y == 2 * size - 2 ? (e->top[x + y] + 3 * e->top[x + y + 1] + 2) >> 2
                                   : three (e->top[x + y], e->top[x + y + 1], e->top[x + y + 2]);
    case 4:
      return diagonal_down_right (e, x, y);
    case 5:
      return vertical_right (e, x, y);
    case 6:
      return horizontal_down (e, x, y);
    case 7:
      return y % 2 == 0 ? two (e->top[i], e->top[i + 1]) : three (e->top[i], e->top[i + 1], e->top[i + 2]);
    default:
      return horizontal_up (e, x, y, size);
  }
}

void
predict_intra_nxn (const PictureModel *picture, guint mbAddr, guint plane, guint blk, gint size, guint mode, gint pred[64])
{
  Edges e;
  gint dc;

  fetch_nxn_edges (picture, mbAddr, plane, blk, size, &e);
  if (size == 8)
    filter_edges (&e);
  dc = mean (picture, plane, &e, size);
  for (gint i = 0; i < size * size; i++)
    pred[i] = nxn_sample (&e, mode, i % size, i / size, size, dc);
}

/* 8.3.3.4, 8.3.4.4 */
static void
predict_plane (const PictureModel *picture, guint plane, const Edges *e, gint width, gint height, MbSamples pred)
{
  const gint xCF = width / 2 - 4, yCF = height / 2 - 4;
  gint a = 16 * (e->left[height - 1] + e->top[width - 1]), b, c, H = 0, V = 0;

  for (gint i = 0; i <= 3 + xCF; i++)
    H += (i + 1) * (top (e, 4 + xCF + i) - top (e, 2 + xCF - i));
  for (gint i = 0; i <= 3 + yCF; i++)
    V += (i + 1) * (left (e, 4 + yCF + i) - left (e, 2 + yCF - i));
  b = ((width == 16 ? 5 : 34) * H + 32) >> 6;
  c = ((height == 16 ? 5 : 34) * V + 32) >> 6;
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      pred[y * 16 + x] = clip1 (picture, plane, (a + b * (x - 3 - xCF) + c * (y - 3 - yCF) + 16) >> 5);
}

void
predict_intra_16x16 (const PictureModel *picture, guint mbAddr, guint plane, guint mode, MbSamples pred)
{
  Edges e;
  gint dc;

  fetch_edges (picture, mbAddr, plane, 0, 0, 16, 16, 16, 0, &e);
  dc = mean (picture, plane, &e, 16);
  if (mode == 3) {
    predict_plane (picture, plane, &e, 16, 16, pred);
    return;
  }
  for (gint i = 0; i < 256; i++)
    pred[i] = nxn_sample (&e, mode, i % 16, i / 16, 16, dc);
}

/* 8.3.4.1 to 8.3.4.3: the mean of a chroma block at (@xO, @yO) */
static gint
chroma_mean (const PictureModel *picture, guint plane, const Edges *e, gint xO, gint yO)
{
  gboolean use_top = TRUE, use_left = TRUE;

  for (gint i = 0; i < 4; i++) {
    use_top &= e->top[xO + i] != NOT_AVAILABLE;
    use_left &= e->left[yO + i] != NOT_AVAILABLE;
  }
  if (xO > 0 && yO == 0 && use_top)
    use_left = FALSE;
  if (xO == 0 && yO > 0 && use_left)
    use_top = FALSE;
  if (use_top && use_left)
    return (sum (e->top + xO, 4) + sum (e->left + yO, 4) + 4) >> 3;
  if (use_top || use_left)
    return (sum (use_top ? e->top + xO : e->left + yO, 4) + 2) >> 2;
  return 1 << (model_bit_depth (picture, plane) - 1);
}

void
predict_intra_chroma (const PictureModel *picture, guint mbAddr, guint plane, guint mode, MbSamples pred)
{
  gint width, height;
  Edges e;

  model_plane_size (picture, plane, &width, &height);
  fetch_edges (picture, mbAddr, plane, 0, 0, width, height, width, 0, &e);
  if (mode == 3) {
    predict_plane (picture, plane, &e, width, height, pred);
    return;
  }
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      pred[y * 16 + x] = mode == 1 ? e.left[y] : mode == 2 ? e.top[x] : chroma_mean (picture, plane, &e, x / 4 * 4, y / 4 * 4);
}

guint
legal_nxn_modes (const PictureModel *picture, guint mbAddr, guint blk, gint size)
{
  Edges e;

  fetch_nxn_edges (picture, mbAddr, 0, blk, size, &e);
  return 1u << 2 | (e.has_top ? 1u << 0 | 1u << 3 | 1u << 7 : 0) | (e.has_left ? 1u << 1 | 1u << 8 : 0)
      | (e.has_top && e.has_left && e.corner != NOT_AVAILABLE ? 1u << 4 | 1u << 5 | 1u << 6 : 0);
}

guint
legal_16x16_modes (const PictureModel *picture, guint mbAddr)
{
  Edges e;

  fetch_edges (picture, mbAddr, 0, 0, 0, 16, 16, 16, 0, &e);
  return 1u << 2 | (e.has_top ? 1u << 0 : 0) | (e.has_left ? 1u << 1 : 0)
      | (e.has_top && e.has_left && e.corner != NOT_AVAILABLE ? 1u << 3 : 0);
}

guint
legal_chroma_modes (const PictureModel *picture, guint mbAddr)
{
  gint width, height;
  Edges e;

  model_plane_size (picture, 1, &width, &height);
  fetch_edges (picture, mbAddr, 1, 0, 0, width, height, width, 0, &e);
  return 1u << 0 | (e.has_left ? 1u << 1 : 0) | (e.has_top ? 1u << 2 : 0)
      | (e.has_top && e.has_left && e.corner != NOT_AVAILABLE ? 1u << 3 : 0);
}
