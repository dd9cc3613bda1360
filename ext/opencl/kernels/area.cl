/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A macroblock in one colour plane: its samples and its residual blocks.  What the kernels of prediction share; build options as there.
 */
#include "geometry.cl"

#if GPU_SAMPLE_BYTES == 1
typedef uchar Sample;
#else
typedef ushort Sample;
#endif

/* Samples of a macroblock in the planes of chroma */
#define CHROMA_WIDTH (GPU_CHROMA_ARRAY_TYPE == 3 ? 16 : 8)
#define CHROMA_HEIGHT (GPU_CHROMA_ARRAY_TYPE == 1 ? 8 : 16)

/* One macroblock in one plane. */
typedef struct
{
  __global const GstGpuMb *mb;
  __global Sample *samples;     /* its first sample */
  int stride;                   /* samples to the next row */
  int max;                      /* (1 << bit depth) - 1 */
  uint plane;
  uint coded;                   /* GstGpuMb.coded of the plane */
  __global const short *arena;  /* the coefficient arena: readable, whether there are blocks or not */
  __global const short *blocks; /* the plane's first coded block */
  uint block_step;              /* from a coded block to the next, in shorts */
  __global const int *dc;       /* the plane's DC coefficients, 0 where it has none */
} Area;

/* Blocks of 16 shorts per slot; see GstGpuMb for how blocks are numbered. */
INLINE void
find_blocks (Area *area, __global const GstGpuMb *mb, uint plane, bool like_luma)
{
  bool is_8x8 = like_luma && (mb->flags & GST_GPU_MB_TRANSFORM_8x8);
  uint step = (is_8x8 ? 4 : 1) * (mb->flags & GST_GPU_MB_WIDE ? 2 : 1), k = 0;

  if (plane > 0 && (is_8x8 || GPU_CHROMA_ARRAY_TYPE == 3 || !(mb->flags & GST_GPU_MB_TRANSFORM_8x8)))
    k = popcount ((uint) mb->coded[0]);
  if (plane > 1)
    k += popcount ((uint) mb->coded[1]);
  area->coded = mb->coded[plane];
  area->block_step = step * 16;
  area->blocks = area->arena + ((ulong) (is_8x8 ? mb->first_8x8 : mb->first_4x4) + (ulong) k * step) * 16;
}

/* What a picture is rebuilt from and to. */
typedef struct
{
  uint width_in_mbs, height_in_mbs;
  uint plane_offset[3], plane_stride[3];
  __global const GstGpuMb *mbs;
  __global const short *coeffs;
  __global const int *dc;
  __global Sample *surface;
} Picture;

INLINE void
init_picture (Picture *picture, const GstGpuPicture *params, __global const GstGpuMb *mbs, __global const short *coeffs,
    __global const int *dc, __global Sample *surface)
{
  picture->width_in_mbs = params->width_in_mbs;
  picture->height_in_mbs = params->height_in_mbs;
  for (uint plane = 0; plane < 3; plane++) {
    picture->plane_offset[plane] = params->plane_offset[plane];
    picture->plane_stride[plane] = params->plane_stride[plane];
  }
  picture->mbs = mbs;
  picture->coeffs = coeffs;
  picture->dc = dc;
  picture->surface = surface;
}

/* A macroblock in a plane */
INLINE void
init_area (Area *area, const Picture *picture, const Place *place, uint plane)
{
  __global const GstGpuMb *mb = picture->mbs + place->mb_addr;
  bool like_luma = GPU_CHROMA_ARRAY_TYPE == 3 ? true : plane == 0;
  uint width = like_luma ? 16 : CHROMA_WIDTH, height = like_luma ? 16 : CHROMA_HEIGHT;

  area->mb = mb;
  area->plane = plane;
  area->stride = (int) (picture->plane_stride[plane] * line_step (place));
  area->samples = picture->surface + picture->plane_offset[plane] + (ulong) first_line (place, height) * picture->plane_stride[plane]
      + (uint) place->column * width;
  area->max = plane == 0 ? (1 << GPU_DEPTH_LUMA) - 1 : (1 << GPU_DEPTH_CHROMA) - 1;
  area->arena = picture->coeffs;
  find_blocks (area, mb, plane, like_luma);
  area->dc = (mb->dc_coded >> plane & 1) && !(mb->flags & GST_GPU_MB_BYPASS) ? picture->dc + (ulong) place->mb_addr * 48 + plane * 16 : 0;
}

/* The residual of block blkIdx, or 0 */
INLINE __global const short *
find_block (const Area *area, uint blk)
{
  uint k = popcount (area->coded & ((1u << blk) - 1));

  return area->coded >> blk & 1 ? area->blocks + k * area->block_step : 0;
}

/* 6.4.3: luma4x4BlkIdx to column and row, in blocks */
INLINE uint
block_column (uint blk)
{
  return (blk & 1) | (blk >> 1 & 2);
}

INLINE uint
block_row (uint blk)
{
  return (blk >> 1 & 1) | (blk >> 2 & 2);
}

INLINE uint
block_index (uint column, uint row)
{
  return (column & 1) | (row & 1) << 1 | (column & 2) << 1 | (row & 2) << 2;
}
