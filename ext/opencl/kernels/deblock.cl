/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The deblocking filter (ITU-T H.264, 8.7), in place.
 *
 * Build options
 *   GPU_CPU           1: work-groups of 1, a work-item filters the 16 lines of an edge as the lanes of a vector; 0: work-groups of 16, a
 *                     work-item a line
 *   GPU_DEVICE_ATOMICS       1: gpu_deblock takes tickets (OpenCL C 3.0 with device-scope acquire and release)
 *   GPU_SAMPLE_BYTES           1 or 2
 *   GPU_DEPTH_LUMA, GPU_DEPTH_CHROMA      8 to 14
 *   GPU_CHROMA_ARRAY_TYPE     0 to 3
 *
 * What happens across an edge is in deblockfilter.cl, a macroblock in deblockvector.cl (CPU) and deblockitems.cl (GPU), the order of
 * macroblocks here.
 *
 * Macroblocks are filtered in the order of the standard as far as it matters: (x, y) after (x - 1, y) and (x + 1, y - 1), whose left edge
 * changes columns that the top edge of (x, y) reads.  Planes do not depend on each other; those that are filtered together are a *plane
 * set*: luma, and Cb with Cr; in 4:4:4 each plane.
 */
#include "gpurecords.h"

#define INLINE static inline __attribute__ ((always_inline))

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

INLINE void
load_macroblock (Macroblock *self, const Picture *picture, uint x, uint y)
{
  uint mb_addr = y * picture->params->width_in_mbs + x;
  __global const GstGpuMb *mb = &picture->mbs[mb_addr];
  __global const GstGpuSlice *slice = &picture->slices[mb->slice];
  uint filter = mb->filter, flags = mb->flags;

  self->mb = mb;
  self->left = filter & GST_GPU_FILTER_LEFT ? mb - 1 : mb;
  self->above = filter & GST_GPU_FILTER_TOP ? mb - picture->params->width_in_mbs : mb;
  self->offset_a = slice->filter_offset_a;
  self->offset_b = slice->filter_offset_b;
  self->strengths[0][0] = filter & GST_GPU_FILTER_LEFT ? boundary_strengths (picture, mb_addr, flags, 0, 0) : 0;
  self->strengths[1][0] = filter & GST_GPU_FILTER_TOP ? boundary_strengths (picture, mb_addr, flags | self->above->flags, 1, 0) : 0;
#pragma unroll
  for (int edge = 1; edge < 4; edge++) {
    self->strengths[0][edge] = filter & GST_GPU_FILTER_INTERNAL ? boundary_strengths (picture, mb_addr, flags, 0, edge) : 0;
    self->strengths[1][edge] = filter & GST_GPU_FILTER_INTERNAL ? boundary_strengths (picture, mb_addr, flags, 1, edge) : 0;
  }
}

/* Levels of the edge to @p, which is the macroblock itself for inner edges */
INLINE void
derive_levels_to (Levels *levels, const Macroblock *self, __global const GstGpuMb *p, int plane)
{
  derive_levels (levels, p->qp_filter[plane], self->mb->qp_filter[plane], self->offset_a, self->offset_b);
}

