/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Builds and enqueues the 2-D scan of intra edges (kernels/edgescan.cl).  Not conformant: see there.
 */
#ifndef GPU_EDGE_SCAN_KERNEL_H
#define GPU_EDGE_SCAN_KERNEL_H

#include "edgelevel.h"
#include "launches.h"

/* OpenCL C source, generated at build time */
extern const char gpu_edgescan_source[];

/* Above it a block would have more inputs than a ushort counts */
#define GPU_EDGE_MAX_LEVELS 13

typedef struct
{
  /*< private > */
  int restricted;
  unsigned width, height; /* in samples */
  unsigned n_levels;
  cl_uint slope; /* the largest blocks follow each other north-west: 1, or north-north-west: 2 */
  GpuEdgeLevel levels[GPU_EDGE_MAX_LEVELS + 1];
  cl_kernel blocks, join, wave, resolve, inner;
  cl_mem runs, constants, weights;
} GpuEdgeScan;

/* Build options: @restricted: vertical and horizontal prediction only, in integers */
const char *gpu_edge_scan_options (int restricted);

/* Levels at which one block is the whole picture */
unsigned gpu_edge_scan_full_levels (unsigned width, unsigned height);

/* For pictures of @width x @height samples, multiples of 4.
 * @n_levels: times that blocks are joined; the blocks of the last level are resolved by a north-west wavefront.  Rows of the unrestricted
 * scan take about 24 bytes a sample and level.
 * On failure nothing needs to be cleared. CL_INVALID_VALUE: the size or the number of levels is out of range. */
cl_int gpu_edge_scan_init (GpuEdgeScan *self, cl_context context, cl_program program, int restricted, unsigned width, unsigned height,
    unsigned n_levels);

/* The same for pictures that come as records (intrascankernel.h): @first_side: of the blocks of level 0; @above_right: blocks up to
 * macroblocks have inputs above right */
cl_int gpu_edge_scan_init_sides (GpuEdgeScan *self, cl_context context, cl_program program, int restricted, unsigned width, unsigned height,
    unsigned n_levels, unsigned first_side, int above_right);
void gpu_edge_scan_clear (GpuEdgeScan *self);

/* For pictures of another height from now on: a multiple of 4, at most that of gpu_edge_scan_init () */
void gpu_edge_scan_set_height (GpuEdgeScan *self, unsigned height);

/* What the rows take: number of rows of all levels, 8 bytes each, and of weights, 4 bytes each, which a restricted scan has not */
void gpu_edge_scan_get_memory (const GpuEdgeScan *self, uint64_t *n_rows, uint64_t *n_weights);

/* Constants of all rows, float (restricted: int); the scan keeps it */
cl_mem gpu_edge_scan_get_constants (const GpuEdgeScan *self);

/* Launches a picture takes (of gpu_edge_scan_init()) */
unsigned gpu_edge_scan_n_launches (const GpuEdgeScan *self);

/* The sweeps alone.  Up: joins the blocks of level @first and above until those of level @end.  Down: edges, from the largest blocks to the
 * smallest; @plane as below. */
void gpu_edge_scan_sweep_up (GpuEdgeScan *self, GpuLaunches *launches, unsigned first, unsigned end);
void gpu_edge_scan_sweep_down (GpuEdgeScan *self, GpuLaunches *launches, cl_mem plane);

/* What stands around the sweeps: rows of the 4x4 blocks before them; between them, edges of the largest blocks; after them, inner samples
 * and the picture.  Arguments as below. */
void gpu_edge_scan_begin (GpuEdgeScan *self, GpuLaunches *launches, cl_mem modes, cl_mem residual);
void gpu_edge_scan_resolve_largest (GpuEdgeScan *self, GpuLaunches *launches, cl_mem plane);
void gpu_edge_scan_end (GpuEdgeScan *self, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem plane, cl_mem picture);

/* Rebuilds a picture.
 * @modes: uchar a 4x4 block; @residual: short[height][width]; @picture: uchar[height][width], the result
 * @plane: float (restricted: int) [height + 1][width + 1]: a row and a column of zeros, then the samples unclipped, the result too; finite
 * at first */
void gpu_edge_scan_enqueue (GpuEdgeScan *self, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem plane, cl_mem picture);

#endif
