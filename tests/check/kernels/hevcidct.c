/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The inverse transforms of H.265 pictures against the C reference, over random block lists: every byte of the coefficient arena is
 * compared.  Before that the reference itself, by what follows from the standard alone.
 */
#include <stdio.h>

#include "hevcidctkernel.h"
#include "kerneltest.h"
#include "reference.h"

#define SLOT_SIZE 32
#define SEGMENTS_AT 64 /* bytes, in the header arena */
#define MAX_SEGMENTS (3 * GPU_IDCT_N_HEVC)

/* nTbS by kind */
static const unsigned sizes[GPU_IDCT_N_HEVC] = { 4, 4, 8, 16, 32, 4 };

/* Block lists as an entropy stage would hand them over */
typedef struct
{
  GstGpuPicture params;
  uint8_t *header, *coeffs;
  size_t header_size, coeffs_size, used;
  unsigned n_segments;
  cl_uint first[GST_GPU_N_KINDS + 1];
} Lists;

static void *
allocate (size_t size)
{
  void *memory = aligned_alloc (64, (size + 63) / 64 * 64);

  if (!memory)
    kernel_test_check (CL_OUT_OF_HOST_MEMORY, "allocate");
  memset (memory, 0xA5, size);
  return memory;
}

/* A block of a few coefficients of low frequency, of values everywhere, or of extremes */
static void
make_block (KernelTest *test, int16_t *block, unsigned n)
{
  unsigned how = kernel_test_random (test) % 4;

  for (unsigned k = 0; k < n * n; k++)
    if (how == 0)
      block[k] = (int16_t) kernel_test_random (test);
    else if (how == 1)
      block[k] = kernel_test_random (test) % 2 ? INT16_MAX : INT16_MIN;
    else
      block[k] = (int16_t) (k / n + k % n < 4 ? kernel_test_range (test, -600, 600) : 0);
}

/* A segment with a gap behind it */
static void
add_segment (KernelTest *test, Lists *lists, unsigned kind, unsigned count)
{
  GstGpuSegment *segment = (GstGpuSegment *) (lists->header + SEGMENTS_AT) + lists->n_segments++;
  unsigned n = sizes[kind - GST_GPU_N_H264_KINDS];
  uint32_t *positions = (uint32_t *) (lists->coeffs + lists->used);

  *segment = (GstGpuSegment){ .positions = lists->used / 4, .count = count, .kind = kind };
  for (unsigned i = 0; i < count; i++)
    positions[i] =
        GST_GPU_HEVC_POSITION (kernel_test_random (test) % 3, kernel_test_random (test) % 32768, kernel_test_random (test) % 32768);
  lists->used = (lists->used + count * 4 + 2 * SLOT_SIZE - 1) / SLOT_SIZE * SLOT_SIZE;
  segment->coeffs = lists->used / SLOT_SIZE;
  for (unsigned i = 0; i < count; i++)
    make_block (test, (int16_t *) (lists->coeffs + lists->used) + i * n * n, n);
  lists->used += count * n * n * 2 + SLOT_SIZE;
}

/* Up to three segments of each kind, of up to @max blocks */
static void
make_lists (KernelTest *test, Lists *lists, unsigned bit_depth_luma, unsigned bit_depth_chroma, unsigned max)
{
  memset (lists, 0, sizeof (*lists));
  lists->params = (GstGpuPicture){ .bit_depth_luma = bit_depth_luma, .bit_depth_chroma = bit_depth_chroma };
  lists->header_size = SEGMENTS_AT + MAX_SEGMENTS * sizeof (GstGpuSegment);
  lists->coeffs_size = 64 + (size_t) MAX_SEGMENTS * (max * (2048 + 4) + 4 * SLOT_SIZE);
  lists->header = allocate (lists->header_size);
  lists->coeffs = allocate (lists->coeffs_size);
  lists->used = 64;
  for (unsigned kind = GST_GPU_N_H264_KINDS; kind < GST_GPU_N_KINDS; kind++) {
    unsigned n = kernel_test_random (test) % 4;

    lists->first[kind] = lists->n_segments;
    for (unsigned i = 0; i < n; i++)
      add_segment (test, lists, kind, (unsigned) kernel_test_range (test, 1, (int) max));
  }
  lists->first[GST_GPU_N_KINDS] = lists->n_segments;
}

