/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>

#include "capturefolder.h"
#include "lumacapture.h"
#include "paperdprecision.h"
#include "paperdsizes.h"

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

/* Over all levels of the tree */
static void
add_picture (Papers *papers, const cl_program programs[2], const LumaCapture *luma, Largest *largest)
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
  Largest largest = { .restricted = 1 };
  FILE *file = luma_capture_open (path);
  LumaCapture luma;

  while (luma_capture_read (&luma, file)) {
    add_picture (papers, programs, &luma, &largest);
    luma_capture_clear (&luma);
  }
  luma_capture_close (file, path, largest.n_pictures);
  if (largest.n_pictures == 0)
    return;
  luma_capture_write_name (table, path, largest.restricted);
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
      LUMA_CAPTURE_COLUMNS ",pictures,largest_residual,largest_sum,bits,published_bits");
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
