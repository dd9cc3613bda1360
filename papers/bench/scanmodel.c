/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "edges.h"
#include "scanmodel.h"

#define DC 2
#define DC_AT_BORDER 9
/* More than a picture of 4096 x 4096 samples has wavefronts: each scan makes at least the next of them right. */
#define MAX_ITERATIONS 4096

/* A 4x4 block */
typedef struct
{
  unsigned x0, y0, mode;
} Block;

static Block
get_block (const IntraEncoder *picture, unsigned x0, unsigned y0)
{
  return (Block){ x0, y0, picture->modes[(size_t) (y0 / 4) * (picture->planes[0].width / 4) + x0 / 4] };
}

static unsigned
rounding_index (const Block *block)
{
  return block->mode == DC && (!block->x0 || !block->y0) ? DC_AT_BORDER : block->mode;
}

static size_t
position (const IntraPlane *luma, const Block *block, unsigned i)
{
  return (size_t) (block->y0 + i / 4) * luma->width + block->x0 + i % 4;
}

static void *
allocate (size_t size)
{
  void *memory = calloc (1, size);

  if (!memory)
    abort ();
  return memory;
}

/* ---- rounding ---- */

void
scan_model_expect (ScanModelRounding *rounding)
{
  /* what predictions are divided by (8.3.1.2), as a shift; halves go up, so a shift of n adds 2 ^ -(n + 1) */
  static const uint8_t shifts[SCAN_MODEL_N_MODES][16] = { [2] = { 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 },
    [4] = { 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2 },
    [5] = { 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2 },
    [6] = { 1, 2, 2, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2 },
    [8] = { 1, 2, 1, 2, 1, 2, 1, 2, 1, 2 },
    [DC_AT_BORDER] = { 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2 } };

  for (unsigned mode = 0; mode < SCAN_MODEL_N_MODES; mode++)
    for (unsigned i = 0; i < 16; i++)
      rounding->values[mode][i] = shifts[mode][i] ? exp2 (-1.0 - shifts[mode][i]) : 0;
}

void
scan_model_measure (const IntraEncoder *picture, ScanModelRounding *rounding)
{
  const IntraPlane *luma = &picture->planes[0];
  unsigned counts[SCAN_MODEL_N_MODES] = { 0 };

  memset (rounding, 0, sizeof (*rounding));
  for (unsigned y0 = 0; y0 < luma->height; y0 += 4)
    for (unsigned x0 = 0; x0 < luma->width; x0 += 4) {
      Block block = get_block (picture, x0, y0);
      double prediction[16];

      if (block.mode == INTRA_ENCODER_PCM)
        continue;
      gpu_reference_edges_predict (luma->samples, luma->width, x0, y0, block.mode, prediction);
      counts[rounding_index (&block)]++;
      for (unsigned i = 0; i < 16; i++)
        rounding->values[rounding_index (&block)][i] += floor (prediction[i] + 0.5) - prediction[i];
    }
  for (unsigned mode = 0; mode < SCAN_MODEL_N_MODES; mode++)
    for (unsigned i = 0; i < 16 && counts[mode]; i++)
      rounding->values[mode][i] /= counts[mode];
}

/* ---- the scan ---- */

void
scan_model_run (const IntraEncoder *picture, const ScanModelRounding *rounding, const double *corrections, double *samples)
{
  const IntraPlane *luma = &picture->planes[0];

  for (unsigned y0 = 0; y0 < luma->height; y0 += 4)
    for (unsigned x0 = 0; x0 < luma->width; x0 += 4) {
      Block block = get_block (picture, x0, y0);
      double prediction[16];

      if (block.mode != INTRA_ENCODER_PCM)
        gpu_reference_edges_predict (samples, luma->width, x0, y0, block.mode, prediction);
      for (unsigned i = 0; i < 16; i++) {
        size_t at = position (luma, &block, i);

        if (block.mode == INTRA_ENCODER_PCM)
          samples[at] = luma->picture[at];
        else
          samples[at] = prediction[i] + luma->residual[at] + (rounding ? rounding->values[rounding_index (&block)][i] : 0)
              + (corrections ? corrections[at] : 0);
      }
    }
}

/* ---- repair ---- */

