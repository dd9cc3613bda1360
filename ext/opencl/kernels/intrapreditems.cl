/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction of a macroblock by a work-group, a sample a work-item: the form for GPUs (included by intrapred.cl).
 *
 * A macroblock is rebuilt in local memory, its neighbours around it, and written once.  Any GPU_GROUP_SIZE is right; one that divides
 * 256 wastes none.
 */

/* Columns and rows of the tile: the corner and 16 samples, 8 above right, one that evens the pitch */
#define TILE_PITCH 26
#define TILE_ROWS 17

typedef struct
{
  ushort tile[TILE_ROWS * TILE_PITCH];  /* sample (x, y) at (y + 1) * TILE_PITCH + x + 1, so that row 0 and column 0 are the neighbours */
  /* neighbours of two blocks: from the lowest left one (0) around the corner (n) to the last above right (3 * n) */
  ushort line[2][32];
} Scratch;

/* An argument behind the others, which this form alone has */
#define FORM_PARAMETER , __local Scratch *scratch
#define FORM_ARGUMENT , scratch
#define LOCAL_BARRIER() barrier (CLK_LOCAL_MEM_FENCE)
#define FOR_ITEMS(i, n) for (uint i = (uint) get_local_id (0); i < (n); i += GPU_GROUP_SIZE)

INLINE int
tile_at (__local const Scratch *scratch, int x, int y)
{
  return scratch->tile[(y + 1) * TILE_PITCH + x + 1];
}

/* The neighbours of a macroblock of width * height; those that are not available are grey.  Ends with a barrier. */
INLINE void
load_neighbours (const Area *area, uint width, uint height, __local Scratch *scratch)
{
  uint available = area->mb->available;
  ushort grey = (ushort) ((area->max + 1) / 2);

  /* the corner, what is above, eight above right, then the left side */
  FOR_ITEMS (i, 1 + width + 8 + height)
  {
    bool is_left = i >= width + 9;
    int x = is_left ? -1 : (int) i - 1, y = is_left ? (int) (i - width - 9) : -1;
    uint needed = is_left ? (y * 2 < (int) height ? GST_GPU_AVAILABLE_A : GST_GPU_AVAILABLE_A_LOWER) : GST_GPU_AVAILABLE_B;

    if (y < 0 && (x < 0 || x >= (int) width))
      needed = x < 0 ? GST_GPU_AVAILABLE_D : GST_GPU_AVAILABLE_C;
    if (is_left && y == 7)
      needed |= GST_GPU_AVAILABLE_ROW_7;
    scratch->tile[(y + 1) * TILE_PITCH + x + 1] = available & needed ? area->samples[y * area->stride + x] : grey;
  }
  LOCAL_BARRIER ();
}

INLINE void
store_tile (const Area *area, __local const Scratch *scratch)
{
  FOR_ITEMS (i, 256)
  {
    int x = i & 15, y = i >> 4;

    area->samples[y * area->stride + x] = (Sample) tile_at (scratch, x, y);
  }
}

/* Number i of the line around the corner of a block at (x0, y0), with what counts in place of neighbours that are not there */
INLINE int
line_sample (__local const Scratch *scratch, uint i, uint n, int x0, int y0, uint available)
{
  int x = i <= n ? -1 : (int) (i - n) - 1, y = i < n ? (int) (n - 1 - i) : -1;

  if (x >= (int) n && (available & (GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_C)) != (GST_GPU_AVAILABLE_B | GST_GPU_AVAILABLE_C))
    x = (int) n - 1;
  return tile_at (scratch, x0 + x, y0 + y);
}

/* The same filtered (8.3.2.2.1) */
INLINE int
filtered_line_sample (__local const Scratch *scratch, uint i, int x0, int y0, uint available)
{
  int sample = line_sample (scratch, i, 8, x0, y0, available);
  int before = line_sample (scratch, i > 0 ? i - 1 : 0, 8, x0, y0, available), after = line_sample (scratch, min (i + 1, 24u), 8, x0, y0,
      available);

  if ((i == 9 && !(available & GST_GPU_AVAILABLE_D)) || (i == 8 && !(available & GST_GPU_AVAILABLE_A)))
    before = sample;
  if ((i == 7 && !(available & GST_GPU_AVAILABLE_D)) || (i == 8 && !(available & GST_GPU_AVAILABLE_B)))
    after = sample;
  return (before + 2 * sample + after + 2) >> 2;
}

