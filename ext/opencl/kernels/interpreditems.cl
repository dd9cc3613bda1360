/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inter prediction of a macroblock in a plane by a work-group: the form for GPUs (included by interpred.cl).
 *
 * The block of a partition comes into local memory with its margins, coordinates clipped; rows of it are filtered there where the fraction
 * asks for it; then each work-item computes samples.  Any GPU_GROUP_SIZE is right; one that divides 64 wastes none.
 */

/* 16 columns or rows, two before, three behind */
#define TILE_SIDE 21

typedef struct
{
  ushort tile[TILE_SIDE * TILE_SIDE];
  int rows[TILE_SIDE * 16];     /* b1 of the rows of the tile */
  ushort first[256];            /* the macroblock as predicted from one list, or from both; rows of 16 */
} Scratch;

#define LOCAL_BARRIER() barrier (CLK_LOCAL_MEM_FENCE)
#define FOR_ITEMS(i, n) for (uint i = (uint) get_local_id (0); i < (n); i += GPU_GROUP_SIZE)

/* A rectangle of a plane that is predicted as one */
typedef struct
{
  int x, y;                     /* first sample in the picture or, for field macroblocks, in the field */
  uint left, top, width, height;        /* in the macroblock */
} Block;

INLINE void
init_block (Block *block, const Place *place, uint where, bool like_luma)
{
  uint width = like_luma ? 16 : CHROMA_WIDTH, height = like_luma ? 16 : CHROMA_HEIGHT;

  block->left = GST_GPU_PARTITION_X (where) * (width / 4);
  block->top = GST_GPU_PARTITION_Y (where) * (height / 4);
  block->width = GST_GPU_PARTITION_WIDTH (where) * (width / 4);
  block->height = GST_GPU_PARTITION_HEIGHT (where) * (height / 4);
  block->x = place->column * (int) width + (int) block->left;
  block->y = place->row * (int) height + (int) block->top;
}

/* The tile: width * height samples from (x, y) on.  Barriers around it. */
INLINE void
load_tile (const Reference *reference, int x, int y, uint width, uint height, __local Scratch *scratch)
{
  LOCAL_BARRIER ();
  FOR_ITEMS (i, width * height)
  {
    uint column = i % width, row = i / width;
    int from_x = clamp (x + (int) column, 0, reference->width - 1), from_y = clamp (y + (int) row, 0, reference->height - 1);

    scratch->tile[row * TILE_SIDE + column] = reference->samples[(long) from_y * reference->stride + from_x];
  }
  LOCAL_BARRIER ();
}

#define SIX_TAPS(p, step) (p[0] - 5 * p[step] + 20 * p[2 * (step)] + 20 * p[3 * (step)] - 5 * p[4 * (step)] + p[5 * (step)])

/* b1 of every row.  Ends with a barrier. */
INLINE void
filter_rows (uint width, uint height, __local Scratch *scratch)
{
  FOR_ITEMS (i, width * height)
  {
    __local const ushort *p = scratch->tile + i / width * TILE_SIDE + i % width;

    scratch->rows[i / width * 16 + i % width] = SIX_TAPS (p, 1);
  }
  LOCAL_BARRIER ();
}

/* G, b, h or j at half samples (x2, y2) of the block (8.4.2.2.1) */
INLINE int
half_sample (__local const Scratch *scratch, uint x2, uint y2, int max)
{
  uint x = x2 >> 1, y = y2 >> 1;
  __local const ushort *column = scratch->tile + y * TILE_SIDE + x + 2;
  __local const int *halves = scratch->rows + y * 16 + x;

  if (!(x2 & 1) && !(y2 & 1))
    return column[2 * TILE_SIDE];
  if (!(y2 & 1))
    return clamp ((halves[32] + 16) >> 5, 0, max);
  if (!(x2 & 1))
    return clamp ((SIX_TAPS (column, TILE_SIDE) + 16) >> 5, 0, max);
  return clamp ((SIX_TAPS (halves, 16) + 512) >> 10, 0, max);
}

/* The two half samples whose mean is the quarter sample (Table 8-12) */
INLINE int
luma_sample (__local const Scratch *scratch, uint x, uint y, uint x_frac, uint y_frac, int max)
{
  uint x2 = 2 * x + (x_frac >> 1), y2 = 2 * y + (y_frac >> 1), odd_x = x_frac & 1, odd_y = y_frac & 1;

  if (!odd_x && !odd_y)
    return half_sample (scratch, x2, y2, max);
  if (odd_x && odd_y)
    return (half_sample (scratch, x2 | 1, y2 + (y2 & 1), max) + half_sample (scratch, x2 + (x2 & 1), y2 | 1, max) + 1) >> 1;
  return (half_sample (scratch, x2, y2, max) + half_sample (scratch, x2 + odd_x, y2 + odd_y, max) + 1) >> 1;
}

/* 8.4.2.2.2 */
INLINE int
chroma_sample (__local const Scratch *scratch, uint x, uint y, int x_frac, int y_frac)
{
  __local const ushort *p = scratch->tile + y * TILE_SIDE + x;

  return ((8 - x_frac) * (8 - y_frac) * p[0] + x_frac * (8 - y_frac) * p[1] + (8 - x_frac) * y_frac * p[TILE_SIDE]
      + x_frac * y_frac * p[TILE_SIDE + 1] + 32) >> 6;
}

