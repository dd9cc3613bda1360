/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>

#include "paperbclaims.h"

/* A column: the times that a claim is computed from, of all transforms */
typedef PaperBTimes Column[PAPER_B_N_CASES];

typedef enum
{
  PUBLISHED,
  OURS,
  OURS_WITH_TRANSFERS,
  GPUIDCT, /* in the place of onestepbatch */
  GPUIDCT_WITH_TRANSFERS,
  N_COLUMNS
} ColumnKind;

#define FORWARD_4 1
#define FORWARD_32 4
#define INVERSE_16 8
#define INVERSE_32 9

static void
fill_columns (const PaperBResult *results, Column columns[N_COLUMNS])
{
  for (unsigned i = 0; i < PAPER_B_N_CASES; i++) {
    columns[PUBLISHED][i] = paper_b_cases[i].published;
    columns[OURS][i] = columns[GPUIDCT][i] = results[i].times;
    columns[OURS_WITH_TRANSFERS][i] = columns[GPUIDCT_WITH_TRANSFERS][i] = results[i].with_transfers;
    columns[GPUIDCT][i].batch = results[i].gpuidct;
    columns[GPUIDCT_WITH_TRANSFERS][i].batch = results[i].gpuidct_with_transfers;
  }
}

/* ---- a claim of one column, as text ---- */

typedef void (*Claim) (const PaperBTimes *times, char *text, size_t size);

static void
range (double (*value) (const PaperBTimes *times), const PaperBTimes *times, char *text, size_t size)
{
  double low = value (&times[0]), high = low;

  for (unsigned i = 1; i < PAPER_B_N_CASES; i++) {
    double v = value (&times[i]);

    low = v < low ? v : low;
    high = v > high ? v : high;
  }
  snprintf (text, size, "%.2f to %.2f", low, high);
}

static double
plain_over_onestep (const PaperBTimes *times)
{
  return times->single[GPU_HEVC_PLAIN] / times->single[GPU_HEVC_ONESTEP];
}

static double
shared_over_onestep (const PaperBTimes *times)
{
  return times->single[GPU_HEVC_SHARED] / times->single[GPU_HEVC_ONESTEP];
}

static double
butterfly_over_onestep (const PaperBTimes *times)
{
  return times->single[GPU_HEVC_BUTTERFLY] / times->single[GPU_HEVC_ONESTEP];
}

static double
butterfly_over_shared (const PaperBTimes *times)
{
  return times->single[GPU_HEVC_BUTTERFLY] / times->single[GPU_HEVC_SHARED];
}

static void
claim_plain (const PaperBTimes *times, char *text, size_t size)
{
  range (plain_over_onestep, times, text, size);
}

static void
claim_shared (const PaperBTimes *times, char *text, size_t size)
{
  range (shared_over_onestep, times, text, size);
}

static void
claim_butterfly (const PaperBTimes *times, char *text, size_t size)
{
  range (butterfly_over_onestep, times, text, size);
}

static void
claim_multiplications (const PaperBTimes *times, char *text, size_t size)
{
  range (butterfly_over_shared, times, text, size);
}

static void
claim_start (const PaperBTimes *times, char *text, size_t size)
{
  snprintf (text, size, "%.2f", times[FORWARD_32].single[GPU_HEVC_ONESTEP] / times[FORWARD_4].single[GPU_HEVC_ONESTEP]);
}

/* Of how many transforms the batch takes less time than the core */
static void
count_faster (const PaperBTimes *times, PaperBHost host, char *text, size_t size)
{
  unsigned n = 0, n_known = 0;

  for (unsigned i = 0; i < PAPER_B_N_CASES; i++) {
    n_known += times[i].host[host] > 0;
    n += times[i].batch < times[i].host[host];
  }
  snprintf (text, size, "%u of %u", n, n_known);
}

static void
claim_butterfly_host (const PaperBTimes *times, char *text, size_t size)
{
  count_faster (times, PAPER_B_BUTTERFLY, text, size);
}

static void
claim_matrix_host (const PaperBTimes *times, char *text, size_t size)
{
  count_faster (times, PAPER_B_MATRIX, text, size);
}

static void
claim_avx2 (const PaperBTimes *times, char *text, size_t size)
{
  count_faster (times, PAPER_B_AVX2, text, size);
}

/* How many times as fast as the core the batch is, and the share of the core's time that it saves */
static void
saved (const PaperBTimes *times, char *text, size_t size)
{
  double avx2 = times->host[PAPER_B_AVX2];

  text[0] = 0;
  if (avx2 > times->batch)
    snprintf (text, size, "%.2f (%.0f %%)", avx2 / times->batch, 100 * (1 - times->batch / avx2));
  else if (avx2 > 0)
    snprintf (text, size, "%.2f", avx2 / times->batch);
}

static void
claim_inverse_32 (const PaperBTimes *times, char *text, size_t size)
{
  saved (&times[INVERSE_32], text, size);
}

static void
claim_inverse_16 (const PaperBTimes *times, char *text, size_t size)
{
  saved (&times[INVERSE_16], text, size);
}

/* Bytes in and out over the batch's time: bytes a ns */
static void
claim_bytes (const PaperBTimes *times, char *text, size_t size)
{
  double low = 1e9, high = 0, forward_32 = 0;

  for (unsigned i = 0; i < PAPER_B_N_CASES; i++) {
    unsigned n = paper_b_cases[i].transform.n;
    double rate = 2 * n * n * sizeof (int16_t) / times[i].batch;

    if (i == FORWARD_32) {
      forward_32 = rate;
      continue;
    }
    low = rate < low ? rate : low;
    high = rate > high ? rate : high;
  }
  snprintf (text, size, "%.2f to %.2f (%.2f)", low, high, forward_32);
}

static const struct
{
  const char *text;
  Claim claim;
  int is_of_batch; /* the columns of gpuidct differ */
} claims[] = {
  { "one launch and no wait: plain / onestep", claim_plain, 0 },
  { "shared / onestep", claim_shared, 0 },
  { "butterfly / onestep", claim_butterfly, 0 },
  { "multiplications matter little: butterfly / shared", claim_multiplications, 0 },
  { "starting exceeds the rest: onestep; forward DCT 32 / DCT 4", claim_start, 0 },
  { "the batch is faster than C butterfly: transforms", claim_butterfly_host, 1 },
  { "the batch is faster than C matrix: transforms", claim_matrix_host, 1 },
  { "the batch is faster than AVX2: transforms", claim_avx2, 1 },
  { "48 %: AVX2 / batch (time saved); inverse DCT 32", claim_inverse_32, 1 },
  { "13 %: AVX2 / batch (time saved); inverse DCT 16", claim_inverse_16, 1 },
  { "blocks in and out; GB/s (forward DCT 32)", claim_bytes, 1 },
};

void
paper_b_claims (Papers *papers, const PaperBResult results[PAPER_B_N_CASES])
{
  static Column columns[N_COLUMNS];
  PapersTable *table = papers_table_open (papers, "b-claims", "B: its claims, from its figures and from this run's (8 bits)",
      "claim,published,measured,with_transfers,gpuidct,gpuidct_with_transfers");
  char text[64];

  fill_columns (results, columns);
  for (unsigned i = 0; i < sizeof (claims) / sizeof (claims[0]); i++) {
    papers_cell (table, "%s", claims[i].text);
    for (unsigned k = 0; k < N_COLUMNS; k++) {
      claims[i].claim (columns[k], text, sizeof (text));
      papers_cell_if (table, k < GPUIDCT || claims[i].is_of_batch, "%s", text);
    }
  }
  papers_table_close (table);
}