static void
free_lists (Lists *lists)
{
  free (lists->header);
  free (lists->coeffs);
}

static int
compare (KernelTest *test, const Lists *lists, GpuIdctKernels *kernels)
{
  uint8_t *expected = allocate (lists->coeffs_size), *actual = allocate (lists->coeffs_size);
  GpuReferencePicture reference = { .params = &lists->params, .coeffs = expected };
  GpuKernelPicture picture = { .params = lists->params,
    .header = kernel_test_buffer (test, lists->header, lists->header_size),
    .layout = { .segments = SEGMENTS_AT },
    .coeffs = kernel_test_buffer (test, lists->coeffs, lists->coeffs_size) };
  cl_event event;
  int equal;

  memcpy (expected, lists->coeffs, lists->coeffs_size);
  gpu_reference_hevc_idct (&reference, (const GstGpuSegment *) (lists->header + SEGMENTS_AT), lists->n_segments);
  kernel_test_check (gpu_idct_enqueue (kernels, test->queue, &picture, 1, lists->first, 0, NULL, &event, NULL), "gpu_idct_enqueue");
  kernel_test_check (clWaitForEvents (1, &event), "clWaitForEvents");
  clReleaseEvent (event);
  kernel_test_read (test, picture.coeffs, actual, lists->coeffs_size);
  equal = kernel_test_equal ("coefficient arena", expected, actual, lists->coeffs_size, 2);
  clReleaseMemObject (picture.header);
  clReleaseMemObject (picture.coeffs);
  free (expected);
  free (actual);
  return equal;
}

static void
test_depths (KernelTest *test, GpuIdctKernels *kernels, const char *form)
{
  static const struct
  {
    const char *name;
    unsigned luma, chroma;
  } depths[] = { { "hevcidct_8", 8, 8 }, { "hevcidct_10", 10, 10 }, { "hevcidct_8_10", 8, 10 }, { "hevcidct_14_9", 14, 9 } };

  for (unsigned i = 0; i < (test->small ? 1 : sizeof (depths) / sizeof (depths[0])); i++) {
    int passed = 1;

    if (!kernel_test_selected (test, depths[i].name))
      continue;
    for (unsigned run = 0; run < (test->small ? 1 : 10); run++) {
      Lists lists;

      make_lists (test, &lists, depths[i].luma, depths[i].chroma, test->small ? 3 : run % 2 ? 9 : 100);
      passed &= compare (test, &lists, kernels);
      free_lists (&lists);
    }
    kernel_test_result (test, depths[i].name, form, passed, 0, NULL);
  }
}

/* A block of one kind through the reference */
static void
reference_block (unsigned kind, unsigned bit_depth, int16_t *block)
{
  unsigned n = sizes[kind - GST_GPU_N_H264_KINDS];
  GstGpuPicture params = { .bit_depth_luma = bit_depth, .bit_depth_chroma = bit_depth };
  uint8_t *coeffs = allocate (SLOT_SIZE + n * n * 2);
  GpuReferencePicture picture = { .params = &params, .coeffs = coeffs };
  GstGpuSegment segment = { .coeffs = 1, .count = 1, .kind = kind };

  ((uint32_t *) coeffs)[0] = GST_GPU_HEVC_POSITION (0, 0, 0);
  memcpy (coeffs + SLOT_SIZE, block, n * n * 2);
  gpu_reference_hevc_idct (&picture, &segment, 1);
  memcpy (block, coeffs + SLOT_SIZE, n * n * 2);
  free (coeffs);
}

