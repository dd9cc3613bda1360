/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Prediction by scans: all its measurements, and the numbers of synchronisation points.
 */
#include "blockwavekernel.h"
#include "edgemappingkernel.h"
#include "paperdclaims.h"
#include "paperdexact.h"
#include "paperdintra.h"
#include "paperdlines.h"
#include "paperdprecision.h"
#include "paperdquality.h"
#include "paperdsizes.h"
#include "scankernel.h"

/* Launches of a picture: the paper's way, or our nearest to it, and behind each what the paper has */
static void
write_sync_row (PapersTable *table, const PaperDSize *size)
{
  unsigned mbs = size->width / 16 * (size->height / 16), blocks = size->width / 4, paper_launches = 0;
  unsigned levels = gpu_edge_scan_full_levels (size->width, size->height);
  GpuEdgeMappings mappings;

  gpu_edge_mappings_set_paper (&mappings, 0);
  paper_launches = 2 * gpu_edge_mappings_n_launches (&mappings, levels);
  {
    const unsigned ours[10] = { gpu_scan_n_passes (blocks), blocks, 2 + gpu_scan_n_passes (size->width / 16),
      size->width / 16 + size->height / 16 - 2, 2 + gpu_scan_n_passes (mbs), paper_launches,
      gpu_block_wave_n_launches (GPU_BLOCK_WAVE_NORTH_WEST, size->width, size->height),
      gpu_block_wave_n_launches (GPU_BLOCK_WAVE_NORTH_NORTH_WEST, size->width, size->height),
      gpu_sample_wave_n_launches (GPU_BLOCK_WAVE_NORTH_WEST, size->width, size->height),
      gpu_sample_wave_n_launches (GPU_BLOCK_WAVE_NORTH_NORTH_WEST, size->width, size->height) };

    papers_cell (table, "%s", size->name);
    for (unsigned i = 0; i < 10; i++)
      papers_cell (table, "%u", ours[i]);
  }
  papers_cell (table, "%u", 3 * levels + 3);
  papers_cell (table, "%u", 1u);
  for (unsigned i = 0; i < PAPER_D_N_SYNC; i++)
    papers_cell (table, "%u", size->published_sync[i]);
}

static void
write_sync_table (Papers *papers)
{
  PapersTable *table = papers_table_open (papers, "d-synchronisation", "Pieters et al.: launches (synchronisation points) of a picture",
      "size,scan_1d,west,lp_scan,lp_wavefronts,qp_scan,scan_2d,north_west,north_north_west,samples_north_west,samples_north_north_west,"
      "scan_2d_joined,one_launch,published_scan_1d,published_west,published_scan_2d,published_north_west,published_north_north_west,"
      "published_samples_north_west,published_samples_north_north_west");

  for (unsigned i = 0; i < PAPER_D_N_SIZES; i++)
    write_sync_row (table, &paper_d_sizes[i]);
  papers_table_close (table);
}

int
paper_d_run (Papers *papers)
{
  if (papers_wants (papers, "d-lines"))
    paper_d_lines_run (papers);
  paper_d_intra_run (papers);
  if (papers_wants (papers, "d-claims"))
    paper_d_claims_run (papers);
  if (papers_wants (papers, "d-quality"))
    paper_d_quality_run (papers);
  /* of captures of its own: papers/bench/scanquality.py */
  if (papers->table && papers_wants (papers, "d-precision"))
    paper_d_precision_run (papers);
  if (papers->table && papers_wants (papers, "d-exact"))
    paper_d_exact_run (papers);
  if (papers_wants (papers, "d-synchronisation") && !papers->verify)
    write_sync_table (papers);
  return 0;
}
