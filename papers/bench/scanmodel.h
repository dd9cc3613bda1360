/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the 2-D scan makes of the luma of a coded picture, in plain C: the sums that the scan divides among work-items, block after block
 * (the device's scan gives the same but for float's error: tests of intrascan and encode-intra).  With it, what is added to predictions
 * to come closer to the standard.
 */
#ifndef SCAN_MODEL_H
#define SCAN_MODEL_H

#include "intrapicture.h"

/* Modes, and one more: DC at the picture's borders, of four samples or none */
#define SCAN_MODEL_N_MODES 10

/* What the standard's rounding adds to the prediction of the samples of a 4x4 block (row by row), by mode */
typedef struct
{
  double values[SCAN_MODEL_N_MODES][16];
} ScanModelRounding;

/* All fractions that a mode's sum can have taken for equally frequent */
void scan_model_expect (ScanModelRounding *rounding);
/* The means over the predictions of the picture */
void scan_model_measure (const IntraEncoder *picture, ScanModelRounding *rounding);

/* Fills @samples, [height][width] of luma, unclipped.  @rounding: (nullable): added to predictions; @corrections: (nullable):
 * [height][width], added to samples */
void scan_model_run (const IntraEncoder *picture, const ScanModelRounding *rounding, const double *corrections, double *samples);

typedef struct
{
  unsigned iterations; /* scans but the first */
  double wrong;        /* share of 4x4 blocks that the first scan had not right */
  double repaired;     /* blocks that were marked, of all iterations, over all blocks of the picture */
  int exact;           /* the picture is the standard's */
} ScanModelRepair;

/* Scans again and again: areas of @side x @side samples, a multiple of 4, are predicted as the standard says from what the last scan gave
 * around them, each for itself; what that adds to the sums that the scan is made of are the next scan's corrections.  Ends where no block
 * changes: the picture is the standard's then, as its first block is right and every other follows from right ones. */
void scan_model_repair (const IntraEncoder *picture, unsigned side, ScanModelRepair *repair);

#endif
