/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction of 4x4 blocks by a 2-D scan of their edges, after Pieters et al.  Without clipping and rounding each sample of a
 * block's bottom and right edge is a linear function of the samples around the block, so four blocks join into one whose edges are
 * linear functions of what is around it (up sweep); then the largest blocks are resolved, then what lies inside them, level by level
 * (down sweep); last, inner samples, all at once.  Not what the standard decodes: nothing is clipped or rounded before the end.
 *
 * Inputs of a block of side S, in the order of its contour: 0 to S - 1 the left column from bottom to top, S the corner, S + 1 to 2 S
 * the row above from left to right; with GPU_EDGE_RECORDS, up to macroblocks, four more above right.  A row is the function of one
 * output: a constant, and its weights from the first input to the last that is not 0.
 * With GPU_RESTRICTED blocks are predicted vertically or horizontally only (but for one whose neighbours are all missing): a row is one
 * input, or none, plus a constant, in integers.
 *
 * plane: Value[height + 1][width + 1]: a row and a column of zeros, then the samples.
 * modes: Intra4x4PredMode of the 4x4 blocks in raster order, those that need no samples above right (0, 1, 2, 4, 5, 6, 8).
 * residual: short[height][width].  One slice: neighbours are missing at the picture's borders only.
 * With GPU_EDGE_RECORDS pictures come as macroblock records instead: see edgerecords.cl; with GPU_EDGE_MAPPINGS there are the paper's own
 * mappings too: see edgemapping.cl.
 */
#ifndef INLINE
#define INLINE static inline __attribute__ ((always_inline))
#endif

#include "edgelevel.h"

#ifdef GPU_RESTRICTED
typedef int Value;
typedef int Run;                /* the input; -1: none */
#else
typedef float Value;
typedef ushort2 Run;            /* first input, number of inputs */
#endif

/* Rows of all levels */
typedef struct
{
  __global Run *runs;
  __global Value *constants;
  __global float *weights;      /* not with GPU_RESTRICTED */
} Rows;

#define ROWS_PARAMETERS __global Run *runs, __global Value *constants, __global float *weights
#define ROWS { runs, constants, weights }

/* What counts where all neighbours are missing, with 8 bits */
#define GREY 128

/* Neighbours that are not missing */
#define HAS_LEFT 1
#define HAS_ABOVE 2
#define HAS_ABOVE_RIGHT 4

INLINE size_t
row_at (const GpuEdgeLevel *level, size_t x, size_t y, size_t row)
{
  return level->first_row + (y * level->width + x) * level->n_rows + row;
}

INLINE __global float *
weights_at (const Rows *rows, const GpuEdgeLevel *level, size_t row)
{
  return rows->weights + level->first_weight + (row - level->first_row) * level->n_inputs;
}

/* Inputs of a 4x4 block, those above right included */
#define BLOCK_INPUTS 13

/* Adds the taps of a filter: 1 2 1 around input @centre, or 1 1 of @centre and the next. */
INLINE void
three_taps (float w[BLOCK_INPUTS], int centre)
{
  w[centre - 1] = 0.25f;
  w[centre] = 0.5f;
  w[centre + 1] = 0.25f;
}

INLINE void
two_taps (float w[BLOCK_INPUTS], int first)
{
  w[first] = w[first + 1] = 0.5f;
}

/* Adds a weight to sample @i above; where those above right are missing the last one above stands for them. */
INLINE void
above_tap (float w[BLOCK_INPUTS], int i, bool right, float weight)
{
  w[5 + (right ? i : min (i, 3))] += weight;
}

/* Diagonal down left, and vertical left (8.3.1.2.4, 8.3.1.2.8) */
INLINE void
above_taps (float w[BLOCK_INPUTS], int mode, bool right, int x, int y)
{
  int i = mode == 3 ? x + y : x + (y >> 1);

  if (mode == 7 && y % 2 == 0) {
    above_tap (w, i, right, 0.5f);
    above_tap (w, i + 1, right, 0.5f);
  } else {
    above_tap (w, i, right, 0.25f);
    above_tap (w, i + 1, right, 0.5f);
    above_tap (w, min (i + 2, 7), right, 0.25f);
  }
}

