/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory and precision at 1080p, the size that the paper gives numbers for.
 */
#include "edgescankernel.h"
#include "paperdclaims.h"
#include "paperdintrapicture.h"
#include "paperdprecision.h"
#include "scankernel.h"

#define SIZE 3 /* 1080p, of paper_d_sizes */
#define MEGABYTE 1e6

static void
write_claim (PapersTable *table, const char *claim, const char *unit, double published, double ours)
{
  papers_cell (table, "%s", claim);
  papers_cell (table, "%s", unit);
  papers_cell (table, "%.4g", published);
  papers_cell (table, "%.4g", ours);
}

/* Bits of the largest sum on the way, where every residual of a line is that of 8-bit samples at its most */
static unsigned
find_line_bits (unsigned n)
{
  return paper_d_bits (n * 255.0);
}

static GpuEdgeScan
make_scan (Papers *papers, cl_program program, int restricted)
{
  const PaperDSize *size = &paper_d_sizes[SIZE];
  GpuEdgeScan scan;

  kernel_test_check (gpu_edge_scan_init (&scan, papers->test.context, program, restricted, size->width, size->height,
                         gpu_edge_scan_full_levels (size->width, size->height)),
      "gpu_edge_scan_init");
  return scan;
}

/* Bits of the largest constant of a restricted scan where all residuals are 255, as conforming streams may have */
static unsigned
find_most_bits (Papers *papers, GpuEdgeScan *scan)
{
  PaperDIntraPicture picture;
  double largest;

  paper_d_intra_picture_make (papers, &picture, EDGE_PICTURE_RESTRICTED, &paper_d_sizes[SIZE]);
  for (size_t i = 0; i < (size_t) picture.width * picture.height; i++)
    picture.residual[i] = 255;
  largest = paper_d_find_largest_constant (papers, scan, 1, picture.modes, picture.residual, picture.width, picture.height);
  paper_d_intra_picture_clear (&picture);
  return paper_d_bits (largest);
}

/* Bytes that all rows take */
static double
find_bytes (const GpuEdgeScan *scan, int restricted)
{
  uint64_t n_rows, n_weights;

  gpu_edge_scan_get_memory (scan, &n_rows, &n_weights);
  return n_rows * 8.0 + (restricted ? 0 : n_weights * 4.0);
}

static void
write_memory (Papers *papers, PapersTable *table, cl_program program, const GpuEdgeScan *restricted)
{
  const PaperDSize *size = &paper_d_sizes[SIZE];
  unsigned across = size->width / 4, levels = gpu_edge_scan_full_levels (size->width, size->height);
  double padded = (double) gpu_scan_pitch (size->width) * gpu_scan_pitch (size->height), sides = size->width + size->height;
  GpuEdgeScan all = make_scan (papers, program, 0);

  write_claim (table, "memory; 1-D; lines of 4x4 blocks", "bytes more for a coefficient of 4", 8, 8.0 * gpu_scan_pitch (across) / across);
  write_claim (table, "memory; 2-D restricted", "MB", padded * 12 / MEGABYTE, find_bytes (restricted, 1) / MEGABYTE);
  write_claim (table, "memory; 2-D all modes", "MB", levels * sides * sides * 4 / MEGABYTE, find_bytes (&all, 0) / MEGABYTE);
  gpu_edge_scan_clear (&all);
}

void
paper_d_claims_run (Papers *papers)
{
  cl_program restricted_program, program;
  GpuEdgeScan restricted;
  PapersTable *table;

  if (papers->verify)
    return;
  table = papers_table_open (papers, "d-claims", "Pieters et al.: memory and precision (1080p; bits: of magnitudes)",
      "claim,unit,published,ours");
  restricted_program = kernel_test_build (&papers->test, gpu_edgescan_source, gpu_edge_scan_options (1));
  program = kernel_test_build (&papers->test, gpu_edgescan_source, gpu_edge_scan_options (0));
  restricted = make_scan (papers, restricted_program, 1);
  write_memory (papers, table, program, &restricted);
  write_claim (table, "precision; 1-D; 8-bit samples; all residuals 255", "bits", 19, find_line_bits (paper_d_sizes[SIZE].width));
  write_claim (table, "precision; 2-D restricted; all residuals 255", "bits", 30, find_most_bits (papers, &restricted));
  gpu_edge_scan_clear (&restricted);
  clReleaseProgram (restricted_program);
  clReleaseProgram (program);
  papers_table_close (table);
}
