/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Paper B's ten transforms: what was published of each, and what a run measures.
 */
#ifndef PAPER_B_CASES_H
#define PAPER_B_CASES_H

#include "hevctransformkernel.h"

/* Variants that take a block at a time: the first ones of GpuHevcVariant */
#define PAPER_B_N_SINGLES GPU_HEVC_ONESTEPBATCH

typedef enum
{
  PAPER_B_AVX2, /* published as "ASM" */
  PAPER_B_BUTTERFLY,
  PAPER_B_MATRIX, /* published as "Basic" */
  PAPER_B_VECTORISED,
  PAPER_B_N_HOSTS
} PaperBHost;

/* ns a transform; 0: none */
typedef struct
{
  double single[PAPER_B_N_SINGLES]; /* tables 1 and 2 */
  double host[PAPER_B_N_HOSTS];     /* tables 3 and 4 */
  double batch;                     /* tables 5 and 6: 10,000 by onestepbatch */
} PaperBTimes;

typedef struct
{
  const char *name;
  GpuHevcTransform transform;
  PaperBTimes published;
} PaperBCase;

#define PAPER_B_N_CASES 10
#define PAPER_B_BATCH 10000
extern const PaperBCase paper_b_cases[PAPER_B_N_CASES];

/* Of a run at 8 bits: medians of single blocks, which are means already; else the shortest.  @with_transfers: blocks go to the device and
 * results come back */
typedef struct
{
  PaperBTimes times, with_transfers;
  double gpuidct, gpuidct_with_transfers; /* a batch of 10,000 */
} PaperBResult;

#endif
