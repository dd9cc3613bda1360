/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "edgemappingkernel.h"

/* Work-items of a group of GROUP; work-items a row and rows a group of LANES */
#define GROUP_SIZE 128
#define LANES 32
#define ROWS_A_GROUP 32

/* Launches of a mapping that takes a quadrant in each */
#define N_QUADRANTS 3

/* Sides of 4x4 blocks joined so often: 32 and 256 */
#define UNIT_LEVELS 3
#define GROUP_LEVELS 6
/* Joins of blocks with at most 32 inputs: of 4x4 and 8x8 blocks */
#define FEW_INPUTS_LEVELS 2

const char *
gpu_edge_mappings_options (int restricted)
{
  return restricted ? "-DGPU_EDGE_MAPPINGS -DGPU_RESTRICTED" : "-DGPU_EDGE_MAPPINGS";
}

cl_int
gpu_edge_mappings_init (GpuEdgeMappings *self, cl_program program, int restricted)
{
  const struct
  {
    cl_kernel *kernel;
    const char *name;
  } kernels[] = {
    { &self->join_unit, "gpu_edge_join_unit" },
    { &self->resolve_unit, "gpu_edge_resolve_unit" },
    { &self->join_group, "gpu_edge_join_group" },
    { &self->resolve_group, "gpu_edge_resolve_group" },
    { &self->resolve_grid, "gpu_edge_resolve_grid" },
    { &self->join_lanes, "gpu_edge_join_lanes" },
    { &self->resolve_lanes, "gpu_edge_resolve_lanes" },
  };
  unsigned n = sizeof (kernels) / sizeof (kernels[0]) - (restricted ? 2 : 0);
  cl_int err = CL_SUCCESS;

  memset (self, 0, sizeof (*self));
  for (unsigned i = 0; i < n && err == CL_SUCCESS; i++)
    *kernels[i].kernel = clCreateKernel (program, kernels[i].name, &err);
  if (err != CL_SUCCESS)
    gpu_edge_mappings_clear (self);
  else
    gpu_edge_mappings_set_all (self, GPU_EDGE_GRID);
  return err;
}

void
gpu_edge_mappings_clear (GpuEdgeMappings *self)
{
  const cl_kernel kernels[] = { self->join_unit, self->resolve_unit, self->join_group, self->resolve_group, self->resolve_grid,
    self->join_lanes, self->resolve_lanes };

  for (unsigned i = 0; i < sizeof (kernels) / sizeof (kernels[0]); i++)
    if (kernels[i])
      clReleaseKernel (kernels[i]);
  memset (self, 0, sizeof (*self));
}

void
gpu_edge_mappings_set_all (GpuEdgeMappings *self, GpuEdgeMapping mapping)
{
  for (unsigned l = 0; l < GPU_EDGE_MAX_LEVELS; l++)
    self->mappings[l] = mapping;
}

void
gpu_edge_mappings_set_paper (GpuEdgeMappings *self, int lanes)
{
  for (unsigned l = 0; l < GPU_EDGE_MAX_LEVELS; l++)
    if (lanes)
      self->mappings[l] = l < FEW_INPUTS_LEVELS ? GPU_EDGE_UNIT : GPU_EDGE_LANES;
    else
      self->mappings[l] = l < UNIT_LEVELS ? GPU_EDGE_UNIT : l < GROUP_LEVELS ? GPU_EDGE_GROUP : GPU_EDGE_GRID;
}

unsigned
gpu_edge_mappings_n_launches (const GpuEdgeMappings *self, unsigned n_levels)
{
  unsigned n = 0;

  for (unsigned l = 0; l < n_levels; l++)
    n += self->mappings[l] >= GPU_EDGE_GRID ? N_QUADRANTS : 1;
  return n;
}

/* What the launches of a join and of its resolution have in common */
typedef struct
{
  GpuEdgeMapping mapping;
  size_t units[3], groups[3], rows[3], lanes[3]; /* global sizes */
  size_t group[3], lane_group[3];                /* local sizes */
} Shape;

static Shape
shape_of (const GpuEdgeMappings *self, const GpuEdgeScan *scan, unsigned level)
{
  const GpuEdgeLevel *parent = &scan->levels[level + 1];
  size_t width = parent->width, height = parent->height, n_rows = 2 * (size_t) scan->levels[level].side;

  return (Shape){
    .mapping = self->mappings[level],
    .units = { width, height, 1 },
    .groups = { GROUP_SIZE, width, height },
    .rows = { n_rows, width, height },
    .lanes = { LANES, n_rows, width * height },
    .group = { GROUP_SIZE, 1, 1 },
    .lane_group = { LANES, n_rows < ROWS_A_GROUP ? n_rows : ROWS_A_GROUP, 1 },
  };
}

