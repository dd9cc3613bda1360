/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The sweeps of the 2-D scan of intra edges with the mappings of Pieters et al., section 4.4 (included by edgescan.cl): the quadrants of a
 * joined block follow each other, and in the down sweep each is a function of its own inputs.  A work-item or a work-group takes a joined
 * block, with all quadrants in one launch; or a launch takes one quadrant of all joined blocks, by a work-item or by LANES a row.
 */

/* Steps of the down sweep: the edges of the top left quadrant, the bottom edge of the top right one, the right edge of the bottom left
 * one.  All others are edges of the joined block. */
#define N_STEPS 3

/* A resolution: one block of the parent level at (x, y), whose edges are known already */
typedef struct
{
  const GpuEdgeLevel *child;
  size_t x, y;
} Resolution;

/* Whether row @row of the quadrant of @step is one to find; its block */
INLINE bool
is_hidden (const Resolution *r, int step, uint row, size_t *block_x, size_t *block_y)
{
  uint s = r->child->side;
  bool hidden = step == 0 ? row != s : step == 1 ? row + 1 < s : row > s;

  *block_x = r->x * 2 + (step == 1);
  *block_y = r->y * 2 + (step == 2);
  return hidden && *block_x < r->child->width && *block_y < r->child->height;
}

INLINE void
resolve_row (const Rows *rows, const Plane *plane, const Resolution *r, int step, uint row)
{
  uint s = r->child->side;
  int2 at = output_position (s, row);
  size_t x, y;

  if (is_hidden (r, step, row, &x, &y))
    store (plane, x * s + at.x, y * s + at.y,
           evaluate (rows, r->child, row_at (r->child, x, y, row), sample_at (plane, x * s - 1, y * s - 1), plane->width + 1));
}

/* A work-item a joined block.  Global size (blocks across, blocks down, 1) */
__kernel void
gpu_edge_join_unit (GpuEdgeLevel child, GpuEdgeLevel parent, ROWS_PARAMETERS)
{
  Rows rows = ROWS;
  Join join = { &child, &parent, get_global_id (0), get_global_id (1) };

  for (int quadrant = TOP_RIGHT; quadrant <= BOTTOM_RIGHT; quadrant++)
    for (uint row = 0; row < 2 * child.side; row++)
      join_row (&rows, &join, quadrant, row);
}

/* Global size (blocks across, blocks down, 1), of the parent */
__kernel void
gpu_edge_resolve_unit (GpuEdgeLevel child, __global Value *samples, uint width, uint height, ROWS_PARAMETERS)
{
  Rows rows = ROWS;
  Plane plane = { samples, width, height };
  Resolution r = { &child, get_global_id (0), get_global_id (1) };

  for (int step = 0; step < N_STEPS; step++)
    for (uint row = 0; row < 2 * child.side; row++)
      resolve_row (&rows, &plane, &r, step, row);
}

/* A work-group a joined block, with barriers between the quadrants.  Global size (local size, blocks across, blocks down) */
__kernel void
gpu_edge_join_group (GpuEdgeLevel child, GpuEdgeLevel parent, ROWS_PARAMETERS)
{
  Rows rows = ROWS;
  Join join = { &child, &parent, get_global_id (1), get_global_id (2) };

  for (int quadrant = TOP_RIGHT; quadrant <= BOTTOM_RIGHT; quadrant++) {
    for (uint row = get_local_id (0); row < 2 * child.side; row += get_local_size (0))
      join_row (&rows, &join, quadrant, row);
    barrier (CLK_GLOBAL_MEM_FENCE);
  }
}

/* Global size (local size, blocks across, blocks down), of the parent */
__kernel void
gpu_edge_resolve_group (GpuEdgeLevel child, __global Value *samples, uint width, uint height, ROWS_PARAMETERS)
{
  Rows rows = ROWS;
  Plane plane = { samples, width, height };
  Resolution r = { &child, get_global_id (1), get_global_id (2) };

  for (int step = 0; step < N_STEPS; step++) {
    for (uint row = get_local_id (0); row < 2 * child.side; row += get_local_size (0))
      resolve_row (&rows, &plane, &r, step, row);
    barrier (CLK_GLOBAL_MEM_FENCE);
  }
}

/* One quadrant of all joined blocks, a work-item a row (up: gpu_edge_join()).  Global size (2 s, blocks across, blocks down), of the
 * parent */
__kernel void
gpu_edge_resolve_grid (GpuEdgeLevel child, int step, __global Value *samples, uint width, uint height, ROWS_PARAMETERS)
{
  Rows rows = ROWS;
  Plane plane = { samples, width, height };
  Resolution r = { &child, get_global_id (1), get_global_id (2) };

  resolve_row (&rows, &plane, &r, step, get_global_id (0));
}

#ifndef GPU_RESTRICTED
/* Work-items that share a row: a warp there */
#define LANES 32
/* Rows of a work-group */
#define ROWS_A_GROUP 32

/* What the lanes of a row found, taken together */
INLINE float
sum_of_lanes (__local const float *parts)
{
  float sum = 0;

  for (int i = 0; i < LANES; i++)
    sum += parts[i];
  return sum;
}

INLINE uint2
union_of_lanes (__local const uint2 *parts)
{
  uint2 all = (uint2) (UINT_MAX, 0);

  for (int i = 0; i < LANES; i++)
    all = (uint2) (min (all.x, parts[i].x), max (all.y, parts[i].y));
  return all.x < all.y ? all : (uint2) (0, 0);
}

