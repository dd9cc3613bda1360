/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The deblocking filter (8.7), line by line as the text has it.
 *
 * Macroblocks whose TransformBypassModeFlag is 1 and I_PCM macroblocks are filtered like others; only their qp_filter keeps most filters
 * off.
 */
#include "area.h"
#include "boundary.h"

#include <stddef.h>
#include <stdlib.h>

/* Table 8-16: alpha' by indexA, beta' by indexB */
static const uint8_t alpha_table[52] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 17, 20, 22,
  25, 28, 32, 36, 40, 45, 50, 56, 63, 71, 80, 90, 101, 113, 127, 144, 162, 182, 203, 226, 255, 255 };

static const uint8_t beta_table[52] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 6, 6, 7, 7, 8, 8, 9,
  9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18 };

/* Table 8-17: t'C0 by bS - 1 and indexA */
static const uint8_t tc0_table[3][52] = { { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                              1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 6, 7, 8, 9, 10, 11, 13 },
  { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8,
      8, 10, 11, 12, 13, 15, 17 },
  { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 6, 7, 8, 9, 10, 11,
      13, 14, 16, 18, 20, 23, 25 } };

/* A plane of the picture and how it is filtered */
typedef struct
{
  void *samples;
  unsigned index; /* 0 Y, 1 Cb, 2 Cr */
  unsigned bytes; /* of a sample */
  unsigned bit_depth;
  unsigned width, height; /* of a macroblock */
  unsigned sub_x, sub_y;  /* SubWidthC, SubHeightC; 1 for luma */
  int chroma_style;       /* chromaStyleFilteringFlag */
} Plane;

/* A macroblock in a plane */
typedef struct
{
  size_t mb_addr;
  const GstGpuMb *mb;
  const GstGpuSlice *slice;
  const GstGpuBoundary *boundary;
  size_t at, stride; /* its first sample, and from one of its lines to the next */
} Macroblock;

/* What 8.7.2.2 derives for an edge: alpha, beta and, by bS, tC0, all scaled to the bit depth */
typedef struct
{
  int alpha, beta;
  int tc0[4];
} Thresholds;

static inline int
clip3 (int low, int high, int value)
{
  return value < low ? low : value > high ? high : value;
}

static inline int
load (const Plane *plane, size_t at)
{
  return plane->bytes == 1 ? ((const uint8_t *) plane->samples)[at] : ((const uint16_t *) plane->samples)[at];
}

static inline void
store (const Plane *plane, size_t at, int value)
{
  if (plane->bytes == 1)
    ((uint8_t *) plane->samples)[at] = value;
  else
    ((uint16_t *) plane->samples)[at] = value;
}

static Thresholds
derive_thresholds (const Plane *plane, const GstGpuMb *p, const GstGpuMb *q, const GstGpuSlice *slice)
{
  int qp_average = (p->qp_filter[plane->index] + q->qp_filter[plane->index] + 1) >> 1;
  int index_a = clip3 (0, 51, qp_average + slice->filter_offset_a);
  int index_b = clip3 (0, 51, qp_average + slice->filter_offset_b);
  int scale = 1 << (plane->bit_depth - 8);
  Thresholds thresholds = { alpha_table[index_a] * scale, beta_table[index_b] * scale, { 0 } };

  for (int bs = 1; bs < 4; bs++)
    thresholds.tc0[bs] = tc0_table[bs - 1][index_a] * scale;
  return thresholds;
}

/* Value @k of a word of GstGpuBoundary */
static int
strength (uint32_t strengths, unsigned k)
{
  return strengths >> 4 * k & 15;
}

/* 8.7.2.3, bS 1 to 3 */
static void
filter_normal (const Plane *plane, size_t at, size_t step, const int p[3], const int q[3], int beta, int tc0)
{
  int max = (1 << plane->bit_depth) - 1;
  int ap = abs (p[2] - p[0]) < beta;
  int aq = abs (q[2] - q[0]) < beta;
  int tc = plane->chroma_style ? tc0 + 1 : tc0 + ap + aq;
  int delta = clip3 (-tc, tc, (((q[0] - p[0]) * 4) + (p[1] - q[1]) + 4) >> 3);

  store (plane, at - step, clip3 (0, max, p[0] + delta));
  store (plane, at, clip3 (0, max, q[0] - delta));
  if (plane->chroma_style)
    return;
  if (ap)
    store (plane, at - 2 * step, p[1] + clip3 (-tc0, tc0, (p[2] + ((p[0] + q[0] + 1) >> 1) - p[1] * 2) >> 1));
  if (aq)
    store (plane, at + step, q[1] + clip3 (-tc0, tc0, (q[2] + ((p[0] + q[0] + 1) >> 1) - q[1] * 2) >> 1));
}

