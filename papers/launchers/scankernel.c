/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "scankernel.h"

enum
{
  UP,
  DOWN,
  SEQUENTIAL,
  QP_PREPARE,
  QP_FINISH,
  QP_SEQUENTIAL,
  QP_WEST,
  DC_WAVE,
  LP_PREPARE,
  LP_FINISH,
  LP_WAVE,
  LP_SEQUENTIAL,
  HP_PREDICT,
  UP_LOCAL,
  DOWN_LOCAL,
  DC_LOCAL
};

static const char *const names[GPU_SCAN_N_KERNELS] = { "gpu_scan_up", "gpu_scan_down", "gpu_scan_sequential", "gpu_qp_prepare",
  "gpu_qp_finish", "gpu_qp_sequential", "gpu_qp_west", "gpu_dc_wave", "gpu_lp_prepare", "gpu_lp_finish", "gpu_lp_wave", "gpu_lp_sequential",
  "gpu_hp_predict", "gpu_scan_up_local", "gpu_scan_down_local", "gpu_dc_local" };

/* Pairs that a work-group takes with the method LOCAL; work-items of a group of DC_LOCAL */
#define LOCAL_RUN 64
#define DC_GROUP 64

cl_int
gpu_scan_kernels_init (GpuScanKernels *self, cl_context context, cl_program program)
{
  memset (self, 0, sizeof (*self));
  self->context = context;
  for (unsigned i = 0; i < GPU_SCAN_N_KERNELS; i++) {
    cl_int err;

    self->kernels[i] = clCreateKernel (program, names[i], &err);
    if (err != CL_SUCCESS) {
      gpu_scan_kernels_clear (self);
      return err;
    }
  }
  return CL_SUCCESS;
}

void
gpu_scan_kernels_clear (GpuScanKernels *self)
{
  for (unsigned i = 0; i < GPU_SCAN_N_KERNELS; i++)
    if (self->kernels[i])
      clReleaseKernel (self->kernels[i]);
  if (self->pairs)
    clReleaseMemObject (self->pairs);
  memset (self, 0, sizeof (*self));
}

cl_uint
gpu_scan_pitch (cl_uint n)
{
  cl_uint pitch = 1;

  while (pitch < n)
    pitch *= 2;
  return pitch;
}

unsigned
gpu_scan_n_passes (cl_uint n)
{
  unsigned log2_n = 0;

  while (gpu_scan_pitch (n) >> log2_n > 1)
    log2_n++;
  return log2_n ? 2 * log2_n - 1 : 0;
}

cl_int
gpu_scan_reserve_pairs (GpuScanKernels *self, size_t n)
{
  size_t size = n * sizeof (cl_int2);
  cl_int err;
  cl_mem pairs;

  if (self->pairs && size <= self->pairs_size)
    return CL_SUCCESS;
  pairs = clCreateBuffer (self->context, CL_MEM_READ_WRITE, size, NULL, &err);
  if (err != CL_SUCCESS)
    return err;
  if (self->pairs)
    clReleaseMemObject (self->pairs);
  self->pairs = pairs;
  self->pairs_size = size;
  return CL_SUCCESS;
}

