/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inverse quantisation and inverse transforms (8.5.9 to 8.5.13): levels to residuals, in place.
 *
 * Streams that break the limits of 8.5 on intermediate values (hostile ones) are decoded all the same: sums, products and left shifts are
 * taken modulo 2^32, which is why values here are unsigned; right shifts are arithmetic, and what is stored is clipped to 16 bits.  The
 * kernels do exactly this too.
 */
#include <stddef.h>

#include "normadjust.h"
#include "reference.h"

#define SLOT_SIZE 32

/* A block of a segment, and what its position leads to */
typedef struct
{
  const GstGpuMb *mb;
  const GstGpuSlice *slice;
  unsigned mb_addr, plane, blk;
  unsigned qp;     /* qP of the plane */
  unsigned inter;  /* 1: macroblock of an Inter prediction mode */
  unsigned chroma; /* 1: chroma block of 4:2:0 or 4:2:2 */
  void *data;
  int wide;
} Block;

/* Arithmetic right shift */
static uint32_t
shift_right (uint32_t v, unsigned n)
{
  return (uint32_t) ((int32_t) v >> n);
}

static int16_t
clip_int16 (uint32_t v)
{
  int32_t s = (int32_t) v;

  return s < INT16_MIN ? INT16_MIN : s > INT16_MAX ? INT16_MAX : s;
}

/* LevelScale4x4(m, i, j) of 8.5.9: i the row, j the column */
static uint32_t
level_scale_4x4 (const Block *block, unsigned m, unsigned i, unsigned j)
{
  const uint8_t *weight_scale = block->slice->weight_scale_4x4[block->inter * 3 + block->plane];

  return weight_scale[j * 4 + i] * norm_adjust_4x4 (m, i, j);
}

/* LevelScale8x8(m, i, j) of 8.5.9 */
static uint32_t
level_scale_8x8 (const Block *block, unsigned m, unsigned i, unsigned j)
{
  const uint8_t *weight_scale = block->slice->weight_scale_8x8[block->plane * 2 + block->inter];

  return weight_scale[j * 8 + i] * norm_adjust_8x8 (m, i, j);
}

/* level * level_scale * 2^(qP / 6 - bits), rounded: 8.5.12.1 with 4 bits; 8.5.10, 8.5.11.2 (4:2:2) and 8.5.13.1 with 6 */
static uint32_t
scale_level (uint32_t level, uint32_t level_scale, unsigned qp, unsigned bits)
{
  if (qp / 6 >= bits)
    return (level * level_scale) << (qp / 6 - bits);
  return shift_right (level * level_scale + (1u << (bits - 1 - qp / 6)), bits - qp / 6);
}

static uint32_t
get_level (const Block *block, unsigned k)
{
  return block->wide ? ((const uint32_t *) block->data)[k] : (uint32_t) ((const int16_t *) block->data)[k];
}

/* Reads a block of n x n levels, stored column by column, into rows. */
static void
read_transposed (const Block *block, uint32_t *c, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      c[i * n + j] = get_level (block, j * n + i);
}

/* A row or a column (elements @s apart) of the 4x4 DC transform (8.5.10) and of the columns in 4:2:2 (8.5.11.1) */
static void
transform_dc_4 (uint32_t *c, unsigned s)
{
  uint32_t a = c[0] + c[s], b = c[2 * s] + c[3 * s], d = c[0] - c[s], e = c[2 * s] - c[3 * s];

  c[0] = a + b;
  c[s] = a - b;
  c[2 * s] = d - e;
  c[3 * s] = d + e;
}

static void
transform_dc_2 (uint32_t *c, unsigned s)
{
  uint32_t a = c[0], b = c[s];

  c[0] = a + b;
  c[s] = a - b;
}

/* 8.5.12.2 */
static void
transform_4 (uint32_t *d, unsigned s)
{
  uint32_t e0 = d[0] + d[2 * s], e1 = d[0] - d[2 * s];
  uint32_t e2 = shift_right (d[s], 1) - d[3 * s], e3 = d[s] + shift_right (d[3 * s], 1);

  d[0] = e0 + e3;
  d[s] = e1 + e2;
  d[2 * s] = e1 - e2;
  d[3 * s] = e0 - e3;
}

