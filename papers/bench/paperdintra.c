/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction of 4x4 blocks: the 2-D scan, the wavefronts, and the launch that the pipeline uses, on pictures of the paper's cases.
 */
#include <stdio.h>

#include "blockwavekernel.h"
#include "edgemappingkernel.h"
#include "intrapredkernel.h"
#include "paperdintra.h"
#include "paperdintrapicture.h"

/* Joins on a CPU, where each level costs more than the waves that it saves */
#define CPU_LEVELS 1

/* What all cases use */
typedef struct
{
  cl_program wave_program, intrapred_program, scan_program;
  cl_kernel block_wave, sample_wave;
  GpuIntrapredKernels intrapred;
} Kernels;

/* A row of the table */
typedef struct
{
  const char *name;
  PaperDIntraPicture *picture;
  Kernels *kernels;
  PapersFunction function;
  GpuBlockWave direction;
  unsigned n_levels;
  GpuEdgeScan scan;         /* (where there are levels) */
  GpuEdgeMappings mappings; /* (of run_mapped()) */
  double error;             /* of a scan, the largest */
  double published;
} Variant;

/* ---- variants ---- */

static void
run_wave (Papers *papers, void *user)
{
  const Variant *v = user;
  GpuLaunches launches = paper_d_launches (papers);

  gpu_block_wave_enqueue (v->kernels->block_wave, &launches, v->picture->modes_buffer, v->picture->residual_buffer,
      v->picture->picture_buffer, v->picture->width, v->picture->height, v->direction);
  kernel_test_check (launches.err, "gpu_block_wave_enqueue");
}

static void
run_sample_wave (Papers *papers, void *user)
{
  const Variant *v = user;
  GpuLaunches launches = paper_d_launches (papers);

  gpu_sample_wave_enqueue (v->kernels->sample_wave, &launches, v->picture->modes_buffer, v->picture->residual_buffer,
      v->picture->picture_buffer, v->picture->width, v->picture->height, v->direction);
  kernel_test_check (launches.err, "gpu_sample_wave_enqueue");
}

static void
run_scan (Papers *papers, void *user)
{
  Variant *v = user;
  GpuLaunches launches = paper_d_launches (papers);

  gpu_edge_scan_enqueue (&v->scan, &launches, v->picture->modes_buffer, v->picture->residual_buffer, v->picture->plane_buffer,
      v->picture->picture_buffer);
  kernel_test_check (launches.err, "gpu_edge_scan_enqueue");
}

static void
run_mapped (Papers *papers, void *user)
{
  Variant *v = user;
  GpuLaunches launches = paper_d_launches (papers);

  gpu_edge_mappings_enqueue (&v->mappings, &v->scan, &launches, v->picture->modes_buffer, v->picture->residual_buffer,
      v->picture->plane_buffer, v->picture->picture_buffer);
  kernel_test_check (launches.err, "gpu_edge_mappings_enqueue");
}

static void
run_intrapred (Papers *papers, void *user)
{
  Variant *v = user;
  cl_event event = NULL;

  kernel_test_check (gpu_intrapred_enqueue (&v->kernels->intrapred, papers->queues[0], &v->picture->records,
                         gpu_kernel_device_get_wavefront (&papers->test.device), 0, NULL, &event, NULL),
      "gpu_intrapred_enqueue");
  papers_take_event (papers, PAPERS_KERNEL, event);
}

/* Joined so often */
static void
init_scan (Papers *papers, Variant *v, unsigned n_levels)
{
  v->n_levels = n_levels;
  kernel_test_check (gpu_edge_scan_init (&v->scan, papers->test.context, v->kernels->scan_program,
                         v->picture->kind == EDGE_PICTURE_RESTRICTED, v->picture->width, v->picture->height, n_levels),
      "gpu_edge_scan_init");
}

/* The whole tree, with the paper's mappings, all levels GRID at first */
static void
init_mapped (Papers *papers, Variant *v)
{
  init_scan (papers, v, gpu_edge_scan_full_levels (v->picture->width, v->picture->height));
  kernel_test_check (gpu_edge_mappings_init (&v->mappings, v->kernels->scan_program, v->picture->kind == EDGE_PICTURE_RESTRICTED),
      "gpu_edge_mappings_init");
}

static void
clear_variant (Variant *v)
{
  if (v->function == run_mapped)
    gpu_edge_mappings_clear (&v->mappings);
  if (v->n_levels)
    gpu_edge_scan_clear (&v->scan);
}