static double
round_and_clip (double value)
{
  double rounded = floor (value + 0.5);

  return rounded < 0 ? 0 : rounded > 255 ? 255 : rounded;
}

/* Predicts the block from @samples as the standard says, into @samples.  Returns whether it was different in @scanned. */
static unsigned
repair_block (const IntraEncoder *picture, const Block *block, const double *scanned, double *samples, double *corrections)
{
  const IntraPlane *luma = &picture->planes[0];
  double prediction[16];
  unsigned differs = 0;

  gpu_reference_edges_predict (samples, luma->width, block->x0, block->y0, block->mode, prediction);
  for (unsigned i = 0; i < 16; i++) {
    size_t at = position (luma, block, i);

    samples[at] = round_and_clip (floor (prediction[i] + 0.5) + luma->residual[at]);
    corrections[at] = samples[at] - prediction[i] - luma->residual[at];
    differs |= samples[at] != scanned[at];
  }
  return differs;
}

/* Predicts the area at (@x, @y) from what @scanned has around it.  Returns how many blocks were different. */
static unsigned
repair_area (const IntraEncoder *picture, unsigned side, unsigned x, unsigned y, const double *scanned, double *samples,
    double *corrections)
{
  const IntraPlane *luma = &picture->planes[0];
  unsigned right = x + side < luma->width ? x + side : luma->width, bottom = y + side < luma->height ? y + side : luma->height;
  unsigned left = x ? x - 1 : 0, n_marked = 0;

  for (unsigned row = y ? y - 1 : 0; row < bottom; row++)
    memcpy (samples + (size_t) row * luma->width + left, scanned + (size_t) row * luma->width + left, (right - left) * sizeof (*samples));
  for (unsigned y0 = y; y0 < bottom; y0 += 4)
    for (unsigned x0 = x; x0 < right; x0 += 4) {
      Block block = get_block (picture, x0, y0);

      if (block.mode != INTRA_ENCODER_PCM)
        n_marked += repair_block (picture, &block, scanned, samples, corrections);
    }
  return n_marked;
}

static unsigned
repair_areas (const IntraEncoder *picture, unsigned side, const double *scanned, double *samples, double *corrections)
{
  unsigned n_marked = 0;

  for (unsigned y = 0; y < picture->planes[0].height; y += side)
    for (unsigned x = 0; x < picture->planes[0].width; x += side)
      n_marked += repair_area (picture, side, x, y, scanned, samples, corrections);
  return n_marked;
}

/* 4x4 blocks whose samples are not the picture's */
static unsigned
count_wrong (const IntraPlane *luma, const double *samples)
{
  unsigned n = 0;

  for (unsigned y0 = 0; y0 < luma->height; y0 += 4)
    for (unsigned x0 = 0; x0 < luma->width; x0 += 4) {
      Block block = { x0, y0, 0 };
      int wrong = 0;

      for (unsigned i = 0; i < 16; i++)
        wrong |= samples[position (luma, &block, i)] != luma->picture[position (luma, &block, i)];
      n += (unsigned) wrong;
    }
  return n;
}

void
scan_model_repair (const IntraEncoder *picture, unsigned side, ScanModelRepair *repair)
{
  const IntraPlane *luma = &picture->planes[0];
  size_t n = (size_t) luma->width * luma->height;
  double *scanned = allocate (n * sizeof (double)), *samples = allocate (n * sizeof (double)),
         *corrections = allocate (n * sizeof (double));
  double blocks = (double) n / 16;
  unsigned n_marked = 1;

  *repair = (ScanModelRepair){ 0 };
  for (unsigned scan = 0; n_marked && scan < MAX_ITERATIONS; scan++) {
    scan_model_run (picture, NULL, corrections, scanned);
    for (size_t i = 0; i < n; i++)
      scanned[i] = round_and_clip (scanned[i]);
    if (scan == 0)
      repair->wrong = count_wrong (luma, scanned) / blocks;
    n_marked = repair_areas (picture, side, scanned, samples, corrections);
    repair->repaired += n_marked / blocks;
    repair->iterations = scan;
  }
  repair->exact = n_marked == 0 && count_wrong (luma, scanned) == 0;
  free (scanned);
  free (samples);
  free (corrections);
}
