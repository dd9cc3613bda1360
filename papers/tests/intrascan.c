/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The 2-D scan of intra edges on pictures as records, against the standard's prediction.  Samples have 14 bits and are so near to grey that
 * nothing is clipped; then the two differ by what rounding adds up to, which is small against what any wrong weight would do.  Restricted:
 * they are equal.  And what the scan refuses, it names.
 */
#include <stdio.h>

#include "intrapicture.h"
#include "intrascankernel.h"

/* Of samples that differ by up to 2^14 / 32 from each other: each prediction rounds by half a step; plane prediction, which rounds three
 * times, multiplies what comes in by up to 3.8 */
#define TOLERANCE 10

static const IntraFormat formats[] = {
  { "scan_monochrome", 0, 14, 14, .mild = 1 },
  { "scan_420", 1, 14, 14, .mild = 1 },
  { "scan_420_field", 1, 14, 14, .field = 1, .mild = 1 },
  { "scan_444", 3, 14, 14, .mild = 1 },
};

/* Pictures as the restricted scan wants them */
static const IntraFormat restricted_format = { "scan_restricted", 1, 8, 8, .mild = 1 };

static unsigned
max_difference (const IntraPicture *picture)
{
  unsigned worst = 0;

  for (size_t i = 0; i < picture->surface_size / picture->sample_size; i++) {
    int a = picture->sample_size == 1 ? picture->expected[i] : ((uint16_t *) picture->expected)[i];
    int b = picture->sample_size == 1 ? picture->actual[i] : ((uint16_t *) picture->actual)[i];

    worst = (unsigned) abs (a - b) > worst ? (unsigned) abs (a - b) : worst;
  }
  return worst;
}

static cl_program
build (KernelTest *test, const IntraFormat *format, int restricted)
{
  GstGpuPicture params = { .chroma_array_type = format->chroma_array_type,
    .bit_depth_luma = format->bit_depth_luma,
    .bit_depth_chroma = format->bit_depth_chroma };
  char options[512];
  int n = gpu_intra_scan_options (&params, restricted, options, sizeof (options));

  /* what inlining makes of returned structures oclgrind 21.10 does not know */
  if (test->small)
    snprintf (options + n, sizeof (options) - (size_t) n, " -DINLINE=static");
  return kernel_test_build (test, gpu_edgescan_source, options);
}

/* Runs the scan on @picture; returns what it found, *err what it returned. */
static unsigned
scan (KernelTest *test, cl_program program, IntraPicture *picture, int restricted, unsigned n_levels, cl_int *err)
{
  GpuKernelPicture buffers = intra_picture_upload (test, picture);
  GstGpuPicture tall = picture->params;
  GpuIntraScanKernels kernels;
  unsigned found;
  cl_event event;

  /* kernels made for a higher picture do for this one */
  tall.height_in_mbs += picture->params.width_in_mbs % 3;
  kernel_test_check (gpu_intra_scan_kernels_init (&kernels, &test->device, test->context, program, &tall, restricted, n_levels),
      "gpu_intra_scan_kernels_init");
  *err = gpu_intra_scan_enqueue (&kernels, test->queue, &buffers, 0, NULL, &event, NULL, &found);
  if (*err == CL_SUCCESS) {
    kernel_test_check (clWaitForEvents (1, &event), "clWaitForEvents");
    clReleaseEvent (event);
    kernel_test_read (test, buffers.surface, picture->actual, picture->surface_size);
  }
  gpu_intra_scan_kernels_clear (&kernels);
  intra_picture_release (&buffers);
  return found;
}

/* Takes away what macroblocks have above right, so that macroblocks join. */
static void
remove_above_right (IntraPicture *picture)
{
  for (size_t i = 0; i < picture->n_mbs; i++)
    picture->mbs[i].available &= (gst_gpu_u8) ~GST_GPU_AVAILABLE_C;
}

