/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The compacted inverse transforms in all mappings and steps, against the C reference.
 */
#include <stdio.h>

#include "idctcompactedkernel.h"
#include "idctpicture.h"
#include "idctvariants.h"

/* In the formats that differ most */
static void
test_variant (KernelTest *test, const char *name, const GpuIdctVariant *variant)
{
  static const unsigned chosen[] = { 1, 2, 6, 7 };
  GpuIdctKernels kernels;
  cl_program program;
  char options[256];

  gpu_idct_compacted_options (&test->device, variant, options, sizeof (options));
  program = kernel_test_build (test, gpu_idctcompacted_source, options);
  kernel_test_check (gpu_idct_compacted_kernels_init (&kernels, &test->device, program, variant), "gpu_idct_compacted_kernels_init");
  for (unsigned i = 0; i < (test->small ? 1 : sizeof (chosen) / sizeof (chosen[0])); i++)
    idct_test_format (test, &idct_formats[chosen[i]], &kernels, name);
  gpu_idct_kernels_clear (&kernels);
  clReleaseProgram (program);
}

static void
test_variants (KernelTest *test)
{
  if (!(test->forms & KERNEL_TEST_GPU))
    return;
  for (unsigned i = 0; i < N_IDCT_VARIANTS; i++)
    if (gpu_idct_compacted_supported (&test->device, &idct_variants[i].variant))
      test_variant (test, idct_variants[i].name, &idct_variants[i].variant);
    else
      printf ("%-36s %-10s the device has no sub-groups\n", "", idct_variants[i].name);
}

int
main (int argc, char **argv)
{
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  test_variants (&test);
  return kernel_test_finish (&test);
}
