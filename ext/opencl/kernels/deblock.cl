/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The deblocking filter (ITU-T H.264, 8.7), in place.
 *
 * Build options
 *   GPU_CPU                   work-groups of 1, a work-item filters the 16 lines of an edge as the lanes of a vector; else work-groups of
 *                             16, a work-item a line
 *   GPU_DEVICE_ATOMICS        OpenCL C 3.0 with acquire and release at device scope: the launch TICKETS exists
 *   GPU_SAMPLE_BYTES           1 or 2
 *   GPU_DEPTH_LUMA, GPU_DEPTH_CHROMA      8 to 14
 *   GPU_CHROMA_ARRAY_TYPE     0 to 3
 *
 * What happens across an edge is in deblockfilter.cl, a macroblock in deblockvector.cl (CPU) and deblockitems.cl (GPU), what MBAFF frames
 * have besides in deblockmbaff.cl, for both, the order of macroblocks in wavefront.cl.
 *
 * Macroblocks, in MBAFF frames pairs of them, are filtered in the order of the standard as far as it matters: (x, y) after (x - 1, y) and
 * (x + 1, y - 1), whose left edge changes columns that the top edge of (x, y) reads.  Planes do not depend on each other; those that are
 * filtered together are a *plane set*: luma, and Cb with Cr; in 4:4:4 each plane.
 */
#include "geometry.cl"

#if GPU_SAMPLE_BYTES == 1
typedef uchar Sample;
typedef uchar8 Sample8;
typedef uchar16 Sample16;
#define CONVERT_SAMPLE8 convert_uchar8
#define CONVERT_SAMPLE16 convert_uchar16
#else
typedef ushort Sample;
typedef ushort8 Sample8;
typedef ushort16 Sample16;
#define CONVERT_SAMPLE8 convert_ushort8
#define CONVERT_SAMPLE16 convert_ushort16
#endif

#define HAS_HALVED_CHROMA (GPU_CHROMA_ARRAY_TYPE == 1 || GPU_CHROMA_ARRAY_TYPE == 2)
#define CHROMA_HEIGHT (GPU_CHROMA_ARRAY_TYPE == 1 ? 8 : 16)
#define CHROMA_SUB_Y (16 / CHROMA_HEIGHT)       /* SubHeightC of 4:2:0 and 4:2:2 */
#define N_PLANE_SETS (GPU_CHROMA_ARRAY_TYPE == 3 ? 3 : HAS_HALVED_CHROMA ? 2 : 1)

#include "deblockfilter.cl"

/* A picture as the kernels get it */
typedef struct
{
  __global const GstGpuMb *mbs;
  __global const GstGpuSlice *slices;
  __global const GstGpuBoundary *boundaries;       /* NULL: no inter macroblocks */
  __global Sample *samples;
  const GstGpuPicture *params;
} Picture;

/* A macroblock, its neighbours and the strengths of its edges, as words of GstGpuBoundary, 0 where an edge is not filtered */
typedef struct
{
  __global const GstGpuMb *mb, *left, *above;
  int offset_a, offset_b;
  uint strengths[2][4];
} Macroblock;

/* The edges of a macroblock that may change samples, and what they do.  Levels: of the planes in the lower and upper half of the lanes,
 * the same one or Cb and Cr. */
typedef struct
{
  uint strengths[2][4];         /* words of GstGpuBoundary; 0: no such edge */
  Levels left[2], above[2], inner[2];
} Edges;

/* bS (8.7.2.1) of an edge, as a word of GstGpuBoundary.  The one place where it comes from. */
INLINE uint
boundary_strengths (const Picture *picture, uint mb_addr, uint flags, int horizontal, int edge)
{
  if (picture->boundaries)
    return picture->boundaries[mb_addr].bs[horizontal][edge];
  if (edge > 0)
    return ALL_STRENGTHS (3);
  return horizontal && (flags & GST_GPU_MB_FIELD) ? ALL_STRENGTHS (3) : ALL_STRENGTHS (4);
}

/* All of it but the strengths.  @left, @above: the macroblocks on the other side of the outer edges */
INLINE void
load_sides (Macroblock *self, const Picture *picture, __global const GstGpuMb *mb, __global const GstGpuMb *left,
    __global const GstGpuMb *above)
{
  __global const GstGpuSlice *slice = &picture->slices[mb->slice];

  self->mb = mb;
  self->left = left;
  self->above = above;
  self->offset_a = slice->filter_offset_a;
  self->offset_b = slice->filter_offset_b;
}

