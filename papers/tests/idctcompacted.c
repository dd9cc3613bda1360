/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The compacted inverse transforms in all mappings and steps, against the C reference.
 */
#include <stdio.h>

#include "idctcompactedkernel.h"
#include "idctpicture.h"

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
  static const struct
  {
    const char *name;
    GpuIdctVariant variant;
  } variants[] = {
    { "sample", { GPU_IDCT_SAMPLE, 0 } },
    { "line", { GPU_IDCT_LINE, 0 } },
    { "block", { GPU_IDCT_BLOCK, 0 } },
    { "sync", { GPU_IDCT_LINE, GPU_IDCT_SYNC } },
    { "workgroup", { GPU_IDCT_LINE, GPU_IDCT_WORKGROUP } },
    { "granul", { GPU_IDCT_LINE, GPU_IDCT_GRANULARITY } },
    { "coalesc", { GPU_IDCT_LINE, GPU_IDCT_COALESCING } },
    { "all", { GPU_IDCT_LINE, GPU_IDCT_WORKGROUP | GPU_IDCT_GRANULARITY | GPU_IDCT_COALESCING } },
    { "all+sync", { GPU_IDCT_LINE, GPU_IDCT_SYNC | GPU_IDCT_WORKGROUP | GPU_IDCT_GRANULARITY | GPU_IDCT_COALESCING } },
  };

  if (!(test->forms & KERNEL_TEST_GPU))
    return;
  for (unsigned i = 0; i < sizeof (variants) / sizeof (variants[0]); i++)
    if (gpu_idct_compacted_supported (&test->device, &variants[i].variant))
      test_variant (test, variants[i].name, &variants[i].variant);
    else
      printf ("%-36s %-10s the device has no sub-groups\n", "", variants[i].name);
}

int
main (int argc, char **argv)
{
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  test_variants (&test);
  return kernel_test_finish (&test);
}
