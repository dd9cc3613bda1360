/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Prediction by 1-D scans, after Pieters et al.: a value that is its residual plus, where mu is 1, the value before it, x[i] = c[i] +
 * v[i] x[i - 1] is found for all i in 2 log2 n - 1 launches, since pairs (v, c) join: the pair of a run of elements is (v_right v_left,
 * c_right + v_right c_left).  Two users: QPY from mb_qp_delta (ITU-T H.264, 7.4.5), and the LP coefficients of JPEG XR (ITU-T T.832).
 * Both are exact.
 *
 * pairs: sequences one behind the other, each of `pitch` pairs, a power of two; .x is v, .y is c.  Arithmetic wraps in 32 bits.
 */
#define INLINE static inline __attribute__ ((always_inline))

/* Up sweep: the pairs of runs of 2 * step elements, at their last elements.  Global size (pitch / (2 * step), sequences) */
__kernel void
gpu_scan_up (__global int2 *pairs, uint pitch, uint step)
{
  size_t right = get_global_id (1) * pitch + (get_global_id (0) * 2 + 2) * step - 1;
  int2 l = pairs[right - step], r = pairs[right];

  pairs[right] = (int2) (r.x * l.x, r.y + r.x * l.y);
}

/* Down sweep: elements in the middle of runs of 2 * step get all that is before them.  Global size (pitch / (2 * step) - 1, sequences) */
__kernel void
gpu_scan_down (__global int2 *pairs, uint pitch, uint step)
{
  size_t right = get_global_id (1) * pitch + (get_global_id (0) * 2 + 3) * step - 1;
  int2 l = pairs[right - step], r = pairs[right];

  pairs[right] = (int2) (r.x * l.x, r.y + r.x * l.y);
}

/* Pairs of a work-group's run, in local memory; it has half as many work-items */
#define LOCAL_RUN 64

/* Up sweep, the passes within runs of LOCAL_RUN pairs, with barriers between them.  Global size (pitch / 2, sequences), local size
 * (LOCAL_RUN / 2, 1) */
