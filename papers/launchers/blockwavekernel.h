/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Enqueues intra prediction of 4x4 blocks by wavefronts, a launch a wave (kernels/blockwave.cl).  Conformant.  The program needs no
 * build options.
 */
#ifndef GPU_BLOCK_WAVE_KERNEL_H
#define GPU_BLOCK_WAVE_KERNEL_H

#include "launches.h"

/* OpenCL C source, generated at build time */
extern const char gpu_blockwave_source[];

/* Number of blocks by which a row follows the one above: the direction of the wavefront */
typedef enum
{
  GPU_BLOCK_WAVE_NORTH_WEST = 1,
  GPU_BLOCK_WAVE_NORTH_NORTH_WEST = 2,
} GpuBlockWave;

/* Launches for a picture of @width x @height samples: w + slope * (h - 1) with w and h in blocks */
unsigned gpu_block_wave_n_launches (GpuBlockWave direction, unsigned width, unsigned height);

/* @kernel: "gpu_block_wave"; @modes: uchar a 4x4 block (no samples above right needed); @residual: short[height][width];
 * @picture: uchar[height][width], the result; @width, @height: multiples of 4 */
void gpu_block_wave_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem picture, cl_uint width,
    cl_uint height, GpuBlockWave direction);

/* Makes a picture that differs from the standard's here and there, by a scan's want of rounding and clipping, the standard's: a launch
 * that checks all blocks at once, and one that rebuilds, wave after wave within a work-group, the blocks that are not right. */
typedef struct
{
  /*< private > */
  cl_kernel check, repair;
  cl_mem marks, counts, totals;
  cl_uint width, height;
} GpuBlockRepair;

/* @program: of gpu_blockwave_source, without build options; @width, @height: multiples of 4.  On failure nothing needs to be cleared. */
cl_int gpu_block_repair_init (GpuBlockRepair *self, cl_context context, cl_program program, cl_uint width, cl_uint height);
void gpu_block_repair_clear (GpuBlockRepair *self);

/* @modes, @residual: as above; @picture: uchar[height][width], of any content; exact afterwards.  One call at a time */
void gpu_block_repair_enqueue (GpuBlockRepair *self, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem picture);

/* Blocks that the checks marked and that were rebuilt since the last call; waits. */
cl_int gpu_block_repair_read_totals (GpuBlockRepair *self, cl_command_queue queue, cl_uint totals[2]);

/* The wavefront by waves of 1x1 blocks; @kernel: "gpu_sample_wave"; modes: vertical and horizontal, DC where all neighbours are missing */
unsigned gpu_sample_wave_n_launches (GpuBlockWave direction, unsigned width, unsigned height);
void gpu_sample_wave_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem picture, cl_uint width,
    cl_uint height, GpuBlockWave direction);

#endif
