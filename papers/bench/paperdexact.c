/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "blockwavekernel.h"
#include "capturefolder.h"
#include "edgescankernel.h"
#include "intrapredkernel.h"
#include "paperdexact.h"
#include "paperdintrapicture.h"

/* Joined so often where a prediction takes several samples, which on a CPU takes the least time (restricted: the whole tree) */
#define LEVELS 1

typedef struct
{
  cl_program scans[2], waves, intrapred_program; /* scans[1]: restricted */
  cl_kernel block_wave;
  GpuIntrapredKernels intrapred;
} Kernels;

/* A picture, and what predicts it */
typedef struct
{
  Kernels *kernels;
  PaperDIntraPicture picture;
  GpuEdgeScan scan;
  GpuBlockRepair repair;
} Exact;

/* ---- the ways ---- */

static void
run_wave (Papers *papers, void *user)
{
  Exact *self = user;
  GpuLaunches launches = paper_d_launches (papers);

  gpu_block_wave_enqueue (self->kernels->block_wave, &launches, self->picture.modes_buffer, self->picture.residual_buffer,
      self->picture.picture_buffer, self->picture.width, self->picture.height, GPU_BLOCK_WAVE_NORTH_WEST);
  kernel_test_check (launches.err, "gpu_block_wave_enqueue");
}

static void
run_intrapred (Papers *papers, void *user)
{
  Exact *self = user;
  cl_event event = NULL;

  kernel_test_check (gpu_intrapred_enqueue (&self->kernels->intrapred, papers->queues[0], &self->picture.records,
                         gpu_kernel_device_get_wavefront (&papers->test.device), 0, NULL, &event, NULL),
      "gpu_intrapred_enqueue");
  papers_take_event (papers, PAPERS_KERNEL, event);
}

static void
run_scan (Papers *papers, void *user)
{
  Exact *self = user;
  GpuLaunches launches = paper_d_launches (papers);

  gpu_edge_scan_enqueue (&self->scan, &launches, self->picture.modes_buffer, self->picture.residual_buffer, self->picture.plane_buffer,
      self->picture.picture_buffer);
  kernel_test_check (launches.err, "gpu_edge_scan_enqueue");
}

static void
run_exact (Papers *papers, void *user)
{
  Exact *self = user;
  GpuLaunches launches = paper_d_launches (papers);

  run_scan (papers, self);
  gpu_block_repair_enqueue (&self->repair, &launches, self->picture.modes_buffer, self->picture.residual_buffer,
      self->picture.picture_buffer);
  kernel_test_check (launches.err, "gpu_block_repair_enqueue");
}

/* In the order in which they are measured */
static const PapersFunction ways[] = { run_wave, run_intrapred, run_scan, run_exact };
#define N_WAYS (sizeof (ways) / sizeof (ways[0]))

/* ---- a picture ---- */

static void
init_exact (Papers *papers, Exact *self, Kernels *kernels, const LumaCapture *luma)
{
  unsigned full = gpu_edge_scan_full_levels (luma->width, luma->height);

  memset (self, 0, sizeof (*self));
  self->kernels = kernels;
  paper_d_intra_picture_take (papers, &self->picture, luma);
  kernel_test_check (gpu_edge_scan_init (&self->scan, papers->test.context, kernels->scans[luma->restricted], luma->restricted, luma->width,
                         luma->height, luma->restricted ? full : LEVELS),
      "gpu_edge_scan_init");
  kernel_test_check (gpu_block_repair_init (&self->repair, papers->test.context, kernels->waves, luma->width, luma->height),
      "gpu_block_repair_init");
}

static void
clear_exact (Exact *self)
{
  gpu_block_repair_clear (&self->repair);
  gpu_edge_scan_clear (&self->scan);
  paper_d_intra_picture_clear (&self->picture);
}

/* Of the pictures of a capture */
typedef struct
{
  unsigned n_pictures;
  int restricted;
  double marked, rebuilt; /* shares of all blocks */
  unsigned n_launches[N_WAYS];
  double median[N_WAYS]; /* of the first picture, ns */
} Results;

/* Wavefronts and the repaired scan have to give the standard's picture. */
static void
verify (Papers *papers, Exact *self, Results *results)
{
  double blocks = (double) self->picture.width * self->picture.height / 16;
  cl_uint totals[2];

  run_wave (papers, self);
  paper_d_intra_picture_verify (papers, &self->picture, "wavefront");
  run_intrapred (papers, self);
  paper_d_intra_picture_verify (papers, &self->picture, "gpuintrapred");
  run_exact (papers, self);
  paper_d_intra_picture_verify (papers, &self->picture, "scan, repaired");
  kernel_test_check (gpu_block_repair_read_totals (&self->repair, papers->queues[0], totals), "gpu_block_repair_read_totals");
  results->marked += totals[0] / blocks;
  results->rebuilt += totals[1] / blocks;
}

