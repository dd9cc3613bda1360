/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Intra prediction of 4x4 blocks: the 2-D scan, the wavefronts, and the launch that the pipeline uses, on pictures of the paper's cases.
 */
#include <math.h>
#include <stdio.h>

#include "blockwavekernel.h"
#include "edgepicture.h"
#include "edges.h"
#include "edgescankernel.h"
#include "intrapredkernel.h"
#include "paperdintra.h"
#include "paperdsizes.h"

/* Joins on a CPU, where each level costs more than the waves that it saves */
#define CPU_LEVELS 1

typedef struct
{
  unsigned width, height;
  EdgePictureKind kind;
  uint8_t *modes, *conformant, *actual;
  int16_t *residual;
  float *plane; /* float, or int where restricted */
  size_t plane_size;
  cl_mem modes_buffer, residual_buffer, picture_buffer, plane_buffer;

  /* what is measured */
  cl_kernel wave;
  GpuBlockWave direction;
  GpuEdgeScan scan;
  GpuIntrapredKernels intrapred;
  GpuKernelPicture records;
} Intra;

static void
make_intra (Papers *papers, Intra *intra, EdgePictureKind kind, const PaperDSize *size)
{
  size_t n = (size_t) size->width * size->height;

  intra->width = size->width;
  intra->height = size->height;
  intra->kind = kind;
  intra->plane_size = (size_t) (size->width + 1) * (size->height + 1) * sizeof (float);
  intra->modes = papers_alloc (n / 16);
  intra->conformant = papers_alloc (n);
  intra->actual = papers_alloc (n);
  intra->residual = papers_alloc (n * 2);
  intra->plane = papers_alloc (intra->plane_size);
  edge_picture_make (&papers->test, kind, size->width, size->height, 4, intra->modes, intra->residual);
  gpu_reference_edges (intra->modes, intra->residual, size->width, size->height, intra->conformant);
  intra->modes_buffer = kernel_test_buffer (&papers->test, intra->modes, n / 16);
  intra->residual_buffer = kernel_test_buffer (&papers->test, intra->residual, n * 2);
  intra->picture_buffer = kernel_test_buffer (&papers->test, NULL, n);
  intra->plane_buffer = kernel_test_buffer (&papers->test, intra->plane, intra->plane_size);
}

static void
free_intra (Intra *intra)
{
  free (intra->modes);
  free (intra->conformant);
  free (intra->actual);
  free (intra->residual);
  free (intra->plane);
  clReleaseMemObject (intra->modes_buffer);
  clReleaseMemObject (intra->residual_buffer);
  clReleaseMemObject (intra->picture_buffer);
  clReleaseMemObject (intra->plane_buffer);
}

/* The picture as a conformant variant left it */
static void
verify_conformant (Papers *papers, Intra *intra, const char *what)
{
  size_t size = (size_t) intra->width * intra->height;

  kernel_test_read (&papers->test, intra->picture_buffer, intra->actual, size);
  papers_verify (papers, what, intra->conformant, intra->actual, size, 1);
}

/* ---- wavefronts ---- */

static void
run_wave (Papers *papers, void *user)
{
  Intra *intra = user;
  GpuLaunches launches = paper_d_launches (papers);

  gpu_block_wave_enqueue (intra->wave, &launches, intra->modes_buffer, intra->residual_buffer, intra->picture_buffer, intra->width,
      intra->height, intra->direction);
  kernel_test_check (launches.err, "gpu_block_wave_enqueue");
}

/* ---- scan ---- */

static void
run_scan (Papers *papers, void *user)
{
  Intra *intra = user;
  GpuLaunches launches = paper_d_launches (papers);

  gpu_edge_scan_enqueue (&intra->scan, &launches, intra->modes_buffer, intra->residual_buffer, intra->plane_buffer, intra->picture_buffer);
  kernel_test_check (launches.err, "gpu_edge_scan_enqueue");
}

/* Against unclipped prediction block after block, within the bound of single precision; exact where restricted */
static void
verify_scan (Papers *papers, Intra *intra, unsigned n_levels)
{
  size_t n = (size_t) intra->width * intra->height;
  double *expected = papers_alloc (n * sizeof (*expected)), largest = 0, worst = 0, bound;

  gpu_reference_edges_unclipped (intra->modes, intra->residual, intra->width, intra->height, expected);
  run_scan (papers, intra);
  kernel_test_read (&papers->test, intra->plane_buffer, intra->plane, intra->plane_size);
  for (size_t i = 0; i < n; i++) {
    size_t at = (i / intra->width + 1) * (intra->width + 1) + i % intra->width + 1;
    double value = intra->kind == EDGE_PICTURE_RESTRICTED ? ((int32_t *) intra->plane)[at] : intra->plane[at];

    largest = fmax (largest, fabs (expected[i]));
    worst = fmax (worst, fabs (value - expected[i]));
  }
  bound = intra->kind == EDGE_PICTURE_RESTRICTED ? 0 : fmin (1.0 / 32, edge_picture_bound (intra->width, intra->height, n_levels, largest));
  free (expected);
  if (worst <= bound)
    return;
  fprintf (stderr, "scan, %s: error %g, more than %g; nothing is measured\n", edge_picture_kinds[intra->kind], worst, bound);
  exit (1);
}

