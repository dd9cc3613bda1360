/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inverse quantisation, inverse transform and colour conversion as kernels apart, of lists and as published, against the C reference and
 * C's conversion in integers.
 */
#include <stdio.h>

#include "csc601.h"
#include "iqidctcsckernel.h"
#include "kerneltest.h"
#include "lumablocks.h"

#define MB_BLOCKS 24
#define MAX_MBS 40
#define MAX_BLOCKS (MAX_MBS * MB_BLOCKS)
#define N_SAMPLES (MAX_BLOCKS * 16)
#define MAX_WIDTH 160
#define MAX_HEIGHT 48

/* Lists of the coded blocks, 16 values a block, row by row; what is not coded is never written */
typedef struct
{
  unsigned n_mbs, n_coded;
  uint8_t qp[MAX_MBS];
  uint32_t coded[MAX_BLOCKS], cbp[MAX_MBS];
  int16_t levels[N_SAMPLES], residual[N_SAMPLES];
  int32_t coeffs[N_SAMPLES];
  float scales[MAX_MBS * 16], float_coeffs[N_SAMPLES];
} Picture;

static Picture picture;

static cl_kernel
create_kernel (cl_program program, const char *name)
{
  cl_int err;
  cl_kernel kernel = clCreateKernel (program, name, &err);

  kernel_test_check (err, name);
  return kernel;
}

/* ---- inverse quantisation and transform ---- */

/* Whole 8x8 luma blocks or all of chroma are coded, as coded_block_pattern says it (7.4.5), so that both ways have the same blocks. */
static void
make_levels (KernelTest *test, unsigned least_qp)
{
  picture.n_mbs = test->small ? 2 : (unsigned) kernel_test_range (test, 1, MAX_MBS);
  picture.n_coded = 0;
  memset (picture.levels, 0, sizeof (picture.levels));
  for (unsigned mb = 0; mb < picture.n_mbs; mb++) {
    picture.qp[mb] = (uint8_t) kernel_test_range (test, (int) least_qp, 51);
    picture.cbp[mb] = kernel_test_random (test) % 48;
    for (unsigned blk = 0; blk < MB_BLOCKS; blk++) {
      unsigned block = mb * MB_BLOCKS + blk;
      int largest = 30000 / 16 / 29 >> picture.qp[mb] / 6;

      if (!(blk < 16 ? picture.cbp[mb] >> blk / 4 & 1 : picture.cbp[mb] >> 4))
        continue;
      picture.coded[picture.n_coded++] = block;
      for (unsigned i = 0; i < 16; i++)
        picture.levels[block * 16 + i] = (int16_t) kernel_test_range (test, -largest - 1, largest + 1);
    }
  }
}

/* What the kernels are to give, and 0xA5 in blocks that they leave */
static void
make_expected (void)
{
  static int16_t levels[N_SAMPLES], residual[N_SAMPLES], ones[N_SAMPLES];
  static int32_t coeffs[N_SAMPLES], scales[N_SAMPLES];
  static uint8_t qp[MAX_BLOCKS];
  LumaBlocks coded = { 4, picture.n_coded, 16, qp }, scaled = { 4, picture.n_mbs, 16, picture.qp };

  for (unsigned k = 0; k < picture.n_coded; k++) {
    qp[k] = picture.qp[picture.coded[k] / MB_BLOCKS];
    memcpy (levels + k * 16, picture.levels + picture.coded[k] * 16, 32);
  }
  luma_blocks_scale (&coded, levels, coeffs);
  luma_blocks_transform (&coded, levels, residual);
  memset (picture.coeffs, 0xA5, sizeof (picture.coeffs));
  memset (picture.residual, 0xA5, sizeof (picture.residual));
  memset (picture.float_coeffs, 0, sizeof (picture.float_coeffs));
  for (unsigned k = 0; k < picture.n_coded; k++) {
    memcpy (picture.coeffs + picture.coded[k] * 16, coeffs + k * 16, 64);
    memcpy (picture.residual + picture.coded[k] * 16, residual + k * 16, 32);
    for (unsigned i = 0; i < 16; i++)
      picture.float_coeffs[picture.coded[k] * 16 + i] = (float) coeffs[k * 16 + i];
  }
  for (unsigned i = 0; i < N_SAMPLES; i++)
    ones[i] = 1;
  luma_blocks_scale (&scaled, ones, scales);
  for (unsigned i = 0; i < picture.n_mbs * 16; i++)
    picture.scales[i] = (float) scales[i];
}

