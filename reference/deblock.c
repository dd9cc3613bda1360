/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The deblocking filter (8.7), line by line as the text has it.
 *
 * Macroblocks whose TransformBypassModeFlag is 1 and I_PCM macroblocks are filtered like others; only their qp_filter keeps most filters
 * off.
 */
#include "area.h"

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
  size_t offset, stride;
  unsigned index; /* 0 Y, 1 Cb, 2 Cr */
  unsigned bytes; /* of a sample */
  unsigned bit_depth;
  unsigned width, height; /* of a macroblock */
  unsigned sub_x, sub_y;  /* SubWidthC, SubHeightC; 1 for luma */
  int chroma_style;       /* chromaStyleFilteringFlag */
} Plane;

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

/* bS (8.7.2.1) of luma line @line, 0 to 15, of luma edge @edge, 0 to 3.  The one place where it comes from. */
static int
boundary_strength (const GpuReferencePicture *picture, unsigned mb_addr, const GstGpuMb *p, int horizontal, unsigned edge, unsigned line)
{
  if (picture->has_inter)
    return gpu_reference_boundaries (picture)[mb_addr].bs[horizontal][edge] >> 4 * (line >> 1) & 15;
  if (edge > 0)
    return 3;
  return horizontal && ((p->flags | gpu_reference_mbs (picture)[mb_addr].flags) & GST_GPU_MB_FIELD) ? 3 : 4;
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
 * 0, NULL where
 * that edge is not filtered. */
static void
filter_edges (const GpuReferencePicture *picture, const Plane *plane, unsigned mb_addr, size_t at, int horizontal, const GstGpuMb *p_outer)
{
  const GstGpuMb *mb = &gpu_reference_mbs (picture)[mb_addr];
  const GstGpuSlice *slice = &gpu_reference_slices (picture)[mb->slice];
  size_t step = horizontal ? plane->stride : 1;
  size_t along = horizontal ? 1 : plane->stride;
  unsigned n_edges = (horizontal ? plane->height : plane->width) / 4;
  unsigned n_lines = horizontal ? plane->width : plane->height;
  unsigned sub_across = horizontal ? plane->sub_y : plane->sub_x;
  unsigned sub_along = horizontal ? plane->sub_x : plane->sub_y;

  for (unsigned edge = 0; edge < n_edges; edge++) {
    const GstGpuMb *p = edge ? mb : p_outer;
    Thresholds thresholds;

    if (edge ? !(mb->filter & GST_GPU_FILTER_INTERNAL) || !is_transform_edge (plane, mb, edge) : !p_outer)
      continue;
    thresholds = derive_thresholds (plane, p, mb, slice);
    for (unsigned line = 0; line < n_lines; line++) {
      /* the bS of chroma is that of the luma samples at the corresponding place */
      int bs = boundary_strength (picture, mb_addr, p, horizontal, edge * sub_across, line * sub_along);

      filter_line (plane, at + 4 * edge * step + line * along, step, &thresholds, bs);
    }
  }
}

static void
deblock_macroblock (const GpuReferencePicture *picture, const Plane *plane, unsigned mb_addr)
{
  const GpuMbPlace place = gpu_mb_place (picture, mb_addr);
  const GstGpuMb *mb = &gpu_reference_mbs (picture)[mb_addr];
  size_t at = plane->offset + place.row * plane->height * plane->stride + place.column * plane->width;

  filter_edges (picture, plane, mb_addr, at, 0, mb->filter & GST_GPU_FILTER_LEFT ? gpu_mb_left (mb) : NULL);
  filter_edges (picture, plane, mb_addr, at, 1, mb->filter & GST_GPU_FILTER_TOP ? gpu_mb_above (mb, picture->params) : NULL);
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
    .offset = params->plane_offset[index],
    .stride = params->plane_stride[index],
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

void
gpu_reference_deblock (const GpuReferencePicture *picture)
{
  unsigned n_mbs = picture->params->width_in_mbs * picture->params->height_in_mbs;
  unsigned n_planes = picture->params->chroma_array_type ? 3 : 1;

  for (unsigned index = 0; index < n_planes; index++) {
    Plane plane = describe_plane (picture, index);

    for (unsigned mb_addr = 0; mb_addr < n_mbs; mb_addr++)
      deblock_macroblock (picture, &plane, mb_addr);
  }
}