INLINE void
dc_taps (float w[BLOCK_INPUTS], bool left, bool top)
{
  float weight = left && top ? 0.125f : 0.25f;

  for (int i = 0; i < 4; i++) {
    w[i] = left ? weight : 0;
    w[5 + i] = top ? weight : 0;
  }
}

/* Weights of the inputs of a 4x4 block, with the neighbours @around, in the prediction of its sample (x, y) (8.3.1.2); returns that of
 * grey */
INLINE float
taps (float w[BLOCK_INPUTS], int mode, uint around, int x, int y)
{
  int z;

  for (int i = 0; i < BLOCK_INPUTS; i++)
    w[i] = 0;
  switch (mode) {
    case 0:
      w[5 + x] = 1;
      break;
    case 1:
      w[3 - y] = 1;
      break;
    case 2:
      if (!(around & (HAS_LEFT | HAS_ABOVE)))
        return 1;
      dc_taps (w, around & HAS_LEFT, around & HAS_ABOVE);
      break;
    case 3:
    case 7:
      above_taps (w, mode, around & HAS_ABOVE_RIGHT, x, y);
      break;
    case 4:
      three_taps (w, 4 + x - y);
      break;
    case 5:
      z = 2 * x - y;
      if (z >= 0 && z % 2 == 0)
        two_taps (w, 4 + x - (y >> 1));
      else
        three_taps (w, z >= -1 ? 4 + x - (y >> 1) : 5 - y);
      break;
    case 6:
      z = 2 * y - x;
      if (z >= 0 && z % 2 == 0)
        two_taps (w, 3 - y + (x >> 1));
      else
        three_taps (w, z >= -1 ? 4 - y + (x >> 1) : 3 + x);
      break;
    default:
      z = x + 2 * y;
      if (z > 5) {
        w[0] = 1;
      } else if (z == 5) {
        w[0] = 0.75f;
        w[1] = 0.25f;
      } else if (z % 2 == 0) {
        two_taps (w, 2 - y - (x >> 1));
      } else {
        three_taps (w, 2 - y - (x >> 1));
      }
  }
  return 0;
}

/* Position within a block of its output @row */
INLINE int2
output_position (uint side, uint row)
{
  return row < side ? (int2) (row, side - 1) : (int2) (side - 1, 2 * side - 1 - row);
}

INLINE void
no_row (const Rows *rows, size_t to)
{
#ifdef GPU_RESTRICTED
  rows->runs[to] = -1;
#else
  rows->runs[to] = (Run) (0, 0);
#endif
  rows->constants[to] = 0;
}

#ifdef GPU_RESTRICTED
INLINE void
write_row (const Rows *rows, size_t row, int input, Value offset)
{
  rows->runs[row] = input;
  rows->constants[row] = offset;
}
#else
/* Writes a row with the weights @w of @n inputs. */
INLINE void
write_row (const Rows *rows, const GpuEdgeLevel *level, size_t row, const float *w, int n, Value offset)
{
  __global float *out = weights_at (rows, level, row);
  int first = n, end = 0;

  for (int i = 0; i < n; i++) {
    out[i] = w[i];
    first = w[i] != 0 ? min (first, i) : first;
    end = w[i] != 0 ? i + 1 : end;
  }
  rows->runs[row] = end ? (Run) (first, end - first) : (Run) (0, 0);
  rows->constants[row] = offset;
}
#endif

#ifndef GPU_EDGE_RECORDS
INLINE uint
borders (size_t bx, size_t by)
{
  return (bx > 0 ? HAS_LEFT : 0) | (by > 0 ? HAS_ABOVE : 0);
}