static int
compare_buffer (KernelTest *test, const char *what, const void *expected, cl_mem buffer, size_t size, unsigned element)
{
  static uint8_t actual[N_SAMPLES * 4];

  kernel_test_read (test, buffer, actual, size);
  clReleaseMemObject (buffer);
  return kernel_test_equal (what, expected, actual, size, element);
}

static int
compare_lists (KernelTest *test, cl_program program)
{
  cl_kernel iq = create_kernel (program, "gpu_iq"), idct = create_kernel (program, "gpu_idct_apart");
  size_t n = (size_t) picture.n_mbs * MB_BLOCKS * 16;
  cl_mem levels = kernel_test_buffer (test, picture.levels, n * 2), coeffs = kernel_test_buffer (test, NULL, n * 4);
  cl_mem residual = kernel_test_buffer (test, NULL, n * 2), coded = kernel_test_buffer (test, picture.coded, sizeof (picture.coded));
  cl_mem qp = kernel_test_buffer (test, picture.qp, picture.n_mbs);
  GpuLaunches launches = { .queue = test->queue, .is_cpu = test->device.is_cpu };
  int equal;

  gpu_iq_enqueue (iq, &launches, levels, coeffs, coded, picture.n_coded, qp);
  gpu_idct_apart_enqueue (idct, &launches, coeffs, residual, coded, picture.n_coded);
  kernel_test_check (launches.err, "lists");
  equal = compare_buffer (test, "coefficients", picture.coeffs, coeffs, n * 4, 4)
      & compare_buffer (test, "residuals", picture.residual, residual, n * 2, 2);
  clReleaseMemObject (levels);
  clReleaseMemObject (coded);
  clReleaseMemObject (qp);
  clReleaseKernel (iq);
  clReleaseKernel (idct);
  return equal;
}

static int
compare_published (KernelTest *test, cl_program program)
{
  cl_kernel iq = create_kernel (program, "gpu_iq_published"), idct = create_kernel (program, "gpu_idct_published");
  size_t n = (size_t) picture.n_mbs * MB_BLOCKS * 16;
  cl_mem levels = kernel_test_buffer (test, picture.levels, n * 2), scales = kernel_test_buffer (test, picture.scales, picture.n_mbs * 64);
  cl_mem coeffs = kernel_test_buffer (test, NULL, n * 4), residual = kernel_test_buffer (test, NULL, n * 2);
  cl_mem cbp = kernel_test_buffer (test, picture.cbp, picture.n_mbs * 4);
  GpuLaunches launches = { .queue = test->queue, .is_cpu = test->device.is_cpu };
  int equal;

  gpu_iq_published_enqueue (iq, &launches, levels, scales, coeffs, picture.n_mbs);
  gpu_idct_published_enqueue (idct, &launches, coeffs, residual, cbp, picture.n_mbs);
  kernel_test_check (launches.err, "as published");
  equal = compare_buffer (test, "coefficients", picture.float_coeffs, coeffs, n * 4, 4)
      & compare_buffer (test, "residuals", picture.residual, residual, n * 2, 2);
  clReleaseMemObject (levels);
  clReleaseMemObject (scales);
  clReleaseMemObject (cbp);
  clReleaseKernel (iq);
  clReleaseKernel (idct);
  return equal;
}