static void
finish (Papers *papers)
{
  kernel_test_check (clFinish (papers->queues[0]), "clFinish");
}

/* Compares its output; returns the time that it took, in ns. */
static double
verify_variant (Papers *papers, Variant *v)
{
  double start = kernel_test_now ();

  v->function (papers, v);
  finish (papers);
  start = kernel_test_now () - start;
  if (v->n_levels)
    v->error = paper_d_intra_picture_verify_scan (papers, v->picture, v->name, v->n_levels);
  else
    paper_d_intra_picture_verify (papers, v->picture, v->name);
  return start;
}

/* ---- the table ---- */

#define COLUMNS                                                                                                                \
  "case,size,variant,launches,runs,min_ms,median_ms,max_ms,kernel_ms,ratio_north_west,ratio_north_north_west,published_ratio," \
  "largest_error"

typedef struct
{
  PapersTable *table;                  /* NULL: compare only */
  double north_west, north_north_west; /* medians of the wavefronts, in ns */
} Output;

static void
write_row (Papers *papers, const Output *output, const Variant *v, const PaperDSize *size, const PapersTiming *timing)
{
  PapersTable *table = output->table;

  papers_cell (table, "%s", edge_picture_kinds[v->picture->kind]);
  papers_cell (table, "%s", size->name);
  papers_cell (table, "%s", v->name);
  papers_cell (table, "%u", timing->n_commands[PAPERS_KERNEL]);
  papers_cell (table, "%u", papers->n_runs);
  papers_cell_time (table, &timing->wall, 1e6);
  papers_cell (table, "%.4g", timing->event[PAPERS_KERNEL].median / 1e6);
  papers_cell (table, "%.3g", output->north_west / timing->wall.median);
  papers_cell (table, "%.3g", output->north_north_west / timing->wall.median);
  papers_cell_if (table, v->published > 0, "%.1f", v->published);
  papers_cell_if (table, v->n_levels > 0, "%.2g", v->error);
}

#define MAX_FAST 8

/* Variants of milliseconds: a run of each in turn.  The first two are the wavefronts, of whose times all ratios are. */
static void
measure_in_turn (Papers *papers, Output *output, Variant *variants, unsigned n, const PaperDSize *size)
{
  PapersRow rows[MAX_FAST];

  for (unsigned i = 0; i < n; i++) {
    rows[i] = (PapersRow){ variants[i].function, &variants[i], { { 0 }, { { 0 } }, { 0 } } };
    verify_variant (papers, &variants[i]);
  }
  if (!output->table)
    return;
  papers_measure_in_turn (papers, rows, n);
  output->north_west = rows[0].timing.wall.median;
  output->north_north_west = rows[1].timing.wall.median;
  for (unsigned i = 0; i < n; i++)
    write_row (papers, output, &variants[i], size, &rows[i].timing);
}

/* Of long runs there are fewer */
#define LONG_RUNS_NS 10e9
#define LEAST_RUNS 3

static void
measure_alone (Papers *papers, const Output *output, Variant *v, const PaperDSize *size)
{
  double time = verify_variant (papers, v);
  unsigned n_runs = papers->n_runs;
  PapersTiming timing;

  if (output->table) {
    if (time * n_runs > LONG_RUNS_NS)
      papers->n_runs = time * LEAST_RUNS > LONG_RUNS_NS ? LEAST_RUNS : (unsigned) (LONG_RUNS_NS / time);
    papers_measure (papers, v->function, v, &timing);
    write_row (papers, output, v, size, &timing);
    papers->n_runs = n_runs;
  }
  clear_variant (v);
}

/* ---- a case ---- */