/* Level 0.  Global size (8, blocks across, blocks down) */
__kernel void
gpu_edge_blocks (GpuEdgeLevel level, __global const uchar *modes, __global const short *residual, uint picture_width, ROWS_PARAMETERS)
{
  Rows rows = ROWS;
  size_t bx = get_global_id (1), by = get_global_id (2), row = row_at (&level, bx, by, get_global_id (0));
  int2 at = output_position (4, get_global_id (0));
  int mode = modes[by * level.width + bx];
  Value r = residual[(by * 4 + at.y) * picture_width + bx * 4 + at.x];
#ifdef GPU_RESTRICTED
  write_row (&rows, row, mode == 0 ? 5 + at.x : mode == 1 ? 3 - at.y : -1, r + (mode == 2 ? GREY : 0));
#else
  float w[BLOCK_INPUTS];
  float offset = r + GREY * taps (w, mode, borders (bx, by), at.x, at.y);

  write_row (&rows, &level, row, w, 9, offset);
#endif
}
#endif

/* Quadrants */
#define TOP_RIGHT 0
#define BOTTOM_LEFT 1
#define BOTTOM_RIGHT 2

/* Where input @i of a quadrant comes from, when quadrants of side s join: an input of the joined block, or a row whose inputs, @index
 * further on, are such inputs */
typedef struct
{
  bool is_input;
  uint index;
  size_t row;
  bool in_parent;               /* level of the row */
} Source;

/* A join: one block of the parent level at (x, y) */
typedef struct
{
  const GpuEdgeLevel *child, *parent;
  size_t x, y;
} Join;

INLINE Source
input_source (uint index)
{
  return (Source) { true, index, 0, false };
}

/* Row of the top left quadrant */
INLINE Source
top_left_source (const Join *join, uint row)
{
  return (Source) { false, join->child->side, row_at (join->child, join->x * 2, join->y * 2, row), false };
}

/* Row of the joined block, in its own inputs already */
INLINE Source
joined_source (const Join *join, uint row)
{
  return (Source) { false, 0, row_at (join->parent, join->x, join->y, row), true };
}

INLINE Source
find_source (const Join *join, int quadrant, uint i)
{
  uint s = join->child->side;

  if (quadrant == TOP_RIGHT)
    return i >= s ? input_source (i + 2 * s) : top_left_source (join, s + i);
  if (quadrant == BOTTOM_LEFT) {
    if (i > 2 * s)              /* above right: the bottom edge of the top right quadrant */
      return joined_source (join, 4 * s + i - 2 * s - 1);
    return i <= s ? input_source (i) : top_left_source (join, i - s - 1);
  }
  if (i == s)
    return top_left_source (join, s - 1);
  return joined_source (join, i < s ? 5 * s + i : 4 * s + i - s - 1);
}

#ifdef GPU_RESTRICTED
/* Writes row @to of the parent: row @from of a quadrant in the joined block's inputs. */
INLINE void
express (const Rows *rows, const Join *join, int quadrant, size_t from, size_t to)
{
  Run run = rows->runs[from];
  Value offset = rows->constants[from];

  if (run >= 0) {
    Source source = find_source (join, quadrant, run);

    if (source.is_input) {
      run = source.index;
    } else {
      run = rows->runs[source.row];
      run = run < 0 ? -1 : run + (int) source.index;
      offset += rows->constants[source.row];
    }
  }
  rows->runs[to] = run;
  rows->constants[to] = offset;
}

INLINE Value
evaluate (const Rows *rows, const GpuEdgeLevel *level, size_t row, __global const Value *corner, size_t pitch)
{
  int i = rows->runs[row], s = level->side;

  if (i < 0)
    return rows->constants[row];
  return rows->constants[row] + (i <= s ? corner[(s - i) * pitch] : corner[i - s]);
}
#else
INLINE const __global float *
source_weights (const Rows *rows, const Join *join, const Source *source)
{
  return weights_at (rows, source->in_parent ? join->parent : join->child, source->row);
}

/* First input and end of the inputs of the joined block that a row of a quadrant depends on */
INLINE uint2
bounds (const Rows *rows, const Join *join, int quadrant, Run run, const __global float *w)
{
  uint2 found = (uint2) (UINT_MAX, 0);

  for (uint i = run.x; i < (uint) run.x + run.y; i++) {
    Source source = find_source (join, quadrant, i);
    Run inner = source.is_input ? (Run) (0, 1) : rows->runs[source.row];

    if (w[i] == 0 || inner.y == 0)
      continue;
    found.x = min (found.x, source.index + inner.x);
    found.y = max (found.y, source.index + inner.x + inner.y);
  }
  return found.x < found.y ? found : (uint2) (0, 0);
}

