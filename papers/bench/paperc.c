/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Inverse quantisation, inverse transform and colour conversion, each alone: on the device, as published and over lists of coded blocks,
 * against C on one core, QCIF to 2160p.  Beside them the kernels of the pipeline, where quantisation and transform are one.
 */
#include <math.h>
#include <stdio.h>

#include "blockpicture.h"
#include "csc.h"
#include "csc601.h"
#include "csckernel.h"
#include "idcthost.h"
#include "idcthostvectorised.h"
#include "idctkernel.h"
#include "iqidctcsckernel.h"
#include "paperchost.h"
#include "reference.h"

/* Of all blocks */
#define CODED_PERCENT 30

#define N_ROUNDS 5
#define RUNS_A_ROUND 3

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

  /* as published */
  float *scales;
  uint32_t *cbp;
  cl_mem scales_buffer, cbp_buffer, float_coeffs_buffer, published_residual_buffer;
  cl_kernel iq_published, idct_published, csc_published;
  int16_t *residual_down;
  uint8_t *rgb_down;

  /* gpuidct, gpucsc */
  BlockPicture block_picture;
  GpuIdctKernels idct_kernels;
  GpuKernelPicture idct_picture;
  uint8_t *host_coeffs, *coeffs_down;
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

/* What the host prepares of QP and of the coded blocks */
static void
make_published (Papers *papers, Stages *stages)
{
  size_t n_mbs = stages->n_blocks / 24;

  stages->scales = papers_alloc (n_mbs * 64);
  stages->cbp = papers_alloc (n_mbs * 4);
  for (size_t mb = 0; mb < n_mbs; mb++) {
    int32_t scale[16];

    paper_c_scales (stages->qp[mb], scale);
    for (unsigned i = 0; i < 16; i++)
      stages->scales[mb * 16 + i] = (float) scale[i];
  }
  for (size_t k = 0; k < stages->n_coded; k++) {
    uint32_t blk = stages->coded[k] % 24;

    stages->cbp[stages->coded[k] / 24] |= blk < 16 ? 1u << blk / 4 : 2u << 4;
  }
  stages->residual_down = papers_alloc (stages->n_blocks * 32);
  stages->rgb_down = papers_alloc ((size_t) stages->width * stages->height * 4);
  stages->scales_buffer = kernel_test_buffer (&papers->test, stages->scales, n_mbs * 64);
  stages->cbp_buffer = kernel_test_buffer (&papers->test, stages->cbp, n_mbs * 4);
  stages->float_coeffs_buffer = kernel_test_buffer (&papers->test, NULL, stages->n_blocks * 64);
  /* cleared: what coded_block_pattern leaves out is not written */
  stages->published_residual_buffer = kernel_test_buffer (&papers->test, stages->residual_down, stages->n_blocks * 32);
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
  make_published (papers, stages);
}

static void
free_stages (Stages *stages)
{
  void *const memory[] = { stages->levels, stages->residual, stages->coeffs, stages->coded, stages->qp, stages->picture, stages->rgb,
    stages->scales, stages->cbp, stages->residual_down, stages->rgb_down };
  const cl_mem buffers[] = { stages->scales_buffer, stages->cbp_buffer, stages->float_coeffs_buffer, stages->published_residual_buffer,
    stages->levels_buffer, stages->coeffs_buffer, stages->residual_buffer, stages->coded_buffer, stages->qp_buffer, stages->picture_buffer,
    stages->rgb_buffer };

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

  size_t pixels = (size_t) stages->width * stages->height;
  Csc601Picture picture = { .planes = { stages->picture, stages->picture + pixels, stages->picture + pixels * 5 / 4 },
    .strides = { stages->width, stages->width / 2, stages->width / 2 },
    .width = stages->width,
    .height = stages->height };

  csc_601_to_rgba (&picture, stages->rgb, (size_t) stages->width * 4);
}

