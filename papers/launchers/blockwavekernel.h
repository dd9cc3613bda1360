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

/* The same by waves of 1x1 blocks; @kernel: "gpu_sample_wave"; modes: vertical and horizontal, DC where all neighbours are missing */
unsigned gpu_sample_wave_n_launches (GpuBlockWave direction, unsigned width, unsigned height);
void gpu_sample_wave_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem modes, cl_mem residual, cl_mem picture, cl_uint width,
    cl_uint height, GpuBlockWave direction);

#endif