/* ---- gpuintrapred ---- */

static const uint8_t raster_of_block[16] = { 0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15 };

/* Record and residual of a macroblock; all blocks with a residual stand in the arena */
static void
fill_macroblock (const Intra *intra, unsigned mb_x, unsigned mb_y, GstGpuMb *mb, int16_t *arena, gst_gpu_u32 *next)
{
  mb->available = (mb_x ? GST_GPU_AVAILABLE_A | GST_GPU_AVAILABLE_A_LOWER : 0) | (mb_y ? GST_GPU_AVAILABLE_B : 0)
      | (mb_x && mb_y ? GST_GPU_AVAILABLE_D : 0) | (mb_y && mb_x + 1 < intra->width / 16 ? GST_GPU_AVAILABLE_C : 0);
  mb->first_4x4 = *next;
  for (unsigned blk = 0; blk < 16; blk++) {
    unsigned x = mb_x * 4 + raster_of_block[blk] % 4, y = mb_y * 4 + raster_of_block[blk] / 4;
    int16_t *block = arena + (size_t) *next * 16, any = 0;

    mb->intra_modes[blk / 2] |= (gst_gpu_u8) (intra->modes[y * (intra->width / 4) + x] << blk % 2 * 4);
    for (unsigned i = 0; i < 16; i++)
      any |= block[i] = intra->residual[(size_t) (y * 4 + i / 4) * intra->width + x * 4 + i % 4];
    if (!any)
      continue;
    mb->coded[0] |= (gst_gpu_u16) (1 << blk);
    *next += 1;
  }
}

static void
make_records (Papers *papers, Intra *intra)
{
  unsigned across = intra->width / 16, down = intra->height / 16;
  size_t n = (size_t) across * down;
  GstGpuMb *mbs = papers_alloc (n * sizeof (*mbs));
  int16_t *arena = papers_alloc ((n * 16 + 1) * 32);
  gst_gpu_u32 next = 0;

  for (size_t i = 0; i < n; i++)
    fill_macroblock (intra, (unsigned) (i % across), (unsigned) (i / across), &mbs[i], arena, &next);
  memset (&intra->records, 0, sizeof (intra->records));
  intra->records.params = (GstGpuPicture){ .width_in_mbs = across,
    .height_in_mbs = down,
    .bit_depth_luma = 8,
    .bit_depth_chroma = 8,
    .n_slices = 1,
    .slices_contiguous = 1,
    .plane_stride = { intra->width } };
  intra->records.header = kernel_test_buffer (&papers->test, mbs, n * sizeof (*mbs));
  intra->records.coeffs = kernel_test_buffer (&papers->test, arena, (n * 16 + 1) * 32);
  intra->records.dc = kernel_test_buffer (&papers->test, NULL, n * 48 * 4);
  intra->records.surface = intra->picture_buffer;
  free (mbs);
  free (arena);
}

static void
free_records (Intra *intra)
{
  clReleaseMemObject (intra->records.header);
  clReleaseMemObject (intra->records.coeffs);
  clReleaseMemObject (intra->records.dc);
}

static void
run_intrapred (Papers *papers, void *user)
{
  Intra *intra = user;
  cl_event event = NULL;

  kernel_test_check (gpu_intrapred_enqueue (&intra->intrapred, papers->queues[0], &intra->records,
                         gpu_kernel_device_get_wavefront (&papers->test.device), 0, NULL, &event, NULL),
      "gpu_intrapred_enqueue");
  papers_take_event (papers, PAPERS_KERNEL, event);
}

/* ---- the table ---- */

static void
write_row (Papers *papers, PapersTable *table, const Intra *intra, const PaperDSize *size, const char *variant, const PapersTiming *timing,
    double baseline, double published)
{
  papers_cell (table, "%s", edge_picture_kinds[intra->kind]);
  papers_cell (table, "%s", size->name);
  papers_cell (table, "%s", variant);
  paper_d_row (table, timing, baseline, published);
}

/* Median of the north-west wavefront */
static double
measure_waves (Papers *papers, PapersTable *table, Intra *intra, const PaperDSize *size)
{
  static const char *const names[3] = { "", "wavefront north-west", "wavefront north-north-west" };
  double baseline = 0;

  for (intra->direction = GPU_BLOCK_WAVE_NORTH_WEST; intra->direction <= GPU_BLOCK_WAVE_NORTH_NORTH_WEST; intra->direction++) {
    PapersTiming timing;

    run_wave (papers, intra);
    verify_conformant (papers, intra, names[intra->direction]);
    if (!table)
      continue;
    papers_measure (papers, run_wave, intra, &timing);
    if (intra->direction == GPU_BLOCK_WAVE_NORTH_WEST)
      baseline = timing.wall.median;
    write_row (papers, table, intra, size, names[intra->direction], &timing, baseline, 0);
  }
  return baseline;
}

