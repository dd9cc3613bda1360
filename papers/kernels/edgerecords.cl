/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The 2-D scan of intra edges on pictures as macroblock records (included by edgescan.cl): Intra_4x4 in luma joins from 4x4 blocks on;
 * Intra_16x16 and chroma are functions of what is around the whole macroblock, so they start where blocks are that large; I_PCM and
 * inter macroblocks are constants.  Missing neighbours are those of the records, so slices may be of any shape.  Build options:
 *   GPU_EDGE_RECORDS, those of area.cl (GPU_CHROMA_ARRAY_TYPE is not 2), GPU_RESTRICTED
 */
#include "intramodes.cl"

/* found: what a picture has (the first three: what the scan cannot do) */
#define FOUND_UNSUPPORTED_8x8 1
#define FOUND_BYPASS 2
#define FOUND_OTHER_MODE 4      /* not vertical or horizontal, with GPU_RESTRICTED */
#define FOUND_ABOVE_RIGHT 8     /* a macroblock predicted from the one above right of it */
#define FOUND_PREDICTED 16      /* intra prediction at all */
#define FOUND_OUT_OF_RANGE 32   /* a sample that had to be clipped */
#define FOUND_INTRA 64          /* intra macroblocks, I_PCM or predicted */

#define LIKE_LUMA(plane) (GPU_CHROMA_ARRAY_TYPE == 3 || (plane) == 0)
#define AREA_SIDE(plane) (LIKE_LUMA (plane) ? 16 : 8)
#define MAX_AREA_INPUTS 33

/* What the picture comes as */
#define PICTURE_PARAMETERS \
  GstGpuPicture params, __global const uchar *header, ulong mbs_offset, __global const short *coeffs, __global const int *dc, \
      __global Sample *surface
#define INIT_PICTURE(picture) \
  init_picture (picture, &params, (__global const GstGpuMb *) (header + mbs_offset), coeffs, dc, surface)

INLINE int
grey_of (const Area *area)
{
  return (area->max + 1) / 2;
}

/* Neighbours of the 4x4 block blkIdx */
INLINE uint
neighbours_4x4 (const Area *area, uint blk)
{
  uint available = area->mb->available;

  return (blocks_with_left (available) >> blk & 1 ? HAS_LEFT : 0) | (blocks_with_above (available) >> blk & 1 ? HAS_ABOVE : 0)
      | (blocks_with_above_right (available) >> blk & 1 ? HAS_ABOVE_RIGHT : 0);
}

INLINE uint
neighbours_of_area (const Area *area)
{
  uint available = area->mb->available, left = GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER;

  return ((available & left) == left ? HAS_LEFT : 0) | (available & GST_GPU_AVAILABLE_B ? HAS_ABOVE : 0);
}

/* Neighbours that the DC prediction of the chroma block with (x, y) uses (8.3.4.1 to 8.3.4.3) */
INLINE uint
neighbours_of_chroma_dc (const Area *area, int x, int y)
{
  uint around = neighbours_of_area (area);

  if (x >= 4 && y < 4 && (around & HAS_ABOVE))
    return HAS_ABOVE;
  return x < 4 && y >= 4 && (around & HAS_LEFT) ? HAS_LEFT : around;
}

/* 6.4.7, 6.4.3 */
INLINE uint
block_of_sample (bool like_luma, int x, int y)
{
  return like_luma ? block_index ((uint) x >> 2, (uint) y >> 2) : (uint) (y >> 2) * 2 + (uint) (x >> 2);
}

INLINE int
residual_at (const Area *area, uint blk, int x, int y)
{
  __global const short *block = find_block (area, blk);

  if (block)
    return block[(y & 3) * 4 + (x & 3)];
  return area->dc ? convert_short_sat (as_int (as_uint (area->dc[blk]) + 32u) >> 6) : 0;
}

/* A macroblock whose samples depend on nothing around it: they are there already, or in the arena */
INLINE bool
is_constant (const Area *area)
{
  return area->mb->mb_class >= GST_GPU_MB_IPCM;
}

INLINE int
constant_sample (const Area *area, int side, int x, int y)
{
  return area->mb->mb_class == GST_GPU_MB_IPCM ? pcm_samples (area)[y * side + x] : area->samples[y * area->stride + x];
}

