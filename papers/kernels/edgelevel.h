/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A level of the 2-D scan of intra edges; passed to the kernels by value.
 */
#ifndef GPU_EDGE_LEVEL_H
#define GPU_EDGE_LEVEL_H

#ifdef __OPENCL_VERSION__
#define EDGE_UINT uint
#define EDGE_ULONG ulong
#else
#include <stdint.h>
#define EDGE_UINT uint32_t
#define EDGE_ULONG uint64_t
#endif

/* Blocks of one side S, twice that of the level below.  Each has 2 S rows for its outputs (bottom edge from left to right, then right edge
 * from bottom to top) and, above level 0, S rows more for what it hides: the bottom edge of its top right quadrant, the right edge of its
 * bottom left quadrant. */
typedef struct
{
  EDGE_ULONG first_row;
  EDGE_ULONG first_weight;
  EDGE_UINT side;          /* S, in samples */
  EDGE_UINT n_inputs;      /* weights a row: 2 S + 1, or 4 more with those above right */
  EDGE_UINT width, height; /* in blocks, those that reach into the picture */
  EDGE_UINT n_rows;        /* a block: 2 S or 3 S */
  EDGE_UINT padding;
} GpuEdgeLevel;

#endif
