/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inter prediction (ITU-T H.264, 8.4.2) and picture construction (8.5.14) in plain C.
 */
#include "area.h"

#include <string.h>

/* One plane of a reference picture: a frame or a field, as refIdxLX names it (8.4.2.1) */
typedef struct
{
  const GpuReferencePicture *picture;
  const void *samples; /* base of its surface */
  size_t origin;       /* of its first sample, in samples */
  size_t stride;
  int width, height; /* samples */
  int max;           /* (1 << bit depth) - 1 */
  int parity;        /* -1: a frame; 0: a top field; 1: a bottom field */
} Reference;

/* A rectangle of a macroblock that is predicted as one, in a plane */
typedef struct
{
  const GpuArea *area;
  const GstGpuPartition *partition;
  const GstGpuInterSlice *slice;
  unsigned x, y, width, height; /* samples, within the macroblock */
  int column, row;              /* of the macroblock's first sample in the picture, or in the field of its parity for field macroblocks */
  int parity;                   /* -1: of a frame; 0, 1: of a top, bottom field */
} Block;

/* Sample with both coordinates clipped to the picture (8.4.2.2.1, 8.4.2.2.2) */
static int
reference_sample (const Reference *reference, int x, int y)
{
  const GstGpuPicture *params = reference->picture->params;
  size_t i;

  x = x < 0 ? 0 : x >= reference->width ? reference->width - 1 : x;
  y = y < 0 ? 0 : y >= reference->height ? reference->height - 1 : y;
  i = reference->origin + (size_t) y * reference->stride + (size_t) x;
  if (params->bit_depth_luma == 8 && params->bit_depth_chroma == 8)
    return ((const uint8_t *) reference->samples)[i];
  return ((const uint16_t *) reference->samples)[i];
}

static int
is_mbaff_field (const GpuArea *area)
{
  return area->picture->params->mbaff && (area->mb->flags & GST_GPU_MB_FIELD);
}

/* refIdxLXWP (8.4.2.3): an index of frames in frames, and of fields in fields */
static unsigned
table_index (const Block *block, unsigned list)
{
  unsigned ref_idx = (unsigned) block->partition->ref_idx[list];

  return (is_mbaff_field (block->area) ? ref_idx >> 1 : ref_idx) & 31;
}

/* Reference picture selection (8.4.2.1) */
static void
reference_init (Reference *reference, const Block *block, unsigned list)
{
  const GpuArea *area = block->area;
  const GstGpuPicture *params = area->picture->params;
  unsigned number = block->slice->reference[list][table_index (block, list)];
  size_t frame_stride = params->plane_stride[area->plane] / (params->field_pic ? 2 : 1);

  reference->picture = area->picture;
  reference->samples = area->picture->references[number & GST_GPU_REFERENCE_SURFACE];
  reference->origin = params->plane_offset[area->plane] - (params->field_pic == 2 ? frame_stride : 0);
  reference->stride = frame_stride;
  reference->width = (int) (params->width_in_mbs * area->width);
  reference->height = (int) (params->height_in_mbs * area->height);
  reference->max = (1 << area->bit_depth) - 1;
  reference->parity = number & GST_GPU_REFERENCE_BOTTOM ? 1 : number & GST_GPU_REFERENCE_TOP ? 0 : -1;
  if (is_mbaff_field (area)) {
    reference->parity = block->parity ^ (block->partition->ref_idx[list] & 1);
    reference->height /= 2;
  }
  if (reference->parity >= 0) {
    reference->origin += (size_t) reference->parity * frame_stride;
    reference->stride *= 2;
  }
}

static int
six_tap (int a, int b, int c, int d, int e, int f)
{
  return a - 5 * b + 20 * c + 20 * d - 5 * e + f;
}

static int
clip1 (const Reference *reference, int value)
{
  return value < 0 ? 0 : value > reference->max ? reference->max : value;
}

/* b1 and h1 of (8-237), (8-238): between (x, y) and its right or lower neighbour */
static int
half_right (const Reference *r, int x, int y)
{
  return six_tap (reference_sample (r, x - 2, y), reference_sample (r, x - 1, y), reference_sample (r, x, y),
      reference_sample (r, x + 1, y), reference_sample (r, x + 2, y), reference_sample (r, x + 3, y));
}

