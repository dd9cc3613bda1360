/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The transforms of HEVC in all variants, in the form for GPUs, against the product with the standard's matrices (ITU-T H.265, 8.6.4.2).
 * papers --verify compares them in the device's own form.
 */
#include <stdio.h>

#include "hevctransformkernel.h"
#include "kerneltest.h"
#include "reference.h"

#define MAX_BLOCKS 67 /* no group and no vector of any size is filled evenly */

static const struct
{
  const char *name;
  GpuHevcTransform transform;
} transforms[] = {
  { "hevc_forward_dst", { 4, 1, 0 } },
  { "hevc_forward_4", { 4, 0, 0 } },
  { "hevc_forward_8", { 8, 0, 0 } },
  { "hevc_forward_16", { 16, 0, 0 } },
  { "hevc_forward_32", { 32, 0, 0 } },
  { "hevc_inverse_dst", { 4, 1, 1 } },
  { "hevc_inverse_4", { 4, 0, 1 } },
  { "hevc_inverse_8", { 8, 0, 1 } },
  { "hevc_inverse_16", { 16, 0, 1 } },
  { "hevc_inverse_32", { 32, 0, 1 } },
};

/* Blocks, what they become, and what the device makes of them */
static int16_t blocks[MAX_BLOCKS * 32 * 32], expected[MAX_BLOCKS * 32 * 32], actual[MAX_BLOCKS * 32 * 32];

/* Residuals or coefficients of the whole range, every third block at the range's ends */
static void
make_blocks (KernelTest *test, const GpuHevcTransform *transform, unsigned bit_depth, unsigned count)
{
  int high = transform->inverse ? INT16_MAX : (1 << bit_depth) - 1, low = transform->inverse ? INT16_MIN : -high;
  unsigned size = transform->n * transform->n;

  for (unsigned i = 0; i < count * size; i++)
    if (i / size % 3 == 0)
      blocks[i] = (int16_t) (kernel_test_random (test) % 2 ? high : low);
    else
      blocks[i] = (int16_t) kernel_test_range (test, low, high);
}

/* Shifts: 8.6.4.2 and 8.6.2; the forward ones bring what those undo */
static void
make_expected (const GpuHevcTransform *transform, unsigned bit_depth, unsigned count)
{
  static const int log2[] = { [4] = 2, [8] = 3, [16] = 4, [32] = 5 };
  int depth = (int) bit_depth;
  const int inverse_shift[2] = { 7, 20 - depth }, forward_shift[2] = { log2[transform->n] + depth - 9, log2[transform->n] + 6 };
  unsigned size = transform->n * transform->n;
  int16_t matrix[32 * 32];

  gpu_reference_hevc_matrix (transform->n, transform->dst, matrix);
  for (unsigned b = 0; b < count; b++)
    gpu_reference_hevc_transform (matrix, transform->n, transform->inverse, transform->inverse ? inverse_shift : forward_shift,
        blocks + b * size, expected + b * size);
}

static void
take_event (void *user, cl_event event)
{
  (void) user;
  clReleaseEvent (event);
}

static int
compare (KernelTest *test, GpuHevcKernels *kernels, GpuHevcVariant variant, unsigned bit_depth, unsigned count)
{
  static const char *const names[] = { "plain", "shared", "onestep", "butterfly", "onestepbatch", "gpuidct" };
  size_t size = count * kernels->transform.n * kernels->transform.n * sizeof (blocks[0]);
  cl_mem in = kernel_test_buffer (test, blocks, size), between = kernel_test_buffer (test, NULL, size);
  cl_mem out = kernel_test_buffer (test, NULL, size);
  int equal;

  kernel_test_check (gpu_hevc_enqueue (kernels, variant, test->queue, in, between, out, count, bit_depth, take_event, NULL),
      "gpu_hevc_enqueue");
  kernel_test_read (test, out, actual, size);
  equal = kernel_test_equal (names[variant], expected, actual, size, 2);
  clReleaseMemObject (in);
  clReleaseMemObject (between);
  clReleaseMemObject (out);
  return equal;
}

static void
test_transform (KernelTest *test, const GpuKernelDevice *device, const char *name, const GpuHevcTransform *transform)
{
  unsigned count = test->small ? 3 : MAX_BLOCKS;
  GpuHevcKernels kernels;
  cl_program programs[2];
  char options[256];
  int passed = 1;

  for (int i = 0; i < 2; i++) {
    gpu_hevc_options (device, transform, i, options, sizeof (options));
    programs[i] = kernel_test_build (test, gpu_hevctransform_source, options);
  }
  kernel_test_check (gpu_hevc_kernels_init (&kernels, device, programs[0], programs[1], transform), "gpu_hevc_kernels_init");
  for (unsigned bit_depth = 8; bit_depth <= (test->small ? 8 : 12); bit_depth += 2) {
    make_blocks (test, transform, bit_depth, count);
    make_expected (transform, bit_depth, count);
    for (unsigned variant = 0; variant < GPU_HEVC_N_VARIANTS; variant++)
      passed &= compare (test, &kernels, variant, bit_depth, count);
  }
  kernel_test_result (test, name, "gpu", passed, 0, NULL);
  gpu_hevc_kernels_clear (&kernels);
  for (int i = 0; i < 2; i++)
    clReleaseProgram (programs[i]);
}

int
main (int argc, char **argv)
{
  KernelTest test;
  GpuKernelDevice device_of_form;
  const GpuKernelDevice *device;

  kernel_test_init (&test, argc, argv);
  device = kernel_test_form (&test, KERNEL_TEST_GPU, &device_of_form);
  for (unsigned i = 0; device && i < sizeof (transforms) / sizeof (transforms[0]); i++)
    if (kernel_test_selected (&test, transforms[i].name))
      test_transform (&test, device, transforms[i].name, &transforms[i].transform);
  return kernel_test_finish (&test);
}
