/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernel of intra prediction against the C reference, on random pictures: every format, slice layout, class, mode and launch; frames,
 * fields, and MBAFF frames.
 *
 *   intrapred [arguments of kerneltest.h] [--repeat=N]
 * --repeat=N: the functions "repeat" and "repeat_impatient" on N random slice layouts (default 20; 8-bit 4:2:0); the latter's
 * work-groups give up and leave their rows to others after one look
 */
#include <stdio.h>

#include "intrapicture.h"
#include "intrapredkernel.h"

static const IntraFormat formats[] = {
  { "monochrome_8", 0, 8, 8, 0, 0, 0, 0 },
  { "420_8", 1, 8, 8, 0, 0, 0, 1 },
  { "420_8_hostile", 1, 8, 8, 1, 0, 0, 0 },
  { "420_8_luma_10_chroma", 1, 8, 10, 0, 0, 1, 0 },
  { "420_14_hostile", 1, 14, 14, 1, 1, 0, 0 },
  { "422_8_field", 2, 8, 8, 0, 0, 1, 0 },
  { "422_10", 2, 10, 10, 0, 0, 0, 0 },
  { "422_14_luma_9_chroma_lossless", 2, 14, 9, 0, 1, 0, 1 },
  { "444_8_lossless", 3, 8, 8, 0, 1, 0, 0 },
  { "444_12_luma_14_chroma", 3, 12, 14, 0, 0, 0, 0 },
  { "444_14_hostile", 3, 14, 14, 1, 1, 0, 1 },
};

/* Runs one launch on fresh samples and compares; *ns: the shortest time of @n_runs more */
static int
run_launch (KernelTest *test, GpuIntrapredKernels *kernels, IntraPicture *picture, GpuKernelPicture *buffers, GpuWavefront wavefront,
    unsigned n_runs, double *ns)
{
  kernel_test_write (test, buffers->surface, picture->before, picture->surface_size);
  kernel_test_check (gpu_intrapred_enqueue (kernels, test->queue, buffers, wavefront, 0, NULL, NULL, NULL), "gpu_intrapred_enqueue");
  kernel_test_read (test, buffers->surface, picture->actual, picture->surface_size);
  if (!kernel_test_equal ("surface", picture->expected, picture->actual, picture->surface_size, picture->sample_size))
    return 0;
  *ns = 0;
  for (unsigned i = 0; i < n_runs; i++) {
    double start = kernel_test_now (), elapsed;

    kernel_test_check (gpu_intrapred_enqueue (kernels, test->queue, buffers, wavefront, 0, NULL, NULL, NULL), "gpu_intrapred_enqueue");
    clFinish (test->queue);
    elapsed = kernel_test_now () - start;
    if (i == 0 || elapsed < *ns)
      *ns = elapsed;
  }
  return 1;
}

/* The launches: name, wavefront, work-groups */
static const struct
{
  const char *name;
  GpuWavefront wavefront;
  unsigned n_groups;
} launches[] = {
  { "in order", GPU_WAVEFRONT_IN_ORDER, 0 },
  { "tickets", GPU_WAVEFRONT_TICKETS, 0 },
  { "tickets 1", GPU_WAVEFRONT_TICKETS, 1 },
  { "tickets 4", GPU_WAVEFRONT_TICKETS, 4 },
  { "diagonals", GPU_WAVEFRONT_DIAGONALS, 0 },
};
#define N_LAUNCHES (sizeof (launches) / sizeof (launches[0]))

/* A form's kernels for a format */
typedef struct
{
  GpuKernelDevice device;
  const char *form;
  cl_program program;
  GpuIntrapredKernels kernels;
} Built;

/* @more_options: beside those of the launcher */
static int
build (KernelTest *test, Built *built, const IntraFormat *format, unsigned form, const char *more_options)
{
  GstGpuPicture params = { .chroma_array_type = format->chroma_array_type,
    .bit_depth_luma = format->bit_depth_luma,
    .bit_depth_chroma = format->bit_depth_chroma };
  char options[512];
  int length;

  if (!kernel_test_form (test, form, &built->device))
    return 0;
  built->form = form == KERNEL_TEST_CPU ? "cpu" : "gpu";
  length = gpu_intrapred_options (&built->device, &params, options, sizeof (options));
  snprintf (options + length, sizeof (options) - (size_t) length, "%s", more_options);
  built->program = kernel_test_build (test, gpu_intrapred_source, options);
  kernel_test_check (gpu_intrapred_kernels_init (&built->kernels, &built->device, test->context, built->program, &params),
      "gpu_intrapred_kernels_init");
  return 1;
}