static int
half_below (const Reference *r, int x, int y)
{
  return six_tap (reference_sample (r, x, y - 2), reference_sample (r, x, y - 1), reference_sample (r, x, y),
      reference_sample (r, x, y + 1), reference_sample (r, x, y + 2), reference_sample (r, x, y + 3));
}

/* Sample at half samples (x2, y2): G, b, h or j of 8.4.2.2.1 */
static int
half_sample (const Reference *r, int x2, int y2)
{
  int x = x2 >> 1, y = y2 >> 1;

  if (!(x2 & 1) && !(y2 & 1))
    return reference_sample (r, x, y);
  if (!(y2 & 1))
    return clip1 (r, (half_right (r, x, y) + 16) >> 5);
  if (!(x2 & 1))
    return clip1 (r, (half_below (r, x, y) + 16) >> 5);
  return clip1 (r,
      (six_tap (half_right (r, x, y - 2), half_right (r, x, y - 1), half_right (r, x, y), half_right (r, x, y + 1),
           half_right (r, x, y + 2), half_right (r, x, y + 3))
          + 512)
          >> 10);
}

/* Luma sample interpolation (8.4.2.2.1) at (x, y) in quarter samples: the two half samples nearest to a quarter one (Table 8-12, Figure
 * 8-4) */
static int
luma_sample (const Reference *r, int x, int y)
{
  int odd_x = x & 1, odd_y = y & 1, x2 = x >> 1, y2 = y >> 1;

  if (!odd_x && !odd_y)
    return half_sample (r, x2, y2);
  if (!odd_y)
    return (half_sample (r, x2, y2) + half_sample (r, x2 + 1, y2) + 1) >> 1;
  if (!odd_x)
    return (half_sample (r, x2, y2) + half_sample (r, x2, y2 + 1) + 1) >> 1;
  /* e, g, p, r: the diagonal that has a b (or s) and an h (or m) */
  return (half_sample (r, x2 | 1, (y2 + 1) & ~1) + half_sample (r, (x2 + 1) & ~1, y2 | 1) + 1) >> 1;
}

/* Chroma sample interpolation (8.4.2.2.2) at (x, y) in eighth samples */
static int
chroma_sample (const Reference *r, int x, int y)
{
  int xi = x >> 3, yi = y >> 3, xf = x & 7, yf = y & 7;

  return ((8 - xf) * (8 - yf) * reference_sample (r, xi, yi) + xf * (8 - yf) * reference_sample (r, xi + 1, yi)
             + (8 - xf) * yf * reference_sample (r, xi, yi + 1) + xf * yf * reference_sample (r, xi + 1, yi + 1) + 32)
      >> 6;
}

/* Table 8-9: 4:2:0 chroma between fields of different parity */
static int
chroma_vector_offset (const Block *block, const Reference *reference)
{
  if (block->area->picture->params->chroma_array_type != 1 || block->parity < 0 || reference->parity < 0
      || block->parity == reference->parity)
    return 0;
  return reference->parity == 1 ? -2 : 2;
}

/* Fractional sample interpolation (8.4.2.2) from list @list; @pred: rows of block->width */
static void
interpolate (const Block *block, unsigned list, int *pred)
{
  const GpuArea *area = block->area;
  const gst_gpu_i16 *mv = block->partition->mv[list];
  int like_luma = area->plane == 0 || area->picture->params->chroma_array_type == 3;
  int x0 = block->column + (int) block->x, y0 = block->row + (int) block->y, mv_y;
  Reference reference;

  reference_init (&reference, block, list);
  mv_y = mv[1] + (like_luma ? 0 : chroma_vector_offset (block, &reference));
  for (unsigned y = 0; y < block->height; y++)
    for (unsigned x = 0; x < block->width; x++) {
      int column = x0 + (int) x, row = y0 + (int) y;

      if (like_luma)
        pred[y * block->width + x] = luma_sample (&reference, 4 * column + mv[0], 4 * row + mv_y);
      else if (area->height == 8)
        pred[y * block->width + x] = chroma_sample (&reference, 8 * column + mv[0], 8 * row + mv_y);
      else
        pred[y * block->width + x] = chroma_sample (&reference, 8 * column + mv[0], 8 * row + 2 * mv_y);
    }
}