/* One side of 8.7.2.4, bS 4: @at is the sample next to the edge, @away the step away from it. */
static void
filter_strong_side (const Plane *plane, size_t at, ptrdiff_t away, const int p[4], const int q[2], int smooth)
{
  if (!smooth) {
    store (plane, at, (2 * p[1] + p[0] + q[1] + 2) >> 2);
    return;
  }
  store (plane, at, (p[2] + 2 * p[1] + 2 * p[0] + 2 * q[0] + q[1] + 4) >> 3);
  store (plane, at + away, (p[2] + p[1] + p[0] + q[0] + 2) >> 2);
  store (plane, at + 2 * away, (2 * p[3] + 3 * p[2] + p[1] + p[0] + q[0] + 4) >> 3);
}

/* A set of samples across the edge (8.7.2): @at is q0, @step leads from q0 to q1. */
static void
filter_line (const Plane *plane, size_t at, size_t step, const Thresholds *thresholds, int bs)
{
  int reach = plane->chroma_style ? 2 : 4;
  int p[4] = { 0 }, q[4] = { 0 };

  for (int i = 0; i < reach; i++) {
    p[i] = load (plane, at - (i + 1) * step);
    q[i] = load (plane, at + i * step);
  }
  if (bs == 0 || abs (p[0] - q[0]) >= thresholds->alpha || abs (p[1] - p[0]) >= thresholds->beta || abs (q[1] - q[0]) >= thresholds->beta)
    return;
  if (bs < 4) {
    filter_normal (plane, at, step, p, q, thresholds->beta, thresholds->tc0[bs]);
  } else {
    int close = !plane->chroma_style && abs (p[0] - q[0]) < (thresholds->alpha >> 2) + 2;

    filter_strong_side (plane, at - step, -(ptrdiff_t) step, p, q, close && abs (p[2] - p[0]) < thresholds->beta);
    filter_strong_side (plane, at, step, q, p, close && abs (q[2] - q[0]) < thresholds->beta);
  }
}

/* Whether the plane has an edge at @edge, in units of 4 of its own samples: the edges of its transform blocks.  4:2:0 and 4:2:2 chroma
 * blocks
 * are 4x4 whatever transform_size_8x8_flag says. */
static int
is_transform_edge (const Plane *plane, const GstGpuMb *mb, unsigned edge)
{
  return plane->chroma_style || !(mb->flags & GST_GPU_MB_TRANSFORM_8x8) || edge % 2 == 0;
}

/* All vertical or all horizontal edges of a macroblock in a plane, left to right or top to bottom.  @p_outer: the macroblock beyond edge
 * 0, NULL where that edge is not filtered here. */
static void
filter_edges (const Plane *plane, const Macroblock *self, int horizontal, const GstGpuMb *p_outer)
{
  size_t step = horizontal ? self->stride : 1;
  size_t along = horizontal ? 1 : self->stride;
  unsigned n_edges = (horizontal ? plane->height : plane->width) / 4;
  unsigned n_lines = horizontal ? plane->width : plane->height;
  unsigned sub_across = horizontal ? plane->sub_y : plane->sub_x;
  unsigned sub_along = horizontal ? plane->sub_x : plane->sub_y;

  for (unsigned edge = 0; edge < n_edges; edge++) {
    const GstGpuMb *p = edge ? self->mb : p_outer;
    Thresholds thresholds;
    uint32_t strengths;

    if (edge ? !(self->mb->filter & GST_GPU_FILTER_INTERNAL) || !is_transform_edge (plane, self->mb, edge) : !p_outer)
      continue;
    /* the bS of chroma is that of the luma samples at the corresponding place */
    strengths = self->boundary->bs[horizontal][edge * sub_across];
    if (strengths == 0)
      continue;
    thresholds = derive_thresholds (plane, p, self->mb, self->slice);
    for (unsigned line = 0; line < n_lines; line++)
      filter_line (plane, self->at + 4 * edge * step + line * along, step, &thresholds, strength (strengths, line * sub_along >> 1));
  }
}

/* The left edge between a frame and a field macroblock pair.  @left: the left pair's upper macroblock.  Samples of a row lie in one line of
 * the picture; in the left pair that line belongs to the macroblock of its parity, or of its half of the pair (Table 6-4). */
static void
filter_mixed_left_edge (const Plane *plane, const Macroblock *self, const GstGpuMb *left)
{
  int field = self->mb->flags & GST_GPU_MB_FIELD;
  uint32_t strengths = self->boundary->bs[0][0];

  for (unsigned row = 0; row < plane->height; row++) {
    unsigned lower = field ? row >= plane->height / 2 : row & 1;
    Thresholds thresholds = derive_thresholds (plane, left + lower, self->mb, self->slice);
    unsigned k = plane->height == 8 ? row : field ? row >> 1 : (row >> 2) * 2 + (row & 1);

    filter_line (plane, self->at + row * self->stride, 1, &thresholds, strength (strengths, k));
  }
}