static void
test_format (KernelTest *test, const IntraFormat *format)
{
  unsigned worst = 0;
  cl_program program;
  char name[64];
  int passed = 1;

  if (!kernel_test_selected (test, format->name))
    return;
  program = build (test, format, 0);
  for (unsigned n = 0; n < (test->small ? 2 : 16); n++) {
    IntraPicture picture = { .format = format, .coded_percent = 30, .only_class = n < 6 ? -1 : n % 2 ? GST_GPU_MB_I4x4 : -1 };
    unsigned difference;
    cl_int err;

    intra_picture_make (test, &picture, (unsigned) kernel_test_range (test, 1, 7), (unsigned) kernel_test_range (test, 1, 6), 1 + n % 3,
        n % 2 == 0);
    if (n % 4)
      remove_above_right (&picture);
    intra_picture_run_reference (&picture);
    scan (test, program, &picture, 0, n % 4 ? 2 + n % 4 : 0, &err);
    kernel_test_check (err, "gpu_intra_scan_enqueue");
    difference = max_difference (&picture);
    passed &= difference <= TOLERANCE;
    if (difference > TOLERANCE)
      printf ("  picture %u, %ux%u: differs by %u\n", n, picture.params.width_in_mbs, picture.params.height_in_mbs, difference);
    worst = difference > worst ? difference : worst;
    intra_picture_free (&picture);
  }
  clReleaseProgram (program);
  snprintf (name, sizeof (name), "%s, differs by %u", format->name, worst);
  kernel_test_result (test, name, "float", passed, 0, NULL);
}

/* Vertical and horizontal only; DC where nothing is around */
static void
restrict_modes (KernelTest *test, IntraPicture *picture)
{
  for (size_t i = 0; i < picture->n_mbs; i++) {
    GstGpuMb *mb = &picture->mbs[i];
    int left = mb->available & GST_GPU_AVAILABLE_A, above = mb->available & GST_GPU_AVAILABLE_B;
    unsigned mode = left && above ? kernel_test_random (test) & 1 : left ? 1 : above ? 0 : 2;
    static const gst_gpu_u8 chroma_modes[3] = { 2, 1, 0 };

    mb->intra_chroma_pred_mode = chroma_modes[mode];
    memset (mb->intra_modes, 0, sizeof (mb->intra_modes));
    if (mb->mb_class == GST_GPU_MB_I16x16)
      mb->intra_modes[0] = (gst_gpu_u8) mode;
    for (unsigned blk = 0; blk < 16 && mb->mb_class == GST_GPU_MB_I4x4; blk++) {
      int has_left = (blk & 5) != 0 || left, has_above = (blk & 10) != 0 || above;

      mode = has_left && has_above ? kernel_test_random (test) & 1 : has_left ? 1 : has_above ? 0 : 2;
      mb->intra_modes[blk / 2] |= (gst_gpu_u8) (mode << (blk & 1) * 4);
    }
  }
}

static void
test_restricted (KernelTest *test)
{
  cl_program program;
  int passed = 1;

  if (!kernel_test_selected (test, restricted_format.name))
    return;
  program = build (test, &restricted_format, 1);
  for (unsigned n = 0; n < (test->small ? 2 : 12); n++) {
    IntraPicture picture = { .format = &restricted_format, .coded_percent = 30, .only_class = -1 };
    unsigned found;
    cl_int err;

    intra_picture_make (test, &picture, (unsigned) kernel_test_range (test, 1, 7), (unsigned) kernel_test_range (test, 1, 6), 1 + n % 3, 1);
    restrict_modes (test, &picture);
    intra_picture_run_reference (&picture);
    found = scan (test, program, &picture, 1, 2 + n % 4, &err);
    kernel_test_check (err, "gpu_intra_scan_enqueue");
    passed &= !(found & GPU_INTRA_SCAN_OUT_OF_RANGE);
    passed &= kernel_test_equal ("surface", picture.expected, picture.actual, picture.surface_size, 1);
    intra_picture_free (&picture);
  }
  clReleaseProgram (program);
  kernel_test_result (test, restricted_format.name, "int", passed, 0, NULL);
}