/* Rows of a matrix stand at right angles but for rounding, and are 64 * sqrt (n) long: the standard's are within a few thousandths. */
static int
matrix_is_orthogonal (unsigned n, int dst)
{
  int16_t matrix[32 * 32];

  gpu_reference_hevc_matrix (n, dst, matrix);
  for (unsigned a = 0; a < n; a++)
    for (unsigned b = 0; b < n; b++) {
      int sum = 0, wanted = a == b ? 4096 * (int) n : 0;

      for (unsigned i = 0; i < n; i++)
        sum += matrix[a * n + i] * matrix[b * n + i];
      if (abs (sum - wanted) > 4096 * (int) n / 200)
        return 0;
    }
  return 1;
}

/* A DC coefficient alone is the same value everywhere: (((64 * d + 64) >> 7) * 64 + round) >> bdShift. */
static int
dc_is_flat (unsigned kind, unsigned bit_depth)
{
  static int16_t block[32 * 32];
  unsigned n = sizes[kind - GST_GPU_N_H264_KINDS];
  int d = 1000, shift = 20 - (int) bit_depth, expected = (((64 * d + 64) >> 7) * 64 + (1 << (shift - 1))) >> shift;

  memset (block, 0, sizeof (block));
  block[0] = (int16_t) d;
  reference_block (kind, bit_depth, block);
  for (unsigned k = 0; k < n * n; k++)
    if (block[k] != expected)
      return 0;
  return 1;
}

/* A coefficient of the DST, and of transform skip, computed by hand from 8.6.4.2 and 8.6.2 */
static int
small_blocks_are_right (void)
{
  /* d[0][0] = 640: columns (29, 55, 74, 84) * 640 + 64 >> 7 = 145, 275, 370, 420; row 0: (29, 55, 74, 84) * 145 + 2048 >> 12 */
  static const int16_t dst_row[4] = { 1, 2, 3, 3 };
  int16_t block[16] = { 640 }, skipped[16] = { 640, -33, 0, 16 };

  reference_block (GST_GPU_KIND_HEVC_DST4x4, 8, block);
  reference_block (GST_GPU_KIND_HEVC_SKIP4x4, 8, skipped);
  return memcmp (block, dst_row, sizeof (dst_row)) == 0 && skipped[0] == 20 && skipped[1] == -1 && skipped[2] == 0 && skipped[3] == 1;
}

static void
test_reference (KernelTest *test)
{
  int passed = matrix_is_orthogonal (4, 1) && small_blocks_are_right ();

  if (!kernel_test_selected (test, "reference"))
    return;
  for (unsigned kind = GST_GPU_KIND_HEVC_4x4; kind <= GST_GPU_KIND_HEVC_32x32; kind++)
    passed &= matrix_is_orthogonal (sizes[kind - GST_GPU_N_H264_KINDS], 0) && dc_is_flat (kind, 8) && dc_is_flat (kind, 10);
  kernel_test_result (test, "reference", "c", passed, 0, NULL);
}

static void
test_form (KernelTest *test, unsigned form, const char *name)
{
  GpuKernelDevice device_of_form;
  const GpuKernelDevice *device = kernel_test_form (test, form, &device_of_form);
  GpuIdctKernels kernels;
  cl_program program;
  char options[256];

  if (!device)
    return;
  gpu_hevc_idct_options (device, options, sizeof (options));
  program = kernel_test_build (test, gpu_hevcidct_source, options);
  kernel_test_check (gpu_hevc_idct_kernels_init (&kernels, device, program), "gpu_hevc_idct_kernels_init");
  test_depths (test, &kernels, name);
  gpu_idct_kernels_clear (&kernels);
  clReleaseProgram (program);
}

int
main (int argc, char **argv)
{
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  test_reference (&test);
  test_form (&test, KERNEL_TEST_CPU, "cpu");
  test_form (&test, KERNEL_TEST_GPU, "gpu");
  return kernel_test_finish (&test);
}
