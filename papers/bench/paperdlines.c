/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Prediction along lines by 1-D scans: QP from mb_qp_delta and LP coefficients of JPEG XR.
 */
#include <stdio.h>

#include "paperdlines.h"
#include "paperdsizes.h"
#include "scan.h"
#include "scankernel.h"

/* What the two users of the scan have in common: the methods, and where the result stands */
static const struct
{
  const char *name;
  GpuScanMethod method;
} methods[] = {
  { "wavefront west", GPU_SCAN_WEST },
  { "scan", GPU_SCAN_SCAN },
  { "scan; 64 elements by barriers", GPU_SCAN_LOCAL },
  { "one launch; a work-item a line", GPU_SCAN_SEQUENTIAL },
};
#define N_METHODS (sizeof (methods) / sizeof (methods[0]))

typedef struct
{
  GpuScanKernels *kernels;
  GpuScanMethod method;
  unsigned width, height; /* in macroblocks */
  size_t n;               /* macroblocks */

  /* QP, of macroblocks or of 4x4 blocks */
  unsigned qp_width, qp_height, n_slices; /* slices: rows, or one, which is then the only row */
  size_t n_qp;
  int8_t *deltas, *qp;
  int16_t *slice_qp;
  cl_mem deltas_buffer, slice_qp_buffer, starts_buffer, qp_buffer;

  /* JPEG XR */
  unsigned tile_width, tile_height; /* in macroblocks */
  int is_local;                     /* DC by barriers */
  int32_t *coeffs, *hp, *predicted, *predicted_hp;
  cl_mem coeffs_buffer, hp_buffer, modes_buffer;
} Lines;

/* ---- QP ---- */

/* One QP for each of @width x @height blocks: a slice a row, or one slice, which is a row of its own */
static void
make_qp (Papers *papers, Lines *lines, unsigned width, unsigned height, int one_slice)
{
  cl_uint *starts = papers_alloc ((height + 1) * sizeof (*starts));

  lines->n_qp = (size_t) width * height;
  lines->qp_width = one_slice ? width * height : width;
  lines->qp_height = lines->n_slices = one_slice ? 1 : height;
  lines->deltas = papers_alloc (lines->n_qp);
  lines->qp = papers_alloc (lines->n_qp);
  lines->slice_qp = papers_alloc (lines->n_qp * 2);
  for (size_t i = 0; i < lines->n_qp; i++) {
    lines->deltas[i] = (int8_t) kernel_test_range (&papers->test, -26, 25);
    lines->slice_qp[i] = (int16_t) (i % lines->qp_width ? GPU_SCAN_NO_SLICE : kernel_test_range (&papers->test, 0, 51));
  }
  for (unsigned y = 0; y <= lines->n_slices; y++)
    starts[y] = y * lines->qp_width;
  gpu_reference_qp (lines->deltas, lines->slice_qp, GPU_SCAN_NO_SLICE, lines->n_qp, 0, lines->qp);
  lines->deltas_buffer = kernel_test_buffer (&papers->test, lines->deltas, lines->n_qp);
  lines->slice_qp_buffer = kernel_test_buffer (&papers->test, lines->slice_qp, lines->n_qp * 2);
  lines->starts_buffer = kernel_test_buffer (&papers->test, starts, (lines->n_slices + 1) * sizeof (*starts));
  lines->qp_buffer = kernel_test_buffer (&papers->test, NULL, lines->n_qp);
  free (starts);
}

static void
free_qp (Lines *lines)
{
  free (lines->deltas);
  free (lines->qp);
  free (lines->slice_qp);
  clReleaseMemObject (lines->deltas_buffer);
  clReleaseMemObject (lines->slice_qp_buffer);
  clReleaseMemObject (lines->starts_buffer);
  clReleaseMemObject (lines->qp_buffer);
}

static void
run_qp (Papers *papers, void *user)
{
  Lines *lines = user;
  GpuLaunches launches = paper_d_launches (papers);

  gpu_qp_enqueue (lines->kernels, &launches, lines->deltas_buffer, lines->slice_qp_buffer, lines->starts_buffer, lines->n_slices,
      lines->qp_buffer, lines->qp_width, lines->qp_height, 0, lines->method);
  kernel_test_check (launches.err, "gpu_qp_enqueue");
}