/* One picture of one class whose single macroblock is changed; what the scan finds in it */
static unsigned
find_in (KernelTest *test, cl_program program, const IntraFormat *format, int restricted, int mb_class, gst_gpu_u8 flags, gst_gpu_u8 mode,
    cl_int *err)
{
  IntraPicture picture = { .format = format, .coded_percent = 0, .only_class = GST_GPU_MB_IPCM };
  unsigned found;

  intra_picture_make (test, &picture, 3, 3, 1, 1);
  picture.mbs[4].mb_class = (gst_gpu_u8) mb_class;
  picture.mbs[4].flags |= flags;
  memset (picture.mbs[4].intra_modes, mode, sizeof (picture.mbs[4].intra_modes));
  picture.mbs[4].intra_chroma_pred_mode = 1;
  found = scan (test, program, &picture, restricted, 0, err);
  intra_picture_free (&picture);
  return found;
}

static void
test_found (KernelTest *test)
{
  static const struct
  {
    int restricted, mb_class;
    gst_gpu_u8 flags, mode;
    unsigned expected;
    cl_int err;
  } cases[] = {
    { 0, GST_GPU_MB_IPCM, 0, 0, GPU_INTRA_SCAN_INTRA, CL_SUCCESS },
    { 0, GST_GPU_MB_I4x4, 0, 0x22, GPU_INTRA_SCAN_INTRA | GPU_INTRA_SCAN_PREDICTED, CL_SUCCESS },
    { 0, GST_GPU_MB_I4x4, 0, 0x33, GPU_INTRA_SCAN_INTRA | GPU_INTRA_SCAN_PREDICTED | GPU_INTRA_SCAN_ABOVE_RIGHT, CL_SUCCESS },
    { 0, GST_GPU_MB_I8x8, 0, 0, GPU_INTRA_SCAN_INTRA | GPU_INTRA_SCAN_PREDICTED | GPU_INTRA_SCAN_8x8, CL_INVALID_OPERATION },
    { 0, GST_GPU_MB_I4x4, GST_GPU_MB_BYPASS, 0, GPU_INTRA_SCAN_INTRA | GPU_INTRA_SCAN_PREDICTED | GPU_INTRA_SCAN_BYPASS,
        CL_INVALID_OPERATION },
    { 1, GST_GPU_MB_I4x4, 0, 0x10, GPU_INTRA_SCAN_INTRA | GPU_INTRA_SCAN_PREDICTED, CL_SUCCESS },
    { 1, GST_GPU_MB_I4x4, 0, 0x22, GPU_INTRA_SCAN_INTRA | GPU_INTRA_SCAN_PREDICTED | GPU_INTRA_SCAN_OTHER_MODE, CL_INVALID_OPERATION },
    { 1, GST_GPU_MB_I16x16, 0, 3, GPU_INTRA_SCAN_INTRA | GPU_INTRA_SCAN_PREDICTED | GPU_INTRA_SCAN_OTHER_MODE, CL_INVALID_OPERATION },
  };
  cl_program programs[2];
  int passed = 1;

  if (!kernel_test_selected (test, "scan_found"))
    return;
  programs[0] = build (test, &restricted_format, 0);
  programs[1] = build (test, &restricted_format, 1);
  for (unsigned i = 0; i < sizeof (cases) / sizeof (cases[0]); i++) {
    cl_int err;
    unsigned found = find_in (test, programs[cases[i].restricted], &restricted_format, cases[i].restricted, cases[i].mb_class,
        cases[i].flags, cases[i].mode, &err);

    if (found != cases[i].expected || err != cases[i].err) {
      printf ("  case %u: found %u, not %u; status %d\n", i, found, cases[i].expected, err);
      passed = 0;
    }
  }
  for (int restricted = 0; restricted < 2; restricted++)
    clReleaseProgram (programs[restricted]);
  kernel_test_result (test, "scan_found", "any", passed, 0, NULL);
}

int
main (int argc, char **argv)
{
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  for (unsigned i = 0; i < sizeof (formats) / sizeof (formats[0]); i++)
    test_format (&test, &formats[i]);
  test_restricted (&test);
  test_found (&test);
  return kernel_test_finish (&test);
}