INLINE int
weigh_one (const Weights *weights, int sample, int max)
{
  if (weights->is_default)
    return sample;
  return clamp (((sample * weights->w[0] + (1 << weights->log2_denom >> 1)) >> weights->log2_denom) + weights->offset, 0, max);
}

INLINE int
weigh_both (const Weights *weights, int first, int second, int max)
{
  if (weights->is_default)
    return (first + second + 1) >> 1;
  return clamp (((first * weights->w[0] + second * weights->w[1] + (1 << weights->log2_denom)) >> (weights->log2_denom + 1))
      + weights->offset, 0, max);
}

/* Prediction from a list; `second`: it is the second of two, else it is the only one or, where `both`, the first */
INLINE void
predict_from_list (const InterPicture *inter, const Area *area, const Place *place, const Block *block,
    __global const GstGpuPartition *partition,
    __global const GstGpuInterSlice *slice, const Weights *weights, uint list, bool both, bool second, bool like_luma,
    __local Scratch *scratch)
{
  int mv_x = partition->mv[list][0], mv_y = partition->mv[list][1];
  ReferencePicture picture;
  Reference reference;

  init_reference_picture (&picture, inter, place, partition, slice, list);
  init_reference (&reference, &picture, inter, place, area->plane);
  if (like_luma) {
    load_tile (&reference, block->x + (mv_x >> 2) - 2, block->y + (mv_y >> 2) - 2, block->width + 5, block->height + 5, scratch);
    if (mv_x & 3)
      filter_rows (block->width, block->height + 5, scratch);
  } else {
    mv_y = chroma_vector_y (place, &picture, mv_y);
    load_tile (&reference, block->x + (mv_x >> 3), block->y + (mv_y >> 3), block->width + 1, block->height + 1, scratch);
  }
  FOR_ITEMS (i, block->width * block->height)
  {
    uint x = i % block->width, y = i / block->width, k = (block->top + y) * 16 + block->left + x;
    int sample = like_luma ? luma_sample (scratch, x, y, mv_x & 3, mv_y & 3, area->max) : chroma_sample (scratch, x, y, mv_x & 7, mv_y & 7);

    if (second)
      sample = weigh_both (weights, scratch->first[k], sample, area->max);
    else if (!both)
      sample = weigh_one (weights, sample, area->max);
    scratch->first[k] = (ushort) sample;
  }
}

INLINE void
predict_partition (const InterPicture *inter, const Area *area, const Place *place, __global const GstGpuPartition *partition,
    bool like_luma, __local Scratch *scratch)
{
  __global const GstGpuInterSlice *slice = inter->slices + partition->slice;
  bool both = partition->ref_idx[0] >= 0 && partition->ref_idx[1] >= 0;
  uint list = partition->ref_idx[0] >= 0 ? 0 : 1;
  Weights weights;
  Block block;

  init_block (&block, place, partition->where, like_luma);
  init_weights (&weights, place, partition, slice, area->plane, both, list);
  predict_from_list (inter, area, place, &block, partition, slice, &weights, list, both, false, like_luma, scratch);
  if (both)
    predict_from_list (inter, area, place, &block, partition, slice, &weights, 1, both, true, like_luma, scratch);
}

INLINE int
residual_at (const Area *area, bool like_luma, uint x, uint y)
{
  bool is_8x8 = like_luma && (area->mb->flags & GST_GPU_MB_TRANSFORM_8x8);
  uint blk = is_8x8 ? (y >> 3) * 8 + (x >> 3) * 4 : like_luma ? block_index (x >> 2, y >> 2) : (y >> 2) * 2 + (x >> 2);
  __global const short *block = find_block (area, blk);

  if (block)
    return is_8x8 ? block[(y & 7) * 8 + (x & 7)] : block[(y & 3) * 4 + (x & 3)];
  return area->dc && !is_8x8 ? convert_short_sat (as_int (as_uint (area->dc[blk]) + 32u) >> 6) : 0;
}

INLINE void
predict_macroblock (const InterPicture *inter, uint mb_addr, __local Scratch *scratch)
{
  __global const GstGpuMb *mb = inter->picture.mbs + mb_addr;
  uint plane = (uint) get_group_id (1);
  bool like_luma = !HAS_HALVED_CHROMA || plane == 0;
  uint width = like_luma ? 16 : CHROMA_WIDTH, height = like_luma ? 16 : CHROMA_HEIGHT;
  Place place;
  Area area;

  init_place (&place, inter->picture.mbs, mb_addr, inter->picture.width_in_mbs, inter->field_pic, inter->mbaff);
  init_area (&area, &inter->picture, &place, plane);
  for (uint i = 0; i < mb->n_partitions; i++)
    predict_partition (inter, &area, &place, inter->partitions + mb->first_motion + i, like_luma, scratch);
  LOCAL_BARRIER ();
  FOR_ITEMS (i, width * height)
  {
    uint x = i % width, y = i / width;

    area.samples[(long) y * area.stride + x] = (Sample) clamp (scratch->first[y * 16 + x] + residual_at (&area, like_luma, x, y), 0,
        area.max);
  }
  LOCAL_BARRIER ();
}
