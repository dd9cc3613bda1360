/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>

#include "blockpicture.h"
#include "capturefolder.h"
#include "paperdprecision.h"
#include "paperdsizes.h"

/* Luma of a picture in raster order */
typedef struct
{
  unsigned width, height;
  uint8_t *modes;
  int16_t *residual;
  int restricted; /* vertical and horizontal prediction; DC in the first block alone */
} Luma;

/* Of the pictures of a capture */
typedef struct
{
  unsigned n_pictures;
  int restricted;
  double residual, constant; /* largest magnitudes */
} Largest;

unsigned
paper_d_bits (double magnitude)
{
  unsigned n = 0;

  while (ldexp (1, (int) n) <= magnitude)
    n++;
  return n;
}

double
paper_d_find_largest_constant (Papers *papers, GpuEdgeScan *scan, int restricted, const uint8_t *modes, const int16_t *residual,
    unsigned width, unsigned height)
{
  size_t n = (size_t) width * height, plane_size = ((size_t) width + 1) * (height + 1) * 4;
  GpuLaunches launches = paper_d_launches (papers);
  KernelTest *test = &papers->test;
  void *zeros = papers_alloc (plane_size);
  cl_mem modes_buffer = kernel_test_buffer (test, modes, n / 16), residual_buffer = kernel_test_buffer (test, residual, n * 2);
  cl_mem plane = kernel_test_buffer (test, zeros, plane_size), picture = kernel_test_buffer (test, NULL, n);
  uint64_t n_rows, n_weights;
  double largest = 0;
  union
  {
    int32_t i;
    float f;
  } * constants;

  gpu_edge_scan_get_memory (scan, &n_rows, &n_weights);
  constants = papers_alloc (n_rows * sizeof (*constants));
  launches.next_event = NULL;
  gpu_edge_scan_enqueue (scan, &launches, modes_buffer, residual_buffer, plane, picture);
  kernel_test_check (launches.err, "gpu_edge_scan_enqueue");
  kernel_test_read (test, gpu_edge_scan_get_constants (scan), constants, n_rows * sizeof (*constants));
  for (uint64_t i = 0; i < n_rows; i++)
    largest = fmax (largest, fabs (restricted ? constants[i].i : constants[i].f));
  clReleaseMemObject (modes_buffer);
  clReleaseMemObject (residual_buffer);
  clReleaseMemObject (plane);
  clReleaseMemObject (picture);
  free (constants);
  free (zeros);
  return largest;
}

/* ---- captures ---- */

/* Modes and residual of a macroblock; 0 where it is not Intra_4x4, or predicts from above right */
static int
take_macroblock (const BlockPicture *picture, unsigned mb_addr, Luma *luma)
{
  const GstGpuMb *mb = &block_picture_mbs (picture)[mb_addr];
  unsigned mb_x = mb_addr % picture->head.width_in_mbs, mb_y = mb_addr / picture->head.width_in_mbs;

  for (unsigned blk = 0; blk < 16; blk++) {
    unsigned x = mb_x * 4 + (blk & 1) + (blk >> 1 & 2), y = mb_y * 4 + (blk >> 1 & 1) + (blk >> 2 & 2);
    const int16_t *block = picture->frame_residual + (size_t) mb_addr * BLOCK_PICTURE_MB + blk * 16;
    uint8_t mode = mb->intra_modes[blk / 2] >> blk % 2 * 4 & 15;

    if (mb->mb_class != GST_GPU_MB_I4x4 || mode == 3 || mode == 7)
      return 0;
    luma->restricted &= mode < 2 || (x == 0 && y == 0);
    luma->modes[(size_t) y * (luma->width / 4) + x] = mode;
    for (unsigned i = 0; i < 16; i++)
      luma->residual[(size_t) (y * 4 + i / 4) * luma->width + x * 4 + i % 4] = block[i];
  }
  return 1;
}

static int
take_luma (const BlockPicture *picture, Luma *luma)
{
  int taken = 1;

  *luma = (Luma){ .width = picture->head.width_in_mbs * 16, .height = picture->head.height_in_mbs * 16, .restricted = 1 };
  luma->modes = papers_alloc ((size_t) luma->width * luma->height / 16);
  luma->residual = papers_alloc ((size_t) luma->width * luma->height * 2);
  for (unsigned i = 0; i < picture->n_mbs && taken; i++)
    taken = take_macroblock (picture, i, luma);
  return taken;
}

/* Over all levels of the tree */
static void
add_picture (Papers *papers, const cl_program programs[2], const Luma *luma, Largest *largest)
{
  GpuEdgeScan scan;

  for (size_t i = 0; i < (size_t) luma->width * luma->height; i++)
    largest->residual = fmax (largest->residual, abs (luma->residual[i]));
  kernel_test_check (gpu_edge_scan_init (&scan, papers->test.context, programs[luma->restricted], luma->restricted, luma->width,
                         luma->height, gpu_edge_scan_full_levels (luma->width, luma->height)),
      "gpu_edge_scan_init");
  largest->constant = fmax (largest->constant,
      paper_d_find_largest_constant (papers, &scan, luma->restricted, luma->modes, luma->residual, luma->width, luma->height));
  largest->restricted &= luma->restricted;
  largest->n_pictures++;
  gpu_edge_scan_clear (&scan);
}

static void
write_capture (Papers *papers, PapersTable *table, const cl_program programs[2], const char *path)
{
  const char *name = strrchr (path, '/') + 1;
  Largest largest = { .restricted = 1 };
  FILE *file = fopen (path, "rb");
  BlockPicture picture;

  while (file && block_picture_read (&picture, file)) {
    Luma luma;

    if (take_luma (&picture, &luma))
      add_picture (papers, programs, &luma, &largest);
    free (luma.modes);
    free (luma.residual);
    block_picture_clear (&picture);
  }
  if (file)
    fclose (file);
  if (largest.n_pictures == 0) {
    fprintf (stderr, "%s: no picture of Intra_4x4 alone, without prediction from above right; left out\n", path);
    return;
  }
  papers_cell (table, "%.*s", (int) strlen (name) - 4, name);
  papers_cell (table, "%s", largest.restricted ? "V and H" : "all but above right");
  papers_cell (table, "%u", largest.n_pictures);
  papers_cell (table, "%.0f", largest.residual);
  papers_cell (table, "%.1f", largest.constant);
  papers_cell (table, "%u", paper_d_bits (largest.constant));
  papers_cell (table, "%u", 16u);
}

void
paper_d_precision_run (Papers *papers)
{
  PapersTable *table = papers_table_open (papers, "d-precision",
      "Pieters et al.: the largest sum of the 2-D scan, all levels, on residuals of streams (bits: without sign)",
      "material,modes,pictures,largest_residual,largest_sum,bits,published_bits");
  cl_program programs[2];
  char **paths;
  unsigned n = capture_folder_list (papers, &paths);

  for (int restricted = 0; restricted < 2; restricted++)
    programs[restricted] = kernel_test_build (&papers->test, gpu_edgescan_source, gpu_edge_scan_options (restricted));
  for (unsigned i = 0; i < n; i++) {
    write_capture (papers, table, programs, paths[i]);
    free (paths[i]);
  }
  free (paths);
  for (int restricted = 0; restricted < 2; restricted++)
    clReleaseProgram (programs[restricted]);
  papers_table_close (table);
}
