/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inverse quantisation, inverse transform and colour conversion, each alone: on the device against plain C on one core, QCIF to 2160p.
 * Beside them the kernels of the pipeline, where quantisation and transform are one.
 */
#include <math.h>

#include "blockpicture.h"
#include "csc.h"
#include "csckernel.h"
#include "idctkernel.h"
#include "iqidctcsckernel.h"
#include "paperchost.h"
#include "reference.h"

/* Of all blocks */
#define CODED_PERCENT 30

static const struct
{
  const char *name;
  unsigned width, height;
} sizes[] = {
  { "QCIF", 176, 144 },
  { "CIF", 352, 288 },
  { "480p", 720, 480 },
  { "720p", 1280, 720 },
  { "1080p", 1920, 1088 },
  { "2160p", 3840, 2160 },
};
#define N_SIZES (sizeof (sizes) / sizeof (sizes[0]))

/* What the paper printed, for QCIF */
static const struct
{
  const char *name;
  double c_ms, device_ms, ratio;
} published[] = {
  { "IQ", 7.5, 6.8, 1.1 },
  { "IDCT", 9, 7.5, 1.2 },
  { "CSC", 16, 2.3, 6.96 },
};

/* Data of a size: in host memory, and on the device */
typedef struct
{
  unsigned width, height;
  size_t n_blocks, n_coded;
  int16_t *levels, *residual;
  int32_t *coeffs;
  uint32_t *coded;
  uint8_t *qp, *picture, *rgb;
  cl_mem levels_buffer, coeffs_buffer, residual_buffer, coded_buffer, qp_buffer, picture_buffer, rgb_buffer;
  cl_kernel iq, idct, csc;

  /* gpuidct, gpucsc */
  BlockPicture block_picture;
  GpuIdctKernels idct_kernels;
  GpuKernelPicture idct_picture;
  GpuCscFormat in, out;
  GpuCscKernels csc_kernels;
} Stages;

static cl_event *
next_event (void *user)
{
  return papers_event (user, PAPERS_KERNEL);
}

static GpuLaunches
begin (Papers *papers)
{
  GpuLaunches launches = { .queue = papers->queues[0], .is_cpu = papers->test.device.is_cpu, .next_event = next_event, .user = papers };

  return launches;
}

/* ---- data ---- */

static void
make_blocks (Papers *papers, Stages *stages)
{
  for (size_t block = 0; block < stages->n_blocks; block++) {
    if (block % 24 == 0)
      stages->qp[block / 24] = (uint8_t) kernel_test_range (&papers->test, 20, 36);
    if (kernel_test_range (&papers->test, 0, 99) >= CODED_PERCENT)
      continue;
    stages->coded[stages->n_coded++] = (uint32_t) block;
    for (unsigned i = 0; i < 16; i++)
      stages->levels[block * 16 + i] =
          (int16_t) (kernel_test_range (&papers->test, 0, (int) i) < 4 ? kernel_test_range (&papers->test, -12, 12) : 0);
  }
}

static void
make_stages (Papers *papers, Stages *stages, unsigned width, unsigned height)
{
  KernelTest *test = &papers->test;
  size_t pixels = (size_t) width * height;

  stages->width = width;
  stages->height = height;
  stages->n_blocks = pixels / 256 * 24;
  stages->n_coded = 0;
  stages->levels = papers_alloc (stages->n_blocks * 32);
  stages->residual = papers_alloc (stages->n_blocks * 32);
  stages->coeffs = papers_alloc (stages->n_blocks * 64);
  stages->coded = papers_alloc (stages->n_blocks * 4);
  stages->qp = papers_alloc (pixels / 256);
  stages->picture = papers_alloc (pixels * 3 / 2);
  stages->rgb = papers_alloc (pixels * 4);
  make_blocks (papers, stages);
  for (size_t i = 0; i < pixels * 3 / 2; i++)
    stages->picture[i] = (uint8_t) (i % 200 + kernel_test_random (test) % 56);
  stages->levels_buffer = kernel_test_buffer (test, stages->levels, stages->n_blocks * 32);
  stages->coeffs_buffer = kernel_test_buffer (test, stages->coeffs, stages->n_blocks * 64);
  stages->residual_buffer = kernel_test_buffer (test, stages->residual, stages->n_blocks * 32);
  stages->coded_buffer = kernel_test_buffer (test, stages->coded, stages->n_blocks * 4);
  stages->qp_buffer = kernel_test_buffer (test, stages->qp, pixels / 256);
  stages->picture_buffer = kernel_test_buffer (test, stages->picture, pixels * 3 / 2);
  stages->rgb_buffer = kernel_test_buffer (test, NULL, pixels * 4);
}