__kernel void
gpu_scan_up_local (__global int2 *pairs, uint pitch)
{
  __local int2 run[LOCAL_RUN];
  __global int2 *first = pairs + get_global_id (1) * pitch + get_group_id (0) * LOCAL_RUN;
  uint item = get_local_id (0);

  run[2 * item] = first[2 * item];
  run[2 * item + 1] = first[2 * item + 1];
  for (uint step = 1; step < LOCAL_RUN; step *= 2) {
    uint right = (2 * item + 2) * step - 1;

    barrier (CLK_LOCAL_MEM_FENCE);
    if (right < LOCAL_RUN)
      run[right] = (int2) (run[right].x * run[right - step].x, run[right].y + run[right].x * run[right - step].y);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  first[2 * item] = run[2 * item];
  first[2 * item + 1] = run[2 * item + 1];
}

/* Down sweep, the last passes: within runs whose last pairs are done.  Sizes as above */
__kernel void
gpu_scan_down_local (__global int2 *pairs, uint pitch)
{
  __local int2 run[LOCAL_RUN];
  __global int2 *first = pairs + get_global_id (1) * pitch + get_group_id (0) * LOCAL_RUN;
  uint item = get_local_id (0);
  int2 before = get_group_id (0) > 0 ? first[-1] : (int2) (0, 0);

  run[2 * item] = first[2 * item];
  run[2 * item + 1] = first[2 * item + 1];
  for (uint step = LOCAL_RUN / 2; step >= 1; step /= 2) {
    uint right = (2 * item + 1) * step - 1;

    barrier (CLK_LOCAL_MEM_FENCE);
    if (right < LOCAL_RUN) {
      int2 l = item > 0 ? run[right - step] : before;

      if (item > 0 || get_group_id (0) > 0)
        run[right] = (int2) (run[right].x * l.x, run[right].y + run[right].x * l.y);
    }
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  first[2 * item] = run[2 * item];
  /* the last pair is what the next run reads */
  if (2 * item + 1 < LOCAL_RUN - 1)
    first[2 * item + 1] = run[2 * item + 1];
}

/* The same result by one work-item a sequence.  Global size (sequences) */
__kernel void
gpu_scan_sequential (__global int2 *pairs, uint pitch, uint n)
{
  __global int2 *pair = pairs + get_global_id (0) * pitch;
  int x = 0;

  for (uint i = 0; i < n; i++) {
    x = pair[i].y + pair[i].x * x;
    pair[i].y = x;
  }
}

/* slice_qp of a macroblock that does not begin a slice */
#define NO_SLICE (-32768)

/* QP: one sequence, the n macroblocks of a picture.  mu is 0 where a slice begins.
 * deltas: mb_qp_delta; slice_qp: SliceQPY where a slice begins, elsewhere NO_SLICE.  Global size (pitch) */
__kernel void
gpu_qp_prepare (__global int2 *pairs, __global const char *deltas, __global const short *slice_qp, uint n, int qp_bd_offset)
{
  size_t i = get_global_id (0);
  int2 pair = (int2) (0, 0);

  if (i < n) {
    bool first = slice_qp[i] != NO_SLICE;

    pair = (int2) (!first, deltas[i] + (first ? slice_qp[i] + qp_bd_offset : 0));
  }
  pairs[i] = pair;
}

/* The value of a sum in the range of QPY: sums wrap modulo 52 + QpBdOffset (7-37), and a sum of residues is the residue of the sum */
INLINE int
wrap_qp (int sum, int qp_bd_offset)
{
  int range = 52 + qp_bd_offset, rest = sum % range;

  return (rest < 0 ? rest + range : rest) - qp_bd_offset;
}

/* Global size (n) */
__kernel void
gpu_qp_finish (__global const int2 *pairs, __global char *qp, int qp_bd_offset)
{
  size_t i = get_global_id (0);

  qp[i] = (char) wrap_qp (pairs[i].y, qp_bd_offset);
}

/* QPY of a picture by macroblocks in order, a work-item a run of macroblocks that begins with a slice.
 * starts: first macroblock of each run, and n.  Global size (runs) */
__kernel void
gpu_qp_sequential (__global const char *deltas, __global const short *slice_qp, __global const uint *starts, __global char *qp,
                   int qp_bd_offset)
{
  size_t run = get_global_id (0);
  int value = 0;

  for (uint i = starts[run]; i < starts[run + 1]; i++) {
    value = wrap_qp ((slice_qp[i] != NO_SLICE ? slice_qp[i] : value) + deltas[i] + qp_bd_offset, qp_bd_offset);
    qp[i] = (char) value;
  }
}

/* QPY of one column of macroblocks, where each row is a slice: the west wavefront.  Global size (rows) */
__kernel void
gpu_qp_west (__global const char *deltas, __global const short *slice_qp, __global char *qp, uint width, uint x, int qp_bd_offset)
{
  size_t i = get_global_id (0) * width + x;
  int before = slice_qp[i] != NO_SLICE ? slice_qp[i] : qp[i - 1];

  qp[i] = (char) wrap_qp (before + deltas[i] + qp_bd_offset, qp_bd_offset);
}

/* JPEG XR.  coeffs: int[16] a macroblock in raster order: number 4 * u + v is that of vertical frequency u and horizontal frequency v of
 * the second transform; number 0 is DC, the others LP.  Before: residuals of the prediction; after: coefficients. */
#define FROM_LEFT 0
#define FROM_TOP 1
#define MEAN 2
#define NONE 3

/* The mode by two differences: a neighbour is used alone where its direction is four times as smooth */
INLINE int
orientation (int along_left, int along_top)
{
  return along_left * 4 < along_top ? FROM_TOP : along_top * 4 < along_left ? FROM_LEFT : MEAN;
}

/* DC and prediction mode of macroblock (x, y).  Tiles of tile_width x tile_height macroblocks predict from nothing outside. */
INLINE void
predict_dc (__global int *coeffs, __global uchar *modes, uint width, uint tile_width, uint tile_height, size_t x, size_t y)
{
  size_t mb = y * width + x;
  bool has_left = x % tile_width != 0, has_top = y % tile_height != 0;
  int left = has_left ? coeffs[(mb - 1) * 16] : 0, top = has_top ? coeffs[(mb - width) * 16] : 0, mode;

  if (has_left && has_top) {
    int corner = coeffs[(mb - width - 1) * 16];

    mode = orientation (abs (corner - left), abs (corner - top));
  } else {
    mode = has_left ? FROM_LEFT : has_top ? FROM_TOP : NONE;
  }
  coeffs[mb * 16] += mode == FROM_LEFT ? left : mode == FROM_TOP ? top : mode == MEAN ? (left + top) >> 1 : 0;
  modes[mb] = (uchar) mode;
}

/* The macroblocks with x + y = diagonal, from first_row on: the north-west wavefront.  Global size (macroblocks on it) */
__kernel void
gpu_dc_wave (__global int *coeffs, __global uchar *modes, uint width, uint tile_width, uint tile_height, uint diagonal, uint first_row)
{
  size_t y = first_row + get_global_id (0), x = diagonal - y;

  predict_dc (coeffs, modes, width, tile_width, tile_height, x, y);
}

/* The same in one launch: a work-group a tile, with barriers between the diagonals.  Global size (local size, tiles across, tiles down) */
__kernel void
gpu_dc_local (__global int *coeffs, __global uchar *modes, uint width, uint height, uint tile_width, uint tile_height)
{
  uint x0 = get_global_id (1) * tile_width, y0 = get_global_id (2) * tile_height;
  uint across = min (tile_width, width - x0), down = min (tile_height, height - y0);

  for (uint diagonal = 0; diagonal + 1 < across + down; diagonal++) {
    for (uint y = get_local_id (0); y < down; y += get_local_size (0))
      if (y <= diagonal && diagonal - y < across)
        predict_dc (coeffs, modes, width, tile_width, tile_height, x0 + diagonal - y, y0 + y);
    barrier (CLK_GLOBAL_MEM_FENCE);
  }
}

/* Sequences of LP coefficients: first 3 a row of macroblocks, the vertical frequencies, which come from the left; then 3 a column, the
 * horizontal ones, which come from the top.  Index in coeffs of element i of sequence s; the prediction mode that makes mu 1 */
INLINE size_t
lp_index (size_t s, size_t i, uint width, uint height, int *mode)
{
  if (s < 3 * (size_t) height) {
    *mode = FROM_LEFT;
    return (s / 3 * width + i) * 16 + 4 * (1 + s % 3);
  }
  s -= 3 * (size_t) height;
  *mode = FROM_TOP;
  return (i * width + s / 3) * 16 + 1 + s % 3;
}

INLINE uint
lp_length (size_t s, uint width, uint height)
{
  return s < 3 * (size_t) height ? width : height;
}

/* Global size (pitch, 3 * height + 3 * width) */
__kernel void
gpu_lp_prepare (__global int2 *pairs, uint pitch, __global const int *coeffs, __global const uchar *modes, uint width, uint height)
{
  size_t i = get_global_id (0), s = get_global_id (1);
  int2 pair = (int2) (0, 0);

  if (i < lp_length (s, width, height)) {
    int mode;
    size_t at = lp_index (s, i, width, height, &mode);

    pair = (int2) (modes[at / 16] == mode, coeffs[at]);
  }
  pairs[s * pitch + i] = pair;
}

/* Global size (pitch, 3 * height + 3 * width) */
__kernel void
gpu_lp_finish (__global const int2 *pairs, uint pitch, __global int *coeffs, uint width, uint height)
{
  size_t i = get_global_id (0), s = get_global_id (1);
  int mode;

  if (i < lp_length (s, width, height))
    coeffs[lp_index (s, i, width, height, &mode)] = pairs[s * pitch + i].y;
}

/* Element i of the sequences first, first + 1...: a step of the west or north wavefront.  i is not 0.  Global size (sequences) */
__kernel void
gpu_lp_wave (__global int *coeffs, __global const uchar *modes, uint width, uint height, uint first, uint i)
{
  size_t s = first + get_global_id (0);
  int mode;
  size_t at = lp_index (s, i, width, height, &mode);

  if (modes[at / 16] == mode)
    coeffs[at] += coeffs[lp_index (s, i - 1, width, height, &mode)];
}

/* All elements in order, a work-item a sequence.  Global size (3 * height + 3 * width) */
__kernel void
gpu_lp_sequential (__global int *coeffs, __global const uchar *modes, uint width, uint height)
{
  size_t s = get_global_id (0);
  uint n = lp_length (s, width, height);
  int x = 0;

  for (uint i = 0; i < n; i++) {
    int mode;
    size_t at = lp_index (s, i, width, height, &mode);

    x = coeffs[at] + (modes[at / 16] == mode ? x : 0);
    coeffs[at] = x;
  }
}

/* HP coefficients, which are predicted within their macroblock: all macroblocks at once, by the mode that the LP coefficients give.
 * hp: int[16][16] a macroblock, blocks in raster order, coefficients like those of coeffs.  Global size (macroblocks) */
__kernel void
gpu_hp_predict (__global int *hp, __global const int *coeffs)
{
  __global const int *lp = coeffs + get_global_id (0) * 16;
  __global int *mb = hp + get_global_id (0) * 256;
  int mode = orientation ((int) (abs (lp[4]) + abs (lp[8]) + abs (lp[12])), (int) (abs (lp[1]) + abs (lp[2]) + abs (lp[3])));
  int distance = mode == FROM_LEFT ? 16 : 64, step = mode == FROM_LEFT ? 4 : 1;

  if (mode == MEAN)
    return;
  for (int block = 0; block < 16; block++)
    if (mode == FROM_LEFT ? block % 4 != 0 : block >= 4)
      for (int k = step; k < 4 * step; k += step)
        mb[block * 16 + k] += mb[block * 16 + k - distance];
}