INLINE __global Sample *
samples_at (const Picture *picture, int plane, uint x, uint y)
{
  return picture->samples + picture->params->plane_offset[plane] + y * picture->params->plane_stride[plane] + x;
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

/* Takes the strengths of those edges whose levels filter at all; @low and @high: the planes in the halves of the lanes. */
INLINE void
set_edges (Edges *edges, const Macroblock *self, int low, int high)
{
  int left = 0, above = 0, inner = 0;

#pragma unroll
  for (int i = 0; i < 2; i++) {
    int plane = i ? high : low;

    derive_levels_to (&edges->left[i], self, self->left, plane);
    derive_levels_to (&edges->above[i], self, self->above, plane);
    derive_levels_to (&edges->inner[i], self, self->mb, plane);
    left |= levels_filter (&edges->left[i]);
    above |= levels_filter (&edges->above[i]);
    inner |= levels_filter (&edges->inner[i]);
  }
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

#if GPU_CPU
#include "deblockvector.cl"
#else
#include "deblockitems.cl"
#endif

#if GPU_DEVICE_ATOMICS

/* How many macroblocks are done when others are told so */
#define PROGRESS_STEP (GPU_CPU ? 4 : 1)

/* The next unit: by ticket where there are tickets, else @unit */
INLINE uint
take_unit (volatile __global atomic_uint *tickets, uint unit, __local uint *shared)
{
#if GPU_CPU
  return tickets ? atomic_fetch_add_explicit (tickets, 1, memory_order_relaxed, memory_scope_device) : unit;
#else
  if (get_local_id (0) == 0)
    *shared = tickets ? atomic_fetch_add_explicit (tickets, 1, memory_order_relaxed, memory_scope_device) : unit;
  barrier (CLK_LOCAL_MEM_FENCE);
  unit = *shared;
  barrier (CLK_LOCAL_MEM_FENCE);
  return unit;
#endif
}

/* Waits until @needed macroblocks of the unit with this progress are done, if @ready are known to be; returns how many are then known to
 * be. */
INLINE uint
wait_for (volatile __global atomic_uint *done, uint needed, uint ready)
{
  if (get_local_id (0) == 0)
    while (ready < needed)
      ready = atomic_load_explicit (done, memory_order_acquire, memory_scope_device);
#if GPU_CPU
  return ready;
#else
  barrier (CLK_GLOBAL_MEM_FENCE);
  return max (ready, needed);
#endif
}

INLINE void
tell_done (volatile __global atomic_uint *done, uint n)
{
  if (get_local_id (0) == 0)
    atomic_store_explicit (done, n, memory_order_release, memory_scope_device);
}

#else

typedef uint atomic_uint;
#define take_unit(tickets, unit, shared) (unit)
#define wait_for(done, needed, ready) (ready)
#define tell_done(done, n)
#define PROGRESS_STEP 1

#endif

/* Clears the @n words of the state of gpu_deblock; one work-group. */
__kernel WORK_GROUP void
gpu_deblock_reset (__global uint *state, uint n)
{
  for (uint i = get_local_id (0); i < n; i += get_local_size (0))
    state[i] = 0;
}

/* Filters a picture.  A *unit* is a macroblock row of a plane set, unit = row * N_PLANE_SETS + set.  One of three launches:
 *   rows       as many work-groups as plane sets, @unit_step the same: each filters all rows of its set, in order
 *   tickets    any number of work-groups, @tickets not NULL: word 0 counts the units taken, word 1 + unit the macroblocks of that unit
 *              that are done
 *   diagonal   a work-group a unit from @first_unit on, each filters its one macroblock (@diagonal - 2 * row, row); @unit_step past the
 *              last unit
 * @diagonal: -1 but for the last.  @boundaries: has them at byte @boundaries_offset; NULL where
 * the picture has no inter macroblocks. */
__kernel WORK_GROUP void
gpu_deblock (__global const uchar *header, ulong mbs_offset, ulong slices_offset, __global const uchar *boundaries, ulong boundaries_offset,
    __global Sample *samples,
    const GstGpuPicture params, volatile __global atomic_uint *tickets, uint first_unit, uint unit_step, int diagonal)
{
  Picture picture = { (__global const GstGpuMb *) (header + mbs_offset), (__global const GstGpuSlice *) (header + slices_offset),
      boundaries ? (__global const GstGpuBoundary *) (boundaries + boundaries_offset) : 0, samples, &params };
  uint width = params.width_in_mbs, n_units = params.height_in_mbs * N_PLANE_SETS;
  __local uint shared;
  uint unit = take_unit (tickets, first_unit + get_group_id (0), &shared);

  while (unit < n_units) {
    uint set = unit % N_PLANE_SETS, row = unit / N_PLANE_SETS;
    uint x = diagonal < 0 ? 0 : diagonal - 2 * row, end = diagonal < 0 ? width : x + 1;
    uint ready = tickets && row > 0 ? 0 : width;

    for (; x < end; x++) {
      ready = wait_for (tickets + 1 + unit - N_PLANE_SETS, min (x + 2, width), ready);
      deblock_macroblock (&picture, set, x, row);
      if (tickets && ((x + 1) % PROGRESS_STEP == 0 || x + 1 == width))
        tell_done (tickets + 1 + unit, x + 1);
    }
    unit = take_unit (tickets, unit + unit_step, &shared);
  }
}