/* The wavefronts, our scan, the paper's where it is as fast as they are, and gpuintrapred */
static unsigned
make_fast (Papers *papers, Variant *variants, PaperDIntraPicture *picture, Kernels *kernels, const PaperDSize *size)
{
  const Variant common = { .picture = picture, .kernels = kernels };
  unsigned n = 0;

  for (unsigned i = 0; i < MAX_FAST; i++)
    variants[i] = common;
  variants[n].direction = GPU_BLOCK_WAVE_NORTH_WEST;
  variants[n].function = run_wave;
  variants[n++].name = "wavefront north-west";
  variants[n].direction = GPU_BLOCK_WAVE_NORTH_NORTH_WEST;
  variants[n].function = run_wave;
  variants[n++].name = "wavefront north-north-west";
  variants[n].function = run_intrapred;
  variants[n++].name = "gpuintrapred";
  variants[n].function = run_scan;
  if (picture->kind != EDGE_PICTURE_RESTRICTED) {
    init_scan (papers, &variants[n], papers->test.device.is_cpu ? CPU_LEVELS : size->paper_levels);
    variants[n++].name = papers->test.device.is_cpu ? "scan; 1 level" : "scan; few levels";
    return n;
  }
  init_scan (papers, &variants[n], gpu_edge_scan_full_levels (picture->width, picture->height));
  variants[n++].name = "scan; all levels";
  init_mapped (papers, &variants[n]);
  gpu_edge_mappings_set_paper (&variants[n].mappings, 0);
  variants[n].published = size->published_intra[picture->kind];
  variants[n].function = run_mapped;
  variants[n++].name = "paper";
  return n;
}

/* The mappings alone, and where all modes are the paper's trees, which take long */
static void
measure_mappings (Papers *papers, const Output *output, PaperDIntraPicture *picture, Kernels *kernels, const PaperDSize *size)
{
  static const char *const names[6] = { "a work-item a block", "a work-group a block", "three launches",
    "three launches; 32 work-items a row", "paper", "paper; 32 work-items a row" };
  int restricted = picture->kind == EDGE_PICTURE_RESTRICTED, is_small = size->width <= (papers->quick ? 352 : 720);
  int is_cpu = papers->test.device.is_cpu;

  for (unsigned i = 6; i-- > 0;) {
    Variant v = { .name = names[i], .picture = picture, .kernels = kernels, .function = run_mapped };

    if (restricted ? i == 3 || i > 3 : is_cpu && (i == 4 ? papers->quick && size->width > 1280 : !is_small))
      continue;
    init_mapped (papers, &v);
    if (i < 4)
      gpu_edge_mappings_set_all (&v.mappings, (GpuEdgeMapping) i);
    else
      gpu_edge_mappings_set_paper (&v.mappings, i == 5);
    v.published = i == 4 ? size->published_intra[picture->kind] : 0;
    measure_alone (papers, output, &v, size);
  }
}

/* Waves of 1x1 blocks, where a sample depends on one sample */
static void
measure_sample_waves (Papers *papers, const Output *output, PaperDIntraPicture *picture, Kernels *kernels, const PaperDSize *size)
{
  static const char *const names[3] = { "", "1x1 wavefront north-west", "1x1 wavefront north-north-west" };

  for (GpuBlockWave direction = GPU_BLOCK_WAVE_NORTH_WEST; direction <= GPU_BLOCK_WAVE_NORTH_NORTH_WEST; direction++) {
    Variant v = { .name = names[direction], .picture = picture, .kernels = kernels, .function = run_sample_wave, .direction = direction };

    measure_alone (papers, output, &v, size);
  }
}

static void
build_scan (Papers *papers, Kernels *kernels, EdgePictureKind kind)
{
  kernels->scan_program =
      kernel_test_build (&papers->test, gpu_edgescan_source, gpu_edge_mappings_options (kind == EDGE_PICTURE_RESTRICTED));
}

static void
run_case (Papers *papers, PapersTable *table, Kernels *kernels, EdgePictureKind kind, const PaperDSize *size)
{
  Output output = { .table = table };
  PaperDIntraPicture picture;
  Variant fast[MAX_FAST];
  unsigned n;

  build_scan (papers, kernels, kind);
  paper_d_intra_picture_make (papers, &picture, kind, size);
  n = make_fast (papers, fast, &picture, kernels, size);
  measure_in_turn (papers, &output, fast, n, size);
  for (unsigned i = 0; i < n; i++)
    clear_variant (&fast[i]);
  measure_mappings (papers, &output, &picture, kernels, size);
  if (kind == EDGE_PICTURE_RESTRICTED)
    measure_sample_waves (papers, &output, &picture, kernels, size);
  paper_d_intra_picture_clear (&picture);
  clReleaseProgram (kernels->scan_program);
}

/* ---- whether the restricted scan beats the wavefront ---- */

#define N_ROUNDS 3

