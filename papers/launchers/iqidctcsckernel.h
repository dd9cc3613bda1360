/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inverse quantisation, inverse transform and colour conversion as kernels apart (kernels/iqidctcsc.cl), for measurements.  No build
 * options.
 */
#ifndef GPU_IQ_IDCT_CSC_KERNEL_H
#define GPU_IQ_IDCT_CSC_KERNEL_H

#include "launches.h"

/* OpenCL C source, generated at build time */
extern const char gpu_iqidctcsc_source[];

/* @kernel: "gpu_iq"; @levels: short, @coeffs: int, 16 a block; @coded: uint[n_coded], block numbers; @qp: uchar, of 24 blocks each */
void gpu_iq_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem levels, cl_mem coeffs, cl_mem coded, cl_uint n_coded, cl_mem qp);

/* @kernel: "gpu_idct_apart"; @residual: short, 16 a block */
void gpu_idct_apart_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem coeffs, cl_mem residual, cl_mem coded, cl_uint n_coded);

/* @kernel: "gpu_csc_apart"; @picture: Y, Cb, Cr of 4:2:0; @rgb: 4 bytes a pixel; @width: a multiple of 16, @height: of 2 */
void gpu_csc_apart_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem picture, cl_mem rgb, cl_uint width, cl_uint height);

/* As published: @kernel: "gpu_iq_published"; @levels: short, 16 a block, 24 blocks a macroblock; @scales: float, 16 a macroblock; @coeffs:
 * float, 16 a block */
void gpu_iq_published_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem levels, cl_mem scales, cl_mem coeffs, cl_uint n_mbs);

/* @kernel: "gpu_idct_published"; @residual: short, 16 a block; @cbp: uint a macroblock: coded_block_pattern.  Exact where coefficients are
 * multiples of 4, as they are from a QP of 12 on */
void gpu_idct_published_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem coeffs, cl_mem residual, cl_mem cbp, cl_uint n_mbs);

/* @kernel: "gpu_csc_published"; @picture, @rgb: as of gpu_csc_apart_enqueue(); @width, @height: even.  Within one of the exact value */
void gpu_csc_published_enqueue (cl_kernel kernel, GpuLaunches *launches, cl_mem picture, cl_mem rgb, cl_uint width, cl_uint height);

#endif
