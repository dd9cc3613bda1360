/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Enqueues the 2-D scan of intra edges with the mappings of Pieters et al., section 4.4 (kernels/edgemapping.cl).  The results are those of
 * edgescankernel.h.
 */
#ifndef GPU_EDGE_MAPPING_KERNEL_H
#define GPU_EDGE_MAPPING_KERNEL_H

#include "edgescankernel.h"

/* How the four quadrants of a joined block are taken, one after the other */
typedef enum
{
  GPU_EDGE_UNIT,  /* one launch, a work-item a joined block */
  GPU_EDGE_GROUP, /* one launch, a work-group a joined block, barriers between the quadrants */
  GPU_EDGE_GRID,  /* three launches, a work-item a row (a coefficient) */
  GPU_EDGE_LANES, /* three launches, 32 work-items a row; not where restricted */
} GpuEdgeMapping;

typedef struct
{
  /*< private > */
  cl_kernel join_unit, resolve_unit, join_group, resolve_group, resolve_grid, join_lanes, resolve_lanes;
  GpuEdgeMapping mappings[GPU_EDGE_MAX_LEVELS]; /* of the join of level i's blocks, and of its resolution */
} GpuEdgeMappings;

/* Build options of gpu_edgescan_source */
const char *gpu_edge_mappings_options (int restricted);

/* On failure nothing needs to be cleared.  All levels are GRID at first. */
cl_int gpu_edge_mappings_init (GpuEdgeMappings *self, cl_program program, int restricted);
void gpu_edge_mappings_clear (GpuEdgeMappings *self);

void gpu_edge_mappings_set_all (GpuEdgeMappings *self, GpuEdgeMapping mapping);

/* What the paper's numbers of synchronisation points (its table 6) stand for: UNIT for joined blocks up to 32 x 32, GROUP up to 256 x 256,
 * GRID above.  @lanes: what its section 4.4 says of the scan of all modes: UNIT while a block has at most 32 inputs, then LANES. */
void gpu_edge_mappings_set_paper (GpuEdgeMappings *self, int lanes);

/* Launches of one sweep, up or down, over @n_levels joins */
unsigned gpu_edge_mappings_n_launches (const GpuEdgeMappings *self, unsigned n_levels);

/* As gpu_edge_scan_enqueue() */
void gpu_edge_mappings_enqueue (GpuEdgeMappings *self, GpuEdgeScan *scan, GpuLaunches *launches, cl_mem modes, cl_mem residual,
    cl_mem plane, cl_mem picture);

#endif
