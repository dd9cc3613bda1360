/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The 1-D scans and what they are measured against, compared with plain C, exactly: sequences of every length, QPY with its wrap, JPEG
 * XR coefficients of random pictures in one tile and in several.
 */
#include <stdio.h>

#include "kerneltest.h"
#include "scan.h"
#include "scankernel.h"

static const char *const method_names[] = { "scan", "west", "sequential", "local" };

static GpuLaunches
begin (KernelTest *test)
{
  GpuLaunches launches = { .queue = test->queue, .is_cpu = test->device.is_cpu };

  return launches;
}

/* Reads a buffer after launches that must have succeeded, compares, and releases it. */
static int
compare (KernelTest *test, const GpuLaunches *launches, const char *what, const void *expected, cl_mem buffer, size_t size,
    unsigned element)
{
  void *actual = malloc (size);
  int passed;

  kernel_test_check (actual ? launches->err : CL_OUT_OF_HOST_MEMORY, what);
  kernel_test_read (test, buffer, actual, size);
  passed = kernel_test_equal (what, expected, actual, size, element);
  free (actual);
  clReleaseMemObject (buffer);
  return passed;
}

/* Sequences of pairs; what lies behind the n-th pair of one is not compared */
static int
check_pairs (KernelTest *test, GpuScanKernels *kernels, GpuScanMethod method, cl_uint n, cl_uint n_sequences)
{
  cl_uint pitch = gpu_scan_pitch (n);
  size_t size = (size_t) pitch * n_sequences * 8;
  int32_t *pairs = malloc (size), *actual = malloc (size);
  GpuLaunches launches = begin (test);
  int passed = 1;
  cl_mem buffer;

  kernel_test_check (pairs && actual ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "pairs");
  for (size_t i = 0; i < (size_t) pitch * n_sequences; i++) {
    pairs[2 * i] = kernel_test_random (test) % 8 != 0;
    pairs[2 * i + 1] = (int32_t) kernel_test_random (test);
  }
  buffer = kernel_test_buffer (test, pairs, size);
  gpu_scan_enqueue (kernels, &launches, buffer, n, n_sequences, method);
  kernel_test_check (launches.err, "gpu_scan_enqueue");
  kernel_test_read (test, buffer, actual, size);
  clReleaseMemObject (buffer);
  for (cl_uint s = 0; s < n_sequences; s++) {
    gpu_reference_scan (pairs + (size_t) s * pitch * 2, n);
    for (cl_uint i = 0; i < n; i++)
      passed &= pairs[((size_t) s * pitch + i) * 2 + 1] == actual[((size_t) s * pitch + i) * 2 + 1];
  }
  if (method == GPU_SCAN_SCAN)
    passed &= launches.n_launches == gpu_scan_n_passes (n);
  free (pairs);
  free (actual);
  return passed;
}

static void
test_pairs (KernelTest *test, GpuScanKernels *kernels, GpuScanMethod method)
{
  int passed = 1;

  for (cl_uint n = 1; n < 40; n++)
    passed &= check_pairs (test, kernels, method, n, 1 + n % 5);
  if (!test->small)
    passed &= check_pairs (test, kernels, method, 32400, 2);
  kernel_test_result (test, "pairs", method_names[method], passed, 0, NULL);
}

/* A picture whose slices begin at random macroblocks, with mb_qp_delta over its whole range: the wrap happens in both directions */
static int
check_qp (KernelTest *test, GpuScanKernels *kernels, GpuScanMethod method, cl_uint width, cl_uint height, int qp_bd_offset)
{
  cl_uint n = width * height, n_runs = 0, *starts = calloc (n + 1, sizeof (*starts));
  int8_t *deltas = malloc (n), *expected = malloc (n);
  int16_t *slice_qp = malloc (n * sizeof (*slice_qp));
  GpuLaunches launches = begin (test);
  cl_mem buffers[4];
  int passed;

  kernel_test_check (starts && deltas && expected && slice_qp ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "qp");
  for (cl_uint i = 0; i < n; i++) {
    int first = i == 0 || (method == GPU_SCAN_WEST ? i % width == 0 : kernel_test_random (test) % 40 == 0);

    deltas[i] = (int8_t) kernel_test_range (test, -(26 + qp_bd_offset / 2), 25 + qp_bd_offset / 2);
    slice_qp[i] = (int16_t) (first ? kernel_test_range (test, -qp_bd_offset, 51) : GPU_SCAN_NO_SLICE);
    if (first)
      starts[n_runs++] = i;
  }
  starts[n_runs] = n;
  gpu_reference_qp (deltas, slice_qp, GPU_SCAN_NO_SLICE, n, qp_bd_offset, expected);
  buffers[0] = kernel_test_buffer (test, deltas, n);
  buffers[1] = kernel_test_buffer (test, slice_qp, n * sizeof (*slice_qp));
  buffers[2] = kernel_test_buffer (test, starts, (n + 1) * sizeof (*starts));
  buffers[3] = kernel_test_buffer (test, NULL, n);
  gpu_qp_enqueue (kernels, &launches, buffers[0], buffers[1], buffers[2], n_runs, buffers[3], width, height, qp_bd_offset, method);
  passed = compare (test, &launches, "qp", expected, buffers[3], n, 1);
  for (unsigned i = 0; i < 3; i++)
    clReleaseMemObject (buffers[i]);
  free (starts);
  free (deltas);
  free (expected);
  free (slice_qp);
  return passed;
}

