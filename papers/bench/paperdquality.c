/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the 2-D scan makes of coded pictures: its distance from the picture that the encoder had, for the encoder's four ways at four
 * QPs, with their rate.
 */
#include <math.h>
#include <stdio.h>

#include "edges.h"
#include "edgescankernel.h"
#include "intraencoder.h"
#include "paperdquality.h"
#include "paperdsizes.h"

#define WIDTH 352
#define HEIGHT 288
#define LEVELS 3

static const unsigned qps[4] = { 22, 27, 32, 37 };

/* PSNR in dB, absolute difference */
typedef struct
{
  double psnr, min, mean, max;
} Difference;

/* Ramps, black and white shapes, waves, and noise: with samples at both ends of the range */
static uint8_t *
make_source (Papers *papers)
{
  uint8_t *source = papers_alloc (WIDTH * HEIGHT);

  /* the same picture however much was measured before */
  kernel_test_selected (&papers->test, "d-quality");
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      int kind = (x / 88 + y / 72 * 3) % 4, noise = kernel_test_range (&papers->test, -6, 6), value;

      if (kind == 0)
        value = x * 255 / WIDTH;
      else if (kind == 1)
        value = (x / 11 + y / 9) % 2 ? 252 : 3;
      else if (kind == 2)
        value = (int) (128 + 127 * sin (x * 0.21 + y * 0.13));
      else
        value = (x % 88 - 44) * (x % 88 - 44) + (y % 72 - 36) * (y % 72 - 36) < 900 ? 255 : 60 + y / 4;
      value += noise;
      source[y * WIDTH + x] = (uint8_t) (value < 0 ? 0 : value > 255 ? 255 : value);
    }
  return source;
}

static Difference
compare_pictures (const uint8_t *a, const uint8_t *b)
{
  Difference found = { 0, 255, 0, 0 };
  double squares = 0;

  for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
    double difference = abs (a[i] - b[i]);

    found.min = fmin (found.min, difference);
    found.max = fmax (found.max, difference);
    found.mean += difference / (WIDTH * HEIGHT);
    squares += difference * difference / (WIDTH * HEIGHT);
  }
  found.psnr = squares > 0 ? 10 * log10 (255 * 255 / squares) : INFINITY;
  return found;
}

/* The picture that the scan makes of the encoder's modes and residuals */
static void
scan_picture (Papers *papers, const IntraEncoder *encoder, int restricted, uint8_t *picture)
{
  KernelTest *test = &papers->test;
  size_t n = WIDTH * HEIGHT, plane_size = (WIDTH + 1) * (HEIGHT + 1) * sizeof (float);
  cl_program program = kernel_test_build (test, gpu_edgescan_source, gpu_edge_scan_options (restricted));
  float *zeros = papers_alloc (plane_size);
  cl_mem modes = kernel_test_buffer (test, encoder->modes, n / 16), residual = kernel_test_buffer (test, encoder->residual, n * 2);
  cl_mem plane = kernel_test_buffer (test, zeros, plane_size), result = kernel_test_buffer (test, NULL, n);
  GpuLaunches launches = paper_d_launches (papers);
  GpuEdgeScan scan;

  kernel_test_check (gpu_edge_scan_init (&scan, test->context, program, restricted, WIDTH, HEIGHT,
                         restricted ? gpu_edge_scan_full_levels (WIDTH, HEIGHT) : LEVELS),
      "gpu_edge_scan_init");
  gpu_edge_scan_enqueue (&scan, &launches, modes, residual, plane, result);
  kernel_test_check (launches.err, "gpu_edge_scan_enqueue");
  kernel_test_read (test, result, picture, n);
  gpu_edge_scan_clear (&scan);
  clReleaseMemObject (modes);
  clReleaseMemObject (residual);
  clReleaseMemObject (plane);
  clReleaseMemObject (result);
  clReleaseProgram (program);
  free (zeros);
}