/* Explicit weighted prediction of a list alone (8-298, 8-299) */
static void
weight_one (const Block *block, unsigned list, int *pred)
{
  const GstGpuInterSlice *slice = block->slice;
  unsigned plane = block->area->plane, i, index = table_index (block, list);
  unsigned log2_denom = (plane ? slice->chroma_log2_weight_denom : slice->luma_log2_weight_denom) & 7;
  int weight = slice->weight[list][index][plane], offset = slice->offset[list][index][plane];

  for (i = 0; i < block->width * block->height; i++) {
    int value = pred[i] * weight;

    pred[i] = gpu_area_clip1 (block->area, (log2_denom ? (value + (1 << (log2_denom - 1))) >> log2_denom : value) + offset);
  }
}

/* 8.4.2.3.1: a field macroblock of an MBAFF frame goes by its refIdx, which means fields, and by its own parity */
static int
implicit_weight (const Block *block)
{
  const gst_gpu_i8 *ref_idx = block->partition->ref_idx;
  unsigned kind = is_mbaff_field (block->area) ? 1 + (unsigned) block->parity : 0;

  return block->slice->implicit_weight[kind][ref_idx[0] & 31][ref_idx[1] & 31] + GST_GPU_IMPLICIT_WEIGHT_BIAS;
}

/* Explicit and implicit weighted prediction of both lists (8-300) */
static void
weight_both (const Block *block, int *pred, const int *other)
{
  const GstGpuInterSlice *slice = block->slice;
  unsigned plane = block->area->plane, i, index[2] = { table_index (block, 0), table_index (block, 1) };
  unsigned log2_denom = (plane ? slice->chroma_log2_weight_denom : slice->luma_log2_weight_denom) & 7;
  int w0, w1, offset;

  if (slice->weighting == GST_GPU_WEIGHT_IMPLICIT) {
    w1 = implicit_weight (block);
    w0 = 64 - w1;
    offset = 0;
    log2_denom = 5;
  } else {
    w0 = slice->weight[0][index[0]][plane];
    w1 = slice->weight[1][index[1]][plane];
    offset = (slice->offset[0][index[0]][plane] + slice->offset[1][index[1]][plane] + 1) >> 1;
  }
  for (i = 0; i < block->width * block->height; i++)
    pred[i] = gpu_area_clip1 (block->area, ((pred[i] * w0 + other[i] * w1 + (1 << log2_denom)) >> (log2_denom + 1)) + offset);
}

/* Weighted sample prediction (8.4.2.3) */
static void
predict_block (const Block *block, int *pred)
{
  int other[256];

  if (block->partition->ref_idx[0] >= 0 && block->partition->ref_idx[1] >= 0) {
    interpolate (block, 0, pred);
    interpolate (block, 1, other);
    if (block->slice->weighting != GST_GPU_WEIGHT_DEFAULT)
      weight_both (block, pred, other);
    else
      for (unsigned i = 0; i < block->width * block->height; i++)
        pred[i] = (pred[i] + other[i] + 1) >> 1;
  } else {
    unsigned list = block->partition->ref_idx[0] >= 0 ? 0 : 1;

    interpolate (block, list, pred);
    if (block->slice->weighting == GST_GPU_WEIGHT_EXPLICIT)
      weight_one (block, list, pred);
  }
}

/* The rectangle of @partition in the plane of @area */
static void
block_init (Block *block, const GpuArea *area, const GstGpuPartition *partition)
{
  const GpuMbPlace place = gpu_mb_place (area->picture, area->mb_addr);
  unsigned cell_width = area->width / 4, cell_height = area->height / 4;

  block->area = area;
  block->partition = partition;
  block->slice = &gpu_reference_inter_slices (area->picture)[partition->slice];
  block->x = GST_GPU_PARTITION_X (partition->where) * cell_width;
  block->y = GST_GPU_PARTITION_Y (partition->where) * cell_height;
  block->width = GST_GPU_PARTITION_WIDTH (partition->where) * cell_width;
  block->height = GST_GPU_PARTITION_HEIGHT (partition->where) * cell_height;
  block->column = (int) (place.column * area->width);
  block->row = (int) (place.row * area->height);
  block->parity = place.parity;
}

