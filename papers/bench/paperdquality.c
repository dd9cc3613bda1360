/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Whether the 2-D scan makes of coded pictures what theory says, and the encoder is what it says: at four QPs, a picture with samples at
 * both ends of the range.  (How far the scan is from the standard is measured with real pictures: scanquality.py, intradrift.c.)
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

/* Ramps, black and white shapes, waves, and noise */
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

/* The picture that the scan makes of the encoder's modes and residuals of luma */
static void
scan_picture (Papers *papers, const IntraEncoder *encoder, int restricted, uint8_t *picture)
{
  KernelTest *test = &papers->test;
  size_t n = WIDTH * HEIGHT, plane_size = (WIDTH + 1) * (HEIGHT + 1) * sizeof (float);
  cl_program program = kernel_test_build (test, gpu_edgescan_source, gpu_edge_scan_options (restricted));
  float *zeros = papers_alloc (plane_size);
  cl_mem modes = kernel_test_buffer (test, encoder->modes, n / 16),
         residual = kernel_test_buffer (test, encoder->planes[0].residual, n * 2);
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
verify_encoder (Papers *papers, const IntraEncoder *encoder)
{
  uint8_t *conformant = papers_alloc (WIDTH * HEIGHT);
  double *unclipped = papers_alloc (WIDTH * HEIGHT * sizeof (*unclipped));
  IntraEncoderWay way = encoder->settings.way;
  const IntraPlane *luma = &encoder->planes[0];

  if (way == INTRA_ENCODER_FRACTIONAL) {
    gpu_reference_edges_unclipped (encoder->modes, luma->residual, WIDTH, HEIGHT, unclipped);
    papers_verify (papers, "fractional prediction", luma->samples, unclipped, WIDTH * HEIGHT * sizeof (*unclipped), 4);
  } else if (way != INTRA_ENCODER_UNCLIPPED) {
    gpu_reference_edges (encoder->modes, luma->residual, WIDTH, HEIGHT, conformant);
    papers_verify (papers, intra_encoder_ways[way], luma->picture, conformant, WIDTH * HEIGHT, 1);
  }
  free (conformant);
  free (unclipped);
}

static int
largest_difference (const uint8_t *a, const uint8_t *b)
{
  int largest = 0;

  for (size_t i = 0; i < WIDTH * HEIGHT; i++)
    largest = abs (a[i] - b[i]) > largest ? abs (a[i] - b[i]) : largest;
  return largest;
}

/* What may differ of the scan's picture from the encoder's: of fractional prediction a last rounding; where nothing is rounded, vertical
 * and horizontal prediction, and nothing clipped before the end, nothing; else anything. */
static int
may_differ (const IntraEncoderSettings *settings)
{
  if (settings->way == INTRA_ENCODER_FRACTIONAL)
    return 1;
  return settings->modes == INTRA_ENCODER_V_H && settings->way != INTRA_ENCODER_STANDARD ? 0 : 255;
}

static void
verify_scan (Papers *papers, const uint8_t *const source[3], const IntraEncoderSettings *settings)
{
  uint8_t *scanned = papers_alloc (WIDTH * HEIGHT);
  IntraEncoder encoder;

  intra_encoder_encode (&encoder, source, WIDTH, HEIGHT, settings);
  verify_encoder (papers, &encoder);
  scan_picture (papers, &encoder, settings->modes == INTRA_ENCODER_V_H, scanned);
  if (largest_difference (encoder.planes[0].picture, scanned) > may_differ (settings)) {
    fprintf (stderr, "QP %u, modes %#x, %s: the scan is not what the encoder predicted from\n", settings->qp, settings->modes,
        intra_encoder_ways[settings->way]);
    exit (1);
  }
  intra_encoder_clear (&encoder);
  free (scanned);
}

void
paper_d_quality_run (Papers *papers)
{
  static const unsigned modes[3] = { INTRA_ENCODER_V_H, INTRA_ENCODER_V_H_DC, INTRA_ENCODER_ALL };
  uint8_t *luma = make_source (papers), *chroma = papers_alloc (WIDTH * HEIGHT / 4);
  const uint8_t *const source[3] = { luma, chroma, chroma };

  for (unsigned i = 0; i < 4; i++)
    for (unsigned m = 0; m < 3; m++)
      for (IntraEncoderWay way = 0; way < INTRA_ENCODER_N_WAYS; way++)
        verify_scan (papers, source, &(IntraEncoderSettings){ .way = way, .qp = qps[i], .modes = modes[m] });
  free (luma);
  free (chroma);
}
