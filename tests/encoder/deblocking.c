/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "deblocking.h"

#include "reconstruction.h"

/* Table 8-16 */
static const guint8 alpha_table[52] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 17, 20, 22, 25,
  28, 32, 36, 40, 45, 50, 56, 63, 71, 80, 90, 101, 113, 127, 144, 162, 182, 203, 226, 255, 255 };
static const guint8 beta_table[52] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 6, 6, 7, 7, 8, 8, 9, 9,
  10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18 };
/* Table 8-17: bS 1 to 3 */
static const guint8 tC0_table[52][3] = { { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 },
  { 0 }, { 0 }, { 0 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 1, 1 }, { 0, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 },
  { 1, 1, 1 }, { 1, 1, 2 }, { 1, 1, 2 }, { 1, 1, 2 }, { 1, 1, 2 }, { 1, 2, 3 }, { 1, 2, 3 }, { 2, 2, 3 }, { 2, 2, 4 }, { 2, 3, 4 },
  { 2, 3, 4 }, { 3, 3, 5 }, { 3, 4, 6 }, { 3, 4, 6 }, { 4, 5, 7 }, { 4, 5, 8 }, { 4, 6, 9 }, { 5, 7, 10 }, { 6, 8, 11 }, { 6, 8, 13 },
  { 7, 10, 14 }, { 8, 11, 16 }, { 9, 12, 18 }, { 10, 13, 20 }, { 11, 15, 23 }, { 13, 17, 25 } };

/* A sample: its macroblock, and the luma sample of that which it counts as */
typedef struct
{
  const ModelMb *mb;
  guint mbAddr;
  gint x, y;
} Place;

/* One line of samples across an edge: p[3] to p[0], q[0] to q[3] */
typedef struct
{
  guint16 *p[4], *q[4];
  gboolean vertical, mb_edge;
} Line;

/* The place of the sample at (@x, @y) of @plane */
static Place
place_at (const PictureModel *picture, guint plane, gint x, gint y)
{
  gint width, height, x0, y0, step;
  Place place;

  model_plane_size (picture, plane, &width, &height);
  if (picture->mbaff) {
    place.mbAddr = 2 * (guint) (y / (2 * height) * (gint) picture->width + x / width);
    place.mbAddr += (guint) (picture->mbs[place.mbAddr].field ? y % 2 : y / height % 2);
  } else {
    place.mbAddr = (guint) (y / height * (gint) picture->width + x / width);
  }
  place.mb = &picture->mbs[place.mbAddr];
  model_place (picture, place.mbAddr, plane, &x0, &y0, &step);
  place.x = (x - x0) * 16 / width;
  place.y = (y - y0) / step * 16 / height;
  return place;
}

static gboolean
has_coefficients (const Place *place)
{
  const guint blk = model_blk_at ((guint) place->x / 4, (guint) place->y / 4);
  const gint32 *levels = place->mb->transform_size_8x8_flag ? place->mb->blocks_8x8[0][blk / 4] : place->mb->blocks[0][blk];

  if (!(place->mb->cbp >> (blk / 4) & 1))
    return FALSE;
  for (guint k = 0; k < (place->mb->transform_size_8x8_flag ? 64 : 16); k++)
    if (levels[k] != 0)
      return TRUE;
  return FALSE;
}

/* The vectors of a block and what they refer to */
typedef struct
{
  guint n;
  ModelReference references[2];
  const gint *mv[2];
} BlockMotion;

static BlockMotion
motion_of (const Place *place)
{
  const guint blk = model_blk_at ((guint) place->x / 4, (guint) place->y / 4);
  BlockMotion motion = { 0 };

  for (guint list = 0; list < 2; list++)
    if (place->mb->ref_idx[list][blk / 4] >= 0) {
      motion.references[motion.n] = place->mb->references[list][blk / 4];
      motion.mv[motion.n++] = place->mb->mv[list][blk];
    }
  return motion;
}

/* Whether vectors @i of @p and @j of @q refer to the same picture */
static gboolean
refer_alike (const BlockMotion *p, guint i, const BlockMotion *q, guint j)
{
  return p->references[i].frame == q->references[j].frame && p->references[i].parity == q->references[j].parity;
}

static gboolean
is_far (const gint *mv_p, const gint *mv_q, gint limit)
{
  return ABS (mv_p[0] - mv_q[0]) >= 4 || ABS (mv_p[1] - mv_q[1]) >= limit;
}