static void
verify_qp (Papers *papers, Lines *lines)
{
  int8_t *actual = papers_alloc (lines->n_qp);

  run_qp (papers, lines);
  kernel_test_read (&papers->test, lines->qp_buffer, actual, lines->n_qp);
  papers_verify (papers, "QP", lines->qp, actual, lines->n_qp, 1);
  free (actual);
}

static void
run_qp_c (Papers *papers, void *user)
{
  Lines *lines = user;

  gpu_reference_qp (lines->deltas, lines->slice_qp, GPU_SCAN_NO_SLICE, lines->n_qp, 0, lines->qp);
}

/* ---- JPEG XR ---- */

/* A picture of ramps, with noise and edges at every 96 samples */
static uint8_t *
make_samples (Papers *papers, const Lines *lines)
{
  size_t width = lines->width * 16, height = lines->height * 16;
  uint8_t *samples = papers_alloc (width * height);

  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++) {
      unsigned kind = (unsigned) (x / 96 * 3 + y / 96) % 4;
      size_t ramp = kind == 0 ? x : kind == 1 ? y : kind == 2 ? x + 2 * y : 3 * (x / 32 * 20 + y / 48 * 9);

      samples[y * width + x] = (uint8_t) (40 + ramp % 160 + kernel_test_random (&papers->test) % 12);
    }
  return samples;
}

static void
make_jpegxr (Papers *papers, Lines *lines)
{
  size_t size = lines->n * 16 * sizeof (int32_t);
  uint8_t *samples = make_samples (papers, lines);

  lines->coeffs = papers_alloc (size);
  lines->hp = papers_alloc (size * 16);
  lines->predicted = papers_alloc (size);
  lines->predicted_hp = papers_alloc (size * 16);
  gpu_reference_jpegxr_transform (samples, lines->width, lines->height, lines->coeffs, lines->hp);
  gpu_reference_jpegxr_residual (lines->coeffs, lines->hp, lines->width, lines->height, lines->tile_width, lines->tile_height);
  memcpy (lines->predicted, lines->coeffs, size);
  memcpy (lines->predicted_hp, lines->hp, size * 16);
  gpu_reference_jpegxr_predict (lines->predicted, lines->predicted_hp, lines->width, lines->height, lines->tile_width, lines->tile_height);
  lines->coeffs_buffer = kernel_test_buffer (&papers->test, lines->coeffs, size);
  lines->hp_buffer = kernel_test_buffer (&papers->test, lines->hp, size * 16);
  lines->modes_buffer = kernel_test_buffer (&papers->test, NULL, lines->n);
  free (samples);
}

static void
free_jpegxr (Lines *lines)
{
  free (lines->coeffs);
  free (lines->hp);
  free (lines->predicted);
  free (lines->predicted_hp);
  clReleaseMemObject (lines->coeffs_buffer);
  clReleaseMemObject (lines->hp_buffer);
  clReleaseMemObject (lines->modes_buffer);
}

static void
run_dc (Papers *papers, void *user)
{
  Lines *lines = user;
  GpuLaunches launches = paper_d_launches (papers);

  (lines->is_local ? gpu_jpegxr_dc_enqueue_local : gpu_jpegxr_dc_enqueue) (lines->kernels, &launches, lines->coeffs_buffer,
      lines->modes_buffer, lines->width, lines->height, lines->tile_width, lines->tile_height);
  kernel_test_check (launches.err, "gpu_jpegxr_dc_enqueue");
}

static void
run_lp (Papers *papers, void *user)
{
  Lines *lines = user;
  GpuLaunches launches = paper_d_launches (papers);

  gpu_jpegxr_lp_enqueue (lines->kernels, &launches, lines->coeffs_buffer, lines->modes_buffer, lines->width, lines->height, lines->method);
  kernel_test_check (launches.err, "gpu_jpegxr_lp_enqueue");
}

static void
run_hp (Papers *papers, void *user)
{
  Lines *lines = user;
  GpuLaunches launches = paper_d_launches (papers);

  gpu_jpegxr_hp_enqueue (lines->kernels, &launches, lines->hp_buffer, lines->coeffs_buffer, lines->width, lines->height);
  kernel_test_check (launches.err, "gpu_jpegxr_hp_enqueue");
}