static void
test_qp (KernelTest *test, GpuScanKernels *kernels, GpuScanMethod method)
{
  int passed = 1;

  for (int qp_bd_offset = 0; qp_bd_offset <= 36; qp_bd_offset += 12)
    passed &= check_qp (test, kernels, method, 1 + kernel_test_random (test) % 12, 1 + kernel_test_random (test) % 12, qp_bd_offset);
  if (!test->small)
    passed &= check_qp (test, kernels, method, 120, 68, 12);
  kernel_test_result (test, "qp", method_names[method], passed, 0, NULL);
}

/* Picture of smooth areas and edges, so that every prediction mode is taken */
static void
make_samples (KernelTest *test, uint8_t *samples, unsigned width, unsigned height)
{
  unsigned across = 1 + kernel_test_random (test) % 5, down = kernel_test_random (test) % 5;

  for (size_t y = 0; y < (size_t) height * 16; y++)
    for (size_t x = 0; x < (size_t) width * 16; x++) {
      unsigned area = (unsigned) (x / 40 + y / 56) % 3;
      size_t ramp = area == 0 ? x * across : area == 1 ? y * down : (x + y) * 3;

      samples[y * width * 16 + x] = (uint8_t) (ramp + kernel_test_random (test) % 8);
    }
}

static int
check_jpegxr (KernelTest *test, GpuScanKernels *kernels, GpuScanMethod method, cl_uint width, cl_uint height, cl_uint tile_width,
    cl_uint tile_height)
{
  size_t n = (size_t) width * height, size = n * 16 * 4;
  uint8_t *samples = malloc (n * 256);
  int32_t *coeffs = malloc (size), *hp = malloc (size * 16), *whole = malloc (size * 17);
  GpuLaunches launches = begin (test);
  cl_mem buffers[3];
  int passed;

  kernel_test_check (samples && coeffs && hp && whole ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "jpegxr");
  make_samples (test, samples, width, height);
  gpu_reference_jpegxr_transform (samples, width, height, coeffs, hp);
  memcpy (whole, coeffs, size);
  memcpy (whole + n * 16, hp, size * 16);
  gpu_reference_jpegxr_residual (coeffs, hp, width, height, tile_width, tile_height);
  buffers[0] = kernel_test_buffer (test, coeffs, size);
  buffers[1] = kernel_test_buffer (test, hp, size * 16);
  buffers[2] = kernel_test_buffer (test, NULL, n);
  gpu_reference_jpegxr_predict (coeffs, hp, width, height, tile_width, tile_height);
  passed = kernel_test_equal ("reference", whole, coeffs, size, 4) & kernel_test_equal ("reference hp", whole + n * 16, hp, size * 16, 4);
  (method == GPU_SCAN_LOCAL ? gpu_jpegxr_dc_enqueue_local : gpu_jpegxr_dc_enqueue) (kernels, &launches, buffers[0], buffers[2], width,
      height, tile_width, tile_height);
  gpu_jpegxr_lp_enqueue (kernels, &launches, buffers[0], buffers[2], width, height, method);
  gpu_jpegxr_hp_enqueue (kernels, &launches, buffers[1], buffers[0], width, height);
  passed &= compare (test, &launches, "coefficients", coeffs, buffers[0], size, 4);
  passed &= compare (test, &launches, "hp", hp, buffers[1], size * 16, 4);
  clReleaseMemObject (buffers[2]);
  free (samples);
  free (coeffs);
  free (hp);
  free (whole);
  return passed;
}

static void
test_jpegxr (KernelTest *test, GpuScanKernels *kernels, GpuScanMethod method)
{
  int passed = 1;

  for (unsigned i = 0; i < (test->small ? 2 : 8); i++) {
    cl_uint width = 1 + kernel_test_random (test) % 12, height = 1 + kernel_test_random (test) % 12;

    passed &= check_jpegxr (test, kernels, method, width, height, width, height);
    passed &= check_jpegxr (test, kernels, method, width, height, 1 + kernel_test_random (test) % 4, 1 + kernel_test_random (test) % 4);
  }
  if (!test->small)
    passed &= check_jpegxr (test, kernels, method, 45, 30, 16, 16);
  kernel_test_result (test, "jpegxr", method_names[method], passed, 0, NULL);
}

/* The transform has an inverse, whatever the block */
static void
test_transform (KernelTest *test)
{
  int passed = 1;

  for (unsigned i = 0; i < 10000; i++) {
    int32_t block[16], before[16];

    for (unsigned k = 0; k < 16; k++)
      before[k] = block[k] = kernel_test_range (test, -4096, 4095);
    gpu_reference_jpegxr_forward (block);
    gpu_reference_jpegxr_inverse (block);
    passed &= memcmp (before, block, sizeof (block)) == 0;
  }
  kernel_test_result (test, "jpegxr_transform", "c", passed, 0, NULL);
}

int
main (int argc, char **argv)
{
  KernelTest test;
  GpuScanKernels kernels;
  cl_program program;

  kernel_test_init (&test, argc, argv);
  program = kernel_test_build (&test, gpu_scan_source, "");
  kernel_test_check (gpu_scan_kernels_init (&kernels, test.context, program), "gpu_scan_kernels_init");
  if (kernel_test_selected (&test, "jpegxr_transform"))
    test_transform (&test);
  for (GpuScanMethod method = GPU_SCAN_SCAN; method <= GPU_SCAN_LOCAL; method++) {
    if (kernel_test_selected (&test, "pairs") && method != GPU_SCAN_WEST)
      test_pairs (&test, &kernels, method);
    if (kernel_test_selected (&test, "qp"))
      test_qp (&test, &kernels, method);
    if (kernel_test_selected (&test, "jpegxr"))
      test_jpegxr (&test, &kernels, method);
  }
  gpu_scan_kernels_clear (&kernels);
  clReleaseProgram (program);
  return kernel_test_finish (&test);
}