static gboolean
differs_in_motion (const PictureModel *picture, const Place *place_p, const Place *place_q)
{
  const BlockMotion p = motion_of (place_p), q = motion_of (place_q);
  /* 4 in quarter frame samples */
  const gint limit = model_is_field_mb (picture, place_q->mb) ? 2 : 4;
  gboolean straight, crossed;

  if (p.n != q.n)
    return TRUE;
  if (p.n == 1)
    return !refer_alike (&p, 0, &q, 0) || is_far (p.mv[0], q.mv[0], limit);
  straight = refer_alike (&p, 0, &q, 0) && refer_alike (&p, 1, &q, 1);
  crossed = refer_alike (&p, 0, &q, 1) && refer_alike (&p, 1, &q, 0);
  if (!straight && !crossed)
    return TRUE;
  return (!straight || is_far (p.mv[0], q.mv[0], limit) || is_far (p.mv[1], q.mv[1], limit))
      && (!crossed || is_far (p.mv[0], q.mv[1], limit) || is_far (p.mv[1], q.mv[0], limit));
}

/* 8.7.2.1 */
static guint
derive_bS (const PictureModel *picture, const Place *p, const Place *q, const Line *line)
{
  const gboolean mixedModeEdgeFlag = p->mb->field != q->mb->field;
  const gboolean of_field = model_is_field_mb (picture, p->mb) || model_is_field_mb (picture, q->mb);

  if (model_is_intra (p->mb) || model_is_intra (q->mb))
    return line->mb_edge && (line->vertical || !of_field) ? 4 : 3;
  if (has_coefficients (p) || has_coefficients (q))
    return 2;
  return mixedModeEdgeFlag || differs_in_motion (picture, p, q) ? 1 : 0;
}

/* 8.7.2.2: of chroma, QPC of its QPY */
static gint
derive_qPp (const PictureModel *picture, const ModelMb *mb, guint plane)
{
  ModelMb pcm = *mb;

  if (mb->mb_type == MB_TYPE_I_PCM)
    pcm.QPY = 0;
  return model_qp (picture, &pcm, plane) - 6 * (model_bit_depth (picture, plane) - 8);
}

/* 8.7.2.3 of one side; @delta is added to p0 */
static void
filter_side (guint16 *const *p, gint p0, gint p1, gint p2, gint q0, gint delta, gint tC0, gint beta, gint max, gboolean chroma)
{
  *p[0] = (guint16) CLAMP (p0 + delta, 0, max);
  if (!chroma && ABS (p2 - p0) < beta)
    *p[1] = (guint16) (p1 + CLAMP ((p2 + ((p0 + q0 + 1) >> 1) - (p1 << 1)) >> 1, -tC0, tC0));
}

/* 8.7.2.4 of one side */
static void
filter_side_strongly (guint16 *const *p, const gint v[4], gint q0, gint q1, gint alpha, gint beta, gboolean chroma)
{
  if (!chroma && ABS (v[2] - v[0]) < beta && ABS (v[0] - q0) < (alpha >> 2) + 2) {
    *p[0] = (guint16) ((v[2] + 2 * v[1] + 2 * v[0] + 2 * q0 + q1 + 4) >> 3);
    *p[1] = (guint16) ((v[2] + v[1] + v[0] + q0 + 2) >> 2);
    *p[2] = (guint16) ((2 * v[3] + 3 * v[2] + v[1] + v[0] + q0 + 4) >> 3);
  } else {
    *p[0] = (guint16) ((2 * v[1] + v[0] + q1 + 2) >> 2);
  }
}

/* 8.7.2: @offsets: FilterOffsetA and B; @chroma: chromaStyleFilteringFlag */
static void
filter_line (const Line *line, guint bS, gint qPav, const gint offsets[2], gint depth, gboolean chroma)
{
  const gint indexA = CLAMP (qPav + offsets[0], 0, 51), indexB = CLAMP (qPav + offsets[1], 0, 51), max = (1 << depth) - 1;
  const gint alpha = alpha_table[indexA] << (depth - 8), beta = beta_table[indexB] << (depth - 8);
  gint p[4] = { 0 }, q[4] = { 0 }, tC0, tC, delta;

  for (guint i = 0; i < (chroma ? 2u : 4u); i++) {
    p[i] = *line->p[i];
    q[i] = *line->q[i];
  }
  if (bS == 0 || ABS (p[0] - q[0]) >= alpha || ABS (p[1] - p[0]) >= beta || ABS (q[1] - q[0]) >= beta)
    return;
  if (bS == 4) {
    filter_side_strongly (line->p, p, q[0], q[1], alpha, beta, chroma);
    filter_side_strongly (line->q, q, p[0], p[1], alpha, beta, chroma);
    return;
  }
  tC0 = tC0_table[indexA][bS - 1] << (depth - 8);
  tC = chroma ? tC0 + 1 : tC0 + (ABS (p[2] - p[0]) < beta) + (ABS (q[2] - q[0]) < beta);
  delta = CLAMP ((((q[0] - p[0]) * 4) + (p[1] - q[1]) + 4) >> 3, -tC, tC);
  filter_side (line->p, p[0], p[1], p[2], q[0], delta, tC0, beta, max, chroma);
  filter_side (line->q, q[0], q[1], q[2], p[0], -delta, tC0, beta, max, chroma);
}

