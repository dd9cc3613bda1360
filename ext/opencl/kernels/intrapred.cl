/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction (8.3), residual and picture construction (8.5.14).  Here: where a macroblock lies, and the kernel.  How a macroblock is rebuilt is in
 * intrapredvector.cl (CPU: a work-item a macroblock, explicit vectors) and intrapreditems.cl (GPU: a work-group a macroblock); in which order, in
 * intrapredorder.cl.
 *
 * Build options:
 *   GPU_CPU              the form with explicit vectors, work-groups of 1; else work-groups of GPU_GROUP_SIZE, a power of 2
 *   GPU_SAMPLE_BYTES     1 or 2
 *   GPU_DEPTH_LUMA, GPU_DEPTH_CHROMA
 *   GPU_CHROMA_ARRAY_TYPE
 *   GPU_DEVICE_ATOMICS   OpenCL C 3.0 with acquire and release at device scope: the launch TICKETS exists
 */
#include "gpurecords.h"

#define INLINE static inline __attribute__ ((always_inline))

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
  __global const GpuMb *mb;
  __global Sample *samples;     /* its first sample */
  int stride;                   /* samples to the next row */
  int max;                      /* (1 << bit depth) - 1 */
  uint plane;
  uint coded;                   /* GpuMb.coded of the plane */
  __global const short *arena;  /* the coefficient arena: readable, whether there are blocks or not */
  __global const short *blocks; /* the plane's first coded block */
  uint block_step;              /* from a coded block to the next, in shorts */
  __global const int *dc;       /* the plane's DC coefficients, 0 where it has none */
} Area;

/* Blocks of 16 shorts per slot; see GpuMb for how blocks are numbered. */
INLINE void
find_blocks (Area *area, __global const GpuMb *mb, uint plane, bool like_luma)
{
  bool is_8x8 = like_luma && (mb->flags & GPU_MB_TRANSFORM_8x8);
  uint step = (is_8x8 ? 4 : 1) * (mb->flags & GPU_MB_WIDE ? 2 : 1), k = 0;

  if (plane > 0 && (is_8x8 || GPU_CHROMA_ARRAY_TYPE == 3 || !(mb->flags & GPU_MB_TRANSFORM_8x8)))
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
  __global const GpuMb *mbs;
  __global const short *coeffs;
  __global const int *dc;
  __global Sample *surface;
} Picture;

/* Macroblock mbAddr, at column mb_x and row mb_y of macroblocks, in a plane */
INLINE void
init_area (Area *area, const Picture *picture, uint mb_addr, uint mb_x, uint mb_y, uint plane)
{
  __global const GpuMb *mb = picture->mbs + mb_addr;
  bool like_luma = GPU_CHROMA_ARRAY_TYPE == 3 ? true : plane == 0;
  uint width = like_luma ? 16 : CHROMA_WIDTH, height = like_luma ? 16 : CHROMA_HEIGHT;

  area->mb = mb;
  area->plane = plane;
  area->stride = (int) picture->plane_stride[plane];
  area->samples = picture->surface + picture->plane_offset[plane] + (ulong) mb_y * height * picture->plane_stride[plane] + mb_x * width;
  area->max = plane == 0 ? (1 << GPU_DEPTH_LUMA) - 1 : (1 << GPU_DEPTH_CHROMA) - 1;
  area->arena = picture->coeffs;
  find_blocks (area, mb, plane, like_luma);
  area->dc = (mb->dc_coded >> plane & 1) && !(mb->flags & GPU_MB_BYPASS) ? picture->dc + (ulong) mb_addr * 48 + plane * 16 : 0;
}

/* The residual of block blkIdx, or 0 */
INLINE __global const short *
find_block (const Area *area, uint blk)
{
  uint k = popcount (area->coded & ((1u << blk) - 1));

  return area->coded >> blk & 1 ? area->blocks + k * area->block_step : 0;
}

/* I_PCM samples (8.3.5) of a plane */
INLINE __global const Sample *
pcm_samples (const Area *area)
{
  __global const Sample *samples = (__global const Sample *) (area->arena + (ulong) area->mb->first_4x4 * 16);

  return area->plane == 0 ? samples : samples + 256 + (area->plane - 1) * CHROMA_WIDTH * CHROMA_HEIGHT;
}

/* Intra_16x16 and chroma: one mode for the whole area, numbered like Intra16x16PredMode (Table 8-4); intra_chroma_pred_mode is Table 7-16 */
#define WHOLE_VERTICAL 0
#define WHOLE_HORIZONTAL 1
#define WHOLE_DC 2
#define WHOLE_PLANE 3

INLINE uint
whole_mode (const Area *area, bool like_luma)
{
  uint mode = area->mb->intra_chroma_pred_mode & 3;

  if (like_luma)
    return area->mb->intra_modes[0] & 3;
  return mode == 3 ? WHOLE_PLANE : 2 - mode;
}