/* Lane's part of the constant that row @from takes over, and of its bounds: every 32nd input */
INLINE float
lane_part (const Rows *rows, const Join *join, int quadrant, size_t from, uint lane, __local uint2 *bounds)
{
  Run run = rows->runs[from];
  const __global float *w = weights_at (rows, join->child, from);
  uint2 found = (uint2) (UINT_MAX, 0);
  float offset = 0;

  for (uint i = run.x + lane; i < (uint) run.x + run.y; i += LANES) {
    Source source = find_source (join, quadrant, i);
    Run inner = source.is_input ? (Run) (0, 1) : rows->runs[source.row];

    if (w[i] == 0)
      continue;
    offset += source.is_input ? 0 : w[i] * rows->constants[source.row];
    if (inner.y == 0)
      continue;
    found.x = min (found.x, source.index + inner.x);
    found.y = max (found.y, source.index + inner.x + inner.y);
  }
  *bounds = found;
  return offset;
}

/* Weight @k of the joined block's inputs in row @from of a quadrant */
INLINE float
joined_weight (const Rows *rows, const Join *join, int quadrant, size_t from, uint k)
{
  Run run = rows->runs[from];
  const __global float *w = weights_at (rows, join->child, from);
  float sum = 0;

  for (uint i = run.x; i < (uint) run.x + run.y; i++) {
    Source source = find_source (join, quadrant, i);
    uint inner_k = k - source.index;

    if (source.is_input)
      sum += inner_k == 0 ? w[i] : 0;
    else if (inner_k >= rows->runs[source.row].x && inner_k - rows->runs[source.row].x < rows->runs[source.row].y)
      sum += w[i] * source_weights (rows, join, &source)[inner_k];
  }
  return sum;
}

/* One quadrant of all joined blocks, LANES work-items a row.  Global size (LANES, 2 s, joined blocks), local size (LANES, at most
 * ROWS_A_GROUP, 1) */
__kernel void
gpu_edge_join_lanes (GpuEdgeLevel child, GpuEdgeLevel parent, int quadrant, ROWS_PARAMETERS)
{
  __local float offsets[ROWS_A_GROUP][LANES];
  __local uint2 bounds_of_lanes[ROWS_A_GROUP][LANES];
  Rows rows = ROWS;
  Join join = { &child, &parent, get_global_id (2) % parent.width, get_global_id (2) / parent.width };
  uint lane = get_local_id (0), local_row = get_local_id (1), row = get_global_id (1);
  size_t x = join.x * 2 + (quadrant != BOTTOM_LEFT), y = join.y * 2 + (quadrant != TOP_RIGHT);
  size_t to = row_at (&parent, join.x, join.y, joined_row (quadrant, child.side, row));
  bool inside = x < child.width && y < child.height;
  size_t from = inside ? row_at (&child, x, y, row) : 0;

  if (inside)
    offsets[local_row][lane] = lane_part (&rows, &join, quadrant, from, lane, &bounds_of_lanes[local_row][lane]);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (inside) {
    uint2 found = union_of_lanes (bounds_of_lanes[local_row]);

    for (uint k = found.x + lane; k < found.y; k += LANES)
      weights_at (&rows, &parent, to)[k] = joined_weight (&rows, &join, quadrant, from, k);
    if (lane == 0) {
      rows.runs[to] = (Run) (found.x, found.y - found.x);
      rows.constants[to] = rows.constants[from] + sum_of_lanes (offsets[local_row]);
    }
  } else if (lane == 0) {
    no_row (&rows, to);
  }
}

/* Lane's part of the value of a row of a block whose corner input stands at @corner */
INLINE float
lane_value (const Rows *rows, const GpuEdgeLevel *level, size_t row, __global const Value *corner, size_t pitch, uint lane)
{
  Run run = rows->runs[row];
  const __global float *w = weights_at (rows, level, row);
  uint s = level->side;
  float value = 0;

  for (uint i = run.x + lane; i < (uint) run.x + run.y; i += LANES)
    value += w[i] * (i <= s ? corner[(s - i) * pitch] : corner[i - s]);
  return value;
}

/* Global size (LANES, 2 s, blocks of the parent), local size (LANES, ROWS_A_GROUP, 1); @parent_width: blocks across */
__kernel void
gpu_edge_resolve_lanes (GpuEdgeLevel child, uint parent_width, int step, __global Value *samples, uint width, uint height, ROWS_PARAMETERS)
{
  __local float values[ROWS_A_GROUP][LANES];
  Rows rows = ROWS;
  Plane plane = { samples, width, height };
  Resolution r = { &child, get_global_id (2) % parent_width, get_global_id (2) / parent_width };
  uint lane = get_local_id (0), local_row = get_local_id (1), row = get_global_id (1), s = child.side;
  int2 at = output_position (s, row);
  size_t x, y;
  bool hidden = is_hidden (&r, step, row, &x, &y);

  if (hidden)
    values[local_row][lane] =
        lane_value (&rows, &child, row_at (&child, x, y, row), sample_at (&plane, x * s - 1, y * s - 1), width + 1, lane);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (hidden && lane == 0)
    store (&plane, x * s + at.x, y * s + at.y, rows.constants[row_at (&child, x, y, row)] + sum_of_lanes (values[local_row]));
}
#endif