void
gpu_scan_enqueue (GpuScanKernels *self, GpuLaunches *launches, cl_mem pairs, cl_uint n, cl_uint n_sequences, GpuScanMethod method)
{
  cl_uint pitch = gpu_scan_pitch (n);
  size_t sequences[3] = { n_sequences, 1, 1 }, runs[3] = { pitch / 2, n_sequences, 1 }, run[3] = { LOCAL_RUN / 2, 1, 1 };

  if (method == GPU_SCAN_SEQUENTIAL) {
    gpu_launches_add (launches, self->kernels[SEQUENTIAL], sequences, 3, GPU_ARG (pairs), GPU_ARG (pitch), GPU_ARG (n));
    return;
  }
  if (pitch < LOCAL_RUN)
    method = GPU_SCAN_SCAN;
  if (method == GPU_SCAN_LOCAL)
    gpu_launches_add_groups (launches, self->kernels[UP_LOCAL], runs, run, 2, GPU_ARG (pairs), GPU_ARG (pitch));
  for (cl_uint step = method == GPU_SCAN_LOCAL ? LOCAL_RUN : 1; step < pitch; step *= 2) {
    size_t global[3] = { pitch / (2 * step), n_sequences, 1 };

    gpu_launches_add (launches, self->kernels[UP], global, 3, GPU_ARG (pairs), GPU_ARG (pitch), GPU_ARG (step));
  }
  for (cl_uint step = pitch / 4; step >= (method == GPU_SCAN_LOCAL ? LOCAL_RUN : 1); step /= 2) {
    size_t global[3] = { pitch / (2 * step) - 1, n_sequences, 1 };

    gpu_launches_add (launches, self->kernels[DOWN], global, 3, GPU_ARG (pairs), GPU_ARG (pitch), GPU_ARG (step));
  }
  if (method == GPU_SCAN_LOCAL)
    gpu_launches_add_groups (launches, self->kernels[DOWN_LOCAL], runs, run, 2, GPU_ARG (pairs), GPU_ARG (pitch));
}

static void
scan_qp (GpuScanKernels *self, GpuLaunches *launches, cl_mem deltas, cl_mem slice_qp, cl_mem qp, cl_uint n, cl_int qp_bd_offset,
    GpuScanMethod method)
{
  size_t prepared[3] = { gpu_scan_pitch (n), 1, 1 }, finished[3] = { n, 1, 1 };

  if (launches->err == CL_SUCCESS)
    launches->err = gpu_scan_reserve_pairs (self, gpu_scan_pitch (n));
  gpu_launches_add (launches, self->kernels[QP_PREPARE], prepared, 5, GPU_ARG (self->pairs), GPU_ARG (deltas), GPU_ARG (slice_qp),
      GPU_ARG (n), GPU_ARG (qp_bd_offset));
  gpu_scan_enqueue (self, launches, self->pairs, n, 1, method);
  gpu_launches_add (launches, self->kernels[QP_FINISH], finished, 3, GPU_ARG (self->pairs), GPU_ARG (qp), GPU_ARG (qp_bd_offset));
}

void
gpu_qp_enqueue (GpuScanKernels *self, GpuLaunches *launches, cl_mem deltas, cl_mem slice_qp, cl_mem starts, cl_uint n_runs, cl_mem qp,
    cl_uint width, cl_uint height, int qp_bd_offset, GpuScanMethod method)
{
  cl_int offset = qp_bd_offset;
  size_t rows[3] = { height, 1, 1 }, runs[3] = { n_runs, 1, 1 };

  if (method == GPU_SCAN_SCAN || method == GPU_SCAN_LOCAL) {
    scan_qp (self, launches, deltas, slice_qp, qp, width * height, offset, method);
  } else if (method == GPU_SCAN_SEQUENTIAL) {
    gpu_launches_add (launches, self->kernels[QP_SEQUENTIAL], runs, 5, GPU_ARG (deltas), GPU_ARG (slice_qp), GPU_ARG (starts), GPU_ARG (qp),
        GPU_ARG (offset));
  } else {
    for (cl_uint x = 0; x < width; x++)
      gpu_launches_add (launches, self->kernels[QP_WEST], rows, 6, GPU_ARG (deltas), GPU_ARG (slice_qp), GPU_ARG (qp), GPU_ARG (width),
          GPU_ARG (x), GPU_ARG (offset));
  }
}

void
gpu_jpegxr_dc_enqueue (GpuScanKernels *self, GpuLaunches *launches, cl_mem coeffs, cl_mem modes, cl_uint width, cl_uint height,
    cl_uint tile_width, cl_uint tile_height)
{
  for (cl_uint d = 0; d + 1 < width + height; d++) {
    cl_uint first = d < width ? 0 : d - width + 1, end = d < height ? d + 1 : height;
    size_t global[3] = { end - first, 1, 1 };

    gpu_launches_add (launches, self->kernels[DC_WAVE], global, 7, GPU_ARG (coeffs), GPU_ARG (modes), GPU_ARG (width), GPU_ARG (tile_width),
        GPU_ARG (tile_height), GPU_ARG (d), GPU_ARG (first));
  }
}