static void
read_inter_residual (const GpuArea *area, int *residual)
{
  if (!(area->mb->flags & GST_GPU_MB_TRANSFORM_8x8) || (area->plane && area->picture->params->chroma_array_type != 3)) {
    gpu_area_read_all_residual (area, residual);
    return;
  }
  for (unsigned blk = 0; blk < 4; blk++)
    gpu_area_read_residual (area, 4 * blk, 8, &residual[(blk >> 1) * 8 * 16 + (blk & 1) * 8], 16);
}

/* The sample that a vector of whole samples leads @block to, in samples from the base of the surface; 0: the vector is another one, or
 * leads out of the picture. */
static int
find_whole_samples (const Block *block, const Reference *reference, unsigned list, size_t *at)
{
  const GpuArea *area = block->area;
  const gst_gpu_i16 *mv = block->partition->mv[list];
  int like_luma = area->plane == 0 || area->picture->params->chroma_array_type == 3;
  int unit_x = like_luma ? 4 : 8, unit_y = like_luma || area->height == 16 ? 4 : 8;
  int mv_y = mv[1] + (like_luma ? 0 : chroma_vector_offset (block, reference));
  int x = block->column + mv[0] / unit_x, y = block->row + mv_y / unit_y;

  if (mv[0] % unit_x || mv_y % unit_y || x < 0 || y < 0 || x + (int) area->width > reference->width
      || y + (int) area->height > reference->height)
    return 0;
  *at = reference->origin + (size_t) y * reference->stride + (size_t) x;
  return 1;
}

/* A macroblock without residual that is a copy of another picture's samples (8.4.2.2.1: G), as most of a still scene; 0: it is none. */
static int
copy_area (const GpuArea *area)
{
  const GstGpuMb *mb = area->mb;
  size_t from, bytes = gpu_area_is_8_bit (area) ? 1 : 2;
  Reference reference;
  unsigned list;
  Block block;

  if (mb->n_partitions != 1 || mb->coded[area->plane] || (mb->dc_coded >> area->plane & 1))
    return 0;
  block_init (&block, area, &gpu_reference_partitions (area->picture)[mb->first_motion]);
  list = block.partition->ref_idx[0] >= 0 ? 0 : 1;
  if (block.partition->ref_idx[1 - list] >= 0 || block.slice->weighting == GST_GPU_WEIGHT_EXPLICIT)
    return 0;
  reference_init (&reference, &block, list);
  if (!find_whole_samples (&block, &reference, list, &from))
    return 0;
  /* damage may make a picture its own reference */
  for (unsigned y = 0; y < area->height; y++)
    memmove ((uint8_t *) area->picture->samples + (area->origin + y * area->stride) * bytes,
        (const uint8_t *) reference.samples + (from + y * reference.stride) * bytes, area->width * bytes);
  return 1;
}

static void
rebuild_area (const GpuArea *area)
{
  int whole[256], residual[256], pred[256];

  if (copy_area (area))
    return;
  for (unsigned i = 0; i < 256; i++)
    whole[i] = 0;
  for (unsigned i = 0; i < area->mb->n_partitions; i++) {
    Block block;

    block_init (&block, area, &gpu_reference_partitions (area->picture)[area->mb->first_motion + i]);
    predict_block (&block, pred);
    for (unsigned y = 0; y < block.height; y++)
      for (unsigned x = 0; x < block.width; x++)
        whole[(block.y + y) * area->width + block.x + x] = pred[y * block.width + x];
  }
  read_inter_residual (area, residual);
  gpu_area_put_block (area, 0, 0, area->width, area->height, whole, residual);
}

void
gpu_reference_interpred (const GpuReferencePicture *picture)
{
  const GstGpuPicture *params = picture->params;
  size_t mb_addr, n_mbs = (size_t) params->width_in_mbs * params->height_in_mbs;
  unsigned plane, n_planes = params->chroma_array_type ? 3 : 1;

  for (mb_addr = 0; mb_addr < n_mbs; mb_addr++)
    for (plane = 0; plane < n_planes; plane++)
      if (gpu_reference_mbs (picture)[mb_addr].mb_class == GST_GPU_MB_INTER) {
        GpuArea area;

        gpu_area_init (&area, picture, mb_addr, plane);
        rebuild_area (&area);
      }
}