/* One round: each in turn, medians */
static void
write_round (Papers *papers, PapersTable *table, Variant *variants, unsigned n, const PaperDSize *size, unsigned round)
{
  PapersRow rows[MAX_FAST];
  double median[MAX_FAST];

  for (unsigned i = 0; i < n; i++)
    rows[i] = (PapersRow){ variants[i].function, &variants[i], { { 0 }, { { 0 } }, { 0 } } };
  papers_measure_in_turn (papers, rows, n);
  for (unsigned i = 0; i < n; i++)
    median[i] = rows[i].timing.wall.median;
  papers_cell (table, "%s", size->name);
  papers_cell (table, "%u", round);
  for (unsigned i = 0; i < 2; i++)
    papers_cell (table, "%.4g", median[i] / 1e6);
  for (unsigned i = 3; i < 5; i++) {
    papers_cell (table, "%.4g", median[i] / 1e6);
    papers_cell (table, "%.2f", median[0] / median[i]);
    papers_cell (table, "%.2f", median[1] / median[i]);
  }
  papers_cell_if (table, size->published_intra[EDGE_PICTURE_RESTRICTED] > 0, "%.1f", size->published_intra[EDGE_PICTURE_RESTRICTED]);
}

static void
run_rounds (Papers *papers, Kernels *kernels, unsigned first, unsigned end)
{
  PapersTable *table = papers_table_open (papers, "d-restricted",
      "Pieters et al.: vertical and horizontal prediction alone, three rounds of runs in turn (ratios of medians: wavefront over scan)",
      "size,round,north_west_ms,north_north_west_ms,scan_ms,scan_ratio_north_west,scan_ratio_north_north_west,paper_ms,"
      "paper_ratio_north_west,paper_ratio_north_north_west,published_ratio");

  build_scan (papers, kernels, EDGE_PICTURE_RESTRICTED);
  for (unsigned i = first; i < end; i++) {
    PaperDIntraPicture picture;
    Variant fast[MAX_FAST];
    unsigned n;

    paper_d_intra_picture_make (papers, &picture, EDGE_PICTURE_RESTRICTED, &paper_d_sizes[i]);
    n = make_fast (papers, fast, &picture, kernels, &paper_d_sizes[i]);
    for (unsigned v = 0; v < n; v++)
      verify_variant (papers, &fast[v]);
    for (unsigned round = 1; round <= N_ROUNDS; round++)
      write_round (papers, table, fast, n, &paper_d_sizes[i], round);
    for (unsigned v = 0; v < n; v++)
      clear_variant (&fast[v]);
    paper_d_intra_picture_clear (&picture);
  }
  papers_table_close (table);
  clReleaseProgram (kernels->scan_program);
}

static void
init_kernels (Papers *papers, Kernels *kernels)
{
  GstGpuPicture params = { .bit_depth_luma = 8, .bit_depth_chroma = 8 };
  char options[512];

  kernels->wave_program = kernel_test_build (&papers->test, gpu_blockwave_source, "");
  kernels->block_wave = papers_kernel (kernels->wave_program, "gpu_block_wave");
  kernels->sample_wave = papers_kernel (kernels->wave_program, "gpu_sample_wave");
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
  clReleaseKernel (kernels->sample_wave);
  clReleaseProgram (kernels->wave_program);
  clReleaseProgram (kernels->intrapred_program);
}

static void
run_cases (Papers *papers, Kernels *kernels, unsigned first, unsigned end)
{
  PapersTable *table = NULL;

  if (!papers->verify)
    table = papers_table_open (papers, "d-intra",
        "Pieters et al.: intra prediction of 4x4 blocks (ratios: time of the wavefronts of 4x4 blocks over that of the row)", COLUMNS);
  for (unsigned i = first; i < end; i++)
    for (EdgePictureKind kind = 0; kind < EDGE_PICTURE_N_KINDS; kind++)
      run_case (papers, table, kernels, kind, &paper_d_sizes[i]);
  if (table)
    papers_table_close (table);
}

void
paper_d_intra_run (Papers *papers)
{
  Kernels kernels;
  unsigned first, end;

  memset (&kernels, 0, sizeof (kernels));
  init_kernels (papers, &kernels);
  paper_d_choose_sizes (papers, &first, &end);
  if (papers_wants (papers, "d-intra"))
    run_cases (papers, &kernels, first, end);
  if (papers_wants (papers, "d-restricted") && !papers->verify)
    run_rounds (papers, &kernels, first, end);
  clear_kernels (&kernels);
}