INLINE int
mean_of_line (__local const ushort *line, uint n, uint available, int max)
{
  bool above = available & GST_GPU_AVAILABLE_B, left = available & GST_GPU_AVAILABLE_A;
  uint sum = 0;

  for (uint i = 0; i < n; i++)
    sum += (left ? line[i] : 0) + (above ? line[n + 1 + i] : 0);
  return (int) (above && left ? (sum + n) / (2 * n) : above || left ? (sum + n / 2) / n : (uint) (max + 1) / 2);
}

/* Sample (x, y) of a block of Intra_NxN in a mode other than DC: which place of the line it is (8.3.1.2, 8.3.2.2), *taps: how many
 * values count there, 1 to 3; of two the place is that of the first */
INLINE int
place_on_line (uint mode, int n, int x, int y, int *taps)
{
  int z, place;

  if (mode <= 1) {
    *taps = 1;
    return mode == 0 ? n + 1 + x : n - 1 - y;
  }
  if (mode <= 4) {
    *taps = 3;
    return mode == 3 ? n + 2 + x + y : n + x - y;
  }
  if (mode == 7) {
    *taps = 2 + (y & 1);
    return n + 1 + x + (y >> 1) + (y & 1);
  }
  if (mode == 8) {
    z = x + 2 * y;
    *taps = z > 2 * n - 3 ? 1 : 2 + (x & 1);
    return z > 2 * n - 3 ? 0 : n - 2 - y - (x >> 1);
  }
  z = mode == 5 ? 2 * x - y : 2 * y - x;
  *taps = z < 0 ? 3 : 2 + (z & 1);
  if (mode == 5)
    place = z < -1 ? n + 1 + z : n + x - (y >> 1);
  else
    place = z < -1 ? n - 1 - z : n - y + (x >> 1) - (z >= 0 && !(z & 1) ? 1 : 0);
  return place;
}

INLINE int
predict_nxn (__local const ushort *line, uint mode, uint n, int x, int y, uint available, int max)
{
  int taps, place, before, after;

  if (mode == 2 || mode > 8)
    return mean_of_line (line, n, available, max);
  place = place_on_line (mode, (int) n, x, y, &taps);
  before = line[place > 0 ? place - 1 : 0];
  after = line[min (place + 1, (int) (3 * n))];
  if (taps == 1)
    return line[place];
  return taps == 2 ? (line[place] + after + 1) >> 1 : (before + 2 * line[place] + after + 2) >> 2;
}

/* Residual at (x, y) of a block of n * n; where `accumulate` is 1 or 2, the sum along the row or column up to there (8.5.15) */
INLINE int
block_residual (__global const short *block, uint n, int x, int y, uint accumulate)
{
  int sum = 0;

  if (!block)
    return 0;
  if (accumulate == 0)
    return block[y * (int) n + x];
  for (int i = 0; i <= (accumulate == 1 ? x : y); i++)
    sum += accumulate == 1 ? block[y * (int) n + i] : block[i * (int) n + x];
  return sum;
}

INLINE void
rebuild_nxn_sample (const Area *area, __local Scratch *scratch, uint slot, uint n, uint i, int x0, int y0, uint available, uint mode,
    uint blk)
{
  int x = (int) (i % n), y = (int) (i / n), sample = predict_nxn (scratch->line[slot], mode, n, x, y, available, area->max);
  uint accumulate = (area->mb->flags & GST_GPU_MB_BYPASS) && mode <= 1 ? 2 - mode : 0;

  sample += block_residual (find_block (area, blk), n, x, y, accumulate);
  scratch->tile[(y0 + y + 1) * TILE_PITCH + x0 + x + 1] = (ushort) clamp (sample, 0, area->max);
}

INLINE uint
available_4x4 (uint available, uint blk)
{
  return (blocks_with_left (available) >> blk & 1 ? GST_GPU_AVAILABLE_A : 0)
      | (blocks_with_above (available) >> blk & 1 ? GST_GPU_AVAILABLE_B : 0)
      | (blocks_with_above_right (available) >> blk & 1 ? GST_GPU_AVAILABLE_C : 0)
      | (blocks_with_corner (available) >> blk & 1 ? GST_GPU_AVAILABLE_D : 0);
}

