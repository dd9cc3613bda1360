/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernels of inverse quantisation and transforms against the C reference, over random pictures: every byte of the coefficient arena and
 * of dc[] is compared.
 */
#include "idctkernel.h"
#include "idctpicture.h"

/* A whole 1920x1088 picture of one content, in segments as long as they get: compared, and measured with --bench */
static void
test_content (KernelTest *test, GpuIdctKernels *kernels, const char *form, const char *name, const IdctFormat *format, IdctContent content,
    int wide, int steady)
{
  int whole = content == CONTENT_INTRA_8x8, passed;
  IdctPicture p;
  double ns = 0;

  if (test->small || !kernel_test_selected (test, name))
    return;
  idct_picture_make (test, &p, format, content, 120, 68, wide, 1);
  if (!steady)
    for (unsigned n = 0; n < p.n_mbs; n++)
      for (unsigned plane = 0; plane < 3; plane++)
        idct_picture_mb (&p, 0, n)->qp_scaled[plane] = kernel_test_range (test, 20, 40);
  passed = idct_picture_test (test, &p, kernels);
  if (test->bench)
    ns = idct_picture_bench (test, &p, kernels) / (whole ? 1 : p.n_blocks);
  kernel_test_result (test, name, form, passed, ns, whole ? "picture" : "block");
  idct_picture_free (&p);
}

static void
test_contents (KernelTest *test, GpuIdctKernels *kernels, const char *form)
{
  const IdctFormat *f420 = &idct_formats[1], *f422 = &idct_formats[2];

  test_content (test, kernels, form, "8x8", f420, CONTENT_8x8, 0, 1);
  test_content (test, kernels, form, "8x8_wide", f420, CONTENT_8x8, 16, 1);
  test_content (test, kernels, form, "8x8_qp_changes", f420, CONTENT_8x8, 0, 0);
  test_content (test, kernels, form, "4x4", f420, CONTENT_4x4, 0, 1);
  test_content (test, kernels, form, "4x4_wide", f420, CONTENT_4x4, 16, 1);
  test_content (test, kernels, form, "4x4_qp_changes", f420, CONTENT_4x4, 0, 0);
  test_content (test, kernels, form, "dc_4x4", f420, CONTENT_DC4x4, 0, 1);
  test_content (test, kernels, form, "dc_2x2", f420, CONTENT_CHROMA_DC, 0, 1);
  test_content (test, kernels, form, "dc_2x4", f422, CONTENT_CHROMA_DC, 0, 1);
  test_content (test, kernels, form, "picture_420_8", f420, CONTENT_INTRA_8x8, 0, 1);
  test_content (test, kernels, form, "picture_422_10", f422, CONTENT_INTRA_8x8, 0, 1);
}

static void
test_form (KernelTest *test, unsigned form, const char *name)
{
  static const GstGpuPicture any;
  GpuKernelDevice device_of_form;
  const GpuKernelDevice *device = kernel_test_form (test, form, &device_of_form);
  GpuIdctKernels kernels;
  cl_program program;
  char options[256];

  if (!device)
    return;
  gpu_idct_options (device, &any, options, sizeof (options));
  program = kernel_test_build (test, gpu_idct_source, options);
  kernel_test_check (gpu_idct_kernels_init (&kernels, device, test->context, program, &any), "gpu_idct_kernels_init");
  for (unsigned i = 0; i < sizeof (idct_formats) / sizeof (idct_formats[0]); i++)
    idct_test_format (test, &idct_formats[i], &kernels, name);
  test_contents (test, &kernels, name);
  gpu_idct_kernels_clear (&kernels);
  clReleaseProgram (program);
}

int
main (int argc, char **argv)
{
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  test_form (&test, KERNEL_TEST_CPU, "cpu");
  test_form (&test, KERNEL_TEST_GPU, "gpu");
  return kernel_test_finish (&test);
}
