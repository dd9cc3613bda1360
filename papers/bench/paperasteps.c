/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Paper A, table 4: each step alone, and on top of those before, 4x4 and 8x8 apart; the paper's own kernels, and those with inverse
 * quantisation and macroblock records.  The variants run in turn, several rounds, and a ratio is one of medians of the same round.
 */
#include "capturefolder.h"
#include "paperasteps.h"

#define N_ROUNDS 5
#define RUNS_A_ROUND 5
/* One more than the paper's: gpuidct, with records only */
#define GPUIDCT PAPER_A_N_VARIANTS
#define N_ROWS (PAPER_A_N_VARIANTS + 1)

static const char *const family_names[PAPER_A_N_FAMILIES] = { "paper's", "with IQ and records" };

/* Event times of a kernel, ns a block, by round; 0: refused */
typedef double Times[N_ROWS][N_ROUNDS];

static int
is_there (const PaperAKernels *kernels, PaperAFamily family, unsigned row)
{
  return row == GPUIDCT ? family == PAPER_A_RECORDS : !!kernels->variants[row].programs[family];
}

static double
measure_row (Papers *papers, PaperAWork *work, PaperAFamily family, unsigned row, unsigned kind)
{
  PapersFunction function = row == GPUIDCT ? paper_a_run_gpuidct : family == PAPER_A_OWN ? paper_a_run_own : paper_a_run_records;
  PapersTiming timing;

  if (row != GPUIDCT)
    work->variant = &work->kernels->variants[row];
  work->kinds = 1u << kind;
  papers_measure (papers, function, work, &timing);
  return timing.event[PAPERS_KERNEL].median / (double) work->picture->n_blocks[kind];
}

/* What a step is compared with: the one that the device can run before it, or compacted */
static unsigned
find_previous (const PaperAKernels *kernels, unsigned row)
{
  unsigned previous = PAPER_A_LINE;

  if (row == GPUIDCT || !kernels->variants[row].cumulative)
    return PAPER_A_LINE;
  if (kernels->variants[PAPER_A_SYNC].programs[0])
    previous = PAPER_A_SYNC;
  return row == PAPER_A_WITH_WORKGROUP ? previous : row - 1;
}

static void
add_ratio (PapersTable *table, const Times times, unsigned over, unsigned row)
{
  double ratios[N_ROUNDS];
  PapersTime summary;

  for (unsigned round = 0; round < N_ROUNDS; round++)
    ratios[round] = times[over][round] / times[row][round];
  papers_summarise (ratios, N_ROUNDS, &summary);
  papers_cell_time (table, &summary, 1);
}

static void
add_row (PapersTable *table, const PaperAKernels *kernels, const char *material, PaperAFamily family, unsigned kind, const Times times,
    unsigned row)
{
  const PaperAVariant *variant = row == GPUIDCT ? NULL : &kernels->variants[row];
  double published = !variant || family != PAPER_A_OWN ? 0 : kind ? variant->published_8x8 : variant->published_4x4, sorted[N_ROUNDS];
  int there = is_there (kernels, family, row);
  PapersTime summary;

  if (row == GPUIDCT && !there)
    return;
  papers_cell (table, "%s", material);
  papers_cell (table, "%s", kind ? "8x8" : "4x4");
  papers_cell (table, "%s", family_names[family]);
  papers_cell (table, "%s", variant ? variant->name : "gpuidct");
  if (there) {
    memcpy (sorted, times[row], sizeof (sorted));
    papers_summarise (sorted, N_ROUNDS, &summary);
    papers_cell_time (table, &summary, 1);
    add_ratio (table, times, find_previous (kernels, row), row);
    add_ratio (table, times, PAPER_A_LINE, row);
  } else {
    for (unsigned i = 0; i < 3; i++)
      papers_cell_time (table, NULL, 1);
  }
  papers_cell_if (table, published > 0, "%.2f", published);
  papers_cell_if (table, published > 0 && row == PAPER_A_ALL_STEPS, "%.2f", kind ? 1.08 : 1.51);
  papers_cell (table, "%s", there ? "verified" : "refused: the device has no sub-groups");
}

static void
measure_kind (Papers *papers, PapersTable *table, PaperAWork *work, const char *material, PaperAFamily family, unsigned kind)
{
  static Times times;

  memset (times, 0, sizeof (times));
  for (unsigned round = 0; round < N_ROUNDS; round++)
    for (unsigned row = 0; row < N_ROWS; row++)
      if (is_there (work->kernels, family, row))
        times[row][round] = measure_row (papers, work, family, row, kind);
  for (unsigned row = 0; row < N_ROWS; row++)
    add_row (table, work->kernels, material, family, kind, times, row);
}

static void
measure_picture (Papers *papers, PapersTable *table, PaperAKernels *kernels, BlockPicture *picture, const char *material)
{
  static PaperAWork work;

  paper_a_work_init (papers, &work, kernels, picture);
  paper_a_verify (papers, &work, 1);
  work.upload = work.download = 0;
  for (unsigned kind = 0; kind < 2; kind++)
    for (unsigned family = 0; family < PAPER_A_N_FAMILIES && picture->n_blocks[kind] > 0; family++)
      measure_kind (papers, table, &work, material, family, kind);
  paper_a_work_clear (&work);
}

/* The first picture of a capture of the paper's mode where the kernels have most to do */
static void
measure_captured (Papers *papers, PapersTable *table, PaperAKernels *kernels)
{
  FILE *file = capture_folder_open (papers, "1080p_intra");
  BlockPicture picture;

  if (file && block_picture_read (&picture, file)) {
    measure_picture (papers, table, kernels, &picture, "captured 1080p intra");
    block_picture_clear (&picture);
  }
  if (file)
    fclose (file);
}

void
paper_a_measure_steps (Papers *papers, PaperAKernels *kernels)
{
  unsigned n_runs = papers->n_runs;
  BlockPicture picture;
  PapersTable *table;

  papers->n_runs = RUNS_A_ROUND;
  table =
      papers_table_open (papers, "a-table4", "Wang et al., table 4: steps alone and (+) on top of those before, ns a block (event times)",
          "material,transform,kernels,variant,min_ns,median_ns,max_ns,over_previous_min,over_previous,over_previous_max,over_compacted_min,"
          "over_compacted,over_compacted_max,published_over_previous,published_over_compacted,output");
  measure_captured (papers, table, kernels);
  kernel_test_selected (&papers->test, "papera");
  block_picture_make (papers, &picture, 120, 68, 1 / 2.63);
  measure_picture (papers, table, kernels, &picture, "synthetic 1080p intra");
  block_picture_clear (&picture);
  papers->n_runs = n_runs;
  papers_table_close (table);
}