/* Blocks with column + 2 * row = step depend on earlier steps only: at most two. */
INLINE void
rebuild_4x4_blocks (const Area *area, __local Scratch *scratch)
{
  uint available = area->mb->available;

  for (uint step = 0; step < 10; step++) {
    FOR_ITEMS (i, 32)
    {
      int row = (int) (step >> 1) - (int) (i >> 4), column = (int) step - 2 * row;

      if (row >= 0 && row < 4 && column < 4 && (i & 15) < 13)
        scratch->line[i >> 4][i & 15] = (ushort) line_sample (scratch, i & 15, 4, column * 4, row * 4,
            available_4x4 (available, block_index ((uint) column, (uint) row)));
    }
    LOCAL_BARRIER ();
    FOR_ITEMS (i, 32)
    {
      int row = (int) (step >> 1) - (int) (i >> 4), column = (int) step - 2 * row;
      uint blk = block_index ((uint) column & 3, (uint) row & 3);

      if (row >= 0 && row < 4 && column < 4)
        rebuild_nxn_sample (area, scratch, i >> 4, 4, i & 15, column * 4, row * 4, available_4x4 (available, blk), nxn_mode (area->mb,
            blk), blk);
    }
    LOCAL_BARRIER ();
  }
}

INLINE void
rebuild_8x8_blocks (const Area *area, __local Scratch *scratch)
{
  for (uint blk = 0; blk < 4; blk++) {
    uint available = available_8x8 (area->mb->available, blk), mode = nxn_mode (area->mb, blk);
    int x0 = (int) (blk & 1) * 8, y0 = (int) (blk >> 1) * 8;

    FOR_ITEMS (i, 25)
    {
      scratch->line[0][i] = (ushort) filtered_line_sample (scratch, i, x0, y0, available);
    }
    LOCAL_BARRIER ();
    FOR_ITEMS (i, 64)
    {
      rebuild_nxn_sample (area, scratch, 0, 8, i, x0, y0, available, mode, 4 * blk);
    }
    LOCAL_BARRIER ();
  }
}

/* Plane prediction (8.3.3.4, 8.3.4.4): *b, *c: the slopes; returns the value at (0, 0), before the shift */
INLINE int
plane_slopes (__local const Scratch *scratch, int width, int height, int *b, int *c)
{
  int h = 0, v = 0;

  for (int i = 0; i < width / 2; i++)
    h += (i + 1) * (tile_at (scratch, width / 2 + i, -1) - tile_at (scratch, width / 2 - 2 - i, -1));
  for (int i = 0; i < height / 2; i++)
    v += (i + 1) * (tile_at (scratch, -1, height / 2 + i) - tile_at (scratch, -1, height / 2 - 2 - i));
  *b = ((width == 8 ? 34 : 5) * h + 32) >> 6;
  *c = ((height == 8 ? 34 : 5) * v + 32) >> 6;
  return 16 * (tile_at (scratch, -1, height - 1) + tile_at (scratch, width - 1, -1)) + 16 - *b * (width / 2 - 1) - *c * (height / 2 - 1);
}

/* Mean of n (a power of 2) samples above from x0 on and left from y0 on, of those sides that count */
INLINE int
mean_of_sides (__local const Scratch *scratch, int x0, int y0, int n, bool above, bool left, int max)
{
  int sum = 0;

  for (int i = 0; i < n; i++)
    sum += (above ? tile_at (scratch, x0 + i, -1) : 0) + (left ? tile_at (scratch, -1, y0 + i) : 0);
  return above && left ? (sum + n) / (2 * n) : above || left ? (sum + n / 2) / n : (max + 1) / 2;
}

/* DC of the chroma block with its first sample at (x0, y0) (8.3.4.1 to 8.3.4.3) */
INLINE int
chroma_dc (const Area *area, __local const Scratch *scratch, int x0, int y0)
{
  uint available = area->mb->available;
  bool above = available & GST_GPU_AVAILABLE_B;
  bool left = available & (y0 * 2 < CHROMA_HEIGHT ? GST_GPU_AVAILABLE_A : GST_GPU_AVAILABLE_A_LOWER);

  return mean_of_sides (scratch, x0, y0, 4, above && !(x0 == 0 && y0 > 0 && left), left && !(x0 > 0 && y0 == 0 && above), area->max);
}