/* The line whose q0 is at (@x, @y) of @plane, and whose next samples are (@dx, @dy) further on */
static void
filter_at (PictureModel *picture, guint plane, gint x, gint y, gint dx, gint dy, gboolean mb_edge)
{
  const ModelPlane *samples = &picture->planes[plane];
  const Place p = place_at (picture, plane, x - dx, y - dy), q = place_at (picture, plane, x, y);
  const gboolean chroma = plane > 0 && picture->ChromaArrayType < 3;
  Line line = { .vertical = dx > 0, .mb_edge = mb_edge };

  for (gint i = 0; i < (chroma ? 2 : 4); i++) {
    line.p[i] = samples->samples + (y - (i + 1) * dy) * samples->stride + x - (i + 1) * dx;
    line.q[i] = samples->samples + (y + i * dy) * samples->stride + x + i * dx;
  }
  filter_line (&line, derive_bS (picture, &p, &q, &line), (derive_qPp (picture, p.mb, plane) + derive_qPp (picture, q.mb, plane) + 1) >> 1,
      picture->slices[q.mb->slice].filter_offsets, model_bit_depth (picture, plane), chroma);
}

/* Edges inside the macroblock are those of its transforms. */
static gboolean
is_edge (const PictureModel *picture, const ModelMb *mb, guint plane, gint at)
{
  const gboolean chroma = plane > 0 && picture->ChromaArrayType < 3;

  return at % (mb->transform_size_8x8_flag && !chroma ? 8 : 4) == 0;
}

static void
filter_vertical_edges (PictureModel *picture, guint mbAddr, guint plane, gboolean filterLeftMbEdgeFlag)
{
  gint width, height, x0, y0, step;

  model_plane_size (picture, plane, &width, &height);
  model_place (picture, mbAddr, plane, &x0, &y0, &step);
  for (gint x = filterLeftMbEdgeFlag ? 0 : 4; x < width; x += 4)
    for (gint y = 0; y < height && is_edge (picture, &picture->mbs[mbAddr], plane, x); y++)
      filter_at (picture, plane, x0 + x, y0 + y * step, 1, 0, x == 0);
}

static void
filter_horizontal_edges (PictureModel *picture, guint mbAddr, guint plane, gboolean filterTopMbEdgeFlag)
{
  const ModelMb *mb = &picture->mbs[mbAddr];
  /* below a field pair the upper edge of a frame macroblock is filtered in each field by itself */
  const gboolean in_fields =
      picture->mbaff && mbAddr % 2 == 0 && mbAddr >= 2 * picture->width && !mb->field && mb[-2 * (gint) picture->width + 1].field;
  gint width, height, x0, y0, step;

  model_plane_size (picture, plane, &width, &height);
  model_place (picture, mbAddr, plane, &x0, &y0, &step);
  for (gint y = filterTopMbEdgeFlag ? 0 : 4; y < height; y += 4)
    for (gint parity = 0; parity < (in_fields && y == 0 ? 2 : 1); parity++)
      for (gint x = 0; x < width && is_edge (picture, mb, plane, y); x++)
        filter_at (picture, plane, x0 + x, y0 + y * step + parity, 0, in_fields && y == 0 ? 2 : step, y == 0);
}

static void
filter_macroblock (PictureModel *picture, guint mbAddr)
{
  const ModelMb *mb = &picture->mbs[mbAddr];
  const guint idc = picture->slices[mb->slice].disable_deblocking_filter_idc, unit = picture->mbaff ? mbAddr / 2 : mbAddr;
  gboolean left = unit % picture->width > 0, top = unit >= picture->width || (picture->mbaff && mbAddr % 2 == 1 && !mb->field);

  if (idc == 1)
    return;
  if (idc == 2) {
    left = left && model_neighbour_mb (picture, mbAddr, FALSE);
    top = top && model_neighbour_mb (picture, mbAddr, TRUE);
  }
  for (guint plane = 0; plane < model_n_planes (picture); plane++) {
    filter_vertical_edges (picture, mbAddr, plane, left);
    filter_horizontal_edges (picture, mbAddr, plane, top);
  }
}

void
deblock_picture (PictureModel *picture)
{
  for (guint i = 0; i < picture->n_mbs; i++)
    filter_macroblock (picture, i);
}
