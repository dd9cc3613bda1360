/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Enqueues the kernels of prediction by 1-D scans (kernels/scan.cl), and the wavefronts and sequential launches that they are measured
 * against.  All are exact.  The program needs no build options.
 */
#ifndef GPU_SCAN_KERNEL_H
#define GPU_SCAN_KERNEL_H

#include "launches.h"

/* OpenCL C source, generated at build time */
extern const char gpu_scan_source[];

/* slice_qp of a macroblock that does not begin a slice */
#define GPU_SCAN_NO_SLICE (-32768)

#define GPU_SCAN_N_KERNELS 16

typedef struct
{
  /*< private > */
  cl_context context;
  cl_kernel kernels[GPU_SCAN_N_KERNELS];
  cl_mem pairs;
  size_t pairs_size;
} GpuScanKernels;

/* How values that depend on those before them are found */
typedef enum
{
  GPU_SCAN_SCAN,       /* up sweep and down sweep */
  GPU_SCAN_WEST,       /* wavefront: a launch a column of macroblocks, then a launch a row for what comes from above */
  GPU_SCAN_SEQUENTIAL, /* one launch, a work-item a sequence */
  GPU_SCAN_LOCAL,      /* as SCAN, but passes within 64 elements are one launch a sweep, with barriers */
} GpuScanMethod;

/* On failure nothing needs to be cleared. */
cl_int gpu_scan_kernels_init (GpuScanKernels *self, cl_context context, cl_program program);
void gpu_scan_kernels_clear (GpuScanKernels *self);

/* Launches of one scan over sequences of n elements: 2 log2 n - 1, n rounded up to a power of two */
unsigned gpu_scan_n_passes (cl_uint n);

/* The smallest power of two that is at least @n (at most 2^31) */
cl_uint gpu_scan_pitch (cl_uint n);

/* Room for @n pairs in self->pairs, used again from picture to picture */
cl_int gpu_scan_reserve_pairs (GpuScanKernels *self, size_t n);

/* x[i] = c[i] + v[i] x[i - 1] in each of @n_sequences sequences.
 * @pairs: int2 (v, c), a sequence every gpu_scan_pitch (@n) pairs; afterwards c of the first @n pairs is x.  With SCAN and LOCAL all pairs
 * up to the pitch are read and written.  @method: all but WEST */
void gpu_scan_enqueue (GpuScanKernels *self, GpuLaunches *launches, cl_mem pairs, cl_uint n, cl_uint n_sequences, GpuScanMethod method);

/* QPY of the macroblocks of a picture (ITU-T H.264, 7.4.5).
 * @deltas: char, mb_qp_delta; @slice_qp: short, SliceQPY where a slice begins, which macroblock 0 does, elsewhere GPU_SCAN_NO_SLICE; @qp:
 * char, result
 * @starts: uint, the first macroblocks of @n_runs runs that begin with a slice, then width * height: for SEQUENTIAL
 * WEST: every row of macroblocks begins a slice. */
void gpu_qp_enqueue (GpuScanKernels *self, GpuLaunches *launches, cl_mem deltas, cl_mem slice_qp, cl_mem starts, cl_uint n_runs, cl_mem qp,
    cl_uint width, cl_uint height, int qp_bd_offset, GpuScanMethod method);

/* JPEG XR coefficients of one component, with one quantiser, in place: residuals to values.
 * @coeffs: int[16] a macroblock in raster order: 0 DC, 4 * u + v LP of vertical frequency u, horizontal frequency v
 * @modes: uchar a macroblock: written by the DC kernel, read by the LP kernels
 * Tiles are @tile_width x @tile_height macroblocks; width, height for one tile. */
void gpu_jpegxr_dc_enqueue (GpuScanKernels *self, GpuLaunches *launches, cl_mem coeffs, cl_mem modes, cl_uint width, cl_uint height,
    cl_uint tile_width, cl_uint tile_height);

/* The same in one launch: a work-group a tile, barriers between the diagonals */
void gpu_jpegxr_dc_enqueue_local (GpuScanKernels *self, GpuLaunches *launches, cl_mem coeffs, cl_mem modes, cl_uint width, cl_uint height,
    cl_uint tile_width, cl_uint tile_height);
void gpu_jpegxr_lp_enqueue (GpuScanKernels *self, GpuLaunches *launches, cl_mem coeffs, cl_mem modes, cl_uint width, cl_uint height,
    GpuScanMethod method);

/* @hp: int[16][16] a macroblock: blocks in raster order, coefficients as in @coeffs (number 0 of each is not used); @coeffs: values */
void gpu_jpegxr_hp_enqueue (GpuScanKernels *self, GpuLaunches *launches, cl_mem hp, cl_mem coeffs, cl_uint width, cl_uint height);

#endif