static void
free_stages (Stages *stages)
{
  void *const memory[] = { stages->levels, stages->residual, stages->coeffs, stages->coded, stages->qp, stages->picture, stages->rgb };
  const cl_mem buffers[] = { stages->levels_buffer, stages->coeffs_buffer, stages->residual_buffer, stages->coded_buffer, stages->qp_buffer,
    stages->picture_buffer, stages->rgb_buffer };

  for (unsigned i = 0; i < sizeof (memory) / sizeof (memory[0]); i++)
    free (memory[i]);
  for (unsigned i = 0; i < sizeof (buffers) / sizeof (buffers[0]); i++)
    clReleaseMemObject (buffers[i]);
}

/* ---- the stages ---- */

static void
run_iq_c (Papers *papers, void *user)
{
  Stages *stages = user;

  paper_c_iq (stages->levels, stages->coeffs, stages->coded, stages->n_coded, stages->qp);
}

static void
run_idct_c (Papers *papers, void *user)
{
  Stages *stages = user;

  paper_c_idct (stages->coeffs, stages->residual, stages->coded, stages->n_coded);
}

static void
run_csc_c (Papers *papers, void *user)
{
  Stages *stages = user;

  paper_c_csc (stages->picture, stages->rgb, stages->width, stages->height);
}

static void
run_iq (Papers *papers, void *user)
{
  Stages *stages = user;
  GpuLaunches launches = begin (papers);

  gpu_iq_enqueue (stages->iq, &launches, stages->levels_buffer, stages->coeffs_buffer, stages->coded_buffer, (cl_uint) stages->n_coded,
      stages->qp_buffer);
  kernel_test_check (launches.err, "gpu_iq_enqueue");
}

static void
run_idct (Papers *papers, void *user)
{
  Stages *stages = user;
  GpuLaunches launches = begin (papers);

  gpu_idct_apart_enqueue (stages->idct, &launches, stages->coeffs_buffer, stages->residual_buffer, stages->coded_buffer,
      (cl_uint) stages->n_coded);
  kernel_test_check (launches.err, "gpu_idct_apart_enqueue");
}

static void
run_csc (Papers *papers, void *user)
{
  Stages *stages = user;
  GpuLaunches launches = begin (papers);

  gpu_csc_apart_enqueue (stages->csc, &launches, stages->picture_buffer, stages->rgb_buffer, stages->width, stages->height);
  kernel_test_check (launches.err, "gpu_csc_apart_enqueue");
}

static void
verify_buffer (Papers *papers, const char *what, const void *expected, cl_mem buffer, size_t size, unsigned element)
{
  void *actual = papers_alloc (size);

  kernel_test_read (&papers->test, buffer, actual, size);
  papers_verify (papers, what, expected, actual, size, element);
  free (actual);
}

static void
verify_stages (Papers *papers, Stages *stages)
{
  run_iq_c (papers, stages);
  run_idct_c (papers, stages);
  run_csc_c (papers, stages);
  run_iq (papers, stages);
  run_idct (papers, stages);
  run_csc (papers, stages);
  verify_buffer (papers, "IQ", stages->coeffs, stages->coeffs_buffer, stages->n_blocks * 64, 4);
  verify_buffer (papers, "IDCT", stages->residual, stages->residual_buffer, stages->n_blocks * 32, 2);
  verify_buffer (papers, "CSC", stages->rgb, stages->rgb_buffer, (size_t) stages->width * stages->height * 4, 1);
}

/* ---- gpuidct, gpucsc ---- */

static void
run_gpuidct (Papers *papers, void *user)
{
  Stages *stages = user;
  cl_event event = NULL;

  kernel_test_check (gpu_idct_enqueue (&stages->idct_kernels, papers->queues[0], &stages->idct_picture, 1, stages->block_picture.head.first,
                         0, NULL, &event, NULL),
      "gpu_idct_enqueue");
  papers_take_event (papers, PAPERS_KERNEL, event);
}

/* The whole stage in C: levels become residuals in place, so later runs read other numbers, in as many blocks */
static void
run_reference_idct (Papers *papers, void *user)
{
  Stages *stages = user;
  BlockPicture *picture = &stages->block_picture;
  GpuReferencePicture reference = { .params = &stages->idct_picture.params,
    .header = picture->header,
    .layout = block_picture_layout (picture),
    .coeffs = picture->coeffs,
    .dc = picture->dc };

  gpu_reference_idct (&reference, block_picture_segments (picture), picture->head.n_segments, 0);
}