/* @left, @above: its neighbours, where those edges are filtered */
INLINE void
load_macroblock (Macroblock *self, const Picture *picture, uint mb_addr, __global const GstGpuMb *left, __global const GstGpuMb *above)
{
  __global const GstGpuMb *mb = &picture->mbs[mb_addr];
  uint filter = mb->filter, flags = mb->flags;

  load_sides (self, picture, mb, filter & GST_GPU_FILTER_LEFT ? left : mb, filter & GST_GPU_FILTER_TOP ? above : mb);
  self->strengths[0][0] = filter & GST_GPU_FILTER_LEFT ? boundary_strengths (picture, mb_addr, flags, 0, 0) : 0;
  self->strengths[1][0] = filter & GST_GPU_FILTER_TOP ? boundary_strengths (picture, mb_addr, flags | self->above->flags, 1, 0) : 0;
#pragma unroll
  for (int edge = 1; edge < 4; edge++) {
    self->strengths[0][edge] = filter & GST_GPU_FILTER_INTERNAL ? boundary_strengths (picture, mb_addr, flags, 0, edge) : 0;
    self->strengths[1][edge] = filter & GST_GPU_FILTER_INTERNAL ? boundary_strengths (picture, mb_addr, flags, 1, edge) : 0;
  }
}

/* Of a picture that is no MBAFF frame */
INLINE void
load_macroblock_alone (Macroblock *self, const Picture *picture, uint mb_addr)
{
  __global const GstGpuMb *mb = &picture->mbs[mb_addr];

  load_macroblock (self, picture, mb_addr, mb_left (mb), mb_above (mb, picture->params->width_in_mbs));
}

/* Levels of the edge to @p, which is the macroblock itself for inner edges */
INLINE void
derive_levels_to (Levels *levels, const Macroblock *self, __global const GstGpuMb *p, int plane)
{
  derive_levels (levels, p->qp_filter[plane], self->mb->qp_filter[plane], self->offset_a, self->offset_b);
}

/* The first sample of a macroblock of @width * @height in a plane, and from one of its lines to the next */
INLINE __global Sample *
samples_at (const Picture *picture, int plane, const Place *place, uint width, uint height)
{
  return picture->samples + picture->params->plane_offset[plane] + first_line (place, height) * picture->params->plane_stride[plane]
      + (uint) place->column * width;
}

INLINE uint
stride_at (const Picture *picture, int plane, const Place *place)
{
  return picture->params->plane_stride[plane] * line_step (place);
}

INLINE int
any_strength (const uint *strengths)
{
  return (strengths[0] | strengths[1] | strengths[2] | strengths[3]) != 0;
}

INLINE int
has_edges (const Edges *edges)
{
  return any_strength (edges->strengths[0]) || any_strength (edges->strengths[1]);
}

/* The levels of all edges.  @low, @high: the planes in the halves of the lanes */
INLINE void
set_levels (Edges *edges, const Macroblock *self, int low, int high)
{
#pragma unroll
  for (int i = 0; i < 2; i++) {
    int plane = i ? high : low;

    derive_levels_to (&edges->left[i], self, self->left, plane);
    derive_levels_to (&edges->above[i], self, self->above, plane);
    derive_levels_to (&edges->inner[i], self, self->mb, plane);
  }
}

INLINE int
any_levels_filter (const Levels *levels)
{
  return levels_filter (&levels[0]) | levels_filter (&levels[1]);
}

/* Takes the strengths of those edges whose levels filter at all; @low, @high: as above */
INLINE void
set_edges (Edges *edges, const Macroblock *self, int low, int high)
{
  int left, above, inner;

  set_levels (edges, self, low, high);
  left = any_levels_filter (edges->left);
  above = any_levels_filter (edges->above);
  inner = any_levels_filter (edges->inner);
#pragma unroll
  for (int edge = 0; edge < 4; edge++) {
    edges->strengths[0][edge] = (edge ? inner : left) ? self->strengths[0][edge] : 0;
    edges->strengths[1][edge] = (edge ? inner : above) ? self->strengths[1][edge] : 0;
  }
}

/* Of a plane like luma: the edges of its transform blocks */
INLINE void
set_luma_edges (Edges *edges, const Macroblock *self, int plane)
{
  set_edges (edges, self, plane, plane);
  if (self->mb->flags & GST_GPU_MB_TRANSFORM_8x8)
    edges->strengths[0][1] = edges->strengths[0][3] = edges->strengths[1][1] = edges->strengths[1][3] = 0;
}

/* Of Cb and Cr of 4:2:0 and 4:2:2, whose blocks are 4x4 whatever transform_size_8x8_flag says: numbered as the luma edges at the same
 * place, so that vertical ones, and horizontal ones of 4:2:0, are 0 and 2 */
INLINE void
set_chroma_edges (Edges *edges, const Macroblock *self)
{
  set_edges (edges, self, 1, 2);
  edges->strengths[0][1] = edges->strengths[0][3] = 0;
  if (GPU_CHROMA_ARRAY_TYPE == 1)
    edges->strengths[1][1] = edges->strengths[1][3] = 0;
}