#ifdef GPU_RESTRICTED
/* The one input that sample (x, y) of an area of side n copies, -1: none, *offset is all */
INLINE int
area_input (const Area *area, int n, int x, int y, Value *offset)
{
  bool like_luma = LIKE_LUMA (area->plane);
  uint mode = whole_mode (area, like_luma);

  if (is_constant (area)) {
    *offset = constant_sample (area, n, x, y);
    return -1;
  }
  *offset = residual_at (area, block_of_sample (like_luma, x, y), x, y) + (mode > WHOLE_HORIZONTAL ? grey_of (area) : 0);
  return mode == WHOLE_VERTICAL ? n + 1 + x : mode == WHOLE_HORIZONTAL ? n - 1 - y : -1;
}
#else
/* The mean of n samples from (first, first) on of the sides @around */
INLINE void
mean_taps (float *w, int side, uint around, int first_x, int first_y, int n)
{
  float weight = around == (HAS_LEFT | HAS_ABOVE) ? 0.5f / n : 1.0f / n;

  for (int i = 0; i < n; i++) {
    if (around & HAS_LEFT)
      w[side - 1 - first_y - i] = weight;
    if (around & HAS_ABOVE)
      w[side + 1 + first_x + i] = weight;
  }
}

/* Plane prediction (8.3.3.4, 8.3.4.4), nothing rounded */
INLINE void
plane_taps (float *w, int n, int x, int y)
{
  int half_n = n / 2;
  float slope = (n == 16 ? 5.0f : 34.0f) / 64 / 32, across = slope * (x - half_n + 1), down = slope * (y - half_n + 1);

  for (int i = 0; i < half_n; i++) {
    w[n + 1 + half_n + i] += across * (i + 1);
    w[n + half_n - 1 - i] -= across * (i + 1);
    w[n - 1 - half_n - i] += down * (i + 1);
    w[n - half_n + 1 + i] -= down * (i + 1);
  }
  w[0] += 0.5f;
  w[2 * n] += 0.5f;
}

/* Weights of the 2 n + 1 inputs of an area of side n in the prediction of its sample (x, y); returns that of grey */
INLINE float
area_taps (float *w, const Area *area, int n, int x, int y)
{
  bool like_luma = LIKE_LUMA (area->plane);
  uint mode = whole_mode (area, like_luma), around = like_luma ? neighbours_of_area (area) : neighbours_of_chroma_dc (area, x, y);

  for (int i = 0; i <= 2 * n; i++)
    w[i] = 0;
  if (mode == WHOLE_VERTICAL)
    w[n + 1 + x] = 1;
  else if (mode == WHOLE_HORIZONTAL)
    w[n - 1 - y] = 1;
  else if (mode == WHOLE_PLANE)
    plane_taps (w, n, x, y);
  else if (!around)
    return 1;
  else if (like_luma)
    mean_taps (w, n, around, 0, 0, 16);
  else
    mean_taps (w, n, around, x & 4, y & 4, 4);
  return 0;
}
#endif

/* What @found has to say before anything is scanned.  Global size (macroblocks) */
__kernel void
gpu_edge_find (PICTURE_PARAMETERS, __global int *found)
{
  __global const GstGpuMb *mb = (__global const GstGpuMb *) (header + mbs_offset) + get_global_id (0);
  uint mode = nxn_mode (mb, 5), bits = 0;

  if (mb->mb_class < GST_GPU_MB_INTER)
    bits |= FOUND_INTRA;
  if (mb->mb_class < GST_GPU_MB_IPCM)
    bits |= FOUND_PREDICTED | (mb->flags & GST_GPU_MB_BYPASS ? FOUND_BYPASS : 0);
  if (mb->mb_class == GST_GPU_MB_I8x8)
    bits |= FOUND_UNSUPPORTED_8x8;
  if (mb->mb_class == GST_GPU_MB_I4x4 && (mb->available & GST_GPU_AVAILABLE_C) && (mode == 3 || mode == 7))
    bits |= FOUND_ABOVE_RIGHT;
#ifdef GPU_RESTRICTED
  if (mb->mb_class < GST_GPU_MB_IPCM) {
    uint any = mb->available & (GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER | GST_GPU_AVAILABLE_B);
    bool other = mb->mb_class == GST_GPU_MB_I16x16 && (mb->intra_modes[0] & 3) > (any ? WHOLE_HORIZONTAL : WHOLE_DC);

    /* chroma: DC is mode 0 */
    if (GPU_CHROMA_ARRAY_TYPE == 1 && (mb->intra_chroma_pred_mode > 2 || (mb->intra_chroma_pred_mode == 0 && any)))
      other = true;
    for (uint blk = 0; blk < 16 && mb->mb_class == GST_GPU_MB_I4x4; blk++)
      if (nxn_mode (mb, blk) > (blk || any ? 1u : 2u))
        other = true;
    bits |= other ? FOUND_OTHER_MODE : 0;
  }
#endif
  if (bits)
    atomic_or (found, (int) bits);
}