/* @least_qp: as published coefficients have to be multiples of 4, which they are from 12 on */
static void
test_blocks (KernelTest *test, cl_program program, const char *name, unsigned least_qp,
    int (*compare) (KernelTest *test, cl_program program))
{
  int passed = 1;

  if (!kernel_test_selected (test, name))
    return;
  for (unsigned run = 0; run < (test->small ? 1 : 10); run++) {
    make_levels (test, least_qp);
    make_expected ();
    passed &= compare (test, program);
  }
  kernel_test_result (test, name, "int", passed, 0, NULL);
}

/* ---- colour conversion ---- */

typedef void (*ConvertFunction) (cl_kernel kernel, GpuLaunches *launches, cl_mem in, cl_mem rgb, cl_uint width, cl_uint height);

/* Samples of the whole range.  @tolerance: of a component */
static int
compare_csc (KernelTest *test, cl_kernel kernel, ConvertFunction convert, unsigned width, unsigned height, int tolerance)
{
  static uint8_t samples[MAX_WIDTH * MAX_HEIGHT * 3 / 2], expected[MAX_WIDTH * MAX_HEIGHT * 4], actual[MAX_WIDTH * MAX_HEIGHT * 4];
  size_t pixels = (size_t) width * height, n_wrong = 0;
  Csc601Picture in = { .planes = { samples, samples + pixels, samples + pixels * 5 / 4 },
    .strides = { width, width / 2, width / 2 },
    .width = width,
    .height = height };
  GpuLaunches launches = { .queue = test->queue, .is_cpu = test->device.is_cpu };
  cl_mem buffer, rgb;

  for (size_t i = 0; i < pixels * 3 / 2; i++)
    samples[i] = (uint8_t) kernel_test_random (test);
  csc_601_to_rgba (&in, expected, width * 4);
  buffer = kernel_test_buffer (test, samples, pixels * 3 / 2);
  rgb = kernel_test_buffer (test, NULL, pixels * 4);
  convert (kernel, &launches, buffer, rgb, width, height);
  kernel_test_check (launches.err, "colour conversion");
  kernel_test_read (test, rgb, actual, pixels * 4);
  for (size_t i = 0; i < pixels * 4; i++)
    n_wrong += abs (expected[i] - actual[i]) > tolerance;
  if (n_wrong > 0)
    printf ("  %u x %u: %zu components of %zu are wrong\n", width, height, n_wrong, pixels * 4);
  clReleaseMemObject (buffer);
  clReleaseMemObject (rgb);
  return n_wrong == 0;
}

/* Widths are multiples of @unit. */
static void
test_csc (KernelTest *test, cl_program program, const char *name, ConvertFunction convert, unsigned unit, int tolerance)
{
  cl_kernel kernel = create_kernel (program, name);
  int passed = 1;

  if (kernel_test_selected (test, name)) {
    for (unsigned run = 0; run < (test->small ? 1 : 20); run++) {
      unsigned width = unit * (unsigned) kernel_test_range (test, 1, (int) ((test->small ? 48 : MAX_WIDTH) / unit));

      passed &= compare_csc (test, kernel, convert, width, 2 * (unsigned) kernel_test_range (test, 1, test->small ? 2 : MAX_HEIGHT / 2),
          tolerance);
    }
    kernel_test_result (test, name, "uchar", passed, 0, NULL);
  }
  clReleaseKernel (kernel);
}

int
main (int argc, char **argv)
{
  cl_program program;
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  program = kernel_test_build (&test, gpu_iqidctcsc_source, "");
  test_blocks (&test, program, "blocks, lists", 0, compare_lists);
  test_blocks (&test, program, "blocks, as published", 12, compare_published);
  test_csc (&test, program, "gpu_csc_apart", gpu_csc_apart_enqueue, 16, 0);
  test_csc (&test, program, "gpu_csc_published", gpu_csc_published_enqueue, 2, 1);
  clReleaseProgram (program);
  return kernel_test_finish (&test);
}