/* Intra4x4PredMode, Intra8x8PredMode number i */
INLINE uint
nxn_mode (__global const GpuMb *mb, uint i)
{
  return mb->intra_modes[i >> 1] >> (i & 1) * 4 & 15;
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

/* Neighbours of each 4x4 block (bit luma4x4BlkIdx) that are available for prediction (6.4.11.4, 8.3.1.2), by what the macroblock has. */
INLINE uint
blocks_with_left (uint available)
{
  return 0xfafa | (available & GPU_AVAILABLE_A ? 0x0005 : 0) | (available & GPU_AVAILABLE_A_LOWER ? 0x0500 : 0);
}

INLINE uint
blocks_with_above (uint available)
{
  return 0xffcc | (available & GPU_AVAILABLE_B ? 0x0033 : 0);
}

/* Above right: never for blocks 3, 7, 11, 13 and 15, whose neighbours come later. */
INLINE uint
blocks_with_above_right (uint available)
{
  return 0x5744 | (available & GPU_AVAILABLE_B ? 0x0013 : 0) | (available & GPU_AVAILABLE_C ? 0x0020 : 0);
}

INLINE uint
blocks_with_corner (uint available)
{
  return 0xfac8 | (available & GPU_AVAILABLE_D ? 1 : 0) | (available & GPU_AVAILABLE_B ? 0x0032 : 0) | (available & GPU_AVAILABLE_A ? 0x0104 : 0)
      | (available & GPU_AVAILABLE_A_LOWER ? 0x0400 : 0);
}

/* The same of the 8x8 blocks, as GPU_AVAILABLE_A, B, C and D */
INLINE uint
available_8x8 (uint available, uint blk)
{
  if (blk == 0)
    return (available & (GPU_AVAILABLE_A | GPU_AVAILABLE_B | GPU_AVAILABLE_D)) | (available & GPU_AVAILABLE_B ? GPU_AVAILABLE_C : 0);
  if (blk == 1)
    return GPU_AVAILABLE_A | (available & (GPU_AVAILABLE_B | GPU_AVAILABLE_C)) | (available & GPU_AVAILABLE_B ? GPU_AVAILABLE_D : 0);
  if (blk == 2)
    return GPU_AVAILABLE_B | GPU_AVAILABLE_C | (available & GPU_AVAILABLE_A_LOWER ? GPU_AVAILABLE_A : 0) | (available & GPU_AVAILABLE_A ? GPU_AVAILABLE_D : 0);
  return GPU_AVAILABLE_A | GPU_AVAILABLE_B | GPU_AVAILABLE_D;
}

#ifdef GPU_CPU
#define GROUP_ATTRIBUTE __attribute__ ((reqd_work_group_size (1, 1, 1)))
#define IS_LEADER true
#include "intrapredvector.cl"
#else
#define GROUP_ATTRIBUTE __attribute__ ((reqd_work_group_size (GPU_GROUP_SIZE, 1, 1)))
#define IS_LEADER (get_local_id (0) == 0)
#include "intrapreditems.cl"
#endif

#include "intrapredorder.cl"

/* Which planes the work-groups of part get_group_id (1) rebuild: one each, but Cb and Cr together on a CPU, where they are not like luma */
INLINE void
rebuild_macroblock (const Picture *picture, uint mb_addr, uint mb_x, uint mb_y SCRATCH_PARAMETER)
{
  uint plane = (uint) get_group_id (1);
  Area area;

  init_area (&area, picture, mb_addr, mb_x, mb_y, plane);
#if GPU_CHROMA_ARRAY_TYPE == 0 || GPU_CHROMA_ARRAY_TYPE == 3
  rebuild_like_luma (&area SCRATCH);
#else
  if (plane == 0)
    rebuild_like_luma (&area SCRATCH);
  else
    rebuild_chroma (&area SCRATCH);
#ifdef GPU_CPU
  if (plane == 1) {
    init_area (&area, picture, mb_addr, mb_x, mb_y, 2);
    rebuild_chroma (&area SCRATCH);
  }
#endif
#endif
}

INLINE void
rebuild_run (const Picture *picture, const Run *run SCRATCH_PARAMETER)
{
  uint mb_y = run->first / picture->width_in_mbs, mb_x = run->first - mb_y * picture->width_in_mbs;

  for (uint mb_addr = run->first; mb_addr < run->end; mb_addr++) {
    if (picture->mbs[mb_addr].mb_class < GPU_MB_INTER)
      rebuild_macroblock (picture, mb_addr, mb_x, mb_y SCRATCH);
    mb_x++;
    if (mb_x == picture->width_in_mbs) {
      mb_x = 0;
      mb_y++;
    }
  }
}

INLINE void
init_picture (Picture *picture, const GpuPicture *params, __global const GpuMb *mbs, __global const short *coeffs, __global const int *dc,
    __global Sample *surface)
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

/* Rebuilds the intra macroblocks of a picture; inter macroblocks are left alone, and are neighbours like others.
 * header, mbs_offset: the records, GpuMb[height_in_mbs * width_in_mbs] at that byte
 * coeffs: the coefficient arena after the inverse transforms
 * dc: int[48] a macroblock
 * surface: samples
 * launch, diagonal, first_row: see first_run(); global size (n_groups * group size, parts of the planes)
 * state: for TICKETS, state_stride ints a part */
__kernel GROUP_ATTRIBUTE void
gpu_intrapred (GpuPicture params, __global const uchar *header, ulong mbs_offset, __global const short *coeffs, __global const int *dc,
    __global Sample *surface, uint launch, uint diagonal, uint first_row, __global int *state, uint state_stride)
{
  Picture picture;
  Worker worker;
  Run run;
#ifndef GPU_CPU
  __local Scratch local_scratch;
  __local Scratch *scratch = &local_scratch;
#endif

  init_picture (&picture, &params, (__global const GpuMb *) (header + mbs_offset), coeffs, dc, surface);
#ifdef GPU_DEVICE_ATOMICS
  if (launch == LAUNCH_TICKETS)
    init_worker (&worker, state + get_group_id (1) * state_stride);
#endif
  first_run (&run, &picture, &worker, launch, diagonal, first_row SCRATCH);
  while (run.first < run.end) {
    rebuild_run (&picture, &run SCRATCH);
    next_run (&run, &picture, &worker, launch SCRATCH);
  }
#ifdef GPU_DEVICE_ATOMICS
  if (launch == LAUNCH_TICKETS)
    end_worker (&worker, picture.height_in_mbs);
#endif
}