/* 8.5.13.2 */
static void
transform_8 (uint32_t *d, unsigned s)
{
  uint32_t d1 = d[s], d3 = d[3 * s], d5 = d[5 * s], d7 = d[7 * s];
  uint32_t e0 = d[0] + d[4 * s], e2 = d[0] - d[4 * s];
  uint32_t e4 = shift_right (d[2 * s], 1) - d[6 * s], e6 = d[2 * s] + shift_right (d[6 * s], 1);
  uint32_t e1 = d5 - d3 - d7 - shift_right (d7, 1);
  uint32_t e3 = d1 + d7 - d3 - shift_right (d3, 1);
  uint32_t e5 = d7 - d1 + d5 + shift_right (d5, 1);
  uint32_t e7 = d3 + d5 + d1 + shift_right (d1, 1);
  uint32_t f0 = e0 + e6, f2 = e2 + e4, f4 = e2 - e4, f6 = e0 - e6;
  uint32_t f1 = e1 + shift_right (e7, 2), f3 = e3 + shift_right (e5, 2);
  uint32_t f5 = shift_right (e3, 2) - e5, f7 = e7 - shift_right (e1, 2);

  d[0] = f0 + f7;
  d[s] = f2 + f5;
  d[2 * s] = f4 + f3;
  d[3 * s] = f6 + f1;
  d[4 * s] = f6 - f1;
  d[5 * s] = f4 - f3;
  d[6 * s] = f2 - f5;
  d[7 * s] = f0 - f7;
}

/* Intra16x16 luma, and Cb, Cr of 4:4:4 (8.5.2, 8.5.10) */
static void
dc_4x4 (const Block *block, int32_t *dc)
{
  uint32_t c[16], level_scale = level_scale_4x4 (block, block->qp % 6, 0, 0);

  read_transposed (block, c, 4);
  for (unsigned i = 0; i < 4; i++)
    transform_dc_4 (c + 4 * i, 1);
  for (unsigned j = 0; j < 4; j++)
    transform_dc_4 (c + j, 4);
  /* the element of row i, column j belongs to the block at that place of the macroblock (6.4.3) */
  for (unsigned i = 0; i < 4; i++)
    for (unsigned j = 0; j < 4; j++)
      dc[i / 2 * 8 + j / 2 * 4 + i % 2 * 2 + j % 2] = (int32_t) scale_level (c[i * 4 + j], level_scale, block->qp, 6);
}

/* Chroma of 4:2:0 (8.5.11) */
static void
dc_2x2 (const Block *block, int32_t *dc)
{
  uint32_t c[4], level_scale = level_scale_4x4 (block, block->qp % 6, 0, 0);

  for (unsigned k = 0; k < 4; k++)
    c[k] = get_level (block, k);
  transform_dc_2 (c, 1);
  transform_dc_2 (c + 2, 1);
  transform_dc_2 (c, 2);
  transform_dc_2 (c + 1, 2);
  for (unsigned k = 0; k < 4; k++)
    dc[k] = (int32_t) shift_right ((c[k] * level_scale) << (block->qp / 6), 5);
}

/* Chroma of 4:2:2 (8.5.11), which has a qP of its own: QP'c,dc */
static void
dc_2x4 (const Block *block, int32_t *dc)
{
  unsigned qp_dc = block->qp + 3;
  uint32_t c[8], level_scale = level_scale_4x4 (block, qp_dc % 6, 0, 0);

  for (unsigned k = 0; k < 8; k++)
    c[k] = get_level (block, k);
  for (unsigned i = 0; i < 4; i++)
    transform_dc_2 (c + 2 * i, 1);
  for (unsigned j = 0; j < 2; j++)
    transform_dc_4 (c + j, 2);
  for (unsigned k = 0; k < 8; k++)
    dc[k] = (int32_t) scale_level (c[k], level_scale, qp_dc, 6);
}

/* 8.5.12.  @dc: (nullable): the scaled coefficient 0, for blocks whose DC coefficient came in a group of its own */
static void
residual_4x4 (const Block *block, const int32_t *dc)
{
  int16_t *residual = block->data;
  uint32_t d[16];

  read_transposed (block, d, 4);
  for (unsigned i = 0; i < 4; i++)
    for (unsigned j = 0; j < 4; j++)
      d[i * 4 + j] = scale_level (d[i * 4 + j], level_scale_4x4 (block, block->qp % 6, i, j), block->qp, 4);
  if (dc)
    d[0] = (uint32_t) *dc;
  for (unsigned i = 0; i < 4; i++)
    transform_4 (d + 4 * i, 1);
  for (unsigned j = 0; j < 4; j++)
    transform_4 (d + j, 4);
  for (unsigned k = 0; k < 16; k++)
    residual[k] = clip_int16 (shift_right (d[k] + 32, 6));
}