INLINE void
express (const Rows *rows, const Join *join, int quadrant, size_t from, size_t to)
{
  Run run = rows->runs[from];
  const __global float *w = weights_at (rows, join->child, from);
  __global float *out = weights_at (rows, join->parent, to);
  Value offset = rows->constants[from];
  uint2 found = bounds (rows, join, quadrant, run, w);

  for (uint i = found.x; i < found.y; i++)
    out[i] = 0;
  for (uint i = run.x; i < (uint) run.x + run.y; i++) {
    Source source = find_source (join, quadrant, i);
    const __global float *inner;
    Run inner_run;

    if (w[i] == 0)
      continue;
    if (source.is_input) {
      out[source.index] += w[i];
      continue;
    }
    inner = source_weights (rows, join, &source);
    inner_run = rows->runs[source.row];
    offset += w[i] * rows->constants[source.row];
    for (uint k = inner_run.x; k < (uint) inner_run.x + inner_run.y; k++)
      out[source.index + k] += w[i] * inner[k];
  }
  rows->runs[to] = (Run) (found.x, found.y - found.x);
  rows->constants[to] = offset;
}

/* Value of a row of a block whose corner input stands at @corner */
INLINE Value
evaluate (const Rows *rows, const GpuEdgeLevel *level, size_t row, __global const Value *corner, size_t pitch)
{
  Run run = rows->runs[row];
  const __global float *w = weights_at (rows, level, row);
  Value value = rows->constants[row];
  uint s = level->side, end = (uint) run.x + run.y, i = run.x;

  for (; i < min (end, s + 1); i++)
    value += w[i] * corner[(s - i) * pitch];
  for (; i < end; i++)
    value += w[i] * corner[i - s];
  return value;
}
#endif

/* Row of the joined block where row @row of a quadrant goes */
INLINE uint
joined_row (int quadrant, uint s, uint row)
{
  if (quadrant == TOP_RIGHT)
    return row < s ? 4 * s + row : 2 * s + row;
  if (quadrant == BOTTOM_LEFT)
    return row < s ? row : 4 * s + row;
  return s + row;
}

INLINE void
join_row (const Rows *rows, const Join *join, int quadrant, uint row)
{
  size_t x = join->x * 2 + (quadrant != BOTTOM_LEFT), y = join->y * 2 + (quadrant != TOP_RIGHT);
  size_t to = row_at (join->parent, join->x, join->y, joined_row (quadrant, join->child->side, row));

  if (x < join->child->width && y < join->child->height)
    express (rows, join, quadrant, row_at (join->child, x, y, row), to);
  else
    no_row (rows, to);
}

/* Up sweep: quadrants, from @first on, in the inputs of the joined block; the bottom right one after the other two, and the bottom left
 * one after the top right one where there are inputs above right.  A quadrant outside of the picture gives empty rows.  Global size (2 s
 * times the number of quadrants, blocks across, blocks down) */
__kernel void
gpu_edge_join (GpuEdgeLevel child, GpuEdgeLevel parent, uint first, ROWS_PARAMETERS)
{
  Rows rows = ROWS;
  Join join = { &child, &parent, get_global_id (1), get_global_id (2) };
  uint s = child.side;

  join_row (&rows, &join, (int) (first + get_global_id (0) / (2 * s)), get_global_id (0) % (2 * s));
}

/* The samples, with the row and column before them */
typedef struct
{
  __global Value *plane;
  size_t width, height;
} Plane;

INLINE __global Value *
sample_at (const Plane *plane, size_t x, size_t y)
{
  return plane->plane + (y + 1) * (plane->width + 1) + x + 1;
}

/* Stores a value where the picture has a sample. */
INLINE void
store (const Plane *plane, size_t x, size_t y, Value value)
{
  if (x < plane->width && y < plane->height)
    *sample_at (plane, x, y) = value;
}