/* The top edge of a frame macroblock below a field macroblock pair: in the lines of the top field, then in those of the bottom field
 * (8.7.1: fieldModeInFrameFilteringFlag).  @above: the upper macroblock of the pair above. */
static void
filter_top_edge_in_fields (const Plane *plane, const Macroblock *self, const GstGpuMb *above)
{
  uint32_t strengths = self->boundary->bs[1][0];

  for (unsigned parity = 0; parity < 2; parity++) {
    Thresholds thresholds = derive_thresholds (plane, above + parity, self->mb, self->slice);

    for (unsigned column = 0; column < plane->width; column++)
      filter_line (plane, self->at + parity * self->stride + column, 2 * self->stride, &thresholds,
          strength (strengths, 4 * parity + (column * plane->sub_x >> 2)));
  }
}

static void
deblock_vertical_edges (const GpuReferencePicture *picture, const Plane *plane, const Macroblock *self)
{
  const GstGpuMb *left = NULL;

  if (self->mb->filter & GST_GPU_FILTER_LEFT && picture->params->mbaff) {
    left = gpu_mb_left_pair (self->mb, self->mb_addr);
    if ((left->flags ^ self->mb->flags) & GST_GPU_MB_FIELD) {
      filter_mixed_left_edge (plane, self, left);
      left = NULL;
    } else {
      left += self->mb_addr & 1;
    }
  } else if (self->mb->filter & GST_GPU_FILTER_LEFT) {
    left = gpu_mb_left (self->mb);
  }
  filter_edges (plane, self, 0, left);
}

/* A frame macroblock whose macroblock above is a field macroblock is the upper one of its pair. */
static void
deblock_horizontal_edges (const GpuReferencePicture *picture, const Plane *plane, const Macroblock *self)
{
  const GstGpuMb *above = NULL;

  if (self->mb->filter & GST_GPU_FILTER_TOP && picture->params->mbaff) {
    above = gpu_mb_above_in_mbaff (self->mb, self->mb_addr, picture->params);
    if (!(self->mb->flags & GST_GPU_MB_FIELD) && above->flags & GST_GPU_MB_FIELD) {
      filter_top_edge_in_fields (plane, self, above);
      above = NULL;
    }
  } else if (self->mb->filter & GST_GPU_FILTER_TOP) {
    above = gpu_mb_above (self->mb, picture->params);
  }
  filter_edges (plane, self, 1, above);
}

static void
deblock_macroblock (const GpuReferencePicture *picture, const Plane *plane, size_t mb_addr, const GstGpuBoundary *boundary)
{
  const GstGpuMb *mb = &gpu_reference_mbs (picture)[mb_addr];
  GpuArea area;
  Macroblock self;

  gpu_area_init (&area, picture, mb_addr, plane->index);
  self = (Macroblock){ mb_addr, mb, &gpu_reference_slices (picture)[mb->slice], boundary, area.origin, area.stride };
  deblock_vertical_edges (picture, plane, &self);
  deblock_horizontal_edges (picture, plane, &self);
}

static Plane
describe_plane (const GpuReferencePicture *picture, unsigned index)
{
  const GstGpuPicture *params = picture->params;
  unsigned chroma = index > 0;
  unsigned sub_x = chroma && params->chroma_array_type < 3 ? 2 : 1;
  unsigned sub_y = chroma && params->chroma_array_type < 2 ? 2 : 1;

  return (Plane){
    .samples = picture->samples,
    .index = index,
    .bytes = params->bit_depth_luma > 8 || params->bit_depth_chroma > 8 ? 2 : 1,
    .bit_depth = chroma ? params->bit_depth_chroma : params->bit_depth_luma,
    .width = 16 / sub_x,
    .height = 16 / sub_y,
    .sub_x = sub_x,
    .sub_y = sub_y,
    .chroma_style = chroma && params->chroma_array_type != 3,
  };
}

/* Planes do not depend on each other. */
void
gpu_reference_deblock (const GpuReferencePicture *picture)
{
  unsigned n_mbs = picture->params->width_in_mbs * picture->params->height_in_mbs;
  unsigned n_planes = picture->params->chroma_array_type ? 3 : 1;
  Plane planes[3];

  for (unsigned index = 0; index < n_planes; index++)
    planes[index] = describe_plane (picture, index);
  for (unsigned mb_addr = 0; mb_addr < n_mbs; mb_addr++) {
    GstGpuBoundary boundary;

    gpu_reference_boundary (picture, mb_addr, &boundary);
    for (unsigned index = 0; index < n_planes; index++)
      deblock_macroblock (picture, &planes[index], mb_addr, &boundary);
  }
}