static void
destroy (Built *built)
{
  gpu_intrapred_kernels_clear (&built->kernels);
  clReleaseProgram (built->program);
}

/* Every launch that the device has on one picture; counts into passed[] */
static void
test_launches (KernelTest *test, Built *built, IntraPicture *picture, unsigned *failed)
{
  GpuKernelPicture buffers = intra_picture_upload (test, picture);
  double ns;

  for (size_t i = 0; i < N_LAUNCHES; i++) {
    if (launches[i].wavefront == GPU_WAVEFRONT_TICKETS && !built->device.device_atomics)
      continue;
    built->kernels.pictures.n_groups = built->kernels.mbaff_frames.n_groups = launches[i].n_groups;
    if (!run_launch (test, &built->kernels, picture, &buffers, launches[i].wavefront, 0, &ns)) {
      printf ("  %s, %ux%u macroblocks, %u slices%s\n", launches[i].name, picture->params.width_in_mbs, picture->params.height_in_mbs,
          picture->params.n_slices, picture->mbaff ? ", MBAFF" : "");
      failed[i]++;
    }
  }
  intra_picture_release (&buffers);
}

static void
test_format (KernelTest *test, const IntraFormat *format, unsigned form)
{
  unsigned n_pictures = test->small ? 4 : 16, failed[N_LAUNCHES] = { 0 }, n, max_side = test->small ? 2 : 12;
  Built built;
  int is_abroad = form == KERNEL_TEST_GPU && (test->small || !(test->device.type & CL_DEVICE_TYPE_GPU));

  if (!kernel_test_selected (test, format->name) || (is_abroad && !test->function && !format->in_short)
      || !build (test, &built, format, form, ""))
    return;
  for (n = 0; n < n_pictures; n++) {
    IntraPicture picture = { .format = format, .coded_percent = n % 3 * 50, .only_class = -1, .mbaff = !format->field && (n & 2) };
    unsigned width = (unsigned) kernel_test_range (test, 1, (int) max_side),
             height = (unsigned) kernel_test_range (test, 1, (int) max_side) * (picture.mbaff ? 2 : 1);

    intra_picture_make (test, &picture, width, height, n % 4 ? (unsigned) kernel_test_range (test, 1, 6) : 1, (int) (n & 1));
    intra_picture_run_reference (&picture);
    test_launches (test, &built, &picture, failed);
    intra_picture_free (&picture);
  }
  for (size_t i = 0; i < N_LAUNCHES; i++)
    if (launches[i].wavefront != GPU_WAVEFRONT_TICKETS || built.device.device_atomics) {
      char name[64];

      snprintf (name, sizeof (name), "%s %s", format->name, launches[i].name);
      kernel_test_result (test, name, built.form, failed[i] == 0, 0, NULL);
    }
  destroy (&built);
}

/* The ticketed launch, and slices by work-group, again and again */
static void
test_repeat (KernelTest *test, const char *name, const char *options, unsigned form, unsigned n_repeats)
{
  const IntraFormat *format = &formats[1];
  unsigned n, n_failed = 0;
  Built built;

  if (!kernel_test_selected (test, name) || !build (test, &built, format, form, options))
    return;
  for (n = 0; n < n_repeats; n++) {
    IntraPicture picture = { .format = format, .coded_percent = 30, .only_class = -1, .mbaff = (n & 2) != 0 };
    unsigned failed[N_LAUNCHES] = { 0 };
    unsigned width = (unsigned) kernel_test_range (test, 1, 20),
             height = (unsigned) kernel_test_range (test, 1, 20) * (picture.mbaff ? 2 : 1);

    intra_picture_make (test, &picture, width, height, (unsigned) kernel_test_range (test, 1, 12), (int) (n & 1));
    intra_picture_run_reference (&picture);
    test_launches (test, &built, &picture, failed);
    for (size_t i = 0; i < N_LAUNCHES; i++)
      n_failed += failed[i];
    intra_picture_free (&picture);
  }
  kernel_test_result (test, name, built.form, n_failed == 0, 0, NULL);
  destroy (&built);
}