static void
measure_scan (Papers *papers, PapersTable *table, Intra *intra, const PaperDSize *size, cl_program program, unsigned n_levels,
    double baseline)
{
  int restricted = intra->kind == EDGE_PICTURE_RESTRICTED;
  PapersTiming timing;
  char name[64];

  kernel_test_check (gpu_edge_scan_init (&intra->scan, papers->test.context, program, restricted, intra->width, intra->height, n_levels),
      "gpu_edge_scan_init");
  verify_scan (papers, intra, n_levels);
  if (table) {
    papers_measure (papers, run_scan, intra, &timing);
    snprintf (name, sizeof (name), "scan%s; %u levels", restricted ? " restricted" : "", n_levels);
    write_row (papers, table, intra, size, name, &timing, baseline, size->published_intra[intra->kind]);
  }
  gpu_edge_scan_clear (&intra->scan);
}

/* The restricted scan joins blocks until one is left; the other one as often as the paper does, and on a CPU as often as costs least there.
 *  The paper's levels take seconds a picture on a CPU: they are measured up to 720p there, and not in a quick run. */
static void
measure_scans (Papers *papers, PapersTable *table, Intra *intra, const PaperDSize *size, cl_program program, double baseline)
{
  int is_cpu = papers->test.device.is_cpu;

  if (intra->kind == EDGE_PICTURE_RESTRICTED) {
    measure_scan (papers, table, intra, size, program, gpu_edge_scan_full_levels (intra->width, intra->height), baseline);
    return;
  }
  if (is_cpu)
    measure_scan (papers, table, intra, size, program, CPU_LEVELS, baseline);
  if (!is_cpu || size->width <= (papers->quick ? 352 : 1280))
    measure_scan (papers, table, intra, size, program, size->paper_levels, baseline);
}

static void
measure_gpuintrapred (Papers *papers, PapersTable *table, Intra *intra, const PaperDSize *size, double baseline)
{
  PapersTiming timing;

  make_records (papers, intra);
  run_intrapred (papers, intra);
  verify_conformant (papers, intra, "intrapred");
  if (table) {
    papers_measure (papers, run_intrapred, intra, &timing);
    write_row (papers, table, intra, size, "gpuintrapred's launch", &timing, baseline, 0);
  }
  free_records (intra);
}

static void
init_elements (Papers *papers, GpuIntrapredKernels *kernels, cl_program *program)
{
  GstGpuPicture params = { .bit_depth_luma = 8, .bit_depth_chroma = 8 };
  char options[512];

  gpu_intrapred_options (&papers->test.device, &params, options, sizeof (options));
  *program = kernel_test_build (&papers->test, gpu_intrapred_source, options);
  kernel_test_check (gpu_intrapred_kernels_init (kernels, &papers->test.device, papers->test.context, *program, &params),
      "gpu_intrapred_kernels_init");
}

static void
run_case (Papers *papers, PapersTable *table, Intra *intra, EdgePictureKind kind, const PaperDSize *size)
{
  cl_program program = kernel_test_build (&papers->test, gpu_edgescan_source, gpu_edge_scan_options (kind == EDGE_PICTURE_RESTRICTED));
  double baseline;

  make_intra (papers, intra, kind, size);
  baseline = measure_waves (papers, table, intra, size);
  measure_scans (papers, table, intra, size, program, baseline);
  measure_gpuintrapred (papers, table, intra, size, baseline);
  free_intra (intra);
  clReleaseProgram (program);
}

void
paper_d_intra_run (Papers *papers)
{
  PapersTable *table = NULL;
  cl_program wave_program = kernel_test_build (&papers->test, gpu_blockwave_source, ""), intrapred_program;
  unsigned first, end;
  Intra intra;

  memset (&intra, 0, sizeof (intra));
  intra.wave = papers_kernel (wave_program, "gpu_block_wave");
  init_elements (papers, &intra.intrapred, &intrapred_program);
  if (!papers->verify)
    table = papers_table_open (papers, "d-intra",
        "Pieters et al.: intra prediction of 4x4 blocks (ratio: time of the north-west wavefront over that of the row)",
        "case,size,variant," PAPER_D_COLUMNS);
  paper_d_choose_sizes (papers, &first, &end);
  for (unsigned i = first; i < end; i++)
    for (EdgePictureKind kind = 0; kind < EDGE_PICTURE_N_KINDS; kind++)
      run_case (papers, table, &intra, kind, &paper_d_sizes[i]);
  if (table)
    papers_table_close (table);
  gpu_intrapred_kernels_clear (&intra.intrapred);
  clReleaseProgram (intrapred_program);
  clReleaseKernel (intra.wave);
  clReleaseProgram (wave_program);
}
