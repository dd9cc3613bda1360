/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "edgescankernel.h"

const char *
gpu_edge_scan_options (int restricted)
{
  return restricted ? "-DGPU_RESTRICTED" : "";
}

unsigned
gpu_edge_scan_full_levels (unsigned width, unsigned height)
{
  unsigned level = 0;

  while (4u << level < width || 4u << level < height)
    level++;
  return level;
}

/* Samples above right of a 4x4 block; larger than macroblocks none are needed */
#define N_ABOVE_RIGHT 4
#define MACROBLOCK_SIDE 16

/* Numbers of all levels; *n_rows, *n_weights: of all together */
static void
lay_out (GpuEdgeScan *self, unsigned first_side, int above_right, uint64_t *n_rows, uint64_t *n_weights)
{
  *n_rows = *n_weights = 0;
  for (unsigned l = 0; l <= self->n_levels; l++) {
    uint32_t side = first_side << l;
    GpuEdgeLevel *level = &self->levels[l];

    level->side = side;
    level->n_inputs = 2 * side + 1 + (above_right && side <= MACROBLOCK_SIDE ? N_ABOVE_RIGHT : 0);
    level->width = (self->width + side - 1) / side;
    level->height = (self->height + side - 1) / side;
    level->n_rows = l == 0 ? 2 * side : 3 * side;
    level->first_row = *n_rows;
    level->first_weight = *n_weights;
    *n_rows += (uint64_t) level->width * level->height * level->n_rows;
    *n_weights += (uint64_t) level->width * level->height * level->n_rows * level->n_inputs;
  }
}

static cl_int
make_kernels (GpuEdgeScan *self, cl_program program)
{
  const struct
  {
    cl_kernel *kernel;
    const char *name;
  } kernels[] = {
    { &self->blocks, "gpu_edge_blocks" },
    { &self->join, "gpu_edge_join" },
    { &self->wave, "gpu_edge_wave" },
    { &self->resolve, "gpu_edge_resolve" },
    { &self->inner, "gpu_edge_inner" },
  };
  cl_int err = CL_SUCCESS;

  for (unsigned i = 0; i < sizeof (kernels) / sizeof (kernels[0]) && err == CL_SUCCESS; i++)
    *kernels[i].kernel = clCreateKernel (program, kernels[i].name, &err);
  return err;
}

static cl_int
make_buffers (GpuEdgeScan *self, cl_context context, unsigned first_side, int above_right)
{
  uint64_t n_rows, n_weights;
  cl_int err;

  lay_out (self, first_side, above_right, &n_rows, &n_weights);
  self->runs = clCreateBuffer (context, CL_MEM_READ_WRITE, n_rows * 4, NULL, &err);
  if (err == CL_SUCCESS)
    self->constants = clCreateBuffer (context, CL_MEM_READ_WRITE, n_rows * 4, NULL, &err);
  if (err == CL_SUCCESS)
    self->weights = clCreateBuffer (context, CL_MEM_READ_WRITE, self->restricted ? 4 : n_weights * 4, NULL, &err);
  return err;
}

cl_int
gpu_edge_scan_init (GpuEdgeScan *self, cl_context context, cl_program program, int restricted, unsigned width, unsigned height,
    unsigned n_levels)
{
  return gpu_edge_scan_init_sides (self, context, program, restricted, width, height, n_levels, 4, 0);
}

cl_int
gpu_edge_scan_init_sides (GpuEdgeScan *self, cl_context context, cl_program program, int restricted, unsigned width, unsigned height,
    unsigned n_levels, unsigned first_side, int above_right)
{
  cl_int err;

  memset (self, 0, sizeof (*self));
  if (width == 0 || height == 0 || width % 4 || height % 4 || width > 16384 || height > 16384 || n_levels > GPU_EDGE_MAX_LEVELS
      || first_side << n_levels > 4u << GPU_EDGE_MAX_LEVELS)
    return CL_INVALID_VALUE;
  self->restricted = restricted;
  self->width = width;
  self->height = height;
  self->n_levels = n_levels;
  self->slope = 1;
  err = make_kernels (self, program);
  if (err == CL_SUCCESS)
    err = make_buffers (self, context, first_side, above_right);
  if (err != CL_SUCCESS)
    gpu_edge_scan_clear (self);
  return err;
}

void
gpu_edge_scan_clear (GpuEdgeScan *self)
{
  const cl_kernel kernels[] = { self->blocks, self->join, self->wave, self->resolve, self->inner };
  const cl_mem buffers[] = { self->runs, self->constants, self->weights };

  for (unsigned i = 0; i < sizeof (kernels) / sizeof (kernels[0]); i++)
    if (kernels[i])
      clReleaseKernel (kernels[i]);
  for (unsigned i = 0; i < sizeof (buffers) / sizeof (buffers[0]); i++)
    if (buffers[i])
      clReleaseMemObject (buffers[i]);
  memset (self, 0, sizeof (*self));
}

void
gpu_edge_scan_set_height (GpuEdgeScan *self, unsigned height)
{
  uint64_t n_rows, n_weights;
  unsigned first_side = self->levels[0].side;

  self->height = height;
  lay_out (self, first_side, self->levels[0].n_inputs > 2 * first_side + 1, &n_rows, &n_weights);
}