static void
make_gpuidct (Papers *papers, Stages *stages)
{
  BlockPicture *picture = &stages->block_picture;
  CaptureHeader *head = &picture->head;

  block_picture_make (papers, picture, stages->width / 16, stages->height / 16, CODED_PERCENT / 100.0);
  memset (&stages->idct_picture, 0, sizeof (stages->idct_picture));
  stages->idct_picture.params = (GstGpuPicture){ .width_in_mbs = head->width_in_mbs,
    .height_in_mbs = head->height_in_mbs,
    .chroma_array_type = 1,
    .bit_depth_luma = 8,
    .bit_depth_chroma = 8,
    .n_slices = 1 };
  stages->idct_picture.layout = block_picture_layout (picture);
  stages->idct_picture.header = kernel_test_buffer (&papers->test, picture->header, head->header_size);
  stages->idct_picture.coeffs = kernel_test_buffer (&papers->test, picture->coeffs, head->coeffs_size);
  stages->idct_picture.dc = kernel_test_buffer (&papers->test, picture->dc, (size_t) picture->n_mbs * 48 * 4);
  run_gpuidct (papers, stages);
  verify_buffer (papers, "gpuidct", picture->expected, stages->idct_picture.coeffs, head->coeffs_size, 2);
}

static void
free_gpuidct (Stages *stages)
{
  clReleaseMemObject (stages->idct_picture.header);
  clReleaseMemObject (stages->idct_picture.coeffs);
  clReleaseMemObject (stages->idct_picture.dc);
  block_picture_clear (&stages->block_picture);
}

static void
run_gpucsc (Papers *papers, void *user)
{
  Stages *stages = user;
  cl_mem in[GPU_CSC_PLANES] = { stages->picture_buffer, stages->picture_buffer, stages->picture_buffer, stages->picture_buffer };
  cl_mem out[GPU_CSC_PLANES] = { stages->rgb_buffer, stages->rgb_buffer, stages->rgb_buffer, stages->rgb_buffer };
  cl_event event = NULL;

  kernel_test_check (gpu_csc_enqueue (&stages->csc_kernels, papers->queues[0], &stages->in, in, &stages->out, out, 0, NULL, &event, NULL),
      "gpu_csc_enqueue");
  papers_take_event (papers, PAPERS_KERNEL, event);
}

/* BT.601 in limited range to RGBA, chroma in the middle of its four pixels */
static void
make_csc_formats (Stages *stages)
{
  uint32_t width = stages->width, height = stages->height;

  stages->in = (GpuCscFormat){ .width = width,
    .height = height,
    .n_components = 3,
    .depth = 8,
    .h_sub = 1,
    .v_sub = 1,
    .site_x = 2,
    .site_y = 2,
    .n_planes = 3,
    .word_bytes = { 1, 1, 1 },
    .plane = { 0, 1, 2 },
    .offset = { 0, width * height, width * height * 5 / 4 },
    .stride = { width, width / 2, width / 2 },
    .kr = 0.299,
    .kb = 0.114 };
  stages->out = (GpuCscFormat){ .width = width,
    .height = height,
    .rgb = 1,
    .n_components = 3,
    .alpha = GPU_CSC_ALPHA,
    .depth = 8,
    .full_range = 1,
    .n_planes = 1,
    .word_bytes = { 4 },
    .shift = { 0, 8, 16, 24 },
    .stride = { width * 4 } };
}

/* Every 101st pixel within one of the exact value, as the stage promises */
static void
verify_gpucsc (Papers *papers, Stages *stages)
{
  size_t pixels = (size_t) stages->width * stages->height;
  const uint8_t *planes[GPU_CSC_PLANES] = { stages->picture, stages->picture, stages->picture, stages->picture };
  uint8_t *actual = papers_alloc (pixels * 4);

  run_gpucsc (papers, stages);
  kernel_test_read (&papers->test, stages->rgb_buffer, actual, pixels * 4);
  for (size_t i = 0; i < pixels; i += 101)
    for (unsigned k = 0; k < 3; k++) {
      double exact =
          gpu_reference_csc_value (&stages->in, planes, &stages->out, k, (uint32_t) (i % stages->width), (uint32_t) (i / stages->width));

      if (fabs (actual[i * 4 + k] - exact) > 1) {
        fprintf (stderr, "gpucsc: component %u of pixel %zu is %u, not %g; nothing is measured\n", k, i, actual[i * 4 + k], exact);
        exit (1);
      }
    }
  free (actual);
}

