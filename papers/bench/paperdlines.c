/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Prediction along lines by 1-D scans: QP from mb_qp_delta and LP coefficients of JPEG XR.
 */
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
  { "gpuintrapred: one launch; a work-item a line", GPU_SCAN_SEQUENTIAL },
};
#define N_METHODS (sizeof (methods) / sizeof (methods[0]))

typedef struct
{
  GpuScanKernels *kernels;
  GpuScanMethod method;
  unsigned width, height; /* in macroblocks */
  size_t n;               /* macroblocks */

  /* QP: every row of macroblocks is a slice */
  int8_t *deltas, *qp;
  int16_t *slice_qp;
  cl_mem deltas_buffer, slice_qp_buffer, starts_buffer, qp_buffer;

  /* JPEG XR, one tile */
  int32_t *coeffs, *hp, *predicted, *predicted_hp;
  cl_mem coeffs_buffer, hp_buffer, modes_buffer;
} Lines;

/* ---- QP ---- */

static void
make_qp (Papers *papers, Lines *lines)
{
  cl_uint *starts = papers_alloc ((lines->height + 1) * sizeof (*starts));

  lines->deltas = papers_alloc (lines->n);
  lines->qp = papers_alloc (lines->n);
  lines->slice_qp = papers_alloc (lines->n * 2);
  for (size_t i = 0; i < lines->n; i++) {
    lines->deltas[i] = (int8_t) kernel_test_range (&papers->test, -26, 25);
    lines->slice_qp[i] = (int16_t) (i % lines->width ? GPU_SCAN_NO_SLICE : kernel_test_range (&papers->test, 0, 51));
  }
  for (unsigned y = 0; y <= lines->height; y++)
    starts[y] = y * lines->width;
  gpu_reference_qp (lines->deltas, lines->slice_qp, GPU_SCAN_NO_SLICE, lines->n, 0, lines->qp);
  lines->deltas_buffer = kernel_test_buffer (&papers->test, lines->deltas, lines->n);
  lines->slice_qp_buffer = kernel_test_buffer (&papers->test, lines->slice_qp, lines->n * 2);
  lines->starts_buffer = kernel_test_buffer (&papers->test, starts, (lines->height + 1) * sizeof (*starts));
  lines->qp_buffer = kernel_test_buffer (&papers->test, NULL, lines->n);
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

  gpu_qp_enqueue (lines->kernels, &launches, lines->deltas_buffer, lines->slice_qp_buffer, lines->starts_buffer, lines->height,
      lines->qp_buffer, lines->width, lines->height, 0, lines->method);
  kernel_test_check (launches.err, "gpu_qp_enqueue");
}

static void
verify_qp (Papers *papers, Lines *lines)
{
  int8_t *actual = papers_alloc (lines->n);

  run_qp (papers, lines);
  kernel_test_read (&papers->test, lines->qp_buffer, actual, lines->n);
  papers_verify (papers, "QP", lines->qp, actual, lines->n, 1);
  free (actual);
}

static void
run_qp_c (Papers *papers, void *user)
{
  Lines *lines = user;

  gpu_reference_qp (lines->deltas, lines->slice_qp, GPU_SCAN_NO_SLICE, lines->n, 0, lines->qp);
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
  gpu_reference_jpegxr_residual (lines->coeffs, lines->hp, lines->width, lines->height, lines->width, lines->height);
  memcpy (lines->predicted, lines->coeffs, size);
  memcpy (lines->predicted_hp, lines->hp, size * 16);
  gpu_reference_jpegxr_predict (lines->predicted, lines->predicted_hp, lines->width, lines->height, lines->width, lines->height);
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

  gpu_jpegxr_dc_enqueue (lines->kernels, &launches, lines->coeffs_buffer, lines->modes_buffer, lines->width, lines->height, lines->width,
      lines->height);
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

  gpu_reference_jpegxr_predict (lines->predicted, lines->predicted_hp, lines->width, lines->height, lines->width, lines->height);
}

/* ---- tables ---- */

/* A variant that is measured for itself: no ratio */
static void
alone (Papers *papers, PapersTable *table, const char *what, const char *size, const char *variant, PapersFunction function, Lines *lines)
{
  PapersTiming timing;

  papers_cell (table, "%s", what);
  papers_cell (table, "%s", size);
  papers_cell (table, "%s", variant);
  papers_measure (papers, function, lines, &timing);
  paper_d_row (table, &timing, 0, 0);
}

/* The three methods: the wavefront first, of whose time the others' ratios are */
static void
compare (Papers *papers, PapersTable *table, const char *what, const char *size, PapersFunction function, Lines *lines, double published)
{
  double baseline = 0;

  for (unsigned i = 0; i < N_METHODS; i++) {
    PapersTiming timing;

    lines->method = methods[i].method;
    papers_measure (papers, function, lines, &timing);
    if (i == 0)
      baseline = timing.wall.median;
    papers_cell (table, "%s", what);
    papers_cell (table, "%s", size);
    papers_cell (table, "%s", methods[i].name);
    paper_d_row (table, &timing, baseline, methods[i].method == GPU_SCAN_SCAN ? published : 0);
  }
}

static void
run_size (Papers *papers, PapersTable *table, GpuScanKernels *kernels, const PaperDSize *size)
{
  Lines lines = { .kernels = kernels, .width = size->width / 16, .height = size->height / 16 };

  lines.n = (size_t) lines.width * lines.height;
  make_qp (papers, &lines);
  make_jpegxr (papers, &lines);
  for (unsigned i = 0; i < N_METHODS; i++) {
    lines.method = methods[i].method;
    verify_qp (papers, &lines);
    verify_jpegxr (papers, &lines);
  }
  if (!papers->verify) {
    compare (papers, table, "QP", size->name, run_qp, &lines, size->published_qp);
    alone (papers, table, "QP", size->name, "C on one core", run_qp_c, &lines);
    compare (papers, table, "JPEG XR LP", size->name, run_lp, &lines, size->published_lp);
    alone (papers, table, "JPEG XR DC", size->name, "wavefront north-west", run_dc, &lines);
    alone (papers, table, "JPEG XR HP", size->name, "one launch", run_hp, &lines);
    alone (papers, table, "JPEG XR DC; LP; HP", size->name, "C on one core", run_jpegxr_c, &lines);
  }
  free_qp (&lines);
  free_jpegxr (&lines);
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