static void
measure (Papers *papers, Exact *self, Results *results)
{
  PapersRow rows[N_WAYS];

  for (unsigned i = 0; i < N_WAYS; i++)
    rows[i] = (PapersRow){ ways[i], self, { { 0 }, { { 0 } }, { 0 } } };
  papers_measure_in_turn (papers, rows, N_WAYS);
  for (unsigned i = 0; i < N_WAYS; i++) {
    results->n_launches[i] = rows[i].timing.n_commands[PAPERS_KERNEL];
    results->median[i] = rows[i].timing.wall.median;
  }
}

/* ---- the table ---- */

static void
write_results (PapersTable *table, const char *path, const Results *results)
{
  luma_capture_write_name (table, path, results->restricted);
  papers_cell (table, "%u", results->n_pictures);
  papers_cell (table, "%.2f", 100 * results->marked / results->n_pictures);
  papers_cell (table, "%.2f", 100 * results->rebuilt / results->n_pictures);
  for (unsigned i = 0; i < N_WAYS; i++) {
    papers_cell (table, "%u", results->n_launches[i]);
    papers_cell (table, "%.4g", results->median[i] / 1e6);
  }
  papers_cell (table, "%.3g", results->median[0] / results->median[N_WAYS - 1]);
  papers_cell (table, "%.3g", results->median[1] / results->median[N_WAYS - 1]);
}

static void
write_capture (Papers *papers, PapersTable *table, Kernels *kernels, const char *path)
{
  Results results = { .restricted = 1 };
  FILE *file = luma_capture_open (path);
  LumaCapture luma;

  while (luma_capture_read (&luma, file)) {
    static Exact exact;

    init_exact (papers, &exact, kernels, &luma);
    verify (papers, &exact, &results);
    if (table && results.n_pictures == 0)
      measure (papers, &exact, &results);
    results.restricted &= luma.restricted;
    results.n_pictures++;
    clear_exact (&exact);
    luma_capture_clear (&luma);
  }
  luma_capture_close (file, path, results.n_pictures);
  if (table && results.n_pictures > 0)
    write_results (table, path, &results);
  else if (!table)
    printf ("D: %s: %u pictures exact by repair\n", strrchr (path, '/') + 1, results.n_pictures);
}

static void
init_kernels (Papers *papers, Kernels *kernels)
{
  GstGpuPicture params = { .bit_depth_luma = 8, .bit_depth_chroma = 8 };
  char options[512];

  for (int restricted = 0; restricted < 2; restricted++)
    kernels->scans[restricted] = kernel_test_build (&papers->test, gpu_edgescan_source, gpu_edge_scan_options (restricted));
  kernels->waves = kernel_test_build (&papers->test, gpu_blockwave_source, "");
  kernels->block_wave = papers_kernel (kernels->waves, "gpu_block_wave");
  gpu_intrapred_options (&papers->test.device, &params, options, sizeof (options));
  kernels->intrapred_program = kernel_test_build (&papers->test, gpu_intrapred_source, options);
  kernel_test_check (gpu_intrapred_kernels_init (&kernels->intrapred, &papers->test.device, papers->test.context,
                         kernels->intrapred_program, &params),
      "gpu_intrapred_kernels_init");
}

static void
clear_kernels (Kernels *kernels)
{
  gpu_intrapred_kernels_clear (&kernels->intrapred);
  clReleaseKernel (kernels->block_wave);
  clReleaseProgram (kernels->scans[0]);
  clReleaseProgram (kernels->scans[1]);
  clReleaseProgram (kernels->waves);
  clReleaseProgram (kernels->intrapred_program);
}

void
paper_d_exact_run (Papers *papers)
{
  PapersTable *table = NULL;
  static Kernels kernels;
  char **paths;
  unsigned n = capture_folder_list (papers, &paths);

  if (!papers->verify)
    table = papers_table_open (papers, "d-exact",
        "Beyond Pieters et al.: scan and repair, on residuals of streams (blocks: per cent of all; times: of the first picture)",
        LUMA_CAPTURE_COLUMNS
        ",pictures,marked_percent,rebuilt_percent,north_west_launches,north_west_ms,gpuintrapred_launches,gpuintrapred_ms,"
        "scan_launches,scan_ms,repaired_launches,repaired_ms,ratio_north_west,ratio_gpuintrapred");
  init_kernels (papers, &kernels);
  for (unsigned i = 0; i < n; i++) {
    write_capture (papers, table, &kernels, paths[i]);
    free (paths[i]);
  }
  free (paths);
  clear_kernels (&kernels);
  if (table)
    papers_table_close (table);
}
