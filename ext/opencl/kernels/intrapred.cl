/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction (8.3), residual and picture construction (8.5.14): the order in which macroblocks are rebuilt.  How one is rebuilt is in intrapredvector.cl
 * (CPU: a work-item a macroblock, explicit vectors) and intrapreditems.cl (GPU: a work-group a macroblock).
 *
 * Build options:
 *   GPU_CPU              the form with explicit vectors, work-groups of 1; else work-groups of GPU_GROUP_SIZE, a power of 2
 *   GPU_SAMPLE_BYTES     1 or 2
 *   GPU_DEPTH_LUMA, GPU_DEPTH_CHROMA
 *   GPU_CHROMA_ARRAY_TYPE
 *   GPU_DEVICE_ATOMICS   OpenCL C 3.0 with acquire and release at device scope: GPU_LAUNCH_TICKET exists
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

/* How a launch divides a picture (argument `launch`, numbers of GpuWavefront).  Every work-group walks runs of macroblocks in the order of mbAddr. */
#define GPU_LAUNCH_BANDS 0      /* work-group g: the slices that begin in part g of n_groups equal parts; no waiting */
#define GPU_LAUNCH_TICKET 1     /* rows by ticket; a row follows the one above at a distance of two macroblocks */
#define GPU_LAUNCH_DIAGONAL 2   /* work-group g: the macroblock of row first_row + g on one diagonal x + 2 * y */

/* Rows publish how far they are every so many macroblocks. */
#define PROGRESS_STEP 4

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