void
gpu_edge_scan_get_memory (const GpuEdgeScan *self, uint64_t *n_rows, uint64_t *n_weights)
{
  *n_rows = *n_weights = 0;
  for (unsigned l = 0; l <= self->n_levels; l++) {
    const GpuEdgeLevel *level = &self->levels[l];
    uint64_t rows = (uint64_t) level->width * level->height * level->n_rows;

    *n_rows += rows;
    *n_weights += rows * level->n_inputs;
  }
}

cl_mem
gpu_edge_scan_get_constants (const GpuEdgeScan *self)
{
  return self->constants;
}

unsigned
gpu_edge_scan_n_launches (const GpuEdgeScan *self)
{
  const GpuEdgeLevel *top = &self->levels[self->n_levels];

  return 1 + 2 * self->n_levels + top->width + top->height - 1 + self->n_levels + 1;
}

/* Joins that wait for each other: the bottom left quadrant needs the top right one where it has inputs above right, the bottom right one
 * both. */
static void
join (GpuEdgeScan *self, GpuLaunches *launches, GpuEdgeLevel *child)
{
  static const cl_uint together[] = { 0, 2, 3 }, apart[] = { 0, 1, 2, 3 };
  GpuEdgeLevel *parent = child + 1;
  const cl_uint *quadrants = child->n_inputs > 2 * child->side + 1 ? apart : together;

  for (; *quadrants < 3; quadrants++) {
    size_t global[3] = { (size_t) 2 * child->side * (quadrants[1] - quadrants[0]), parent->width, parent->height };

    gpu_launches_add (launches, self->join, global, 6, GPU_ARG (*child), GPU_ARG (*parent), GPU_ARG (*quadrants), GPU_ARG (self->runs),
        GPU_ARG (self->constants), GPU_ARG (self->weights));
  }
}

void
gpu_edge_scan_sweep_up (GpuEdgeScan *self, GpuLaunches *launches, unsigned first, unsigned end)
{
  for (unsigned l = first; l < end; l++)
    join (self, launches, &self->levels[l]);
}

void
gpu_edge_scan_resolve_largest (GpuEdgeScan *self, GpuLaunches *launches, cl_mem plane)
{
  GpuEdgeLevel *top = &self->levels[self->n_levels];
  cl_uint width = self->width, height = self->height, slope = self->slope, n = top->width + slope * (top->height - 1);

  for (cl_uint d = 0; d < n; d++) {
    cl_uint first = d < top->width ? 0 : (d - top->width) / slope + 1, end = d / slope < top->height ? d / slope + 1 : top->height;
    size_t global[3] = { 2 * top->side, end > first ? end - first : 0, 1 };

    gpu_launches_add (launches, self->wave, global, 10, GPU_ARG (*top), GPU_ARG (slope), GPU_ARG (d), GPU_ARG (first), GPU_ARG (plane),
        GPU_ARG (width), GPU_ARG (height), GPU_ARG (self->runs), GPU_ARG (self->constants), GPU_ARG (self->weights));
  }
}

void
gpu_edge_scan_sweep_down (GpuEdgeScan *self, GpuLaunches *launches, cl_mem plane)
{
  cl_uint width = self->width, height = self->height;

  gpu_edge_scan_resolve_largest (self, launches, plane);
  for (unsigned l = self->n_levels; l-- > 0;) {
    GpuEdgeLevel *child = &self->levels[l], *parent = child + 1;
    size_t global[3] = { 4 * child->side, parent->width, parent->height };

    gpu_launches_add (launches, self->resolve, global, 8, GPU_ARG (*child), GPU_ARG (*parent), GPU_ARG (plane), GPU_ARG (width),
        GPU_ARG (height), GPU_ARG (self->runs), GPU_ARG (self->constants), GPU_ARG (self->weights));
  }
}

void
gpu_edge_scan_begin (GpuEdgeScan *self, GpuLaunches *launches, cl_mem modes, cl_mem residual)
{
  GpuEdgeLevel *bottom = &self->levels[0];
  cl_uint width = self->width;
  size_t rows[3] = { 8, bottom->width, bottom->height };

  gpu_launches_add (launches, self->blocks, rows, 7, GPU_ARG (*bottom), GPU_ARG (modes), GPU_ARG (residual), GPU_ARG (width),
      GPU_ARG (self->runs), GPU_ARG (self->constants), GPU_ARG (self->weights));
}

void
gpu_edge_scan_end (GpuEdgeScan *self, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem plane, cl_mem picture)
{
  cl_uint width = self->width, height = self->height;
  size_t blocks[3] = { width / 4, height / 4, 1 };

  gpu_launches_add (launches, self->inner, blocks, 6, GPU_ARG (modes), GPU_ARG (residual), GPU_ARG (plane), GPU_ARG (picture),
      GPU_ARG (width), GPU_ARG (height));
}

void
gpu_edge_scan_enqueue (GpuEdgeScan *self, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem plane, cl_mem picture)
{
  gpu_edge_scan_begin (self, launches, modes, residual);
  gpu_edge_scan_sweep_up (self, launches, 0, self->n_levels);
  gpu_edge_scan_sweep_down (self, launches, plane);
  gpu_edge_scan_end (self, launches, modes, residual, plane, picture);
}