/* 8.5.13 */
static void
residual_8x8 (const Block *block)
{
  int16_t *residual = block->data;
  uint32_t d[64];

  read_transposed (block, d, 8);
  for (unsigned i = 0; i < 8; i++)
    for (unsigned j = 0; j < 8; j++)
      d[i * 8 + j] = scale_level (d[i * 8 + j], level_scale_8x8 (block, block->qp % 6, i, j), block->qp, 6);
  for (unsigned i = 0; i < 8; i++)
    transform_8 (d + 8 * i, 1);
  for (unsigned j = 0; j < 8; j++)
    transform_8 (d + j, 8);
  for (unsigned k = 0; k < 64; k++)
    residual[k] = clip_int16 (shift_right (d[k] + 32, 6));
}

static void
block_residual (const GpuReferencePicture *picture, const Block *block, unsigned kind)
{
  static const int32_t no_dc = 0;
  int32_t *dc = picture->dc + block->mb_addr * 48 + block->plane * 16;

  switch (kind) {
    case GST_GPU_KIND_DC4x4:
      dc_4x4 (block, dc);
      break;
    case GST_GPU_KIND_DC2x2:
      dc_2x2 (block, dc);
      break;
    case GST_GPU_KIND_DC2x4:
      dc_2x4 (block, dc);
      break;
    case GST_GPU_KIND_4x4:
      if (!block->chroma && block->mb->mb_class != GST_GPU_MB_I16x16)
        residual_4x4 (block, NULL);
      else
        residual_4x4 (block, block->mb->dc_coded >> block->plane & 1 ? dc + block->blk : &no_dc);
      break;
    case GST_GPU_KIND_8x8:
      residual_8x8 (block);
      break;
  }
}

static void
run_segment (const GpuReferencePicture *picture, const GstGpuSegment *segment)
{
  /* levels of a block; kinds of 0 levels need nothing (8.5.15 is Intra prediction's, 8.3.5 too) */
  static const uint8_t n_levels[GST_GPU_N_KINDS] = { [GST_GPU_KIND_4x4] = 16,
    [GST_GPU_KIND_8x8] = 64,
    [GST_GPU_KIND_DC4x4] = 16,
    [GST_GPU_KIND_DC2x2] = 4,
    [GST_GPU_KIND_DC2x4] = 8 };
  const gst_gpu_u32 *positions = (const gst_gpu_u32 *) picture->coeffs + segment->positions;
  size_t size = n_levels[segment->kind] * (segment->wide ? 4 : 2);

  for (unsigned n = 0; n < segment->count && size > 0; n++) {
    Block block = { .mb_addr = GST_GPU_POSITION_MB (positions[n]),
      .plane = GST_GPU_POSITION_PLANE (positions[n]),
      .blk = GST_GPU_POSITION_BLK (positions[n]) };

    block.mb = &gpu_reference_mbs (picture)[block.mb_addr];
    block.slice = &gpu_reference_slices (picture)[block.mb->slice];
    block.qp = block.mb->qp_scaled[block.plane];
    block.inter = block.mb->mb_class == GST_GPU_MB_INTER;
    block.chroma = block.plane > 0 && picture->params->chroma_array_type != 3;
    block.data = (uint8_t *) picture->coeffs + (size_t) segment->coeffs * SLOT_SIZE + n * size;
    block.wide = segment->wide;
    block_residual (picture, &block, segment->kind);
  }
}

void
gpu_reference_idct (const GpuReferencePicture *picture, const GstGpuSegment *segments, unsigned n_segments, unsigned colour_plane)
{
  /* the DC transforms first: the blocks of their macroblocks need the results */
  for (int dc = 1; dc >= 0; dc--)
    for (unsigned s = 0; s < n_segments; s++)
      if (segments[s].colour_plane == colour_plane
          && (segments[s].kind >= GST_GPU_KIND_DC4x4 && segments[s].kind <= GST_GPU_KIND_DC2x4) == dc)
        run_segment (picture, &segments[s]);
}