/* Residual at (x, y) of a macroblock with 4x4 blocks, summed up along the row or column where `accumulate` is 1 or 2 */
INLINE int
whole_residual (const Area *area, bool like_luma, int x, int y, uint accumulate)
{
  int sum = 0, first_x = accumulate == 1 ? 0 : x, first_y = accumulate == 2 ? 0 : y;

  for (int j = first_y; j <= y; j++)
    for (int i = first_x; i <= x; i++) {
      uint blk = like_luma ? block_index ((uint) i >> 2, (uint) j >> 2) : (uint) (j >> 2) * 2 + (uint) (i >> 2);
      __global const short *block = find_block (area, blk);

      if (block)
        sum += block[(j & 3) * 4 + (i & 3)];
      else if (area->dc)
        sum += convert_short_sat (as_int (as_uint (area->dc[blk]) + 32u) >> 6);
    }
  return sum;
}

/* Intra_16x16 and chroma */
INLINE void
rebuild_whole (const Area *area, bool like_luma, __local const Scratch *scratch)
{
  int width = like_luma ? 16 : CHROMA_WIDTH, height = like_luma ? 16 : CHROMA_HEIGHT, origin = 0, b = 0, c = 0;
  uint mode = whole_mode (area, like_luma), available = area->mb->available;
  uint accumulate = (area->mb->flags & GST_GPU_MB_BYPASS) && mode <= WHOLE_HORIZONTAL ? 2 - mode : 0;
  bool left = (available & GST_GPU_AVAILABLE_A) && (available & GST_GPU_AVAILABLE_A_LOWER);

  if (mode == WHOLE_PLANE)
    origin = plane_slopes (scratch, width, height, &b, &c);
  else if (mode == WHOLE_DC && like_luma)
    origin = mean_of_sides (scratch, 0, 0, 16, available & GST_GPU_AVAILABLE_B, left, area->max);
  FOR_ITEMS (i, (uint) (width * height))
  {
    int x = (int) i % width, y = (int) i / width, sample = origin;

    if (mode == WHOLE_VERTICAL)
      sample = tile_at (scratch, x, -1);
    else if (mode == WHOLE_HORIZONTAL)
      sample = tile_at (scratch, -1, y);
    else if (mode == WHOLE_PLANE)
      sample = clamp ((origin + b * x + c * y) >> 5, 0, area->max);
    else if (!like_luma)
      sample = chroma_dc (area, scratch, x & ~3, y & ~3);
    sample += whole_residual (area, like_luma, x, y, accumulate);
    area->samples[y * area->stride + x] = (Sample) clamp (sample, 0, area->max);
  }
}

INLINE void
rebuild_pcm (const Area *area, uint width, uint height)
{
  __global const Sample *pcm = pcm_samples (area);

  FOR_ITEMS (i, width * height)
  {
    area->samples[(int) (i / width) * area->stride + (int) (i % width)] = pcm[i];
  }
}

/* Luma, and chroma of 4:4:4.  The neighbours in global memory must be visible to the whole work-group; ends with a barrier that makes
 * the samples so. */
INLINE void
rebuild_like_luma (const Area *area, __local Scratch *scratch)
{
  uint mb_class = area->mb->mb_class;

  load_neighbours (area, 16, 16, scratch);
  if (mb_class == GST_GPU_MB_I8x8)
    rebuild_8x8_blocks (area, scratch);
  if (mb_class == GST_GPU_MB_I4x4)
    rebuild_4x4_blocks (area, scratch);
  if (mb_class == GST_GPU_MB_I16x16)
    rebuild_whole (area, true, scratch);
  else if (mb_class == GST_GPU_MB_IPCM)
    rebuild_pcm (area, 16, 16);
  else
    store_tile (area, scratch);
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

/* Chroma of 4:2:0 and 4:2:2, likewise */
INLINE void
rebuild_chroma (const Area *area, __local Scratch *scratch)
{
  load_neighbours (area, CHROMA_WIDTH, CHROMA_HEIGHT, scratch);
  if (area->mb->mb_class == GST_GPU_MB_IPCM)
    rebuild_pcm (area, CHROMA_WIDTH, CHROMA_HEIGHT);
  else
    rebuild_whole (area, false, scratch);
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