/* Level 0 of what is like luma: blocks of Intra_4x4; others get empty rows.  Global size (8, blocks across, blocks down) */
__kernel void
gpu_edge_blocks (GpuEdgeLevel level, PICTURE_PARAMETERS, uint plane, ROWS_PARAMETERS)
{
  Rows rows = ROWS;
  uint bx = (uint) get_global_id (1), by = (uint) get_global_id (2), blk = block_index (bx & 3, by & 3);
  size_t row = row_at (&level, bx, by, get_global_id (0));
  int2 at = output_position (4, (uint) get_global_id (0));
  Picture picture;
  Place place;
  Area area;
  int mode;

  INIT_PICTURE (&picture);
  init_place (&place, picture.mbs, by / 4 * picture.width_in_mbs + bx / 4, picture.width_in_mbs, 0, 0);
  init_area (&area, &picture, &place, plane);
  if (area.mb->mb_class != GST_GPU_MB_I4x4) {
    no_row (&rows, row);
    return;
  }
  mode = (int) min (nxn_mode (area.mb, blk), 9u);
#ifdef GPU_RESTRICTED
  write_row (&rows, row, mode == 0 ? 5 + at.x : mode == 1 ? 3 - at.y : -1,
             residual_at (&area, blk, at.x, at.y) + (mode > 1 ? grey_of (&area) : 0));
#else
  float w[BLOCK_INPUTS];
  float grey = taps (w, mode > 8 ? 2 : mode, neighbours_4x4 (&area, blk), at.x, at.y);

  write_row (&rows, &level, row, w, BLOCK_INPUTS, residual_at (&area, blk, at.x, at.y) + grey * grey_of (&area));
#endif
}

/* The level whose blocks are macroblocks: all but those of Intra_4x4 in what is like luma.  Global size (2 S, macroblocks across,
 * macroblocks down) */
__kernel void
gpu_edge_areas (GpuEdgeLevel level, PICTURE_PARAMETERS, uint plane, ROWS_PARAMETERS)
{
  Rows rows = ROWS;
  uint mb_x = (uint) get_global_id (1), mb_y = (uint) get_global_id (2);
  int n = AREA_SIDE (plane);
  size_t row = row_at (&level, mb_x, mb_y, get_global_id (0));
  int2 at = output_position (level.side, (uint) get_global_id (0));
  Picture picture;
  Place place;
  Area area;
  Value offset;

  INIT_PICTURE (&picture);
  init_place (&place, picture.mbs, mb_y * picture.width_in_mbs + mb_x, picture.width_in_mbs, 0, 0);
  init_area (&area, &picture, &place, plane);
  if (LIKE_LUMA (plane) && area.mb->mb_class == GST_GPU_MB_I4x4)
    return;
#ifdef GPU_RESTRICTED
  int input = area_input (&area, n, at.x, at.y, &offset);

  write_row (&rows, row, input, offset);
#else
  float w[MAX_AREA_INPUTS];

  if (is_constant (&area)) {
    no_row (&rows, row);
    rows.constants[row] = constant_sample (&area, n, at.x, at.y);
    return;
  }
  offset = residual_at (&area, block_of_sample (LIKE_LUMA (plane), at.x, at.y), at.x, at.y);
  offset += area_taps (w, &area, n, at.x, at.y) * grey_of (&area);
  write_row (&rows, &level, row, w, 2 * n + 1, offset);
#endif
}