static void
verify_jpegxr (Papers *papers, Lines *lines)
{
  size_t size = lines->n * 16 * sizeof (int32_t);
  int32_t *actual = papers_alloc (size * 16);

  kernel_test_write (&papers->test, lines->coeffs_buffer, lines->coeffs, size);
  kernel_test_write (&papers->test, lines->hp_buffer, lines->hp, size * 16);
  run_dc (papers, lines);
  run_lp (papers, lines);
  run_hp (papers, lines);
  kernel_test_read (&papers->test, lines->coeffs_buffer, actual, size);
  papers_verify (papers, "JPEG XR DC and LP", lines->predicted, actual, size, 4);
  kernel_test_read (&papers->test, lines->hp_buffer, actual, size * 16);
  papers_verify (papers, "JPEG XR HP", lines->predicted_hp, actual, size * 16, 4);
  free (actual);
}

/* DC, LP and HP; the data are those of before, predicted already, which takes as long */
static void
run_jpegxr_c (Papers *papers, void *user)
{
  Lines *lines = user;

  gpu_reference_jpegxr_predict (lines->predicted, lines->predicted_hp, lines->width, lines->height, lines->tile_width, lines->tile_height);
}

/* ---- tables ---- */

/* A variant that is measured for itself: no ratio */
static void
alone (Papers *papers, PapersTable *table, const char *what, const char *size, const char *variant, PapersFunction function, Lines *lines,
    double published)
{
  PapersTiming timing;

  papers_cell (table, "%s", what);
  papers_cell (table, "%s", size);
  papers_cell (table, "%s", variant);
  papers_measure (papers, function, lines, &timing);
  paper_d_row (table, &timing, 0, published);
}

/* A method of the comparison, in turn with the others */
typedef struct
{
  Lines *lines;
  PapersFunction function;
  GpuScanMethod method;
} Method;

static void
run_method (Papers *papers, void *user)
{
  const Method *method = user;

  method->lines->method = method->method;
  method->function (papers, method->lines);
}

/* A wavefront of so many launches is measured apart: in turn with the others, it made them up to twenty times as slow */
#define MAX_WAVES_IN_TURN 1000
/* Of more launches than this: a run takes a second and more */
#define MAX_WAVES 60000
#define MANY_WAVES_RUNS 5

/* The methods: the wavefront, of @n_waves launches, first; the others' ratios are of its time. */
static void
compare (Papers *papers, PapersTable *table, const char *what, const char *size, PapersFunction function, Lines *lines, unsigned n_waves,
    double published)
{
  unsigned n_apart = n_waves > MAX_WAVES_IN_TURN, n_runs = papers->n_runs;
  Method user[N_METHODS];
  PapersRow rows[N_METHODS];

  for (unsigned i = 0; i < N_METHODS; i++) {
    user[i] = (Method){ lines, function, methods[i].method };
    rows[i] = (PapersRow){ run_method, &user[i], { { 0 }, { { 0 } }, { 0 } } };
  }
  if (n_waves > MAX_WAVES && n_runs > MANY_WAVES_RUNS)
    papers->n_runs = MANY_WAVES_RUNS;
  if (n_apart)
    papers_measure_in_turn (papers, rows, 1);
  papers->n_runs = n_runs;
  papers_measure_in_turn (papers, rows + n_apart, N_METHODS - n_apart);
  for (unsigned i = 0; i < N_METHODS; i++) {
    papers_cell (table, "%s", what);
    papers_cell (table, "%s", size);
    papers_cell (table, "%s", methods[i].name);
    paper_d_row (table, &rows[i].timing, rows[0].timing.wall.median, methods[i].method == GPU_SCAN_SCAN ? published : 0);
  }
}

/* One slice has as many waves as elements: in a quick run measured where they take a tenth of a second */
#define MAX_QUICK_WAVES 25000