/* Both, of the same lists */
static void
run_iq_idct_c (Papers *papers, void *user)
{
  run_iq_c (papers, user);
  run_idct_c (papers, user);
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
run_iq_published (Papers *papers, void *user)
{
  Stages *stages = user;
  GpuLaunches launches = begin (papers);

  gpu_iq_published_enqueue (stages->iq_published, &launches, stages->levels_buffer, stages->scales_buffer, stages->float_coeffs_buffer,
      (cl_uint) (stages->n_blocks / 24));
  kernel_test_check (launches.err, "gpu_iq_published_enqueue");
}

static void
run_idct_published (Papers *papers, void *user)
{
  Stages *stages = user;
  GpuLaunches launches = begin (papers);

  gpu_idct_published_enqueue (stages->idct_published, &launches, stages->float_coeffs_buffer, stages->published_residual_buffer,
      stages->cbp_buffer, (cl_uint) (stages->n_blocks / 24));
  kernel_test_check (launches.err, "gpu_idct_published_enqueue");
}

static void
run_csc_published (Papers *papers, void *user)
{
  Stages *stages = user;
  GpuLaunches launches = begin (papers);

  gpu_csc_published_enqueue (stages->csc_published, &launches, stages->picture_buffer, stages->rgb_buffer, stages->width, stages->height);
  kernel_test_check (launches.err, "gpu_csc_published_enqueue");
}

/* Levels, scales and coded_block_pattern up, residuals down: the host predicts and filters */
static void
run_iq_idct_transfers (Papers *papers, void *user)
{
  Stages *stages = user;
  cl_command_queue queue = papers->queues[0];
  size_t n_mbs = stages->n_blocks / 24;

  papers_upload (papers, queue, stages->levels_buffer, 0, stages->levels, stages->n_blocks * 32);
  papers_upload (papers, queue, stages->scales_buffer, 0, stages->scales, n_mbs * 64);
  papers_upload (papers, queue, stages->cbp_buffer, 0, stages->cbp, n_mbs * 4);
  run_iq_published (papers, stages);
  run_idct_published (papers, stages);
  papers_download (papers, queue, stages->published_residual_buffer, 0, stages->residual_down, stages->n_blocks * 32);
}

static void
transfer_csc (Papers *papers, Stages *stages, PapersFunction function)
{
  size_t pixels = (size_t) stages->width * stages->height;

  papers_upload (papers, papers->queues[0], stages->picture_buffer, 0, stages->picture, pixels * 3 / 2);
  function (papers, stages);
  papers_download (papers, papers->queues[0], stages->rgb_buffer, 0, stages->rgb_down, pixels * 4);
}

static void
run_csc_transfers (Papers *papers, void *user)
{
  transfer_csc (papers, user, run_csc_published);
}

static void
verify_buffer (Papers *papers, const char *what, const void *expected, cl_mem buffer, size_t size, unsigned element)
{
  void *actual = papers_alloc (size);

  kernel_test_read (&papers->test, buffer, actual, size);
  papers_verify (papers, what, expected, actual, size, element);
  free (actual);
}

/* Floating point ends within one of what integers give. */
static void
verify_csc_published (Papers *papers, Stages *stages)
{
  size_t size = (size_t) stages->width * stages->height * 4;

  run_csc_published (papers, stages);
  kernel_test_read (&papers->test, stages->rgb_buffer, stages->rgb_down, size);
  for (size_t i = 0; i < size; i++)
    if (abs (stages->rgb_down[i] - stages->rgb[i]) > 1) {
      fprintf (stderr, "CSC as published: byte %zu is %u, not %u; nothing is measured\n", i, stages->rgb_down[i], stages->rgb[i]);
      exit (1);
    }
}

static void
verify_published (Papers *papers, Stages *stages)
{
  float *expected = papers_alloc (stages->n_blocks * 64);

  for (size_t i = 0; i < stages->n_blocks * 16; i++)
    expected[i] = (float) stages->coeffs[i];
  run_iq_idct_transfers (papers, stages);
  verify_buffer (papers, "IQ as published", expected, stages->float_coeffs_buffer, stages->n_blocks * 64, 4);
  papers_verify (papers, "IDCT as published", stages->residual, stages->residual_down, stages->n_blocks * 32, 2);
  verify_csc_published (papers, stages);
  free (expected);
}

static void
verify_stages (Papers *papers, Stages *stages)
{
  run_iq_idct_c (papers, stages);
  run_csc_c (papers, stages);
  run_iq (papers, stages);
  run_idct (papers, stages);
  run_csc (papers, stages);
  verify_buffer (papers, "IQ", stages->coeffs, stages->coeffs_buffer, stages->n_blocks * 64, 4);
  verify_buffer (papers, "IDCT", stages->residual, stages->residual_buffer, stages->n_blocks * 32, 2);
  verify_buffer (papers, "CSC", stages->rgb, stages->rgb_buffer, (size_t) stages->width * stages->height * 4, 1);
  verify_published (papers, stages);
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

/* Levels up, residuals down */
static void
run_gpuidct_transfers (Papers *papers, void *user)
{
  Stages *stages = user;
  size_t size = stages->block_picture.head.coeffs_size;

  papers_upload (papers, papers->queues[0], stages->idct_picture.coeffs, 0, stages->block_picture.coeffs, size);
  run_gpuidct (papers, stages);
  papers_download (papers, papers->queues[0], stages->idct_picture.coeffs, 0, stages->coeffs_down, size);
}

/* The same lists in C, 8x8 blocks too: levels become residuals in place, so later runs read other numbers, in as many blocks */
static void
run_host_idct (Papers *papers, void *user)
{
  Stages *stages = user;
  const BlockPicture *picture = &stages->block_picture;
  IdctHost host = { picture->header, block_picture_layout (picture), picture->dc, stages->host_coeffs };

  idct_host_run (idct_host_vectorised (), &host, block_picture_segments (picture), picture->head.first[GST_GPU_KIND_8x8 + 1]);
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
  stages->host_coeffs = papers_alloc (head->coeffs_size);
  stages->coeffs_down = papers_alloc (head->coeffs_size);
  memcpy (stages->host_coeffs, picture->coeffs, head->coeffs_size);
  run_host_idct (papers, stages);
  papers_verify (papers, "C", picture->expected, stages->host_coeffs, head->coeffs_size, 2);
}

static void
free_gpuidct (Stages *stages)
{
  clReleaseMemObject (stages->idct_picture.header);
  clReleaseMemObject (stages->idct_picture.coeffs);
  clReleaseMemObject (stages->idct_picture.dc);
  free (stages->host_coeffs);
  free (stages->coeffs_down);
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

static void
run_gpucsc_transfers (Papers *papers, void *user)
{
  transfer_csc (papers, user, run_gpucsc);
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

/* What is compared with each other; the first row of a group is C on one core */
typedef struct
{
  const char *stage, *variant;
  PapersFunction function;
  int published; /* index, or -1 */
} StageRow;

static const StageRow stage_rows[] = {
  { "IQ", "C on one core", run_iq_c, 0 },
  { "IQ", "as published", run_iq_published, 0 },
  { "IQ", "lists", run_iq, -1 },
  { "IDCT", "C on one core", run_idct_c, 1 },
  { "IDCT", "as published", run_idct_published, 1 },
  { "IDCT", "lists", run_idct, -1 },
  { "IQ and IDCT", "C on one core", run_iq_idct_c, -1 },
  { "IQ and IDCT", "as published; transfers", run_iq_idct_transfers, -1 },
  { "IQ and IDCT; 8x8 too", "C on one core", run_host_idct, -1 },
  { "IQ and IDCT; 8x8 too", "gpuidct", run_gpuidct, -1 },
  { "IQ and IDCT; 8x8 too", "gpuidct; transfers", run_gpuidct_transfers, -1 },
  { "CSC", "C on one core", run_csc_c, 2 },
  { "CSC", "as published", run_csc_published, 2 },
  { "CSC", "lists", run_csc, -1 },
  { "CSC", "gpucsc", run_gpucsc, -1 },
  { "CSC", "as published; transfers", run_csc_transfers, -1 },
  { "CSC", "gpucsc; transfers", run_gpucsc_transfers, -1 },
};
#define N_ROWS (sizeof (stage_rows) / sizeof (stage_rows[0]))

typedef struct
{
  double wall[N_ROUNDS], kernel[N_ROUNDS], ratio[N_ROUNDS];
} RowTimes;

static int
is_first (unsigned row)
{
  return row == 0 || strcmp (stage_rows[row].stage, stage_rows[row - 1].stage) != 0;
}

/* All rows in turn, several rounds: ratios are of medians of the same round, wall time by wall time. */
static void
measure_rows (Papers *papers, Stages *stages, RowTimes times[N_ROWS])
{
  unsigned n_runs = papers->n_runs;

  papers->n_runs = RUNS_A_ROUND;
  for (unsigned round = 0; round < N_ROUNDS; round++) {
    double c = 0;

    for (unsigned row = 0; row < N_ROWS; row++) {
      PapersTiming timing;

      papers_measure (papers, stage_rows[row].function, stages, &timing);
      c = is_first (row) ? timing.wall.median : c;
      times[row].wall[round] = timing.wall.median;
      times[row].kernel[round] = timing.event[PAPERS_KERNEL].median;
      times[row].ratio[round] = c / timing.wall.median;
    }
  }
  papers->n_runs = n_runs;
}

static void
measure_size (Papers *papers, PapersTable *table, Stages *stages, unsigned size)
{
  static RowTimes times[N_ROWS];

  measure_rows (papers, stages, times);
  for (unsigned row = 0; row < N_ROWS; row++) {
    int number = size == 0 ? stage_rows[row].published : -1;
    PapersTime wall, kernel, ratio;

    papers_summarise (times[row].wall, N_ROUNDS, &wall);
    papers_summarise (times[row].kernel, N_ROUNDS, &kernel);
    papers_summarise (times[row].ratio, N_ROUNDS, &ratio);
    papers_cell (table, "%s", stage_rows[row].stage);
    papers_cell (table, "%s", sizes[size].name);
    papers_cell (table, "%s", stage_rows[row].variant);
    papers_cell_time (table, &wall, 1e6);
    papers_cell (table, "%.4g", kernel.median / 1e6);
    papers_cell_time (table, &ratio, 1);
    papers_cell_if (table, number >= 0, "%.4g", number < 0 ? 0 : is_first (row) ? published[number].c_ms : published[number].device_ms);
    papers_cell_if (table, number >= 0 && !is_first (row), "%.4g", number < 0 ? 0 : published[number].ratio);
  }
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

static const char *const kernel_names[] = { "gpu_iq", "gpu_idct_apart", "gpu_csc_apart", "gpu_iq_published", "gpu_idct_published",
  "gpu_csc_published" };

int
paper_c_run (Papers *papers)
{
  cl_program program = kernel_test_build (&papers->test, gpu_iqidctcsc_source, "");
  PapersTable *table = NULL;
  static Stages stages;
  cl_kernel *const kernels[] = { &stages.iq, &stages.idct, &stages.csc, &stages.iq_published, &stages.idct_published,
    &stages.csc_published };

  memset (&stages, 0, sizeof (stages));
  for (unsigned i = 0; i < 6; i++)
    *kernels[i] = papers_kernel (program, kernel_names[i]);
  init_elements (papers, &stages);
  if (!papers->verify)
    table = papers_table_open (papers, "c-stages",
        "IQ, IDCT and CSC alone (wall time; kernel: event time; ratio: wall time of C by that of the row)",
        "stage,size,variant,min_ms,median_ms,max_ms,kernel_ms,ratio_min,ratio,ratio_max,published_ms,published_ratio");
  for (unsigned size = 0; size < (papers->verify ? 2 : papers->quick ? N_SIZES - 1 : N_SIZES); size++)
    run_size (papers, table, &stages, size);
  if (table)
    papers_table_close (table);
  gpu_idct_kernels_clear (&stages.idct_kernels);
  gpu_csc_kernels_clear (&stages.csc_kernels);
  for (unsigned i = 0; i < 6; i++)
    clReleaseKernel (*kernels[i]);
  clReleaseProgram (program);
  return 0;
}