/* Input @i of the block of side n at (x0, y0) */
INLINE Value
input_at (const Plane *plane, size_t x0, size_t y0, int n, int i)
{
  return i <= n ? *sample_at (plane, x0 - 1, y0 + (n - 1) - i) : *sample_at (plane, x0 + i - n - 1, y0 - 1);
}

/* Value of sample (x, y) of the 4x4 block blkIdx of Intra_4x4 at (x0, y0) */
INLINE Value
value_in_block (const Plane *plane, const Area *area, uint blk, size_t x0, size_t y0, int x, int y)
{
  int mode = (int) min (nxn_mode (area->mb, blk), 9u);
  Value value = residual_at (area, blk, x, y);

#ifdef GPU_RESTRICTED
  return value + (mode > 1 ? grey_of (area) : input_at (plane, x0, y0, 4, mode == 0 ? 5 + x : 3 - y));
#else
  float w[BLOCK_INPUTS];

  value += taps (w, mode > 8 ? 2 : mode, neighbours_4x4 (area, blk), x, y) * grey_of (area);
  for (int i = 0; i < BLOCK_INPUTS; i++)
    if (w[i] != 0)
      value += w[i] * input_at (plane, x0, y0, 4, i);
  return value;
#endif
}

/* Value of sample (x, y) of an area of side n at (x0, y0) */
INLINE Value
value_in_area (const Plane *plane, const Area *area, int n, size_t x0, size_t y0, int x, int y)
{
#ifdef GPU_RESTRICTED
  Value value;
  int input = area_input (area, n, x, y, &value);

  return input < 0 ? value : value + input_at (plane, x0, y0, n, input);
#else
  float w[MAX_AREA_INPUTS];
  Value value;

  if (is_constant (area))
    return constant_sample (area, n, x, y);
  value = residual_at (area, block_of_sample (LIKE_LUMA (area->plane), x, y), x, y);
  value += area_taps (w, area, n, x, y) * grey_of (area);
  for (int i = 0; i <= 2 * n; i++)
    if (w[i] != 0)
      value += w[i] * input_at (plane, x0, y0, n, i);
  return value;
#endif
}

/* Inner samples, and the surface: every sample of an intra macroblock rounded and clipped at last.  Global size (4x4 blocks across, 4x4
 * blocks down, 1) */
__kernel void
gpu_edge_inner (PICTURE_PARAMETERS, uint plane, __global Value *samples, uint width, uint height, __global int *found)
{
  Plane edges = { samples, width, height };
  int n = AREA_SIDE (plane);
  uint mb_x = (uint) get_global_id (0) * 4 / (uint) n, mb_y = (uint) get_global_id (1) * 4 / (uint) n;
  int x0 = (int) (get_global_id (0) * 4) & (n - 1), y0 = (int) (get_global_id (1) * 4) & (n - 1);
  bool clipped = false;
  Picture picture;
  Place place;
  Area area;

  INIT_PICTURE (&picture);
  init_place (&place, picture.mbs, mb_y * picture.width_in_mbs + mb_x, picture.width_in_mbs, 0, 0);
  init_area (&area, &picture, &place, plane);
  if (area.mb->mb_class == GST_GPU_MB_INTER)
    return;
  for (int y = y0; y < y0 + 4; y++)
    for (int x = x0; x < x0 + 4; x++) {
      bool is_block = LIKE_LUMA (plane) && area.mb->mb_class == GST_GPU_MB_I4x4;
      bool on_edge = is_block ? (x & 3) == 3 || (y & 3) == 3 : x == n - 1 || y == n - 1;
      size_t left = (size_t) mb_x * n, top = (size_t) mb_y * n;
      Value value;

      if (on_edge)
        value = *sample_at (&edges, left + x, top + y);
      else if (is_block)
        value = value_in_block (&edges, &area, block_of_sample (true, x, y), left + x0, top + y0, x & 3, y & 3);
      else
        value = value_in_area (&edges, &area, n, left, top, x, y);
      clipped |= value < 0 || value > area.max;
#ifdef GPU_RESTRICTED
      area.samples[y * area.stride + x] = (Sample) clamp (value, 0, area.max);
#else
      area.samples[y * area.stride + x] = (Sample) convert_int_sat (fmin (fmax (floor (value + 0.5f), 0.0f), (float) area.max));
#endif
    }
  if (clipped)
    atomic_or (found, FOUND_OUT_OF_RANGE);
}
