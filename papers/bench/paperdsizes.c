/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "paperdsizes.h"

const PaperDSize paper_d_sizes[PAPER_D_N_SIZES] = {
  { "CIF", 352, 288, 0, 0, { 0, 0, 0 }, { 14, 88, 18, 159, 230, 639, 926 }, 3 },
  { "480p", 720, 480, 7.7, 14.6, { 0.7, 1.1, 4.0 }, { 16, 120, 24, 299, 418, 1199, 1678 }, 4 },
  { "720p", 1280, 720, 9.5, 16.1, { 0.8, 1.4, 4.9 }, { 18, 320, 30, 499, 678, 1999, 2718 }, 5 },
  { "1080p", 1920, 1088, 14.0, 17.9, { 1.0, 2.1, 6.7 }, { 18, 480, 30, 749, 1018, 2999, 4078 }, 5 },
  { "2160p", 3840, 2160, 21.5, 18.3, { 1.3, 2.2, 7.9 }, { 20, 960, 36, 1499, 2038, 5999, 8158 }, 6 },
};

void
paper_d_choose_sizes (const Papers *papers, unsigned *first, unsigned *end)
{
  *first = papers->verify ? 0 : 1;
  *end = papers->verify ? 1 : papers->quick ? PAPER_D_N_SIZES - 1 : PAPER_D_N_SIZES;
  for (unsigned i = 0; papers->size && i < PAPER_D_N_SIZES; i++)
    if (strcmp (paper_d_sizes[i].name, papers->size) == 0) {
      *first = i;
      *end = i + 1;
    }
}

static cl_event *
next_event (void *user)
{
  return papers_event (user, PAPERS_KERNEL);
}

GpuLaunches
paper_d_launches (Papers *papers)
{
  GpuLaunches launches = { .queue = papers->queues[0], .is_cpu = papers->test.device.is_cpu, .next_event = next_event, .user = papers };

  return launches;
}

void
paper_d_row (PapersTable *table, const PapersTiming *timing, double baseline, double published)
{
  papers_cell (table, "%u", timing->n_commands[PAPERS_KERNEL]);
  papers_cell_time (table, &timing->wall, 1e6);
  papers_cell (table, "%.4g", timing->event[PAPERS_KERNEL].median / 1e6);
  if (baseline > 0)
    papers_cell (table, "%.2f", baseline / timing->wall.median);
  else
    papers_cell (table, "%s", "");
  if (published > 0)
    papers_cell (table, "%.1f", published);
  else
    papers_cell (table, "%s", "");
}