static void
join (GpuEdgeMappings *self, GpuEdgeScan *scan, GpuLaunches *launches, unsigned level)
{
  Shape shape = shape_of (self, scan, level);
  GpuEdgeLevel *child = &scan->levels[level], *parent = child + 1;

  if (shape.mapping == GPU_EDGE_UNIT)
    gpu_launches_add (launches, self->join_unit, shape.units, 5, GPU_ARG (*child), GPU_ARG (*parent), GPU_ARG (scan->runs),
        GPU_ARG (scan->constants), GPU_ARG (scan->weights));
  else if (shape.mapping == GPU_EDGE_GROUP)
    gpu_launches_add_groups (launches, self->join_group, shape.groups, shape.group, 5, GPU_ARG (*child), GPU_ARG (*parent),
        GPU_ARG (scan->runs), GPU_ARG (scan->constants), GPU_ARG (scan->weights));
  for (cl_uint quadrant = 0; quadrant < N_QUADRANTS && shape.mapping >= GPU_EDGE_GRID; quadrant++)
    if (shape.mapping == GPU_EDGE_GRID)
      gpu_launches_add (launches, scan->join, shape.rows, 6, GPU_ARG (*child), GPU_ARG (*parent), GPU_ARG (quadrant), GPU_ARG (scan->runs),
          GPU_ARG (scan->constants), GPU_ARG (scan->weights));
    else
      gpu_launches_add_groups (launches, self->join_lanes, shape.lanes, shape.lane_group, 6, GPU_ARG (*child), GPU_ARG (*parent),
          GPU_ARG (quadrant), GPU_ARG (scan->runs), GPU_ARG (scan->constants), GPU_ARG (scan->weights));
}

static void
resolve (GpuEdgeMappings *self, GpuEdgeScan *scan, GpuLaunches *launches, unsigned level, cl_mem plane)
{
  Shape shape = shape_of (self, scan, level);
  GpuEdgeLevel *child = &scan->levels[level];
  cl_uint width = scan->width, height = scan->height, parent_width = scan->levels[level + 1].width;

  if (shape.mapping == GPU_EDGE_UNIT)
    gpu_launches_add (launches, self->resolve_unit, shape.units, 7, GPU_ARG (*child), GPU_ARG (plane), GPU_ARG (width), GPU_ARG (height),
        GPU_ARG (scan->runs), GPU_ARG (scan->constants), GPU_ARG (scan->weights));
  else if (shape.mapping == GPU_EDGE_GROUP)
    gpu_launches_add_groups (launches, self->resolve_group, shape.groups, shape.group, 7, GPU_ARG (*child), GPU_ARG (plane),
        GPU_ARG (width), GPU_ARG (height), GPU_ARG (scan->runs), GPU_ARG (scan->constants), GPU_ARG (scan->weights));
  for (cl_int step = 0; step < N_QUADRANTS && shape.mapping >= GPU_EDGE_GRID; step++)
    if (shape.mapping == GPU_EDGE_GRID)
      gpu_launches_add (launches, self->resolve_grid, shape.rows, 8, GPU_ARG (*child), GPU_ARG (step), GPU_ARG (plane), GPU_ARG (width),
          GPU_ARG (height), GPU_ARG (scan->runs), GPU_ARG (scan->constants), GPU_ARG (scan->weights));
    else
      gpu_launches_add_groups (launches, self->resolve_lanes, shape.lanes, shape.lane_group, 9, GPU_ARG (*child), GPU_ARG (parent_width),
          GPU_ARG (step), GPU_ARG (plane), GPU_ARG (width), GPU_ARG (height), GPU_ARG (scan->runs), GPU_ARG (scan->constants),
          GPU_ARG (scan->weights));
}

void
gpu_edge_mappings_enqueue (GpuEdgeMappings *self, GpuEdgeScan *scan, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem plane,
    cl_mem picture)
{
  gpu_edge_scan_begin (scan, launches, modes, residual);
  for (unsigned l = 0; l < scan->n_levels; l++)
    join (self, scan, launches, l);
  gpu_edge_scan_resolve_largest (scan, launches, plane);
  for (unsigned l = scan->n_levels; l-- > 0;)
    resolve (self, scan, launches, l, plane);
  gpu_edge_scan_end (scan, launches, modes, residual, plane, picture);
}