/* QP of @width x @height blocks */
static void
run_qp_case (Papers *papers, PapersTable *table, Lines *lines, const PaperDSize *size, unsigned side, int one_slice)
{
  const char *what = side == 16 ? one_slice ? "QP of macroblocks; one slice" : "QP of macroblocks; a slice a row"
      : one_slice               ? "QP of 4x4 blocks; one slice"
                                : "QP of 4x4 blocks; a slice a row";
  double published = side == 4 && one_slice ? size->published_qp : 0;
  int has_waves;

  make_qp (papers, lines, size->width / side, size->height / side, one_slice);
  has_waves = !papers->quick || lines->qp_width <= MAX_QUICK_WAVES;
  for (unsigned i = !has_waves; i < N_METHODS; i++) {
    lines->method = methods[i].method;
    verify_qp (papers, lines);
  }
  if (table && has_waves)
    compare (papers, table, what, size->name, run_qp, lines, lines->qp_width, published);
  for (unsigned i = 1; i < N_METHODS && table && !has_waves; i++) {
    lines->method = methods[i].method;
    alone (papers, table, what, size->name, methods[i].name, run_qp, lines, methods[i].method == GPU_SCAN_SCAN ? published : 0);
  }
  if (table)
    alone (papers, table, what, size->name, "C on one core", run_qp_c, lines, 0);
  free_qp (lines);
}

/* JPEG XR in tiles of @tile_width x @tile_height macroblocks; @tiles: what they are called */
static void
run_jpegxr_case (Papers *papers, PapersTable *table, Lines *lines, const PaperDSize *size, unsigned tile_width, unsigned tile_height,
    const char *tiles)
{
  int is_whole = tile_width == lines->width;
  char what[64];

  lines->tile_width = tile_width;
  lines->tile_height = tile_height;
  make_jpegxr (papers, lines);
  for (unsigned i = 0; i < N_METHODS; i++) {
    lines->method = methods[i].method;
    lines->is_local = i & 1;
    verify_jpegxr (papers, lines);
  }
  if (table) {
    snprintf (what, sizeof (what), "JPEG XR LP; %s", tiles);
    compare (papers, table, what, size->name, run_lp, lines, lines->width + lines->height, is_whole ? size->published_lp : 0);
    snprintf (what, sizeof (what), "JPEG XR DC; %s", tiles);
    for (lines->is_local = 0; lines->is_local < 2; lines->is_local++)
      alone (papers, table, what, size->name, lines->is_local ? "one launch; barriers" : "wavefront north-west", run_dc, lines, 0);
  }
  if (table && is_whole) {
    alone (papers, table, "JPEG XR HP", size->name, "one launch", run_hp, lines, 0);
    alone (papers, table, "JPEG XR DC; LP; HP", size->name, "C on one core", run_jpegxr_c, lines, 0);
  }
  free_jpegxr (lines);
}

/* Tiles of the paper's figure 2: 32 macroblocks */
#define TILE_WIDTH 8
#define TILE_HEIGHT 4

static void
run_size (Papers *papers, PapersTable *table, GpuScanKernels *kernels, const PaperDSize *size)
{
  Lines lines = { .kernels = kernels, .width = size->width / 16, .height = size->height / 16 };

  lines.n = (size_t) lines.width * lines.height;
  for (unsigned side = 4; side <= 16; side += 12)
    for (int one_slice = 1; one_slice >= 0; one_slice--)
      run_qp_case (papers, table, &lines, size, side, one_slice);
  run_jpegxr_case (papers, table, &lines, size, lines.width, lines.height, "one tile");
  run_jpegxr_case (papers, table, &lines, size, TILE_WIDTH, TILE_HEIGHT, "tiles of 32");
}

void
paper_d_lines_run (Papers *papers)
{
  cl_program program = kernel_test_build (&papers->test, gpu_scan_source, "");
  GpuScanKernels kernels;
  PapersTable *table = NULL;
  unsigned first, end;

  kernel_test_check (gpu_scan_kernels_init (&kernels, papers->test.context, program), "gpu_scan_kernels_init");
  if (!papers->verify)
    table = papers_table_open (papers, "d-lines",
        "Pieters et al.: prediction along lines by 1-D scans (ratio: time of the wavefront over that of the row)",
        "what,size,variant," PAPER_D_COLUMNS);
  paper_d_choose_sizes (papers, &first, &end);
  for (unsigned i = first; i < end; i++)
    run_size (papers, table, &kernels, &paper_d_sizes[i]);
  if (table)
    papers_table_close (table);
  gpu_scan_kernels_clear (&kernels);
  clReleaseProgram (program);
}