/* Whole pictures of 1920x1088: macroblocks of one class or mixed */
typedef struct
{
  const char *name;
  int only_class, coded_percent;
  unsigned n_slices;
  int mbaff;
} Load;

static const Load loads[] = {
  { "8x8 all coded", GST_GPU_MB_I8x8, 100, 1 },
  { "8x8 30 % coded", GST_GPU_MB_I8x8, 30, 1 },
  { "8x8 all coded 10 slices", GST_GPU_MB_I8x8, 100, 10 },
  { "4x4 all coded", GST_GPU_MB_I4x4, 100, 1 },
  { "4x4 30 % coded", GST_GPU_MB_I4x4, 30, 1 },
  { "16x16 30 % coded", GST_GPU_MB_I16x16, 30, 1 },
  { "16x16 no AC", GST_GPU_MB_I16x16, 0, 1 },
  { "mixed 30 % coded", -1, 30, 1 },
  { "mixed 30 % coded MBAFF", -1, 30, 1, 1 },
};

static void
bench_load (KernelTest *test, Built *built, const IntraFormat *format, const Load *load)
{
  IntraPicture picture = { .format = format, .coded_percent = load->coded_percent, .only_class = load->only_class, .mbaff = load->mbaff };
  GpuKernelPicture buffers;

  intra_picture_make (test, &picture, 120, 68, load->n_slices, 1);
  intra_picture_run_reference (&picture);
  buffers = intra_picture_upload (test, &picture);
  for (size_t i = 0; i < N_LAUNCHES; i++) {
    char name[96];
    double ns = 0;
    int passed;

    if ((launches[i].wavefront == GPU_WAVEFRONT_TICKETS && !built->device.device_atomics) || launches[i].n_groups)
      continue;
    built->kernels.pictures.n_groups = built->kernels.mbaff_frames.n_groups = 0;
    passed = run_launch (test, &built->kernels, &picture, &buffers, launches[i].wavefront, built->device.is_cpu ? 50 : 3, &ns);
    snprintf (name, sizeof (name), "%s, %s, %s", format->name, load->name, launches[i].name);
    kernel_test_result (test, name, built->form, passed, ns, "picture");
  }
  intra_picture_release (&buffers);
  intra_picture_free (&picture);
}

static void
bench_format (KernelTest *test, const IntraFormat *format, unsigned form)
{
  Built built;
  char name[64];

  snprintf (name, sizeof (name), "bench_%s", format->name);
  if (!kernel_test_selected (test, name) || !build (test, &built, format, form, ""))
    return;
  for (size_t i = 0; i < sizeof (loads) / sizeof (loads[0]); i++)
    bench_load (test, &built, format, &loads[i]);
  destroy (&built);
}

/* Takes --repeat=N out of the arguments. */
static unsigned
parse_repeat (int *argc, char **argv)
{
  unsigned n_repeats = 20;
  int i, n = 1;

  for (i = 1; i < *argc; i++)
    if (strncmp (argv[i], "--repeat=", 9) == 0)
      n_repeats = (unsigned) strtoul (argv[i] + 9, NULL, 0);
    else
      argv[n++] = argv[i];
  *argc = n;
  return n_repeats;
}

int
main (int argc, char **argv)
{
  static const IntraFormat monochrome_10 = { "monochrome_10", 0, 10, 10, 0, 0, 0, 0 };
  unsigned n_repeats = parse_repeat (&argc, argv), form;
  KernelTest test;

  kernel_test_init (&test, argc, argv);
  for (form = KERNEL_TEST_CPU; form <= KERNEL_TEST_GPU; form <<= 1) {
    for (size_t i = 0; i < sizeof (formats) / sizeof (formats[0]); i++)
      test_format (&test, &formats[i], form);
    if (!test.small)
      test_repeat (&test, "repeat", "", form, n_repeats);
    if (!test.small && (form == KERNEL_TEST_CPU || test.function))
      test_repeat (&test, "repeat_impatient", " -DGPU_PATIENCE=1", form, n_repeats);
    if (!test.bench)
      continue;
    bench_format (&test, &formats[1], form);
    bench_format (&test, &formats[6], form);
    bench_format (&test, &monochrome_10, form);
  }
  return kernel_test_finish (&test);
}
