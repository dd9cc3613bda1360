/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * QP of macroblock records from mb_qp_delta by the scan, against plain C: random slices, depths, offsets of chroma and classes, deltas over
 * their whole range.
 */
#include <stddef.h>
#include <stdio.h>

#include "kerneltest.h"
#include "qpkernel.h"
#include "qp.h"

#define MAX_MBS 1200
#define N_SLICES 8

typedef struct
{
  GstGpuSlice slices[N_SLICES];
  GstGpuMb mbs[MAX_MBS];
} Header;

/* Every record has random bytes where the scan has nothing to do; only its own fields may change. */
static void
make_header (KernelTest *test, Header *header, unsigned n_mbs, int qp_bd_offset)
{
  for (size_t i = 0; i < sizeof (*header); i++)
    ((uint8_t *) header)[i] = (uint8_t) kernel_test_random (test);
  for (unsigned i = 0; i < N_SLICES; i++)
    for (int c = 0; c < 2; c++)
      header->slices[i].chroma_qp_index_offset[c] = (gst_gpu_i8) kernel_test_range (test, -12, 12);
  for (unsigned i = 0; i < n_mbs; i++) {
    GstGpuMb *mb = &header->mbs[i];
    int is_delta = i > 0 && kernel_test_random (test) % 16 != 0;

    mb->slice = (gst_gpu_u16) (kernel_test_random (test) % N_SLICES);
    mb->mb_class = (gst_gpu_u8) (kernel_test_random (test) % 5);
    mb->flags = (gst_gpu_u8) ((kernel_test_random (test) & 15) | (is_delta ? GST_GPU_MB_EXTRA : 0));
    mb->qp_scaled[0] = (gst_gpu_u8) kernel_test_range (test, 0, 51 + qp_bd_offset);
    if (is_delta)
      mb->qp_filter[0] = (gst_gpu_i8) kernel_test_range (test, -(26 + qp_bd_offset / 2), 25 + qp_bd_offset / 2);
  }
}

static int
check_picture (KernelTest *test, GpuQpKernels *kernels, unsigned width, unsigned height, unsigned depth)
{
  Header *expected = malloc (sizeof (*expected)), *actual = malloc (sizeof (*actual));
  GpuKernelPicture picture = { .params = { .width_in_mbs = width,
                                   .height_in_mbs = height,
                                   .bit_depth_luma = depth,
                                   .bit_depth_chroma = 8 + kernel_test_random (test) % 7 },
    .layout = { .mbs = offsetof (Header, mbs), .slices = offsetof (Header, slices) } };
  GpuReferencePicture reference = { .params = &picture.params, .header = expected, .layout = picture.layout };
  int passed;

  kernel_test_check (expected && actual ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "header");
  make_header (test, expected, width * height, 6 * ((int) depth - 8));
  picture.header = kernel_test_buffer (test, expected, sizeof (*expected));
  gpu_reference_qp_records (&reference);
  kernel_test_check (gpu_qp_records_enqueue (kernels, test->queue, &picture, 0, NULL, NULL, NULL), "gpu_qp_records_enqueue");
  kernel_test_read (test, picture.header, actual, sizeof (*actual));
  passed = kernel_test_equal ("header", expected, actual, sizeof (*expected), 1);
  clReleaseMemObject (picture.header);
  free (expected);
  free (actual);
  return passed;
}

int
main (int argc, char **argv)
{
  GpuQpKernels kernels;
  cl_program program;
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  program = kernel_test_build (&test, gpu_qp_source, "");
  kernel_test_check (gpu_qp_kernels_init (&kernels, &test.device, test.context, program), "gpu_qp_kernels_init");
  for (unsigned depth = 8; depth <= 14; depth += 3) {
    char name[32];
    int passed = 1;

    snprintf (name, sizeof (name), "records, %u bits", depth);
    if (!kernel_test_selected (&test, name))
      continue;
    for (unsigned i = 0; i < (test.small ? 2 : 20); i++)
      passed &=
          check_picture (&test, &kernels, (unsigned) kernel_test_range (&test, 1, 40), (unsigned) kernel_test_range (&test, 1, 30), depth);
    kernel_test_result (&test, name, "int", passed, 0, NULL);
  }
  gpu_qp_kernels_clear (&kernels);
  clReleaseProgram (program);
  return kernel_test_finish (&test);
}
