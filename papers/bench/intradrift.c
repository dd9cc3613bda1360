/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * intra-drift drift|repair QP IN.y4m N: where the 2-D scan's distance from the standard comes from, or what makes it exact; N pictures,
 * luma, without loop filter.  Prints lines of values with commas between them.
 *   drift: case, kbit a picture, PSNR, mean of the difference (scan less standard), mean and largest absolute difference; then PSNR with
 *          the expected and with the measured roundings added
 *   repair: modes, side of the areas, kbit a picture, % of blocks that the scan had wrong, largest number of scans after the first, % of
 *          blocks repaired
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "intraencoder.h"
#include "scanmodel.h"
#include "y4m.h"

/* What is coded, and how it is called */
typedef struct
{
  const char *name;
  IntraEncoderSettings settings;
} Case;

typedef struct
{
  double squares, sum, absolute, largest; /* the first three: means over the picture, added up over pictures */
} Difference;

static void
add_difference (Difference *difference, const IntraEncoder *encoder, const ScanModelRounding *rounding)
{
  const IntraPlane *luma = &encoder->planes[0];
  size_t n = (size_t) luma->width * luma->height;
  double *samples = calloc (n, sizeof (*samples));

  if (!samples)
    abort ();
  scan_model_run (encoder, rounding, NULL, samples);
  for (size_t i = 0; i < n; i++) {
    double d = floor (fmin (fmax (samples[i], 0), 255) + 0.5) - luma->picture[i];

    difference->squares += d * d / (double) n;
    difference->sum += d / (double) n;
    difference->absolute += fabs (d) / (double) n;
    difference->largest = fmax (difference->largest, fabs (d));
  }
  free (samples);
}

static double
psnr (const Difference *difference, unsigned n)
{
  return difference->squares > 0 ? 10 * log10 (255 * 255 * n / difference->squares) : INFINITY;
}

static void
encode (IntraEncoder *encoder, const Y4m *source, const Case *with, double *kbit)
{
  intra_encoder_encode (encoder, (const uint8_t *const *) source->planes, source->width, source->height, &with->settings);
  *kbit += 8. * (double) encoder->bits.size / 1000;
}

/* Ends the process where there are fewer pictures. */
static void
read_picture (Y4m *source)
{
  if (y4m_read (source))
    return;
  fprintf (stderr, "too few pictures\n");
  exit (1);
}

static void
print_drift (const char *path, unsigned n, const Case *with)
{
  Difference none = { 0 }, expected = { 0 }, measured = { 0 };
  ScanModelRounding rounding;
  double kbit = 0;
  Y4m source;

  y4m_open (&source, path);
  for (unsigned i = 0; i < n; i++) {
    IntraEncoder encoder;

    read_picture (&source);
    encode (&encoder, &source, with, &kbit);
    add_difference (&none, &encoder, NULL);
    scan_model_expect (&rounding);
    add_difference (&expected, &encoder, &rounding);
    scan_model_measure (&encoder, &rounding);
    add_difference (&measured, &encoder, &rounding);
    intra_encoder_clear (&encoder);
  }
  y4m_close (&source);
  printf ("%s,%.1f,%.2f,%.2f,%.2f,%.0f,%.2f,%.2f\n", with->name, kbit / n, psnr (&none, n), none.sum / n, none.absolute / n, none.largest,
      psnr (&expected, n), psnr (&measured, n));
}

static void
run_drift (const char *path, unsigned n, unsigned qp)
{
  const Case cases[] = {
    { "V and H; clipped", { .modes = INTRA_ENCODER_V_H, .way = INTRA_ENCODER_STANDARD } },
    { "V and H", { .modes = INTRA_ENCODER_V_H } },
    { "V; H and DC", { .modes = INTRA_ENCODER_V_H_DC } },
    { "V; H and down-right", { .modes = INTRA_ENCODER_V_H | 1 << 4 } },
    { "V; H and vertical-right", { .modes = INTRA_ENCODER_V_H | 1 << 5 } },
    { "V; H and horizontal-down", { .modes = INTRA_ENCODER_V_H | 1 << 6 } },
    { "V; H and horizontal-up", { .modes = INTRA_ENCODER_V_H | 1 << 8 } },
    { "DC alone", { .modes = 1 << 2 } },
    { "all but DC", { .modes = INTRA_ENCODER_ALL & ~4u } },
    { "all", { .modes = INTRA_ENCODER_ALL } },
    { "all; each 11th macroblock I_PCM", { .modes = INTRA_ENCODER_ALL, .pcm_interval = 11 } },
    { "all; each 3rd macroblock I_PCM", { .modes = INTRA_ENCODER_ALL, .pcm_interval = 3 } },
    { "all; halves to even", { .modes = INTRA_ENCODER_ALL, .half_to_even = 1 } },
  };

  for (unsigned i = 0; i < sizeof (cases) / sizeof (cases[0]); i++) {
    Case with = cases[i];

    with.settings.qp = qp;
    if (i > 0)
      with.settings.way = INTRA_ENCODER_IN_RANGE;
    print_drift (path, n, &with);
  }
}

static void
print_repair (const char *path, unsigned n, const Case *with, unsigned side)
{
  double kbit = 0, wrong = 0, repaired = 0;
  unsigned iterations = 0;
  Y4m source;

  y4m_open (&source, path);
  for (unsigned i = 0; i < n; i++) {
    ScanModelRepair repair;
    IntraEncoder encoder;

    read_picture (&source);
    encode (&encoder, &source, with, &kbit);
    scan_model_repair (&encoder, side, &repair);
    intra_encoder_clear (&encoder);
    if (!repair.exact) {
      fprintf (stderr, "%s: the repaired picture is not the standard's\n", with->name);
      exit (1);
    }
    wrong += repair.wrong;
    repaired += repair.repaired;
    iterations = repair.iterations > iterations ? repair.iterations : iterations;
  }
  y4m_close (&source);
  printf ("%s,%u,%.1f,%.1f,%u,%.1f\n", with->name, side, kbit / n, 100 * wrong / n, iterations, 100 * repaired / n);
  fflush (stdout);
}

static void
run_repair (const char *path, unsigned n, unsigned qp)
{
  static const unsigned sides[3] = { 4, 16, 64 };
  const Case cases[3] = { { "V and H", { .modes = INTRA_ENCODER_V_H, .qp = qp } },
    { "V; H and DC", { .modes = INTRA_ENCODER_V_H_DC, .qp = qp } }, { "all", { .modes = INTRA_ENCODER_ALL, .qp = qp } } };

  for (unsigned i = 0; i < 3; i++)
    for (unsigned s = 0; s < 3; s++)
      print_repair (path, n, &cases[i], sides[s]);
}

int
main (int argc, char **argv)
{
  unsigned qp = argc > 2 ? (unsigned) atoi (argv[2]) : 0, n = argc > 4 ? (unsigned) atoi (argv[4]) : 0;

  if (argc != 5 || qp < 12 || qp > 51 || n == 0) {
    fprintf (stderr, "usage: %s drift|repair QP IN.y4m N\n", argv[0]);
    return 2;
  }
  if (strcmp (argv[1], "drift") == 0)
    run_drift (argv[3], n, qp);
  else
    run_repair (argv[3], n, qp);
  return 0;
}