/* The conformant ways' picture is the standard's; the fractional way's is what nothing rounded or clipped gives. */
static void
verify_encoder (Papers *papers, const IntraEncoder *encoder, IntraEncoderWay way)
{
  uint8_t *conformant = papers_alloc (WIDTH * HEIGHT);
  double *unclipped = papers_alloc (WIDTH * HEIGHT * sizeof (*unclipped));

  if (way == INTRA_ENCODER_FRACTIONAL) {
    gpu_reference_edges_unclipped (encoder->modes, encoder->residual, WIDTH, HEIGHT, unclipped);
    papers_verify (papers, "fractional prediction", encoder->samples, unclipped, WIDTH * HEIGHT * sizeof (*unclipped), 4);
  } else {
    gpu_reference_edges (encoder->modes, encoder->residual, WIDTH, HEIGHT, conformant);
    papers_verify (papers, intra_encoder_ways[way], encoder->picture, conformant, WIDTH * HEIGHT, 1);
  }
  free (conformant);
  free (unclipped);
}

static void
fail (const char *what, unsigned qp)
{
  fprintf (stderr, "QP %u: %s\n", qp, what);
  exit (1);
}

/* What the mathematics says of the distances at one QP */
static void
verify_differences (const Difference found[INTRA_ENCODER_N_WAYS], unsigned qp)
{
  if (found[INTRA_ENCODER_FRACTIONAL].max > 1 || found[INTRA_ENCODER_FRACTIONAL].psnr <= found[INTRA_ENCODER_STANDARD].psnr)
    fail ("the scan differs from fractional prediction by more than a last rounding", qp);
  if (found[INTRA_ENCODER_RESTRICTED].max > 0)
    fail ("the restricted scan of values in range is not exact", qp);
}

static void
write_row (PapersTable *table, unsigned qp, IntraEncoderWay way, const IntraEncoder *encoder, const Difference *source,
    const Difference *scan)
{
  static const double published[INTRA_ENCODER_N_WAYS] = { 39.3, 56.8, 0, 0 };

  papers_cell (table, "%s", intra_encoder_ways[way]);
  papers_cell (table, "%u", qp);
  papers_cell (table, "%.2f", encoder->bits.size * 8 / 1000.0);
  papers_cell (table, "%.2f", source->psnr);
  papers_cell (table, isinf (scan->psnr) ? "equal" : "%.2f", scan->psnr);
  papers_cell (table, "%.0f", scan->min);
  papers_cell (table, "%.3f", scan->mean);
  papers_cell (table, "%.0f", scan->max);
  papers_cell_if (table, published[way] > 0, "%.1f", published[way]);
}

static void
run_qp (Papers *papers, PapersTable *table, const uint8_t *source, unsigned qp)
{
  uint8_t *scanned = papers_alloc (WIDTH * HEIGHT);
  Difference found[INTRA_ENCODER_N_WAYS];

  for (IntraEncoderWay way = 0; way < INTRA_ENCODER_N_WAYS; way++) {
    IntraEncoder encoder;
    Difference rebuilt;

    intra_encoder_encode (&encoder, source, WIDTH, HEIGHT, qp, way);
    verify_encoder (papers, &encoder, way);
    scan_picture (papers, &encoder, way == INTRA_ENCODER_RESTRICTED, scanned);
    found[way] = compare_pictures (encoder.picture, scanned);
    rebuilt = compare_pictures (encoder.picture, source);
    if (table)
      write_row (table, qp, way, &encoder, &rebuilt, &found[way]);
    intra_encoder_clear (&encoder);
  }
  verify_differences (found, qp);
  free (scanned);
}

void
paper_d_quality_run (Papers *papers)
{
  PapersTable *table = NULL;
  uint8_t *source = make_source (papers);

  if (!papers->verify)
    table = papers_table_open (papers, "d-quality",
        "Pieters et al.: rate and PSNR of the encoder's ways; the scan against the picture that the encoder had "
        "(CIF; luma; no loop filter)",
        "way,qp,kbit,psnr_of_source,scan_psnr,scan_min,scan_mean,scan_max,published_scan_psnr");
  for (unsigned i = 0; i < 4; i++)
    run_qp (papers, table, source, qps[i]);
  if (table)
    papers_table_close (table);
  free (source);
}
