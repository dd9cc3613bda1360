/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Prediction by scans (Pieters et al.): what the parts of its measurement share, sizes of pictures with the published values first.
 */
#ifndef PAPER_D_SIZES_H
#define PAPER_D_SIZES_H

#include "launches.h"
#include "papers.h"

#define PAPER_D_N_SYNC 7

typedef struct
{
  const char *name;
  unsigned width, height; /* in samples, whole macroblocks */
  /* what the paper printed, speed-up over its wavefront; 0: not there */
  double published_lp, published_qp, published_intra[3];
  /* synchronisation points: 1-D scan and wavefront, 2-D scan; wavefronts north-west and north-north-west of 4x4 blocks, of 1x1 blocks */
  unsigned published_sync[PAPER_D_N_SYNC];
  unsigned paper_levels; /* joins with few launches and small rows, elsewhere than on CPUs */
} PaperDSize;

#define PAPER_D_N_SIZES 5
extern const PaperDSize paper_d_sizes[PAPER_D_N_SIZES];

/* Sizes from the first to measure to the end, which is not: CIF only with --verify, 2160p not with --quick, one with --size */
void paper_d_choose_sizes (const Papers *papers, unsigned *first, unsigned *end);

/* Launches on the measured queue, whose events are counted as kernels */
GpuLaunches paper_d_launches (Papers *papers);

/* A row "..., launches, min, median, max, kernel time, ratio, published ratio": what stands before is written already.
 * @baseline: median of the row that ratios are taken of, in ns; 0: no ratio.  @published: 0: none */
void paper_d_row (PapersTable *table, const PapersTiming *timing, double baseline, double published);

#define PAPER_D_COLUMNS "launches,min_ms,median_ms,max_ms,kernel_ms,ratio,published_ratio"

#endif