void
gpu_jpegxr_dc_enqueue_local (GpuScanKernels *self, GpuLaunches *launches, cl_mem coeffs, cl_mem modes, cl_uint width, cl_uint height,
    cl_uint tile_width, cl_uint tile_height)
{
  size_t local[3] = { DC_GROUP, 1, 1 };
  size_t global[3] = { DC_GROUP, (width + tile_width - 1) / tile_width, (height + tile_height - 1) / tile_height };

  gpu_launches_add_groups (launches, self->kernels[DC_LOCAL], global, local, 6, GPU_ARG (coeffs), GPU_ARG (modes), GPU_ARG (width),
      GPU_ARG (height), GPU_ARG (tile_width), GPU_ARG (tile_height));
}

/* Rows from left to right, then columns from top to bottom */
static void
lp_wavefronts (GpuScanKernels *self, GpuLaunches *launches, cl_mem coeffs, cl_mem modes, cl_uint width, cl_uint height)
{
  cl_uint first_row = 0, first_column = 3 * height;
  size_t rows[3] = { 3 * (size_t) height, 1, 1 }, columns[3] = { 3 * (size_t) width, 1, 1 };

  for (cl_uint i = 1; i < width; i++)
    gpu_launches_add (launches, self->kernels[LP_WAVE], rows, 6, GPU_ARG (coeffs), GPU_ARG (modes), GPU_ARG (width), GPU_ARG (height),
        GPU_ARG (first_row), GPU_ARG (i));
  for (cl_uint i = 1; i < height; i++)
    gpu_launches_add (launches, self->kernels[LP_WAVE], columns, 6, GPU_ARG (coeffs), GPU_ARG (modes), GPU_ARG (width), GPU_ARG (height),
        GPU_ARG (first_column), GPU_ARG (i));
}

void
gpu_jpegxr_lp_enqueue (GpuScanKernels *self, GpuLaunches *launches, cl_mem coeffs, cl_mem modes, cl_uint width, cl_uint height,
    GpuScanMethod method)
{
  cl_uint n = width > height ? width : height, pitch = gpu_scan_pitch (n), n_sequences = 3 * (width + height);
  size_t all[3] = { pitch, n_sequences, 1 }, sequences[3] = { n_sequences, 1, 1 };

  if (method == GPU_SCAN_WEST) {
    lp_wavefronts (self, launches, coeffs, modes, width, height);
    return;
  }
  if (method == GPU_SCAN_SEQUENTIAL) {
    gpu_launches_add (launches, self->kernels[LP_SEQUENTIAL], sequences, 4, GPU_ARG (coeffs), GPU_ARG (modes), GPU_ARG (width),
        GPU_ARG (height));
    return;
  }
  if (launches->err == CL_SUCCESS)
    launches->err = gpu_scan_reserve_pairs (self, (size_t) pitch * n_sequences);
  gpu_launches_add (launches, self->kernels[LP_PREPARE], all, 6, GPU_ARG (self->pairs), GPU_ARG (pitch), GPU_ARG (coeffs), GPU_ARG (modes),
      GPU_ARG (width), GPU_ARG (height));
  gpu_scan_enqueue (self, launches, self->pairs, n, n_sequences, method);
  gpu_launches_add (launches, self->kernels[LP_FINISH], all, 5, GPU_ARG (self->pairs), GPU_ARG (pitch), GPU_ARG (coeffs), GPU_ARG (width),
      GPU_ARG (height));
}

void
gpu_jpegxr_hp_enqueue (GpuScanKernels *self, GpuLaunches *launches, cl_mem hp, cl_mem coeffs, cl_uint width, cl_uint height)
{
  size_t global[3] = { (size_t) width * height, 1, 1 };

  gpu_launches_add (launches, self->kernels[HP_PREDICT], global, 2, GPU_ARG (hp), GPU_ARG (coeffs));
}
