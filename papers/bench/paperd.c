/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Prediction by scans: all its measurements, and the numbers of synchronisation points.
 */
#include "blockwavekernel.h"
#include "edgescankernel.h"
#include "paperdintra.h"
#include "paperdlines.h"
#include "paperdquality.h"
#include "paperdsizes.h"
#include "scankernel.h"

static void
write_sync_row (PapersTable *table, const PaperDSize *size)
{
  unsigned mbs = size->width / 16 * (size->height / 16);
  const unsigned counted[8] = { 2 + gpu_scan_n_passes (size->width / 16), size->width / 16 + size->height / 16 - 2,
    2 + gpu_scan_n_passes (mbs), size->width / 16,
    3 * size->paper_levels + 2 + (size->width + (4u << size->paper_levels) - 1) / (4u << size->paper_levels) - 1
        + (size->height + (4u << size->paper_levels) - 1) / (4u << size->paper_levels),
    3 * gpu_edge_scan_full_levels (size->width, size->height) + 3,
    gpu_block_wave_n_launches (GPU_BLOCK_WAVE_NORTH_WEST, size->width, size->height),
    gpu_block_wave_n_launches (GPU_BLOCK_WAVE_NORTH_NORTH_WEST, size->width, size->height) };

  papers_cell (table, "%s", size->name);
  for (unsigned i = 0; i < 8; i++)
    papers_cell (table, "%u", counted[i]);
  papers_cell (table, "%u", 1u);
  for (unsigned i = 0; i < 5; i++)
    papers_cell (table, "%u", size->published_sync[i]);
}

static void
write_sync_table (Papers *papers)
{
  PapersTable *table = papers_table_open (papers, "d-synchronisation", "Pieters et al.: launches (synchronisation points) of a picture",
      "size,lp_scan,lp_wavefronts,qp_scan,qp_west,scan_2d,scan_2d_restricted,north_west,north_north_west,one_launch,published_scan_1d,"
      "published_wavefront_1d,published_scan_2d,published_north_west,published_north_north_west");

  for (unsigned i = 0; i < PAPER_D_N_SIZES; i++)
    write_sync_row (table, &paper_d_sizes[i]);
  papers_table_close (table);
}

int
paper_d_run (Papers *papers)
{
  paper_d_lines_run (papers);
  paper_d_intra_run (papers);
  paper_d_quality_run (papers);
  if (!papers->verify)
    write_sync_table (papers);
  return 0;
}