INLINE void
set_edges_in (Edges *edges, const Macroblock *self, uint set)
{
  if (HAS_HALVED_CHROMA && set > 0)
    set_chroma_edges (edges, self);
  else
    set_luma_edges (edges, self, set);
}

/* The four edges of a macroblock in a plane like luma, in one direction: @s points at the first sample behind the first edge */
INLINE void
filter_four (Lanes *s, const uint *strengths, const Levels *outer, const Levels *inner, int bit_depth, Shifts shifts)
{
#pragma unroll
  for (int i = 0; i < 4; i++) {
    const Levels *levels = i ? inner : outer;
    Edge edge;

    if (!strengths[i])
      continue;
    make_edge (&edge, levels, levels, bit_depth, strengths[i], shifts, i == 0);
    filter_luma (s + 4 * i, &edge, bit_depth);
  }
}

#include "deblockmbaff.cl"

#ifdef GPU_CPU
#include "deblockvector.cl"
#else
#include "deblockitems.cl"
#endif
#include "boundary.cl"

#ifdef GPU_CPU
#define IS_LEADER true
#else
#define IS_LEADER (get_local_id (0) == 0)
#endif

/* The left edge of the macroblock above right changes columns that the top edge of this one reads, whatever the edges' strengths are. */
INLINE bool
needs_row_above (const Picture *picture, uint first, uint end)
{
  return true;
}

/* Edges may be filtered across the borders of slices. */
INLINE bool
begins_part (const Picture *picture, uint mb_addr)
{
  return false;
}

#include "wavefront.cl"

/* Filters a picture: @mbaff: an MBAFF frame; the others: as in the kernels below */
INLINE void
deblock_picture (const Picture *picture, bool mbaff, uint launch, uint diagonal, uint first_row, __global int *state,
    uint state_stride SHARED_PARAMETER)
{
  uint set = (uint) get_group_id (1);
  Wave wave;
  Worker worker;
  Run run;

  init_wave (&wave, picture, picture->params);
  first_run (&run, &wave, &worker, launch, diagonal, first_row, state + set * state_stride SHARED);
  while (run.first < run.end) {
    MbWalk at;

    for (begin_walk (&at, run.first, wave.width, mbaff); at.mb_addr < run.end; step_walk (&at, wave.width, mbaff))
      if (mbaff)
        deblock_mbaff_macroblock (picture, set, &at);
      else
        deblock_macroblock (picture, set, &at);
    next_run (&run, &wave, &worker, launch SHARED);
  }
  end_runs (&wave, &worker, launch);
}

INLINE void
init_picture (Picture *picture, __global const uchar *header, ulong mbs_offset, ulong slices_offset,
    __global const GstGpuBoundary *boundaries, __global Sample *samples, const GstGpuPicture *params)
{
  picture->mbs = (__global const GstGpuMb *) (header + mbs_offset);
  picture->slices = (__global const GstGpuSlice *) (header + slices_offset);
  picture->boundaries = boundaries;
  picture->samples = samples;
  picture->params = params;
}

/* Filters a picture that is no MBAFF frame.  Each plane set has work-groups of its own, get_group_id (1).
 * header, mbs_offset, slices_offset: the records at these bytes
 * boundaries: strengths (boundary.cl), by mbAddr; NULL where the picture has no inter macroblocks
 * launch, diagonal, first_row: see first_run(); global size (n_groups * group size, plane sets)
 * state: for TICKETS, state_stride ints a plane set */
__kernel WORK_GROUP void
gpu_deblock (__global const uchar *header, ulong mbs_offset, ulong slices_offset, __global const GstGpuBoundary *boundaries,
    __global Sample *samples, const GstGpuPicture params, uint launch, uint diagonal, uint first_row, __global int *state,
    uint state_stride)
{
  Picture picture;
#ifndef GPU_CPU
  __local uint shared[2];
#endif

  init_picture (&picture, header, mbs_offset, slices_offset, boundaries, samples, &params);
  deblock_picture (&picture, false, launch, diagonal, first_row, state, state_stride SHARED);
}

/* The same of an MBAFF frame: a kernel of its own, so that other pictures pay nothing for its edges */
__kernel WORK_GROUP void
gpu_deblock_mbaff (__global const uchar *header, ulong mbs_offset, ulong slices_offset, __global const GstGpuBoundary *boundaries,
    __global Sample *samples, const GstGpuPicture params, uint launch, uint diagonal, uint first_row, __global int *state,
    uint state_stride)
{
  Picture picture;
#ifndef GPU_CPU
  __local uint shared[2];
#endif

  init_picture (&picture, header, mbs_offset, slices_offset, boundaries, samples, &params);
  deblock_picture (&picture, true, launch, diagonal, first_row, state, state_stride SHARED);
}