/* The macroblock's own memory of a plane and its residuals. */
INLINE Area
make_area (__global const GpuMb *mb, uint mb_addr, uint mb_x, uint mb_y, uint plane, GpuPicture picture, __global const short *arena, __global const int *dc,
    __global Sample *surface)
{
  bool like_luma = GPU_CHROMA_ARRAY_TYPE == 3 ? true : plane == 0;
  uint width = like_luma ? 16 : CHROMA_WIDTH, height = like_luma ? 16 : CHROMA_HEIGHT;
  Area area;

  area.mb = mb;
  area.plane = plane;
  area.stride = (int) picture.plane_stride[plane];
  area.samples = surface + picture.plane_offset[plane] + (ulong) mb_y * height * picture.plane_stride[plane] + mb_x * width;
  area.max = plane == 0 ? (1 << GPU_DEPTH_LUMA) - 1 : (1 << GPU_DEPTH_CHROMA) - 1;
  area.arena = arena;
  find_blocks (&area, mb, plane, like_luma);
  area.dc = (mb->dc_coded >> plane & 1) && !(mb->flags & GPU_MB_BYPASS) ? dc + (ulong) mb_addr * 48 + plane * 16 : 0;
  return area;
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
#include "intrapredvector.cl"
#define GROUP_ATTRIBUTE __attribute__ ((reqd_work_group_size (1, 1, 1)))
#define IS_LEADER 1
#define GROUP_BARRIER()
#else
#include "intrapreditems.cl"
#define GROUP_ATTRIBUTE __attribute__ ((reqd_work_group_size (GPU_GROUP_SIZE, 1, 1)))
#define IS_LEADER (get_local_id (0) == 0)
#define GROUP_BARRIER() barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

/* What the work-groups of ticketed launches share, a set for each part of the planes (get_group_id (1)), in ints: the next row, work-groups that ended, and
 * from PROGRESS_FIRST on for each row how many macroblocks are complete.  All zero between launches: the last work-group clears it. */
#define NEXT_ROW 0
#define N_ENDED 1
#define PROGRESS_FIRST 2

#ifdef GPU_DEVICE_ATOMICS
/* A ticket for the whole work-group */
INLINE uint
take_row (__global atomic_int *state, __local int *shared)
{
#ifdef GPU_CPU
  return (uint) atomic_fetch_add_explicit (&state[NEXT_ROW], 1, memory_order_relaxed, memory_scope_device);
#else
  uint row;

  if (IS_LEADER)
    *shared = atomic_fetch_add_explicit (&state[NEXT_ROW], 1, memory_order_relaxed, memory_scope_device);
  GROUP_BARRIER ();
  row = (uint) *shared;
  GROUP_BARRIER ();
  return row;
#endif
}

/* Until the row with this progress has completed n macroblocks.  The holder of a lower ticket runs already and waits for still lower ones only. */
INLINE void
wait_for_row (__global atomic_int *progress, int n, int *seen)
{
  if (*seen >= n)
    return;
  if (IS_LEADER)
    while (atomic_load_explicit (progress, memory_order_acquire, memory_scope_device) < n);
  GROUP_BARRIER ();
  *seen = atomic_load_explicit (progress, memory_order_acquire, memory_scope_device);
}

INLINE void
publish_progress (__global atomic_int *progress, int n)
{
  GROUP_BARRIER ();
  if (IS_LEADER)
    atomic_store_explicit (progress, n, memory_order_release, memory_scope_device);
}

/* The last work-group leaves everything as it was. */
INLINE void
end_tickets (__global atomic_int *state, uint n_rows)
{
  if (!IS_LEADER
      || atomic_fetch_add_explicit (&state[N_ENDED], 1, memory_order_acq_rel, memory_scope_device) != (int) get_num_groups (0) - 1)
    return;
  for (uint i = 0; i < PROGRESS_FIRST + n_rows; i++)
    atomic_store_explicit (&state[i], 0, memory_order_relaxed, memory_scope_device);
}
#endif

/* First macroblock at or after `mb_addr` that begins a slice */
INLINE uint
next_slice (__global const GpuMb *mbs, uint mb_addr, uint n_mbs)
{
  while (mb_addr > 0 && mb_addr < n_mbs && mbs[mb_addr].slice == mbs[mb_addr - 1].slice)
    mb_addr++;
  return mb_addr;
}

/* Which planes the work-groups of part get_group_id (1) rebuild: one each, but Cb and Cr together on a CPU, where they are not like luma */
INLINE void
rebuild_macroblock (__global const GpuMb *mbs, uint mb_addr, uint mb_x, uint mb_y, GpuPicture picture, __global const short *coeffs, __global const int *dc,
    __global Sample *surface SCRATCH_PARAMETER)
{
  uint plane = (uint) get_group_id (1);

#if GPU_CHROMA_ARRAY_TYPE == 0 || GPU_CHROMA_ARRAY_TYPE == 3
  rebuild_like_luma (make_area (&mbs[mb_addr], mb_addr, mb_x, mb_y, plane, picture, coeffs, dc, surface) SCRATCH);
#else
  if (plane == 0) {
    rebuild_like_luma (make_area (&mbs[mb_addr], mb_addr, mb_x, mb_y, 0, picture, coeffs, dc, surface) SCRATCH);
    return;
  }
#ifdef GPU_CPU
  for (; plane < 3; plane++)
#endif
    rebuild_chroma (make_area (&mbs[mb_addr], mb_addr, mb_x, mb_y, plane, picture, coeffs, dc, surface) SCRATCH);
#endif
}

/* Rebuilds the intra macroblocks of a picture; inter macroblocks are left alone, and are neighbours like others.
 * header, mbs_offset: the records, GpuMb[height_in_mbs * width_in_mbs] at that byte
 * coeffs: the coefficient arena after the inverse transforms
 * dc: int[48] a macroblock
 * surface: samples
 * launch: GPU_LAUNCH_BANDS...; global size (n_groups * group size, parts of the planes)
 * diagonal, first_row: for GPU_LAUNCH_DIAGONAL
 * state: for GPU_LAUNCH_TICKET, state_stride ints a part */
__kernel GROUP_ATTRIBUTE void
gpu_intrapred (GpuPicture picture, __global const uchar *header, ulong mbs_offset, __global const short *coeffs, __global const int *dc,
    __global Sample *surface, uint launch, uint diagonal, uint first_row, __global int *state, uint state_stride)
{
  __global const GpuMb *mbs = (__global const GpuMb *) (header + mbs_offset);
  uint n_mbs = picture.width_in_mbs * picture.height_in_mbs, first, end, mb_x, mb_y;
#ifdef GPU_DEVICE_ATOMICS
  __global atomic_int *tickets = (__global atomic_int *) (state + get_group_id (1) * state_stride);
  int seen;
#endif
#ifndef GPU_CPU
  __local Scratch local_scratch;
  __local Scratch *scratch = &local_scratch;
  __local int shared;
#endif

  do {
    if (launch == GPU_LAUNCH_BANDS) {
      first = next_slice (mbs, (uint) ((ulong) n_mbs * get_group_id (0) / get_num_groups (0)), n_mbs);
      end = next_slice (mbs, (uint) ((ulong) n_mbs * (get_group_id (0) + 1) / get_num_groups (0)), n_mbs);
    } else if (launch == GPU_LAUNCH_DIAGONAL) {
      uint row = first_row + (uint) get_group_id (0);

      first = row * picture.width_in_mbs + diagonal - 2 * row;
      end = first + 1;
    } else {
#ifdef GPU_DEVICE_ATOMICS
#ifdef GPU_CPU
      uint row = take_row (tickets, 0);
#else
      uint row = take_row (tickets, &shared);
#endif

      if (row >= picture.height_in_mbs)
        break;
      first = row * picture.width_in_mbs;
      end = first + picture.width_in_mbs;
      seen = 0;
#else
      break;
#endif
    }
    mb_y = first / picture.width_in_mbs;
    mb_x = first - mb_y * picture.width_in_mbs;
    for (uint mb_addr = first; mb_addr < end; mb_addr++) {
      if (mbs[mb_addr].mb_class < GPU_MB_INTER) {
#ifdef GPU_DEVICE_ATOMICS
        if (launch == GPU_LAUNCH_TICKET && (mbs[mb_addr].available & (GPU_AVAILABLE_B | GPU_AVAILABLE_C | GPU_AVAILABLE_D)))
          wait_for_row (&tickets[PROGRESS_FIRST + mb_y - 1], (int) min (mb_x + 2, picture.width_in_mbs), &seen);
#endif
        rebuild_macroblock (mbs, mb_addr, mb_x, mb_y, picture, coeffs, dc, surface SCRATCH);
      }
      mb_x++;
#ifdef GPU_DEVICE_ATOMICS
      if (launch == GPU_LAUNCH_TICKET && (mb_x % PROGRESS_STEP == 0 || mb_x == picture.width_in_mbs))
        publish_progress (&tickets[PROGRESS_FIRST + mb_y], (int) mb_x);
#endif
      if (mb_x == picture.width_in_mbs) {
        mb_x = 0;
        mb_y++;
      }
    }
  } while (launch == GPU_LAUNCH_TICKET);
#ifdef GPU_DEVICE_ATOMICS
  if (launch == GPU_LAUNCH_TICKET)
    end_tickets (tickets, picture.height_in_mbs);
#endif
}