/* Edges of the largest blocks with x + slope * y = diagonal, from first_row on: the north-west order with slope 1; 2 where blocks need
 * what is above right.  Global size (2 S, blocks on the diagonal,
 * 1) */
__kernel void
gpu_edge_wave (GpuEdgeLevel level, uint slope, uint diagonal, uint first_row, __global Value *samples, uint width, uint height,
               ROWS_PARAMETERS)
{
  Rows rows = ROWS;
  Plane plane = { samples, width, height };
  size_t y = first_row + get_global_id (1), x = diagonal - slope * y, x0 = x * level.side, y0 = y * level.side;
  uint row = get_global_id (0);
  int2 at = output_position (level.side, row);

  /* the corner is an output twice */
  if (row != level.side)
    store (&plane, x0 + at.x, y0 + at.y,
           evaluate (&rows, &level, row_at (&level, x, y, row), sample_at (&plane, x0 - 1, y0 - 1), width + 1));
}

/* Down sweep: the edges inside of joined blocks.  Global size (4 s, blocks across, blocks down) */
__kernel void
gpu_edge_resolve (GpuEdgeLevel child, GpuEdgeLevel parent, __global Value *samples, uint width, uint height, ROWS_PARAMETERS)
{
  Rows rows = ROWS;
  Plane plane = { samples, width, height };
  uint s = child.side, row = get_global_id (0);
  size_t x = get_global_id (1), y = get_global_id (2), x0 = x * parent.side, y0 = y * parent.side;
  __global const Value *corner = sample_at (&plane, x0 - 1, y0 - 1);

  if (row < 2 * s) {
    int2 at = output_position (s, row);

    if (row != s)
      store (&plane, x0 + at.x, y0 + at.y, evaluate (&rows, &child, row_at (&child, x * 2, y * 2, row), corner, width + 1));
  } else {
    uint hidden = row - 2 * s;
    int2 at = output_position (s, hidden) + (hidden < s ? (int2) (s, 0) : (int2) (0, s));

    /* the ends of the two edges are outputs of the joined block, which others read */
    if (hidden != s - 1 && hidden != s)
      store (&plane, x0 + at.x, y0 + at.y, evaluate (&rows, &parent, row_at (&parent, x, y, 4 * s + hidden), corner, width + 1));
  }
}

#ifdef GPU_EDGE_MAPPINGS
#include "edgemapping.cl"
#endif

#ifdef GPU_EDGE_RECORDS
#include "edgerecords.cl"
#else
/* Inner samples, and the picture: every sample rounded and clipped at last.  picture: uchar[height][width].  Global size (blocks across,
 * blocks down, 1) */
__kernel void
gpu_edge_inner (__global const uchar *modes, __global const short *residual, __global Value *samples, __global uchar *picture, uint width,
                uint height)
{
  Plane plane = { samples, width, height };
  size_t bx = get_global_id (0), by = get_global_id (1), x0 = bx * 4, y0 = by * 4;
  int mode = modes[by * (width / 4) + bx];
  Value inputs[9];

  for (int i = 0; i < 9; i++)
    inputs[i] = i <= 4 ? *sample_at (&plane, x0 - 1, y0 + 3 - i) : *sample_at (&plane, x0 + i - 5, y0 - 1);
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++) {
      __global Value *sample = sample_at (&plane, x0 + x, y0 + y);
      size_t at = (y0 + y) * width + x0 + x;
      Value value = *sample;

      if (x < 3 && y < 3) {
#ifdef GPU_RESTRICTED
        value = residual[at] + (mode == 0 ? inputs[5 + x] : mode == 1 ? inputs[3 - y] : GREY);
#else
        float w[BLOCK_INPUTS];

        value = residual[at] + GREY * taps (w, mode, borders (bx, by), x, y);
        for (int i = 0; i < 9; i++)
          value += w[i] * inputs[i];
#endif
        *sample = value;
      }
#ifdef GPU_RESTRICTED
      picture[at] = convert_uchar_sat (value);
#else
      picture[at] = convert_uchar_sat (floor (value + 0.5f));
#endif
    }
}
#endif
