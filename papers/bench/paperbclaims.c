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

/* ---- a claim of one column, as text; what @which are, each says ---- */

typedef void (*Claim) (const PaperBTimes *times, const unsigned which[2], char *text, size_t size);

/* The time of one kernel over that of another, least and greatest of the transforms */
static void
ratio (const PaperBTimes *times, const unsigned which[2], char *text, size_t size)
{
  double low = 0, high = 0;

  for (unsigned i = 0; i < PAPER_B_N_CASES; i++) {
    double v = times[i].single[which[0]] / times[i].single[which[1]];

    low = i == 0 || v < low ? v : low;
    high = i == 0 || v > high ? v : high;
  }
  snprintf (text, size, "%.2f to %.2f", low, high);
}

/* onestep's time for one transform over that for another */
static void
growth (const PaperBTimes *times, const unsigned which[2], char *text, size_t size)
{
  snprintf (text, size, "%.2f", times[which[0]].single[GPU_HEVC_ONESTEP] / times[which[1]].single[GPU_HEVC_ONESTEP]);
}

/* Of how many transforms the batch takes less time than a core's version (PaperBHost) */
static void
count_faster (const PaperBTimes *times, const unsigned which[2], char *text, size_t size)
{
  unsigned n = 0, n_known = 0;

  for (unsigned i = 0; i < PAPER_B_N_CASES; i++) {
    n_known += times[i].host[which[0]] > 0;
    n += times[i].batch < times[i].host[which[0]];
  }
  snprintf (text, size, "%u of %u", n, n_known);
}

/* How many times as fast as the core a transform's batch is, and the share of the core's time that it saves */
static void
saved (const PaperBTimes *times, const unsigned which[2], char *text, size_t size)
{
  double avx2 = times[which[0]].host[PAPER_B_AVX2], batch = times[which[0]].batch;

  text[0] = 0;
  if (avx2 > batch)
    snprintf (text, size, "%.2f (%.0f %%)", avx2 / batch, 100 * (1 - batch / avx2));
  else if (avx2 > 0)
    snprintf (text, size, "%.2f", avx2 / batch);
}

/* Bytes in and out over the batch's time: bytes a ns; one transform apart */
static void
bytes (const PaperBTimes *times, const unsigned which[2], char *text, size_t size)
{
  double low = 1e9, high = 0, apart = 0;

  for (unsigned i = 0; i < PAPER_B_N_CASES; i++) {
    unsigned n = paper_b_cases[i].transform.n;
    double rate = 2 * n * n * sizeof (int16_t) / times[i].batch;

    if (i == which[0]) {
      apart = rate;
      continue;
    }
    low = rate < low ? rate : low;
    high = rate > high ? rate : high;
  }
  snprintf (text, size, "%.2f to %.2f (%.2f)", low, high, apart);
}

static const struct
{
  const char *text;
  Claim claim;
  unsigned which[2];
  int is_of_batch; /* the columns of gpuidct differ */
} claims[] = {
  { "one launch and no wait: plain / onestep", ratio, { GPU_HEVC_PLAIN, GPU_HEVC_ONESTEP }, 0 },
  { "shared / onestep", ratio, { GPU_HEVC_SHARED, GPU_HEVC_ONESTEP }, 0 },
  { "butterfly / onestep", ratio, { GPU_HEVC_BUTTERFLY, GPU_HEVC_ONESTEP }, 0 },
  { "multiplications matter little: butterfly / shared", ratio, { GPU_HEVC_BUTTERFLY, GPU_HEVC_SHARED }, 0 },
  { "starting exceeds the rest: onestep; forward DCT 32 / DCT 4", growth, { FORWARD_32, FORWARD_4 }, 0 },
  { "the batch is faster than C butterfly: transforms", count_faster, { PAPER_B_BUTTERFLY }, 1 },
  { "the batch is faster than C matrix: transforms", count_faster, { PAPER_B_MATRIX }, 1 },
  { "the batch is faster than AVX2: transforms", count_faster, { PAPER_B_AVX2 }, 1 },
  { "48 %: AVX2 / batch (time saved); inverse DCT 32", saved, { INVERSE_32 }, 1 },
  { "13 %: AVX2 / batch (time saved); inverse DCT 16", saved, { INVERSE_16 }, 1 },
  { "blocks in and out; GB/s (forward DCT 32)", bytes, { FORWARD_32 }, 1 },
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
      claims[i].claim (columns[k], claims[i].which, text, sizeof (text));
      papers_cell_if (table, k < GPUIDCT || claims[i].is_of_batch, "%s", text);
    }
  }
  papers_table_close (table);
}