static void
init_elements (Papers *papers, Stages *stages)
{
  const GpuKernelDevice *device = &papers->test.device;
  GstGpuPicture params = { .chroma_array_type = 1, .bit_depth_luma = 8, .bit_depth_chroma = 8 };
  char options[512];
  cl_program program;

  gpu_idct_options (device, &params, options, sizeof (options));
  program = kernel_test_build (&papers->test, gpu_idct_source, options);
  kernel_test_check (gpu_idct_kernels_init (&stages->idct_kernels, device, papers->test.context, program, &params),
      "gpu_idct_kernels_init");
  clReleaseProgram (program);
  stages->width = stages->height = 16;
  make_csc_formats (stages);
  gpu_csc_options (device, &stages->in, &stages->out, options, sizeof (options));
  program = kernel_test_build (&papers->test, gpu_csc_source, options);
  kernel_test_check (gpu_csc_kernels_init (&stages->csc_kernels, device, program), "gpu_csc_kernels_init");
  clReleaseProgram (program);
}

/* ---- the table ---- */

/* A row: ratio is the time of C over that of the row.  Returns the median. */
static double
measure (Papers *papers, PapersTable *table, const char *stage, unsigned size, const char *variant, PapersFunction function, Stages *stages,
    double c, double published_ms, double published_ratio)
{
  PapersTiming timing;

  papers_measure (papers, function, stages, &timing);
  papers_cell (table, "%s", stage);
  papers_cell (table, "%s", sizes[size].name);
  papers_cell (table, "%s", variant);
  papers_cell_time (table, &timing.wall, 1e6);
  papers_cell (table, "%.4g", timing.event[PAPERS_KERNEL].median / 1e6);
  papers_cell (table, "%.2f", (c > 0 ? c : timing.wall.median) / timing.wall.median);
  papers_cell_if (table, size == 0 && published_ms > 0, "%.4g", published_ms);
  papers_cell_if (table, size == 0 && published_ratio > 0, "%.4g", published_ratio);
  return timing.wall.median;
}

static void
measure_size (Papers *papers, PapersTable *table, Stages *stages, unsigned size)
{
  static const PapersFunction functions[3][2] = { { run_iq_c, run_iq }, { run_idct_c, run_idct }, { run_csc_c, run_csc } };
  double c = 0;

  for (unsigned i = 0; i < 3; i++) {
    c = measure (papers, table, published[i].name, size, "C on one core", functions[i][0], stages, 0, published[i].c_ms, 0);
    measure (papers, table, published[i].name, size, "device", functions[i][1], stages, c, published[i].device_ms, published[i].ratio);
  }
  measure (papers, table, "CSC", size, "gpucsc", run_gpucsc, stages, c, 0, 0);
  c = measure (papers, table, "IQ and IDCT", size, "C on one core", run_reference_idct, stages, 0, 0, 0);
  measure (papers, table, "IQ and IDCT", size, "gpuidct", run_gpuidct, stages, c, 0, 0);
}

static void
run_size (Papers *papers, PapersTable *table, Stages *stages, unsigned size)
{
  make_stages (papers, stages, sizes[size].width, sizes[size].height);
  make_csc_formats (stages);
  verify_stages (papers, stages);
  verify_gpucsc (papers, stages);
  make_gpuidct (papers, stages);
  if (table)
    measure_size (papers, table, stages, size);
  free_gpuidct (stages);
  free_stages (stages);
}

int
paper_c_run (Papers *papers)
{
  cl_program program = kernel_test_build (&papers->test, gpu_iqidctcsc_source, "");
  PapersTable *table = NULL;
  Stages stages;

  memset (&stages, 0, sizeof (stages));
  stages.iq = papers_kernel (program, "gpu_iq");
  stages.idct = papers_kernel (program, "gpu_idct_apart");
  stages.csc = papers_kernel (program, "gpu_csc_apart");
  init_elements (papers, &stages);
  if (!papers->verify)
    table = papers_table_open (papers, "c-stages",
        "Inverse quantisation, inverse transform and colour conversion alone (ratio: time of C over that of the row)",
        "stage,size,variant,min_ms,median_ms,max_ms,kernel_ms,ratio,published_ms,published_ratio");
  for (unsigned size = 0; size < (papers->verify ? 2 : papers->quick ? N_SIZES - 1 : N_SIZES); size++)
    run_size (papers, table, &stages, size);
  if (table)
    papers_table_close (table);
  gpu_idct_kernels_clear (&stages.idct_kernels);
  gpu_csc_kernels_clear (&stages.csc_kernels);
  clReleaseKernel (stages.iq);
  clReleaseKernel (stages.idct);
  clReleaseKernel (stages.csc);
  clReleaseProgram (program);
  return 0;
}
